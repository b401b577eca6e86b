"""Pictures of a study with parameters of every kind: all of them are shown, in their words, and no text collides."""

from __future__ import annotations

import re
from decimal import Decimal
from importlib import import_module

import numpy as np
import pytest

from ordbo_cli.errors import UsageError
from ordbo_cli.insight.inspection import View
from ordbo_cli.pictures.kinds import KINDS
from ordbo_cli.pictures.parameter_axes import ParameterAxes
from ordbo_cli.pictures.style import DARK, Look, Picture
from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.problem.method import PRESETS
from ordbo_cli.problem.setting_order import SettingOrder, SettingOrders
from ordbo_cli.search.step_input import StepInput
from tests.unit.pictures.conftest import QUICK, collisions, drawn_by, every_kind, found, only, unit, view_of

pytest.importorskip("matplotlib")
from matplotlib.figure import Figure
from matplotlib.text import Text

pytestmark = pytest.mark.slow

NAMES = ["solver", "restart", "mesh", "limiter", "tolerance"]


def picture(kind: str, view: View, look: Look | None = None, shown: tuple[int, ...] = ()) -> Picture:
    return drawn_by(import_module(f"ordbo_cli.pictures.plots.{kind}").draw, view, look, shown=shown)


def texts(drawn: Picture) -> set[str]:
    """Return all that is written, a line each."""
    return {line for text in drawn.figure.findobj(Text) for line in text.get_text().splitlines()}


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind not in ("importance", "front")])
def test_what_failed_is_told_from_what_broke_a_limit(kind: str) -> None:
    """In the legend and the words of every picture that has evaluations: of a plane, where its axes count."""
    drawn = picture(kind, every_kind(), shown=(2, 4) if kind in ("cells", "acquisition") else ())
    assert {"failed", "infeasible"} <= texts(drawn)
    assert re.search(r"2 (evaluations )?failed(,| and) 2 broke a limit", drawn.alt)


@pytest.mark.parametrize("kind", ["importance", "parallel", "warp", "effects"])
def test_every_parameter_has_its_place(kind: str) -> None:
    """By its name, its levels in words."""
    written = texts(picture(kind, every_kind()))
    assert set(NAMES) <= written
    if kind != "importance":
        assert {"gmres", "direct", "coarse", "fine", "false", "true"} <= written


@pytest.mark.parametrize("kind", ["fit", "warp", "parallel", "importance", "convergence"])
@pytest.mark.parametrize("size", [None, (3.9, 5.0)])
def test_texts_of_levels_do_not_collide(kind: str, size: tuple[float, float] | None) -> None:
    """At their own size, and at that of a telephone."""
    assert collisions(picture(kind, every_kind(), Look(DARK, size=size))) == []


def test_shares_are_of_all_parameters() -> None:
    """A parameter without an order has its part of the total, too."""
    drawn = picture("importance", every_kind())
    shares = [int(text.removesuffix(" %")) for text in texts(drawn) if re.fullmatch(r"\d+ %", text)]
    lengths = every_kind().all_lengths
    assert len(lengths) == 5
    assert sorted(set(shares)) == sorted({round(100 * x / lengths.sum()) for x in lengths})


def test_the_latent_means_in_warp_are_those_of_each_level() -> None:
    """Not what the model would expect of the same numbers at the level of the best."""
    view = every_kind()
    (joined,) = found(picture("warp", view), "knots-f")
    lower = sorted(float(x) for path in joined.get_paths() for x, y in path.vertices if y == 0.0)
    mean = view.model.posterior.means(view.model.fit.S)
    np.testing.assert_allclose(lower, np.sort(mean), atol=1e-9)


def test_the_fit_has_a_column_for_each_level() -> None:
    """Of the longest parameter without an order, with the means of its own evaluations below their results."""
    view = every_kind()
    drawn = picture("fit", view, shown=(0, 4))
    titles = [panel.get_title(loc) for panel in drawn.figure.axes for loc in ("left", "center")]
    assert [title for title in titles if title] == ["gmres", "cg", "direct"]
    below = drawn.figure.axes[3:]
    for level, panel in enumerate(below):
        marks = [a for a in panel.get_children() if a.get_gid() in ("off-means", "means")]
        f = sorted(float(y) for line in marks for y in line.get_ydata())
        here = (view.inputs[:, 0] == level) & view.succeeded
        np.testing.assert_allclose(f, np.sort(view.fitted_means[here]), atol=1e-9)
    assert "by solver along tolerance, all else as at the best point." in drawn.alt
    assert "at gmres, " in drawn.alt


