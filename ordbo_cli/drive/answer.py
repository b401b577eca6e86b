"""What a simulator's output says of the objective: the one value that is meant, or why there is none."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Final

from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.problem import Problem
from ordbo_cli.study.answers import outcome_of
from ordbo_cli.study.levels import censored_value, not_a_result
from ordbo_cli.study.numbers import not_a_number, objective_value
from ordbo_cli.study.result_file import MissingValueError, Reading, of_all, read_result

SOURCE: Final = "standard output"
NO_NUMBER: Final = f"no number on {SOURCE}"

_FAILURES: Final = {"fail", "failed", "failure"}
_WIDEST_FIELD: Final = 30  # stars: more of them than any Fortran field has are a line drawn across the page
_CENSORED = re.compile(r"[<>]=?[-+.0-9]")
_LINE_END = re.compile(r"\r\n|\r|\n")


def read_all(text: str, problem: Problem) -> Reading:
    """Return the objective and the outcomes that a simulator printed; where there are any, each by its name.

    Raises:
        DataError: as :func:`read_output`; each has to be there, unless an outcome breaks its limits.
    """
    return of_all(problem, SOURCE, lambda one: read_output(text, one, named=bool(problem.outcomes)))


def read_output(text: str, problem: Problem, *, named: bool = False) -> str:
    """Return the text of the objective's value as a simulator printed it; a word for a failure if that is what it says.

    The first of these that is there:

    1. A last line that is ``failed``, alone.
    2. A JSON object at the end: its value of the objective, null for a failure.
    3. The last line that gives the objective by its name: ``drag = 0.31``, ``drag: 0.31``, ``lift=7, drag=0.31``.
    4. The last word that is a number, also ``nan``, ``inf``, ``****``, or one behind a name as in ``cd=0.31``; where
       results are words, the last line that is one of them.

    Args:
        text: standard output, or its end.
        problem: whose objective is looked for.
        named: whether a number without the objective's name is none of it.

    Raises:
        DataError: there is no value, or one that cannot be.
    """
    lines = [line.strip() for line in _LINE_END.split(text.removeprefix("\ufeff"))]
    while lines and not lines[-1]:
        lines.pop()
    if lines and lines[-1].lower() in _FAILURES:
        return lines[-1]
    if (found := _object_at_the_end(text, lines)) is not None:
        return read_result(found, SOURCE, problem, named=named)
    value = _graded(lines, problem) if problem.grades else _named(lines, problem.objective)
    if value is None and not (problem.grades or named):
        value = next((word for line in reversed(lines) for word in _numbers(line)), None)
    if value is None and named:
        raise MissingValueError(f"no {problem.objective} on {SOURCE}", f"Print {problem.objective} = 0.31")
    if value is None:
        raise DataError(f"none of {problem.objective}'s values on {SOURCE}" if problem.grades else NO_NUMBER)
    try:
        outcome_of(problem, value)
    except UsageError as error:
        raise DataError(f"{SOURCE}: {error.message}", error.hint) from None
    return value


def _object_at_the_end(text: str, lines: list[str]) -> str | None:
    """Return the text of a JSON object that is the last line, or the last lines where it was printed with indents."""
    last = lines[-1] if lines else ""
    if re.match(r'\{\s*"', last):
        return last  # perhaps a cut one: no number is to be picked out of that
    if not last.endswith("}"):
        return None
    for found in (last, text[text.rfind("\n{") + 1 :].strip()):
        if found.startswith("{"):
            try:
                if isinstance(json.loads(found), dict):
                    return found
            except (ValueError, RecursionError):
                continue
    return None


def _named(lines: list[str], objective: str) -> str | None:
    """Return the value in the last line that gives the objective by its name.

    Raises:
        DataError: what stands there is meant for a value and is none.
    """
    for line in reversed(lines):
        value = _named_in(line, objective)
        if value is not None:
            return value
    return None


def _graded(lines: list[str], problem: Problem) -> str | None:
    """Return the word in the last line that gives the objective by its name, or else is such a word.

    Raises:
        DataError: what stands behind the name is no such word.
    """
    name = re.escape(problem.objective)
    for line in reversed(lines):
        if match := re.fullmatch(rf"{name}\s*[=:]\s*(\S.*)", line):
            word = match[1]
            try:
                censored_value(problem, word)
            except ValueError as error:
                raise DataError(f"{SOURCE}: {not_a_result(problem, word)}", str(error)) from None
            return word
    named = {f"{word} {problem.objective}": word for word in problem.grades}
    return next((named.get(line, line) for line in reversed(lines) if line in (*problem.grades, *named)), None)


def _named_in(line: str, objective: str) -> str | None:
    name = re.escape(objective)
    if match := re.match(rf"{name}\s*[=:]\s*(\S.*)", line):
        words = re.sub(r"^([<>]=?)\s+", r"\1", match[1]).split()
        if value := _value(words[0]):
            return value
        if len(words) == 1 or re.match(r"[-+.]?[0-9]", words[0]):
            raise DataError(f"{SOURCE}: {objective}: {not_a_number(words[0])}")
        return None  # a sentence
    if match := re.fullmatch(rf"{name}\s+(?P<behind>\S+)|(?P<before>\S+)\s+{name}", line):
        return _value(match["behind"] or match["before"])
    words = re.split(r"[,;]?\s+", line)
    if len(words) > 1 and all("=" in word for word in words):
        given = dict(word.split("=", 1) for word in words)
        return _value(given[objective]) if objective in given else None
    return None


def _numbers(line: str) -> Iterator[str]:
    """Yield the words of a line that are numbers, the last one first."""
    words = line.split()
    if len(words) == 1 and line[0] in "<>" and (value := _value(line)):  # among others it may be anything
        yield value
        return
    if len(words) > 2 and {*words[0]} == {*words[-1]} == {"*"}:
        words = words[1:-1]  # *** a banner ***
    for word in reversed(words):
        value = _value(word.rpartition("=")[2])
        if value and value.lower() not in _FAILURES and value.count("*") <= _WIDEST_FIELD:
            yield value


def _value(word: str) -> str | None:
    """Return a word without the one punctuation mark behind it, if it is a value of the objective."""
    for text in (word, word[:-1] if word[-1:] in (",", ";", ".") else ""):
        if text:
            try:
                objective_value(text.lstrip("<>").removeprefix("=") if _CENSORED.match(text) else text)
            except ValueError:
                continue
            return text
    return None
