"""Small texts on panels: ranks beside their points, where there is room, and titles that are broken into lines."""

from __future__ import annotations

import contextlib
import textwrap
import unicodedata
from collections.abc import Iterator, Sequence
from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.style import Axes, Figure, Look

_MOST: Final = 60  # labels of a panel
_SHARE: Final = 0.78  # of the other print's size
_AWAY: Final = 4.5  # points from the centre of a mark to a label
_SIDES: Final = ((1, 1), (-1, 1), (1, -1), (-1, -1), (0, 1.3), (0, -1.3), (1.3, 0), (-1.3, 0))
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
    wide = sum(unicodedata.east_asian_width(letter) in "WF" for letter in words)
    return textwrap.fill(words, max(8, int(width * _LETTERS * len(words) / max(1, len(words) + wide))))


def label(axes: Axes, points: Array, words: Sequence[str], look: Look, marks: Array) -> None:
    """Write words beside points, the first ones first; those that find no room are left out.

    The figure has to have its layout by now.

    Args:
        points: in the panel's units [P, 2].
        words: what is written beside each.
        marks: points that no word may cover [Q, 2].
    """
    import matplotlib as mpl
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    renderer = FigureCanvasAgg(axes.figure).get_renderer()
    to_pixels = axes.transData.transform
    pixel = axes.figure.dpi / 72.0
    room = _Room(to_pixels(marks) if len(marks) else np.zeros((0, 2)), axes.get_window_extent(renderer), 1.5 * pixel)
    for point, word in zip(points[:_MOST], words, strict=False):
        text = axes.annotate(
            word, point, fontsize=_SHARE * mpl.rcParams["font.size"], color=look.theme.ink, xytext=(0, 0), ha="center",
            va="center", textcoords="offset points", zorder=8, annotation_clip=False, gid="rank",
        )  # fmt: skip
        text.set_in_layout(False)
        box = text.get_window_extent(renderer)
        for side in _SIDES:
            away = np.array(side) * (_AWAY * pixel + 0.5 * np.abs(np.sign(side)) * box.size)
            if room.take(box.translated(*away)):
                text.set_position(tuple(away / pixel))
                break
        else:
            text.remove()


class _Room:
    """Where on a panel there is room for words.

    Args:
        marks: points that no word may cover, in pixels [Q, 2].
        panel: the panel's box.
        apart: pixels that are kept free around words.
    """

    def __init__(self, marks: Array, panel: Any, apart: float) -> None:
        self._marks, self._panel, self._apart = marks, panel, apart
        self._taken = np.zeros((0, 4))

    def take(self, box: Any) -> bool:
        """Take the room of a box, unless something is there or a part of it is off the panel; return whether it is."""
        (x0, y0), (x1, y1) = box.min - self._apart, box.max + self._apart
        x, y = self._marks.T
        a, b, c, d = self._taken.T
        if (
            x0 < self._panel.x0 or x1 > self._panel.x1 or y0 < self._panel.y0 or y1 > self._panel.y1
            or np.any((x > x0) & (x < x1) & (y > y0) & (y < y1))
            or np.any((x0 < c) & (x1 > a) & (y0 < d) & (y1 > b))
        ):  # fmt: skip
            return False
        self._taken = np.vstack([self._taken, (*box.min, *box.max)])
        return True
