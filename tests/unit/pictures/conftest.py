"""Studies that tests of pictures share, and what they look for in a figure."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from decimal import Decimal
from functools import cache
from typing import Any, TypeAlias

import numpy as np

from ordbo_cli.insight.inspection import View
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Look, Picture, drawing
from ordbo_cli.problem import Aim, Condition, Evaluation, Limit, Number, Parameter, Problem
from ordbo_cli.problem.method import PRESETS
from ordbo_cli.search.step_input import StepInput

Drawing: TypeAlias = Callable[[Scene, Look], Picture]

QUICK = replace(PRESETS["default"], iterations=30)
RATE = Parameter("rate", 1e-4, 1e2, scale="log", unit="1/s")


def view_of(
    parameters: Sequence[Parameter],
    X: Iterable[Sequence[Number]],
    y: Sequence[object],
    pending: Sequence[Sequence[Number]] = (),
    **settings: Any,
) -> View:
    """Return what a quick method sees of results; None is a failure."""
    problem = Problem(tuple(parameters), **{"method": QUICK, **settings})
    evaluations = tuple(
        Evaluation(tuple(x), None if value is None else Decimal(str(value))) for x, value in zip(X, y, strict=True)
    )
    return View.of(StepInput(problem, evaluations, pending, step=len(evaluations)))


def unit(*names: str) -> list[Parameter]:
    """Return parameters from 0 to 1."""
    return [Parameter(name, 0.0, 1.0) for name in names]


def valley(rows: int, dimension: int = 2, **settings: Any) -> View:
    """Return a study of several parameters, the last of which is :data:`RATE`; its third row failed."""
    U = np.random.default_rng(5).random((rows, dimension))
    X = np.column_stack([U[:, :-1], 10.0 ** (-4 + 6 * U[:, -1])])
    y = [None if k == 2 else float(sum(10.0**j * (u - 0.4) ** 2 for j, u in enumerate(x))) for k, x in enumerate(U)]
    return view_of([*unit(*"abc"[: dimension - 1]), RATE], X.tolist(), y, **settings)


def odd_names() -> View:
    """Return a study whose parameters have long and odd names and wide ranges."""
    odd = [Parameter("$α_{<b>}$ & a name that goes on and on", -1e9, 1e9, unit="m/s²"), RATE]
    rng = np.random.default_rng(7)
    X = np.column_stack([rng.uniform(-1e9, 1e9, 14), 10.0 ** rng.uniform(-4, 2, 14)])
    return view_of(odd, X.tolist(), list(rng.permutation(14)), pending=[(0.0, 1.0)])


@cache
def every_kind() -> View:
    """Return a study with parameters of every kind; its rows 3 and 9 failed, 5 and 11 broke a limit."""
    solver = Parameter.of_levels("solver", ["gmres", "cg", "direct"], "categorical")
    restart = Parameter("restart", 5, 50, type="int", when=(Condition("solver", (0,)),))
    mesh = Parameter.of_levels("mesh", ["coarse", "medium", "fine"])
    limiter = Parameter.of_levels("limiter", ["false", "true"], "categorical")
    free = (solver, restart, mesh, limiter, Parameter("tolerance", 1e-8, 1e-2, scale="log"))
    problem = Problem(free, "seconds", unit="s", method=QUICK, outcomes=(Limit("heat", max=Decimal(1)),))
    rng = np.random.default_rng(2)
    found = []
    for k in range(24):
        x = (k % 3, int(rng.integers(5, 51)), int(rng.integers(3)), int(rng.integers(2)), 10 ** rng.uniform(-8, -2))
        y = 1.0 + 3.0 * x[0] + x[2] + (np.log10(x[4]) + 5.0) ** 2 / 4.0
        objective = None if k in (2, 8) else Decimal(f"{y:.6g}")
        heat = None if k in (2, 8) else Decimal(2 if k in (4, 10) else 0)
        found.append(problem.evaluation(problem.canonical(x), objective, k + 1, "", (heat,)))
    return View.of(StepInput(problem, tuple(found), (), step=len(found)))


@cache
def view_of_several(rows: int) -> View:
    """Return a study of two objectives and a limit; of each ten rows the third failed and the fifth broke it."""
    aims = (Aim("lift", goal="maximize"), Limit("heat", max=Decimal(1)))
    problem = Problem(tuple(unit("a", "b")), "drag", unit="N", method=QUICK, outcomes=aims)
    found = []
    for k, (a, b) in enumerate(np.random.default_rng(3).random((rows, 2)).tolist()):
        drag, lift = (Decimal(f"{value:.4f}") for value in ((a - 0.2) ** 2 + b, a + b - a * b))
        failed, hot = k % 10 == 2, k % 10 == 4
        outcomes = () if failed else (lift, Decimal(2 if hot else 0))
        found.append(problem.evaluation((a, b), None if failed else drag, k + 1, "", outcomes))
    return View.of(StepInput(problem, tuple(found), ((0.4, 0.4),), step=len(found)))


def drawn_by(draw: Drawing, view: View, look: Look | None = None, **scene: Any) -> Picture:
    """Return the picture of a kind, any warning taken for an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        drawn = draw(Scene(view, "study", **scene), look or Look())
        drawn.figure.draw_without_rendering()
    return drawn


def only(drawn: Picture, gid: str) -> Any:
    """Return the one artist with an identifier."""
    (artist,) = found(drawn, gid)
    return artist


def found(picture: Picture, gid: str) -> list[Any]:
    """Return the artists of a picture that have an identifier, panel by panel."""
    return [artist for panel in picture.figure.axes for artist in panel.get_children() if artist.get_gid() == gid]


def collisions(picture: Picture) -> list[str]:
    """Return texts of a picture that overlap, or that reach beyond its edge."""
    figure = picture.figure
    with drawing(picture.look.theme):  # ticks are made where they are first needed
        figure.draw_without_rendering()
        texts = [text for text in _texts(figure) if text.get_visible() and text.get_text().strip()]
        boxes = [(text.get_text(), text.get_window_extent()) for text in texts]
    width, height = figure.get_size_inches() * figure.dpi
    bad = [name for name, b in boxes if b.x0 < -1 or b.y0 < -1 or b.x1 > width + 1 or b.y1 > height + 1]
    for k, (first, a) in enumerate(boxes):
        for second, b in boxes[k + 1 :]:
            if min(a.x1, b.x1) - max(a.x0, b.x0) > 1 and min(a.y1, b.y1) - max(a.y0, b.y0) > 1:
                bad.append(f"{first} / {second}")
    return bad


def _texts(figure: Any) -> Iterable[Any]:
    """Yield all texts that are drawn, of ticks those within their axis."""
    yield from figure.texts
    yield from (text for each in figure.legends for text in each.get_texts())
    for panel in figure.axes:
        yield from panel.texts
        yield from (panel.title, panel._left_title)
        for axis in (panel.xaxis, panel.yaxis):
            if axis.get_visible():
                yield axis.label
                yield from (label for tick in axis._update_ticks() for label in (tick.label1, tick.label2))
