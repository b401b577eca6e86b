"""How well the model predicts results that it has not seen: their order, and how sure of it it is.

Each distinct point is left out with all its results, and predicted from the rest.

========  ============================================  ========
symbol    meaning                                       shape
========  ============================================  ========
rank      rank of each result, 0 the best               [N]
K'        distinct ranks among the results of the rest
e         bin edges of the rest                         [K' - 1]
mean, sd  of the latent value that is predicted         [N]
========  ============================================  ========
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np
from scipy.special import ndtr

from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.kernels import distances, prior_covariance
from ordbo_cli.ordinal.linalg import Array, IntArray, cholesky, inverse
from ordbo_cli.ordinal.posterior import SMALLEST_VARIANCE
from ordbo_cli.problem import Evaluation
from ordbo_cli.problem.method import Kernel
from ordbo_cli.problem.order import ranks
from ordbo_cli.search.calibration import between, chance_below, result_sd, with_ends
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import fit_surrogate, placed
from ordbo_cli.search.threads import thread_pool

How = Literal["refitted", "folds", "held"]
Width = Literal["too narrow", "too wide", "as it should be"]
Bias = Literal["too optimistic", "too pessimistic", "as it should be"]

FOLDS: Final = 10
MOST_REFITTED: Final = 50  # points up to which each is left out of a fit of its own: some seconds
MOST_FOLDED: Final = 400  # points up to which a tenth at a time is left out: up to 20 s
FEWEST_POINTS: Final = 3
LEAST_P: Final = 0.05  # of a share of intervals, two-sided: below it is no chance
_BLOCK: Final = 256  # results at a time: memory grows with N, not with its square
_CENTRAL: Final = (0.5, 0.9)


@dataclass(frozen=True)
class LeftOut:
    """What was predicted of each result by a model that had not seen its point, in order of arrival.

    Args:
        results: those that the model is fitted to [N].
        point: number of the distinct point of each, in lexicographic order [N].
        rank: observed, 0 the best, equal results alike, failures after all [N].
        mean, sd: of the latent value at the point, without noise [N].
        expected: rank among the distinct results of the rest that is expected, 1 the best [N].
        lower, upper: the probabilities, under the predictive distribution with noise, that a result of the point is
            better than this one, and that it is not worse: the ends of the probability integral transform [N].
    """

    results: tuple[Evaluation, ...]
    point: IntArray
    rank: IntArray
    mean: Array
    sd: Array
    expected: Array
    lower: Array
    upper: Array

    @property
    def transform(self) -> Array:
        """The probability integral transforms: P(better) and half of P(alike), uniform where the model is right [N]."""
        return 0.5 * (self.lower + self.upper)


@dataclass(frozen=True)
class RankOrder:
    """How the predicted order agrees with the observed one, over all pairs of results.

    Args:
        tau: Kendall's tau-b of latent means and ranks: 1 the same order, 0 none, -1 the reverse; None where the model
            predicts the same everywhere.
        pairs: number of pairs of results that differ, of different points.
        right: share of these in the predicted order, those predicted alike by half; None where there is no pair.
    """

    tau: float | None
    pairs: int
    right: float | None


@dataclass(frozen=True)
class ChanceInterval:
    """How many results lie within a central interval of their predictive distributions.

    Results of one point are predicted alike, so they count as one together. One whose rank is as coarse as to lie
    partly inside counts by that part.

    Args:
        level: probability of the interval.
        inside: number of points inside.
        points: number of points, M.
        p: two-sided probability of a number as far from the expected one, if the model were right.
    """

    level: float
    inside: float
    points: int
    p: float

    @property
    def expected(self) -> float:
        """How many are expected inside."""
        return self.level * self.points

    @property
    def share(self) -> float:
        """The share inside."""
        return self.inside / self.points

    @property
    def verdict(self) -> Width:
        """Whether such intervals are of the right width: too narrow where too few results lie inside."""
        if self.p >= LEAST_P:
            return "as it should be"
        return "too narrow" if self.inside < self.expected else "too wide"


@dataclass(frozen=True)
class Calibration:
    """Whether the model is as sure as it may be.

    Args:
        intervals: the central 50 % and 90 %.
        mean: of the transforms, results of one point as one; 0.5 is expected.
        error: standard error of that mean, if the model were right.
    """

    intervals: tuple[ChanceInterval, ...]
    mean: float
    error: float

    @property
    def width(self) -> Width:
        """The verdict of the interval that speaks most clearly."""
        return min(self.intervals, key=lambda each: each.p).verdict

    @property
    def bias(self) -> Bias:
        """Whether results are worse than predicted (too optimistic) or better, by two standard errors."""
        if abs(self.mean - 0.5) <= 2.0 * self.error:
            return "as it should be"
        return "too optimistic" if self.mean > 0.5 else "too pessimistic"


@dataclass(frozen=True)
class Checks:
    """What leaving out shows of the model.

    Args:
        how: ``refitted``: each point is left out of a fit of its own; ``folds``: a tenth of the points at a time is;
            ``held``: nothing is fitted anew, the point has no say in the latent values but still in the warp, which
            flatters the model. None where there is nothing to check.
        fits: number of fits that were made.
        left_out: the predictions; None where there is nothing to check.
        order: of the predictions; None likewise.
        calibration: of the predictions; None likewise.
        why_not: in words, why there is nothing to check.
    """

    how: How | None
    fits: int = 0
    left_out: LeftOut | None = None
    order: RankOrder | None = None
    calibration: Calibration | None = None
    why_not: str = ""


def checks(
    given: StepInput,
    fit: Fit | None = None,
    *,
    how: How | None = None,
    progress: Callable[[int, int], None] = lambda done, fits: None,
) -> Checks:
    """Return how well the model predicts what it has not seen. The result depends on the rows alone.

    Args:
        given: the study; what is pending has no say.
        fit: the model of these rows, which is looked at where its warp is held; None to fit it anew.
        how: points are left out; None for the most honest way that their number allows in seconds.
        progress: is told after each fit how many of how many are made.
    """
    results = tuple(given.rows.ranked)
    X = given.latent_axes.encoded([e.values for e in results])
    rank = np.array(ranks(given.problem, results), dtype=np.int64)
    points, point = np.unique(X, axis=0, return_inverse=True)
    point = point.reshape(-1).astype(np.int64)
    if len(points) < FEWEST_POINTS:
        return Checks(None, why_not=f"results of {FEWEST_POINTS} different points are needed, not of {len(points)}")
    if len(np.unique(rank)) == 1:
        return Checks(None, why_not="all results are equal: there is no order to predict")
    how = how or ("refitted" if len(points) <= MOST_REFITTED else "folds" if len(points) <= MOST_FOLDED else "held")
    with thread_pool(1):
        if how == "held":
            fits, predicted = 0, _held(fit or fit_surrogate(given).fit, given.problem.method.kernel, point, rank)
        else:
            groups = _groups(point, rank, len(points) if how == "refitted" else FOLDS)
            fits = len(groups)
            predicted = _refitted(given, point, rank, groups, progress)
        left_out = LeftOut(results, point, rank, *_by_result(predicted, len(results)))
    return Checks(how, fits, left_out, order_of(left_out), calibration_of(left_out))


def order_of(left_out: LeftOut) -> RankOrder:
    """Return how predicted and observed order agree."""
    mean, rank, point = left_out.mean, left_out.rank, left_out.point
    same = right = half = 0
    agree = tied_mean = tied_rank = 0.0
    for k in range(0, len(rank), _BLOCK):
        by_mean = np.sign(mean[k : k + _BLOCK, None] - mean)
        by_rank = np.sign(rank[k : k + _BLOCK, None] - rank)
        product = by_mean * by_rank
        agree += float(product.sum())
        tied_mean += float(np.abs(by_mean).sum())
        tied_rank += float(np.abs(by_rank).sum())
        counts = (by_rank != 0) & (point[k : k + _BLOCK, None] != point)
        same += int(counts.sum())
        right += int((counts & (product > 0)).sum())
        half += int((counts & (product == 0)).sum())
    scale = math.sqrt(tied_mean) * math.sqrt(tied_rank)
    share = (right + 0.5 * half) / same if same else None
    return RankOrder(max(-1.0, min(1.0, agree / scale)) if scale else None, same // 2, share)


def calibration_of(left_out: LeftOut) -> Calibration:
    """Return whether the transforms of the results are spread evenly between 0 and 1."""
    number = np.bincount(left_out.point)
    intervals = []
    for level in _CENTRAL:
        inside = np.bincount(left_out.point, weights=_part_inside(left_out, level)) / number
        total = float(inside.sum())
        intervals.append(ChanceInterval(level, total, len(number), two_sided(total, len(number), level)))
    transforms = np.bincount(left_out.point, weights=left_out.transform) / number
    return Calibration(tuple(intervals), float(transforms.mean()), 1.0 / math.sqrt(12.0 * len(number)))


def two_sided(count: float, number: int, chance: float) -> float:
    """Return the binomial probability of a count at least as far from the expected one, twice the smaller tail.

    Args:
        count: of successes; a part is rounded towards what is expected.
        number: of trials.
        chance: of each.
    """
    high = count > chance * number
    some = range(math.floor(count), number + 1) if high else range(math.ceil(count) + 1)
    terms = (
        math.lgamma(number + 1)
        - math.lgamma(k + 1)
        - math.lgamma(number - k + 1)
        + k * math.log(chance)
        + (number - k) * math.log1p(-chance)
        for k in some
    )
    return min(1.0, 2.0 * math.fsum(map(math.exp, terms)))


def _part_inside(left_out: LeftOut, level: float) -> Array:
    """Return the part of each result's transform, which is an interval, that lies in the central one [N]."""
    low, high = 0.5 - 0.5 * level, 0.5 + 0.5 * level
    width = left_out.upper - left_out.lower
    shared = np.minimum(left_out.upper, high) - np.maximum(left_out.lower, low)
    narrow = width < 1e-12  # a result far out in a tail
    within = (left_out.transform >= low) & (left_out.transform <= high)
    return np.where(narrow, within, np.clip(shared, 0.0, None) / np.where(narrow, 1.0, width))


