"""A function to minimise whose answer is known, and what an evaluation of it tells."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal, Protocol, runtime_checkable

import numpy as np

from ordbo_cli.benchmark.suites.bbob import BbobFunction
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Level, Number, Parameter, Problem
from ordbo_cli.problem.constraints import Constraint
from ordbo_cli.problem.method import Method
from ordbo_cli.problem.streams import Stream

COCO_PRECISION: Final = 1e-8

Point = Mapping[str, Any]
"""The parameters that count, by name as a user has them."""
Scale = Literal["linear", "log"]
Noise = Callable[[float, np.random.Generator], float]


@dataclass(frozen=True)
class Observation:
    """What one evaluation gave.

    Args:
        y: the value that a method is told, noise included; None for a failure.
        regret: how far the value without noise is above the optimum, at least the problem's precision; None where the
            optimum is not known.
        outcomes: the problem's other results, in order.
        objective: the value where they break their limits, for methods that want one all the same.
    """

    y: float | None
    regret: float | None
    outcomes: tuple[float, ...] = ()
    objective: float | None = None


class Subject(Protocol):
    """What is minimised: a function with a known answer, or a user's simulator."""

    @property
    def name(self) -> str:
        """Its name in records and tables."""

    def problem(self, method: Method, seed: int) -> Problem:
        """Return the question to put to an optimiser."""

    def observe(self, values: Sequence[Number], seed: int, number: int) -> Observation:
        """Evaluate one point."""


@runtime_checkable
class NeedsPrograms(Protocol):
    """A problem that may not be installed."""

    def check(self) -> None:
        """Say so at once, not in the middle of a run.

        Raises:
            UsageError: it is not.
        """


class Answered:
    """What all functions have whose answer is known: regret, and noise that follows from the seed."""

    optimum: float
    precision: float
    noise: Noise | None
    worst: float

    def __call__(self, values: Sequence[Number]) -> float:
        """Return the value at one point ``[D]``, without noise, NaN for a failure."""
        raise NotImplementedError

    def observe(self, values: Sequence[Number], seed: int, number: int) -> Observation:
        """Evaluate one point ``[D]``.

        Args:
            seed, number: of the run, and of the evaluation within it; the noise follows from both.
        """
        value = self(values)
        if math.isnan(value):
            return Observation(None, self.regret(value))
        y = value
        if self.noise is not None:
            y = self.noise(value, np.random.default_rng([seed, number, Stream.NOISE]))
        return Observation(y, self.regret(value))

    def regret(self, value: float) -> float:
        """Return how far a value, NaN of a failure, is above the optimum, at least ``precision``."""
        return max((self.worst if math.isnan(value) else value) - self.optimum, self.precision)


@dataclass(frozen=True)
class BenchmarkProblem(Answered):
    """A function to minimise whose answer is known.

    Args:
        name: its name, the dimension at its end.
        function: maps one point ``[D]`` to its value, NaN for a failure; its docstring names the source.
        bounds: lower and upper bound of each of the D parameters.
        optimum: the lowest value within the bounds.
        minimiser: a point ``[D]`` that has it.
        precision: regret below this counts as this: 1e-8 as in COCO, half the smallest step of a step function.
        scales: of the parameters; empty for linear ones only.
        noise: maps a value and a generator to what is observed; None for the value itself.
        worst: the value that a failure counts as in the regret.
        tune: whether settings of the method may be chosen by it.
    """

    name: str
    function: Callable[[Array], float]
    bounds: tuple[tuple[float, float], ...]
    optimum: float
    minimiser: tuple[float, ...]
    precision: float = COCO_PRECISION
    scales: tuple[Scale, ...] = ()
    noise: Noise | None = None
    worst: float = math.inf
    tune: bool = False

    @property
    def dimension(self) -> int:
        """The number of parameters, D."""
        return len(self.bounds)

    def __call__(self, values: Sequence[float]) -> float:
        """Return the value at one point ``[D]``, without noise, NaN for a failure.

        Raises:
            ValueError: the point has not D coordinates.
        """
        if len(values) != self.dimension:
            raise ValueError(f"{self.name} takes {self.dimension} values, not {len(values)}")
        return self.function(np.asarray(values, dtype=np.float64))

    def problem(self, method: Method, seed: int = 0) -> Problem:
        """Return the question to put to an optimiser, with parameters x1 to xD."""
        scales: Sequence[Scale] = self.scales or ["linear"] * self.dimension
        parameters = tuple(
            Parameter(f"x{i}", low, high, scale=scale)
            for i, ((low, high), scale) in enumerate(zip(self.bounds, scales, strict=True), 1)
        )
        return Problem(parameters, objective="y", noise=self.noise is not None, seed=seed, method=method)


@dataclass(frozen=True)
class MixedProblem(Answered):
    """A function of parameters of any kind to minimise, whose answer is known.

    Args:
        name: its name; at the end the numbers of categorical (c), ordinal (o), int (i) and float (f) parameters.
        function: maps the parameters that count, by name as a user has them, to a value, NaN for a failure; its
            docstring names the source.
        parameters: of any kind.
        optimum: the lowest value.
        minimiser: a point that has it, by name; without those that do not count.
        precision: regret below this counts as this: 1e-8 as in COCO, half the smallest step of a step function.
        noise: maps a value and a generator to what is observed; None for the value itself.
        worst: the value that a failure counts as in the regret.
        tune: whether settings of the method may be chosen by it.
        grades: the words that its values 0, 1, 2, ... stand for; empty where they are numbers.
        constraints: expressions that every point satisfies.
    """

    name: str
    function: Callable[[Point], float]
    parameters: tuple[Parameter, ...]
    optimum: float
    minimiser: Mapping[str, Level]
    precision: float = COCO_PRECISION
    noise: Noise | None = None
    worst: float = math.inf
    tune: bool = False
    grades: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()

    @property
    def dimension(self) -> int:
        """The number of parameters, D."""
        return len(self.parameters)

    def __call__(self, values: Sequence[Number]) -> float:
        """Return the value at one point ``[D]``, levels by their places, without noise, NaN for a failure.

        Raises:
            ValueError: the point has not D coordinates.
        """
        if len(values) != self.dimension:
            raise ValueError(f"{self.name} takes {self.dimension} values, not {len(values)}")
        return self.function(self._question.mapping(values))

    def problem(self, method: Method, seed: int = 0) -> Problem:
        """Return the question to put to an optimiser."""
        return Problem(
            self.parameters,
            objective="y",
            noise=self.noise is not None,
            seed=seed,
            method=method,
            grades=self.grades,
            constraints=tuple(Constraint.parse(text, self.parameters) for text in self.constraints),
        )

    @cached_property
    def _question(self) -> Problem:
        return self.problem(Method())


def bbob_problem(
    name: str, function: BbobFunction, precision: float = COCO_PRECISION, *, tune: bool = False
) -> BenchmarkProblem:
    """Return a BBOB function as a problem on [-5, 5]^D."""
    dimension = len(function.minimiser)
    return BenchmarkProblem(
        name=f"{name}_{dimension}d",
        function=function,
        bounds=((-5.0, 5.0),) * dimension,
        optimum=function.minimum,
        minimiser=tuple(function.minimiser.tolist()),
        precision=precision,
        tune=tune,
    )
