"""The warps (the paper's first figure): original and latent axes joined, of the parameters and of the objective."""

from __future__ import annotations

import math
from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array, BoolArray, IntArray
from ordbo_cli.pictures.failures import Trouble, sentence, troubles
from ordbo_cli.pictures.scales import spread_out
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Axes, Look, Picture, Theme, legend
from ordbo_cli.pictures.warp_knots import Knots, LevelKnots, between, stretch
from ordbo_cli.pictures.words import counted

_LINES: Final = 1500  # of a whole picture: an SVG of more is too large for a report
_WIDTHS: Final = (6.4, 9.0, 11.5)  # inches of pictures of one to three columns
_BAND: Final = 1.4  # inches of height of one band, and what a picture needs beside them
_LETTERS: Final = 13  # of names in an inch of an axis
_BESIDE: Final = 0.6
_ROWS: Final = 8  # of bands at most, where no size is asked for
_TICKED: Final = 100  # bin edges at most that are shown
_SPOKEN: Final = 6  # parameters of the next point
_PAD, _WORSE = 0.03, 0.1  # shares of the objective's axis: beside its values, and beyond its worse end for failures


def draw(scene: Scene, look: Look) -> Picture:
    """Draw a band of two parallel axes for each parameter and for the objective, what belongs together joined.

    All latent axes of parameters have one scale, so that their lengths compare. Where there is no room for all, those
    of most latent length are drawn.
    """
    wanted = scene.asked
    rows, columns, size = _layout(len(wanted) + 1, look)
    chosen = scene.longest(rows * columns - 1)
    drawn = [(LevelKnots if scene.all.parameters[j].type == "categorical" else Knots)(scene, j) for j in chosen]
    reach = max(knots.length for knots in drawn)
    with look.figure(*size) as figure:
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        for panel, knots in zip(panels, drawn, strict=False):
            most = max(50, _LINES // (len(drawn) + 1))
            if isinstance(knots, Knots):
                _parameter(panel, knots, reach, most, look)
            else:
                _levels(panel, knots, reach, most, look)
        _objective(panels[len(drawn)], scene, max(50, _LINES // (len(drawn) + 1)), look)
        for panel in panels[len(drawn) + 1 :]:
            panel.remove()
        count = f"{len(drawn)} " if len(drawn) > 1 else ""
        some = "" if len(drawn) == len(wanted) else f" (the {count}longest of {len(wanted)})"
        figure.suptitle(f"{scene.name}: original and latent axes{some}", fontsize=9.5, x=0.01, ha="left")
        legend(figure, *panels[: len(drawn) + 1])
    return Picture(figure, "Warp", _words(scene, drawn), look)


def _layout(bands: int, look: Look) -> tuple[int, int, tuple[float, float]]:
    """Return rows and columns that hold so many bands, or as many as there is room for, and the figure's size."""
    if look.size is None:
        columns = 1 if bands <= 4 else 2 if bands <= 12 else 3
        rows = min(_ROWS, math.ceil(bands / columns))
        return rows, columns, (_WIDTHS[columns - 1], _BAND * rows + _BESIDE)
    width, height = look.size
    most = max(1, int((height - _BESIDE) / (0.75 * _BAND)))
    columns = min(max(1, int(width / 2.4)), math.ceil(bands / most))
    return max(2 if columns == 1 else 1, min(most, math.ceil(bands / columns))), columns, look.size


def _parameter(axes: Axes, knots: Knots, reach: float, most: int, look: Look) -> None:
    scene, theme, j = knots.scene, look.theme, knots.j
    top = axes.twiny()
    scene.all.frame(top, "x", j)
    missing = f", {knots.outside} outside" if knots.outside else ""
    low = float(knots.s[0])
    _latent_axis(axes, low, float(knots.s[-1]), reach)
    _bare(axes, top, f"{scene.all.label(j)}{missing}", f"latent s, length {knots.length:.3g}", theme.muted)
    upper = low + reach * _shares(top.xaxis, knots.x)
    if (k := knots.stretched) is not None:
        axes.fill(
            [upper[k], upper[k + 1], knots.s[k + 1], knots.s[k]], [1, 1, 0, 0], color=theme.latent, alpha=0.25,
            linewidth=0, label="stretched most", gid=f"stretched-{j}",
        )  # fmt: skip
    ends = [0, len(upper) - 1]
    _join(axes, upper[ends], knots.s[ends], f"bounds-{j}", color=theme.muted, label="bounds")
    _join_rows(axes, knots, upper, most, look)
    for value, label, colour, dashes in _marked(scene, j, theme):
        if knots.x[0] <= value <= knots.x[-1]:
            place = low + reach * float(_shares(top.xaxis, np.array([value]))[0])
            s = float(knots.drawn.latent(np.array([value]))[0])
            _mark(axes, place, s, f"{label}-{j}", colour, dashes, _named(scene, label))


def _levels(axes: Axes, levels: LevelKnots, reach: float, most: int, look: Look) -> None:
    """Join levels without an order with how far each stands out."""
    scene, theme, j = levels.scene, look.theme, levels.j
    top = axes.twiny()
    scene.all.frame(top, "x", j)
    _latent_axis(axes, 0.0, float(levels.s.max()), reach)
    words = f"how far each stands out; farthest two {levels.length:.3g} apart"
    _bare(axes, top, scene.all.label(j), words, theme.muted)
    upper = reach * _shares(top.xaxis, levels.x)
    unknown = ~levels.evaluated & ~levels.pending
    _join(axes, upper[unknown], levels.s[unknown], f"untried-{j}", color=theme.muted, linestyle="--", label="not tried")
    _join_rows(axes, levels, upper, most, look)
    for value, label, colour, dashes in _marked(scene, j, theme):
        k = int(value)
        _mark(axes, upper[k], levels.s[k], f"{label}-{j}", colour, dashes, _named(scene, label))


def _latent_axis(axes: Axes, low: float, high: float, reach: float) -> None:
    """Give a band its lower axis: as wide as the longest one's, drawn as far as its own reaches."""
    axes.set_xlim(low, low + reach)
    axes.spines["bottom"].set_bounds(low, high)
    axes.set_xticks([tick for tick in axes.get_xticks() if low <= tick <= high])


def _join_rows(axes: Axes, knots: Knots | LevelKnots, upper: Array, most: int, look: Look) -> None:
    """Join what was evaluated and what is out."""
    some, out = _some(knots.evaluated, most), knots.pending
    label = f"{knots.scene.noun}s"
    _join(axes, upper[some], knots.s[some], f"knots-{knots.j}", color=look.theme.data, label=label)
    _join(axes, upper[out], knots.s[out], f"pending-{knots.j}", color=look.theme.next, linestyle=":", label="pending")


def _marked(scene: Scene, j: int, theme: Theme) -> list[tuple[float, str, str, str]]:
    """Return the points whose lines stand out, where a parameter counts: value, name, colour and line style."""
    view = scene.view
    points = ((view.leader, "best", theme.best, "-"), (view.suggestion, "next", theme.next, "--"))
    return [
        (float(point.values[j]), name, colour, style)
        for point, name, colour, style in points
        if point is not None and view.problem.active(point.values)[j]
    ]


def _named(scene: Scene, label: str) -> str:
    return scene.best_word if label == "best" else label


def _objective(axes: Axes, scene: Scene, most: int, look: Look) -> None:
    """Join values with the latent function's posterior means at the evaluated points."""
    theme, view, heights = look.theme, scene.view, scene.heights
    top = axes.twiny()
    heights.apply(top, "x")
    _bare(axes, top, scene.objective + heights.note, "latent f, with bin edges", theme.muted)
    y, seen = heights.y, view.seen
    gone = np.isnan(y)
    _limits(top, y[~gone], worse=bool(np.any(gone)), flipped=heights.high_is_good)
    if not np.any(seen):
        axes.set_xticks([])
    if not len(y):
        axes.text(0.5, 0.5, "no evaluation yet", ha="center", va="center", transform=axes.transAxes)
        top.set_xticks([])
        return
    f, edges = view.fitted_means, view.model.fit.edges
    low, high = _span(np.concatenate([f[seen], edges]))
    axes.set_xlim(low, high)
    away = np.select([view.failed, view.infeasible], [0.15, 0.4], 0.7)
    upper = low + (high - low) * np.where(gone, 1.0 - _WORSE * away, _shares(top.xaxis, np.where(gone, np.nan, y)))
    if 0 < len(edges) <= _TICKED:
        axes.plot(
            edges, np.zeros(len(edges)), "|", color=theme.latent, markersize=9, clip_on=False, gid="bin-edges"
        )  # fmt: skip
    some = _some(seen, most)
    _join(axes, upper[some], f[some], "knots-f", color=theme.data)
    if view.best is not None and seen[view.best]:
        _mark(axes, upper[view.best], f[view.best], "best-f", theme.best, "-", scene.best_word)
    infinite = Trouble(gone & view.succeeded, "infinite", ">", theme.failed, "-")
    for marks, label, marker, colour, _ in (*troubles(view, theme), infinite):
        if np.any(marks):
            axes.plot(
                upper[marks], np.ones(int(marks.sum())), marker, color=colour, markersize=6, clip_on=False,
                label=label, gid=label, zorder=4,
            )  # fmt: skip


def _limits(top: Axes, y: Array, *, worse: bool, flipped: bool) -> None:
    """Set an objective's axis so that it holds its values, the worse ones to the right, with room for failures."""
    scale = top.xaxis.get_transform()
    low, high = scale.transform(np.array([y.min(), y.max()])) if len(y) else (0.0, 1.0)
    if not len(y):
        top.set_xticks([])
    room = (high - low) or max(1.0, abs(low))
    before, after = room * _PAD, room * (_PAD + (_WORSE / (1.0 - _WORSE) if worse else 0.0))
    ends = (high + before, low - after) if flipped else (low - before, high + after)
    top.set_xlim(*scale.inverted().transform(np.array(ends)))


def _span(values: Array) -> tuple[float, float]:
    low, high = float(values.min(initial=np.inf)), float(values.max(initial=-np.inf))
    if not low < high:
        return (low - 1.0, high + 1.0) if low == high else (-1.0, 1.0)
    return low - _PAD * (high - low), high + _PAD * (high - low)


def _leave_out_names(top: Axes) -> None:
    """Of names of levels that have no room beside each other, keep every second, third..."""
    from matplotlib.ticker import FixedLocator

    if isinstance(top.xaxis.get_major_locator(), FixedLocator):
        names = [label.get_text() for label in top.get_xticklabels()]
        room = _LETTERS * top.figure.get_figwidth() * top.get_position().width
        stride = math.ceil(sum(len(name) + 2 for name in names) / room)
        top.set_xticks(top.get_xticks()[:: max(1, stride)], names[:: max(1, stride)])


def _bare(axes: Axes, top: Axes, upper: str, lower: str, muted: str) -> None:
    """Leave of a band its two horizontal axes, with their labels at the left."""
    axes.set_ylim(0.0, 1.0)
    axes.set_yticks([])
    top.spines["top"].set_visible(True)
    for side in ("left", "bottom"):
        top.spines[side].set_visible(False)
    axes.spines["left"].set_visible(False)
    top.set_xlabel(upper, loc="left")
    axes.set_xlabel(lower, loc="left")
    for each in (axes, top):
        each.tick_params(labelsize=7.5, pad=1.5)
        each.xaxis.labelpad = 3.0
        each.xaxis.label.set_fontsize(8.5)
    axes.xaxis.label.set_color(muted)
    _leave_out_names(top)


def _shares(axis: Any, values: Array) -> Array:
    """Return where values stand along an axis as shares of it."""
    scale = axis.get_transform()
    low, high = scale.transform(np.array(axis.get_view_interval()))
    return np.asarray((scale.transform(np.asarray(values, dtype=np.float64)) - low) / (high - low))


def _some(drawn: BoolArray, most: int) -> IntArray:
    """Return the places of what is drawn, evenly thinned where it is too much."""
    places = np.flatnonzero(drawn)
    return places[np.array(spread_out(len(places), most), dtype=np.int64)]


def _join(
    axes: Axes, upper: Array, lower: Array, gid: str, color: str, linestyle: str = "-", label: str | None = None
) -> None:
    """Draw lines from the upper axis to the lower one; many are thin and transparent, in layers that add up."""
    from matplotlib.collections import PathCollection
    from matplotlib.path import Path

    number = len(upper)
    if not number:
        return
    ends = np.stack([upper, np.ones(number), lower, np.zeros(number)], axis=1).reshape(number, 2, 2)
    layers = 1 if number <= 100 else 6
    codes = np.array([Path.MOVETO, Path.LINETO], dtype=np.uint8)
    paths = [Path(part.reshape(-1, 2), np.tile(codes, len(part))) for part in (ends[k::layers] for k in range(layers))]
    width, alpha = float(np.clip(12.0 / number, 0.3, 0.9)), float(np.clip(25.0 / number, 0.3, 0.8))
    lines = PathCollection(paths, facecolors="none", edgecolors=color, linewidths=width, linestyles=linestyle)
    lines.set(gid=gid, alpha=alpha)
    axes.add_collection(lines, autolim=False)
    if label:
        axes.plot([], [], color=color, linestyle=linestyle, linewidth=1.0, label=label)


def _mark(axes: Axes, upper: float, lower: float, gid: str, colour: str, dashes: str, label: str) -> None:
    """Draw the line of a point that stands out, with a mark at either end."""
    marker, size = ("*", 8.0) if gid.startswith("best") else ("D", 4.5)
    axes.plot(
        [upper, lower], [1.0, 0.0], color=colour, linestyle=dashes, linewidth=2.0, marker=marker, markersize=size,
        clip_on=False, label=label, gid=gid, zorder=5,
    )  # fmt: skip


def _words(scene: Scene, drawn: list[Knots | LevelKnots]) -> str:
    view, name = scene.view, scene.all.label
    number = len(view.evaluations)
    by_length = sorted(drawn, key=lambda knots: knots.length)
    short, long = by_length[0], by_length[-1]
    words = [
        f"Lines join the {scene.counted(number)} on the axes in the user's units, above, with their places on"
        " the latent axes, below."
        if number
        else "There is no evaluation yet: the latent axes are those of the prior."
    ]
    if short is not long:
        words.append(
            f"{name(long.j)} is longest in the latent space with {long.length:.3g}, {name(short.j)} shortest with"
            f" {short.length:.3g}."
        )
    else:
        words.append(f"{name(long.j)} is {long.length:.3g} long in the latent space.")
    if number:
        words += _longest(long)
        words += [_farthest(each) for each in drawn if isinstance(each, LevelKnots)]
        words.append(_order(scene))
    if (point := view.suggestion) is not None:
        used = view.problem.active(point.values)
        where = [
            f"{scene.all.parameters[k.j].name} {scene.all.value(k.j, float(point.values[k.j]), unit=False)}"
            for k in drawn if used[k.j]
        ]  # fmt: skip
        words += [f"The next point is at {', '.join(where[:_SPOKEN])}."] if where else []
    return " ".join(words)


def _longest(long: Knots | LevelKnots) -> list[str]:
    """Return where the longest axis is long."""
    if isinstance(long, LevelKnots):
        return []
    k = long.widest
    words = [f"Its widest latent gap, {np.diff(long.s)[k]:.3g}, lies between {between(long, k)}."]
    return words + ([stretch(long)] if long.stretched is not None else [])


def _farthest(levels: LevelKnots) -> str:
    """Return which levels of a parameter without an order are farthest apart."""
    first, second = np.sort(np.argsort(-levels.s, kind="stable")[:2]).tolist()
    one, other = levels.scene.all.words(levels.j, [first, second])
    return f"Of the levels of {levels.parameter.name} {one} and {other} are farthest apart, {levels.length:.3g}."


def _order(scene: Scene) -> str:
    """Say whether the latent means are in the order of the values."""
    view = scene.view
    f, rank = view.fitted_means[view.seen], view.ranks[view.seen]
    middles = np.array([f[rank == k].mean() for k in np.unique(rank)])
    swapped = int(np.sum(np.diff(middles) <= 0.0))
    failures = sentence(scene)
    if len(middles) < 2:
        return "All results are alike." + failures
    if not swapped:
        return "The latent values are in the order of the observed ones." + failures
    have = "has" if swapped == 1 else "have"
    return f"{counted(swapped, 'pair')} of neighbouring results {have} latent values in the other order.{failures}"
