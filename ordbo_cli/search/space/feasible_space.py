"""The space under constraints: which of its points satisfy them, and the lowest place among these.

Whether a cell holds such a point is decided by intervals where these prove that it does not, and else by looking for
one: a sample of the whole part first, then one of the cell. A set of points so thin that no look meets it counts as
empty.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Final

import numpy as np
from scipy.spatial.distance import cdist

from ordbo_cli.ordinal.linalg import Array, BoolArray, IntArray, side_by_side
from ordbo_cli.problem import Number, Parameter, Problem
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
_DRAWS: Final = 20_000  # random points among which feasible ones are looked for first
_NUMBERS: Final = 1_000_000  # of such points at once, where parameters are very many
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

    def _in_pool(self, low: Array, high: Array) -> IntArray:
        """Return the places in the pool of the points that a cell owns."""
        X = self._pool_inputs
        owned = np.all(((low < X) | ((low == X) & (low == self.low))) & (high >= X), axis=1)
        return np.flatnonzero(owned)

    def is_feasible(self, values: Sequence[Number]) -> bool:
        """Return whether a point, by its values on the axes, satisfies all constraints."""
        point = self.point(values)
        shown = {parameter.name: parameter.shown(point[k]) for k, parameter in self._deciding}
        return all(constraint.holds(shown) for constraint in self.problem.constraints)

    @cached_property
    def _deciding(self) -> tuple[tuple[int, Parameter], ...]:
        """The parameters that constraints speak of, with their places: few of very many."""
        needed = frozenset().union(*(constraint.needs for constraint in self.problem.constraints))
        return tuple((k, parameter) for k, parameter in enumerate(self.problem.free) if parameter.name in needed)

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
        wanted = self._inside(self.snapped(target), low, high)
        if wanted and self._is_open(wanted):
            return wanted
        best = start or self._nearest(low, high, target)
        if best is None:
            return None
        near, far = np.array(best, dtype=np.float64), target
        for _ in range(_NEARER):  # the way there may leave the feasible points and come back: any nearer one will do
            middle = 0.5 * (near + far)
            point = self._inside(self.snapped(middle), low, high)
            if point and self._is_open(point):
                best, near = point, middle
            else:
                far = middle
        return best

    def _nearest(self, low: Array, high: Array, target: Array) -> Values | None:
        """Return the nearest to a target of the feasible untried points that are found in a cell."""
        points = [self.pool[k] for k in self._in_pool(low, high)] or self.drawn(low, high, _IN_A_CELL)
        points = [x for x in points if self._is_open(x)] or self._untried_in(low, high)
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
        return bool(len(self._in_pool(low, high))) or bool(self._untried_in(low, high))

    def _untried_in(self, low: Array, high: Array) -> list[Values]:
        """Return feasible untried points of a cell: as many are drawn as were tried in it, and one more."""
        tried = sum(bool(self._inside(x, low, high)) for x in self.tried)
        return [x for x in self.drawn(low, high, tried + 1) if self._is_open(x)]

    def _is_open(self, values: Values) -> bool:
        return tuple(map(float, values)) not in self.tried and self.is_feasible(values)

    def _inside(self, values: Sequence[Number], low: Array, high: Array) -> Values | None:
        """Return a point where a cell owns it, else None."""
        owned = all(
            (a < x or a == x == axis.low) and x <= b for axis, x, a, b in zip(self.axes, values, low, high, strict=True)
        )
        return tuple(values) if owned else None

    def drawn(self, low: Array, high: Array, number: int, rare: int = _ENOUGH[0]) -> list[Values]:
        """Return feasible points of a cell.

        Args:
            low, high: the cell's edges [D].
            number: how many are enough.
            rare: how many are, where they are so rare that boxes have to be divided.
        """
        first, last = list(self.held), list(self.held)
        for k, axis, a, b in zip(self.columns, self.axes, low, high, strict=True):
            owned = axis.indices(float(a), float(b))
            if owned.stop <= owned.start:
                return []
            first[k], last[k] = axis.lattice.value(owned.start), axis.lattice.value(owned.stop - 1)
        lowest, highest = ({parameter.name: end[k] for k, parameter in self._deciding} for end in (first, last))
        if not all(constraint.possible(lowest, highest) for constraint in self.problem.constraints):
            return []
        rng = np.random.default_rng([self.problem.seed, number, Stream.FEASIBLE])
        sampled = self._sampled(first, last, number, rng)
        enough = min(number, rare)
        if len(sampled) >= enough:
            return sampled
        free = self.problem.free
        more = feasible_points(self.problem.constraints, free, enough, rng, (first, last), self.orders)
        return list(dict.fromkeys([*sampled, *(tuple(point[k] for k in self.columns) for point in more)]))

    def _sampled(
        self, first: Sequence[Number], last: Sequence[Number], number: int, rng: np.random.Generator
    ) -> list[Values]:
        """Return those of some random points of a box that are feasible, each on its own scale."""
        found: dict[Values, None] = {}
        at_once = min(_DRAWS, max(1, _NUMBERS // max(1, len(self.axes))))
        for start in range(0, _DRAWS, at_once):
            shares = rng.random((min(at_once, _DRAWS - start), len(self.axes)))
            shares = shares[self._satisfying(first, last, shares)]
            while len(shares) and len(found) < number:
                some, shares = np.split(shares, [number - len(found)])
                columns = [self._spread(j, first, last, some) for j in range(len(self.axes))]
                points = map(self.snapped, side_by_side(columns, len(some)))
                found.update((point, None) for point in points if self.is_feasible(point))
            if len(found) == number:
                break
        return list(found)

    def _satisfying(self, first: Sequence[Number], last: Sequence[Number], shares: Array) -> BoolArray:
        """Return which of the points at shares of a box satisfy all constraints, close to their grids [P]."""
        columns = {parameter.name: np.full(len(shares), float(self.held[k])) for k, parameter in self._deciding}
        for j, axis in enumerate(self.axes):
            if axis.parameter.name in columns:
                columns[axis.parameter.name] = self._spread(j, first, last, shares)
        fine = np.ones(len(shares), dtype=bool)
        for constraint in self.problem.constraints:
            fine &= constraint.satisfied(columns)
        return fine

    def _spread(self, j: int, first: Sequence[Number], last: Sequence[Number], shares: Array) -> Array:
        """Return the values of an axis at shares of a box [P, D]."""
        k = self.columns[j]
        return self.axes[j].spread(float(first[k]), float(last[k]), shares[:, j])


@lru_cache(maxsize=64)  # parts of a problem, each asked for at every step
def _sample(
    problem: Problem, columns: tuple[int, ...], held: Values, orders: SettingOrders, size: int
) -> tuple[Values, ...]:
    """Return about so many feasible points of a part, whether they were tried or not."""
    space = ConstrainedSpace(problem, (), columns, held, orders)
    number, rare = (int(np.clip(size, *limits)) for limits in (_SAMPLE, _ENOUGH))
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
                if space.is_feasible(x) and tuple(map(float, x)) not in space.tried:
                    trials.append((k, x))
        if not trials:
            continue
        found = blockwise(acquisition, latent_of(warp, space, np.array([x for _, x in trials], dtype=np.float64)), pool)
        for (k, x), value in zip(trials, found, strict=True):
            if value < lowest[k]:
                best[k], lowest[k] = x, value
    return best
