"""Limits of results beside the objective: what keeps them, and how badly others break them."""

from __future__ import annotations

import math
from dataclasses import replace
from decimal import Decimal

import pytest

from ordbo_cli import Optimizer
from ordbo_cli.errors import DataError, ProblemError, UsageError
from ordbo_cli.problem import Evaluation, Problem
from ordbo_cli.problem.limit import Limit, are_broken, violations
from ordbo_cli.problem.order import order
from ordbo_cli.problem.parameter import Parameter
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.step_rows import ranked

STRESS = Limit("stress", max=Decimal(250))
LIFT = Limit("lift", Decimal(1), Decimal(3))
PROBLEM = Problem((Parameter("x", 0, 1),), outcomes=(STRESS, LIFT))


def d(*values: float | None) -> tuple[Decimal | None, ...]:
    """Return values as decimals."""
    return tuple(None if value is None else Decimal(str(value)) for value in values)


@pytest.mark.parametrize(
    ("limits", "said"),
    [((None, None), "neither"), ((2, 1), "above its max"), ((None, math.inf), "infinite")],
)
def test_limits_that_say_nothing_are_refused(limits: tuple[float | None, float | None], said: str) -> None:
    """Neither end, ends that exclude everything, an infinite one."""
    with pytest.raises(ProblemError, match=said):
        Limit("stress", d(limits[0])[0], d(limits[1])[0])


def test_the_ends_belong_to_what_is_allowed() -> None:
    """To the last digit, as no double could tell them apart."""
    assert LIFT.holds(Decimal(1))
    assert LIFT.holds(Decimal(3))
    assert not LIFT.holds(Decimal("3.00000000000000000001"))
    assert not LIFT.holds(None)
    assert not are_broken((STRESS, LIFT), d(250, None))
    assert are_broken((STRESS, LIFT), d(251, None))


def test_violations_are_sums_of_ranks() -> None:
    """Each side of each result apart, equal values alike, what is not there worst; failures break nothing."""
    rows = [d(200, 2), d(260, 2), d(900, 2), d(200, 0.5), d(200, 9), d(200, 4), d(260, 0.5), d(300, None), ()]
    assert violations((STRESS, LIFT), rows) == [0, 1, 3, 1, 2, 1, 2, 2 + 3, 0]


def test_the_order_is_feasible_then_infeasible_then_failed() -> None:
    """The objective of an infeasible point has no say, and equal sums tie."""
    results = [(0.1, (260, 2)), (0.2, (200, 2)), (None, (200, None)), (0.3, (100, 3)), (9, (200, 0.5)), (0, (900, 2))]
    evaluations = [PROBLEM.evaluation((0.5,), d(y)[0], outcomes=d(*others)) for y, others in results]
    found = order(PROBLEM, evaluations)
    assert found.low == found.high == (2, 0, 4, 1, 2, 3)
    assert evaluations[2] == Evaluation((0.5,), None)  # nothing is known to be broken: it failed
    assert evaluations[0].objective is None


def test_the_optimizer_takes_outcomes_and_limits_of_results() -> None:
    """The best is a feasible result that is not beyond a bad limit; what is missing or unknown is refused."""
    loop = Optimizer(PROBLEM)
    loop.tell([0.1], 0.5, {"stress": 300, "lift": 2})
    loop.tell([0.2], None, {"stress": 400})
    with pytest.raises(DataError, match="no evaluation has succeeded yet"):
        loop.best()
    loop.tell([0.3], ">0.1", {"stress": 3, "lift": 2})
    with pytest.raises(DataError, match="no evaluation has succeeded yet"):
        loop.best()
    loop.tell([0.4], "0.7", {"stress": 3, "lift": 2})
    loop.tell([0.5], "<0.7", {"stress": 3, "lift": 2})
    assert (loop.best().values, loop.best().censored) == ((0.5,), "below")
    loop.tell([0.6], None)
    assert loop.evaluations[-1] == Evaluation((0.6,), None)
    for outcomes, said in (({"stress": 3}, "no value of lift"), ({"stres": 3}, "there is no outcome")):
        with pytest.raises(UsageError, match=said):
            loop.tell([0.7], 1, outcomes)
    with pytest.raises(UsageError, match="has to be a number"):
        loop.tell([0.7], ">inf", {"stress": 3, "lift": 2})
    assert len(loop.ask().values) == 1


def test_failures_are_ignored_but_infeasible_results_are_not() -> None:
    """failed: ignore leaves out failures alone."""
    problem = replace(PROBLEM, failed="ignore")
    infeasible = problem.evaluation((0.1,), None, outcomes=d(300, None))
    failed = problem.evaluation((0.2,), None)
    assert ranked(problem, [infeasible, failed]) == [infeasible]
    assert propose(StepInput(replace(PROBLEM, failed="error"), [infeasible], [], 1)).values
