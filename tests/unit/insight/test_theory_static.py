"""Theorem 1 where it is proved: kernel, noise and latent points known, the exact posterior, points that stay."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.insight import theory
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.search import beta_schedule

SIGMA, STEPS, DRAWS = 0.1, 30, 6
LENGTHS = np.array([5.0 * np.sqrt(2.0)])
GRID = np.linspace(0.0, LENGTHS[0], 151)[:, None]
K = theory.covariance("matern32", GRID)
SMOOTH = beta_schedule.smoothness("matern32", LENGTHS)


def betas() -> Array:
    """Return beta_n of Lemma 1 [STEPS]."""
    return np.array([beta_schedule.beta(n, 1, SMOOTH, 0.1) for n in range(1, STEPS + 1)])


def played(seed: int, multipliers: Array) -> tuple[Array, Array]:
    """Return regrets and standard deviations of the points that the lower confidence bound chooses [STEPS] each.

    Args:
        seed: of a draw of the prior on the grid and of its noise.
        multipliers: of the standard deviation [STEPS].
    """
    rng = np.random.default_rng(seed)
    f = np.linalg.cholesky(K + 1e-10 * np.eye(len(K))) @ rng.standard_normal(len(K))
    chosen: list[int] = []
    z: list[float] = []
    sds = []
    for multiplier in multipliers:
        k = K[chosen]
        weights = np.linalg.solve(K[np.ix_(chosen, chosen)] + SIGMA**2 * np.eye(len(chosen)), k)
        sd = np.sqrt(np.maximum(1.0 - np.sum(weights * k, axis=0), 0.0))
        place = int(np.argmin(np.array(z) @ weights - multiplier * sd))
        chosen.append(place)
        z.append(float(f[place] + SIGMA * rng.standard_normal()))
        sds.append(sd[place])
    return f[chosen] - f.min(), np.array(sds)


@pytest.mark.parametrize("seed", range(DRAWS))
def test_each_regret_is_below_the_width_of_its_interval(seed: int) -> None:
    """``r_n <= 2 sqrt(beta_n) sd + 1 / n^2`` at every step, the step from Lemma 1 to Theorem 1."""
    root = np.sqrt(betas())
    regrets, sds = played(seed, root)
    assert np.all(regrets <= 2.0 * root * sds + 1.0 / np.arange(1, STEPS + 1) ** 2)


def test_with_hardly_any_beta_it_is_not() -> None:
    """The inequality is one that can fail: intervals of a hundredth of the width miss the function."""
    root = 0.01 * np.sqrt(betas())
    missed = 0
    for seed in range(DRAWS):
        regrets, sds = played(seed, root)
        missed += int(np.sum(regrets > 2.0 * root * sds + 1.0 / np.arange(1, STEPS + 1) ** 2))
    assert missed > DRAWS


@pytest.mark.parametrize("seed", range(DRAWS))
def test_cumulative_regret_is_below_the_bound(seed: int) -> None:
    """After every step, with C = 0; and what stands between the two holds as well: the sum of the variances."""
    regrets, sds = played(seed, np.sqrt(betas()))
    gains = theory.most_gain(theory.greedy_gains("matern32", LENGTHS, SIGMA, STEPS), SIGMA)
    bound = theory.RegretBound(SIGMA, 0.0, 1)
    for n, (total, variance, gain, beta) in enumerate(
        zip(np.cumsum(regrets), np.cumsum(sds**2), gains, betas(), strict=True), 1
    ):
        assert variance <= bound.variance(n, gain) * (1.0 + 1e-12)
        assert total <= bound.regret(n, gain, beta)


def test_a_schedule_gives_the_same_beta() -> None:
    """What the search multiplies by at full scale is the root that these tests play with."""
    from ordbo_cli.problem.method import BetaSchedule

    roots = [beta_schedule.multiplier(BetaSchedule(), n, "matern32", LENGTHS) for n in range(1, STEPS + 1)]
    assert roots == pytest.approx(np.sqrt(betas()))
