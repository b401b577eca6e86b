"""What is called for every point, checked before any point is asked for."""

from __future__ import annotations

import math
import os
import re
import shlex
import shutil
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

from ordbo_cli.drive.simulation.folders import ANSWER, COMMAND, MARK, OUR_FILES, POINT
from ordbo_cli.drive.simulation.template import Template
from ordbo_cli.errors import MissingFileError, ProblemError, UsageError
from ordbo_cli.files.durable.paths import missing
from ordbo_cli.files.values.numbers import printed
from ordbo_cli.problem import Fixed, Number, Problem
from ordbo_cli.problem.spelling import environment_name, quoted, shown_path

OWN_NAMES: Final = ("id", "folder")  # what can be filled in beside the parameters
_NEEDS_SHELL: Final = re.compile(r"[|&;<>$`*]")


@dataclass(frozen=True)
class Command:
    """What is called for every point, without a shell; it can be pickled.

    Args:
        arguments: the program and its arguments; ``{name}``, ``{id}`` and ``{folder}`` in them are filled in.
        cwd: the absolute folder in which it is called.
        in_folder: whether it is called inside its run folder instead; a relative program with a slash in it is looked
            for from ``cwd`` all the same.
        stdin: whether it reads the point as a line of JSON from standard input, which is empty otherwise.
        template: filled in for every point ...
        input: ... and written under this name, relative to the run folder.
        result: the file that holds the answer, relative to the run folder; None for standard output.
        timeout: seconds that it may take; None for no limit.
        names: of all parameters; those that do not count at a point are filled in as nothing.
    """

    arguments: tuple[str, ...]
    cwd: Path
    in_folder: bool = False
    stdin: bool = False
    template: Template | None = None
    input: str | None = None
    result: str | None = None
    timeout: float | None = None
    names: tuple[str, ...] = ()

    @classmethod
    def prepare(
        cls,
        problem: Problem,
        arguments: Sequence[str],
        *,
        cwd: Path,
        in_folder: bool = False,
        stdin: bool = False,
        template: Path | None = None,
        input: str | None = None,
        delimiters: str = "{ }",
        result: str | None = None,
        timeout: float | None = None,
    ) -> Command:
        """Return a command of which all is right that can be checked before a point is there.

        Args:
            problem: whose parameters are handed over.
            arguments, in_folder, stdin, input, result, timeout: as in :class:`Command`.
            cwd: the folder in which it is called.
            template: the file to be filled in.
            delimiters: what stands around a name in it.

        Raises:
            UsageError: there is no command, it cannot be run, or the arguments do not go together.
            MissingFileError: there is no such program, template or folder.
            ProblemError: the names or values of the problem cannot be handed over.
            DataError: the template holds an unknown name.
            OSError: the template cannot be read.
        """
        names = (*OWN_NAMES, *problem.names)
        _check_problem(problem)
        if timeout is not None and not (math.isfinite(timeout) and timeout > 0):
            raise UsageError(f"a time limit of {timeout:g} s", "It has to be above 0")
        if (template is None) != (input is None):
            hint = "Name both: the template, and with --input the file in the run folder that it becomes"
            what = "a template without an input file" if input is None else "an input file without a template"
            raise UsageError(what, hint)
        if input is not None:
            _check_inside(input, "input file", OUR_FILES)
        if result is not None:
            _check_inside(result, "result file", (ANSWER, COMMAND, POINT, MARK))
        filled_in = None if template is None else Template.read(template, delimiters, names)
        cwd = Path(os.path.abspath(cwd))
        if not cwd.is_dir():
            raise MissingFileError(f"{shown_path(cwd)}: there is no such folder")
        command = cls(tuple(arguments), cwd, in_folder, stdin, filled_in, input, result, timeout, problem.names)
        command._check_arguments(names)
        return command

    def values(self, id: int, folder: Path, parameters: Mapping[str, Number | str]) -> dict[str, str]:
        """Return what is filled in for a point, by name; nothing for a parameter that does not count."""
        values = {name: printed(value) for name, value in parameters.items()}
        return {"id": str(id), "folder": str(folder), **dict.fromkeys(self.names, ""), **values}

    def passed_over(self, problem: Problem) -> list[str]:
        """Return the free parameters, and the level of fidelity, that the arguments do not name although others are.

        There are none where the point gets to the command in another way, too.
        """
        templates = [Template.of_argument(argument, (*OWN_NAMES, *self.names)) for argument in self.arguments]
        in_braces = frozenset[str]().union(*(each.names for each in templates))
        text = "\n".join(self.arguments)
        named = {
            name
            for name in ("folder", *self.names)
            if name in in_braces or re.search(rf"{re.escape(environment_name(name))}\b", text)
        }
        if self.stdin or self.in_folder or self.template or "folder" in named or in_braces.isdisjoint(self.names):
            return []
        levels = [problem.fidelity.name] if problem.fidelity else []
        return [name for name in (*(each.name for each in problem.free), *levels) if name not in named]

    def words(self, values: Mapping[str, str]) -> list[str]:
        """Return the program and its arguments with all names filled in.

        Raises:
            UsageError: there is a name that has no value.
        """
        words = [Template.of_argument(argument, values.keys()).fill(values) for argument in self.arguments]
        if self.in_folder and "/" in words[0]:
            words[0] = os.path.join(self.cwd, words[0])
        return words

    def environment(self, values: Mapping[str, str], counting: Collection[str]) -> dict[str, str]:
        """Return this process's environment, with ``ORDBO_ID``, ``ORDBO_FOLDER`` and a variable for each parameter.

        Args:
            values: what is filled in.
            counting: names of the parameters that count at the point; of the others there is no variable.
        """
        environment = {**os.environ, **{environment_name(name): value for name, value in values.items()}}
        for name in self.names:
            if name not in counting:
                del environment[environment_name(name)]
        return environment

    def _check_arguments(self, names: Sequence[str]) -> None:
        if not self.arguments or not self.arguments[0]:
            raise UsageError(
                "there is no command to call", "Give it behind --: ordbo run PROBLEM -- ./simulate {angle}"
            )
        templates = [Template.of_argument(argument, names) for argument in self.arguments]
        if not templates[0].names:
            self.check_program(templates[0].fill({}))
        elif self._is_quoted(self.arguments[0]):
            raise self._missing(f"there is no program {quoted(self.arguments[0])}", self.arguments[0], "")

    def check_program(self, name: str) -> None:
        """Make sure that a program is there and can be called.

        Args:
            name: of it, all names in it filled in.

        Raises:
            MissingFileError: there is none, or not the interpreter that it names.
            UsageError: it is a folder, or not executable.
        """
        if "/" not in name:
            if shutil.which(name) is None:
                here = os.path.exists(self.cwd / name)
                hint = f"Write ./{name} for the one in this folder" if here else "Is it installed, and on the PATH?"
                raise self._missing(f"there is no program {quoted(name)} on the PATH", name, hint)
            return
        path = self.cwd / name
        if not path.exists():
            made = self.in_folder and self.input is not None and PurePosixPath(name) == PurePosixPath(self.input)
            hint = f"Write {{folder}}/{self.input} for the filled-in template" if made else "Is the path right?"
            error = missing(path, "program", hint)
            raise self._missing(error.message, name, hint if made else error.hint)
        if path.is_dir():
            raise UsageError(f"{shown_path(path)} is a folder, no program")
        if not os.access(path, os.X_OK):
            raise UsageError(f"{shown_path(path)} is not executable", f"Make it so: chmod +x {shown_path(path)}")
        _check_interpreter(path)

    def _missing(self, message: str, name: str, hint: str) -> MissingFileError:
        """Return the error that a program is missing; a whole command line in quotation marks is no program."""
        if " " in name.strip():
            first, *others = self.arguments
            words = " ".join([first, *map(shlex.quote, others)])
            called = f"sh -c {shlex.quote(words)}" if _NEEDS_SHELL.search(name) else words
            hint = f"Write it without the quotation marks: -- {shown_path(called)}"
        return MissingFileError(message, hint)

    def _is_quoted(self, argument: str) -> bool:
        """Return whether an argument is a whole command line, of a program that is there."""
        first, *others = argument.split()
        return bool(others) and "{" not in first and (shutil.which(first) is not None or (self.cwd / first).is_file())


