"""The memory that a limit (``ulimit -v``, ``ulimit -d``) leaves to this process, and what libraries need of it.

OpenBLAS asks for its buffers for ever where it gets none, and other libraries end the process, or fail in words that
are about something else. So what is left is looked at before they are imported.
"""

from __future__ import annotations

import os
import sys
from typing import Any, Final, NamedTuple

from ordbo_cli.errors import LimitError

try:
    import resource
except ImportError:  # Windows, which has no such limits
    resource = None  # type: ignore[assignment]  # asked about before it is used

_MIB: Final = 1 << 20
_UNLOADABLE: Final = ("failed to map segment", "cannot allocate memory")  # the loader on a library that has no room
_USED: Final = "/proc/self/statm"
_NO_THREAD: Final = "can't start new thread"  # Python on a thread that the system refused


class Need(NamedTuple):
    """Memory in MiB.

    Args:
        addresses: address space.
        data: what of it is private and can be written to.
    """

    addresses: int
    data: int


class _Limit(NamedTuple):
    """A limit that is set.

    Args:
        command: the shell's, which sets it in KiB.
        total: MiB.
        left: MiB that this process has not used.
        kind: the field of :class:`Need` that it is about.
    """

    command: str
    total: float
    left: float
    kind: int


# Measured with Linux wheels: address space and data of `ordbo suggest`, of other commands what comes on top, and room
# for a second thread of linear algebra and for the work.
_NEEDS: Final = {
    "numpy": Need(480, 340),  # with SciPy, whose own OpenBLAS has buffers of its own
    "matplotlib": Need(130, 70),
    "tensorflow": Need(1900, 500),
    "torch": Need(1200, 500),
}
_FIRST_THREAD: Final = Need(80, 80)  # a buffer of each OpenBLAS, which they get at the first call that needs one
_THREAD: Final = Need(160, 160)  # of each further one: these, a stack and an arena of malloc


def watch_imports() -> None:
    """From now on refuse to import a library of which it is known that its memory is not there."""
    if _limits() and not any(isinstance(each, _Doorkeeper) for each in sys.meta_path):
        sys.meta_path.insert(0, _Doorkeeper())


def threads_with_room(wanted: int) -> int:
    """Return for how many threads of linear algebra there is room: at most as many as are wanted.

    Raises:
        LimitError: a limit leaves too little memory for one.
    """
    for limit in _limits():
        spare = limit.left - _FIRST_THREAD[limit.kind]
        if spare < 0:
            raise _memory_ran_out()
        wanted = min(wanted, 1 + int(spare / _THREAD[limit.kind]))
    return wanted


def shortage(error: BaseException) -> LimitError | None:
    """Return in words that memory or threads ran out, if that is what an error is about."""
    text = str(error)
    if isinstance(error, MemoryError) or (isinstance(error, ImportError) and any(word in text for word in _UNLOADABLE)):
        return _memory_ran_out()
    if isinstance(error, RuntimeError) and _NO_THREAD in text:
        return LimitError("the system lets this process start no thread", "Allow more processes: see ulimit -u")
    return None


def _memory_ran_out() -> LimitError:
    less = "use fewer rows, parameters or threads"
    set_to = " and ".join(f"{limit.command} is {limit.total * 1024:.0f}" for limit in _limits())
    return LimitError(
        "the memory does not suffice", f"Allow more ({set_to}), or {less}" if set_to else less.capitalize()
    )


class _Doorkeeper:
    """Finds no module, but lets none of those in that need more memory than there is."""

    def find_spec(self, name: str, *_: Any) -> None:
        """Return None: others find the module.

        Raises:
            LimitError: a limit leaves too little memory for it.
        """
        for limit in _limits() if name in _NEEDS else ():
            needed = _NEEDS[name][limit.kind]
            if limit.left < needed:
                message = f"{name} needs {needed} MB of memory, and {limit.command} leaves {max(limit.left, 0):.0f} MB"
                enough = 1024 * (limit.total - limit.left + needed)
                raise LimitError(message, f"Allow more: {limit.command} {enough:.0f}")
        return


def _limits() -> list[_Limit]:
    """Return the limits that are set, where the system says what of them is used."""
    if resource is None or not os.path.exists(_USED):
        return []
    kinds = (("ulimit -v", resource.RLIMIT_AS, 0), ("ulimit -d", resource.RLIMIT_DATA, 5))  # places in that file
    soft = [(command, resource.getrlimit(kind)[0], place) for command, kind, place in kinds]
    if all(limit == resource.RLIM_INFINITY for _, limit, _ in soft):
        return []
    with open(_USED, encoding="ascii") as file:
        pages = [int(word) * os.sysconf("SC_PAGE_SIZE") for word in file.read().split()]
    return [
        _Limit(command, limit / _MIB, (limit - pages[place]) / _MIB, kind)
        for kind, (command, limit, place) in enumerate(soft)
        if limit != resource.RLIM_INFINITY
    ]
