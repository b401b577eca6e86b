"""Slices: their cells against all cells, their bounds against dense grids, shares of minima against exact ones."""

from __future__ import annotations

import itertools
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import ndtr

from ordbo_cli.insight import slices
from ordbo_cli.insight.coarse_boxes import boxes_of
from ordbo_cli.insight.inspection import View
from ordbo_cli.insight.slices import Slice, slice_of
from ordbo_cli.ordinal.linalg import Array, IntArray
from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.problem.method import Method
from ordbo_cli.search.cells.partition import Cell, Partition
from ordbo_cli.search.step_input import StepInput
from tests.unit.search.conftest import bound_of, cell_of, evaluations, random_study, unit_problem


def view(rows: int, dimension: int, method: Method, seed: int = 1, **settings: Any) -> View:
    """Return what the method sees of a valley."""
    X, y = random_study(rows, dimension, seed)
    return View.of(StepInput(unit_problem(dimension, method, **settings), evaluations(X, y), step=rows))


def lattice_partition(
    dimension: int, rows: int, grid_rows: int, levels: int, seed: int
) -> tuple[Partition, tuple[Array, ...]]:
    """Return a partition whose rows share many coordinates, and its knots."""
    table = np.random.default_rng(seed).integers(0, levels + 1, (rows, dimension)) / levels
    knots = tuple(np.unique(np.concatenate([table[:, j], [0.0, 1.0]])) for j in range(dimension))
    places = np.stack([np.searchsorted(knots[j], table[:, j]) for j in range(dimension)], axis=1)
    return Partition(places, grid_rows, Cell((0,) * dimension, tuple(len(u) - 1 for u in knots))), knots


def holds(cell: Cell, through: dict[int, int]) -> bool:
    """Return whether a cell holds a place in some dimensions."""
    return all(cell.lower[j] <= place < cell.upper[j] for j, place in through.items())


partitions = {
    "dimension": st.integers(1, 4),
    "rows": st.integers(1, 12),
    "share": st.floats(0, 1),
    "levels": st.integers(1, 30),
    "seed": st.integers(0, 10**6),
}


@settings(max_examples=80, deadline=None)
@given(**partitions, held=st.integers(0, 3))
def test_cells_of_a_slice_are_those_of_all_that_it_meets(
    dimension: int, rows: int, share: float, levels: int, seed: int, held: int
) -> None:
    """The walk through a place lists what a filter of all cells does, each once."""
    partition, knots = lattice_partition(dimension, rows, int(share * rows), levels, seed)
    rng = np.random.default_rng(seed)
    through = {int(j): int(rng.integers(len(knots[j]) - 1)) for j in rng.permutation(dimension)[:held]}
    walked = list(partition.cells(through))
    expected = [cell for cell in partition.cells() if holds(cell, through)]
    assert sorted(walked, key=repr) == sorted(expected, key=repr)


@settings(max_examples=80, deadline=None)
@given(**partitions, held=st.integers(0, 2), limit=st.integers(1, 40))
def test_boxes_tile_the_slice_and_are_unions_of_its_cells(
    dimension: int, rows: int, share: float, levels: int, seed: int, held: int, limit: int
) -> None:
    """However few boxes: each cell of the slice lies in exactly one, and the number of coarse is told."""
    partition, knots = lattice_partition(dimension, rows, int(share * rows), levels, seed)
    rng = np.random.default_rng(seed)
    through = {int(j): int(rng.integers(len(knots[j]) - 1)) for j in rng.permutation(dimension)[:held]}
    cells = list(partition.cells(through))
    apart = np.array(cells[int(rng.integers(len(cells)))].lower)
    for j, place in through.items():
        apart[j] = place
    found = boxes_of(partition, through, limit, (knots, knots), [apart])
    contents = [[cell for cell in cells if overlaps(box, cell, through, dimension)] for box in found.boxes]
    assert sorted((c for part in contents for c in part), key=repr) == sorted(cells, key=repr)
    assert sum(len(part) > 1 for part in contents) == found.coarse
    assert len(found.boxes) <= limit + 2**dimension
    if len(cells) <= limit:
        assert found.boxes == cells


