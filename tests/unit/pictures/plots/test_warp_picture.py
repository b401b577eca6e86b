"""The warps: what the lines join, that lengths compare, and what is said of them."""

from __future__ import annotations

import warnings
import xml.etree.ElementTree as ET
from typing import Any

import numpy as np
import pytest

from ordbo_cli.insight.inspection import View
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Look, Picture
from ordbo_cli.problem import Parameter
from tests.unit.pictures.conftest import collisions, found, unit, view_of

pytest.importorskip("matplotlib")
from ordbo_cli.pictures.plots.warp import draw

pytestmark = pytest.mark.slow

LOG = Parameter("rate", 1e-4, 1e2, scale="log", unit="1/s")


def valley(rows: int, seed: int = 0) -> View:
    """Return a study of a linear and a log parameter."""
    rng = np.random.default_rng(seed)
    U = rng.random((rows, 2))
    X = np.column_stack([U[:, 0], 10.0 ** (-4 + 6 * U[:, 1])])
    return view_of([*unit("a"), LOG], X.tolist(), (100 * (U[:, 0] - 0.4) ** 2 + U[:, 1]).tolist())


def picture(view: View, shown: tuple[int, ...] = (), look: Look | None = None) -> Picture:
    """Draw it, and take any warning for an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawn = draw(Scene(view, "study", shown=shown), look or Look())
        drawn.figure.draw_without_rendering()
    return drawn


def ends(drawn: Picture, gid: str) -> Array:
    """Return the ends of the lines of a band, upper and lower [n, 2], sorted."""
    (lines,) = found(drawn, gid)
    vertices = np.concatenate([path.vertices.reshape(-1, 2, 2) for path in lines.get_paths()])
    assert np.all(vertices[:, :, 1] == [1.0, 0.0])
    return np.asarray(vertices[np.argsort(vertices[:, 0, 0]), :, 0])


def bands(drawn: Picture) -> list[Any]:
    """Return the panels that hold latent axes, the parameters' first."""
    return [panel for panel in drawn.figure.axes if panel.get_xlabel().startswith("latent")]


def test_each_value_is_joined_with_its_latent_place() -> None:
    """Upper ends are shares of the range, on the parameter's own scale, lower ends the frame's coordinates."""
    view = valley(9)
    drawn = picture(view)
    reach = max(view.lengths)
    X = np.sort(view.X, axis=0)
    for j, share in ((0, X[:, 0]), (1, (np.log10(X[:, 1]) + 4) / 6)):
        upper, lower = ends(drawn, f"knots-{j}").T
        np.testing.assert_allclose(upper, share * reach, rtol=1e-9)
        np.testing.assert_allclose(lower, view.surrogate.warp.latent(X)[:, j])
        assert np.all(np.diff(lower) > 0)


def test_latent_axes_have_one_scale() -> None:
    """Every parameter's band is as wide as the longest latent axis, and its axis ends where the box does."""
    view = valley(12)
    drawn = picture(view)
    panels = bands(drawn)[:2]
    assert {round(float(np.diff(panel.get_xlim())[0]), 9) for panel in panels} == {round(float(max(view.lengths)), 9)}
    for panel, length in zip(panels, view.lengths, strict=True):
        assert np.diff(panel.spines["bottom"].get_bounds())[0] == pytest.approx(length)


def test_the_next_point_and_the_best_stand_out() -> None:
    """Their lines end where the proposal and the best evaluation lie in both spaces."""
    view = valley(12)
    drawn = picture(view)
    assert view.proposal is not None
    assert view.best is not None
    for gid, x in (("next", view.proposal.values[0]), ("best", view.X[view.best, 0])):
        (line,) = found(drawn, f"{gid}-0")
        s = np.interp(x, view.surrogate.warp.knots[0], view.surrogate.warp.coordinates[0])
        np.testing.assert_allclose(line.get_xdata(), [x * max(view.lengths), s])
    (line,) = found(drawn, "next-0")
    assert line.get_linestyle() == "--"


