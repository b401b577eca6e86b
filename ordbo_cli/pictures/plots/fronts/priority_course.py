"""The course of a study of objectives by priority: a panel for each, with its value at the best so far by all."""

from __future__ import annotations

from functools import partial
from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.failures import Trouble, mark
from ordbo_cli.pictures.plots.front import ENOUGH
from ordbo_cli.pictures.plots.fronts.trades import WORSE, Trades
from ordbo_cli.pictures.scales import Heights, heights
from ordbo_cli.pictures.style import Axes, Look, Picture, Theme, legend, star
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
    _results(axes, trades, objective, shown, theme)
    _best(axes, trades, shown, best, theme)
    if objective == 0 and not np.any(trades.good):
        nothing = "no evaluation succeeded yet" if len(number) else "no evaluation yet"
        axes.text(0.5, 0.5, nothing, transform=axes.transAxes, ha="center", color=theme.muted, gid="nothing")
    if (enough := trades.enough(objective, shown)) is not None:
        axes.axhline(enough, label="good enough", gid="enough", **ENOUGH, color=theme.muted)
    _troubles(axes, trades, number, shown, look)
    shown.apply(axes)
    axes.set_ylabel(trades.aim(objective) + shown.note)
    axes.grid(axis="y", color=theme.grid, linewidth=0.6)
    axes.set_axisbelow(True)


def _results(axes: Axes, trades: Trades, objective: int, shown: Heights, theme: Theme) -> None:
    """Draw every success, and hollow what lies beyond a limit on its bad side."""
    number = np.arange(1.0, len(trades.evaluations) + 1)
    size = 2.5 if len(number) > _CROWD else 3.5
    for which, label, gid, look in (
        (trades.good, "results", f"results-{objective}", {"markeredgewidth": 0}),
        (trades.beyond, WORSE, "beyond", {"markerfacecolor": "none"}),
    ):
        if np.any(which):
            axes.plot(
                number[which], shown.y[which], "o", color=theme.muted, label=label, gid=gid, markersize=size, **look
            )


def _best(axes: Axes, trades: Trades, shown: Heights, best: list[int | None], theme: Theme) -> None:
    """Draw the value of the best so far, and of the best of all."""
    leader = best[-1] if best else None
    if leader is None:
        return
    by_mean = trades.problem.leads_by_mean(len(trades.comparisons))
    value = " value" if by_mean else ""  # then 'ordbo best' may have another point
    y = np.array([np.nan if k is None else shown.y[k] for k in best])
    axes.plot(
        np.arange(1.0, len(y) + 1), y, "-", color=theme.data, drawstyle="steps-post", label=f"best{value} so far",
        marker="_" if len(y) == 1 else "", gid="best-so-far",
    )  # fmt: skip
    if np.isfinite(shown.y[leader]):
        star(axes, leader + 1.0, shown.y[leader], theme, "best", label=f"best{value}", zorder=4)


def _heights(trades: Trades, objective: int) -> Heights:
    """Return where the values of the successes stand, and limits that are all that is known."""
    name, goal = trades.problem.goals[objective]
    has_place = trades.good | trades.beyond
    values = [y if shows else None for y, shows in zip(trades.values(objective), has_place, strict=True)]
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