# Results that were left out together [n], and their mean, sd, expected rank, lower and upper end [5, n].
_Predicted = tuple[IntArray, Array]


def _groups(point: IntArray, rank: IntArray, number: int) -> list[IntArray]:
    """Return the points that are left out together; each group has some of every rank.

    Args:
        point, rank: of each result [N].
        number: of groups, at most that of points.
    """
    best = np.full(point.max() + 1, rank.max(), dtype=np.int64)
    np.minimum.at(best, point, rank)
    order = np.argsort(best, kind="stable")
    return [order[k::number] for k in range(min(number, len(order)))]


def _refitted(
    given: StepInput, point: IntArray, rank: IntArray, groups: list[IntArray], progress: Callable[[int, int], None]
) -> Iterator[_Predicted]:
    """Yield the predictions for groups of points, each from a cold fit to all others.

    Args:
        point, rank: of each result [N].
        groups: of points.
    """
    results = given.rows.ranked
    # Both engines have the same model, and this one starts at once.
    problem = replace(given.problem, method=replace(given.problem.method, engine="numpy"))
    for k, group in enumerate(groups, 1):
        out = np.isin(point, group)
        fitted = fit_surrogate(StepInput(problem, [e for e, gone in zip(results, out, strict=True) if not gone]))
        gone = [e.values for e, gone in zip(results, out, strict=True) if gone]
        s = placed(given.latent_axes, fitted.warp, fitted.fit, gone)
        mean, variance = fitted.posterior.moments(s)
        places = np.flatnonzero(out)
        scale = result_sd(fitted.fit, fitted.posterior)
        columns = [
            predicted(m, v, fitted.fit.edges, fitted.fit.sigma, scale, np.unique(rank[~out]), r)
            for m, v, r in zip(mean, variance, rank[out], strict=True)
        ]
        progress(k, len(groups))
        yield places, np.array(columns).T


