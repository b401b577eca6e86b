"""Parallel coordinates by rank: every evaluation a line across the parameters, for many of them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from itertools import pairwise
from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array, IntArray
from ordbo_cli.pictures.failures import Trouble, counts_of, troubles
from ordbo_cli.pictures.parameter_axes import LEVEL_WIDTH
from ordbo_cli.pictures.scales import spread_out
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.sentences import best
from ordbo_cli.pictures.style import Axes, Look, Picture, Theme, legend
from ordbo_cli.pictures.words import counted, cut, listed, width_of
from ordbo_cli.problem import Number
from ordbo_cli.problem.spelling import ordinal

_MOST_KNOTS: Final = 5_000  # of lines in all, as each has its place in an SVG; of more lines, some are drawn
_FEW: Final = 5  # best results that stand out
_NARROW: Final = 0.5  # share of an axis's ranks below which the best results are said to gather
_BEYOND: Final = 0.1  # how far beyond the worst result the infeasible lie, and failures; below an axis what is not used
_UNUSED: Final = "not used"
_LEVELS: Final = 12  # that are named along an axis
_STRIPES: Final = 32  # of the objective's axis, which is the legend of the colours: each is that of some ranks
_COLUMN: Final = 10.0  # points of width for an axis; where there is room for fewer, those of most latent length are
_SIZE: Final = 7.0  # points, of the values along the axes
_NAME: Final = 8.0  # points, of the names below them
_NAMES: Final = 0.25  # share of the height that upright names may take
_LETTER: Final = 0.62  # of the print's size, about the width of a letter


@dataclass(frozen=True)
class Column:
    """One axis: distinct values, evenly spaced.

    Args:
        name: of the parameter or the objective, with its unit.
        values: the distinct ones, the lowest first; a parameter's bounds are among them, as they are in the method, and
            of one with levels all of these.
        places: of the evaluations, from 0 at the lowest value to 1 [N]; NaN for a failure, below 0 where a parameter
            does not count.
        words: of some of the values in the user's words.
        levels: whether the values are levels.
    """

    name: str
    values: Sequence[Decimal | float]
    places: Array
    words: Callable[[Sequence[Any]], list[str]]
    levels: bool = False

    def place(self, x: float) -> float:
        """Return the place of a value that need not be among the column's: then it lies between two of them."""
        k = int(np.searchsorted(np.asarray(self.values, dtype=np.float64), x))
        known = k < len(self.values) and self.values[k] == x
        return min(1.0, max(0.0, (k if known else k - 0.5) / (len(self.values) - 1)))

    @property
    def some(self) -> list[int]:
        """Places of the values that are told: a few, or the levels."""
        return spread_out(len(self.values), _LEVELS if self.levels else 5)


