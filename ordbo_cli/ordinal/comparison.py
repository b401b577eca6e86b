"""The likelihood of comparisons: the probability that one of two noisy latent values is the lower one.

``p(i better than j | f) = Phi((f_j - f_i) / (sqrt(2) sigma))`` (Chu and Ghahramani 2005, "Preference learning with
Gaussian processes"): the noise of each is that of an evaluation. The difference is a Gaussian under q, so its
expectation is an integral in one dimension. A tie is both answers, with half the weight each.

======  =========================================================  =====
symbol  meaning                                                    shape
======  =========================================================  =====
m, v    means and variances of the compared latent values under q  [P]
c       their covariances                                          [P]
w       weight of each comparison                                  [P]
sigma   noise of one evaluation
======  =========================================================  =====
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy.special import log_ndtr

from ordbo_cli.ordinal.likelihood import gauss_hermite
from ordbo_cli.ordinal.linalg import Array

_NODES, _WEIGHTS = gauss_hermite()
_ROOT_2 = math.sqrt(2.0)
_LEAST_VARIANCE = 1e-12  # of the difference of two points that nearly coincide, where rounding is all that is left
_LOG_ROOT_2PI = 0.5 * math.log(2.0 * math.pi)


@dataclass(frozen=True)
class ComparisonTerms:
    """The expected log likelihood of P comparisons and its derivatives, each with its weight.

    Args:
        value: the sum.
        mean, variance: derivatives by mean and variance of ``f_j - f_i`` [P].
        sigma: derivative by sigma.
        curvature: minus the second derivatives by the means [P]; the sum is concave in them.
        sigma_curvature: minus the second derivative by sigma.
    """

    value: float
    mean: Array
    variance: Array
    sigma: float
    curvature: Array
    sigma_curvature: float


def comparison_terms(mean: Array, variance: Array, weight: Array, sigma: float) -> ComparisonTerms:
    """Return ``sum_p w_p E[log Phi(d_p / (sqrt(2) sigma))]`` under ``d_p ~ N(mean_p, variance_p)``.

    Args:
        mean, variance: of the latent value of the worse point less that of the better one [P].
        weight: of each comparison [P].
        sigma: latent noise of one evaluation.
    """
    scale, root = _ROOT_2 * sigma, np.sqrt(np.maximum(variance, _LEAST_VARIANCE))
    z = (mean[:, None] + root[:, None] * _NODES) / scale
    log_p = log_ndtr(z)
    hazard = np.exp(-0.5 * z * z - _LOG_ROOT_2PI - log_p)  # the slope of log_p, above 0
    bend = hazard * (z + hazard)  # minus its second derivative
    slope = weight * (hazard @ _WEIGHTS) / scale
    by_variance = weight * ((hazard * _NODES) @ _WEIGHTS) / (2.0 * root * scale)
    by_sigma = -float(weight @ ((hazard * z) @ _WEIGHTS)) / sigma
    twice = float(weight @ ((bend * z * z - 2.0 * hazard * z) @ _WEIGHTS)) / sigma**2
    value = float(weight @ (log_p @ _WEIGHTS))
    return ComparisonTerms(value, slope, by_variance, by_sigma, weight * (bend @ _WEIGHTS) / scale**2, twice)
