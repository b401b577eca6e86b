"""What is known of a problem's points: results, comparisons, suggestions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal

from ordbo_cli.problem.brief import Brief
from ordbo_cli.problem.censored import Censored
from ordbo_cli.problem.limit import Measured
from ordbo_cli.problem.parameter import Level, Number


@dataclass(frozen=True, slots=True, repr=False)
class Evaluation(Brief):
    """One result.

    Args:
        values: of the free parameters, in the problem's order.
        objective: the exact decimal that was observed (only its order is used; no arithmetic is done on it), infinite
            in the bad direction where the simulator said so; None for a failure, and where an outcome breaks its
            limits: there the objective has no say.
        id: of the suggestion it answers, if any.
        censored: whether the result is only known to lie above or below ``objective``, as it is where a simulation was
            stopped early; "" where it is known.
        outcomes: the problem's other results in order, None for one that is not there; empty for a failure.
        parameters: all parameters that count by name, as Python has them, where an :class:`.Optimizer` returns it.
        sides: of each outcome the side of its value on which it lies, where that is only a limit; empty where all that
            are there are known.
    """

    values: tuple[Number, ...]
    objective: Decimal | None
    id: int | None = None
    censored: Censored = ""
    outcomes: tuple[Measured, ...] = ()
    parameters: Mapping[str, Level] = field(default_factory=dict, compare=False)
    sides: tuple[Censored, ...] = ()

    @property
    def is_exact(self) -> bool:
        """Whether no result of it is known by a limit alone."""
        return not (self.censored or any(self.sides))

    def side(self, place: int) -> Censored:
        """Return on which side of its value an outcome lies, where that is only a limit.

        Args:
            place: of the outcome among all.
        """
        return self.sides[place] if self.sides else ""

    def _told(self) -> Iterator[tuple[str, object]]:
        hidden = "values" if self.parameters else "parameters"
        return (each for each in Brief._told(self) if each[0] != hidden)


@dataclass(frozen=True, slots=True)
class Comparison:
    """What somebody found who compared two points.

    Args:
        better: values of the free parameters of the better point, in the problem's order.
        worse: of the other one.
        tie: whether both were found to be alike; which one is called the better then says nothing.
        judge: who said so; "" for nobody in particular.
        weight: how much it counts.
    """

    better: tuple[Number, ...]
    worse: tuple[Number, ...]
    tie: bool = False
    judge: str = ""
    weight: float = 1.0


@dataclass(frozen=True)
class Campaign:
    """Results of another source of the same question: an older campaign, another rig, a coarser mesh.

    They are compared with each other, and with no result of the study or of another campaign.

    Args:
        name: what people call it.
        evaluations: its results; the values are those of the problem's free parameters, inside its bounds or not.
        level: the place among the problem's levels of fidelity, where it is one of them; None for any other source.
    """

    name: str
    evaluations: tuple[Evaluation, ...]
    level: int | None = None


@dataclass(frozen=True, repr=False)
class Suggestion(Brief):
    """A point to evaluate.

    Args:
        id: its number within the study, from 1 on.
        values: of the free parameters, in the problem's order.
        parameters: all parameters that count by name, fixed ones included, as Python has them: numbers, words for
            levels, ``True`` and ``False``.
        warnings: what people should know beside it, where it was asked for alone.
    """

    id: int
    values: tuple[Number, ...] = field(repr=False)
    parameters: Mapping[str, Level] = field(hash=False)  # a mapping has no hash, and id and values are enough
    warnings: tuple[str, ...] = field(default=(), compare=False, repr=False)
