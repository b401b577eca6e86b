"""The order of the data, and nothing else of it: what the model is fitted to.

===========  =============================================================  ======
symbol       meaning                                                        shape
===========  =============================================================  ======
N            evaluations
M            distinct points of them
D            latent axes
K            distinct ranks of the objective
P            comparisons of two points
R            evaluations on another scale
u_j          knots of axis j: sorted distinct values, domain ends included  [n_j]
index        place of each distinct point among the knots                   [M, D]
point, rank  distinct point and rank of each evaluation, 0 the best         [N]
===========  =============================================================  ======
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import NormalDist

import numpy as np

from ordbo_cli.ordinal.linalg import Array, IntArray


@dataclass(frozen=True)
class Comparisons:
    """Pairs of distinct points of which one was found to be better. Their order leaves no trace.

    A tie is both answers with half the weight each.

    Args:
        better, worse: places of the points [P].
        weight: of each answer [P].
        scale: whose noise each has, a place among :attr:`OrdinalData.scales`: that of the evaluations, or of a judge,
            who is a scale without results [P].
    """

    better: IntArray
    worse: IntArray
    weight: Array
    scale: IntArray

    @staticmethod
    def none() -> Comparisons:
        """Return no comparisons."""
        nothing = np.zeros(0, dtype=np.int64)
        return Comparisons(nothing, nothing, np.zeros(0), nothing)

    def __len__(self) -> int:
        return len(self.weight)

    def sums_pulled_back(self, values: Array, points: int) -> Array:
        """Return the gradient [M] by the points' numbers of a function of the sums of both, given that by these [P]."""
        return np.asarray(
            np.bincount(self.better, values, points) + np.bincount(self.worse, values, points), np.float64
        )

    def differences_pulled_back(self, values: Array, points: int) -> Array:
        """Return the same for the number of the worse point less that of the better one [M]."""
        return np.asarray(
            np.bincount(self.worse, values, points) - np.bincount(self.better, values, points), np.float64
        )

    def equal(self, other: Comparisons) -> bool:
        """Return whether the pairs, their weights and whose they are are the same."""
        return all(np.array_equal(mine, getattr(other, name)) for name, mine in vars(self).items())


@dataclass(frozen=True)
class ComparedRows:
    """Comparisons of points in the user's units: of each pair the first was found to be better than the second.

    Args:
        better, worse: the points [P, D].
        weight: 1, or 0.5 for each of the two answers that a tie is, times what it counts [P].
        scale: whose noise each has: 0 for that of the evaluations, or the place of a scale among all of them [P].
    """

    better: Array
    worse: Array
    weight: Array
    scale: IntArray


@dataclass(frozen=True)
class RankedRows:
    """Evaluations in the user's units whose results are compared with each other, and with those of nobody else.

    Args:
        X: the points [R, D].
        rank: ranks of their results [R].
        worst: the worst ranks of censored results [R], of others their ranks.
    """

    X: Array
    rank: Sequence[int]
    worst: Sequence[int]


@dataclass(frozen=True)
class Scale:
    """Evaluations whose results are compared with each other: only there has their order a meaning.

    Args:
        point: the distinct point of each [N].
        rank: dense rank of each one's objective, 0 the best [N]; the best that it may have where it is censored.
        worst: the worst rank that each may have, its rank where it is known [N].
    """

    point: IntArray
    rank: IntArray
    worst: IntArray

    @cached_property
    def bins(self) -> int:
        """K, the number of distinct ranks (at least 1)."""
        return int(self.worst.max(initial=0)) + 1

    @cached_property
    def scores(self) -> Array:
        """Normal scores of the ranks [N]."""
        middle = (self._below[self.rank] + self._below[self.worst + 1]) / 2.0 / max(1, len(self.rank))
        return normal_quantile(middle)

    @cached_property
    def edge_scores(self) -> Array:
        """Normal scores of the bin edges: the quantile of the share of evaluations below each [K - 1]."""
        return normal_quantile(self._below[1:-1] / max(1, len(self.rank)))

    @cached_property
    def _below(self) -> Array:
        """How many evaluations lie below each edge, the outer ones included [K + 1].

        A censored one has a like share in each bin that it may be in.
        """
        known = self.rank == self.worst
        count = np.bincount(self.rank[known], minlength=self.bins).astype(np.float64)
        for low, high in zip(self.rank[~known].tolist(), self.worst[~known].tolist(), strict=True):
            count[low : high + 1] += 1.0 / (high - low + 1)
        return np.concatenate([[0.0], np.cumsum(count)])

    def equal(self, other: Scale) -> bool:
        """Return whether the ranks are the same, at the same points."""
        parts = ((self.point, other.point), (self.rank, other.rank), (self.worst, other.worst))
        return all(np.array_equal(a, b) for a, b in parts)


