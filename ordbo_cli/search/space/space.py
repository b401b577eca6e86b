"""The box that is searched: the values of each free parameter, its scale, and the points that were tried."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ordbo_cli.ordinal.linalg import Array, side_by_side
from ordbo_cli.problem import Number, Parameter, Problem
from ordbo_cli.problem.lattice import floor_index, nearest
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders


class Axis:
    """One free parameter as the search sees it.

    Args:
        parameter: what the user said of it.
        orders: of the settings of ranked parameters.
    """

    def __init__(self, parameter: Parameter, orders: SettingOrders = NO_ORDERS) -> None:
        self.parameter = parameter
        self.lattice = orders.lattice(parameter)
        self.labels = tuple(orders.of(parameter.name).labels)
        self.low, self.high = float(parameter.low), float(parameter.high)
        self._floors: dict[float, int] = {}

    def share(self, x: Array) -> Array:
        """Return values as shares of the box on the parameter's own scale, those outside at most a width away.

        A row outside the bounds counts for its order only: it may even be negative where the scale is ``log``.
        """
        low, high = self.low, self.high
        if self.parameter.scale == "log":
            x, low, high = np.log(np.maximum(x, math.ulp(0.0))), math.log(low), math.log(high)
        with np.errstate(over="ignore"):
            return np.clip((x - low) / (high - low), -1.0, 2.0)

    def between(self, low: float, high: float, share: float) -> float:
        """Return the value at a share of the way from low to high, on the parameter's own scale."""
        if share in (0.0, 1.0):  # rounding would miss the ends by a digit
            return high if share else low
        log = self.parameter.scale == "log"
        x = low ** (1.0 - share) * high**share if log else low + (high - low) * share
        return min(max(x, low), high)

    def spread(self, low: float, high: float, shares: Array) -> Array:
        """Return values at shares of the way from low to high, on the parameter's own scale, close to its grid."""
        if self.parameter.type == "ranked":
            values = np.array([self.lattice.value(k) for k in self.indices(low, high)] or [low])
            return np.asarray(values[np.floor(shares * len(values)).astype(np.int64)])
        if self.parameter.is_whole or self.parameter.step is not None:
            step = float(self.parameter.step or 1)
            return np.minimum(low + step * np.floor(shares * (1.0 + round((high - low) / step))), high)
        if self.parameter.scale == "log":
            return np.clip(np.exp(math.log(low) + (math.log(high) - math.log(low)) * shares), low, high)
        return np.clip(low + (high - low) * shares, low, high)

    def gaps(self, low: float, high: float) -> list[float]:
        """Return the labels of new settings that a cell from low to high owns, of a ranked parameter, rising."""
        taken = set(self.labels)
        labels = [float(self.lattice.value(k)) for k in self.indices(low, high)]
        return [x for x in labels if x not in taken]

    def floor(self, x: float) -> int:
        """Return the index of the largest lattice value that is at most x (-1: none)."""
        if x not in self._floors:
            self._floors[x] = floor_index(self.lattice, x)
        return self._floors[x]

    def indices(self, low: float, high: float) -> range:
        """Return the indices of the values that a cell from low to high owns.

        Its lower edge belongs to the cell below, unless it is the parameter's own bound.
        """
        return range(max(0, self.floor(low) + (low > self.low)), self.floor(high) + 1)

    def holds(self, x: float) -> bool:
        """Return whether x is one of the values that can be suggested."""
        index = self.floor(x)
        return index >= 0 and self.lattice.value(index) == x

    def outward(self, allowed: range, target: float) -> Iterator[tuple[float, int]]:
        """Yield indices of a range by growing distance of their values from a target, with that distance."""
        above = min(max(self.floor(target) + 1, allowed.start), allowed.stop)
        below = above - 1
        while below >= allowed.start or above < allowed.stop:
            down = target - self.lattice.value(below) if below >= allowed.start else np.inf
            up = self.lattice.value(above) - target if above < allowed.stop else np.inf
            if down <= up:
                yield float(down), below
                below -= 1
            else:
                yield float(up), above
                above += 1


