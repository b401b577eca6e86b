"""The regret figure: what the curves show, and that files come out."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

from ordbo_cli.errors import FileError
from ordbo_cli.pictures.plots.comparison.method_lines import line_of
from ordbo_cli.pictures.plots.regret import Landscape, Panel, cumulative, draw_regret, shades, simple
from ordbo_cli.pictures.style import DARK, LIGHT, Look, Picture, Theme
from tests.unit.pictures.conftest import collisions, found

pytestmark = pytest.mark.slow

pytest.importorskip("matplotlib")

REGRETS = np.array([[9.0, 8.0, 4.0, 5.0], [9.0, 7.0, 8.0, 2.0]])


def hole(x: Sequence[float]) -> float:
    return math.nan if x[0] > 0.5 else x[0] + math.log10(x[1]) ** 2


def drawn(**methods: object) -> Picture:
    """Return the picture of two problems, the second one with its landscape."""
    regrets = {name: np.asarray(each, dtype=float) for name, each in methods.items()}
    panels = [Panel(name, regrets or {"vanilla": REGRETS, "mine": REGRETS / 4}, 2) for name in ("one", "two")]
    landscapes = [Landscape("two", hole, ((0, 1), (0.1, 10)), ("linear", "log"), (0.0, 1.0))]
    return draw_regret(panels, landscapes, Look())


def test_curves_by_hand() -> None:
    """Sums start after the initial points; the best so far starts with the last of them."""
    np.testing.assert_array_equal(cumulative(REGRETS, 2), [[4, 9], [8, 10]])
    np.testing.assert_array_equal(simple(REGRETS, 2), [[8, 4, 4], [7, 7, 2]])


def test_shades_follow_ranks() -> None:
    """Equal values look alike, a value of 1e300 is one step above the next, failures have no colour."""
    np.testing.assert_array_equal(shades(np.array([[3.0, 1e300], [math.nan, 3.0]])), np.array([[0, 1], [math.nan, 0]]))
    np.testing.assert_array_equal(shades(np.full((1, 2), math.nan)), np.full((1, 2), math.nan))


def test_curves_are_means_and_bands_quartiles() -> None:
    """Sums have arithmetic means; the best so far has geometric means, and quartiles of logarithms, over seeds."""
    picture = drawn()
    sums, bests = found(picture, "cumulative"), found(picture, "simple")
    assert [line.get_label() for line in sums] == ["vanilla", "mine"] * 2
    np.testing.assert_allclose(sums[0].get_xydata(), [[3, 6.0], [4, 9.5]])
    expected = [[2, 56**0.5], [3, 28**0.5], [4, 8**0.5]]
    np.testing.assert_allclose(bests[0].get_xydata(), expected)
    np.testing.assert_allclose(bests[1].get_ydata() * 4, bests[0].get_ydata())
    corners = found(picture, "simple-band")[0].get_paths()[0].vertices
    edges = [float(y) for x, y in corners if x == 2]
    assert (min(edges), max(edges)) == pytest.approx((7 * (8 / 7) ** 0.25, 7 * (8 / 7) ** 0.75))
    left, right = picture.figure.axes[:2]
    assert (left.get_yscale(), right.get_yscale()) == ("linear", "log")


def test_sums_that_are_far_apart_get_a_log_axis() -> None:
    """A factor of more than a hundred at the end."""
    assert drawn(a=REGRETS, b=REGRETS / 99).figure.axes[0].get_yscale() == "linear"
    assert drawn(a=REGRETS, b=REGRETS / 101).figure.axes[0].get_yscale() == "log"


def test_the_landscape_is_the_function() -> None:
    """Its cells are the function's ranks on an axis of its own scale, the star is at the optimum."""
    picture = drawn()
    (mesh,), (star,) = found(picture, "landscape"), found(picture, "optimum")
    x, y = np.linspace(0, 1, 201), np.geomspace(0.1, 10, 201)
    expected = shades(np.array([[hole((a, b)) for a in x] for b in y]))
    np.testing.assert_array_equal(np.asarray(mesh.get_array().filled(math.nan)).reshape(201, 201), expected)
    assert star.get_xydata().tolist() == [[0.0, 1.0]]
    assert (mesh.axes.get_xscale(), mesh.axes.get_yscale()) == ("linear", "log")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_lines_differ_in_more_than_colour(theme: Theme) -> None:
    """All of 120 lines differ, and any four neighbours in their dashes or marks alone."""
    lines = [line_of(place, theme) for place in range(120)]
    assert len({(line["color"], line["linestyle"], line["marker"]) for line in lines}) == 120
    for start in range(117):
        assert len({(line["linestyle"], line["marker"]) for line in lines[start : start + 4]}) == 4
    assert {line["color"] for line in lines} <= set(theme.colours().values())


@pytest.mark.parametrize("value", [math.inf, 1e308, 0.0, 1e-320])
def test_regrets_that_no_axis_shows(value: float) -> None:
    """Infinite, huge and zero regrets leave gaps, never an error, and not beside those that can be shown."""
    picture = drawn(odd=np.full((3, 4), value), fine=np.ones((3, 4)))
    picture.encoded("svg")
    assert np.all(found(picture, "simple")[1].get_ydata() == 1.0)
    drawn(odd=np.full((3, 4), value)).encoded("svg")


def test_words_tell_best_and_worst() -> None:
    """Of each problem the lowest and the highest regret at the end, with the methods they belong to."""
    alt = drawn().alt
    assert alt.startswith("The regret of 2 methods (vanilla and mine) on 2 problems, over 2 seeds.")
    assert "two: after 4 evaluations the mean simple regret is at least 0.7071 (mine), at most 2.828 (vanilla)." in alt
    assert "simple regret is 2.828 (vanilla)." in drawn(vanilla=REGRETS).alt
    assert "simple regret is not known." in drawn(vanilla=np.full((1, 4), math.inf)).alt


def test_words_of_many_problems_stay_short() -> None:
    """Six problems are told, the rest is counted."""
    panels = [Panel(f"p{k}", {"a": REGRETS}, 2) for k in range(8)]
    alt = draw_regret(panels, [], Look()).alt
    assert "p5: " in alt
    assert "p6: " not in alt
    assert alt.endswith("And 2 further problems.")


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
def test_the_same_regrets_give_the_same_bytes(kind: str) -> None:
    """No date, no random names."""
    assert drawn().encoded(kind) == drawn().encoded(kind)


def test_texts_do_not_collide() -> None:
    """With a dozen of methods of long names and a problem of a long one."""
    methods = {f"default:beta=1.{k},prior.spread=0.5": REGRETS * 10.0**-k for k in range(12)}
    panels = [Panel(name, methods, 2) for name in ("one", "a name of a user's problem, $x_1$, " * 4)]
    assert collisions(draw_regret(panels, [], Look())) == []


def test_the_figure_names_what_it_shows() -> None:
    """Titles of both problems and of the landscape, and the methods, each once in the legend."""
    text = drawn().encoded("svg").decode()
    for title in ("one: cumulative regret", "two: simple regret", "two, by rank; star: optimum"):
        assert f">{title}<" in text
    assert text.count(">vanilla<") == text.count(">mine<") == 1


def test_an_unwritable_file_is_an_error(tmp_path: Path) -> None:
    """A folder that is not there is named."""
    with pytest.raises(FileError, match="cannot write it"):
        drawn().save(tmp_path / "nowhere" / "a.svg")
