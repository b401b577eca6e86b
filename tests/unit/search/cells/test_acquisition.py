"""Acquisitions: gradients, tails, and function samples with the posterior's moments."""

from __future__ import annotations

import mpmath
import numpy as np
import pytest

from ordbo_cli.ordinal.posterior import Posterior, posterior
from ordbo_cli.search.cells.acquisition import (
    Acquisition,
    LowerConfidenceBound,
    NegativeLogImprovement,
    function_sample,
    log_improvement,
)


@pytest.fixture(params=["matern12", "matern32", "matern52", "rbf"])
def process(request: pytest.FixtureRequest) -> Posterior:
    """A posterior over six points in the plane."""
    rng = np.random.default_rng(3)
    return posterior(4.0 * rng.random((6, 2)), rng.normal(size=6), rng.uniform(0.01, 0.3, 6), request.param, full=False)


@pytest.mark.parametrize("kind", ["lcb", "ei", "sample"])
def test_gradients_agree_with_finite_differences(process: Posterior, kind: str) -> None:
    """At random latent points, away from the data."""
    rng = np.random.default_rng(4)
    kinds: dict[str, Acquisition] = {
        "lcb": LowerConfidenceBound(process, 2.0),
        "ei": NegativeLogImprovement(process, -0.5),
        "sample": function_sample(process, 2, rng),
    }
    acquisition = kinds[kind]
    s = 4.0 * rng.random((20, 2))
    values, gradients = acquisition.values_with_gradients(s)
    assert values == pytest.approx(acquisition.values(s), rel=1e-12)
    for j, h in enumerate(1e-6 * np.eye(2)):
        slope = (acquisition.values(s + h) - acquisition.values(s - h)) / 2e-6
        assert gradients[:, j] == pytest.approx(slope, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("z", [-1e4, -500.0, -40.0, -1.001, -0.999, 0.0, 3.0, 40.0])
def test_log_improvement_in_the_tails(z: float) -> None:
    """Value and slope agree with high precision, also where ``phi(z)`` underflows."""
    with mpmath.workdps(60):
        h = mpmath.npdf(z) + z * mpmath.ncdf(z)
        expected, slope = float(mpmath.log(h)), float(mpmath.ncdf(z) / h)
    value, derivative = log_improvement(np.array([z]))
    assert value[0] == pytest.approx(expected, rel=1e-7)
    assert derivative[0] == pytest.approx(slope, rel=1e-3)


@pytest.mark.slow
def test_function_samples_have_the_posterior_moments() -> None:
    """Over many draws, mean and variance at a few points agree with the posterior's."""
    rng = np.random.default_rng(5)
    process = posterior(3.0 * rng.random((5, 2)), rng.normal(size=5), rng.uniform(0.05, 0.3, 5), "matern32", full=False)
    s = 3.0 * rng.random((6, 2))
    draws = np.array([function_sample(process, 2, rng).values(s) for _ in range(1500)])
    mean, variance = process.moments(s)
    assert draws.mean(axis=0) == pytest.approx(mean, abs=0.1)
    assert draws.var(axis=0) == pytest.approx(variance, rel=0.2, abs=0.02)
