"""The fit: curves and marks along one parameter and in a plane, against the model's own numbers."""

from __future__ import annotations

import math
import xml.etree.ElementTree as ET
from functools import partial
from typing import Any

import numpy as np
import pytest

from ordbo_cli.insight.inspection import View
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.plots.fit import draw
from ordbo_cli.pictures.scene import Truth
from ordbo_cli.pictures.style import Look
from tests.unit.pictures.conftest import RATE, collisions, drawn_by, found, only, unit, valley, view_of
from tests.unit.search.conftest import bound_of, cell_of

pytestmark = pytest.mark.slow

Text = pytest.importorskip("matplotlib.text").Text

STEP = [0.0, 0.15, 0.3, 0.45, 0.55, 0.59, 0.61, 0.75, 0.9, 1.0]


def jump() -> View:
    """Return a study of one parameter whose objective jumps at 0.6."""
    return view_of(unit("a"), [[v] for v in STEP], [1 - v if v < 0.6 else 10 - v for v in STEP])


picture = partial(drawn_by, draw)


def xy(line: Any) -> Array:
    """Return the points of a line or of a scatter [P, 2]."""
    points = line.get_xydata() if hasattr(line, "get_xydata") else line.get_offsets()
    return np.asarray(points, dtype=np.float64)


def test_the_curves_are_the_posterior() -> None:
    """Mean, band and lower bound along s are those of the model, with the method's multiplier."""
    view = jump()
    drawn = picture(view)
    s, mean = xy(only(drawn, "mean")).T
    m, v = view.surrogate.posterior.moments(s[:, None])
    beta = view.problem.method.beta
    np.testing.assert_allclose(mean, m)
    np.testing.assert_allclose(xy(only(drawn, "lcb"))[:, 1], m - beta * np.sqrt(v))
    band = only(drawn, "band").get_paths()[0].vertices[:, 1]
    assert band.max() == pytest.approx((m + beta * np.sqrt(v)).max())
    assert band.min() == pytest.approx((m - beta * np.sqrt(v)).min())
    assert np.isin(view.surrogate.warp.coordinates[0], s).all()


def test_the_data_are_the_evaluations() -> None:
    """Each result in the user's units; below, each point's latent place and mean in the bin of its rank."""
    view = jump()
    drawn = picture(view)
    y = [float(e.objective or 0) for e in view.evaluations]
    np.testing.assert_allclose(xy(only(drawn, "observations")), np.column_stack([view.X[:, 0], y]))
    s = view.surrogate.warp.latent(view.X)
    np.testing.assert_allclose(
        xy(only(drawn, "means")), np.column_stack([s[:, 0], view.surrogate.posterior.moments(s)[0]])
    )
    np.testing.assert_array_equal(xy(only(drawn, "bin-edges"))[:, 1], view.surrogate.fit.edges)
    edges = [-math.inf, *view.surrogate.fit.edges, math.inf]
    rank = np.argsort(np.argsort(y))
    bars = only(drawn, "bins").get_segments()
    for k, bar in enumerate(bars):
        assert bar[:, 0] == pytest.approx(s[k, 0])
        inner = [e for e in (edges[rank[k]], edges[rank[k] + 1]) if math.isfinite(e)]
        assert set(np.round(inner, 9)) <= set(np.round(bar[:, 1], 9))


def test_the_warp_shows_the_jump() -> None:
    """The distances are the frame's, the gap around the jump is shaded, and the words name it."""
    view = jump()
    drawn = picture(view)
    warp = view.surrogate.warp
    np.testing.assert_allclose(xy(only(drawn, "warp")), np.column_stack([warp.knots[0], warp.coordinates[0]]))
    for span in found(drawn, "stretched")[:2]:
        np.testing.assert_allclose(
            span.get_extents().intervalx, span.axes.transData.transform([(0.59, 0), (0.61, 0)])[:, 0]
        )
    assert "stretched most between 0.59 and 0.61" in drawn.alt


def test_the_next_point_is_the_proposals() -> None:
    """Its lines stand at the proposal; the words give the bound of its cell as its record has it."""
    view = jump()
    drawn = picture(view)
    assert view.proposal is not None
    x = view.proposal.values[0]
    s = np.interp(x, view.surrogate.warp.knots[0], view.surrogate.warp.coordinates[0])
    assert [line.get_xdata()[0] for line in found(drawn, "next")] == pytest.approx([x, x, s])
    m, v = view.surrogate.posterior.moments(np.array([[s]]))
    assert xy(only(drawn, "next-bound"))[0] == pytest.approx([s, m[0] - view.problem.method.beta * v[0] ** 0.5])
    bound = bound_of(view.proposal, view.problem.method.beta)
    assert f"lower confidence bound is {bound:.3g}" in drawn.alt
    low, high = cell_of(view.proposal)[0]
    cell = found(drawn, "next-cell")[0]
    np.testing.assert_allclose(cell.get_extents().intervalx, cell.axes.transData.transform([(low, 0), (high, 0)])[:, 0])


