"""The Optimizer with levels of fidelity: which level a point is for, and where its result goes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from ordbo_cli import DataError, Fidelity, Optimizer, Parameter, Problem, UsageError
from ordbo_cli.errors import ProblemError
from ordbo_cli.problem import Suggestion

MESH = Fidelity("mesh", ("coarse", "fine"), (1.0, 20.0))
PROBLEM = Problem([Parameter("x", 0, 1), Parameter("y", 0, 1)], objective="drag", fidelity=MESH)


def drag(point: Suggestion) -> float:
    """The results of both levels; the coarse ones are in other units and not quite in order."""
    x, y = (float(point.parameters[name]) for name in "xy")
    fine = (x - 0.7) ** 2 + (y - 0.2) ** 2
    return fine if point.parameters["mesh"] == "fine" else 1000.0 * (fine + 0.02 * x) ** 3


def test_a_loop_over_two_levels() -> None:
    """Points come for the coarse level first; the best is of the fine level alone, and is good after few of these."""
    optimizer = Optimizer(PROBLEM)
    levels = []
    while len(optimizer.evaluations) < 4:
        point = optimizer.ask()
        levels.append(point.parameters["mesh"])
        optimizer.tell(point, drag(point))
    assert levels[:5] == ["coarse"] * 5
    assert len(levels) <= 4 + 20 + 3 * 10
    (below,) = optimizer.below
    assert (below.name, below.level, len(below.evaluations)) == ("mesh=coarse", 0, len(levels) - 4)
    best = optimizer.best().objective
    assert best is not None
    assert best < 0.01


def test_what_is_out_keeps_its_level() -> None:
    """Also in the list of what is pending; its result is one of that level, and comes once."""
    optimizer = Optimizer(PROBLEM)
    first, *_ = optimizer.ask_batch(3)
    assert [each.parameters["mesh"] for each in optimizer.pending] == ["coarse"] * 3
    assert optimizer.pending[0] == first
    optimizer.tell(optimizer.pending[0], 1.0)
    assert not optimizer.evaluations
    assert [each.id for each in optimizer.below[0].evaluations] == [first.id]
    with pytest.raises(UsageError, match="suggestion 1 has its result"):
        optimizer.tell(first, 1.0)


def test_points_of_ones_own_name_their_level() -> None:
    """Those that name none are of the highest; a level that is not there is refused."""
    optimizer = Optimizer(PROBLEM)
    optimizer.tell({"x": 0.5, "y": 0.5, "mesh": "coarse"}, 3.0)
    optimizer.tell({"x": 0.5, "y": 0.5, "mesh": "fine"}, 0.1)
    optimizer.tell({"x": 0.6, "y": 0.5}, 0.2)
    assert len(optimizer.evaluations) == 2
    assert len(optimizer.below[0].evaluations) == 1
    with pytest.raises(UsageError, match="'corase' is no level"):
        optimizer.tell({"x": 0.5, "y": 0.5, "mesh": "corase"}, 3.0)


def test_lower_levels_may_cost_so_much_between_two_results_above() -> None:
    """What is out counts from when it is handed out."""
    optimizer = Optimizer(PROBLEM)
    for _ in range(5):
        optimizer.tell(point := optimizer.ask(), drag(point))
    assert optimizer.step_input().spent == pytest.approx(5 / 20)
    optimizer.ask()
    assert optimizer.step_input().spent == pytest.approx(6 / 20)
    optimizer.tell({"x": 0.6, "y": 0.5}, 0.2)
    assert optimizer.step_input().spent == pytest.approx(1 / 20)
    optimizer.tell(optimizer.pending[0], 3.0)
    optimizer.tell({"x": 0.6, "y": 0.6}, 0.2)
    assert optimizer.step_input().spent == 0.0


def test_a_problem_keeps_its_levels() -> None:
    """Where it is changed, or a level is named like a parameter, too."""
    assert replace(PROBLEM, seed=3).fidelity == MESH
    assert replace(PROBLEM, fidelity=None).fidelity is None
    assert Problem([Parameter("x", 0, 1)], objective={"name": "f", "goal": "minimize"}, fidelity=MESH).fidelity == MESH
    with pytest.raises(ProblemError, match="'x' is a parameter, and what decides the level of fidelity"):
        replace(PROBLEM, fidelity=Fidelity("x", ("coarse", "fine"), (1.0, 2.0)))


def test_costs_that_are_times_need_somebody_who_takes_them() -> None:
    """The search in memory does not see how long an evaluation takes."""
    timed = {"name": "mesh", "levels": ["coarse", "fine"], "cost": "seconds"}
    with pytest.raises(UsageError, match="nobody times evaluations here"):
        Optimizer(Problem([Parameter("x", 0, 1)], objective="drag", fidelity=timed))


def test_a_level_that_says_nothing_is_dropped() -> None:
    """Where all of its results are alike, failures, say, four results at the highest end it."""
    optimizer, levels = Optimizer(PROBLEM), []
    while len(optimizer.evaluations) < 8:
        point = optimizer.ask()
        levels.append(point.parameters["mesh"])
        optimizer.tell(point, "failed" if levels[-1] == "coarse" else drag(point))
    assert levels[-4:] == ["fine"] * 4
    assert "coarse" in levels[-8:-4]


def test_one_result_of_a_level_is_no_reason_to_drop_it() -> None:
    """It is alike to itself."""
    optimizer = Optimizer(PROBLEM)
    for x in (0.1, 0.3, 0.5, 0.7, 0.9):
        optimizer.tell({"x": x, "y": 0.5}, x)
    optimizer.tell({"x": 0.2, "y": 0.5, "mesh": "coarse"}, 3.0)
    assert optimizer.step_input().agreements[0].is_heard


@pytest.mark.parametrize(
    ("levels", "costs", "said"),
    [
        (("1", "1.0"), (1.0, 20.0), "has the levels 1, 1.0"),
        ((1, "1e0"), (1.0, 20.0), "has the levels 1, 1e0"),
        (("coarse", "fine"), (1e-320, 1e308), "a level costs 9.99989e-321, the highest 1e\\+308"),
        (("coarse", "fine"), (1e-200, 1.0), "a level costs 1e-200, the highest 1"),
    ],
)
def test_levels_that_cells_cannot_tell_apart_and_costs_of_nothing_are_refused(
    levels: tuple[int | str, ...], costs: tuple[float, ...], said: str
) -> None:
    """A cell that says 1.0 says 1, and nothing is told a unit of no cost."""
    with pytest.raises(ProblemError, match=said):
        Fidelity("mesh", levels, costs)


def test_no_level_takes_no_time_at_all() -> None:
    """Seconds that are next to nothing count as a share of the longest ones."""
    timed = Fidelity("mesh", ("coarse", "fine")).timed([(0, 1e-300), (None, 100.0)])
    assert timed.costs == pytest.approx((1e-7, 100.0))


def test_a_failure_at_a_lower_level_is_an_error_where_failures_are() -> None:
    """As it is in a study with files."""
    optimizer = Optimizer(replace(PROBLEM, failed="error"))
    optimizer.tell(optimizer.ask(), "failed")
    with pytest.raises(DataError, match="an evaluation failed"):
        optimizer.ask()
