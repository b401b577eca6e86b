"""The course of a study: what is drawn is what was found, whatever the values are."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from ordbo_cli.insight.inspection import View
from ordbo_cli.pictures.plots.convergence import best_so_far, draw
from ordbo_cli.pictures.scene import Scene, Truth
from ordbo_cli.pictures.style import DARK, Look, Picture
from ordbo_cli.problem import Censored, Limit, Problem
from ordbo_cli.search.step_input import StepInput
from tests.unit.pictures.conftest import collisions, found, unit, view_of

pytestmark = pytest.mark.slow

pytest.importorskip("matplotlib")

MANY = np.random.default_rng(0).random((1000, 2)).tolist()
HOSTILE: dict[str, list[object]] = {
    "nothing": [],
    "one": [3.2],
    "one failed": [None],
    "all failed": [None] * 7,
    "all infinite": ["inf"] * 3,
    "all tied": [2] * 6,
    "300 decades": [10.0**k for k in range(-150, 151, 20)],
    "both signs": [(-10.0) ** k for k in range(-150, 151, 25)],
    "no doubles": ["1e400", "2e400", 3, "1e-400", None, "inf", "1e400"],
    "outliers": [0.1, -0.5, 0.7, 1.1, -1.3, 1e9, -1e8, None, "inf"],
    "near": [1 + 1e-13 * k for k in range(7)],
    "large": [10**30 + k for k in range(5)],
    "a thousand": [x + y for x, y in MANY],
}


def scene_of(y: Sequence[object], truth: Truth | None = None, **settings: Any) -> Scene:
    return Scene(view_of(unit("a", "b"), MANY[: len(y)], y, **settings), "study", truth)


def data(picture: Picture, gid: str) -> list[tuple[float, float]]:
    """Return the points of the one artist of a name; none where there is none."""
    artists = found(picture, gid)
    assert len(artists) <= 1
    return [(float(x), float(y)) for each in artists for x, y in each.get_xydata()]


def test_what_is_drawn() -> None:
    """Every result at its number, the best so far in steps, the best on it, failures apart from all of them."""
    picture = draw(scene_of([5, 7, None, 2, 3, None, 2, 9]), Look())
    assert data(picture, "results") == [(1, 5), (2, 7), (4, 2), (5, 3), (7, 2), (8, 9)]
    assert data(picture, "best-so-far") == [(1, 5), (2, 5), (3, 5), (4, 2), (5, 2), (6, 2), (7, 2), (8, 2)]
    assert found(picture, "best-so-far")[0].get_drawstyle() == "steps-post"
    assert data(picture, "best") == [(4, 2)]
    assert [x for x, _ in data(picture, "failed")] == [3, 6]


def test_to_maximise() -> None:
    """The best so far rises, and what failed lies below all results."""
    picture = draw(scene_of([5, 7, None, "-inf", 8], goal="maximize"), Look())
    assert data(picture, "best-so-far") == [(1, 5), (2, 7), (3, 7), (4, 7), (5, 8)]
    assert data(picture, "best") == [(5, 8)]
    picture.figure.draw_without_rendering()
    results, failed = found(picture, "results")[0], found(picture, "failed")[0]
    ends = [max(failed.get_window_extent().y1, found(picture, "infinite")[0].get_window_extent().y1)]
    assert ends[0] < results.get_window_extent().y0


def test_before_the_first_success() -> None:
    """The best so far starts where something succeeded."""
    scene = scene_of([None, None, 4, 3])
    np.testing.assert_array_equal(best_so_far(scene, scene.heights), [math.nan, math.nan, 4, 3])


def test_rows_outside_the_bounds() -> None:
    """They are drawn hollow, and are neither the best nor the best so far."""
    view = view_of(unit("a"), [(0.5,), (1.5,), (0.2,), (-1.0,)], [5, 1, 4, 9])
    picture = draw(Scene(view, "study"), Look())
    assert data(picture, "outside") == [(2, 1), (4, 9)]
    assert data(picture, "results") == [(1, 5), (3, 4)]
    assert data(picture, "best") == [(3, 4)]
    assert data(picture, "best-so-far") == [(1, 5), (2, 5), (3, 4), (4, 4)]
    assert "goes from 5 at evaluation 1 to 4 at evaluation 3 of 4, in 1 step." in picture.alt


def test_by_rank_where_no_axis_shows_the_values() -> None:
    """1e400, 2e400, 3 and 1e-400 stand at their ranks, with their own numbers beside the axis."""
    picture = draw(scene_of(HOSTILE["no doubles"]), Look())
    assert data(picture, "results") == [(1, 3), (2, 4), (3, 2), (4, 1), (7, 3)]
    assert data(picture, "best-so-far")[-1] == (7, 1)
    (axes,) = picture.figure.axes
    assert [text.get_text() for text in axes.get_yticklabels()] == ["1e-400", "3", "1e400", "2e400"]
    assert axes.get_ylabel() == "objective, by rank"
    assert [x for x, _ in data(picture, "infinite")] == [6]


@pytest.mark.parametrize(
    "size", [None, *(pytest.param(size, marks=pytest.mark.slow) for size in ((4.0, 3.0), (10.0, 7.0)))]
)
@pytest.mark.parametrize("goal", ["minimize", "maximize"])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name == "a thousand" else name for name in HOSTILE]
)
def test_any_values(name: str, goal: str, size: tuple[float, float] | None) -> None:
    """No text lies on another, and all results within the axis; the last of the best so far is the best."""
    y = [value if goal == "minimize" or value != "inf" else "-inf" for value in HOSTILE[name]]
    scene = scene_of(y, goal=goal, objective="drag", unit="N")
    picture = draw(scene, Look(DARK, size))
    assert collisions(picture) == []
    (axes,) = picture.figure.axes
    low, high = axes.get_ylim()
    assert all(low <= height <= high for _, height in data(picture, "results"))
    known = [Decimal(str(value)) for value in y if value is not None and "inf" not in str(value)]
    assert len(data(picture, "results")) == len(known)
    if known:
        best = (min if goal == "minimize" else max)(known)
        at = next(k for k, value in enumerate(y, 1) if value is not None and Decimal(str(value)) == best)
        assert data(picture, "best")[0][0] == at
        assert data(picture, "best-so-far")[-1][1] == data(picture, "best")[0][1]
        assert f"at evaluation {at} of {len(y)}" in picture.alt
    assert axes.get_yticks().size > 0 if known else axes.get_yticks().size == 0


@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([], "Nothing was evaluated yet."),
        ([None], "1 evaluation; none of them succeeded yet."),
        ([3.25], "The best drag is 3.25 N, at evaluation 1 of 1."),
        ([3, 4, None], "The best drag is 3 N, at evaluation 1 of 3. No other is better. 1 evaluation failed."),
        (
            [9, None, 4, 4, 1e-7, None],
            "The best drag so far goes from 9 N at evaluation 1 to 1e-7 N at evaluation 5 of 6, in 2 steps."
            " 2 evaluations failed. The axis is logarithmic.",
        ),
    ],
)
def test_the_words(y: list[object], words: str) -> None:
    """The numbers with their unit, from where to where, how often, what failed."""
    assert draw(scene_of(y, objective="drag", unit="N"), Look()).alt == words


def test_the_initial_design_is_shaded() -> None:
    """From before its first evaluation to after its last, of those that are there."""
    for rows, end in ((8, 5.5), (3, 3.5)):
        (axes,) = draw(scene_of(list(range(rows))), Look()).figure.axes
        (band,) = [patch for patch in axes.patches if patch.get_label() == "initial design"]
        box = band.get_path().get_extents(band.get_patch_transform())
        assert (box.x0, box.x1) == (0.5, end)


def truth() -> Truth:
    """The sum of both parameters, a failure above 1.5, whose regret is infinite."""

    def function(x: Sequence[float]) -> float:
        return math.nan if sum(x) > 1.5 else sum(x)

    return Truth(function, lambda value: math.inf if math.isnan(value) else max(value, 1e-8), (0.0, 0.0))


def test_the_regret_of_a_test_problem() -> None:
    """Each evaluation's and the least so far, without noise; failures have none; the words say how it falls."""
    points = [(0.9, 0.9), (0.5, 0.5), (0.7, 0.7), (0.1, 0.1), (0.0, 0.0)]
    view: View = view_of(unit("a", "b"), points, [None, 1.2, 1.3, 0.1, 0.05])
    picture = draw(Scene(view, "study", truth()), Look())
    np.testing.assert_allclose(data(picture, "regrets"), [(2, 1.0), (3, 1.4), (4, 0.2), (5, 1e-8)])
    np.testing.assert_allclose(data(picture, "regret")[1:], [(2, 1.0), (3, 1.0), (4, 0.2), (5, 1e-8)])
    assert picture.figure.axes[1].get_yscale() == "log"
    assert picture.alt.endswith("The regret falls from 1 to 1e-8.")
    assert collisions(picture) == []


