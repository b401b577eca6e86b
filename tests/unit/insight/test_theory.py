"""Section 4 as functions, each against a computation that goes another way."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest

from ordbo_cli.errors import ProblemError
from ordbo_cli.insight import theory
from ordbo_cli.insight.theory import RegretBound
from ordbo_cli.ordinal.kernels import KERNELS, distances
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem.method import BetaSchedule, Kernel
from ordbo_cli.search import beta_schedule
from ordbo_cli.search.beta_schedule import Smoothness

SMOOTH: tuple[Kernel, ...] = ("matern32", "matern52", "rbf")


def points(number: int, dimension: int, seed: int = 0) -> Array:
    """Return latent points in a box of side 3."""
    return 3.0 * np.random.default_rng(seed).random((number, dimension))


@pytest.mark.parametrize("kernel", KERNELS)
@pytest.mark.parametrize("sigma", [0.02, 0.1, 1.0])
def test_the_gain_is_half_the_log_determinant(kernel: Kernel, sigma: float) -> None:
    """By the eigenvalues of K, and by the chain rule over static points, to 1e-8."""
    K = theory.covariance(kernel, points(40, 2))
    expected = 0.5 * np.log1p(np.linalg.eigvalsh(K) / sigma**2).sum()
    assert theory.information_gain(K, sigma) == pytest.approx(expected, rel=1e-8)
    variances = theory.conditional_variances(K, sigma)
    assert 0.5 * np.log1p(variances / sigma**2).sum() == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("kernel", KERNELS)
def test_variances_are_those_of_the_regression_on_the_points_before(kernel: Kernel) -> None:
    """Each by its own system of equations, replicates of a point among them."""
    S = points(15, 3)
    S[9] = S[4]
    K, sigma = theory.covariance(kernel, S), 0.2
    for i, found in enumerate(theory.conditional_variances(K, sigma)):
        k = K[i, :i]
        expected = K[i, i] - k @ np.linalg.solve(K[:i, :i] + sigma**2 * np.eye(i), k)
        assert found == pytest.approx(expected, rel=1e-8)


def test_the_gain_is_what_noisy_values_tell() -> None:
    """Monte Carlo: the mean of log p(y | f) - log p(y) over draws of f and y."""
    rng, sigma = np.random.default_rng(1), 0.3
    K = theory.covariance("matern32", points(6, 1))
    C = K + sigma**2 * np.eye(6)
    f = rng.multivariate_normal(np.zeros(6), K, size=200_000, method="cholesky")
    y = f + sigma * rng.standard_normal(f.shape)
    given_f = -0.5 * np.sum((y - f) ** 2, axis=1) / sigma**2 - 6.0 * math.log(sigma)
    marginal = -0.5 * np.einsum("ij,ij->i", y @ np.linalg.inv(C), y) - 0.5 * np.linalg.slogdet(C)[1]
    told = given_f - marginal
    error = told.std() / math.sqrt(len(told))
    assert error < 0.01
    assert theory.information_gain(K, sigma) == pytest.approx(told.mean(), abs=4.0 * error)


def test_the_scaled_box_has_the_same_gain() -> None:
    """Scaling S to the unit box, and the kernel with it, changes no gain: only differences over lengths count."""
    lengths = np.array([5.0, 2.0])
    U = np.random.default_rng(2).random((20, 2))
    whitened = np.sqrt(np.sum((((U[:, None] - U[None]) / (1.0 / lengths)) ** 2), axis=-1))
    K = KERNELS["matern32"].value(whitened)
    assert theory.information_gain(theory.covariance("matern32", U * lengths), 0.1) == pytest.approx(
        theory.information_gain(K, 0.1), rel=1e-12
    )


def test_beta_by_hand() -> None:
    """As the lemma has it where functions change, and for flat ones without the term that would make it too small."""
    n, D, c1, c2, delta = 10, 2, 3.0, 4.0, 0.1
    expected = 2 * math.log(2 * math.pi**2 * n**2 / (3 * delta))
    expected += 4 * D * math.log(D * c2 * n * math.sqrt(math.log(2 * D * c1 / delta)))
    assert beta_schedule.beta(n, D, Smoothness(c1, c2), delta) == pytest.approx(expected, rel=1e-14)
    flat = beta_schedule.beta(n, D, Smoothness(c1, 1e-6), delta)
    assert flat == pytest.approx(2 * math.log(2 * math.pi**2 * n**2 / (3 * delta)) + 4 * D * math.log(n))


@pytest.mark.parametrize(("D", "c1", "c2"), [(1, 1.0, 1e-3), (1, 50.0, 25.0), (3, 2.0, 0.2), (4, 1e4, 12.0)])
def test_beta_is_as_large_as_the_proof_needs(D: int, c1: float, c2: float) -> None:
    """Over all n, the grid of A.1 and the chosen point leave the interval with a probability of delta / 2 at most."""
    delta = 0.1
    lost = 0.0
    for n in range(1, 2000):
        # Centres of as many equal parts of each axis are within D / (2 K_n) of everything, so half of the K_n will do.
        side = math.ceil(0.5 * D * n**2 * c2 * math.sqrt(math.log(2 * D * c1 / delta)))
        lost += (float(side) ** D + 1.0) * math.exp(-0.5 * beta_schedule.beta(n, D, Smoothness(c1, c2), delta))
    assert lost <= 0.5 * delta


def test_the_schedule_scales_beta_and_takes_constants() -> None:
    """The multiplier is the root of the scaled beta; constants that are given take the place of those of the kernel."""
    lengths = np.array([5.0, 3.0])
    full = beta_schedule.multiplier(BetaSchedule(), 20, "matern32", lengths)
    assert beta_schedule.multiplier(BetaSchedule(scale=0.01), 20, "matern32", lengths) == pytest.approx(0.1 * full)
    assert beta_schedule.multiplier(BetaSchedule(scale=1e308), 20, "matern32", lengths) == pytest.approx(1e154 * full)
    own = beta_schedule.multiplier(BetaSchedule(delta=0.2, c1=7.0, c2=2.0), 20, "matern32", lengths)
    assert own == pytest.approx(math.sqrt(beta_schedule.beta(20, 2, Smoothness(7.0, 2.0), 0.2)))
    assert 7.0 < beta_schedule.multiplier(BetaSchedule(), 25, "matern32", np.full(2, 5.0)) < 10.0


def test_no_slope_no_schedule() -> None:
    """Functions of Matern 1/2 have no slope anywhere."""
    with pytest.raises(ProblemError, match="no slope"):
        beta_schedule.smoothness("matern12", np.ones(2))
    assert [beta_schedule.slope_variance(kernel) for kernel in SMOOTH] == [3.0, 5.0 / 3.0, 1.0]


@pytest.mark.parametrize("kernel", SMOOTH)
def test_slopes_vary_as_differences_of_the_kernel_say(kernel: Kernel) -> None:
    """``-k''(0)`` by a difference: (2 k(0) - 2 k(h)) / h^2."""
    h = 1e-5
    at_zero, at_h = KERNELS[kernel].value(np.array([0.0, h]))
    assert beta_schedule.slope_variance(kernel) == pytest.approx(2.0 * (at_zero - at_h) / h**2, rel=1e-3)


@pytest.mark.parametrize(("kernel", "side"), [(kernel, side) for kernel in SMOOTH for side in (300, 24)])
def test_slopes_of_draws_stay_below_the_assumed_tail(kernel: Kernel, side: int) -> None:
    """Simulated slopes, in one and in two dimensions, on a grid: their largest is beyond L less often than assumed."""
    D = 1 if side == 300 else 2
    lengths = np.full(D, 5.0 * math.sqrt(2.0 / D))
    U = np.array(list(itertools.product(np.linspace(0, 1, side), repeat=D)))
    h = 1e-3
    ends = np.vstack([U, U + h * np.eye(D)[0]]) * lengths
    K = KERNELS[kernel].value(distances(ends, ends)) + 1e-10 * np.eye(2 * len(U))
    half = len(U)
    slopes = (K[half:, half:] - K[half:, :half] - K[:half, half:] + K[:half, :half]) / h**2
    root = np.linalg.cholesky(0.5 * (slopes + slopes.T) + 1e-3 * np.eye(half))
    largest = np.abs(root @ np.random.default_rng(3).standard_normal((half, 500))).max(axis=0)
    smooth = beta_schedule.smoothness(kernel, lengths)
    assert smooth.c1 >= 1.0
    for L in np.quantile(largest, [0.5, 0.9, 0.99]):
        assert np.mean(largest > L) <= smooth.c1 * math.exp(-((L / smooth.c2) ** 2))


@pytest.mark.parametrize("kernel", KERNELS)
def test_greedy_gains_are_gains(kernel: Kernel) -> None:
    """They grow by less and less, and no random points of the same number have more."""
    lengths, sigma = np.array([4.0, 3.0]), 0.1
    gains = theory.greedy_gains(kernel, lengths, sigma, 30)
    steps = np.diff(np.concatenate([[0.0], gains]))
    assert np.all(steps > 0.0)
    assert np.all(np.diff(steps) <= 1e-9)
    random = [
        theory.information_gain(theory.covariance(kernel, points(30, 2, seed) * lengths / 3.0), sigma)
        for seed in range(20)
    ]
    assert max(random) < gains[-1] <= theory.most_gain(gains, sigma)[-1]


def test_the_best_gain_is_below_its_bound() -> None:
    """All sets of two and three of a few places by brute force; the greedy choice has 63 % of the best at least."""
    S = np.linspace(0.0, 2.0, 9)[:, None]
    sigma = 0.3
    gains = theory.greedy_gains("matern32", np.array([2.0]), sigma, 3)
    for n in (1, 2, 3):
        sets = itertools.combinations_with_replacement(range(9), n)
        best = max(theory.information_gain(theory.covariance("matern32", S[list(each)]), sigma) for each in sets)
        assert theory.GREEDY * best <= gains[n - 1] + 1e-9
        assert best <= theory.most_gain(gains, sigma)[n - 1] + 1e-9


def test_hadamards_bound_holds_for_points_far_apart() -> None:
    """Points without covariance reach n / 2 log(1 + 1 / sigma^2), and nothing is above it."""
    gains = theory.greedy_gains("matern32", np.array([1e3]), 0.1, 5)
    assert gains == pytest.approx(0.5 * np.arange(1, 6) * math.log(101.0), rel=1e-6)
    assert theory.most_gain(gains, 0.1) == pytest.approx(gains, rel=1e-6)


def test_rates_by_hand() -> None:
    """As the paper and its sources print them."""
    n, log = 50, math.log(50)
    assert theory.RATES["finite spectrum"](n, 3) == pytest.approx(3 * log)
    assert theory.RATES["squared exponential"](n, 2) == pytest.approx(log**3)
    assert theory.RATES["Matern 3/2"](n, 1) == pytest.approx(n**0.25 * log**0.75)
    assert theory.RATES["Matern 5/2"](n, 2) == pytest.approx(n ** (2 / 7) * log ** (5 / 7))
    assert set(theory.RATE_OF) == set(KERNELS)


def test_the_bound_by_hand() -> None:
    """Theorem 1 with its three constants, those of A.2 mended."""
    bound = RegretBound(sigma=0.1, drift=0.5, dimension=2)
    log = math.log(1 + 1 / 0.01)
    assert (bound.gain_constant, bound.movement_constant) == pytest.approx((2 / log, 1 / log))
    inside = 2 / log * 12.0 + 1 / log * (1 + math.log(40))
    assert bound.variance(40, 12.0) == pytest.approx(inside)
    assert bound.regret(40, 12.0, 60.0) == pytest.approx(math.sqrt(4 * 40 * 60 * inside) + math.pi**2 / 6)
    assert math.pi**2 / 6 > sum(1 / n**2 for n in range(1, 1000))


def test_the_sum_of_claimed_losses_is_in_the_bound() -> None:
    """C1 times the sum of n Delta_n^2 / 2 is at most C2 (1 + log N), as A.2 needs; with the paper's log(N + 1) not."""
    C, D, N = 1.0, 2, 60
    bound = RegretBound(0.1, C, D)
    lost = sum(theory.claimed_gain_loss(n, C * D / n) for n in range(1, N + 1))
    assert bound.gain_constant * lost <= bound.movement_constant * (1.0 + math.log(N))
    assert bound.gain_constant * lost > bound.movement_constant * math.log(N + 1)


