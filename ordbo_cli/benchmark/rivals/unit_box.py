"""The free parameters of a problem as the unit cube that most optimisers want."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.axis import Axis, StepLattice, nearest


class Box:
    """Maps values to shares of the box, on the parameters' own scales, and back.

    The values of a grid have equal parts of their axis (on a logarithmic scale parts from midway to midway), and so
    have the levels of a categorical parameter, or an axis each. What does not count is held at its lowest value.

    Args:
        problem: its free parameters make the box.
        one_hot: whether a level without an order has an axis of its own, 1 where it is taken and 0 elsewhere.
    """

    def __init__(self, problem: Problem, *, one_hot: bool = False) -> None:
        self._problem = problem
        self._scales: list[_Scale] = []
        for parameter in problem.free:
            if parameter.type == "categorical" and one_hot:
                self._scales.append(_OneHot(len(parameter.levels)))
            elif isinstance(parameter.lattice, StepLattice):
                self._scales.append(_Grid(Axis(parameter)))
            else:
                self._scales.append(_Line(Axis(parameter)))
        self._ends = np.cumsum([scale.width for scale in self._scales])[:-1]

    @property
    def dimension(self) -> int:
        """The number of its axes, D."""
        return sum(scale.width for scale in self._scales)

    def shares(self, values: Sequence[Number]) -> Array:
        """Return values as shares [D], each from 0 to 1."""
        return np.concatenate([scale.shares(x) for scale, x in zip(self._scales, values, strict=True)])

    def values(self, shares: Array) -> tuple[Number, ...]:
        """Return the values that shares [D] stand for."""
        parts = np.split(np.clip(shares, 0.0, 1.0), self._ends)
        return self._problem.canonical([scale.value(t) for scale, t in zip(self._scales, parts, strict=True)])

    @property
    def rounds(self) -> bool:
        """Whether there are values for some shares only: there is a grid, a level or a condition."""
        return any(not isinstance(scale, _Line) for scale in self._scales)

    @property
    def parts(self) -> tuple[int, ...]:
        """Of how many equal parts each axis is made, each for a value; 0 where there are values everywhere."""
        return tuple(scale.parts for scale in self._scales for _ in range(scale.width))

    def rounded(self, X: Array) -> Array:
        """Return the shares of the values that shares [P, D] stand for, where there is anything to round."""
        return np.array([self.shares(self.values(x)) for x in X]) if self.rounds else X

    def value(self, place: int, share: float) -> Number:
        """Return what a share of one parameter's axis stands for, given its place among the free ones."""
        return self._scales[place].value(np.array([share]))


class _Scale(Protocol):
    """How one parameter lies on its axes."""

    width: int
    parts: int

    def shares(self, x: Number) -> Array:
        """Return a value as shares of the axes."""

    def value(self, t: Array) -> Number:
        """Return the value that shares stand for."""


class _Line:
    """A parameter without a grid, or one of digits."""

    width, parts = 1, 0

    def __init__(self, axis: Axis) -> None:
        self._axis = axis

    def shares(self, x: Number) -> Array:
        """Return a value as a share of the axis."""
        return np.clip(self._axis.share(np.array([float(x)])), 0.0, 1.0)

    def value(self, t: Array) -> Number:
        """Return the value closest to a share."""
        axis = self._axis
        target = axis.between(axis.low, axis.high, float(t[0]))
        return nearest(axis.lattice, target)


class _Grid:
    """A parameter of equal steps, each value the middle of its part."""

    width = 1

    def __init__(self, axis: Axis) -> None:
        self._axis = axis
        half = (axis.lattice.value(1) - axis.low) / 2
        self._log = axis.parameter.scale == "log"
        self.parts = 0 if self._log else axis.lattice.count
        self._low, self._high = axis.low - half, axis.high + half
        if self._log:  # a step wider than the lowest value reaches below zero
            self._low, self._high = math.log(max(self._low, axis.low / 2)), math.log(self._high)

    def shares(self, x: Number) -> Array:
        """Return a value as a share of the axis."""
        inside = min(max(float(x), self._axis.low), self._axis.high)
        return np.array([((math.log(inside) if self._log else inside) - self._low) / (self._high - self._low)])

    def value(self, t: Array) -> Number:
        """Return the value whose part holds a share."""
        target = self._low + (self._high - self._low) * float(t[0])
        lattice = self._axis.lattice
        return nearest(lattice, math.exp(target) if self._log else target)


class _OneHot:
    """Levels without an order, each with an axis."""

    def __init__(self, count: int) -> None:
        self.width, self.parts = count, 2

    def shares(self, x: Number) -> Array:
        """Return 1 on the axis of a level, 0 on the others."""
        return np.eye(self.width)[int(x)]

    def value(self, t: Array) -> Number:
        """Return the level with the largest share."""
        return int(np.argmax(t))
