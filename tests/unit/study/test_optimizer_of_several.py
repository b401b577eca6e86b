"""Several objectives in memory: the front, and whose settings are whose."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ordbo_cli import DataError, Optimizer, Parameter, Problem, UsageError
from ordbo_cli.errors import ProblemError

X = [Parameter("x", 0.0, 1.0)]
TWO = {"drag": "minimize", "lift": "maximize"}


def told(problem: Problem, *results: tuple[float, float] | None) -> Optimizer:
    """Return an optimizer that knows results, None for a failure."""
    optimizer = Optimizer(problem)
    for k, result in enumerate(results):
        first, second = result or (None, None)
        optimizer.tell([k / 10], first, {} if result is None else {"lift": second})
    return optimizer


def test_the_front_is_what_none_dominates_from_one_end_to_the_other() -> None:
    """By the first objective, the best first; failures are on none."""
    optimizer = told(Problem(X, objectives=TWO), (3, 9), None, (1, 2), (2, 5), (2, 4), (3, 8))
    assert [(float(e.objective or 0), float(e.outcomes[0] or 0)) for e in optimizer.front()] == [(1, 2), (2, 5), (3, 9)]


def test_there_is_a_front_of_several_objectives_alone() -> None:
    """And of results."""
    with pytest.raises(DataError, match="no evaluation has succeeded"):
        told(Problem(X, objectives=TWO), None).front()
    for problem in (Problem(X), Problem(X, objectives=TWO, trade="lexicographic")):
        with pytest.raises(UsageError, match="there is no front"):
            Optimizer(problem).front()


def test_settings_of_one_objective_do_not_stand_beside_several() -> None:
    """They would say nothing of which."""
    with pytest.raises(ProblemError, match="goal, unit and grades are those of one objective"):
        Problem(X, objectives=TWO, goal="maximize")


def test_results_are_told_by_name() -> None:
    """Limits and failures among them, in any order; nothing twice, and nothing that is not there."""
    optimizer = Optimizer(Problem(X, objectives=TWO))
    said: list[dict[str, float | Decimal | str | None]] = [
        {"lift": ">2", "drag": Decimal("3.5")},
        {"drag": None, "lift": 2},
        {"drag": "<1", "lift": 1},
    ]
    for k, result in enumerate(said):
        optimizer.tell([k / 10], result)
    first, failed, last = optimizer.evaluations
    values = [(str(each.objective), [*map(str, each.outcomes)]) for each in (first, failed, last)]
    assert values == [("3.5", ["2"]), ("None", []), ("1", ["1"])]
    assert [(each.censored, *each.sides) for each in (first, failed, last)] == [("", "above"), ("",), ("below",)]
    assert [each.values for each in optimizer.front()] == [last.values, first.values]
    with pytest.raises(UsageError, match="there is no value of lift"):
        optimizer.tell([0.9], {"drag": 3})
    with pytest.raises(UsageError, match="lift is given twice"):
        optimizer.tell([0.9], {"drag": 3, "lift": 2}, {"lift": 2})
