"""The front by means: each tried point once, and nobody on it by luck."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from ordbo_cli.insight.explanation import explained
from ordbo_cli.insight.inspection import View
from ordbo_cli.insight.leading_point import expected_of, leader_of, median_result, models_of
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Aim, Comparison, Evaluation, Limit, Parameter, Problem
from ordbo_cli.problem.method import PRESETS
from ordbo_cli.problem.order import front
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import Surrogate, fit_surrogate, latent_points
from ordbo_cli.search.trades.expected_front import ExpectedResults, expected_results, leading_by_medians
from ordbo_cli.search.trades.one_trade import one_trade

QUICK = replace(PRESETS["default"], initial=2, iterations=30)
LINE = (Parameter("x", 0.0, 10.0),)
TWO = Problem(LINE, "cost", noise=True, outcomes=(Aim("gain", goal="maximize"),), method=QUICK)
# Every x up to 6 is a trade of its own. At 9 one lucky result, better than all by both, among bad ones.
ROWS = "0,1,1 2,3,3.1 9,0.5,9 2,2.8,3 4,5,5.2 9,9,2 4,5.1,5 6,7.2,7 9,9.5,2.5 9,9.2,2.2 8,8.5,2.8 2,3.2,3.3 9,9.1,1.9"


def known(problem: Problem = TWO, rows: str = ROWS) -> StepInput:
    """Return a study of rows of x, cost and gain."""
    cells = [row.split(",") for row in rows.split()]
    evaluations = [
        problem.evaluation((float(x),), Decimal(cost), None, "", tuple(map(Decimal, others)))
        for x, cost, *others in cells
    ]
    return StepInput(problem, evaluations, step=len(evaluations))


def expected(given: StepInput) -> ExpectedResults:
    """Return the tried points by their means."""
    return expected_of(given, models_of(given))


def test_a_lucky_single_result_is_not_on_the_front() -> None:
    """By value it is all of it; by means the trades are, and the search improves these."""
    given = known()
    assert [given.evaluations[k].values for k in front(TWO, given.evaluations)] == [(9.0,)]
    assert expected(given).front == [(0.0,), (2.0,), (4.0,), (6.0,)]
    assert_improves(fit_surrogate(given), given, [(0.0,), (2.0,), (4.0,), (6.0,)])
    certain = fit_surrogate(known(replace(TWO, noise=False)))
    assert certain.traded is not None
    assert len(certain.traded) == 1


def assert_improves(surrogate: Surrogate, given: StepInput, points: Sequence[tuple[float, ...]]) -> None:
    """Assert that what is to be improved lies at some points, with their means by each objective."""
    assert surrogate.traded is not None
    assert surrogate.front is not None
    places = [latent_points(given.latent_axes, each.warp, each.fit, points) for each in surrogate.each]
    np.testing.assert_allclose(surrogate.front, places[0])
    means = [each.posterior.means(s) for each, s in zip(surrogate.each, places, strict=True)]
    np.testing.assert_allclose(surrogate.traded, np.stack(means, axis=1))


def test_a_point_counts_once_whatever_it_was_tried() -> None:
    """With how many results it has, in the order in which points first succeeded."""
    found = expected(known())
    assert [each.values for each in found.results] == [(0.0,), (2.0,), (9.0,), (4.0,), (6.0,), (8.0,)]
    assert found.counts == (1, 3, 5, 2, 1, 1)
    assert dict(found.problem.goals) == {"cost": "minimize", "gain": "minimize"}


def test_failed_infeasible_and_foreign_points_are_none_of_them() -> None:
    """A point that succeeded once is, whatever else became of it; comparisons make no point."""
    limited = replace(TWO, outcomes=(*TWO.outcomes, Limit("stress", max=Decimal(3))))
    given = known(limited, "0,1,1,0 1,0,9,4 2,2,2,0 12,0,9,0")
    rows = [*given.evaluations, Evaluation((2.0,), None), Evaluation((3.0,), None)]
    said = (Comparison((3.0,), (0.0,)),)
    found = expected(replace(given, evaluations=rows, comparisons=said))
    assert [each.values for each in found.results] == [(0.0,), (2.0,)]
    assert found.counts == (1, 1)
    assert expected(replace(given, evaluations=rows[3:])).results == ()


def random_table(seed: int) -> StepInput:
    """Return repeated points with two or three objectives, ties and failures among them."""
    rng = np.random.default_rng(seed)
    K = 2 + seed % 2
    aims = tuple(Aim(f"f{k}", goal="maximize" if k == 1 else "minimize") for k in range(1, K))
    problem = Problem((Parameter("x", 0, 3, step=1), Parameter("y", 0.0, 1.0)), "f0", outcomes=aims, noise=True)
    problem = replace(problem, method=QUICK)
    rows = []
    for _ in range(14):
        first, *others = (Decimal(int(value)) for value in rng.integers(0, 9, K))
        point = (float(rng.integers(0, 4)), float(rng.integers(0, 3)) / 2.0)
        rows.append(problem.evaluation(point, None if rng.random() < 0.1 else first, None, "", tuple(others)))
    return StepInput(problem, rows)


@pytest.mark.parametrize("seed", range(8))
def test_the_front_is_what_no_other_mean_dominates(seed: int) -> None:
    """As all pairs of points say, on random tables."""
    given = random_table(seed)
    models = [fit_surrogate(each) for each in given.each]
    points = list(dict.fromkeys(e.values for e in given.evaluations if e.objective is not None))
    axes = given.latent_axes
    means = np.stack(
        [each.posterior.means(latent_points(axes, each.warp, each.fit, points)) for each in models], axis=1
    ).round(9)
    found = expected_results(given.rows, [(each.fit, each.posterior) for each in models])
    assert found.front == undominated(points, means)
    assert sum(found.counts) == sum(e.objective is not None for e in given.evaluations)


@pytest.mark.parametrize("seed", range(8))
def test_the_search_improves_what_no_other_median_dominates_too(seed: int) -> None:
    """At its means; of an even number of results the better one in the middle counts, of each objective by itself."""
    given = random_table(seed)
    signs = [1 if goal == "minimize" else -1 for _, goal in given.problem.goals]
    at: dict[tuple[float, ...], list[list[int]]] = {}
    for e in given.evaluations:
        if e.objective is not None:
            values = zip(signs, (e.objective, *e.outcomes), strict=True)
            at.setdefault(e.values, []).append([sign * int(value or 0) for sign, value in values])
    medians = np.array([np.sort(np.array(own), axis=0)[(len(own) - 1) // 2] for own in at.values()])
    best = undominated(list(at), medians)
    assert leading_by_medians(given.problem, given.evaluations) == best
    by_means = expected(given).front
    assert_improves(fit_surrogate(given), given, list(dict.fromkeys([*by_means, *best])))


def undominated(points: Sequence[tuple[float, ...]], values: Array) -> list[tuple[float, ...]]:
    """Return the points whose values no other point's dominate."""
    return [x for x, own in zip(points, values, strict=True) if not any(dominate(other, own) for other in values)]


