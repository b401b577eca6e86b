"""The next point by a quadratic among the best points, where one has their order: what a smooth valley is searched by.

The latent process bends as it likes, and learns of no slope across its axes. Near the minimum of a smooth function a
quadratic knows more from the same order: how the valley lies, and where it ends. Whether the surroundings are of that
kind, the evaluations say: quadratics fitted without one point must put it into its place among the others.

======  =============================================================  ======
symbol  meaning                                                        shape
======  =============================================================  ======
D       axes of the part of the space that holds the best point
Z       points, as shares of the box on the parameters' own scales     [R, D]
L       root of the second moments of the best of them around the best [D, D]
U       points in these units: ``L^-1 (Z - best)``                     [n, D]
======  =============================================================  ======
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array, IntArray, cholesky, side_by_side
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.problem import Number
from ordbo_cli.problem.order import order
from ordbo_cli.search.cells.ordinal_quadratic import OrdinalQuadratic, agreement, fit_quadratic
from ordbo_cli.search.minimise import downhill
from ordbo_cli.search.space.level_combinations import Part
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step_rows import Rows
from ordbo_cli.search.success_field import SuccessField

BETA: Final = 1.0  # multiplier of the standard deviation of a difference from the best point
_POINTS: Final = 2  # neighbours, in numbers of a quadratic's terms; fewer than one such number are too few
_AGREED: Final = 0.85  # share of pairs in their order from which on a quadratic is believed, were there many points
_FEW: Final = 1.0  # what is demanded beyond it of n points: this by n, as with few of them a share says little
_FARTHEST: Final = 12.0  # of a neighbour from the best point, in units of the spread of the best
TOO_FAR: Final = 1e6  # of one of the best points, in these units: then they are no neighbours
_RADIUS: Final = (0.3, 2.0, 16.0)  # of the trust region in these units: least, at first, largest
_GROWTH, _DECAY = 1.5, 0.7  # of it, after a point that is the best so far, and after another one
_ROUNDNESS: Final = 1e-5  # of the mean second moment, which each direction has at least
_CLOSEST: Final = 0.05  # in units of the spread: closer to the best, a result says nothing new
FENCE: Final = 10.0  # by which being outside the trust region costs more than any quadratic gains
_SAFE: Final = 1.0  # probit of the chance to succeed, 84%, below which a place is fenced off in the same way
_STRIDE: Final = 1e-7  # in shares of the box, over which the slope of the warp is taken
_STARTS: Final = 6
_STEPS: Final = 200


@dataclass(frozen=True)
class Neighbourhood:
    """The best points, and all that lie among them.

    Args:
        centre: the best one, as shares of the box [D].
        root: L [D, D].
        points: U, the best one at 0 [n, D].
        rank: of them, rising from 0 on [n].
    """

    centre: Array
    root: Array
    points: Array
    rank: IntArray

    def inside(self, shares: Array) -> Array:
        """Return points given by their shares of the box in the neighbourhood's units [P, D]."""
        return np.linalg.solve(self.root, (shares - self.centre).T).T


def quadratic_terms(dimension: int) -> int:
    """Return the number of terms of a quadratic in so many dimensions, the constant included."""
    return (dimension + 1) * (dimension + 2) // 2


