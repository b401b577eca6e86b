"""The divergence against Monte Carlo and gpflow's, the full posterior's optimum against gpflow's VGP."""

from __future__ import annotations

import math
from typing import get_args

import gpflow
import numpy as np
import pytest
import scipy.optimize
import scipy.stats

from ordbo_cli.ordinal.elbo import elbo
from ordbo_cli.ordinal.gpflow_engine import OrdinalLikelihood
from ordbo_cli.ordinal.kernels import JITTER, KERNELS, distances
from ordbo_cli.ordinal.likelihood import expected_log_likelihood
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.model import LARGEST_OUTPUT_GAP, Model, Parameters
from ordbo_cli.ordinal.warp import latent_points, smallest_gap
from ordbo_cli.problem.method import Posterior
from tests.unit.ordinal.cases import make_data, make_model, random_theta

pytestmark = pytest.mark.slow


def parts(posterior: Posterior, N: int = 12) -> tuple[Model, Parameters, Array, Array]:
    """Return a model, its parameters, K and Sigma."""
    model = make_model(make_data(N, 2), posterior=posterior)
    p = model.parameters(random_theta(model))
    S = latent_points(model.data, p.gaps)
    K = KERNELS[model.kernel].value(distances(S, S)) + JITTER * np.eye(len(S))
    Sigma = np.linalg.inv(np.linalg.inv(K) + np.diag(p.spread)) if model.full else np.diag(p.spread)
    return model, p, K, Sigma


def divergence(model: Model, p: Parameters, Sigma: Array) -> float:
    """Return the KL that the ELBO holds: what it lacks to the expected log likelihood."""
    data = model.data
    variance = np.diagonal(Sigma)[data.point]
    fit, *_ = expected_log_likelihood(p.mean[data.point], variance, data.rank, p.edges(data.bins), p.sigma)
    return fit - elbo(model, latent_points(data, p.gaps), p)[0]


@pytest.mark.parametrize("posterior", get_args(Posterior))
def test_divergence_agrees_with_monte_carlo(posterior: Posterior) -> None:
    """The mean of ``log q - log p`` over samples of q lies within four standard errors of KL."""
    model, p, K, Sigma = parts(posterior)
    q = scipy.stats.multivariate_normal(p.mean, Sigma)
    f = q.rvs(200_000, random_state=np.random.default_rng(0))
    ratio = np.asarray(q.logpdf(f) - scipy.stats.multivariate_normal(np.zeros(len(K)), K).logpdf(f))
    error = float(ratio.std()) / math.sqrt(len(ratio))
    assert divergence(model, p, Sigma) == pytest.approx(float(ratio.mean()), abs=4.0 * error)


@pytest.mark.parametrize("posterior", get_args(Posterior))
def test_divergence_agrees_with_gpflow(posterior: Posterior) -> None:
    """``gauss_kl`` gives the same number for the Cholesky factor of Sigma."""
    model, p, K, Sigma = parts(posterior)
    root = np.linalg.cholesky(Sigma)
    expected = float(gpflow.kullback_leiblers.gauss_kl(p.mean[:, None], root[None], K))
    assert divergence(model, p, Sigma) == pytest.approx(expected, rel=1e-9)


def test_full_posterior_is_positive_whatever_its_precisions() -> None:
    """Precisions that a line search may try give finite values and positive variances."""
    model, p, _, _ = parts("full")
    S = latent_points(model.data, p.gaps)
    for scale in (1e-9, 1e9, 1e14):
        wild = Parameters(p.gaps, p.first_edge, p.output_gaps, p.sigma, p.mean, scale * p.spread)
        value, by_mean, by_spread, by_S, ((by_edges, by_sigma),) = elbo(model, S, wild)
        assert np.all(np.isfinite(np.concatenate([[value, by_sigma], by_mean, by_spread, by_S.ravel(), by_edges])))


def test_full_posterior_reaches_the_optimum_of_vgp() -> None:
    """At the same latent points, edges and sigma, M precisions do what gpflow's M (M + 1) / 2 numbers do."""
    model, p, _, _ = parts("full", N=8)
    data, S = model.data, latent_points(model.data, p.gaps)

    def negative(x: Array) -> tuple[float, Array]:
        mean, log_spread = np.split(x, 2)
        trial = Parameters(p.gaps, p.first_edge, p.output_gaps, p.sigma, mean, np.exp(log_spread))
        value, by_mean, by_spread, *_ = elbo(model, S, trial)
        return -value, -np.concatenate([by_mean, by_spread * trial.spread])

    start = np.concatenate([p.mean, np.zeros(data.points)])
    ours = scipy.optimize.minimize(negative, start, jac=True, method="BFGS", options={"gtol": 1e-6, "maxiter": 2000})

    likelihood = OrdinalLikelihood()
    likelihood.bins.assign(data.bins)
    likelihood.first_edge.assign([p.first_edge])
    low, high = smallest_gap(data.bins), LARGEST_OUTPUT_GAP
    likelihood.smallest_gap.assign(low)
    likelihood.share.assign((p.output_gaps - low) / (high - low))
    likelihood.sigma.assign([p.sigma])
    gpflow.set_trainable(likelihood, False)
    kernel = gpflow.kernels.Matern32()
    gpflow.set_trainable(kernel, False)
    bins = np.stack([data.rank, data.worst], axis=1).astype(np.float64)
    vgp = gpflow.models.VGP((S[data.point], bins), kernel, likelihood, num_latent_gps=1)
    options = {"maxiter": 3000, "ftol": 1e-13, "gtol": 1e-7}
    gpflow.optimizers.Scipy().minimize(vgp.training_loss, vgp.trainable_variables, options=options)
    assert -ours.fun == pytest.approx(float(vgp.elbo()), abs=2e-4)
    mean, _ = vgp.predict_f(S)
    np.testing.assert_allclose(ours.x[: data.points], mean.numpy()[:, 0], atol=5e-3)