def overlaps(box: Cell, cell: Cell, through: dict[int, int], dimension: int) -> bool:
    """Return whether a cell lies in a box, looked at along the slice."""
    free = [j for j in range(dimension) if j not in through]
    return all(box.lower[j] <= cell.lower[j] and cell.upper[j] <= box.upper[j] for j in free)


def test_a_cell_that_stands_apart_is_a_box_of_its_own() -> None:
    """Among a million cells the one of the next point is drawn exactly, and the largest boxes are divided first."""
    rng = np.random.default_rng(0)
    table = rng.random((1000, 2))
    knots = tuple(np.unique(np.concatenate([table[:, j], [0.0, 1.0]])) for j in range(2))
    places = np.stack([np.searchsorted(knots[j], table[:, j]) for j in range(2)], axis=1)
    partition = Partition(places, 1000, Cell((0, 0), (len(knots[0]) - 1, len(knots[1]) - 1)))
    apart = np.array([437, 611])
    found = boxes_of(partition, {}, 500, (knots, knots), [apart])
    assert partition.cell_at(apart) in found.boxes
    assert 500 <= len(found.boxes) <= 504
    areas = [np.prod(np.subtract(*reversed(box.edges(knots)))) for box in found.boxes]
    assert sum(areas) == pytest.approx(1.0)
    assert max(areas) < 0.02


@pytest.mark.parametrize("kind", ["tree", "exhaustive"])
@pytest.mark.parametrize(("dimension", "axes"), [(1, (0,)), (2, (0, 1)), (3, (0, 2)), (3, (1,))])
def test_cells_of_a_slice_tile_it(quick: Method, kind: Any, dimension: int, axes: tuple[int, ...]) -> None:
    """Every random point of the slice lies between the edges of one cell, the one that the partition looks up."""
    seen = view(9, dimension, quick)
    along = slice_of(seen, axes, kind)
    warp = seen.surrogate.warp
    low, high = along.edges(warp.coordinates)
    shares = np.random.default_rng(2).random((200, len(axes)))
    points = along.points(low.min(axis=0) + shares * (high.max(axis=0) - low.min(axis=0)))
    for s, interval in zip(points, warp.intervals(points, warp.box), strict=True):
        owners = np.flatnonzero(np.all((low < s[list(axes)]) & (s[list(axes)] <= high), axis=1))
        assert [along.cells[k] for k in owners] == [along.partition.cell_at(interval)]
    held = [j for j in range(dimension) if j not in axes]
    assert np.all(points[:, held] == seen.centre[held])


@pytest.mark.parametrize(("dimension", "axes"), [(1, (0,)), (2, (0, 1)), (4, (1, 2))])
def test_bounds_are_the_lowest_of_dense_grids(quick: Method, dimension: int, axes: tuple[int, ...]) -> None:
    """In no cell of the slice does a point of a dense grid go below the cell's bound."""
    seen = view(12, dimension, quick)
    along = slice_of(seen, axes)
    low, high = along.edges(seen.surrogate.warp.coordinates)
    side = np.linspace(0.0, 1.0, 60)
    shares = np.stack(np.meshgrid(*[side] * len(axes)), axis=-1).reshape(-1, len(axes))
    for k, bound in enumerate(along.bounds):
        values = seen.acquisition.values(along.points(low[k] + shares * (high[k] - low[k])))
        assert values.min() - 0.05 < bound <= values.min() + 1e-6


