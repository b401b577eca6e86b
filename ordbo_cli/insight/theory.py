"""Section 4 and appendices A.1 and A.2 of the paper as functions: the gain, the bound on regret.

Notation: n evaluations in D dimensions; S the latent box, whose axis j is ``lengths[j]`` long at lengthscale 1. Scaled
to the unit box it has the same kernel with lengthscales ``1 / lengths``, so gains and variances are the same in both;
smoothness and movement are those of the unit box. nu is the smoothness of a Matern kernel. What of all this is proved,
and where the paper is wrong, is in docs/theory.md.

============  ============================================================  ======
symbol        meaning                                                       shape
============  ============================================================  ======
n, N          evaluations
D             dimensions
L_j           latent length of the box along axis j, at lengthscale 1       [D]
K             prior covariance of the points                                [N, N]
sigma         latent noise
I_n, gamma_n  information gain of n points, and its maximum, in nats
V_n           sum of the variances of n points, each given those before it
Delta_n       how far a point moves at n rows, in the unit box
============  ============================================================  ======
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from ordbo_cli.ordinal.kernels import KERNELS, distances
from ordbo_cli.ordinal.linalg import Array, cholesky
from ordbo_cli.problem.method import Kernel

CONSTANT_REGRET: Final = math.pi**2 / 6.0  # C3: the sum of 1 / n^2, what the discretisation costs
GREEDY: Final = 1.0 - 1.0 / math.e  # least share of the best gain that the greedy choice has
_CANDIDATES: Final = 1024  # of the greedy choice, at least


def covariance(kernel: Kernel, S: Array) -> Array:
    """Return the prior covariance of latent points S [N, D], without jitter [N, N]."""
    return KERNELS[kernel].value(distances(S, S))


def information_gain(K: Array, sigma: float) -> float:
    """Return ``I_n = 0.5 log |I + K / sigma^2|`` in nats: what n noisy values tell of the latent function.

    Args:
        K: prior covariance of the points [N, N].
        sigma: standard deviation of the latent noise.
    """
    return chained_gain(conditional_variances(K, sigma), sigma)


def chained_gain(variances: Array, sigma: float) -> float:
    """Return the information gain in nats by the chain rule of the determinant (Lemma 5.3 of Srinivas et al. 2010).

    Args:
        variances: at each point given noisy values at those before it [N].
        sigma: standard deviation of the latent noise.
    """
    return float(0.5 * np.log1p(variances / sigma**2).sum())


def conditional_variances(K: Array, sigma: float) -> Array:
    """Return ``sigma_{i-1}^2(s_i)``: the variance at each point given noisy values at those before it [N].

    Their sum is the cumulative variance ``V_N``, and :func:`chained_gain` of them the information gain, for points that
    stay where they are.
    """
    noisy = K / sigma**2
    noisy.flat[:: len(K) + 1] += 1.0
    root = cholesky(noisy)
    return np.maximum(root.diagonal() ** 2 - 1.0, 0.0) * sigma**2


def greedy_gains(kernel: Kernel, lengths: Array, sigma: float, most: int) -> Array:
    """Return the gains of the first 1, 2, ... of points chosen greedily, each where the variance is largest [most].

    The maximal gain ``gamma_n`` over the same candidates is at least this, and at most this over 1 - 1 / e, as the gain
    is submodular (Nemhauser et al. 1978, Krause and Guestrin 2005); the candidates fill the box, ends included.

    Args:
        kernel: prior covariance of the latent function.
        lengths: of the box in the latent space [D].
        sigma: standard deviation of the latent noise.
        most: the largest n.
    """
    S = _candidates(len(lengths), max(_CANDIDATES, 4 * most)) * lengths
    columns = np.zeros((most, len(S)))
    variance = np.ones(len(S))
    gains = np.zeros(most)
    for n in range(most):
        place = int(np.argmax(variance))
        gains[n] = 0.5 * math.log1p(variance[place] / sigma**2)
        k = KERNELS[kernel].value(distances(S[[place]], S))[0]
        columns[n] = (k - columns[:n, place] @ columns[:n]) / math.sqrt(variance[place] + sigma**2)
        variance = np.maximum(variance - columns[n] ** 2, 0.0)
    return np.cumsum(gains)


def most_gain(greedy: Array, sigma: float) -> Array:
    """Return an upper bound of the maximal gain for n = 1, 2, ... [N], given the gains of the greedy choice [N].

    It is the greedy gain over 1 - 1 / e, or Hadamard's bound ``n / 2 log(1 + 1 / sigma^2)`` where that is lower.
    """
    n = np.arange(1, len(greedy) + 1)
    return np.minimum(greedy / GREEDY, 0.5 * n * math.log1p(1.0 / sigma**2))


def _candidates(dimension: int, number: int) -> Array:
    """Return points of the unit box, a tenth of each axis pressed onto either end [P, D].

    A Kronecker sequence of the powers of the generalised golden ratio (Roberts 2018): even in all dimensions.
    """
    ratio = 2.0
    for _ in range(60):
        ratio = (1.0 + ratio) ** (1.0 / (dimension + 1))
    steps = ratio ** -np.arange(1.0, dimension + 1)
    return np.clip(1.2 * ((0.5 + np.arange(1, number + 1)[:, None] * steps) % 1.0) - 0.1, 0.0, 1.0)


def matern_rate(n: int, dimension: int, nu: float) -> float:
    """Return ``n^(D / (2 nu + D)) (log n)^(2 nu / (2 nu + D))`` (Vakili, Khezeli and Picheny 2021)."""
    share = dimension / (2.0 * nu + dimension)
    return math.pow(n, share) * math.pow(math.log(n), 1.0 - share)


RATES: Final[Mapping[str, Callable[[int, int], float]]] = {
    "finite spectrum": lambda n, dimension: dimension * math.log(n),
    "squared exponential": lambda n, dimension: math.log(n) ** (dimension + 1),
    "Matern 1/2": lambda n, dimension: matern_rate(n, dimension, 0.5),
    "Matern 3/2": lambda n, dimension: matern_rate(n, dimension, 1.5),
    "Matern 5/2": lambda n, dimension: matern_rate(n, dimension, 2.5),
}
"""How the maximal gain grows with n in D dimensions, but for a constant factor: the two rates that the paper cites from
Srinivas et al. (2010), and the Matern rate of the literature. They say nothing at a single n."""

RATE_OF: Final[Mapping[Kernel, str]] = {
    "matern12": "Matern 1/2",
    "matern32": "Matern 3/2",
    "matern52": "Matern 5/2",
    "rbf": "squared exponential",
}


@dataclass(frozen=True)
class RegretBound:
    """Theorem 1: ``R_N <= sqrt(4 N beta_N (C1 gamma_N + C2 (1 + log N))) + C3``.

    ``C1 = 2 / log(1 + 1 / sigma^2)`` and ``C2 = C^2 D^2 / log(1 + 1 / sigma^2)``; ``C3 = pi^2 / 6``. The paper prints
    ``C d`` for ``C^2 D^2``, and ``log(N + 1)`` for the sum of 1 / n, which is larger than that.

    Args:
        sigma: standard deviation of the latent noise.
        drift: C of the movement bound; 0 for points that stay where they are.
        dimension: D.
    """

    sigma: float
    drift: float
    dimension: int

    @property
    def gain_constant(self) -> float:
        """C1."""
        return 2.0 / math.log1p(1.0 / self.sigma**2)

    @property
    def movement_constant(self) -> float:
        """C2."""
        return (self.drift * self.dimension) ** 2 / math.log1p(1.0 / self.sigma**2)

    def variance(self, n: int, gain: float) -> float:
        """Return the bound of Lemma 2 on the cumulative variance, given the gain or a bound of it."""
        return self.gain_constant * gain + self.movement_constant * (1.0 + math.log(n))

    def regret(self, n: int, gain: float, beta_n: float) -> float:
        """Return the bound on the cumulative latent regret of n evaluations.

        Args:
            n: number of evaluations, N.
            gain: the maximal gain ``gamma_N``, or a bound of it.
            beta_n: of Lemma 1 at N.
        """
        return math.sqrt(4.0 * n * beta_n * self.variance(n, gain)) + CONSTANT_REGRET


def claimed_gain_loss(n: int, movement: float) -> float:
    """Return ``n Delta_n^2 / 2``: what a movement by Delta_n may take from the gain by the unproved step of A.2."""
    return 0.5 * n * movement**2


def log_log_slope(n: Array, values: Array) -> float:
    """Return the slope of the line through positive values on log-log axes: growth is sublinear where it is below 1.

    Args:
        n: numbers of evaluations [P], at least two.
        values: at them [P].
    """
    return float(np.polyfit(np.log(n), np.log(values), 1)[0])
