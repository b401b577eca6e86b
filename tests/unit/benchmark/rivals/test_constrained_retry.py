"""Methods that know nothing of constraints on a problem that has some."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ordbo_cli.benchmark.rivals.constrained_retry import Constrained
from ordbo_cli.benchmark.rivals.methods import contestant
from ordbo_cli.benchmark.rivals.searchers import Random, Start
from ordbo_cli.benchmark.runs import Run, perform
from ordbo_cli.benchmark.suites.suite import MIXED
from ordbo_cli.problem import Number
from ordbo_cli.problem.method import Method

GEARS = MIXED["gears_2c2i2f"]
QUESTION = GEARS.problem(Method(), 0)


def is_feasible(point: Sequence[Number]) -> bool:
    """Whether a point satisfies all constraints."""
    return all(constraint.holds(QUESTION.mapping(point)) for constraint in QUESTION.constraints)


@pytest.mark.parametrize("name", ["random", "optuna-tpe"])
def test_methods_that_know_no_constraints_are_asked_again(name: str) -> None:
    """Every evaluation satisfies all constraints, and a run has as many as it was given."""
    if name == "optuna-tpe":
        pytest.importorskip("optuna")
    records = perform(Run(GEARS, contestant(name), seed=3, initial=5, iterations=4)).records
    assert len(records) == 9
    assert all(is_feasible(record.x) for record in records)


def test_a_method_that_finds_no_feasible_point_gets_one() -> None:
    """It is told each of its answers as a failure, and a feasible point at random takes the place of the next."""

    class Stubborn:
        def __init__(self) -> None:
            self.told: list[float | None] = []

        def tell(self, values: Sequence[Number], loss: float | None) -> None:
            self.told.append(loss)

        def ask(self) -> tuple[Number, ...]:
            return (0, 0, 12, 100, 0.5, 30.0)

    stubborn = Stubborn()
    found = Constrained(QUESTION, stubborn, Random(Start(QUESTION, 0, 5, 9))).ask()
    assert is_feasible(found)
    assert len(stubborn.told) > 10
    assert set(stubborn.told) == {None}
