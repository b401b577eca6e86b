"""Parallel coordinates of parameters and several objectives."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from ordbo_cli.errors import ProblemError
from ordbo_cli.insight.inspection import View
from ordbo_cli.pictures.kinds import draw
from ordbo_cli.pictures.plots.fronts import front_lines
from ordbo_cli.pictures.plots.fronts.front_lines import objective_column
from ordbo_cli.pictures.plots.fronts.trades import Trades
from ordbo_cli.pictures.plots.parallel_axes import BEYOND
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import DARK, Look, Picture
from ordbo_cli.problem import Aim, Evaluation, Problem
from tests.unit.pictures.conftest import collisions, found, only, unit, view_of_several

VIEW = view_of_several(15)


def picture(look: Look | None = None) -> Picture:
    return draw("parallel", Scene(VIEW, "study"), look or Look())


def ends(drawn: Picture, gid: str) -> list[list[float]]:
    """Return each line's heights on the axes that it reaches, in the order in which they are drawn."""
    return [path.vertices[:, 1].tolist() for each in found(drawn, gid) for path in each.get_paths()]


def place(values: Sequence[float], goal: str, value: float) -> float:
    distinct = sorted(set(values), reverse=goal == "maximize")
    return distinct.index(value) / (len(distinct) - 1)


def test_lines_end_at_their_ranks_by_every_objective_the_best_lowest() -> None:
    """Those of the front apart from the dominated ones, with the numbers of their evaluations."""
    drawn = picture()
    good = [(k, e) for k, e in enumerate(VIEW.evaluations) if e.objective is not None]
    drags = [float(e.objective or 0) for _, e in good]
    lifts = [float(e.outcomes[0] or 0) for _, e in good]
    seen = 0
    for gid in ("front", "dominated"):
        heights = ends(drawn, gid)
        assert len(heights) == len(drawn.points[gid]) > 0
        for number, line in zip(drawn.points[gid], heights, strict=True):
            each = VIEW.evaluations[number - 1]
            wanted = [place(drags, "minimize", float(each.objective or 0))]
            wanted += [place(lifts, "maximize", float(each.outcomes[0] or 0))]
            np.testing.assert_allclose(line[-2:], wanted)
        seen += len(heights)
    assert seen == len(good)
    assert min(ends(drawn, "front"), key=lambda line: line[-1])[-1] == 0.0
    assert [tick.get_text() for tick in drawn.figure.axes[0].get_xticklabels()] == ["a", "b", "drag [N]", "lift"]


def test_what_failed_or_broke_a_limit_ends_beyond_the_worst() -> None:
    """On the first objective's axis, apart from each other and from all results."""
    drawn = picture()
    for gid, height in (("infeasible", 1.0 + BEYOND), ("failed", 1.0 + 2 * BEYOND)):
        lines = ends(drawn, gid)
        assert len(lines) == len(drawn.points[gid]) == 2
        assert {(len(line), line[-1]) for line in lines} == {(3, height)}
    assert "2 failed and 2 broke a limit." in drawn.alt


def test_the_knee_leads_through_all_axes() -> None:
    """It is the result that 'ordbo best --knee' names, and the point that leads."""
    drawn = picture()
    (number,) = drawn.points["knee"]
    assert VIEW.best == number - 1
    np.testing.assert_allclose(
        only(drawn, "knee").get_ydata(), ends(drawn, "front")[drawn.points["front"].index(number)]
    )


@pytest.mark.parametrize("look", [Look(), Look(DARK), Look(size=(4, 3))])
def test_no_text_collides(look: Look) -> None:
    """In either theme."""
    assert [each for each in collisions(picture(look)) if "[" in each] == []


def test_of_too_many_lines_the_front_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """And it is told how many are drawn."""
    whole = picture().points["front"]
    monkeypatch.setattr(front_lines, "MOST_KNOTS", 4 * (len(whole) + 2))
    thinned = picture()
    assert thinned.points["front"] == whole
    assert sum(len(ends(thinned, gid)) for gid in ("failed", "infeasible", "dominated")) == 2
    assert f"{len(whole) + 2} of them are drawn, the front among them." in thinned.alt


@pytest.mark.parametrize("kind", ["fit", "warp", "cells", "acquisition", "importance", "effects"])
def test_pictures_of_one_objective_name_those_that_there_are(kind: str) -> None:
    """In the hint, with the option that picks one."""
    with pytest.raises(ProblemError, match=f"picture {kind} with several.*--objective 'drag' or 'lift'$"):
        draw(kind, Scene(VIEW, "study"))


def test_each_objective_is_seen_by_the_model_of_all() -> None:
    """Alone, with its own best point and its own goal."""
    drag, lift = VIEW.each
    assert [(view.problem.objective, view.problem.goal) for view in VIEW.each] == [
        ("drag", "minimize"), ("lift", "maximize")
    ]  # fmt: skip
    for view, objective in ((drag, min), (lift, max)):
        values = {e.objective for e in view.evaluations if e.objective is not None}
        assert view.best is not None
        assert view.evaluations[view.best].objective == objective(values)
        assert view.suggestion is None
    for first, other in ((drag, lift), (lift, drag)):  # the longest counts, whichever comes first
        view = replace(VIEW, model=replace(first.model, others=(other.model,)))
        np.testing.assert_array_equal(view.all_lengths, np.maximum(drag.all_lengths, lift.all_lengths))


def test_a_limit_has_its_place_on_each_axis() -> None:
    """A result beyond it has a line of its own kind, that ends nowhere."""
    rows = list(VIEW.whole.evaluations)
    rows[13] = replace(rows[13], censored="above")
    worse = View.of(replace(VIEW.whole, evaluations=tuple(rows)))
    drawn = draw("parallel", Scene(worse, "study"), Look())
    assert drawn.points["beyond"] == (14,)
    (line,) = ends(drawn, "beyond")
    assert len(line) == 4
    assert not np.isnan(line).any()


def test_words_stand_along_the_axis_of_an_objective_whose_values_are_words() -> None:
    """Not their places."""
    asked = Problem(
        tuple(unit("x")), "drag", outcomes=(Aim("comfort", goal="maximize", grades=("poor", "fair", "good")),)
    )
    rows = [Evaluation((k / 4,), Decimal(k), k + 1, "", (Decimal(place),)) for k, place in enumerate((0, 2, 1))]
    column = objective_column(Trades(asked, rows, "wing"), 1)
    assert column.words([column.values[k] for k in column.some]) == ["good", "fair", "poor"]
