"""What is optimised, and what is known of it: frozen values, checked when they are made."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cached_property
from typing import TYPE_CHECKING, Literal, get_args

from ordbo_cli.errors import ProblemError
from ordbo_cli.method import Method

if TYPE_CHECKING:
    from ordbo_cli.lattice import Lattice

Goal = Literal["minimize", "maximize"]
FailurePolicy = Literal["worst", "ignore", "error"]
Number = int | float


def _finite(x: Number) -> bool:
    """Return whether x is a finite double, which an int of 400 digits is not."""
    try:
        return math.isfinite(x)
    except OverflowError:
        return False


@dataclass(frozen=True)
class Parameter:
    """One free parameter and the values it can take.

    Args:
        name: its name, not empty.
        min, max: bounds in the user's units, ``min < max``; both included.
        type: ``float`` or ``int``.
        scale: ``linear``, or ``log`` for a positive parameter whose ratios matter.
        step: distance between values, counted from min; None for no grid (1 for an int).
        digits: significant digits of a float, 1 to 15; None for all. Excludes ``step``.
        unit: what stands behind its values in pictures and reports.

    Raises:
        ProblemError: an argument is out of range, or fewer than two values lie between the bounds.
    """

    name: str
    min: Number
    max: Number
    type: Literal["float", "int"] = "float"
    scale: Literal["linear", "log"] = "linear"
    step: Number | None = None
    digits: int | None = None
    unit: str = ""

    def __post_init__(self) -> None:
        where = f"parameter {self.name!r}"
        if not self.name:
            raise ProblemError("a parameter has no name", "Give it one")
        if self.type not in ("float", "int"):
            raise ProblemError(f"{where}: type is {self.type!r}", "It has to be float or int")
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

    def _has_two_values(self) -> bool:
        """Return whether there is anything to choose; a float without a grid needs no lattice for that."""
        if self.type == "float" and self.step is None and self.digits is None:
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
        step = 1 if self.type == "int" and self.step is None else self.step
        if self.type == "int" and any(float(x) != int(x) for x in (self.min, self.max, step or 1)):
            raise ProblemError(
                f"{where}: an int with min {self.min}, max {self.max}, step {step}",
                "All three have to be whole numbers",
            )
        largest = max(abs(float(self.min)), abs(float(self.max)))
        if step is not None and step < 2 * math.ulp(largest):
            raise ProblemError(
                f"{where}: a step of {step} is finer than a double can tell at {largest:g}",
                "Choose a coarser step or narrower bounds",
            )

    @cached_property
    def lattice(self) -> Lattice:
        """The values that can be suggested."""
        from ordbo_cli.lattice import DigitsLattice, FloatLattice, StepLattice

        if self.type == "int":
            return StepLattice(int(self.min), int(self.max), int(self.step or 1), whole=True)
        if self.step is not None:
            return StepLattice(float(self.min), float(self.max), float(self.step))
        if self.digits is not None:
            return DigitsLattice(float(self.min), float(self.max), self.digits)
        return FloatLattice(float(self.min), float(self.max))

    @property
    def low(self) -> Number:
        """The lowest value that can be suggested."""
        return self.lattice.value(0)

    @property
    def high(self) -> Number:
        """The highest value that can be suggested."""
        return self.lattice.value(self.lattice.count - 1)


@dataclass(frozen=True)
class Fixed:
    """A parameter that stays as it is: handed to the simulator, not searched over.

    Args:
        name: its name, not empty.
        value: a number, or a word that the simulator understands.
        unit: what stands behind it in reports.
    """

    name: str
    value: Number | str
    unit: str = ""

    def __post_init__(self) -> None:
        if not self.name:
            raise ProblemError("a parameter has no name", "Give it one")


@dataclass(frozen=True)
class Problem:
    """A study's question.

    Args:
        parameters: free and fixed ones in the order in which they are printed.
        objective: the objective's name.
        goal: whether small or large values of it are good.
        failed: what a failed evaluation means: the worst rank, nothing, or an error.
        noise: whether a point may be suggested again.
        seed: of every random choice.
        method: the settings of the model and of the search.
        unit: of the objective, in pictures and reports.

    Raises:
        ProblemError: two names are equal, or no parameter is free.
    """

    parameters: tuple[Parameter | Fixed, ...]
    objective: str = "objective"
    goal: Goal = "minimize"
    failed: FailurePolicy = "worst"
    noise: bool = False
    seed: int = 0
    method: Method = field(default_factory=Method)
    unit: str = ""

    def __post_init__(self) -> None:
        if self.goal not in get_args(Goal):
            raise ProblemError(f"goal is {self.goal!r}", "It has to be minimize or maximize")
        if self.failed not in get_args(FailurePolicy):
            raise ProblemError(f"failed is {self.failed!r}", "It has to be worst, ignore or error")
        if self.seed < 0:
            raise ProblemError(f"seed is {self.seed}", "It has to be a whole number from 0 on")
        seen: set[str] = set()
        for name in (self.objective, *self.names):
            if name in seen:
                raise ProblemError(f"the name {name!r} stands twice", "Each parameter and the objective needs its own")
            seen.add(name)
        if not self.free:
            raise ProblemError("no parameter is free", "Give at least one a min and a max that differ")

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all parameters, fixed ones included."""
        return tuple(parameter.name for parameter in self.parameters)

    @cached_property
    def free(self) -> tuple[Parameter, ...]:
        """The parameters that are searched over: the D of the mathematics."""
        return tuple(parameter for parameter in self.parameters if isinstance(parameter, Parameter))

    def mapping(self, values: Sequence[Number]) -> dict[str, Number | str]:
        """Return all parameters by name, for values of the free ones in order."""
        by_name: dict[str, Number | str] = dict(zip([p.name for p in self.free], values, strict=True))
        if len(self.free) == len(self.parameters):
            return by_name
        return {p.name: p.value if isinstance(p, Fixed) else by_name[p.name] for p in self.parameters}

    def values(self, mapping: Mapping[str, Number | str]) -> tuple[Number, ...]:
        """Return the values of the free parameters in order.

        Raises:
            KeyError: one is missing.
        """
        return tuple(mapping[parameter.name] for parameter in self.free)  # type: ignore[misc]  # free ones are numbers


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One result.

    Args:
        values: of the free parameters, in the problem's order.
        objective: the exact decimal that was observed (only its order is used; no arithmetic is done on it), infinite
            in the bad direction where the simulator said so; None for a failure.
        id: of the suggestion it answers, if any.
    """

    values: tuple[Number, ...]
    objective: Decimal | None
    id: int | None = None


@dataclass(frozen=True)
class Suggestion:
    """A point to evaluate.

    Args:
        id: its number within the study, from 1 on.
        values: of the free parameters, in the problem's order.
        parameters: all parameters by name, fixed ones included.
    """

    id: int
    values: tuple[Number, ...]
    parameters: Mapping[str, Number | str]


def objective_ranks(problem: Problem, objectives: Sequence[Decimal | None]) -> list[int]:
    """Return dense ranks, 0 for the best: equal values share a rank, all failures share one after the last.

    Nothing but comparison of exact decimals is used, so every strictly monotone transform gives the same ranks.
    """
    values = [value for value in objectives if value is not None]
    order = sorted(set(values), reverse=problem.goal == "maximize")
    rank = {value: k for k, value in enumerate(order)}
    return [len(order) if value is None else rank[value] for value in objectives]
