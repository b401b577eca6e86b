"""Simulator processes: started, watched and ended with all that they started themselves."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from ordbo_cli.drive.processes import processes
from ordbo_cli.drive.processes.guard import Guard, StartRequest, Ward
from ordbo_cli.drive.processes.keeper import GRACE, LAST
from ordbo_cli.errors import FileError

_ALL: Final = "all runs"

_RUN: ContextVar[str] = ContextVar("run", default="this process")
_WANTED: ContextVar[Callable[[], bool]] = ContextVar("wanted", default=lambda: True)


@dataclass(frozen=True)
class Streams:
    """What a child reads, and where the ends of what it writes go, by descriptor.

    Args:
        stdin: open for reading.
        stdout, stderr: empty regular files, open for reading and appending.
    """

    stdin: int
    stdout: int
    stderr: int


@dataclass(frozen=True)
class ChildEnding:
    """How a child ended.

    Args:
        how: by itself, at its time limit, or because the driver stops.
        status: its exit status, negative for a signal; it means something where the child ended by itself.
    """

    how: Literal["itself", "timeout", "stopped"]
    status: int = 0


class Children:
    """The children of this process, each a session of its own; safe to use from many threads."""

    def __init__(self) -> None:
        #: Held while the helper starts: a file that is open for writing then would be open in the helper for an
        #: instant, and could not be executed.
        self.starting: Final = threading.Lock()
        self._changed = threading.Condition()
        self._running: Counter[str] = Counter()
        self._wards: dict[Ward, str] = {}
        self._graces: dict[str, float] = {}
        self.guard: Final = Guard()

    def run(
        self,
        words: Sequence[str],
        streams: Streams,
        *,
        cwd: Path,
        env: Mapping[str, str],
        timeout: float | None = None,
        superseded: Callable[[], bool] = lambda: False,
    ) -> ChildEnding:
        """Start a child, and return when it and all that it started have ended.

        Args:
            words: the program and its arguments.
            streams: where it reads and writes.
            cwd: the folder that it is started in.
            env: its environment.
            timeout: seconds that it may take; None for no limit.
            superseded: asked now and then: whether the child is to be ended because another one does its work.

        Raises:
            OSError, ValueError: it cannot be started.
            FileError: what it printed cannot be written, or the process that keeps it was ended.
        """
        run = _RUN.get()
        with self._changed:
            if self._grace(run) is not None:
                return ChildEnding("stopped")
            self._running[run] += 1  # before it starts, so that end() waits for it
        try:
            program = _found(words[0], cwd, env)
            with self.starting:
                self.guard.ready()
            three = (streams.stdin, streams.stdout, streams.stderr)
            ward = self.guard.start(StartRequest(program, words, str(cwd), env, three, timeout))
            try:
                self._began(ward, run)
                return self._ended(ward, env, superseded)
            except BaseException:
                ward.end(0.0)
                ward.answer(lambda: self.guard.wake(ward))
                raise
            finally:
                with self._changed:
                    self._wards.pop(ward, None)
                self.guard.done(ward)
        finally:
            with self._changed:
                self._running[run] -= 1
                self._changed.notify_all()

    def end(self, grace: float = 5.0, *, run: str | None = None, wait: bool = True) -> None:
        """End all children, and let none begin from now on.

        Args:
            grace: seconds from SIGTERM to SIGKILL.
            run: only the children of this one, see :func:`part_of`; None for all.
            wait: whether to return only when they have ended.
        """
        with self._changed:
            self._graces[run or _ALL] = grace
            for ward, its in self._wards.items():
                if run in (None, its):
                    ward.end(grace)
            if wait:
                self._changed.wait_for(lambda: not self._left(run), grace + 2 * LAST)

    def stopping(self) -> bool:
        """Return whether no child of the run that this thread works for may begin any more."""
        with self._changed:
            return self._grace(_RUN.get()) is not None

    def reset(self) -> None:
        """Let children begin again."""
        with self._changed:
            self._graces.clear()

    def _left(self, run: str | None) -> int:
        return self._running.total() if run is None else self._running[run]

    def _grace(self, run: str) -> float | None:
        """Return the grace with which the children of a run are to be ended; None while they may go on."""
        return self._graces.get(run, self._graces.get(_ALL))

    def _began(self, ward: Ward, run: str) -> None:
        with self._changed:
            self._wards[ward] = run
            if (grace := self._grace(run)) is not None:  # the end was asked for meanwhile
                ward.end(grace)

    def _ended(self, ward: Ward, env: Mapping[str, str], superseded: Callable[[], bool]) -> ChildEnding:
        """Wait for the end of a child."""
        wanted = _WANTED.get()

        def look() -> None:
            self.guard.wake(ward)
            if superseded() or not wanted():
                ward.end(GRACE)

        said = ward.answer(look)
        if said is None:
            processes.end_adopted(ward.pid, f"ORDBO_FOLDER={env.get('ORDBO_FOLDER')}", 2 * LAST)
            hint = "The same command evaluates its point again"
            raise FileError("somebody has ended the process that keeps a simulation, and that with it", hint)
        for _, reason, name in said["unwritten"]:
            raise FileError(f"{name}: what a simulation prints cannot be written: {reason}", "Is the disk full?")
        return ChildEnding(said["how"], -signal.SIGKILL if said["status"] is None else said["status"])


CHILDREN: Final = Children()


@contextlib.contextmanager
def part_of(run: str, wanted: Callable[[], bool] = lambda: True) -> Iterator[None]:
    """Let the children that begin in a ``with`` block belong to a run, so that they can be ended without others'.

    Args:
        run: its name.
        wanted: asked now and then: whether anybody waits for what the children do; where nobody does they are ended.
    """
    tokens = _RUN.set(run), _WANTED.set(wanted)
    try:
        yield
    finally:
        _RUN.reset(tokens[0])
        _WANTED.reset(tokens[1])


def _found(program: str, cwd: Path, env: Mapping[str, str]) -> str:
    """Return where a program is, which may be executed.

    Raises:
        OSError: it is not there, or may not.
    """
    path = str(cwd / program) if "/" in program else shutil.which(program, path=env.get("PATH", os.defpath))
    if path is None or not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)
    if os.path.isdir(path) or not os.access(path, os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), program)
    return path
