"""Parallel coordinates by rank: every evaluation a line across the parameters, for many of them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.arrays import Array, IntArray
from ordbo_cli.pictures.scales import spread_out
from ordbo_cli.pictures.scene import Scene, named
from ordbo_cli.pictures.style import Axes, Look, Picture, Theme, legend
from ordbo_cli.pictures.words import counted, figure_of, listed, told_apart

_CORNERS: Final = 3_000  # of all lines together: an SVG of so many has some 100 kB, and an image of them is no smaller
_LEAST: Final = 100  # lines that are drawn, however many corners they have
_FEW: Final = 5  # best results that stand out
_NARROW: Final = 0.5  # share of an axis's ranks below which the best results are said to gather
_FAILED: Final = 0.1  # how far beyond the worst result failures lie
_STRIPES: Final = 32  # of the objective's axis, which is the legend of the colours
_SIZE: Final = 7.0  # points, of the values along the axes
_NAME: Final = 8.0  # points, of the names below them


@dataclass(frozen=True)
class Column:
    """One axis: distinct values, evenly spaced.

    Args:
        name: of the parameter or the objective, with its unit.
        values: the distinct ones, the lowest first; a parameter's bounds are among them, as they are in the method.
        places: of the evaluations, from 0 at the lowest value to 1 [N]; NaN for a failure.
    """

    name: str
    values: Sequence[Decimal | float]
    places: Array

    def place(self, x: float) -> float:
        """Return the place of a value that need not be among the column's: then it lies between two of them."""
        k = int(np.searchsorted(np.asarray(self.values, dtype=np.float64), x))
        known = k < len(self.values) and self.values[k] == x
        return min(1.0, max(0.0, (k if known else k - 0.5) / (len(self.values) - 1)))


def draw(scene: Scene, look: Look) -> Picture:
    """Draw every evaluation as a line across the parameters asked for, else all, and its result on the last axis."""
    columns = [column(scene, j) for j in scene.shown or range(scene.dimension)]
    last = objective(scene)
    with look.figure(min(14.0, max(6.4, 0.62 * (len(columns) + 2))), 4.2) as figure:
        axes = figure.subplots()
        _results(axes, scene, [*columns, last], look.theme)
        _ahead(axes, scene, columns, look.theme)
        _scales(axes, scene, [*columns, last], look.theme)
        number, all_of_them = len(drawn(scene, len(columns))), len(scene.view.evaluations)
        some = f" ({number} of {all_of_them} evaluations)" if number < all_of_them else ""
        axes.set_title(f"{scene.name}: every value by its rank{some}")
        legend(figure, axes)
    return Picture(figure, "Parallel coordinates", _words(scene, columns), look)


def column(scene: Scene, j: int) -> Column:
    """Return the axis of a parameter."""
    x = scene.view.X[:, j]
    values = np.unique([*scene.limits(j), *x])
    return Column(scene.label(j), values.tolist(), np.searchsorted(values, x) / (len(values) - 1))


def objective(scene: Scene) -> Column:
    """Return the axis of the objective, its lowest value lowest."""
    results = [e.objective for e in scene.view.evaluations]
    values = sorted({y for y in results if y is not None})
    top = max(1, len(values) - 1)
    place = {y: k / top if len(values) > 1 else 0.5 for k, y in enumerate(values)}
    places = np.array([math.nan if y is None else place[y] for y in results], dtype=np.float64)
    return Column(scene.objective, values, places)


def best_first(scene: Scene, share: float = 1.0, least: int = 1) -> IntArray:
    """Return the successes within the bounds, or a share of them, the best first and the earlier of equals."""
    view = scene.view
    good = np.flatnonzero(view.inside & ~view.failed)
    order = good[np.argsort(view.ranks[good], kind="stable")]
    return np.asarray(order[: max(least, math.ceil(share * len(order)))])


