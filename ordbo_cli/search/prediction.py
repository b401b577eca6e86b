"""What the model expects at given points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr
from threadpoolctl import threadpool_limits

from ordbo_cli.errors import DataError
from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.problem import Evaluation, Number, Problem
from ordbo_cli.search.belief import Rows, belief, inputs, ranked, ranks
from ordbo_cli.search.frame import extended
from ordbo_cli.search.space import Space


@dataclass(frozen=True)
class Prediction:
    """What the model expects at a point.

    Args:
        rank: expected rank among the distinct results so far, 1 the best.
        improvement: probability that the latent value lies below the best evaluation's.
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
) -> list[Prediction]:
    """Return what the model expects at given points; their latent places are interpolated between neighbours.

    What is pending has no say: it counts as observed where the next point is chosen, but nothing is known of it.

    Raises:
        DataError: there is no evaluation to learn from.
    """
    rows = Rows.of(problem, evaluations, pending=())
    if not rows.ranked:
        raise DataError("there is no evaluation to predict from", "Record some results first")
    space = Space(problem, ())
    with threadpool_limits(limits=1):
        known = belief(rows, space, Fit.from_dict(fit or {}, space.dimension))
        fitted, posterior = known.fit, known.posterior
        X = inputs(points, space)
        s = extended(known.frame, space, X, metric=True).latent(X)
        mean, variance = posterior.moments(s)
        above = ndtr((mean[:, None] - fitted.edges) / np.sqrt(variance[:, None] + fitted.sigma**2))
        best = fitted.S[fitted.point[fitted.rank == 0]]
        best = best[np.argmin(posterior.moments(best)[0])][None, :]
        chance = [_chance_below(posterior, here[None, :], best) for here in s]
    return [
        Prediction(1.0 + float(r), c, float(m), float(np.sqrt(v)))
        for r, c, m, v in zip(_among_all(above.sum(axis=1), rows, evaluations), chance, mean, variance, strict=True)
    ]


def _among_all(expected: Array, rows: Rows, evaluations: Sequence[Evaluation]) -> Array:
    """Return expected ranks among all results [P], given those among the results that the model is fitted to [P]."""
    if not rows.left_out:
        return expected
    everything = ranked(rows.problem, evaluations)
    rank = dict(zip((e.objective for e in everything), ranks(rows.problem, everything), strict=True))
    kept = sorted({rank[e.objective] for e in rows.ranked})
    return np.interp(expected, np.arange(len(kept)), kept)


def _chance_below(posterior: Posterior, s: Array, best: Array) -> float:
    """Return the probability that the latent value at s [1, D] lies below that at the best evaluation [1, D]."""
    if np.array_equal(s, best):
        return 0.0
    both = np.vstack([s, best])
    mean, _ = posterior.moments(both)
    C = posterior.covariance(both)
    sd = np.sqrt(max(float(C[0, 0] + C[1, 1] - 2.0 * C[0, 1]), 1e-12))
    return float(ndtr((mean[1] - mean[0]) / sd))
