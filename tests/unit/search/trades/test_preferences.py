"""What comparisons of whole results say of the trade that is wanted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

import numpy as np
import pytest

from ordbo_cli.insight.leading_point import in_one_order
from ordbo_cli.insight.preferred_result import preferred
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Aim, Comparison, Evaluation, Parameter, Problem
from ordbo_cli.problem.method import PRESETS, Method
from ordbo_cli.problem.order import front, knee
from ordbo_cli.search.cells.hypervolume import directions
from ordbo_cli.search.duel import propose_duel
from ordbo_cli.search.prediction import incumbent
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.trades.preferences import Preferences, reach

FLOATS: Final = tuple(Parameter(f"x{k}", 0.0, 1.0) for k in range(2))
ALONG: Final = directions(2)
ONES: Final = np.ones(2)


def said(*pairs: tuple[Sequence[float], Sequence[float], bool]) -> Array:
    """Return the weights of directions that pairs of results between 0, the best, and 1 speak for."""
    better, worse, tie = (np.array([pair[k] for pair in pairs]) for k in range(3))
    return Preferences(better, worse, tie).weights(1.1 * ONES, ONES, ALONG)


def by_first(weights: Array) -> float:
    """Return by how much directions count more that go for the first objective."""
    return float((weights * np.sign(ALONG[:, 0] - ALONG[:, 1])).mean())


def test_who_prefers_one_end_counts_directions_that_lead_there() -> None:
    """And closer to the end with every answer; 1 in the mean, and none counts for nothing, as somebody may err."""
    one, other = (0.0, 1.0), (1.0, 0.0)
    first, more = said((one, other, False)), said((one, other, False), ((0.3, 0.7), (0.5, 0.5), False))
    for weights in (first, more):
        np.testing.assert_allclose(weights.mean(), 1.0)
        assert weights.min() >= 0.05
    assert 0.5 < by_first(first) < 0.96
    np.testing.assert_allclose(by_first(said((other, one, False))), -by_first(first))
    close = np.argsort(np.abs(ALONG[:, 0] - ALONG[:, 1]))[:8]  # to the middle
    assert more[close].mean() < 0.5 * first[close].mean()


def test_answers_both_ways_and_ties_are_what_they_say() -> None:
    """Both ends alike speak for the middle; so does one over the other and the other over the one."""
    one, other = (0.0, 1.0), (1.0, 0.0)
    alike, both = said((one, other, True)), said((one, other, False), (other, one, False))
    for weights in (alike, both):
        assert abs(by_first(weights)) < 1e-9
        assert np.argmax(weights) in (31, 32)
    assert abs(said((one, one, False)) - 1.0).max() < 1e-12


def test_a_result_comes_as_far_as_what_holds_it_back() -> None:
    """Nothing below the reference point counts."""
    heights = np.array([[0.6, 0.8], [0.3, 0.8], [-1.0, 9.0]])
    np.testing.assert_allclose(reach(heights, np.array([[0.6, 0.8]]))[:, 0], [1.0, 0.5, 0.0])


def trade(x: Sequence[float]) -> tuple[float, float]:
    """Return the distances from two places, squared."""
    one, two = (float((x[0] - a) ** 2 + (x[1] - b) ** 2) for a, b in ((0.2, 0.3), (0.8, 0.4)))
    return one, two


def told(problem: Problem, x: Sequence[float], id: int) -> Evaluation:
    """Return the result at a point."""
    first, second = (Decimal(repr(value)) for value in trade([float(u) for u in x]))
    return problem.evaluation(tuple(x), first, id, "", (second,))


def study(method: Method, rows: int = 14) -> StepInput:
    """Return results at random points."""
    problem = Problem(FLOATS, "f0", method=method, outcomes=(Aim("f1"),))
    X = np.random.default_rng(3).random((rows, 2)).tolist()
    return StepInput(problem, [told(problem, x, k) for k, x in enumerate(X)], step=rows)


def ends_of(given: StepInput) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return the points of the front that are best by the first objective and by the second."""
    best = sorted(front(given.problem, given.evaluations), key=lambda k: given.evaluations[k].objective or 0)
    return tuple(given.evaluations[k].values for k in (best[0], best[-1]))  # type: ignore[return-value]


@pytest.mark.parametrize("refine", [True, False], ids=["quadratics", "latent process"])
def test_who_prefers_one_end_gets_points_there(refine: bool) -> None:
    """Later suggestions are better in the objective that was preferred, whichever it is."""
    given = study(replace(PRESETS["default"], iterations=30, refine=refine))
    low, high = ends_of(given)

    def mean_of_first(comparisons: Sequence[Comparison]) -> float:
        now = replace(given, comparisons=comparisons)
        for _ in range(16):
            x = propose(now).values
            now = replace(now, evaluations=[*now.evaluations, told(now.problem, x, now.step)], step=now.step + 1)
        return float(np.mean([trade([float(u) for u in e.values])[0] for e in now.evaluations[14:]]))

    first, none, second = (mean_of_first(each) for each in ([Comparison(low, high)], [], [Comparison(high, low)]))
    assert first < 0.75 * none
    assert none < second


def test_no_increasing_transform_changes_what_was_said(quick: Method) -> None:
    """Nor the point that follows, to the last bit; without the comparison it is another one."""
    given = study(quick)
    low, high = ends_of(given)
    plain = replace(given, comparisons=[Comparison(low, high)])
    rows = [replace(e, objective=Decimal(e.objective or 0) ** 3 + 7) for e in given.evaluations]
    assert propose(replace(plain, evaluations=rows)).values == propose(plain).values != propose(given).values
    assert preferred(plain.problem, rows, plain.comparisons) == preferred(
        plain.problem, plain.evaluations, plain.comparisons
    )


def test_the_preferred_result_lies_on_the_preferred_side_of_the_knee(quick: Method) -> None:
    """It is on the front; without a comparison of two results it is the knee."""
    given = study(quick, 40)
    low, high = ends_of(given)
    problem, results = given.problem, given.evaluations
    middle = knee(problem, results)
    assert middle is not None
    assert preferred(problem, results, []) == middle
    assert preferred(problem, results, [Comparison(low, (9.0, 9.0))]) == middle
    assert preferred(problem, [], [Comparison(low, high)]) is None
    one, other = (preferred(problem, results, [Comparison(*pair)]) for pair in ((low, high), (high, low)))
    assert one in front(problem, results)
    values = [trade([float(u) for u in results[k or 0].values])[0] for k in (one, middle, other)]
    assert values == sorted(set(values))


def test_by_priority_answers_are_those_of_one_objective(quick: Method) -> None:
    """The point, the model and the one that leads are those of a study whose results are the ranks."""
    given = study(quick)
    low, high = ends_of(given)
    asked = replace(given.problem, trade="lexicographic")
    ranked = replace(given, problem=asked, comparisons=[Comparison(low, high), Comparison(high, low, tie=True)])
    one = in_one_order(ranked)
    by_priority, by_ranks = propose(ranked), propose(one)
    assert (by_priority.values, by_priority.fit) == (by_ranks.values, by_ranks.fit)
    assert propose(replace(ranked, comparisons=())).fit != by_priority.fit
    assert incumbent(ranked) == incumbent(one)
    assert propose_duel(ranked).first == incumbent(replace(ranked, fit=by_priority.fit)).values
    first = ranked.evaluations[0]
    tied = [replace(each, objective=first.objective, outcomes=first.outcomes) for each in ranked.evaluations]
    alike = replace(ranked, evaluations=tied, comparisons=[Comparison(low, high)])
    assert propose(alike).values == propose(in_one_order(alike)).values  # answers tell where results do not
