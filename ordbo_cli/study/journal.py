"""What is about to be appended to the evaluations, kept beside them until it is on disk.

A kill, a full disk or a power cut can stop a system call in the middle of a row, and ``0.3`` of a ``0.31`` that was
cut is a number that no reader can tell from a result. So the bytes to come are noted first, in a file of their own. As
long as that file is there, readers pass over a part of them, and the next writer completes it.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from ordbo_cli.study.atomic import write_all

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_READ: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True)
class Intent:
    """An append that has begun, or was about to.

    Args:
        before: size of the file in bytes when it began.
        content: all bytes that were to be appended.
    """

    before: int
    content: bytes

    def missing_from(self, content: bytes) -> bytes:
        """Return what is missing of an append of which some bytes, but not all, stand at a file's end; else nothing."""
        tail = content[self.before :]
        torn = 0 < len(tail) < len(self.content) and self.content.startswith(tail)
        return self.content[len(tail) :] if torn else b""


def journal_path(evaluations: Path) -> Path:
    """Return where appends to a file of evaluations are noted."""
    real = Path(os.path.realpath(evaluations))
    return real.with_name(real.name + ".journal")


@contextlib.contextmanager
def noted(evaluations: Path, intent: Intent) -> Iterator[None]:
    """Keep note of an append while it is made; the caller holds the lock.

    Where no file can be made beside the evaluations, the append goes on without.
    """
    path = journal_path(evaluations)
    with contextlib.suppress(OSError):
        _write(path, intent)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if not intent.missing_from(evaluations.read_bytes()):  # else the next writer completes it
                path.unlink()


def intent_of(evaluations: Path) -> Intent | None:
    """Return the append that is noted, if any: a note that is cut counts for nothing, nor does a stranger's."""
    try:
        descriptor = os.open(journal_path(evaluations), _READ)
    except OSError:
        return None
    with open(descriptor, "rb") as file:
        try:
            if not _trusted(file.fileno(), evaluations):
                return None
            found = json.loads(file.read())
            return Intent(int(found["before"]), str(found["content"]).encode())
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            return None


def settle(evaluations: Path) -> None:
    """Complete an append that was cut, so that all of it is there or none of it; the caller holds the lock.

    Raises:
        OSError: the system refused.
    """
    intent = intent_of(evaluations)
    if intent is not None:
        with contextlib.suppress(FileNotFoundError):
            missing = intent.missing_from(evaluations.read_bytes())
            if missing:
                _append(evaluations, missing)
    with contextlib.suppress(FileNotFoundError, PermissionError):
        journal_path(evaluations).unlink()


def whole(content: bytes, intents: tuple[Intent | None, ...]) -> bytes:
    """Return a file's content without the beginning of an append that is noted and not all there."""
    for intent in intents:
        if intent is not None and intent.missing_from(content):
            return content[: intent.before]
    return content


def _write(path: Path, intent: Intent) -> None:
    descriptor = os.open(path, _NEW, 0o600)
    try:
        write_all(descriptor, json.dumps({"before": intent.before, "content": intent.content.decode()}).encode())
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _trusted(descriptor: int, evaluations: Path) -> bool:
    """Return whether a note is our own or the owner's: in a shared folder anybody can put a file in its place."""
    if not hasattr(os, "geteuid"):
        return True
    note = os.fstat(descriptor)
    try:
        return note.st_uid in (os.geteuid(), evaluations.stat().st_uid)
    except FileNotFoundError:
        return note.st_uid == os.geteuid()


def _append(evaluations: Path, content: bytes) -> None:
    descriptor = os.open(evaluations, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
    try:
        write_all(descriptor, content)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
