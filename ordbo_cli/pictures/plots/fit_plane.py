"""The fit in a plane of two parameters (the paper's 2D example): evaluations in order of arrival, in both spaces."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array, BoolArray
from ordbo_cli.pictures.failures import sentence, troubles
from ordbo_cli.pictures.labels import broken, label, title
from ordbo_cli.pictures.plots.regret import shades
from ordbo_cli.pictures.scales import spread_out
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.sentences import best, of_campaigns
from ordbo_cli.pictures.style import Axes, Figure, Look, Picture, break_long_labels, legend, settle
from ordbo_cli.pictures.words import counted
from ordbo_cli.search.success_field import SuccessField

_GRID: Final = 101  # points along each axis
_WORK: Final = 4_000_000  # covariances that a background may take
_NUMBERED: Final = 60  # evaluations at most that carry their number
_DARKEST: Final = 0.5  # of the shades' opacity
_LEVELS: Final = np.linspace(0.1, 0.9, 9)
_NEAR: Final = 0.1  # of a parameter's range
_EVEN: Final = 0.5  # chance to fail


@dataclass(frozen=True)
class FitPlane:
    """A plane of two parameters, through the best point where there are others.

    Args:
        scene: what is drawn.
    """

    scene: Scene

    @cached_property
    def on(self) -> BoolArray:
        """Which evaluations lie on it, between the bounds [N]."""
        return np.asarray(self.scene.slice.evaluated & self.scene.slice.shown)

    @property
    def number(self) -> int:
        """Points of the background along each axis: fewer where there are very many rows."""
        return int(np.clip(math.sqrt(_WORK / max(1, len(self.scene.view.surrogate.posterior.S))), 31, _GRID))

    @cached_property
    def true(self) -> tuple[list[Array], Array] | None:
        """The true function in the user's units, where it is known: values of both parameters, ranks from 0 to 1."""
        view, truth = self.scene.view, self.scene.truth
        if truth is None:
            return None
        spans = [self.scene.along.grid(j, _GRID) for j in self.scene.axes]
        X = np.tile(view.through, (_GRID**2, 1))
        X[:, self.scene.axes] = _mesh(spans)
        values = np.array([truth.function(x) for x in X], dtype=np.float64)
        return spans, shades(_over(spans, values))

    def modelled(self, *, latent: bool) -> tuple[list[Array], Array]:
        """Return the latent function's mean over one of the spaces: coordinates of both axes, ranks from 0 to 1."""
        spans, s = self._mesh(latent=latent)
        return spans, shades(_over(spans, self.scene.view.means(s)))

    @cached_property
    def success(self) -> SuccessField | None:
        """The chances to succeed; None where nothing has failed."""
        return self.scene.view.surrogate.success

    def failing(self, success: SuccessField, *, latent: bool) -> tuple[list[Array], Array]:
        """Return the chances to fail over one of the spaces, with the coordinates of both axes."""
        spans, s = self._mesh(latent=latent)
        return spans, 1.0 - _over(spans, success.chances(s))

    def _mesh(self, *, latent: bool) -> tuple[list[Array], Array]:
        """Return coordinates of both axes of a space, and the latent points of all pairs [P, D]."""
        view, axes = self.scene.view, self.scene.axes
        if latent:
            low, high = (edge[list(axes)] for edge in view.surrogate.warp.box.edges(view.surrogate.warp.coordinates))
            spans = [np.linspace(a, b, self.number) for a, b in zip(low, high, strict=True)]
            along = spans
        else:
            spans = [self.scene.along.grid(j, self.number) for j in axes]
            along = [view.warped(j, x) for j, x in zip(axes, spans, strict=True)]
        return spans, self.scene.slice.points(_mesh(along))


