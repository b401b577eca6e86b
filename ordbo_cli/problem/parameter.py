"""A parameter: what its values are, and when it counts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, Literal, get_args

from ordbo_cli.errors import ProblemError
from ordbo_cli.problem.setting_order import HIGHEST, LOWEST, Placed, RankedLattice

if TYPE_CHECKING:
    from ordbo_cli.problem.axis import Lattice

_BITS: Final = "Doubles hold all whole numbers up to 2^53 only: choose narrower bounds or a coarser step"
Number = int | float
Level = int | float | str
ParameterType = Literal["float", "int", "ordinal", "categorical", "ranked"]


BOOL: Final[Mapping[Level, bool]] = {"false": False, "true": True}
"""The words that are bools in Python: inside, in files and on the command line they are words."""


def in_python(parameters: Mapping[str, Level]) -> dict[str, Level]:
    """Return parameters by name as Python has them: words, numbers, and ``True`` and ``False``."""
    return {name: BOOL.get(value, value) for name, value in parameters.items()}


def in_words(parameters: Mapping[str, Level]) -> dict[str, Level]:
    """Return parameters by name as files have them: ``true`` and ``false`` are words."""
    return {name: str(value).lower() if _is_bool(value) else value for name, value in parameters.items()}


def _is_bool(value: Level) -> bool:
    """Return whether a value is Python's True or False, or NumPy's."""
    return not isinstance(value, str) and str(value) in ("True", "False")


def _finite(x: Number) -> bool:
    """Return whether x is a finite double, which an int of 400 digits is not."""
    try:
        return math.isfinite(x)
    except OverflowError:
        return False


@dataclass(frozen=True)
class Condition:
    """When a parameter counts: where another one has one of some levels.

    Args:
        parent: name of a categorical parameter.
        levels: places of the levels among the parent's, sorted.
        words: these levels, for people; empty where nobody has said them.
    """

    parent: str
    levels: tuple[int, ...]
    words: tuple[Level, ...] = field(default=(), compare=False)


@dataclass(frozen=True, repr=False)
class Parameter:
    """One free parameter and the values it can take.

    Everywhere inside, the value of a parameter with levels is the place of the level, from 0 on, as an int; the user
    sees the level itself (:meth:`shown`).

    Args:
        name: its name, not empty.
        min, max: bounds in the user's units, ``min < max``; both included.
        type: ``float``, ``int``, ``ordinal`` (levels in order), ``categorical`` (levels without one) or ``ranked``
            (settings known by their order alone, inside labels between 0 and 1; :meth:`of_rank` makes one).
        scale: ``linear``, or ``log`` for a positive parameter whose ratios matter.
        step: distance between values, counted from min; None for no grid (1 for an int).
        digits: significant digits of a float, 1 to 15; None for all. Excludes ``step``.
        unit: what stands behind its values in pictures and reports.
        levels: of an ordinal or categorical parameter, at least two, each once; :meth:`of_levels` makes one.
        when: all conditions under which it counts. Where one is not met, it has its lowest value inside, and none
            outside.
        was: the name that it had before, under which older tables and suggestions know it; "" for none.
        past: the value inside that it had before it was added, in rows and suggestions without one; None for none.

    Raises:
        ProblemError: an argument is out of range, or fewer than two values lie between the bounds.
    """

    name: str
    min: Number
    max: Number
    type: ParameterType = "float"
    scale: Literal["linear", "log"] = "linear"
    step: Number | None = None
    digits: int | None = None
    unit: str = ""
    levels: tuple[Level, ...] = ()
    when: tuple[Condition, ...] = ()
    was: str = field(default="", compare=False)
    past: Number | None = field(default=None, compare=False)

    @classmethod
    def of_rank(cls, name: str, unit: str = "") -> Parameter:
        """Return a parameter whose settings are known by their order alone."""
        return cls(name, LOWEST, HIGHEST, "ranked", unit=unit)

    @classmethod
    def of_levels(
        cls,
        name: str,
        levels: Sequence[Level],
        type: Literal["ordinal", "categorical"] = "ordinal",
        unit: str = "",
        when: tuple[Condition, ...] = (),
    ) -> Parameter:
        """Return a parameter with levels.

        Raises:
            ProblemError: there are fewer than two, or one stands twice.
        """
        return cls(name, 0, len(levels) - 1, type, unit=unit, levels=tuple(levels), when=when)

    def __post_init__(self) -> None:
        where = f"parameter {self.name!r}"
        if not self.name:
            raise ProblemError("a parameter has no name", "Give it one")
        if self.type not in get_args(ParameterType):
            raise ProblemError(
                f"{where}: type is {self.type!r}", f"It has to be {' or '.join(get_args(ParameterType))}"
            )
        self._check_levels(where)
        self._check_ranked(where)
        if self.scale not in ("linear", "log"):
            raise ProblemError(f"{where}: scale is {self.scale!r}", "It has to be linear or log")
        self._check_bounds(where)
        self._check_grid(where)
        if not self._has_two_values():
            grid = f"{self.digits} digits leave" if self.digits else f"a step of {self.step} leaves"
            raise ProblemError(
                f"{where}: {grid} fewer than two values between {self.min} and {self.max}",
                "Refine them, or give one as value: instead",
            )

    def settings(self, parents: Mapping[str, Parameter] | None = None) -> dict[str, Any]:
        """Return it as a problem file has it, without what says nothing.

        Args:
            parents: the parameters by name that its conditions are on; None for the words that these keep.
        """
        said: dict[str, Any] = {"type": self.type}
        if self.type == "categorical" and self.levels == tuple(BOOL):
            said["type"] = "bool"
        elif self.levels:
            said["values"] = [BOOL.get(level, level) for level in self.levels]
        elif self.type != "ranked":
            said |= {"min": self.min, "max": self.max}
        said |= {"scale": self.scale} if self.scale != "linear" else {}
        said |= {key: getattr(self, key) for key in ("step", "digits") if getattr(self, key) is not None}
        if self.when:
            said["when"] = {
                each.parent: [BOOL.get(x, x) for x in _levels(each, (parents or {}).get(each.parent))]
                for each in self.when
            }
        said |= {key: getattr(self, key) for key in ("unit", "was") if getattr(self, key)}
        if self.past is not None:
            said["past"] = BOOL.get(self.shown(self.past), self.shown(self.past))
        return said

    def __repr__(self) -> str:
        said = {key: value for key, value in self.settings().items() if (key, value) != ("type", "float")}
        return call_of(self.name, said)

    def _check_levels(self, where: str) -> None:
        with_levels = self.type in ("ordinal", "categorical")
        if with_levels != bool(self.levels):
            raise ProblemError(f"{where}: {len(self.levels)} values of type {self.type}", "Levels go with their types")
        if not with_levels:
            return
        if len(self.levels) < 2:
            raise ProblemError(f"{where}: there is one value, {self.levels[0]!r}", "Give it as value: instead")
        for k, level in enumerate(self.levels):
            if level in self.levels[:k]:
                raise ProblemError(f"{where}: the value {level!r} stands twice", "Each level needs its own")
        if (self.min, self.max, self.scale, self.step, self.digits) != (0, len(self.levels) - 1, "linear", None, None):
            raise ProblemError(f"{where}: bounds or a grid beside values", "Values are all that levels have")

    def _check_ranked(self, where: str) -> None:
        if self.type != "ranked":
            return
        if (self.min, self.max, self.scale, self.step, self.digits) != (LOWEST, HIGHEST, "linear", None, None):
            raise ProblemError(f"{where}: bounds or a grid, and type ranked", "Its settings have nothing but an order")
        if self.when:
            raise ProblemError(f"{where}: when on type ranked is not supported", "Take when: out")

    def shown(self, value: Number) -> Level:
        """Return a value as the user has it: a level for its place, the words of a setting.

        Raises:
            TypeError: it is a bare label, whose words the rows know
                (:meth:`~ordbo_cli.problem.setting_order.SettingOrders.in_words`).
        """
        if self.type == "ranked":
            if not isinstance(value, Placed):
                raise TypeError(f"{self.name}: a label without its words")
            return value.words
        return self.levels[int(value)] if self.levels else value

    def counts(self, before: Mapping[str, Number]) -> bool:
        """Return whether it counts.

        Args:
            before: the values inside of the parameters before it that count, by name.
        """
        return all(before.get(each.parent) in each.levels for each in self.when)

    @property
    def is_whole(self) -> bool:
        """Whether its values inside are whole numbers."""
        return self.type not in ("float", "ranked")

    def _has_two_values(self) -> bool:
        """Return whether there is anything to choose; a float without a grid needs no lattice for that."""
        if not self.is_whole and self.step is None and self.digits is None:
            return float(self.min) < float(self.max)
        return self.lattice.count >= 2

    def _check_bounds(self, where: str) -> None:
        if not (_finite(self.min) and _finite(self.max)):
            raise ProblemError(f"{where}: bounds are {self.min} and {self.max}", "Both have to be finite")
        if self.min > self.max:
            raise ProblemError(f"{where}: min {self.min} is above max {self.max}", "Swap them")
        if self.min == self.max:
            raise ProblemError(f"{where}: min and max are both {self.min}", "Give it as value: instead")
        if not _finite(self.max - self.min):
            raise ProblemError(
                f"{where}: from min {self.min} to max {self.max} is farther than a double can tell", "Narrow them"
            )
        if self.scale == "log" and self.min <= 0:
            raise ProblemError(f"{where}: log scale with min {self.min}", "The lower bound has to be above 0")
        if self.scale == "log" and math.log(self.min) == math.log(self.max):
            raise ProblemError(
                f"{where}: log scale from {self.min} to {self.max}, whose logarithms are equal", "Take it out"
            )

    def _check_grid(self, where: str) -> None:
        if self.step is not None and not (_finite(self.step) and self.step > 0):
            raise ProblemError(f"{where}: step is {self.step}", "It has to be above 0")
        if self.digits is not None and not 1 <= self.digits <= 15:
            raise ProblemError(f"{where}: digits is {self.digits}", "It has to be 1 to 15")
        if self.digits is not None and (self.step is not None or self.type == "int"):
            raise ProblemError(f"{where}: digits beside {'step' if self.step else 'type int'}", "Keep one of the two")
        step = 1 if self.is_whole and self.step is None else self.step
        for key, x in (("min", self.min), ("max", self.max), ("step", step or 1)) if self.is_whole else ():
            if x != int(x):
                message = f"{where}: an int with min {self.min}, max {self.max}, step {step}"
                raise ProblemError(message, "All three have to be whole numbers")
            if float(x) != x:
                raise ProblemError(f"{where}: {key} {x} is a whole number that no double holds", _BITS)
        largest = max(self.min, self.max, key=abs)
        if step is None or step >= 2 * math.ulp(float(largest)):
            return
        if self.is_whole:  # of 53 bits, one is for the middle of two values
            key, most = "max" if largest == self.max else "min", 2 ** (51 + int(step).bit_length())
            said = str(largest) if abs(largest) < 10**20 else f"{float(largest):g}"
            raise ProblemError(f"{where}: {key} {said} of an int: steps of {step} are told apart below {most}", _BITS)
        raise ProblemError(
            f"{where}: a step of {step} is finer than a double can tell at {abs(float(largest)):g}",
            "Choose a coarser step or narrower bounds",
        )

    @cached_property
    def lattice(self) -> Lattice:
        """The values that can be suggested, of a ranked parameter before any setting has its place."""
        from ordbo_cli.problem.axis import DigitsLattice, FloatLattice, StepLattice

        if self.type == "ranked":
            return RankedLattice(())
        if self.is_whole:
            return StepLattice(int(self.min), int(self.max), int(self.step or 1), whole=True)
        if self.step is not None:
            return StepLattice(float(self.min), float(self.max), float(self.step))
        if self.digits is not None:
            return DigitsLattice(float(self.min), float(self.max), self.digits)
        return FloatLattice(float(self.min), float(self.max))

    @property
    def low(self) -> Number:
        """The lowest value that can be suggested; of a ranked parameter the end of its order, which no setting has."""
        return self.min if self.type == "ranked" else self.lattice.value(0)

    @property
    def high(self) -> Number:
        """The highest value that can be suggested; of a ranked parameter the end of its order, which no setting has."""
        return self.max if self.type == "ranked" else self.lattice.value(self.lattice.count - 1)


def _levels(condition: Condition, parent: Parameter | None) -> Sequence[Level]:
    """Return the levels of a condition in words, or their places where nobody knows the words."""
    if parent is not None:
        return [parent.levels[k] for k in condition.levels]
    return condition.words or condition.levels


def call_of(name: str, settings: Mapping[str, Any]) -> str:
    """Return the call that makes a parameter."""
    return f"Parameter({', '.join([repr(name), *(f'{key}={value!r}' for key, value in settings.items())])})"


@dataclass(frozen=True, repr=False)
class Fixed:
    """A parameter that stays as it is: handed to the simulator, not searched over.

    Args:
        name: its name, not empty.
        value: a number, or a word that the simulator understands.
        unit: what stands behind it in reports.
        was: the name that it had before; "" for none.
    """

    name: str
    value: Number | str
    unit: str = ""
    was: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        if not self.name:
            raise ProblemError("a parameter has no name", "Give it one")

    def settings(self) -> dict[str, Any]:
        """Return it as a problem file has it."""
        said: dict[str, Any] = {"value": BOOL.get(self.value, self.value)}
        return said | {key: getattr(self, key) for key in ("unit", "was") if getattr(self, key)}

    def __repr__(self) -> str:
        return call_of(self.name, self.settings())
