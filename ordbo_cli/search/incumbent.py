"""The point that is held to be the best under noise: the one with the lowest mean, for one result may be luck."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ordbo_cli.errors import DataError
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.problem import Comparison, Evaluation, Number, Problem
from ordbo_cli.search.latent_axes import LatentAxes
from ordbo_cli.search.lowest import lowest, succeeded
from ordbo_cli.search.prediction import expectations
from ordbo_cli.search.surrogate import Rows, fit_surrogate
from ordbo_cli.search.threads import thread_pool


@dataclass(frozen=True)
class Incumbent:
    """The point with the lowest posterior mean.

    Args:
        values: of the free parameters.
        rank: its expected rank among the distinct results so far, 1 the best.
        mean: of the latent value there.
    """

    values: tuple[Number, ...]
    rank: float
    mean: float


def incumbent(
    problem: Problem,
    evaluations: Sequence[Evaluation],
    fit: Mapping[str, Any] | None = None,
    comparisons: Sequence[Comparison] = (),
) -> Incumbent:
    """Return the point with the lowest mean among those inside the bounds that have succeeded or were compared.

    Of equal means the point with more results counts, then the earlier one. What is pending has no say.

    Args:
        evaluations: in order of arrival.
        fit: of the step before, if it is at hand.
        comparisons: of points with each other, oldest first.

    Raises:
        DataError: no evaluation inside the bounds has succeeded, and no point there was compared.
    """
    rows, latent_axes = Rows.of(problem, evaluations, (), comparisons), LatentAxes(problem)
    if not succeeded(rows):
        raise DataError("no evaluation inside the bounds has succeeded yet", "Record some results first")
    with thread_pool(1):
        fitted = fit_surrogate(rows, latent_axes, Fit.from_dict(fit or {}, latent_axes.dimension)).fit
        found = lowest(fitted, fitted.posterior(problem.method.kernel), rows)
        assert found is not None  # the fit is to all of these rows
        place, values = found
        expected = expectations(fitted, rows, evaluations, fitted.S[[place]])[0]
    return Incumbent(values, expected.rank, expected.mean)
