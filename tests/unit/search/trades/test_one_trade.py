"""Several objectives in the order of one trade: whose turn it is, and what that order keeps."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from ordbo_cli.insight.explanation import explained
from ordbo_cli.problem import Comparison, Parameter
from ordbo_cli.problem.limit import Limit
from ordbo_cli.problem.method import Method
from ordbo_cli.problem.order import order
from ordbo_cli.search.cells.hypervolume import directions
from ordbo_cli.search.step import propose
from ordbo_cli.search.trades.one_trade import one_trade, ranks_along
from tests.unit.search.test_several_objectives import FLOATS, study, trade


def test_every_second_step_searches_by_one_trade(quick: Method) -> None:
    """By the number of rows, those that are out included; with one objective, or nothing but failures, none does."""
    given = study(quick, rows=14)
    assert one_trade(given) is not None
    assert one_trade(study(quick, rows=15)) is None
    assert one_trade(replace(given, pending=[(0.5, 0.5)])) is None
    assert one_trade(replace(given, pending=[(0.5, 0.5), (0.1, 0.9)])) is not None
    assert one_trade(given.each[0]) is None
    assert one_trade(replace(given, problem=replace(given.problem, trade="lexicographic"))) is None
    failed = [replace(each, objective=None, outcomes=()) for each in given.evaluations]
    assert one_trade(replace(given, evaluations=failed)) is None


@pytest.mark.parametrize("objectives", [2, 3, 5])
def test_what_dominates_ranks_before_along_every_direction(objectives: int) -> None:
    """Also where the objective that holds both back most is alike in both."""
    rng = np.random.default_rng(objectives)
    heights = rng.integers(0, 4, (40, objectives)) / 3.0
    above = np.all(heights[:, None] >= heights[None], axis=2) & np.any(heights[:, None] > heights[None], axis=2)
    assert above.any()
    for along in directions(objectives):
        rank = ranks_along(heights, along)
        assert set(rank.tolist()) == set(range(rank.max() + 1))
        assert (rank[:, None] < rank[None])[above].all()


def test_the_direction_says_which_end_leads() -> None:
    """What lies at an end of the front is the best for a trade in which that objective counts for all but nothing."""
    heights = np.array([[1.0, 0.0], [0.3, 0.3], [0.0, 1.0]])
    assert ranks_along(heights, np.array([0.99, 0.14])).tolist() == [0, 1, 2]
    assert ranks_along(heights, np.array([0.71, 0.71]))[1] == 0
    assert ranks_along(heights, np.array([0.14, 0.99])).tolist() == [2, 1, 0]


def test_failures_stay_failures_and_broken_limits_come_before_them(quick: Method) -> None:
    """The one order that is searched by knows both, as those of the objectives do."""
    given = study(quick)
    aims = given.problem.outcomes
    problem = replace(given.problem, outcomes=(*aims, Limit("heat", max=Decimal(1))))
    heat = [Decimal(2) if k in (3, 5) else Decimal(0) for k in range(len(given.evaluations))]
    rows = [
        each if each.objective is None else replace(each, outcomes=(*each.outcomes, h))
        for each, h in zip(given.evaluations, heat, strict=True)
    ]
    found = one_trade(replace(given, problem=problem, evaluations=rows))
    assert found is not None
    ranks = order(found.given.problem, found.given.evaluations).low
    kinds = [2 if each.objective is None else int(h) // 2 for each, h in zip(rows, heat, strict=True)]
    assert set(kinds) == {0, 1, 2}
    assert [kind for _, kind in sorted(zip(ranks, kinds, strict=True))] == sorted(kinds)


def test_all_trades_have_their_turn_those_that_somebody_likes_more_often(quick: Method) -> None:
    """Weights add up to 1, follow from seed and step, and lean to the end that comparisons speak for."""
    given = study(quick)
    weights = np.stack([found.weights for step in range(60) if (found := one_trade(replace(given, step=step)))])
    np.testing.assert_allclose(weights.sum(axis=1), 1.0)
    again = one_trade(replace(given, step=7))
    assert again is not None
    assert again.weights.tolist() == weights[7].tolist()
    assert weights[:, 0].min() < 0.2
    assert weights[:, 0].max() > 0.8
    good = [each for each in given.evaluations if each.objective is not None]
    one, other = (good[int(np.argmin([trade(each.values)[k] for each in good]))].values for k in (0, 1))
    liked = replace(given, comparisons=(Comparison(one, other),))
    leaning = np.stack([found.weights for step in range(60) if (found := one_trade(replace(liked, step=step)))])
    assert leaning[:, 0].mean() > weights[:, 0].mean() + 0.1


def test_what_is_known_of_each_objective_is_kept_for_the_next_step(quick: Method) -> None:
    """The step by one trade has a model of its own, which no other step goes on from."""
    before = propose(study(quick, rows=13))
    assert before.fit is not None
    found = propose(replace(study(quick, rows=14), fit=before.fit))
    assert found.fit == before.fit
    assert found.values == propose(study(quick, rows=14)).values


def test_levels_and_constants_are_those_of_the_problem(quick: Method) -> None:
    """A categorical parameter is searched over as ever."""
    parameters = (*FLOATS, Parameter.of_levels("kind", ["a", "b", "c"], "categorical"))
    assert len(propose(study(quick, rows=14, parameters=parameters)).values) == 3


def test_a_quadratic_in_a_step_by_one_trade_is_explained_by_no_trade(quick: Method) -> None:
    """It has the order of each objective; the acquisition alone goes by the trade."""
    kinds = set()
    for rows, refine in ((40, True), (14, False)):
        found = propose(study(replace(quick, refine=refine), rows=rows), explain=explained)
        assert found.record.explanation is not None
        weights = [each.weight for each in found.record.explanation.trade]
        assert len(weights) == 2
        assert all((weight is None) == (found.record.kind == "refine") for weight in weights)
        kinds.add(found.record.kind)
    assert kinds == {"refine", "acquire"}
