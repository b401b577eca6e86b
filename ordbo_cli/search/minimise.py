"""The best open cell without a list of cells.

If every cell is open, the best cell of any partition is the one that holds the acquisition's global minimiser over the
box. Where that cell is closed, the open cells of the best random points are searched. Where no random point lies in an
open one, closed cells are cut out of the box and the boxes that remain are searched, best first, until one is found;
but where there are many cells, each to be cut out by a search of its own, they are listed after all.

======  ======================================================================  ======
symbol  meaning                                                                 shape
======  ======================================================================  ======
s       latent points                                                           [P, D]
A       anchors: the best points, whose surroundings are searched more closely  [A, D]
======  ======================================================================  ======
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count, islice

import numpy as np
import scipy.optimize

from ordbo_cli.ordinal.linalg import Array, rounded
from ordbo_cli.problem import Number
from ordbo_cli.search.cells.acquisition import Acquisition
from ordbo_cli.search.cells.partition import Cell, Closed, Partition
from ordbo_cli.search.latent_axes import FittedWarp
from ordbo_cli.search.threads import ThreadPool

CANDIDATES = 600  # of each of the two kinds of random starts
NEAR = 12  # perturbations of each of the best points
STARTS = 12  # candidates that are followed downhill
TOGETHER = 60  # steps that all of them take
ALONE = 2  # leaders that are then followed to the end
DOWNHILL = 200  # steps of a leader at most
CUT = 100  # cells; of more, the closed ones are not cut out one by one
LISTED = 20_000  # cells at most that are looked through instead
VALUE_BITS = 30  # of a value that is compared with another: more than rounding errors
SLOPE_BITS = 22  # of a slope that a descent sees
BLOCK = 2**17  # covariances that are computed together: so many stay near a core


@dataclass(frozen=True)
class Choice:
    """A cell and the latent point that speaks for it.

    Args:
        cell: the cell.
        s: the winning latent point inside it [D].
        value: the acquisition there.
        start: the point that it is the place of, where not every place is feasible; else None.
    """

    cell: Cell
    s: Array
    value: float
    start: tuple[Number, ...] | None = None


def best_open_cell(
    acquisition: Acquisition,
    warp: FittedWarp,
    partition: Partition,
    closed: Closed,
    anchors: Array,
    rng: np.random.Generator,
    pool: ThreadPool,
) -> Choice | None:
    """Return the open cell with the lowest minimum of the acquisition, or None where all are closed.

    Args:
        closed: which cells are passed over.
        anchors: latent points whose surroundings are worth a start [A, D].
        pool: threads that the work is spread over.
    """
    s, value = minimise(acquisition, warp, warp.box, anchors, rng, pool)
    cell = partition.cell_at(warp.intervals(s[None, :], warp.box)[0])
    if closed(cell) is None:
        return Choice(cell, s, value)
    found = best_of_random_cells(acquisition, warp, partition, closed, anchors, rng, pool)
    if found is None and partition.size(CUT) > CUT:
        found = best_of_listed_cells(acquisition, warp, partition, closed, pool)
        if found is None and partition.size(LISTED) <= LISTED:
            return None
    return found or best_by_cutting(acquisition, warp, partition, closed, anchors, rng, pool)


def best_by_cutting(
    acquisition: Acquisition,
    warp: FittedWarp,
    partition: Partition,
    closed: Closed,
    anchors: Array,
    rng: np.random.Generator,
    pool: ThreadPool,
) -> Choice | None:
    """Return what :func:`best_open_cell` does, however few cells are open: it takes a search for each closed one."""
    turn = count()
    heap: list[tuple[float, int, Cell, Array]] = []

    def search(box: Cell) -> None:
        s, value = minimise(acquisition, warp, box, anchors, rng, pool)
        heapq.heappush(heap, (value, next(turn), box, s))

    search(warp.box)
    while heap:
        value, _, box, s = heapq.heappop(heap)
        cell = partition.cell_at(warp.intervals(s[None, :], box)[0])
        passed_over = closed(cell)
        if passed_over is None:
            return Choice(cell, s, value)
        for rest in without(box, passed_over):
            search(rest)
    return None


def best_of_random_cells(
    acquisition: Acquisition,
    warp: FittedWarp,
    partition: Partition,
    closed: Closed,
    anchors: Array,
    rng: np.random.Generator,
    pool: ThreadPool,
) -> Choice | None:
    """Return the best of the open cells that hold the best random points; None where no point lies in an open cell."""
    candidates = _candidates(warp, warp.box, anchors, rng)
    candidates = candidates[np.argsort(blockwise(acquisition, candidates, pool), kind="stable")]
    intervals = warp.intervals(candidates, warp.box)
    left = np.ones(len(candidates), dtype=bool)
    cells: list[Cell] = []
    starts: list[Array] = []
    while len(cells) < STARTS and left.any():
        best = int(np.argmax(left))
        cell = partition.cell_at(intervals[best])
        passed_over = closed(cell)
        if passed_over is None:
            cells.append(cell)
            starts.append(candidates[best])
        around = passed_over or cell
        left &= ~np.all((intervals >= around.lower) & (intervals < around.upper), axis=1)
    return _best_of(acquisition, warp, cells, starts, pool) if cells else None


def best_of_listed_cells(
    acquisition: Acquisition, warp: FittedWarp, partition: Partition, closed: Closed, pool: ThreadPool
) -> Choice | None:
    """Return the best of the open cells among the first ``LISTED``, judged by their middles, if any is."""
    cells = [cell for cell in islice(partition.cells(), LISTED) if closed(cell) is None]
    if not cells:
        return None
    middles = np.stack([0.5 * np.add(*cell.edges(warp.coordinates)) for cell in cells])
    leading = np.argsort(blockwise(acquisition, middles, pool), kind="stable")[:STARTS]
    return _best_of(acquisition, warp, [cells[i] for i in leading], list(middles[leading]), pool)


def _best_of(
    acquisition: Acquisition, warp: FittedWarp, cells: Sequence[Cell], starts: Sequence[Array], pool: ThreadPool
) -> Choice:
    """Return the cell with the lowest minimum that a descent from one point of each finds."""
    low, high = (np.stack(edges) for edges in zip(*(cell.edges(warp.coordinates) for cell in cells), strict=True))
    ends = downhill(acquisition, np.stack(starts), low, high, TOGETHER)
    leading = np.argsort(rounded(acquisition.values(ends), VALUE_BITS), kind="stable")[:ALONE]
    alone = pool.map(lambda i: downhill(acquisition, ends[[i]], low[i], high[i], DOWNHILL)[0], leading.tolist())
    ends[leading] = alone
    values = rounded(acquisition.values(ends), VALUE_BITS)
    best = int(np.argmin(values))
    return Choice(cells[best], ends[best], float(values[best]))


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
    acquisition: Acquisition, warp: FittedWarp, box: Cell, anchors: Array, rng: np.random.Generator, pool: ThreadPool
) -> tuple[Array, float]:
    """Return the minimiser of the acquisition over a box [D] and its value, by gradients from many starts.

    All starts go downhill together, as one problem whose objective is their sum; the best of them go on alone.
    """
    low, high = box.edges(warp.coordinates)
    candidates = _candidates(warp, box, anchors, rng)
    order = np.argsort(blockwise(acquisition, candidates, pool), kind="stable")
    starts = _distinct(warp, box, candidates[order])
    together = downhill(acquisition, starts, low, high, TOGETHER)
    leading = np.argsort(rounded(acquisition.values(together), VALUE_BITS), kind="stable")[:ALONE]
    alone = pool.map(lambda i: downhill(acquisition, together[[i]], low, high, DOWNHILL), leading.tolist())
    ends = np.vstack([*alone, together, candidates[order[:1]]])
    values = rounded(acquisition.values(ends), VALUE_BITS)
    best = int(np.argmin(values))
    return ends[best], float(values[best])


def blockwise(acquisition: Acquisition, s: Array, pool: ThreadPool) -> Array:
    """Return values [P] at latent points [P, D], block by block; the blocks do not depend on the number of threads."""
    size = max(1, BLOCK // max(1, len(acquisition.posterior.S)))
    return np.concatenate(pool.map(acquisition.values, [s[k : k + size] for k in range(0, len(s), size)]))


def downhill(acquisition: Acquisition, starts: Array, low: Array, high: Array, iterations: int) -> Array:
    """Return where a descent of the sum over points leads them [P, D].

    Args:
        starts: the points [P, D].
        low, high: the box that all of them stay in [D], or a box of each [P, D].
    """
    low, high = np.broadcast_to(low, starts.shape), np.broadcast_to(high, starts.shape)

    def objective(s: Array) -> tuple[float, Array]:
        values, gradients = acquisition.values_with_gradients(s.reshape(starts.shape))
        slopes = rounded(gradients.ravel(), SLOPE_BITS, together=True)
        return float(rounded(values.sum(), VALUE_BITS)), slopes

    bounds = list(zip(low.ravel(), high.ravel(), strict=True))
    options = {"maxiter": iterations}
    end = scipy.optimize.minimize(
        objective, starts.ravel(), jac=True, method="L-BFGS-B", bounds=bounds, options=options
    )
    return np.clip(end.x.reshape(starts.shape), low, high)


def _candidates(warp: FittedWarp, box: Cell, anchors: Array, rng: np.random.Generator) -> Array:
    """Return points of a box: uniform in it, uniform over its intervals, and near the anchors [P, D]."""
    low, high = box.edges(warp.coordinates)
    D = len(low)
    uniform = low + (high - low) * rng.random((CANDIDATES, D))
    stratified = np.empty((CANDIDATES, D))
    for j, s in enumerate(warp.coordinates):
        k = rng.integers(box.lower[j], box.upper[j], CANDIDATES)
        stratified[:, j] = s[k] + (s[k + 1] - s[k]) * rng.random(CANDIDATES)
    scale = 10.0 ** rng.uniform(-2.0, 0.0, (len(anchors) * NEAR, 1))
    near = np.repeat(anchors, NEAR, axis=0) + scale * rng.standard_normal((len(anchors) * NEAR, D))
    return np.vstack([uniform, stratified, np.clip(near, low, high)])


def _distinct(warp: FittedWarp, box: Cell, ordered: Array) -> Array:
    """Return the first candidates that lie in intervals of their own, so that starts do not crowd in one place."""
    _, first = np.unique(warp.intervals(ordered, box), axis=0, return_index=True)
    return ordered[np.sort(first)[:STARTS]]
