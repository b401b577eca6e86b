"""The kinds of pictures by name."""

from __future__ import annotations

from importlib import import_module
from typing import Final

from ordbo_cli.errors import UsageError
from ordbo_cli.pictures.plots.front import draw_front
from ordbo_cli.pictures.plots.fronts.front_growth import draw_front_growth
from ordbo_cli.pictures.plots.fronts.priority_course import draw_priority_course
from ordbo_cli.pictures.plots.fronts.trades import Trades
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Look, Picture
from ordbo_cli.problem import Problem
from ordbo_cli.problem.spelling import meant

KINDS: Final = ("convergence", "front", "fit", "warp", "cells", "acquisition", "parallel", "importance", "effects")
"""The modules of these names draw them."""
OF_SEVERAL: Final = ("convergence", "front", "parallel")
"""Those of a front; the others show one order of results: of one objective, or of several by priority."""


def needs_no_model(kind: str, problem: Problem) -> bool:
    """Return whether results alone make a picture."""
    return kind == "front" or (kind == "convergence" and problem.several)


def check_kind(kind: str, problem: Problem | None, *, ranks: bool = False) -> None:
    """Make sure that there is a picture of a problem, before anything is computed.

    Args:
        kind: one of :data:`KINDS`.
        problem: whose; None for a test problem, which has one objective.
        ranks: whether axes by rank are asked for.

    Raises:
        UsageError: there is no such kind, or no front, or it has no axes by rank to ask for.
        ProblemError: it shows one order of results, and there is a front.
    """
    if kind not in KINDS:
        raise UsageError(f"there is no picture {kind!r}", meant(kind, KINDS))
    if ranks and kind != "front":
        raise UsageError(f"axes by rank are of the picture front, not of {kind}", "'parallel' has no others")
    if kind == "front" and not (problem is not None and problem.has_front):
        if problem is not None and problem.by_priority:
            raise UsageError(
                "objectives have a priority, and no front", "'ordbo best' and 'ordbo status' show the best"
            )
        raise UsageError("there is one objective, and no front", "'convergence' shows the best so far")
    if problem is not None and kind not in OF_SEVERAL:
        problem.demand_one_order(f"the picture {kind}")


def draw_trades(kind: str, trades: Trades, look: Look, *, ranks: bool = False) -> Picture:
    """Draw a picture of several objectives that needs no model.

    Args:
        kind: ``front`` or ``convergence``.
        trades: the results.
        look: how it is to look.
        ranks: whether the axes of a front are by rank.
    """
    if kind == "front":
        return draw_front(trades, look, ranks=ranks)
    return (draw_priority_course if trades.problem.by_priority else draw_front_growth)(trades, look)


def draw(kind: str, scene: Scene, look: Look | None = None) -> Picture:
    """Draw a picture.

    Args:
        kind: one of :data:`KINDS`.
        scene: what it is made from.
        look: how it is to look.

    Raises:
        UsageError: there is no such kind, or it cannot be drawn of this study.
        ProblemError: it shows one order of results, and there is a front.
    """
    check_kind(kind, scene.view.problem)
    picture: Picture = import_module(f"ordbo_cli.pictures.plots.{kind}").draw(scene, look or Look())
    return picture
