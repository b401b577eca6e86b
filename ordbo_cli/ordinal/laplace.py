"""How surely the fit knows the latent length of each parameter: Laplace's approximation around it.

The objective (ELBO plus log prior of the gaps) stands for the log posterior of theta, with its quadratic at the fit.
The input gaps are taken by their logarithms, as in their prior, so ``log L_j`` has the slopes ``g_k = delta_k / L_j``,
and its variance is ``g' (-H)^-1 g``, H the Hessian by all of theta. Means and spreads are among it, so that they follow
where a length changes: it is the curvature of the profile of ``log L_j``.

Gaps that stand at a bound and would go on beyond it are held there, as the profile holds them; where a maximum is at a
bound, the curvature does not say how far one may go from it. The linear systems are solved by conjugate gradients in
the metric of the fits, with differences of the gradient for the products with H. A fit that ended early is taken as it
is: what is left to gain changes the spreads by a few per cent.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from ordbo_cli.method import Method
from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.ordinal.elbo import objective
from ordbo_cli.ordinal.fit import Fit, FitContext, build_model, gap_centre
from ordbo_cli.ordinal.metric import metric_at
from ordbo_cli.ordinal.model import Model
from ordbo_cli.ordinal.warp import INSIDE, LARGEST_GAP, smallest_gap

NORMAL_95: Final = 1.96  # standard deviations of a normal to either end of its central 95 %
_DIFFERENCE: Final = 1e-4  # step of the differences, in the metric's units, in which curvature is about 1
_RESIDUAL: Final = 1e-2  # relative, at which a solution ends; the variance is then right to its square
_MOST_STEPS: Final = 100  # of conjugate gradients for one parameter
_MOST_WORK: Final = 6e10  # steps of all parameters together times the cube of M: some tens of steps with 1000 points
_MOST_HELD: Final = 0.5  # share of a length in held gaps above which the length is where the bounds have it


@dataclass(frozen=True)
class LatentLengths:
    """How long the box is in the latent space, for each parameter.

    Args:
        length: from the lower to the upper end of the box [D].
        spread: standard deviation of the logarithm of a length [D]; NaN where it is not known.
    """

    length: Array
    spread: Array

    @property
    def interval(self) -> tuple[Array, Array]:
        """Lower and upper ends of the 95 % intervals [D]; NaN where they are not known."""
        factor = np.exp(NORMAL_95 * self.spread)
        return self.length / factor, self.length * factor


@dataclass(frozen=True)
class _LogGaps:
    """A warp whose theta is the logarithms of the gaps, without bounds.

    Args:
        size: G.
    """

    size: int

    def gaps(self, theta: Array) -> Array:
        """Return positive gaps [G]."""
        return np.exp(theta)

    def pull_back(self, theta: Array, by_gaps: Array) -> Array:
        """Return the gradient by theta of a function whose gradient by the gaps is given [G]."""
        return by_gaps * np.exp(theta)

    def theta(self, gaps: Array) -> Array:
        """Return the numbers that give these gaps."""
        return np.log(gaps)


def latent_lengths(fit: Fit, method: Method, context: FitContext, low: Array, high: Array) -> LatentLengths:
    """Return the latent lengths of the box, and how surely the fit knows them.

    A spread is not known where the objective does not curve down from the fit (gaps without a prior, a fit that is far
    from its maximum), where bounds hold most of a length, and where it would take too long with many points. Whichever
    engine made the fit, the closed form computes its objective. Bounded movement is forgotten: of the next fit, not of
    what this one knows.

    Args:
        fit: of the data.
        method, context: as in the fit.
        low, high: ends of the box, which are knots [D].
    """
    data = fit.data
    model = build_model(data, method, _LogGaps(int(data.gap_counts.sum())), gap_centre(data, method, context))
    theta = model.theta(fit.parameters)
    shares, lengths = np.zeros((data.dimension, model.warp.size)), np.zeros(data.dimension)
    for j, (knots, s, start) in enumerate(zip(data.knots, fit.coordinates, data.starts, strict=True)):
        first, last = np.searchsorted(knots, [low[j], high[j]])
        lengths[j] = s[last] - s[first]
        shares[j, start + first : start + last] = np.diff(s[first : last + 1]) / lengths[j]
    variance = _variances(model, theta, shares) if data.points else _prior_variances(model, shares)
    return LatentLengths(lengths, np.sqrt(variance))


def _prior_variances(model: Model, shares: Array) -> Array:
    """Return the prior variances of the log lengths [D]."""
    prior = model.input_prior
    return np.array([math.nan if prior is None else np.sum(prior.root(g) ** 2) for g in shares])


def _variances(model: Model, theta: Array, shares: Array) -> Array:
    """Return the variances of the log lengths after the data [D].

    Args:
        theta: with the logarithms of the gaps.
        shares: of each gap in the lengths [D, G].
    """
    metric, held, G = metric_at(model, theta), _held(model, theta), model.warp.size
    free = np.ones(len(theta))
    free[:G][held] = 0.0

    def curve(z: Array) -> Array:
        step = _DIFFERENCE / np.linalg.norm(z)
        way = step * free * metric.theta(z)
        difference = objective(model, theta - way)[1] - objective(model, theta + way)[1]
        return metric.pull_back(free * difference) / (2.0 * step)

    most = min(_MOST_STEPS, int(_MOST_WORK / len(shares) / model.data.points**3))
    variances = np.full(len(shares), math.nan)
    for j, share in enumerate(shares):
        if share[held].sum() <= _MOST_HELD:
            slope = np.zeros(len(theta))
            slope[:G] = share
            variances[j] = _inverse_form(curve, metric.pull_back(free * slope), most)
    return variances


def _held(model: Model, theta: Array) -> Array:
    """Return which input gaps stand at a bound, with an objective that rises beyond it [G]."""
    counts = model.data.gap_counts
    gaps = model.parameters(theta).gaps
    uphill = objective(model, theta)[1][: len(gaps)]
    at_low = gaps < np.repeat(smallest_gap(counts), counts) * (1.0 + INSIDE)
    at_high = gaps > LARGEST_GAP / (1.0 + INSIDE)
    return np.asarray(at_low & (uphill < 0.0) | at_high & (uphill > 0.0))


def _inverse_form(product: Callable[[Array], Array], b: Array, most: int) -> float:
    """Return ``b' A^-1 b`` by conjugate gradients; NaN where A is not positive, or in so many steps not solved for.

    Args:
        product: ``A x`` of x; A may be singular where b has no part.
        b: the right-hand side.
        most: steps.
    """
    form, residual, way = 0.0, b, b
    square = first = float(b @ b)
    for _ in range(most):
        image = product(way)
        curvature = float(way @ image)
        if not curvature > 0.0:
            return math.nan
        form += square * square / curvature
        residual = residual - square / curvature * image
        before, square = square, float(residual @ residual)
        if square <= _RESIDUAL**2 * first:
            return form
        way = residual + square / before * way
    return math.nan
