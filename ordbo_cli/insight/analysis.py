"""What Section 4 of the paper speaks of, at one step: the gain, the variance of what came, and how far points moved.

All of it by the kernel, the lengths of the axes and the noise of this step's fit, which the paper takes as known.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np

from ordbo_cli.insight import theory
from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.ordinal.fit import Fit, unmoved
from ordbo_cli.search.cells.choose import lower_bound
from ordbo_cli.search.latent_axes import LatentAxes
from ordbo_cli.search.surrogate import Rows, Surrogate, fit_context


def analysis(rows: Rows, latent_axes: LatentAxes, surrogate: Surrogate, previous: Fit | None) -> dict[str, Any]:
    """Return the figures of a step, as JSON-able values.

    ``gain`` is ``I_n`` of the n rows of the fit in nats. ``new`` tells how many of them the previous fit did not have,
    all of them where there is none, and ``new_variance`` is the sum of their variances, each given the rows before it
    (the first ones by their places: nobody chose their order), where the previous warp has them: what they add to
    ``V_n``. ``beta`` multiplies the standard deviation in the lower confidence bound. Where there is a previous fit,
    ``moved`` is the farthest that a point has moved since, each axis scaled to [0, 1], and ``gain_unmoved`` the gain of
    the points before that.

    Args:
        rows: that the model is fitted to.
        latent_axes: of the model.
        surrogate: the fitted model.
        previous: the fit of the step before.
    """
    fit, method = surrogate.fit, rows.problem.method
    K = theory.covariance(method.kernel, fit.S[fit.point])
    variances = theory.conditional_variances(K, fit.sigma)
    figures = {"beta": lower_bound(surrogate, method).beta, "gain": theory.chained_gain(variances, fit.sigma)}
    if previous is None:
        return {**figures, "new": len(variances), "new_variance": float(variances.sum())}
    data = fit.data
    before = unmoved(data, method, fit_context(rows, data, latent_axes), previous)
    old, new = _old_first(latent_axes.encoded([e.values for e in rows.ranked]), previous)
    scaled = tuple(u * s[-1] for u, s in zip(before, fit.coordinates, strict=True))
    K = theory.covariance(method.kernel, _placed(fit, np.vstack([old, new]), scaled))
    variances = theory.conditional_variances(K, fit.sigma)
    return {
        **figures,
        "new": len(new),
        "new_variance": float(variances[len(old) :].sum()),
        "gain_unmoved": theory.chained_gain(variances, fit.sigma),
        "moved": farthest_move(fit, before),
    }


def farthest_move(fit: Fit, before: Sequence[Array]) -> float:
    """Return ``max_i ||s_i^(n-1) - s_i^(n)||`` over the points of a fit, each axis scaled to [0, 1].

    Args:
        fit: with the places of now.
        before: the knots' places before it, so scaled [n_j].
    """
    moves = [(s / s[-1] - u)[fit.index[:, j]] for j, (s, u) in enumerate(zip(fit.coordinates, before, strict=True))]
    return float(np.sqrt(np.sum(np.square(moves), axis=0)).max(initial=0.0))


def _placed(fit: Fit, X: Array, coordinates: Sequence[Array]) -> Array:
    """Return the latent places of points as the model takes them [N, axes], given those of the fit's knots."""
    places = [s[np.searchsorted(u, X[:, j])] for j, (u, s) in enumerate(zip(fit.knots, coordinates, strict=True))]
    return np.stack(places, axis=1)


def _old_first(X: Array, previous: Fit) -> tuple[Array, Array]:
    """Return the points that a fit has seen, by their places, and those that are new, in order of arrival.

    Args:
        X: points as the model takes them, in order of arrival [N, axes].
        previous: the fit.
    """
    seen = Counter(map(tuple, previous.data.inputs[previous.point].tolist()))
    old: list[list[float]] = []
    new: list[list[float]] = []
    for point in X.tolist():
        (old if seen[tuple(point)] > 0 else new).append(point)
        seen[tuple(point)] -= 1
    return np.array(sorted(old)).reshape(-1, X.shape[1]), np.array(new).reshape(-1, X.shape[1])
