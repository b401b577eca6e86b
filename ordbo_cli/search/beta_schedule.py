"""The multiplier of the lower confidence bound by Lemma 1 of the paper, with the constants of its assumption.

Notation: n evaluations in D dimensions; S the latent box, whose axis j is ``lengths[j]`` long at lengthscale 1. Scaled
to the unit box it has the same kernel with lengthscales ``1 / lengths``; smoothness is that of the unit box. nu is the
smoothness of a Matern kernel. What of all this is proved, and where the paper is wrong, is in docs/theory.md.

======  =======================================================  =====
symbol  meaning                                                  shape
======  =======================================================  =====
n       evaluations
D       latent axes
L_j     latent length of the box along axis j, at lengthscale 1  [D]
beta_n  its root multiplies the standard deviation
delta   probability with which the lemma may fail
c1, c2  constants of the smoothness assumption, on the unit box
nu      smoothness of a Matern kernel
======  =======================================================  =====
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ordbo_cli.errors import ProblemError
from ordbo_cli.ordinal.kernels import KERNELS
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem.method import BetaSchedule, Kernel


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
    nu = smoothness_index(kernel)
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


def smoothness_index(kernel: Kernel) -> float:
    """Return the smoothness of a kernel: half the degrees of freedom of its spectral density."""
    df = KERNELS[kernel].spectral_df
    return math.inf if df is None else 0.5 * df
