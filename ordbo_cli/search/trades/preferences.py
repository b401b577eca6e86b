"""What comparisons of whole results say of the trade between several objectives that is wanted.

A trade is a direction from a reference point that is worse than the front, as the hypervolume has them. A result is as
good for it as it comes along the direction, by the objective that holds it back most; of two results the one that comes
farther is likely to be preferred. All directions are equally likely before any comparison. A share of the weight is
spread evenly whatever was said, as somebody who compares may err.

Heights are measured in the front's own extents, and are of latent means or of places along the front: no increasing
transform of an objective changes them.

======  =======================================================  ======
symbol  meaning                                                  shape
======  =======================================================  ======
P       results
C       comparisons
K       objectives
L       directions
h       heights of results above the reference point             [P, K]
lambda  directions, of unit length                               [L, K]
t       how far results come: ``min_k max(0, h_k) / lambda_k``   [P, L]
======  =======================================================  ======
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Comparison, Number

BEYOND = 0.1  # of its extent, by which the reference point is worse than the worst place
_UNSURE = 0.05  # extents along a direction by which a better result is preferred in three of four cases
_ERRING = 0.05  # share of the weight that no comparison moves


@dataclass(frozen=True)
class Preferences:
    """Pairs of results that somebody compared.

    Args:
        better, worse: what is known of both by each objective, the lower the better [C, K].
        tie: which pairs were found to be alike [C].
    """

    better: Array
    worse: Array
    tie: Array

    def weights(self, reference: Array, extent: Array, along: Array) -> Array:
        """Return how much each direction counts, 1 in the mean [L].

        Args:
            reference: the reference point [K].
            extent: the unit of each objective [K].
            along: directions [L, K].
        """
        one, other = (reach((reference - each) / extent, along) for each in (self.better, self.worse))
        ahead = (one - other) / _UNSURE
        answer = -np.logaddexp(0.0, -ahead)
        alike = 0.5 * (answer - np.logaddexp(0.0, ahead))
        said = np.where(self.tie[:, None], alike, answer).sum(axis=0)
        likely = np.exp(said - said.max())
        return np.asarray(_ERRING + (1.0 - _ERRING) * likely / likely.mean())


def weights_by_place(
    comparisons: Sequence[Comparison], place: Mapping[tuple[Number, ...], Array], along: Array
) -> Array | None:
    """Return how much each direction counts, by places from 0, the best, to 1 [L]; None where nothing says.

    Args:
        comparisons: those of two points that have places count.
        place: of a point by each objective [K].
        along: directions [L, K].
    """
    said = [each for each in comparisons if each.better in place and each.worse in place]
    if not said:
        return None
    better, worse = (np.stack([place[getattr(each, side)] for each in said]) for side in ("better", "worse"))
    K = along.shape[1]
    known = Preferences(better, worse, np.array([each.tie for each in said]))
    return known.weights(np.full(K, 1.0 + BEYOND), np.ones(K), along)


def reach(heights: Array, along: Array) -> Array:
    """Return how far results with heights [P, K] come along directions [L, K], by what holds them back most [P, L]."""
    return np.asarray((np.maximum(heights, 0.0)[:, None, :] / along).min(axis=2))
