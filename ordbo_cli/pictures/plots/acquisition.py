"""How the next point is chosen (the paper's Figure 3): four panels over a plane, or over one parameter.

A) the objective where it is known, else the model's mean, with the ranks of the evaluations; B) the lower confidence
bound in the latent space with the minima of posterior samples; C) how often each cell holds such a minimum; D) the
lower confidence bound of each cell.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.labels import print_of, title
from ordbo_cli.pictures.plane import Plane, draw_ranks
from ordbo_cli.pictures.plots import acquisition_line
from ordbo_cli.pictures.plots.regret import shades
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.sentences import (
    closed_cells,
    elsewhere,
    headline,
    next_point,
    number_of_cells,
    of_campaigns,
    rows,
)
from ordbo_cli.pictures.style import Axes, Figure, Look, Picture, legend
from ordbo_cli.pictures.survey import Survey

_GRID: Final = 51  # points of a contour plot along each axis
_SMALL_PRINT: Final = 6.5  # points
_LEVELS: Final = 8  # contour lines


def draw(scene: Scene, look: Look) -> Picture:
    """Draw the four panels.

    They show the lower confidence bound whatever the method chooses by; the words say what that was.
    """
    survey = Survey.of(scene)
    original, latent = Plane(scene, look.theme, latent=False), Plane(scene, look.theme, latent=True)
    width, height = 8.6, 6.4 if original.flat else 7.8
    with look.figure(width, height) as figure, print_of(figure, width, height) as size:
        panels = figure.subplots(2, 2).ravel()
        if original.flat:
            ranked = acquisition_line.fill(panels, original, latent, survey)
        else:
            ranked = _fill(figure, panels, original, latent, survey)
        for panel, name in zip(panels, _titles(scene), strict=True):
            panel.set_title(name)
        title(figure, headline(scene, "where to look next"), size)
        legend(figure, *panels, size=8.0 * size)
        draw_ranks(figure, {panels[0]: ranked}, look)
    return Picture(figure, "Acquisition", _words(scene, survey), look)


def _fill(figure: Figure, panels: Any, original: Plane, latent: Plane, survey: Survey) -> Plane:
    """Draw the panels over a plane; return the plane whose points are ranked."""
    for panel, plane in zip(panels, (original, latent, original, original), strict=True):
        plane.set_up(panel)
    _contours(panels[0], original, *_objective(original.scene))
    _contours(panels[1], latent, *_bound(latent))
    latent.draw_minima(panels[1], survey.minima)
    _coloured(figure, panels[2], original, survey.shares, "share of samples", "cell-shares")
    _coloured(figure, panels[3], original, survey.bounds, "lower confidence bound", "cell-bounds")
    for k, (panel, plane) in enumerate(zip(panels, (original, latent, original, original), strict=True)):
        plane.draw_observations(panel, small=k > 1)
        plane.draw_pending(panel)
        plane.draw_next(panel)
    return original


def _objective(scene: Scene) -> tuple[Array, Array, Array, str]:
    """Return the two axes' grids in the user's units and, over them, the objective by rank or the model's mean."""
    spans = [scene.along.grid(j, _GRID) for j in scene.axes]
    grid = np.stack(np.meshgrid(*spans), axis=-1).reshape(-1, 2)
    shape = len(spans[1]), len(spans[0])
    if scene.truth is None:
        latent = [scene.view.warped(j, x) for j, x in zip(scene.axes, grid.T, strict=True)]
        mean, _ = scene.view.moments(scene.slice.points(np.column_stack(latent)))
        return spans[0], spans[1], mean.reshape(shape), "mean"
    values = np.array([scene.truth.function(x) for x in scene.slice.inputs(grid)]).reshape(shape)
    return spans[0], spans[1], shades(np.where(np.isinf(values), np.nan, values)), "truth"


def _bound(plane: Plane) -> tuple[Array, Array, Array, str]:
    """Return grids of the latent axes and the lower confidence bound over them."""
    low, high = plane.edges[0].min(axis=0), plane.edges[1].max(axis=0)
    spans = [np.linspace(a, b, _GRID) for a, b in zip(low, high, strict=True)]
    grid = np.stack(np.meshgrid(*spans), axis=-1).reshape(-1, 2)
    values = plane.scene.view.acquisition.values(plane.scene.slice.points(grid))
    return spans[0], spans[1], values.reshape(_GRID, _GRID), "bound"


def _contours(panel: Axes, plane: Plane, x: Array, y: Array, values: Array, gid: str) -> None:
    """Draw contour lines over a faint image of what lies between them; nothing where all values are equal."""
    if not plane.latent:
        x, y = (plane.drawn(j, u) for j, u in zip(plane.scene.axes, (x, y), strict=True))
    known = values[np.isfinite(values)]
    if not len(known) or np.ptp(known) < 1e-9:
        return
    levels = np.linspace(known.min(), known.max(), _LEVELS + 2)
    fill = panel.contourf(x, y, values, levels=levels, cmap=plane.theme.values, alpha=0.45, zorder=0)
    fill.set(rasterized=True, gid=f"{gid}-fill")
    lines = panel.contour(
        x, y, values, levels=levels[1:-1], colors=[plane.theme.muted], linewidths=0.6, linestyles="solid", zorder=1
    )
    lines.set_gid(gid)


def _coloured(figure: Figure, panel: Axes, plane: Plane, values: Array, name: str, gid: str) -> None:
    """Draw the cells coloured by values, with the bar that says what the colours mean."""
    low, high = 0.0 if gid == "cell-shares" else float(values.min()), float(values.max())
    if high - low < 1e-9:
        low, high = low - 0.5, high + 0.5
    cells = plane.draw_cells(panel, values, gid, clim=(low, high))
    bar = figure.colorbar(cells, ax=panel)
    if panel.xaxis.label.get_size() > _SMALL_PRINT:  # otherwise there is no room, and the panel's title says it
        bar.set_label(name)
    bar.outline.set_visible(False)
    plane.draw_closed(panel)
    plane.draw_next_cell(panel)


def _titles(scene: Scene) -> tuple[str, ...]:
    """Return the panels' titles, short ones: it takes long to find out how those that may be too long are broken."""
    what = "model's mean" if scene.truth is None else "objective"
    return f"A  ranks and {what}", "B  latent confidence bound", "C  chance of the minimum", "D  bound by cell"


def _words(scene: Scene, survey: Survey) -> str:
    parts = [rows(scene), elsewhere(scene), next_point(scene), survey.words(scene), number_of_cells(scene)]
    return " ".join(part for part in [*parts, closed_cells(scene), of_campaigns(scene)] if part)
