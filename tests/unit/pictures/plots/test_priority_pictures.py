"""Pictures of objectives by priority: the course of the best, and parallel coordinates."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from ordbo_cli.insight.inspection import View
from ordbo_cli.pictures.kinds import KINDS, draw, draw_trades
from ordbo_cli.pictures.plots.fronts.trades import Trades
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.sentences import best
from ordbo_cli.pictures.style import DARK, Look, Picture
from ordbo_cli.problem import Comparison
from tests.unit.pictures.conftest import collisions, found, only, view_of_several
from tests.unit.pictures.plots.test_front_picture import problem, results

ROWS = ((5, 1), (2, 3), (), (1, 4), (4, 9), (1.5, 2))
ASKED = replace(problem(2), enough=Decimal(2), trade="lexicographic")


def course(rows: tuple[tuple[float, ...], ...] = ROWS, look: Look | None = None) -> Picture:
    """Return the course of a study."""
    return draw_trades("convergence", Trades(ASKED, results(ASKED, *rows), "wing"), look or Look())


def by_priority() -> View:
    """Return a study of two objectives by priority, with failures and what breaks a limit."""
    given = view_of_several(15).given
    return View.of(replace(given, problem=replace(given.problem, trade="lexicographic", enough=Decimal("0.5"))))


VIEW = by_priority()


def test_each_objective_has_a_panel_with_its_value_at_the_best_so_far_by_all() -> None:
    """The first may get worse where it is good enough; marks are every success's own values."""
    picture = course()
    first, second = found(picture, "best-so-far")
    assert first.get_ydata().tolist() == [5, 2, 2, 1, 1, 1]
    assert second.get_ydata().tolist() == [1, 3, 3, 4, 4, 4]
    assert only(picture, "results-1").get_ydata().tolist() == [1, 3, 4, 9, 2]
    assert [float(each.get_xdata()[0]) for each in found(picture, "best")] == [4, 4]
    assert [each.get_xdata().tolist() for each in found(picture, "failed")] == [[3], [3]]
    assert [axes.get_ylabel() for axes in picture.figure.axes] == ["drag [N] (least is best)", "lift (most is best)"]
    assert only(picture, "enough").get_ydata() == [2, 2]
    assert picture.points["results-0"] == picture.points["results-1"] == (1, 2, 4, 5, 6)
    assert picture.alt == (
        "The best so far goes from drag 5 and lift 1 at evaluation 1 to drag 1 and lift 4 at evaluation 4 of 6, in 2"
        " steps. 1 failed. Good enough: drag 2."
    )


def test_a_course_of_little_says_so() -> None:
    """No evaluation, failures alone, one success."""
    assert course(rows=()).alt == "Nothing was evaluated yet."
    assert course(rows=((),)).alt == "1 evaluation; none of them succeeded yet. 1 failed. Good enough: drag 2."
    assert course(rows=((1, 2),)).alt == "The best, drag 1 and lift 2, is evaluation 1 of 1. Good enough: drag 2."
    assert "No other is better." in course(rows=((1, 2), (3, 4))).alt


def test_what_lies_beyond_a_limit_is_hollow_and_what_was_compared_is_led_by_mean() -> None:
    """It has no part in the best so far; with comparisons the star is that of the best value."""
    rows = results(ASKED, *ROWS)
    worse = replace(rows[3], censored="above")
    said = Comparison(rows[0].values, rows[1].values)
    trades = Trades(ASKED, [*rows[:3], worse, *rows[4:]], "wing", comparisons=[said])
    picture = draw_trades("convergence", trades, Look())
    assert [each.get_xdata().tolist() for each in found(picture, "beyond")] == [[4], [4]]
    assert found(picture, "best-so-far")[1].get_ydata().tolist() == [1, 3, 3, 3, 3, 3]
    names = [text.get_text() for text in picture.figure.legends[0].get_texts()]
    assert {"best value", "best value so far", "worse than a limit"} <= set(names)


@pytest.mark.parametrize("look", [Look(), Look(DARK, (4.5, 3.6))])
def test_texts_do_not_collide(look: Look) -> None:
    """In either theme, also where the picture is small."""
    assert collisions(course(look=look)) == []
    assert collisions(draw("parallel", Scene(VIEW, "study"), look)) == []


def test_parallel_axes_show_every_objective_and_the_rank_by_all() -> None:
    """Each line ends at its rank by the one order, in its colour; what has no result ends at the first objective."""
    picture = draw("parallel", Scene(VIEW, "study"), Look())
    names = [tick.get_text() for tick in picture.figure.axes[0].get_xticklabels()]
    assert [name.replace("\n", " ") for name in names] == ["a", "b", "drag [N]", "lift", "rank by drag, then lift"]
    ends = [path.vertices for each in found(picture, "results") for path in each.get_paths()]
    numbers = picture.points["results"]
    top = max(rank for rank, ok in zip(VIEW.ranks, VIEW.succeeded, strict=True) if ok)
    assert len(ends) == len(numbers) == int(VIEW.succeeded.sum())
    for number, line in zip(numbers, ends, strict=True):
        np.testing.assert_allclose(line[-1], (4, VIEW.ranks[number - 1] / top))
    assert [path.vertices[-1, 0] for each in found(picture, "failed") for path in each.get_paths()] == [2]
    assert picture.alt.startswith("15 evaluations across 2 parameters and 2 objectives, of which")


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "front"])
def test_every_picture_of_one_order_is_drawn(kind: str) -> None:
    """Of the one model; the words tell the best by the values of all objectives."""
    scene = Scene(VIEW, "study")
    assert draw(kind, scene, Look()).alt
    assert VIEW.best is not None
    each = VIEW.given.evaluations[VIEW.best]
    drag, lift = (f"{value:.4g}" for value in (each.objective, each.outcomes[0]) if value is not None)
    assert best(scene) == f"The best, drag {drag} and lift {lift}, is evaluation {VIEW.best + 1}."
