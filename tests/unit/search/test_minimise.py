"""The best open cell found without a list of cells is the best of the full list."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
import pytest
import scipy.optimize

from ordbo_cli.ordinal.data import ordinal_data
from ordbo_cli.ordinal.linalg import IntArray
from ordbo_cli.ordinal.posterior import posterior
from ordbo_cli.ordinal.warp import coordinates
from ordbo_cli.search.cells.acquisition import LowerConfidenceBound
from ordbo_cli.search.cells.partition import Cell, Closed, Partition
from ordbo_cli.search.latent_axes import FittedWarp
from ordbo_cli.search.minimise import best_by_cutting, best_open_cell, without
from ordbo_cli.search.threads import ThreadPool


def study(rows: int, dimension: int, seed: int) -> tuple[FittedWarp, IntArray, LowerConfidenceBound]:
    """Return a frame with random gaps, the rows' places in it, and the LCB of a posterior with random means."""
    rng = np.random.default_rng(seed)
    X = rng.random((rows, dimension))
    X[0], X[-1] = 0.0, 1.0
    data = ordinal_data(X, np.argsort(np.argsort(rng.random(rows))).tolist(), [0.0] * dimension, [1.0] * dimension)
    gaps = np.clip(np.exp(rng.normal(-1.0, 1.0, int(data.gap_counts.sum()))), 0.02, 3.9)
    warp = FittedWarp(data.knots, tuple(coordinates(data, gaps)), np.zeros(dimension), np.ones(dimension))
    q = posterior(warp.latent(data.inputs), rng.normal(size=rows), rng.uniform(0.01, 0.5, rows), "matern32", full=False)
    return warp, warp.places(X), LowerConfidenceBound(q, 2.0)


def minimum_over(cell: Cell, warp: FittedWarp, acquisition: LowerConfidenceBound, rng: np.random.Generator) -> float:
    """Return the least value in one cell by brute force: many random points, the best few followed downhill."""
    low, high = cell.edges(warp.coordinates)
    points = np.vstack([low + (high - low) * rng.random((40, len(low))), low, high, 0.5 * (low + high)])
    values = acquisition.values(points)
    best = float(values.min())
    for start in points[np.argsort(values)[:2]]:
        result = scipy.optimize.minimize(
            lambda s: tuple(part[0] for part in acquisition.values_with_gradients(s[None, :])),
            start,
            jac=True,
            method="L-BFGS-B",
            bounds=list(zip(low, high, strict=True)),
        )
        best = min(best, float(result.fun))
    return best


def alone(taken: Collection[Cell]) -> Closed:
    """Close some cells, and nothing around them."""
    return lambda cell: cell if cell in taken else None


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["tree", "exhaustive"])
@pytest.mark.parametrize(("rows", "dimension"), [(4, 1), (30, 1), (6, 2), (14, 2), (6, 3)])
def test_same_cell_as_the_full_list(kind: str, rows: int, dimension: int) -> None:
    """Cell by cell, closing the winner each time: both list-free searches name the cell that the list names."""
    warp, places, acquisition = study(rows, dimension, 10 * rows + dimension)
    partition = Partition(places, rows if kind == "exhaustive" else min(rows, 5), warp.box)
    rng = np.random.default_rng(0)
    ranking = sorted((minimum_over(cell, warp, acquisition, rng), repr(cell), cell) for cell in partition.cells())
    taken: set[Cell] = set()
    anchors = acquisition.posterior.S[:3]
    for turn in range(min(6, len(ranking))):
        search = best_by_cutting if turn else best_open_cell
        choice = search(acquisition, warp, partition, alone(taken), anchors, rng, ThreadPool())
        value, _, cell = ranking[turn]
        assert choice is not None
        assert choice.value == pytest.approx(value, abs=1e-6)
        assert choice.cell == cell or abs(value - ranking[turn + 1][0]) < 1e-6
        low, high = choice.cell.edges(warp.coordinates)
        assert np.all(choice.s >= low)
        assert np.all(choice.s <= high)
        taken.add(choice.cell)
    assert len(taken) == min(6, len(ranking))


