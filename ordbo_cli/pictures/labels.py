"""Small texts on panels: ranks beside their points, where there is room, and titles that are broken into lines."""

from __future__ import annotations

import contextlib
import textwrap
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.pictures.style import Axes, Figure, Look

_MOST: Final = 60  # labels of a panel
_AWAY: Final = 4.5  # points from the centre of a mark to a label
_SIDES: Final = ((1, 1), (-1, 1), (1, -1), (-1, -1), (0, 1.3), (0, -1.3), (1.3, 0), (-1.3, 0))
_ALIGNED: Final = {1: ("left", "bottom"), 0: ("center", "center"), -1: ("right", "top")}
_SMALLEST: Final = 0.6  # print, relative to the usual one
_LETTERS: Final = 13.0  # of a title to an inch


def title(figure: Figure, words: str, size: float = 1.0) -> None:
    """Put a title over a figure, in as many lines as it takes, in print of a size relative to the usual one."""
    figure.suptitle(broken(words, figure.get_size_inches()[0] / size), x=0.01, ha="left", fontsize=10 * size)


@contextlib.contextmanager
def print_of(figure: Figure, width: float, height: float) -> Iterator[float]:
    """Make print smaller where a figure is smaller than the inches it is meant for; give its relative size."""
    import matplotlib as mpl

    size = float(np.clip(np.min(figure.get_size_inches() / (width, height)), _SMALLEST, 1.0))
    smaller = {name: size * mpl.rcParams[name] for name in ("font.size", "axes.titlesize")}
    ticks = {f"{which}tick.major.{what}": size * 3.5 for which in "xy" for what in ("size", "pad")}
    with mpl.rc_context({**smaller, **ticks}):
        yield size


def broken(words: str, width: float) -> str:
    """Return words in lines that are some inches wide."""
    return textwrap.fill(words, max(12, int(width * _LETTERS)))


def label(axes: Axes, points: Array, words: Sequence[str], look: Look, marks: Array) -> None:
    """Write words beside points, the first ones first; those that find no room are left out.

    The figure has to have its layout by now.

    Args:
        points: in the panel's units [P, 2].
        words: what is written beside each.
        marks: points that no word may cover [Q, 2].
    """
    import matplotlib as mpl

    to_pixels = axes.transData.transform
    covered = to_pixels(marks) if len(marks) else np.zeros((0, 2))
    inside = axes.get_window_extent()
    taken: list[Any] = []
    pixel = axes.figure.dpi / 72.0
    for point, word in zip(points[:_MOST], words, strict=False):
        text = axes.annotate(
            word, point, fontsize=0.78 * mpl.rcParams["font.size"], color=look.theme.ink, xytext=(0, 0), textcoords="offset points", zorder=8,
            annotation_clip=False, gid="rank",
        )  # fmt: skip
        text.set_in_layout(False)
        for across, up in _SIDES:
            text.set(
                position=(across * _AWAY, up * _AWAY), ha=_ALIGNED[int(np.sign(across))][0],
                va=_ALIGNED[int(np.sign(up))][1],
            )  # fmt: skip
            box = text.get_window_extent().padded(1.5 * pixel)
            (x0, y0), (x1, y1) = box.min, box.max
            free = not np.any(
                (covered[:, 0] > x0 - 1.5 * pixel) & (covered[:, 0] < x1 + 1.5 * pixel)
                & (covered[:, 1] > y0 - 1.5 * pixel) & (covered[:, 1] < y1 + 1.5 * pixel)
            )  # fmt: skip
            within = x0 >= inside.x0 and x1 <= inside.x1 and y0 >= inside.y0 and y1 <= inside.y1
            if free and within and not any(box.overlaps(other) for other in taken):
                taken.append(box)
                break
        else:
            text.remove()
