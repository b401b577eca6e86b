"""What the model expects at given points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from scipy.special import ndtr

from ordbo_cli.errors import DataError
from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.problem import Comparison, Evaluation, Number, Problem
from ordbo_cli.problem.order import ranks
from ordbo_cli.search.fitted_warp import FittedWarp, extended
from ordbo_cli.search.latent_axes import LatentAxes
from ordbo_cli.search.lowest import compared_with
from ordbo_cli.search.surrogate import Rows, fit_surrogate, latent_points, ranked, warp_of
from ordbo_cli.search.threads import thread_pool

_BLOCK: Final = 64  # points at a time: memory grows with the model's rows, not with the table that somebody asks for


@dataclass(frozen=True)
class Prediction:
    """What the model expects at a point.

    Args:
        rank: expected rank among the distinct results so far, 1 the best; where there are only comparisons, among the
            compared points.
        improvement: probability that the latent value lies below the best evaluation's; under noise, and where there
            are comparisons, below that of the point with the lowest mean.
        mean, sd: of the latent value, 0 and 1 before any data.
    """

    rank: float
    improvement: float
    mean: float
    sd: float


def predict(
    problem: Problem,
    evaluations: Sequence[Evaluation],
    points: Sequence[Sequence[Number]],
    fit: Mapping[str, Any] | None = None,
    comparisons: Sequence[Comparison] = (),
) -> list[Prediction]:
    """Return what the model expects at given points; their latent places are interpolated between neighbours.

    What is pending has no say: it counts as observed where the next point is chosen, but nothing is known of it.

    Raises:
        DataError: there is neither an evaluation nor a comparison to learn from.
    """
    rows = Rows.of(problem, evaluations, (), comparisons)
    if not rows.fitted:
        raise DataError("there is no evaluation to predict from", "Record some results first")
    latent_axes = LatentAxes(problem)
    with thread_pool(1):
        surrogate = fit_surrogate(rows, latent_axes, Fit.from_dict(fit or {}, latent_axes.dimension))
        return expectations(
            surrogate.fit, rows, evaluations, placed(latent_axes, surrogate.warp, surrogate.fit, points)
        )


def placed(latent_axes: LatentAxes, warp: FittedWarp, fitted: Fit, points: Sequence[Sequence[Number]]) -> Array:
    """Return the latent places of any points, between their neighbours by distance, along all axes [P, axes].

    Args:
        latent_axes: of the model.
        warp: of its parameters with an order.
        fitted: the model.
        points: of all free parameters.
    """
    wider = extended(warp, latent_axes.space, latent_axes.space.inputs(points), metric=True)
    return latent_points(latent_axes, wider, fitted, points)


def expected_at(
    problem: Problem,
    evaluations: Sequence[Evaluation],
    point: Sequence[Number],
    fit: Mapping[str, Any],
    comparisons: Sequence[Comparison] = (),
) -> Prediction | None:
    """Return what the model that chose a point expects there; nothing is fitted anew.

    Args:
        evaluations: in order of arrival.
        point: of a proposal.
        fit: of the same proposal.
        comparisons: of points with each other, oldest first.

    Returns:
        What :func:`predict` says; None where the fit holds neither a result nor a comparison.
    """
    rows, latent_axes = Rows.of(problem, evaluations, (), comparisons), LatentAxes(problem)
    fitted = Fit.from_dict(fit, latent_axes.dimension)
    if fitted is None or not len(fitted.index):
        return None
    with thread_pool(1):
        return expectations(
            fitted, rows, evaluations, placed(latent_axes, warp_of(fitted, latent_axes), fitted, [point])
        )[0]


def expectations(fitted: Fit, rows: Rows, evaluations: Sequence[Evaluation], s: Array) -> list[Prediction]:
    """Return what a fitted model expects at latent points, from the results alone.

    Args:
        fitted: the model, which has at least one row.
        rows: that it was fitted to.
        evaluations: all of them, among which the expected rank counts.
        s: latent points [P, D].
    """
    posterior = fitted.posterior(rows.problem.method.kernel)
    best = fitted.S[[compared_with(fitted, posterior, rows)]]
    blocks = [_expected(fitted, posterior, s[k : k + _BLOCK], best) for k in range(0, len(s), _BLOCK)]
    rank, chance, mean, variance = np.concatenate(blocks, axis=1) if blocks else np.zeros((4, 0))
    return [
        Prediction(1.0 + float(r), float(c), float(m), float(np.sqrt(v)))
        for r, c, m, v in zip(_among_all(rank, rows, evaluations), chance, mean, variance, strict=True)
    ]


def _expected(fitted: Fit, posterior: Posterior, s: Array, best: Array) -> Array:
    """Return rank from 0, chance to lie below the best, mean and variance at latent points s [P, D], stacked [4, P]."""
    mean, variance = posterior.moments(s)
    if len(fitted.rank):
        above = ndtr((mean[:, None] - fitted.edges) / np.sqrt(variance[:, None] + fitted.sigma**2))
    else:
        others, theirs = posterior.moments(fitted.S)
        above = ndtr((mean[:, None] - others) / np.sqrt(variance[:, None] + theirs + fitted.sigma**2))
    return np.stack([above.sum(axis=1), _chance_below(posterior, s, best), mean, variance])


def _among_all(expected: Array, rows: Rows, evaluations: Sequence[Evaluation]) -> Array:
    """Return expected ranks among all results [P], given those among the results that the model is fitted to [P]."""
    if not rows.left_out:
        return expected
    everything = ranked(rows.problem, evaluations)
    rank = dict(zip(map(id, everything), ranks(rows.problem, everything), strict=True))
    kept = sorted({rank[id(e)] for e in rows.ranked})
    return np.interp(expected, np.arange(len(kept)), kept)


def _chance_below(posterior: Posterior, s: Array, best: Array) -> Array:
    """Return the probabilities that the latent values at s [P, D] lie below that at the best evaluation [1, D]."""
    both = np.vstack([s, best])
    mean, _ = posterior.moments(both)
    C = posterior.covariance(both)
    sd = np.sqrt(np.maximum(C.diagonal()[:-1] + C[-1, -1] - 2.0 * C[:-1, -1], 1e-12))
    return np.where(np.all(s == best, axis=1), 0.0, ndtr((mean[-1] - mean[:-1]) / sd))
