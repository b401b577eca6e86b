"""The acquisition's four panels, against the model's own numbers."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from ordbo_cli.insight.inspection import View
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.plots.acquisition import draw
from ordbo_cli.pictures.scene import Scene, Truth
from ordbo_cli.pictures.style import LIGHT, THEMES, Look, Picture
from ordbo_cli.problem import Parameter
from tests.unit.pictures.conftest import (
    QUICK,
    collisions,
    drawn_by,
    found,
    odd_names,
    only,
    unit,
    valley,
    view_of,
)
from tests.unit.search.conftest import bound_of, cell_of

pytestmark = pytest.mark.slow

pytest.importorskip("matplotlib")

STEP = [0.0, 0.15, 0.3, 0.45, 0.55, 0.59, 0.61, 0.75, 0.9, 1.0]


def jump(**settings: Any) -> View:
    """Return a study of one parameter whose objective jumps at 0.6."""
    return view_of(unit("a"), [[v] for v in STEP], [step(v) for v in STEP], **settings)


def step(v: float) -> float:
    """Return an objective with a jump."""
    return 1.0 - v if v < 0.6 else 10.0 - v


picture = partial(drawn_by, draw)


def box_of(path: Any) -> tuple[float, ...]:
    """Return left, bottom, right and top of a path."""
    return (*map(float, path.vertices.min(axis=0)), *map(float, path.vertices.max(axis=0)))


def cells_with_values(drawn: Picture, gid: str) -> dict[tuple[float, ...], float]:
    """Return the values that coloured cells have, by their boxes."""
    cells = only(drawn, gid)
    return dict(zip(map(box_of, cells.get_paths()), cells.get_array().tolist(), strict=True))


def lowest(view: View, edges: tuple[float, ...], side: int = 60) -> float:
    """Return the lowest lower confidence bound on a dense grid over a box in the user's units (two parameters)."""
    s = view.latent(np.array([edges[:2], edges[2:]]))
    grid = np.stack(np.meshgrid(*np.linspace(s[0], s[1], side).T), axis=-1).reshape(-1, 2)
    mean, sd = view.moments(grid)
    assert isinstance(view.problem.method.beta, float)
    return float((mean - view.problem.method.beta * sd).min())


def test_cells_have_the_lowest_bounds_inside_them() -> None:
    """The values of panel D are what a dense grid of mean less beta deviations finds; their colours are the bar's."""
    view = valley(9)
    drawn = picture(view)
    cells = cells_with_values(drawn, "cell-bounds")
    assert len(cells) == view.cells().size(10**6)
    for edges, bound in cells.items():
        assert bound == pytest.approx(lowest(view, edges), abs=0.02)
    artist = only(drawn, "cell-bounds")
    values = np.array(list(cells.values()))
    shares = (values - values.min()) / np.ptp(values)
    assert artist.get_clim() == (values.min(), values.max())
    assert artist.to_rgba(values).tolist() == artist.cmap(shares).tolist()


def test_shares_count_the_minima_that_are_drawn() -> None:
    """Panel C is how many of the samples' minima, as the slice gives them, lie in each cell; panel B shows them."""
    view = valley(9)
    drawn = picture(view, samples=150)
    _, s = Scene(view, "study").slice.thompson(150)
    crosses = only(drawn, "minima").get_xydata()
    assert {tuple(x) for x in np.round(crosses, 9)} == {tuple(x) for x in np.round(s, 9)}
    cells = cells_with_values(drawn, "cell-shares")
    assert sum(cells.values()) == pytest.approx(1.0)
    for edges, share in cells.items():
        low, high = view.latent(np.array([edges[:2], edges[2:]]))
        assert share == pytest.approx(np.mean(np.all((low < s) & (s <= high), axis=1)))
    top = max(cells, key=cells.__getitem__)
    assert f"{round(100 * cells[top])} % have their minimum" in drawn.alt
    assert f"from {top[0]:.4g} to {top[2]:.4g} of a and from {top[1]:.4g} to {top[3]:.4g} 1/s of rate" in drawn.alt


def test_the_next_point_is_in_all_panels() -> None:
    """It is drawn in the user's units and in the latent space, and its cell's bound is that of the record."""
    view = valley(12)
    drawn = picture(view)
    assert view.next is not None
    assert view.proposal is not None
    here, there = view.next.tolist(), view.latent(view.next[None, :])[0].tolist()
    assert [mark.get_xydata().tolist()[0] for mark in found(drawn, "next")] == [here, there, here, here]
    (left, right), (bottom, top) = cell_of(view.proposal)
    bound = cells_with_values(drawn, "cell-bounds")[left, bottom, right, top]
    assert bound == pytest.approx(bound_of(view.proposal, view.problem.method.beta), abs=1e-4)
    assert bound == min(cells_with_values(drawn, "cell-bounds").values())
    assert f"chosen by the lower confidence bound, {bound:.4g}" in drawn.alt
    assert f"The lowest lower confidence bound, {bound:.4g}" in drawn.alt


