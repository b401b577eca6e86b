"""The smooth problems: minima where they say, curvature as they say, and a half for tuning."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.benchmark.suites.benchmark_problem import BenchmarkProblem
from ordbo_cli.benchmark.suites.smooth_suite import SMOOTH_PROBLEMS, bowl
from ordbo_cli.benchmark.suites.suite import GROUPS

EACH = pytest.mark.parametrize("problem", SMOOTH_PROBLEMS, ids=lambda problem: problem.name)


def test_half_of_them_are_for_tuning() -> None:
    """With the paper's smooth one, which is in the group and in no half of it."""
    assert len(GROUPS["smooth"]) == len(set(GROUPS["smooth"])) == len(SMOOTH_PROBLEMS) + 1
    assert len(GROUPS["smooth-tune"]) == len(GROUPS["smooth-unseen"]) == len(SMOOTH_PROBLEMS) // 2
    assert not set(GROUPS["smooth"]) & {*GROUPS["wide"], *GROUPS["engineering"]}


@EACH
def test_nothing_is_better_than_the_minimiser(problem: BenchmarkProblem) -> None:
    """Neither next to it nor anywhere else."""
    rng = np.random.default_rng(0)
    low, high = np.array(problem.bounds).T
    best = np.array(problem.minimiser)
    assert problem.function(best) == pytest.approx(problem.optimum, abs=1e-7)
    near = best + 1e-3 * (high - low) * rng.standard_normal((300, problem.dimension))
    anywhere = rng.uniform(low, high, (300, problem.dimension))
    assert min(map(problem.function, [*np.clip(near, low, high), *anywhere])) >= problem.optimum - 1e-9


@EACH
def test_they_are_smooth(problem: BenchmarkProblem) -> None:
    """Second differences along a line shrink with the square of the step."""
    rng = np.random.default_rng(1)
    low, high = np.array(problem.bounds).T
    middle, way = low + (high - low) * rng.uniform(0.3, 0.7, problem.dimension), 1e-3 * (high - low)
    middle_value = problem.function(middle)

    def bend(step: float) -> float:
        return problem.function(middle + step * way) + problem.function(middle - step * way) - 2.0 * middle_value

    assert bend(1.0) / bend(0.5) == pytest.approx(4.0, rel=0.05)


@pytest.mark.parametrize("rotated", [False, True])
def test_a_bowl_has_its_condition(rotated: bool) -> None:
    """By the curvatures of its matrix."""
    function, centre = bowl(3, 1e4, rotated=rotated, seed=5)
    E = np.eye(3)
    H = [[function(centre + a + b) - function(centre + a) - function(centre + b) for b in E] for a in E]
    curvatures = np.linalg.eigvalsh(np.array(H))
    assert curvatures[-1] / curvatures[0] == pytest.approx(1e4, rel=1e-6)
    assert np.allclose(H, np.diag(np.diag(H)), atol=1e-6) is not rotated
