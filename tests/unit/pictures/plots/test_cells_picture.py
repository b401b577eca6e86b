"""The cells: what is drawn in both spaces, against the partition itself."""

from __future__ import annotations

import itertools
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pytest

from ordbo_cli.insight import slices
from ordbo_cli.insight.inspection import View
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.plots.cells import draw
from ordbo_cli.pictures.style import THEMES, Look
from ordbo_cli.problem import Parameter
from tests.unit.pictures.conftest import QUICK, collisions, drawn_by, found, odd_names, unit, valley, view_of
from tests.unit.search.conftest import bound_of, cell_of

pytestmark = pytest.mark.slow

pytest.importorskip("matplotlib")


picture = partial(drawn_by, draw)


def corners(collection: Any) -> list[tuple[float, ...]]:
    """Return left, bottom, right and top of each box of a collection, sorted."""
    boxes = [path.vertices for path in collection.get_paths()]
    return sorted((*map(float, v.min(axis=0)), *map(float, v.max(axis=0))) for v in boxes)


def expected(view: View, axes: tuple[int, ...], knots: tuple[Array, ...], kind: Any = None) -> list[tuple[float, ...]]:
    """Return the boxes of all cells that a slice through the best point meets, by brute force."""
    warp = view.surrogate.warp
    at = warp.intervals(view.centre[None, :], warp.box)[0]
    held = [j for j in range(view.space.dimension) if j not in axes]
    met = [c for c in view.cells(kind).cells() if all(c.lower[j] <= at[j] < c.upper[j] for j in held)]
    return sorted(tuple(float(knots[j][side[j]]) for side in (cell.lower, cell.upper) for j in axes) for cell in met)


@pytest.mark.parametrize("kind", ["tree", "exhaustive", None])
@pytest.mark.parametrize(("dimension", "axes"), [(2, (0, 1)), (3, (0, 2)), (3, (1, 2))])
def test_boxes_are_the_cells_in_both_spaces(kind: Any, dimension: int, axes: tuple[int, ...]) -> None:
    """All cells on the slice and no others are drawn, between the knots in the user's units and in the latent ones."""
    view = valley(9, dimension)
    drawn = picture(view, shown=axes, partition=kind)
    original, latent = found(drawn, "cells")
    warp = view.surrogate.warp
    assert corners(original) == expected(view, axes, warp.knots, kind)
    assert corners(latent) == expected(view, axes, warp.coordinates, kind)


def test_the_papers_figure() -> None:
    """A point in a partition of four cells makes seven cells of a tree and nine of an exhaustive partition."""
    X = [[0.0, 0.0], [1.0, 1.0], [0.5, 0.5], [0.75, 0.25]]
    view = view_of(unit("a", "b"), X, [4, 3, 1, 2], method=replace(QUICK, initial=3))
    tree, grid = picture(view, partition="tree"), picture(view, partition="exhaustive")
    assert [len(found(each, "cells")[0].get_paths()) for each in (tree, grid)] == [7, 9]
    assert "The tree partition has 7 cells." in tree.alt
    assert "The exhaustive partition has 9 cells." in grid.alt
    for each in (tree, grid):
        assert found(each, "newest")[0].get_xydata().tolist() == [[0.75, 0.25]]


def test_marks_are_the_evaluations() -> None:
    """Successes, failures, the newest, the best and the next point are drawn where they are, in both spaces."""
    view = valley(12)
    drawn = picture(view)
    good = ~view.failed
    assert view.best is not None
    for place, X in enumerate((view.X, view.latent(view.X))):
        assert found(drawn, "observations")[place].get_xydata().tolist() == X[good].tolist()
        assert found(drawn, "failed")[place].get_xydata().tolist() == X[[2]].tolist()
        assert found(drawn, "newest")[place].get_xydata().tolist() == X[[-1]].tolist()
        assert found(drawn, "best")[place].get_xydata().tolist() == X[[view.best]].tolist()
    assert view.next is not None
    original, latent = found(drawn, "next")
    assert original.get_xydata().tolist() == [view.next.tolist()]
    assert latent.get_xydata().tolist() == view.latent(view.next[None, :]).tolist()
    assert original.get_markerfacecolor() == Look().theme.next