@pytest.mark.parametrize("y", [[], [None], [None, None, None]])
def test_no_regret_yet(y: list[object]) -> None:
    """The panel stands empty."""
    scene = Scene(view_of(unit("a", "b"), [(0.9, 0.9)] * len(y), y), "study", truth())
    picture = draw(scene, Look())
    assert found(picture, "regret") == []
    assert "regret" not in picture.alt
    assert picture.encoded("png")


@pytest.mark.slow
def test_long_names_break() -> None:
    """Also with a unit, dollar signs and markup; nothing reaches beyond the edge."""
    y = [3, 1, 4, 1, 5]
    scene = scene_of(y, objective="a very long $objective$ <b>name</b> & so on", unit="kg·m²/s³ per $unit$")
    for size in ((4.0, 3.0), None):
        assert collisions(draw(scene, Look(size=size))) == []


@pytest.mark.parametrize("y", [(1e-300, 1e300, 5), (1e-150, 1e150, 5), (1e260, 1e299, 1e280), (-1e300, 1e300, 0)])
def test_values_at_the_ends_of_doubles(y: tuple[float, ...]) -> None:
    """Margins overflow nowhere, also beside a failure; warnings are errors in these tests."""
    picture = draw(scene_of([*y, None]), Look())
    assert collisions(picture) == []


