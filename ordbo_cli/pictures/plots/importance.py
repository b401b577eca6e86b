"""Importance: how much latent length each parameter gets, the longest first, and how surely the fit knows it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array, BoolArray
from ordbo_cli.pictures.scales import set_scale
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.pictures.style import Axes, Look, Picture, Theme, legend
from ordbo_cli.pictures.words import counted, figure_of, listed
from ordbo_cli.search.latent_axes import LEVEL_SCALE

_MOST: Final = 40  # parameters
_ROW: Final = 0.24  # inches of height for a parameter
_AROUND: Final = 1.25  # inches of height for title, axis and legend
_SMALLEST: Final = 7.5  # points of height for a parameter; where there is room for fewer, the longest are shown
_LETTER: Final = 0.62  # of the print's size, about the width of a letter
_NAMES: Final = 0.36  # share of the width that names may take
_FAR: Final = 10.0  # times the longest length, up to which intervals and the prior are shown on a linear axis
_LISTED: Final = 6  # names in a sentence
_UNKNOWN: Final = "interval not known"


@dataclass(frozen=True)
class Lengths:
    """Latent lengths, the longest first, and among equals as in the problem.

    Args:
        order: places of the parameters [R].
        length: in correlation lengths [R].
        low, high: ends of the 95 % intervals [R]; NaN where they are not known.
        share: of the lengths of all parameters [R].
        prior: the prior's lengths [R]; None without a prior.
        data: whether the fit has any.
        left_out: number of shorter parameters beyond these.
    """

    order: Sequence[int]
    length: Array
    low: Array
    high: Array
    share: Array
    prior: Array | None
    data: bool
    left_out: int = 0

    @classmethod
    def of(cls, scene: Scene, most: int = _MOST) -> Lengths:
        """Return those of the parameters asked for, else of all, or the longest of them."""
        view, prior = scene.view, scene.view.problem.method.prior
        known = view.latent_lengths
        with np.errstate(over="ignore"):
            low, high = known.interval
        unknown = ~(np.isfinite(high) & (low > 0.0))
        asked = np.array(sorted(scene.asked), dtype=np.int64)
        order = asked[np.argsort(-known.length[asked], kind="stable")][:most]
        return cls(
            order.tolist(),
            known.length[order],
            np.where(unknown, np.nan, low)[order],
            np.where(unknown, np.nan, high)[order],
            (known.length / known.length.sum())[order],
            None if prior is None else prior.latent_length(len(scene.all.parameters)) * _expected(scene)[order],
            view.surrogate.fit.data.points > 0,
            len(asked) - len(order),
        )

    @property
    def known(self) -> BoolArray:
        """Whether each interval is [R]."""
        return np.isfinite(self.low)

    @property
    def reach(self) -> float:
        """The largest of what is shown."""
        return float(np.nanmax([*self.length, *self.high, *([] if self.prior is None else self.prior)]))

    @property
    def far(self) -> bool:
        """Whether that is too far for the lengths to be seen on a linear axis."""
        return self.reach > _FAR * float(self.length[0])


def draw(scene: Scene, look: Look) -> Picture:
    """Draw the latent length of each parameter asked for, else of all, with 95 % intervals where they are known."""
    asked = len(scene.asked)
    width, height = look.size or (6.4, _AROUND + _ROW * max(3, min(_MOST, asked)))
    room = max(_SMALLEST, 72.0 * (height - _AROUND))
    lengths = Lengths.of(scene, min(_MOST, int(room / _SMALLEST)))
    size = float(np.clip(0.8 * room / len(lengths.order), 6.0, 9.0))
    with look.figure(width, height) as figure:
        axes = figure.subplots()
        _axis(axes, lengths)
        _lengths(axes, lengths, look.theme)
        _shares(axes, lengths, look.theme, size)
        most = int(_NAMES * width * 72.0 / _LETTER / size)
        names = [scene.all.short_label(j, most) for j in lengths.order]
        axes.set_yticks(range(len(names)), names, fontsize=size)
        axes.tick_params(axis="y", length=0)
        axes.set_title(_title(scene, lengths))
        legend(figure, axes)
    return Picture(figure, "Importance: latent lengths", _words(scene, lengths), look)


def _axis(axes: Axes, lengths: Lengths) -> None:
    note = "" if np.any(lengths.known) else f"\n{_UNKNOWN}"
    axes.set_xlabel(f"latent length, in correlation lengths{note}")
    axes.set_ylim(len(lengths.order) - 0.4, -0.6)
    if lengths.far:
        low = float(np.nanmin([*lengths.length, *lengths.low]))
        set_scale(axes, "x", "log")
        axes.set_xlim(low / 1.5, lengths.reach * 1.5)
    else:
        set_scale(axes, "x", "linear")
        axes.set_xlim(0.0, lengths.reach * 1.05)


def _lengths(axes: Axes, lengths: Lengths, theme: Theme) -> None:
    rows = np.arange(len(lengths.order))
    if not lengths.far:
        axes.hlines(rows, 0.0, lengths.length, color=theme.grid, linewidth=1.0, zorder=1, gid="stems")
    if lengths.prior is not None:
        _prior(axes, lengths.prior, theme)
    known = lengths.known
    if np.any(known):
        axes.hlines(
            rows[known], lengths.low[known], lengths.high[known], color=theme.latent, linewidth=2.2, alpha=0.55,
            zorder=2, gid="intervals", label=f"95% interval of the {_source(lengths)}",
        )  # fmt: skip
    axes.plot(
        lengths.length, rows, "o", color=theme.latent, markersize=5, zorder=3, clip_on=False, gid="lengths",
        label="latent length",
    )  # fmt: skip
    axes.grid(axis="x", color=theme.grid, linewidth=0.6)
    axes.set_axisbelow(True)


def _prior(axes: Axes, prior: Array, theme: Theme) -> None:
    """Draw the prior's lengths: one line where all are alike, a stroke for each where levels expect less."""
    if np.ptp(prior) == 0.0:
        axes.axvline(
            prior[0], color=theme.muted, linestyle="--", linewidth=1.2, zorder=1.5, gid="prior",
            label=f"prior's length, {figure_of(float(prior[0]))}",
        )  # fmt: skip
        return
    axes.plot(
        prior, np.arange(len(prior)), "|", color=theme.muted, markersize=11, markeredgewidth=1.4, zorder=1.5,
        gid="prior", label="prior's length",
    )  # fmt: skip


