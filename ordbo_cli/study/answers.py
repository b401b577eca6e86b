"""What people say about points, checked against the problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

from ordbo_cli.errors import UsageError
from ordbo_cli.problem import Fixed, Number, Problem
from ordbo_cli.study.ledger import Values
from ordbo_cli.study.numbers import (
    checked_parameter,
    not_a_number,
    objective_value,
    printed,
    printed_objective,
    same,
)
from ordbo_cli.study.table import Status, is_too_good, too_good_hint
from ordbo_cli.study.text import meant, quoted, shown

Given = Mapping[str, Number | str]


class Outcome(NamedTuple):
    """What became of a point.

    Args:
        status: ok, failed, abandoned, expired or retry.
        text: the objective as it is to be written, or "".
    """

    status: Status
    text: str = ""

    def says(self, other: Outcome) -> bool:
        """Return whether another outcome is the same one: equal values count, however they are spelt."""
        if (self.status, other.status) != ("ok", "ok"):
            return self.status == other.status
        return objective_value(self.text) == objective_value(other.text)


def outcome_of(
    problem: Problem,
    objective: Number | str | None,
    *,
    failed: bool = False,
    abandon: bool = False,
    retry: bool = False,
) -> Outcome:
    """Return the outcome that the arguments of a call describe.

    Raises:
        UsageError: they describe none, or two; the objective is no number or infinite in the good direction.
    """
    name = problem.objective
    given: dict[Status, bool] = {"failed": failed, "abandoned": abandon, "retry": retry}
    said = [status for status in given if given[status]]
    if len(said) > 1:
        raise UsageError(f"a point cannot be {' and '.join(said)} at once", "Say one of them")
    if said:
        if objective is not None:
            raise UsageError(f"{name} is given for a point that is {_WORDS[said[0]]}", f"Leave {name} or that out")
        return Outcome(said[0])
    if objective is None:
        raise UsageError(f"there is no value of {name}", f"Give {name}=..., or say that the evaluation failed")
    if isinstance(objective, bool):
        raise UsageError(f"{name} is {objective}", "It has to be a number")
    text = printed(objective)
    try:
        value = objective_value(text)
    except ValueError as error:
        raise UsageError(f"{name}: {not_a_number(text)}", str(error) or "Write a number, or failed") from None
    return _outcome(problem, objective, value)


_WORDS: Final[dict[Status, str]] = {"failed": "failed", "abandoned": "abandoned", "retry": "to be evaluated again"}


def _outcome(problem: Problem, given: Number | str, value: Decimal | None) -> Outcome:
    if value is None:
        return Outcome("failed")
    if is_too_good(value, problem):
        message = f"{problem.objective}: {printed(given)} would be the best value of all"
        raise UsageError(message, too_good_hint(problem))
    return Outcome("ok", printed_objective(given, value))


def named_values(problem: Problem, given: Given) -> dict[str, Number]:
    """Return the values of the free parameters that are given, by name.

    Raises:
        UsageError: a name is unknown, a value no number, or a fixed parameter has another value.
    """
    by_name = {parameter.name: parameter for parameter in problem.parameters}
    values: dict[str, Number] = {}
    for name, value in given.items():
        parameter = by_name.get(name)
        if parameter is None:
            raise UsageError(f"there is no parameter {quoted(name)}", meant(name, by_name))
        if isinstance(parameter, Fixed):
            if not same(value, parameter.value):
                hint = "Leave it out, or change the problem file"
                raise UsageError(f"{name} is fixed at {parameter.value}, not {shown(printed(value))}", hint)
            continue
        try:
            values[name] = checked_parameter(value, whole=parameter.type == "int")
        except ValueError as error:
            raise UsageError(f"{name}: {quoted(printed(value))} will not do", str(error) or "Give a number") from None
    return values


def whole_point(problem: Problem, given: Given) -> Values:
    """Return the values of all free parameters.

    Raises:
        UsageError: as :func:`named_values`, or one is missing.
    """
    values = named_values(problem, given)
    missing = [parameter.name for parameter in problem.free if parameter.name not in values]
    if missing:
        raise UsageError(f"no value of {' and '.join(missing)}", "Give every free parameter, or the suggestion's id")
    return problem.values(values)


def bounds_warning(problem: Problem, values: Sequence[Number], so: str = "kept for the order only") -> str | None:
    """Return a warning about values outside the bounds, and what becomes of them."""
    outside = [
        f"{parameter.name} = {printed(value)}"
        for parameter, value in zip(problem.free, values, strict=True)
        if not parameter.min <= value <= parameter.max
    ]
    return f"{' and '.join(outside)} outside the bounds: {so}" if outside else None