def test_variances_of_static_points_keep_to_lemma_2() -> None:
    """Without movement the cumulative variance is below C1 times the gain, whatever the noise."""
    for sigma, seed in itertools.product((0.02, 0.1, 0.5, 1.0), range(5)):
        K = theory.covariance("matern32", points(30, 2, seed))
        bound = RegretBound(sigma, 0.0, 2)
        gain = theory.information_gain(K, sigma)
        assert theory.conditional_variances(K, sigma).sum() <= bound.variance(30, gain) * (1.0 + 1e-12)


def test_the_slope_of_a_power_is_its_exponent() -> None:
    """On log-log axes a power is a line."""
    n = np.arange(5.0, 60.0)
    assert theory.log_log_slope(n, 3.0 * n**0.6) == pytest.approx(0.6)


def test_two_points_break_the_unproved_step() -> None:
    """A.2 claims that moves of Delta take n Delta^2 / 2 from the gain; two points that meet lose 170 times as much."""
    sigma, apart = 0.1, 0.1
    gain = theory.information_gain(theory.covariance("matern32", np.array([[0.0], [apart]])), sigma)
    met = theory.information_gain(theory.covariance("matern32", np.full((2, 1), 0.5 * apart)), sigma)
    assert gain - met == pytest.approx(0.421, abs=0.001)
    assert theory.claimed_gain_loss(2, 0.5 * apart) == pytest.approx(0.0025)


