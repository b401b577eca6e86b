"""What comes next while all results are alike: the largest cells, not the corners."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ordbo_cli.problem.method import PRESETS, Method
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.study.optimizer import Optimizer
from tests.unit.search.conftest import evaluations, unit_problem

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("value", [None, 4])
@pytest.mark.parametrize("preset", ["default", "metric-free"])
def test_while_all_results_are_alike_the_largest_cells_are_explored(value: float | None, preset: str) -> None:
    """Failures or one grade: the next points lie inside the box, apart from one another, not at its corners."""
    problem = unit_problem(3, replace(PRESETS[preset], iterations=30))
    optimizer = Optimizer(problem)
    for _ in range(5):
        optimizer.tell(optimizer.ask(), value)
    points = []
    for _ in range(6):
        suggestion = optimizer.ask()
        assert optimizer.last is not None
        assert optimizer.last.record.kind == "explore"
        points.append(suggestion.values)
        optimizer.tell(suggestion, value)
    inside = np.array(points)
    assert np.all((inside > 0.01) & (inside < 0.99))
    assert len(np.unique(inside, axis=0)) == 6
    optimizer.tell(points[0], 3)
    optimizer.ask()
    assert optimizer.last is not None
    assert optimizer.last.record.kind == "acquire"


def test_one_result_is_no_tie(quick: Method) -> None:
    """A study whose initial design has one row and one result goes on by the acquisition."""
    problem = unit_problem(2, replace(quick, corners=False, initial=1))
    for results in ([1.0], [1.0, 1.0]):
        proposal = propose(StepInput(problem, evaluations([(0.2, 0.3), (0.7, 0.9)][: len(results)], results), [], 2))
        assert proposal.record.kind == ("acquire" if len(results) == 1 else "explore")
