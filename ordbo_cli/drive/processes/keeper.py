"""The helper process, and the keepers that it starts: one for each simulation, which ends with it or with the driver.

The driver sends a byte and four descriptors for each simulation: the channel to its keeper, and the simulation's
streams. The helper forks a keeper, which reads what is to be started from the channel, starts it, copies what it
prints, and says how it ended. On Linux a keeper adopts all that its simulation leaves behind, in whatever session, so
that it knows when nothing is left: when it has no child. A channel that closes means that the driver is dead, however
that happened, and that all is to be ended.

Each of the three can be lost. Without the driver, or the helper, the keepers do their work. A stopped keeper is woken
by the helper, or by the driver, and so is a stopped helper. Without a keeper the system kills the simulation's first
process, and what that had started falls to the helper, or to the driver where there is no helper any more.

Imports nothing but the standard library and its like: it has to begin at once, with no packages on the path.
"""

from __future__ import annotations

import contextlib
import errno
import fcntl
import json
import math
import os
import select
import signal
import socket
import subprocess
import time
from collections import deque
from typing import Any, Final

from ordbo_cli.drive.processes import processes
from ordbo_cli.drive.processes.kept import Kept

GRACE: Final = 2.0  # seconds from SIGTERM to SIGKILL
LAST: Final = 2.0  # seconds that a killed process gets to vanish: one that waits for a dead disk never does
_LINGER: Final = 1.0  # seconds for what an ended simulation left behind, such as a tee that has yet to write
_NAP: Final = 0.02  # seconds between looks at what no signal tells of
_LONGEST_SLEEP: Final = 3600.0
_CHUNK: Final = 1 << 16
_DEAF_TO: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT, signal.SIGCHLD)


def main(descriptor: int) -> None:
    """Start keepers until the driver's end of a socket is closed and all of them have ended.

    Args:
        descriptor: of the socket.
    """
    os.setpgid(0, 0)
    processes.call_me("ordbo-guard")
    processes.adopt_orphans()
    for number in _DEAF_TO:  # by a handler: what a simulation inherits is the default
        if signal.getsignal(number) is not signal.SIG_IGN or number == signal.SIGCHLD:
            signal.signal(number, lambda number, frame: None)
    with socket.socket(fileno=descriptor) as control:
        _Helper(control).serve()


class _Helper:
    def __init__(self, control: socket.socket) -> None:
        self._control = control
        self._keepers: set[int] = set()
        self._hunt_until = -math.inf  # there may be processes of a keeper that was killed
        self._wake = _woken_by_signals()

    def serve(self) -> None:
        poll = select.poll()
        poll.register(self._control, select.POLLIN)
        poll.register(self._wake, select.POLLIN)
        listening = True
        while self._reap() or listening:
            nap = _NAP if time.monotonic() < self._hunt_until else _LONGEST_SLEEP
            for descriptor, _ in poll.poll(1000 * nap):
                if descriptor == self._wake:
                    os.read(self._wake, _CHUNK)
                elif not self._take():
                    poll.unregister(self._control)
                    listening = False

    def _take(self) -> bool:
        """Start the keeper of one simulation; return whether the driver is there."""
        message, descriptors, _, _ = socket.recv_fds(self._control, 1, 4)
        if not message:
            return False
        if len(descriptors) == 4:  # else there was no room for them, and the closed channel says so
            try:
                self._fork(descriptors)
            except OSError as error:
                _say(descriptors[0], {"refused": _of(error)})
        for descriptor in descriptors:
            os.close(descriptor)
        return True

    def _fork(self, descriptors: list[int]) -> None:
        pid = os.fork()
        if pid:
            self._keepers.add(pid)
            return
        status = 1
        try:
            self._control.close()
            os.close(self._wake)
            _Keeper(*descriptors).keep()
            status = 0
        finally:
            os._exit(status)

    def _reap(self) -> bool:
        """Wake keepers that were stopped, and end what those that were killed left; return whether any is left."""
        try:
            while (found := os.waitpid(-1, os.WNOHANG | os.WUNTRACED))[0]:
                pid, status = found
                if os.WIFSTOPPED(status):
                    processes.send(pid, signal.SIGCONT)
                elif pid in self._keepers:
                    self._keepers.discard(pid)
                    if status:
                        self._hunt_until = time.monotonic() + LAST
        except ChildProcessError:
            self._hunt_until = -math.inf
        if hunting := time.monotonic() < self._hunt_until:
            processes.kill_below(os.getpid(), lambda child: child not in self._keepers)
        return hunting or bool(self._keepers)


