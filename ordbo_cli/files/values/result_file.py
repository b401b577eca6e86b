"""What a simulator leaves of one evaluation: a value alone, named values as Dakota has them, or a JSON object."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.files.values.answers import outcome_of
from ordbo_cli.files.values.levels import is_failure, level_hint, not_a_result
from ordbo_cli.files.values.numbers import number_hint
from ordbo_cli.files.values.printed_values import (
    Found,
    is_value,
    joined,
    lines_of,
    plain,
    spelling_note,
    spelling_of,
    value_in,
)
from ordbo_cli.problem import Goal, Problem
from ordbo_cli.problem.limit import Aim, grades_of
from ordbo_cli.problem.spelling import listed, place, quoted, shown_path

_FAILED: Final = "failed"
_TOLD: Final = 2  # places where results were found
_DERIVATIVES: Final = "["  # Dakota writes gradients and Hessians, in brackets, below the values


class Reading(NamedTuple):
    """What a simulator said of one evaluation.

    Args:
        objective: its text, which may be a word for a failure; None where there is none, and need not be.
        outcomes: the texts of the problem's other results, by name.
        where: what failed was found, or else the objectives, or else an outcome, for people.
        units: what stood behind values, by name.
        notes: what people should know of how it was read.
    """

    objective: str | None
    outcomes: Mapping[str, str] = {}
    where: str = ""
    units: Mapping[str, str] = {}
    notes: tuple[str, ...] = ()


def read_answer(text: str, source: str, problem: Problem) -> Reading:
    """Return the objective and the outcomes in a file, found by their names where there is more than one result.

    Args:
        text, source, problem: as for :func:`read_result`.

    Raises:
        DataError: as :func:`read_result`, for the objective or an outcome; each has to be there, unless an outcome
            breaks its limits.
    """
    return of_all(problem, source, lambda one: read_result(text, source, one, named=bool(problem.outcomes)))


def of_all(problem: Problem, source: str, read: Callable[[Problem], Found]) -> Reading:
    """Return all results of an evaluation, each read as if it were the objective.

    Args:
        problem: whose results are read.
        source: where, for messages.
        read: reads one; it raises MissingValueError where that is not there.

    Raises:
        DataError: one is missing or cannot be.
    """
    missing: list[MissingValueError] = []

    def found(one: Problem) -> Found | None:
        try:
            return read(one)
        except MissingValueError as error:
            missing.append(error)
            return None

    alone = replace(problem, outcomes=())
    all_of_them = {problem.objective: found(alone)}
    for limit in problem.outcomes:
        goal: Goal = "maximize" if limit.max is None else "minimize"
        goal, grades = limit.goal if isinstance(limit, Aim) else goal, grades_of(limit)
        all_of_them[limit.name] = found(replace(alone, objective=limit.name, grades=grades, goal=goal, enough=None))
    there = {name: each for name, each in all_of_them.items() if each is not None}
    texts = {name: each.text for name, each in there.items()}
    objective = texts.pop(problem.objective, None)
    try:
        outcome_of(problem, objective, outcomes=texts)
    except UsageError as error:
        if missing:
            raise missing[0] from None
        raise DataError(f"{shown_path(source)}: {error.message}", error.hint) from None
    where = _where(there, [name for name, _ in problem.goals])
    units = {name: each.unit for name, each in there.items() if not is_failure(each.text)}
    return Reading(objective, texts, where, units, tuple(each.note for each in there.values() if each.note))


def _where(found: Mapping[str, Found], objectives: Sequence[str]) -> str:
    """Return where to look for what was found: a failure, or else the objectives, or else the first outcome."""
    failed = [each.where for each in found.values() if is_failure(each.text)]
    asked = [found[name].where for name in objectives if name in found]
    places = list(dict.fromkeys(failed[:1] or asked or [each.where for each in found.values()][:1]))
    first, last = (
        (places[:1], places[1:]) if len(places) <= _TOLD else (places[:_TOLD], [f"{len(places) - _TOLD} more"])
    )
    return " and ".join([", ".join(first), *last]) if places else ""


class MissingValueError(DataError):
    """A result is not there."""


def read_result(text: str, source: str, problem: Problem, *, named: bool = False) -> Found:
    """Return the objective's value; ``failed`` for a file that begins with ``fail``, in any case.

    Args:
        text: the file: a value alone; lines of ``value name`` or ``name = value``; or a JSON object.
        source: where it comes from, for messages.
        problem: whose objective is looked for.
        named: whether a value without the objective's name is none of it.

    Raises:
        DataError: there is no value of the objective, or more than one, or one that cannot be.
    """
    text = plain(text).strip()
    if "\0" in text:
        raise DataError(f"{shown_path(source)}: there is a NUL character", "The file was cut or is no text")
    if not text:
        raise DataError(f"{shown_path(source)}: it is empty", "If the evaluation failed, say so with --failed")
    if text[:4].lower() == "fail" and not _assigns(text, problem):
        return Found(_failure(text, source, problem), shown_path(source))
    value = _from_json(text, source, problem) if text.startswith("{") else _from_lines(text, source, problem, named)
    try:
        outcome_of(problem, value.text)
    except UsageError as error:
        raise DataError(f"{shown_path(source)}: {error.message}", error.hint) from None
    return value


def _assigns(text: str, problem: Problem) -> bool:
    """Return whether a text begins as ``name = value``, or is one of the objective's words: none about a failure."""
    if _split(text.splitlines()[0].strip(), problem)[0].text in problem.grades:
        return True
    return re.match(r"[^\n\r=:]+[=:][ \t]*[-+.]?[0-9]", text) is not None