def test_a_level_at_which_the_other_parameter_does_not_count() -> None:
    """Its column says so."""
    drawn = picture("fit", every_kind(), shown=(0, 1))
    assert [each.get_text().split("\n")[0] for each in found(drawn, "unused")] == ["restart", "restart"]


def test_the_fit_of_levels_alone() -> None:
    """They stand side by side, each with its mean."""
    drawn = picture("fit", every_kind(), shown=(0,))
    assert only(drawn, "mean").get_xdata().tolist() == [0, 1, 2]
    assert len(only(drawn, "best").get_xdata()) == 1


def test_a_parameter_that_does_not_count_at_the_best_has_no_columns() -> None:
    """Asked for, it is refused; else another one is taken."""
    inner = Parameter.of_levels("inner", ["a", "b"], "categorical", when=every_kind().problem.free[1].when)
    free = (every_kind().problem.free[0], inner)
    problem = Problem(free, method=QUICK)
    rows = [(0, 0, 3), (0, 1, 4), (1, 0, 1), (2, 0, 2)]
    found_ = tuple(problem.evaluation((a, b), Decimal(y), k + 1) for k, (a, b, y) in enumerate(rows))
    view = View.of(StepInput(problem, found_, (), step=4))
    with pytest.raises(UsageError, match="'inner' does not count where the best lies"):
        picture("fit", view, shown=(1,))
    assert "by solver" in picture("fit", view).alt


@pytest.mark.parametrize("kind", ["fit", "cells", "acquisition"])
def test_a_plane_of_levels_in_order(kind: str) -> None:
    """One of its sides has as many values as there are levels."""
    drawn = picture(kind, every_kind(), shown=(2, 4))
    assert {"coarse", "medium", "fine"} <= texts(drawn)


def test_a_study_of_levels_without_an_order_alone() -> None:
    """The pictures that need no axis are drawn; the others name them."""
    free = (Parameter.of_levels("a", ["x", "y"], "categorical"), Parameter.of_levels("b", [1, 2, 3], "categorical"))
    view = view_of(free, [(0, 0), (1, 1), (0, 2)], [1, None, 3])
    for kind in ("convergence", "fit", "warp", "parallel", "importance", "effects"):
        assert picture(kind, view).alt
    with pytest.raises(UsageError, match="no axes") as raised:
        picture("cells", view)
    assert "fit, effects, importance, parallel and warp" in raised.value.hint


def test_results_in_words() -> None:
    """Grades stand on the axes, not the numbers of their places."""
    view = view_of(unit("a"), [[0.1], [0.4], [0.9]], [0, 2, 1], goal="maximize", grades=("poor", "fair", "very good"))
    for kind in ("convergence", "fit", "parallel", "warp"):
        drawn = picture(kind, view)
        assert {"poor", "fair", "very good"} <= texts(drawn), kind
        assert "very good" in drawn.alt or kind in ("parallel", "warp")


def test_under_noise_the_best_is_that_of_the_lowest_mean() -> None:
    """One lucky result among bad ones is not it; the words tell what it was chosen by."""
    X = [[x] for x in (0.0, 1.0, 0.9, 0.3, 0.3, 0.3, 0.9, 0.9, 0.9, 0.6, 0.3)]
    y = [9, 8, 0.25, 1, 2, 1.5, 7, 7.5, 6.5, 5, 2.5]
    view = view_of(unit("a"), X, y, noise=True, method=PRESETS["default"])
    assert view.leader is not None
    assert view.leader.values == (0.3,)
    for kind in ("convergence", "fit", "cells"):
        drawn = picture(kind, view)
        assert "The best by mean is evaluation 6: " in drawn.alt
        assert "best by mean" in texts(drawn)


def test_settings_in_order_are_named_where_there_is_room() -> None:
    """Two that all but coincide would stand on each other."""
    stir = Parameter.of_rank("stir")
    order = SettingOrder()
    for k, label in enumerate((0.2, 0.21, 0.5, 0.9), 1):
        order = order.with_(k, label)
    orders = SettingOrders((("stir", order),))
    figure = Figure()
    axes = figure.subplots()
    ParameterAxes((stir,), orders).frame(axes, "x", 0)
    assert axes.get_xticks().tolist() == [0.2, 0.5, 0.9]


def test_long_names_of_many_levels_do_not_collide() -> None:
    """Some are left out."""
    levels = [f"a rather long name {k}" for k in range(30)]
    free = (Parameter.of_levels("c", levels, "categorical"), *unit("a"))
    view = view_of(free, [(0, 0.1), (7, 0.4), (20, 0.6)], [1, None, 3])
    for kind in ("warp", "parallel", "effects"):
        assert collisions(picture(kind, view)) == [], kind