class _Keeper:
    """Keeps one simulation, from its start until nothing of it is left."""

    def __init__(self, channel: int, stdin: int, stdout: int, stderr: int) -> None:
        self._channel = channel
        self._stdin = stdin
        self._files = (Kept(stdout), Kept(stderr))
        self._pipes: dict[int, Kept] = {}
        self._heard = b""
        self._how = "itself"
        self._deadline = math.inf
        self._signal = 0  # what was sent last
        self._steps: deque[tuple[int, float]] = deque()  # signals to come, with the seconds after each
        self._until = math.inf  # when the next one is due
        self._wake = _woken_by_signals()
        self._poll = select.poll()

    def keep(self) -> None:
        processes.call_me("ordbo-keeper")
        request = self._request()
        if request is None:
            return
        adopts = processes.adopt_orphans()
        try:
            leader = self._started(request)
        except (OSError, ValueError) as error:  # ValueError: a NUL in a word
            at_program = isinstance(error, OSError) and error.filename == request["program"]
            _say(self._channel, {"refused": _of(error, request["words"][0] if at_program else None)})
            return
        self._family = _Family(leader, adopts)
        _say(self._channel, {"began": leader.pid, "keeper": os.getpid()})
        if request["timeout"] is not None:
            self._deadline = time.monotonic() + request["timeout"]
        self._watch()
        self._close_files()
        names = ("stdout", "stderr")
        faults = [_of(file.fault, name) for file, name in zip(self._files, names, strict=True) if file.fault]
        _say(self._channel, {"how": self._how, "status": self._family.status, "unwritten": faults[:1]})

    def _request(self) -> dict[str, Any] | None:
        """Return what is to be started; None where the driver died before it said so."""
        content = bytearray()
        while not content.endswith(b"\n"):
            part = os.read(self._channel, _CHUNK)
            if not part:
                return None
            content += part
        request: dict[str, Any] = json.loads(content)
        return request

    def _started(self, request: dict[str, Any]) -> subprocess.Popen[bytes]:
        ends = [os.pipe(), os.pipe()]
        me = os.getpid()

        def start(words: list[str], program: str) -> subprocess.Popen[bytes]:
            return subprocess.Popen(
                words,
                executable=program,
                stdin=self._stdin,
                stdout=ends[0][1],
                stderr=ends[1][1],
                cwd=request["cwd"],
                env=request["env"],
                start_new_session=True,
                preexec_fn=lambda: processes.die_with(me),
            )

        words, program = request["words"], request["program"]
        try:
            leader = start(words, program)
        except OSError as error:
            if error.errno != errno.ENOEXEC:
                raise
            leader = start(["/bin/sh", program, *words[1:]], "/bin/sh")  # as shells have it: no first line says whose
        finally:
            for _, writing in ends:
                os.close(writing)
            os.close(self._stdin)
        self._pipes = {reading: file for (reading, _), file in zip(ends, self._files, strict=True)}
        for descriptor in (self._channel, self._wake, *self._pipes):
            self._poll.register(descriptor, select.POLLIN)
        return leader

    def _watch(self) -> None:
        while not self._is_over():
            for descriptor, _ in self._poll.poll(1000 * self._sleep()):
                if descriptor == self._wake:
                    os.read(self._wake, _CHUNK)
                elif descriptor == self._channel:
                    self._listen()
                else:
                    self._copy(descriptor)

    def _is_over(self) -> bool:
        """Take the steps that are due; return whether nothing is left, or nothing more can be done."""
        left = self._family.left()
        now = time.monotonic()
        if self._family.status is None and now >= self._deadline:
            self._deadline = math.inf
            self._end("timeout", GRACE)
        elif self._family.status is not None and not left:
            return True
        elif self._family.status is not None and self._until == math.inf:
            self._steps = deque([(0, _LINGER), (signal.SIGTERM, GRACE), (signal.SIGKILL, LAST)])
            self._until = now
        while now >= self._until:
            if not self._steps:
                return True
            self._signal, seconds = self._steps.popleft()
            self._until = now + seconds
            if self._signal:
                self._family.signal(self._signal)
        if self._signal == signal.SIGKILL:
            self._family.signal(self._signal)  # what has begun since
        return False

    def _end(self, how: str, grace: float) -> None:
        """Begin to end the simulation, or end it sooner."""
        now = time.monotonic()
        if self._family.status is None and self._how == "itself":
            self._how = how
        if self._signal == 0:
            self._steps = deque([(signal.SIGTERM, grace), (signal.SIGKILL, LAST)])
            self._until = now
        elif self._signal == signal.SIGTERM:
            self._until = min(self._until, now + grace)

    def _sleep(self) -> float:
        due = min(self._deadline, self._until) - time.monotonic()
        looks = self._until < math.inf and (self._signal == signal.SIGKILL or not self._family.adopts)
        return max(0.0, min(due, _NAP if looks else _LONGEST_SLEEP))

    def _listen(self) -> None:
        """Take orders: seconds of grace, one a line; no driver is one, too."""
        try:
            content = os.read(self._channel, _CHUNK)
        except OSError:
            content = b""
        *lines, self._heard = (self._heard + content).split(b"\n")
        for line in lines:
            self._end("stopped", float(line))
        if not content:
            self._poll.unregister(self._channel)
            self._end("stopped", GRACE)

    def _copy(self, pipe: int) -> bool:
        """Move some of what was printed into its file; return whether there was any."""
        try:
            content = os.read(pipe, _CHUNK)
        except BlockingIOError:
            return False
        self._pipes[pipe].write(content)
        if not content:
            self._poll.unregister(pipe)
            del self._pipes[pipe]
            os.close(pipe)
        return bool(content)

    def _close_files(self) -> None:
        for pipe in list(self._pipes):
            os.set_blocking(pipe, False)  # somebody else may hold its other end
            while self._copy(pipe):
                pass
        for file in self._files:
            file.close()


