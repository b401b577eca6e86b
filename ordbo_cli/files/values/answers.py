"""What people say about points, checked against the problem."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from itertools import starmap, zip_longest
from typing import Final, NamedTuple

from ordbo_cli.errors import UsageError
from ordbo_cli.files.tables.table import Status, is_too_good, too_good_hint
from ordbo_cli.files.values.levels import (
    censored_outcome,
    censored_value,
    checked_value,
    not_a_result,
    not_an_outcome,
    result_text,
    split_side,
)
from ordbo_cli.files.values.numbers import (
    Values,
    agree,
    objective_value,
    printed,
    same,
)
from ordbo_cli.files.values.remark import NO_REMARK, Remark
from ordbo_cli.problem import Censored, Evaluation, Fixed, Level, Number, Problem
from ordbo_cli.problem.limit import are_broken, grades_of
from ordbo_cli.problem.parameter import in_words
from ordbo_cli.problem.setting_order import NoPlace, Placed, SettingOrders
from ordbo_cli.problem.spelling import meant, quoted, shown

Given = Mapping[str, Number | str]


Result = Number | str | None
"""A result as somebody gives it, None where there is none."""
Results = Mapping[str, Result]
"""Results by name."""


class Outcome(NamedTuple):
    """What became of a point.

    Args:
        status: ok, failed, abandoned, expired or retry.
        text: the objective as it is to be written, or "".
        others: the problem's other results as they are to be written, each or "".
        remark: what is to be kept beside them.
    """

    status: Status
    text: str = ""
    others: tuple[str, ...] = ()
    remark: Remark = NO_REMARK

    def says(self, other: Outcome) -> bool:
        """Return whether another outcome is the same one: equal values count, however they are spelt, and no remark."""
        if (self.status, other.status) != ("ok", "ok"):
            return self.status == other.status
        return all(starmap(_alike, zip_longest((self.text, *self.others), (other.text, *other.others), fillvalue="")))


def _alike(one: str, other: str) -> bool:
    """Return whether two texts of a result are equal values, to the digits that a spreadsheet keeps."""
    if one == other:
        return True
    (one_side, one_rest), (other_side, other_rest) = (split_side(text.strip(), ()) for text in (one, other))
    try:
        one_value, other_value = objective_value(one_rest), objective_value(other_rest)
    except ValueError:  # words
        return one_side == other_side and one_rest == other_rest
    if one_value is None or other_value is None:
        return one_value is other_value
    return one_side == other_side and agree(one_value, other_value)


def apart(problem: Problem, given: Results, outcomes: Results | None) -> tuple[Result, dict[str, Result]]:
    """Return results of any kind by name as those of :func:`outcome_of`: the objective, and the others.

    Args:
        problem: what the study asks.
        given: its results by name; None stands for a failure.
        outcomes: more of them.

    Raises:
        UsageError: one is unknown, or stands in both.
    """
    names = [problem.objective, *(limit.name for limit in problem.outcomes)]
    if unknown := [name for name in given if name not in names]:
        raise UsageError(f"there is no result {quoted(unknown[0])}", meant(unknown[0], names))
    if twice := [name for name in given if name in (outcomes or {})]:
        raise UsageError(f"{twice[0]} is given twice", "Give all results by name, or the others in outcomes")
    others = {**given, **(outcomes or {})}
    first = others.pop(problem.objective, None)
    return "nan" if first is None and problem.objective in given else first, others


def outcome_of(
    problem: Problem,
    objective: Number | str | None,
    *,
    failed: bool = False,
    abandon: bool = False,
    retry: bool = False,
    outcomes: Mapping[str, Number | str | None] | None = None,
) -> Outcome:
    """Return the outcome that the arguments of a call describe.

    Args:
        problem: what the study asks.
        objective: the result; where an outcome breaks its limits there need not be any.
        failed, abandon, retry: what became of the point instead.
        outcomes: the problem's other results by name, None for one that the simulator could not give.

    Raises:
        UsageError: they describe none, or two; the objective is no number, or none of its words, or infinite in the
            good direction; an outcome is unknown, missing or no number.
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
    others, values = _others(problem, outcomes or {})
    broken = are_broken(problem.outcomes, values)
    found = Outcome("ok") if broken and objective is None else _of_objective(problem, objective)
    if found.status == "failed" and not broken:
        return _failure(problem, "", others, values)
    missing = [limit.name for limit in problem.outcomes if limit.name not in (outcomes or {})]
    if missing and not broken:
        raise UsageError(f"there is no value of {' and '.join(missing)}", "Give it beside the objective, or nan")
    if not broken and any(values[k] is None for k, _ in problem.aims):
        return _failure(problem, found.text, others, values)
    return Outcome("ok", found.text, others)


