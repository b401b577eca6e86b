"""The paper's regret figure, and its pictures of functions of two parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np

from ordbo_cli.errors import FileError
from ordbo_cli.ordinal.arrays import Array

Axes = Any  # matplotlib is an extra, and its types with it

_GRID: Final = 201  # points of a picture along each axis
_COLOURS: Final = "tab10"
_WIDTH, _HEIGHT = 4.2, 3.0  # inches of one panel
_STYLE: Final = {"font.size": 9, "svg.hashsalt": "ordbo", "axes.spines.top": False, "axes.spines.right": False}


@dataclass(frozen=True)
class Panel:
    """The regrets on one problem.

    Args:
        title: the problem's name.
        regrets: of each method, a row for each of S seeds and a column for each of T evaluations [S, T].
        initial: number of evaluations that all methods share.
    """

    title: str
    regrets: Mapping[str, Array]
    initial: int


@dataclass(frozen=True)
class Landscape:
    """A function of two parameters.

    Args:
        title: its name.
        function: maps a point [2] to its value, NaN for a failure.
        bounds: lower and upper bound of both parameters.
        scales: ``linear`` or ``log`` for each; empty for linear ones.
        minimiser: where it is lowest [2].
    """

    title: str
    function: Callable[[Sequence[float]], float]
    bounds: Sequence[tuple[float, float]]
    scales: Sequence[str]
    minimiser: Sequence[float]


def draw_regret(panels: Sequence[Panel], landscapes: Sequence[Landscape], path: Path) -> None:
    """Draw a row for each problem: cumulative regret, simple regret on a log axis, and the function if it is in 2D.

    Curves are means (of the simple regret geometric ones), bands reach from the lower to the upper quartile over seeds.

    Args:
        landscapes: pictures of those problems that have one, by the same titles.
        path: of the picture; ``.svg`` or ``.png`` says which kind. The same regrets give the same bytes.

    Raises:
        FileError: the system refused to write it.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    pictures = {landscape.title: landscape for landscape in landscapes}
    columns = 3 if pictures else 2
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(_WIDTH * columns, _HEIGHT * len(panels) + 0.6), layout="constrained")
        rows = figure.subplots(len(panels), columns, squeeze=False)
        for panel, axes in zip(panels, rows, strict=True):
            _curves(axes[0], axes[1], panel)
            if columns == 3 and panel.title in pictures:
                _picture(axes[2], pictures[panel.title])
            elif columns == 3:
                axes[2].set_axis_off()
        handles, names = rows[0][0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside upper center", ncols=min(len(names), 6), frameon=False)
        kind = path.suffix[1:].lower()
        try:
            figure.savefig(path, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
        except OSError as error:
            raise FileError(f"{path}: cannot write it: {error.strerror}") from None


def cumulative(regrets: Array, initial: int) -> Array:
    """Return the regret summed over the evaluations after the first ``initial`` ones [S, T - initial]."""
    return np.cumsum(regrets[:, initial:], axis=1)


def simple(regrets: Array, initial: int) -> Array:
    """Return the regret of the best point so far, from the last initial one on [S, T - initial + 1]."""
    return np.minimum.accumulate(regrets, axis=1)[:, initial - 1 :]


def _curves(left: Axes, right: Axes, panel: Panel) -> None:
    from matplotlib import colormaps

    for place, (method, regrets) in enumerate(panel.regrets.items()):
        colour = colormaps[_COLOURS](place % 10)
        dashes = "-" if place < 10 else "--"
        sums, bests = cumulative(regrets, panel.initial), simple(regrets, panel.initial)
        for axes, table, centre in (
            (left, sums, sums.mean(axis=0)),
            (right, bests, np.exp(np.log(bests).mean(axis=0))),
        ):
            evaluations = np.arange(regrets.shape[1] - table.shape[1], regrets.shape[1]) + 1
            low, high = np.percentile(table, (25, 75), axis=0)
            axes.fill_between(evaluations, low, high, color=colour, alpha=0.15, linewidth=0)
            axes.plot(evaluations, centre, color=colour, linestyle=dashes, linewidth=1.4, label=method)
    left.set_title(f"{panel.title}: cumulative regret")
    right.set_title(f"{panel.title}: simple regret")
    right.set_yscale("log")
    for axes in (left, right):
        axes.set_xlabel("evaluations")
    if _spread(panel) > 100:
        left.set_yscale("log")


def _spread(panel: Panel) -> float:
    """Return by which factor the methods' cumulative regrets differ at the end."""
    ends = [cumulative(regrets, panel.initial)[:, -1].mean() for regrets in panel.regrets.values()]
    return float(max(ends) / min(ends))


def _picture(axes: Axes, landscape: Landscape) -> None:
    """Draw a function by colours that follow the ranks of its values: only order counts. Failures stay white."""
    spans = [
        np.geomspace(low, high, _GRID) if scale == "log" else np.linspace(low, high, _GRID)
        for (low, high), scale in zip(landscape.bounds, landscape.scales or ("linear", "linear"), strict=True)
    ]
    Z = np.array([[landscape.function((float(x), float(y))) for x in spans[0]] for y in spans[1]])
    axes.pcolormesh(*spans, shades(Z), cmap="viridis", shading="nearest", rasterized=True)
    axes.plot(*landscape.minimiser, marker="*", markersize=11, color="white", markeredgecolor="black", clip_on=False)
    for scale, set_scale in zip(landscape.scales, (axes.set_xscale, axes.set_yscale), strict=False):
        set_scale(scale)
    axes.set_title(f"{landscape.title}, by rank; star: optimum")


def shades(Z: Array) -> Array:
    """Return the ranks of values as numbers from 0 to 1, equal values alike, NaN where the value is NaN."""
    ranks = np.full(Z.shape, np.nan)
    known = ~np.isnan(Z)
    _, places = np.unique(Z[known], return_inverse=True)
    ranks[known] = places / max(1, int(places.max(initial=0)))
    return ranks
