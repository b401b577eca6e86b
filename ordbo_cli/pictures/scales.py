"""Where numbers go on an axis: an objective may span hundreds of decades, and only its order means anything."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Literal

import numpy as np

from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.pictures.style import Axes

Kind = Literal["linear", "log", "symlog", "rank"]

_TINY: Final = 1e-150  # all numbers below: matplotlib's own ticks go wrong from about 1e-287 down
_DECADES: Final = 2.0  # that positive values span before their axis is logarithmic
_OUTLIER: Final = 50.0  # times the spread of the inner half before an axis bends for what lies farther out


@dataclass(frozen=True)
class Heights:
    """An objective's values as heights on an axis.

    Args:
        y: heights [N], NaN for failures and infinities.
        kind: of the axis: by rank where doubles do not tell the values apart, or one has no double.
        linear: half the width of the linear part of a symmetrical logarithmic axis.
        high_is_good: whether the goal is to maximise.
    """

    y: Array
    kind: Kind
    linear: float
    high_is_good: bool

    def apply(self, axes: Axes, which: Literal["x", "y"] = "y") -> None:
        """Set the scale of one of a panel's axes."""
        if self.kind == "symlog":
            set_scale(axes, which, "symlog", linthresh=self.linear)
        elif self.kind == "log":
            set_scale(axes, which, "log")

    @property
    def note(self) -> str:
        """What to add to the axis's label."""
        return {"linear": "", "log": "", "symlog": ", bent scale", "rank": ", by rank"}[self.kind]


def set_scale(axes: Axes, which: Literal["x", "y"], kind: str, **settings: float) -> None:
    """Set the scale of one of a panel's axes, its ticks written in plain figures: pictures have no mathematics."""
    axis = axes.xaxis if which == "x" else axes.yaxis
    (axes.set_xscale if which == "x" else axes.set_yscale)(kind, **settings)
    if kind != "linear":
        axis.set_major_formatter(lambda value, _: f"{value:g}")
        axis.set_minor_formatter(lambda value, _: "")


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


def heights(values: Sequence[Decimal | None], goal: str) -> Heights:
    """Return where an objective's values stand on an axis that shows them all.

    Args:
        values: exact values, None for a failure, perhaps infinite in the bad direction.
        goal: ``minimize`` or ``maximize``.
    """
    exact = sorted({value for value in values if value is not None and value.is_finite()})
    y = np.array([_double(value) for value in values], dtype=np.float64)
    doubles = [float(value) for value in exact]
    told_apart = all(map(math.isfinite, doubles)) and len(set(doubles)) == len(exact)
    high_is_good = goal == "maximize"
    if not told_apart or (doubles and max(map(abs, doubles)) > 1e300):
        place = {value: float(k) for k, value in enumerate(exact if not high_is_good else exact[::-1], 1)}
        y = np.array([place.get(value, np.nan) if value is not None else np.nan for value in values])
        return Heights(y, "rank", 1.0, high_is_good=False)
    kind, linear = _kind(np.array(doubles))
    return Heights(y, kind, linear, high_is_good)


def _double(value: Decimal | None) -> float:
    return float(value) if value is not None and value.is_finite() else math.nan


def _kind(values: Array) -> tuple[Kind, float]:
    """Return the scale that shows distinct sorted values, and the linear part's half width of a bent one."""
    if len(values) < 3:
        return "linear", 1.0
    if values[0] > 0.0:
        return ("log" if math.log10(values[-1]) - math.log10(values[0]) > _DECADES else "linear"), 1.0
    low, high = np.percentile(values, (25, 75))
    spread = high / 2 - low / 2  # halves: the difference of two doubles may overflow
    reach = max(abs(values[0] / 2 - low / 2), abs(values[-1] / 2 - high / 2))
    if reach <= _OUTLIER * spread:
        return "linear", 1.0
    near = np.abs(values[np.abs(values) > 0.0])
    return "symlog", float(max(np.percentile(near, 25), 1e-300))
