"""The paper's regret figure, and its pictures of functions of two parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.parameter_axes import named
from ordbo_cli.pictures.plots.comparison.method_lines import Cast, label_ends, line_of
from ordbo_cli.pictures.scales import set_scale
from ordbo_cli.pictures.style import Axes, Look, Picture, Theme, legend
from ordbo_cli.pictures.words import counted, figure_of, listed

_GRID: Final = 201  # points of a picture along each axis
_WIDTH, _HEIGHT = 3.6, 2.6  # inches of one panel
Figure = Literal["cumulative", "simple"]
_FAR_APART: Final = 100.0  # factor between cumulative regrets, from which on their axis is logarithmic
_RANGE: Final = (1e-290, 1e290)  # of regrets that an axis shows with its margins
_TOLD: Final = 6  # problems that the words go into


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


def draw_regret(panels: Sequence[Panel], landscapes: Sequence[Landscape], look: Look) -> Picture:
    """Draw a row for each problem: cumulative regret, simple regret on a log axis, and the function if it is in 2D.

    Curves are means (of the simple regret geometric ones), bands reach from the lower to the upper quartile over seeds.
    Methods differ in the dashes of their lines as well as in colour.

    Args:
        landscapes: pictures of those problems that have one, by the same titles.
    """
    pictures = {landscape.title: landscape for landscape in landscapes}
    columns = 3 if pictures else 2
    with look.figure(_WIDTH * columns, _HEIGHT * len(panels) + 0.5) as figure:
        rows = figure.subplots(len(panels), columns, squeeze=False)
        for panel, axes in zip(panels, rows, strict=True):
            _curves(axes[0], axes[1], panel, look.theme)
            if columns == 3 and panel.title in pictures:
                _picture(axes[2], pictures[panel.title], look.theme)
            elif columns == 3:
                axes[2].set_axis_off()
        for axes in rows[-1][:2]:
            axes.set_xlabel("evaluations")
        legend(figure, rows[0][0], place="outside upper center")
    return Picture(figure, "Regret", _words(panels), look)


def cumulative(regrets: Array, initial: int) -> Array:
    """Return the regret summed over the evaluations after the first ``initial`` ones [S, T - initial]."""
    return np.cumsum(regrets[:, initial:], axis=1)


def simple(regrets: Array, initial: int) -> Array:
    """Return the regret of the best point so far, from the last initial one on [S, T - initial + 1]."""
    return np.minimum.accumulate(regrets, axis=1)[:, initial - 1 :]


def draw_course(panel: Panel, figure: Figure, cast: Cast, look: Look) -> Picture:
    """Draw one of the two regrets on one problem, each line with its method's name at its end.

    Curves and bands are those of :func:`draw_regret`; only the leading methods have bands.
    """
    title = f"{named(panel.title, '')}: {figure} regret"
    with look.figure(*cast.size(_WIDTH + 1.4, _HEIGHT)) as canvas:
        axes = canvas.subplots()
        ends = {}
        for method, regrets in panel.regrets.items():
            line = cast.line(method, look.theme)
            ends[method] = _curve(axes, figure, regrets, panel.initial, line, band=method in cast.leading)
        _frame(axes, look.theme, log=(figure == "simple" and _is_positive(panel)) or _spread(panel) > _FAR_APART)
        axes.set_xlim(panel.initial, max(regrets.shape[1] for regrets in panel.regrets.values()))
        axes.set_xlabel("evaluations")
        label_ends(axes, ends, cast, look.theme)
    told = sorted((end, method) for method, end in ends.items() if np.isfinite(end))
    words = listed([f"{figure_of(end)} ({method})" for end, method in told]) or "not known"
    return Picture(canvas, title, f"At the end the mean {figure} regret on {panel.title} is {words}.", look)


def _curves(left: Axes, right: Axes, panel: Panel, theme: Theme) -> None:
    for place, (method, regrets) in enumerate(panel.regrets.items()):
        line = {"label": method, **line_of(place, theme)}
        _curve(left, "cumulative", regrets, panel.initial, line)
        _curve(right, "simple", regrets, panel.initial, line)
    title = named(panel.title, "")
    left.set_title(f"{title}: cumulative regret")
    right.set_title(f"{title}: simple regret")
    _frame(left, theme, log=_spread(panel) > _FAR_APART)
    _frame(right, theme, log=_is_positive(panel))


def _curve(
    axes: Axes, figure: Figure, regrets: Array, initial: int, line: dict[str, Any], *, band: bool = True
) -> float:
    """Draw the regrets of one method as a line, and perhaps a band; return where the line ends."""
    table, centre, quartiles = _sums(regrets, initial) if figure == "cumulative" else _bests(regrets, initial)
    evaluations = np.arange(regrets.shape[1] - table.shape[1], regrets.shape[1]) + 1
    if band:
        axes.fill_between(evaluations, *quartiles, color=line["color"], alpha=0.15, linewidth=0, gid=f"{figure}-band")
    axes.plot(evaluations, centre, gid=figure, **line)
    return float(centre[-1])


def _is_positive(panel: Panel) -> bool:
    """Return whether some simple regret can stand on a logarithmic axis."""
    return any(np.any(_bests(each, panel.initial)[1] > 0.0) for each in panel.regrets.values())


def _sums(regrets: Array, initial: int) -> tuple[Array, Array, Array]:
    """Return cumulative regrets [S, T], their means [T] and quartiles [2, T], NaN where no axis shows them."""
    with np.errstate(over="ignore", invalid="ignore"):
        table = cumulative(regrets, initial)
        return table, _shown(table.mean(axis=0)), _shown(np.percentile(table, (25, 75), axis=0))


def _bests(regrets: Array, initial: int) -> tuple[Array, Array, Array]:
    """Return simple regrets [S, T], their geometric means [T] and quartiles [2, T], NaN where no axis shows them."""
    table = simple(regrets, initial)
    with np.errstate(divide="ignore", invalid="ignore"):
        logs = np.log(table)
        low, high = np.percentile(logs, (25, 75), axis=0)
        return table, _shown(np.exp(logs.mean(axis=0))), _shown(np.exp(np.array([low, high])))


def _shown(values: Array) -> Array:
    """Return values as far as an axis can show them."""
    return np.where((values >= _RANGE[0]) & (values <= _RANGE[1]), values, np.nan)


def _frame(axes: Axes, theme: Theme, *, log: bool) -> None:
    from matplotlib.ticker import MaxNLocator

    set_scale(axes, "y", "log" if log else "linear")
    axes.xaxis.set_major_locator(MaxNLocator(nbins=7, integer=True, min_n_ticks=1))
    axes.grid(axis="y", color=theme.grid, linewidth=0.6)
    axes.set_axisbelow(True)


def _spread(panel: Panel) -> float:
    """Return by which factor the methods' cumulative regrets differ at the end, as far as there are any."""
    ends = [_sums(regrets, panel.initial)[1][-1] for regrets in panel.regrets.values()]
    known = [end for end in ends if end > 0.0]
    return max(known) / min(known) if known else 1.0


