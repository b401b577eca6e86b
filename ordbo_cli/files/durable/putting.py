"""What a call puts into files that others replace as they like: looked for at once, and again when the call ends.

Who has read a file before a row arrives takes that away when he puts his copy in the file's place, if only for a moment
after the last look. So where others have just been at work the last look is a longer one.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from typing import Final, Protocol

_WATCH: Final = (0.05, 0.5)  # seconds: where a file has just changed; where it was replaced during this very call
_NAP: Final = 0.003


class Put(Protocol):
    """Something that a file is to hold."""

    @property
    def busy(self) -> bool:
        """Whether others were at work on the file just now, and may hold a copy without it."""

    def stands(self) -> bool:
        """Return whether the file that the name leads to by now holds it."""

    def make(self) -> None:
        """Put it there, where it does not stand. The caller holds the lock."""


_puts: ContextVar[list[Put] | None] = ContextVar("puts", default=None)


def put(each: Put) -> None:
    """Put something into a file, and note it for a last look, if anybody will take one."""
    each.make()
    puts = _puts.get()
    if puts is not None:
        puts.append(each)


@contextlib.contextmanager
def watched() -> Iterator[list[Put]]:
    """Give what is put into files in a ``with`` block."""
    puts: list[Put] = []
    token = _puts.set(puts)
    try:
        yield puts
    finally:
        _puts.reset(token)


def look_again(puts: Sequence[Put], lock: Callable[[], AbstractContextManager[None]], *, replaced: bool) -> None:
    """Put again what others have taken away since, and watch for a while whether they do, where they are at work.

    Args:
        puts: what was put into files; the lock is free by now.
        lock: takes it.
        replaced: whether others have replaced a file since it was read.
    """
    until = time.monotonic() + _WATCH[replaced]
    while True:
        lost = [each for each in puts if not each.stands()]
        if lost:
            with lock():
                for each in lost:
                    each.make()
            until = time.monotonic() + _WATCH[True]
        elif time.monotonic() >= until or not any(each.busy for each in puts):
            return
        time.sleep(_NAP)
