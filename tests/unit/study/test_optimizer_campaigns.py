"""Results of other sources in memory."""

from __future__ import annotations

from decimal import Decimal

import pytest

from ordbo_cli import Optimizer, Parameter, Problem
from ordbo_cli.errors import UsageError
from ordbo_cli.problem import Campaign
from ordbo_cli.study.told_values import Result

PLANE = Problem([Parameter("x", 0, 1), Parameter("y", 0, 1)], "drag", outcomes={"stress": {"max": 3}})
OLD: list[Result] = [
    ({"x": 0.5, "y": 0.25}, "0.5"),
    ((2.0, 0.5), {"drag": 7, "stress": 2}),
    ({"x": 0.1, "y": 0.1}, None),
]


def test_points_and_results_are_read_as_told_ones() -> None:
    """By name or in order, inside the bounds or not; a limit that is not told is not judged."""
    optimizer = Optimizer(PLANE, campaigns={"old": OLD})
    optimizer.add_campaign("old", [({"x": 0.2, "y": 0.2}, {"drag": 1, "stress": 9})])
    (old,) = optimizer.campaigns
    assert [each.values for each in old.evaluations] == [(0.5, 0.25), (2.0, 0.5), (0.1, 0.1), (0.2, 0.2)]
    assert [each.objective for each in old.evaluations] == [Decimal("0.5"), 7, None, None]
    assert [PLANE.is_infeasible(each) for each in old.evaluations] == [False, False, False, True]
    assert optimizer.step_input().campaigns == optimizer.campaigns
    assert optimizer.step_input(results=0).campaigns == optimizer.campaigns
    assert optimizer.evaluations == ()
    assert Optimizer(PLANE, campaigns=[Campaign("old", old.evaluations)]).campaigns == optimizer.campaigns


def test_what_is_refused() -> None:
    """As in tell; and a parameter whose settings are known by their order alone."""
    with pytest.raises(UsageError, match="there is no result 'lift'"):
        Optimizer(PLANE, campaigns={"old": [((0.5, 0.5), {"lift": 3})]})
    with pytest.raises(UsageError, match="of type ranked"):
        Optimizer(Problem([Parameter("knob", type="ranked")], "drag")).add_campaign("old", [])
