"""Parallel coordinates: every value by its rank, colours that follow the results, names that keep apart."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.pictures.parallel import draw
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import DARK, LIGHT, Look, Picture, Theme
from ordbo_cli.problem import Number, Parameter
from ordbo_cli.search import View
from tests.unit.pictures.conftest import collisions, found, unit, view_of

pytest.importorskip("matplotlib")

X = [(0.0, 3.0), (1.0, 1.0), (0.5, 3.0), (0.25, 7.0), (0.5, 2.0)]
BOX = [Parameter("a", 0.0, 1.0), Parameter("b", 1.0, 8.0)]


def drawn(view: View, look: Look | None = None, shown: tuple[int, ...] = ()) -> Picture:
    return draw(Scene(view, "study", shown=shown), look or Look())


def lines(picture: Picture, gid: str) -> list[list[float]]:
    """Return the heights of the lines of a name."""
    return [segment[:, 1].tolist() for each in found(picture, gid) for segment in each.get_segments()]


def line(picture: Picture, gid: str) -> list[float]:
    """Return the heights of the one line of a name."""
    (artist,) = found(picture, gid)
    return [float(y) for y in artist.get_ydata()]


def random_view(rows: int, dimension: int, **settings: Any) -> View:
    points = np.random.default_rng(0).random((rows, dimension)).tolist()
    names = [f"parameter number {k}" for k in range(dimension)]
    return view_of(unit(*names), points, [sum(x) for x in points], **settings)


def test_every_value_stands_at_its_rank() -> None:
    """By hand: a has the values 0, 1/4, 1/2 and 1, b its bounds 1 and 8 and between them 2, 3 and 7; four results."""
    picture = drawn(view_of(BOX, X, ["5", "1e300", "5", "-3", "6"]))
    third, quarter = 1 / 3, 1 / 4
    wanted = [[1, 0, 1], [2 * third, quarter, 2 * third], [0, 2 * quarter, third], [2 * third, 2 * quarter, third]]
    others, best = [*wanted], [third, 3 * quarter, 0]
    assert sorted(np.round(lines(picture, "results"), 9).tolist()) == sorted(np.round([*others, best], 9).tolist())
    np.testing.assert_allclose(line(picture, "best"), best)


@pytest.mark.parametrize("stretched", [[5.0, 1e300, 5.0, -1e-300, 1e200], ["1e400", "2e400", "1e400", "-7", "1.5e400"]])
def test_only_order_counts(stretched: Sequence[object]) -> None:
    """Other results in the same order give the same lines."""
    plain, other = (drawn(view_of(BOX, X, y)) for y in ([5.0, 9.0, 5.0, -3.0, 6.0], stretched))
    assert lines(plain, "results") == lines(other, "results")


@pytest.mark.parametrize(("goal", "place"), [("minimize", 1.1), ("maximize", -0.1)])
def test_failures_lie_beyond_the_worst(goal: str, place: float) -> None:
    """They are dashed lines, apart from the results, on the bad side of the objective's axis."""
    picture = drawn(view_of(BOX, X, [5, None, 5, 3, None], goal=goal))
    assert [heights[-1] for heights in lines(picture, "failed")] == [pytest.approx(place)] * 2
    assert len(lines(picture, "results")) == 3
    assert [dashes for each in found(picture, "failed") for _, dashes in each.get_linestyle()] != [None]
    low, high = picture.figure.axes[0].get_ylim()
    assert low < place < high
    assert "5 evaluations across 2 parameters, of which 2 failed." in picture.alt


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("goal", ["minimize", "maximize"])
def test_the_best_stand_out_most_from_the_paper(theme: Theme, goal: str) -> None:
    """The better a result the farther its colour's lightness from the paper's, and the later it is drawn."""
    view = view_of(unit("a"), [(k / 9,) for k in range(10)], [3, 1, 4, 15, 9, 2, 6, 5, 35, 8], goal=goal)
    (results,) = found(drawn(view, Look(theme)), "results")
    weights = np.array([0.299, 0.587, 0.114])
    paper = np.array([int(theme.paper[k : k + 2], 16) / 255 for k in (1, 3, 5)]) @ weights
    contrast = np.abs(results.get_colors()[:, :3] @ weights - paper)
    assert np.all(np.diff(contrast) > 0)
    heights = [segment[-1, 1] for segment in results.get_segments()]
    assert heights == sorted(heights, reverse=goal == "minimize")


def test_the_axis_of_the_objective_is_the_legend_of_its_colours() -> None:
    """Each line's colour is the one that the axis has where the line ends."""
    picture = drawn(view_of(unit("a"), [(k / 9,) for k in range(10)], list(range(10))))
    (results,), (stripes,) = found(picture, "results"), found(picture, "colours")
    ends = np.array([segment[-1, 1] for segment in results.get_segments()])
    places = np.array([segment[:, 1].mean() for segment in stripes.get_segments()])
    nearest = np.abs(ends[:, None] - places).argmin(axis=1)
    np.testing.assert_allclose(results.get_colors()[:, :3], stripes.get_colors()[nearest, :3], atol=0.05)


def test_what_is_ahead() -> None:
    """The next point and what is out lie at their rank, or between two values that were not tried between."""
    view = view_of(BOX, X, [5, 9, 5, 3, 6], pending=[(0.75, 7.0), (0.1, 1.0)])
    picture = drawn(view)
    np.testing.assert_allclose(lines(picture, "pending"), [[2.5 / 3, 3 / 4], [0.5 / 3, 0]])
    assert view.next is not None
    columns: list[list[float]] = [[0, 0.25, 0.5, 1], [1, 2, 3, 7, 8]]
    for height, x, column in zip(line(picture, "next"), view.next, columns, strict=True):
        below, upto = sum(v < x for v in column), sum(v <= x for v in column)
        assert height == pytest.approx((below + upto - 1) / 2 / (len(column) - 1))
    assert "2 points are out." in picture.alt
    assert f"lies at {view.next[0]:.4g} of a" in picture.alt


