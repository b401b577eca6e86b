"""The chance to succeed: against brute force, its gradients, and what it says where nothing is known."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import norm

from ordbo_cli.ordinal.kernels import KERNELS, distances
from ordbo_cli.ordinal.linalg import Array, BoolArray
from ordbo_cli.search.success_field import AMPLITUDE, LENGTHSCALE, fit_success


def cases(seed: int = 0) -> tuple[Array, BoolArray]:
    """Return points of a square, of which those beyond a slanted edge fail."""
    s = 4.0 * np.random.default_rng(seed).random((25, 2))
    return s, np.asarray(s.sum(axis=1) < 5.0)


def test_it_tells_what_fails_from_what_does_not() -> None:
    """Far on either side of the edge it is sure, on the edge it is not."""
    field = fit_success(*cases())
    inside, edge, beyond = field.chances(np.array([[0.8, 0.8], [2.5, 2.5], [3.6, 3.6]]))
    assert inside > 0.8
    assert 0.2 < edge < 0.8
    assert beyond < 0.3


def test_it_is_close_to_the_exact_chance() -> None:
    """Of two points the posterior of the field is integrated on a grid: Laplace's approximation is near it."""
    s, succeeded = np.array([[0.0], [1.5]]), np.array([True, False])
    field = fit_success(s, succeeded)
    at = np.array([[0.3]])
    K = AMPLITUDE**2 * KERNELS["matern32"].value(
        distances(np.vstack([s, at]) / LENGTHSCALE, np.vstack([s, at]) / LENGTHSCALE)
    )
    draws = field.offset + np.random.default_rng(0).multivariate_normal(np.zeros(3), K, size=400_000)
    weights = norm.cdf(draws[:, 0]) * norm.cdf(-draws[:, 1])
    exact = float(weights @ norm.cdf(draws[:, 2]) / weights.sum())
    assert field.chances(at)[0] == pytest.approx(exact, abs=0.05)


def test_far_from_everything_the_share_that_succeeded_counts() -> None:
    """One success and one failure more are assumed."""
    s, succeeded = cases()
    chance = fit_success(s, succeeded).chances(np.array([[1e3, 1e3]]))[0]
    assert chance == pytest.approx((succeeded.sum() + 1) / (len(s) + 2))


def test_gradients_are_those_of_the_scores() -> None:
    """By central differences, of all axes and of one with the others held."""
    field = fit_success(*cases())
    s = np.array([[1.1, 2.3], [3.0, 0.4]])
    _, slope = field.scores_with_gradients(s)
    for j, step in enumerate(1e-5 * np.eye(2)):
        low, high = (field.scores_with_gradients(s + sign * step)[0] for sign in (-1.0, 1.0))
        assert slope[:, j] == pytest.approx((high - low) / 2e-5, abs=1e-7)
    along = field.at(s[0], [1])
    assert along.scores_with_gradients(s[:1, 1:])[1][0, 0] == pytest.approx(slope[0, 1])


def test_nothing_but_successes_or_failures_is_fitted_too() -> None:
    """All failed, all succeeded, one row, and the same point with both results."""
    s, _ = cases()
    assert fit_success(s, np.zeros(25, dtype=bool)).chances(s).max() < 0.2
    assert fit_success(s, np.ones(25, dtype=bool)).chances(s).min() > 0.8
    assert fit_success(s[:1], np.array([False])).chances(s[:1])[0] < 0.5
    assert fit_success(s[[0, 0]], np.array([True, False])).chances(s[:1])[0] == pytest.approx(0.5, abs=0.05)
