"""How good a set of trades is: the hypervolume that it dominates, and how far a front is from it.

All objectives are to be minimised.

=======  ==================================  ========
symbol   meaning                             shape
=======  ==================================  ========
``N``    results
``F``    points of the reference front
``K``    objectives
=======  ==================================  ========
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ordbo_cli.benchmark.suites.fronts.sampling import not_dominated
from ordbo_cli.ordinal.linalg import Array


def hypervolume(Y: Array, reference: Sequence[float] | Array) -> float:
    """Return the volume between results and a reference point, exactly.

    It is the area of a staircase for two objectives, and slices of it along the last one for more: time grows with the
    number of results to the power of K - 1, which does for a few hundred and up to four objectives.

    Args:
        Y: results [N, K]; what is not better than the reference point in every objective counts for nothing.
        reference: the point [K].
    """
    reference = np.asarray(reference, dtype=np.float64)
    return _volume(not_dominated(Y[np.all(reference > Y, axis=1)]), reference)


def _volume(front: Array, reference: Array) -> float:
    """Return the volume of results that do not dominate each other, in rising order of the first objective."""
    if not len(front):
        return 0.0
    if front.shape[1] == 1:
        return float(reference[0] - front[:, 0].min())
    if front.shape[1] == 2:
        ends = np.concatenate([front[1:, 0], reference[:1]])
        return float(np.sum((ends - front[:, 0]) * (reference[1] - front[:, 1])))
    order = front[np.argsort(front[:, -1], kind="stable")]
    heights = np.diff(np.append(order[:, -1], reference[-1]))
    slices = (_volume(not_dominated(order[:n, :-1]), reference[:-1]) for n in range(1, len(order) + 1))
    return float(sum(height * area for height, area in zip(heights, slices, strict=True) if height > 0.0))


def distance_from(front: Array, Y: Array) -> float:
    """Return how far the points of a front are from results, on average: the modified inverted generational distance.

    From each point of the front it is the distance to the nearest result, of which only that counts by which the result
    is worse. So no result makes it larger, and one that dominates another makes it no larger than that one does.

    Source: H. Ishibuchi, H. Masuda, Y. Tanigaki and Y. Nojima, "Modified distance calculation in generational distance
    and inverted generational distance", in Evolutionary Multi-Criterion Optimization, Springer (2015): IGD+.

    Args:
        front: its points [F, K].
        Y: results [N, K], at least one.
    """
    worse = np.maximum(Y[None, :, :] - front[:, None, :], 0.0)
    return float(np.linalg.norm(worse, axis=2).min(axis=1).mean())
