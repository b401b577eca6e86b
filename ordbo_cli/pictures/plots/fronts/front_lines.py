"""Parallel coordinates of parameters and several objectives: the front's lines in front of the others."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from functools import partial
from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.linalg import IntArray
from ordbo_cli.pictures.plots.fronts.trades import Trades
from ordbo_cli.pictures.plots.parallel_axes import (
    BEYOND,
    MOST_KNOTS,
    Column,
    End,
    ahead,
    column,
    frame,
    lines,
    shown_columns,
    size_of,
)
from ordbo_cli.pictures.scales import spread_out
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Axes, Look, Picture, Theme, legend
from ordbo_cli.pictures.words import counted, cut, told_apart

_KINDS: Final = ("failed", "infeasible", "beyond", "dominated", "front")  # those behind first


def draw_front_lines(scene: Scene, look: Look) -> Picture:
    """Draw every evaluation as a line across the parameters asked for, else all, and then across the objectives.

    On the axes of objectives the best result is lowest, whatever the goal.
    """
    trades = Trades.seen(scene)
    number = len(trades.objectives)
    width, height = size_of(scene, look, number)
    shown = shown_columns(scene, width, number)
    columns = [*(column(scene, j) for j in shown), *(objective_column(trades, k) for k in trades.objectives)]
    drawn = _drawn(trades, MOST_KNOTS // len(columns))
    ends = _ends(trades, drawn, len(shown), look.theme)
    with look.figure(width, height) as figure:
        axes = figure.subplots()
        _results(axes, trades, columns, drawn, ends, look.theme)
        ahead(axes, scene, columns[: len(shown)], shown, look.theme)
        frame(axes, columns, list(ends.values()), look.theme, plain=len(columns))
        axes.set_title(_title(scene, len(shown), sum(map(len, drawn.values()))))
        legend(figure, axes)
    points = {name: tuple((1 + which).tolist()) for name, which in drawn.items()}
    if trades.knee is not None:
        points["knee"] = (trades.knee + 1,)
    return Picture(figure, "Parallel coordinates", _words(trades, len(shown), drawn), look, points)


def objective_column(trades: Trades, k: int) -> Column:
    """Return the axis of an objective, its best value lowest; limits have places on it, infeasible values none."""
    high_is_good = trades.problem.goals[k][1] == "maximize"
    results = [y if good else None for y, good in zip(trades.values(k), trades.good | trades.beyond, strict=True)]
    values = sorted({y for y in results if y is not None}, reverse=high_is_good)
    top = max(1, len(values) - 1)
    place = {y: rank / top if len(values) > 1 else 0.5 for rank, y in enumerate(values)}
    places = np.array([np.nan if y is None else place[y] for y in results], dtype=np.float64)
    grades = trades.problem.words.get(trades.problem.goals[k][0], ())

    def words(some: Sequence[Decimal]) -> list[str]:
        return [grades[int(y)] for y in some] if grades else told_apart(some)

    return Column(trades.label(k), values, places, words, partial(cut, trades.label(k)), bool(grades))


def _drawn(trades: Trades, most: int) -> dict[str, IntArray]:
    """Return the evaluations of each kind that are drawn: all, or of too many the front's and some of the others."""
    dominated = trades.good & ~trades.leading
    masks = (trades.failed, trades.infeasible, trades.beyond, dominated, trades.leading)
    room = max(0, most - int(trades.leading.sum()))
    others = np.flatnonzero(trades.inside & ~trades.leading)
    some = others[spread_out(len(others), room)] if len(others) and room else others[:0]
    kept = trades.leading | np.isin(np.arange(len(trades.evaluations)), some)
    return {name: np.flatnonzero(mask & kept) for name, mask in zip(_KINDS, masks, strict=True)}


def _ends(trades: Trades, drawn: dict[str, IntArray], place: int, theme: Theme) -> dict[str, End]:
    """Return where the lines of what has no result end, beyond the worst of the first objective."""
    colours = {"infeasible": theme.infeasible, "failed": theme.failed}
    found = [name for name in colours if len(drawn[name])]
    return {name: End(name, colours[name], 1.0 + BEYOND * k, place) for k, name in enumerate(found, 1)}


def _results(
    axes: Axes,
    trades: Trades,
    columns: Sequence[Column],
    drawn: dict[str, IntArray],
    ends: dict[str, End],
    theme: Theme,
) -> None:
    places = np.stack([each.places for each in columns], axis=1)
    faint = min(0.75, max(0.25, 25.0 / max(1, len(drawn["dominated"]))))
    looks: dict[str, dict[str, Any]] = {
        "failed": {"colors": theme.failed, "linestyles": "dashed", "linewidths": 1.0, "alpha": 0.6},
        "infeasible": {"colors": theme.infeasible, "linestyles": "dashdot", "linewidths": 1.0, "alpha": 0.6},
        "beyond": {"colors": theme.muted, "linestyles": "dotted", "linewidths": 1.0},
        "dominated": {"colors": theme.muted, "linewidths": 1.0, "alpha": faint},
        "front": {"colors": theme.data, "linewidths": 1.8, "alpha": 0.9},
    }
    for name, look in looks.items():
        across = places[drawn[name]]
        if name in ends:
            across = across[:, : ends[name].place + 1]
            across[:, -1] = ends[name].height
        shown = [each[None, :] for each in across]
        lines(axes, shown, name, label=trades.marked(name), zorder=2.0 + 0.1 * _KINDS.index(name), **look)
    if trades.knee is not None:
        axes.plot(
            places[trades.knee], "*-", color=theme.best, linewidth=2.2, markersize=8, label=trades.star, gid="knee",
            clip_on=False, zorder=4,
        )  # fmt: skip
    elif not len(trades.evaluations):
        axes.text(
            0.5, 0.5, "no evaluation yet", transform=axes.transAxes, ha="center", color=theme.muted, gid="nothing"
        )


def _title(scene: Scene, columns: int, drawn: int) -> str:
    number, asked = int(scene.view.inside.sum()), len(scene.asked)
    parts = [f"{scene.name}: every value by its rank, the best results lowest"]
    if columns < asked:
        parts.append(f"{columns} of {asked} parameters")
    if drawn < number:
        parts.append(f"{drawn:,} of {number:,} evaluations")
    return ", ".join(parts)


def _words(trades: Trades, columns: int, drawn: dict[str, IntArray]) -> str:
    number = int(trades.inside.sum())
    where = f"across {counted(columns, 'parameter')} and {len(trades.objectives)} objectives"
    what = f"{counted(number, 'evaluation')} {where}" if number else f"No evaluation yet, {where}"
    if not np.any(trades.good):
        none = "; none of them succeeded yet" if number else ""
        return f"{what}{none}."
    lines_ = sum(map(len, drawn.values()))
    thinned = f" {lines_:,} of them are drawn, the front among them." if lines_ < number else ""
    found = f" {trades.others}." if trades.others else ""
    by = " by mean, each of them at the medians of its point's results" if trades.by_mean else ""
    size = int(trades.leading.sum())
    return f"{what}, of which {size} are on the front{by}.{found}{thinned} Places on axes are ranks."