def _expected(scene: Scene) -> Array:
    """Return the prior's length of each parameter relative to that of one with an order [K]."""
    levels = [parameter.type == "categorical" for parameter in scene.all.parameters]
    return np.where(levels, math.sqrt(2.0) * LEVEL_SCALE, 1.0)


def _shares(axes: Axes, lengths: Lengths, theme: Theme, size: float) -> None:
    """Write the shares at the right, and beside a length that its interval is not known where others' are."""
    for row, share in enumerate(lengths.share):
        axes.annotate(
            _percent(share), (1.0, row), xycoords=axes.get_yaxis_transform(), xytext=(36, 0), fontsize=size,
            textcoords="offset points", ha="right", va="center", annotation_clip=False, color=theme.ink, gid="share",
        )  # fmt: skip
    axes.annotate(
        "share", (1.0, 1.0), xycoords="axes fraction", xytext=(36, 2), textcoords="offset points", ha="right",
        va="bottom", annotation_clip=False, color=theme.muted, fontsize=8.0, gid="share-head",
    )  # fmt: skip
    for row in np.flatnonzero(~lengths.known) if np.any(lengths.known) else ():
        x = float(lengths.length[row])
        left = axes.transLimits.transform((axes.transScale.transform((x, 0.0))[0], 0.0))[0] < 0.5
        axes.annotate(
            _UNKNOWN, (x, row), xytext=(7 if left else -7, 0), textcoords="offset points", fontsize=0.85 * size,
            ha="left" if left else "right", va="center", color=theme.muted, gid="unknown", zorder=4,
            bbox={"boxstyle": "square,pad=0.1", "facecolor": theme.paper, "alpha": 0.85, "linewidth": 0},
        )  # fmt: skip