def draw(scene: Scene, look: Look) -> Picture:
    """Draw the evaluations coloured by arrival over the objective, in the user's units and in the latent space."""
    plane = FitPlane(scene)
    width, height = look.size or (8.6, 4.6)
    with look.figure(width, height) as figure:
        shape = (2, 1) if height > 1.2 * width else (1, 2)
        panels = figure.subplots(*shape, squeeze=False).ravel()
        room = (width - 1.2) / shape[1] - 0.4, (height - 1.2) / shape[0] - 0.4
        for panel, latent in zip(panels, (False, True), strict=True):
            _background(panel, plane, look, latent=latent)
            _edge_of_failures(panel, plane, look, latent=latent)
            marks = _points(panel, plane, look, latent=latent)
            _set_up(panel, plane, room, latent=latent)
            if not scene.view.evaluations:
                panel.text(0.5, 0.5, "no evaluation yet", ha="center", va="center", transform=panel.transAxes)
        if marks is not None:
            _bar(figure, panels, marks, len(scene.view.evaluations))
        elsewhere = f", {scene.elsewhere}" if scene.elsewhere else ""
        title(figure, f"{scene.name}: evaluations over time{elsewhere}")
        legend(figure, *panels)
        _number(figure, panels, plane, look)
    return Picture(figure, "Fit", _words(plane), look)


def _mesh(spans: list[Array]) -> Array:
    """Return all pairs, the first coordinate running fastest [P, 2]."""
    first, second = np.meshgrid(*spans)
    return np.column_stack([first.ravel(), second.ravel()])


def _over(spans: list[Array], values: Array) -> Array:
    """Return values at these pairs as an image: a row for each second coordinate."""
    return values.reshape(len(spans[1]), len(spans[0]))


def _background(axes: Axes, plane: FitPlane, look: Look, *, latent: bool) -> None:
    """Shade what is known of the objective, and draw its contour lines, both by rank: only order counts."""
    from matplotlib.colors import LinearSegmentedColormap, to_rgb

    theme = look.theme
    (x, y), Z = plane.true if plane.true is not None and not latent else plane.modelled(latent=latent)
    # Transparent, so that they suit whatever paper the picture is put on.
    strong, none = (*to_rgb(theme.muted), _DARKEST), (*to_rgb(theme.muted), 0.0)
    tones = LinearSegmentedColormap.from_list("tones", [strong, none], N=len(_LEVELS) + 1)
    flat = np.nanmin(Z, initial=1.0) >= np.nanmax(Z, initial=0.0)
    axes.pcolormesh(
        x, y, np.where(Z >= 0.0, 1.0, Z) if flat else Z, cmap=tones, vmin=0.0, vmax=1.0, shading="nearest",
        zorder=0.0, rasterized=True, gid="latent-shades" if latent else "shades",
    )  # fmt: skip
    if not flat:
        axes.contour(x, y, Z, levels=_LEVELS, colors=theme.muted, linewidths=0.5, alpha=0.8, zorder=1.0)
        axes.plot([], [], "s", color=strong, markersize=8, label="shade: better")
    if np.any(np.isnan(Z)):
        bad = np.where(np.isnan(Z), 1.0, np.nan)
        tint = LinearSegmentedColormap.from_list("tint", [theme.failed, theme.failed])
        axes.pcolormesh(x, y, bad, cmap=tint, alpha=0.25, shading="nearest", zorder=0.5, rasterized=True, gid="failing")
        axes.plot([], [], "s", color=theme.failed, alpha=0.25, markersize=8, label="fails")


def _edge_of_failures(axes: Axes, plane: FitPlane, look: Look, *, latent: bool) -> None:
    """Draw the line on which an evaluation is as likely to fail as not, where there is one."""
    if plane.success is None:
        return
    (x, y), chance = plane.failing(plane.success, latent=latent)
    if chance.min() < _EVEN < chance.max():
        style: Any = {"linestyles": "dashed", "linewidths": 1.0, "zorder": 1.5}
        axes.contour(x, y, chance, levels=[_EVEN], colors=look.theme.failed, **style).set_gid("even-chance")
        axes.plot([], [], "--", color=look.theme.failed, linewidth=1.0, label="half of them fail")


