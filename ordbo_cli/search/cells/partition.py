"""The cells (Section 3): hyper-rectangles between knots, the same ones in the original and in the latent space.

A cell is known by the places of its edges among the knots of each dimension, so nothing here is a distance. A point on
an edge belongs to the cell below it.

============  ========================================  =====
symbol        meaning                                   shape
============  ========================================  =====
D             dimensions
n_j           knots of dimension j
lower, upper  places of a cell's edges among the knots  [D]
low, high     the edges themselves                      [D]
============  ========================================  =====
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count, islice, pairwise, product
from typing import TypeAlias

import numpy as np

from ordbo_cli.ordinal.linalg import Array, IntArray


@dataclass(frozen=True)
class Cell:
    """A box between knots.

    Args:
        lower, upper: places of its edges among the knots of each dimension, ``lower < upper`` [D].
    """

    lower: tuple[int, ...]
    upper: tuple[int, ...]

    def edges(self, knots: tuple[Array, ...]) -> tuple[Array, Array]:
        """Return its lower and upper edges in the units of the knots [D]."""
        low = np.array([u[k] for u, k in zip(knots, self.lower, strict=True)])
        high = np.array([u[k] for u, k in zip(knots, self.upper, strict=True)])
        return low, high


@dataclass(frozen=True)
class Partition:
    """A division of the box into cells: a grid, some cells of which later rows have split.

    Exhaustive: all rows make the grid. Tree: the first ``initial`` rows do, and each later row in order splits the cell
    that holds it.

    Args:
        rows: places of all rows' coordinates among the knots, in order of arrival [R, D].
        grid_rows: how many of them make the grid.
        box: the whole box as a cell.
    """

    rows: IntArray
    grid_rows: int
    box: Cell

    @cached_property
    def grid(self) -> list[IntArray]:
        """Places of the grid's cuts in each dimension, the box's ends included."""
        cuts = []
        for j, (low, high) in enumerate(zip(self.box.lower, self.box.upper, strict=True)):
            column = self.rows[: self.grid_rows, j]
            inside = column[(column > low) & (column < high)]
            cuts.append(np.unique(np.concatenate([[low, high], inside])).astype(np.int64))
        return cuts

    def cell_at(self, interval: IntArray) -> Cell:
        """Return the cell that holds the points between knots ``interval`` and ``interval + 1`` [D]."""
        place = [int(np.searchsorted(cuts, i, side="right")) for cuts, i in zip(self.grid, interval, strict=True)]
        lower = np.array([cuts[p - 1] for cuts, p in zip(self.grid, place, strict=True)])
        upper = np.array([cuts[p] for cuts, p in zip(self.grid, place, strict=True)])
        while (row := self._splitting_row(lower, upper)) is not None:
            cut = (lower < row) & (row < upper)
            above = cut & (interval >= row)
            lower = np.where(above, row, lower)
            upper = np.where(cut & ~above, row, upper)
        return Cell(tuple(lower.tolist()), tuple(upper.tolist()))

    def cells(self, through: Mapping[int, int] | None = None) -> Iterator[Cell]:
        """Yield every cell; their number grows as ``(n_init - 1)^D + (n - n_init) (2^D - 1)``.

        Args:
            through: a place in some of the dimensions, the knot below it: only cells that hold it are yielded, those
                that a slice through it meets.
        """
        choices = [_met([list(pairwise(cuts.tolist())) for cuts in self.grid], through)]
        while choices:
            sides = next(choices[-1], None)
            if sides is None:
                choices.pop()
                continue
            lower, upper = _box(sides)
            row = self._splitting_row(lower, upper)
            if row is None:
                yield Cell(tuple(lower.tolist()), tuple(upper.tolist()))
            else:
                choices.append(_met(_halves(lower, row, upper), through))

    def size(self, limit: int) -> int:
        """Return the number of cells, or any number above a limit where there are more."""
        total = 1
        for cuts in self.grid:
            total *= len(cuts) - 1
        if total > limit:
            return total
        return sum(1 for _ in islice(self.cells(), limit + 1))

    def largest(self, positions: tuple[Array, ...]) -> Iterator[Cell]:
        """Yield cells by falling volume, without listing them all.

        The grid is a product of intervals, and so are the parts of a cell that a row splits; each product is walked
        from its largest box on, and a box is split only when its turn comes.

        Args:
            positions: of the knots of each dimension in the units that volumes are measured in [n_j].
        """
        turn = count()
        heap: list[tuple[float, int, _Sides, tuple[int, ...], int]] = []

        def push(sides: _Sides, pick: tuple[int, ...], first: int) -> None:
            widths = [u[b] - u[a] for u, (a, b) in zip(positions, _picked(sides, pick), strict=True)]
            volume = float(np.sum(np.log(np.maximum(widths, np.finfo(np.float64).tiny))))
            heapq.heappush(heap, (-volume, next(turn), sides, pick, first))

        def enter(sides: Sequence[Sequence[tuple[int, int]]]) -> None:
            wide = []
            for u, side in zip(positions, sides, strict=True):
                width = {interval: u[interval[1]] - u[interval[0]] for interval in side}
                wide.append(sorted(side, key=width.__getitem__, reverse=True))
            push(wide, (0,) * len(wide), 0)

        enter([list(pairwise(cuts.tolist())) for cuts in self.grid])
        while heap:
            _, _, sides, pick, first = heapq.heappop(heap)
            for j in range(first, len(sides)):
                if pick[j] + 1 < len(sides[j]):
                    push(sides, (*pick[:j], pick[j] + 1, *pick[j + 1 :]), j)
            lower, upper = _box(_picked(sides, pick))
            row = self._splitting_row(lower, upper)
            if row is None:
                yield Cell(tuple(lower.tolist()), tuple(upper.tolist()))
            else:
                enter(_halves(lower, row, upper))

    def parts(self, box: Cell, positions: tuple[Array, ...]) -> list[Cell]:
        """Return the boxes that a box of whole cells divides into: :attr:`box`, or a part of one; nothing for a cell.

        A box of several intervals of the grid is halved, across its longest side and close to the middle of that.

        Args:
            positions: of the knots of each dimension in the units that sides are measured in [n_j].
        """
        cuts = [c[(c > a) & (c < b)] for c, a, b in zip(self.grid, box.lower, box.upper, strict=True)]
        sides = [
            u[b] - u[a] if len(c) else -1.0 for c, u, a, b in zip(cuts, positions, box.lower, box.upper, strict=True)
        ]
        lower, upper = np.array(box.lower), np.array(box.upper)
        longest = int(np.argmax(sides))
        if len(cuts[longest]):
            u = positions[longest]
            middle = 0.5 * (u[lower[longest]] + u[upper[longest]])
            cut = lower.copy()
            cut[longest] = cuts[longest][np.argmin(np.abs(u[cuts[longest]] - middle))]
            halves = _halves(lower, cut, upper)
        elif (row := self._splitting_row(lower, upper)) is not None:
            halves = _halves(lower, row, upper)
        else:
            return []
        boxes = (_box(sides) for sides in product(*halves))
        return [Cell(tuple(low.tolist()), tuple(high.tolist())) for low, high in boxes]

    def _splitting_row(self, lower: IntArray, upper: IntArray) -> IntArray | None:
        """Return the first later row that a box owns and that cuts it, if any [D]."""
        later = self.rows[self.grid_rows :]
        above = (later > lower) | ((later == lower) & (lower == np.array(self.box.lower)))
        owned = np.all(above & (later <= upper), axis=1)
        cutting = owned & np.any((later > lower) & (later < upper), axis=1)
        first = int(np.argmax(cutting)) if len(later) else 0
        return later[first] if len(later) and cutting[first] else None


_Sides: TypeAlias = list[list[tuple[int, int]]]  # intervals to choose from, per dimension


def _met(sides: _Sides, through: Mapping[int, int] | None) -> Iterator[tuple[tuple[int, int], ...]]:
    """Return the boxes of a product of intervals, in some dimensions only of the interval that holds a place."""
    for j, place in (through or {}).items():
        sides[j] = [(a, b) for a, b in sides[j] if a <= place < b]
    return product(*sides)


def _halves(lower: IntArray, row: IntArray, upper: IntArray) -> _Sides:
    """Return the intervals that a row cuts a box into, per dimension."""
    return [
        [(a, r), (r, b)] if a < r < b else [(a, b)]
        for a, r, b in zip(lower.tolist(), row.tolist(), upper.tolist(), strict=True)
    ]


def _picked(sides: _Sides, pick: Sequence[int]) -> list[tuple[int, int]]:
    """Return one interval of each dimension."""
    return [side[k] for side, k in zip(sides, pick, strict=True)]


def _box(sides: Sequence[tuple[int, int]]) -> tuple[IntArray, IntArray]:
    """Return lower and upper edges [D] of a box given side by side."""
    return np.array([side[0] for side in sides]), np.array([side[1] for side in sides])


Closed: TypeAlias = Callable[[Cell], Cell | None]
"""Returns the box that is passed over together with a cell, or None where the cell is open."""