def _title(scene: Scene, lengths: Lengths) -> str:
    number, what = len(lengths.order), "latent length of each parameter"
    if lengths.left_out:
        what = f"the {number} longest of {number + lengths.left_out} latent lengths"
    return f"{scene.name}: {what}{'' if lengths.data else ', by the prior: no evaluation yet'}"


def _percent(share: float) -> str:
    return "<1 %" if 0.0 < share < 0.005 else f"{100.0 * share:.0f} %"


def _source(lengths: Lengths) -> str:
    return "fit" if lengths.data else "prior"


def _words(scene: Scene, lengths: Lengths) -> str:
    parts = [] if lengths.data else [f"No evaluation yet: this is the prior{_held(lengths)}."]
    number, all_ = len(lengths.order), len(lengths.order) + lengths.left_out
    if all_ == 1:
        length = _length(lengths, 0, first=True, unit=" correlation lengths")
        parts.append(f"The latent length of {_name(scene, lengths, 0)} is {length}.")
    else:
        which = f"the {number} longest of {counted(all_, 'parameter')}" if lengths.left_out else f"{number} parameters"
        parts.append(f"Latent lengths of {which}, in correlation lengths.")
        parts.append(_comparison(scene, lengths))
    if any(scene.all.parameters[j].type == "categorical" for j in lengths.order):
        parts.append("Of levels without an order it is the distance of the two that are farthest apart.")
    if lengths.prior is not None:
        known = sorted({figure_of(float(each)) for each in lengths.prior}, key=float)
        parts.append(f"The prior's length is {' or '.join(known)}.")
    return " ".join(parts)


def _comparison(scene: Scene, lengths: Lengths) -> str:
    """Say which is the longest, which the shortest, and whether that is sure."""
    last = len(lengths.order) - 1
    if np.allclose(lengths.length, lengths.length[0], rtol=1e-9):
        return f"All are alike: {_length(lengths, 0, first=True)}."
    longest = f"The longest is {_name(scene, lengths, 0)}, {_length(lengths, 0, first=True)}"
    shortest = f"the shortest{' of these' if lengths.left_out else ''} {_name(scene, lengths, last)},"
    ends = (
        f"{longest}, {_percent(lengths.share[0])} of the total,"
        f" {shortest} {_length(lengths, last)}, {_percent(lengths.share[last])}."
    )
    return f"{ends} {_overlaps(scene, lengths)}".rstrip()


def _overlaps(scene: Scene, lengths: Lengths) -> str:
    """Say which intervals overlap the longest's."""
    if not lengths.known[0]:
        return ""
    over = [k for k in range(1, len(lengths.order)) if lengths.known[k] and lengths.high[k] >= lengths.low[0]]
    others, longest = int(lengths.known[1:].sum()), _name(scene, lengths, 0)
    if not over:
        return f"No other interval overlaps that of {longest}." if others else ""
    if len(over) == others and others > 2:
        return f"All other{' known' if others < len(lengths.order) - 1 else ''} intervals overlap that of {longest}."
    names = [_name(scene, lengths, k) for k in over[:_LISTED]]
    if len(over) > _LISTED:
        names.append(f"{len(over) - _LISTED} more")
    verb = "The interval of {} overlaps" if len(over) == 1 else "The intervals of {} overlap"
    return f"{verb.format(listed(names))} that of {longest}."


def _name(scene: Scene, lengths: Lengths, row: int) -> str:
    return scene.all.spoken(lengths.order[row])


def _held(lengths: Lengths) -> str:
    """Return a remark where the lengths without data are not those of the prior: a gap has a largest size."""
    same = lengths.prior is None or np.allclose(lengths.length, lengths.prior, rtol=0.01)
    return "" if same else ", as far as the bounds of the gaps let it be"


def _length(lengths: Lengths, row: int, *, first: bool = False, unit: str = "") -> str:
    """Return a length with its interval."""
    figure = f"{figure_of(float(lengths.length[row]), digits=3)}{unit}"
    if not lengths.known[row]:
        return f"{figure} ({_UNKNOWN})"
    low, high = (figure_of(float(end[row]), digits=3) for end in (lengths.low, lengths.high))
    return f"{figure} ({f'95% interval of the {_source(lengths)} ' if first else ''}{low} to {high})"
