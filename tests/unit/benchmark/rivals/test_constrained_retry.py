"""Methods that know nothing of constraints on a problem that has some."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from ordbo_cli.benchmark.rivals.constrained_retry import Constrained
from ordbo_cli.benchmark.rivals.methods import contestant
from ordbo_cli.benchmark.runs import Run, perform
from ordbo_cli.benchmark.suites.suite import MIXED
from ordbo_cli.problem import Number, Parameter, Problem
from ordbo_cli.problem.constraints import Constraint
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


class Stubborn:
    """A method with one answer, which violates a constraint."""

    def __init__(self, *answer: Number) -> None:
        self.answer, self.told = answer, list[float | None]()

    def tell(self, values: Sequence[Number], loss: float | None) -> None:
        """Keep a result."""
        self.told.append(loss)

    def ask(self) -> tuple[Number, ...]:
        """Return the answer."""
        return self.answer


def test_a_method_that_finds_no_feasible_point_gets_one() -> None:
    """It is told each of its answers as a failure, and a feasible point at random takes the place of the next."""
    stubborn = Stubborn(0, 0, 12, 100, 0.5, 30.0)
    assert is_feasible(Constrained(QUESTION, stubborn, np.random.default_rng(0)).ask())
    assert len(stubborn.told) > 10
    assert set(stubborn.told) == {None}


def test_a_point_is_found_where_none_at_random_is_feasible() -> None:
    """An equality, on which a run went on for ever."""
    parameters = (Parameter("a", 0.0, 1.0), Parameter("b", 0.0, 1.0))
    line = Problem(parameters, constraints=(Constraint.parse("a + b == 1", parameters),))
    assert sum(Constrained(line, Stubborn(0.0, 0.0), np.random.default_rng(0)).ask()) == 1.0
