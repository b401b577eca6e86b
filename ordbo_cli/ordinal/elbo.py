"""The evidence lower bound and its closed-form gradient in NumPy.

``ELBO = sum_i E_q[log p(rank_i | f_i)] + sum_p w_p E_q[log p(comparison p | f)] - KL(q || N(0, K))``, q a Gaussian over
the M distinct latent points with mean m and covariance Sigma, diagonal or ``(K^-1 + diag(lambda))^-1`` (Opper and
Archambeau 2009).

========  ==============================================================================  ===========
symbol    meaning                                                                         shape
========  ==============================================================================  ===========
S         distinct latent points                                                          [M, D]
m, Sigma  mean and covariance of q                                                        [M], [M, M]
K         prior covariance, with jitter                                                   [M, M]
a         ``K^-1 m``                                                                      [M]
e_m, e_v  derivatives of the expected log likelihood by the marginal means and variances  [M]
e_c       the same by the covariances of the compared points                              [P]
G         derivative of the ELBO by K                                                     [M, M]
========  ==============================================================================  ===========
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.linalg.blas import dsymm, dsyr, dsyrk
from scipy.linalg.lapack import dpotrs, dtrtrs

from ordbo_cli.ordinal.data import Comparisons
from ordbo_cli.ordinal.kernels import KERNELS, distances, prior_covariance
from ordbo_cli.ordinal.likelihood import ComparisonTerms, comparison_terms, expected_log_likelihood
from ordbo_cli.ordinal.linalg import Array, cholesky, inverse, log_determinant
from ordbo_cli.ordinal.model import Model, Parameters
from ordbo_cli.ordinal.warp import gradient_by_gaps, latent_points


class _Posterior(NamedTuple):
    """The variational posterior q, as far as the ELBO needs it.

    Args:
        variance: of each latent point [M].
        covariance: of the points of each comparison [P].
        divergence: from the prior.
        pull: from e_v [M] and e_c [P] to the derivatives by spread [M] and by K, on and below the diagonal [M, M].
    """

    variance: Array
    covariance: Array
    divergence: float
    pull: Callable[[Array, Array], tuple[Array, Array]]


def objective(model: Model, theta: Array) -> tuple[float, Array]:
    """Return ELBO plus log prior of the gaps, and the gradient by theta."""
    data = model.data
    p = model.parameters(theta)
    S = latent_points(data, p.gaps)
    value, by_mean, by_spread, by_S, by_bins = elbo(model, S, p)
    by_gaps = gradient_by_gaps(data, by_S)
    by_output = [np.cumsum(by_edges[::-1])[::-1][1:] for by_edges, _ in by_bins]
    if model.input_prior is not None:
        log_p, slope = model.input_prior.log_density(p.gaps)
        value, by_gaps = value + log_p, by_gaps + slope
    if model.output_prior is not None:
        log_p, slope = model.output_prior.log_density(np.concatenate([bins.output_gaps for bins in p.bins]))
        slopes = np.split(slope, np.cumsum([len(each) for each in by_output])[:-1])
        value, by_output = value + log_p, [a + b for a, b in zip(by_output, slopes, strict=True)]
    gradient = np.empty(len(theta))
    warp = model.parts[0]
    gradient[warp] = model.warp.pull_back(theta[warp], by_gaps)
    gradient[model.mean_part], gradient[model.spread_part] = by_mean, by_spread * p.spread
    for k, (first, output, sigma) in enumerate(model.bin_parts):
        by_edges, by_sigma = by_bins[k]
        gradient[first] = by_edges.sum()
        gradient[output] = by_output[k] * model.output_transforms[k].slope(p.bins[k].output_gaps)
        gradient[sigma] = by_sigma * model.sigma_transforms[k].slope(np.array([p.bins[k].sigma]))
    return value, gradient


def elbo(model: Model, S: Array, p: Parameters) -> tuple[float, Array, Array, Array, list[tuple[Array, float]]]:
    """Return the ELBO and its derivatives by m [M], spread [M], S [M, D], and by edges [K - 1] and sigma of each scale.

    Args:
        S: latent coordinates of the distinct points [M, D].
        p: the other parameters.
    """
    data, r = model.data, distances(S, S)
    K = prior_covariance(model.kernel, r)
    L = cholesky(K)
    a = dpotrs(L, p.mean, lower=True)[0] if len(K) else p.mean
    q = (_full if model.full else _diagonal)(K, L, p, a, data.comparisons)
    fit, e_m, e_v, e_c = 0.0, np.zeros(data.points), np.zeros(data.points), np.zeros(0)
    by_bins: list[tuple[Array, float]] = []
    for scale, bins in zip(data.scales, p.bins, strict=True):
        edges, m, v = bins.edges(scale.bins), p.mean[scale.point], q.variance[scale.point]
        some, mean_i, variance_i, by_edges, by_sigma = expected_log_likelihood(
            m, v, scale.rank, edges, bins.sigma, scale.worst
        )
        fit, e_m, e_v = fit + some, e_m + data.sums(scale, mean_i), e_v + data.sums(scale, variance_i)
        by_bins.append((by_edges, by_sigma))
    if len(data.comparisons):
        terms = terms_of_comparisons(data.comparisons, p, q.variance, q.covariance)
        fit += terms.value
        by_bins = [(edges, sigma + more) for (edges, sigma), more in zip(by_bins, terms.sigma.tolist(), strict=True)]
        e_m += data.comparisons.differences_pulled_back(terms.mean, data.points)
        e_v += data.comparisons.sums_pulled_back(terms.variance, data.points)
        e_c = -2.0 * terms.variance
    by_spread, G = q.pull(e_v, e_c)
    G *= KERNELS[model.kernel].slope(r).T  # r is symmetric; its transpose has the order in memory that G has
    sums = dsymm(1.0, G, np.column_stack([S, np.ones(len(S))]), lower=True)
    by_S = -2.0 * (sums[:, -1:] * S - sums[:, :-1])
    return fit - q.divergence, e_m - a, by_spread, by_S, by_bins


def terms_of_comparisons(
    pairs: Comparisons, p: Parameters, variance: Array, covariance: Array | float = 0.0
) -> ComparisonTerms:
    """Return what comparisons add to the expected log likelihood.

    Args:
        pairs: the comparisons.
        p: means and noise.
        variance: of each latent point under q [M].
        covariance: of the two points of each comparison [P].
    """
    of_difference = variance[pairs.better] + variance[pairs.worse] - 2.0 * covariance
    sigmas, difference = np.array([bins.sigma for bins in p.bins]), p.mean[pairs.worse] - p.mean[pairs.better]
    return comparison_terms(difference, of_difference, pairs.weight, sigmas, pairs.scale)


def _diagonal(K: Array, L: Array, p: Parameters, a: Array, pairs: Comparisons) -> _Posterior:
    """Return q for ``Sigma = diag(v)``."""
    m, v = p.mean, p.spread
    log_det = log_determinant(L)
    K_inverse = inverse(L, overwrite=True)
    diagonal = K_inverse.diagonal().copy()
    divergence = 0.5 * (v @ diagonal + m @ a - len(m) + log_det - np.sum(np.log(v)))

    def pull(e_v: Array, _: Array) -> tuple[Array, Array]:
        root = K_inverse * np.sqrt(v)  # from here on G takes the inverse's place
        G = dsyrk(0.5, root.T, beta=-0.5, c=K_inverse.T, trans=True, lower=True, overwrite_c=True)
        G = dsyr(0.5, a, a=G, lower=True, overwrite_a=True)
        return e_v - 0.5 * diagonal + 0.5 / v, G

    return _Posterior(v, np.zeros(len(pairs)), float(divergence), pull)


def _full(K: Array, L: Array, p: Parameters, a: Array, pairs: Comparisons) -> _Posterior:
    """Return q for ``Sigma = (K^-1 + diag(lambda))^-1``.

    With ``K = L L'``, ``C = I + L' diag(lambda) L = T T'`` and ``V = T^-1 L'``: ``Sigma = V' V``, positive whatever
    lambda is, ``W = K^-1 Sigma = I - diag(lambda) Sigma``, and C has the eigenvalues of ``K Sigma^-1``.
    """
    m, precision = p.mean, p.spread
    C = (L.T * precision) @ L
    C.flat[:: len(C) + 1] += 1.0
    T = cholesky(C)
    V, _ = dtrtrs(T, L.T, lower=True)
    Sigma = V.T @ V
    divergence = 0.5 * (inverse(T).trace() + m @ a - len(m) + log_determinant(T))

    def pull(e_v: Array, e_c: Array) -> tuple[Array, Array]:
        W = np.eye(len(K)) - precision[:, None] * Sigma
        G = (W * e_v) @ W.T + 0.5 * np.outer(a, a) - 0.5 * (W - W @ W) * precision
        by_spread = -(Sigma * Sigma) @ (e_v + 0.5 * precision)
        if len(e_c):
            E = np.zeros_like(Sigma)  # of the covariances, each of which stands in it twice
            np.add.at(E, (pairs.better, pairs.worse), 0.5 * e_c)
            E += E.T
            G += W @ E @ W.T
            by_spread -= np.sum((Sigma @ E) * Sigma, axis=1)
        return by_spread, G.T

    return _Posterior(Sigma.diagonal(), Sigma[pairs.better, pairs.worse], float(divergence), pull)
