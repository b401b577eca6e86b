"""What became of evaluations without a result, told apart everywhere: they failed, or they broke a limit."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ordbo_cli.insight.inspection import View
from ordbo_cli.ordinal.linalg import Array, BoolArray
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Axes, Theme
from ordbo_cli.pictures.words import listed


class Trouble(NamedTuple):
    """Evaluations without a result for one reason.

    Args:
        which: of the evaluations [N], at least one.
        word: the reason.
        mark: of matplotlib.
        colour: of the theme.
        dashes: of lines.
    """

    which: BoolArray
    word: str
    mark: str
    colour: str
    dashes: str


def troubles(view: View, theme: Theme) -> list[Trouble]:
    """Return the reasons that there are, the milder one first."""
    kinds = [
        Trouble(view.infeasible, "infeasible", "v", theme.infeasible, "dashdot"),
        Trouble(view.failed, "failed", "x", theme.failed, "dashed"),
    ]
    return [each for each in kinds if each.which.any()]


def mark(axes: Axes, x: Array, height: float, trouble: Trouble, *, size: float = 5.0, clip_on: bool = True) -> None:
    """Mark places along a panel's horizontal axis, at a height that is a share of the panel's."""
    if len(x):  # an empty mark that is not clipped upsets the layout
        axes.plot(
            x, np.full(len(x), height), trouble.mark, color=trouble.colour, markersize=size, label=trouble.word,
            gid=trouble.word, transform=axes.get_xaxis_transform(), clip_on=clip_on,
        )  # fmt: skip


def counts_of(view: View) -> list[str]:
    """Return how many failed and how many broke a limit, in words, where any did."""
    counts = ((int(view.failed.sum()), "failed"), (int(view.infeasible.sum()), "broke a limit"))
    return [f"{number} {what}" for number, what in counts if number]


def sentence(scene: Scene) -> str:
    """Return the same as a sentence with a space before it; nothing where all have a result."""
    view = scene.view
    found = counts_of(view)
    if not found:
        return ""
    number, _, what = found[0].partition(" ")
    return f" {listed([f'{scene.counted(int(number))} {what}', *found[1:]])}."