def test_a_long_name_of_the_study() -> None:
    """It goes on in further lines; before it is broken it is no reason for a warning."""
    scene = replace(scene_of([3, 1, 4]), name="a_long_name_of_a_problem_file " * 8)
    assert collisions(draw(scene, Look(size=(4.0, 3.0)))) == []


@pytest.mark.slow
def test_a_thousand_rows_make_a_small_file() -> None:
    """The points are an image there, also in an SVG."""
    assert len(draw(scene_of(HOSTILE["a thousand"]), Look()).encoded("svg")) < 100_000


def test_limits_and_broken_limits_do_not_lead() -> None:
    """A result beyond a bad limit is no best so far, whatever its limit is; an infeasible one has a mark of its own."""
    problem = Problem(tuple(unit("a", "b")), outcomes=(Limit("s", max=Decimal(1)),))
    results: list[tuple[str | None, Censored, int]] = [("5", "", 0), ("1", "above", 0), (None, "", 3), ("4", "", 0)]
    evaluations = tuple(
        problem.evaluation(tuple(x), None if y is None else Decimal(y), None, side, (Decimal(s),))
        for x, (y, side, s) in zip(MANY, results, strict=False)
    )
    scene = Scene(View.of(StepInput(problem, evaluations, (), step=4)), "study")
    assert best_so_far(scene, scene.heights).tolist() == [5, 5, 5, 4]
    picture = draw(scene, Look())
    assert "goes from 5 at evaluation 1 to 4 at evaluation 4 of 4, in 1 step." in picture.alt
    assert "1 evaluation broke a limit." in picture.alt


def test_results_that_crowd_around_the_best_are_drawn_by_their_distance_to_it() -> None:
    """On a linear axis one large result would hide all steps; the words and the label say what is drawn."""
    picture = draw(scene_of([190, 100.9, 100.05, 100.01, 100.001, 100]), Look())
    (axes,) = picture.figure.axes
    assert axes.get_ylabel().endswith(", distance to the best")
    assert axes.get_yscale() == "symlog"
    assert data(picture, "best-so-far")[-1][1] == 0.0
    assert "distances to the best" in picture.alt


def test_results_on_both_sides_of_zero_have_a_bent_scale() -> None:
    """Over decades on both sides."""
    picture = draw(scene_of([-1000, 1e-3, 5, -0.1, 20000, 3]), Look())
    assert picture.figure.axes[0].get_yscale() == "symlog"
    assert "The axis is logarithmic on both sides of 0 and linear near it." in picture.alt