def level_error(contours: Any, values: Any) -> float:
    """Return how far values at the vertices of contour lines are from the lines' levels, at most."""
    errors = []
    for level, path in zip(contours.levels, contours.get_paths(), strict=True):
        errors += [abs(v - level) for v in values(path.vertices)] if len(path.vertices) else []
    assert len(errors) > 100
    return float(np.percentile(errors, 95))


def test_contours_are_those_of_the_model() -> None:
    """Along a line of panel A the model's mean is its level, along one of panel B the lower confidence bound."""
    view = valley(9)
    drawn = picture(view)
    mean = only(drawn, "mean")
    bound = only(drawn, "bound")
    ranges = np.ptp(mean.levels), np.ptp(bound.levels)
    assert level_error(mean, lambda xy: view.moments(view.latent(xy))[0]) < 0.02 * ranges[0]
    assert level_error(bound, lambda s: view.acquisition.values(s)) < 0.02 * ranges[1]


def truth_of(function: Any, minimiser: Any) -> Truth:
    """Return what is known of a test problem."""
    return Truth(function, lambda value: max(value, 1e-9), minimiser)


def test_contours_of_a_known_objective_follow_its_ranks() -> None:
    """On a slice of three parameters the lines run where the objective, through the best point, has equal rank."""
    view = valley(9, 3)
    weights = np.array([1.0, 5.0, 2.0])

    def function(x: Any) -> float:
        """Return a steep function whose lines of equal rank are lines of equal value."""
        return float(np.exp(20.0 * weights @ np.abs(view.space.unit(np.array([x], dtype=float))[0] - 0.5)))

    lines = only(picture(view, shown=(0, 2), truth=truth_of(function, [0.5, 0.5, 0.1])), "truth")
    for path in lines.get_paths():
        if len(path.vertices) > 10:
            X = np.tile(view.X[view.best], (len(path.vertices), 1))
            X[:, [0, 2]] = path.vertices
            values = np.log([function(x) for x in X])
            assert np.std(values) < 0.6
    assert lines.levels.min() > 0.0
    assert lines.levels.max() < 1.0


def test_a_known_objective_that_fails_has_a_gap() -> None:
    """Where the truth fails or is infinite there is no line; a constant one has none at all."""
    view = valley(9)

    def half(x: Any) -> float:
        """Fail on one side."""
        return float("nan") if x[0] > 0.5 else float("inf") if x[0] > 0.4 else x[0]

    lines = only(picture(view, truth=truth_of(half, [0.0, 1.0])), "truth")
    assert max(path.vertices[:, 0].max() for path in lines.get_paths() if len(path.vertices)) <= 0.4
    assert not found(picture(view, truth=truth_of(lambda _: 1.0, [0.0, 1.0])), "truth")


def test_one_parameter_is_curves_and_bars() -> None:
    """The curves are the model's mean over x and the bound over s; the bars have the cells' shares and bounds."""
    view = jump()
    drawn = picture(view, samples=100)
    mean, bound = (curve.get_xydata() for curve in found(drawn, "curve"))
    assert mean[:, 1] == pytest.approx(view.moments(view.latent(mean[:, :1]))[0])
    assert bound[:, 1] == pytest.approx(view.acquisition.values(bound[:, :1]))
    knots = view.surrogate.warp.knots[0]
    shares, bounds = only(drawn, "cell-shares"), only(drawn, "cell-bounds")
    holders, _ = Scene(view, "study").slice.thompson(100)
    order = [cell.lower[0] for cell in view.cells().cells()]
    spans = []
    for k, path in enumerate(shares.get_paths()):
        left, bottom, right, top = box_of(path)
        spans.append((left, right))
        assert bottom == 0.0
        assert top == pytest.approx(np.mean(holders == k))
        assert left == knots[order[k]]
    assert sorted(spans) == [(float(a), float(b)) for a, b in pairwise(knots)]
    for path in bounds.get_paths():
        left, low, right, _ = box_of(path)
        first, last = view.latent(np.array([[left], [right]]))
        s = np.linspace(first, last, 500)
        assert low == pytest.approx(view.acquisition.values(s).min(), abs=1e-3)


def test_one_parameter_of_a_known_objective_is_its_curve() -> None:
    """Panel A has the objective's own values, evaluations on the curve, failures beside the worst."""
    view = jump()

    def function(x: Any) -> float:
        """Jump, and fail at the end."""
        return float("nan") if x[0] > 0.95 else step(x[0])

    drawn = picture(view, truth=truth_of(function, [0.59]))
    curve = found(drawn, "curve")[0].get_xydata()
    known = curve[:, 0] <= 0.95
    assert curve[known, 1] == pytest.approx([step(x) for x in curve[known, 0]])
    assert np.all(np.isnan(curve[~known, 1]))
    points = found(drawn, "observations")[0].get_xydata()
    assert points[:-1, 1] == pytest.approx([step(x) for x in STEP[:-1]])
    assert points[-1, 1] == pytest.approx(np.nanmax(curve[:, 1]))