@pytest.mark.parametrize("cut", [100, 0])
def test_every_cell_is_found_before_the_search_gives_up(cut: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Closing cell after cell visits all of them once, then says that none is open; so does the list of many."""
    monkeypatch.setattr("ordbo_cli.search.minimise.CUT", cut)
    warp, places, acquisition = study(6, 2, 5)
    partition = Partition(places, 4, warp.box)
    closed: list[Cell] = []
    rng = np.random.default_rng(1)
    while (
        choice := best_open_cell(
            acquisition,
            warp,
            partition,
            lambda cell: cell if cell in closed else None,
            np.zeros((0, 2)),
            rng,
            ThreadPool(),
        )
    ) is not None:
        assert choice.cell not in closed
        closed.append(choice.cell)
    assert sorted(closed, key=repr) == sorted(partition.cells(), key=repr)


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "dimension"), [(14, 2), (25, 2), (8, 3)])
def test_beside_closed_cells_a_good_open_one_is_found(
    rows: int, dimension: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closing more and more of the best half, the search by random points stays among the best three of those left."""
    warp, places, acquisition = study(rows, dimension, 3 * rows + dimension)
    partition = Partition(places, 5, warp.box)
    rng = np.random.default_rng(0)
    ranking = sorted((minimum_over(cell, warp, acquisition, rng), repr(cell), cell) for cell in partition.cells())
    monkeypatch.setattr("ordbo_cli.search.minimise.without", lambda box, cell: pytest.fail("it has cut a cell out"))
    for number in range(1, len(ranking) // 2, 3):
        taken = {cell for _, _, cell in ranking[:number]}
        choice = best_open_cell(
            acquisition, warp, partition, alone(taken), acquisition.posterior.S[:3], rng, ThreadPool()
        )
        assert choice is not None
        assert choice.cell not in taken
        low, high = choice.cell.edges(warp.coordinates)
        assert np.all((low <= choice.s) & (choice.s <= high))
        assert choice.value <= ranking[number + 2][0] + 1e-6


@pytest.mark.parametrize("listed", [1000, 5])
def test_of_many_cells_the_few_open_ones_are_found_without_a_search_for_each(
    listed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where random points miss them, the cells are listed; closed ones are cut out only beyond what is listed."""
    cuts = []

    def noted(box: Cell, cell: Cell) -> list[Cell]:
        cuts.append(cell)
        return without(box, cell)

    monkeypatch.setattr("ordbo_cli.search.minimise.best_of_random_cells", lambda *_: None)
    monkeypatch.setattr("ordbo_cli.search.minimise.without", noted)
    monkeypatch.setattr("ordbo_cli.search.minimise.LISTED", listed)
    warp, places, acquisition = study(40, 2, 3)
    partition = Partition(places, 5, warp.box)
    cells, rng = list(partition.cells()), np.random.default_rng(0)
    assert len(cells) > 100
    low = {cell: minimum_over(cell, warp, acquisition, rng) for cell in cells[-9:]}
    choice = best_open_cell(
        acquisition, warp, partition, lambda cell: None if cell in low else cell, np.zeros((0, 2)), rng, ThreadPool()
    )
    assert choice is not None
    assert choice.value == pytest.approx(min(low.values()), abs=1e-6)
    assert bool(cuts) == (listed == 5)
    cuts.clear()
    if listed == 1000:
        nothing = best_open_cell(acquisition, warp, partition, lambda cell: cell, np.zeros((0, 2)), rng, ThreadPool())
        assert nothing is None
        assert not cuts


def test_boxes_without_a_cell_cover_the_rest_once() -> None:
    """A box less a cell falls into boxes that neither overlap nor leave a gap."""
    box, cell = Cell((0, 0, 0), (4, 5, 3)), Cell((1, 0, 2), (3, 2, 3))
    count = np.zeros((4, 5, 3), dtype=int)
    for part in (cell, *without(box, cell)):
        count[tuple(slice(a, b) for a, b in zip(part.lower, part.upper, strict=True))] += 1
    assert np.all(count == 1)
