"""What the system tells of processes, and what it does for us when one ends; most of it is Linux's alone.

Imports nothing but the standard library: the helper process has nothing else.
"""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Callable
from typing import Final

_DEATH_SIGNAL, _NAME, _SUBREAPER = 1, 15, 36  # PR_SET_...
_NAP: Final = 0.02
_LOOKS: Final = 15
_LOOKING: Final = threading.Lock()
_DEAD: Final = ("Z", "X")


def adopt_orphans(adopt: bool = True) -> bool:
    """Let what this process's descendants leave behind become its own children; return whether the system does so."""
    return _prctl(_SUBREAPER, int(adopt))


def die_with(parent: int) -> None:
    """Let the system kill this process when its parent ends; the parent has to be of a single thread."""
    if _prctl(_DEATH_SIGNAL, int(signal.SIGKILL)) and os.getppid() != parent:
        os._exit(1)  # it has ended already


def call_me(name: str) -> None:
    """Set what this process is called in lists of processes."""
    _prctl(_NAME, name.encode())


def below(pid: int, chosen: Callable[[int], bool] = lambda _: True) -> dict[int, int]:
    """Return the descendants of a process with their groups, parents first; none where there is no ``/proc``.

    Args:
        pid: the process.
        chosen: which of its children count, with all that is below them.
    """
    children, groups = defaultdict(list), {}
    for other, parent, group in _table():
        children[parent].append(other)
        groups[other] = group
    found = [child for child in children[pid] if chosen(child)]
    for each in found:  # which grows
        found += children[each]
    return {each: groups[each] for each in found}


def reap(pid: int, seconds: float) -> None:
    """Wait for the end of a process for some time, where it is a child of this one."""
    end = time.monotonic() + seconds
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(pid, os.WNOHANG)[0] == 0 and time.monotonic() < end:
            time.sleep(0.001)


def end_adopted(session: int, variable: str, seconds: float) -> None:
    """Kill and reap what this process adopts of a session, or with a variable in its environment.

    Args:
        session: number of the session.
        variable: ``NAME=value``.
        seconds: that it may take; it ends before where nothing has been found for some looks.
    """
    end, looks, text = time.monotonic() + seconds, 0, os.fsencode(variable)

    def is_of_it(pid: int) -> bool:
        return _stat(pid)[3:4] == [str(session)] or text in _read(f"/proc/{pid}/environ").split(b"\0")

    while looks < _LOOKS and time.monotonic() < end:
        with _LOOKING:  # many at a time would each be too slow for what changes its number all the time
            killed = kill_below(os.getpid(), is_of_it)
        for pid in killed:
            reap(pid, _NAP)
        looks = 0 if killed else looks + 1
        time.sleep(_NAP)


def group_lives(group: int) -> bool:
    """Return whether a process group has a process, other than those that wait to be reaped where that can be told."""
    if not signal_group(group, 0):
        return False
    stats = [_stat(pid) for pid, _, _ in _table()]
    return not stats or any(stat[2] == str(group) and stat[0] not in _DEAD for stat in stats if stat)


def signal_group(group: int, number: int) -> bool:
    """Send a signal to a process group, 0 for none; return whether there is a process that got it."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):  # macOS: PermissionError where all of them are zombies
        return False
    return True


def send(pid: int, number: int) -> None:
    """Send a signal to a process that may be gone, or that may not be signalled."""
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def kill_below(pid: int, chosen: Callable[[int], bool] = lambda _: True) -> set[int]:
    """Kill all descendants of a process, those that begin meanwhile among them, and return them.

    Their groups are killed with them, in which nobody else can be: a process that forks and ends all the time changes
    its number too quickly, and its group never. Zombies tell of it, too.
    """
    killed: set[int] = set()
    while fresh := {each: group for each, group in below(pid, chosen).items() if each not in killed}:
        for group in {*fresh.values()} - {os.getpgrp()}:
            signal_group(group, signal.SIGKILL)
        for each in fresh:
            send(each, signal.SIGKILL)
        killed |= fresh.keys()
    return killed


def _table() -> list[tuple[int, int, int]]:
    """Return each process with its parent and its group."""
    try:
        names = list(filter(str.isdigit, os.listdir("/proc")))
    except OSError:
        return []
    return [(int(name), int(stat[1]), int(stat[2])) for name in names if (stat := _stat(int(name)))]


def _stat(pid: int) -> list[str]:
    """Return state, parent, group, session ... of a process; nothing where it is gone."""
    return _read(f"/proc/{pid}/stat").rpartition(b")")[2].decode().split()


def _read(path: str) -> bytes:
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except OSError:
        return b""
    try:
        content = b""
        while part := os.read(descriptor, 1 << 16):
            content += part
    except OSError:  # it has ended since
        return b""
    finally:
        os.close(descriptor)
    return content


def _prctl(option: int, value: int | bytes) -> bool:
    prctl = _loaded_prctl()
    return prctl is not None and prctl(option, value) == 0


@functools.cache
def _loaded_prctl() -> Callable[[int, int | bytes], int] | None:
    """Return the system call by that name, None elsewhere than on Linux."""
    if not sys.platform.startswith("linux"):
        return None
    try:
        import ctypes

        prctl = ctypes.CDLL(None).prctl
    except (ImportError, OSError, AttributeError):
        return None

    def call(option: int, value: int | bytes) -> int:
        result: int = prctl(
            option, ctypes.c_ulong(value) if isinstance(value, int) else value, *[ctypes.c_ulong(0)] * 3
        )
        return result

    return call