class Space:
    """Free parameters of a problem: all of them, or some, the others held.

    Args:
        problem: the problem.
        tried: values of the points that are not suggested again.
        columns: places of the axes among the free parameters, rising; None for all of them.
        held: a value for each free parameter, of which those of the others count; None where there are no others.
        orders: of the settings of ranked parameters.
    """

    def __init__(
        self,
        problem: Problem,
        tried: Sequence[Sequence[Number]],
        columns: Sequence[int] | None = None,
        held: Sequence[Number] | None = None,
        orders: SettingOrders = NO_ORDERS,
    ) -> None:
        self.problem = problem
        self.orders = orders
        self.columns = tuple(range(len(problem.free)) if columns is None else columns)
        self.held = tuple(parameter.low for parameter in problem.free) if held is None else tuple(held)
        self._apart = sorted({*range(len(problem.free))}.difference(self.columns))
        self.axes = tuple(Axis(problem.free[k], orders) for k in self.columns)
        self.low = np.array([axis.low for axis in self.axes])
        self.high = np.array([axis.high for axis in self.axes])
        self.tried = frozenset(tuple(float(x[k]) for k in self.columns) for x in tried if self.contains(x))
        self._all_tried = tried

    def on(self, columns: Sequence[int], held: Sequence[Number] | None = None) -> Space:
        """Return the space of some parameters, the others held (as by :class:`Space` itself)."""
        return type(self)(self.problem, self._all_tried, columns, held, self.orders)

    def inputs(self, points: Sequence[Any]) -> Array:
        """Return the values of points of all free parameters on the axes [P, D], also where there are no points."""
        X = np.array(points, dtype=np.float64).reshape(-1, len(self.held))
        return X if len(self.columns) == len(self.held) else X[:, self.columns]

    def contains(self, point: Sequence[Number]) -> bool:
        """Return whether a point of all free parameters has the values that are held."""
        return all(point[k] == self.held[k] for k in self._apart)

    def point(self, values: Sequence[Number]) -> tuple[Number, ...]:
        """Return the values of all free parameters, given those on the axes."""
        point = list(self.held)
        for k, x in zip(self.columns, values, strict=True):
            point[k] = x
        return tuple(point)

    @property
    def dimension(self) -> int:
        """D."""
        return len(self.axes)

    @cached_property
    def blocking(self) -> Array:
        """The tried points that are values of the lattices, and so use up one of them, sorted [B, D]."""
        X = np.array(sorted(self.tried)).reshape(-1, self.dimension)
        on = [
            np.isin(x, [v for v in np.unique(x) if axis.holds(float(v))])
            for axis, x in zip(self.axes, X.T, strict=True)
        ]
        return X[np.all(on, axis=0)]

    @property
    def exhausted(self) -> bool:
        """Whether every point was tried."""
        return not self.has_room(self.low, self.high)

    def has_room(self, low: Array, high: Array) -> bool:
        """Return whether a cell, given by its edges [D], owns a point that was not tried."""
        if not self.axes:
            return not self.tried
        points = 1
        for axis, a, b in zip(self.axes, low, high, strict=True):
            points = min(points * len_range(axis.indices(float(a), float(b))), len(self.tried) + 1)
        if points > len(self.tried):
            return True
        first = self.blocking[:, 0]  # the points are sorted by it, so that few are looked at
        some = self.blocking[np.searchsorted(first, low[0]) : np.searchsorted(first, high[0], side="right")]
        above = (some > low) | ((some == low) & (low == self.low))
        return points > int(np.sum(np.all(above & (some <= high), axis=1)))

    def unit(self, X: Array) -> Array:
        """Return points as shares of the box, on the parameters' own scales [P, D]."""
        return side_by_side([axis.share(X[:, j]) for j, axis in enumerate(self.axes)], len(X))

    def shares(self, knots: tuple[Array, ...]) -> tuple[Array, ...]:
        """Return the knots of each dimension as shares of the box, on the parameter's own scale [n_j]."""
        return tuple(axis.share(u) for axis, u in zip(self.axes, knots, strict=True))

    def between(self, low: Array, high: Array, share: Array) -> Array:
        """Return the point at a share of the way from low to high, on the parameters' own scales [D]."""
        ends = zip(self.axes, low, high, share, strict=True)
        return np.array([axis.between(float(a), float(b), float(t)) for axis, a, b, t in ends])

    def snapped(self, target: Sequence[float] | Array) -> tuple[Number, ...]:
        """Return the closest point that can be suggested, whether it was tried or not."""
        return tuple(nearest(axis.lattice, float(x)) for axis, x in zip(self.axes, target, strict=True))

    def untried(
        self, low: Array, high: Array, target: Array, start: tuple[Number, ...] | None = None
    ) -> tuple[Number, ...] | None:
        """Return the untried point closest to a target among those that a cell owns, or None.

        Distances are sums over the axes, in units of the cell's edges.

        Args:
            low, high: the cell's edges [D].
            target: a point inside it [D].
            start: an untried point of it, where one is known; of use where not every point counts.
        """
        spans = np.where(high > low, high - low, 1.0)
        walks = [
            _LatticeWalk(axis.outward(axis.indices(float(a), float(b)), float(t)), float(span))
            for axis, a, b, t, span in zip(self.axes, low, high, target, spans, strict=True)
        ]
        start = (0,) * self.dimension
        heap, seen = [(0.0, start)], {start}
        while heap:
            _, turns = heapq.heappop(heap)
            picks = [walk.at(turn) for walk, turn in zip(walks, turns, strict=True)]
            if any(pick is None for pick in picks):
                continue
            values = tuple(axis.lattice.value(pick[1]) for axis, pick in zip(self.axes, picks, strict=True) if pick)
            if tuple(map(float, values)) not in self.tried:
                return values
            for j in range(self.dimension):
                further = (*turns[:j], turns[j] + 1, *turns[j + 1 :])
                costs = [walk.at(turn) for walk, turn in zip(walks, further, strict=True)]
                if further not in seen and all(costs):
                    seen.add(further)
                    heapq.heappush(heap, (sum(cost[0] for cost in costs if cost), further))
        return None


class _LatticeWalk:
    """Values of one axis by distance from a target, made as far as they are asked for."""

    def __init__(self, steps: Iterator[tuple[float, int]], span: float) -> None:
        self._steps, self._span = steps, span
        self._known: list[tuple[float, int]] = []

    def at(self, turn: int) -> tuple[float, int] | None:
        """Return relative distance and index of the n-th nearest value, or None where there are fewer."""
        while len(self._known) <= turn:
            step = next(self._steps, None)
            if step is None:
                return None
            self._known.append((step[0] / self._span, step[1]))
        return self._known[turn]


def len_range(indices: range) -> int:
    """Return the length of a range, however long (``len`` stops at the largest C integer)."""
    return max(0, indices.stop - indices.start)
