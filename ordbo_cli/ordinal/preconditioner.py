"""The preconditioner of theta: a change of variables ``theta = origin + P z`` after which a fit takes tens of steps.

In z the objective is about as curved one way as another; in theta itself L-BFGS takes many hundreds of steps, because
the means of points that lie close together are tied by ``K^-1``, whose eigenvalues span six decades, and to the bin
edges by the likelihood. ``P P'`` is about the inverse of the curvature at the origin, block by block:

- the input gaps: that of their prior, whose covariance is known in closed form;
- first edges, output gaps and means together [E + M]: prior and expected likelihood, which are concave in them;
- each sigma, and each number of the posterior's spread, on their own.

It changes no value of the objective, only the path to the maximum.

======  ===============================================  ===================
symbol  meaning                                          shape
======  ===============================================  ===================
theta   unconstrained numbers of the model               [parts]
z       the same in units in which curvature is about 1  [parts]
P       ``theta = origin + P z``                         [parts, parts]
E       first edges and output gaps of all scales
H       curvature of the edges and means                 [E + M] squared
======  ===============================================  ===================
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from scipy.linalg.blas import dtrsv

from ordbo_cli.ordinal.data import Comparisons, Scale
from ordbo_cli.ordinal.elbo import terms_of_comparisons
from ordbo_cli.ordinal.kernels import distances, prior_covariance
from ordbo_cli.ordinal.likelihood import ComparisonTerms, Curvature, expected_curvature
from ordbo_cli.ordinal.linalg import Array, IntArray, cholesky, inverse
from ordbo_cli.ordinal.model import Model, Parameters
from ordbo_cli.ordinal.warp import FreeGaps, latent_points

_FLATTEST: Final = 0.05  # least curvature that is believed, so that no unit of z is farther than some units of theta
_FARTHEST: Final = 5.0  # the same for a gap near its bound, in units of theta to one of its logarithm
_LEAST_SIGMA: Final = 1.0  # least curvature by sigma


@dataclass(frozen=True)
class Preconditioner:
    """P, block by block.

    Args:
        model: whose theta it is.
        gaps: units of theta to one of the logarithm of each input gap [G].
        joint: lower Cholesky factor of the curvature by first edge, output gaps and means [E + M, E + M].
        sigma: units of theta's sigma to one of z, of each scale [scales].
        spread: units of theta's spread to one of z [M].
    """

    model: Model
    gaps: Array
    joint: Array
    sigma: Array
    spread: Array

    def theta(self, z: Array) -> Array:
        """Return ``P z``, z of the size of theta."""
        return self._product(z, transposed=False)

    def pull_back(self, by_theta: Array) -> Array:
        """Return the gradient by z, ``P' g``, of a function whose gradient by theta is g."""
        return self._product(by_theta, transposed=True)

    def _product(self, x: Array, *, transposed: bool) -> Array:
        gaps, spread = self.model.parts[0], self.model.spread_part
        product = np.empty_like(x)
        product[gaps] = self._root(self.gaps * x[gaps]) if transposed else self.gaps * self._root(x[gaps])
        product[self._tied] = dtrsv(self.joint, x[self._tied], lower=1, trans=0 if transposed else 1)
        for unit, (_, _, sigma) in zip(self.sigma, self.model.bin_parts, strict=True):
            product[sigma] = unit * x[sigma]
        product[spread] = self.spread * x[spread]
        return product

    def _root(self, x: Array) -> Array:
        """Return a symmetric root of the covariance of the log gaps, times x; without a prior, x."""
        prior = self.model.input_prior
        return x if prior is None else prior.root(x)

    @cached_property
    def _tied(self) -> IntArray:
        """Places of first edges and output gaps of each scale, and of the means, in theta."""
        edges = [np.r_[first, output] for first, output, _ in self.model.bin_parts]
        return np.concatenate([*edges, np.r_[self.model.mean_part]])


def preconditioner_at(model: Model, theta: Array) -> Preconditioner:
    """Return the preconditioner that the curvature at a given theta makes."""
    data, p = model.data, model.parameters(theta)
    S = latent_points(data, p.gaps)
    K = prior_covariance(model.kernel, distances(S, S))
    if model.full:
        share = _shares(K, p.spread)
        variance, spread_curvature = share / p.spread, 0.5 * share * share + _FLATTEST
    else:
        variance, spread_curvature = p.spread, np.full(data.points, 0.5)  # at the best v for the means as they are
    curvatures = [
        expected_curvature(
            p.mean[scale.point], variance[scale.point], scale.rank, bins.edges(scale.bins), bins.sigma, scale.worst
        )
        for scale, bins in zip(data.scales, p.bins, strict=True)
    ]
    pairs = terms_of_comparisons(data.comparisons, p, variance)
    slopes = np.array(
        [float(each.slope(np.array(b.sigma))) for each, b in zip(model.sigma_transforms, p.bins, strict=True)]
    )
    by_sigma = np.array([each.sigma for each in curvatures]) + pairs.sigma_curvature
    return Preconditioner(
        model,
        _gap_units(model, p.gaps),
        _joint_factor(model, p, K, curvatures, pairs),
        np.maximum(np.abs(by_sigma) * slopes**2, _LEAST_SIGMA) ** -0.5,
        spread_curvature**-0.5,
    )


