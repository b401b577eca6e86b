"""A user's problem file and simulator command as a subject of the benchmark."""

from __future__ import annotations

import dataclasses
import math
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from ordbo_cli.benchmark.suites.benchmark_problem import Observation
from ordbo_cli.drive.simulation.answer import NO_NUMBER
from ordbo_cli.drive.simulation.command import Command
from ordbo_cli.drive.simulation.simulate import Job, simulate
from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.files.values.levels import censored_value
from ordbo_cli.files.values.numbers import objective_value
from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.method import Method


@dataclass(frozen=True)
class Simulator:
    """A command that prints a number, to be minimised or maximised; it is called as ``ordbo run`` calls it.

    Args:
        name: in records and tables.
        question: the problem as its file states it.
        command: what evaluates a point.
    """

    name: str
    question: Problem
    command: Command

    @classmethod
    def load(cls, path: Path, command: str) -> Simulator:
        """Read a problem file and check a command against it.

        Raises:
            UsageError: the command cannot be split, is empty, or holds the name of no parameter.
            MissingFileError, FileError, ManyErrors: as :func:`ordbo_cli.study.load_problem`; there is no such program.
        """
        from ordbo_cli.files.problem_file.problem_file import load_problem

        question = load_problem(path).problem
        try:
            words = shlex.split(command)
        except ValueError as error:
            raise UsageError(f"--command: {error}", "Close every quote") from None
        if not words:
            raise UsageError("--command is empty")
        return cls(path.stem, question, Command.prepare(question, words, cwd=Path.cwd()))

    def problem(self, method: Method, seed: int) -> Problem:
        """Return the question with another method and seed, as a minimisation."""
        return dataclasses.replace(self.question, goal="minimize", method=method, seed=seed)

    def observe(self, values: Sequence[Number], seed: int, number: int) -> Observation:
        """Call the command and return what it answers, negated where it is to be maximised.

        What is a failure to ``ordbo run`` is one here, and so is an infinite value. Of a result that is only known by a
        limit that limit is taken: most methods want a number.

        Raises:
            DataError: it ends well and prints no number: a mistake, not a failure of the simulation.
        """
        with TemporaryDirectory(prefix="ordbo-") as folder:
            parameters = self.question.mapping(values)
            answer = simulate(Job(number, 1, parameters, Path(folder), self.command, self.question))
        if answer.fault.startswith(NO_NUMBER):
            hint = f"Print {self.question.objective} = 0.31, or the number alone on the last line"
            raise DataError(f"{self.command.arguments[0]}: {answer.fault}", hint)
        exact = None if answer.objective is None else censored_value(self.question, answer.objective)[0]
        value = None if exact is None or not math.isfinite(float(exact)) else float(exact)
        loss = -value if value is not None and self.question.goal == "maximize" else value
        limits = self.question.outcomes if answer.outcomes else ()
        measured = tuple(objective_value(answer.outcomes.get(limit.name, "nan")) for limit in limits)
        found = self.question.evaluation(tuple(values), exact, outcomes=measured)
        others = tuple(math.nan if x is None else float(x) for x in found.outcomes)
        objective = loss if others else None
        return Observation(None if found.objective is None else loss, None, others, objective)
