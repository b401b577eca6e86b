"""The arithmetic of expressions over boxes: bounds of every double that an expression can have there.

Sums, products, quotients and roots are rounded correctly, so that rounding keeps their order and the ends of an
interval need no room. Those of the C library are within an ulp of the truth: theirs get four.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final, NamedTuple

from ordbo_cli.problem.constraints import doubles

_ULPS: Final = 4
_TINY: Final = math.ulp(0.0)
_LARGEST_ANGLE: Final = 1e8  # beyond it, where a period ends is not worth knowing
_ANGLE_ROOM: Final = 1e-6


class Interval(NamedTuple):
    """All numbers from low to high; none where low is above high.

    Args:
        low, high: the ends, both included, possibly infinite.
        partial: whether the expression may be undefined somewhere in the box.
    """

    low: float
    high: float
    partial: bool = False

    @property
    def empty(self) -> bool:
        """Whether the expression is undefined in all of the box."""
        return self.low > self.high

    @property
    def single(self) -> bool:
        """Whether it is one and the same number in all of the box."""
        return self.low == self.high and not self.partial


UNDEFINED: Final = Interval(math.inf, -math.inf, True)


def constant(number: float) -> Interval:
    """Return the interval of one number."""
    return Interval(number, number)


def apply(operator: str, arguments: Sequence[Interval]) -> Interval:
    """Return the interval of an operator or function."""
    if any(each.empty for each in arguments):
        return UNDEFINED
    if all(each.single for each in arguments):
        return _hull([doubles.apply(operator, [each.low for each in arguments])])
    found = _RULES[operator](*arguments)
    return found._replace(partial=True) if any(each.partial for each in arguments) else found


def possible(operator: str, x: Interval, y: Interval) -> bool:
    """Return whether a comparison may hold somewhere; False is a proof."""
    if x.empty or y.empty:
        return False
    if operator in (">", ">="):
        x, y = y, x
    if operator == "==":
        return x.low <= y.high and y.low <= x.high
    if operator == "!=":
        return not (x.low == x.high == y.low == y.high)
    return x.low < y.high if operator in ("<", ">") else x.low <= y.high


def certain(operator: str, x: Interval, y: Interval) -> bool:
    """Return whether a comparison holds everywhere; True is a proof."""
    if x.empty or y.empty or x.partial or y.partial:
        return False
    if operator in (">", ">="):
        x, y = y, x
    if operator == "==":
        return x.low == x.high == y.low == y.high
    if operator == "!=":
        return x.high < y.low or y.high < x.low
    return x.high < y.low if operator in ("<", ">") else x.high <= y.low


def _hull(ends: Iterable[float], partial: bool = False) -> Interval:
    """Return the interval around numbers, of which NaN is none but makes it partial."""
    ends = list(ends)
    defined = [end for end in ends if not math.isnan(end)]
    if not defined:
        return UNDEFINED
    return Interval(min(defined), max(defined), partial or len(defined) < len(ends))


def _wider(x: Interval, low: float = -math.inf, high: float = math.inf) -> Interval:
    """Return an interval with room for the C library's rounding, within the function's own range."""
    if x.empty:
        return x
    down, up = x.low, x.high
    for _ in range(_ULPS):
        down, up = math.nextafter(down, -math.inf), math.nextafter(up, math.inf)
    return Interval(max(down, low), min(up, high), x.partial)


def _add(x: Interval, y: Interval) -> Interval:
    low, high = x.low + y.low, x.high + y.high
    opposite = (x.high == math.inf and y.low == -math.inf) or (x.low == -math.inf and y.high == math.inf)
    return Interval(-math.inf if math.isnan(low) else low, math.inf if math.isnan(high) else high, opposite)


def _multiply(x: Interval, y: Interval) -> Interval:
    undefined = (_holds(x, 0) and _unbounded(y)) or (_holds(y, 0) and _unbounded(x))
    return _hull([_or_zero(a * b) for a in x[:2] for b in y[:2]], undefined)


def _divide(x: Interval, y: Interval) -> Interval:
    pieces = _without_zero(y)
    ends = [_or_zero(a / b) for piece in pieces for a in x[:2] for b in piece]
    return _hull(ends, _holds(y, 0) or (_unbounded(x) and _unbounded(y))) if ends else UNDEFINED


def _floor_divide(x: Interval, y: Interval) -> Interval:
    quotient = _wider(_divide(x, y))
    if quotient.empty:
        return UNDEFINED
    low, high = (doubles.apply("floor", [end]) for end in quotient[:2])
    if x.low >= 0 and y.low >= 0:
        low = max(low, 0.0)
    return Interval(low, high, quotient.partial or _unbounded(x))


def _remainder(x: Interval, y: Interval) -> Interval:
    partial = _holds(y, 0) or _unbounded(x)
    low, high = min(y.low, 0.0), max(y.high, 0.0)
    if x.low >= 0 and y.low >= 0:
        if x.high < y.low:
            return Interval(x.low, x.high, partial)
        high = min(high, x.high)
    return Interval(low, high, partial)


def _power(x: Interval, y: Interval) -> Interval:
    """Return the interval of x ** y; x is taken apart at 0, and on either side the ends lie at the corners."""
    found: list[float] = []
    partial = False
    if x.high > 0:
        positive = Interval(max(x.low, _TINY), x.high)
        found += _wider(_hull([doubles.power(a, b) for a in positive[:2] for b in y[:2]]), low=0.0)[:2]
    if _holds(x, 0):
        found += [0.0] * (y.high > 0) + [1.0] * _holds(y, 0)
        partial = y.low < 0
    if x.low < 0 and (signs := _signs(y)):
        sizes = Interval(max(-x.high, _TINY), -x.low)
        within = _wider(_hull([doubles.power(a, b) for a in sizes[:2] for b in y[:2]]), low=0.0)
        found += [sign * size for sign in signs for size in within[:2]]
    partial |= x.low < 0 and not (y.single and y.low.is_integer())
    return _hull(found, partial) if found else UNDEFINED


def _signs(y: Interval) -> tuple[float, ...]:
    """Return the signs that a negative number can have to the power of the whole numbers in an interval."""
    if y.low == y.high:
        return () if not y.low.is_integer() else (-1.0,) if y.low % 2 == 1 else (1.0,)
    return (-1.0, 1.0)


def _abs(x: Interval) -> Interval:
    ends = (abs(x.low), abs(x.high))
    return Interval(0.0 if _holds(x, 0) else min(ends), max(ends))


def _increasing(
    name: str, least: float = -math.inf, most: float = math.inf, room: bool = False, above: float = -math.inf
) -> Callable[[Interval], Interval]:
    """Return the rule of a function that never falls.

    Args:
        name: the function's.
        least, most: bounds of its values.
        room: whether it is the C library's.
        above: the smallest number for which it is defined.
    """

    def rule(x: Interval) -> Interval:
        if x.high < above:
            return UNDEFINED
        ends = [doubles.apply(name, [end]) for end in (max(x.low, above), x.high)]
        found = _hull(ends, x.low < above)
        return _wider(found, least, most) if room else found

    return rule


def _periodic(name: str, peaks: float, period: float) -> Callable[[Interval], Interval]:
    """Return the rule of a function that has a peak (or a pole) at ``peaks`` plus whole periods."""

    def has(x: Interval, where: float) -> bool:
        first = math.ceil((x.low - _ANGLE_ROOM - where) / period)
        return first <= math.floor((x.high + _ANGLE_ROOM - where) / period)

    def rule(x: Interval) -> Interval:
        partial = _unbounded(x)
        most = math.inf if name == "tan" else 1.0
        if x.low == x.high and partial:
            return UNDEFINED
        if max(abs(x.low), abs(x.high)) > _LARGEST_ANGLE or x.high - x.low >= period:
            return Interval(-most, most, partial)
        ends = _wider(_hull([doubles.apply(name, [end]) for end in x[:2]]), -most, most)
        if name == "tan":
            return Interval(-most, most) if has(x, peaks) else ends
        return Interval(-1.0 if has(x, peaks + math.pi) else ends.low, 1.0 if has(x, peaks) else ends.high)

    return rule


def _extreme(choose: Callable[[Iterable[float]], float]) -> Callable[..., Interval]:
    return lambda *each: Interval(choose(x.low for x in each), choose(x.high for x in each))


def _or_zero(corner: float) -> float:
    """Return the value at a corner; next to 0 * inf and inf / inf, numbers that are finite give 0."""
    return 0.0 if math.isnan(corner) else corner


def _holds(x: Interval, number: float) -> bool:
    return x.low <= number <= x.high


def _unbounded(x: Interval) -> bool:
    return math.isinf(x.low) or math.isinf(x.high)


def _without_zero(x: Interval) -> list[tuple[float, float]]:
    """Return the negative and the positive part of an interval, as far as there are doubles."""
    negative = [(x.low, min(x.high, -_TINY))] if x.low < 0 else []
    return negative + ([(max(x.low, _TINY), x.high)] if x.high > 0 else [])


_RULES: Final[Mapping[str, Callable[..., Interval]]] = {
    "+": _add,
    "-": lambda x, y: _add(x, Interval(-y.high, -y.low)),
    "*": _multiply,
    "/": _divide,
    "//": _floor_divide,
    "%": _remainder,
    "**": _power,
    "neg": lambda x: Interval(-x.high, -x.low),
    "abs": _abs,
    "sqrt": _increasing("sqrt", above=0.0),
    "exp": _increasing("exp", least=0.0, room=True),
    "log": _increasing("log", room=True, above=_TINY),
    "log10": _increasing("log10", room=True, above=_TINY),
    "sin": _periodic("sin", math.pi / 2, 2 * math.pi),
    "cos": _periodic("cos", 0.0, 2 * math.pi),
    "tan": _periodic("tan", math.pi / 2, math.pi),
    "floor": _increasing("floor"),
    "ceil": _increasing("ceil"),
    "round": _increasing("round"),
    "min": _extreme(min),
    "max": _extreme(max),
}
