"""What a picture is made from: the method's view of a study, names and units, and what is asked to be shown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from ordbo_cli.errors import UsageError
from ordbo_cli.insight.inspection import View
from ordbo_cli.insight.slices import Slice, slice_of
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.pictures.scales import Heights, heights, set_limits, set_scale
from ordbo_cli.pictures.style import Axes
from ordbo_cli.pictures.words import cut, figure_of
from ordbo_cli.problem import Parameter
from ordbo_cli.problem.method import PartitionKind
from ordbo_cli.problem.setting_order import SettingOrder
from ordbo_cli.problem.spelling import meant

SHOWN = 32  # characters of a name
_MOST_LEVELS = 12  # whose names stand beside an axis
_MOST_SETTINGS: Final = 8  # of a parameter known by order, that are named on an axis
_LEVEL_WIDTH = 12


@dataclass(frozen=True)
class Truth:
    """What is known of a test problem.

    Args:
        function: maps a point [D] to its value without noise, NaN for a failure.
        regret: maps such a value to its regret, floored at the problem's precision.
        minimiser: where it is lowest [D].
    """

    function: Callable[[Sequence[float]], float]
    regret: Callable[[float], float]
    minimiser: Sequence[float]


@dataclass(frozen=True)
class Scene:
    """What a picture is made from.

    Args:
        view: what the method sees.
        name: of the study or of the test problem.
        truth: of a test problem.
        shown: the parameters that are asked for, by place; none for those that the method sees most in.
        partition: the cells that are asked for; None for the method's.
        samples: of Thompson sampling, where its minima are shown.
    """

    view: View
    name: str
    truth: Truth | None = None
    shown: tuple[int, ...] = ()
    partition: PartitionKind | None = None
    samples: int = 200

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """The free parameters."""
        return self.view.problem.free

    @property
    def dimension(self) -> int:
        """D."""
        return len(self.parameters)

    @cached_property
    def axes(self) -> tuple[int, ...]:
        """The parameter or the two that pictures of a plane show: those asked for, else those of most latent length.

        Raises:
            UsageError: more than two are asked for.
        """
        if len(self.shown) > 2:
            raise UsageError(f"{len(self.shown)} parameters are asked for", "This picture shows two, or one")
        if self.shown:
            return self.shown
        return tuple(sorted(np.argsort(-self.view.lengths, kind="stable")[:2].tolist()))

    @cached_property
    def slice(self) -> Slice:
        """The slice through the best point along :attr:`axes`."""
        return slice_of(self.view, self.axes, self.partition)

    @cached_property
    def heights(self) -> Heights:
        """Where the objective's values stand on an axis."""
        return heights([e.objective for e in self.view.evaluations], self.view.problem.goal)

    def label(self, j: int) -> str:
        """Return the name of a parameter with its unit."""
        parameter = self.parameters[j]
        return named(parameter.name, parameter.unit) + (" (ids in order)" if parameter.type == "ranked" else "")

    def value(self, j: int, x: float, *, unit: bool = True) -> str:
        """Return a value of a parameter with its unit; a setting known by order alone by its place, never its label."""
        parameter = self.parameters[j]
        if parameter.type == "ranked":
            return self.order(j).words(x)
        return figure_of(x, parameter.unit if unit else "")

    def order(self, j: int) -> SettingOrder:
        """Return the order of the settings of a ranked parameter."""
        return self.view.orders.of(self.parameters[j].name)

    def short_label(self, j: int, most: int) -> str:
        """Return the name of a parameter with its unit, together about as wide as so many letters at most."""
        parameter = self.parameters[j]
        unit = f" [{parameter.unit}]" if parameter.unit else ""
        if len(unit) > most // 2:
            return cut(f"{parameter.name}{unit}", most)
        return f"{cut(parameter.name, most - len(unit))}{unit}"

    @property
    def objective(self) -> str:
        """The name of the objective with its unit."""
        return named(self.view.problem.objective, self.view.problem.unit)

    def frame_x(self, axes: Axes, j: int) -> None:
        """Make a horizontal axis that of a parameter's own values: label, scale and limits."""
        set_scale(axes, "x", self.parameters[j].scale)
        set_limits(axes, "x", *self.limits(j), whole=self.parameters[j].is_whole)
        self._name_levels(axes.xaxis, j)
        axes.set_xlabel(self.label(j))

    def frame_y(self, axes: Axes, j: int) -> None:
        """Make a vertical axis that of a parameter's own values."""
        set_scale(axes, "y", self.parameters[j].scale)
        set_limits(axes, "y", *self.limits(j), whole=self.parameters[j].is_whole)
        self._name_levels(axes.yaxis, j)
        axes.set_ylabel(self.label(j))

    def _name_levels(self, axis: Any, j: int) -> None:
        """Write the levels of a parameter in place of their places, as long as there is room for them.

        Of settings in order some are named by the ids that placed them: their labels are no measurements.
        """
        if self.parameters[j].type == "ranked":
            labels = self.order(j).labels
            some = labels[:: -(-len(labels) // _MOST_SETTINGS)] if labels else []
            axis.set_ticks(some, labels=[self.order(j).name(x) for x in some], minor=False)
        levels = self.parameters[j].levels
        if 0 < len(levels) <= _MOST_LEVELS:
            axis.set_ticks(range(len(levels)), labels=[cut(str(level), _LEVEL_WIDTH) for level in levels])

    def limits(self, j: int) -> tuple[float, float]:
        """Return the bounds of a parameter."""
        axis = self.view.space.axes[j]
        return axis.low, axis.high

    def grid(self, j: int, number: int) -> Array:
        """Return values of a parameter from bound to bound, evenly spread on its own scale [number]."""
        low, high = self.limits(j)
        spread = np.geomspace if self.parameters[j].scale == "log" else np.linspace
        values = spread(low, high, number)
        values[0], values[-1] = low, high  # rounding may miss the ends
        return np.asarray(values)

    @property
    def elsewhere(self) -> str:
        """In words, where the other parameters are on a slice; nothing where it shows all."""
        levels, through = self.view.levels, ""
        if self.dimension > len(self.axes):
            through = " through the best point" if self.view.best is not None else " through the middle"
        at = f" at {levels}" if levels else ""
        return f"slice{at}{through}" if at or through else ""


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
