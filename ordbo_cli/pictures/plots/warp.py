"""The warps (the paper's first figure): original and latent axes joined, of the parameters and of the objective."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array, BoolArray, IntArray
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Axes, Look, Picture, legend
from ordbo_cli.pictures.words import counted

_LINES: Final = 1500  # of a whole picture: an SVG of more is too large for a report
_WIDTHS: Final = (6.4, 9.0, 11.5)  # inches of pictures of one to three columns
_BAND: Final = 1.4  # inches of height of one band, and what a picture needs beside them
_BESIDE: Final = 0.6
_ROWS: Final = 8  # of bands at most, where no size is asked for
_TICKED: Final = 100  # bin edges at most that are shown
_GAIN: Final = 0.01  # of the latent length: what a gap has to gain before one says that it is stretched
_PAD, _WORSE = 0.03, 0.1  # shares of the objective's axis: beside its values, and beyond its worse end for failures


@dataclass(frozen=True)
class Knots:
    """The knots of one parameter's warp between its bounds, and the gaps between them.

    Args:
        scene: what is drawn.
        j: the parameter.
    """

    scene: Scene
    j: int

    @cached_property
    def within(self) -> slice:
        """Those between the bounds."""
        box = self.scene.view.surrogate.warp.box
        return slice(box.lower[self.j], box.upper[self.j] + 1)

    @property
    def x(self) -> Array:
        """Values [n]."""
        return self.scene.view.surrogate.warp.knots[self.j][self.within]

    @property
    def s(self) -> Array:
        """Latent places [n]."""
        return self.scene.view.surrogate.warp.coordinates[self.j][self.within]

    @property
    def length(self) -> float:
        """From bound to bound in the latent space."""
        return float(self.s[-1] - self.s[0])

    @cached_property
    def widest(self) -> int:
        """Place of the knot before the longest latent gap."""
        return int(np.argmax(np.diff(self.s)))

    @cached_property
    def gaps(self) -> Array:
        """Each gap's share of the range, on the parameter's own scale, and of the latent length [2, n - 1]."""
        share = self.scene.view.space.axes[self.j].share(self.x)
        return np.stack([np.diff(share), np.diff(self.s) / self.length])

    @cached_property
    def stretched(self) -> int | None:
        """Place of the knot before the gap whose share gains most, where one does: the objective changes fast there.

        The ratio of both shares would not do: between two values that all but coincide it is as large as one likes.
        """
        if not len(self.scene.view.surrogate.fit.edges):  # all results are alike, or there is none
            return None
        gain = self.gaps[1] - self.gaps[0]
        k = int(np.argmax(gain))
        return k if gain[k] > max(_GAIN, 0.1 * self.gaps[0, k]) else None

    @cached_property
    def evaluated(self) -> BoolArray:
        """Whether a knot is an evaluated value, not only a bound or a pending one [n]."""
        return np.isin(self.x, self.scene.view.X[self.scene.view.seen, self.j])

    @cached_property
    def pending(self) -> BoolArray:
        """Whether a knot is only a pending value [n]."""
        points = np.array(self.scene.view.pending, dtype=np.float64).reshape(-1, self.scene.dimension)
        return np.isin(self.x, points[:, self.j]) & ~self.evaluated

    @property
    def outside(self) -> int:
        """Number of evaluations whose value lies outside the bounds."""
        low, high = self.scene.limits(self.j)
        values = self.scene.view.X[:, self.j]
        return int(np.sum((values < low) | (values > high)))


def draw(scene: Scene, look: Look) -> Picture:
    """Draw a band of two parallel axes for each parameter and for the objective, what belongs together joined.

    All latent axes of parameters have one scale, so that their lengths compare. Where there is no room for all, those
    of most latent length are drawn.
    """
    wanted = scene.shown or tuple(range(scene.dimension))
    rows, columns, size = _layout(len(wanted) + 1, look)
    longest = np.argsort(-scene.view.lengths[list(wanted)], kind="stable")[: rows * columns - 1]
    drawn = [Knots(scene, wanted[k]) for k in sorted(longest.tolist())]
    reach = max(knots.length for knots in drawn)
    with look.figure(*size) as figure:
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        for panel, knots in zip(panels, drawn, strict=False):
            _parameter(panel, knots, reach, max(50, _LINES // (len(drawn) + 1)), look)
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
    scene, theme, view, j = knots.scene, look.theme, knots.scene.view, knots.j
    top = axes.twiny()
    scene.frame_x(top, j)
    low = float(knots.s[0])
    axes.set_xlim(low, low + reach)
    missing = f", {knots.outside} outside" if knots.outside else ""
    _bare(axes, top, f"{scene.label(j)}{missing}", f"latent s, length {knots.length:.3g}", theme.muted)
    axes.spines["bottom"].set_bounds(low, float(knots.s[-1]))
    ticks = [tick for tick in axes.get_xticks() if low <= tick <= knots.s[-1]]
    axes.set_xticks(ticks)
    upper = low + reach * _shares(top.xaxis, knots.x)
    if (k := knots.stretched) is not None:
        axes.fill(
            [upper[k], upper[k + 1], knots.s[k + 1], knots.s[k]], [1, 1, 0, 0], color=theme.latent, alpha=0.25,
            linewidth=0, label="stretched most", gid=f"stretched-{j}",
        )  # fmt: skip
    ends = [0, len(upper) - 1]
    _join(axes, upper[ends], knots.s[ends], f"bounds-{j}", color=theme.muted, label="bounds")
    some = _some(knots.evaluated, most)
    _join(axes, upper[some], knots.s[some], f"knots-{j}", color=theme.data, label="evaluations")
    out = knots.pending
    _join(axes, upper[out], knots.s[out], f"pending-{j}", color=theme.next, linestyle=":", label="pending")
    for point, label, colour, dashes in _marked(scene, theme):
        x = point[[j]]
        if knots.x[0] <= x[0] <= knots.x[-1]:
            place = low + reach * _shares(top.xaxis, x)
            _mark(axes, float(place[0]), float(view.warped(j, x)[0]), f"{label}-{j}", colour, dashes)


def _marked(scene: Scene, theme: Any) -> list[tuple[Array, str, str, str]]:
    """Return the points whose lines stand out: place, name, colour and line style."""
    view = scene.view
    best = [] if view.best is None else [(view.X[view.best], "best", theme.best, "-")]
    return best + ([] if view.next is None else [(view.next, "next", theme.next, "--")])


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
    f = np.full(len(y), np.nan)
    f[seen] = view.means(view.latent(view.X[seen]))
    edges = view.surrogate.fit.edges
    low, high = _span(np.concatenate([f[seen], edges]))
    axes.set_xlim(low, high)
    upper = low + (high - low) * np.where(
        gone, 1.0 - _WORSE * np.where(view.failed, 0.25, 0.6), _shares(top.xaxis, np.where(gone, np.nan, y))
    )
    if 0 < len(edges) <= _TICKED:
        axes.plot(
            edges, np.zeros(len(edges)), "|", color=theme.latent, markersize=9, clip_on=False, gid="bin-edges"
        )  # fmt: skip
    some = _some(seen, most)
    _join(axes, upper[some], f[some], "knots-f", color=theme.data)
    if view.best is not None and seen[view.best]:
        _mark(axes, upper[view.best], f[view.best], "best-f", theme.best, "-")
    infinite = gone & ~view.failed
    for marks, marker, label in ((view.failed, "x", view.failed_word), (infinite, ">", "infinite")):
        if np.any(marks):
            axes.plot(
                upper[marks], np.ones(int(marks.sum())), marker, color=theme.failed, markersize=6, clip_on=False,
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


def _shares(axis: Any, values: Array) -> Array:
    """Return where values stand along an axis as shares of it."""
    scale = axis.get_transform()
    low, high = scale.transform(np.array(axis.get_view_interval()))
    return np.asarray((scale.transform(np.asarray(values, dtype=np.float64)) - low) / (high - low))


def _some(drawn: BoolArray, most: int) -> IntArray:
    """Return the places of what is drawn, evenly thinned where it is too much."""
    places = np.flatnonzero(drawn)
    kept = np.linspace(0, len(places) - 1, min(most, len(places))).round().astype(np.int64)
    return places[kept].astype(np.int64)


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


def _mark(axes: Axes, upper: float, lower: float, gid: str, colour: str, dashes: str) -> None:
    """Draw the line of a point that stands out, with a mark at either end."""
    label = gid.rsplit("-", 1)[0]
    marker, size = ("*", 8.0) if label == "best" else ("D", 4.5)
    axes.plot(
        [upper, lower], [1.0, 0.0], color=colour, linestyle=dashes, linewidth=2.0, marker=marker, markersize=size,
        clip_on=False, label=label, gid=gid, zorder=5,
    )  # fmt: skip


def _words(scene: Scene, drawn: list[Knots]) -> str:
    view = scene.view
    number = len(view.evaluations)
    by_length = sorted(drawn, key=lambda knots: knots.length)
    short, long = by_length[0], by_length[-1]
    name = scene.label
    words = [
        f"Lines join the {counted(number, 'evaluation')} on the axes in the user's units, above, with their places on"
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
        k = long.widest
        words.append(f"Its widest latent gap, {np.diff(long.s)[k]:.3g}, lies between {between(long, k)}.")
        words += [stretch(long)] if long.stretched is not None else []
        words.append(_order(scene))
    if view.next is not None:
        where = ", ".join(
            f"{scene.parameters[k.j].name} {scene.value(k.j, float(view.next[k.j]), unit=False)}" for k in drawn[:4]
        )
        words.append(f"The next point is at {where}.")
    return " ".join(words)


def between(knots: Knots, k: int) -> str:
    """Name the values around a gap, with as many digits as tell them apart."""
    low, high = float(knots.x[k]), float(knots.x[k + 1])
    digits = next((n for n in range(4, 17) if f"{low:.{n}g}" != f"{high:.{n}g}"), 17)
    return f"{low:.{digits}g} and {high:.{digits}g}"


def stretch(knots: Knots) -> str:
    """Say between which values a parameter's axis is stretched most."""
    k = knots.stretched or 0
    before, after = (100.0 * share for share in knots.gaps[:, k])
    return (
        f"Its axis is stretched most between {between(knots, k)}, where {before:.2g}% of the range take {after:.2g}% of"
        " the latent length: there the model sees the objective change fastest."
    )


def _order(scene: Scene) -> str:
    """Say whether the latent means are in the order of the values."""
    view = scene.view
    f, rank = view.means(view.latent(view.X[view.seen])), view.ranks[view.seen]
    middles = np.array([f[rank == k].mean() for k in np.unique(rank)])
    swapped = int(np.sum(np.diff(middles) <= 0.0))
    failed = int(view.failed.sum())
    failures = f" {counted(failed, 'evaluation')} {view.failed_verb}." if failed else ""
    if len(middles) < 2:
        return "All results are alike." + failures
    if not swapped:
        return "The latent values are in the order of the observed ones." + failures
    have = "has" if swapped == 1 else "have"
    return f"{counted(swapped, 'pair')} of neighbouring results {have} latent values in the other order.{failures}"
