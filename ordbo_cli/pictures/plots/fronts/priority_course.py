"""The course of a study of objectives by priority: a panel for each, with its value at the best so far by all."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.failures import Trouble, mark
from ordbo_cli.pictures.plots.front import ENOUGH
from ordbo_cli.pictures.plots.fronts.trades import Trades
from ordbo_cli.pictures.scales import Heights, heights
from ordbo_cli.pictures.style import Axes, Look, Picture, legend, star
from ordbo_cli.pictures.words import counted
from ordbo_cli.problem.order import ranks

_CROWD: Final = 150  # evaluations, from which on their marks are small


def draw_priority_course(trades: Trades, look: Look) -> Picture:
    """Draw the results over the evaluations, one objective above the next, and those of the best so far by all.

    The best so far is one result; only of the first objective do its values get better and nothing else.
    """
    from matplotlib.ticker import MaxNLocator

    number, best = len(trades.evaluations), _best_so_far(trades)
    with look.figure(6.4, 1.75 * len(trades.objectives) + 0.8) as figure:
        panels = figure.subplots(len(trades.objectives), 1, squeeze=False, sharex=True)[:, 0]
        for k, axes in enumerate(panels):
            _panel(axes, trades, k, best, look)
        panels[-1].set_xlabel("evaluations")
        panels[-1].set_xlim(0.5, max(number, 1) + 0.5)
        panels[-1].xaxis.set_major_locator(MaxNLocator(nbins=8, steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))
        if not number:
            panels[-1].set_xticks([])
        panels[0].set_title(f"{trades.name}: best so far by priority")
        figure.align_ylabels(panels)
        legend(figure, *panels)
    marks = {f"results-{k}": trades.numbers(trades.good) for k in trades.objectives}
    marks |= {"failed": trades.numbers(trades.failed), "infeasible": trades.numbers(trades.infeasible)}
    return Picture(figure, "Best so far", _words(trades, best), look, marks)


def _best_so_far(trades: Trades) -> list[int | None]:
    """Return the place of the best success until each evaluation, of equals the first; None before any [N]."""
    good = np.flatnonzero(trades.good).tolist()
    rank = dict(zip(good, ranks(trades.problem, [trades.evaluations[k] for k in good]), strict=True))
    best: int | None = None
    found = []
    for k in range(len(trades.evaluations)):
        if k in rank and (best is None or rank[k] < rank[best]):
            best = k
        found.append(best)
    return found


def _panel(axes: Axes, trades: Trades, objective: int, best: list[int | None], look: Look) -> None:
    """Draw the values of one objective."""
    theme, number = look.theme, np.arange(1.0, len(trades.evaluations) + 1)
    shown = _heights(trades, objective)
    initial = min(len(number), trades.problem.method.initial_rows(len(trades.problem.free)))
    if initial:
        axes.axvspan(0.5, initial + 0.5, color=theme.grid, alpha=0.35, linewidth=0, label="initial design")
    if np.any(trades.good):
        size = 2.5 if len(number) > _CROWD else 3.5
        axes.plot(
            number[trades.good], shown.y[trades.good], "o", color=theme.muted, label="results",
            gid=f"results-{objective}", markersize=size, markeredgewidth=0,
        )  # fmt: skip
        y = np.array([np.nan if k is None else shown.y[k] for k in best])
        axes.plot(
            number, y, "-", color=theme.data, drawstyle="steps-post", label="best so far",
            marker="_" if len(y) == 1 else "", gid="best-so-far",
        )  # fmt: skip
        leader = best[-1]
        if leader is not None and np.isfinite(shown.y[leader]):
            star(axes, number[leader], shown.y[leader], theme, "best", label="best", zorder=4)
    elif objective == 0:
        nothing = "no evaluation succeeded yet" if len(number) else "no evaluation yet"
        axes.text(0.5, 0.5, nothing, transform=axes.transAxes, ha="center", color=theme.muted, gid="nothing")
    if (enough := trades.enough(objective, shown)) is not None:
        axes.axhline(enough, label="good enough", gid="enough", **ENOUGH, color=theme.muted)
    _troubles(axes, trades, number, shown, look)
    shown.apply(axes)
    axes.set_ylabel(trades.aim(objective) + shown.note)
    axes.grid(axis="y", color=theme.grid, linewidth=0.6)
    axes.set_axisbelow(True)


def _heights(trades: Trades, objective: int) -> Heights:
    """Return where the values of the successes stand."""
    name, goal = trades.problem.goals[objective]
    values = [y if good else None for y, good in zip(trades.values(objective), trades.good, strict=True)]
    return heights(values, goal, trades.problem.words.get(name, ()))


def _troubles(axes: Axes, trades: Trades, number: Array, shown: Heights, look: Look) -> None:
    """Mark what has no result at the end of the axis that is worse than any."""
    theme, at = look.theme, partial(mark, height=0.02 if shown.high_is_good else 0.98, clip_on=False)
    for which, word, shape, colour in (
        (trades.infeasible, "infeasible", "v", theme.infeasible),
        (trades.failed, "failed", "x", theme.failed),
    ):
        if np.any(which):
            at(axes, number[which], trouble=Trouble(which, word, shape, colour, "-"))
            axes.margins(y=0.12)  # so that no result lies where they are


def _words(trades: Trades, best: list[int | None]) -> str:
    """Return from which results to which the best so far goes."""
    number = len(trades.evaluations)
    if not number:
        return "Nothing was evaluated yet."
    others = f" {trades.others}." if trades.others else ""
    others += trades.enough_in_words([_heights(trades, k) for k in trades.objectives])
    if best[-1] is None:
        return f"{counted(number, 'evaluation')}; none of them succeeded yet.{others}"
    bests = [each for each in dict.fromkeys(best) if each is not None]
    first, last = bests[0], bests[-1]
    if first == last:
        stays = "" if number == 1 else " No other is better."
        return f"The best, {trades.in_words(last)}, is evaluation {last + 1} of {number}.{stays}{others}"
    steps = counted(len(bests) - 1, "step")
    return (
        f"The best so far goes from {trades.in_words(first)} at evaluation {first + 1} to {trades.in_words(last)} at"
        f" evaluation {last + 1} of {number}, in {steps}.{others}"
    )
