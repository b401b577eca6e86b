"""What stands between a test problem and a method, and the problems that one can be put before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol, runtime_checkable

from ordbo_cli.benchmark.suites.benchmark_problem import Observation, Subject
from ordbo_cli.errors import UsageError
from ordbo_cli.problem import Number, Problem


@runtime_checkable
class KnownProblem(Subject, Protocol):
    """A test problem whose answer is known, which is what a distortion goes by."""

    @property
    def optimum(self) -> float:
        """The lowest value that a method can be told."""

    @property
    def precision(self) -> float:
        """What regret below this counts as."""

    @property
    def worst(self) -> float:
        """The value that a failure counts as; infinite where nothing fails."""


def refusal(subject: str, distortion: str, why: str, hint: str = "") -> UsageError:
    """Return the error that a problem cannot be seen through a distortion.

    Args:
        subject, distortion: their names.
        hint: what can be done; to leave the distortion out, if nothing else can.
    """
    return UsageError(f"{subject} cannot be seen through {distortion}: {why}", hint or f"Leave {distortion} out")


@dataclass(frozen=True)
class Lens:
    """A view of a test problem; this one shows it as it is."""

    def question(self, problem: Problem) -> Problem:
        """Return the question that a method is put."""
        return problem

    def seen(self, values: Sequence[Number]) -> tuple[Number, ...]:
        """Return the values that a method has for a point ``[D]`` of the problem."""
        return tuple(values)

    def true(self, values: Sequence[Number]) -> tuple[Number, ...]:
        """Return the point ``[D]`` of the problem that a method's values stand for."""
        return tuple(values)

    def told(self, found: Observation, seed: int, number: int) -> Observation:
        """Return what a method is told of an evaluation; its regret stays.

        Args:
            seed, number: of the run, and of the evaluation within it.
        """
        y, objective = (None if value is None else self.image(value) for value in (found.y, found.objective))
        return replace(found, y=y, objective=objective)

    def image(self, y: float) -> float:
        """Return what a method is told in place of a value."""
        return y

    def worst(self, worst: float) -> float:
        """Return what a failure counts as, infinite where nothing fails, by what it did before."""
        return worst
