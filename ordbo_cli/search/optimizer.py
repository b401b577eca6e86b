"""The search in memory: ask for a point, tell its result; no files."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from numbers import Integral, Real
from typing import Any

from ordbo_cli.errors import ExhaustedError, UsageError
from ordbo_cli.problem import Comparison, Evaluation, Level, Number, Parameter, Problem, Suggestion
from ordbo_cli.search.duel import propose_duel
from ordbo_cli.search.step import Proposal, propose

Point = Suggestion | Sequence[Number] | Mapping[str, Level]


class Optimizer:
    """An ask/tell loop over one problem.

    The points are those that ``ordbo suggest`` and ``ordbo observe`` give for the same problem, one after the other.

    Args:
        problem: what is optimised.
        evaluations: past results, in order of arrival.
    """

    def __init__(self, problem: Problem, evaluations: Sequence[Evaluation] = ()) -> None:
        self.problem = problem
        self._evaluations = list(evaluations)
        self._pending: dict[int, tuple[Number, ...]] = {}
        self._asked = 0
        self._next_id = 1 + max((e.id for e in evaluations if e.id is not None), default=0)
        self._comparisons: list[Comparison] = []
        self._compared: dict[tuple[Number, ...], int] = {}
        self._fit: dict[str, Any] | None = None
        self.last: Proposal | None = None

    @property
    def evaluations(self) -> tuple[Evaluation, ...]:
        """All results so far, in order of arrival."""
        return tuple(self._evaluations)

    @property
    def pending(self) -> tuple[Suggestion, ...]:
        """Points asked for that have no result yet, oldest first."""
        return tuple(self._suggestion(i, values) for i, values in self._pending.items())

    @property
    def comparisons(self) -> tuple[Comparison, ...]:
        """All comparisons so far, oldest first."""
        return tuple(self._comparisons)

    @property
    def best(self) -> Evaluation | None:
        """The best result so far, the earliest of equals; None where nothing succeeded.

        Comparisons have no say in it: :func:`~ordbo_cli.search.incumbent.incumbent` takes them, too.
        """
        good = [e for e in self._evaluations if e.objective is not None]
        sign = -1 if self.problem.goal == "maximize" else 1
        return min(good, key=lambda e: sign * e.objective, default=None)  # type: ignore[operator]  # none is None here

    def ask(self) -> Suggestion:
        """Return the next point; it is pending until its result is told.

        Raises:
            ExhaustedError: every point was tried.
            DataError: an evaluation failed where ``failed: error`` forbids it.
        """
        proposal = propose(
            self.problem,
            self._evaluations,
            list(self._pending.values()),
            self._asked,
            self._fit,
            comparisons=self._comparisons,
        )
        self._fit = proposal.fit or self._fit
        self.last = proposal
        return self._hand_out(proposal.values)

    def ask_duel(self) -> tuple[Suggestion, Suggestion]:
        """Return the next two points to compare; :meth:`prefer` or :meth:`tie` answers.

        Raises:
            ExhaustedError: no point is left to be compared with the best.
            DataError: an evaluation failed where ``failed: error`` forbids it.
        """
        duel = propose_duel(
            self.problem,
            self._evaluations,
            list(self._pending.values()),
            self._asked,
            self._fit,
            comparisons=self._comparisons,
        )
        self._fit = duel.fit or self._fit
        first, second = (self._known(values) or self._hand_out(values) for values in (duel.first, duel.second))
        return first, second

    def prefer(self, better: Point, worse: Point) -> None:
        """Record that a point was found to be better than another.

        Args:
            better, worse: as in :meth:`tell`.

        Raises:
            UsageError: a point is none of the problem, or compared with itself.
        """
        self._compare(better, worse, tie=False)

    def tie(self, one: Point, other: Point) -> None:
        """Record that two points were found to be alike; the arguments and errors are those of :meth:`prefer`."""
        self._compare(one, other, tie=True)

    def ask_batch(self, number: int) -> list[Suggestion]:
        """Return the next points, those that as many calls of :meth:`ask` give; fewer where fewer are left.

        Args:
            number: how many points, at least 1.

        Raises:
            UsageError: the number is below 1.
            ExhaustedError: every point was tried.
            DataError: an evaluation failed where ``failed: error`` forbids it.
        """
        if number < 1:
            raise UsageError(f"{number} points are asked for", "Ask for 1 or more")
        points = [self.ask()]
        with contextlib.suppress(ExhaustedError):
            while len(points) < number:
                points.append(self.ask())
        return points

    def tell(self, point: Point, objective: Number | Decimal | str | None) -> None:
        """Record a result.

        Args:
            point: a suggestion, or values of the free parameters: in the problem's order, levels by their places; or by
                name, as the user has them.
            objective: what was observed; None or NaN for a failure. Text is read as an exact decimal.

        Raises:
            UsageError: the point has other values than one finite number for each free parameter (whole for an int) or
                one of its levels, or the objective is no number or infinitely good.
        """
        values = point.values if isinstance(point, Suggestion) else self._values(point)
        exact = self._exact(objective)
        number = point.id if isinstance(point, Suggestion) else self._pending_id(values)
        self._pending.pop(number or 0, None)
        self._evaluations.append(Evaluation(values, exact, number))

    def _compare(self, better: Point, worse: Point, *, tie: bool) -> None:
        values = [each.values if isinstance(each, Suggestion) else self._values(each) for each in (better, worse)]
        if values[0] == values[1]:
            raise UsageError("a point is compared with itself", "Give two points")
        self._comparisons.append(Comparison(values[0], values[1], tie))
        for each in values:
            if (number := self._pending_id(each)) is not None:
                self._compared[each] = number
                del self._pending[number]

    def _known(self, values: tuple[Number, ...]) -> Suggestion | None:
        """Return a point that was compared or evaluated before, with the id that it had; None for a new one."""
        number = self._compared.get(values) or next((e.id for e in self._evaluations if e.values == values), None)
        return None if number is None else self._suggestion(number, values)

    def _hand_out(self, values: tuple[Number, ...]) -> Suggestion:
        suggestion = self._suggestion(self._next_id, values)
        self._pending[suggestion.id] = values
        self._asked += 1
        self._next_id += 1
        return suggestion

    def _values(self, point: Sequence[Number] | Mapping[str, Level]) -> tuple[Number, ...]:
        """Return the values of a point of the user's own."""
        free = self.problem.free
        given: list[Any] = list(point)
        if isinstance(point, Mapping):
            given = [_inside(parameter, point) for parameter in free]
        if len(given) != len(free):
            raise UsageError(f"{len(given)} values for {len(free)} free parameters")
        values: list[Number] = []
        for parameter, x in zip(free, given, strict=True):
            whole, number = parameter.is_whole, x
            if not isinstance(x, Real) or not math.isfinite(x) or (whole and number != int(number)):
                raise UsageError(
                    f"{parameter.name} is {x!r}", f"It has to be a {'whole' if whole else 'finite'} number"
                )
            if parameter.levels and not 0 <= number < len(parameter.levels):
                raise UsageError(f"{parameter.name} has no level {x!r}", f"It has {len(parameter.levels)}, from 0 on")
            values.append(int(number) if whole else float(number))
        return self.problem.canonical(values)

    def _exact(self, objective: Number | Decimal | str | None) -> Decimal | None:
        """Return an objective as an exact decimal, None for a failure."""
        if objective is None:
            return None
        try:
            if isinstance(objective, str | Decimal):
                exact = Decimal(objective)
            else:  # NumPy's numbers, too
                exact = Decimal(int(objective) if isinstance(objective, Integral) else repr(float(objective)))
        except (ArithmeticError, TypeError, ValueError):
            raise UsageError(f"the objective is {objective!r}", "Tell a number, or None for a failure") from None
        if exact.is_nan():
            return None
        if exact.is_infinite() and (exact < 0) == (self.problem.goal == "minimize"):
            raise UsageError(f"the objective is {objective}, infinitely good", "Tell None for a failure")
        return exact

    def _pending_id(self, values: tuple[Number, ...]) -> int | None:
        """Return the id of the pending point with these values, if any."""
        return next((i for i, pending in self._pending.items() if pending == values), None)

    def _suggestion(self, number: int, values: tuple[Number, ...]) -> Suggestion:
        return Suggestion(number, values, self.problem.mapping(values))


def _inside(parameter: Parameter, point: Mapping[str, Level]) -> Any:
    """Return a value as it is inside: the place of a level, the lowest value of a parameter that is left out.

    Raises:
        UsageError: the parameter has no such level.
    """
    if parameter.name not in point and parameter.when:
        return parameter.low
    value = point.get(parameter.name)
    if not parameter.levels:
        return value
    if value not in parameter.levels:
        raise UsageError(
            f"{parameter.name} is {value!r}", f"It has to be one of {', '.join(map(str, parameter.levels))}"
        )
    return parameter.levels.index(value)
