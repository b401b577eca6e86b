"""Several objectives, whatever their results: no increasing transform of any one changes a point or the front."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import get_args

from hypothesis import given, settings
from hypothesis import strategies as st

from ordbo_cli.insight.leading_point import expected_of, models_of
from ordbo_cli.insight.preferred_result import preferred
from ordbo_cli.problem import Aim, Comparison, Evaluation, Goal, Limit, Parameter, Problem, Trade
from ordbo_cli.problem.method import PRESETS
from ordbo_cli.problem.order import front, knee, ranks
from ordbo_cli.problem.several import dominates
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput

QUICK = replace(PRESETS["default"], initial=2, iterations=5)
SIDES = (Parameter("x", 0.0, 1.0), Parameter("y", 0.0, 1.0))
TRADES = st.sampled_from(get_args(Trade))
STEPS = st.lists(st.integers(1, 10**6), min_size=6, max_size=6)


@st.composite
def studies(draw: st.DrawFn) -> tuple[Problem, list[Evaluation]]:
    """Return a problem with two or three objectives, some good enough, and a limit; ties and failures among results.

    Under noise some points have several results.
    """
    either: list[Goal] = ["minimize", "maximize"]
    goals = draw(st.lists(st.sampled_from(either), min_size=2, max_size=3))
    first, *ends = draw(st.lists(st.none() | st.integers(0, 5).map(Decimal), min_size=3, max_size=3))
    aims = tuple(
        Aim(f"f{k}", goal=goal, enough=end) for k, (goal, end) in enumerate(zip(goals[1:], ends, strict=False), 1)
    )
    outcomes = (*aims, Limit("s", max=Decimal(3)))
    noise = draw(st.booleans())
    asked = {"noise": noise, "outcomes": outcomes, "enough": first, "trade": draw(TRADES)}
    problem = Problem(SIDES, "f0", goals[0], method=QUICK, **asked)
    results = st.none() | st.tuples(*[st.integers(0, 5)] * len(goals), st.integers(0, 4))
    places = draw(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), min_size=3, max_size=8, unique=True))
    again = draw(st.lists(st.sampled_from(places), max_size=4)) if noise else []
    rows = []
    for point in [*places, *again]:
        found = draw(results)
        first, *others = (None,) if found is None else map(Decimal, found)
        rows.append(problem.evaluation(point, first, None, "", tuple(others)))
    return problem, rows


def transformed(
    problem: Problem, rows: list[Evaluation], which: int, steps: list[int]
) -> tuple[Problem, list[Evaluation]]:
    """Return a study whose values 0 to 5 of one objective are the sums of as many steps."""
    image = {Decimal(k): Decimal(sum(steps[: k + 1])) for k in range(6)}
    enough = None if (end := problem.enoughs[which]) is None else image[end]
    if not which:
        changed = [e if e.objective is None else replace(e, objective=image[e.objective]) for e in rows]
        return replace(problem, enough=enough), changed
    place, aim = problem.aims[which - 1]
    aims = (*problem.outcomes[:place], replace(aim, enough=enough), *problem.outcomes[place + 1 :])

    def outcomes(e: Evaluation) -> tuple[Decimal | None, ...]:
        value = e.outcomes[place] if e.outcomes else None
        return e.outcomes if value is None else (*e.outcomes[:place], image[value], *e.outcomes[place + 1 :])

    return replace(problem, outcomes=aims), [replace(e, outcomes=outcomes(e)) for e in rows]


@settings(max_examples=25, deadline=None)
@given(studies(), st.integers(0, 1), STEPS)
def test_no_increasing_transform_changes_the_next_point(
    study: tuple[Problem, list[Evaluation]], which: int, steps: list[int]
) -> None:
    """Nor the fit, the ranks, the front and its knee, nor these by means."""
    problem, rows = study
    asked, others = transformed(problem, rows, which, steps)
    assert ranks(asked, others) == ranks(problem, rows)
    assert (front(asked, others), knee(asked, others)) == (front(problem, rows), knee(problem, rows))
    good = list(dict.fromkeys(e.values for e in rows if problem.is_success(e)))
    said = [Comparison(good[0], good[-1])] if len(good) > 1 and problem.has_front else []
    assert preferred(asked, others, said) == preferred(problem, rows, said)
    both = (problem, rows), (asked, others)
    plain, found = (propose(StepInput(*each, step=len(rows), comparisons=said)) for each in both)
    assert (found.values, found.fit) == (plain.values, plain.fit)
    if problem.noise and problem.has_front:
        tried = [StepInput(*each, comparisons=said) for each in both]
        assert expected_of(tried[1], models_of(tried[1])) == expected_of(tried[0], models_of(tried[0]))


@settings(max_examples=20, deadline=None)
@given(studies())
def test_by_priority_a_study_is_that_of_one_objective_with_these_ranks(study: tuple[Problem, list[Evaluation]]) -> None:
    """Point and fit, to the last bit, and the best result."""
    problem, rows = replace(study[0], trade="lexicographic"), study[1]
    one = Problem(SIDES, "rank", method=QUICK, outcomes=(problem.outcomes[-1],), noise=problem.noise)
    found = ranks(problem, rows)
    same = [
        replace(e, objective=None if e.objective is None else Decimal(rank), outcomes=e.outcomes[-1:])
        for e, rank in zip(rows, found, strict=True)
    ]
    plain, priority = (propose(StepInput(*each, step=len(rows))) for each in ((one, same), (problem, rows)))
    assert (priority.values, priority.fit) == (plain.values, plain.fit)
    good = [k for k, e in enumerate(rows) if problem.is_success(e)]
    assert knee(problem, rows) == min(good, key=lambda k: (found[k], k), default=None)


@settings(max_examples=200, deadline=None)
@given(studies())
def test_no_failed_infeasible_or_dominated_point_is_on_the_front(study: tuple[Problem, list[Evaluation]]) -> None:
    """And every success that is not on it is dominated by one that is."""
    problem, rows = replace(study[0], trade="front"), study[1]
    signs = [1 if goal == "minimize" else -1 for _, goal in problem.goals]

    def places(e: Evaluation) -> tuple[int, ...]:
        values = (e.objective, *(e.outcomes[k] for k, _ in problem.aims))
        good = zip(signs, values, problem.enoughs, strict=True)
        return tuple(max(s * int(v or 0), -9 if end is None else s * int(end)) for s, v, end in good)

    best = front(problem, rows)
    good = [k for k, e in enumerate(rows) if e.objective is not None and (e.outcomes[-1] or 0) <= 3]
    assert set(best) <= set(good)
    for k in good:
        assert (k in best) != any(dominates(places(rows[j]), places(rows[k])) for j in best)
    assert bool(best) == bool(good) == (knee(problem, rows) is not None)
