"""What a simulator's output says of the objective: the one value that is given, or why there is none."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Final

from ordbo_cli.drive.simulation.folders import Answer
from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.files.values.answers import outcome_of
from ordbo_cli.files.values.printed_values import Found, by_name, is_value, joined, lines_of, named_elsewise, plain
from ordbo_cli.files.values.result_file import MissingValueError, Reading, of_all, read_result
from ordbo_cli.problem import Problem
from ordbo_cli.problem.spelling import quoted

SOURCE: Final = "standard output"
NO_NUMBER: Final = f"no number on {SOURCE}"

_FAILURES: Final = {"fail", "failed", "failure"}


def read_all(text: str, problem: Problem) -> Reading:
    """Return the objective and the outcomes that a simulator printed; where there are any, each by its name.

    Raises:
        DataError: as :func:`read_output`; each has to be there, unless an outcome breaks its limits.
    """
    return of_all(problem, SOURCE, lambda one: read_output(text, one, named=bool(problem.outcomes)))


def read_output(text: str, problem: Problem, *, named: bool = False) -> Found:
    """Return the objective's value as a simulator printed it; a word for a failure if that is what it says.

    The first of these that is there:

    1. A last line that is ``failed``, alone.
    2. A JSON object at the end: its value of the objective, null for a failure.
    3. The last line that gives the objective by its name: ``drag = 0.31 N``, ``drag: 0.31``, ``lift=7, drag=0.31``; or
       else by the one name that differs from it in case, or in blanks, ``-`` and ``_``.
    4. The last line, where the whole of it is one value, also ``nan``, ``inf``, ``****``, ``>1e6``.

    Nothing else that looks like a number is one of the objective's.

    Args:
        text: standard output, or its end.
        problem: whose objective is looked for.
        named: whether a value without the objective's name is none of it.

    Raises:
        DataError: there is no value, or one that cannot be.
    """
    text = plain(text)
    lines = lines_of(text)
    last = lines[-1] if lines else ""
    if last.lower() in _FAILURES:
        return Found(last, _last_line(last))
    if (found := _object_at_the_end(text, lines)) is not None:
        return read_result(found, SOURCE, problem, named=named)._replace(
            where=f"the JSON object at the end of {SOURCE}"
        )
    value = by_name(lines, problem, SOURCE)
    alone = joined(last)
    if value is None and not named and alone and is_value(alone, problem):
        value = Found(alone, _last_line(last))
    if value is None:
        raise _missing(lines, problem, named)
    try:
        outcome_of(problem, value.text)
    except UsageError as error:
        raise DataError(f"{SOURCE}: {error.message}", error.hint) from None
    return value


def _last_line(line: str) -> str:
    return f"the last line of {SOURCE} ({quoted(line)})"


def _missing(lines: Sequence[str], problem: Problem, named: bool) -> DataError:
    """Return the error that says what was seen in place of a value."""
    objective, others = problem.objective, named_elsewise(lines, problem)
    what = f"none of {objective}'s values on {SOURCE}" if problem.grades else NO_NUMBER
    what = f"no {objective} on {SOURCE}" if named else what
    seen = f"the last line is {quoted(lines[-1])}" if lines else "nothing was printed"
    message = f"{what}: " + (f"it gives {others}, not {objective}" if others else seen)
    kind = MissingValueError if named else DataError
    return kind(message, f"Print {objective} = {problem.grades[-1] if problem.grades else '0.31'}")


def _object_at_the_end(text: str, lines: Sequence[str]) -> str | None:
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


class Units:
    """Knows the units that a run's first answers stood in: 950 ms and 1.2 s are no numbers in order."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def checked(self, answer: Answer) -> Answer:
        """Return an answer, or none where a value of it stands in another unit than those before it."""
        for name, unit in answer.units.items():
            before = self._first.setdefault(name, unit)
            if unit != before:
                now, then = (quoted(each) if each else "no unit" for each in (unit, before))
                return Answer(None, f"{name} is in {now}, and was in {then} before", answer.seconds)
        return answer