def test_ranks_stand_beside_their_points() -> None:
    """Each number is one more than how many results are better; it is anchored at its point. Failures have none."""
    view = valley(12)
    for panel, X in zip(picture(view).figure.axes, (view.X, view.latent(view.X)), strict=True):
        told = {tuple(map(float, text.xy)): int(text.get_text()) for text in panel.texts}
        assert len(told) >= 9
        values = {tuple(x): e.objective for x, e in zip(X.tolist(), view.evaluations, strict=True)}
        for point, rank in told.items():
            own = values[point]
            assert own is not None
            assert rank == 1 + sum(value is not None and value < own for value in values.values())


def test_tied_results_share_a_rank() -> None:
    """Of two equal bests both are number 1, and the next is number 2."""
    view = view_of(unit("a", "b"), [[0.1, 0.1], [0.5, 0.6], [0.9, 0.3]], [1, 1, 2])
    texts = sorted(text.get_text() for text in picture(view).figure.axes[0].texts)
    assert texts == ["1", "1", "2"]


def test_the_next_points_cell_is_outlined() -> None:
    """The hatched box is the cell of the step's record; the words give its edges."""
    view = valley(12)
    drawn = picture(view)
    assert view.proposal is not None
    (left, right), (bottom, top) = cell_of(view.proposal)
    assert corners(found(drawn, "next-cell")[0]) == [(left, bottom, right, top)]
    assert f"from {left:.4g} to {right:.4g} of a and from {bottom:.4g} to {top:.4g} 1/s of rate" in drawn.alt
    assert f"lower confidence bound, {bound_of(view.proposal, 2.0):.4g}." in drawn.alt


def test_off_the_slice() -> None:
    """Of three parameters, evaluations elsewhere stand back; the next point is hollow there, and the words say it."""
    view = valley(12, 3)
    drawn = picture(view, shown=(0, 2))
    assert len(found(drawn, "off-slice")[0].get_xydata()) == 10
    assert found(drawn, "observations")[0].get_xydata().tolist() == [view.X[view.best, [0, 2]].tolist()]
    assert found(drawn, "next")[0].get_markerfacecolor() == "none"
    assert "off the slice and is drawn hollow" in drawn.alt
    assert f"slice through the best point, where b = {view.X[view.best, 1]:.4g}" in drawn.alt
    on_slice = len(expected(view, (0, 2), view.surrogate.warp.knots))
    total = view.cells().size(10**6)
    assert f"has {total} cells, {on_slice} of them on the slice" in drawn.alt


@pytest.mark.parametrize("view", [valley(7, 2), view_of(unit("a"), [[0.1], [0.7], [0.4]], [3, 2, 1])])
def test_one_parameter_is_a_strip_in_each_space(view: View) -> None:
    """The intervals of one axis are drawn as boxes over the whole height, one below the other."""
    drawn = picture(view, shown=(0,))
    warp = view.surrogate.warp
    for strip, knots in zip(found(drawn, "cells"), (warp.knots, warp.coordinates), strict=True):
        spans = [(left, right) for left, bottom, right, top in corners(strip)]
        assert spans == expected(view, (0,), knots)
        assert all((bottom, top) == (0.0, 1.0) for _, bottom, _, top in corners(strip))


def test_closed_cells_are_crossed_out() -> None:
    """Cells without an untried point are marked, counted in the words, and the next point lies in none of them."""
    whole = [Parameter("m", 0, 2, type="int"), Parameter("n", 0, 2, type="int")]
    points = list(itertools.product((0, 1, 2), repeat=2))
    view = view_of(whole, points[:7], list(range(7)))
    drawn = picture(view)
    closed = corners(found(drawn, "closed")[0])
    outlined = corners(found(drawn, "next-cell")[0])
    assert f"{len(closed)} cells are closed" in drawn.alt
    assert not set(closed) & set(outlined)
    for left, bottom, right, top in closed:
        inside = [
            p
            for p in points
            if all(
                (low < v or v == low == 0) and v <= high
                for v, low, high in zip(p, (left, bottom), (right, top), strict=True)
            )
        ]
        assert set(inside) <= set(points[:7])


