"""Section 4 and appendices A.1 and A.2 of the paper as functions: the schedule of beta, the gain, the bound on regret.

Notation: n evaluations in D dimensions; S the latent box, whose axis j is ``lengths[j]`` long at lengthscale 1. Scaled
to the unit box it has the same kernel with lengthscales ``1 / lengths``, so gains and variances are the same in both;
smoothness and movement are those of the unit box. nu is the smoothness of a Matern kernel. What of all this is proved,
and where the paper is wrong, is in docs/theory.md.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

import numpy as np

from ordbo_cli.errors import ProblemError
from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.ordinal.kernels import KERNELS, distances
from ordbo_cli.ordinal.linalg import cholesky
from ordbo_cli.problem.method import BetaSchedule, Kernel

CONSTANT_REGRET: Final = math.pi**2 / 6.0  # C3: the sum of 1 / n^2, what the discretisation costs
GREEDY: Final = 1.0 - 1.0 / math.e  # least share of the best gain that the greedy choice has
_CANDIDATES: Final = 1024  # of the greedy choice, at least


@dataclass(frozen=True)
class Smoothness:
    """Constants of Assumption 1 on the unit box: ``P(sup |df / ds_j| > L) <= c1 exp(-L^2 / c2^2)`` for each j.

    Args:
        c1: at least 1, as the probability is 1 at L = 0.
        c2: in units of f over the whole axis.
    """

    c1: float
    c2: float


def smoothness(kernel: Kernel, lengths: Array) -> Smoothness:
    """Return constants for draws of the prior.

    A draw's slope along axis j is a Gaussian process of variance ``lengths[j]^2 nu / (nu - 1)`` (for Matern 3/2 three
    times the square, for the squared exponential once), so its supremum has Gaussian tails around its expectation m
    (Borell 1975, Tsirelson et al. 1976): ``P(sup > L) <= 2 exp(-(L - m)^2 / (2 s^2))``, s the largest standard
    deviation. Completing the square gives ``c2 = 2 s`` and ``c1 = 2 exp(m^2 / (2 s^2))``. For m this takes
    ``s sqrt(2 log prod(1 + sqrt(3) lengths))``, and adds the sign of the slope: an estimate from the number of
    independent places in the box, which simulation confirms, and no proof.

    Args:
        kernel: prior covariance of the latent function.
        lengths: of the box in the latent space [D].

    Raises:
        ProblemError: the draws of this kernel have no slope (Matern 1/2).
    """
    s = float(np.max(lengths)) * math.sqrt(slope_variance(kernel))
    with np.errstate(over="ignore"):  # of thousands of parameters
        places = float(np.prod(1.0 + math.sqrt(3.0) * lengths))
    return Smoothness(4.0 * places, 2.0 * s)


def slope_variance(kernel: Kernel) -> float:
    """Return the variance of a draw's slope at lengthscale 1, ``-k''(0)``.

    Raises:
        ProblemError: there is none.
    """
    nu = _nu(kernel)
    if nu <= 1.0:
        raise ProblemError(f"draws of kernel {kernel} have no slope", "Take matern32, matern52 or rbf")
    return 1.0 if math.isinf(nu) else nu / (nu - 1.0)


def beta(n: int, dimension: int, smooth: Smoothness, delta: float) -> float:
    """Return ``beta_n`` of Lemma 1, whose root multiplies the standard deviation.

    ``2 log(2 pi^2 n^2 / (3 delta)) + 4 D log(n max(1, D c2 sqrt(log(2 D c1 / delta))))``: the paper has no maximum, and
    without it the lemma does not hold for functions that hardly change.

    Args:
        n: number of the evaluation that is chosen with it, from 1.
        dimension: D.
        smooth: constants on the unit box.
        delta: probability with which the lemma's bound may fail, in (0, 1].
    """
    slope = dimension * smooth.c2 * math.sqrt(math.log(2.0 * dimension * smooth.c1 / delta))
    union = 2.0 * math.log(2.0 * math.pi**2 * n**2 / (3.0 * delta))
    return union + 4.0 * dimension * math.log(n * max(1.0, slope))


def scheduled_beta(schedule: BetaSchedule, n: int, kernel: Kernel, lengths: Array) -> float:
    """Return ``beta_n`` of a method's schedule, without its scale.

    Args:
        schedule: its constants; those that it leaves open follow from the kernel and the lengths.
        n: number of the evaluation that is chosen with it, from 1.
        kernel: prior covariance of the latent function.
        lengths: of the box in the latent space [D].

    Raises:
        ProblemError: the draws of this kernel have no slope.
    """
    return beta(n, len(lengths), assumed(schedule, kernel, lengths), schedule.delta)


def assumed(schedule: BetaSchedule, kernel: Kernel, lengths: Array) -> Smoothness:
    """Return the constants of a schedule; those that it leaves open follow from the kernel and the lengths.

    Args and raises as :func:`scheduled_beta` has them.
    """
    known = smoothness(kernel, lengths)
    return Smoothness(schedule.c1 or known.c1, schedule.c2 or known.c2)


def multiplier(schedule: BetaSchedule, n: int, kernel: Kernel, lengths: Array) -> float:
    """Return the multiplier of the standard deviation in the lower confidence bound, ``sqrt(scale beta_n)``.

    Args and raises as :func:`scheduled_beta` has them.
    """
    return math.sqrt(schedule.scale) * math.sqrt(scheduled_beta(schedule, n, kernel, lengths))  # no product overflows


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


def _nu(kernel: Kernel) -> float:
    """Return the smoothness of a kernel: half the degrees of freedom of its spectral density."""
    df = KERNELS[kernel].spectral_df
    return math.inf if df is None else 0.5 * df


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
