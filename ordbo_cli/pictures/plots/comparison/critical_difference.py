"""The critical-difference diagram: mean ranks on a line, and bars below those that are not told apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from ordbo_cli.pictures.plots.comparison.method_lines import Cast
from ordbo_cli.pictures.style import Axes, Look, Picture, Theme
from ordbo_cli.pictures.words import cut, listed, width_of

_LINE: Final = 3.4  # inches of the line of ranks
_LETTER: Final = 0.075  # inches
_ROW, _BAR = 0.21, 0.11  # inches from one name, or bar, to the next
_LONGEST: Final = 28  # letters of a name


def draw_ranks(
    ranks: Mapping[str, float],
    groups: Sequence[Sequence[str]],
    critical_difference: float | None,
    title: str,
    cast: Cast,
    look: Look,
) -> Picture:
    """Draw mean ranks as Demšar (2006) does, the best on the left.

    Args:
        ranks: of the methods, the best first.
        groups: methods that are not told apart, neighbours each.
        critical_difference: of Nemenyi's test, drawn as a length for comparison; None for none.
        title: of the picture.
        cast: which methods stand out.
        look: how it is to look.
    """
    half = -(-len(ranks) // 2)
    top = 0.25 + _BAR * len(groups)  # inches below the line at which the first name stands
    below = top + _ROW * half
    side = 0.55 + _LETTER * min(_LONGEST, max(map(width_of, ranks)))  # inches of the names
    with look.figure(_LINE + 2.0 * side, below + 0.85) as figure:
        axes = figure.subplots()
        _axis(axes, len(ranks), below, side / _LINE, look.theme)
        for place, (method, rank) in enumerate(ranks.items()):
            row = place if place < half else len(ranks) - 1 - place
            _name(axes, method, rank, top + _ROW * row, cast, look.theme, left=place < half, last=len(ranks))
        for place, group in enumerate(groups):
            ends = [ranks[group[0]] - 0.04, ranks[group[-1]] + 0.04]
            axes.plot(
                ends, [0.14 + _BAR * place] * 2, color=look.theme.ink, linewidth=3.2, solid_capstyle="butt", gid="alike"
            )
        if critical_difference is not None:
            _length(axes, critical_difference, look.theme)
    told = listed([f"{method} {rank:.2f}" for method, rank in ranks.items()])
    alike = "; ".join(listed(list(group)) for group in groups) or "none"
    return Picture(figure, title, f"Mean ranks, the best first: {told}. Not told apart from each other: {alike}.", look)


def _axis(axes: Axes, last: int, below: float, side: float, theme: Theme) -> None:
    """Draw the line of ranks; heights are inches below it, what is beside it is a share of its length."""
    margin = side * (last - 1)
    axes.set_xlim(1 - margin, last + margin)
    axes.set_ylim(below, -0.6)
    axes.set(xticks=[], yticks=[])
    axes.set_axis_off()
    axes.plot([1, last], [0, 0], color=theme.ink, linewidth=1.0, gid="line")
    for rank in np.unique(np.linspace(1, last, min(last, 12)).round()):
        axes.plot([rank, rank], [-0.06, 0], color=theme.ink, linewidth=1.0, gid="tick")
        axes.text(rank, -0.09, f"{rank:g}", ha="center", va="bottom", fontsize=8.0)


def _name(axes: Axes, method: str, rank: float, y: float, cast: Cast, theme: Theme, *, left: bool, last: int) -> None:
    """Lead from a mean rank to the method's name at the side."""
    line = {**cast.line(method, theme), "marker": "", "linestyle": "-"}
    away = 0.02 * (last - 1)
    side, align = (1 - away, "right") if left else (last + away, "left")
    axes.plot([rank, rank, side], [0, y, y], gid="rank", **line)
    text = f"{cut(method, _LONGEST)}  {rank:.2f}" if left else f"{rank:.2f}  {cut(method, _LONGEST)}"
    ink = theme.ink if method in cast.leading else theme.muted
    beyond = side - away / 2 if left else side + away / 2
    axes.text(beyond, y, text, ha=align, va="center", fontsize=8.0, color=ink, gid="method")


def _length(axes: Axes, critical_difference: float, theme: Theme) -> None:
    """Draw a length above the line, beside what it is."""
    ends = [1.0, 1.0 + critical_difference]
    axes.plot(ends, [-0.42, -0.42], color=theme.muted, linewidth=1.2, marker="|", markersize=6, gid="nemenyi")
    words = f"Nemenyi's critical difference {critical_difference:.2f}, for comparison"
    axes.text(1.0, -0.48, words, va="bottom", fontsize=8.0, color=theme.muted)