@pytest.mark.parametrize("goal", ["minimize", "maximize"])
def test_values_are_joined_with_posterior_means(goal: str) -> None:
    """Latent values are the posterior's at the evaluated points; failures lie beyond the worse end."""
    sign = 1.0 if goal == "minimize" else -1.0
    rng = np.random.default_rng(1)
    X = rng.random((9, 1))
    y = [None if k == 3 else sign * float(x[0]) ** 2 for k, x in enumerate(X)]
    view = view_of(unit("a"), X.tolist(), y, goal=goal)
    drawn = picture(view)
    upper, lower = ends(drawn, "knots-f").T
    worst_first = sorted(range(9), key=lambda k: np.inf if y[k] is None else sign * y[k])  # type: ignore[operator]
    mean, _ = view.surrogate.posterior.moments(view.surrogate.warp.latent(X))
    np.testing.assert_allclose(lower, mean[worst_first])
    (failed,) = found(drawn, "failed")
    assert upper[-1] == failed.get_xdata()[0]
    low, high = drawn.figure.axes[-1].get_xlim()
    assert (low < high) == (goal == "minimize")
    shares = [(float(y[k]) - low) / (high - low) for k in worst_first[:-1]]  # type: ignore[arg-type]
    span = bands(drawn)[-1].get_xlim()
    np.testing.assert_allclose((upper[:-1] - span[0]) / (span[1] - span[0]), shares)


def test_the_bin_edges_are_ticks() -> None:
    """One for each finite edge of the fit."""
    view = valley(9)
    (edges,) = found(picture(view), "bin-edges")
    np.testing.assert_array_equal(edges.get_xdata(), view.surrogate.fit.edges)


def test_a_jump_is_where_the_axis_is_stretched_most() -> None:
    """The shaded gap holds the discontinuity, and the words name its ends."""
    x = [0.0, 0.15, 0.3, 0.45, 0.55, 0.59, 0.61, 0.75, 0.9, 1.0]
    view = view_of(unit("a"), [[v] for v in x], [v if v < 0.6 else 10 - v for v in x])
    drawn = picture(view)
    (gap,) = found(drawn, "stretched-0")
    np.testing.assert_allclose(gap.get_xy()[:2, 0] / view.lengths[0], [0.59, 0.61])
    np.testing.assert_allclose(gap.get_xy()[3:1:-1, 0], view.warped(0, np.array([0.59, 0.61])))
    assert "stretched most between 0.59 and 0.61" in drawn.alt


def test_pending_points_and_bounds_have_lines_of_their_own() -> None:
    """A pending value is no evaluation; the bounds are joined too."""
    X = [[0.2], [0.5], [0.7], [0.8], [0.9], [0.1]]
    view = view_of(unit("a"), X, [3, 1, 2, 4, 5, 6], pending=[[0.35]])
    drawn = picture(view)
    assert ends(drawn, "pending-0")[0, 0] / view.lengths[0] == pytest.approx(0.35)
    np.testing.assert_allclose(ends(drawn, "knots-0")[:, 0] / view.lengths[0], sorted(x[0] for x in X))
    np.testing.assert_allclose(ends(drawn, "bounds-0"), [[0, 0], [view.lengths[0]] * 2])


def test_rows_outside_are_counted_not_drawn() -> None:
    """A value beyond a bound has no place on the axis."""
    view = view_of(unit("a", "b"), [[-0.5, 0.2], [0.3, 0.4], [0.5, 1.7], [0.9, 0.9], [0.1, 0.1]], [1, 2, 3, 4, 5])
    drawn = picture(view)
    start = bands(drawn)[0].get_xlim()[0]
    np.testing.assert_allclose((ends(drawn, "knots-0")[:, 0] - start) / max(view.lengths), [0.1, 0.3, 0.5, 0.9])
    assert [panel.get_xlabel() for panel in drawn.figure.axes[3:5]] == ["a, 1 outside", "b, 1 outside"]


def test_what_is_asked_for_is_shown() -> None:
    """Of parameters that are named no other has a band; the words give the latent lengths."""
    view = valley(12)
    drawn = picture(view, shown=(1,))
    assert len(bands(drawn)) == 2
    assert f"rate [1/s] is {view.lengths[1]:.3g} long" in drawn.alt


