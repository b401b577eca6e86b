"""Boxes that stand for cells where there are more cells than can be looked at: each is a union of cells."""

from __future__ import annotations

import heapq
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count, islice

import numpy as np

from ordbo_cli.ordinal.linalg import Array, IntArray
from ordbo_cli.search.cells.partition import Cell, Partition


@dataclass(frozen=True)
class Boxes:
    """Boxes that cover a slice of a partition.

    Args:
        boxes: cells, and coarse of cells.
        coarse: how many of the boxes hold more than one cell that the slice meets.
    """

    boxes: list[Cell]
    coarse: int


def boxes_of(
    partition: Partition,
    through: Mapping[int, int],
    limit: int,
    positions: Sequence[tuple[Array, ...]],
    apart: Sequence[IntArray] = (),
) -> Boxes:
    """Return the cells that a slice meets; where there are more than a limit, about as many boxes, the largest split.

    Args:
        through: the place of the slice in the dimensions that it holds, the knot below it.
        limit: number of boxes.
        positions: of the knots of each dimension, once for each of the units in which boxes are to be small.
        apart: intervals whose cells are to be boxes of their own, whatever their size [D].
    """
    cells = list(islice(partition.cells(through), limit + 1))
    if len(cells) <= limit:
        return Boxes(cells, 0)
    turn = count()
    heap: list[tuple[float, int, Cell, list[Cell]]] = []

    def push(box: Cell) -> None:
        parts = _parts(partition, box, through, positions[0])
        while len(parts) == 1:  # of what a dimension is held in, the half beside it
            box, parts = parts[0], _parts(partition, parts[0], through, positions[0])
        heapq.heappush(heap, (-_size(box, through, positions, apart), next(turn), box, parts))

    push(_held(partition, through))
    whole: list[Cell] = []
    while heap and len(heap) + len(whole) < limit:
        _, _, box, parts = heapq.heappop(heap)
        for part in parts:
            push(part)
        if not parts:
            whole.append(box)
    return Boxes([*whole, *(box for _, _, box, _ in heap)], sum(1 for *_, parts in heap if parts))


def _held(partition: Partition, through: Mapping[int, int]) -> Cell:
    """Return the box of all that a slice meets in the grid."""
    lower, upper = list(partition.box.lower), list(partition.box.upper)
    for j, place in through.items():
        cuts = partition.grid[j]
        above = int(np.searchsorted(cuts, place, side="right"))
        lower[j], upper[j] = int(cuts[above - 1]), int(cuts[above])
    return Cell(tuple(lower), tuple(upper))


def _size(
    box: Cell, through: Mapping[int, int], positions: Sequence[tuple[Array, ...]], apart: Sequence[IntArray]
) -> float:
    """Return a box's extent on the slice, the largest of those in several units; infinite where it has to be split."""
    if any(np.all((np.array(box.lower) <= interval) & (interval < np.array(box.upper))) for interval in apart):
        return np.inf
    extents = [
        np.prod([u[box.upper[j]] - u[box.lower[j]] for j, u in enumerate(units) if j not in through])
        for units in positions
    ]
    return float(max(extents))


def _parts(partition: Partition, box: Cell, through: Mapping[int, int], positions: tuple[Array, ...]) -> list[Cell]:
    """Return the parts of a box that the slice meets, nothing for a cell."""
    parts = partition.parts(box, positions)
    return [part for part in parts if all(part.lower[j] <= place < part.upper[j] for j, place in through.items())]
