"""The lowest value in each of many boxes at once, by as many looks as there is time for.

Every box is looked at on a lattice of its own; the boxes with the lowest values, all of them where the work allows it,
are then searched from the best point on, by steps that grow shorter where none leads farther down.
"""

from __future__ import annotations

from itertools import product
from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array, IntArray
from ordbo_cli.search.cells.acquisition import Acquisition
from ordbo_cli.search.minimise import blockwise
from ordbo_cli.search.threads import ThreadPool

WORK: Final = 1e10  # products of two numbers: about a second of a core
_OVERHEAD: Final = 1e4  # of a look, beside the products
_COORDINATES: Final = 5e7  # of the looks together: of thousands of parameters they fill the memory first
_PARTS: Final = (3, 2)  # of a side, each searched on its own where a quarter of the work is enough for that
_LATTICES: Final = (7, 5, 3)  # points along a side, its ends included
_SHORTEST: Final = 1e-4  # step at which a search ends, as a share of a side
_SHORTER: Final = 0.4  # share of a step that is left where none leads down
_ROUNDS: Final = 60  # of steps at most
_LOOKS: Final = 200  # that one search takes about


def minima(
    acquisition: Acquisition, low: Array, high: Array, pool: ThreadPool, work: float = WORK
) -> tuple[Array, Array]:
    """Return where an acquisition is lowest in each of several boxes [C, D], and its values there [C].

    Args:
        low, high: edges of the boxes, equal where a dimension is held; at most two are not [C, D].
        pool: threads that the work is spread over.
        work: bound of it, in products of two numbers. The middle of each box is looked at in any case.
    """
    axes = np.flatnonzero(np.any(high > low, axis=0))
    looks = min(work / (len(acquisition.posterior.S) ** 2 + _OVERHEAD), _COORDINATES / low.shape[1])
    one = _LATTICES[1] ** len(axes) + _LOOKS
    number = next((k for k in _PARTS if len(low) * k ** len(axes) * one <= 0.25 * looks), 1)
    shares = np.array(list(product(np.linspace(0.0, 1.0, number, endpoint=False), repeat=len(axes))))
    first = np.repeat(low[:, None], len(shares), axis=1)  # a box may hold several basins: its parts are boxes, too
    first[..., axes] += (high - low)[:, None, axes] * shares
    last = np.minimum(first + (high - low)[:, None] / number, high[:, None])
    s, values = _lowest(acquisition, first.reshape(-1, low.shape[1]), last.reshape(-1, low.shape[1]), axes, looks, pool)
    best = np.arange(len(low)), np.argmin(values.reshape(len(low), -1), axis=1)
    return s.reshape(first.shape)[best], values.reshape(len(low), -1)[best]


def _lowest(
    acquisition: Acquisition, low: Array, high: Array, axes: IntArray, looks: float, pool: ThreadPool
) -> tuple[Array, Array]:
    """Return the lowest points [C, D] and values [C] that a lattice in each box, and searches in the best, find."""
    side = next((k for k in _LATTICES if 2 * len(low) * k ** len(axes) <= looks), 0)
    ends = np.linspace(0.0, 1.0, side)
    shares = np.array([(0.5,) * len(axes), *(product(ends, repeat=len(axes)) if side else ())])
    points = np.repeat(low[None], len(shares), axis=0)
    points[:, :, axes] += (high - low)[:, axes] * shares[:, None, :]
    seen = blockwise(acquisition, points.reshape(-1, low.shape[1]), pool).reshape(len(shares), len(low))
    best = np.argmin(seen, axis=0), np.arange(len(low))
    s, values = points[best], seen[best]
    leading = np.argsort(values, kind="stable")[: max(1, int((looks - seen.size) / _LOOKS))]
    s[leading], values[leading] = _searched(acquisition, s[leading], low[leading], high[leading], axes, pool)
    return s, values


def _searched(
    acquisition: Acquisition, s: Array, low: Array, high: Array, axes: IntArray, pool: ThreadPool
) -> tuple[Array, Array]:
    """Return where steps from a point of each box lead down to [C, D], and the values there [C]."""
    s, values = s.copy(), blockwise(acquisition, s, pool)
    moves = np.array(list(product((-1.0, 0.0, 1.0), repeat=len(axes))))
    step = np.full(len(s), 0.25)
    for _ in range(_ROUNDS):
        going = np.flatnonzero(step > _SHORTEST)
        if not len(going):
            break
        trials = np.repeat(s[None, going], len(moves), axis=0)
        trials[:, :, axes] += moves[:, None, :] * (step[going, None] * (high - low)[going][:, axes])
        trials = np.clip(trials, low[going], high[going])
        seen = blockwise(acquisition, trials.reshape(-1, s.shape[1]), pool).reshape(len(moves), len(going))
        found = np.argmin(seen, axis=0)
        lowest = seen[found, np.arange(len(going))]
        down = lowest < values[going]
        s[going[down]], values[going[down]] = trials[found, np.arange(len(going))][down], lowest[down]
        step[going[~down]] *= _SHORTER
    return s, values
