"""How a front grew."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

from ordbo_cli.pictures.kinds import draw
from ordbo_cli.pictures.plots.fronts.front_growth import draw_front_growth
from ordbo_cli.pictures.plots.fronts.trades import Trades
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import DARK, Look, Picture
from ordbo_cli.study.study import Study
from tests.unit.pictures.conftest import collisions, found, only, view_of_several
from tests.unit.pictures.plots.test_front_picture import limited, problem, results

ROWS = ((2, 3), (1, 3), (), (4, 9), (5, 5), (3, 9))  # the first and the fourth join, and are dominated later


def heights(picture: Picture, gid: str) -> list[float]:
    return [float(y) for y in only(picture, gid).get_ydata()]


def test_both_lines_and_every_mark_stand_where_the_order_says() -> None:
    """What joined and stays, what joined and is dominated today, failures; what never joined has no mark."""
    asked = problem(2)
    picture = draw_front_growth(Trades(asked, results(asked, *ROWS), "wing"), Look())
    assert heights(picture, "known") == [0, 1, 1, 1, 1, 2]
    assert heights(picture, "sizes") == [1, 1, 1, 2, 2, 2]
    assert [*only(picture, "stays").get_xdata()] == [2, 6]
    assert [*only(picture, "left").get_xdata()] == [1, 4]
    assert [*only(picture, "failed").get_xdata()] == [3]
    assert picture.points == {"stays": (2, 6), "left": (1, 4), "failed": (3,), "infeasible": (), "beyond": ()}
    assert picture.alt == (
        "Of the 2 results on today's front half were known after 2 evaluations, and the newest came as evaluation 6 of"
        " 6. 2 more joined the front and were dominated later. 1 failed."
    )


def test_the_numbers_are_those_of_status(tmp_path: Path) -> None:
    """Of today's front so far: the same line in words and in the picture."""
    path = tmp_path / "wing.yaml"
    path.write_text("objectives: {drag: {goal: minimize}, lift: {goal: maximize}}\nparameters: {x: {min: 0, max: 9}}\n")
    rows = [f"{k},{','.join(map(str, row)) if row else 'failed,'}" for k, row in enumerate(ROWS)]
    path.with_suffix(".csv").write_text("\n".join(["x,drag,lift", *rows, ""]))
    study = Study.open(path)
    told = [int(each or 0) for each in study.status().history]
    assert heights(draw_front_growth(Trades.of(study.snapshot(), "wing"), Look()), "known") == told


def test_a_study_knows_what_infeasible_points_had(tmp_path: Path) -> None:
    """Of the first objective, too, which has no say there; as far as it is a number, and with decimal commas."""
    path = tmp_path / "wing.yaml"
    path.write_text(
        "objectives: {drag: {goal: minimize}, lift: {goal: maximize}}\nparameters: {x: {min: 0, max: 9}}\n"
        "outcomes: {stress: {max: 5}}\n"
    )
    path.with_suffix(".csv").write_text("x;drag;lift;stress\n1;0,5;2;1\n2;0,25;3;9\n3;;4;9\n4;failed;;\n")
    trades = Trades.of(Study.open(path).snapshot(), "wing")
    assert trades.infeasible.tolist() == [False, True, True, False]
    assert trades.values(0) == [Decimal("0.5"), Decimal("0.25"), None, None]
    assert trades.values(1) == [Decimal(2), Decimal(3), Decimal(4), None]


def test_convergence_of_several_objectives_is_this_picture() -> None:
    """No text collides, in either theme; before the first success it says so."""
    view = view_of_several(12)
    for look in (Look(), Look(DARK)):
        picture = draw("convergence", Scene(view, "study"), look)
        assert picture.title == "Growth of the front"
        assert collisions(picture) == []
    asked = problem(2)
    for rows, words in (((), "no evaluation yet"), (((), ()), "no evaluation succeeded yet")):
        empty = draw_front_growth(Trades(asked, results(asked, *rows), "wing"), Look())
        assert [text.get_text() for text in found(empty, "nothing")] == [words]


def test_what_is_worse_than_a_limit_has_not_failed() -> None:
    """It has a mark of its own, and joins no front."""
    picture = draw_front_growth(Trades(*limited(), "wing"), Look())
    assert [*only(picture, "beyond").get_xdata()] == [3, 4]
    assert picture.points["failed"] == ()
    assert heights(picture, "known") == [1, 2, 2, 2, 2]
