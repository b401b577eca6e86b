"""Commands in processes that can be killed at any system call, and what has to be true of a study's files afterwards.

The search is a stand-in: what is under test are the files. Everything runs in processes forked from one with all
modules loaded, so that thousands of kills take seconds. A program that uses this has to be free of threads.
"""

from __future__ import annotations

import contextlib
import ctypes
import errno
import io
import json
import os
import resource
import signal
import struct
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import astuple, dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from tests.stand_in import Proposed, StepInput, search_modules

PROBLEM = """\
version: 1
objective: {name: drag, goal: minimize}
parameters:
  angle: {min: 0, max: 12}
  blades: {type: int, min: 3, max: 9}
  span: {value: 2.0}
"""

# What Python calls to change a file; ``open`` counts where it may write.
CHANGES = (
    "open", "write", "fsync", "ftruncate", "truncate", "link", "symlink", "replace", "rename", "unlink", "remove",
    "mkdir", "rmdir", "chmod", "fchmod", "chown", "fchown", "setxattr",
)  # fmt: skip
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC


def light_search() -> None:
    """Put a search in the place of ordbo's that only counts: no point comes twice."""

    def propose(given: StepInput, **_: Any) -> Proposed:
        compared = [x for c in given.comparisons for x in (c.better, c.worse)]
        taken = {e.values[0] for e in given.evaluations} | {p[0] for p in [*given.pending, *given.avoid, *compared]}
        return Proposed((next(k / 100 for k in range(1201) if k / 100 not in taken), 4), {"n": given.step})

    sys.modules.update(search_modules(propose))


@dataclass(frozen=True)
class Call:
    """A call that changes a file.

    Args:
        name: of the function.
        size: number of bytes, for a write.
        target: name of the file or folder, for a write and an fsync.
    """

    name: str
    size: int = 0
    target: str = ""


def _noted(name: str, arguments: Sequence[Any]) -> Call:
    if name not in ("write", "fsync"):
        return Call(name)
    link = Path(f"/proc/self/fd/{arguments[0]}")
    size = len(arguments[1]) if name == "write" else 0
    return Call(name, size, link.resolve().name if link.exists() else "")


