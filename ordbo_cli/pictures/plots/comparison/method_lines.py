"""Lines of methods that are compared: how each looks, and names at their ends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from ordbo_cli.pictures.style import Axes, Theme
from ordbo_cli.pictures.words import cut

_DASHES: Final[Sequence[Any]] = ("-", (0, (5, 1.5)), (0, (1, 1)), (0, (6, 1.5, 1, 1.5)))
_MARKS: Final = ("", "o", "s", "^", "D", "v")
_PRINT: Final = 8.0  # points of a name at a line's end
_STEP: Final = 1.3 * _PRINT / 72.0  # inches from one name to the next
_LONGEST: Final = 26  # letters of a name there
_AROUND: Final = 0.75  # inches of a panel's height that its title and labels take


@dataclass(frozen=True)
class Cast:
    """The methods of a picture, and which of them stand out: the others are thin lines without a colour.

    Args:
        methods: all of them.
        leading: those that stand out; none for all.
    """

    methods: Sequence[str]
    leading: Sequence[str] = ()

    def __post_init__(self) -> None:
        """Let all stand out where none does."""
        object.__setattr__(self, "leading", tuple(self.leading) or tuple(self.methods))

    def line(self, method: str, theme: Theme) -> dict[str, Any]:
        """Return how a method's line looks."""
        if method in self.leading:
            return line_of(self.leading.index(method), theme)
        others = [each for each in self.methods if each not in self.leading]
        return {**line_of(others.index(method), theme), "color": theme.muted, "marker": "", "linewidth": 0.8}

    def size(self, width: float, height: float) -> tuple[float, float]:
        """Return the inches of a panel in which the names have room below each other."""
        return width, max(height, _AROUND + _STEP * len(self.methods))


def line_of(place: int, theme: Theme) -> dict[str, Any]:
    """Return colour, dashes and marks of the line of a method, by its place; the first 120 all differ.

    Neighbours in the list differ in more than their colours.
    """
    colours = (theme.data, theme.latent, theme.best, theme.next, theme.ink)
    return {
        "color": colours[place % len(colours)],
        "linestyle": _DASHES[place % len(_DASHES)],
        "marker": _MARKS[place // (len(colours) * len(_DASHES)) % len(_MARKS)],
        "markersize": 3.0,
        "linewidth": 1.5,
    }


def label_ends(axes: Axes, ends: Mapping[str, float], cast: Cast, theme: Theme) -> None:
    """Write each method's name where its line ends, beside a panel whose axes have their limits and scales by now.

    Names that would cover each other are moved apart, and a piece of the line leads to each.
    """
    known = {method: end for method, end in ends.items() if np.isfinite(end)}
    if not known:
        return
    to_axes = axes.transScale + axes.transLimits
    at = np.array([to_axes.transform((axes.get_xlim()[1], end))[1] for end in known.values()])
    step = _STEP / (axes.figure.get_size_inches()[1] - _AROUND)
    places = _apart(at, step)
    for method, end, place in zip(known, at, places, strict=True):
        line = {**cast.line(method, theme), "marker": ""}
        axes.plot([1.0, 1.05, 1.12], [end, place, place], transform=axes.transAxes, clip_on=False, gid="leader", **line)
        axes.text(
            1.14, place, cut(method, _LONGEST), transform=axes.transAxes, fontsize=_PRINT, va="center", gid="method",
            color=theme.ink if method in cast.leading else theme.muted,
        )  # fmt: skip


def _apart(at: Any, step: float) -> Any:
    """Return heights at least a step apart from each other in the same order, from 0 to 1 if there is room."""
    order = np.argsort(at, kind="stable")
    rise = step * np.arange(len(at))
    up = np.maximum.accumulate(np.maximum(at[order], 0.0) - rise) + rise
    room = max(1.0, rise[-1])
    down = np.minimum.accumulate((np.minimum(up, room) - rise)[::-1])[::-1] + rise
    down = np.minimum(down, room - rise[::-1])
    places = np.empty(len(at))
    places[order] = down
    return places
