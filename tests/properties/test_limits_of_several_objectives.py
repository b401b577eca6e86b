"""Several objectives of which some results are known by a limit: order, front and points against all that may be."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from itertools import product
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from ordbo_cli.insight.preferred_result import preferred
from ordbo_cli.problem import Aim, Censored, Evaluation, Goal, Parameter, Problem, Trade
from ordbo_cli.problem.censored import TURNED
from ordbo_cli.problem.method import PRESETS
from ordbo_cli.problem.order import front, knee, order, places, ranks
from ordbo_cli.problem.several import alone, alone_in, dominates
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput

QUICK = replace(PRESETS["default"], initial=2, iterations=5)
BOX = (Parameter("x", 0.0, 1.0), Parameter("y", 0.0, 1.0))
SIDES: list[Censored] = ["", "", "above", "below"]
SIDE = st.sampled_from(SIDES)
STEPS = st.lists(st.integers(1, 10**6), min_size=6, max_size=6)
TOP = 3


def study(
    objectives: st.SearchStrategy[int], *, trades: bool = False, most: int = 5, top: int = 5
) -> st.SearchStrategy[tuple[Problem, list[Evaluation]]]:
    """Return problems with some objectives, and results of which some are known by a limit in any of these."""

    @st.composite
    def made(draw: st.DrawFn) -> tuple[Problem, list[Evaluation]]:
        either: list[Goal] = ["minimize", "maximize"]
        number = draw(objectives)
        first, *goals = draw(st.lists(st.sampled_from(either), min_size=number, max_size=number))
        end, *ends = draw(st.lists(st.none() | st.integers(0, top).map(Decimal), min_size=number, max_size=number))
        if not trades:
            end, ends = None, [None] * len(ends)
        aims = tuple(
            Aim(f"f{k}", goal=goal, enough=each) for k, (goal, each) in enumerate(zip(goals, ends, strict=True), 1)
        )
        trade: Trade = draw(st.sampled_from(get_args(Trade))) if trades else "front"
        problem = Problem(BOX, "f0", first, method=QUICK, outcomes=aims, enough=end, trade=trade)
        points = draw(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=2, max_size=most, unique=True))
        rows = []
        for k, point in enumerate(points):
            values = [Decimal(draw(st.integers(0, top))) for _ in range(number)]
            side, *sides = (draw(SIDE) for _ in range(number))
            rows.append(problem.evaluation(point, values[0], k, side, tuple(values[1:]), tuple(sides)))
        return problem, rows

    return made()


def said(evaluation: Evaluation) -> list[tuple[Decimal, Censored]]:
    """Return limits and sides by each objective."""
    values = [value for value in (evaluation.objective, *evaluation.outcomes) if value is not None]
    return list(zip(values, (evaluation.censored, *map(evaluation.side, range(len(values) - 1))), strict=True))


def completions(value: Decimal, side: Censored) -> list[Decimal]:
    """Return what a result may be, of those that differ in order from all whole numbers: these, and what is between."""
    half = Decimal("0.5")
    if side == "above":
        return [value + half * k for k in range(1, 2 * (TOP + 1))]
    return [value - half * k for k in range(1, 2 * (TOP + 1))] if side else [value]


@settings(max_examples=300, deadline=None)
@given(study(st.integers(2, 4), trades=True, most=7))
def test_each_objective_has_the_ranks_that_it_has_alone(found: tuple[Problem, list[Evaluation]]) -> None:
    """Those of a study of that objective only, whatever is known of the others."""
    problem, rows = found
    for k, (name, goal) in enumerate(problem.goals):
        one = Problem(BOX, name, goal, enough=problem.enoughs[k], method=QUICK)
        by_hand = [Evaluation(e.values, said(e)[k][0], e.id, said(e)[k][1]) for e in rows]
        assert [alone_in(problem, e, k) for e in rows] == by_hand
        assert order(alone(problem, k), by_hand) == order(one, by_hand)
        assert [each[k] for each in places(problem, rows)] == ranks(one, by_hand)


@settings(max_examples=60, deadline=None)
@given(study(st.just(2), most=3, top=TOP))
def test_a_result_that_dominates_in_all_completions_does_so_and_in_none_does_not(
    found: tuple[Problem, list[Evaluation]],
) -> None:
    """Brute force: every result takes every value that it may have, and who dominates whom is counted."""
    problem, rows = found
    signs = [1 if goal == "minimize" else -1 for _, goal in problem.goals]
    by_rank = places(problem, rows)
    for (i, one), (j, other) in product(enumerate(rows), repeat=2):
        as_good = [
            [s * a <= s * b for a, b in product(completions(*x), completions(*y))]
            for s, x, y in zip(signs, said(one), said(other), strict=True)
        ]
        if i != j and all(map(all, as_good)):
            assert all(a <= b for a, b in zip(by_rank[i], by_rank[j], strict=True))
        if i != j and not all(map(any, as_good)):
            assert not all(a <= b for a, b in zip(by_rank[i], by_rank[j], strict=True))
            assert not dominates(by_rank[i], by_rank[j])


@settings(max_examples=200, deadline=None)
@given(study(st.integers(2, 3), trades=True, most=7))
def test_nothing_on_the_bad_side_of_a_limit_leads(found: tuple[Problem, list[Evaluation]]) -> None:
    """By whichever objective; front, knee and best are of the others, as if those were not there at the front's end."""
    problem, rows = found
    goals = [goal for _, goal in problem.goals]
    worse = {"minimize": "above", "maximize": "below"}
    bad = [any(worse[goal] == side for (_, side), goal in zip(said(e), goals, strict=True)) for e in rows]
    leading = front(problem, rows)
    assert [problem.is_success(e) for e in rows] == [not each for each in bad]
    assert not any(bad[k] for k in leading)
    assert bool(leading) == (not all(bad))
    star = knee(problem, rows)
    assert (star in leading) if leading else (star is None)
    kept = [e for e, each in zip(rows, bad, strict=True) if not each]
    assert [rows[k] for k in leading] == [kept[k] for k in front(problem, kept)]


