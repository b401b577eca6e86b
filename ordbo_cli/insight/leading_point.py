"""The point that leads a study, by the rule of ``ordbo best``: the best value, or under noise the lowest mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Literal

import numpy as np

from ordbo_cli.insight.preferred_result import preferred
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.problem import Evaluation, Number
from ordbo_cli.problem.order import knee, ranks
from ordbo_cli.search.prediction import incumbent_of
from ordbo_cli.search.step_input import StepInput


@dataclass(frozen=True)
class Leader:
    """The point that leads.

    Args:
        values: of all free parameters.
        results: how many successes it has; 1 where it was chosen by its value alone, 0 where it was compared only.
        by: what it was chosen by.
        rank: its expected rank among the distinct results, 1 the best; None where it was chosen by its value.
    """

    values: tuple[Number, ...]
    results: int = 1
    by: Literal["value", "mean"] = "value"
    rank: float | None = None


def leader_of(given: StepInput, fitted: Fit) -> Leader | None:
    """Return the point that leads; None where nothing inside the bounds has succeeded or was compared.

    Of several objectives it is the knee of the front, or the result that comparisons speak for.

    Args:
        given: what is known.
        fitted: the model of that.
    """
    problem, all_ = given.problem, given.evaluations
    if problem.several:
        place = preferred(problem, all_, given.comparisons) if problem.has_front else knee(problem, all_)
        return None if place is None else Leader(all_[place].values)
    if not problem.leads_by_mean(len(given.comparisons)):
        good = [k for k, e in enumerate(all_) if problem.is_success(e) and problem.is_inside(e.values)]
        return Leader(all_[_best_first(given, good)[0]].values) if good else None
    found = incumbent_of(fitted, given.settled())
    return None if found is None else Leader(found.values, len(results_of(given, found.values)), "mean", found.rank)


def median_result(given: StepInput, values: tuple[Number, ...]) -> int | None:
    """Return the place of the median result of a point, of two in the middle the better one; None where it has none."""
    here = _best_first(given, results_of(given, values))
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


def results_of(given: StepInput, values: tuple[Number, ...]) -> list[int]:
    """Return the places of a point's evaluations that have a result."""
    return [k for k, e in enumerate(given.evaluations) if e.objective is not None and e.values == values]


def _best_first(given: StepInput, places: Sequence[int]) -> list[int]:
    """Return places of evaluations by their results, the best first, of equals the earlier first."""
    found = ranks(given.problem, [given.evaluations[k] for k in places])
    return [places[k] for k in sorted(range(len(places)), key=found.__getitem__)]
