"""The front of several objectives: a panel for each pair of them, who dominates whom, and the knee."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np

from ordbo_cli.errors import UsageError
from ordbo_cli.ordinal.linalg import BoolArray
from ordbo_cli.pictures.parameter_axes import named
from ordbo_cli.pictures.scales import Heights, heights
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Axes, Look, Picture, Theme, legend, star
from ordbo_cli.pictures.words import counted, figure_of
from ordbo_cli.problem import Evaluation, Problem
from ordbo_cli.problem.order import front, knee
from ordbo_cli.problem.several import alone, alone_in

_MOST: Final = 6  # panels
_COLUMNS: Final = 3
_APART: Final = 14.0  # pixels of the canvas, that results whose numbers stand beside them are apart at least


def draw(scene: Scene, look: Look) -> Picture:
    """Draw the front of what a scene shows; a scene is of one objective, which has none.

    Raises:
        UsageError: there is one objective.
    """
    return draw_front(scene.view.problem, scene.view.evaluations, scene.name, look)


def draw_front(problem: Problem, evaluations: Sequence[Evaluation], name: str, look: Look) -> Picture:
    """Draw the results by pairs of objectives; those that no other result dominates are the front.

    Args:
        problem: with several objectives.
        evaluations: in order of arrival; those outside the bounds have no say, and no place.
        name: of the study.
        look: of the picture.

    Raises:
        UsageError: there is one objective.
    """
    if not problem.several:
        raise UsageError("there is one objective, and no front", "'convergence' shows the best so far")
    inside = [each for each in evaluations if problem.is_inside(each.values)]
    good = [each for each in inside if problem.is_success(each)]
    number = {id(each): k for k, each in enumerate(evaluations, 1)}
    shown = [
        heights([alone_in(problem, each, k).objective for each in good], alone(problem, k).goal)
        for k in range(len(problem.goals))
    ]
    leading = np.isin(np.arange(len(good)), front(problem, good))
    pairs = list(combinations(range(len(shown)), 2))[:_MOST]
    columns = min(len(pairs), _COLUMNS)
    rows = -(-len(pairs) // columns)
    with look.figure(1.6 + 3.4 * columns if columns > 1 else 5.6, 3.3 * rows + 0.7) as figure:
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        for panel, (i, j) in zip(panels, pairs, strict=False):
            numbers = [number[id(each)] for each in good]
            _pair(panel, (shown[i], shown[j]), leading, numbers, look.theme, lines=len(shown) == 2)
            if (best := knee(problem, good)) is not None:
                star(panel, shown[i].y[best], shown[j].y[best], look.theme, "knee", label="knee")
            for k, which in ((i, "x"), (j, "y")):
                label = f"{_aim(problem, k)}{shown[k].note}"
                (panel.set_xlabel if which == "x" else panel.set_ylabel)(label)
        for panel in panels[len(pairs) :]:
            panel.set_visible(False)
        panels[0].set_title(f"{name}: front")
        legend(figure, *panels[: len(pairs)])
    return Picture(figure, "Front", _words(problem, inside, good, leading), look)


def _pair(
    axes: Axes, shown: tuple[Heights, Heights], leading: BoolArray, numbers: Sequence[int], theme: Theme, *, lines: bool
) -> None:
    """Draw the results by two objectives."""
    x, y = (each.y for each in shown)
    if np.any(~leading):
        axes.plot(
            x[~leading], y[~leading], "o", color=theme.muted, markersize=3.5, markeredgewidth=0, label="dominated",
            gid="dominated",
        )  # fmt: skip
    order = np.flatnonzero(leading)[np.argsort(x[leading], kind="stable")]
    if lines and len(order) > 1:  # what the front dominates lies beyond these steps
        steps = "steps-post" if not shown[0].high_is_good else "steps-pre"
        axes.plot(x[order], y[order], "-", color=theme.data, drawstyle=steps, linewidth=0.8, gid="steps")
    if len(order):
        axes.plot(x[order], y[order], "o", color=theme.data, markersize=5, label="front", gid="front")
    for each, which in zip(shown, ("x", "y"), strict=True):
        each.apply(axes, which)  # type: ignore[arg-type]  # a literal of the two
    _name(axes, [(float(x[k]), float(y[k]), str(numbers[k])) for k in order], theme)
    axes.grid(color=theme.grid, linewidth=0.6)
    axes.set_axisbelow(True)


def _name(axes: Axes, points: Sequence[tuple[float, float, str]], theme: Theme) -> None:
    """Write the numbers of results beside them, but where they would stand in each other's way."""
    last: tuple[float, float] | None = None
    for x, y, text in points:
        place = tuple(axes.transData.transform((x, y)))
        if last is None or max(abs(place[0] - last[0]), abs(place[1] - last[1])) > _APART:
            last = place
            axes.annotate(text, (x, y), xytext=(4, 4), textcoords="offset points", fontsize=7, color=theme.ink)


def _aim(problem: Problem, k: int) -> str:
    one = alone(problem, k)
    return f"{named(one.objective, one.unit)} ({'least' if one.goal == 'minimize' else 'most'} is best)"


def _words(problem: Problem, inside: Sequence[Evaluation], good: Sequence[Evaluation], leading: BoolArray) -> str:
    if not good:
        return f"{counted(len(inside), 'result')}, none of them a success yet."
    found = [f"{int(leading.sum())} of {counted(len(good), 'result')} are on the front."]
    best = [good[k] for k in np.flatnonzero(leading)]
    for k, (name, _) in enumerate(problem.goals):
        values = sorted(each for one in best if (each := alone_in(problem, one, k).objective) is not None)
        found.append(f"Its {name} lies between {figure_of(values[0])} and {figure_of(values[-1])}.")
    if len(inside) > len(good):
        found.append(f"{counted(len(inside) - len(good), 'evaluation')} failed or broke a limit.")
    return " ".join(found)
