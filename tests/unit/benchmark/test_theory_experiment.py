"""The growth of latent regret: sums, slopes and bounds of made-up records, by hand."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from ordbo_cli.benchmark.records import RunKey, RunRecord
from ordbo_cli.benchmark.suites.suite import LATENT
from ordbo_cli.benchmark.theory_experiment import Growth, RegretCourse, courses, growth, slope_of
from ordbo_cli.insight import theory
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem.method import BetaSchedule
from ordbo_cli.search import beta_schedule

THEORY = "default:beta=theory,drift=1"
INITIAL = 2


def runs_of(problem: str, method: str, *regrets: Sequence[float]) -> dict[RunKey, tuple[RunRecord, ...]]:
    """Return records of draws 0, 1, ... with these regrets."""
    runs = {}
    for seed, each in enumerate(regrets):
        key = RunKey(problem, method, seed, INITIAL, len(each))
        runs[key] = tuple(RunRecord(key, n, (0.5,), 1.0, regret) for n, regret in enumerate(each, 1))
    return runs


def steps_of(cumulative: Array) -> list[float]:
    """Return the regrets of single evaluations."""
    return list(np.diff(np.concatenate([[0.0], cumulative])))


def only(method: str, *regrets: Sequence[float], problem: str = "latent_1d") -> tuple[RegretCourse, Growth]:
    """Return the course and the figures of one method on one problem."""
    (course,) = courses(runs_of(problem, method, *regrets))
    return course, growth(course)


def test_sums_by_hand() -> None:
    """From the first evaluation on, averaged over draws, told at the marks that come before the end, and there."""
    course, found = only(THEORY, [1.0, 2.0, 3.0], [3.0, 2.0, 5.0])
    np.testing.assert_array_equal(course.regret, [[1, 3, 6], [3, 5, 10]])
    assert (found.draws, found.regret) == (2, {3: 8.0})
    longer = only(THEORY, [1.0] * 30, [3.0] * 30)[1]
    assert longer.regret == {10: 20.0, 25: 50.0, 30: 60.0}


def test_the_trivial_bound_is_the_range_at_every_evaluation() -> None:
    """Averaged over the draws that were minimised."""
    course, found = only(THEORY, [1.0] * 4, [1.0] * 4)
    ranges = [LATENT["latent_1d"].draw(seed).highest - LATENT["latent_1d"].draw(seed).lowest for seed in (0, 1)]
    np.testing.assert_allclose(course.trivial, np.arange(1, 5) * np.mean(ranges))
    assert found.trivial == pytest.approx(4 * np.mean(ranges))


@pytest.mark.slow
@pytest.mark.parametrize("exponent", [0.3, 0.5, 1.0, 1.4])
def test_the_slope_of_a_power(exponent: float) -> None:
    """Regret after the initial points that grows as a power of the steps has its exponent for a slope."""
    n = np.arange(1.0, 41.0)
    initial = [9.0] * INITIAL
    _, found = only(THEORY, [*initial, *steps_of(n**exponent)], [*initial, *steps_of(5.0 * n**exponent)])
    assert (found.slope.value, found.slope.low, found.slope.high) == pytest.approx((exponent,) * 3)
    assert found.sublinear is (exponent < 1.0 - 1e-9)


def test_costly_initial_points_make_no_growth_sublinear() -> None:
    """A regret that stays the same after them grows linearly."""
    _, found = only(THEORY, [50.0] * INITIAL + [1.0] * 40, [50.0] * INITIAL + [2.0] * 40)
    assert found.slope.value == pytest.approx(1.0)
    assert found.sublinear is False


def test_draws_that_are_done_do_not_hide_one_that_is_stuck() -> None:
    """It is the mean regret whose growth counts: one of four goes on paying, and in the end all growth is its."""
    n = np.arange(1.0, 401.0)
    slope = slope_of(np.array([n, *[np.minimum(n, 3.0)] * 3]))
    assert slope.value > 0.9


def test_the_slope_is_that_of_the_second_half() -> None:
    """What came before has no part in it."""
    n = np.arange(1.0, 41.0)
    late = np.where(n < 20, n**2, 20.0**2 * np.sqrt(n / 20.0))
    assert slope_of(late[None, :]).value == pytest.approx(0.5)
    late = np.where(n < 20, np.sqrt(n), math.sqrt(20.0) * (n / 20.0) ** 2)
    assert slope_of(late[None, :]).value == pytest.approx(2.0)
    assert slope_of(np.array([[1.0, 2.0]])).value == pytest.approx(1.0)
    assert slope_of(np.array([[1.0]])).value == 1.0


@pytest.mark.slow
def test_the_interval_is_that_of_the_mean_over_draws() -> None:
    """It is wider the more the draws differ, the same each time, and not below 1 where only most of the draws are."""
    n = np.arange(1.0, 21.0)
    rng = np.random.default_rng(0)
    close, apart = (slope_of(n ** rng.normal(0.9, spread, 100)[:, None]) for spread in (0.02, 0.1))
    assert close.low < close.value < close.high
    assert apart.high - apart.low > 3.0 * (close.high - close.low)
    exponents = rng.normal(0.9, 0.1, 100)
    assert slope_of(n ** exponents[:, None]) == slope_of(n ** exponents[:, None])
    mixed = [[9.0] * INITIAL + steps_of(n**exponent) for exponent in (0.8, 0.85, 0.9, 1.3)]
    assert only(THEORY, *mixed)[1].sublinear is False


def test_one_draw_shows_nothing() -> None:
    """It has no interval, so nothing is said of sublinear growth."""
    assert only(THEORY, steps_of(np.arange(1.0, 21.0) ** 0.3))[1].sublinear is None


@pytest.mark.parametrize(("drift", "C"), [(",drift=2", 2.0), ("", 0.0)])
def test_the_bound_by_hand(drift: str, C: float) -> None:
    """The whole beta_n with the method's delta, the greedy gain over 1 - 1 / e, the method's drift or none."""
    method = f"default:beta=theory,beta.delta=0.05,beta.scale=0.01{drift}"
    course, found = only(method, *[[2.0] * 12] * 2, problem="latent_2d")
    lengths = np.full(2, 5.0)
    greedy = theory.greedy_gains("matern32", lengths, 0.1, 12)
    for n in (1, 5, 12):
        gain = min(greedy[n - 1] / (1 - 1 / math.e), n / 2 * math.log(101))
        beta = beta_schedule.beta(n, 2, beta_schedule.smoothness("matern32", lengths), 0.05)
        variance = 2 / math.log(101) * gain + (C * 2) ** 2 / math.log(101) * (1 + math.log(n))
        assert course.bound is not None
        assert course.bound.regret[n - 1] == pytest.approx(math.sqrt(4 * n * beta * variance) + math.pi**2 / 6)
    assert course.bound is not None
    last = course.bound.regret[-1]
    assert (found.bound, found.excess, found.share) == pytest.approx((last, last / 24.0, last / found.trivial))
    assert (found.drift, found.scale) == (C or None, 0.01)
    assert course.bound.schedule == BetaSchedule(delta=0.05, scale=0.01)


@pytest.mark.parametrize(
    "method",
    [
        "default",
        "random",
        "default:drift=1",
        "default:acquisition=ei,beta=theory",
        "default:beta=theory,kernel=rbf",
        "default:batch=2,beta=theory",
        "default:beta=theory,explore_every=5",
    ],
)
def test_methods_without_a_bound(method: str) -> None:
    """Those that the theorem is not about take part, and have no figures of a bound."""
    found = only(method, [1.0] * 4, [1.0] * 4)[1]
    assert (found.bound, found.excess, found.share, found.drift, found.scale) == (None,) * 5
    assert found.trivial > 0.0


def test_a_course_for_each_problem_and_method() -> None:
    """In the order of the records, each with its own dimension's bound."""
    runs = {**runs_of("latent_1d", THEORY, [1.0] * 3), **runs_of("latent_2d", THEORY, [2.0] * 3)}
    runs |= runs_of("latent_1d", "default", [4.0] * 3)
    found = courses(runs)
    assert [(each.problem, each.method) for each in found] == [
        ("latent_1d", THEORY),
        ("latent_2d", THEORY),
        ("latent_1d", "default"),
    ]
    assert [each.regret[0, -1] for each in found] == [3.0, 6.0, 12.0]
    one, two = found[0].bound, found[1].bound
    assert one is not None
    assert two is not None
    assert two.regret[-1] > one.regret[-1]
