"""What a call puts into files that others replace as they like: looked for at once, and again when the call ends."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Protocol


class Put(Protocol):
    """Something that a file is to hold."""

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
