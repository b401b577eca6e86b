"""Parameters on axes: their names, the words of their values, and axes in their own units."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from ordbo_cli.errors import UsageError
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.scales import set_limits, set_scale
from ordbo_cli.pictures.style import Axes
from ordbo_cli.pictures.words import cut, figure_of, told_apart
from ordbo_cli.problem import Parameter
from ordbo_cli.problem.axis import Axis
from ordbo_cli.problem.setting_order import SettingOrder, SettingOrders
from ordbo_cli.problem.spelling import meant

SHOWN: Final = 32  # characters of a name
LEVEL_WIDTH: Final = 12
_SPOKEN: Final = 60  # letters of a name in a sentence
_MOST_LEVELS: Final = 12  # whose names stand beside an axis
_MOST_SETTINGS: Final = 10  # of a parameter known by order, that have room for their names on an axis
_ASIDE: Final = 0.4  # of a level, free beside the first and the last one of those without an order


@dataclass(frozen=True)
class ParameterAxes:
    """Some parameters of a study, by place.

    Args:
        parameters: all of them, or those along the axes of a part.
        orders: of the settings of ranked ones.
    """

    parameters: tuple[Parameter, ...]
    orders: SettingOrders

    def name(self, j: int) -> str:
        """Return the name of a parameter, a long one cut."""
        return named(self.parameters[j].name, "")

    def spoken(self, j: int) -> str:
        """Return the name of a parameter for a sentence, of a very long one both ends."""
        return cut(self.parameters[j].name, _SPOKEN)

    def label(self, j: int) -> str:
        """Return the name of a parameter with its unit."""
        parameter = self.parameters[j]
        return named(parameter.name, parameter.unit) + (" (ids in order)" if parameter.type == "ranked" else "")

    def short_label(self, j: int, most: int) -> str:
        """Return the name of a parameter with its unit, together about as wide as so many letters at most."""
        parameter = self.parameters[j]
        unit = f" [{parameter.unit}]" if parameter.unit else ""
        if len(unit) > most // 2:
            return cut(f"{parameter.name}{unit}", most)
        return f"{cut(parameter.name, most - len(unit))}{unit}"

    def value(self, j: int, x: float, *, unit: bool = True) -> str:
        """Return a value in the user's words: with its unit, as a level, or, known by order alone, by its place."""
        parameter = self.parameters[j]
        if parameter.type == "ranked":
            return self.order(j).words(x)
        if parameter.levels:
            return self.words(j, [x])[0]
        return figure_of(x, parameter.unit if unit else "")

    def words(self, j: int, values: Sequence[float]) -> list[str]:
        """Return what stands beside values of a parameter on an axis: levels, ids, or figures that tell them apart."""
        parameter = self.parameters[j]
        if parameter.type == "ranked":
            return [self.order(j).name(x) for x in values]
        if parameter.levels:
            return [str(parameter.levels[int(x)]) if x == int(x) else "between levels" for x in values]
        return told_apart(values)

    def order(self, j: int) -> SettingOrder:
        """Return the order of the settings of a ranked parameter."""
        return self.orders.of(self.parameters[j].name)

    def limits(self, j: int) -> tuple[float, float]:
        """Return the bounds of a parameter."""
        axis = Axis(self.parameters[j], self.orders)
        return axis.low, axis.high

    def grid(self, j: int, number: int) -> Array:
        """Return values of a parameter from bound to bound, evenly spread on its own scale, or all its levels [G]."""
        if self.parameters[j].levels:
            return np.arange(len(self.parameters[j].levels), dtype=np.float64)
        low, high = self.limits(j)
        spread = np.geomspace if self.parameters[j].scale == "log" else np.linspace
        values = spread(low, high, number)
        values[0], values[-1] = low, high  # rounding may miss the ends
        return np.asarray(values)

    def frame(self, axes: Axes, which: Literal["x", "y"], j: int) -> None:
        """Make an axis of a panel that of a parameter's own values: label, scale, limits, and levels by their names.

        Of settings in order those with room are named by the ids that placed them: their labels are no measurements.
        """
        parameter, axis = self.parameters[j], axes.xaxis if which == "x" else axes.yaxis
        low, high = self.limits(j)
        aside = _ASIDE if parameter.type == "categorical" else 0.0
        set_scale(axes, which, parameter.scale)
        set_limits(axes, which, low - aside, high + aside, whole=parameter.is_whole)
        if parameter.type == "ranked":
            some: list[float] = []
            for x in self.order(j).labels:
                if not some or x - some[-1] >= (high - low) / _MOST_SETTINGS:
                    some.append(x)
            axis.set_ticks(some, labels=self.words(j, some), minor=False)
        elif levels := parameter.levels:
            places = range(0, len(levels), -(-len(levels) // _MOST_LEVELS))
            axis.set_ticks(places, labels=[cut(str(levels[k]), LEVEL_WIDTH) for k in places])
        (axes.set_xlabel if which == "x" else axes.set_ylabel)(self.label(j))


def named(name: str, unit: str) -> str:
    """Return a name with its unit, a long one cut."""
    short = name if len(name) <= SHOWN else f"{name[: SHOWN - 1]}…"
    return f"{short} [{unit}]" if unit else short


def places(parameters: Sequence[Parameter], names: Sequence[str]) -> tuple[int, ...]:
    """Return the places of parameters by name.

    Raises:
        UsageError: there is no such parameter, or one is named twice.
    """
    known = [parameter.name for parameter in parameters]
    for name in names:
        if name not in known:
            raise UsageError(f"there is no free parameter {name!r}", meant(name, known))
    if len(set(names)) < len(names):
        raise UsageError("a parameter is named twice", "Name two that differ")
    return tuple(known.index(name) for name in names)