@dataclass(frozen=True)
class OrdinalData:
    """Evaluations reduced to ranks. Points are in lexicographic order, so the order of arrival leaves no trace.

    Args:
        knots: per dimension the sorted distinct values ``U_j`` [n_j], in the user's units.
        index: place of each distinct point's coordinates among the knots [M, D].
        point: the distinct point of each evaluation [N].
        rank: dense rank of each evaluation's objective, 0 the best [N]; the best that it may have where it is censored.
        worst: the worst rank that each may have, its rank where it is known [N].
        comparisons: of points with each other.
        others: evaluations whose results are not compared with these.
    """

    knots: tuple[Array, ...]
    index: IntArray
    point: IntArray
    rank: IntArray
    worst: IntArray
    comparisons: Comparisons
    others: tuple[Scale, ...] = ()

    @property
    def dimension(self) -> int:
        """D."""
        return len(self.knots)

    @property
    def points(self) -> int:
        """M, the number of distinct points."""
        return len(self.index)

    @cached_property
    def scales(self) -> tuple[Scale, ...]:
        """All that have an order of their own, the evaluations first."""
        return (Scale(self.point, self.rank, self.worst), *self.others)

    @property
    def bins(self) -> int:
        """K, the number of distinct ranks (at least 1)."""
        return self.scales[0].bins

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

    def sums(self, scale: Scale, values: Array) -> Array:
        """Return sums [M] of values of a scale's evaluations [N] over each point's replicates."""
        return np.asarray(np.bincount(scale.point, weights=values, minlength=self.points), dtype=np.float64)

    def mean_of_all(self, values: Sequence[Array]) -> Array:
        """Return means [M] of values of the evaluations of each scale [N] at each point, 0 where there are none."""
        point, value = np.concatenate([scale.point for scale in self.scales]), np.concatenate(values)
        count = np.maximum(1, np.bincount(point, minlength=self.points))
        return np.asarray(np.bincount(point, weights=value, minlength=self.points), dtype=np.float64) / count

    @property
    def point_scores(self) -> Array:
        """Normal scores of the ranks, averaged over a point's replicates [M]; 0 where there are comparisons only."""
        return self.mean_of_all([scale.scores for scale in self.scales])


def ordinal_data(
    X: Array,
    rank: Sequence[int],
    low: Sequence[float],
    high: Sequence[float],
    worst: Sequence[int] | None = None,
    compared: ComparedRows | None = None,
    others: Sequence[RankedRows] = (),
) -> OrdinalData:
    """Reduce evaluations and comparisons to their order.

    Args:
        X: inputs, in the user's units [N, D].
        rank: ranks of their objectives [N]; made dense here.
        low, high: domain ends [D], which are knots too.
        worst: the worst ranks of censored objectives [N], of others their ranks; None where none is censored.
        compared: what was found of pairs of points; None for no comparisons.
        others: evaluations on other scales.
    """
    pairs = compared or ComparedRows(X[:0], X[:0], np.zeros(0), np.zeros(0, dtype=np.int64))
    parts = [X, pairs.better, pairs.worse, *(other.X for other in others)]
    everything = np.concatenate(parts)
    knots = tuple(np.unique(np.concatenate([everything[:, j], [low[j], high[j]]])) for j in range(len(low)))
    index = np.stack([np.searchsorted(u, everything[:, j]) for j, u in enumerate(knots)], axis=1).astype(np.int64)
    points, place = np.unique(index, axis=0, return_inverse=True)
    ends = np.cumsum([len(part) for part in parts])[:-1]
    point, better, worse, *elsewhere = np.split(place.reshape(-1).astype(np.int64), ends)
    own = _scale(point, rank, rank if worst is None else worst)
    turn = np.lexsort((pairs.weight, pairs.scale, worse, better))
    return OrdinalData(
        knots,
        points,
        own.point,
        own.rank,
        own.worst,
        Comparisons(better[turn], worse[turn], pairs.weight[turn], pairs.scale[turn]),
        tuple(_scale(at, other.rank, other.worst) for at, other in zip(elsewhere, others, strict=True)),
    )


def _scale(point: IntArray, rank: Sequence[int], worst: Sequence[int]) -> Scale:
    """Return results as those of a scale: their ranks dense, and no trace of the order of their arrival."""
    _, dense = np.unique(np.array([rank, worst], dtype=np.int64), return_inverse=True)
    best, most = dense.reshape(2, -1).astype(np.int64)
    order = np.lexsort((most, best, point))
    return Scale(point[order], best[order], most[order])


def normal_quantile(p: Array) -> Array:
    """Return standard normal quantiles of p in (0, 1)."""
    inverse = NormalDist().inv_cdf
    return np.array([inverse(float(value)) for value in p])
