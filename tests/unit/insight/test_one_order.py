"""Objectives by priority looked at as their one order."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np

from ordbo_cli.insight.inspection import View
from ordbo_cli.insight.leading_point import in_one_order
from ordbo_cli.problem import Aim, Evaluation, Limit, Parameter, Problem
from ordbo_cli.problem.method import Method
from ordbo_cli.problem.order import ranks
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput

AIMS = (Aim("lift", goal="maximize"), Limit("heat", max=Decimal(1)))
ROWS = (("5", "1", "0"), ("2", "3", "0"), ("1", "4", "0"), ("Infinity", "4", "0"), ("1", "9", "7"), ())


def study(method: Method, **settings: object) -> StepInput:
    """Return a study of five results, of which one is infinite and one breaks the limit, and of a failure."""
    asked = Problem(
        (Parameter("x", 0.0, 9.0), Parameter("y", 0.0, 1.0)),
        "drag",
        unit="N",
        method=method,
        outcomes=AIMS,
        enough=Decimal(2),
        trade="lexicographic",
        **settings,  # type: ignore[arg-type]  # fields of a problem
    )
    found = []
    for k, row in enumerate(ROWS):
        first, *others = (*map(Decimal, row), None)[: len(row)] or (None,)
        found.append(asked.evaluation((float(k), 0.1 * k), first, k + 1, "", tuple(others)))
    return StepInput(asked, tuple(found), step=len(found))


def test_a_result_is_its_rank_and_limits_stay(quick: Method) -> None:
    """Both that are good enough are told apart by the second; what broke a limit or failed has no rank."""
    given = study(quick)
    seen = in_one_order(given)
    assert [each.objective for each in seen.evaluations] == [3, 2, 1, 4, None, None]
    assert (seen.problem.objective, seen.problem.goal, seen.problem.unit) == ("rank by drag, then lift", "minimize", "")
    assert seen.problem.outcomes == AIMS[1:]
    assert ranks(seen.problem, seen.evaluations) == ranks(given.problem, given.evaluations)
    many = replace(given.problem, outcomes=(*AIMS, Aim("noise")))
    assert in_one_order(replace(given, problem=many, evaluations=())).problem.objective == "rank by drag, then 2 others"


def test_other_studies_are_looked_at_as_they_are(quick: Method) -> None:
    """Fronts and single objectives have no such order, or have it already."""
    given = study(quick)
    front = replace(given, problem=replace(given.problem, trade="front"))
    one = StepInput(Problem((Parameter("x", 0.0, 9.0),)), (Evaluation((1.0,), Decimal(3)),))
    assert in_one_order(front) is front
    assert in_one_order(one) is one


def test_a_view_has_the_search_s_own_point_and_model(quick: Method) -> None:
    """What is drawn is what the next suggestion follows from; an infinite result has a rank, and never leads."""
    given = study(quick)
    view, proposal = View.of(given), propose(given)
    assert view.suggestion is not None
    assert (view.suggestion.values, view.model.fit.to_dict()) == (proposal.values, proposal.fit)
    assert not view.problem.several
    assert view.given is given
    assert np.flatnonzero(view.leading).tolist() == [0, 1, 2]
    assert view.best == 2
    assert view.ranks.tolist() == [2, 1, 0, 3, 4, 5]