@pytest.mark.parametrize("pending", [(), ([0.2, 0.8], [0.9, 0.1])])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_chosen_cell_has_the_bound_of_the_proposal(quick: Method, seed: int, pending: Any) -> None:
    """Where all parameters vary, the lowest open cell is the next point's, and its bound that of the record."""
    X, y = random_study(12, 2, seed)
    seen = View.of(StepInput(unit_problem(2, quick), evaluations(X, y), pending, step=12))
    along = slice_of(seen, (0, 1))
    assert seen.proposal is not None
    place = along.next_cell
    assert place is not None
    edges = np.column_stack(along.cells[place].edges(seen.surrogate.warp.knots))
    assert tuple(map(tuple, edges.tolist())) == cell_of(seen.proposal)
    assert isinstance(quick.beta, float)
    beta = quick.beta * (0.75 if pending else 1.0)
    assert along.bounds[place] == pytest.approx(bound_of(seen.proposal, beta), abs=1e-5)
    lowest = int(np.argmin(np.where(along.open, along.bounds, np.inf)))
    assert lowest == place
    assert along.open.all() == (not pending)


def test_cells_that_the_method_passes_over_are_closed(quick: Method) -> None:
    """Of a grid of whole numbers the cells without an untried point are closed, and of an exhausted one all."""
    whole = Problem(tuple(Parameter(name, 0, 2, type="int") for name in "ab"), method=quick)
    points = list(itertools.product(range(3), repeat=2))
    y = [float(a + b) for a, b in points]
    for number in (8, 9):
        seen = View.of(StepInput(whole, evaluations(points[:number], y[:number]), step=number))
        along = slice_of(seen, (0, 1))
        expected = []
        for cell in along.cells:
            low, high = cell.edges(seen.surrogate.warp.knots)
            inside = [
                p for p in points
                if all((a < v or (a == v == 0)) and v <= b for v, a, b in zip(p, low, high, strict=True))
            ]  # fmt: skip
            expected.append(any(p not in points[:number] for p in inside))
        assert along.open.tolist() == expected
        assert (along.next_cell is None) == (number == 9)


def exact_shares(seen: View, s: Array) -> Array:
    """Return with what probability each of two latent points is the lower one [2]."""
    mean, _ = seen.surrogate.posterior.moments(s)
    C = seen.surrogate.posterior.covariance(s)
    first = ndtr((mean[1] - mean[0]) / np.sqrt(C[0, 0] + C[1, 1] - 2 * C[0, 1]))
    return np.array([first, 1.0 - first])