def _failure(text: str, source: str, problem: Problem) -> str:
    pairs = [_split(line, problem) for line in lines_of(text)]
    if any(name == problem.objective and is_value(value.text, problem) for value, name in pairs):
        words = f"it begins with {quoted(text[:4])}, and gives a value of {problem.objective} all the same"
        raise DataError(f"{shown_path(source)}: {words}", "Say which it is: --failed, or the value")
    return _FAILED


def _from_json(text: str, source: str, problem: Problem) -> Found:
    objective, kind = problem.objective, "word" if problem.grades else "number"
    try:
        # Numbers stay as they are spelt.
        found = json.loads(text, parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=_unrepeated)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{shown_path(source)}: this is no JSON object: {error}", "Is it cut?") from None
    name = objective if objective in found else spelling_of(problem, list(found))
    if name is None:
        raise MissingValueError(f"{shown_path(source)}: there is no {quoted(objective)}", f"There are {listed(found)}")
    value = found[name]
    if not isinstance(value, str | None):
        raise DataError(f"{shown_path(source)}: {quoted(name)} is not a {kind}", f"Write a {kind}, or null")
    return Found(_FAILED if value is None else value, shown_path(source), note=_note(source, name, problem))


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _from_lines(text: str, source: str, problem: Problem, only_named: bool) -> Found:
    objective = problem.objective
    values: list[tuple[str, Found]] = []
    for number, line in enumerate(lines_of(text), 1):
        if line.startswith(_DERIVATIVES):
            break
        if not line or line.startswith("#"):
            continue
        value, name = _split(line, problem)
        is_other = (problem.grades or only_named) and name not in ("", objective)
        if not is_value(value.text, problem) and not is_other:
            where = place(source, number, 1)
            hint = level_hint(value.text, problem.grades) if problem.grades else number_hint(value.text)
            raise DataError(f"{where}: {not_a_result(problem, value.text)}", hint or _usage(problem, only_named))
        values.append((name, value._replace(where=f"{shown_path(source)} ({quoted(line)})")))
    names = [name for name, _ in values]
    wanted = objective if objective in names else spelling_of(problem, names)
    found = [value for name, value in values if name == wanted] or [
        value for name, value in values if not (name or only_named)
    ]
    others = [name for name in names if name not in ("", wanted)]
    if not found:
        hint = f"There are {listed(others)}" if others else _usage(problem, only_named)
        raise MissingValueError(f"{shown_path(source)}: there is no {quoted(objective)}", hint)
    if len(found) > 1 or ("" in names and (others or wanted in names)):
        raise DataError(f"{shown_path(source)}: there is more than one value", _usage(problem, only_named))
    return found[0]._replace(note=_note(source, wanted or objective, problem))


def _note(source: str, name: str, problem: Problem) -> str:
    return "" if name == problem.objective else spelling_note(shown_path(source), name, problem.objective)


def _split(line: str, problem: Problem) -> tuple[Found, str]:
    """Split ``value name``, ``name = value unit``, ``name: value`` or a value alone into value and name."""
    name = re.escape(problem.objective)
    if problem.grades:  # which may hold blanks
        if is_value(line, problem):
            return Found(line), ""
        if match := re.fullmatch(rf"{name}(?:\s*[=:]\s*|\s+)(.+)|(.+)\s+{name}", line):
            return Found((match[1] or match[2]).strip()), problem.objective
    match = re.fullmatch(rf"({name})(?:\s*[=:]\s*(\S.*)|\s+(\S+))", line)
    if match := match or re.fullmatch(r"([^=:]*[^=:\s])\s*[=:]\s*(\S.*)()", line):
        rest = match[2] or match[3]
        return value_in(rest, problem) or Found(rest), match[1]
    value, *behind = joined(line).split(None, 1)
    return Found(value), "".join(behind)


def _usage(problem: Problem, only_named: bool) -> str:
    example = problem.grades[-1] if problem.grades else "0.31"
    if only_named:
        return f"Write a line for each result, such as '{problem.objective} = {example}'"
    return f"Write the value alone, or '{example} {problem.objective}'"
