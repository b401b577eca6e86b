"""The cells tile the box, their number is the paper's formula, and look-ups agree with the list."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.search.cells.partition import Cell, Partition


def partition_of(rows: Array, grid_rows: int) -> tuple[Partition, tuple[Array, ...]]:
    """Return the partition of the unit box that rows make, and its knots."""
    D = rows.shape[1]
    knots = tuple(np.unique(np.concatenate([rows[:, j], [0.0, 1.0]])) for j in range(D))
    places = np.stack([np.searchsorted(knots[j], rows[:, j]) for j in range(D)], axis=1)
    return Partition(places, grid_rows, Cell((0,) * D, tuple(len(u) - 1 for u in knots))), knots


def rows_with_corners(n: int, dimension: int, seed: int) -> Array:
    """Return rows of the unit box, the two extreme corners first."""
    rows = np.random.default_rng(seed).random((n, dimension))
    rows[0], rows[1] = 0.0, 1.0
    return rows


@pytest.mark.parametrize("dimension", [1, 2, 3])
@pytest.mark.parametrize(("initial", "rows"), [(5, 5), (5, 12), (3, 20)])
def test_number_of_tree_cells_is_the_formula_of_the_paper(dimension: int, initial: int, rows: int) -> None:
    """``(n_init - 1)^D + (n - n_init) (2^D - 1)`` cells."""
    partition, _ = partition_of(rows_with_corners(rows, dimension, 1), initial)
    expected = (initial - 1) ** dimension + (rows - initial) * (2**dimension - 1)
    assert len(list(partition.cells())) == partition.size(10**6) == expected


@pytest.mark.parametrize("dimension", [1, 2, 3])
def test_number_of_exhaustive_cells_is_the_formula_of_the_paper(dimension: int) -> None:
    """``(n - 1)^D`` cells."""
    partition, _ = partition_of(rows_with_corners(9, dimension, 2), 9)
    assert len(list(partition.cells())) == 8**dimension


def test_size_stops_counting_past_its_limit() -> None:
    """A partition of a huge number of cells is measured without listing them."""
    partition, _ = partition_of(rows_with_corners(60, 12, 3), 60)
    assert partition.size(1000) > 1000


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(
    dimension=st.integers(1, 3),
    rows=st.integers(1, 14),
    grid_share=st.floats(0, 1),
    levels=st.integers(1, 40),
    seed=st.integers(0, 10**6),
)
def test_cells_tile_the_box_and_look_up_finds_them(
    dimension: int, rows: int, grid_share: float, levels: int, seed: int
) -> None:
    """Every elementary interval lies in exactly one listed cell, and that is the one looked up (shared levels too)."""
    rng = np.random.default_rng(seed)
    table = rng.integers(0, levels + 1, (rows, dimension)) / levels
    partition, knots = partition_of(table, int(grid_share * rows))
    cells = list(partition.cells())
    for interval in itertools.product(*(range(len(u) - 1) for u in knots)):
        owners = [
            cell for cell in cells if all(a <= i < b for a, i, b in zip(cell.lower, interval, cell.upper, strict=True))
        ]
        assert owners == [partition.cell_at(np.array(interval))]


@pytest.mark.parametrize("grid_rows", [0, 5, 15])
def test_largest_yields_every_cell_by_falling_volume(grid_rows: int) -> None:
    """The walk by volume lists the same cells, the largest first."""
    partition, knots = partition_of(rows_with_corners(15, 2, 4), grid_rows)

    def volume(cell: Cell) -> float:
        low, high = cell.edges(knots)
        return float(np.prod(high - low))

    walk = list(partition.largest(knots))
    volumes = [volume(cell) for cell in walk]
    assert sorted(walk, key=repr) == sorted(partition.cells(), key=repr)
    assert volumes == sorted(volumes, reverse=True)


def test_a_row_on_an_edge_splits_the_cell_below() -> None:
    """A point on an edge belongs to the lower cell, so that one is cut in the other dimension."""
    rows = np.array([[0.0, 0.0], [1.0, 1.0], [0.5, 0.5], [0.5, 0.25]])
    partition, knots = partition_of(rows, 3)
    heights = sorted(tuple(np.concatenate(cell.edges(knots))) for cell in partition.cells())
    assert heights == [
        (0.0, 0.0, 0.5, 0.25),
        (0.0, 0.25, 0.5, 0.5),
        (0.0, 0.5, 0.5, 1.0),
        (0.5, 0.0, 1.0, 0.5),
        (0.5, 0.5, 1.0, 1.0),
    ]


def test_the_largest_cell_of_fifty_dimensions_is_found() -> None:
    """The walk is direct where a list would have 4^50 cells: the largest interval of every dimension comes first."""
    rows = rows_with_corners(60, 50, 5)
    partition, knots = partition_of(rows, 5)
    cell = next(partition.largest(knots))
    low, high = cell.edges(knots)
    grid = np.sort(rows[:5], axis=0)
    assert np.all(high - low <= np.max(np.diff(grid, axis=0), axis=0))
    assert np.sum(np.log(high - low)) >= np.sum(np.log(0.5 * np.max(np.diff(grid, axis=0), axis=0)))


def test_largest_goes_on_past_cells_without_volume() -> None:
    """Knots whose places on their own scale are one double leave a cell of no width: it comes last."""
    rows = np.array([[0.0], [1.0], [0.5], [np.nextafter(0.5, 1.0)]])
    partition, _ = partition_of(rows, 4)
    walk = list(partition.largest((np.array([0.0, 0.5, 0.5, 1.0]),)))
    assert [cell.lower for cell in walk] == [(0,), (2,), (1,)]
