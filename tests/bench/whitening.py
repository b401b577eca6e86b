"""Does what ``ordbo benchmark`` does with whitened variational parameters: a trial that no setting reaches.

Usage: ``PYTHONPATH=. python tests/bench/whitening.py --methods default:optimizer=adam,iterations=20 --output FILE``;
records of whitened methods have the names of those that are not, so give it a file of its own.

The paper's q has a mean and a diagonal covariance at the latent points. gpflow's own models, unless told otherwise,
have them seen through the Cholesky factor of the prior covariance, ``K = L L'``: ``m = L u``, ``Sigma = L diag(v) L'``,
with u and v learnt, so that the divergence from the prior depends on u and v alone. Comparisons are not served.
"""

from __future__ import annotations

import contextlib
import dataclasses
import sys
from collections.abc import Iterator
from unittest import mock

import numpy as np
from scipy.linalg import solve_triangular

from ordbo_cli.cli import main
from ordbo_cli.ordinal.kernels import KERNELS, distances, prior_covariance
from ordbo_cli.ordinal.likelihood import expected_log_likelihood
from ordbo_cli.ordinal.linalg import Array, cholesky
from ordbo_cli.ordinal.model import Model, Parameters
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.ordinal.warp import latent_points
from ordbo_cli.problem.method import Kernel

_parameters, _theta = Model.parameters, Model.theta


@contextlib.contextmanager
def whitened() -> Iterator[None]:
    """Have every diagonal model whitened for the time of a ``with`` block; outside theta the mean remains m."""
    with (
        mock.patch.object(Model, "parameters", parameters),
        mock.patch.object(Model, "theta", theta),
        mock.patch("ordbo_cli.ordinal.elbo.elbo", elbo),
        mock.patch("ordbo_cli.ordinal.fit.posterior", posterior),
    ):
        yield


def factor(kernel: Kernel, S: Array) -> Array:
    """Return the lower Cholesky factor of the prior covariance of latent points [M, M]."""
    return cholesky(prior_covariance(kernel, distances(S, S)))


def parameters(model: Model, theta: Array) -> Parameters:
    """Return what a vector theta stands for, m in place of its u."""
    p = _parameters(model, theta)
    return dataclasses.replace(p, mean=factor(model.kernel, latent_points(model.data, p.gaps)) @ p.mean)


def theta(model: Model, parameters: Parameters) -> Array:
    """Return the vector of given parameters, u in place of their m."""
    L = factor(model.kernel, latent_points(model.data, parameters.gaps))
    u = solve_triangular(L, parameters.mean, lower=True)
    return _theta(model, dataclasses.replace(parameters, mean=u))


def elbo(model: Model, S: Array, p: Parameters) -> tuple[float, Array, Array, Array, list[tuple[Array, float]]]:
    """Return the ELBO and its derivatives by u [M], v [M], S [M, D], and by edges [K - 1] and sigma of one scale."""
    data, r, v = model.data, distances(S, S), p.spread
    L = factor(model.kernel, S)
    u = solve_triangular(L, p.mean, lower=True)
    fit, mean_i, variance_i, by_edges, by_sigma = expected_log_likelihood(
        p.mean[data.point], ((L * L) @ v)[data.point], data.rank, p.edges(data.bins), p.sigma, data.worst
    )
    e_m, e_v = data.sums(data.scales[0], mean_i), data.sums(data.scales[0], variance_i)
    divergence = 0.5 * float(u @ u + np.sum(v - np.log(v)) - len(u))
    inner = np.tril(L.T @ np.tril(np.outer(e_m, u) + 2.0 * e_v[:, None] * L * v))  # Murray 2016, eq. 10
    np.fill_diagonal(inner, 0.5 * inner.diagonal())
    left = solve_triangular(L, inner, lower=True, trans=1)
    by_K = solve_triangular(L, left.T, lower=True, trans=1)
    by_distance = 0.5 * (by_K + by_K.T) * KERNELS[model.kernel].slope(r)
    by_S = -2.0 * (by_distance.sum(axis=1)[:, None] * S - by_distance @ S)
    return fit - divergence, L.T @ e_m - u, (L * L).T @ e_v - 0.5 + 0.5 / v, by_S, [(by_edges, by_sigma)]


def posterior(S: Array, mean: Array, spread: Array, kernel: Kernel, *, full: bool) -> Posterior:
    """Return the posterior of a fitted variational Gaussian, m given, and v."""
    assert not full
    L_inverse = np.linalg.inv(factor(kernel, S))
    return Posterior(S, L_inverse.T @ (L_inverse @ mean), (L_inverse.T * (1.0 - spread)) @ L_inverse, kernel)


if __name__ == "__main__":
    with whitened():
        sys.exit(main(["benchmark", "--jobs", "1", *sys.argv[1:]]))
