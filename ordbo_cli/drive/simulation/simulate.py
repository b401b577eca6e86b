"""One simulation: its folder, its process, its answer."""

from __future__ import annotations

import errno
import json
import os
import re
import shlex
import signal
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from ordbo_cli.drive.processes.children import CHILDREN, ChildEnding, Streams
from ordbo_cli.drive.simulation.answer import SOURCE, read_all
from ordbo_cli.drive.simulation.command import Command
from ordbo_cli.drive.simulation.folders import COMMAND, POINT, STDERR, STDOUT, Answer, begin, taken_over, write_answer
from ordbo_cli.drive.simulation.run_folder import RunFolder
from ordbo_cli.errors import DataError, MissingFileError, OrdboError, UsageError
from ordbo_cli.files.durable.paths import refused
from ordbo_cli.files.tables.dialect import Undecodable, decoded
from ordbo_cli.files.values.printed_values import lines_of, plain
from ordbo_cli.files.values.result_file import Reading, read_answer
from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.parameter import in_words
from ordbo_cli.problem.spelling import shown, shown_path

__all__ = ["Answer", "Job", "simulate"]

_LONGEST_OUTPUT: Final = 1 << 20  # bytes of standard output, counted from its end, in which the answer is looked for
_LONGEST_RESULT: Final = 1 << 24
# The machine has no room for another process: nothing that the point has to do with.
_BUSY: Final = {errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE}
_NOT_FOUND: Final = 127
# What shells mean by them, and what they and 'env' say of it; a simulator may have such a status of its own.
_COMPLAINT: Final = re.compile(
    r"not found|[Nn]o such file|[Pp]ermission denied|[Cc]annot execute|[Ee]xec format|[Tt]ext file busy"
)
_LONGEST_COMPLAINT: Final = 4096
_AGAIN: Final = "Mend the command; the next run evaluates the point again"
_STATUSES: Final = {126: " (a program cannot be executed)", 127: " (a program was not found)"}
_STOPPED: Final = Answer(None, "stopped", stopped=True)


@dataclass(frozen=True)
class Job:
    """One attempt at a point; it can be pickled.

    Args:
        id: of the suggestion.
        attempt: counted from 1.
        parameters: all of them by name, fixed ones included.
        folder: the run folder.
        command: what is called.
        problem: whose objective is looked for in the answer.
    """

    id: int
    attempt: int
    parameters: Mapping[str, Number | str]
    folder: Path
    command: Command
    problem: Problem


def simulate(job: Job) -> Answer:
    """Call the simulator for a point, wait for it and read its answer; what it does wrong is a fault in the answer.

    Every run has a session of its own. Processes that it leaves behind are ended after a second, and all of them at a
    time-out: SIGTERM, then SIGKILL.

    Raises:
        FileError: the system refused to make the run folder, or to start any further process.
        MissingFileError, UsageError: the command cannot start, which is no property of the point.
    """
    if CHILDREN.stopping():
        return _STOPPED
    folder = Path(os.path.abspath(job.folder))
    values = job.command.values(job.id, folder, job.parameters)
    words = job.command.words(values)
    mark = begin(folder)
    with ExitStack() as stack:
        try:
            opened = stack.enter_context(RunFolder.at(folder))
            _lay_out(job, opened, words, values)
            stdin = os.open(os.devnull, os.O_RDONLY) if not job.command.stdin else opened.open(POINT)
            stack.callback(os.close, stdin)
            stdout, stderr = opened.create(STDOUT), opened.create(STDERR)
            stack.callback(os.close, stdout)
            stack.callback(os.close, stderr)
        except OSError as error:
            raise refused("write it", folder / str(error.filename or ""), error) from None
        streams = Streams(stdin, stdout, stderr)
        began = time.monotonic()
        try:
            ending = CHILDREN.run(
                words,
                streams,
                cwd=folder if job.command.in_folder else job.command.cwd,
                env=job.command.environment(values, job.parameters.keys()),
                timeout=job.command.timeout,
                superseded=lambda: taken_over(folder, mark),
            )
        except (OSError, ValueError) as error:
            raise _not_started(job, words[0], error) from None
        answer = _answer(job, folder, ending, stdout)
        if not answer.stopped:
            took, last = round(time.monotonic() - began, 3), "" if ending.status > 0 else _last_words(folder)
            answer = replace(answer, seconds=took, last_words=last)
            write_answer(folder, answer)
    return answer


def point_line(id: int, parameters: Mapping[str, Number | str]) -> str:
    """Return a point as ``ordbo suggest`` prints it."""
    return json.dumps({"id": id, "parameters": in_words(parameters)}, ensure_ascii=False, allow_nan=False) + "\n"