def _failure(problem: Problem, text: str, others: tuple[str, ...], values: Sequence[Decimal | None]) -> Outcome:
    """Return a failure, with what was measured of several objectives all the same."""
    measured = bool(text) or any(value is not None for value in values)
    return Outcome("failed", text, others) if problem.several and measured else Outcome("failed")


def evaluation_of(problem: Problem, values: Values, outcome: Outcome, id: int | None) -> Evaluation:
    """Return a result as the model has it.

    Args:
        problem: what the study asks.
        values: of the free parameters.
        outcome: ok or failed.
        id: of the suggestion, if it answers one.
    """
    if outcome.status != "ok":
        return problem.evaluation(values, None, id, "", ())
    pairs = zip(problem.outcomes, outcome.others, strict=True)
    others = [censored_outcome(limit, text) if text else (None, "") for limit, text in pairs]
    exact, side = censored_value(problem, outcome.text) if outcome.text else (None, "")
    outcomes, sides = tuple(value for value, _ in others), tuple(each for _, each in others)
    return problem.evaluation(values, exact, id, side, outcomes, sides)


def _others(
    problem: Problem, given: Mapping[str, Number | str | None]
) -> tuple[tuple[str, ...], tuple[Decimal | None, ...]]:
    """Return texts and values of the problem's other results."""
    names = [limit.name for limit in problem.outcomes]
    if unknown := [name for name in given if name not in names]:
        hint = meant(unknown[0], names) if names else "The problem file declares none: outcomes: {stress: {max: 250}}"
        raise UsageError(f"there is no outcome {quoted(unknown[0])}", hint)
    texts: list[str] = []
    values: list[Decimal | None] = []
    for limit in problem.outcomes:
        entry = given.get(limit.name, "")
        text = "nan" if entry is None else "" if entry == "" else _text(entry, limit.name)
        try:
            if isinstance(entry, bool):
                raise ValueError("It has to be a number")
            value, side = censored_outcome(limit, text) if text else (None, "")
        except ValueError as error:
            message = f"{limit.name}: {not_an_outcome(limit, printed(text), str(error))}"
            raise UsageError(message, str(error) or "Write a number, or nan") from None
        values.append(value)
        no_value = "nan" if text else ""
        texts.append(no_value if value is None else result_text(grades_of(limit), text, value, side))
    return tuple(texts), tuple(values)


def _text(given: Number | str, name: str) -> str:
    """Return the text of a result.

    Raises:
        UsageError: it is neither a number nor text.
    """
    try:
        return printed(given)
    except (TypeError, ValueError, OverflowError):
        raise UsageError(f"{name} is {shown(str(given))}", "It has to be a number, or text") from None


def _of_objective(problem: Problem, objective: Number | str | None) -> Outcome:
    """Return the outcome that an objective alone describes."""
    name = problem.objective
    if objective is None:
        raise UsageError(f"there is no value of {name}", f"Give {name}=..., or say that the evaluation failed")
    if isinstance(objective, bool):
        raise UsageError(f"{name} is {objective}", f"It has to be {'a word' if problem.grades else 'a number'}")
    text = _text(objective, name)
    try:
        value, side = censored_value(problem, text)
    except ValueError as error:
        message = f"{name}: {not_a_result(problem, text)}"
        raise UsageError(message, str(error) or "Write a number, or failed") from None
    return _outcome(problem, objective, value, side)


_WORDS: Final[dict[Status, str]] = {"failed": "failed", "abandoned": "abandoned", "retry": "to be evaluated again"}


def _outcome(problem: Problem, given: Number | str, value: Decimal | None, side: Censored) -> Outcome:
    if value is None:
        return Outcome("failed")
    if is_too_good(value, problem):
        message = f"{problem.objective}: {printed(given)} would be the best value of all"
        raise UsageError(message, too_good_hint(problem))
    return Outcome("ok", result_text(problem.grades, printed(given), value, side))