def _held(fit: Fit, kernel: Kernel, point: IntArray, rank: IntArray) -> Iterator[_Predicted]:
    """Yield the predictions for each point from the latent values at all others, with warp, edges and noise held."""
    mean, variance = held_out_moments(prior_covariance(kernel, distances(fit.S, fit.S)), fit)
    scale = result_sd(fit, fit.posterior(kernel))
    for i, (m, v) in enumerate(zip(mean, variance, strict=True)):
        out = point == i
        kept = np.unique(rank[~out])
        dense = np.searchsorted(np.unique(rank), kept)
        edges = 0.5 * (fit.edges[dense[:-1]] + fit.edges[dense[1:] - 1])  # the rest's bins share what was in between
        columns = [predicted(m, v, edges, fit.sigma, scale, kept, r) for r in rank[out]]
        yield np.flatnonzero(out), np.array(columns).T


def held_out_moments(K: Array, fit: Fit) -> tuple[Array, Array]:
    """Return mean and variance of the latent value at each distinct point given what is known of the others [M].

    Diagonal q: ``m_i - [K^-1 m]_i / [K^-1]_ii`` and ``1 / [K^-1]_ii + sum_j w_j^2 v_j``, ``w_j = -K^-1_ij / K^-1_ii``.
    Full q, a Gaussian process with pseudo-observations of precision ``lambda``: q without the one of the point, of
    variance ``c_i = Sigma_ii / (1 - lambda_i Sigma_ii)`` and mean ``m_i - [K^-1 m]_i c_i``.

    Args:
        K: prior covariance of the distinct points [M, M].
        fit: the model.
    """
    P = inverse(cholesky(K))
    a, diagonal = P @ fit.mean, P.diagonal()
    if fit.full:
        root = np.sqrt(fit.spread)
        B = root[:, None] * K * root
        B.flat[:: len(B) + 1] += 1.0
        rest = inverse(cholesky(B))
        V = K * root
        sigma = K.diagonal() - np.einsum("ij,ij->i", V @ rest, V)
        variance = np.maximum(sigma, SMALLEST_VARIANCE) / rest.diagonal()
        return fit.mean - a * variance, variance
    W = P / diagonal[:, None]
    np.fill_diagonal(W, 0.0)
    return fit.mean - a / diagonal, np.maximum(1.0 / diagonal + (W * W) @ fit.spread, SMALLEST_VARIANCE)


