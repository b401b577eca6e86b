"""Stationary covariances of unit variance and unit lengthscale.

Each is known by two functions of the distance r: its value ``k(r)`` and ``w(r) = -k'(r) / r``, so that
``dk / ds = -w(r) (s - s')``.

======  ===============================  ======
symbol  meaning                          shape
======  ===============================  ======
r       distances between latent points  [P, M]
k(r)    covariance                       [P, M]
w(r)    ``-k'(r) / r``                   [P, M]
======  ===============================  ======
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.spatial.distance import cdist

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem.method import Kernel

JITTER: Final = 1e-6  # K means K + 1e-6 I everywhere, in both engines
_ROOT3, _ROOT5 = math.sqrt(3.0), math.sqrt(5.0)


@dataclass(frozen=True)
class KernelFunctions:
    """A stationary covariance.

    Args:
        value: k(r).
        slope: w(r), finite for r > 0; what it gives at r = 0 is multiplied by a zero difference.
        spectral_df: degrees of freedom of the Student t that its spectral density is; None for a Gaussian.
    """

    value: Callable[[Array], Array]
    slope: Callable[[Array], Array]
    spectral_df: float | None


def _matern32(r: Array) -> Array:
    """Return ``(1 + sqrt(3) r) exp(-sqrt(3) r)``, in two arrays: to get memory takes longer than to compute."""
    value = _ROOT3 * r
    decay = np.negative(value)
    np.exp(decay, out=decay)
    value += 1.0
    value *= decay
    return value


def _matern32_slope(r: Array) -> Array:
    """Return ``3 exp(-sqrt(3) r)``, in one array."""
    decay = -_ROOT3 * r
    np.exp(decay, out=decay)
    decay *= 3.0
    return decay


KERNELS: Final = {
    "matern12": KernelFunctions(
        lambda r: np.exp(-r), lambda r: np.exp(-r) / np.where(r > 0.0, r, np.inf), spectral_df=1.0
    ),
    "matern32": KernelFunctions(_matern32, _matern32_slope, spectral_df=3.0),
    "matern52": KernelFunctions(
        lambda r: (1.0 + _ROOT5 * r + 5.0 / 3.0 * r * r) * np.exp(-_ROOT5 * r),
        lambda r: 5.0 / 3.0 * (1.0 + _ROOT5 * r) * np.exp(-_ROOT5 * r),
        spectral_df=5.0,
    ),
    "rbf": KernelFunctions(lambda r: np.exp(-0.5 * r * r), lambda r: np.exp(-0.5 * r * r), spectral_df=None),
}


def prior_covariance(kernel: Kernel, r: Array) -> Array:
    """Return K with its jitter [M, M], given the distances of the points from each other [M, M]."""
    K = KERNELS[kernel].value(r)
    K.flat[:: len(K) + 1] += JITTER
    return K


def distances(A: Array, B: Array) -> Array:
    """Return Euclidean distances [P, Q] between rows of A [P, D] and B [Q, D].

    Differences are taken one by one: the expanded square loses the digits that near points need.
    """
    return cdist(A, B)


def squares(A: Array, B: Array) -> Array:
    """Return squared Euclidean distances [P, Q] between rows of A [P, D] and B [Q, D], also where D is 0."""
    return cdist(A, B, "sqeuclidean") if A.shape[1] else np.zeros((len(A), len(B)))