def test_the_truth_lies_behind_the_data() -> None:
    """Where the function is known it is drawn from bound to bound; in a slice the others stay at the best."""
    view = valley(9, 3)

    def function(x: Any) -> float:
        return float(x[0] + 2 * x[1] + math.log10(x[2]))

    drawn = picture(view, truth=Truth(function, abs, (0, 0, 1)), shown=(2,))
    x, y = xy(only(drawn, "truth")).T
    assert (x[0], x[-1]) == (RATE.min, RATE.max)
    best = view.X[view.best]
    np.testing.assert_allclose(y, best[0] + 2 * best[1] + np.log10(x), atol=1e-9)
    assert len(xy(only(drawn, "off-slice"))) == 7
    assert "slice through the best point" in drawn.figure._suptitle.get_text()


@pytest.mark.parametrize("goal", ["minimize", "maximize"])
def test_failures_stand_at_the_worse_end(goal: str) -> None:
    """At the top where small values are good, at the bottom where large ones are."""
    view = view_of(unit("a"), [[0.1], [0.4], [0.8]], [1, None, 2], goal=goal)
    ((x, y),) = xy(only(picture(view), "failed"))
    assert x == 0.4
    assert (y > 0.9) if goal == "minimize" else (y < 0.1)


def test_failures_stand_clear_of_the_data() -> None:
    """Beyond the worst result on the panel, on a bent axis too."""
    values = [-(10.0**-k) for k in range(8)]
    X = [[0.1 * k] for k in range(9)]
    drawn = picture(view_of(unit("a"), X, [*values, None], goal="maximize"))
    panel = drawn.figure.axes[0]
    worst = panel.transAxes.inverted().transform(panel.transData.transform((0, -1.0)))[1]
    assert xy(only(drawn, "failed"))[0, 1] < worst - 0.03


def test_points_in_both_spaces_by_order() -> None:
    """Marks stand where the points are, coloured by arrival; the initial design has its own mark, failures too."""
    view = valley(12)
    drawn = picture(view)
    first = view.problem.method.initial_rows(2)
    latent = view.surrogate.warp.latent(view.X)
    for gid, which in (("initial", [k for k in range(first) if k != 2]), ("observations", list(range(first, 12)))):
        left, right = found(drawn, gid)
        np.testing.assert_allclose(xy(left), view.X[which])
        np.testing.assert_allclose(xy(right), latent[which])
        np.testing.assert_array_equal(left.get_array(), np.array(which) + 1)
    np.testing.assert_allclose(xy(found(drawn, "failed")[1]), latent[[2]])
    assert view.proposal is not None
    np.testing.assert_allclose(xy(found(drawn, "next")[0])[0], view.proposal.values)
    np.testing.assert_allclose(xy(found(drawn, "best")[0])[0], view.X[view.best])


def test_a_line_parts_what_fails_from_what_does_not() -> None:
    """In both spaces, where the model gives an even chance; there is none where nothing failed, nor a word of it."""
    X = np.random.default_rng(1).random((20, 2))
    for fails in (True, False):
        y = [None if fails and x[0] > 0.6 else float(x.sum()) for x in X]
        view = view_of(unit("a", "b"), X.tolist(), y)
        drawn = picture(view)
        lines = found(drawn, "even-chance")
        assert len(lines) == (2 if fails else 0)
        assert ("half of them fail" in {text.get_text() for text in drawn.figure.findobj(Text)}) == fails
        if fails:
            assert view.surrogate.success is not None
            s = np.vstack(lines[1].get_paths()[0].vertices)
            np.testing.assert_allclose(view.surrogate.success.chances(s), 0.5, atol=0.02)


def test_numbers_are_the_order_of_arrival() -> None:
    """Every number that found room stands beside its own point, the best's among them."""
    view = valley(12)
    drawn = picture(view)
    assert view.best is not None
    panel = drawn.figure.axes[0]
    numbers = {text.get_text(): text.xy for text in panel.texts}
    assert str(view.best + 1) in numbers
    assert len(numbers) > 5
    for number, place in numbers.items():
        np.testing.assert_allclose(place, view.X[int(number) - 1])


