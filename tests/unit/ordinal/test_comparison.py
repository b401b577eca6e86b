"""The likelihood of comparisons: its value against an integral, its derivatives against differences."""

from __future__ import annotations

import math

import numpy as np
import pytest
import scipy.integrate
from scipy.special import ndtr

from ordbo_cli.ordinal.likelihood import ComparisonTerms, comparison_terms
from ordbo_cli.ordinal.linalg import Array

RNG = np.random.default_rng(8)
P = 9
MEAN, VARIANCE = RNG.normal(size=P), RNG.uniform(0.05, 2.0, P)
WEIGHT = RNG.choice([0.5, 1.0], P)
SCALES = 3
SCALE = np.array([0, 2, 0, 2, 2, 0, 2, 0, 0])
SIGMAS = [0.4, 0.3, 0.9]  # nobody has the second


def terms(x: Array) -> ComparisonTerms:
    """Return what the comparisons say at means, variances and sigma."""
    return comparison_terms(x[:P], x[P:-SCALES], WEIGHT, x[-SCALES:], SCALE)


def test_the_expectation_is_its_integral() -> None:
    """Quadrature with 20 nodes agrees with an adaptive one."""
    for mean, variance, sigma in ((0.3, 0.5, 0.8), (-1.2, 0.1, 0.5), (0.0, 2.0, 1.0)):

        def integrand(d: float, m: float = mean, v: float = variance, s: float = sigma) -> float:
            density = math.exp(-0.5 * (d - m) ** 2 / v) / math.sqrt(2.0 * math.pi * v)
            return math.log(float(ndtr(d / (math.sqrt(2.0) * s)))) * density

        expected, _ = scipy.integrate.quad(integrand, mean - 12.0, mean + 12.0, epsabs=1e-12)
        found = comparison_terms(
            np.array([mean]), np.array([variance]), np.ones(1), np.array([sigma]), np.zeros(1, dtype=np.int64)
        ).value
        assert found == pytest.approx(expected, rel=1e-6)


def test_derivatives_are_those_of_the_value() -> None:
    """By means, variances and sigma they agree with differences."""
    x = np.concatenate([MEAN, VARIANCE, SIGMAS])
    slopes = [(terms(x + d).value - terms(x - d).value) / 2e-6 for d in 1e-6 * np.eye(len(x))]
    found = terms(x)
    np.testing.assert_allclose(np.concatenate([found.mean, found.variance, found.sigma]), slopes, rtol=1e-6)
    assert found.sigma[1] == 0.0


def test_curvature_is_that_of_the_value() -> None:
    """Second derivatives agree with differences of the first ones; by the means they say that it is concave."""
    x = np.concatenate([MEAN, VARIANCE, SIGMAS])
    for k in range(P):
        d = 1e-6 * np.eye(len(x))[k]
        bend = -(terms(x + d).mean[k] - terms(x - d).mean[k]) / 2e-6
        assert terms(x).curvature[k] == pytest.approx(bend, rel=1e-5)
    for k in range(-SCALES, 0):
        d = 1e-6 * np.eye(len(x))[k]
        bend = -(terms(x + d).sigma[k] - terms(x - d).sigma[k]) / 2e-6
        assert terms(x).sigma_curvature[k] == pytest.approx(bend, rel=1e-5)
    assert np.all(terms(x).curvature > 0.0)


def test_far_tails_are_finite() -> None:
    """An answer against a certain difference costs much, but no infinity and no NaN."""
    found = comparison_terms(
        np.array([-60.0, 60.0]), np.array([1e-6, 1e-6]), np.ones(2), np.array([0.02]), np.zeros(2, dtype=np.int64)
    )
    assert found.value == pytest.approx(-0.5 * (60.0 / (math.sqrt(2.0) * 0.02)) ** 2, rel=1e-3)
    assert np.all(np.isfinite([*found.mean, *found.variance, *found.sigma, *found.curvature, *found.sigma_curvature]))
    assert found.mean[1] == 0.0
