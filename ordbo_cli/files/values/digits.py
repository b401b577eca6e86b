"""Values that went through a spreadsheet, which keeps 15 digits: what agrees to these is the same.

Some programs round the 15th digit, others cut the rest off, so two values agree where one of the two makes them equal.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from decimal import MAX_EMAX, MIN_EMIN, ROUND_DOWN, ROUND_HALF_EVEN, Context, Decimal
from typing import Final

from ordbo_cli.problem import Number, Problem

DIGITS: Final = 15
_NEAR: Final = 1.1 * 10.0 ** (1 - DIGITS)  # relative: farther apart, two doubles cannot agree
_CUT, _ROUNDED = (
    Context(prec=DIGITS, rounding=rounding, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])
    for rounding in (ROUND_DOWN, ROUND_HALF_EVEN)
)

Values = tuple[Number, ...]


def agree(one: float | Decimal, other: float | Decimal) -> bool:
    """Return whether two numbers are the same to 15 digits; a double is what its shortest text says."""
    if one == other:
        return True
    a, b = _exact(one), _exact(other)
    if not (a.is_finite() and b.is_finite()):
        return False
    return any(context.plus(a) == context.plus(b) for context in (_ROUNDED, _CUT))


def _exact(x: float | Decimal) -> Decimal:
    return x if isinstance(x, Decimal) else Decimal(repr(float(x)))


class Known:
    """The values of free parameters that are known; others that agree with one of them to 15 digits become that one.

    Args:
        problem: whose parameters they are. Only floats are snapped: all else survives a spreadsheet, or has its own
            words.
        points: whose values are known first, in the problem's order.
    """

    def __init__(self, problem: Problem, points: Iterable[Sequence[Number]] = ()) -> None:
        self._places = [k for k, parameter in enumerate(problem.free) if parameter.type == "float"]
        self._points = list(points)

    def snapped(self, points: Sequence[Values]) -> list[Values]:
        """Return points in which values that agree are one: a known value, or else the one with the most digits."""
        if not self._places:
            return list(points)
        changes = [self._changes(k, points) for k in self._places]
        if not any(changes):
            return list(points)
        of = dict(zip(self._places, changes, strict=True))
        return [tuple(of[k].get(x, x) if k in of else x for k, x in enumerate(point)) for point in points]

    def _changes(self, k: int, points: Sequence[Values]) -> Mapping[Number, Number]:
        """Return by value of one parameter which other value it becomes, whatever the order of the points."""
        known = {point[k] for point in self._points}
        changes: dict[Number, Number] = {}
        group: list[Number] = []
        for x in [*sorted(known | {point[k] for point in points if point}), math.inf]:
            if group and (x - group[-1] > _NEAR * abs(x) or not agree(group[-1], x)):
                best = min(group, key=lambda x: (x not in known, -len(repr(x)), x)) if len(group) > 1 else group[0]
                changes |= {each: best for each in group if each != best}
                group = []
            group.append(x)
        return changes


def alike(one: Sequence[Number], other: Sequence[Number]) -> bool:
    """Return whether two points agree in every value to 15 digits."""
    return len(one) == len(other) and all(
        a == b or (math.isclose(a, b, rel_tol=_NEAR, abs_tol=0.0) and agree(a, b))
        for a, b in zip(one, other, strict=True)
    )
