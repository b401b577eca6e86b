"""The initial design: the two extreme corners and a space-filling design (Algorithm 1)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.problem import Number, Problem
from ordbo_cli.search.space import Space

_STREAM = 1  # apart from the streams of the steps
_DRAWS = 100  # Latin hypercubes of which the most spread one is taken


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
    far = [_distance(share, known) for share in shares]
    order = [*range(corners), *sorted(range(corners, len(shares)), key=lambda i: -far[i])]
    taken = {tuple(map(float, row)) for row in rows}
    for i in order:
        point = space.snapped(space.between(space.low, space.high, shares[i]))
        if tuple(map(float, point)) not in taken:
            return point
    return None


def design(rows: int, dimension: int, problem: Problem) -> Array:
    """Return the initial design as shares of the box [rows, D], the corners first if there are any.

    The rest is the Latin hypercube of largest least distance among some draws, distances to the corners included.
    """
    corners = np.array([[0.0] * dimension, [1.0] * dimension]) if problem.method.corners else np.zeros((0, dimension))
    filling = rows - len(corners)
    rng = np.random.default_rng([problem.seed, 0, _STREAM])
    best, widest = np.zeros((0, dimension)), -1.0
    for _ in range(_DRAWS if filling > 0 else 0):
        strata = np.stack([rng.permutation(filling) for _ in range(dimension)], axis=1)
        points = (strata + rng.random((filling, dimension))) / filling
        spread = min(_distance(point, np.vstack([points[:i], corners])) for i, point in enumerate(points))
        if spread > widest:
            best, widest = points, spread
    return np.vstack([corners, best])


def _distance(point: Array, others: Array) -> float:
    """Return the distance to the nearest of other points, infinite where there are none."""
    return float(np.sqrt(np.min(np.sum((others - point) ** 2, axis=1)))) if len(others) else np.inf