def test_the_shades_are_ranks() -> None:
    """Of the truth where it is known, of the posterior mean otherwise and in the latent space."""
    view = valley(12)
    truth = Truth(lambda x: math.nan if x[0] > 0.8 else 10.0 ** (300 * x[0]), abs, (0, 1))
    drawn = picture(view, truth=truth)
    Z = only(drawn, "shades").get_array().reshape(101, 101)
    known = Z[0].compressed()
    np.testing.assert_allclose(known, np.linspace(0, 1, len(known)))
    assert len(known) == 81
    assert found(drawn, "failing")
    mesh = only(picture(view), "shades")
    corners = mesh.get_coordinates()
    x = np.linspace(0, 1, 101)
    rates = np.geomspace(1e-4, 1e2, 101)
    points = np.column_stack([a.ravel() for a in np.meshgrid(x, rates)])
    mean, _ = view.surrogate.posterior.moments(view.latent(points))
    rank = np.searchsorted(np.unique(mean), mean)
    np.testing.assert_allclose(mesh.get_array().ravel(), rank / rank.max(), atol=1e-3)
    assert corners.shape == (102, 102, 2)


def test_points_off_the_slice_stand_back() -> None:
    """Of three parameters two are shown, through the best point; the others' marks are smaller."""
    view = valley(14, 3)
    drawn = picture(view)
    off = found(drawn, "off-slice")[0]
    assert len(off.get_offsets()) == 12
    assert len(found(drawn, "failed")[0].get_xdata()) == 1
    on = [artist for gid in ("initial", "observations") for artist in found(drawn, gid)]
    assert off.get_sizes()[0] < on[0].get_sizes()[0]
    assert "1 of them on it" in drawn.alt
    assert picture(view, shown=(0, 1)).figure.axes[0].get_xlabel() == "a"


def test_words_say_where_the_points_are() -> None:
    """How many of the points that the method chose lie near the best one, the best and the next by value."""
    view = valley(14)
    words = picture(view).alt
    best = view.X[view.best]
    later = view.X[view.problem.method.initial_rows(2) :]
    near = (abs(later[:, 0] - best[0]) <= 0.1) & (abs(np.log10(later[:, 1] / best[1])) <= 0.6)
    assert f"{near.sum()} lie" in words
    assert f"a {best[0]:.4g} and rate {best[1]:.4g} 1/s" in words


ODD: dict[str, tuple[list[list[float]], list[object]]] = {
    "nothing": ([], []),
    "one": ([[0.3, 0.4]], [1]),
    "all failed": ([[0.3, 0.4], [0.5, 0.1], [0.9, 0.9]], [None] * 3),
    "all tied": ([[0.3, 0.4], [0.5, 0.1], [0.9, 0.9]], [2] * 3),
    "infinite": ([[0.3, 0.4], [0.5, 0.1], [0.9, 0.9]], ["1", "Infinity", "2"]),
    "huge": ([[0.3, 0.4], [0.5, 0.1], [0.9, 0.9]], ["1e400", "2e400", "-1e-400"]),
    "outside": ([[0.3, 0.4], [-0.5, 0.1], [0.9, 1.9]], [1, 2, 3]),
}


@pytest.mark.parametrize("size", [None, (4.0, 3.0), (3.0, 5.0), (10.0, 7.0)], ids=str)
@pytest.mark.parametrize("dimension", [1, 2])
@pytest.mark.parametrize("name", ODD)
def test_odd_studies_are_drawn(name: str, dimension: int, size: tuple[float, float] | None) -> None:
    """Nothing, failures, ties and numbers beyond doubles: texts stay apart, the SVG is sound, words are said."""
    names = ["a_long_parameter_$and$_on", "<α> & ∂"][-dimension:]
    X, y = ODD[name]
    drawn = picture(view_of(unit(*names), [x[:dimension] for x in X], y, pending=[[0.7] * dimension]), Look(size=size))
    assert collisions(drawn) == []
    ET.fromstring(drawn.encoded("svg"))
    assert drawn.alt.endswith(".")


def test_an_svg_of_many_rows_is_small() -> None:
    """A plane of 100 rows stays small enough for a page."""
    X = np.random.default_rng(0).random((100, 2))
    view = view_of(unit("a", "b"), X.tolist(), (X**2).sum(axis=1).tolist())
    assert len(picture(view).encoded("svg")) < 180_000
