"""How a front grew over the evaluations, by order alone."""

from __future__ import annotations

from typing import Final

import numpy as np

from ordbo_cli.pictures.plots.fronts.trades import WORSE, Trades
from ordbo_cli.pictures.style import Axes, Look, Picture, legend
from ordbo_cli.pictures.words import counted

_CROWD: Final = 150  # evaluations, from which on marks are small


def draw_front_growth(trades: Trades, look: Look) -> Picture:
    """Draw over the evaluations how many results were on the front then, and how many of today's front were known.

    By mean it is how many points of today's front were known: which were on it then, the models of that time would say.
    """
    from matplotlib.ticker import MaxNLocator

    number = len(trades.evaluations)
    with look.figure(6.4, 3.0) as figure:
        axes = figure.subplots()
        _growth(axes, trades, look)
        axes.set_title(f"{trades.name}: growth of the front{' by mean' if trades.by_mean else ''}")
        axes.set_xlabel("evaluations")
        axes.set_ylabel(f"{'points' if trades.by_mean else 'results'} on the front")
        axes.set_xlim(0.5, max(number, 1) + 0.5)
        axes.xaxis.set_major_locator(MaxNLocator(nbins=8, steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))
        axes.yaxis.set_major_locator(MaxNLocator(nbins=6, steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))
        if not number:
            axes.set_xticks([])
        legend(figure, axes)
    points = {
        "stays": trades.numbers(trades.joined),
        "left": trades.numbers(trades.left),
        "failed": trades.numbers(trades.failed),
    }
    points |= {"infeasible": trades.numbers(trades.infeasible), "beyond": trades.numbers(trades.beyond)}
    return Picture(figure, "Growth of the front", _words(trades), look, points)


def _growth(axes: Axes, trades: Trades, look: Look) -> None:
    theme, number = look.theme, np.arange(1.0, len(trades.evaluations) + 1)
    known, sizes = (
        np.array(trades.known, dtype=np.float64),
        np.array([step.size for step in trades.course], dtype=np.float64),
    )
    initial = min(len(number), trades.problem.method.initial_rows(len(trades.problem.free)))
    if initial:
        axes.axvspan(0.5, initial + 0.5, color=theme.grid, alpha=0.35, linewidth=0, label="initial design")
    if not np.any(trades.good):
        nothing = "no evaluation succeeded yet" if len(number) else "no evaluation yet"
        axes.text(0.5, 0.5, nothing, transform=axes.transAxes, ha="center", color=theme.muted, gid="nothing")
        axes.set_ylim(0.0, 1.0)
    else:
        steps = {"drawstyle": "steps-post", "marker": ""}
        if not trades.by_mean:
            axes.plot(number, sizes, "--", color=theme.muted, label="on the front then", gid="sizes", **steps)
        axes.plot(number, known, "-", color=theme.data, label="of today's front so far", gid="known", **steps)
        axes.set_ylim(0.0, 1.15 * max(float((known if trades.by_mean else sizes).max()), 1.0))
    size = 3.0 if len(number) > _CROWD else 5.0
    stays = "first result of a point on it today" if trades.by_mean else "joined, and is on it today"
    marks = {
        "left": (trades.left, sizes, "joined, and was dominated later", {"color": theme.muted}),
        "stays": (trades.joined, known, stays, {"color": theme.data}),
    }
    for name, (which, heights, label, colours) in marks.items():
        if np.any(which):
            axes.plot(
                number[which], heights[which], "o", markersize=size, label=label, gid=name, zorder=3,
                markerfacecolor=theme.paper if name == "left" else theme.data, **colours,
            )  # fmt: skip
    for name, label, which, mark, colour in (
        ("infeasible", "infeasible", trades.infeasible, "v", theme.infeasible),
        ("failed", "failed", trades.failed, "x", theme.failed),
        ("beyond", WORSE, trades.beyond, "_", theme.muted),
    ):
        if np.any(which):
            axes.plot(
                number[which], np.full(int(which.sum()), 0.02), mark, color=colour, markersize=5, label=label, gid=name,
                transform=axes.get_xaxis_transform(), clip_on=False,
            )  # fmt: skip
    axes.grid(axis="y", color=theme.grid, linewidth=0.6)
    axes.set_axisbelow(True)


def _words(trades: Trades) -> str:
    number = len(trades.evaluations)
    if not number:
        return "Nothing was evaluated yet."
    others = f" {trades.others}." if trades.others else ""
    if not np.any(trades.good):
        return f"{counted(number, 'evaluation')}; none of them succeeded yet.{others}"
    today, left = trades.known[-1], int(trades.left.sum())
    half = 1 + next(k for k, known in enumerate(trades.known) if 2 * known >= today)
    newest = int(np.flatnonzero(trades.joined)[-1]) + 1
    if trades.by_mean:
        return (
            f"Of the {counted(today, 'point')} on today's front by mean half were known after"
            f" {counted(half, 'evaluation')}, and the newest was first tried as evaluation {newest} of"
            f" {number}.{others}"
        )
    return (
        f"Of the {counted(today, 'result')} on today's front half were known after {counted(half, 'evaluation')}, and"
        f" the newest came as evaluation {newest} of {number}. {left} more joined the front and"
        f" {'was' if left == 1 else 'were'} dominated later.{others}"
    )
