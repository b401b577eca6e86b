"""The free parameters of a problem as the unit cube that most optimisers want."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.problem import Number, Problem
from ordbo_cli.search.space import Space


class Box:
    """Maps values to shares of the box, on the parameters' own scales, and back.

    Args:
        problem: its free parameters make the box.
    """

    def __init__(self, problem: Problem) -> None:
        self._space = Space(problem, ())

    @property
    def dimension(self) -> int:
        """D."""
        return self._space.dimension

    def shares(self, values: Sequence[Number]) -> Array:
        """Return values as shares [D], each from 0 to 1."""
        return np.clip(self._space.unit(np.array([values], dtype=np.float64))[0], 0.0, 1.0)

    def values(self, shares: Array) -> tuple[Number, ...]:
        """Return the values closest to shares [D] among those that can be suggested."""
        inside = np.clip(shares, 0.0, 1.0)
        targets = [
            axis.between(axis.low, axis.high, float(t)) for axis, t in zip(self._space.axes, inside, strict=True)
        ]
        return self._space.snapped(targets)