def _points(axes: Axes, plane: FitPlane, look: Look, *, latent: bool) -> Any:
    """Mark the evaluations; return what the colour bar belongs to, if there is any."""
    scene, theme, view = plane.scene, look.theme, plane.scene.view
    number = len(view.evaluations)
    size, rim = float(np.clip(700.0 / max(1, number), 6.0, 26.0)), 0.5 if number <= 200 else 0.2
    order, xy = np.arange(1, number + 1), _placed(scene, view.X, latent=latent)
    shown, good = scene.slice.shown, view.succeeded
    marks = None
    initial = order <= view.initial
    for which, shape, scale, alpha, name, gid in (
        (shown & good & ~plane.on, "o", 0.35, 0.55, "off the slice", "off-slice"),
        (plane.on & good & initial, "s", 1.0, 1.0, "initial design", "initial"),
        (plane.on & good & ~initial, "o", 1.0, 1.0, f"{scene.noun}s", "observations"),
    ):
        if np.any(which):
            marks = axes.scatter(
                *xy[which].T, c=order[which], vmin=1, vmax=max(2, number), s=max(4.0, size * scale), marker=shape,
                alpha=alpha, edgecolors=theme.ink, linewidths=rim * math.sqrt(scale), label=name, gid=gid, zorder=4,
                clip_on=False,
            )  # fmt: skip
    for trouble in troubles(view, theme):
        for which, scale, alpha in ((plane.on, 6.0, 1.0), (shown & ~plane.on, 4.0, 0.6)):
            if np.any(some := which & trouble.which):
                axes.plot(
                    *xy[some].T, trouble.mark, color=trouble.colour, markersize=scale, alpha=alpha, linestyle="none",
                    label=trouble.word, gid=trouble.word, zorder=6, clip_on=False,
                )  # fmt: skip
    if view.leader is not None:
        axes.plot(
            *_placed(scene, view.through[None, :], latent=latent).T, "*", color=theme.best,
            markeredgecolor=theme.paper, markersize=14.0, label=scene.best_word, gid="best", zorder=6, clip_on=False,
        )  # fmt: skip
    _awaited(axes, plane, look, latent=latent)
    return marks


def _awaited(axes: Axes, plane: FitPlane, look: Look, *, latent: bool) -> None:
    """Mark the next point, hollow off the slice, and what is out."""
    scene, theme, view = plane.scene, look.theme, plane.scene.view
    out = view.pending
    for each in scene.campaigns:
        axes.plot(
            *_placed(scene, each.X, latent=latent).T, each.mark, color="none", markeredgecolor=theme.muted,
            markersize=4, linestyle="none", label=each.label, gid=f"campaign-{each.name}", zorder=3, clip_on=False,
        )  # fmt: skip
    if len(scene.compared):
        axes.plot(
            *_placed(scene, scene.compared, latent=latent).T, "o", color="none", markeredgecolor=theme.data,
            markersize=4, linestyle="none", label="compared only", gid="compared", zorder=5,
        )  # fmt: skip
    if len(out):
        axes.plot(
            *_placed(scene, out, latent=latent).T, "D", color="none", markeredgecolor=theme.next, markersize=5,
            markeredgewidth=1.2, linestyle="none", label="pending", gid="pending", zorder=6,
        )  # fmt: skip
    if view.next is not None:
        on = bool(scene.slice.holds(view.next[None, :])[0])
        axes.plot(
            *_placed(scene, view.next[None, :], latent=latent).T, "X", color=theme.next if on else "none",
            markeredgecolor=theme.paper if on else theme.next, markersize=10, clip_on=False, zorder=7,
            label="next" if on else "next, off the slice", gid="next",
        )  # fmt: skip


def _placed(scene: Scene, X: Array, *, latent: bool) -> Array:
    """Return where points in the user's units are drawn [P, 2]."""
    return (scene.view.latent(X) if latent else X)[:, list(scene.axes)]


