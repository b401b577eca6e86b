"""What a latent point is worth to several objectives: the hypervolume that their lower bounds would gain.

Every objective has a latent space and a posterior of its own. A point of one space is a point of each other one: the
coordinates of all rows have the same order along an axis, and between two neighbours a share of the gap is that share
of the other gap. The value of a point is the vector of lower confidence bounds; what counts is by how much it would
push the front of the results, in units of the front's own latent extent.

The volume between the front and a reference point is the mean, over directions from that point, of how far the front
is away, to the power of the number of objectives (Deng and Zhang 2019; Zhang and Golovin 2020). So its gain is cheap
for any number of objectives, and has gradients. Where no direction gains, the direction that comes nearest counts.

=======  ==================================================================  ============
symbol   meaning                                                             shape
=======  ==================================================================  ============
s        latent points of the first objective                                [P, D]
K        objectives
L        directions
y        lower bounds, as distances from the reference point, in extents     [P, K]
F        the front's posterior means, likewise                               [F, K]
lambda   directions, of unit length                                          [L, K]
t        how far along a direction a point is dominated by y                 [P, L]
t*       how far it is dominated by the front                                [L]
=======  ==================================================================  ============
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array, side_by_side
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.search.cells.acquisition import LowerConfidenceBound
from ordbo_cli.search.surrogate import Surrogate

_BEYOND: Final = 0.1  # of the front's extent, by which the reference point is worse than the worst of it
_LEAST: Final = 0.5  # extent of a front, in units of the prior's standard deviation
_HOPED: Final = 0.1  # extents beyond the best result, up to which a bound is taken at its word
_DISCOUNT: Final = 0.2  # of what it promises beyond
_DIRECTIONS: Final = 64  # about
_STEEPEST: Final = 1e6  # of one space by another, where rows all but coincide in one


@dataclass(frozen=True)
class Beside:
    """The lower bound of an objective, as a function of the latent points of another one.

    Args:
        bound: in its own latent space.
        theirs, own: coordinates of the rows along each axis, in the other space and in its own [n_j].
    """

    bound: LowerConfidenceBound
    theirs: tuple[Array, ...]
    own: tuple[Array, ...]

    def values(self, s: Array) -> Array:
        """Return values [P] at latent points [P, D] of the other space."""
        return self.bound.values(moved(s, self.theirs, self.own)[0])

    def values_with_gradients(self, s: Array) -> tuple[Array, Array]:
        """Return values [P] and their gradients [P, D] at latent points of the other space."""
        here, slopes = moved(s, self.theirs, self.own)
        value, gradient = self.bound.values_with_gradients(here)
        return value, gradient * slopes


def moved(s: Array, theirs: tuple[Array, ...], own: tuple[Array, ...]) -> tuple[Array, Array]:
    """Return latent points of one objective in the space of another, and by how much they move there [P, D].

    Args:
        s: the points [P, D].
        theirs, own: coordinates of the rows along each axis, in the one space and in the other [n_j].
    """
    places, slopes = [], []
    for j, (a, b) in enumerate(zip(theirs, own, strict=True)):
        k = np.clip(np.searchsorted(a, s[:, j]) - 1, 0, len(a) - 2)
        width = np.maximum(a[k + 1] - a[k], np.finfo(np.float64).tiny)
        share = np.clip((s[:, j] - a[k]) / width, 0.0, 1.0)
        places.append(b[k] + share * (b[k + 1] - b[k]))
        slopes.append(np.minimum((b[k + 1] - b[k]) / width, _STEEPEST))
    return side_by_side(places, len(s)), side_by_side(slopes, len(s))


@dataclass(frozen=True)
class HypervolumeGain:
    """Minus the hypervolume that lower bounds would gain, or by how much they fall short of any.

    Args:
        bounds: of the objectives, the first in its own space.
        front: posterior means of the results that none dominates [F, K].
    """

    bounds: tuple[LowerConfidenceBound | Beside, ...]
    front: Array

    @property
    def posterior(self) -> Posterior:
        """The posterior of the first objective."""
        first = self.bounds[0]
        assert isinstance(first, LowerConfidenceBound)
        return first.posterior

    def values(self, s: Array) -> Array:
        """Return values [P] at latent points [P, D]."""
        lower = side_by_side([bound.values(s) for bound in self.bounds], len(s))
        return self._gain(lower)[0]

    def values_with_gradients(self, s: Array) -> tuple[Array, Array]:
        """Return values [P] and their gradients [P, D]."""
        found = [bound.values_with_gradients(s) for bound in self.bounds]
        value, slope = self._gain(side_by_side([each for each, _ in found], len(s)))
        return value, np.einsum("pk,pkd->pd", slope, np.stack([gradient for _, gradient in found], axis=1))

    def _gain(self, lower: Array) -> tuple[Array, Array]:
        """Return values [P] by lower bounds [P, K], and their derivatives by these [P, K]."""
        extent = np.maximum(np.ptp(self.front, axis=0), _LEAST)
        reference, hoped = self.front.max(axis=0) + _BEYOND * extent, self.front.min(axis=0) - _HOPED * extent
        beyond = lower < hoped
        lower = np.where(beyond, hoped + _DISCOUNT * (lower - hoped), lower)
        K = lower.shape[1]
        along = directions(K)
        t = ((reference - lower) / extent)[:, None, :] / along
        nearest = np.argmin(t, axis=2)
        t = np.take_along_axis(t, nearest[..., None], axis=2)[..., 0]
        known = np.maximum((((reference - self.front) / extent)[:, None, :] / along).min(axis=2).max(axis=0), 0.0)
        reach = np.maximum(t, known)
        gain = (reach**K - known**K).mean(axis=1)
        gains = gain > 0.0
        weight = np.where(t > known, K * reach ** (K - 1), 0.0) / len(along)
        closest = np.argmax(t - known, axis=1)
        weight[~gains] = np.eye(len(along))[closest[~gains]]
        by_bound = weight / along[np.arange(len(along)), nearest]
        slope = np.stack([np.sum(by_bound * (nearest == k), axis=1) for k in range(K)], axis=1) / extent
        value = -np.where(gains, gain, np.max(t - known, axis=1))
        return value, slope * np.where(beyond, _DISCOUNT, 1.0)


def hypervolume_gain(surrogate: Surrogate, beta: float) -> HypervolumeGain:
    """Return what cells are compared by where there are several objectives.

    Args:
        surrogate: of all of them, with a front.
        beta: multiplier of the standard deviations.
    """
    assert surrogate.traded is not None
    first = LowerConfidenceBound(surrogate.posterior, beta)
    others = (
        Beside(LowerConfidenceBound(each.posterior, beta), surrogate.places, each.places) for each in surrogate.others
    )
    return HypervolumeGain((first, *others), surrogate.traded)


@lru_cache
def directions(objectives: int) -> Array:
    """Return directions of unit length with positive entries, spread evenly [L, K]: the points of a simplex lattice."""
    steps = 1
    while len(_lattice(objectives, steps + 1)) <= _DIRECTIONS:
        steps += 1
    inside = _lattice(objectives, steps) + 0.5
    return np.asarray(inside / np.linalg.norm(inside, axis=1, keepdims=True))


@lru_cache
def _lattice(objectives: int, steps: int) -> Array:
    """Return all ways to share steps among objectives [L, K]."""
    bars = np.array(list(combinations(range(steps + objectives - 1), objectives - 1)), dtype=np.float64)
    ends = np.full((len(bars), 1), -1.0), np.full((len(bars), 1), steps + objectives - 1.0)
    return np.diff(np.hstack([ends[0], bars.reshape(len(bars), -1), ends[1]]), axis=1) - 1.0
