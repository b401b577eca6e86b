"""Parallel axes: the values of each in order, and the lines of points across them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import partial
from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.parameter_axes import LEVEL_WIDTH
from ordbo_cli.pictures.scales import spread_out
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Axes, Look, Theme
from ordbo_cli.pictures.words import cut, width_of
from ordbo_cli.problem import Number

MOST_KNOTS: Final = 5_000  # of lines in all, as each has its place in an SVG; of more lines, some are drawn
BEYOND: Final = 0.1  # how far beyond the worst result the infeasible lie, and failures; below an axis what is not used
_UNUSED: Final = "not used"
_LEVELS: Final = 12  # that are named along an axis
_COLUMN: Final = 10.0  # points of width for an axis; where there is room for fewer, those of most latent length are
_SIZE: Final = 7.0  # points, of the values along the axes
_NAME: Final = 8.0  # points, of the names below them
_NAMES: Final = 0.25  # share of the height that upright names may take
_LETTER: Final = 0.62  # of the print's size, about the width of a letter


@dataclass(frozen=True)
class Column:
    """One axis: distinct values, evenly spaced.

    Args:
        name: of the parameter or the objective, with its unit.
        values: the distinct ones, the lowest first; a parameter's bounds are among them, as they are in the method, and
            of one with levels all of these.
        places: of the evaluations, from 0 at the lowest value to 1 [N]; NaN for a failure, below 0 where a parameter
            does not count.
        words: of some of the values in the user's words.
        short: the name, about as wide as so many letters at most.
        levels: whether the values are levels.
    """

    name: str
    values: Sequence[Decimal | float]
    places: Array
    words: Callable[[Sequence[Any]], list[str]]
    short: Callable[[int], str]
    levels: bool = False

    def place(self, x: float) -> float:
        """Return the place of a value that need not be among the column's: then it lies between two of them."""
        k = int(np.searchsorted(np.asarray(self.values, dtype=np.float64), x))
        known = k < len(self.values) and self.values[k] == x
        return min(1.0, max(0.0, (k if known else k - 0.5) / (len(self.values) - 1)))

    @property
    def some(self) -> list[int]:
        """Places of the values that are told: a few, or the levels."""
        return spread_out(len(self.values), _LEVELS if self.levels else 5)


def column(scene: Scene, j: int) -> Column:
    """Return the axis of a parameter."""
    parameter, x, used = scene.all.parameters[j], scene.view.inputs[:, j], scene.view.counts[:, j]
    values = scene.all.grid(j, 2) if parameter.levels else np.unique([*scene.all.limits(j), *x[used]])
    places = np.where(used, np.searchsorted(values, x) / (len(values) - 1), -BEYOND)
    words = partial(scene.all.words, j)
    short = partial(scene.all.short_label, j)
    return Column(scene.all.label(j), values.tolist(), places, words, short, bool(parameter.levels))


def shown_columns(scene: Scene, width: float, results: int = 1) -> list[int]:
    """Return the parameters, by place, that a picture of some inches has room for beside axes of results."""
    return scene.longest(max(1, int((width - 1.0) * 72.0 / _COLUMN) - results))


def size_of(scene: Scene, look: Look, results: int = 1) -> tuple[float, float]:
    """Return width and height in inches of a picture with as many axes of results."""
    return look.size or (min(14.0, max(6.4, 0.62 * (len(scene.asked) + 1 + results))), 4.2)


def lines(
    axes: Axes, groups: Sequence[Array], gid: str, *, label: str | None = None, alpha: float = 1.0, **settings: Any
) -> None:
    """Draw lines, those of a group as one path: an SVG has its style once."""
    from matplotlib.collections import LineCollection

    paths = []
    for places in groups:
        across = np.broadcast_to(np.arange(places.shape[1]), places.shape)
        apart = np.full((len(places), 1, 2), math.nan)
        path = np.concatenate([np.stack([across, places], axis=2), apart], axis=1).reshape(-1, 2)[:-1]
        paths += [path] if len(path) else []
    if paths:
        axes.add_collection(
            LineCollection(paths, label=gid if label is None else label, gid=gid, alpha=alpha, **settings)
        )


def ahead(axes: Axes, scene: Scene, columns: Sequence[Column], shown: Sequence[int], theme: Theme) -> None:
    """Draw the points that are out and the next one: they have no result."""
    view = scene.view

    def crossing(x: Sequence[Number]) -> list[float]:
        used = view.problem.active(x)
        return [each.place(float(x[j])) if used[j] else -BEYOND for each, j in zip(columns, shown, strict=True)]

    out = np.array([crossing(x) for x in view.whole.pending]).reshape(-1, len(columns))
    lines(axes, [out], "pending", colors=theme.next, linestyles="dotted")
    if view.suggestion is not None:
        axes.plot(
            crossing(view.suggestion.values), "D:", color=theme.next, linewidth=2.0, markersize=5, label="next point",
            gid="next", clip_on=False, zorder=5,
        )  # fmt: skip


