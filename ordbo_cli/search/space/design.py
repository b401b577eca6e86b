"""The initial design: the two extreme corners and a space-filling design (Algorithm 1)."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.streams import Stream
from ordbo_cli.search.space.covering import covering_point
from ordbo_cli.search.space.feasible_space import ConstrainedSpace
from ordbo_cli.search.space.space import Space

_DRAWS = 100  # Latin hypercubes of which the most spread one is taken
_MOST_PRODUCTS = 10**10  # that are spent on comparing them: a second or two, up to 450 parameters never reached
_MOST_DIFFERENCES = 10**9  # of coordinates that are taken one by one: as many seconds
_ROUNDING = 1e-9  # of squared distances, far above what the expanded square loses


def next_design_point(problem: Problem, space: Space, rows: Sequence[Sequence[Number]]) -> tuple[Number, ...] | None:
    """Return the next point of the initial design that was not tried, or None where all were.

    The corners come first; then the point of the hypercube that lies farthest from the rows there are, which need not
    be of this design.

    Args:
        rows: points evaluated or pending.
    """
    shares = design(problem.method.initial_rows(space.dimension), space.dimension, problem)
    corners = 2 if problem.method.corners else 0
    known = space.unit(np.array(rows, dtype=np.float64).reshape(-1, space.dimension))
    far = _distances(shares, known)
    order = [*range(corners), *sorted(range(corners, len(shares)), key=lambda i: -far[i])]
    taken = {tuple(map(float, row)) for row in rows}
    if problem.ranked:
        order = _not_spent(problem, space, shares, order, rows)
    for i in order:
        point = _point(problem, space, shares[i])
        if tuple(map(float, point)) not in taken and problem.satisfies_constraints(point):
            return point
    return covering_point(space, rows) if isinstance(space, ConstrainedSpace) else None


def _not_spent(
    problem: Problem, space: Space, shares: Array, order: Sequence[int], rows: Sequence[Sequence[Number]]
) -> list[int]:
    """Return the places of design points that no row was made from, as far as that can be told.

    A gap is new each time, so that a point is known by its other coordinates; where these do not tell, by the number
    of rows.
    """
    others = [k for k in range(len(space.axes)) if k not in problem.ranked]
    seen = {tuple(float(row[k]) for k in others) for row in rows}
    points = {i: _point(problem, space, shares[i]) for i in order}
    left = [i for i in order if tuple(float(points[i][k]) for k in others) not in seen]
    return left or sorted(order)[len(rows) :]


def _point(problem: Problem, space: Space, share: Array) -> tuple[Number, ...]:
    """Return the point at a share of the box; of levels without an order each has an equal part of the axis."""
    target = space.between(space.low, space.high, share)
    for k in problem.categorical:
        count = len(problem.free[k].levels)
        target[k] = min(count - 1, int(share[k] * count))
    for k in problem.ranked:
        target[k] = _in_its_gap(space, k, float(target[k]))
    return problem.canonical(space.snapped(target))


def _in_its_gap(space: Space, k: int, target: float) -> float:
    """Return the label of the gap that one falls in; a label that is taken is in the gap below it."""
    axis = space.axes[k]
    labels = [axis.low, *axis.labels, axis.high]
    above = min(max(bisect_left(labels, target), 1), len(labels) - 1)
    return next(iter(axis.gaps(labels[above - 1], labels[above])), target)


def design(rows: int, dimension: int, problem: Problem) -> Array:
    """Return the initial design as shares of the box [rows, D], the corners first if there are any.

    The rest is the Latin hypercube of largest least distance among some draws, distances to the corners included. They
    are fewer where there are very many parameters, whose hypercubes hardly differ in it.
    """
    return _design(rows, dimension, problem.seed, problem.method.corners)


@lru_cache(maxsize=4)  # each of a thousand initial steps asks for it
def _design(rows: int, dimension: int, seed: int, with_corners: bool) -> Array:
    corners = np.array([[0.0] * dimension, [1.0] * dimension]) if with_corners else np.zeros((0, dimension))
    filling = rows - len(corners)
    rng = np.random.default_rng([seed, 0, Stream.DESIGN])
    best, widest = np.zeros((0, dimension)), -1.0
    draws = min(_DRAWS, max(1, _MOST_PRODUCTS // max(1, rows**2 * dimension)))
    for _ in range(draws if filling > 0 else 0):
        strata = np.stack([rng.permutation(filling) for _ in range(dimension)], axis=1)
        points = (strata + rng.random((filling, dimension))) / filling
        spread = least_distance(points, corners) if draws > 1 else np.inf
        if spread > widest:
            best, widest = points, spread
    whole = np.vstack([corners, best])
    whole.flags.writeable = False
    return whole


def least_distance(points: Array, corners: Array) -> float:
    """Return the least distance of any point to another one or to a corner, infinite where there is neither.

    The expanded square finds the nearest pairs, whose distance is then taken from their differences, digit by digit.
    """
    others = np.vstack([points, corners])
    if len(others) < 2:
        return np.inf
    lengths = np.einsum("ij,ij->i", others, others)
    squares = lengths[: len(points), None] + lengths - 2.0 * (points @ others.T)
    np.fill_diagonal(squares, np.inf)
    i, j = np.nonzero(squares <= squares.min() + _ROUNDING)
    return float(np.sqrt(np.min(np.sum((others[j] - points[i]) ** 2, axis=1))))


def _distances(points: Array, others: Array) -> Array:
    """Return the distance of each point to the nearest of some others [P], infinite where there are none.

    Of very many they are sums and products of matrices, which lose the last digits.
    """
    if not len(others):
        return np.full(len(points), np.inf)
    if points.size * len(others) > _MOST_DIFFERENCES:
        lengths = np.einsum("ij,ij->i", points, points)[:, None] + np.einsum("ij,ij->i", others, others)
        return np.asarray(np.sqrt(np.min(np.maximum(lengths - 2.0 * (points @ others.T), 0.0), axis=1)))
    return np.array([np.sqrt(np.min(np.sum((others - point) ** 2, axis=1))) for point in points])
