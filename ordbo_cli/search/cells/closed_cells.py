"""Which cells are passed over: those without an untried point, and those in which a result is awaited."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from ordbo_cli.search.cells.partition import Cell
from ordbo_cli.search.fitted_warp import FittedWarp
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step_input import Rows
from ordbo_cli.search.surrogate import partition_of

Closed: TypeAlias = Callable[[Cell], Cell | None]
"""Returns the box that is passed over together with a cell, or None where the cell is open."""


def full_cells(space: Space, warp: FittedWarp) -> Closed:
    """Close the cells whose every point was tried."""
    return lambda cell: None if space.has_room(*cell.edges(warp.knots)) else cell


def either(one: Closed, other: Closed) -> Closed:
    """Close what one of two closes."""
    return lambda cell: one(cell) or other(cell)


def awaited_cells(rows: Rows, space: Space, warp: FittedWarp) -> Closed | None:
    """Close the cells, as the evaluated rows make them, that hold a pending point; None where that is all of them.

    So the points of a batch, and those that are simulated at one time, lie in a cell each.
    """
    evaluated = partition_of(rows, rows.known, warp, space)
    X = space.inputs(rows.pending)
    inside = X[np.all((space.low <= X) & (space.high >= X), axis=1)]
    taken = {evaluated.cell_at(interval) for interval in warp.below(inside)}

    def closed(cell: Cell) -> Cell | None:
        around = evaluated.cell_at(np.array(cell.lower))
        return around if around in taken else None

    return closed if not taken or evaluated.size(len(taken)) > len(taken) else None
