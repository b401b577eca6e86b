"""The fit (the paper's example runs): along one parameter with the latent function, in a plane by order of arrival."""

from __future__ import annotations

from ordbo_cli.pictures.plots import fit_line, fit_plane
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Look, Picture


def draw(scene: Scene, look: Look) -> Picture:
    """Draw data, distances and latent function along one parameter, or the evaluations over time in a plane of two.

    Of more parameters than are shown, it is the line or the plane through the best point; what lies elsewhere stands
    back.
    """
    return fit_line.draw(scene, look) if len(scene.axes) == 1 else fit_plane.draw(scene, look)
