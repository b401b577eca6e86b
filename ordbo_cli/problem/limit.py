"""Results beside the first objective: those that have to keep within limits, and further objectives.

Exact decimals are compared, and nothing else is done with them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import get_args

from ordbo_cli.errors import ProblemError
from ordbo_cli.problem.brief import Brief
from ordbo_cli.problem.censored import SIGNS, Censored, Goal, is_bad_side

Measured = Decimal | None
"""A value of such a result; None where the simulator gave none."""


@dataclass(frozen=True, repr=False)
class Limit(Brief):
    """A result that a good point keeps within limits, known only after the evaluation.

    Args:
        name: its column in the evaluations.
        min: the least value that is allowed.
        max: the largest value that is allowed.
        unit: in reports.

    Raises:
        ProblemError: there is neither a min nor a max, or one is not finite, or they exclude everything.
    """

    name: str
    min: Decimal | None = None
    max: Decimal | None = None
    unit: str = ""

    def __post_init__(self) -> None:
        what = f"outcome {self.name!r}"
        if not self.is_limited:
            raise ProblemError(f"{what} has neither a min nor a max", "Give one of them, or both")
        if any(end is not None and not end.is_finite() for end in (self.min, self.max)):
            raise ProblemError(f"{what} has an infinite limit", "Leave that side out")
        if self.min is not None and self.max is not None and self.min > self.max:
            raise ProblemError(f"{what}: its min {self.min} is above its max {self.max}", "Swap them")

    @property
    def is_limited(self) -> bool:
        """Whether it has a min or a max."""
        return not (self.min is None and self.max is None)

    def is_below(self, value: Decimal) -> bool:
        """Return whether a value is too small."""
        return self.min is not None and value < self.min

    def is_above(self, value: Decimal) -> bool:
        """Return whether a value is too large."""
        return self.max is not None and value > self.max

    def holds(self, value: Measured) -> bool:
        """Return whether a value keeps within the limits; one that is not there does not, if there are any."""
        return not self.is_limited or (value is not None and not (self.is_below(value) or self.is_above(value)))

    def is_too_good(self, value: Decimal) -> bool:
        """Return whether a value is infinite on the side that has no limit."""
        return value.is_infinite() and (self.max if value > 0 else self.min) is None

    @property
    def kept(self) -> Decimal | None:
        """A value that keeps within the limits; None where there are none."""
        return self.min if self.max is None else self.max

    def shown(self, value: Measured, censored: Censored = "") -> Decimal | str:
        """Return a value as the user has it, as :meth:`.Problem.shown` does for the first objective."""
        return shown_result(value, censored, grades_of(self))


@dataclass(frozen=True, repr=False)
class Aim(Limit):
    """An objective beside the first one. It has no limits.

    Args:
        goal: whether small or large values are good.
        enough: a value from which on any better one counts as good as it; None where none is.
        grades: the words that its values are, in rising order; empty where they are numbers.

    Raises:
        ProblemError: there is no such goal, or there is a min or a max, or what is enough is not finite, or the grades
            cannot be.
    """

    goal: Goal = "minimize"
    enough: Decimal | None = None
    grades: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.goal not in get_args(Goal):
            raise ProblemError(f"goal is {self.goal!r}", "It has to be minimize or maximize")
        if self.is_limited:
            raise ProblemError(f"the objective {self.name!r} has a min or a max", "That is not supported yet")
        check_enough(self.name, self.enough, self.grades)

    def is_too_good(self, value: Decimal) -> bool:
        """Return whether a value is infinite in the good direction."""
        return value.is_infinite() and (value < 0) == (self.goal == "minimize")

    def may_lead(self, value: Measured, censored: Censored = "") -> bool:
        """Return whether a value may be one of the best: not infinite, and not somewhere beyond a bad limit."""
        return value is not None and value.is_finite() and not is_bad_side(censored, self.goal)


def grades_of(limit: Limit) -> tuple[str, ...]:
    """Return the words that a result's values are, in rising order; none where they are numbers."""
    return limit.grades if isinstance(limit, Aim) else ()


def shown_result(value: Measured, censored: Censored, grades: Sequence[str]) -> Decimal | str:
    """Return a result as the user has it: a word for its place, and the sign of one that is known by a limit.

    Where there is none, it is empty.
    """
    if value is None:
        return ""
    shown = grades[int(value)] if grades else value
    return f"{SIGNS[censored]}{shown}" if censored else shown


def check_enough(name: str, enough: Decimal | None, grades: tuple[str, ...]) -> None:
    """Refuse what cannot be good enough, and words that cannot be the values of an objective.

    Raises:
        ProblemError: it is not finite, or there are words; there is one word, or one twice.
    """
    if len(grades) == 1 or len(set(grades)) < len(grades):
        raise ProblemError(f"the values of {name!r} are {', '.join(grades)}", "Give two or more, each once")
    if grades and enough is not None:
        raise ProblemError(f"enough of {name!r} is {enough}, and its values are words", "Leave it out")
    if enough is not None and not enough.is_finite():
        raise ProblemError(f"enough of {name!r} is {enough}", "It has to be a finite number")


def are_broken(limits: Sequence[Limit], values: Sequence[Measured]) -> bool:
    """Return whether a value that was measured lies outside its limits: then nothing else has to be there."""
    return any(value is not None and not limit.holds(value) for limit, value in zip(limits, values, strict=True))


def violations(limits: Sequence[Limit], rows: Sequence[Sequence[Measured]]) -> list[int]:
    """Return how badly each row breaks the limits, by rank alone: 0 where it keeps all of them.

    The too small values of a result are ranked from the nearest to its limit on, 1, 2, ..., equal ones alike, and so
    are the too large ones; a value that is not there ranks after all of both. The sum of a row's ranks counts.

    Args:
        limits: one for each result.
        rows: values of each evaluation; empty for those that failed.
    """
    totals = [0] * len(rows)
    for column, limit in enumerate(limits):
        if not limit.is_limited:
            continue
        known = {value for row in rows if row and (value := row[column]) is not None}
        below = {value: k for k, value in enumerate(sorted(filter(limit.is_below, known), reverse=True), 1)}
        above = {value: k for k, value in enumerate(sorted(filter(limit.is_above, known)), 1)}
        rank = below | above
        worst = max(len(below), len(above)) + 1
        for k, row in enumerate(rows):
            if row:
                value = row[column]
                totals[k] += worst if value is None else rank.get(value, 0)
    return totals
