"""The best open cell without a list of cells.

If every cell is open, the best cell of any partition is the one that holds the acquisition's global minimiser over the
box. Where that cell is closed, it is cut out of the box and the boxes that remain are searched, best first.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

import numpy as np
import scipy.optimize

from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.search.acquisition import Acquisition
from ordbo_cli.search.frame import Frame
from ordbo_cli.search.partition import Cell, Partition

CANDIDATES = 600  # of each of the two kinds of random starts
NEAR = 12  # perturbations of each of the best points
STARTS = 12  # candidates that are followed downhill


@dataclass(frozen=True)
class Choice:
    """A cell and the latent point that speaks for it.

    Args:
        cell: the cell.
        s: the winning latent point inside it [D].
        value: the acquisition there.
    """

    cell: Cell
    s: Array
    value: float


def best_open_cell(
    acquisition: Acquisition,
    frame: Frame,
    partition: Partition,
    is_open: Callable[[Cell], bool],
    anchors: Array,
    rng: np.random.Generator,
) -> Choice | None:
    """Return the open cell with the lowest minimum of the acquisition, or None where all are closed.

    Args:
        anchors: latent points whose surroundings are worth a start [A, D].
    """
    turn = count()
    heap: list[tuple[float, int, Cell, Array]] = []

    def search(box: Cell) -> None:
        s, value = minimise(acquisition, frame, box, anchors, rng)
        heapq.heappush(heap, (value, next(turn), box, s))

    search(frame.box)
    while heap:
        value, _, box, s = heapq.heappop(heap)
        cell = partition.cell_at(frame.intervals(s[None, :], box)[0])
        if is_open(cell):
            return Choice(cell, s, value)
        for rest in without(box, cell):
            search(rest)
    return None


def without(box: Cell, cell: Cell) -> list[Cell]:
    """Return boxes that together cover a box less a cell; at most 2 D."""
    rest = []
    lower, upper = list(box.lower), list(box.upper)
    for j, (a, b) in enumerate(zip(cell.lower, cell.upper, strict=True)):
        if lower[j] < a:
            rest.append(Cell(tuple(lower), (*upper[:j], a, *upper[j + 1 :])))
        if b < upper[j]:
            rest.append(Cell((*lower[:j], b, *lower[j + 1 :]), tuple(upper)))
        lower[j], upper[j] = max(lower[j], a), min(upper[j], b)
    return rest


def minimise(
    acquisition: Acquisition, frame: Frame, box: Cell, anchors: Array, rng: np.random.Generator
) -> tuple[Array, float]:
    """Return the minimiser of the acquisition over a box [D] and its value, by gradients from many starts."""
    low, high = box.edges(frame.coordinates)
    candidates = _candidates(frame, box, anchors, rng)
    values = acquisition.values(candidates)
    bounds = list(zip(low, high, strict=True))

    def objective(s: Array) -> tuple[float, Array]:
        value, gradient = acquisition.values_with_gradients(s[None, :])
        return float(value[0]), gradient[0]

    best = candidates[int(np.argmin(values))], float(np.min(values))
    for start in _distinct(frame, box, candidates[np.argsort(values, kind="stable")]):
        result = scipy.optimize.minimize(objective, start, jac=True, method="L-BFGS-B", bounds=bounds)
        if result.fun < best[1]:
            best = np.clip(result.x, low, high), float(result.fun)
    return best


def _candidates(frame: Frame, box: Cell, anchors: Array, rng: np.random.Generator) -> Array:
    """Return points of a box: uniform in it, uniform over its intervals, and near the anchors [P, D]."""
    low, high = box.edges(frame.coordinates)
    D = len(low)
    uniform = low + (high - low) * rng.random((CANDIDATES, D))
    stratified = np.empty((CANDIDATES, D))
    for j, s in enumerate(frame.coordinates):
        k = rng.integers(box.lower[j], box.upper[j], CANDIDATES)
        stratified[:, j] = s[k] + (s[k + 1] - s[k]) * rng.random(CANDIDATES)
    scale = 10.0 ** rng.uniform(-2.0, 0.0, (len(anchors) * NEAR, 1))
    near = np.repeat(anchors, NEAR, axis=0) + scale * rng.standard_normal((len(anchors) * NEAR, D))
    return np.vstack([uniform, stratified, np.clip(near, low, high)])


def _distinct(frame: Frame, box: Cell, ordered: Array) -> list[Array]:
    """Return the first candidates that lie in intervals of their own, so that starts do not crowd in one place."""
    _, first = np.unique(frame.intervals(ordered, box), axis=0, return_index=True)
    return list(ordered[np.sort(first)[:STARTS]])
