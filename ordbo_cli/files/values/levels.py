"""Levels as people spell them: from a text or a number to the place of a level, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import partial
from typing import Final

from ordbo_cli.files.values.numbers import (
    LONGEST_NUMBER,
    checked_parameter,
    exact_number,
    not_a_number,
    objective_value,
    parameter_value,
    printed,
    printed_objective,
)
from ordbo_cli.problem import SIGNS, Censored, Level, Number, Parameter, Problem
from ordbo_cli.problem.limit import Aim, Limit, Measured, grades_of, shown_result
from ordbo_cli.problem.parameter import BOOL
from ordbo_cli.problem.spelling import meant, quoted


def place_of(levels: Sequence[Level], given: Level, *, comma: bool = False) -> int:
    """Return the place of a level: words by letter but for outer blanks, numbers by value, true and false in any case.

    Args:
        levels: the known ones.
        given: a level, or its text.
        comma: whether numbers may have decimal commas.

    Raises:
        ValueError: there is no such level; its message is a hint for people.
    """
    text = printed(given).strip()
    spelt = [printed(level) for level in levels]
    if text in spelt:
        return spelt.index(text)
    if text.lower() in BOOL and set(levels) == BOOL.keys():  # as Python and spreadsheets write them
        return spelt.index(text.lower())
    if any(not isinstance(level, str) for level in levels):
        number = _number(text.replace(",", ".") if comma and "." not in text else text)
        for place, level in enumerate(levels):
            if number is not None and not isinstance(level, str) and float(level) == number:
                return place
    raise ValueError(level_hint(text, levels))


def level_hint(text: str, levels: Sequence[Level]) -> str:
    """Return what a text that is no level was meant to be, or which levels there are."""
    return meant(text, [printed(level) for level in levels])


def checked_value(parameter: Parameter, given: Number | str) -> Number:
    """Return the value inside of what people give for a parameter, as a number or as text; not of a ranked one.

    Raises:
        ValueError: it will not do; its message is a hint for people, perhaps empty.
    """
    if parameter.levels:
        return place_of(parameter.levels, given)
    return checked_parameter(given, whole=parameter.is_whole)


def cell_value(parameter: Parameter, text: str, *, comma: bool) -> Number:
    """Return the value inside of a cell of a table.

    Args:
        parameter: whose value it is.
        text: the cell.
        comma: whether numbers have decimal commas.

    Raises:
        ValueError: it is none; its message is a hint for people, perhaps empty.
    """
    if parameter.levels:
        return place_of(parameter.levels, text, comma=comma)
    return parameter_value(text.replace(",", ".") if comma and "." not in text else text, whole=parameter.is_whole)


def not_a_value(parameter: Parameter, text: str, hint: str) -> str:
    """Return the start of a message about a text that is no value of a parameter, as the hint says."""
    if parameter.type == "ranked" and text.strip():
        return f"{quoted(text)} names no place"
    if parameter.levels and text.strip():
        return f"{quoted(text)} is none of its values"
    return f"{quoted(text)} will not do" if "has to be" in hint else not_a_number(text)


def result_value(problem: Problem, text: str) -> Decimal | None:
    """Return the exact value of a result's text, which is the place of a word where results are words.

    Returns:
        None for a failure.

    Raises:
        ValueError: the text is no result; its message is a hint for people, perhaps empty.
    """
    word = text.strip()
    if word in problem.grades:
        return Decimal(problem.grades.index(word))
    if not problem.grades or is_failure(word):
        return objective_value(text)
    raise ValueError(level_hint(word, problem.grades))


def censored_value(problem: Problem, text: str) -> tuple[Decimal | None, Censored]:
    """Return what a result's text says, as :func:`result_value`, and on which side of that the result lies.

    ``>1e6`` and ``<0.1`` are results of which only a limit is known; ``>=`` and ``<=`` are as good.

    Raises:
        ValueError: the text is no result; its message is a hint for people, perhaps empty.
    """
    return _with_side(text, problem.grades, partial(result_value, problem))


def censored_outcome(limit: Limit, text: str) -> tuple[Measured, Censored]:
    """Return what the text of an outcome says, as :func:`outcome_value`, and on which side of that the outcome lies.

    Of an objective a limit is enough to know, as of the first one; what has to keep within limits has to be known.

    Raises:
        ValueError: the text is no value; its message is a hint, or empty.
    """
    if not isinstance(limit, Aim):
        if split_side(text.strip(), ())[0]:
            raise ValueError(_UNDECIDED)
        return outcome_value(limit, text), ""
    return _with_side(text, limit.grades, partial(outcome_value, limit))


def _with_side(
    text: str, grades: Sequence[str], read: Callable[[str], Decimal | None]
) -> tuple[Decimal | None, Censored]:
    """Return what the text of an objective says, and on which side of that the objective lies.

    Args:
        text: of the objective.
        grades: its words.
        read: returns the value of a text without a sign, None for a failure.
    """
    side, rest = split_side(text.strip(), grades)
    if not side:
        return read(text), ""
    value = read(rest)
    if value is None or value.is_infinite():
        raise ValueError("Behind the sign there has to be a number, such as >1e6")
    if grades and (value == len(grades) - 1 if side == "above" else value == 0):
        raise ValueError("There is no word beyond it")
    return value, side


def split_side(word: str, grades: Sequence[str]) -> tuple[Censored, str]:
    """Return the side that the sign before a result says, and the rest of the text: ``>=3`` is as good as ``>3``."""
    side: Censored = "" if word in grades else _SIDES.get(word[:1], "")
    return side, word[1:].removeprefix("=").strip() if side else word


def result_text(grades: Sequence[str], text: str, value: Decimal, side: Censored) -> str:
    """Return the text that is stored for a result: as it was given where every reader understands that.

    Args:
        grades: the words that the results are, if they are words.
        text: that was given.
        value: that it says.
        side: of the value on which the result lies.
    """
    if grades:
        return str(shown_result(value, side, grades))
    return SIGNS[side] + printed_objective(split_side(text.strip(), ())[1] if side else text, value)


_SIDES: Final[dict[str, Censored]] = {">": "above", "<": "below", "\u2265": "above", "\u2264": "below"}


_NO_VALUE: Final = "; where there is no value, write nan"
_UNDECIDED: Final = "It has limits, so that its number has to be known"


def outcome_value(limit: Limit, text: str) -> Decimal | None:
    """Return the exact value of an outcome's text, the place of a word; None where it says that there is none.

    Raises:
        ValueError: the text is neither, or infinite where the outcome has no limit; its message is a hint, or empty.
    """
    grades, word = grades_of(limit), text.strip()
    if word in grades:
        return Decimal(grades.index(word))
    if grades and not is_failure(word):
        raise ValueError(level_hint(word, grades))
    value = objective_value(text)
    if value is not None and limit.is_too_good(value):
        what = "the best value of all" if isinstance(limit, Aim) else "infinitely far from its limit"
        raise ValueError(f"It would be {what}{_NO_VALUE}")
    return value


def not_an_outcome(limit: Limit, text: str, hint: str) -> str:
    """Return the start of a message about a text that is no value of an outcome.

    Args:
        limit: the outcome.
        text: what stands in its place.
        hint: that :func:`outcome_value` gave.
    """
    if hint.endswith(_NO_VALUE) or hint == _UNDECIDED:
        return f"{quoted(text)} will not do"
    return f"{quoted(text)} is none of {limit.name}'s values" if grades_of(limit) and text else not_a_number(text)


def is_failure(text: str) -> bool:
    """Return whether a text says that an evaluation failed."""
    try:
        return objective_value(text) is None
    except ValueError:
        return False


def not_a_result(problem: Problem, text: str) -> str:
    """Return the start of a message about a text that is no result."""
    if problem.grades and text.strip():
        return f"{quoted(text)} is none of {problem.objective}'s values"
    return not_a_number(text)


def _number(text: str) -> float | None:
    if len(text) > LONGEST_NUMBER:
        return None
    try:
        return float(exact_number(text))
    except ValueError:
        return None
