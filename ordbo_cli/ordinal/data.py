"""The order of the data, and nothing else of it: what the model is fitted to.

Notation: N evaluations of M distinct points in D dimensions; ``U_j`` the ``n_j`` knots of dimension j (its sorted
distinct values, domain ends included); K distinct ranks of the objective.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist

import numpy as np

from ordbo_cli.ordinal.arrays import Array, IntArray


@dataclass(frozen=True)
class OrdinalData:
    """Evaluations reduced to ranks. Points are in lexicographic order, so the order of arrival leaves no trace.

    Args:
        knots: per dimension the sorted distinct values ``U_j`` [n_j], in the user's units.
        index: place of each distinct point's coordinates among the knots [M, D].
        point: the distinct point of each evaluation [N].
        rank: dense rank of each evaluation's objective, 0 the best [N].
    """

    knots: tuple[Array, ...]
    index: IntArray
    point: IntArray
    rank: IntArray

    @property
    def dimension(self) -> int:
        """D."""
        return len(self.knots)

    @property
    def points(self) -> int:
        """M, the number of distinct points."""
        return len(self.index)

    @cached_property
    def bins(self) -> int:
        """K, the number of distinct ranks (at least 1)."""
        return int(self.rank.max(initial=0)) + 1

    @cached_property
    def gap_counts(self) -> IntArray:
        """Number of gaps of each dimension [D]."""
        return np.array([len(knots) - 1 for knots in self.knots], dtype=np.int64)

    @cached_property
    def starts(self) -> IntArray:
        """Where each dimension's gaps start in the vector that holds those of all dimensions [D]."""
        return np.concatenate([[0], np.cumsum(self.gap_counts)[:-1]]).astype(np.int64)

    @cached_property
    def inputs(self) -> Array:
        """The distinct points in the user's units [M, D]."""
        return np.stack([knots[self.index[:, j]] for j, knots in enumerate(self.knots)], axis=1)

    def point_sum(self, values: Array) -> Array:
        """Return sums [M] of values of the evaluations [N] over each point's replicates."""
        return np.asarray(np.bincount(self.point, weights=values, minlength=self.points), dtype=np.float64)

    def point_mean(self, values: Array) -> Array:
        """Return means [M] of values of the evaluations [N] over each point's replicates."""
        return self.point_sum(values) / np.maximum(1, np.bincount(self.point, minlength=self.points))

    @cached_property
    def point_scores(self) -> Array:
        """Normal scores of the ranks, averaged over a point's replicates [M]."""
        count = np.bincount(self.rank, minlength=self.bins)
        middle = (np.cumsum(count) - 0.5 * count) / max(1, len(self.rank))
        score = normal_quantile(middle)[self.rank] if len(self.rank) else np.zeros(0)
        return self.point_mean(score)

    @cached_property
    def edge_scores(self) -> Array:
        """Normal scores of the bin edges: the quantile of the share of evaluations below each [K - 1]."""
        below = np.cumsum(np.bincount(self.rank, minlength=self.bins))[:-1]
        return normal_quantile(below / max(1, len(self.rank)))


def ordinal_data(X: Array, rank: Sequence[int], low: Sequence[float], high: Sequence[float]) -> OrdinalData:
    """Reduce evaluations to their order.

    Args:
        X: inputs, in the user's units [N, D].
        rank: ranks of their objectives [N]; made dense here.
        low, high: domain ends [D], which are knots too.
    """
    knots = tuple(np.unique(np.concatenate([X[:, j], [low[j], high[j]]])) for j in range(len(low)))
    index = np.stack([np.searchsorted(knots[j], X[:, j]) for j in range(len(low))], axis=1).astype(np.int64)
    points, point = np.unique(index, axis=0, return_inverse=True)
    _, dense = np.unique(np.asarray(rank, dtype=np.int64), return_inverse=True)
    point = point.reshape(-1)
    order = np.lexsort((dense, point))
    return OrdinalData(knots, points, point[order].astype(np.int64), dense[order].astype(np.int64))


def normal_quantile(p: Array) -> Array:
    """Return standard normal quantiles of p in (0, 1)."""
    inverse = NormalDist().inv_cdf
    return np.array([inverse(float(value)) for value in p])
