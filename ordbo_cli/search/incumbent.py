"""Which of the tried points a fitted model holds to be the best: the one with the lowest mean of those that count."""

from __future__ import annotations

from collections import Counter

import numpy as np

from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.problem import Number
from ordbo_cli.search.step_rows import Rows


def succeeded(rows: Rows) -> dict[tuple[Number, ...], int]:
    """Return the points inside the bounds that have results that may lead or comparisons, with how many they have.

    They are in order of arrival. What somebody compared has succeeded, but for a point that also failed or broke a
    limit.
    """
    failed = {e.values for e in rows.evaluations if e.objective is None}
    found = [e.values for e in rows.evaluations if rows.problem.is_success(e)]
    compared = [x for c in rows.comparisons for x in (c.better, c.worse)]
    values = (*found, *(x for x in compared if x not in failed))
    return Counter(filter(rows.problem.is_inside, values))


def lowest(fitted: Fit, posterior: Posterior, rows: Rows) -> tuple[int, tuple[Number, ...]] | None:
    """Return the point with the lowest mean among those that :func:`succeeded`; None where the fit has none of them.

    Of equal means the point with more results counts, then the earlier one.

    Args:
        fitted: the model.
        posterior: of its latent function.
        rows: what it was fitted to; those that came since do not count.

    Returns:
        Its place among the fit's distinct points, and its values.
    """
    places = {tuple(x): place for place, x in enumerate(fitted.data.inputs.tolist())}
    found = succeeded(rows)
    X = rows.latent_axes.encoded(list(found)).tolist()
    known = [(places[tuple(x)], values) for x, values in zip(X, found, strict=True) if tuple(x) in places]
    if not known:
        return None
    means = posterior.means(fitted.S[[place for place, _ in known]])
    order = sorted(range(len(known)), key=lambda k: (means[k], -found[known[k][1]], k))
    return known[order[0]]


def compared_with(fitted: Fit, posterior: Posterior, rows: Rows) -> int:
    """Return the place among the fit's distinct points of the one that others have to beat.

    That is the best evaluation's, the lowest mean among equals; under noise and where there are comparisons the lowest
    mean of all, as one lucky result would be hard to beat by its luck alone.
    """
    found = lowest(fitted, posterior, rows) if rows.problem.leads_by_mean(len(fitted.comparisons)) else None
    if found is not None:
        return found[0]
    if not len(fitted.rank):
        return int(np.argmin(posterior.means(fitted.S)))
    best = fitted.point[fitted.rank == 0]
    return int(best[np.argmin(posterior.means(fitted.S[best]))])
