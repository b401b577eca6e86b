"""The cells (the paper's Figure 2): the partition in the parameters' own units and in the latent space."""

from __future__ import annotations

from ordbo_cli.pictures.labels import print_of, title
from ordbo_cli.pictures.plane import Plane, draw_ranks
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.sentences import (
    closed_cells,
    elsewhere,
    headline,
    next_point,
    number_of_cells,
    of_campaigns,
    reach,
    rows,
)
from ordbo_cli.pictures.style import Axes, Look, Picture, legend
from ordbo_cli.problem.spelling import ordinal


def draw(scene: Scene, look: Look) -> Picture:
    """Draw the cells that a plane meets in both spaces beside each other; along one parameter, as two strips.

    Evaluations are numbered by rank. Of more than two parameters the slice through the best point is drawn.
    """
    planes = [Plane(scene, look.theme, latent) for latent in (False, True)]
    flat = planes[0].flat
    inches = (6.4, 3.8) if flat else (8.0, 4.4)
    with look.figure(*inches) as figure, print_of(figure, *inches) as size:
        shape = (2, 1) if flat else (1, 2)
        panels = figure.subplots(*shape, squeeze=False).ravel()
        for panel, plane, name in zip(panels, planes, ("own units", "latent space"), strict=True):
            _fill(panel, plane)
            panel.set_title(name)
        title(figure, headline(scene, _number(scene)), size)
        legend(figure, *panels, size=8.0 * size)
        draw_ranks(figure, dict(zip(panels, planes, strict=True)), look)
    return Picture(figure, "Cells", _words(scene), look)


def _fill(panel: Axes, plane: Plane) -> None:
    plane.set_up(panel)
    plane.draw_cells(panel)
    plane.draw_closed(panel)
    plane.draw_next_cell(panel)
    plane.draw_observations(panel)
    plane.draw_pending(panel)
    plane.draw_next(panel)


def _number(scene: Scene) -> str:
    number = len(scene.slice.cells)
    return f"{number:,} {'boxes of cells' if scene.slice.coarse else 'cell' if number == 1 else 'cells'}"


def _words(scene: Scene) -> str:
    parts = [
        number_of_cells(scene),
        elsewhere(scene),
        rows(scene),
        _newest(scene),
        next_point(scene),
        _next_cell(scene),
        closed_cells(scene),
        of_campaigns(scene),
    ]
    return " ".join(part for part in parts if part)


def _newest(scene: Scene) -> str:
    view = scene.view
    if not len(view.evaluations):
        return ""
    if not view.succeeded[-1]:
        return "The newest broke a limit." if view.infeasible[-1] else "The newest failed."
    return f"The newest is the {ordinal(int(view.ranks[-1]) + 1)} best."


def _next_cell(scene: Scene) -> str:
    """Return between which values the cell of the next point lies, along the axes of the slice."""
    place = scene.slice.next_cell
    if place is None:
        return "" if scene.view.next is None else "The slice does not meet its cell."
    return f"Its cell, hatched, reaches {reach(scene, place)}."