@pytest.mark.parametrize(("kernel", "steepest"), [("matern32", math.sqrt(3.0) / math.e), ("rbf", math.exp(-0.5))])
def test_what_moves_take_by_a_proved_bound(kernel: Kernel, steepest: float) -> None:
    """The loss is at most ``n^(3/2) k' Delta / sigma^2``, as docs/theory.md derives; the claimed bound is broken."""
    r = np.linspace(0.0, 8.0, 80_001)
    assert np.max(np.abs(np.diff(KERNELS[kernel].value(r)) / np.diff(r))) == pytest.approx(steepest, rel=1e-4)
    broken = 0
    for seed, n in itertools.product(range(10), (2, 5, 20)):
        S, rng = points(n, 2, seed), np.random.default_rng(seed + 100)
        way = rng.standard_normal(S.shape)
        for move in (1e-4, 0.01, 0.1):
            moved = S + move * way / np.linalg.norm(way, axis=1, keepdims=True)
            gains = [theory.information_gain(theory.covariance(kernel, each), 0.1) for each in (S, moved)]
            loss = abs(gains[0] - gains[1])
            assert loss <= n**1.5 * steepest * move / 0.1**2
            broken += loss > theory.claimed_gain_loss(n, move)
    assert broken > 45


def test_constants_of_thousands_of_parameters_are_infinite() -> None:
    """A number too large for a double is told without a warning."""
    assert beta_schedule.smoothness("matern32", np.ones(5_000)).c1 == math.inf
