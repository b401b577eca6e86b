"""The ordinal likelihood (Section 2.2; Chu and Ghahramani 2005): the probability that f plus noise falls in a bin.

``p(rank k | f) = Phi((b_k - f) / sigma) - Phi((b_{k-1} - f) / sigma)`` with ``b_0 = -inf`` and ``b_K = +inf``. The
paper prints ``y_i`` inside Phi; it is ``f(s_i)``. A censored result falls into a union of neighbouring bins, from its
rank to the worst that it may have: the upper edge is then that of the last of them.

Of a comparison it is the probability that one of two noisy latent values is the lower one, ``p(i better than j | f) =
Phi((f_j - f_i) / (sqrt(2) sigma))`` (Chu and Ghahramani 2005, "Preference learning with Gaussian processes"): the noise
of each is that of an evaluation, or of whoever judges. The difference is a Gaussian under q, so its expectation is an
integral in one dimension. A tie is both answers, with half the weight each.

======  ========================================================================  =======
symbol  meaning                                                                   shape
======  ========================================================================  =======
f       latent value of an evaluation; under q normal with mean m and variance v  [N]
b       bin edges, rising                                                         [K - 1]
sigma   noise on f, on the scale of the edges
k       rank, 0 the best                                                          [N]
w       weight of each comparison                                                 [P]
======  ========================================================================  =======
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import erfc, erfcx, log_ndtr

from ordbo_cli.ordinal.linalg import Array, IntArray

UNBOUNDED = 1e10  # stands for the infinite edges: its density is 0 and every product with it stays finite
_NARROW = 0.03  # of (|middle| + 1) width: the third term of the series is below 1e-15 there
_SQRT_HALF = math.sqrt(0.5)
_LOG_ROOT_2PI = 0.5 * math.log(2.0 * math.pi)


def log_bin_probability(lower: Array, upper: Array) -> Array:
    """Return ``log(Phi(upper) - Phi(lower))`` without cancellation in the tails.

    On one side of zero both tails are written with the scaled complementary error function, whose common factor
    ``exp(-lower^2 / 2)`` stays in logarithms; across zero the two outer tails are taken from one. A bin so narrow that
    either difference would cancel has the density at its middle times its width, and two terms of Taylor's series.

    Args:
        lower, upper: standardised edges, ``lower < upper``, at most ``UNBOUNDED`` in size, of one shape.
    """
    mirror = lower + upper < 0.0
    near = np.where(mirror, -upper, lower)
    far = np.where(mirror, -lower, upper)
    outside = 0.5 * (erfc(far * _SQRT_HALF) + erfc(-near * _SQRT_HALF))
    base = np.maximum(near, 0.0)
    shrink = np.exp(-0.5 * (far - base) * (far + base))
    scaled = 0.5 * (erfcx(base * _SQRT_HALF) - shrink * erfcx(far * _SQRT_HALF))
    tail = near > 0.0
    width, middle = far - near, 0.5 * (far + near)
    narrow = (middle + 1.0) * width < _NARROW
    wide = np.where(
        tail,
        np.log(np.where(tail & ~narrow, scaled, 1.0)) - 0.5 * base * base,
        np.log1p(-np.where(tail | narrow, 0.0, outside)),
    )
    squares, widths = middle * middle, np.where(narrow, width * width, 0.0)
    series = (squares - 1.0) / 24.0 * widths + (squares * (squares - 6.0) + 3.0) / 1920.0 * widths * widths
    taylor = np.log(np.where(narrow, width, 1.0)) - 0.5 * squares - _LOG_ROOT_2PI + np.log1p(series)
    return np.where(narrow, taylor, wide)


def padded(edges: Array) -> Array:
    """Return the edges ``b_0 .. b_K`` [K + 1] of finite edges [K - 1], the infinite ones as ``UNBOUNDED``."""
    return np.concatenate([[-UNBOUNDED], edges, [UNBOUNDED]])


def gauss_hermite(nodes: int = 20) -> tuple[Array, Array]:
    """Return abscissae and weights such that ``sum w_i g(x_i)`` is the mean of g under a standard normal."""
    x, w = np.polynomial.hermite.hermgauss(nodes)
    return x * math.sqrt(2.0), w / math.sqrt(math.pi)


_NODES, _WEIGHTS = gauss_hermite()


@dataclass(frozen=True)
class _AtNodes:
    """The likelihood at the quadrature's nodes [N, nodes].

    Args:
        lower, upper: standardised edges of each evaluation's bin.
        log_p: log probability of the bin.
        at_lower, at_upper: normal densities at its edges, over its probability.
    """

    lower: Array
    upper: Array
    log_p: Array
    at_lower: Array
    at_upper: Array


def _at_nodes(mean: Array, root: Array, rank: IntArray, worst: IntArray, edges: Array, sigma: float) -> _AtNodes:
    b = padded(edges)
    f = mean[:, None] + root[:, None] * _NODES
    upper = np.minimum((b[worst + 1][:, None] - f) / sigma, UNBOUNDED)
    lower = np.maximum((b[rank][:, None] - f) / sigma, -UNBOUNDED)
    log_p = log_bin_probability(lower, upper)
    at_upper = np.exp(-0.5 * upper * upper - _LOG_ROOT_2PI - log_p)
    at_lower = np.exp(-0.5 * lower * lower - _LOG_ROOT_2PI - log_p)
    return _AtNodes(lower, upper, log_p, at_lower, at_upper)


def expected_log_likelihood(
    mean: Array, variance: Array, rank: IntArray, edges: Array, sigma: float, worst: IntArray | None = None
) -> tuple[float, Array, Array, Array, float]:
    """Return ``sum_i E[log p(rank_i | f_i)]`` under ``f_i ~ N(mean_i, variance_i)`` and its derivatives.

    Args:
        mean, variance: of each evaluation's latent value [N].
        rank: 0 .. K - 1 [N].
        edges: finite bin edges, increasing [K - 1].
        sigma: latent noise.
        worst: the last bin that each may be in [N]; None where each has one bin.

    Returns:
        The sum; its derivatives by mean [N], variance [N], edges [K - 1] and sigma.
    """
    worst = rank if worst is None else worst
    root = np.sqrt(variance)
    at = _at_nodes(mean, root, rank, worst, edges, sigma)
    by_f = (at.at_lower - at.at_upper) / sigma
    K = len(edges) + 1
    by_edge = _sums(worst + 1, at.at_upper @ _WEIGHTS, K + 1) - _sums(rank, at.at_lower @ _WEIGHTS, K + 1)
    by_sigma = float(np.sum((at.at_lower * at.lower - at.at_upper * at.upper) @ _WEIGHTS)) / sigma
    by_variance = (by_f * _NODES) @ _WEIGHTS / (2.0 * root)
    return float(np.sum(at.log_p @ _WEIGHTS)), by_f @ _WEIGHTS, by_variance, by_edge[1:-1] / sigma, by_sigma


@dataclass(frozen=True)
class Curvature:
    """Minus the second derivatives of the expected log likelihood, which is concave in means and edges together.

    Args:
        mean: by each evaluation's mean twice [N].
        lower, upper: by its mean and the edge below and above its bin [N]; 0 where that edge is infinite.
        edges: by each edge twice [K - 1].
        between: by the edges below and above each evaluation's bin [N]; 0 where one of them is infinite.
        sigma: by sigma twice.
    """

    mean: Array
    lower: Array
    upper: Array
    edges: Array
    between: Array
    sigma: float


def expected_curvature(
    mean: Array, variance: Array, rank: IntArray, edges: Array, sigma: float, worst: IntArray | None = None
) -> Curvature:
    """Return the curvature of :func:`expected_log_likelihood`, whose arguments these are."""
    worst = rank if worst is None else worst
    at = _at_nodes(mean, np.sqrt(variance), rank, worst, edges, sigma)
    a, c = at.at_upper, at.at_lower
    ua, lc = at.upper * a, at.lower * c
    K, s2 = len(edges) + 1, sigma * sigma
    upper_twice = (ua + a * a) @ _WEIGHTS / s2
    lower_twice = (c * c - lc) @ _WEIGHTS / s2
    between = (a * c) @ _WEIGHTS / s2
    tails = lc - ua
    by_sigma = (ua * at.upper * at.upper - lc * at.lower * at.lower + tails * (tails + 2.0)) @ _WEIGHTS / s2
    return Curvature(
        mean=lower_twice + upper_twice - 2.0 * between,
        lower=between - lower_twice,
        upper=between - upper_twice,
        edges=(_sums(worst + 1, upper_twice, K + 1) + _sums(rank, lower_twice, K + 1))[1:-1],
        between=-between,
        sigma=float(by_sigma.sum()),
    )


def _sums(place: IntArray, values: Array, length: int) -> Array:
    """Return sums of values [N] by place [length]."""
    return np.bincount(place, values, length).astype(np.float64)


_ROOT_2 = math.sqrt(2.0)
_LEAST_VARIANCE = 1e-12  # of the difference of two points that nearly coincide, where rounding is all that is left


@dataclass(frozen=True)
class ComparisonTerms:
    """The expected log likelihood of P comparisons and its derivatives, each with its weight.

    Args:
        value: the sum.
        mean, variance: derivatives by mean and variance of ``f_j - f_i`` [P].
        sigma: derivatives by each sigma [scales].
        curvature: minus the second derivatives by the means [P]; the sum is concave in them.
        sigma_curvature: minus the second derivatives by each sigma [scales].
    """

    value: float
    mean: Array
    variance: Array
    sigma: Array
    curvature: Array
    sigma_curvature: Array


def comparison_terms(mean: Array, variance: Array, weight: Array, sigmas: Array, scale: IntArray) -> ComparisonTerms:
    """Return ``sum_p w_p E[log Phi(d_p / (sqrt(2) sigma_p))]`` under ``d_p ~ N(mean_p, variance_p)``.

    Args:
        mean, variance: of the latent value of the worse point less that of the better one [P].
        weight: of each comparison [P].
        sigmas: latent noise of one evaluation, on each scale [scales].
        scale: which of these each comparison has [P].
    """
    sigma, root = sigmas[scale], np.sqrt(np.maximum(variance, _LEAST_VARIANCE))
    unit = _ROOT_2 * sigma
    z = (mean[:, None] + root[:, None] * _NODES) / unit[:, None]
    log_p = log_ndtr(z)
    hazard = np.exp(-0.5 * z * z - _LOG_ROOT_2PI - log_p)  # the slope of log_p, above 0
    bend = hazard * (z + hazard)  # minus its second derivative
    slope = weight * (hazard @ _WEIGHTS) / unit
    by_variance = weight * ((hazard * _NODES) @ _WEIGHTS) / (2.0 * root * unit)
    pull, twice = (hazard * z) @ _WEIGHTS, (bend * z * z - 2.0 * hazard * z) @ _WEIGHTS
    by_sigma, by_sigma_twice = np.zeros((2, len(sigmas)))
    for k in np.unique(scale).tolist():
        on = scale == k
        by_sigma[k] = -float(weight[on] @ pull[on]) / sigmas[k]
        by_sigma_twice[k] = float(weight[on] @ twice[on]) / sigmas[k] ** 2
    value = float(weight @ (log_p @ _WEIGHTS))
    return ComparisonTerms(value, slope, by_variance, by_sigma, weight * (bend @ _WEIGHTS) / unit**2, by_sigma_twice)
