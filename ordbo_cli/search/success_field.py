"""The chance that a point succeeds: a probit model of successes and failures, by Laplace's approximation.

======  ====================================================  ======
symbol  meaning                                               shape
======  ====================================================  ======
S       latent points, in units of the field's lengthscale    [N, D]
t       1 for a success, -1 for a failure                     [N]
f       the field, ``offset + AMPLITUDE g``, where g is a GP  [N]
K       prior covariance of ``AMPLITUDE g``                   [N, N]
W       curvature of minus the log likelihood at the mode     [N]
======  ====================================================  ======

Source: C. Rasmussen and C. Williams, "Gaussian Processes for Machine Learning" (2006), algorithms 3.1 and 3.2.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from scipy.linalg import cho_solve
from scipy.special import log_ndtr, ndtr, ndtri

from ordbo_cli.ordinal.kernels import JITTER, KERNELS, distances
from ordbo_cli.ordinal.linalg import Array, BoolArray, cholesky, inverse
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.problem.method import Kernel

LENGTHSCALE: Final = 2.0  # of the field, in the latent space of the results
AMPLITUDE: Final = 3.0  # of it, in units of the probit: most places are sure to succeed, or to fail
_KERNEL: Final[Kernel] = "matern32"
_STEPS: Final = 50  # of Newton
_ENOUGH: Final = 1e-6  # change of the field at which it ends
_LOG_ROOT_2PI: Final = 0.5 * math.log(2.0 * math.pi)


@dataclass(frozen=True)
class SuccessField:
    """The field whose probit is the chance of a success.

    Args:
        posterior: of g, over latent points in units of the lengthscale.
        offset: the field's prior mean.
    """

    posterior: Posterior
    offset: float

    def at(self, s: Array, columns: Sequence[int]) -> SuccessField:
        """Return the field along some axes, all others held (as :meth:`Posterior.at` holds them)."""
        return replace(self, posterior=self.posterior.at(s / LENGTHSCALE, columns))

    def chances(self, s: Array) -> Array:
        """Return the chances of a success [P] at latent points [P, D]."""
        return np.asarray(ndtr(self.scores_with_gradients(s)[0]))

    def scores_with_gradients(self, s: Array) -> tuple[Array, Array]:
        """Return the probits of these chances [P] and their gradients [P, D]."""
        mean, variance, by_mean, by_variance = self.posterior.moments_with_gradients(s / LENGTHSCALE)
        spread = np.sqrt(1.0 + AMPLITUDE**2 * variance)
        score = (self.offset + AMPLITUDE * mean) / spread
        by_spread = (0.5 * AMPLITUDE**2 / spread)[:, None] * by_variance
        return score, (AMPLITUDE * by_mean - score[:, None] * by_spread) / (spread[:, None] * LENGTHSCALE)


def fit_success(s: Array, succeeded: BoolArray) -> SuccessField:
    """Return the field that some evaluations speak for; where none is near, the share of them that succeeded counts.

    Args:
        s: their latent points [N, D].
        succeeded: which of them have succeeded [N].
    """
    S, N = s / LENGTHSCALE, len(s)
    offset = float(ndtri((succeeded.sum() + 1) / (N + 2))) * math.sqrt(1.0 + AMPLITUDE**2)
    K = AMPLITUDE**2 * KERNELS[_KERNEL].value(distances(S, S))
    K.flat[:: N + 1] += JITTER
    t, g = np.where(succeeded, 1.0, -1.0), np.zeros(N)
    for _ in range(_STEPS):
        slope, W = _derivatives(t, offset + g)
        root = np.sqrt(W)
        B = root[:, None] * K * root
        B.flat[:: N + 1] += 1.0
        L = cholesky(B)
        b = W * g + slope
        last, g = g, K @ (b - root * cho_solve((L, True), root * (K @ b)))
        if np.abs(g - last).max() < _ENOUGH:
            break
    slope, _ = _derivatives(t, offset + g)
    Q = root[:, None] * inverse(L) * root  # (K + W^-1)^-1
    return SuccessField(Posterior(S, AMPLITUDE * slope, AMPLITUDE**2 * Q, _KERNEL), offset)


def _derivatives(t: Array, f: Array) -> tuple[Array, Array]:
    """Return the first and minus the second derivatives of ``log Phi(t f)`` by f [N]."""
    z = t * f
    hazard = np.exp(-0.5 * z * z - _LOG_ROOT_2PI - log_ndtr(z))
    return t * hazard, hazard * (z + hazard)
