"""Bin probabilities against mpmath, their expectation against numerical integration."""

from __future__ import annotations

import math

import mpmath
import numpy as np
import pytest
import scipy.integrate
from hypothesis import example, given
from hypothesis import strategies as st

from ordbo_cli.ordinal.likelihood import (
    UNBOUNDED,
    expected_curvature,
    expected_log_likelihood,
    log_bin_probability,
    padded,
)
from ordbo_cli.ordinal.linalg import Array


def one(lower: float, upper: float) -> float:
    return float(log_bin_probability(np.array([lower]), np.array([upper]))[0])


def exact(lower: float, upper: float) -> float:
    """Return the logarithm to 60 digits: as a difference of the smaller tails."""
    with mpmath.workdps(60):
        low, high = mpmath.mpf(lower), mpmath.mpf(upper)
        if low + high < 0:
            low, high = -high, -low
        return float(mpmath.log(mpmath.erfc(low / mpmath.sqrt(2)) / 2 - mpmath.erfc(high / mpmath.sqrt(2)) / 2))


@pytest.mark.parametrize("width", [1e-6, 1e-3, 0.01, 0.1, 1.0, 30.0])
@pytest.mark.parametrize("lower", [-40.0, -39.0, -5.0, -1.0, -0.5, -1e-3, -4e-7, 0.0, 1e-9, 0.3, 1.0, 5.0, 39.0, 40.0])
def test_probability_of_a_bin(lower: float, width: float) -> None:
    """Logarithms are right to 1e-12 from the centre to 40 sigma on both sides, straddling, and in narrow bins."""
    upper = lower + width
    assert one(lower, upper) == pytest.approx(exact(lower, upper), rel=1e-12, abs=1e-12)
    assert one(-upper, -lower) == one(lower, upper)


@pytest.mark.parametrize("edge", [-40.0, -1.0, 0.0, 1e-7, 2.0, 8.5, 40.0])
def test_probability_of_an_outer_bin(edge: float) -> None:
    """The bins without a lower or an upper edge are the tails of the normal."""
    tail = exact(edge, math.inf)
    assert one(edge, UNBOUNDED) == pytest.approx(tail, rel=1e-12, abs=1e-12)
    assert one(-UNBOUNDED, -edge) == pytest.approx(tail, rel=1e-12, abs=1e-12)
    assert one(-UNBOUNDED, UNBOUNDED) == 0.0


@given(st.floats(-40.0, 40.0), st.floats(-6.0, 1.0))
@example(0.17, -1.524)  # the narrow bins' series ends about here
def test_probability_of_any_bin(lower: float, log_width: float) -> None:
    """No place and width within 40 sigma is wrong by more than 1e-10."""
    upper = lower + 10.0**log_width
    assert one(lower, upper) == pytest.approx(exact(lower, upper), rel=1e-10, abs=1e-12)


def test_bins_share_the_whole_probability() -> None:
    """The probabilities of all bins sum to one wherever f is."""
    edges = padded(np.array([-1.0, -0.99, 0.0, 1.7]))
    for f in np.linspace(-6.0, 6.0, 25):
        b = np.clip((edges - f) / 0.3, -UNBOUNDED, UNBOUNDED)
        assert np.exp(log_bin_probability(b[:-1], b[1:])).sum() == pytest.approx(1.0, abs=1e-14)


@pytest.mark.parametrize("mean", [-2.0, 0.1, 3.0])
@pytest.mark.parametrize("variance", [1e-4, 0.05, 0.5])
def test_expectation(mean: float, variance: float) -> None:
    """Gauss-Hermite agrees with adaptive integration in a first, a middle and a last bin."""
    edges, sigma = np.array([-0.5, 0.4]), 0.7
    for rank in range(3):
        low, high = padded(edges)[rank : rank + 2]

        def integrand(z: float, low: float = low, high: float = high) -> float:
            f = mean + math.sqrt(variance) * z
            scaled = one(max((low - f) / sigma, -UNBOUNDED), min((high - f) / sigma, UNBOUNDED))
            return scaled * math.exp(-0.5 * z * z) / math.sqrt(2.0 * math.pi)

        expected, _ = scipy.integrate.quad(integrand, -12.0, 12.0, epsabs=1e-12, epsrel=1e-12, limit=200)
        value, *_ = expected_log_likelihood(np.array([mean]), np.array([variance]), np.array([rank]), edges, sigma)
        assert value == pytest.approx(expected, rel=1e-8, abs=1e-9)


