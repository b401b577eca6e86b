"""What a simulator leaves of one evaluation: a value alone, named values as Dakota has them, or a JSON object."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final, NamedTuple

from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.problem import Problem
from ordbo_cli.study.answers import outcome_of
from ordbo_cli.study.levels import censored_value, level_hint, not_a_result
from ordbo_cli.study.numbers import number_hint
from ordbo_cli.study.text import listed, place, quoted, shown_path

_FAILED: Final = "failed"
_DERIVATIVES: Final = "["  # Dakota writes gradients and Hessians, in brackets, below the values


class Reading(NamedTuple):
    """What a simulator said of one evaluation.

    Args:
        objective: its text, which may be a word for a failure; None where there is none, and need not be.
        outcomes: the texts of the problem's other results, by name.
    """

    objective: str | None
    outcomes: Mapping[str, str] = {}


def read_answer(text: str, source: str, problem: Problem) -> Reading:
    """Return the objective and the outcomes in a file, found by their names where there is more than one result.

    Args:
        text, source, problem: as for :func:`read_result`.

    Raises:
        DataError: as :func:`read_result`, for the objective or an outcome; each has to be there, unless an outcome
            breaks its limits.
    """
    return of_all(problem, source, lambda one: read_result(text, source, one, named=bool(problem.outcomes)))


def of_all(problem: Problem, source: str, read: Callable[[Problem], str]) -> Reading:
    """Return all results of an evaluation, each read as if it were the objective.

    Args:
        problem: whose results are read.
        source: where, for messages.
        read: reads one; it raises MissingValueError where that is not there.

    Raises:
        DataError: one is missing or cannot be.
    """
    if not problem.outcomes:
        return Reading(read(problem))
    missing: list[MissingValueError] = []

    def found(one: Problem) -> str | None:
        try:
            return read(one)
        except MissingValueError as error:
            missing.append(error)
            return None

    alone = replace(problem, outcomes=())
    objective = found(alone)
    named = {
        limit.name: found(
            replace(alone, objective=limit.name, grades=(), goal="maximize" if limit.max is None else "minimize")
        )
        for limit in problem.outcomes
    }
    outcomes = {name: text for name, text in named.items() if text is not None}
    try:
        outcome_of(problem, objective, outcomes=outcomes)
    except UsageError as error:
        if missing:
            raise missing[0] from None
        raise DataError(f"{shown_path(source)}: {error.message}", error.hint) from None
    return Reading(objective, outcomes)


class MissingValueError(DataError):
    """A result is not there."""


def read_result(text: str, source: str, problem: Problem, *, named: bool = False) -> str:
    """Return the text of the objective's value; ``failed`` for a file that begins with ``fail``, in any case.

    Args:
        text: the file: a value alone; lines of ``value name`` or ``name = value``; or a JSON object.
        source: where it comes from, for messages.
        problem: whose objective is looked for.
        named: whether a value without the objective's name is none of it.

    Raises:
        DataError: there is no value of the objective, or more than one, or one that cannot be.
    """
    text = text.removeprefix("\ufeff").strip()
    if "\0" in text:
        raise DataError(f"{shown_path(source)}: there is a NUL character", "The file was cut or is no text")
    if not text:
        raise DataError(f"{shown_path(source)}: it is empty", "If the evaluation failed, say so with --failed")
    if text[:4].lower() == "fail" and not _assigns(text, problem):
        return _failure(text, source, problem)
    value = _from_json(text, source, problem) if text.startswith("{") else _from_lines(text, source, problem, named)
    try:
        outcome_of(problem, value)
    except UsageError as error:
        raise DataError(f"{shown_path(source)}: {error.message}", error.hint) from None
    return value


def _assigns(text: str, problem: Problem) -> bool:
    """Return whether a text begins as ``name = value``, or is one of the objective's words: none about a failure."""
    if _split(text.splitlines()[0].strip(), problem)[0] in problem.grades:
        return True
    return re.match(r"[^\n\r=:]+[=:][ \t]*[-+.]?[0-9]", text) is not None