def drawn(scene: Scene, parameters: int) -> IntArray:
    """Return the evaluations that are drawn, the best first, failures last: all, or as many as an SVG bears.

    Of too many, the best make up half; the others are spread evenly over the ranks.
    """
    order = np.argsort(scene.view.ranks, kind="stable")
    most = max(_LEAST, _CORNERS // (parameters + 1))
    if len(order) <= most:
        return order
    rest = np.linspace(most // 2, len(order) - 1, most - most // 2).astype(int)
    return np.asarray(order[[*range(most // 2), *rest]])


def shades(scene: Scene, theme: Theme) -> Array:
    """Return the colours of the evaluations by rank [N, 4]: what stands out most against the paper is the best."""
    view = scene.view
    last = max(1, int(view.ranks[~view.failed].max(initial=0)))
    return _ramp(theme, np.minimum(view.ranks / last, 1.0))


def _ramp(theme: Theme, shares: Array) -> Array:
    from matplotlib import colormaps
    from matplotlib.colors import to_rgb

    dark = sum(to_rgb(theme.paper)) < 1.5
    return np.asarray(colormaps[theme.values](1.0 - shares if dark else shares))


def _results(axes: Axes, scene: Scene, columns: Sequence[Column], theme: Theme) -> None:
    view = scene.view
    places = np.stack([each.places for each in columns], axis=1)
    places[view.failed, -1] = 1.0 + _FAILED if view.problem.goal == "minimize" else -_FAILED
    worst_first = drawn(scene, len(columns) - 1)[::-1]
    good, gone = worst_first[~view.failed[worst_first]], worst_first[view.failed[worst_first]]
    faint = min(0.75, max(0.12, 25.0 / max(1, len(good))))
    colours = shades(scene, theme)
    _lines(axes, places[gone], "failed", colors=theme.failed, alpha=max(0.4, faint), linestyles="dashed", linewidths=1)
    _lines(axes, places[good], "results", label="", colors=colours[good], alpha=faint, linewidths=1.0)
    few = best_first(scene, 0.1)[:_FEW]
    if len(few) > 1:
        shown = few[:0:-1]
        _lines(axes, places[shown], "best-few", label=f"best {len(few)}", colors=colours[shown], linewidths=1.8)
    if view.best is not None:
        axes.plot(
            places[view.best], "*-", color=theme.best, linewidth=2.2, markersize=8, label="best", gid="best",
            clip_on=False, zorder=4,
        )  # fmt: skip


def _lines(
    axes: Axes, places: Array, gid: str, *, label: str | None = None, alpha: float = 1.0, **settings: Any
) -> None:
    from matplotlib.collections import LineCollection

    if len(places):
        across = np.broadcast_to(np.arange(places.shape[1]), places.shape)
        lines = LineCollection(
            np.stack([across, places], axis=2), label=gid if label is None else label, gid=gid, alpha=alpha, **settings,
        )  # fmt: skip
        axes.add_collection(lines)


def _ahead(axes: Axes, scene: Scene, columns: Sequence[Column], theme: Theme) -> None:
    """Draw the points that are out and the next one: they have no result."""
    view, shown = scene.view, scene.shown or range(scene.dimension)
    out = [
        [each.place(float(x[j])) for each, j in zip(columns, shown, strict=True)] for x in view.moment.pending[-_LEAST:]
    ]
    _lines(axes, np.array(out).reshape(-1, len(columns)), "pending", colors=theme.next, linestyles="dotted")
    if view.next is not None:
        places = [each.place(float(view.next[j])) for each, j in zip(columns, shown, strict=True)]
        axes.plot(
            places, "D:", color=theme.next, linewidth=2.0, markersize=5, label="next point", gid="next",
            clip_on=False, zorder=5,
        )  # fmt: skip


def _scales(axes: Axes, scene: Scene, columns: Sequence[Column], theme: Theme) -> None:
    """Draw the axes with a few values along each, the names below, and the colours along the objective's."""
    from matplotlib.collections import LineCollection

    number = len(columns)
    axes.vlines(range(number - 1), 0.0, 1.0, color=theme.muted, linewidth=0.8, zorder=1.5)
    edges = np.linspace(0.0, 1.0, _STRIPES + 1)
    stripes = [[(number - 1, low), (number - 1, high)] for low, high in pairwise(edges)]
    middles = edges[:-1] + 0.5 / _STRIPES
    shares = middles if scene.view.problem.goal == "minimize" else 1.0 - middles
    axes.add_collection(LineCollection(stripes, colors=_ramp(theme, shares), linewidths=5, zorder=1.5, gid="colours"))
    failures = bool(np.any(scene.view.failed))
    low, high = -0.04, 1.04
    if failures and scene.view.problem.goal == "minimize":
        high = 1.04 + _FAILED
    elif failures:
        low = -0.04 - _FAILED
    axes.set_ylim(low, high)
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    axes.tick_params(bottom=False)
    _values(axes, scene, columns, theme)
    _names(axes, columns)


def _values(axes: Axes, scene: Scene, columns: Sequence[Column], theme: Theme) -> None:
    """Write a few of each axis's values beside it, upright where there is no room to write them across."""
    room = _room(axes, len(columns))
    few = [spread_out(len(each.values), 5) for each in columns]
    texts = [told_apart([each.values[k] for k in ranks]) for each, ranks in zip(columns, few, strict=True)]
    across = max((len(text) for each in texts[:-1] for text in each), default=0) * 0.65 * _SIZE / 72.0 < room - 0.1
    for place, (each, ranks, labels) in enumerate(zip(columns, few, texts, strict=True)):
        last, top = place == len(columns) - 1, max(1, len(each.values) - 1)
        flat, chosen = across or last, list(zip(ranks, labels, strict=True))
        for rank, label in chosen if flat else [chosen[0], chosen[-1]]:
            height = rank / top if len(each.values) > 1 else 0.5
            axes.annotate(
                label, (place, height), xytext=(6 if last else 3, 0), textcoords="offset points",
                fontsize=_SIZE, rotation=0 if flat else 90, ha="left", annotation_clip=False,
                va="center" if flat else ("bottom" if height < 0.5 else "top"),
                color=theme.ink, gid="value", zorder=6,
                bbox={"boxstyle": "square,pad=0.1", "facecolor": theme.paper, "alpha": 0.75, "linewidth": 0},
            )  # fmt: skip
    if np.any(scene.view.failed):
        height = 1.0 + _FAILED if scene.view.problem.goal == "minimize" else -_FAILED
        axes.annotate(
            "failed", (len(columns) - 1, height), xytext=(6, 0), textcoords="offset points", fontsize=_SIZE,
            va="center", color=theme.failed, gid="value", annotation_clip=False,
        )  # fmt: skip


def _names(axes: Axes, columns: Sequence[Column]) -> None:
    """Write the names below the axes: across, in lines where they are long, upright where there is no room for that."""
    width = int(_room(axes, len(columns)) * 72.0 / _NAME / 0.62)
    broken = [textwrap.wrap(each.name, max(1, width), break_long_words=False) for each in columns]
    across = all(len(lines) <= 4 and max(map(len, lines)) <= width for lines in broken)
    longest = int(0.35 * axes.figure.get_size_inches()[1] * 72.0 / _NAME / 0.62)
    upright = [each.name if len(each.name) <= longest else f"{each.name[: longest - 1]}…" for each in columns]
    axes.set_xticks(range(len(columns)), ["\n".join(lines) for lines in broken] if across else upright)
    axes.tick_params(axis="x", labelrotation=0 if across else 90, labelsize=_NAME)
    axes.set_xlim(-0.3, len(columns) - 0.9)


def _room(axes: Axes, columns: int) -> float:
    """Return about how many inches lie between two axes."""
    return float(axes.figure.get_size_inches()[0] - 1.0) / columns


def _words(scene: Scene, columns: Sequence[Column]) -> str:
    view, number = scene.view, len(scene.view.evaluations)
    what = f"{counted(number, 'evaluation')} across {counted(len(columns), 'parameter')}"
    if not number:
        return f"No evaluation yet, across {counted(len(columns), 'parameter')}.{_next(scene)}"
    if view.best is None:
        return f"{what}; none of them succeeded yet.{_next(scene)}"
    failed = int(view.failed.sum())
    failures = f", of which {failed} failed" if failed else ""
    if (lines := len(drawn(scene, len(columns)))) < number:
        failures += f"; {lines} of them are drawn"
    return f"{what}{failures}. {_gathering(scene, columns)}{_next(scene)}"


def _gathering(scene: Scene, columns: Sequence[Column]) -> str:
    """Say where the best results lie on the few axes on which they lie closest together."""
    view, shown = scene.view, scene.shown or range(scene.dimension)
    some = best_first(scene, 0.1, least=3)
    if len(some) < 3:
        return f"The best lies at {_at(scene, view.X[view.best])}."
    spans = [float(np.ptp(each.places[some])) for each in columns]
    narrow = [k for k in np.argsort(spans, kind="stable")[:3] if spans[k] <= _NARROW]
    if not narrow:
        return f"The best {len(some)} results lie far apart on every axis."
    parts = []
    for k in narrow:
        parameter, x = scene.parameters[shown[k]], view.X[some, shown[k]]
        low, high = told_apart([float(x.min()), float(x.max())])
        unit = f" {parameter.unit}" if parameter.unit else ""
        where = f"at {low}{unit}" if low == high else f"between {low} and {high}{unit}"
        parts.append(f"{where} of {named(parameter.name, '')}")
    return f"The best {len(some)} results lie closest together {listed(parts)}."


def _at(scene: Scene, x: Array) -> str:
    """Say where a point lies on the first three axes."""
    named_values = [
        f"{figure_of(float(x[j]), scene.parameters[j].unit)} of {named(scene.parameters[j].name, '')}"
        for j in (scene.shown or range(scene.dimension))[:3]
    ]
    return listed(named_values)


def _next(scene: Scene) -> str:
    view, ahead = scene.view, len(scene.view.moment.pending)
    out = f" {counted(ahead, 'point')} {'is' if ahead == 1 else 'are'} out." if ahead else ""
    return out if view.next is None else f"{out} The next point, dotted, lies at {_at(scene, view.next)}."
