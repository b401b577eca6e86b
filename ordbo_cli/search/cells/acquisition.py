"""What a latent point is worth (Section 3.1): functions to be minimised, with gradients, over all cells at once.

A cell is worth the best value inside it. The paper says that LCB chooses the cell that maximises it; it is the one that
minimises it.

=======  ==================================================================  ================
symbol   meaning                                                             shape
=======  ==================================================================  ================
s        latent points                                                       [P, D]
mu, sd   mean and standard deviation there                                   [P]
beta     multiplier of the standard deviation
y*       lowest mean at a known point, which an improvement is counted from
w, b, c  frequencies, phases and weights of a function sample                [F, D], [F], [F]
=======  ==================================================================  ================
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np
from scipy.special import erfcx, expit, ndtr

from ordbo_cli.ordinal.kernels import KERNELS, distances
from ordbo_cli.ordinal.linalg import Array, cholesky
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.search.success_field import SuccessField

_ROOT_HALF_PI = math.sqrt(0.5 * math.pi)
_LOG_ROOT_2PI = 0.5 * math.log(2.0 * math.pi)
_FEATURES = 1000  # random Fourier features of a function sample
_DOUBTFUL = -0.6  # probit of the chance to succeed, 27%, below which a place costs something
_COST = 4.0  # of a place by how far it is below, in units of the prior's standard deviation
_BEND = 0.125  # over which the cost sets in


class Acquisition(Protocol):
    """A function of latent points, small where it is worth evaluating."""

    @property
    def posterior(self) -> Posterior:
        """The posterior that it judges by."""
        ...

    def values(self, s: Array) -> Array:
        """Return values [P] at latent points [P, D]."""
        ...

    def values_with_gradients(self, s: Array) -> tuple[Array, Array]:
        """Return values [P] and their gradients [P, D]."""
        ...


@dataclass(frozen=True)
class LowerConfidenceBound:
    """``lcb(s) = mu(s) - beta sd(s)``.

    Args:
        posterior: of the latent function.
        beta: multiplier of the standard deviation.
    """

    posterior: Posterior
    beta: float

    def values(self, s: Array) -> Array:
        """Return values [P] at latent points [P, D]."""
        mean, variance = self.posterior.moments(s)
        return mean - self.beta * np.sqrt(variance)

    def values_with_gradients(self, s: Array) -> tuple[Array, Array]:
        """Return values [P] and their gradients [P, D]."""
        mean, variance, by_mean, by_variance = self.posterior.moments_with_gradients(s)
        sd = np.sqrt(variance)
        return mean - self.beta * sd, by_mean - (0.5 * self.beta / sd)[:, None] * by_variance


@dataclass(frozen=True)
class NegativeLogImprovement:
    """Minus the logarithm of the expected improvement on an incumbent (Jones, Schonlau and Welch 1998).

    Args:
        posterior: of the latent function.
        incumbent: the lowest posterior mean at the data.
    """

    posterior: Posterior
    incumbent: float

    def values(self, s: Array) -> Array:
        """Return values [P] at latent points [P, D]."""
        mean, variance = self.posterior.moments(s)
        sd = np.sqrt(variance)
        return -np.log(sd) - log_improvement((self.incumbent - mean) / sd)[0]

    def values_with_gradients(self, s: Array) -> tuple[Array, Array]:
        """Return values [P] and their gradients [P, D]."""
        mean, variance, by_mean, by_variance = self.posterior.moments_with_gradients(s)
        sd = np.sqrt(variance)
        z = (self.incumbent - mean) / sd
        log_h, slope = log_improvement(z)
        by_sd = by_variance / (2.0 * sd)[:, None]
        gradient = (slope / sd)[:, None] * by_mean + ((z * slope - 1.0) / sd)[:, None] * by_sd
        return -np.log(sd) - log_h, gradient


@dataclass(frozen=True)
class Wary:
    """Another acquisition, plus a cost of places that are more likely to fail than is worth a look.

    The cost rises in proportion to how far the probit of the chance to succeed lies below an edge. It leaves the edges
    of what fails alone, where half of all looks fail, and has to.

    Args:
        base: the other one.
        success: the chances to succeed.
    """

    base: Acquisition
    success: SuccessField

    @property
    def posterior(self) -> Posterior:
        """The posterior of the other one."""
        return self.base.posterior

    def values(self, s: Array) -> Array:
        """Return values [P] at latent points [P, D]."""
        return self.base.values(s) + self._cost(s)[0]

    def values_with_gradients(self, s: Array) -> tuple[Array, Array]:
        """Return values [P] and their gradients [P, D]."""
        value, gradient = self.base.values_with_gradients(s)
        cost, slope = self._cost(s)
        return value + cost, gradient + slope

    def _cost(self, s: Array) -> tuple[Array, Array]:
        score, slope = self.success.scores_with_gradients(s)
        below = (_DOUBTFUL - score) / _BEND
        return _COST * _BEND * np.logaddexp(0.0, below), -(_COST * expit(below))[:, None] * slope


def log_improvement(z: Array) -> tuple[Array, Array]:
    """Return ``log(phi(z) + z Phi(z))`` and its derivative, without underflow for z far below zero."""
    far = np.minimum(z, -1.0)
    ratio = _ROOT_HALF_PI * erfcx(-far * math.sqrt(0.5))  # Phi / phi
    share = np.where(far > -1e3, 1.0 + far * ratio, 1.0 / (far * far))
    log_phi = -0.5 * z * z - _LOG_ROOT_2PI
    near = np.exp(-0.5 * np.maximum(z, -1.0) ** 2 - _LOG_ROOT_2PI) + np.maximum(z, -1.0) * ndtr(np.maximum(z, -1.0))
    below = z < -1.0
    value = np.where(below, log_phi + np.log(share), np.log(near))
    return value, np.where(below, ratio / share, ndtr(z) / near)


@dataclass(frozen=True)
class FunctionSample:
    """A draw of the latent function, by Matheron's rule: a draw of the prior, corrected at the points it rests on.

    Args:
        posterior: of the latent function.
        frequencies: of the prior draw's cosines [F, D].
        phases: of them [F].
        amplitudes: of them [F].
        correction: weights of the covariances with the posterior's points [M].
    """

    posterior: Posterior
    frequencies: Array
    phases: Array
    amplitudes: Array
    correction: Array

    def at(self, s: Array, columns: Sequence[int]) -> FunctionSample:
        """Return the same draw along some axes, all others held (as :meth:`Posterior.at` holds them)."""
        held = np.setdiff1d(np.arange(len(s)), columns)
        phases = self.phases + self.frequencies[:, held] @ s[held]
        kept = self.frequencies[:, list(columns)]
        return replace(self, posterior=self.posterior.at(s, columns), frequencies=kept, phases=phases)

    def values(self, s: Array) -> Array:
        """Return values [P] at latent points [P, D]."""
        return self.values_with_gradients(s)[0]

    def values_with_gradients(self, s: Array) -> tuple[Array, Array]:
        """Return values [P] and their gradients [P, D]."""
        functions = KERNELS[self.posterior.kernel]
        r = self.posterior.distances(s)
        angle = s @ self.frequencies.T + self.phases
        value = np.cos(angle) @ self.amplitudes + functions.value(r) @ self.correction
        slopes = self.correction * functions.slope(r)
        gradient = -(np.sin(angle) * self.amplitudes) @ self.frequencies
        gradient += slopes @ self.posterior.S - slopes.sum(axis=1)[:, None] * s
        return value, gradient


def function_sample(posterior: Posterior, dimension: int, rng: np.random.Generator) -> FunctionSample:
    """Return a draw of the latent function (Wilson et al. 2020; random features of Rahimi and Recht 2007)."""
    df = KERNELS[posterior.kernel].spectral_df
    frequencies = rng.standard_normal((_FEATURES, dimension))
    if df is not None:
        frequencies /= np.sqrt(rng.chisquare(df, size=(_FEATURES, 1)) / df)
    phases = rng.uniform(0.0, 2.0 * np.pi, _FEATURES)
    amplitudes = rng.standard_normal(_FEATURES) * math.sqrt(2.0 / _FEATURES)
    S = posterior.S
    prior_draw = np.cos(S @ frequencies.T + phases) @ amplitudes
    mean, _ = posterior.moments(S)
    draw = mean + jittered_cholesky(posterior.covariance(S)) @ rng.standard_normal(len(S))
    root = jittered_cholesky(KERNELS[posterior.kernel].value(distances(S, S)))
    correction = np.linalg.solve(root.T, np.linalg.solve(root, draw - prior_draw))
    return FunctionSample(posterior, frequencies, phases, amplitudes, correction)


def jittered_cholesky(C: Array) -> Array:
    """Return a lower Cholesky factor of a covariance that may be singular, as a posterior's is near its data."""
    return cholesky(C + 1e-8 * np.eye(len(C)))
