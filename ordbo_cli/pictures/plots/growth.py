"""The growth of the cumulative latent regret on log-log axes, and the bounds above it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.plots.comparison.method_lines import line_of
from ordbo_cli.pictures.scales import set_scale
from ordbo_cli.pictures.style import Axes, Look, Picture, Theme, legend
from ordbo_cli.pictures.words import counted, figure_of, listed

_WIDTH, _HEIGHT = 4.4, 3.6  # inches of one panel
_ABREAST: Final = 3  # panels in a row at most
_GUIDES: Final = ((1.0, "slope 1"), (0.5, "slope 1/2"))
_DASHES: Final = ((5, 2), (5, 2, 1, 2), (2, 2), (8, 2))  # of the bounds, neighbours apart


@dataclass(frozen=True)
class GrowthPanel:
    """What a problem's panel shows.

    Args:
        title: the problem's name.
        regrets: of each method the cumulative regret, a row for each of S draws, a column for each n [S, T].
        bounds: upper bounds of it, by what they are called [T] each.
        trivial: the highest cumulative regret that there can be [T].
    """

    title: str
    regrets: Mapping[str, Array]
    bounds: Mapping[str, Array]
    trivial: Array


def draw_growth(panels: Sequence[GrowthPanel], look: Look) -> Picture:
    """Draw a panel for each problem: mean cumulative regret of each method, and its bounds.

    Bands reach from the lower to the upper quartile over draws. Grey lines of slope 1 and 1/2 start where the methods
    do.

    Args:
        panels: the problems.
        look: how it is to look.
    """
    columns = min(len(panels), _ABREAST)
    rows = -(-len(panels) // columns)
    names = list(dict.fromkeys(name for panel in panels for name in panel.bounds))
    with look.figure(max(6.0, _WIDTH * columns), _HEIGHT * rows + 0.9) as figure:
        grid = figure.subplots(rows, columns, squeeze=False).ravel()
        for axes, panel in zip(grid, panels, strict=False):
            _draw_panel(axes, panel, names, look.theme)
        for axes in grid[len(panels) :]:
            axes.remove()
        for axes in grid[: len(panels) : columns]:
            axes.set_ylabel("cumulative latent regret")
        legend(figure, *grid[: len(panels)], place="outside upper center")
    return Picture(figure, "Growth of the regret", _words(panels), look)


def _draw_panel(axes: Axes, panel: GrowthPanel, names: Sequence[str], theme: Theme) -> None:
    set_scale(axes, "x", "log")
    set_scale(axes, "y", "log")
    n = np.arange(1.0, len(panel.trivial) + 1)
    _guides(axes, n, float(np.mean([table[:, 0].mean() for table in panel.regrets.values()])), theme)
    for place, (method, table) in enumerate(panel.regrets.items()):
        line = line_of(place, theme)
        low, high = np.percentile(table, (25, 75), axis=0)
        axes.fill_between(n, low, high, color=line["color"], alpha=0.15, linewidth=0, gid="regret-band")
        axes.plot(n, table.mean(axis=0), label=method, gid="regret", **line)
    for name, bound in panel.bounds.items():
        dashes = (0, _DASHES[names.index(name) % len(_DASHES)])
        axes.plot(n, bound, label=name, gid="bound", color=theme.failed, linestyle=dashes, linewidth=1.2)
    axes.plot(n, panel.trivial, label="trivial bound", gid="trivial", color=theme.muted, linestyle=":", linewidth=1.8)
    axes.set_xlim(right=float(n[-1]) ** 1.18)  # room for the names of the grey lines
    axes.set_title(panel.title)
    axes.set_xlabel("evaluations")
    axes.grid(color=theme.grid, linewidth=0.4)
    axes.set_axisbelow(True)


def _guides(axes: Axes, n: Array, start: float, theme: Theme) -> None:
    """Draw lines of known slopes from the first regret on, named at their ends."""
    for slope, name in _GUIDES:
        end = start * float(n[-1]) ** slope
        axes.plot(n[[0, -1]], [start, end], color=theme.muted, linewidth=0.8, gid=name)
        axes.annotate(
            name, (float(n[-1]), end), xytext=(3, 0), textcoords="offset points", va="center", fontsize=7.0,
            color=theme.muted,
        )  # fmt: skip


def _words(panels: Sequence[GrowthPanel]) -> str:
    methods = list(dict.fromkeys(method for panel in panels for method in panel.regrets))
    draws = max(len(table) for panel in panels for table in panel.regrets.values())
    start = (
        f"The cumulative latent regret of {counted(len(methods), 'method')} ({listed(methods)}) on"
        f" {counted(len(panels), 'problem')}, over {counted(draws, 'draw')}, on log-log axes."
    )
    return " ".join([start, *map(_ends, panels)])


def _ends(panel: GrowthPanel) -> str:
    """Return what the mean regrets and the bounds of a panel are at the end."""
    known = sorted((float(table[:, -1].mean()), method) for method, table in panel.regrets.items())
    (least, best), (most, worst) = known[0], known[-1]
    others = "" if best == worst else f", at most {figure_of(most)} ({worst})"
    bounds = [f"{name} is {figure_of(float(bound[-1]))}" for name, bound in panel.bounds.items()]
    bounds.append(f"the trivial bound is {figure_of(float(panel.trivial[-1]))}")
    return (
        f"{panel.title}: after {counted(len(panel.trivial), 'evaluation')} the mean is"
        f" {'' if best == worst else 'at least '}{figure_of(least)} ({best}){others}; {listed(bounds)}."
    )
