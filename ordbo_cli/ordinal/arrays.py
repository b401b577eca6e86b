"""Names for the arrays of this package."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Array: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
BoolArray: TypeAlias = npt.NDArray[np.bool_]


def side_by_side(columns: Sequence[npt.NDArray[Any]], rows: int) -> npt.NDArray[Any]:
    """Return columns as a matrix [rows, columns], also where there are none."""
    return np.stack(columns, axis=1) if columns else np.zeros((rows, 0))