def test_the_parameters_that_are_asked_for() -> None:
    """In their order, the objective last."""
    view = view_of(unit("a", "b", "c"), np.random.default_rng(1).random((6, 3)).tolist(), list(range(6)))
    picture = drawn(view, shown=(2, 0))
    assert [text.get_text() for text in picture.figure.axes[0].get_xticklabels()] == ["c", "a", "objective"]
    order = np.argsort(np.argsort(view.X[:, 2])) + 1  # the bounds are values too
    np.testing.assert_allclose(line(picture, "best")[0], order[0] / 7)


def test_where_the_best_gather() -> None:
    """The words name the axis on which the best tenth lies closest together, and from where to where."""
    rng = np.random.default_rng(2)
    points = rng.random((40, 3))
    y = np.abs(points[:, 1] - 0.62)
    best = points[np.argsort(y)[:4], 1]
    words = drawn(view_of(unit("a", "b", "c"), points.tolist(), y.tolist())).alt
    assert f"closest together between {best.min():.4g} and {best.max():.4g} of b" in words


@pytest.mark.parametrize("dimension", [1, 2, 3, 10, 30])
@pytest.mark.parametrize("size", [(4.0, 3.0), None, (10.0, 7.0)])
def test_no_text_lies_on_another(dimension: int, size: tuple[float, float] | None) -> None:
    """However many parameters there are and however small the picture."""
    y: list[object] = [*range(11), None]
    points = np.random.default_rng(3).random((12, dimension)).tolist()
    view = view_of(unit(*[f"a rather long name {k}" for k in range(dimension)]), points, y)
    assert collisions(drawn(view, Look(size=size))) == []


@pytest.mark.parametrize("size", [(4.0, 3.0), None])
def test_strange_names_and_bounds(size: tuple[float, float] | None) -> None:
    """Names are drawn as they stand, bounds of any size fit beside the axes."""
    parameters = [
        Parameter("$x_1$ & <b>", 1e-300, 1e-290, scale="log", unit="Pa·s"),
        Parameter("Ωμέγα_μακρύ_όνομα", -1e9, 1e9),
        Parameter("blades", 3, 9, type="int"),
    ]
    points: list[Sequence[Number]] = [(10.0 ** (-300 + k), -1e9 + 1.7e8 * k, 3 + k % 7) for k in range(10)]
    picture = drawn(view_of(parameters, points, list(range(10)), objective="drag $of$ all", unit="N"), Look(size=size))
    assert collisions(picture) == []
    if size is None:
        assert "$x_1$ & <b>" in picture.figure.axes[0].get_xticklabels()[0].get_text()


def test_many_rows_make_a_small_file() -> None:
    """A thousand rows: the best are all there, the others spread over the ranks, the title says how many."""
    view = random_view(1000, 10)
    picture = drawn(view)
    heights = np.array([each[-1] for each in lines(picture, "results")])
    assert len(picture.encoded("svg")) < 150_000
    assert f"({len(heights)} of 1000 evaluations)" in picture.figure.axes[0].get_title("left")
    assert f"{len(heights)} of them are drawn" in picture.alt
    places = np.round(np.sort(heights) * 999)
    half = len(heights) // 2
    np.testing.assert_allclose(places[:half], np.arange(half))
    assert np.diff(places[half:]).max() <= np.ceil((1000 - half) / half)
    assert places[-1] == 999


@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([], "No evaluation yet, across 2 parameters."),
        ([None, None], "2 evaluations across 2 parameters; none of them succeeded yet."),
        ([4], "1 evaluation across 2 parameters. The best lies at 0 of a and 3 of b."),
    ],
)
def test_little_is_known(y: list[object], words: str) -> None:
    """Nothing evaluated, nothing succeeded, one result: the axes stand, and so does the next point."""
    picture = drawn(view_of(BOX, X[: len(y)], y))
    assert picture.alt.startswith(words)
    assert found(picture, "next")
    assert len(found(picture, "best")) == y.count(4)
    assert collisions(picture) == []


def test_all_alike() -> None:
    """Equal results end at one height, the middle of the axis."""
    assert {heights[-1] for heights in lines(drawn(view_of(BOX, X, [2] * 5)), "results")} == {0.5}


def test_rows_outside_the_bounds() -> None:
    """They have their places by rank as well, but none is the best."""
    picture = drawn(view_of(BOX, [*X, (2.0, 3.0)], [5, 9, 5, 3, 6, -100]))
    a: Array = np.array(lines(picture, "results"))[:, 0]
    assert a.max() == 1.0
    assert line(picture, "best")[-1] == pytest.approx(1 / 4)
    assert not any(math.isnan(height) for heights in lines(picture, "results") for height in heights)


def test_the_few_best_lie_within_the_bounds() -> None:
    """A better row outside is none of those that stand out, nor of those whose place the words tell."""
    points = [(k / 30,) for k in range(30)]
    picture = drawn(view_of(unit("a"), [*points, (7.0,), (8.0,)], [*range(30), -5, -6]))
    assert sorted(round(heights[-1] * 31) for heights in lines(picture, "best-few")) == [3, 4]
    assert "The best 3 results lie closest together between 0 and 0.06667 of a" in picture.alt