def test_off_the_slice() -> None:
    """Of three parameters the next point is hollow in all panels, and the words say that bounds are on the slice."""
    view = valley(12, 3)
    drawn = picture(view, shown=(0, 2))
    assert [mark.get_markerfacecolor() for mark in found(drawn, "next")] == ["none"] * 4
    assert "off the slice and is drawn hollow" in drawn.alt
    assert "The lowest lower confidence bound on the slice" in drawn.alt
    assert "slice through the best point" in drawn.figure.get_suptitle()
    on = picture(valley(12), look=Look(LIGHT))
    assert [mark.get_markerfacecolor() for mark in found(on, "next")] == [LIGHT.next] * 4


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({}, "chosen by the lower confidence bound"),
        ({"acquisition": "ei"}, "chosen by expected improvement; its lower confidence bound is"),
        ({"acquisition": "thompson"}, "drawn by Thompson sampling"),
        ({"explore_every": 1}, "turn to explore"),
        ({"initial": 20}, "belongs to the initial design"),
    ],
)
def test_words_say_what_the_next_point_was_chosen_by(settings: dict[str, Any], words: str) -> None:
    """The panels stay those of the bound; the alternative text names the method's own way."""
    view = valley(9, method=replace(QUICK, **settings))
    drawn = picture(view)
    assert words in drawn.alt
    bounds = cells_with_values(drawn, "cell-bounds")
    edges = max(bounds, key=lambda box: (box[2] - box[0]) * np.log(box[3] / box[1]))
    assert bounds[edges] == pytest.approx(lowest(view, edges), abs=0.02)


def test_points_that_are_out() -> None:
    """They are marked in all panels, and the bound is that of the batch: three quarters of beta."""
    view = valley(9, pending=[(0.3, 0.5)])
    drawn = picture(view)
    assert len(found(drawn, "out")) == 4
    assert found(drawn, "out")[0].get_xydata().tolist() == [[0.3, 0.5]]
    for edges, bound in list(cells_with_values(drawn, "cell-bounds").items())[:5]:
        s = view.latent(np.array([edges[:2], edges[2:]]))
        grid: Array = np.stack(np.meshgrid(*np.linspace(s[0], s[1], 60).T), axis=-1).reshape(-1, 2)
        mean, sd = view.moments(grid)
        assert isinstance(QUICK.beta, float)
        assert bound == pytest.approx(float((mean - 0.75 * QUICK.beta * sd).min()), abs=0.02)
    assert "cells are closed" in drawn.alt


@pytest.mark.parametrize(
    "view",
    [
        view_of(unit("a", "b"), [], []),
        view_of(unit("a"), [], []),
        view_of(unit("a", "b"), [[0.1, 0.2], [0.3, 0.4]], [None, None]),
        view_of(unit("a", "b"), [[0.1, 0.2], [0.3, 0.4], [0.9, 0.1]], [1, 1, 1]),
        view_of(unit("a", "b"), [[0.1, 0.2], [0.3, 0.4]], ["1e400", "-1e400"]),
        view_of([Parameter("m", 0, 1, type="int")], [(0,), (1,)], [2, 1]),
    ],
    ids=["no rows", "no rows, one parameter", "failures", "ties", "beyond doubles", "exhausted"],
)
def test_little_is_known(view: View) -> None:
    """Every study has the four panels, values of all cells, and words."""
    drawn = picture(view)
    shares = only(drawn, "cell-shares").get_array()
    assert len(shares) == len(only(drawn, "cell-bounds").get_array()) == view.cells().size(10**6)
    assert shares.sum() == pytest.approx(1.0)
    assert drawn.alt.count("lower confidence bound") >= 1


@pytest.mark.parametrize("size", [None, (10.0, 7.0)])
@pytest.mark.parametrize("shown", [(), (1,)])
def test_texts_do_not_collide(size: Any, shown: tuple[int, ...]) -> None:
    """Labels, ticks, ranks, legend and titles keep apart, with long and odd names."""
    view = odd_names()
    assert collisions(picture(view, Look(THEMES["dark"], size), shown=shown)) == []


def test_an_svg_is_small() -> None:
    """Two hundred rows of six parameters take less than 250 kB: what is many is an image."""
    U = np.random.default_rng(5).random((200, 6))
    y = [float(sum((u - 0.4) ** 2 for u in x)) for x in U]
    drawn = picture(view_of(unit(*"abcdef"), U.tolist(), y))
    assert len(drawn.encoded("svg")) < 250_000