def draw(scene: Scene, look: Look) -> Picture:
    """Draw every evaluation as a line across the parameters asked for, else all, and its result on the last axis."""
    width, height = look.size or (min(14.0, max(6.4, 0.62 * (len(scene.asked) + 2))), 4.2)
    shown = scene.longest(max(1, int((width - 1.0) * 72.0 / _COLUMN) - 1))
    columns = [column(scene, j) for j in shown]
    last = objective(scene)
    drawn = _drawn(scene, _MOST_KNOTS // (len(columns) + 1))
    with look.figure(width, height) as figure:
        axes = figure.subplots()
        _results(axes, scene, [*columns, last], drawn, look.theme)
        _ahead(axes, scene, columns, shown, look.theme)
        _scales(axes, scene, [*columns, last], look.theme)
        _names(axes, scene, shown)
        axes.set_title(_title(scene, len(columns), len(drawn)))
        legend(figure, axes)
    return Picture(figure, "Parallel coordinates", _words(scene, columns, shown, len(drawn)), look)


def _drawn(scene: Scene, most: int) -> IntArray:
    """Return the evaluations that are drawn, worst first: all, or some from the worst to the best."""
    order = np.argsort(-scene.view.ranks, kind="stable")
    return np.asarray(order[spread_out(len(order), most)], dtype=np.int64) if len(order) else order


def _title(scene: Scene, columns: int, lines: int) -> str:
    number, asked = len(scene.view.evaluations), len(scene.asked)
    parts = [f"{scene.name}: every value by its rank"]
    if columns < asked:
        parts.append(f"{columns} of {asked} parameters")
    if lines < number:
        parts.append(f"{lines:,} of {number:,} {scene.noun}s")
    return ", ".join(parts)


def column(scene: Scene, j: int) -> Column:
    """Return the axis of a parameter."""
    parameter, x, used = scene.all.parameters[j], scene.view.inputs[:, j], scene.view.counts[:, j]
    values = scene.all.grid(j, 2) if parameter.levels else np.unique([*scene.all.limits(j), *x[used]])
    places = np.where(used, np.searchsorted(values, x) / (len(values) - 1), -_BEYOND)
    words = partial(scene.all.words, j)
    return Column(scene.all.label(j), values.tolist(), places, words, bool(parameter.levels))


def objective(scene: Scene) -> Column:
    """Return the axis of the objective, its lowest value lowest."""
    results, grades = [e.objective for e in scene.view.evaluations], scene.view.problem.grades
    seen = sorted({y for y in results if y is not None})
    values = [Decimal(k) for k in range(len(grades))] if grades and seen else seen
    top = max(1, len(values) - 1)
    place = {y: k / top if len(values) > 1 else 0.5 for k, y in enumerate(values)}
    places = np.array([math.nan if y is None else place[y] for y in results], dtype=np.float64)
    return Column(scene.objective, values, places, scene.results, bool(grades))


def best_first(scene: Scene, share: float = 1.0, least: int = 1) -> IntArray:
    """Return the successes within the bounds, or a share of them, the best first and the earlier of equals."""
    view = scene.view
    good = np.flatnonzero(view.inside & view.succeeded)
    order = good[np.argsort(view.ranks[good], kind="stable")]
    return np.asarray(order[: max(least, math.ceil(share * len(order)))])


def stripes(scene: Scene) -> IntArray:
    """Return which stripe of the objective's axis has the colour of each evaluation, 0 that of the best [N]."""
    view = scene.view
    last = max(1, int(view.ranks[view.succeeded].max(initial=0)))
    return np.asarray(np.minimum(view.ranks * _STRIPES // last, _STRIPES - 1))


def stripe_colours(theme: Theme) -> Array:
    """Return the colours of the stripes, the best first [_STRIPES, 4]: it stands out most against the paper."""
    return _ramp(theme, (np.arange(_STRIPES) + 0.5) / _STRIPES)


def _ramp(theme: Theme, shares: Array) -> Array:
    from matplotlib import colormaps
    from matplotlib.colors import to_rgb

    dark = sum(to_rgb(theme.paper)) < 1.5
    return np.asarray(colormaps[theme.values](1.0 - shares if dark else shares))


def _results(axes: Axes, scene: Scene, columns: Sequence[Column], drawn: IntArray, theme: Theme) -> None:
    view = scene.view
    places = np.stack([each.places for each in columns], axis=1)
    good = drawn[view.succeeded[drawn]]
    faint = min(0.75, max(0.2, 25.0 / max(1, len(good))))
    colours, stripe = stripe_colours(theme), stripes(scene)
    for trouble, height in _slots(scene, theme):
        gone = places[drawn[trouble.which[drawn]]]
        gone[:, -1] = height
        _lines(
            axes, [gone], trouble.word, colors=trouble.colour, alpha=max(0.4, faint), linestyles=trouble.dashes,
            linewidths=1,
        )  # fmt: skip
    some = np.unique(stripe[good])[::-1]
    _lines(
        axes, [places[good[stripe[good] == k]] for k in some], "results", label="", colors=colours[some], alpha=faint,
        linewidths=1.0,
    )  # fmt: skip
    few = best_first(scene, 0.1)[:_FEW]
    if len(few) > 1:
        last = ordinal(len(few))
        label = "2nd best" if len(few) == 2 else f"2nd {'and' if len(few) == 3 else 'to'} {last} best"
        behind = few[:0:-1]
        _lines(
            axes, [places[[k]] for k in behind], "best-few", label=label, colors=colours[stripe[behind]], linewidths=1.8
        )
    if view.best is not None:
        axes.plot(
            places[view.best], "*-", color=theme.best, linewidth=2.2, markersize=8, label=scene.best_word, gid="best",
            clip_on=False, zorder=4,
        )  # fmt: skip
    elif not len(drawn):
        axes.text(
            0.5, 0.5, "no evaluation yet", transform=axes.transAxes, ha="center", color=theme.muted, gid="nothing"
        )


def _slots(scene: Scene, theme: Theme) -> list[tuple[Trouble, float]]:
    """Return why there are evaluations without a result, and how high on the objective's axis they end."""
    found = troubles(scene.view, theme)
    away = _BEYOND * np.arange(1, len(found) + 1)
    return list(zip(found, (1.0 + away if scene.view.problem.goal == "minimize" else -away).tolist(), strict=True))


def _lines(
    axes: Axes, groups: Sequence[Array], gid: str, *, label: str | None = None, alpha: float = 1.0, **settings: Any
) -> None:
    """Draw lines, those of a group as one path: an SVG has its style once."""
    from matplotlib.collections import LineCollection

    paths = []
    for places in groups:
        across = np.broadcast_to(np.arange(places.shape[1]), places.shape)
        apart = np.full((len(places), 1, 2), math.nan)
        path = np.concatenate([np.stack([across, places], axis=2), apart], axis=1).reshape(-1, 2)[:-1]
        paths += [path] if len(path) else []
    if paths:
        axes.add_collection(
            LineCollection(paths, label=gid if label is None else label, gid=gid, alpha=alpha, **settings)
        )


def _ahead(axes: Axes, scene: Scene, columns: Sequence[Column], shown: Sequence[int], theme: Theme) -> None:
    """Draw the points that are out and the next one: they have no result."""
    view = scene.view

    def crossing(x: Sequence[Number]) -> list[float]:
        used = view.problem.active(x)
        return [each.place(float(x[j])) if used[j] else -_BEYOND for each, j in zip(columns, shown, strict=True)]

    out = np.array([crossing(x) for x in view.whole.pending]).reshape(-1, len(columns))
    _lines(axes, [out], "pending", colors=theme.next, linestyles="dotted")
    if view.suggestion is not None:
        axes.plot(
            crossing(view.suggestion.values), "D:", color=theme.next, linewidth=2.0, markersize=5, label="next point",
            gid="next", clip_on=False, zorder=5,
        )  # fmt: skip


def _scales(axes: Axes, scene: Scene, columns: Sequence[Column], theme: Theme) -> None:
    """Draw the axes with a few values along each, the names below, and the colours along the objective's."""
    from matplotlib.collections import LineCollection

    number = len(columns)
    axes.vlines(range(number - 1), 0.0, 1.0, color=theme.muted, linewidth=0.8, zorder=1.5)
    edges = np.linspace(0.0, 1.0, _STRIPES + 1)
    parts = [[(number - 1, low), (number - 1, high)] for low, high in pairwise(edges)]
    colours = stripe_colours(theme) if scene.view.problem.goal == "minimize" else stripe_colours(theme)[::-1]
    axes.add_collection(LineCollection(parts, colors=colours, linewidths=5, zorder=1.5, gid="colours"))
    ends = [height for _, height in _slots(scene, theme)] + [
        float(each.places.min(initial=0.0)) for each in columns[:-1]
    ]
    axes.set_ylim(min([0.0, *ends]) - 0.04, max([1.0, *ends]) + 0.04)
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    axes.tick_params(bottom=False)
    _values(axes, scene, columns, theme)


def _values(axes: Axes, scene: Scene, columns: Sequence[Column], theme: Theme) -> None:
    """Write a few of each axis's values beside it, upright where there is no room to write them across."""
    room = _room(axes, len(columns))
    few = [each.some for each in columns]
    texts = [
        [cut(text, LEVEL_WIDTH) if each.levels else text for text in each.words([each.values[k] for k in ranks])]
        for each, ranks in zip(columns, few, strict=True)
    ]
    across = max((len(text) for each in texts[:-1] for text in each), default=0) * 0.65 * _SIZE / 72.0 < room - 0.1
    for place, (each, ranks, labels) in enumerate(zip(columns, few, texts, strict=True)):
        last, top = place == len(columns) - 1, max(1, len(each.values) - 1)
        flat, chosen = across or last, list(zip(ranks, labels, strict=True))
        for rank, label in chosen if flat or each.levels else [chosen[0], chosen[-1]]:
            height = rank / top if len(each.values) > 1 else 0.5
            axes.annotate(
                label, (place, height), xytext=(6 if last else 3, 0), textcoords="offset points",
                fontsize=_SIZE, rotation=0 if flat else 90, ha="left", annotation_clip=False,
                va="center" if flat or 0.0 < height < 1.0 else ("bottom" if height < 0.5 else "top"),
                color=theme.ink, gid="value", zorder=6,
                bbox={"boxstyle": "square,pad=0.1", "facecolor": theme.paper, "alpha": 0.75, "linewidth": 0},
            )  # fmt: skip
        if not last and each.places.min(initial=0.0) < 0.0:
            _beside(axes, place, -_BEYOND, _UNUSED, theme.muted, ha="left" if place == 0 else "center")
    for trouble, height in _slots(scene, theme):
        _beside(axes, len(columns) - 1, height, trouble.word, trouble.colour, ha="left")


def _beside(axes: Axes, place: int, height: float, word: str, colour: str, *, ha: str) -> None:
    """Write what lines that end beyond an axis have in common."""
    axes.annotate(
        word, (place, height), xytext=(6 if ha == "left" else 0, 0 if ha == "left" else -7),
        textcoords="offset points", fontsize=_SIZE, va="center", ha=ha, color=colour, gid="value",
        annotation_clip=False,
    )  # fmt: skip


def _names(axes: Axes, scene: Scene, shown: Sequence[int]) -> None:
    """Write the names below the axes: across, in lines where they are long, upright where there is no room for that."""
    number = len(shown) + 1
    width = int(_room(axes, number) * 72.0 / _NAME / _LETTER)
    names = [*(scene.all.label(j) for j in shown), scene.objective]
    broken = [textwrap.wrap(name, max(1, width), break_long_words=False) for name in names]
    across = all(len(lines) <= 3 and max(map(width_of, lines)) <= width for lines in broken)
    most = max(6, int(_NAMES * axes.figure.get_size_inches()[1] * 72.0 / _NAME / _LETTER))
    upright = [*(scene.all.short_label(j, most) for j in shown), cut(scene.objective, most)]
    axes.set_xticks(range(number), ["\n".join(lines) for lines in broken] if across else upright)
    axes.tick_params(axis="x", labelrotation=0 if across else 90, labelsize=_NAME)
    axes.set_xlim(-min(0.3, 0.04 * number), number - 1 + min(0.1, 0.04 * number))


def _room(axes: Axes, columns: int) -> float:
    """Return about how many inches lie between two axes."""
    return float(axes.figure.get_size_inches()[0] - 1.0) / columns


def _words(scene: Scene, columns: Sequence[Column], shown: Sequence[int], lines: int) -> str:
    view, number, asked = scene.view, len(scene.view.evaluations), len(scene.asked)
    longest = f", those of most latent length of {asked}" if len(columns) < asked else ""
    where = f"across {counted(len(columns), 'parameter')}{longest}"
    if not number:
        return f"No evaluation yet, {where}.{_next(scene)}"
    what = f"{scene.counted(number)} {where}"
    if not np.any(view.leading):
        within = "" if not np.any(view.succeeded) else " within the bounds"
        return f"{what}; none of them succeeded{within} yet.{_next(scene)}"
    found = counts_of(view)
    failures = f", of which {listed(found)}" if found else ""
    thinned = f" {lines:,} of them are drawn, from the worst to the best." if lines < number else ""
    return f"{what}{failures}.{thinned}{_by_mean(scene)} {_gathering(scene, columns, shown)}{_next(scene)}"


def _by_mean(scene: Scene) -> str:
    return "" if scene.best_word == "best" else f" {best(scene)}"


def _gathering(scene: Scene, columns: Sequence[Column], shown: Sequence[int]) -> str:
    """Say where the best results lie on the few axes on which they lie closest together."""
    view = scene.view
    some = best_first(scene, 0.1, least=3)
    if len(some) < 3:
        first = some[0] if view.best is None else view.best
        used = [j for j in shown if view.counts[first, j]]
        places = [f"{scene.all.value(j, view.inputs[first, j])} of {scene.all.spoken(j)}" for j in used]
        return f"The best lies at {listed(places[:3])}."
    if not np.any(view.ranks[best_first(scene)]):
        return "All results are alike."
    spans = np.array([_span(scene, each, j, some) for each, j in zip(columns, shown, strict=True)])
    narrow = [int(k) for k in np.argsort(spans, kind="stable")[:3] if spans[k] <= _NARROW]
    if not narrow:
        return f"The best {len(some)} results lie far apart on every axis."
    parts = []
    for k in narrow:
        x, unit = view.inputs[some, shown[k]], scene.all.parameters[shown[k]].unit
        low, high = scene.all.words(shown[k], [float(x.min()), float(x.max())])
        unit = f" {unit}" if unit else ""
        where = f"at {low}{unit}" if low == high else f"between {low} and {high}{unit}"
        parts.append(f"{where} of {scene.all.spoken(shown[k])}")
    return f"The best {len(some)} results lie closest together {listed(parts)}."


def _span(scene: Scene, column: Column, j: int, some: IntArray) -> float:
    """Return over how much of an axis some evaluations spread; all of it where there is no between."""
    places = column.places[some]
    if np.any(places < 0.0):
        return 1.0
    spread = float(np.ptp(places))
    return 1.0 if spread and scene.all.parameters[j].type == "categorical" else spread


def _next(scene: Scene) -> str:
    view, ahead = scene.view, len(scene.view.whole.pending)
    out = f" {counted(ahead, 'point')} {'is' if ahead == 1 else 'are'} out." if ahead else ""
    return f"{out} The next point is drawn dotted." if view.suggestion is not None else out
