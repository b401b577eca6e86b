"""Where numbers go on an axis: an objective may span hundreds of decades, and only its order means anything."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Literal

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.style import Axes
from ordbo_cli.pictures.words import cut, figure_of, told_apart

Kind = Literal["linear", "log", "symlog", "rank"]

_TINY: Final = 1e-150  # all numbers below: matplotlib's own ticks go wrong from about 1e-287 down
_DECADES: Final = 2.0  # that values of one sign span before their axis is logarithmic
_SKEWED: Final = 10.0  # times the median that the largest is, from which on it is so from one decade on
_OUTLIER: Final = (
    50.0  # times the spread of the inner half, or the median, before an axis bends for what is farther out
)
_FAR: Final = 1e6  # times the linear part of an axis of distances to the best
_BENT: Final = 40.0  # decades that a bent axis can show
_MARGIN: Final = 0.5  # of its decades that a logarithmic axis, its ticks included, may reach beyond its values
_LAST: Final = 307.0  # powers of ten that a double can have
_RANGE: Final = (1e-300, 1e300)  # of magnitudes that an axis can show with its margins
_TICKS: Final = 6
_GRADES: Final = 12  # words beside an axis
_LABEL: Final = 10  # characters of a tick label at a rank


@dataclass(frozen=True)
class Heights:
    """An objective's values as heights on an axis.

    Args:
        y: heights [N], NaN for failures and infinities.
        kind: of the axis: by rank where doubles do not tell the values apart, or no axis shows them all.
        linear: half the width of the linear part of a symmetrical logarithmic axis.
        high_is_good: whether the goal is to maximise.
        exact: the distinct finite values, the lowest first; on an axis by rank they stand at 1, 2, 3...
        grades: the words that the values are places of; empty where they are numbers.
        gaps: whether the heights are distances to the best of the values.
    """

    y: Array
    kind: Kind
    linear: float
    high_is_good: bool
    exact: tuple[Decimal, ...] = ()
    grades: tuple[str, ...] = ()
    gaps: bool = False

    def apply(self, axes: Axes, which: Literal["x", "y"] = "y") -> None:
        """Set the scale and the ticks of one of a panel's axes."""
        axis = axes.xaxis if which == "x" else axes.yaxis
        if not self.exact:
            axis.set_ticks([])
        elif self.grades:
            some = spread_out(len(self.grades), _GRADES)
            axis.set_ticks(some, [cut(self.grades[k], _LABEL) for k in some])
        elif self.kind == "rank":
            ranks = spread_out(len(self.exact), _TICKS)
            axis.set_ticks([k + 1 for k in ranks], self._labels(ranks))
        else:
            set_scale(axes, which, self.kind, **({"linthresh": self.linear} if self.kind == "symlog" else {}))
            if self.kind == "log" and abs(math.log10(abs(float(self.exact[-1] / self.exact[0])))) < _DECADES:
                axis.get_major_locator().set_params(subs=(1.0, 2.0, 5.0))

    @property
    def note(self) -> str:
        """What to add to the axis's label."""
        if self.gaps:
            return ", distance to the best"
        return {"linear": "", "log": "", "symlog": ", bent scale", "rank": ", by rank"}[self.kind]

    def has_room_for(self, value: Decimal) -> bool:
        """Return whether a value that is no result may stand on the axis and does not squash the results.

        It lies among them, or beside them by their extent at most, as the axis shows it.
        """
        if self.kind == "rank" or not self.exact:
            return False
        at, low, high = map(self._length, (value, self.exact[0], self.exact[-1]))
        if not math.isfinite(at) or (self.kind == "log" and (value < 0) != (self.exact[0] < 0)):
            return False
        return low == high or abs(2.0 * at - low - high) <= 3.0 * abs(high - low)

    def _length(self, value: Decimal) -> float:
        """Return where a value stands, in lengths along the axis; where there is no such place, it is not finite."""
        y = float(value)
        if self.kind == "log":
            return math.log10(abs(y)) if y else -math.inf
        return math.asinh(y / self.linear) if self.kind == "symlog" else y

    def _labels(self, ranks: Sequence[int]) -> list[str]:
        """Return the values at ranks; where they are too alike to be told apart in few characters, the ranks."""
        labels = told_apart([self.exact[k] for k in ranks])
        if len(set(labels)) == len(labels) and max(map(len, labels)) <= _LABEL:
            return labels
        return [str(k + 1) for k in ranks]


def set_scale(axes: Axes, which: Literal["x", "y"], kind: str, **settings: float) -> None:
    """Set the scale of one of a panel's axes, its ticks few and written in plain figures: no powers, no offset."""
    from matplotlib.ticker import FixedLocator, SymmetricalLogLocator

    axis = axes.xaxis if which == "x" else axes.yaxis
    (axes.set_xscale if which == "x" else axes.set_yscale)(kind, **settings)
    if kind == "symlog":

        class Locator(SymmetricalLogLocator):
            """Few ticks: matplotlib's own are one for each decade on both sides, and collide around zero."""

            def tick_values(self, vmin: float, vmax: float) -> Any:
                return _bent_ticks(min(vmin, vmax), max(vmin, vmax), settings["linthresh"])

        axis.set_major_locator(Locator(base=10.0, linthresh=settings["linthresh"]))
        axis.set_minor_locator(FixedLocator([]))
    axis.set_major_formatter(lambda value, _: _tick(value, axis.get_majorticklocs()))
    axis.set_minor_formatter(lambda value, _: "")


def spread_out(number: int, most: int) -> list[int]:
    """Return places from the first to the last of a number of things, evenly spread, not more than the most."""
    return sorted({round(place) for place in np.linspace(0, number - 1, min(number, most))})


