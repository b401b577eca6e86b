"""The box that is searched, and the points of it that were tried.

=========  ======================================================  ======
symbol     meaning                                                 shape
=========  ======================================================  ======
D          latent axes
P          points
X          points in the user's units                              [P, D]
low, high  edges of a cell, or of the box                          [D]
share      how far from low to high, on the parameter's own scale  [D]
=========  ======================================================  ======
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from ordbo_cli.ordinal.linalg import Array, BoolArray, side_by_side
from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.axis import Axis, nearest
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders


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
        return points > int(np.sum(self.owned(some, low, high)))

    def owned(self, X: Array, low: Array, high: Array) -> BoolArray:
        """Return which points [P, D] a cell owns [P]: those on its lower edges, too, where these are the box's own."""
        above = (low < X) | ((low == X) & (low == self.low))
        return np.asarray(np.all(above & (high >= X), axis=1))

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