def _picture(axes: Axes, landscape: Landscape, theme: Theme) -> None:
    """Draw a function by colours that follow the ranks of its values: only order counts. Failures stay blank."""
    scales = landscape.scales or ("linear", "linear")
    spans = [
        np.geomspace(low, high, _GRID) if scale == "log" else np.linspace(low, high, _GRID)
        for (low, high), scale in zip(landscape.bounds, scales, strict=True)
    ]
    Z = np.array([[landscape.function((float(x), float(y))) for x in spans[0]] for y in spans[1]])
    axes.pcolormesh(*spans, shades(Z), cmap=theme.values, shading="nearest", rasterized=True, gid="landscape")
    axes.plot(
        *landscape.minimiser, marker="*", markersize=11, color="white", markeredgecolor="black", clip_on=False,
        gid="optimum",
    )  # fmt: skip
    set_scale(axes, "x", scales[0])
    set_scale(axes, "y", scales[1])
    axes.set_title(f"{named(landscape.title, '')}, by rank; star: optimum")


def _words(panels: Sequence[Panel]) -> str:
    """Return which method does best on each problem, as far as there are few."""
    methods = list(dict.fromkeys(method for panel in panels for method in panel.regrets))
    seeds = max(len(regrets) for panel in panels for regrets in panel.regrets.values())
    start = (
        f"The regret of {counted(len(methods), 'method')} ({listed(methods)}) on {counted(len(panels), 'problem')},"
        f" over {counted(seeds, 'seed')}."
    )
    rest = len(panels) - _TOLD
    more = f" And {counted(rest, 'further problem')}." if rest > 0 else ""
    return " ".join([start, *map(_standing, panels[:_TOLD])]) + more


def _standing(panel: Panel) -> str:
    ends = {method: float(_bests(regrets, panel.initial)[1][-1]) for method, regrets in panel.regrets.items()}
    total = max(regrets.shape[1] for regrets in panel.regrets.values())
    known = sorted((end, method) for method, end in ends.items() if np.isfinite(end))
    after = f"{panel.title}: after {counted(total, 'evaluation')} the mean simple regret is"
    if not known:
        return f"{after} not known."
    (least, best), (most, worst) = known[0], known[-1]
    others = "" if best == worst else f", at most {figure_of(most)} ({worst})"
    return f"{after} {'' if best == worst else 'at least '}{figure_of(least)} ({best}){others}."


def shades(Z: Array) -> Array:
    """Return the ranks of values as numbers from 0 to 1, equal values alike, NaN where the value is NaN."""
    ranks = np.full(Z.shape, np.nan)
    known = ~np.isnan(Z)
    _, places = np.unique(Z[known], return_inverse=True)
    ranks[known] = places / max(1, int(places.max(initial=0)))
    return ranks
