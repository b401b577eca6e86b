"""A quadratic of which only the order of its values at some points is known.

``f(u) = w' phi(u)`` with the features ``phi(u) = (u_i, u_i^2 / 2, u_i u_j)``, without a constant, which no order knows.
That a point is better than another one is a half-space of weights, ``t' w > 0`` with t the difference of their
features; all of them together leave a cone, the version space of rank regression (Herbrich, Graepel and Obermayer
2000). Its analytic centre, with a normal prior for the length of w, is the estimate, and the inverse of the curvature
there its covariance: Dikin's ellipsoid, which lies inside the cone. The logarithm of a difference has no unit, so that
values decades apart are told apart as well as others.

Where no quadratic has the order, the barrier goes on as a straight line beyond its wall.

======  ====================================================================  ======
symbol  meaning                                                               shape
======  ====================================================================  ======
n       points
D       dimensions
p       features: ``D (D + 3) / 2``
U       points, the best one at 0, in units of the distances among them       [n, D]
w       weights                                                               [p]
T       differences of features, worse less better, of neighbours in rank     [P, p]
======  ====================================================================  ======
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array, IntArray, cholesky, inverse

_SOFTEST, _HARDEST, _HARDENINGS = 0.1, 1e-4, 7  # widths of the barrier's wall, in units of the prior of w
_STEPS: Final = 30  # of Newton at each width
_ENOUGH: Final = 1e-8  # decrease of a step at which it ends
_LEFT_OUT: Final = 40  # points at most that are left out one at a time
_FLAT: Final = 1e-12  # least curvature of a barrier's term


@dataclass(frozen=True)
class OrdinalQuadratic:
    """A quadratic that has the order of some points, as far as one can.

    Args:
        weights: of the features, their estimate w [p].
        covariance: of the weights [p, p].
    """

    weights: Array
    covariance: Array

    def differences(self, u: Array, start: Array | None = None) -> tuple[Array, Array, Array, Array]:
        """Return by how much points are expected to be above others.

        Args:
            u: the points [P, D].
            start: the others [P, D]; None for the best one.

        Returns:
            The differences and their standard deviations [P], and the gradients of both [P, D].
        """
        phi, slope = features(u), _slopes(u)
        phi = phi if start is None else phi - features(start)
        spread = phi @ self.covariance
        sd = np.sqrt(np.maximum(np.einsum("ij,ij->i", spread, phi), np.finfo(np.float64).tiny))
        by_sd = np.einsum("ij,ijk->ik", spread, slope) / sd[:, None]
        return phi @ self.weights, sd, np.einsum("j,ijk->ik", self.weights, slope), by_sd


@lru_cache
def _pairs(dimension: int) -> tuple[IntArray, IntArray]:
    return np.triu_indices(dimension)


def features(u: Array) -> Array:
    """Return the features of points u [P, D]: first order, then second [P, p]."""
    i, j = _pairs(u.shape[1])
    return np.hstack([u, u[:, i] * u[:, j] * np.where(i == j, 0.5, 1.0)])


def _slopes(u: Array) -> Array:
    """Return the derivatives of the features by the points' coordinates [P, p, D]."""
    i, j = _pairs(u.shape[1])
    D, place = u.shape[1], np.arange(len(i))
    second = np.zeros((len(u), len(i), D))
    half = np.where(i == j, 0.5, 1.0)
    second[:, place, i] += half * u[:, j]
    second[:, place, j] += half * u[:, i]
    first = np.broadcast_to(np.eye(D), (len(u), D, D))
    return np.concatenate([first, second], axis=1)


def fit_quadratic(U: Array, rank: IntArray) -> OrdinalQuadratic:
    """Return the quadratic that has the order of points.

    Args:
        U: the points [n, D].
        rank: of each, 0 the best, rising from one to the next; equal ones are not compared [n].
    """
    phi = features(U)
    weights, curvature = _centre(phi, rank, np.zeros(phi.shape[1]), np.geomspace(_SOFTEST, _HARDEST, _HARDENINGS))
    return OrdinalQuadratic(weights, inverse(cholesky(curvature)))


def agreement(U: Array, rank: IntArray, fitted: OrdinalQuadratic) -> float:
    """Return the share of pairs that quadratics put into the right order, each fitted without one of the two points.

    Args:
        U, rank: what it is fitted to, as :func:`fit_quadratic` takes them.
        fitted: where the fits without a point start.
    """
    phi, right, all_pairs = features(U), 0, 0
    for k in np.unique(np.linspace(0, len(U) - 1, _LEFT_OUT).astype(int)) if len(U) > _LEFT_OUT else range(len(U)):
        others = np.arange(len(U)) != k
        weights, _ = _centre(phi[others], rank[others], fitted.weights, np.array([_HARDEST]))
        values = phi @ weights
        right += int(np.sum(np.sign(values - values[k]) * np.sign(rank - rank[k]) > 0))
        all_pairs += len(U) - 1
    return right / max(1, all_pairs)


def _centre(phi: Array, rank: IntArray, weights: Array, widths: Array) -> tuple[Array, Array]:
    """Return the weights that maximise barrier and prior, and the curvature there [p, p], by Newton's method.

    Args:
        phi: features of the points [n, p].
        rank: of them, rising [n].
        weights: where it starts.
        widths: of the barrier's wall, one after the other.
    """
    T, share = _neighbours(phi, rank)
    curvature = np.eye(len(weights))
    for width in widths:
        value, slope, bend = _barrier(T @ weights, width)
        for _ in range(_STEPS):
            curvature = (T.T * (share * np.maximum(bend, _FLAT))) @ T + np.eye(len(weights))
            gradient = T.T @ (share * slope) + weights
            step = -inverse(cholesky(curvature)) @ gradient
            decrease, cost = -float(gradient @ step), float(share @ value) + 0.5 * float(weights @ weights)
            length = 1.0
            while True:
                found = weights + length * step
                value, slope, bend = _barrier(T @ found, width)
                if float(share @ value) + 0.5 * float(found @ found) <= cost - 1e-4 * length * decrease:
                    break
                length *= 0.5
                if length < 1e-8:
                    found = weights
                    break
            weights = found
            if decrease < _ENOUGH or length < 1e-8:
                break
    return weights, curvature


def _neighbours(phi: Array, rank: IntArray) -> tuple[Array, Array]:
    """Return the differences of features of neighbours in rank [P, p], and what each weighs: 1 for a pair of ranks."""
    best_first = np.argsort(rank, kind="stable")
    if np.all(np.diff(rank[best_first])):  # no two are equal
        return np.diff(phi[best_first], axis=0), np.ones(len(rank) - 1)
    groups = [np.flatnonzero(rank == k) for k in np.unique(rank)]
    T, share = [np.zeros((0, phi.shape[1]))], [np.zeros(0)]
    for better, worse in pairwise(groups):
        T.append((phi[worse][:, None] - phi[better][None]).reshape(-1, phi.shape[1]))
        share.append(np.full(len(better) * len(worse), 1.0 / (len(better) * len(worse))))
    return np.concatenate(T), np.concatenate(share)


def _barrier(t: Array, width: float) -> tuple[Array, Array, Array]:
    """Return ``-log softplus(t / width)`` and its first and second derivatives by t.

    Where t is far above 0 it is ``-log t``, up to a constant.
    """
    z = np.clip(t / width, -500.0, None)
    soft = np.logaddexp(0.0, z)
    rise = 1.0 / (1.0 + np.exp(-z))
    ratio = rise / soft
    return -np.log(soft), -ratio / width, (ratio * ratio - rise * (1.0 - rise) / soft) / (width * width)
