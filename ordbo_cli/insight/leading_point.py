"""The point that leads a study, by the rule of ``ordbo best``: the best value, or under noise the lowest mean.

And what results a study has to look at where it has no values: places by comparisons, ranks by objectives with a
priority.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final, Literal

import numpy as np

from ordbo_cli.insight.preferred_result import preferred
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.problem import Evaluation, Number
from ordbo_cli.problem.order import ranks
from ordbo_cli.problem.several import alone, alone_in
from ordbo_cli.search.prediction import incumbent_of
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import fit_surrogate
from ordbo_cli.search.threads import thread_pool
from ordbo_cli.search.trades.expected_front import ExpectedResults, expected_results

_NAMED: Final = 2  # objectives; of more only the first is named


@dataclass(frozen=True)
class Leader:
    """The point that leads.

    Args:
        values: of all free parameters.
        results: how many successes it has; 1 where it was chosen by its value alone, 0 where it was compared only.
        by: what it was chosen by.
        rank: its expected rank among the distinct results, 1 the best; None where it was chosen by its value, and of a
            front, where it has one by each objective.
    """

    values: tuple[Number, ...]
    results: int = 1
    by: Literal["value", "mean"] = "value"
    rank: float | None = None


def leader_of(given: StepInput, *fits: Fit) -> Leader | None:
    """Return the point that leads; None where nothing inside the bounds has succeeded or was compared.

    Of a front it is the knee, or the result that comparisons speak for.

    Args:
        given: what is known.
        fits: the model of that, of a front that of each objective.
    """
    problem, all_ = given.problem, given.evaluations
    if problem.has_front:
        expected = expected_of(given, fits) if problem.noise else None
        asked, results = (expected.problem, expected.results) if expected else (problem, all_)
        place = preferred(asked, results, given.comparisons)
        if place is None:
            return None
        values = results[place].values
        return Leader(values, len(results_of(given, values)), "mean") if expected else Leader(values)
    if not problem.leads_by_mean(len(given.comparisons)):
        good = [k for k, e in enumerate(all_) if problem.is_success(e) and problem.is_inside(e.values)]
        return Leader(all_[_best_first(given, good)[0]].values) if good else None
    found = incumbent_of(fits[0], given.settled())
    return None if found is None else Leader(found.values, len(results_of(given, found.values)), "mean", found.rank)


def models_of(given: StepInput) -> tuple[Fit, ...]:
    """Fit the model of each of several objectives."""
    with thread_pool(1):
        return tuple(fit_surrogate(each).fit for each in given.settled().each)


def expected_of(given: StepInput, fits: Sequence[Fit] = ()) -> ExpectedResults:
    """Return the tried points of several objectives as results by their means; what is pending has no say.

    Args:
        given: what is known.
        fits: the model of each objective; none to fit them.
    """
    kernel = given.problem.method.kernel
    models = [(fitted, fitted.posterior(kernel)) for fitted in fits or models_of(given)]
    return expected_results(given.settled().rows, models)


def median_result(given: StepInput, values: tuple[Number, ...], objective: int = 0) -> int | None:
    """Return the place of the median result of a point, of two in the middle the better one; None where it has none.

    Args:
        given: what is known.
        values: of the point.
        objective: by which one the results of a front are in order.
    """
    here = _best_first(given, results_of(given, values), objective)
    return here[(len(here) - 1) // 2] if here else None


def compared_as_results(given: StepInput, fitted: Fit) -> StepInput:
    """Return a study of comparisons alone with its points as results: their places in the order of their means.

    Pictures have nothing else to show of it; a study with results is returned as it is.
    """
    if given.evaluations or not given.comparisons:
        return given
    problem, points = given.problem, given.known
    posterior = fitted.posterior(problem.method.kernel)
    inputs = {tuple(x): k for k, x in enumerate(fitted.data.inputs.tolist())}
    places = [inputs.get(tuple(x)) for x in given.latent_axes.encoded(points).tolist()]
    means = posterior.means(fitted.S)
    order = {mean: k for k, mean in enumerate(np.unique(means).tolist(), 1)}
    results = [
        Evaluation(tuple(x), Decimal(order[float(means[k])]))
        for x, k in zip(points, places, strict=True)
        if k is not None
    ]
    shown = replace(problem, objective="place by comparisons", goal="minimize", unit="", grades=(), outcomes=())
    return replace(given, problem=shown, evaluations=results)


def in_one_order(given: StepInput) -> StepInput:
    """Return a study of objectives by priority as one of their order: the objective is the rank, 1 the best.

    Limits of outcomes stay, and infeasible results and failures have no rank. A study that has no priority is returned
    as it is.
    """
    problem, results = given.problem, given.evaluations
    if not problem.by_priority:
        return given
    known = [k for k, each in enumerate(results) if each.objective is not None]
    rank = dict(zip(known, ranks(problem, [results[k] for k in known]), strict=True))
    asked = replace(alone(problem, 0), objective=_name(given), goal="minimize", unit="", grades=(), enough=None)
    seen = [alone_in(problem, each, 0) for each in results]
    for k, place in rank.items():
        seen[k] = replace(seen[k], objective=Decimal(1 + place), censored="")
    return replace(given, problem=asked, evaluations=tuple(seen))


def _name(given: StepInput) -> str:
    names = [name for name, _ in given.problem.goals]
    rest = f"{len(names) - 1} others" if len(names) > _NAMED else names[-1]
    return f"rank by {names[0]}, then {rest}"


def results_of(given: StepInput, values: tuple[Number, ...]) -> list[int]:
    """Return the places of a point's evaluations that have a result."""
    return [k for k, e in enumerate(given.evaluations) if e.objective is not None and e.values == values]


def _best_first(given: StepInput, places: Sequence[int], objective: int = 0) -> list[int]:
    """Return places of evaluations by their results, the best first, of equals the earlier first."""
    problem, results = given.problem, [given.evaluations[k] for k in places]
    if problem.has_front:
        results = [alone_in(problem, each, objective) for each in results]
        problem = alone(problem, objective)
    found = ranks(problem, results)
    return [places[k] for k in sorted(range(len(places)), key=found.__getitem__)]
