"""The space under constraints: which of its points satisfy them, and the lowest place among these.

Whether a cell holds such a point is decided by intervals where these prove that it does not, and else by looking for
one: a sample of the whole part first, then one of the cell. A set of points so thin that no look meets it counts as
empty.

=========  ==============================  ======
symbol     meaning                         shape
=========  ==============================  ======
D          latent axes
P          points
X          points in the user's units      [P, D]
s          latent points                   [P, D]
low, high  edges of a cell, or of the box  [D]
=========  ==============================  ======
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from scipy.spatial.distance import cdist

from ordbo_cli.ordinal.linalg import Array, BoolArray, side_by_side
from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.axis import Axis
from ordbo_cli.problem.constraints import feasible_points
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders
from ordbo_cli.problem.streams import Stream
from ordbo_cli.search.cells.acquisition import Acquisition
from ordbo_cli.search.cells.partition import Closed, Partition
from ordbo_cli.search.latent_axes import FittedWarp
from ordbo_cli.search.minimise import Choice, blockwise
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.threads import ThreadPool

Values = tuple[Number, ...]

_SAMPLE: Final = (600, 2048)  # points of the whole part, fewest and most
_DENSITY: Final = 4  # of them for each point that was tried
_FEWEST: Final = 5  # doublings
_ENOUGH: Final = (50, 512)  # points, where they are so rare that boxes have to be divided
_IN_A_CELL: Final = 40  # that are looked for where one is to be placed
_NEARER: Final = 12  # halvings of the way from a point to where one is wanted
_LEADING: Final = 12  # points that are moved downhill
_MOVES: Final = 12  # of each in a round
_ROUNDS: Final = (0.1, 0.03, 0.01, 0.003, 0.001)  # standard deviation of the moves, as a share of the box


def space_of(problem: Problem, tried: Sequence[Sequence[Number]], orders: SettingOrders = NO_ORDERS) -> Space:
    """Return the space of a problem, with its constraints if it has any."""
    return (ConstrainedSpace if problem.constraints else Space)(problem, tried, orders=orders)


class ConstrainedSpace(Space):
    """A space of which only the points that satisfy the problem's constraints count."""

    @cached_property
    def sample(self) -> tuple[Values, ...]:
        """Points of the whole box that satisfy all constraints, tried or not: the more, the more were tried."""
        doublings = (_DENSITY * len(self.tried)).bit_length()  # so that the sample of one step serves those after it
        return _sample(self.problem, self.columns, self.held, self.orders, 1 << max(_FEWEST, doublings))

    @cached_property
    def pool(self) -> tuple[Values, ...]:
        """Those of the sample that were not tried."""
        return tuple(x for x in self.sample if tuple(map(float, x)) not in self.tried)

    @cached_property
    def _pool_inputs(self) -> Array:
        return np.array(self.pool, dtype=np.float64).reshape(-1, self.dimension)

    def _pool_of(self, low: Array, high: Array) -> list[Values]:
        """Return the points of the pool that a cell owns."""
        return [self.pool[k] for k in np.flatnonzero(self.owned(self._pool_inputs, low, high))]

    def is_feasible(self, values: Sequence[Number]) -> bool:
        """Return whether a point, by its values on the axes, satisfies all constraints."""
        return self.problem.satisfies_constraints(self.point(values))

    @cached_property
    def _every_axis(self) -> tuple[Axis, ...]:
        return tuple(Axis(parameter, self.orders) for parameter in self.problem.free)

    def has_room(self, low: Array, high: Array) -> bool:
        """Return whether a cell, given by its edges [D], owns a point that was not tried and is feasible."""
        key = (*low.tolist(), *high.tolist())
        if key not in self._rooms:
            self._rooms[key] = self._finds_room(low, high)
        return self._rooms[key]

    def untried(self, low: Array, high: Array, target: Array, start: Values | None = None) -> Values | None:
        """Return a feasible untried point of a cell, close to a target, or None where none is found.

        Args:
            low, high: the cell's edges [D].
            target: a point inside it [D].
            start: such a point, from which the way to the target is tried; None for one that has to be found.
        """
        wanted = self._open_at(target, low, high)
        best = wanted or start or self._nearest(low, high, target)
        if wanted or best is None:
            return best
        near, far = np.array(best, dtype=np.float64), target
        for _ in range(_NEARER):  # the way there may leave the feasible points and come back: any nearer one will do
            middle = 0.5 * (near + far)
            if point := self._open_at(middle, low, high):
                best, near = point, middle
            else:
                far = middle
        return best

    def _nearest(self, low: Array, high: Array, target: Array) -> Values | None:
        """Return the nearest to a target of the feasible untried points that are found in a cell."""
        points = self._pool_of(low, high) or self.drawn(low, high, _IN_A_CELL)
        points = [x for x in points if self.is_open(x)] or self._untried_in(low, high)
        spans = np.where(high > low, high - low, 1.0)
        away = [float(np.sum(np.abs(np.array(x, dtype=np.float64) - target) / spans)) for x in points]
        return points[int(np.argmin(away))] if points else None

    @cached_property
    def _rooms(self) -> dict[tuple[float, ...], bool]:
        return {}

    def _finds_room(self, low: Array, high: Array) -> bool:
        if not super().has_room(low, high):
            return False
        if not self.axes:
            return self.is_feasible(())
        return bool(self._pool_of(low, high) or self._untried_in(low, high))

    def _untried_in(self, low: Array, high: Array) -> list[Values]:
        """Return feasible untried points of a cell: as many are drawn as were tried in it, and one more."""
        tried = int(np.sum(self.owned(self.blocking, low, high)))
        return [x for x in self.drawn(low, high, tried + 1) if self.is_open(x)]

    def is_open(self, values: Values) -> bool:
        """Return whether a point was not tried and satisfies all constraints."""
        return tuple(map(float, values)) not in self.tried and self.is_feasible(values)

    def _open_at(self, target: Array, low: Array, high: Array) -> Values | None:
        """Return the point at a target where a cell owns it and it is open, else None."""
        point = self.snapped(target)
        owned = self.owned(np.array([point], dtype=np.float64), low, high).all()
        return point if owned and self.is_open(point) else None

    def drawn(self, low: Array, high: Array, number: int, rare: int = _ENOUGH[0]) -> list[Values]:
        """Return feasible points of a cell.

        Args:
            low, high: the cell's edges [D].
            number: how many are enough.
            rare: how many are, where they are so rare that boxes have to be divided.
        """
        box = [(axis.floor(x),) * 2 for axis, x in zip(self._every_axis, self.held, strict=True)]
        for k, axis, a, b in zip(self.columns, self.axes, low, high, strict=True):
            owned = axis.indices(float(a), float(b))
            box[k] = (owned.start, owned.stop - 1)
        rng = np.random.default_rng([self.problem.seed, number, Stream.FEASIBLE])
        points = feasible_points(self.problem.constraints, self._every_axis, number, rng, tuple(box), rare)
        return [tuple(point[k] for k in self.columns) for point in points]


