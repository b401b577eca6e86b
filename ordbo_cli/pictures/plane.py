"""A slice in one of its two spaces, the parameters' own units or the latent ones: its cells and points on a panel.

A slice along one parameter is drawn as a strip.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.failures import troubles
from ordbo_cli.pictures.labels import label
from ordbo_cli.pictures.scales import set_scale
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Axes, Figure, Look, Theme, break_long_labels, settle

_RASTERIZED: Final = 200  # cells; more are written to an SVG as an image
_MANY: Final = 60  # marks; more are written to an SVG as an image
_OFF_SLICE: Final = 12  # ranks that are written on a slice, where most points are off it
_SMALLEST, _LARGEST = 1e-280, 1e300  # numbers that matplotlib's axes bear


@dataclass(frozen=True)
class Plane:
    """One of the two spaces that a slice is drawn in.

    Args:
        scene: what is drawn.
        theme: its colours.
        latent: which space.
        height: along one parameter: where points in the user's units [P, D] are drawn [P]; None for the middle.
        bars: along one parameter: lower and upper ends of the cells [C]; None for the whole height.
    """

    scene: Scene
    theme: Theme
    latent: bool
    height: Callable[[Array], Array] | None = None
    bars: tuple[Array, Array] | None = None

    @property
    def flat(self) -> bool:
        """Whether the slice is along one parameter alone."""
        return len(self.scene.axes) == 1

    @cached_property
    def edges(self) -> tuple[Array, Array]:
        """Lower and upper edges of the cells [C, axes]."""
        warp = self.scene.view.surrogate.warp
        if self.latent:
            return self.scene.slice.edges(warp.coordinates)
        return self.scene.slice.edges([self.drawn(j, u) for j, u in enumerate(warp.knots)])

    def points(self, X: Array) -> Array:
        """Return where points in the user's units are drawn [P, 2]."""
        place = self.scene.view.latent(X) if self.latent else X
        columns = [place[:, j] if self.latent else self.drawn(j, place[:, j]) for j in self.scene.axes]
        if self.flat:
            columns.append(np.full(len(X), 0.5) if self.height is None else self.height(X))
        return np.asarray(np.stack(columns, axis=1))

    def drawn(self, j: int, x: Array) -> Array:
        """Return values of a parameter as numbers that an axis bears: as shares of the box where they do not."""
        return self.scene.view.space.axes[j].share(x) if self._is_extreme(j) else x

    def rectangles(self) -> Array:
        """Return the corners of the cells [C, 4, 2]."""
        low, high = self.edges
        if self.flat:
            bottom, top = self.bars or (np.zeros(len(low)), np.ones(len(low)))
            low, high = np.column_stack([low, bottom]), np.column_stack([high, top])
        (x0, y0), (x1, y1) = low.T, high.T
        return np.stack([np.column_stack(c) for c in ((x0, y0), (x1, y0), (x1, y1), (x0, y1))], axis=1)

    def set_up(self, axes: Axes) -> None:
        """Make a panel's axes those of the plane: labels, scales and limits."""
        self._set_up(axes, "x", self.scene.axes[0])
        if self.flat and self.height is not None:
            return
        if self.flat:
            axes.set_ylim(0.0, 1.0)
            axes.set_yticks([])
            axes.spines["left"].set_visible(False)
        else:
            self._set_up(axes, "y", self.scene.axes[1])

    def draw_cells(self, axes: Axes, values: Array | None = None, gid: str = "cells", **colours: Any) -> Any:
        """Draw the cells, coloured by values if there are any [C]; return what a colour bar belongs to."""
        from matplotlib.collections import PolyCollection

        many = len(self.scene.slice.cells) > _RASTERIZED
        edge = self.theme.muted if values is None else self.theme.grid if self.bars is None else "face"
        cells = PolyCollection(
            list(self.rectangles()), edgecolor=edge, linewidth=0.2 if many else 0.5, rasterized=many, gid=gid,
            zorder=1, clip_on=False,
        )  # fmt: skip
        if values is None:
            cells.set_facecolor("none")
        else:
            cells.set(array=values, cmap=self.theme.values, **colours)
        axes.add_collection(cells, autolim=False)
        return cells

    def draw_closed(self, axes: Axes) -> None:
        """Cross out the cells that are not searched."""
        self._hatch(axes, self.rectangles()[~self.scene.slice.open], "closed", "xx", self.theme.muted, "closed cells")

    def draw_next_cell(self, axes: Axes) -> None:
        """Outline and hatch the cell of the next point, if the slice meets it."""
        place = self.scene.slice.next_cell
        if place is not None:
            self._hatch(
                axes, self.rectangles()[[place]], "next-cell", "////", self.theme.next, "cell of the next point"
            )

    def draw_next(self, axes: Axes) -> None:
        """Mark the next point by a cross, a hollow one off the slice."""
        view, theme = self.scene.view, self.theme
        if view.next is None:
            return
        on = bool(self.scene.slice.holds(view.next[None, :])[0])
        axes.plot(
            *self.points(view.next[None, :]).T, "X", color=theme.next if on else "none",
            markeredgecolor=theme.paper if on else theme.next, markeredgewidth=0.7 if on else 1.2, markersize=9,
            clip_on=False, zorder=7, label="next point" if on else "next point, off the slice", gid="next",
        )  # fmt: skip

    def draw_pending(self, axes: Axes) -> None:
        """Mark the points whose results are awaited."""
        X = self.scene.pending
        self._marks(axes, X, "D", "out", self.theme.next, "out, no result yet", size=5, hollow=True)

    def draw_minima(self, axes: Axes, s: Array) -> None:
        """Mark minima of samples by crosses [P, D], those that several share by one."""
        xy = self.points(self.scene.view.original(np.unique(s, axis=0)))
        axes.plot(
            *xy.T, "x", color=self.theme.ink, markersize=4, markeredgewidth=0.8, linestyle="none", zorder=4,
            label="samples' minima", gid="minima",
        )  # fmt: skip

    def draw_observations(self, axes: Axes, *, small: bool = False) -> None:
        """Mark the evaluations: those off the slice stand back, failures and the newest have marks of their own."""
        view, theme = self.scene.view, self.theme
        colour = theme.latent if self.latent else theme.data
        on, shown = self.scene.slice.evaluated, self.scene.slice.shown
        size = 3.5 if small else 5.0
        good = shown & view.succeeded
        for each in self.scene.campaigns:
            gid, hollow = f"campaign-{each.name}", True
            self._marks(axes, each.X, each.mark, gid, theme.muted, each.label, size=0.8 * size, hollow=hollow)
        self._marks(axes, view.X[good & ~on], ".", "off-slice", theme.muted, "off the slice", size=4)
        self._marks(axes, view.X[good & on], "o", "observations", colour, f"{self.scene.noun}s", size=size)
        self._marks(axes, self.scene.compared, "o", "compared", colour, "compared only", size=size, hollow=True)
        for which, word, mark, shade, _ in troubles(view, theme):
            self._marks(axes, view.X[shown & which], mark, word, shade, word, size=size + 1)
        if view.leader is not None:
            self._marks(axes, view.through[None, :], "*", "best", theme.best, self.scene.best_word, size=size + 5)
        if len(view.X) and shown[-1] and not small:
            self._marks(axes, view.X[-1:], "o", "newest", theme.ink, "newest", size=10, hollow=True)

    def _marks(
        self, axes: Axes, X: Array, mark: str, gid: str, colour: str, label: str, *, size: float, hollow: bool = False
    ) -> None:
        if not len(X):
            return
        edge = colour if hollow or mark in "x." else self.theme.paper
        axes.plot(
            *self.points(X).T, mark, color="none" if hollow else colour, markeredgecolor=edge, markersize=size,
            markeredgewidth=1.2 if hollow or mark == "x" else 0.6, linestyle="none", clip_on=False, zorder=5,
            label=label, gid=gid, rasterized=len(X) > _MANY,
        )  # fmt: skip

    def _hatch(self, axes: Axes, corners: Array, gid: str, hatch: str, colour: str, label: str) -> None:
        from matplotlib.collections import PolyCollection

        if len(corners):
            patch = PolyCollection(
                list(corners),
                facecolor="none",
                edgecolor=colour,
                hatch=hatch,
                linewidth=0.6 if gid == "closed" else 1.3,
                zorder=3,
                gid=gid,
                label=label,
                clip_on=False,
            )
            axes.add_collection(patch, autolim=False)

    def _set_up(self, axes: Axes, which: Literal["x", "y"], j: int) -> None:
        """Set label, scale and limits of one axis."""
        scene = self.scene
        if self.latent:
            warp = scene.view.surrogate.warp
            low, high = (float(edge[j]) for edge in warp.box.edges(warp.coordinates))
            axes.set(**{f"{which}lim": (low, high), f"{which}label": f"latent {scene.along.name(j)}"})
        else:
            self._frame(axes, which, j)

    def _frame(self, axes: Axes, which: Literal["x", "y"], j: int) -> None:
        """Make one axis that of a parameter's own values."""
        scene, axis = self.scene, axes.xaxis if which == "x" else axes.yaxis
        scene.along.frame(axes, which, j)
        if self._is_extreme(j):
            low, high = scene.along.limits(j)
            between = scene.view.space.axes[j].between
            set_scale(axes, which, "linear")
            axes.set(**{f"{which}lim": (0.0, 1.0)})
            axis.set_major_formatter(lambda share, _: f"{between(low, high, share):.3g}")
            axis.get_major_locator().set_params(nbins=2)

    def _is_extreme(self, j: int) -> bool:
        """Return whether a parameter's bounds are beyond what matplotlib's axes bear."""
        largest = max(map(abs, self.scene.along.limits(j)))
        return not _SMALLEST < largest < _LARGEST


def draw_ranks(figure: Figure, planes: Mapping[Axes, Plane], look: Look) -> None:
    """Write ranks beside the evaluations on panels, 1 the best, the newest's and then the best ones first.

    The figure's layout is settled then.
    """
    break_long_labels(figure)
    settle(figure)
    for panel, plane in planes.items():
        view = plane.scene.view
        shown = plane.scene.slice.shown
        counts = np.flatnonzero(shown & view.succeeded)
        order = counts[np.argsort(view.ranks[counts], kind="stable")]
        order = np.concatenate([order[order == len(view.X) - 1], order[order != len(view.X) - 1]])
        if not plane.scene.slice.whole:
            order = order[:_OFF_SLICE]
        marks = [view.X[shown], plane.scene.pending, *([view.next[None, :]] if view.next is not None else [])]
        words = [str(view.ranks[k] + 1) for k in order]
        label(panel, plane.points(view.X[order]), words, look, plane.points(np.vstack(marks)))
