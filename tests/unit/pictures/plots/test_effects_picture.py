"""Main effects: a panel for each parameter of every kind, and what is said of them."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.pictures.style import DARK, Look
from tests.unit.pictures.conftest import collisions, drawn_by, every_kind, found, unit, valley, view_of

pytest.importorskip("matplotlib")
from ordbo_cli.pictures.plots.effects import draw


def names(picture: object) -> list[str]:
    """Return what stands below the panels."""
    return [panel.get_xlabel() for panel in picture.figure.axes]  # type: ignore[attr-defined]


def test_parameters_of_every_kind_have_a_panel_the_largest_effect_first() -> None:
    """Levels stand there in words; what failed and what broke a limit are told apart."""
    picture = drawn_by(draw, every_kind())
    assert sorted(names(picture)) == ["limiter", "mesh", "restart", "solver", "tolerance"]
    sizes = [float(np.ptp(line.get_ydata())) for line in found(picture, "mean")]
    assert sizes == sorted(sizes, reverse=True)
    panel = picture.figure.axes[names(picture).index("solver")]
    assert [label.get_text() for label in panel.get_xticklabels()] == ["gmres", "cg", "direct"]
    assert "solver takes it from" in picture.alt
    assert " at gmres to " in picture.alt
    assert "2 evaluations failed and 2 broke a limit." in picture.alt
    assert [len(line.get_xdata()) for line in found(picture, "failed")].count(2) == 4  # restart does not count at cg
    assert [len(line.get_xdata()) for line in found(picture, "infeasible")].count(2) == 4


@pytest.mark.parametrize("look", [Look(), Look(DARK, size=(3.9, 5.0))])
def test_texts_do_not_collide(look: Look) -> None:
    """At the size of a telephone fewer panels are drawn, and the title says so."""
    picture = drawn_by(draw, every_kind(), look)
    assert collisions(picture) == []
    fewer = len(names(picture)) < 5
    assert fewer == (look.size is not None)
    assert any("of 5 parameters" in text.get_text().replace("\n", " ") for text in picture.figure.texts) == fewer


def test_parameters_that_are_asked_for() -> None:
    """No others have a panel."""
    assert sorted(names(drawn_by(draw, valley(8, 3), shown=(0, 2)))) == ["a", "rate [1/s]"]


def test_before_the_first_evaluation() -> None:
    """All ranks are 1, and the words say that nothing is known."""
    picture = drawn_by(draw, view_of(unit("a", "b"), [], []))
    assert picture.alt == "No evaluation yet: nothing is known of any effect."
    assert [set(line.get_ydata()) for line in found(picture, "mean")] == [{1.0}, {1.0}]


def test_results_that_are_all_alike() -> None:
    """The words say that nothing moves."""
    picture = drawn_by(draw, view_of(unit("a"), [[0.1], [0.5], [0.9]], [1, 1, 1]))
    assert "No parameter moves it noticeably on average." in picture.alt