def test_many_lines_are_thinned() -> None:
    """However many rows and parameters there are, the lines stay few enough for a page."""
    rng = np.random.default_rng(3)
    X = rng.random((260, 10))
    view = view_of(unit(*"abcdefghij"), X.tolist(), X[:, 0].tolist())
    drawn = picture(view)
    drawn_lines = [len(ends(drawn, f"knots-{j}")) for j in range(10)]
    assert max(drawn_lines) < 260
    assert sum(drawn_lines) <= 1500
    assert len(drawn.encoded("svg")) < 200_000


def test_small_pictures_show_the_longest_parameters() -> None:
    """Where there is room for one band only, it is the longest, and the title says so."""
    view = valley(12)
    drawn = picture(view, look=Look(size=(4, 3)))
    longest = int(np.argmax(view.lengths))
    assert found(drawn, f"bounds-{longest}")
    assert not found(drawn, f"bounds-{1 - longest}")
    assert "(the longest of 2)" in drawn.figure._suptitle.get_text()


def test_a_bent_axis_that_runs_backwards_has_ticks() -> None:
    """Values of many decades below 0 that are to be maximised: the worse ones lie to the right."""
    values = [-(10.0**-k) for k in range(8)]
    drawn = picture(view_of(unit("a"), [[0.1 * k] for k in range(8)], values, goal="maximize"))
    top = drawn.figure.axes[-1]
    low, high = sorted(top.get_xlim())
    assert sum(low <= tick <= high for tick in top.get_xticks()) > 2


def test_failures_and_infinities_stand_apart() -> None:
    """Both lie beyond the worst number, a failure farther out."""
    drawn = picture(view_of(unit("a"), [[0.1], [0.3], [0.5], [0.9]], ["1", "Infinity", "2", None]))
    worst, infinite, failed = ends(drawn, "knots-f")[1:, 0]
    assert worst < infinite < failed
    assert [found(drawn, gid)[0].get_xdata()[0] for gid in ("infinite", "failed")] == [infinite, failed]


def test_nothing_is_stretched_where_all_is_alike() -> None:
    """Results that are all tied say nothing about distances."""
    drawn = picture(view_of(unit("a"), [[0.27], [0.61], [0.64], [0.02], [0.04], [0.91], [0.81]], [3] * 7))
    assert not found(drawn, "stretched-0")
    assert "All results are alike" in drawn.alt


ODD: dict[str, tuple[list[list[float]], list[object]]] = {
    "nothing": ([], []),
    "one": ([[0.3, 0.4]], [1]),
    "all failed": ([[0.3, 0.4], [0.5, 0.1], [0.9, 0.9]], [None] * 3),
    "all tied": ([[0.3, 0.4], [0.5, 0.1], [0.9, 0.9]], [2] * 3),
    "infinite": ([[0.3, 0.4], [0.5, 0.1], [0.9, 0.9]], ["1", "Infinity", "2"]),
    "huge": ([[0.3, 0.4], [0.5, 0.1], [0.9, 0.9]], ["1e400", "2e400", "-1e-400"]),
}


@pytest.mark.parametrize("size", [None, (4.0, 3.0), (10.0, 7.0)], ids=str)
@pytest.mark.parametrize("name", ODD)
def test_odd_studies_are_drawn(name: str, size: tuple[float, float] | None) -> None:
    """Nothing, failures, ties and numbers beyond doubles: texts stay apart, the SVG is sound, words are said."""
    names = ["a_long_parameter_name_that_goes_on_$and$_on", "<α> & ∂"]
    drawn = picture(view_of(unit(*names), *ODD[name]), look=Look(size=size))
    assert collisions(drawn) == []
    ET.fromstring(drawn.encoded("svg"))
    assert drawn.alt.endswith(".")


def test_bounds_may_be_tiny() -> None:
    """An axis whose numbers matplotlib takes for 0 ends at its bounds and keeps values apart."""
    view = view_of([Parameter("t", 1e-300, 1e-290)], [[1e-291], [5e-291], [9e-291]], [1, 2, 3])
    drawn = picture(view)
    np.testing.assert_allclose(ends(drawn, "knots-0")[:, 0] / view.lengths[0], [0.1, 0.5, 0.9], rtol=1e-6)
