"""What a point is worth to several objectives: the hypervolume that one may hope to gain there.

Every objective has a latent space and a posterior of its own. A point of one space is a point of each other one: the
coordinates of all rows have the same order along an axis, and between two neighbours a share of the gap is that share
of the other gap. What counts is by how much a point would push the front of the results, in units of the front's own
latent extent.

The volume between the front and a reference point is the mean, over directions from that point, of how far the front
is away, to the power of the number of objectives (Deng and Zhang 2019; Zhang and Golovin 2020). So its gain is cheap
for any number of objectives, and has gradients. Where no direction gains, the direction that comes nearest counts.

How far one may hope for along a direction is the lower confidence bound of several objectives: as far as the results
that dominate that place come within beta standard deviations of the means, all objectives together. So hope is spent
on those that need it, and a point of which nothing is known is not hoped to be the best in each of them at once. With
one objective it is the usual bound.

=======  ==================================================================  ============
symbol   meaning                                                             shape
=======  ==================================================================  ============
s        latent points of the first objective                                [P, D]
K        objectives
L        directions
m        means, as distances from the reference point, in extents            [P, K]
w        standard deviations, in extents                                     [P, K]
F        the front's posterior means                                         [F, K]
lambda   directions, of unit length                                          [L, K]
t        how far one hopes: ``sum max(0, (lambda t - m) / w)^2 = beta^2``    [P, L]
t*       how far it is dominated by the front                                [L]
=======  ==================================================================  ============
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import combinations
from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array, side_by_side
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.search.surrogate import Surrogate

_BEYOND: Final = 0.1  # of the front's extent, by which the reference point is worse than the worst of it
_LEAST: Final = 0.5  # extent of a front, in units of the prior's standard deviation
_HOPED: Final = 0.1  # extents beyond the best result, up to which hope is taken at its word
_DISCOUNT: Final = 0.2  # of what it promises beyond
_DIRECTIONS: Final = 64  # about
_STEEPEST: Final = 1e6  # of one space by another, where rows all but coincide in one
_SHARPEST: Final = 1e-6  # standard deviation, in extents
_TINY: Final = np.finfo(np.float64).tiny


@dataclass(frozen=True)
class Gain:
    """Minus the hypervolume that one may hope to gain, or by how much one falls short of any, by moments.

    Args:
        front: means of the results that none dominates [F, K].
        least: of its extents [K].
        beta: standard deviations that are hoped for.
        beyond: extents by which the reference point is worse than the worst of the front.
        hoped: extents beyond the best of it, up to which hope is taken at its word.
        favour: how much each direction counts, 1 in the mean [L]; None where all are alike.
    """

    front: Array
    least: Array
    beta: float
    beyond: float = _BEYOND
    hoped: float = _HOPED
    favour: Array | None = None

    @cached_property
    def extent(self) -> Array:
        """The unit of each objective [K]."""
        return np.maximum(np.ptp(self.front, axis=0), self.least)

    @cached_property
    def reference(self) -> Array:
        """The reference point [K]."""
        return np.asarray(self.front.max(axis=0) + self.beyond * self.extent)

    def of(self, mean: Array, sd: Array) -> tuple[Array, Array, Array]:
        """Return values [P] by means and standard deviations [P, K], and their derivatives by both [P, K]."""
        K = mean.shape[1]
        along = directions(K)
        m, w = (self.reference - mean) / self.extent, np.maximum(sd / self.extent, _SHARPEST)
        t = self._reach(m, w, along)
        spent = np.maximum((along * t[..., None] - m[:, None, :]) / w[:, None, :], 0.0)
        by_m = spent / w[:, None, :]
        by_m /= np.maximum(np.sum(by_m * along, axis=2, keepdims=True), _TINY)
        best = (self.reference - self.front.min(axis=0)) / self.extent + self.hoped
        limit = (best / along).min(axis=1)
        beyond = t > limit
        t = np.minimum(t, (1.0 - _DISCOUNT) * limit + _DISCOUNT * t)
        known = (((self.reference - self.front) / self.extent)[:, None, :] / along).min(axis=2).max(axis=0)
        reach = np.maximum(t, known)
        favour = 1.0 if self.favour is None else self.favour
        gain = (favour * (reach**K - known**K)).mean(axis=1)
        gains = gain > 0.0
        weight = favour * np.where(t > known, K * reach ** (K - 1), 0.0) / len(along)
        weight[~gains] = np.eye(len(along))[np.argmax(t - known, axis=1)[~gains]]
        weight = np.where(beyond, _DISCOUNT * weight, weight)
        by_mean = np.einsum("pl,plk->pk", weight, by_m) / self.extent
        by_sd = -np.einsum("pl,plk->pk", weight, by_m * spent) / self.extent
        return -np.where(gains, gain, np.max(t - known, axis=1)), by_mean, by_sd

    def _reach(self, m: Array, w: Array, along: Array) -> Array:
        """Return t: of those objectives alone that need hope there, which fall behind their means one by one."""
        kink = m[:, None, :] / along
        order = np.argsort(kink, axis=2, kind="stable")
        kink, slope, start = (
            np.take_along_axis(each, order, axis=2)
            for each in (kink, along / w[:, None, :], np.broadcast_to((m / w)[:, None, :], kink.shape))
        )
        a, b, c = (np.cumsum(each, axis=2) for each in (slope * slope, slope * start, start * start))
        c -= self.beta**2
        t = (b + np.sqrt(np.maximum(b * b - a * c, 0.0))) / a
        after = kink[..., 1:]
        in_need = np.cumprod((a[..., :-1] * after - 2.0 * b[..., :-1]) * after + c[..., :-1] < 0.0, axis=2).sum(axis=2)
        return np.asarray(np.take_along_axis(t, in_need[..., None], axis=2)[..., 0])


@dataclass(frozen=True)
class Beside:
    """The posterior of an objective, as a function of the latent points of another one.

    Args:
        posterior: in its own latent space.
        theirs, own: coordinates of the rows along each axis, in the other space and in its own [n_j].
    """

    posterior: Posterior
    theirs: tuple[Array, ...]
    own: tuple[Array, ...]

    def moments(self, s: Array) -> tuple[Array, Array]:
        """Return means and variances [P] at latent points [P, D] of the other space."""
        return self.posterior.moments(moved(s, self.theirs, self.own)[0])

    def moments_with_gradients(self, s: Array) -> tuple[Array, Array, Array, Array]:
        """Return means and variances [P], and their gradients [P, D], at latent points of the other space."""
        here, slopes = moved(s, self.theirs, self.own)
        mean, variance, by_mean, by_variance = self.posterior.moments_with_gradients(here)
        return mean, variance, by_mean * slopes, by_variance * slopes


def moved(s: Array, theirs: tuple[Array, ...], own: tuple[Array, ...]) -> tuple[Array, Array]:
    """Return latent points of one objective in the space of another, and by how much they move there [P, D].

    Args:
        s: the points [P, D].
        theirs, own: coordinates of the rows along each axis, in the one space and in the other [n_j].
    """
    places, slopes = [], []
    for j, (a, b) in enumerate(zip(theirs, own, strict=True)):
        k = np.clip(np.searchsorted(a, s[:, j]) - 1, 0, len(a) - 2)
        width = np.maximum(a[k + 1] - a[k], _TINY)
        share = np.clip((s[:, j] - a[k]) / width, 0.0, 1.0)
        places.append(b[k] + share * (b[k + 1] - b[k]))
        slopes.append(np.minimum((b[k + 1] - b[k]) / width, _STEEPEST))
    return side_by_side(places, len(s)), side_by_side(slopes, len(s))


@dataclass(frozen=True)
class HypervolumeGain:
    """What one may hope to gain at latent points of the first objective.

    Args:
        posterior: of the first objective.
        others: of those after it.
        gain: by moments of all of them.
    """

    posterior: Posterior
    others: tuple[Beside, ...]
    gain: Gain

    def values(self, s: Array) -> Array:
        """Return values [P] at latent points [P, D]."""
        mean, variance = (
            np.stack(each, axis=1) for each in zip(*(each.moments(s) for each in self._each), strict=True)
        )
        return self.gain.of(mean, np.sqrt(variance))[0]

    def values_with_gradients(self, s: Array) -> tuple[Array, Array]:
        """Return values [P] and their gradients [P, D]."""
        found = [each.moments_with_gradients(s) for each in self._each]
        mean, variance, mean_slope, variance_slope = (np.stack(each, axis=1) for each in zip(*found, strict=True))
        sd = np.sqrt(variance)
        value, by_mean, by_sd = self.gain.of(mean, sd)
        slope = by_mean[..., None] * mean_slope + (0.5 * by_sd / sd)[..., None] * variance_slope
        return value, slope.sum(axis=1)

    @property
    def _each(self) -> tuple[Posterior | Beside, ...]:
        return (self.posterior, *self.others)


def hypervolume_gain(surrogate: Surrogate, beta: float) -> HypervolumeGain:
    """Return what cells are compared by where there are several objectives.

    Args:
        surrogate: of all of them, with a front.
        beta: multiplier of the standard deviations.
    """
    assert surrogate.traded is not None
    others = tuple(Beside(each.posterior, surrogate.places, each.places) for each in surrogate.others)
    least = np.full(1 + len(others), _LEAST)
    gain = Gain(surrogate.traded, least, beta, favour=favour_of(surrogate))
    return HypervolumeGain(surrogate.posterior, others, gain)


def favour_of(surrogate: Surrogate) -> Array | None:
    """Return how much each direction counts to somebody who has compared results [L]; None where nobody has."""
    if surrogate.preferences is None or surrogate.traded is None or not len(surrogate.traded):
        return None
    K = surrogate.traded.shape[1]
    units = Gain(surrogate.traded, np.full(K, _LEAST), beta=0.0)
    return surrogate.preferences.weights(units.reference, units.extent, directions(K))


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