def test_points_that_are_out_have_marks() -> None:
    """Pending points are drawn and counted."""
    view = valley(8, 2, pending=[(0.3, 0.5), (0.8, 20.0)])
    drawn = picture(view)
    assert found(drawn, "out")[0].get_xydata().tolist() == [[0.3, 0.5], [0.8, 20.0]]
    assert "2 points out without a result" in drawn.alt


def test_rows_outside_the_bounds_are_counted_not_drawn() -> None:
    """They have no place on the panel; the words say how many there are."""
    view = view_of(unit("a", "b"), [[0.2, 0.2], [3.0, 0.5], [0.6, -1.0], [0.7, 0.9]], [2, 1, 4, 3])
    drawn = picture(view)
    assert found(drawn, "observations")[0].get_xydata().tolist() == [[0.2, 0.2], [0.7, 0.9]]
    assert "2 outside the bounds" in drawn.alt


def test_before_the_first_result() -> None:
    """One cell, the first point of the design, and a title that says that there is nothing yet."""
    drawn = picture(view_of(unit("a", "b"), [], []))
    assert corners(found(drawn, "cells")[0]) == [(0.0, 0.0, 1.0, 1.0)]
    assert "No evaluation yet" in drawn.alt
    assert "It belongs to the initial design" in drawn.alt
    assert "no evaluation yet" in drawn.figure.get_suptitle()


def test_an_exhausted_study_says_why_there_is_no_next_point() -> None:
    """All cells are closed, nothing is outlined."""
    drawn = picture(view_of([Parameter("m", 0, 1, type="int")], [(0,), (1,)], [2, 1]))
    assert "There is no next point: every point" in drawn.alt
    assert not found(drawn, "next")
    assert not found(drawn, "next-cell")


def test_many_rows_are_few_boxes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Past the limit boxes are coarse of cells, as title and words say, and an SVG holds them as an image."""
    monkeypatch.setattr(slices, "MOST_CELLS", 300)
    drawn = picture(valley(40), partition="exhaustive")
    boxes = len(found(drawn, "cells")[0].get_paths())
    assert 300 <= boxes <= 303
    assert f"{boxes} boxes of cells" in drawn.figure.get_suptitle()
    assert f"several are drawn as one box: there are {boxes} boxes" in drawn.alt
    assert "has 1,681 cells" in drawn.alt
    assert b"<image" in drawn.encoded("svg")


@pytest.mark.parametrize("size", [None, (4.0, 3.0), (10.0, 7.0)])
@pytest.mark.parametrize("shown", [(), (1,)])
def test_texts_do_not_collide(size: Any, shown: tuple[int, ...]) -> None:
    """Labels, ticks, ranks, legend and titles keep apart, small and large, with long and odd names."""
    view = odd_names()
    assert collisions(picture(view, Look(THEMES["dark"], size), shown=shown)) == []


def test_bounds_beyond_matplotlibs_numbers() -> None:
    """An axis from 1e-300 to 1e-290 is drawn by shares of the box, and ticked with its own values."""
    tiny = [Parameter("t", 1e-300, 1e-290), Parameter("h", 1e-3, 1e305, scale="log")]
    rows = [[2e-291, 1.0], [5e-291, 1e200], [9e-291, 1e100]]
    drawn = picture(view_of(tiny, rows, [3, 1, 2]))
    points = found(drawn, "observations")[0].get_xydata()
    assert points[:, 0] == pytest.approx([0.2, 0.5, 0.9])
    assert points[:, 1] == pytest.approx([3 / 308, 203 / 308, 103 / 308])
    panel = drawn.figure.axes[0]
    assert panel.get_xlim() == (0.0, 1.0)
    assert float(panel.xaxis.get_major_formatter()(0.5, 0)) == pytest.approx(5e-291, rel=0.01)


def test_more_cells_than_a_double_counts_are_told() -> None:
    """Of 400 parameters, with the power of ten."""
    rng = np.random.default_rng(0)
    many = [Parameter(f"x{j}", 0.0, 1.0) for j in range(400)]
    drawn = picture(view_of(many, rng.random((8, 400)).tolist(), list(range(8))))
    assert "has about 5.0e+381 cells" in drawn.alt
