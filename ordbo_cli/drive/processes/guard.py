"""The driver's side of the helper process, which starts simulations and sees to it that none outlives the driver."""

from __future__ import annotations

import atexit
import contextlib
import errno
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from ordbo_cli.drive.processes import processes
from ordbo_cli.drive.processes.keeper import GRACE, LAST

LOOK: Final = 1.0  # seconds between two looks at whether all helpers are at work
_TRIES: Final = 10  # helpers that may be ended by somebody before one starts a simulation
_NAP: Final = 0.02
_CODE: Final = (
    "import sys; sys.path.append(sys.argv[1]); from ordbo_cli.drive.processes.keeper import main;"
    " main(int(sys.argv[2]))"
)
_ASKED: Final = ("program", "words", "cwd", "env", "timeout")
_ROOT: Final = str(Path(__file__).parents[3])


@dataclass(frozen=True)
class StartRequest:
    """What is to be started.

    Args:
        program: where it is.
        words: what it is called, and its arguments.
        cwd: the folder that it is started in.
        env: its environment.
        streams: descriptors: standard input, and two empty files that are open for reading and appending, to which
            standard output and error go.
        timeout: seconds that it may take; None for no limit.
    """

    program: str
    words: Sequence[str]
    cwd: str
    env: Mapping[str, str]
    streams: tuple[int, int, int]
    timeout: float | None = None


class Ward:
    """A simulation with a keeper of its own; its end may be asked for from any thread."""

    def __init__(self, channel: socket.socket) -> None:
        self._channel = channel
        self._heard = b""
        self.pid = 0  # of the first process, which leads a session
        self.keeper = 0
        channel.settimeout(LOOK)

    def ask(self, start: StartRequest, look: Callable[[], None]) -> None:
        """Say what is to be started.

        Args:
            start: that.
            look: called for each second in which the keeper does not listen.

        Raises:
            OSError: somebody has ended the keeper.
        """
        asked = {**vars(start), "words": list(start.words), "env": dict(start.env)}
        content = memoryview(json.dumps({name: asked[name] for name in _ASKED}).encode() + b"\n")
        while content:
            try:
                content = content[self._channel.send(content) :]
            except TimeoutError:
                look()

    def answer(self, look: Callable[[], None]) -> dict[str, Any] | None:
        """Return what the keeper says next; None where somebody has ended it.

        Args:
            look: called for each second in which it says nothing.
        """
        while b"\n" not in self._heard:
            try:
                part = self._channel.recv(1 << 16)
            except TimeoutError:
                look()
                continue
            except ConnectionError:
                part = b""
            if not part:
                return None
            self._heard += part
        line, _, self._heard = self._heard.partition(b"\n")
        found: dict[str, Any] = json.loads(line)
        return found

    def end(self, grace: float) -> None:
        """Ask for its end, which the keeper says by and by.

        Args:
            grace: seconds from SIGTERM to SIGKILL.
        """
        with contextlib.suppress(OSError):
            self._channel.send(f"{grace}\n".encode())

    def close(self) -> None:
        """Close the channel: what still runs is ended."""
        self._channel.close()


class Guard:
    """Starts the helper when it is first needed, and simulations by it; safe to use from many threads.

    The helper is of the driver's session and of a group of its own: an interrupt at the keyboard does not reach it, and
    the system lets it go on where it was stopped and the driver then dies.
    """

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._wards: set[Ward] = set()
        self._helper: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        os.register_at_fork(after_in_child=self._forget)
        atexit.register(self.close)

    @property
    def pid(self) -> int | None:
        """The helper's process, None where there is none."""
        return None if self._helper is None else self._helper.pid

    def ready(self) -> socket.socket:
        """Start the helper where it does not run, and return what it listens to.

        Raises:
            OSError: the system cannot start it.
        """
        with self._lock:
            if self._control is None or self._helper is None or self._helper.poll() is not None:
                self._start()
            assert self._control is not None
            return self._control

    def start(self, start: StartRequest) -> Ward:
        """Start a simulation.

        Raises:
            OSError, ValueError: it cannot be started, as the system says, or no helper can.
        """
        for _ in range(_TRIES):
            ward = self._handed_over(start.streams)
            began = None
            with contextlib.suppress(ConnectionError):
                ward.ask(start, lambda: self.wake(ward))  # noqa: B023  # called before the next turn
                began = ward.answer(lambda: self.wake(ward))  # noqa: B023
            if began and "began" in began:
                ward.pid, ward.keeper = began["began"], began["keeper"]
                return ward
            self.done(ward)
            if began:
                number, text, name = began["refused"]
                raise ValueError(text) if number is None else OSError(number, text, name)
            self.wake(ward)
            time.sleep(_NAP)  # somebody has killed the helper, which may take a moment to be gone
        raise BlockingIOError(errno.EAGAIN, "its helper process was ended again and again")

    def wake(self, ward: Ward) -> None:
        """Let the helper and a keeper go on, in case somebody stopped them; nobody else notices."""
        for pid in filter(None, (self.pid, ward.keeper)):
            processes.send(pid, signal.SIGCONT)

    def done(self, ward: Ward) -> None:
        """Forget a simulation that has ended, or could not be started."""
        with self._lock:
            self._wards.discard(ward)
        ward.close()
        if ward.keeper:
            processes.reap(ward.keeper, LAST)  # where the helper died it is this process's

    def close(self) -> None:
        """End what is left, and let the helper end."""
        with self._lock:
            helper, control = self._helper, self._control
            self._helper = self._control = None
            for ward in self._wards:
                if ward.keeper:
                    ward.end(GRACE)
        if control is not None:
            control.close()
        if helper is not None:
            with contextlib.suppress(subprocess.TimeoutExpired):
                helper.wait(GRACE + LAST + 1)

    def _handed_over(self, streams: Sequence[int]) -> Ward:
        """Give the helper the streams of a simulation and one end of a channel."""
        with self._lock:
            mine, theirs = socket.socketpair()
            with theirs, contextlib.suppress(ConnectionError, TimeoutError):  # the closed channel says it
                socket.send_fds(self.ready(), [b"+"], [theirs.fileno(), *streams])
            ward = Ward(mine)
            self._wards.add(ward)
            return ward

    def _start(self) -> None:
        if self._control is not None:
            self._control.close()
        ours, its = socket.socketpair()
        ours.settimeout(LOOK)
        with its:
            try:
                self._helper = subprocess.Popen(
                    [sys.executable, "-ISX", f"utf8={sys.flags.utf8_mode}", "-c", _CODE, _ROOT, str(its.fileno())],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    cwd="/",
                    pass_fds=[its.fileno()],
                )
            except OSError:
                ours.close()
                raise
        self._control = ours

    def _forget(self) -> None:
        """In a forked copy of the driver: helper and simulations are the driver's, and not to be held alive here."""
        self._lock = threading.RLock()
        for ward in self._wards:
            ward.close()
        self._wards.clear()
        if self._control is not None:
            self._control.close()
        if self._helper is not None:
            self._helper.returncode = 0  # no child of this process: there is nothing to wait for
        self._helper = self._control = None
