"""The fit along one parameter (the paper's 1D example): data, distances, and the latent function with its band."""

from __future__ import annotations

import math
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array, BoolArray
from ordbo_cli.pictures.failures import Trouble, mark, sentence, troubles
from ordbo_cli.pictures.labels import broken, title
from ordbo_cli.pictures.scales import Heights, heights
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.sentences import best, next_bound, of_campaigns
from ordbo_cli.pictures.style import Axes, Look, Picture, legend, star
from ordbo_cli.pictures.warp_knots import Knots, stretch

_GRID: Final = 500  # points of a curve
_DETAILED: Final = 100  # evaluations at most whose bins are drawn
_VECTOR: Final = 300  # evaluations at most that an SVG holds as marks of their own
_ESSENTIAL: Final = (
    "truth",
    "evaluations",
    "failed",
    "infinite",
    "infeasible",
    "best",
    "best by mean",
    "next",
    "latent mean",
    "lower bound",
)
_ROOM: Final = 0.08  # of the objective's axis, for failures
_LETTER: Final = 0.075  # inches
_TALL, _WIDE = 4.5, 7.0  # inches from which there is room for three panels


@dataclass(frozen=True)
class Line:
    """A line along one parameter, through the best point where there are others.

    Args:
        scene: what is drawn.
    """

    scene: Scene

    @property
    def j(self) -> int:
        """The parameter."""
        return self.scene.axes[0]

    @cached_property
    def knots(self) -> Knots:
        """Of its warp."""
        return Knots(self.scene, self.scene.view.space.columns[self.j])

    @cached_property
    def on(self) -> BoolArray:
        """Which evaluations lie on it, between the bounds [N]."""
        return np.asarray(self.scene.slice.evaluated & self.scene.slice.shown)

    @cached_property
    def off(self) -> BoolArray:
        """Which evaluations between the bounds do not [N]."""
        return np.asarray(~self.on & self.scene.slice.shown)

    @cached_property
    def truth(self) -> tuple[Array, Array] | None:
        """The true function along it, where it is known: values of the parameter, and what it gives there."""
        view, truth = self.scene.view, self.scene.truth
        if truth is None:
            return None
        x = self.scene.along.grid(self.j, _GRID)
        X = np.tile(view.through, (len(x), 1))
        X[:, self.j] = x
        return x, np.array([truth.function(point) for point in X], dtype=np.float64)

    @cached_property
    def heights(self) -> Heights:
        """Where observed values and then the truth's stand on an axis [N + G]."""
        view = self.scene.view
        true = () if self.truth is None else map(float, self.truth[1])
        known = [Decimal(repr(y)) if math.isfinite(y) else None for y in true]
        return heights([*(e.objective for e in view.evaluations), *known], view.problem.goal, view.problem.grades)

    @cached_property
    def s(self) -> Array:
        """Latent places along it, knots among them [G]."""
        even = np.linspace(self.knots.s[0], self.knots.s[-1], _GRID)
        some = self.knots.s[:: 1 + len(self.knots.s) // _GRID]
        return np.asarray(np.unique(np.concatenate([even, some])))

    def moments(self, s: Array) -> tuple[Array, Array]:
        """Return means and deviations of the latent function at latent places along it [P]."""
        return self.scene.view.moments(self.scene.slice.points(s[:, None]))


def draw(scene: Scene, look: Look) -> Picture:
    """Draw the data, the warp that says how distances change, and the latent function, one under another."""
    line = Line(scene)
    width, height = look.size or (6.4, 7.0)
    rows, columns = (3, 1) if height >= _TALL else (1, 3) if width >= _WIDE else (2, 1)
    with look.figure(width, height) as figure:
        panels = figure.subplots(rows, columns, squeeze=False).ravel()
        _data(panels[0], line, look)
        if len(panels) == 3:
            _distances(panels[1], line, look)
        _latent(panels[-1], line, look)
        if rows == 3:
            panels[0].set_xlabel("")
            panels[0].tick_params(labelbottom=False)
        for panel in panels:
            _fold(panel, width / columns - 0.8, (height - 1.6) / rows - 0.45)
        where = f", {scene.elsewhere}" if scene.elsewhere else ""
        title(figure, f"{scene.name}: fit along {scene.along.name(line.j)}{where}")
        if len(panels) < 3:
            _abridge(panels)
        legend(figure, *panels)
    return Picture(figure, "Fit", _words(line), look)


def _fold(panel: Axes, across: float, up: float) -> None:
    """Break a title that is wider than so many inches; a label that is longer than its axis goes into the title."""
    words, beside = panel.get_title(loc="left"), panel.get_ylabel()
    if _LETTER * len(beside) > up:
        panel.set_ylabel("")
        words = f"{words}: {beside}"
    panel.set_title(broken(words, across))


def _abridge(panels: Any) -> None:
    """Leave of the legend's entries those that matter most."""
    for panel in panels:
        for handle, name in zip(*panel.get_legend_handles_labels(), strict=True):
            if name not in _ESSENTIAL:
                handle.set_label(f"_{name}")


def _data(axes: Axes, line: Line, look: Look) -> None:
    scene, theme, view, j = line.scene, look.theme, line.scene.view, line.j
    scene.along.frame(axes, "x", j)
    number = len(view.evaluations)
    y, x = line.heights.y[:number], view.X[:, j]
    _shade(axes, line, look, latent=False)
    if line.truth is not None:
        axes.plot(line.truth[0], line.heights.y[number:], "-", color=theme.muted, lw=1.0, label="truth", gid="truth")
    good = ~np.isnan(y)
    for which, sign, colour, size, name in (
        (line.off & good, ".", theme.muted, 4.0, "off the slice"),
        (line.on & good, "o", theme.data, 5.0, f"{scene.noun}s"),
    ):
        if np.any(which):
            gid = "observations" if sign == "o" else "off-slice"
            axes.plot(
                x[which], y[which], sign, color=colour, markersize=size, label=name, gid=gid, clip_on=False,
                rasterized=number > _VECTOR,
            )  # fmt: skip
    worse = 0.03 if line.heights.high_is_good else 0.97
    infinite = Trouble(~good & view.succeeded, "infinite", "^", theme.failed, "-")
    for trouble in (*troubles(view, theme), infinite):
        mark(axes, x[trouble.which & scene.slice.shown], worse, trouble)
    for each in scene.campaigns:  # whose results have another scale
        axes.plot(
            each.X[:, j], np.full(len(each.X), 1.0 - worse), each.mark, color="none", markeredgecolor=theme.muted,
            markersize=4, label=each.label, gid=f"campaign-{each.name}", transform=axes.get_xaxis_transform(),
            clip_on=False,
        )  # fmt: skip
    if view.best is not None:
        star(axes, x[view.best], y[view.best], theme, "best", label=scene.best_word)
    if not number:
        axes.text(0.5, 0.5, "no evaluation yet", ha="center", va="center", transform=axes.transAxes)
    line.heights.apply(axes)
    if np.any(good) and np.any(scene.slice.shown & ~good):
        _make_room(axes, low=line.heights.high_is_good)
    if not np.any(good) and line.truth is None:
        axes.set_yticks([])
    axes.set_ylabel(scene.objective + line.heights.note)
    axes.set_title("original space")


def _make_room(axes: Axes, *, low: bool) -> None:
    """Lengthen a vertical axis at its low or its high end, for what is worse than any number."""
    scale = axes.yaxis.get_transform()
    bottom, top = scale.transform(np.array(axes.get_ylim()))
    room = _ROOM * (top - bottom)
    ends = (bottom - room, top) if low else (bottom, top + room)
    axes.set_ylim(*scale.inverted().transform(np.array(ends)))


def _distances(axes: Axes, line: Line, look: Look) -> None:
    """Draw the warp: how far apart the model takes values to be that lie so far apart in the user's units."""
    scene, theme, knots = line.scene, look.theme, line.knots
    scene.along.frame(axes, "x", line.j)
    _shade(axes, line, look, latent=False)
    ends = [0, len(knots.x) - 1]
    axes.plot(knots.x[ends], knots.s[ends], "--", color=theme.muted, lw=1.0, label="no warp", gid="no-warp")
    axes.plot(knots.x, knots.s, "-", color=theme.latent, label="warp", gid="warp")
    some = knots.evaluated
    if 0 < np.sum(some) <= _DETAILED:
        axes.plot(knots.x[some], knots.s[some], "o", color=theme.latent, markersize=3.5, clip_on=False, gid="knots")
    axes.set_ylim(float(knots.s[0]), float(knots.s[-1]))
    axes.set_ylabel("latent s")
    axes.set_title("distances: a steep warp moves values apart")


def _latent(axes: Axes, line: Line, look: Look) -> None:
    scene, theme, view, s = line.scene, look.theme, line.scene.view, line.s
    mean, sd = line.moments(s)
    beta = view.acquisition.beta
    low, high = mean - beta * sd, mean + beta * sd
    _shade(axes, line, look, latent=True)
    axes.fill_between(
        s, low, high, color=theme.latent, alpha=0.2, linewidth=0, label=f"mean ± {beta:g} sd", gid="band"
    )  # fmt: skip
    axes.plot(s, mean, "-", color=theme.latent, label="latent mean", gid="mean")
    axes.plot(s, low, "-", color=theme.ink, linewidth=0.8, label="lower bound", gid="lcb")
    edges = view.surrogate.fit.edges
    bottom, top = min(low.min(), edges.min(initial=np.inf)), max(high.max(), edges.max(initial=-np.inf))
    pad = 0.04 * (top - bottom)
    axes.set_ylim(bottom - pad, top + pad)
    axes.set_xlim(float(line.knots.s[0]), float(line.knots.s[-1]))
    if 0 < len(edges) <= _DETAILED:
        axes.plot(
            np.full(len(edges), 1.0), edges, "_", color=theme.latent, markersize=9, clip_on=False, gid="bin-edges",
            label="bin edges", transform=axes.get_yaxis_transform(),
        )  # fmt: skip
    _latent_points(axes, line, look)
    axes.set_xlabel(f"latent {scene.along.name(line.j)}")
    axes.set_ylabel("latent f")
    axes.set_title("latent space" if line.scene.view.compared else "latent space, with the bins of the observations")


def _latent_points(axes: Axes, line: Line, look: Look) -> None:
    """Mark what was observed: the posterior mean at each point in the bin of its rank; and the next point's bound."""
    theme, view = look.theme, line.scene.view
    on, seen = line.on, view.seen
    if np.any(seen):
        place, f = view.warped(line.j, view.X[:, line.j]), view.fitted_means
        if np.any(line.off & seen):
            some = line.off & seen
            axes.plot(place[some], f[some], ".", color=theme.muted, markersize=3, gid="off-means")
        if np.sum(on & seen) <= _DETAILED and not view.compared:  # comparisons have no bins
            _bins(axes, line, place, look)
        if np.any(some := on & seen):  # an empty mark that is not clipped upsets the layout
            axes.plot(
                place[some], f[some], "o", color=theme.data, markersize=4, clip_on=False, gid="means",
                rasterized=len(some) > _VECTOR,
            )  # fmt: skip
        if view.best is not None and seen[view.best]:
            star(axes, place[view.best], f[view.best], theme, "best-mean")
    if view.next is not None and line.scene.slice.holds(view.next[None, :])[0]:
        s = view.latent(view.next[None, :])
        axes.plot(
            s[:, line.j], view.acquisition.values(s), "X", color=theme.next, markeredgecolor=theme.paper, markersize=9,
            label="its bound", gid="next-bound", zorder=6,
        )  # fmt: skip


def _bins(axes: Axes, line: Line, place: Array, look: Look) -> None:
    """Draw the bin that each observation on the line says that the latent value lies in, noise aside."""
    from matplotlib.collections import LineCollection

    view = line.scene.view
    edges = np.concatenate([[axes.get_ylim()[0]], view.surrogate.fit.edges, [axes.get_ylim()[1]]])
    rank = np.full(len(place), -1)
    rank[view.seen] = np.unique(view.ranks[view.seen], return_inverse=True)[1]
    some = np.flatnonzero(line.on & view.seen)
    bars = [[(place[i], edges[rank[i]]), (place[i], edges[rank[i] + 1])] for i in some]
    axes.add_collection(
        LineCollection(bars, colors=look.theme.data, linewidths=3.0, alpha=0.35, label="observed bin", gid="bins"),
        autolim=False,
    )


def _shade(axes: Axes, line: Line, look: Look, *, latent: bool) -> None:
    """Shade the gap that is stretched most and the cell of the next point, and mark that point and what is out."""
    theme, view, knots, j = look.theme, line.scene.view, line.knots, line.j
    at = knots.s if latent else knots.x
    if (k := knots.stretched) is not None:
        axes.axvspan(
            at[k], at[k + 1], color=theme.grid, alpha=0.6, linewidth=0, label="stretched most", gid="stretched"
        )  # fmt: skip
    cell = view.proposal.record.cell if view.proposal else None
    if cell and line.scene.slice.next_cell is not None:
        ends = np.array(cell[j])
        ends = view.warped(j, ends) if latent else ends
        axes.axvspan(
            *ends, facecolor="none", edgecolor=theme.next, hatch="////", alpha=0.6, linewidth=0, label="next cell",
            gid="next-cell",
        )  # fmt: skip
    marked = [(view.pending[:, j], ":", "pending")] + ([] if view.next is None else [(view.next[[j]], "--", "next")])
    for x, dashes, name in marked:
        for first, place in enumerate(view.warped(j, x) if latent else x):
            label = None if first else name
            axes.axvline(place, color=theme.next, linestyle=dashes, linewidth=1.4, label=label, gid=name, zorder=3)


def _words(line: Line) -> str:
    scene, view = line.scene, line.scene.view
    name = scene.along.name(line.j)
    number = len(view.evaluations)
    if not number:
        words = [f"There is no evaluation yet: the latent function along {name} is the prior."]
    else:
        words = [f"{scene.counted(number)} along {name} with the latent function that explains their order."]
    if scene.elsewhere:
        words[0] = f"{words[0][:-1]}, on a {scene.elsewhere}; {int(line.on.sum())} of them on it."
    if view.leader is not None:
        where = scene.along.value(line.j, float(view.through[line.j]))
        words.append(f"{best(scene)[:-1]}, at {where}.")
    elif number:
        words.append("None of them succeeded within the bounds.")
    words.append(sentence(scene).strip())
    words.append(of_campaigns(scene))
    if number and line.knots.stretched is not None:
        words.append(stretch(line.knots))
    if view.next is not None and view.proposal is not None:
        lowest, bound = next_bound(scene), ""
        if math.isfinite(lowest):
            bound = f", in a cell whose lower confidence bound is {lowest:.3g}"
        words.append(f"The next point is at {scene.along.value(line.j, float(view.next[line.j]))}{bound}.")
    return " ".join(filter(None, words))