@settings(max_examples=30, deadline=None)
@given(study(st.integers(2, 3), trades=True, most=7), st.integers(0, 1), STEPS, st.booleans())
def test_no_monotone_transform_changes_the_next_point(
    found: tuple[Problem, list[Evaluation]], which: int, steps: list[int], turned: bool
) -> None:
    """An increasing one leaves the sides as they are, a decreasing one turns them and the goal; order is all."""
    problem, rows = found
    sign = -1 if turned else 1
    image = {Decimal(k): Decimal(sign * sum(steps[: k + 1])) for k in range(6)}
    other: dict[Goal, Goal] = {"minimize": "maximize", "maximize": "minimize"}
    (_, goal), end = problem.goals[which], problem.enoughs[which]
    asked_goal, enough = other[goal] if turned else goal, None if end is None else image[end]
    if which:
        aims = list(problem.outcomes)
        aims[0] = Aim("f1", goal=asked_goal, enough=enough)
        asked = replace(problem, outcomes=tuple(aims))
    else:
        asked = replace(problem, goal=asked_goal, enough=enough)
    changed = []
    for e in rows:
        (first, side), *others = (
            (image[v], TURNED[s] if turned else s) if k == which else (v, s) for k, (v, s) in enumerate(said(e))
        )
        values, sides = tuple(v for v, _ in others), tuple(s for _, s in others)
        changed.append(asked.evaluation(e.values, first, e.id, side, values, sides))
    assert ranks(asked, changed) == ranks(problem, rows)
    assert (front(asked, changed), knee(asked, changed)) == (front(problem, rows), knee(problem, rows))
    assert preferred(asked, changed, []) == preferred(problem, rows, [])
    plain, after = (propose(StepInput(*each, step=len(rows))) for each in ((problem, rows), (asked, changed)))
    assert (after.values, after.fit) == (plain.values, plain.fit)
