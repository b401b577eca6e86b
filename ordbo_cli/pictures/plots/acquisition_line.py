"""The acquisition over one parameter: the objective and the bound as curves, the cells as bars."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from decimal import Decimal
from functools import partial
from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.plane import Plane
from ordbo_cli.pictures.scales import heights
from ordbo_cli.pictures.scene import Scene, Truth
from ordbo_cli.pictures.style import Axes
from ordbo_cli.pictures.survey import Survey

_GRID: Final = 401  # points of a curve
_ROOM: Final = 0.06  # of a panel's height, above the highest and below the lowest


def fill(panels: Any, original: Plane, latent: Plane, survey: Survey) -> Plane:
    """Draw the four panels over one parameter; return the plane whose points are ranked.

    Args:
        panels: four.
        original, latent: the two spaces.
        survey: what is known of the cells.
    """
    first = _objective(panels[0], original)
    shares = _shares(panels[2], original, survey.shares)
    bounds = _hanging(panels[3], original, survey.bounds)
    planes = (first, _bound(panels[1], latent), shares, bounds)
    shares.draw_next_cell(panels[2])
    bounds.draw_next_cell(panels[3])
    planes[1].draw_minima(panels[1], survey.minima)
    for k, (panel, plane) in enumerate(zip(panels, planes, strict=True)):
        plane.set_up(panel)
        plane.draw_observations(panel, small=k > 1)
        plane.draw_pending(panel)
        plane.draw_next(panel)
    return first


def _objective(panel: Axes, plane: Plane) -> Plane:
    """Draw the objective where it is known, else the model's mean; return the plane with its points on the curve."""
    scene = plane.scene
    x = scene.along.grid(scene.axes[0], _GRID)
    X = scene.slice.inputs(x[:, None])
    height: Callable[[Array], Array]
    if scene.truth is None:
        curve, height = _mean(scene, X), partial(_mean, scene)
        panel.set_ylabel("model's mean")
    else:
        curve, height = _true_curve(panel, scene, scene.truth, X)
        panel.set_ylabel(scene.objective)
    panel.plot(plane.drawn(scene.axes[0], x), curve, color=plane.theme.muted, gid="curve")
    return replace(plane, height=height)


def _mean(scene: Scene, X: Array) -> Array:
    """Return the model's mean at points in the user's units [P]."""
    return scene.view.moments(scene.view.latent(X))[0]


def _true_curve(panel: Axes, scene: Scene, truth: Truth, X: Array) -> tuple[Array, Callable[[Array], Array]]:
    """Scale a panel for an objective; return its heights at some points, NaN for failures, and what gives those of any.

    Failures then stand beside the worst.
    """
    values = np.array([truth.function(x) for x in X], dtype=np.float64)
    scale = heights([None if np.isnan(v) else Decimal(repr(float(v))) for v in values], scene.view.problem.goal)
    scale.apply(panel)
    known = np.isfinite(values) & np.isfinite(scale.y)
    order = np.argsort(values[known], kind="stable")
    v, y = values[known][order], scale.y[known][order]

    def height(X: Array) -> Array:
        at = np.array([truth.function(x) for x in X], dtype=np.float64)
        if not len(v):
            return np.zeros(len(X))
        placed = np.interp(at, v, y) if scale.kind == "rank" else at
        return np.where(np.isfinite(at), placed, y[-1])

    return scale.y, height


def _bound(panel: Axes, plane: Plane) -> Plane:
    """Draw the lower confidence bound over the latent axis; return the plane with its points on the curve."""
    view, along = plane.scene.view, plane.scene.slice
    s = np.linspace(plane.edges[0].min(), plane.edges[1].max(), _GRID)
    panel.plot(s, view.acquisition.values(along.points(s[:, None])), color=plane.theme.muted, gid="curve")
    panel.set_ylabel("confidence bound")
    return replace(plane, height=lambda X: view.acquisition.values(view.latent(X)))


def _shares(panel: Axes, plane: Plane, shares: Array) -> Plane:
    """Draw bars as high as the cells' shares; return the plane with its points at their foot."""
    barred = replace(plane, bars=(np.zeros(len(shares)), shares), height=lambda X: np.zeros(len(X)))
    barred.draw_cells(panel, shares, "cell-shares", clim=(0.0, float(shares.max())))
    panel.set_ylim(0.0, (1.0 + _ROOM) * float(shares.max()))
    panel.set_ylabel("share of samples")
    return barred


def _hanging(panel: Axes, plane: Plane, bounds: Array) -> Plane:
    """Draw bars that hang down to the cells' bounds, the best the longest; return the plane with its points below."""
    room = _ROOM * (float(np.ptp(bounds)) or 1.0)
    below, above = float(bounds.min()) - room, float(bounds.max()) + room
    barred = replace(plane, bars=(bounds, np.full(len(bounds), above)), height=lambda X: np.full(len(X), below))
    barred.draw_cells(panel, bounds, "cell-bounds")
    panel.set_ylim(below, above)
    panel.set_ylabel("confidence bound")
    return barred
