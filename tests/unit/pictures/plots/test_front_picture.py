"""The picture of a front."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from ordbo_cli.errors import UsageError
from ordbo_cli.pictures.kinds import draw
from ordbo_cli.pictures.plots.front import draw_front
from ordbo_cli.pictures.plots.fronts.trades import Trades
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import THEMES, Axes, Look
from ordbo_cli.problem import Aim, Censored, Evaluation, Limit, Parameter, Problem
from tests.unit.pictures.conftest import valley

FLOAT = (Parameter("x", 0.0, 10.0),)


def problem(objectives: int) -> Problem:
    """Return a problem; the second objective is to be maximised."""
    aims = (Aim("lift", goal="maximize"), Aim("noise"), Aim("cost"), Aim("mass"))[: objectives - 1]
    return Problem(FLOAT, "drag", unit="N", outcomes=aims)


def results(asked: Problem, *rows: tuple[float, ...]) -> list[Evaluation]:
    """Return evaluations by all objectives; nothing for a failure."""
    exact = [[Decimal(str(value)) for value in row] for row in rows]
    return [
        asked.evaluation((float(k),), row[0] if row else None, k, "", tuple(row[1:])) for k, row in enumerate(exact)
    ]


def points(axes: Axes, name: str) -> list[tuple[float, float]]:
    """Return the places of the marks of one kind."""
    (found,) = [line for line in axes.lines if line.get_gid() == name]
    return [(float(a), float(b)) for a, b in np.column_stack(found.get_data())]


def test_two_objectives_have_a_panel_with_the_front_its_steps_and_its_knee() -> None:
    """Failures have no place, and are told; what lies outside the bounds is not there."""
    asked = problem(2)
    rows = results(asked, (1, 3), (2, 5), (4, 9), (2.5, 4), (), (3, 9))
    rows.append(asked.evaluation((11.0,), Decimal(0), 9, "", (Decimal(99),)))
    picture = draw_front(Trades(asked, rows, "wing"), Look(THEMES["light"]))
    (axes,) = picture.figure.axes
    assert points(axes, "front") == points(axes, "steps") == [(1, 3), (2, 5), (3, 9)]
    assert points(axes, "dominated") == [(4, 9), (2.5, 4)]
    assert points(axes, "knee") == [(2, 5)]
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("drag [N] (least is best)", "lift (most is best)")
    assert [text.get_text() for text in axes.texts] == ["1", "2", "6"]
    assert picture.alt == (
        "3 of 5 results are on the front. Its drag lies between 1 and 3. Its lift lies between 3 and 9. 1 failed."
    )


def test_axes_may_be_by_rank() -> None:
    """The k-th of the distinct values of an objective stands at k, whatever it is."""
    asked = problem(2)
    picture = draw_front(Trades(asked, results(asked, (1, 3), (2, 500), (400, 900)), "wing"), Look(), ranks=True)
    (axes,) = picture.figure.axes
    assert points(axes, "front") == [(1, 1), (2, 2), (3, 3)]
    assert axes.get_xlabel() == "drag [N] (least is best), by rank"


def test_infeasible_points_stand_back_where_they_lie() -> None:
    """Those that have all values; their marks are those of their numbers, as everywhere."""
    asked = Problem(FLOAT, "drag", outcomes=(Aim("lift", goal="maximize"), Limit("stress", max=Decimal(5))))
    rows = [
        asked.evaluation((float(k),), Decimal(drag), k, "", (Decimal(lift), Decimal(stress)))
        for k, (drag, lift, stress) in enumerate([(1, 3, 9), (2, 5, 1), (3, 4, 1), (4, 4, 9)])
    ]
    picture = draw_front(Trades(asked, rows, "wing", {0: Decimal(1)}), Look())
    (axes,) = picture.figure.axes
    assert points(axes, "infeasible") == [(1, 3)]
    assert points(axes, "front") == [(2, 5)]
    assert axes.get_title(loc="left") == "wing: front, 2 broke a limit"
    assert picture.points == {"infeasible": (1,), "beyond": (), "dominated": (3,), "front": (2,), "knee": (2,)}


def test_what_is_good_enough_is_a_dotted_line() -> None:
    """And there are no steps, as what lies beyond it is not dominated by them."""
    asked = replace(problem(2), enough=Decimal(2))
    (axes,) = draw_front(Trades(asked, results(asked, (1, 3), (2, 5), (4, 9)), "wing"), Look()).figure.axes
    (line,) = [each for each in axes.lines if each.get_gid() == "enough"]
    assert list(line.get_xdata()) == [2.0, 2.0]
    assert not any(each.get_gid() == "steps" for each in axes.lines)
    assert points(axes, "front") == [(2, 5), (4, 9)]


def test_what_is_good_enough_does_not_squash_the_front() -> None:
    """Farther from the results than they reach it is told, and not drawn; the axes stay as they are without it."""
    rows = ((1, 3), (2, 5), (4, 9))
    far, near, none = (replace(problem(2), enough=each) for each in (Decimal(-3), Decimal(-2), None))
    drawn = {each.enough: draw_front(Trades(each, results(each, *rows), "wing"), Look()) for each in (far, near, none)}
    limits = [picture.figure.axes[0].get_xlim() for picture in drawn.values()]
    assert limits[0] == limits[2] != limits[1]
    assert drawn[far.enough].alt.endswith(
        " Good enough: drag -3; that of drag lies too far beyond the results to be drawn."
    )
    assert drawn[near.enough].alt.endswith(" Good enough: drag -2.")
    assert [text.get_text() for text in drawn[near.enough].figure.legends[0].get_texts()][-1] == "good enough"


@pytest.mark.parametrize(("objectives", "panels"), [(3, 3), (4, 6), (5, 6)])
def test_more_objectives_have_a_panel_for_each_pair(objectives: int, panels: int) -> None:
    """At most six, without steps, which mean nothing in a projection."""
    asked = problem(objectives)
    rows = results(asked, *(tuple(float((3 * k + 2 * j) % 7) for j in range(objectives)) for k in range(6)))
    picture = draw_front(Trades(asked, rows, "wing"), Look(THEMES["dark"]))
    shown = [axes for axes in picture.figure.axes if axes.get_visible()]
    assert len(shown) == panels
    assert not any(line.get_gid() == "steps" for axes in shown for line in axes.lines)


def test_any_state_of_a_study_can_be_drawn() -> None:
    """Nothing yet, failures alone, one result, huge and equal values."""
    asked = problem(2)
    assert draw_front(Trades(asked, [], "wing"), Look()).alt == "0 results, none of them a success yet."
    for rows in ([()], [(1, 1)], [(1, 1), (1, 1)], [(1e300, 1e-300), (-1e300, 1e300), (1, 0)]):
        assert draw_front(Trades(asked, results(asked, *rows), "wing"), Look()).encoded("png")


def test_one_objective_has_no_front() -> None:
    """And is told what to draw in its place."""
    with pytest.raises(UsageError, match="no front"):
        draw("front", Scene(valley(4), "wing"))


def limited() -> tuple[Problem, list[Evaluation]]:
    """Return results of which some are known by a limit: two on its good side and two on its bad one."""
    asked = problem(2)
    known: list[tuple[int, Censored, int, Censored]] = [
        (1, "below", 3, ""),
        (2, "", 5, "above"),
        (3, "above", 9, ""),
        (4, "", 4, "below"),
        (5, "", 4, ""),
    ]
    rows = [
        asked.evaluation((float(k),), Decimal(drag), k, side, (Decimal(lift),), (other,))
        for k, (drag, side, lift, other) in enumerate(known)
    ]
    return asked, rows


def test_limits_stand_where_they_are_with_an_arrow_to_the_side_of_the_result() -> None:
    """On the good side they may be on the front; on the bad side they are apart from it, and have not failed."""
    picture = draw_front(Trades(*limited(), "wing"), Look())
    (axes,) = picture.figure.axes
    assert points(axes, "front") == [(1, 3), (2, 5)]
    assert points(axes, "beyond") == [(3, 9), (4, 4)]
    arrows = {name: points(axes, f"lies-{name}") for name in ("left", "right", "up", "down")}
    assert arrows == {"left": [(1, 3)], "right": [(3, 9)], "up": [(2, 5)], "down": [(4, 4)]}
    markers = {each.get_gid(): each.get_marker() for each in axes.lines}
    assert [markers[f"lies-{name}"] for name in arrows] == [8, 9, 10, 11]  # matplotlib's carets
    assert axes.get_title(loc="left") == "wing: front, 2 worse than a limit"
    assert picture.points["beyond"] == (3, 4)
    assert picture.alt == (
        "2 of 3 results are on the front. Its drag lies between <1 and 2. Its lift lies between 3 and >5."
        " 2 worse than a limit."
    )