def set_limits(axes: Axes, which: Literal["x", "y"], low: float, high: float, *, whole: bool) -> None:
    """Set the ends of one of a panel's axes, however small the numbers.

    Args:
        whole: whether ticks belong at whole numbers only.
    """
    axis = axes.xaxis if which == "x" else axes.yaxis
    if axis.get_scale() == "linear":
        if max(abs(low), abs(high)) < _TINY:
            _tick_tiny(axis, low, high)
        elif whole:
            axis.get_major_locator().set_params(integer=True)
    (axes.set_xlim if which == "x" else axes.set_ylim)(low, high)


def _tick_tiny(axis: Any, low: float, high: float) -> None:
    """Tick an axis whose numbers matplotlib takes for 0, and keep it from widening the axis."""
    from matplotlib.ticker import FixedLocator, MaxNLocator

    ticks = MaxNLocator(5).tick_values(low / _TINY / _TINY, high / _TINY / _TINY)
    locator: Any = FixedLocator([float(tick) * _TINY * _TINY for tick in ticks])
    locator.nonsingular = lambda a, b: (a, b)
    axis.set_major_locator(locator)
    axis.set_major_formatter(lambda value, _: f"{value:g}")


def heights(
    values: Sequence[Decimal | None], goal: str, grades: tuple[str, ...] = (), *, ranks: bool = False
) -> Heights:
    """Return where an objective's values stand on an axis that shows them all.

    Args:
        values: exact values, None for a failure, perhaps infinite in the bad direction.
        goal: ``minimize`` or ``maximize``.
        grades: the words that they are places of, if they are.
        ranks: whether they stand at their ranks whatever they are.
    """
    exact = tuple(sorted({value for value in values if value is not None and value.is_finite()}))
    high_is_good = goal == "maximize"
    doubles = np.array([float(value) for value in exact])
    told = len(set(doubles.tolist())) == len(exact)
    plain: tuple[Kind, float] = ("linear" if grades else "rank"), 1.0
    kind, linear = _kind(doubles) if told and not grades and not ranks else plain
    height = {value: float(value) if kind != "rank" else k for k, value in enumerate(exact, 1)}
    y = np.array([math.nan if value is None else height.get(value, math.nan) for value in values], dtype=np.float64)
    return Heights(y, kind, linear, high_is_good, exact, grades)


def seen_from_the_best(plain: Heights) -> Heights:
    """Return heights as distances to the best value where most lie so close to it that a linear axis shows no steps.

    That is for reading alone; the method never subtracts results.
    """
    if plain.kind != "linear" or plain.grades or len(plain.exact) < 3:
        return plain
    best = plain.exact[-1 if plain.high_is_good else 0]
    y = np.abs(plain.y - float(best))
    gaps = np.unique(y[y > 0.0])
    if gaps[-1] <= _OUTLIER * np.median(gaps):
        return plain
    exact = tuple(map(Decimal, [0.0, *gaps.tolist()]))
    return Heights(y, "symlog", max(float(gaps[0]), gaps[-1] / _FAR), high_is_good=False, exact=exact, gaps=True)


def _kind(values: Array) -> tuple[Kind, float]:
    """Return the scale that shows distinct sorted values, and the linear part's half width of a bent one."""
    sizes = np.abs(values[values != 0.0])
    if len(sizes) and not (sizes.max() <= _RANGE[1] and (len(values) < 3 or sizes.min() >= _RANGE[0])):
        return "rank", 1.0
    if len(values) < 3:
        return "linear", 1.0
    one_sign = values[0] > 0.0 or values[-1] < 0.0
    first, last = (math.log10(size) for size in (sizes.min(), sizes.max())) if one_sign else (0.0, 0.0)
    most, usual = float(sizes.max()), float(np.median(sizes))
    if (decades := last - first) > _DECADES or (decades > 1.0 and most / _SKEWED > usual):
        if values[0] < 0.0:
            return _bent(values, float(sizes.min()))
        return ("log" if max(-first, last) + _MARGIN * decades <= _LAST else "rank"), 1.0
    low, high = np.percentile(values, (25, 75))
    spread, reach = high - low, max(low - values[0], values[-1] - high)
    if one_sign or (reach <= _OUTLIER * spread and most / _OUTLIER <= usual):
        return "linear", 1.0
    return _bent(values, float(np.percentile(sizes, 25)))


def _bent(values: Array, linear: float) -> tuple[Kind, float]:
    decades = sum(math.log10(max(1.0, side / linear)) for side in (-float(values[0]), float(values[-1])) if side > 0.0)
    return ("symlog", linear) if decades <= _BENT else ("rank", 1.0)


def _bent_ticks(low: float, high: float, linear: float) -> Array:
    """Return zero, where it is in sight, and powers of ten on both sides of it, not below the linear part."""
    first = math.ceil(math.log10(linear))
    ends = [math.floor(math.log10(side)) if side > linear else first - 1 for side in (-low, high)]
    stride = max(1, math.ceil(sum(end - first + 1 for end in ends) / _TICKS))
    below, above = (
        [10.0**power for power in range(end, first - 1, -stride) if power > first or stride == 1] for end in ends
    )
    ticks = [-tick for tick in below] + ([0.0] if low <= 0.0 <= high else []) + above[::-1]
    return np.array([tick for tick in ticks if low <= tick <= high])


def _tick(value: float, ticks: Array) -> str:
    """Return a tick's value, to as many digits as tell it from the other ticks."""
    near = [float(tick) for tick in ticks]
    place = min(range(len(near)), key=lambda k: abs(near[k] - value), default=None)
    return figure_of(value) if place is None or near[place] != value else told_apart(near)[place]
