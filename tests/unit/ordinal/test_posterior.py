"""The latent process after the data against the textbook's formulas with explicit inverses."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordbo_cli.ordinal.kernels import JITTER, KERNELS, distances
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.posterior import Posterior, posterior
from ordbo_cli.problem.method import Kernel

KINDS = [(kernel, full) for kernel in get_args(Kernel) for full in (False, True)]


def make_posterior(kernel: Kernel = "matern32", *, full: bool = False, M: int = 7, seed: int = 0) -> Posterior:
    rng = np.random.default_rng(seed)
    S, mean, spread = rng.uniform(0.0, 4.0, (M, 2)), rng.normal(size=M), rng.uniform(0.02, 0.5, M)
    return posterior(S, mean, 1.0 / spread if full else spread, kernel, full=full)


def somewhere(P: int = 6, seed: int = 1) -> Array:
    return np.random.default_rng(seed).uniform(-1.0, 5.0, (P, 2))


@pytest.mark.parametrize(("kernel", "full"), KINDS)
def test_moments_are_the_textbooks(kernel: Kernel, full: bool) -> None:
    """``mu = k' K^-1 m`` and ``var = k(s, s) + k' K^-1 (Sigma - K) K^-1 k``."""
    rng = np.random.default_rng(0)
    S, mean, v = rng.uniform(0.0, 4.0, (7, 2)), rng.normal(size=7), rng.uniform(0.02, 0.5, 7)
    K = KERNELS[kernel].value(distances(S, S)) + JITTER * np.eye(7)
    K_inverse = np.linalg.inv(K)
    Sigma = np.linalg.inv(K_inverse + np.diag(1.0 / v)) if full else np.diag(v)
    s = somewhere()
    k = KERNELS[kernel].value(distances(s, S))
    latent = posterior(S, mean, 1.0 / v if full else v, kernel, full=full)
    mu, variance = latent.moments(s)
    np.testing.assert_allclose(mu, k @ K_inverse @ mean, rtol=1e-7, atol=1e-9)
    cross = KERNELS[kernel].value(distances(s, s)) + k @ K_inverse @ (Sigma - K) @ K_inverse @ k.T
    np.testing.assert_allclose(variance, np.diagonal(cross), rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(latent.covariance(s), cross, rtol=1e-7, atol=1e-8)


@pytest.mark.parametrize(("kernel", "full"), KINDS)
def test_gradients_are_those_of_the_moments(kernel: Kernel, full: bool) -> None:
    """Gradients by the place agree with differences, and come with the same moments."""
    latent, s = make_posterior(kernel, full=full), somewhere()
    mu, variance, by_mu, by_variance = latent.moments_with_gradients(s)
    assert [mu.tolist(), variance.tolist()] == [moment.tolist() for moment in latent.moments(s)]
    for j, step in enumerate(1e-6 * np.eye(2)):
        above, below = latent.moments(s + step), latent.moments(s - step)
        np.testing.assert_allclose(by_mu[:, j], (above[0] - below[0]) / 2e-6, rtol=1e-5, atol=1e-6)
        np.testing.assert_allclose(by_variance[:, j], (above[1] - below[1]) / 2e-6, rtol=1e-5, atol=1e-6)


def test_gradients_at_a_data_point_are_finite() -> None:
    """At a point that the posterior rests on no distance of zero divides anything."""
    for kernel in get_args(Kernel):
        latent = make_posterior(kernel)
        assert all(np.all(np.isfinite(part)) for part in latent.moments_with_gradients(latent.S))


def test_without_data_the_prior_remains() -> None:
    """Mean zero, variance one, gradients zero; and a pending point still counts."""
    latent = posterior(np.zeros((0, 2)), np.zeros(0), np.zeros(0), "matern32", full=False)
    s = somewhere(3)
    mu, variance, by_mu, by_variance = latent.moments_with_gradients(s)
    assert (mu.tolist(), variance.tolist()) == ([0.0] * 3, [1.0] * 3)
    assert not by_mu.any()
    assert not by_variance.any()
    assert latent.hallucinate(s).moments(s)[1].max() < 1e-5


@pytest.mark.parametrize(("kernel", "full"), KINDS)
def test_a_hallucination_is_a_noise_free_observation_of_the_mean(kernel: Kernel, full: bool) -> None:
    """Means stay, and covariances are those conditioned on the pending points, with jitter 1e-6."""
    latent, pending, s = make_posterior(kernel, full=full), somewhere(3, seed=5), somewhere()
    after = latent.hallucinate(pending)
    np.testing.assert_allclose(after.moments(s)[0], latent.moments(s)[0], rtol=1e-12)
    joint = latent.covariance(np.vstack([s, pending]))
    C = joint[6:, 6:] + JITTER * np.eye(3)
    expected = joint[:6, :6] - joint[:6, 6:] @ np.linalg.inv(C) @ joint[6:, :6]
    np.testing.assert_allclose(after.covariance(s), expected, rtol=1e-6, atol=1e-8)
    np.testing.assert_allclose(after.moments(s)[1], np.diagonal(expected), rtol=1e-6, atol=1e-8)
    assert latent.hallucinate(np.zeros((0, 2))) is latent


@given(st.integers(0, 10_000), st.integers(1, 4), st.booleans(), st.sampled_from(get_args(Kernel)))
def test_a_hallucination_only_shrinks_variances(seed: int, P: int, full: bool, kernel: Kernel) -> None:
    """Wherever pending points lie, also on a data point or on one another, no variance grows."""
    latent = make_posterior(kernel, full=full, seed=seed)
    pending = np.vstack([somewhere(P, seed), latent.S[:1], latent.S[:1]])
    s = np.vstack([somewhere(8, seed + 1), pending])
    before, after = latent.moments(s)[1], latent.hallucinate(pending).moments(s)[1]
    assert np.all(after <= before + 1e-9)
    assert np.all(after[8:] < 1e-5)


@pytest.mark.parametrize(("kernel", "full"), KINDS)
def test_a_hallucination_along_some_axes_keeps_what_is_held(kernel: Kernel, full: bool) -> None:
    """It is the one along all axes, at points that lie where the others are held."""
    latent, place = make_posterior(kernel, full=full), np.array([0.4, 0.7])
    pending, s = somewhere(3, seed=5)[:, :1], somewhere()[:, :1]

    def whole(points: Array) -> Array:
        return np.hstack([points, np.full((len(points), 1), place[1])])

    along = latent.at(place, [0]).hallucinate(pending)
    everywhere = latent.hallucinate(whole(pending))
    for found, expected in zip(along.moments(s), everywhere.moments(whole(s)), strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-9)
