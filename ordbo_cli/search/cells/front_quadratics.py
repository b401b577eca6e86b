"""The next point by quadratics among the results that none dominates, one of each of several objectives.

What a quadratic among the best points does for one objective (:mod:`ordbo_cli.search.cells.local_quadratic`) it does
for several: each of them has a quadratic that has its order among the first fronts, where all of these put results
that they were fitted without into their places. What counts is the hypervolume that one may hope to gain by them, near
a result that none dominates and beside which nothing has failed.

======  =======================================================================  ======
symbol  meaning                                                                  shape
======  =======================================================================  ======
D       axes of the part of the space that holds the first of the front
K       objectives
R       rows in the part
n, F    those of them on the first fronts, and on the very first
T       those of the F close to which nothing has failed
L       root of the second moments of the better ones of the n around their mean [D, D]
U       points in these units, the newest of the front at 0                      [R, D]
======  =======================================================================  ======
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array, IntArray
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.problem import Number
from ordbo_cli.problem.order import order, places
from ordbo_cli.search.cells.hypervolume import Gain, favour_of
from ordbo_cli.search.cells.local_quadratic import (
    BETA,
    FENCE,
    TOO_FAR,
    Safety,
    guarded,
    quadratic_terms,
    root_of,
    safety_of,
)
from ordbo_cli.search.cells.ordinal_quadratic import OrdinalQuadratic, agreement, fit_quadratic
from ordbo_cli.search.minimise import downhill
from ordbo_cli.search.space.level_combinations import Part
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step_rows import Rows

_POINTS: Final = 3  # on the first fronts, in numbers of a quadratic's terms
_AGREED: Final = 0.8  # share of pairs in their order from which on quadratics are believed, were there many points
_FEW: Final = 1.0  # what is demanded beyond it of n points: this by n
_RADIUS: Final = 1.0  # around a result that none dominates, up to which quadratics are believed
_CLOSEST: Final = 0.05  # to any row: closer, a result says nothing new
_LEAST: Final = 0.1  # extent of the front in an objective, in that of all n
_BEYOND: Final = 0.2  # extents by which the reference point is worse than the worst of the front
_STARTS: Final = 6
_TOGETHER, _ALONE = 30, 60  # steps of all starts, and of the one that leads


@dataclass(frozen=True)
class FirstFronts:
    """The results that none dominates, and those that only they dominate, as far as it takes.

    Args:
        centre: the newest that none dominates, as shares of the box [D].
        root: L [D, D].
        rows: U of all rows [R, D].
        first: which rows are on the first fronts, in their order [n].
        ranks: of these by each objective [n, K].
        front: which rows none dominates [F].
        trusted: U of those of them close to which nothing has failed [T, D].
    """

    centre: Array
    root: Array
    rows: Array
    first: IntArray
    ranks: IntArray
    front: IntArray
    trusted: Array


def first_fronts(rows: Rows, space: Space) -> FirstFronts | None:
    """Return the first fronts, None where too few results are there, or something failed beside each.

    Args:
        rows: evaluated.
        space: the part of the space that holds the first of the front.
    """
    problem, D = rows.problem, space.dimension
    here = [e for e in rows.evaluations if space.contains(e.values) and problem.is_inside(e.values)]
    level = order(problem, here).low
    good = [k for k, e in enumerate(here) if problem.is_success(e) and e.is_exact]
    good.sort(key=lambda k: (level[k], -k))
    terms = quadratic_terms(D)
    if len(good) < terms:
        return None
    if level[good[0]]:  # of the very first are results alone that are known by a limit
        return None
    front = np.array([k for k in good if level[k] == 0])
    first = np.array(good[: _POINTS * terms])
    better = first[: max(D + 2, len(front), (len(first) + 1) // 2)]
    Z = space.unit(space.inputs([e.values for e in here]))
    root = root_of(Z[better] - Z[better].mean(axis=0))
    U = np.linalg.solve(root, (Z - Z[first[0]]).T).T
    if np.abs(U[first]).max() > TOO_FAR:
        return None
    failed = np.array([not problem.is_success(e) for e in here])
    away = np.linalg.norm(U[front][:, None] - U[failed][None], axis=2)
    trusted = U[front][np.all(away > _RADIUS, axis=1)]
    if not len(trusted):
        return None
    ranks = np.array(places(problem, here), dtype=np.int64)[first]
    return FirstFronts(Z[first[0]], root, U, first, ranks, front, trusted)


def quadratics_of(near: FirstFronts) -> tuple[OrdinalQuadratic, ...] | None:
    """Return quadratics that have the order of the first fronts by each objective, None where one is not believed."""
    found = []
    for ranks in near.ranks.T:
        best_first = np.argsort(ranks, kind="stable")
        points = near.rows[near.first[best_first]]
        _, rank = np.unique(ranks[best_first], return_inverse=True)
        quadratic = fit_quadratic(points, rank)
        if agreement(points, rank, quadratic) < _AGREED + _FEW / len(rank):
            return None
        found.append(quadratic)
    return tuple(found)


@dataclass(frozen=True)
class QuadraticGain:
    """Minus the hypervolume that one may hope to gain by quadratics, close to results that none dominates.

    Args:
        quadratics: of the objectives, in the units of the first fronts.
        gain: by their moments.
        trusted: results that points have to be close to, in these units [T, D].
        levels: the quadratics' values there [T, K].
        root: L in units of ``scale`` [D, D].
        posterior: of the latent process, which has no say here.
        safety: what keeps off places that may fail; None where nothing has failed, or nobody minds.
    """

    quadratics: tuple[OrdinalQuadratic, ...]
    gain: Gain
    trusted: Array
    levels: Array
    root: Array
    posterior: Posterior
    safety: Safety | None = None

    def values(self, s: Array) -> Array:
        """Return values [P] at points [P, D], in units of ``scale`` from the centre."""
        return self.values_with_gradients(s)[0]

    def values_with_gradients(self, s: Array) -> tuple[Array, Array]:
        """Return values [P] and their gradients [P, D]."""
        u = np.linalg.solve(self.root, s.T).T
        nearest = np.argmin(np.sum((u[:, None] - self.trusted) ** 2, axis=2), axis=1)
        start = self.trusted[nearest]
        found = [quadratic.differences(u, start) for quadratic in self.quadratics]
        above, sd, above_slope, sd_slope = (np.stack(each, axis=1) for each in zip(*found, strict=True))
        value, by_mean, by_sd = self.gain.of(self.levels[nearest] + above, sd)
        beyond = np.maximum(np.sum((u - start) ** 2, axis=1) - _RADIUS**2, 0.0)
        slope = np.sum(by_mean[..., None] * above_slope + by_sd[..., None] * sd_slope, axis=1)
        slope += 4.0 * FENCE * beyond[:, None] * (u - start)
        return guarded(value + FENCE * beyond**2, np.linalg.solve(self.root.T, slope.T).T, self.safety, s, FENCE)


def front_point(rows: Rows, part: Part, rng: np.random.Generator) -> tuple[Number, ...] | None:
    """Return the untried point of a part that quadratics prefer, by its values on the axes; None where none counts.

    Args:
        rows: all that are known.
        part: that holds the first of the front.
        rng: of the starts of the descent.
    """
    space = part.space
    near = first_fronts(rows, space) if space.dimension else None
    quadratics = quadratics_of(near) if near else None
    if near is None or quadratics is None:
        return None
    scale = np.sqrt(np.sum(near.root**2, axis=1))
    root = near.root / scale[:, None]
    front, known, levels = (
        np.stack([quadratic.differences(u)[0] for quadratic in quadratics], axis=1)
        for u in (near.rows[near.front], near.rows[near.first], near.trusted)
    )
    gain = Gain(front, _LEAST * np.ptp(known, axis=0), BETA, _BEYOND, np.inf, favour_of(part.surrogate))
    safety = safety_of(rows, part, near.centre, scale)
    bound = QuadraticGain(quadratics, gain, near.trusted, levels, root, part.surrogate.posterior, safety)
    low, high = -near.centre / scale, (1.0 - near.centre) / scale
    around = near.trusted[rng.integers(len(near.trusted), size=_STARTS)]
    around = around + 0.5 * _RADIUS / np.sqrt(space.dimension) * rng.standard_normal(around.shape)
    ends = downhill(bound, np.clip(around @ root.T, low, high), low, high, _TOGETHER)
    s = downhill(bound, ends[[int(np.argmin(bound.values(ends)))]], low, high, _ALONE)[0]
    if np.linalg.norm(near.rows - np.linalg.solve(root, s), axis=1).min() < _CLOSEST:
        return None
    target = space.between(space.low, space.high, np.clip(near.centre + scale * s, 0.0, 1.0))
    point = space.snapped(target)
    return None if tuple(map(float, point)) in space.tried else point