@lru_cache(maxsize=64)  # parts of a problem, each asked for at every step
def _sample(
    problem: Problem, columns: tuple[int, ...], held: Values, orders: SettingOrders, size: int
) -> tuple[Values, ...]:
    """Return about so many feasible points of a part, whether they were tried or not."""
    space = ConstrainedSpace(problem, (), columns, held, orders)
    number = int(np.clip(size, *_SAMPLE))
    rare = int(np.clip(2 * size, *_ENOUGH))  # boxes favour some places: it takes more points to stand for the set
    return tuple(space.drawn(space.low, space.high, number, rare))


def latent_of(warp: FittedWarp, space: Space, X: Array) -> Array:
    """Return the latent places of points of the box [P, D]; between knots the warp is straight on each own scale."""
    columns = [
        np.interp(axis.share(X[:, j]), axis.share(warp.knots[j]), warp.coordinates[j])
        for j, axis in enumerate(space.axes)
    ]
    return side_by_side(columns, len(X))


def lowest_feasible(
    acquisition: Acquisition,
    warp: FittedWarp,
    space: ConstrainedSpace,
    partition: Partition,
    closed: Closed,
    rows: Array,
    rng: np.random.Generator,
    pool: ThreadPool,
) -> Choice | None:
    """Return the open cell of the lowest feasible place that is found, or None where there is none.

    A sample of feasible points is looked at, and the best of them are moved downhill by random steps that stay
    feasible.

    Args:
        acquisition: along the axes of the space.
        warp: the warp of these axes.
        closed: which cells are passed over.
        rows: distinct ones, which the place has to keep off (see :func:`_beside`) [R, D].
    """
    points = list(space.pool)
    if not points:
        points = [x for x in [space.untried(space.low, space.high, 0.5 * (space.low + space.high))] if x is not None]
    if not points:
        return None
    points = [*_moved(acquisition, warp, space, points, rng, pool), *points]
    X = np.array(points, dtype=np.float64)
    s = latent_of(warp, space, X)
    values = blockwise(acquisition, s, pool)
    intervals = warp.below(X)
    passed = _beside(space, X, rows)
    for k in np.argsort(values, kind="stable"):
        if passed[k]:
            continue
        cell = partition.cell_at(intervals[k])
        around = closed(cell)
        if around is None:
            return Choice(cell, s[k], float(values[k]), tuple(points[k]))
        passed |= np.all((intervals >= around.lower) & (intervals < around.upper), axis=1)
    return None


def _beside(space: Space, X: Array, rows: Array) -> BoolArray:
    """Return which points [P, D] lie beside a row: nearer than a margin of its own distance to the nearest other one.

    Cells beyond a row may be infeasible but for a sliver at that row, where there is nothing new to be found. The
    margin of a cell does not keep points off it, for it measures what is infeasible too.
    """
    places = space.unit(rows)
    apart = cdist(places, places, "chebyshev")
    np.fill_diagonal(apart, np.inf)
    limits = space.problem.method.margin * apart.min(axis=1, initial=np.inf)
    limits[np.isinf(limits)] = 0.0
    return np.asarray(np.any(cdist(space.unit(X), places, "chebyshev") < limits, axis=1))


def _moved(
    acquisition: Acquisition,
    warp: FittedWarp,
    space: ConstrainedSpace,
    points: Sequence[Values],
    rng: np.random.Generator,
    pool: ThreadPool,
) -> list[Values]:
    """Return where random steps lead the best of some points downhill."""
    X = np.array(points, dtype=np.float64)
    values = blockwise(acquisition, latent_of(warp, space, X), pool)
    leading = np.argsort(values, kind="stable")[:_LEADING]
    best, lowest = [tuple(points[k]) for k in leading], values[leading].copy()
    for scale in _ROUNDS:
        shares = space.unit(np.array(best, dtype=np.float64))
        steps = scale * rng.standard_normal((len(best), _MOVES, space.dimension))
        trials: list[tuple[int, Values]] = []
        for k, share in enumerate(shares):
            for step in steps[k]:
                x = space.snapped(space.between(space.low, space.high, np.clip(share + step, 0.0, 1.0)))
                if space.is_open(x):
                    trials.append((k, x))
        if not trials:
            continue
        found = blockwise(acquisition, latent_of(warp, space, np.array([x for _, x in trials], dtype=np.float64)), pool)
        for (k, x), value in zip(trials, found, strict=True):
            if value < lowest[k]:
                best[k], lowest[k] = x, value
    return best