def _set_up(axes: Axes, plane: FitPlane, room: tuple[float, float], *, latent: bool) -> None:
    """Set labels, scales and limits of a panel that has so many inches."""
    scene = plane.scene
    first, second = scene.axes
    labels = [scene.along.label(j) for j in scene.axes]
    if latent:
        low, high = scene.view.surrogate.warp.box.edges(scene.view.surrogate.warp.coordinates)
        axes.set_xlim(low[first], high[first])
        axes.set_ylim(low[second], high[second])
        labels = [f"latent {scene.along.name(j)}" for j in scene.axes]
    else:
        scene.along.frame(axes, "x", first)
        scene.along.frame(axes, "y", second)
    axes.set_xlabel(broken(labels[0], room[0]))
    axes.set_ylabel(broken(labels[1], room[1]))
    shown = "truth" if scene.truth is not None and not latent else "model's mean"
    axes.set_title(broken(f"{'latent' if latent else 'original'} space: {shown}", room[0]))


def _bar(figure: Figure, panels: Any, marks: Any, number: int) -> None:
    """Add the colour bar of the order of arrival."""
    if number < 2:
        return
    bar = figure.colorbar(marks, ax=list(panels), label="order of arrival", fraction=0.03, pad=0.01, aspect=30)
    bar.set_alpha(1.0)
    ticks = [1 + place for place in spread_out(number, 6)]
    bar.set_ticks(ticks, labels=list(map(str, ticks)))


def _number(figure: Figure, panels: Any, plane: FitPlane, look: Look) -> None:
    """Write the order of arrival beside the evaluations of the plane, the best and the newest ones first."""
    view = plane.scene.view
    if not 0 < len(view.evaluations) <= _NUMBERED:
        return
    break_long_labels(figure)
    settle(figure)
    places = np.flatnonzero(plane.on)[::-1].tolist()
    if view.best is not None:
        places.sort(key=lambda place: place != view.best)
    for panel, latent in zip(panels, (False, True), strict=True):
        xy = _placed(plane.scene, view.X[places], latent=latent)
        extra = [] if view.next is None else [view.next]
        marks = _placed(plane.scene, np.array([*view.X[places], *extra]), latent=latent)
        label(panel, xy, [str(place + 1) for place in places], look, marks)


def _words(plane: FitPlane) -> str:
    scene, view = plane.scene, plane.scene.view
    number = len(view.evaluations)
    first, second = scene.axes
    names = f"{scene.along.name(first)} and {scene.along.name(second)}"
    if not number:
        words = [f"There is no evaluation yet in the plane of {names}."]
    elif scene.elsewhere:
        words = [
            f"{scene.counted(number)} in order of arrival in the plane of {names}, a {scene.elsewhere}:"
            f" {int(plane.on.sum())} of them on it."
        ]
    else:
        words = [f"{scene.counted(number)} of {names} in order of arrival."]
    if view.leader is not None:
        words.append(f"{best(scene)[:-1]}, at {_at(scene, view.through)}.")
        words.append(_near(plane))
    elif number:
        words.append("None of them succeeded within the bounds.")
    words.append(sentence(scene).strip())
    words.append(of_campaigns(scene))
    if view.next is not None:
        words.append(f"The next point is at {_at(scene, view.next)}.")
    return " ".join(filter(None, words))


def _at(scene: Scene, x: Array) -> str:
    return " and ".join(f"{scene.along.name(j)} {scene.along.value(j, float(x[j]))}" for j in scene.axes)


def _near(plane: FitPlane) -> str:
    """Say how many of the points that the method chose lie near the best one."""
    view = plane.scene.view
    chosen = view.X[view.initial :][plane.scene.slice.shown[view.initial :]]
    if not len(chosen):
        return ""
    shares = [view.space.axes[j].share(np.append(chosen[:, j], view.through[j])) for j in plane.scene.axes]
    near = np.all([np.abs(share[:-1] - share[-1]) <= _NEAR for share in shares], axis=0)
    lie = f"{int(near.sum())} {'lies' if near.sum() == 1 else 'lie'}"
    return (
        f"Of the {counted(len(chosen), 'point')} after the initial design {lie} within a tenth of both ranges from it."
    )
