"""Several objectives: who dominates whom, and the order that follows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordbo_cli.errors import ProblemError
from ordbo_cli.problem import Aim, Censored, Evaluation, Limit, Parameter, Problem, several
from ordbo_cli.problem.method import PRESETS, Method
from ordbo_cli.problem.order import course_of_front, front, knee, known_of_front, order, places, ranks
from ordbo_cli.problem.several import alone, alone_in, dominates, dominators, levels

WING = Problem(
    (Parameter("angle", 0, 12),), "drag", outcomes=(Limit("stress", max=Decimal(5)), Aim("lift", goal="maximize"))
)


def wing(*results: Sequence[float | None]) -> list[Evaluation]:
    """Return evaluations by drag, stress and lift; nothing for a failure."""
    exact = [[None if value is None else Decimal(repr(value)) for value in each] for each in results]
    return [
        WING.evaluation((float(k),), *([each[0], k, "", (each[1], each[2])] if each else [None, k]))
        for k, each in enumerate(exact)
    ]


def by_hand(places: Sequence[tuple[int, ...]]) -> list[int]:
    """Return levels by taking one front away after the other."""
    left, level, number = set(range(len(places))), [0] * len(places), 0
    while left:
        front = {k for k in left if not any(dominates(places[j], places[k]) for j in left)}
        for k in front:
            level[k] = number
        left, number = left - front, number + 1
    return level


RESULTS = st.integers(2, 5).flatmap(lambda K: st.lists(st.tuples(*[st.integers(0, 6)] * K), max_size=30))


@settings(max_examples=200, deadline=None)
@given(RESULTS, st.sampled_from([1, 3, 4_000]))
def test_dominators_are_those_of_each_pair(results: list[tuple[int, ...]], block: int) -> None:
    """As bits by place, equals none of each other, in blocks of any size."""
    wanted = [sum(1 << j for j, other in enumerate(results) if dominates(other, one)) for one in results]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(several, "_BLOCK", block)
        assert list(dominators(results)) == wanted


@settings(max_examples=200, deadline=None)
@given(RESULTS)
def test_levels_are_those_of_fronts_taken_away_one_by_one(results: list[tuple[int, ...]]) -> None:
    """For any number of objectives, with ties."""
    assert levels(results) == by_hand(results)


def test_results_rank_by_fronts_then_come_the_infeasible_ones_and_the_failures() -> None:
    """A failed or infeasible point is never on the first front, whatever its values."""
    rows = wing(
        (1.0, 1.0, 1.0), (2.0, 1.0, 2.0), (2.0, 1.0, 1.5), (0.0, 9.0, 9.0), (), (0.5, 1.0, None), (1.0, 1.0, 1.0)
    )
    assert ranks(WING, rows) == [0, 0, 1, 2, 3, 3, 0]
    assert [WING.is_success(each) for each in rows] == [True, True, True, False, False, False, True]
    assert [WING.is_failure(each) for each in rows] == [False, False, False, False, True, True, False]
    assert order(WING, rows).low == order(WING, rows).high


def test_each_objective_stands_alone() -> None:
    """With its goal, and the limits of what has some."""
    rows = wing((1.0, 1.0, 3.0), (2.0, 2.0, 4.0), (0.0, 9.0, 9.0), ())
    lift = alone(WING, 1)
    assert (lift.objective, lift.goal, lift.several) == ("lift", "maximize", False)
    assert [limit.name for limit in lift.outcomes] == ["stress"]
    assert [each.objective for each in (alone_in(WING, row, 1) for row in rows)] == [3, 4, None, None]
    assert ranks(lift, [alone_in(WING, row, 1) for row in rows]) == [1, 0, 2, 3]
    assert places(WING, rows[:2]) == [(0, 1), (1, 0)]


def test_what_is_better_than_good_enough_ranks_as_good_enough() -> None:
    """In the objective that says so, whatever the goal; the others decide then."""
    asked = replace(
        WING, enough=Decimal(2), outcomes=(WING.outcomes[0], Aim("lift", goal="maximize", enough=Decimal(5)))
    )
    rows = wing((1.0, 1.0, 3.0), (2.0, 1.0, 4.0), (2.5, 1.0, 5.0), (3.0, 1.0, 9.0), ())
    assert places(asked, rows[:4]) == [(0, 2), (0, 1), (1, 0), (2, 0)]
    assert ranks(asked, rows) == [1, 0, 0, 1, 2]
    assert ranks(WING, rows) == [0, 0, 0, 0, 1]
    assert asked.aim == "minimize drag to 2 and maximize lift to 5 over angle"
    assert [each.enough for each in (alone(asked, 0), alone(asked, 1))] == [2, 5]


def test_by_priority_the_first_objective_decides_and_ties_go_to_the_next() -> None:
    """With what is good enough that is goal programming; results that are alike by each share a rank."""
    asked = replace(WING, trade="lexicographic")
    rows = wing((2.0, 1.0, 3.0), (1.0, 1.0, 1.0), (2.0, 1.0, 4.0), (2.0, 1.0, 3.0), (0.0, 9.0, 9.0), ())
    assert ranks(asked, rows) == [2, 0, 1, 2, 3, 4]
    assert ranks(replace(asked, enough=Decimal(2)), rows) == [1, 2, 0, 1, 3, 4]
    assert asked.aim == "minimize drag, then maximize lift over angle"
    assert (asked.by_priority, asked.has_front, alone(asked, 1).trade) == (True, False, "front")
    assert not replace(asked, outcomes=()).by_priority
    assert replace(asked, method=Method(acquisition="ei")).by_priority  # one model, one acquisition
    with pytest.raises(ProblemError, match="trade is 'sum'"):
        replace(asked, trade="sum")  # type: ignore[arg-type]


def test_limits_of_any_objective_have_the_ranks_next_to_them() -> None:
    """On the good side that of the next better value, on the bad side that of the next worse one, which cannot lead."""
    known: list[tuple[int, Censored, int, Censored]] = [
        (3, "", 5, ""),
        (4, "below", 9, ""),
        (2, "", 4, "above"),
        (1, "", 6, "below"),
        (1, "above", 9, ""),
    ]
    rows = [
        WING.evaluation((1.0,), Decimal(drag), None, side, (Decimal(1), Decimal(lift)), ("", other))
        for drag, side, lift, other in known
    ]
    assert places(WING, rows) == [(2, 1), (2, 0), (1, 1), (0, 1), (1, 0)]
    assert ranks(WING, rows) == [2, 1, 1, 0, 0]
    assert [WING.is_success(each) for each in rows] == [True, True, True, False, False]
    assert front(WING, rows) == [1, 2]
    assert [step.size for step in course_of_front(WING, rows)] == [1, 1, 2, 2, 2]
    first = replace(WING, trade="lexicographic")
    assert ranks(first, rows) == [4, 3, 2, 0, 1]
    assert (knee(first, rows), knee(WING, rows)) == (2, 1)


def test_limits_beyond_what_is_good_enough_are_good_enough() -> None:
    """Known to be below 1 is enough for 2; what is above 1 may be enough or not."""
    asked = Problem(WING.parameters, "drag", enough=Decimal(2))
    known: list[tuple[int, Censored]] = [(1, "below"), (2, ""), (3, ""), (1, "above"), (4, "below")]
    found = order(asked, [Evaluation((0.0,), Decimal(value), None, side) for value, side in known])
    assert list(zip(found.low, found.high, strict=True)) == [(0, 0), (0, 0), (1, 1), (0, 2), (0, 1)]


@pytest.mark.parametrize(
    ("problem", "word"),
    [
        ({"method": Method(acquisition="ei")}, "acquisition: ei"),
        (
            {"method": PRESETS["paper-thompson"] if "paper-thompson" in PRESETS else Method(acquisition="thompson")},
            "thompson",
        ),
    ],
)
def test_what_is_not_built_for_several_objectives_is_refused(problem: dict[str, object], word: str) -> None:
    """Where the problem is made, and in words."""
    with pytest.raises(ProblemError, match=f"{word}.*not supported yet"):
        Problem(WING.parameters, "drag", outcomes=(Aim("lift"),), **problem)  # type: ignore[arg-type]


def test_an_aim_has_a_goal_and_no_limits() -> None:
    """And a value that is infinitely good is refused."""
    with pytest.raises(ProblemError, match="goal is 'up'"):
        Aim("lift", goal="up")  # type: ignore[arg-type]
    with pytest.raises(ProblemError, match="enough of 'lift' is -Infinity"):
        Aim("lift", enough=Decimal("-inf"))
    with pytest.raises(ProblemError, match="enough of 'lift' is 1, and its values are words"):
        Aim("lift", enough=Decimal(1), grades=("poor", "good"))
    with pytest.raises(ProblemError, match="the values of 'lift' are poor, poor"):
        Aim("lift", grades=("poor", "poor"))
    with pytest.raises(ProblemError, match="enough of 'drag' is NaN"):
        replace(WING, enough=Decimal("nan"))
    with pytest.raises(ProblemError, match="a min or a max"):
        Aim("lift", max=Decimal(3))
    assert Aim("lift", goal="maximize").is_too_good(Decimal("inf"))
    assert not Aim("lift", goal="maximize").is_too_good(Decimal("-inf"))
    assert not Aim("lift").is_too_good(Decimal("inf"))


@given(st.lists(st.one_of(st.none(), st.tuples(*[st.integers(0, 4)] * 2)), max_size=14))
def test_the_course_of_a_front_is_that_of_the_fronts_of_all_beginnings(drawn: list[tuple[int, int] | None]) -> None:
    """Results join those that none of their time dominates; failures leave it as it is."""
    rows = wing(*[() if each is None else (float(each[0]), 0.0, float(each[1])) for each in drawn])
    fronts = [front(WING, rows[: k + 1]) for k in range(len(rows))]
    assert [step.size for step in course_of_front(WING, rows)] == list(map(len, fronts))
    assert [step.joins for step in course_of_front(WING, rows)] == [k in each for k, each in enumerate(fronts)]
    today = fronts[-1] if fronts else []
    assert known_of_front(WING, rows) == [sum(k <= last for k in today) for last in range(len(rows))]
