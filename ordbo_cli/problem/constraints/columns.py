"""The arithmetic of expressions at many points: the same numbers as at one point, to the last bit.

What IEEE 754 rounds correctly is left to NumPy. Its logarithms, powers and the like may differ from those of Python in
the last bit, so these are Python's, value by value.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from ordbo_cli.problem.constraints import doubles

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]


def apply(operator: str, arguments: Sequence[Array]) -> Array:
    """Return the values of an operator or function, for columns of one length or single numbers."""
    import numpy as np

    exact: dict[str, Any] = {
        "+": np.add,
        "-": np.subtract,
        "*": np.multiply,
        "/": lambda x, y: np.where(y == 0, np.nan, np.true_divide(x, y)),
        "neg": np.negative,
        "abs": np.abs,
        "sqrt": np.sqrt,
        "floor": np.floor,
        "ceil": np.ceil,
        "round": np.rint,
        "min": lambda *columns: functools.reduce(np.minimum, columns),
        "max": lambda *columns: functools.reduce(np.maximum, columns),
    }
    with np.errstate(all="ignore"):
        if operator == "**" and np.ndim(arguments[1]) == 0 and arguments[1] == 2:
            return np.asarray(np.multiply(arguments[0], arguments[0]))
        if operator in exact:
            return np.asarray(exact[operator](*arguments))
        each = np.frompyfunc(lambda *values: doubles.apply(operator, values), len(arguments), 1)
        return np.asarray(each(*arguments), dtype=float)


def compare(operator: str, x: Array, y: Array) -> NDArray[np.bool_]:
    """Return where a comparison holds; nowhere of NaN."""
    import numpy as np

    how: dict[str, Any] = {
        "<": np.less, "<=": np.less_equal, ">": np.greater, ">=": np.greater_equal,
        "==": np.equal, "!=": np.not_equal,
    }  # fmt: skip
    return np.asarray(how[operator](x, y) & ~np.isnan(x) & ~np.isnan(y))
