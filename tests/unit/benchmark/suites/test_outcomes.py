"""Problems with limits that only an evaluation tells: their answers, their regret, and what methods are told."""

from __future__ import annotations

import math

import numpy as np
import pytest

from ordbo_cli.benchmark.rivals.methods import contestant
from ordbo_cli.benchmark.rivals.searchers import Ordinal, Start
from ordbo_cli.benchmark.runs import Run, perform
from ordbo_cli.benchmark.suites.outcomes import OUTCOME_PROBLEMS, LimitedProblem
from ordbo_cli.problem.method import Method


@pytest.mark.parametrize("problem", OUTCOME_PROBLEMS, ids=lambda problem: problem.name)
def test_nothing_feasible_is_below_the_optimum(problem: LimitedProblem) -> None:
    """The minimiser is feasible and as good as the source says.

    No random point is better, and none is worse than what an infeasible one counts as.
    """
    at_best = problem.observe(problem.minimiser, 0, 0)
    assert at_best.y is not None
    assert problem.optimum <= at_best.y <= problem.optimum * (1 + 1e-4)
    low, high = np.array(problem.bounds).T
    rng = np.random.default_rng(1)
    seen = [problem.observe(tuple(low + (high - low) * rng.random(len(low))), 0, 0) for _ in range(2_000)]
    values = [each.y for each in seen if each.y is not None]
    assert 0 < len(values) < 0.3 * len(seen)
    assert problem.optimum < min(values)
    assert max(values) < problem.worst
    assert {each.regret for each in seen if each.y is None} == {problem.worst - problem.optimum}


def test_ordinal_search_is_told_the_outcomes() -> None:
    """An infeasible point has its outcomes, and no objective; to a method that does not know them it failed."""
    problem = OUTCOME_PROBLEMS[0]
    searcher = Ordinal(Start(problem.problem(Method()), 0, 2, 4))
    seen = problem.observe((1.0, 1.0), 0, 0)
    assert (seen.y, seen.objective) == (None, math.sin(1) + 1)
    searcher.tell_all((1.0, 1.0), seen.objective, seen.outcomes)
    (told,) = searcher.evaluations
    assert told.objective is None
    assert searcher.problem.is_infeasible(told)


@pytest.mark.parametrize(
    "name", ["default", "random", pytest.param("vanilla", marks=[pytest.mark.slow, pytest.mark.gpflow])]
)
def test_a_run_counts_feasible_points_alone(name: str) -> None:
    """Records of infeasible points hold no value, and the regret of the worst."""
    problem = OUTCOME_PROBLEMS[2]
    records = perform(Run(problem, contestant(name), 0, 4, 4)).records
    assert any(record.y is None for record in records)
    assert all((record.y is None) == (record.regret == problem.worst - problem.optimum) for record in records)
