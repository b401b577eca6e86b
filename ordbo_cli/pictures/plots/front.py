"""The front of several objectives: a panel for each pair of them, who dominates whom, and the knee."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.linalg import BoolArray
from ordbo_cli.pictures.labels import label as write
from ordbo_cli.pictures.plots.fronts.trades import Trades
from ordbo_cli.pictures.scales import Heights
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Axes, Look, Picture, Theme, break_long_labels, legend, settle, star
from ordbo_cli.pictures.words import counted
from ordbo_cli.problem import Censored

ENOUGH: Final = {"linewidth": 1.0, "linestyle": ":"}  # of the line at what is good enough
_MOST: Final = 6  # panels
_COLUMNS: Final = 3
_ARROWS: Final[tuple[tuple[int, Censored, str, int], ...]] = (
    (0, "above", "right", 9),
    (0, "below", "left", 8),
    (1, "above", "up", 10),
    (1, "below", "down", 11),
)
"""Axis, side, name, and matplotlib's marker of an arrow from a point to that side."""


def draw(scene: Scene, look: Look) -> Picture:
    """Draw the front of what a scene with several objectives shows."""
    return draw_front(Trades.seen(scene), look)


def draw_front(trades: Trades, look: Look, *, ranks: bool = False) -> Picture:
    """Draw the results by pairs of objectives; those that no other result dominates are the front.

    Args:
        trades: the results; infeasible ones that have values stand back.
        look: of the picture.
        ranks: whether axes are by rank, whatever the values are.
    """
    shown = [trades.heights(k, ranks=ranks) for k in trades.objectives]
    marks = _marks(trades, shown)
    pairs = list(combinations(trades.objectives, 2))[:_MOST]
    columns = min(len(pairs), _COLUMNS)
    rows = -(-len(pairs) // columns)
    with look.figure(1.6 + 3.4 * columns if columns > 1 else 5.6, 3.3 * rows + 0.7) as figure:
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        for panel, (i, j) in zip(panels, pairs, strict=False):
            _pair(panel, (shown[i], shown[j]), trades, marks, look.theme)
            _sides(panel, (shown[i], shown[j]), trades, (i, j), look.theme)
            panel.set_xlabel(f"{trades.aim(i)}{shown[i].note}")
            panel.set_ylabel(f"{trades.aim(j)}{shown[j].note}")
            for k, line in ((i, panel.axvline), (j, panel.axhline)):
                if (enough := trades.enough(k, shown[k])) is not None:
                    line(enough, label="good enough", gid="enough", **ENOUGH, color=look.theme.muted)
        for panel in panels[len(pairs) :]:
            panel.set_visible(False)
        by = " by mean" if trades.by_mean else ""
        panels[0].set_title(f"{trades.name}: front{by}{f', {trades.others}' if trades.others else ''}")
        legend(figure, *panels[: len(pairs)])
        break_long_labels(figure)
        settle(figure)
        for panel, (i, j) in zip(panels, pairs, strict=False):
            _number(panel, (shown[i], shown[j]), trades, look)
    points = {name: trades.numbers(which) for name, which in marks.items()}
    return Picture(figure, "Front", _words(trades, shown), look, points)


def _marks(trades: Trades, shown: Sequence[Heights]) -> dict[str, BoolArray]:
    """Return which evaluations each kind of mark stands for, those behind first."""
    knee = np.isin(np.arange(len(trades.good)), [trades.knee] if trades.knee is not None else [])
    return {
        "infeasible": trades.infeasible & ~np.isnan([each.y for each in shown]).any(axis=0),
        "beyond": trades.beyond,
        "dominated": trades.good & ~trades.leading,
        "front": trades.leading,
        "knee": knee,
    }


def _pair(
    axes: Axes, shown: tuple[Heights, Heights], trades: Trades, marks: Mapping[str, BoolArray], theme: Theme
) -> None:
    """Draw the results by two objectives."""
    x, y = (each.y for each in shown)
    order = np.flatnonzero(trades.leading)[np.argsort(x[trades.leading], kind="stable")]
    is_stair = trades.problem.enoughs == (None, None) and not trades.by_mean  # medians may dominate each other
    if is_stair and len(order) > 1:  # what the front dominates lies beyond these steps
        steps = "steps-post" if not shown[0].high_is_good else "steps-pre"
        axes.plot(x[order], y[order], "-", color=theme.data, drawstyle=steps, linewidth=0.8, gid="steps")
    looks: dict[str, dict[str, Any]] = {
        "infeasible": {"marker": "v", "color": theme.infeasible, "alpha": 0.5, "markersize": 4, "markeredgewidth": 0},
        "beyond": {"marker": "o", "color": theme.muted, "markersize": 3.5, "markerfacecolor": "none"},
        "dominated": {"marker": "o", "color": theme.muted, "markersize": 3.5, "markeredgewidth": 0},
        "front": {"marker": "o", "color": theme.data, "markersize": 5},
    }
    for name, look in looks.items():
        if np.any(which := marks[name]):
            axes.plot(x[which], y[which], linestyle="none", label=trades.marked(name), gid=name, **look)
    if trades.knee is not None:
        star(axes, x[trades.knee], y[trades.knee], theme, "knee", label=trades.star)
    for each, side in zip(shown, ("x", "y"), strict=True):
        each.apply(axes, side)  # type: ignore[arg-type]  # a literal of the two
    axes.grid(color=theme.grid, linewidth=0.6)
    axes.set_axisbelow(True)


def _sides(axes: Axes, shown: tuple[Heights, Heights], trades: Trades, pair: tuple[int, int], theme: Theme) -> None:
    """Draw beside results that are known by a limit an arrow to the side on which they lie."""
    x, y = (each.y for each in shown)
    for axis, side, name, marker in _ARROWS:
        if np.any(which := trades.lies(pair[axis], side)):
            arrow = {"marker": marker, "color": theme.muted, "markersize": 9, "markeredgewidth": 0}
            axes.plot(x[which], y[which], linestyle="none", gid=f"lies-{name}", zorder=1.9, **arrow)


def _number(axes: Axes, shown: tuple[Heights, Heights], trades: Trades, look: Look) -> None:
    """Write the numbers of the front's results beside them, where there is room."""
    places = np.column_stack([each.y for each in shown])
    leading = np.flatnonzero(trades.leading & np.isfinite(places).all(axis=1))
    marks = places[(trades.good | trades.infeasible) & np.isfinite(places).all(axis=1)]
    write(axes, places[leading], [str(k + 1) for k in leading], look, marks)


def _words(trades: Trades, shown: Sequence[Heights]) -> str:
    inside, good = int(trades.inside.sum()), int(trades.good.sum())
    if not good:
        return f"{counted(inside, 'result')}, none of them a success yet."
    size = int(trades.leading.sum())
    found = [f"{size} of {counted(good, 'result')} are on the front."]
    if trades.by_mean:
        points = f"{size} of {counted(trades.by_mean.number, 'tried point')} with {counted(good, 'result')}"
        found = [f"{points} are on the front by mean, each at the medians of its results."]
    for k, (name, _) in enumerate(trades.problem.goals):
        values = trades.values(k)
        places = sorted(np.flatnonzero(trades.leading).tolist(), key=lambda place: values[place] or 0)
        low, high = (trades.said(k, place) for place in (places[0], places[-1]))
        found.append(f"Its {name} lies between {low} and {high}.")
    found += [f"{trades.others}."] if trades.others else []
    return " ".join(found) + trades.enough_in_words(shown)
