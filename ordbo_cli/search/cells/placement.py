"""The point inside the chosen cell. Here the original metric enters: order alone says nothing about it."""

from __future__ import annotations

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number
from ordbo_cli.problem.axis import Axis
from ordbo_cli.problem.method import Method
from ordbo_cli.search.latent_axes import FittedWarp
from ordbo_cli.search.minimise import Choice
from ordbo_cli.search.space.space import Space


def place(
    choice: Choice, warp: FittedWarp, space: Space, method: Method, rng: np.random.Generator
) -> tuple[Number, ...]:
    """Return the untried point of a cell that lies closest to where the placement puts it.

    Args:
        choice: an open cell and its winning latent point.
    """
    low, high = choice.cell.edges(warp.knots)
    share = _shares(choice, warp, method, rng)
    target = space.between(low, high, share)
    if tuple(target.tolist()) in space.tried:  # a bound's corner: the double beside it would be the same point again
        target = space.between(low, high, np.clip(share, method.margin, 1.0 - method.margin))
    for j in range(len(space.axes)):
        target[j] = _in_order(space.axes[j], low[j], high[j], share[j], target[j], method)
    point = space.untried(low, high, target, choice.start)
    if point is None:
        raise RuntimeError("an open cell holds no untried point")
    return point


def _in_order(axis: Axis, low: float, high: float, share: float, target: float, method: Method) -> float:
    """Return where a point goes along one axis: on a ranked one into the middle gap, whatever the placement.

    No place in a gap can be told from another one. Where the winning point lies as near to the upper edge as a point
    may, the setting there is taken once more: the cell owns it.
    """
    if axis.parameter.type != "ranked":
        return target
    gaps = axis.gaps(low, high)
    if not gaps or (share >= 1.0 - method.margin and high < axis.high):
        return high
    return gaps[len(gaps) // 2]


def _shares(choice: Choice, warp: FittedWarp, method: Method, rng: np.random.Generator) -> Array:
    """Return how far from its lower to its upper edge the point goes, in each dimension [D]."""
    D = len(warp.knots)
    if method.placement == "random":
        return rng.random(D)
    if method.placement == "midpoint":
        return np.full(D, 0.5)
    low, high = choice.cell.edges(warp.coordinates)
    width = high - low  # 0 between pending points whose latent places are one double
    share = np.where(width > 0.0, choice.s - low, 0.5) / np.where(width > 0.0, width, 1.0)
    own_low = np.array(choice.cell.lower) == warp.box.lower  # the point may lie on the parameter's own bound
    own_high = np.array(choice.cell.upper) == warp.box.upper
    return np.clip(share, np.where(own_low, 0.0, method.margin), np.where(own_high, 1.0, 1.0 - method.margin))