def neighbourhood(rows: Rows, space: Space) -> Neighbourhood | None:
    """Return the neighbourhood of the best point, None where too few results are there, or something failed among them.

    Args:
        rows: evaluated.
        space: the part of the space that holds the best point.
    """
    D = space.dimension
    terms = quadratic_terms(D)
    here = [e for e in rows.evaluations if space.contains(e.values)]
    found = order(rows.problem, here)
    good = [k for k, e in enumerate(here) if rows.problem.is_success(e) and found.low[k] == found.high[k]]
    if len(good) < terms:
        return None
    Z = space.unit(space.inputs([e.values for e in here]))
    best_first = np.array(sorted(good, key=lambda k: (found.low[k], k)))
    best = best_first[: _POINTS * terms]
    near = Z[best[: max(D + 2, (len(best) + 1) // 2)]] - Z[best[0]]
    root = root_of(near)
    U = np.linalg.solve(root, (Z - Z[best[0]]).T).T
    away = np.linalg.norm(np.clip(U, -2.0 * TOO_FAR, 2.0 * TOO_FAR), axis=1)
    if away[best].max() > TOO_FAR:
        return None
    among = away <= min(float(away[best].max()), _FARTHEST)
    if any(among[k] for k in set(range(len(here))).difference(good)):
        return None
    kept = [k for k in best_first if among[k] or k in set(best.tolist())]
    _, rank = np.unique([found.low[k] for k in kept], return_inverse=True)
    return Neighbourhood(Z[best[0]], root, U[kept], rank.astype(np.int64))


def root_of(near: Array) -> Array:
    """Return the root of the second moments of some points [n, D], a triangle of which no direction is flat [D, D]."""
    moments, D = near.T @ near / len(near), near.shape[1]
    moments += np.eye(D) * (_ROUNDNESS * np.trace(moments) / D + np.finfo(np.float64).tiny)
    return cholesky(moments)


def trust_radius(rows: Rows, initial: int) -> float:
    """Return how far from the best point a quadratic is believed, by how evaluations went since the initial ones."""
    ranks = order(rows.problem, list(rows.evaluations)).low
    least, radius, largest = _RADIUS
    best = min(ranks[:initial], default=len(ranks))
    for rank in ranks[initial:]:
        radius = min(radius * _GROWTH, largest) if rank < best else max(radius * _DECAY, least)
        best = min(best, rank)
    return radius


@dataclass(frozen=True)
class Safety:
    """By how much places fall short of a chance to succeed at which a quadratic is followed.

    Args:
        success: the chances, along the axes of a part.
        shares, coordinates: of the knots of each axis, as shares of the box and in the latent space [n_j].
        centre, scale: of the neighbourhood, as shares of the box [D].
    """

    success: SuccessField
    shares: tuple[Array, ...]
    coordinates: tuple[Array, ...]
    centre: Array
    scale: Array

    def shortfalls(self, s: Array) -> tuple[Array, Array]:
        """Return what the probits fall short of the one that is safe [P], and the gradients [P, D].

        Args:
            s: places in units of ``scale`` from the centre [P, D].
        """
        Z = self.centre + self.scale * s
        low, high = self._latent(Z - _STRIDE), self._latent(Z + _STRIDE)  # straight between knots
        score, slope = self.success.scores_with_gradients(self._latent(Z))
        short = np.maximum(_SAFE - score, 0.0)
        by_share = np.where(short[:, None] > 0.0, slope * (high - low) / (2.0 * _STRIDE), 0.0)
        return short, -by_share * self.scale

    def _latent(self, Z: Array) -> Array:
        places = zip(self.shares, self.coordinates, strict=True)
        return side_by_side([np.interp(Z[:, j], a, s) for j, (a, s) in enumerate(places)], len(Z))


@dataclass(frozen=True)
class QuadraticBound:
    """The lower confidence bound of a quadratic's differences from the best point, inside a trust region.

    Args:
        quadratic: in a neighbourhood's units.
        root: L in units of ``scale`` [D, D].
        radius: of the trust region.
        posterior: of the latent process, which has no say here.
        safety: what keeps off places that may fail; None where nothing has failed, or nobody minds.
    """

    quadratic: OrdinalQuadratic
    root: Array
    radius: float
    posterior: Posterior
    safety: Safety | None = None

    def values(self, s: Array) -> Array:
        """Return values [P] at points [P, D], in units of ``scale`` from the best."""
        return self.values_with_gradients(s)[0]

    def values_with_gradients(self, s: Array) -> tuple[Array, Array]:
        """Return values [P] and their gradients [P, D]."""
        u = np.linalg.solve(self.root, s.T).T
        mean, sd, by_mean, by_sd = self.quadratic.differences(u)
        beyond = np.maximum(np.sum(u * u, axis=1) - self.radius**2, 0.0)
        unit = FENCE * max(1.0, float(np.abs(self.quadratic.weights).max()))
        slope = by_mean - BETA * by_sd + 4.0 * unit * beyond[:, None] * u
        return guarded(
            mean - BETA * sd + unit * beyond**2, np.linalg.solve(self.root.T, slope.T).T, self.safety, s, unit
        )


def guarded(value: Array, gradient: Array, safety: Safety | None, s: Array, unit: float) -> tuple[Array, Array]:
    """Return values [P] and gradients [P, D] with what unsafe places cost, where somebody minds.

    Args:
        value, gradient: without it.
        safety: by how much places fall short of what is safe.
        s: the places [P, D].
        unit: of the cost.
    """
    if safety is None:
        return value, gradient
    short, by_short = safety.shortfalls(s)
    return value + unit * short**2, gradient + (2.0 * unit * short)[:, None] * by_short


def quadratic_point(rows: Rows, part: Part, rng: np.random.Generator) -> tuple[Number, ...] | None:
    """Return the untried point of a part that a quadratic prefers, by its values on the axes; None where none counts.

    Args:
        rows: all that are known.
        part: that holds the best point.
        rng: of the starts of the descent.
    """
    space = part.space
    near = neighbourhood(rows, space) if space.dimension else None
    if near is None:
        return None
    quadratic = fit_quadratic(near.points, near.rank)
    if agreement(near.points, near.rank, quadratic) < _AGREED + _FEW / len(near.rank):
        return None
    radius = trust_radius(rows, rows.problem.method.initial_rows(len(space.held)))
    scale = np.sqrt(np.sum(near.root**2, axis=1))
    root = near.root / scale[:, None]
    bound = QuadraticBound(quadratic, root, radius, part.surrogate.posterior, safety_of(rows, part, near.centre, scale))
    low, high = -near.centre / scale, (1.0 - near.centre) / scale
    starts = np.vstack(
        [np.zeros(space.dimension), 0.5 * radius * rng.standard_normal((_STARTS - 1, space.dimension)) @ root.T]
    )
    each = [downhill(bound, np.clip(start[None], low, high), low, high, _STEPS)[0] for start in starts]
    ends = np.stack(each)
    s = ends[int(np.argmin(bound.values(ends)))]
    if np.linalg.norm(np.linalg.solve(root, s)) < _CLOSEST:
        direction = rng.standard_normal(space.dimension)
        s = np.clip(root @ (2.0 * _CLOSEST * direction / np.linalg.norm(direction)), low, high)
    target = space.between(space.low, space.high, np.clip(near.centre + scale * s, 0.0, 1.0))
    point = space.snapped(target)
    return None if tuple(map(float, point)) in space.tried else point


def safety_of(rows: Rows, part: Part, centre: Array, scale: Array) -> Safety | None:
    """Return what keeps off places that may fail, None where the method or the evaluations do not ask for it."""
    success, warp = part.surrogate.success, part.surrogate.warp
    if success is None or not rows.problem.method.avoid_failures:
        return None
    return Safety(success, part.space.shares(warp.knots), warp.coordinates, centre, scale)


def best_values(rows: Rows) -> Sequence[Number] | None:
    """Return the best evaluated point inside the bounds, the first of equals; None where none succeeded."""
    ranks = order(rows.problem, list(rows.evaluations)).low
    good = [
        (rank, k)
        for k, (rank, e) in enumerate(zip(ranks, rows.evaluations, strict=True))
        if rows.problem.is_success(e) and rows.problem.is_inside(e.values)
    ]
    return rows.evaluations[min(good)[1]].values if good else None
