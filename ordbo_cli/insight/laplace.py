"""How surely the fit knows the latent length of each parameter: Laplace's approximation around it.

The objective (ELBO plus log prior of the gaps) stands for the log posterior of theta, with its quadratic at the fit.
The input gaps are taken by their logarithms, as in their prior, so ``log L_j`` has the slopes ``g_k = delta_k / L_j``,
and its variance is ``g' (-H)^-1 g``, H the Hessian by all of theta. A parameter whose levels have no order is as long
as its two levels that stand out most are apart, ``L_j^2 = delta_a^2 + delta_b^2``, with the slopes ``delta_k^2 /
L_j^2``. Means and spreads are among it, so that they follow where a length changes: it is the curvature of the profile
of ``log L_j``.

Gaps that stand at a bound and would go on beyond it are held there, as the profile holds them; where a maximum is at a
bound, the curvature does not say how far one may go from it. The linear systems are solved by conjugate gradients in
the coordinates of the fits' preconditioner, with differences of the gradient for the products with H. Both are at the
maximum that the fit was on its way to: where a warm fit ends, a tenth of a nat below it, the objective may still curve
up. The lengths are those of the fit, which chose the next point.

======  ===================================================  ==============
symbol  meaning                                              shape
======  ===================================================  ==============
theta   unconstrained numbers of the model                   [parts]
H       Hessian of the objective                             [parts, parts]
L_j     latent length of parameter j                         [K]
g       slopes of ``log L_j`` by the logarithms of the gaps  [G]
======  ===================================================  ==============
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from ordbo_cli.ordinal.data import OrdinalData
from ordbo_cli.ordinal.elbo import objective
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.fitting import FitContext, build_model, fit_tolerance, gap_centre
from ordbo_cli.ordinal.linalg import Array, IntArray
from ordbo_cli.ordinal.model import Model
from ordbo_cli.ordinal.optimise import lbfgs
from ordbo_cli.ordinal.preconditioner import preconditioner_at
from ordbo_cli.ordinal.warp import INSIDE, LARGEST_GAP, FreeGaps, smallest_gap
from ordbo_cli.problem.method import Method

NORMAL_95: Final = 1.96  # standard deviations of a normal to either end of its central 95 %
_DIFFERENCE: Final = 1e-4  # step of the differences, in the preconditioner's units, in which curvature is about 1
_RESIDUAL: Final = 1e-2  # relative, at which a solution ends; the variance is then right to its square
_MOST_STEPS: Final = 100  # of conjugate gradients for one parameter, and of the fit to its maximum
_MOST_WORK: Final = 6e9  # steps of all parameters together times the cube of M, about two seconds: 48 with 500 points
_FEWEST_STEPS: Final = 5  # for one parameter; where there is work for fewer, none is begun
_SPREADS: Final = 200  # parameters, the longest ones: of thousands a picture has room for some
_AT_BOUND: Final = 0.5 * INSIDE  # relative distance at which a gap stands at a bound: nearer than any prior's centre
_MOST_HELD: Final = 0.5  # share of a length in held gaps above which the length is where the bounds have it


@dataclass(frozen=True)
class LatentLengths:
    """How long the box is in the latent space, for each parameter.

    Args:
        length: from the lower to the upper end of the box, or between the two levels farthest apart [K].
        log_sd: standard deviation of the logarithm of a length [K]; NaN where it is not known.
    """

    length: Array
    log_sd: Array

    @property
    def interval(self) -> tuple[Array, Array]:
        """Lower and upper ends of the 95 % intervals [K]; NaN where they are not known."""
        factor = np.exp(NORMAL_95 * self.log_sd)
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


@dataclass(frozen=True)
class _Length:
    """A latent length: a sum of gaps, or the root of a sum of their squares.

    Args:
        gaps: places of the gaps that it is made of.
        power: 1 or 2.
    """

    gaps: IntArray
    power: int

    def of(self, gaps: Array) -> float:
        """Return it, given all gaps [G]."""
        return float(np.cumsum(gaps[self.gaps] ** self.power)[-1] ** (1.0 / self.power))

    def shares(self, gaps: Array) -> Array:
        """Return the slopes of its logarithm by those of the gaps, which add up to 1 [G]."""
        shares, parts = np.zeros(len(gaps)), gaps[self.gaps] ** self.power
        shares[self.gaps] = parts / parts.sum()
        return shares


def latent_lengths(
    fit: Fit, method: Method, context: FitContext, low: Array, high: Array, groups: Sequence[Sequence[int]] = ()
) -> LatentLengths:
    """Return the latent lengths of the box, and how surely the fit knows them.

    It is not known where the objective does not curve down from the maximum that the fit leads to (gaps without a
    prior, a saddle), where bounds hold most of a length, and where it would take too long, with many points, or of
    very many parameters for all but the longest. Whichever
    engine made the fit, the closed form computes its objective. Bounded movement is forgotten: of the next fit, not of
    what this one knows.

    Args:
        fit: of the data.
        method, context: as in the fit.
        low, high: ends of the box, which are knots [D].
        groups: the axes of each parameter: one, or those of its levels; none for an axis a parameter.
    """
    data = fit.data
    model = build_model(data, method, FreeGaps(tuple(data.gap_counts.tolist())), gap_centre(data, method, context))
    groups, gaps = groups or [[j] for j in range(data.dimension)], fit.parameters.gaps
    lengths = [_length(data, gaps, axes, low, high) for axes in groups]
    length = lengths_of(fit, low, high, groups)
    if data.points and _MOST_WORK / data.points**3 < _FEWEST_STEPS * len(groups):
        variance = np.full(len(groups), math.nan)
    elif data.points:
        longest = np.argsort(-length, kind="stable")[:_SPREADS]
        variance = _variances(*_at_maximum(model, fit), lengths, longest)
    else:
        variance = _prior_variances(model, [each.shares(gaps) for each in lengths])
    return LatentLengths(length, np.sqrt(variance))


def lengths_of(fit: Fit, low: Array, high: Array, groups: Sequence[Sequence[int]]) -> Array:
    """Return the lengths alone, which cost nothing [K]."""
    gaps = fit.parameters.gaps
    return np.array([_length(fit.data, gaps, axes, low, high).of(gaps) for axes in groups])


def _length(data: OrdinalData, gaps: Array, axes: Sequence[int], low: Array, high: Array) -> _Length:
    """Return the length along an axis inside the box, or from one to the other of the two levels that stand out most.

    Args:
        axes: of a parameter: one, or one a level, each of which has one gap.
    """
    if len(axes) > 1:
        places = data.starts[list(axes)]
        return _Length(places[np.argsort(-gaps[places], kind="stable")[:2]], 2)
    (j,) = axes
    first, last = data.starts[j] + np.searchsorted(data.knots[j], [low[j], high[j]])
    return _Length(np.arange(first, last), 1)


def _at_maximum(model: Model, fit: Fit) -> tuple[Model, Array]:
    """Return the model with a theta that has the logarithms of the gaps, and its maximum by the fit."""
    data, most = model.data, int(_MOST_WORK / model.data.points**3)
    start, tolerance = model.theta(fit.parameters), fit_tolerance(data, None)
    best = lbfgs(lambda theta: objective(model, theta), model, start, min(_MOST_STEPS, most), tolerance)
    free = replace(model, warp=_LogGaps(model.warp.size))
    return free, free.theta(model.parameters(best))


def _prior_variances(model: Model, shares: Sequence[Array]) -> Array:
    """Return the prior variances of the log lengths, given their slopes [K]."""
    prior = model.input_prior
    return np.array([math.nan if prior is None else np.sum(prior.root(g) ** 2) for g in shares])


def _variances(model: Model, theta: Array, lengths: Sequence[_Length], wanted: IntArray) -> Array:
    """Return the variances of the log lengths after the data [K], NaN for those that are not wanted.

    Args:
        theta: a maximum, with the logarithms of the gaps.
        lengths: which gaps each is made of.
        wanted: places of those that are looked at.
    """
    preconditioner, held, G = preconditioner_at(model, theta), _held(model, theta), model.warp.size
    free = np.ones(len(theta))
    free[:G][held] = 0.0

    def curve(z: Array) -> Array:
        step = _DIFFERENCE / np.linalg.norm(z)
        way = step * free * preconditioner.theta(z)
        difference = objective(model, theta - way)[1] - objective(model, theta + way)[1]
        return preconditioner.pull_back(free * difference) / (2.0 * step)

    most = min(_MOST_STEPS, int(_MOST_WORK / len(lengths) / model.data.points**3))
    variances = np.full(len(lengths), math.nan)
    gaps = model.parameters(theta).gaps
    for j in np.sort(wanted):
        share = lengths[j].shares(gaps)
        if share[held].sum() <= _MOST_HELD:
            slope = np.zeros(len(theta))
            slope[:G] = share
            variances[j] = _inverse_form(curve, preconditioner.pull_back(free * slope), most)
    return variances


def _held(model: Model, theta: Array) -> Array:
    """Return which input gaps stand at a bound, with an objective that rises beyond it [G]."""
    counts = model.data.gap_counts
    gaps = model.parameters(theta).gaps
    uphill = objective(model, theta)[1][: len(gaps)]
    at_low = gaps < np.repeat(smallest_gap(counts), counts) * (1.0 + _AT_BOUND)
    at_high = gaps > LARGEST_GAP / (1.0 + _AT_BOUND)
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