def test_shares_of_two_cells_are_the_exact_probabilities(quick: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """One row makes two cells; at the points drawn, the share of wins is the normal probability of being lower."""
    monkeypatch.setattr(slices, "_GROUPS", 1)
    X, y = np.array([[0.3]]), [1.0]
    seen = View.of(StepInput(unit_problem(1, quick), evaluations(X, y), step=1))
    along = slice_of(seen, (0,))
    assert len(along.cells) == 2
    holders, points = along.thompson(20_000)
    first = points[holders == 0][0], points[holders == 1][0]
    shares = np.bincount(holders, minlength=2) / 20_000
    assert shares == pytest.approx(exact_shares(seen, np.stack(first)), abs=0.02)


def test_minima_of_samples_lie_in_the_cells_that_hold_them(quick: Method) -> None:
    """Each point is on the slice and within the edges of its cell; the same view gives the same points."""
    seen = view(10, 3, quick)
    along = slice_of(seen, (0, 2))
    low, high = along.edges(seen.surrogate.warp.coordinates)
    holders, points = along.thompson(50)
    assert len(holders) == len(points) == 50
    assert np.all((low[holders] <= points[:, [0, 2]]) & (points[:, [0, 2]] <= high[holders]))
    assert np.all(points[:, 1] == seen.centre[1])
    again: tuple[IntArray, Array] = slice_of(seen, (0, 2)).thompson(50)
    assert np.array_equal(again[0], holders)
    assert np.array_equal(again[1], points)


def test_samples_favour_what_is_known_to_be_good(quick: Method) -> None:
    """Of a long valley sampled well, most minima lie in cells around the best point."""
    X = np.linspace(0.0, 1.0, 15)[:, None]
    seen = View.of(StepInput(unit_problem(1, quick), evaluations(X, list((X[:, 0] - 0.5) ** 2)), step=15))
    _, points = slice_of(seen, (0,)).thompson(400)
    x = seen.original(points)[:, 0]
    assert np.mean(np.abs(x - 0.5) < 0.15) > 0.8


@pytest.mark.parametrize("samples", [1, 3, 17])
def test_any_number_of_samples_is_drawn(quick: Method, samples: int) -> None:
    """Fewer samples than groups of shared points are no trouble."""
    holders, points = slice_of(view(6, 2, quick), (0, 1)).thompson(samples)
    assert holders.shape == (samples,)
    assert points.shape == (samples, 2)


def test_many_cells_are_drawn_as_few_boxes(quick: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """Past the limit boxes stand for cells; the next point's is still a cell, and bounds are those of coarse."""
    seen = view(30, 2, quick)
    all_cells = slice_of(seen, (0, 1), "exhaustive")
    assert len(all_cells.cells) > 500
    assert all_cells.coarse == 0
    monkeypatch.setattr(slices, "MOST_CELLS", 100)
    few = slice_of(seen, (0, 1), "exhaustive")
    assert 100 <= len(few.cells) < 110
    assert 0 < few.coarse <= len(few.cells)
    assert few.next_cell is not None
    assert few.cells[few.next_cell] == all_cells.cells[all_cells.next_cell or 0]
    for box, bound in zip(few.cells, few.bounds, strict=True):
        parts = [k for k, cell in enumerate(all_cells.cells) if overlaps(box, cell, {}, 2)]
        assert bound == pytest.approx(all_cells.bounds[parts].min(), abs=0.02)


def test_holds_says_which_points_lie_on_the_slice(quick: Method) -> None:
    """On a slice of some parameters: the best point and those that share its other values; without a best, none."""
    X = np.array([[0.1, 0.2, 0.3], [0.5, 0.2, 0.9], [0.7, 0.6, 0.3], [0.4, 0.2, 0.31]])
    seen = View.of(StepInput(unit_problem(3, quick), evaluations(X, [1.0, 2.0, 3.0, 4.0]), step=4))
    assert slice_of(seen, (0, 2)).holds(X).tolist() == [True, True, False, True]
    assert slice_of(seen, (0,)).holds(X).tolist() == [True, False, False, False]
    assert Slice(seen, (0, 1, 2), seen.cells()).holds(X).all()
    none = View.of(StepInput(unit_problem(3, quick), evaluations(X, [None] * 4), step=4))
    assert not slice_of(none, (0, 2)).holds(X).any()


def test_inputs_of_a_slice_keep_the_best_points_values(quick: Method) -> None:
    """Along the axes the values given, elsewhere the best row's own, to the last digit; before any, the middle."""
    seen = view(9, 3, quick)
    assert seen.best is not None
    points = slice_of(seen, (0, 2)).inputs(np.array([[0.25, 0.75]]))
    assert points.tolist() == [[0.25, float(seen.X[seen.best, 1]), 0.75]]
    empty = View.of(StepInput(unit_problem(3, quick), (), step=0))
    assert slice_of(empty, (0,)).inputs(np.array([[0.25]])) == pytest.approx(np.array([[0.25, 0.5, 0.5]]))


def test_a_study_without_rows_has_one_cell_and_the_prior_bound(quick: Method) -> None:
    """Nothing is known: the whole box is the only cell, its bound the prior's."""
    along = slice_of(View.of(StepInput(unit_problem(2, replace(quick, beta=1.5)), (), step=0)), (0, 1))
    assert len(along.cells) == 1
    assert along.bounds == pytest.approx([-1.5])
    assert along.thompson(5)[0].tolist() == [0] * 5
