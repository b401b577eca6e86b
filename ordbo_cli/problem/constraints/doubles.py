"""The arithmetic of expressions at one point: doubles, with NaN for what is undefined and infinity for too much."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from operator import floordiv, mod, truediv
from typing import Final


def _total(function: Callable[[float], float]) -> Callable[[float], float]:
    """Return a function of :mod:`math` that raises no error."""

    def total(x: float) -> float:
        try:
            return function(x)
        except OverflowError:
            return math.inf
        except ValueError:
            return math.nan

    return total


def _whole(function: Callable[[float], int]) -> Callable[[float], float]:
    """Return a function that rounds, as a double."""
    return lambda x: float(function(x)) if math.isfinite(x) else x


def _by(division: Callable[[float, float], float]) -> Callable[[float, float], float]:
    """Return a function that divides; NaN by 0."""
    return lambda x, y: math.nan if y == 0 else division(x, y)


def power(x: float, y: float) -> float:
    """Return x ** y; NaN where that is no real number. A square is a product, so that arrays may do the same."""
    if y == 2:
        return x * x
    if math.isnan(x) or math.isnan(y) or (x < 0 and not y.is_integer()) or (x == 0 and y < 0):
        return math.nan
    try:
        return math.pow(x, y)
    except OverflowError:
        return -math.inf if x < 0 and y % 2 == 1 else math.inf


def _extreme(choose: Callable[[Sequence[float]], float]) -> Callable[..., float]:
    return lambda *values: math.nan if any(map(math.isnan, values)) else choose(values)


FUNCTIONS: Final[Mapping[str, Callable[..., float]]] = {
    "abs": abs,
    "sqrt": _total(math.sqrt),
    "exp": _total(math.exp),
    "log": _total(math.log),
    "log10": _total(math.log10),
    "sin": _total(math.sin),
    "cos": _total(math.cos),
    "tan": _total(math.tan),
    "floor": _whole(math.floor),
    "ceil": _whole(math.ceil),
    "round": _whole(round),
    "min": _extreme(min),
    "max": _extreme(max),
}
divide: Final = _by(truediv)
_OPERATORS: Final[Mapping[str, Callable[..., float]]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": divide,
    "//": _by(floordiv),
    "%": _by(mod),
    "**": power,
    "neg": lambda x: -x,
}


def apply(operator: str, arguments: Sequence[float]) -> float:
    """Return the value of an operator or function."""
    return (_OPERATORS.get(operator) or FUNCTIONS[operator])(*arguments)


def compare(operator: str, x: float, y: float) -> bool:
    """Return whether a comparison of two numbers holds; never of NaN."""
    if math.isnan(x) or math.isnan(y):
        return False
    if operator in ("==", "!="):
        return (x == y) == (operator == "==")
    if operator in (">", ">="):
        x, y = y, x
    return x < y if operator in ("<", ">") else x <= y