@dataclass(frozen=True)
class End:
    """Where lines end that have no result.

    Args:
        word: the reason.
        colour: of the word.
        height: beyond the values of the axes.
        place: of the axis.
    """

    word: str
    colour: str
    height: float
    place: int


def frame(axes: Axes, columns: Sequence[Column], ends: Sequence[End], theme: Theme, *, plain: int) -> None:
    """Draw the axes with a few values along each, and the names below.

    Args:
        columns: whose last is of results, and has room to its right.
        ends: where lines end that have no result.
        plain: how many of the axes have a line; the others have some other mark.
    """
    axes.vlines(range(plain), 0.0, 1.0, color=theme.muted, linewidth=0.8, zorder=1.5)
    heights = [each.height for each in ends] + [float(np.nanmin(each.places, initial=0.0)) for each in columns]
    axes.set_ylim(min([0.0, *heights]) - 0.04, max([1.0, *heights]) + 0.04)
    axes.set_yticks([])
    axes.spines[:].set_visible(False)
    axes.tick_params(bottom=False)
    _values(axes, columns, theme)
    for end in ends:
        _beside(axes, end.place, end.height, end.word, end.colour, ha="left")
    _names(axes, columns)


def _values(axes: Axes, columns: Sequence[Column], theme: Theme) -> None:
    """Write a few of each axis's values beside it, upright where there is no room to write them across."""
    room = _room(axes, len(columns))
    few = [each.some for each in columns]
    texts = [
        [cut(text, LEVEL_WIDTH) if each.levels else text for text in each.words([each.values[k] for k in ranks])]
        for each, ranks in zip(columns, few, strict=True)
    ]
    across = max((len(text) for each in texts[:-1] for text in each), default=0) * 0.65 * _SIZE / 72.0 < room - 0.1
    for place, (each, ranks, labels) in enumerate(zip(columns, few, texts, strict=True)):
        last, top = place == len(columns) - 1, max(1, len(each.values) - 1)
        flat, chosen = across or last, list(zip(ranks, labels, strict=True))
        for rank, label in chosen if flat or each.levels else [chosen[0], chosen[-1]]:
            height = rank / top if len(each.values) > 1 else 0.5
            axes.annotate(
                label, (place, height), xytext=(6 if last else 3, 0), textcoords="offset points",
                fontsize=_SIZE, rotation=0 if flat else 90, ha="left", annotation_clip=False,
                va="center" if flat or 0.0 < height < 1.0 else ("bottom" if height < 0.5 else "top"),
                color=theme.ink, gid="value", zorder=6,
                bbox={"boxstyle": "square,pad=0.1", "facecolor": theme.paper, "alpha": 0.75, "linewidth": 0},
            )  # fmt: skip
        if not last and each.places.min(initial=0.0) < 0.0:
            _beside(axes, place, -BEYOND, _UNUSED, theme.muted, ha="left" if place == 0 else "center")


def _beside(axes: Axes, place: int, height: float, word: str, colour: str, *, ha: str) -> None:
    """Write what lines that end beyond an axis have in common."""
    axes.annotate(
        word, (place, height), xytext=(6 if ha == "left" else 0, 0 if ha == "left" else -7),
        textcoords="offset points", fontsize=_SIZE, va="center", ha=ha, color=colour, gid="value",
        annotation_clip=False,
    )  # fmt: skip


def _names(axes: Axes, columns: Sequence[Column]) -> None:
    """Write the names below the axes: across, in lines where they are long, upright where there is no room for that."""
    number = len(columns)
    width = int(_room(axes, number) * 72.0 / _NAME / _LETTER)
    broken = [textwrap.wrap(each.name, max(1, width), break_long_words=False) for each in columns]
    across = all(len(lines) <= 3 and max(map(width_of, lines)) <= width for lines in broken)
    most = max(6, int(_NAMES * axes.figure.get_size_inches()[1] * 72.0 / _NAME / _LETTER))
    names = ["\n".join(lines) for lines in broken] if across else [each.short(most) for each in columns]
    axes.set_xticks(range(number), names)
    axes.tick_params(axis="x", labelrotation=0 if across else 90, labelsize=_NAME)
    axes.set_xlim(-min(0.3, 0.04 * number), number - 1 + min(0.1, 0.04 * number))


def _room(axes: Axes, columns: int) -> float:
    """Return about how many inches lie between two axes."""
    return float(axes.figure.get_size_inches()[0] - 1.0) / columns
