"""A user's problem file and simulator command as a subject of the benchmark."""

from __future__ import annotations

import dataclasses
import math
import re
import shlex
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ordbo_cli.benchmark.problem import Observation
from ordbo_cli.errors import DataError, MissingFileError, UsageError
from ordbo_cli.method import Method
from ordbo_cli.problem import Number, Problem
from ordbo_cli.study.numbers import objective_value, printed

_PLACE = re.compile(r"\{([^{}]*)\}")


@dataclass(frozen=True)
class Simulator:
    """A command that prints a number, to be minimised or maximised.

    Args:
        name: in records and tables.
        question: the problem as its file states it.
        words: the command; ``{name}`` stands for a parameter's value.
    """

    name: str
    question: Problem
    words: tuple[str, ...]

    @classmethod
    def load(cls, path: Path, command: str) -> Simulator:
        """Read a problem file and check a command against it.

        Raises:
            UsageError: the command cannot be split, is empty, or holds the name of no parameter.
            MissingFileError, FileError, ManyErrors: as :func:`ordbo_cli.study.load_problem`.
        """
        from ordbo_cli.study import load_problem

        question = load_problem(path).problem
        try:
            words = tuple(shlex.split(command))
        except ValueError as error:
            raise UsageError(f"--command: {error}", "Close every quote") from None
        if not words:
            raise UsageError("--command is empty")
        unknown = {name for word in words for name in _PLACE.findall(word)} - set(question.names)
        if unknown:
            raise UsageError(f"--command: {{{min(unknown)}}} is no parameter", f"There are {', '.join(question.names)}")
        return cls(path.stem, question, words)

    def problem(self, method: Method, seed: int) -> Problem:
        """Return the question with another method and seed, as a minimisation."""
        return dataclasses.replace(self.question, goal="minimize", method=method, seed=seed)

    def observe(self, values: Sequence[Number], seed: int, number: int) -> Observation:
        """Run the command and return the last number that it prints, negated where it is to be maximised.

        An exit status other than 0, a word such as ``nan`` and an infinite value are failures.

        Raises:
            MissingFileError: there is no such command.
            DataError: it ends well and prints no number.
        """
        words = _filled(self.words, self.question.mapping(values))
        try:
            done = subprocess.run(words, capture_output=True, stdin=subprocess.DEVNULL, check=False)
        except OSError as error:
            raise MissingFileError(f"cannot start {words[0]!r}: {error.strerror}") from None
        if done.returncode != 0:
            return Observation(None, None)
        value = _last_number(done.stdout.decode("utf-8", "replace"), words[0])
        if value is None or not math.isfinite(value):
            return Observation(None, None)
        return Observation(-value if self.question.goal == "maximize" else value, None)


def _filled(words: Sequence[str], mapping: Mapping[str, Number | str]) -> list[str]:
    """Return words with values in the places of names."""
    return [_PLACE.sub(lambda found: printed(mapping[found[1]]), word) for word in words]


def _last_number(text: str, command: str) -> float | None:
    """Return the last number in a text, None where a word for a failure comes after it."""
    for word in reversed(re.split(r"[\s,;=]+", text)):
        if not word:
            continue
        try:
            value = objective_value(word)
        except ValueError:
            continue
        return None if value is None else float(value)
    raise DataError(f"{command} printed no number", "The last number on its standard output is its result")