def _failure(text: str, source: str, problem: Problem) -> str:
    pairs = [_split(line.strip(), problem) for line in re.split(r"\r\n|\r|\n", text)]
    if any(name == problem.objective and _is_value(value, problem) for value, name in pairs):
        words = f"it begins with {quoted(text[:4])}, and gives a value of {problem.objective} all the same"
        raise DataError(f"{shown_path(source)}: {words}", "Say which it is: --failed, or the value")
    return _FAILED


def _from_json(text: str, source: str, problem: Problem) -> str:
    objective, kind = problem.objective, "word" if problem.grades else "number"
    try:
        # Numbers stay as they are spelt.
        found = json.loads(text, parse_float=str, parse_int=str, parse_constant=str, object_pairs_hook=_unrepeated)
    except (ValueError, RecursionError) as error:
        raise DataError(f"{shown_path(source)}: this is no JSON object: {error}", "Is it cut?") from None
    if objective not in found:
        raise MissingValueError(f"{shown_path(source)}: there is no {quoted(objective)}", f"There are {listed(found)}")
    value = found[objective]
    if value is None:
        return _FAILED
    if not isinstance(value, str):
        raise DataError(f"{shown_path(source)}: {quoted(objective)} is not a {kind}", f"Write a {kind}, or null")
    return value


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")
    return found


def _from_lines(text: str, source: str, problem: Problem, only_named: bool) -> str:
    objective = problem.objective
    named: list[tuple[int, str]] = []
    bare: list[tuple[int, str]] = []
    others: list[str] = []
    for number, line in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        stripped = line.strip()
        if stripped.startswith(_DERIVATIVES):
            break
        if not stripped or stripped.startswith("#"):
            continue
        value, name = _split(stripped, problem)
        if not _is_value(value, problem) and not (problem.grades and name not in ("", objective)):
            where = place(source, number, 1)
            hint = level_hint(value, problem.grades) if problem.grades else number_hint(value)
            raise DataError(f"{where}: {not_a_result(problem, value)}", hint or _usage(problem))
        if name == objective:
            named.append((number, value))
        elif name:
            others.append(name)
        else:
            bare.append((number, value))
    found = named or ([] if only_named else bare)
    if not found:
        hint = f"There are {listed(others)}" if others else _usage(problem)
        raise MissingValueError(f"{shown_path(source)}: there is no {quoted(objective)}", hint)
    if len(found) > 1 or (bare and (others or named)):
        raise DataError(f"{shown_path(source)}: there is more than one value", _usage(problem))
    return found[0][1]


def _split(line: str, problem: Problem) -> tuple[str, str]:
    """Split ``value name``, ``name = value``, ``name: value`` or a value alone into value and name."""
    objective = problem.objective
    if problem.grades:  # which may hold blanks
        if _is_value(line, problem):
            return line, ""
        name = re.escape(objective)
        if match := re.fullmatch(rf"{name}(?:\s*[=:]\s*|\s+)(.+)|(.+)\s+{name}", line):
            return (match[1] or match[2]).strip(), objective
    match = re.fullmatch(rf"({re.escape(objective)})(?:\s*[=:]\s*|\s+)(\S+)", line)
    if match := match or re.fullmatch(r"([^=:]*[^=:\s])\s*[=:]\s*(\S+)", line):
        return match[2], match[1]
    value, _, name = line.partition(" ") if " " in line else line.partition("\t")
    return value, name.strip()


def _is_value(text: str, problem: Problem) -> bool:
    try:
        censored_value(problem, text)
    except ValueError:
        return False
    return True


def _usage(problem: Problem) -> str:
    example = problem.grades[-1] if problem.grades else "0.31"
    return f"Write the value alone, or '{example} {problem.objective}'"
