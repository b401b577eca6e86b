"""The tried points of several objectives as results by their means, as one of several results may be good by luck.

A point's result by an objective is the rank of its posterior mean by that objective's own model. So each point counts
once, whatever it was tried, and no increasing transform of an objective changes who dominates whom. Means at which half
of the results are good enough are alike.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

import numpy as np

from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.problem import Aim, Evaluation, Number, Problem
from ordbo_cli.problem.order import as_it_counts, front, places
from ordbo_cli.problem.several import Places, alone, alone_in, levels
from ordbo_cli.search.incumbent import succeeded
from ordbo_cli.search.step_rows import Rows

_DIGITS = 9  # of means, beyond which they differ by rounding alone


@dataclass(frozen=True)
class ExpectedResults:
    """The points inside the bounds that have succeeded, each with one result.

    Args:
        problem: whose objectives are the ranks, all to be minimised.
        results: of the points, in the order in which they first succeeded [P].
        counts: how many results that may lead each has [P].
        places: of the points among the distinct ones of each model [P, K].
    """

    problem: Problem
    results: tuple[Evaluation, ...]
    counts: tuple[int, ...]
    places: tuple[tuple[int, ...], ...]

    @property
    def front(self) -> list[tuple[Number, ...]]:
        """The points that no other one dominates, in this order."""
        return [self.results[k].values for k in front(self.problem, self.results)]


def expected_results(rows: Rows, models: Sequence[tuple[Fit, Posterior]]) -> ExpectedResults:
    """Return the points that have succeeded as results by their means; those that came since a fit do not count.

    Args:
        rows: of several objectives.
        models: of each objective, with the posterior of its latent function.
    """
    problem, found = rows.problem, succeeded(replace(rows, comparisons=()))
    X = rows.latent_axes.encoded(list(found)).tolist()
    known = [{tuple(x): place for place, x in enumerate(fitted.data.inputs.tolist())} for fitted, _ in models]
    points = [(values, tuple(x)) for values, x in zip(found, X, strict=True) if all(tuple(x) in each for each in known)]
    at = [tuple(each[x] for each in known) for _, x in points]
    columns = [
        _ranks(rows, k, fitted, posterior.means(fitted.S[[place[k] for place in at]]))
        for k, (fitted, posterior) in enumerate(models)
    ]
    results = tuple(
        Evaluation(values, ranks[0], outcomes=ranks[1:])
        for (values, _), ranks in zip(points, zip(*columns, strict=True), strict=True)
    )
    return ExpectedResults(_of_ranks(problem), results, tuple(found[values] for values, _ in points), tuple(at))


def leading_by_medians(problem: Problem, evaluations: Sequence[Evaluation]) -> list[tuple[Number, ...]]:
    """Return the points inside the bounds that no other one dominates by the medians of their results.

    Of two results in the middle the better one counts, of each objective by itself. A point with one result stands at
    that, lucky as it may be.

    Args:
        problem: with several objectives.
        evaluations: in order of arrival.
    """
    good = [each for each in evaluations if problem.is_inside(each.values) and problem.is_success(each)]
    at: dict[tuple[Number, ...], list[Places]] = {}
    for each, own in zip(good, places(problem, good), strict=True):
        at.setdefault(each.values, []).append(own)
    medians = [
        tuple(sorted(column)[(len(column) - 1) // 2] for column in zip(*own, strict=True)) for own in at.values()
    ]
    return [values for values, level in zip(at, levels(medians), strict=True) if level == 0]


def _ranks(rows: Rows, k: int, fitted: Fit, means: Array) -> list[Decimal]:
    """Return the ranks of means by the k-th objective, from 0, the lowest."""
    if _has_enough(rows, k) and len(fitted.edges):
        means = np.maximum(means, fitted.edges[0])
    return [Decimal(int(rank)) for rank in np.unique(means.round(_DIGITS), return_inverse=True)[1]]


def _has_enough(rows: Rows, k: int) -> bool:
    """Return whether a result by the k-th objective is good enough: it has the first bin then."""
    one, enough = alone(rows.problem, k), rows.problem.enoughs[k]
    results = (alone_in(rows.problem, each, k) for each in rows.evaluations)
    return enough is not None and any(as_it_counts(one, each).objective == enough for each in results)


def _of_ranks(problem: Problem) -> Problem:
    """Return a problem with ranks in the place of the objectives."""
    others = tuple(Aim(name) for name, _ in problem.goals[1:])
    return replace(problem, goal="minimize", unit="", grades=(), enough=None, outcomes=others, columns=())
