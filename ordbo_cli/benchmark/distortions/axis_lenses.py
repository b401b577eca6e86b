"""Distortions of the parameters: another unit, or another scale, for every float that may have any value.

Levels, whole numbers and grids stay as they are, and so do parameters that constraints name: these are meant for values
as they are.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle
from typing import Final, TypeAlias

import numpy as np

from ordbo_cli.benchmark.distortions.lens import KnownProblem, Lens, refusal
from ordbo_cli.benchmark.distortions.result_lenses import Kelvin
from ordbo_cli.benchmark.suites.kumaraswamy import kumaraswamy, kumaraswamy_inverse
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number, Parameter, Problem
from ordbo_cli.problem.axis import Axis, FloatLattice
from ordbo_cli.problem.method import Method

FACTOR: Final = 1024  # a power of two: no value is rounded, so that all that can change is what a method makes of it
_POWERS: Final = ((3.0, 1.0), (1.0, 3.0), (2.5, 2.5), (0.4, 0.4))  # a and b of one parameter after the other

_ShareMap: TypeAlias = Callable[[Array, float, float], Array]


@dataclass(frozen=True)
class OtherUnits(Kelvin):
    """Other units: every float 1024 times as large, bounds and all, and results as :class:`Kelvin` has them.

    Args:
        scaled: whether each free parameter is in another unit [D].
    """

    scaled: tuple[bool, ...]

    @classmethod
    def before(cls, subject: KnownProblem) -> OtherUnits:
        """Return it for a problem."""
        return cls(_supple(subject.problem(Method(), 0)))

    def question(self, problem: Problem) -> Problem:
        """Return the question that a method is put."""
        larger = {
            p.name: dataclasses.replace(p, min=p.min * FACTOR, max=p.max * FACTOR)
            for p, scaled in zip(problem.free, self.scaled, strict=True)
            if scaled
        }
        return dataclasses.replace(problem, parameters=tuple(larger.get(p.name, p) for p in problem.parameters))

    def seen(self, values: Sequence[Number]) -> tuple[Number, ...]:
        """Return the values that a method has for a point of the problem."""
        return tuple(x * FACTOR if scaled else x for x, scaled in zip(values, self.scaled, strict=True))

    def true(self, values: Sequence[Number]) -> tuple[Number, ...]:
        """Return the point of the problem that a method's values stand for."""
        return tuple(x / FACTOR if scaled else x for x, scaled in zip(values, self.scaled, strict=True))


@dataclass(frozen=True)
class BentAxes(Lens):
    """Every float bent within its bounds, on its own scale, by a map of Kumaraswamy: 1 - (1 - t^a)^b of its share t.

    Args:
        axes: the free parameters, None for one that stays as it is [D].
    """

    axes: tuple[Parameter | None, ...]

    @classmethod
    def before(cls, subject: KnownProblem) -> BentAxes:
        """Return it for a problem.

        Raises:
            UsageError: there is no parameter to be bent.
        """
        problem = subject.problem(Method(), 0)
        supple = _supple(problem)
        if not any(supple):
            raise refusal(subject.name, "warp", "it has no float without a grid that no constraint names")
        return cls(tuple(p if bent else None for p, bent in zip(problem.free, supple, strict=True)))

    def seen(self, values: Sequence[Number]) -> tuple[Number, ...]:
        """Return the values that a method has for a point of the problem."""
        return self._mapped(values, kumaraswamy)

    def true(self, values: Sequence[Number]) -> tuple[Number, ...]:
        """Return the point of the problem that a method's values stand for."""
        return self._mapped(values, kumaraswamy_inverse)

    def _mapped(self, values: Sequence[Number], share: _ShareMap) -> tuple[Number, ...]:
        powers = cycle(_POWERS)
        return tuple(
            x if parameter is None else _bent(Axis(parameter), x, share, *next(powers))
            for x, parameter in zip(values, self.axes, strict=True)
        )


def _supple(problem: Problem) -> tuple[bool, ...]:
    """Return whether each free parameter is a float that may have any value and that no constraint names [D]."""
    named = {name for constraint in problem.constraints for name in constraint.needs}
    return tuple(isinstance(p.lattice, FloatLattice) and p.name not in named for p in problem.free)


def _bent(axis: Axis, x: Number, share: _ShareMap, a: float, b: float) -> float:
    """Return the value at the image of a value's share of the axis."""
    if x in (axis.low, axis.high):  # rounding would move the ends
        return float(x)
    (t,) = share(np.clip(axis.share(np.array([float(x)])), 0.0, 1.0), a, b)
    return axis.between(axis.low, axis.high, float(t))