class _Family:
    """A simulation's first process, and all that came of it.

    Args:
        leader: the first process, which leads a session.
        adopts: whether this process becomes the parent of what is left of it; else its group is all that is known.
    """

    def __init__(self, leader: subprocess.Popen[bytes], adopts: bool) -> None:
        self._leader = leader
        self.adopts = adopts
        self.status: int | None = None  # of the leader, negative for a signal

    def left(self) -> bool:
        """Reap what has ended; return whether anything has not."""
        try:
            while (found := os.waitpid(-1, os.WNOHANG))[0]:
                if found[0] == self._leader.pid:
                    self.status = self._leader.returncode = os.waitstatus_to_exitcode(found[1])
        except ChildProcessError:
            return not self.adopts and processes.group_lives(self._leader.pid)
        return True

    def signal(self, number: int) -> None:
        """Signal all; SIGKILL also what begins meanwhile, anything else what a handler starts is left to finish."""
        if not self.adopts:
            processes.signal_group(self._leader.pid, number)
        elif number == signal.SIGKILL:
            processes.kill_below(os.getpid())
        else:
            for pid in processes.below(os.getpid()):
                processes.send(pid, number)
                processes.send(pid, signal.SIGCONT)  # who is stopped hears of nothing


def _woken_by_signals() -> int:
    """Return a descriptor that becomes readable with every signal."""
    reading, writing = os.pipe()
    for descriptor in (reading, writing):
        fcntl.fcntl(descriptor, fcntl.F_SETFL, fcntl.fcntl(descriptor, fcntl.F_GETFL) | os.O_NONBLOCK)
    former = signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
    if former >= 0:  # the helper's
        os.close(former)
    return reading


def _of(error: OSError | ValueError, name: str | None = None) -> list[Any]:
    """Return what makes the same error at the other end."""
    if isinstance(error, OSError):
        return [error.errno, error.strerror, name or error.filename]
    return [None, str(error), None]


def _say(channel: int, what: dict[str, Any]) -> None:
    with contextlib.suppress(OSError):  # the driver is gone
        os.write(channel, json.dumps(what).encode() + b"\n")
