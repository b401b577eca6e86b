"""Distortions of results: another number in place of the result, or in place of a failure.

The strictly increasing ones are computed in decimals and rounded once, at the end, to the nearest double. So they never
turn an order round, and two results become one only where no two doubles are left for them.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Final

import numpy as np

from ordbo_cli.benchmark.distortions.lens import KnownProblem, Lens, refusal
from ordbo_cli.benchmark.rivals.methods import contestant
from ordbo_cli.benchmark.rivals.searchers import Start
from ordbo_cli.benchmark.suites.benchmark_problem import NeedsPrograms, Observation
from ordbo_cli.insight.transforms import objective_image
from ordbo_cli.problem import Problem
from ordbo_cli.problem.axis import exact
from ordbo_cli.problem.method import Method
from ordbo_cli.problem.streams import Stream

PENALTY: Final = 1e9
NOISE: Final = 0.3  # standard deviation, of how far a value is above the optimum
_KELVIN: Final = Decimal("273.15")
_MILLI: Final = Decimal(1000)
_LOOKS: Final = 63  # points of the sample that limits are taken from
_FAILING: Final = 0.1  # the part of it that fails
_CONTEXT: Final = Context(prec=64)
_SAMPLES: Final[dict[int, tuple[KnownProblem, Sequence[Observation]]]] = {}  # by identity: not all can be hashed


@dataclass(frozen=True)
class Log(Lens):
    """``ln(1 + d / precision)`` of a value d above the optimum, ``-ln(1 - d / precision)`` where noise is below it."""

    optimum: float
    precision: float

    def image(self, y: float) -> float:
        """Return what a method is told in place of a value."""
        return float(objective_image(_CONTEXT.divide(_above(y, self.optimum), exact(self.precision)), "log"))


@dataclass(frozen=True)
class Cube(Lens):
    """``d^3`` of a value d above the optimum."""

    optimum: float

    def image(self, y: float) -> float:
        """Return what a method is told in place of a value."""
        return float(objective_image(_above(y, self.optimum), "cube"))


@dataclass(frozen=True)
class Clip(Lens):
    """Every value above a limit is told as the limit: what is above it cannot be told apart any more."""

    limit: float

    @classmethod
    def before(cls, subject: KnownProblem) -> Clip:
        """Return it for a problem: the limit is the median of what a sample is told, half of the box a plateau.

        Raises:
            UsageError: everything in the sample fails.
        """
        values = [found.objective if found.y is None else found.y for found in _sample(subject)]
        numbers = [value for value in values if value is not None]
        if not numbers:
            raise refusal(subject.name, "clip", "everything fails in a sample of it")
        return cls(float(np.median(numbers)))

    def image(self, y: float) -> float:
        """Return what a method is told in place of a value."""
        return min(y, self.limit)


@dataclass(frozen=True)
class Failing(Lens):
    """The worst tenth of a problem that never fails does fail, by the values without noise.

    Args:
        limit: of the regret, above which an evaluation fails.
    """

    limit: float

    @classmethod
    def before(cls, subject: KnownProblem) -> Failing:
        """Return it for a problem: the tenth is that of a sample.

        Raises:
            UsageError: evaluations of it fail anyhow.
        """
        if np.isfinite(subject.worst):
            raise refusal(subject.name, "failing", "it has failures of its own", "Take penalty, or leave failing out")
        return cls(_failing_from(subject))

    def told(self, found: Observation, seed: int, number: int) -> Observation:
        """Return what a method is told of an evaluation."""
        return dataclasses.replace(found, y=None) if _fails(found, self.limit) else found

    def worst(self, worst: float) -> float:
        """Return that a failure is worse than all else, but no longer infinite: there are some."""
        return float(np.finfo(np.float64).max)


@dataclass(frozen=True)
class Penalty(Lens):
    """A failure is told as the number 1e9, limits of other results included, which are not told.

    Args:
        limit: of the regret, above which an evaluation fails; infinite where evaluations fail anyhow.
    """

    limit: float

    @classmethod
    def before(cls, subject: KnownProblem) -> Penalty:
        """Return it for a problem: of one that never fails the worst tenth does, as with :class:`Failing`.

        Raises:
            UsageError: the penalty is no penalty, as there are successes with higher values.
        """
        limit = np.inf if np.isfinite(subject.worst) else _failing_from(subject)
        successes = [found.y for found in _sample(subject) if found.y is not None and not _fails(found, limit)]
        if successes and max(successes) >= PENALTY:
            raise refusal(
                subject.name,
                "penalty",
                f"it has values up to {max(successes):.1g}, so that 1e9 is none",
                "Leave penalty out, or put it before what made the values so large",
            )
        return cls(limit)

    def question(self, problem: Problem) -> Problem:
        """Return the question that a method is put: without limits of other results."""
        return dataclasses.replace(problem, outcomes=())

    def told(self, found: Observation, seed: int, number: int) -> Observation:
        """Return what a method is told of an evaluation."""
        return Observation(PENALTY if found.y is None or _fails(found, self.limit) else found.y, found.regret)

    def worst(self, worst: float) -> float:
        """Return that nothing fails any more."""
        return np.inf


@dataclass(frozen=True)
class Kelvin(Lens):
    """``1000 (y + 273.15)``: degrees Celsius as thousandths of a kelvin."""

    def image(self, y: float) -> float:
        """Return what a method is told in place of a value."""
        return float(_CONTEXT.multiply(_CONTEXT.add(exact(y), _KELVIN), _MILLI))


@dataclass(frozen=True)
class Uneven(Lens):
    """Normal noise whose standard deviation is 0.3 of how far a value is above the optimum."""

    optimum: float

    def question(self, problem: Problem) -> Problem:
        """Return the question that a method is put: it is said to be noisy."""
        return dataclasses.replace(problem, noise=True)

    def told(self, found: Observation, seed: int, number: int) -> Observation:
        """Return what a method is told of an evaluation: the noise follows from seed and number."""
        draw = NOISE * float(np.random.default_rng([seed, number, Stream.DISTORTION]).normal())
        y, objective = (
            None if value is None else value + draw * abs(value - self.optimum) for value in (found.y, found.objective)
        )
        return dataclasses.replace(found, y=y, objective=objective)


def _above(y: float, optimum: float) -> Decimal:
    return _CONTEXT.subtract(exact(y), exact(optimum))


def _fails(found: Observation, limit: float) -> bool:
    return found.regret is not None and found.regret > limit


def _failing_from(subject: KnownProblem) -> float:
    """Return the regret that all but the worst tenth of a sample have.

    The sample is that of the problem as it is: the same points fail whatever else it is seen through.
    """
    origin: KnownProblem = getattr(subject, "origin", subject)
    regrets = [found.regret for found in _sample(origin) if found.regret is not None]
    return float(np.quantile(regrets, 1 - _FAILING))


def _sample(subject: KnownProblem) -> Sequence[Observation]:
    """Return what a method would be told at points drawn at random, always the same ones, that satisfy constraints.

    Raises:
        UsageError: the problem is not installed.
    """
    if isinstance(subject, NeedsPrograms):
        subject.check()
    if id(subject) not in _SAMPLES:  # a simulation takes its time, and several distortions ask
        question = subject.problem(Method(), 0)
        searcher = contestant("random").begin(Start(question, seed=0, initial=0, total=_LOOKS))
        found = [subject.observe(searcher.ask(), 0, number) for number in range(1, _LOOKS + 1)]
        _SAMPLES[id(subject)] = subject, found
    return _SAMPLES[id(subject)][1]