def named_values(problem: Problem, given: Given, orders: SettingOrders) -> dict[str, Number]:
    """Return the values inside of the free parameters that are given, by name.

    Args:
        problem: what the study asks.
        given: by name, as people write them.
        orders: of the settings that words may name.

    Raises:
        UsageError: a name is unknown, a value no number or no level, or a fixed parameter has another value.
    """
    by_name = {parameter.name: parameter for parameter in problem.parameters}
    values: dict[str, Number] = {}
    for name, word in in_words(given).items():
        parameter = by_name.get(name)
        if parameter is None:
            raise UsageError(f"there is no parameter {quoted(name)}", meant(name, by_name))
        value = word if isinstance(parameter, Fixed) or parameter.levels else given[name]
        if isinstance(parameter, Fixed):
            if problem.fidelity is not None and name == problem.fidelity.name:
                level_given(problem, given)
            elif not same(value, parameter.value):
                hint = "Leave it out, or change the problem file"
                raise UsageError(f"{name} is fixed at {parameter.value}, not {shown(printed(value))}", hint)
            continue
        try:
            ranked = parameter.type == "ranked"
            values[name] = orders.of(name).named(printed(value)) if ranked else checked_value(parameter, value)
        except ValueError as error:
            said = "is none of its values" if parameter.levels else "will not do"
            said = "names no place" if parameter.type == "ranked" else said
            raise UsageError(f"{name}: {quoted(printed(value))} {said}", str(error) or "Give a number") from None
    return values


def level_given(problem: Problem, given: Mapping[str, Level]) -> int | None:
    """Return the level of fidelity at which a point is said to be evaluated, None for the highest, and for none said.

    Raises:
        UsageError: there is no such level.
    """
    fidelity = problem.fidelity
    if fidelity is None or fidelity.name not in given:
        return None
    said = in_words(given)[fidelity.name]
    found = [each for each in fidelity.levels if same(said, each)]
    if not found:
        message = f"{fidelity.name}: {quoted(printed(said))} is no level"
        raise UsageError(message, meant(printed(said), [printed(each) for each in fidelity.levels]))
    return fidelity.below(found[0])


def whole_point(
    problem: Problem, given: Given, orders: SettingOrders, known: Mapping[str, Number] | None = None
) -> Values:
    """Return the values inside of all free parameters; what is given for one that does not count is passed over.

    Args:
        problem: what the study asks.
        given: by name, as people write them.
        orders: of the settings that words may name.
        known: values inside that need no reading, by name.

    Raises:
        UsageError: as :func:`named_values`, or one that counts is missing.
    """
    values = {**named_values(problem, given, orders), **(known or {})}
    counting: dict[str, Number] = {}
    missing: list[str] = []
    for parameter in problem.free:
        if not parameter.counts(counting):
            continue
        if parameter.name in values:
            counting[parameter.name] = values[parameter.name]
        else:
            missing.append(parameter.name)
    if missing:
        which = "every parameter that counts" if any(each.when for each in problem.free) else "every free parameter"
        raise UsageError(f"no value of {' and '.join(missing)}", f"Give {which}, or the suggestion's id")
    return tuple(counting.get(parameter.name, parameter.low) for parameter in problem.free)


def new_point(problem: Problem, given: Given, orders: SettingOrders) -> Values:
    """Return the values of a point that is not one of the suggestions: words that have placed one name no other.

    Args:
        problem: what the study asks.
        given: by name, as people write them.
        orders: of the settings that words may name.

    Raises:
        UsageError: as :func:`whole_point`, or a place is open.
    """
    values = whole_point(problem, given, orders)
    for k in problem.ranked:
        parameter, value = problem.free[k], values[k]
        if isinstance(value, Placed):
            try:
                orders.of(parameter.name).label(value.words)
            except NoPlace as error:
                message = f"{parameter.name}: {quoted(value.words)} names no place any more"
                raise UsageError(message, str(error)) from None
    return values


def bounds_warning(problem: Problem, values: Sequence[Number], so: str = "kept for the order only") -> str | None:
    """Return a warning about values outside the bounds, and what becomes of them."""
    outside = [
        f"{parameter.name} = {printed(value)}"
        for parameter, value in zip(problem.free, values, strict=True)
        if not parameter.min <= value <= parameter.max
    ]
    return f"{' and '.join(outside)} outside the bounds: {so}" if outside else None
