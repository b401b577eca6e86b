"""The wider set of problems: what it covers, and the functions that this project made up."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ordbo_cli.benchmark.suites import bbob
from ordbo_cli.benchmark.suites.bbob import BbobFunction
from ordbo_cli.benchmark.suites.benchmark_problem import BenchmarkProblem
from ordbo_cli.benchmark.suites.suite import GROUPS, PROBLEMS, problems
from ordbo_cli.benchmark.suites.wide_suite import WIDE_PROBLEMS
from ordbo_cli.errors import UsageError

EACH = pytest.mark.parametrize("problem", WIDE_PROBLEMS, ids=lambda problem: problem.name)


def test_the_set_is_wide() -> None:
    """Ten problems or more in 1 to 10 dimensions, some noisy, some failing; half of them are there for tuning."""
    assert len(WIDE_PROBLEMS) >= 10
    assert {1, 2, 3, 4, 5, 6, 10} == {problem.dimension for problem in WIDE_PROBLEMS}
    assert sum(problem.noise is not None for problem in WIDE_PROBLEMS) == 2
    assert sum(math.isfinite(problem.worst) for problem in WIDE_PROBLEMS) == 2
    assert 2 * len(GROUPS["tune"]) == len(WIDE_PROBLEMS)
    assert not set(GROUPS["tune"]) & set(GROUPS["paper"])


@EACH
def test_sources_are_given(problem: BenchmarkProblem) -> None:
    """The docstring of each function, or of what made it, names its source."""
    function = problem.function
    maker = getattr(bbob, problem.name.rpartition("_")[0]) if isinstance(function, BbobFunction) else function
    assert "Source:" in (maker.__doc__ or "")


@EACH
def test_failures_are_where_the_problem_says(problem: BenchmarkProblem) -> None:
    """A failure tells no value, and its regret is that of the worst; elsewhere nothing is worse."""
    low, high = np.array(problem.bounds).T
    points = np.random.default_rng(2).uniform(low, high, (1000, problem.dimension)).tolist()
    seen = [problem.observe(point, 0, 1) for point in points]
    failed = [one for one in seen if one.y is None]
    assert bool(failed) == math.isfinite(problem.worst)
    assert {one.regret for one in failed} <= {problem.worst - problem.optimum}
    assert max(one.regret for one in seen if one.y is not None and one.regret is not None) <= problem.worst


@EACH
def test_noise_follows_from_seed_and_number(problem: BenchmarkProblem) -> None:
    """The same evaluation gives the same number; another one another number where there is noise. Regret has none."""
    point = problem.minimiser
    first = problem.observe(point, 3, 7)
    assert problem.observe(point, 3, 7) == first
    others = [problem.observe(point, 3, 8), problem.observe(point, 4, 7)]
    assert all((other.y != first.y) == (problem.noise is not None) for other in others)
    assert {other.regret for other in others} == {problem.precision}


def test_the_noise_of_levy_has_the_stated_size() -> None:
    """Its standard deviation is 0.5."""
    levy = PROBLEMS["noisy_levy_3d"]
    seen = [levy.observe(levy.minimiser, 0, number).y for number in range(2000)]
    assert np.std([y for y in seen if y is not None]) == pytest.approx(0.5, rel=0.05)


@pytest.mark.parametrize(
    ("name", "point", "value"),
    [
        ("noisy_stairs_1d", (0.59,), 0.25),
        ("noisy_stairs_1d", (0.6201,), 3.0),
        ("near_bound_2d", (2e-4, 5e-4), (math.log10((2e-4 + 1e-8) / (2e-5 + 1e-8))) ** 2),
        ("stiff_integrator_2d", (4e-4, 0.03), 9.0),
        ("pipe_friction_2d", (1.0, 2.0), 2 + 2.25 + 0.5 * math.log(5)),
        ("disk_failure_2d", (1.0, 0.5), 100 * (0.3 - 1 / 3 + 0.1) ** 2 + 3000 * 0.4**2),
        ("corner_stairs_10d", (1.0, 0.0) * 4 + (1.0, 0.13), 100 / 8),
        ("ackley_plateaus_2d", (4.3, -5.7), 2.5),  # 20 (1 - exp(-0.2 / sqrt 2)) = 2.64, no ripple
    ],
)
def test_values_by_hand(name: str, point: tuple[float, ...], value: float) -> None:
    """Values worked out from the formulas."""
    assert PROBLEMS[name](point) == pytest.approx(value, rel=1e-12)


def test_the_flow_jumps() -> None:
    """Just below a Reynolds number of 2300 the loss is 64% lower than just above."""
    pipe = PROBLEMS["pipe_friction_2d"]
    jump = pipe((1.0, 1.0 - 1e-12)) - pipe((1.0, 1.0))
    assert jump == pytest.approx(0.316 / 64 * 2300**0.75 - 1, rel=1e-6)
    assert jump == pytest.approx(0.64, abs=0.005)


def test_lists_of_problems() -> None:
    """Names and groups mix, each problem comes once, and an unknown one is refused."""
    chosen = [problem.name for problem in problems(["hartmann_4d, step_1d", "paper"])]
    assert chosen == ["hartmann_4d", "step_1d", "many_steps_2d", "bent_cigar_2d", "different_powers_2d"]
    assert len(problems(["all"])) == 5 + len(WIDE_PROBLEMS)
    with pytest.raises(UsageError, match="no problem 'sphere'"):
        problems(["sphere"])
