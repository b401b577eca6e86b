"""The prior of the gaps (beyond the paper): log-normal around a centre, with a shift that an axis's gaps share.

``log delta_k ~ N(log(T c_k), tau^2)`` plus ``N(0, h^2)`` common to all gaps of a dimension, integrated out: covariance
``tau^2 I + h^2 1 1'``. The density is that of ``log delta``, with no Jacobian of any transform.

======  ==============================================================  =====
symbol  meaning                                                         shape
======  ==============================================================  =====
delta   gaps                                                            [G]
c       their centres as shares of an axis                              [G]
T       latent length that is expected of an axis                       [D]
tau     standard deviation of the log of one gap
h       standard deviation of the shift that the gaps of an axis share
======  ==============================================================  =====
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ordbo_cli.ordinal.data import OrdinalData
from ordbo_cli.ordinal.linalg import Array, IntArray
from ordbo_cli.ordinal.warp import INSIDE, LARGEST_GAP, smallest_gap
from ordbo_cli.problem.method import GapPrior


@dataclass(frozen=True)
class LogGapPrior:
    """A Gaussian over the logarithms of gaps.

    Args:
        centre: mean of the logarithms [G].
        starts: where each group of gaps starts [groups], every group at least one gap long; a group shares a shift.
        spread: tau.
        shift: h.
    """

    centre: Array
    starts: IntArray
    spread: float
    shift: float

    def log_density(self, gaps: Array) -> tuple[float, Array]:
        """Return the log density and its gradient by the gaps [G]."""
        if not len(gaps):
            return 0.0, np.zeros(0)
        counts, pooled, log_det = self._constants
        tau2 = self.spread**2
        residual = np.log(gaps) - self.centre
        total = np.add.reduceat(residual, self.starts)
        quadratic = float(residual @ residual - np.sum(pooled * total * total)) / tau2
        value = -0.5 * (quadratic + log_det + len(gaps) * math.log(2.0 * math.pi))
        return value, -(residual - np.repeat(pooled * total, counts)) / tau2 / gaps

    def root(self, x: Array) -> Array:
        """Return a symmetric root of the covariance times x [G]: ``tau (I + c 1 1')`` for each group."""
        counts, pooled, _ = self._constants
        c = ((1.0 - counts * pooled) ** -0.5 - 1.0) / counts
        return self.spread * (x + np.repeat(c * np.add.reduceat(x, self.starts), counts))

    @cached_property
    def _constants(self) -> tuple[IntArray, Array, float]:
        """Gaps of each group, what their sum weighs in the inverse of the covariance, and the covariance's log det."""
        counts = np.diff(np.append(self.starts, len(self.centre)))
        tau2, h2 = self.spread**2, self.shift**2
        log_det = float(np.sum((counts - 1) * math.log(tau2) + np.log(tau2 + counts * h2)))
        return counts, h2 / (tau2 + counts * h2), log_det


def log_centre(gaps: Array, smallest: float | Array, largest: float) -> Array:
    """Return logarithms of gaps clipped inside their bounds."""
    return np.log(np.clip(gaps, smallest * (1.0 + INSIDE), largest / (1.0 + INSIDE)))


def input_centre(
    data: OrdinalData,
    prior: GapPrior,
    places: Sequence[Array],
    arrivals: Array,
    initial: int,
    lengths: Array | None = None,
) -> Array:
    """Return the centre ``T c_k`` of every input gap [G].

    Args:
        prior: says which centre.
        places: original places of the knots as shares of the box, on the parameter's own scale [n_j].
        arrivals: inputs in order of arrival [R, D], for the inherited centre.
        initial: how many of them belong to the initial design.
        lengths: T, the latent length that is expected of each axis [D]; None for the prior's own.
    """
    if lengths is None:
        lengths = np.full(data.dimension, prior.latent_length(data.dimension))
    parts = []
    for j, knots in enumerate(data.knots):
        if prior.centre == "inherited":
            share = inherited_shares(knots, arrivals[:, j], initial)
        else:
            weight = {"distances": 1.0, "equal": 0.0}.get(str(prior.centre), prior.centre)
            share = float(weight) * np.diff(places[j]) + (1.0 - float(weight)) / (len(knots) - 1)
        parts.append(lengths[j] * share)
    return np.concatenate(parts)


def inherited_shares(knots: Array, arrivals: Array, initial: int) -> Array:
    """Return fractions of an axis that depend on order and arrival alone.

    The knots of the initial rows (and the domain ends) are equally spaced; each later value halves the gap that it
    falls in.

    Args:
        knots: sorted distinct values [n].
        arrivals: values in order of arrival, all of them knots [R].
        initial: how many of them belong to the initial design.
    """
    rank = np.searchsorted(knots, arrivals)
    known = sorted({0, len(knots) - 1, *(int(k) for k in rank[:initial])})
    place = {k: i / (len(known) - 1) for i, k in enumerate(known)}
    for k in rank[initial:]:
        if int(k) in place:
            continue
        right = int(np.searchsorted(known, k))
        place[int(k)] = 0.5 * (place[known[right - 1]] + place[known[right]])
        known.insert(right, int(k))
    return np.diff([place[k] for k in range(len(knots))])


def input_prior(data: OrdinalData, prior: GapPrior, centre: Array) -> LogGapPrior:
    """Return the prior of the input gaps around a centre [G]; each dimension has a shift of its own."""
    smallest = np.repeat(smallest_gap(data.gap_counts), data.gap_counts)
    return LogGapPrior(log_centre(centre, smallest, LARGEST_GAP), data.starts, prior.spread, prior.shift)
