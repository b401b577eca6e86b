"""The fit (the paper's example runs): along one parameter with the latent function, in a plane, or level by level."""

from __future__ import annotations

from ordbo_cli.errors import UsageError
from ordbo_cli.insight.level_lines import start_of
from ordbo_cli.pictures.plots import fit_levels, fit_line, fit_plane
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Look, Picture


def draw(scene: Scene, look: Look) -> Picture:
    """Draw data, distances and latent function along one parameter, or the evaluations over time in a plane of two.

    Of more parameters than are shown, it is the line or the plane through the best point; what lies elsewhere stands
    back. Where levels have no order, there is a column for each of them.

    Raises:
        UsageError: more than two parameters are asked for, or one that does not count.
    """
    scene.refuse_many()
    levelled, across = levels_shown(scene)
    if levelled is not None:
        return fit_levels.draw(scene, look, levelled, across)
    return fit_line.draw(scene, look) if len(scene.axes) == 1 else fit_plane.draw(scene, look)


def levels_shown(scene: Scene) -> tuple[int | None, int | None]:
    """Return the parameter whose levels have columns, None where there is none, and the one that runs across them.

    Where nobody asks for any, they are the longest without an order and the longest with one, of those that count.
    """
    free, counts = scene.all.parameters, scene.view.problem.active(start_of(scene.view))
    nominal = [k for k in scene.asked if free[k].type == "categorical"]
    if not nominal:
        return None, None
    if scene.shown:
        levelled = next((k for k in nominal if counts[k]), None)
        if levelled is None:
            raise UsageError(f"{free[nominal[0]].name!r} does not count where the best lies", "Name another one")
        return levelled, next((k for k in scene.shown if k != levelled), None)

    def longest(of: list[int]) -> int | None:
        return max((k for k in of if counts[k]), key=scene.view.all_lengths.__getitem__, default=None)

    return longest(nominal), longest([k for k in scene.asked if k not in nominal])
