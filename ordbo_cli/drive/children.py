"""Simulator processes: started, watched and ended with all that they started themselves."""

from __future__ import annotations

import contextlib
import errno
import math
import os
import re
import shutil
import signal
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal

from ordbo_cli.drive.guard import Guard

_GRACE: Final = 2.0  # seconds from SIGTERM to SIGKILL for a child that took too long
_LAST: Final = 2.0  # seconds that a killed process gets to vanish: one that waits for a dead disk never does
_LINGER: Final = 1.0  # seconds for what an ended child left behind, such as a tee that has yet to write the last lines
_LONGEST_NAP: Final = 0.05
_SHARE: Final = 0.01  # of a child's time until now that may pass before its end is noticed
_LOOK: Final = 1.0  # seconds between two looks at whether somebody else does the same job
_ALL: Final = "all runs"

_RUN: ContextVar[str] = ContextVar("run", default="this process")

# What a child is before it becomes the simulator: it tells the guard, by its standard input, that it begins.
_BEGIN: Final = """trap '' PIPE; echo "+ $$" 2>/dev/null >&0; trap - PIPE; exec "$@" <"$0\""""


@dataclass(frozen=True)
class Streams:
    """What a child reads, and the file descriptors that it writes to."""

    stdin: Path
    stdout: int
    stderr: int


@dataclass(frozen=True)
class Ending:
    """How a child ended.

    Args:
        how: by itself, at its time limit, or because the driver stops.
        status: its exit status, negative for a signal; it means something where the child ended by itself.
    """

    how: Literal["itself", "timeout", "stopped"]
    status: int = 0


class Children:
    """The children of this process, each a process group of its own; safe to use from many threads.

    The thread that started a child is the only one that signals and reaps it: others set a flag that it sees.
    """

    def __init__(self) -> None:
        #: Held while a child starts: a file that is open for writing then would be open in the child for an instant,
        #: and could not be executed.
        self.starting: Final = threading.Lock()
        self._changed = threading.Condition()
        self._running: Counter[str] = Counter()
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
    ) -> Ending:
        """Start a child, and return when it and all processes of its group have ended.

        Args:
            words: the program and its arguments.
            streams: where it reads and writes.
            cwd: the folder that it is started in.
            env: its environment.
            timeout: seconds that it may take; None for no limit.
            superseded: asked now and then: whether the child is to be ended because another one does its work.

        Raises:
            OSError, ValueError: it cannot be started.
        """
        run = _RUN.get()
        with self._changed:
            if self._grace(run) is not None:
                return Ending("stopped")
            self._running[run] += 1  # before it starts, so that end() waits for it
        try:
            _check_program(words[0], cwd, env)
            with self.starting, _closing(self.guard.ready()) as guard:
                child = _started(words, streams, cwd, env, guard)
            self.guard.began(child.pid)
            try:
                return self._watched(child, run, timeout, superseded)
            except BaseException:
                _end_group(child, 0.0)
                raise
            finally:
                self.guard.ended(child.pid)
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
            self._changed.notify_all()
            if wait:
                self._changed.wait_for(lambda: not self._left(run), grace + 2 * _LAST)

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

    def _watched(
        self, child: subprocess.Popen[bytes], run: str, timeout: float | None, superseded: Callable[[], bool]
    ) -> Ending:
        began = look = time.monotonic()
        deadline = math.inf if timeout is None else began + timeout
        nap = 0.001
        while child.poll() is None:
            now = time.monotonic()
            if now >= deadline:
                _end_group(child, _GRACE)
                return Ending("timeout")
            if now >= look + _LOOK:
                look = now
                if superseded():
                    _end_group(child, _GRACE)
                    return Ending("stopped")
            with self._changed:
                grace = self._grace(run)
                if grace is None:
                    self._changed.wait(min(nap, deadline - now))
            if grace is not None:
                _end_group(child, grace)
                return Ending("stopped")
            nap = min(max(0.001, _SHARE * (now - began)), _LONGEST_NAP)
        _end_rest(child.pid)
        return Ending("itself", child.returncode)


CHILDREN: Final = Children()


@contextlib.contextmanager
def part_of(run: str) -> Iterator[None]:
    """Let the children that begin in a ``with`` block belong to a run, so that they can be ended without others'."""
    token = _RUN.set(run)
    try:
        yield
    finally:
        _RUN.reset(token)


@contextlib.contextmanager
def _closing(descriptor: int) -> Iterator[int]:
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _check_program(program: str, cwd: Path, env: Mapping[str, str]) -> None:
    """Make sure that a program is there and may be executed.

    Raises:
        OSError: it is not, or may not.
    """
    path = cwd / program if "/" in program else shutil.which(program, path=env.get("PATH", os.defpath))
    if path is None or not os.path.exists(path):
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), program)
    if os.path.isdir(path) or not os.access(path, os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), program)


def _started(
    words: Sequence[str], streams: Streams, cwd: Path, env: Mapping[str, str], guard: int
) -> subprocess.Popen[bytes]:
    # A shell drops variables whose names it cannot have itself, such as the functions that bash exports.
    odd = [f"{name}={value}" for name, value in env.items() if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name)]
    return subprocess.Popen(
        ["/bin/sh", "-c", _BEGIN, str(streams.stdin), *(["env", *odd] if odd else []), *words],
        stdin=guard,
        stdout=streams.stdout,
        stderr=streams.stderr,
        cwd=cwd,
        env=env,
        start_new_session=True,
    )


def _end_group(child: subprocess.Popen[bytes], grace: float) -> None:
    """Send SIGTERM to a child's group, and SIGKILL to what is left of it after the grace; reap the child."""
    for number, patience in ((signal.SIGTERM, grace), (signal.SIGKILL, _LAST)):
        _signal(child.pid, number)
        if _within(patience, lambda: child.poll() is not None and not _lives(child.pid)):
            return


def _end_rest(group: int) -> None:
    """End what an ended child left running in its group, after a moment in which it may end by itself."""
    for number, patience in ((0, _LINGER), (signal.SIGTERM, _GRACE), (signal.SIGKILL, _LAST)):
        if not _lives(group):
            return
        _signal(group, number)
        if _within(patience, lambda: not _lives(group)):
            return


def _within(seconds: float, holds: Callable[[], bool]) -> bool:
    """Return whether something comes to hold within a time."""
    end, nap = time.monotonic() + seconds, 0.001
    while not holds():
        if time.monotonic() >= end:
            return False
        time.sleep(nap)
        nap = min(1.5 * nap, _LONGEST_NAP)
    return True


def _lives(group: int) -> bool:
    """Return whether a process of a group runs; where /proc tells, one that only waits to be reaped does not."""
    if not _signal(group, 0):
        return False
    if not os.path.exists("/proc/self/stat"):
        return True
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):  # it has ended since, or is somebody else's
            state, _, leader = Path("/proc", name, "stat").read_bytes().rpartition(b")")[2].split()[:3]
            if int(leader) == group and state not in b"ZX":
                return True
    return False


def _signal(group: int, number: int) -> bool:
    """Send a signal to a process group, 0 for none; return whether there is a process that got it."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS: PermissionError where all of them are zombies
        return False
    return True
