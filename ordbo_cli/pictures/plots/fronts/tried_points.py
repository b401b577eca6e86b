"""The front by means as pictures have it: which evaluations stand for its points, and where these are drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ordbo_cli.insight.leading_point import expected_of, median_result
from ordbo_cli.insight.preferred_result import preferred
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.problem import Evaluation, Problem
from ordbo_cli.search.step_input import StepInput


@dataclass(frozen=True)
class TriedPoints:
    """The points of a front by means, each in the place of its result that is the median by the first objective.

    Args:
        number: how many points have succeeded.
        medians: of the results of each point that none dominates, as a result in the place that stands for it.
        first: places of the first success of each of these points.
        knee: place that stands for the knee; None where nothing has succeeded.
    """

    number: int
    medians: Mapping[int, Evaluation]
    first: tuple[int, ...]
    knee: int | None


def tried_points(given: StepInput, fits: Sequence[Fit] = ()) -> TriedPoints:
    """Return the front by means.

    Args:
        given: what is known of several objectives.
        fits: the model of each objective; none to fit them.
    """
    problem, rows = given.problem, given.evaluations
    expected = expected_of(given, fits)
    knee = preferred(expected.problem, expected.results, given.comparisons)
    first = {each.values: k for k, each in reversed(list(enumerate(rows))) if problem.is_success(each)}
    medians: dict[int, Evaluation] = {}
    for values in expected.front:
        found = [median_result(given, values, k) for k in range(len(problem.goals))]
        first_, *others = (place for place in found if place is not None)
        medians[first_] = _with_medians(problem, rows[first_], [rows[place] for place in others])
    return TriedPoints(
        len(expected.results),
        medians,
        tuple(first[values] for values in expected.front),
        None if knee is None else median_result(given, expected.results[knee].values),
    )


def _with_medians(problem: Problem, median: Evaluation, others: Sequence[Evaluation]) -> Evaluation:
    """Return the median result by the first objective, with those by the other ones in the place of what it has."""
    outcomes, sides = list(median.outcomes), [median.side(place) for place in range(len(median.outcomes))]
    for (place, _), other in zip(problem.aims, others, strict=True):
        outcomes[place], sides[place] = other.outcomes[place], other.side(place)
    return replace(median, outcomes=tuple(outcomes), sides=tuple(sides) if any(sides) else ())