def dominate(one: Array, other: Array) -> bool:
    """Return whether means are as low by each objective, and lower by one."""
    return bool(np.all(one <= other) and np.any(one < other))


def test_points_that_are_good_enough_are_alike() -> None:
    """By the objective of which there is enough: among these the other one decides, as far as the means say so."""
    found = expected(known(replace(TWO, enough=Decimal(8))))
    assert found.front == [(6.0,)]
    assert {each.objective for each in found.results if each.values[0] <= 6} == {Decimal(0)}
    assert expected(known(replace(TWO, enough=Decimal("0.1")))).front == expected(known()).front


def test_the_leader_of_a_front_is_the_knee_by_means() -> None:
    """Or what comparisons speak for, with all of its results; the median by each objective is one of them."""
    given = known()
    leader = leader_of(given, *models_of(given))
    assert leader is not None
    assert (leader.values, leader.results, leader.by, leader.rank) == ((2.0,), 3, "mean", None)
    assert (median_result(given, (2.0,), 0), median_result(given, (2.0,), 1)) == (1, 1)
    assert (median_result(given, (9.0,), 0), median_result(given, (9.0,), 1)) == (12, 9)
    liked = replace(given, comparisons=(Comparison((6.0,), (0.0,)), Comparison((6.0,), (2.0,))))
    assert getattr(leader_of(liked, *models_of(liked)), "values", None) == (6.0,)
    nothing = replace(given, evaluations=[Evaluation((1.0,), None)])
    assert leader_of(nothing, *models_of(nothing)) is None


def test_by_priority_the_leader_has_the_lowest_mean() -> None:
    """As with one objective: one good result among bad ones leads by its value alone."""
    first = replace(TWO, trade="lexicographic")
    given = known(first)
    leader = leader_of(given, fit_surrogate(given).fit)
    assert leader is not None
    assert (leader.values, leader.by) == ((0.0,), "mean")
    certain = known(replace(first, noise=False))
    lucky = leader_of(certain, fit_surrogate(certain).fit)
    assert lucky is not None
    assert (lucky.values, lucky.by) == ((9.0,), "value")


def test_comparisons_of_points_with_several_results_say_nothing_of_a_lucky_one() -> None:
    """A trade is drawn by where all results of a point lie."""
    said = (Comparison((9.0,), (0.0,)), Comparison((9.0,), (4.0,)))
    rows = [row for row in ROWS.split() if row != "9,0.5,9"]
    first, last = (known(rows=" ".join(each)) for each in (["9,0.5,9", *rows], [*rows, "9,0.5,9"]))

    def weights(given: StepInput) -> list[Array]:
        pending = [(5.0,)]  # so that the number of rows is even, and a step goes by one trade
        found = [one_trade(replace(given, comparisons=said, pending=pending, step=k)) for k in range(20)]
        return [each.weights for each in found if each is not None]

    assert len(weights(first)) == 20
    np.testing.assert_array_equal(weights(first), weights(last))


def test_a_step_says_between_which_points_of_the_front_it_goes() -> None:
    """By the results that stand for these: the medians, and no lucky one."""
    given = known(rows=f"{ROWS} 1,2,2.1")
    for step in range(4):
        found = propose(replace(given, step=step), explain=explained).record.explanation
        assert found is not None
        assert {each.place for each in found.between} <= {1, 2, 5, 8, 14}
        assert found.between


def test_a_view_looks_at_the_knee_by_means() -> None:
    """And its best evaluation is the median of it."""
    view = View.of(known())
    assert view.leader is not None
    assert (view.leader.values, view.best) == ((2.0,), 1)
    assert Counter(each.leader.by for each in view.each if each.leader) == {"mean": 2}