@dataclass
class Death:
    """A process's end at one of the calls that change files.

    Args:
        moment: at which of them, counted from 1; 0 for none.
        after: after the call instead of before it.
        cut: for a write: after this many of its bytes, in the middle of it.
        by: the signal that ends it.
        seen: the calls so far.
    """

    moment: int = 0
    after: bool = False
    cut: int | None = None
    by: int = signal.SIGKILL
    seen: list[Call] = field(default_factory=list)

    calls: ClassVar[tuple[str, ...]] = CHANGES

    def arm(self) -> None:
        """Wrap the calls of this process."""
        for name in self.calls:
            if hasattr(os, name):
                setattr(os, name, self._wrapped(name, getattr(os, name)))

    def _wrapped(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def wrapped(*arguments: Any, **options: Any) -> Any:
            if name == "open" and not arguments[1] & _WRITING:
                return call(*arguments, **options)
            self.seen.append(_noted(name, arguments))
            now = len(self.seen) == self.moment
            if now and self.cut is not None:
                call(arguments[0], bytes(arguments[1])[: self.cut])
            if now and not self.after:
                self._strike()
            try:
                return call(*arguments, **options)
            finally:  # also where the system has refused
                if now and self.after:
                    self._strike()

        return wrapped

    def _strike(self) -> None:
        os.kill(os.getpid(), self.by)


@dataclass
class Meanwhile(Death):
    """What another program does at one of the calls that change or close files, instead of a death.

    Args:
        act: does it.
    """

    calls: ClassVar[tuple[str, ...]] = (*CHANGES, "close")
    act: Callable[[], None] = lambda: None

    def _strike(self) -> None:
        moment, self.moment = self.moment, 0
        seen = len(self.seen)
        self.act()
        del self.seen[seen:]
        self.moment = moment


@dataclass(frozen=True)
class End:
    """How a command ended: its exit status, or minus the signal that killed it; what it printed; the calls it made."""

    status: int
    out: str
    err: str
    seen: tuple[Call, ...] = ()


Command = Sequence[object]
LONGEST_CALL = 20  # seconds after which a call counts as hung, and is ended
MOST_MEMORY = 2**31  # bytes; a call that reads /dev/zero to its end must not take the machine with it
Preparation = Callable[[], None]


def run(command: Command, *, death: Death | None = None, prepare: Preparation | None = None, stdin: bytes = b"") -> End:
    """Run ``ordbo`` with some arguments in a process of its own.

    Args:
        command: the arguments.
        death: where it dies.
        prepare: is called in the new process first.
        stdin: what it reads.
    """
    read, write = zip(*(os.pipe() for _ in range(3)), strict=True)
    child = os.fork()
    if child == 0:
        _serve(command, death, prepare, stdin, write)
    for end in write:
        os.close(end)
    out, err, seen = (_all(end) for end in read)
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return End(status, out, err, tuple(Call(*entry) for entry in json.loads(seen or "[]")))


def read(command: Command) -> End:
    """Run a command that changes nothing in this process: a tenth of the time of a process of its own."""
    from ordbo_cli.cli import main

    out, err = io.BytesIO(), io.BytesIO()
    with (
        contextlib.redirect_stdout(io.TextIOWrapper(out, encoding="utf-8", write_through=True)),
        contextlib.redirect_stderr(io.TextIOWrapper(err, encoding="utf-8", write_through=True)),
    ):
        status = main([str(argument) for argument in command])
        return End(status, out.getvalue().decode(), err.getvalue().decode())


def _serve(
    command: Command, death: Death | None, prepare: Preparation | None, stdin: bytes, write: Sequence[int]
) -> None:
    status = 1
    try:
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
        signal.alarm(LONGEST_CALL)
        resource.setrlimit(resource.RLIMIT_AS, (MOST_MEMORY, MOST_MEMORY))
        read, feed = os.pipe()
        os.write(feed, stdin)
        os.close(feed)
        for source, target in ((read, 0), (write[0], 1), (write[1], 2)):
            os.dup2(source, target)
        sys.stdin, sys.stdout, sys.stderr = (
            os.fdopen(number, mode, closefd=False) for number, mode in ((0, "r"), (1, "w"), (2, "w"))
        )
        from ordbo_cli.cli import main

        if prepare is not None:
            prepare()
        signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background ignores it
        death = death or Death()
        note, plain_write = write[2], os.write
        death.arm()
        status = main([str(argument) for argument in command])
        sys.stdout.flush()
        sys.stderr.flush()
        plain_write(note, json.dumps([astuple(call) for call in death.seen]).encode())
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)


def _all(descriptor: int) -> str:
    with open(descriptor, "rb") as stream:
        return stream.read().decode(errors="replace")


def limit_files(size: int) -> Preparation:
    """Return what makes the system stop a write at a file size and refuse the rest, as a full disk does."""

    def prepare() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return prepare


def drop_privileges() -> None:
    """Give up what lets root pass over permission bits; who is not root has nothing to give up."""
    if os.geteuid() != 0:
        return
    version_3, this_process = 0x20080522, 0
    header = struct.pack("=II", version_3, this_process)
    no_capabilities = bytes(2 * 3 * 4)  # effective, permitted, inheritable; 32 bits each, twice
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.capset(header, no_capabilities) != 0:
        raise OSError(ctypes.get_errno(), "capset")


def without_flock() -> None:
    """Take this process to a file system that knows no ``flock``."""
    import fcntl

    def refuse(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    from ordbo_cli.files.durable import lock

    fcntl.flock = refuse
    lock._GUARD_LIFE = 0.02  # type: ignore[misc]  # seconds that nobody wants to wait for in a test