def _shares(K: Array, precision: Array) -> Array:
    """Return ``lambda_i Sigma_ii`` of a full posterior [M]: how much of what is known of a mean its own row says."""
    root = np.sqrt(precision)
    B = root[:, None] * K * root
    B.flat[:: len(B) + 1] += 1.0
    return 1.0 - inverse(cholesky(B)).diagonal()


def _gap_units(model: Model, gaps: Array) -> Array:
    """Return how far theta moves where the logarithm of an input gap moves by one [G]."""
    if not isinstance(model.warp, FreeGaps) or model.input_prior is None:
        return np.ones(model.warp.size)
    return 1.0 / np.maximum(model.warp.transform.slope(gaps) / gaps, 1.0 / _FARTHEST)


def _joint_factor(
    model: Model, p: Parameters, K: Array, likelihoods: Sequence[Curvature], pairs: ComparisonTerms
) -> Array:
    """Return the Cholesky factor of the curvature by the edges of all scales and the means [E + M, E + M]."""
    data = model.data
    sizes = [1 + len(bins.output_gaps) for bins in p.bins]
    E = sum(sizes)
    H = np.zeros((E + data.points,) * 2)
    H[E:, E:] = inverse(cholesky(K))
    _add_comparisons(H[E:, E:], data.comparisons, pairs.curvature)
    for k, (scale, likelihood) in enumerate(zip(data.scales, likelihoods, strict=True)):
        _add_to_diagonal(H[E:, E:], data.sums(scale, likelihood.mean))
        if scale.bins < 2:
            continue
        gaps, own = p.bins[k].output_gaps, slice(sum(sizes[:k]), sum(sizes[: k + 1]))
        slope = np.concatenate([[1.0], model.output_transforms[k].slope(gaps)])
        by_edges = _edge_curvature(scale, data.points, likelihood)
        # An edge is the sum of the first one and the output gaps below it: reversed cumulative sums.
        by_edges = slope[:, None] * np.cumsum(by_edges[::-1], axis=0)[::-1]
        H[own, E:] = by_edges[:, len(slope) :]
        H[own, own] = slope * np.cumsum(by_edges[:, : len(slope)][:, ::-1], axis=1)[:, ::-1]
        if model.output_prior is not None:
            inner = slice(own.start + 1, own.stop)
            _add_to_diagonal(H[inner, inner], (slope[1:] / gaps / model.output_prior.spread) ** 2)
    _add_to_diagonal(H, np.full(len(H), _FLATTEST))
    return cholesky(H)


def _edge_curvature(scale: Scale, points: int, likelihood: Curvature) -> Array:
    """Return the curvature by a scale's edges, and by them and the means [K - 1, K - 1 + M]; K is 2 or more."""
    edges = scale.bins - 1
    by_edges = np.zeros((edges, edges + points))
    place = np.arange(edges)
    by_edges[place, place] = likelihood.edges
    below, above = scale.rank > 0, scale.worst < edges
    both = below & above
    for one, other in ((scale.rank - 1, scale.worst), (scale.worst, scale.rank - 1)):
        np.add.at(by_edges, (one[both], other[both]), likelihood.between[both])
    np.add.at(by_edges, (scale.rank[below] - 1, edges + scale.point[below]), likelihood.lower[below])
    np.add.at(by_edges, (scale.worst[above], edges + scale.point[above]), likelihood.upper[above])
    return by_edges


def _add_comparisons(H: Array, pairs: Comparisons, curvature: Array) -> None:
    """Add the curvature by the differences of means [P] to that by the means [M, M]."""
    for one, other, sign in (
        (pairs.better, pairs.better, 1.0),
        (pairs.worse, pairs.worse, 1.0),
        (pairs.better, pairs.worse, -1.0),
        (pairs.worse, pairs.better, -1.0),
    ):
        np.add.at(H, (one, other), sign * curvature)


def _add_to_diagonal(H: Array, values: Array) -> None:
    place = np.arange(len(H))
    H[place, place] += values