def test_expectation_of_one_bin() -> None:
    """Where all ranks are equal the data say nothing: value and derivatives are zero."""
    parts = expected_log_likelihood(np.ones(3), np.ones(3), np.zeros(3, dtype=np.int64), np.zeros(0), 0.1)
    assert parts[0] == 0.0
    assert parts[3].shape == (0,)
    assert not any(np.any(part) for part in parts)


def test_a_censored_result_has_the_probability_of_all_its_bins() -> None:
    """A union of bins is as likely as its bins together, and all bins together are certain."""
    f, zero, edges, sigma = np.array([0.2]), np.array([1e-300]), np.array([-0.5, 0.1, 0.4]), 0.7
    one = [expected_log_likelihood(f, zero, np.array([k]), edges, sigma)[0] for k in range(4)]
    for low in range(4):
        for high in range(low, 4):
            found, *_ = expected_log_likelihood(f, zero, np.array([low]), edges, sigma, np.array([high]))
            assert math.exp(found) == pytest.approx(sum(map(math.exp, one[low : high + 1])), rel=1e-12)


@pytest.mark.parametrize("widest", [0, 2, 5])
def test_derivatives_are_those_of_the_expectation(widest: int) -> None:
    """By means, variances, edges and noise they agree with differences, for censored results too."""
    rng = np.random.default_rng(4)
    N, K = 12, 6
    rank = np.concatenate([np.arange(K), rng.integers(0, K, N - K)])
    worst = np.minimum(rank + rng.integers(0, widest + 1, N), K - 1)

    def value(x: Array) -> float:
        mean, variance, edges = np.split(x[:-1], [N, 2 * N])
        return expected_log_likelihood(mean, variance, rank, edges, float(x[-1]), worst)[0]

    edges = np.sort(rng.normal(size=K - 1))
    x = np.concatenate([rng.normal(size=N), rng.uniform(0.1, 0.5, N), edges, [0.3]])
    slopes = [(value(x + d) - value(x - d)) / 2e-6 for d in 1e-6 * np.eye(len(x))]
    _, *parts, by_sigma = expected_log_likelihood(x[:N], x[N : 2 * N], rank, edges, 0.3, worst)
    np.testing.assert_allclose([*np.concatenate(parts), by_sigma], slopes, rtol=1e-6, atol=1e-7)


@pytest.mark.parametrize("widest", [0, 2, 5])
def test_curvature_is_that_of_the_expectation(widest: int) -> None:
    """Second derivatives by means, edges and noise agree with differences of the first ones."""
    rng = np.random.default_rng(3)
    N, K = 12, 6
    rank = np.concatenate([np.arange(K), rng.integers(0, K, N - K)])
    worst = np.minimum(rank + rng.integers(0, widest + 1, N), K - 1)
    variance = rng.uniform(0.01, 0.5, N)

    def gradient(x: Array) -> Array:
        _, by_mean, _, by_edges, by_sigma = expected_log_likelihood(x[:N], variance, rank, x[N:-1], float(x[-1]), worst)
        return np.concatenate([by_mean, by_edges, [by_sigma]])

    x = np.concatenate([rng.normal(size=N), np.sort(rng.normal(size=K - 1)), [0.3]])
    steps = 1e-5 * np.eye(len(x))
    H = -np.array([gradient(x + d) - gradient(x - d) for d in steps]) / 2e-5
    found = expected_curvature(x[:N], variance, rank, x[N:-1], 0.3, worst)
    np.testing.assert_allclose(found.mean, H.diagonal()[:N], rtol=1e-5)
    by_edges = np.diag(np.concatenate([[0.0], found.edges, [0.0]]))
    np.add.at(by_edges, (rank, worst + 1), found.between)
    np.add.at(by_edges, (worst + 1, rank), found.between)
    np.testing.assert_allclose(by_edges[1:-1, 1:-1], H[N:-1, N:-1], rtol=1e-5, atol=1e-5)
    assert found.sigma == pytest.approx(H[-1, -1], rel=1e-5)
    between = np.pad(H[:N, N:-1], ((0, 0), (1, 1)))  # the outer edges are infinite
    np.testing.assert_allclose(found.lower, between[np.arange(N), rank], rtol=1e-5, atol=1e-9)
    np.testing.assert_allclose(found.upper, between[np.arange(N), worst + 1], rtol=1e-5, atol=1e-9)