def predicted(
    mean: float, variance: float, edges: Array, sigma: float, scale: float, kept: IntArray, rank: int
) -> tuple[float, float, float, float, float]:
    """Return mean, sd, expected rank and both ends of the transform of a result.

    A result like one of the rest lies in its bin. One between two of the rest lies somewhere between them, which is
    from the middle of the one's bin (in probability) to the middle of the other's: results are told apart no better.

    Args:
        mean, variance: of the latent value.
        edges: of the rest's bins [K' - 1].
        sigma: latent noise.
        scale: of the latent value of a new result around the mean.
        kept: distinct ranks of the rest, sorted [K'].
        rank: of the result.
    """
    F = with_ends(chance_below((edges - mean) / scale))
    k = int(np.searchsorted(kept, rank))
    like_one = k < len(kept) and kept[k] == rank
    lower, upper = (F if like_one else between(F))[k : k + 2]
    expected = 1.0 + float(ndtr((mean - edges) / math.sqrt(variance + sigma**2)).sum())
    return mean, math.sqrt(variance), expected, float(lower), float(upper)


def _by_result(predicted: Iterator[_Predicted], number: int) -> Array:
    """Return what was predicted of every result [5, N]."""
    columns = np.zeros((5, number))
    for places, some in predicted:
        columns[:, places] = some
    return columns
