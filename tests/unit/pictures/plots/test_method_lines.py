"""Lines of methods, data profiles and ranks: who stands out, names that do not cover each other, what bars join."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ordbo_cli.pictures.plots.comparison.critical_difference import draw_ranks
from ordbo_cli.pictures.plots.comparison.method_lines import Cast
from ordbo_cli.pictures.plots.comparison.profile import draw_profile
from ordbo_cli.pictures.plots.regret import Panel, draw_course
from ordbo_cli.pictures.style import LIGHT, Look, Picture
from tests.unit.pictures.conftest import collisions, found

pytestmark = pytest.mark.slow

pytest.importorskip("matplotlib")

MANY = [f"method_{k}" for k in range(20)]
LEADING = MANY[:4]


def course_of(figure: str = "simple") -> Picture:
    """Return the regrets of twenty methods, half of which end alike."""
    regrets = {name: np.geomspace(1e3, 10.0 ** -(k % 10), 30) * np.ones((3, 1)) for k, name in enumerate(MANY)}
    return draw_course(Panel("p", regrets, 5), figure, Cast(MANY, LEADING), Look())  # type: ignore[arg-type]


def profile_of() -> Picture:
    """Return the profiles of twenty methods, most of which end near to each other."""
    courses = {name: np.linspace(0.0, 1.0 - 0.01 * k, 30).tolist() for k, name in enumerate(MANY)}
    return draw_profile(courses, 5, (10, 30), Cast(MANY, LEADING), Look())


def ranks_of(methods: list[str], critical_difference: float | None = 1.5) -> Picture:
    ranks = {name: 1.0 + 0.8 * k for k, name in enumerate(methods)}
    groups = [tuple(methods[:2]), tuple(methods[1:4])]
    return draw_ranks(ranks, groups, critical_difference, "Ranks", Cast(methods, methods[:1]), Look())


def test_the_others_stand_back() -> None:
    """Those that lead have colours and bands; the others are thin, without a colour, and of several dashes."""
    picture = course_of()
    lines = found(picture, "simple")
    assert [line.get_color() == LIGHT.muted for line in lines] == [name not in LEADING for name in MANY]
    assert len(found(picture, "simple-band")) == len(LEADING)
    assert lines[0].get_linewidth() > lines[-1].get_linewidth()
    assert len({str(line.get_linestyle()) for line in lines[4:8]}) > 1


def test_few_methods_all_lead() -> None:
    """Where none is named nobody stands back."""
    assert Cast(["a", "b"]).leading == ("a", "b")


@pytest.mark.parametrize("picture", [course_of, lambda: course_of("cumulative"), profile_of])
def test_each_line_has_its_name_at_its_end(picture: object) -> None:
    """Once each, in the order of the ends, none over another, and a piece of the line leads from the end to it."""
    drawn: Picture = picture()  # type: ignore[operator]
    names, leaders = found(drawn, "method"), found(drawn, "leader")
    assert sorted(text.get_text() for text in names) == sorted(MANY)
    assert collisions(drawn) == []
    ends = np.array([line.get_ydata()[0] for line in leaders])
    places = np.array([text.get_position()[1] for text in names])
    assert np.all(np.diff(places[np.argsort(ends, kind="stable")]) > 0.0)
    np.testing.assert_array_equal([line.get_ydata()[-1] for line in leaders], places)
    assert ends.min() >= -1e-9
    assert ends.max() <= 1.0 + 1e-9


def test_a_profile_is_a_staircase_after_the_start() -> None:
    """It begins with the last initial evaluation, and the smaller budgets are marked."""
    picture = profile_of()
    np.testing.assert_allclose(found(picture, "profile")[0].get_xydata()[[0, -1]], [[5, 4 / 29], [30, 1.0]])
    assert [line.get_xdata()[0] for line in found(picture, "budget")] == [10]
    assert "1.000 (method_0), 0.990 (method_1)" in picture.alt


def test_bars_join_those_that_are_not_told_apart() -> None:
    """From the first mean rank to the last one of each group; lines lead from each rank to its name."""
    picture = ranks_of(["a", "b", "c", "d", "e"])
    bars = [tuple(np.round(line.get_xdata(), 6)) for line in found(picture, "alike")]
    assert bars == [(0.96, 1.84), (1.76, 3.44)]
    assert [line.get_xdata()[0] for line in found(picture, "rank")] == pytest.approx([1.0, 1.8, 2.6, 3.4, 4.2])
    assert picture.alt.endswith("Not told apart from each other: a and b; b, c and d.")
    (length,) = found(picture, "nemenyi")
    assert np.ptp(length.get_xdata()) == pytest.approx(1.5)
    assert found(ranks_of(["a", "b"], None), "nemenyi") == []


def test_names_of_ranks_do_not_collide() -> None:
    """Twenty of them, and long ones."""
    assert collisions(ranks_of([f"default:beta=1.{k},prior.spread=0.5" for k in range(20)])) == []


def test_regrets_that_no_axis_shows_have_no_name_beside_them(tmp_path: Path) -> None:
    """They leave gaps, never an error."""
    regrets = {"odd": np.full((2, 9), np.inf), "fine": np.ones((2, 9))}
    picture = draw_course(Panel("p", regrets, 5), "simple", Cast(["odd", "fine"]), Look())
    assert [text.get_text() for text in found(picture, "method")] == ["fine"]
    picture.save(tmp_path / "a.png")
