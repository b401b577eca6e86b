"""The latent process after the data: ``mu(s) = k' a`` and ``var(s) = 1 - k' Q k``.

======  ==================================  ======
symbol  meaning                             shape
======  ==================================  ======
S       latent points that it rests on      [M, D]
s       latent points that are asked about  [P, D]
k       their prior covariances             [P, M]
a       ``K^-1 m``                          [M]
Q       ``K^-1 (K - Sigma) K^-1``           [M, M]
======  ==================================  ======
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from ordbo_cli.ordinal.kernels import JITTER, KERNELS, distances, prior_covariance, squares
from ordbo_cli.ordinal.linalg import Array, cholesky, inverse
from ordbo_cli.problem.method import Kernel

SMALLEST_VARIANCE = 1e-10


@dataclass(frozen=True)
class Posterior:
    """A Gaussian process posterior in the latent space.

    Args:
        S: latent points that it rests on [M, D].
        a: weights of the mean [M].
        Q: weights of the variance's reduction [M, M].
        kernel: prior covariance.
        aside: squares of the distances along axes that are held, from where they are held to the points [M]; None where
            none is.
    """

    S: Array
    a: Array
    Q: Array
    kernel: Kernel
    aside: Array | None = None

    def at(self, s: Array, columns: Sequence[int]) -> Posterior:
        """Return the posterior along some axes, all others held.

        Args:
            s: a latent point, of which the other axes' coordinates count [D].
            columns: the axes that are not held.
        """
        held = np.setdiff1d(np.arange(self.S.shape[1]), columns)
        aside = np.sum((self.S[:, held] - s[held]) ** 2, axis=1)
        return replace(self, S=self.S[:, list(columns)], aside=aside)

    def distances(self, s: Array) -> Array:
        """Return the distances of latent points s [P, D] from the points that it rests on [P, M]."""
        if self.aside is None:
            return distances(s, self.S)
        return np.sqrt(squares(s, self.S) + self.aside)

    def moments(self, s: Array) -> tuple[Array, Array]:
        """Return means and variances [P] at latent points s [P, D]."""
        k = self._covariances(s)
        variance = 1.0 - np.einsum("ij,ij->i", k @ self.Q, k)
        return k @ self.a, np.maximum(variance, SMALLEST_VARIANCE)

    def means(self, s: Array) -> Array:
        """Return means [P] at latent points s [P, D]."""
        return self._covariances(s) @ self.a

    def moments_with_gradients(self, s: Array) -> tuple[Array, Array, Array, Array]:
        """Return means and variances [P] and their gradients by s [P, D]."""
        functions = KERNELS[self.kernel]
        r = self.distances(s)
        k, w = functions.value(r), functions.slope(r)
        kQ = k @ self.Q
        variance = 1.0 - np.einsum("ij,ij->i", kQ, k)

        def pull(weights: Array) -> Array:
            """Return the gradient of ``sum_i weights_i k(s, S_i)`` with the weights held [P, D]."""
            slopes = weights * w
            return cast(Array, slopes @ self.S - slopes.sum(axis=1)[:, None] * s)

        return k @ self.a, np.maximum(variance, SMALLEST_VARIANCE), pull(self.a), -2.0 * pull(kQ)

    def covariance(self, s: Array) -> Array:
        """Return the joint posterior covariance at latent points s [P, P]."""
        k = self._covariances(s)
        return cast(Array, KERNELS[self.kernel].value(distances(s, s)) - k @ self.Q @ k.T)

    def hallucinate(self, s: Array) -> Posterior:
        """Return the posterior after observing its own mean at pending points s [P, D]: only variances shrink.

        Along some axes, the points lie where the others are held.
        """
        if not len(s):
            return self
        P = len(s)
        C = self.covariance(s)
        C.flat[:: P + 1] += JITTER
        V = np.vstack([-self.Q @ self._covariances(s).T, np.eye(P)])
        Q = np.zeros((len(self.S) + P,) * 2)
        Q[:-P, :-P] = self.Q
        Q += V @ cho_solve(cho_factor(C, lower=True), V.T)
        aside = None if self.aside is None else np.concatenate([self.aside, np.zeros(P)])
        return replace(self, S=np.vstack([self.S, s]), a=np.concatenate([self.a, np.zeros(P)]), Q=Q, aside=aside)

    def _covariances(self, s: Array) -> Array:
        """Return prior covariances of s [P, D] with the points that it rests on [P, M]."""
        return KERNELS[self.kernel].value(self.distances(s))


def posterior(S: Array, mean: Array, spread: Array, kernel: Kernel, *, full: bool) -> Posterior:
    """Return the posterior of a fitted variational Gaussian.

    Args:
        S: distinct latent points [M, D].
        mean: m [M].
        spread: variances, or precisions of a full covariance [M].
        kernel: prior covariance.
        full: which of the two.
    """
    if not len(S):
        return Posterior(S, mean, np.zeros((0, 0)), kernel)
    K = prior_covariance(kernel, distances(S, S))
    K_inverse = inverse(cholesky(K))
    if full:
        root = np.sqrt(spread)
        B = root[:, None] * K * root
        B.flat[:: len(B) + 1] += 1.0
        Q = root[:, None] * inverse(cholesky(B)) * root
    else:
        Q = K_inverse - (K_inverse * spread) @ K_inverse
    return Posterior(S, K_inverse @ mean, Q, kernel)