def _check_problem(problem: Problem) -> None:
    """Make sure that names and values can be handed over, environment variables among them."""
    if clash := {*OWN_NAMES} & {*problem.names}:
        name = clash.pop()
        raise ProblemError(f"{{{name}}} is both a parameter and the run's {name}", "Rename it in the problem file")
    seen: dict[str, str] = {}
    for name in (*OWN_NAMES, *problem.names):
        variable = environment_name(name)
        other = seen.setdefault(variable, name)
        if other != name:
            message = f"{other!r} and {name!r} would both be the environment variable {variable}"
            raise ProblemError(message, "Rename one in the problem file")
    for parameter in problem.parameters:
        if isinstance(parameter, Fixed) and "\0" in printed(parameter.value):
            raise ProblemError(f"the value of {parameter.name!r} holds a NUL character", "No program can be given that")


def _check_inside(name: str, what: str, ours: Sequence[str]) -> None:
    """Make sure that a file lies inside the run folder, and is none that is written there anyway."""
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts or not path.name or name.endswith("/") or "\0" in name:
        raise UsageError(f"the {what} {quoted(name)} is no file inside the run folder", "Give it a relative name")
    if path.parts[0].lower() in ours:
        raise UsageError(f"the {what} {quoted(name)} is a file that ordbo writes", "Give it another name")


def _check_interpreter(path: Path) -> None:
    """Make sure that what a script names behind ``#!`` is there."""
    try:
        with path.open("rb") as file:
            first = file.readline(256)
    except OSError:  # a program that may be executed and not read
        return
    words = first[2:].split(maxsplit=1) if first.startswith(b"#!") else []
    if words and first.endswith(b"\r\n"):
        message = f"{shown_path(path)} has the line ends of Windows, which no interpreter's name ends in"
        raise UsageError(message, "Write it with plain line ends: dos2unix")
    if words and os.path.isabs(words[0]) and not os.path.exists(words[0]):
        message = f"{shown_path(path)}: there is no {shown_path(os.fsdecode(words[0]))}, which its first line names"
        raise MissingFileError(message, "Mend the line")
