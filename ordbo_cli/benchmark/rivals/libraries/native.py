"""Parameters as libraries take them that know whole numbers and levels; all else is shares of the box.

A float is a share to every library, so that a logarithmic scale is the same to all of them. Whole numbers are counted
from 0 on where they have a step, and are shares on a logarithmic scale where the library has no such whole numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeAlias

from ordbo_cli.benchmark.rivals.unit_box import Box
from ordbo_cli.problem import Number, Parameter, Problem


class Share(NamedTuple):
    """A float from 0 to 1."""


class Whole(NamedTuple):
    """Whole numbers from ``low`` to ``high``, both included.

    Args:
        low, high: bounds.
        log: whether ratios matter.
        first, step: what 0 stands for, and how far the next is.
    """

    low: int
    high: int
    log: bool = False
    first: int = 0
    step: int = 1


class Choices(NamedTuple):
    """Levels without an order, by their places from 0 on."""

    number: int


Kind: TypeAlias = Share | Whole | Choices


class NativeSpace:
    """The free parameters by the names ``x0``, ``x1``, ... and the kinds that libraries have.

    Args:
        problem: with the parameters.
        log: whether the library knows whole numbers on a logarithmic scale.
        wholes: whether it is given any whole numbers.
    """

    def __init__(self, problem: Problem, *, log: bool = False, wholes: bool = True) -> None:
        self._problem, self._box = problem, Box(problem)
        kinds = [_kind(parameter, log) for parameter in problem.free]
        self.kinds: dict[str, Kind] = {
            f"x{k}": Share() if isinstance(kind, Whole) and not wholes else kind for k, kind in enumerate(kinds)
        }

    def inside(self, point: Sequence[Number]) -> dict[str, Number]:
        """Return a point as the library has it."""
        shares = self._box.shares(point).tolist()
        return {name: _inside(kind, x, t) for (name, kind), x, t in zip(self.kinds.items(), point, shares, strict=True)}

    def point(self, inside: Mapping[str, Number]) -> tuple[Number, ...]:
        """Return what the library suggests as a point; what is missing there does not count."""
        values = [
            self._value(k, kind, inside[name]) if name in inside else self._problem.free[k].low
            for k, (name, kind) in enumerate(self.kinds.items())
        ]
        return self._problem.canonical(values)

    def _value(self, place: int, kind: Kind, x: Number) -> Number:
        if isinstance(kind, Share):
            return self._box.value(place, float(x))
        return kind.first + kind.step * int(x) if isinstance(kind, Whole) else int(x)


def _kind(parameter: Parameter, log: bool) -> Kind:
    if parameter.type == "categorical":
        return Choices(len(parameter.levels))
    steps = int(parameter.step or 1)
    if not parameter.is_whole or (parameter.scale == "log" and (not log or steps > 1)):
        return Share()
    low, high = int(parameter.low), int(parameter.high)
    if parameter.scale == "log" or steps == 1:
        return Whole(low, high, parameter.scale == "log")
    return Whole(0, (high - low) // steps, first=low, step=steps)


def _inside(kind: Kind, x: Number, share: float) -> Number:
    if isinstance(kind, Share):
        return share
    return (int(x) - kind.first) // kind.step if isinstance(kind, Whole) else int(x)