def _lay_out(job: Job, folder: RunFolder, words: list[str], values: Mapping[str, str]) -> None:
    """Write what is there before the simulator begins."""
    folder.write(POINT, point_line(job.id, job.parameters).encode("utf-8", "surrogateescape"))
    folder.write(COMMAND, f"{shlex.join(words)}\n".encode("utf-8", "surrogateescape"))
    template = job.command.template
    if template is not None and job.command.input is not None:
        with CHILDREN.starting:
            content = template.fill(values).encode("utf-8", "surrogateescape")
            folder.write(job.command.input, content, template.mode)


def _not_started(job: Job, program: str, error: OSError | ValueError) -> OrdboError:
    """Return the error that ends a run: a command that cannot start cannot for any point."""
    if isinstance(error, OSError) and error.errno in _BUSY:
        return refused("start it", program, error)
    job.command.check_program(program)
    reason = error.strerror if isinstance(error, OSError) else str(error)
    missing = error.filename if isinstance(error, OSError) and error.filename not in (None, program) else None
    where = "" if missing is None else f" in {shown_path(missing)}"
    kind = MissingFileError if isinstance(error, FileNotFoundError) else UsageError
    return kind(f"cannot start {shown(program)}{where}: {reason}", _AGAIN)


def _not_zero(folder: Path, status: int) -> str:
    """Return what is wrong with an evaluation that ended with an exit status, and the last word on standard error.

    Raises:
        MissingFileError, UsageError: a shell says that it cannot start what it was given.
    """
    for line in _last_lines(folder, STDERR) if status in _STATUSES else ():
        if _COMPLAINT.search(line):
            kind = MissingFileError if status == _NOT_FOUND else UsageError
            raise kind(f"exit status {status}{_STATUSES[status]}: {shown(line)}", _AGAIN)
    last = _last_words(folder)
    return f"exit status {status}{_STATUSES.get(status, '')}" + (f": {last}" if last else "")


def _last_words(folder: Path) -> str:
    """Return the last line on standard error, "" where there is none."""
    return next((shown(line) for line in reversed(_last_lines(folder, STDERR))), "")


def _last_lines(folder: Path, name: str) -> list[str]:
    """Return the last lines of a file in a run folder, those that are not blank; none where it cannot be read."""
    try:
        with RunFolder.at(folder) as opened, open(opened.open(name), "rb") as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _LONGEST_COMPLAINT))
            text = file.read(_LONGEST_COMPLAINT).decode("utf-8", "replace")
    except OSError:
        return []
    return [line for line in lines_of(plain(text)) if line]


def _answer(job: Job, folder: Path, ending: ChildEnding, stdout: int) -> Answer:
    if ending.how == "stopped":
        return _STOPPED
    if ending.how == "timeout":
        return Answer(None, f"no answer within {job.command.timeout:g} s")
    if ending.status < 0:
        return Answer(None, f"ended by signal {-ending.status}{_signal_name(-ending.status)}")
    if ending.status > 0:
        return Answer(None, _not_zero(folder, ending.status))
    try:
        if job.command.result is None:
            found = read_all(_end_of(stdout), job.problem)
        else:
            found = _result(folder, job.command.result, job.problem)
    except OrdboError as error:  # its hint is about the command line
        return Answer(None, error.message)
    return Answer(found.objective, outcomes=found.outcomes, where=found.where, units=found.units, notes=found.notes)


def _signal_name(number: int) -> str:
    try:
        return f" ({signal.Signals(number).name})"
    except ValueError:  # a real-time signal
        return ""


def _end_of(descriptor: int) -> str:
    """Return the last part of a file, from the beginning of a line or at least of a word."""
    size = os.fstat(descriptor).st_size
    start = max(0, size - _LONGEST_OUTPUT)
    try:
        os.lseek(descriptor, start, os.SEEK_SET)
        content = b""
        while len(content) < _LONGEST_OUTPUT and (part := os.read(descriptor, _LONGEST_OUTPUT - len(content))):
            content += part
    except OSError as error:
        raise refused("read it", SOURCE, error) from None
    text = content.decode("utf-8", "replace")
    if start:
        _, line_end, rest = text.partition("\n")
        text = rest if line_end else (text.split(None, 1) + [""] * 2)[1]
    return text


def _result(folder: Path, name: str, problem: Problem) -> Reading:
    """Read the file that a simulator left.

    Raises:
        DataError, FileError: it holds no answer, or cannot be read.
    """
    path = folder / name
    if not path.exists():
        raise DataError(f"{shown(name)}: there is no such file")
    if not path.is_file():
        raise DataError(f"{shown(name)}: this is no regular file")
    try:
        with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK), "rb") as file:  # a pipe since then is not waited for
            content = file.read(_LONGEST_RESULT + 1)
    except OSError as error:
        raise refused("read it", name, error) from None
    if len(content) > _LONGEST_RESULT:
        raise DataError(f"{shown(name)}: this is more than an answer: it is longer than {_LONGEST_RESULT >> 20} MiB")
    try:
        text = decoded(content)
    except Undecodable as error:
        raise DataError(f"{shown(name)}: {error.message}") from None
    return read_answer(text, name, problem)
