"""What is about to be appended to the evaluations, kept beside them until it is on disk.

A kill, a full disk or a power cut can stop a system call in the middle of a row, and ``0.3`` of a ``0.31`` that was
cut is a number that no reader can tell from a result. So the bytes to come are noted first, in a file of their own. As
long as that file is there, readers pass over a part of them, and the next writer completes it.
"""

from __future__ import annotations

import contextlib
import json
import os
import stat
import time
from collections.abc import Callable, Iterator
from itertools import takewhile
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from ordbo_cli.errors import DataError, ManyErrors, MissingFileError
from ordbo_cli.study.atomic import copy_permissions, write_all
from ordbo_cli.study.paths import read_bytes
from ordbo_cli.study.text import place, shown_path

T = TypeVar("T")

_NAPS: Final = (0.01, 0.03, 0.1)  # seconds between looks at a file that somebody may be writing
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_READ: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


class Intent(NamedTuple):
    """An append that has begun, or was about to.

    Args:
        before: size of the file in bytes when it began.
        content: all bytes that were to be appended.
    """

    before: int
    content: bytes

    def written_to(self, content: bytes) -> int:
        """Return how many bytes of the append stand where they were to stand."""
        pairs = zip(content[self.before :], self.content, strict=False)
        return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))

    def missing_from(self, content: bytes) -> bytes:
        """Return what is missing of an append of which some bytes, but not all, stand at a file's end; else nothing."""
        written = self.written_to(content)
        torn = 0 < written < len(self.content) and self.before + written == len(content)
        return self.content[written:] if torn else b""

    def is_buried_in(self, content: bytes) -> bool:
        """Return whether something else stands behind a part of the append that ends in the middle of a row."""
        written = self.written_to(content)
        cut = 0 < written < len(self.content) and self.content[written - 1 : written] not in (b"\n", b"\r")
        return cut and self.before + written < len(content)


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
    ours = False
    with contextlib.suppress(FileExistsError):
        ours = _write(path, intent, evaluations)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if ours and not intent.missing_from(evaluations.read_bytes()):  # else the next writer completes it
                path.unlink()


def intent_of(evaluations: Path) -> Intent | None:
    """Return the append that is noted, if any: a note that is cut counts for nothing, nor does a stranger's."""
    return _read(evaluations)[1]


def settle(evaluations: Path) -> None:
    """Complete an append that was cut, so that all of it is there or none of it; the caller holds the lock.

    Raises:
        DataError: something else stands behind a part of it.
        OSError: the system refused.
    """
    trusted, intent = _read(evaluations)
    if not trusted:
        return
    if intent is not None:
        with contextlib.suppress(FileNotFoundError):
            content = evaluations.read_bytes()
            _refuse_buried(content, intent, evaluations)
            if missing := intent.missing_from(content):
                _append(evaluations, missing)
    with contextlib.suppress(FileNotFoundError, PermissionError):
        journal_path(evaluations).unlink()


def whole(content: bytes, intents: tuple[Intent | None, ...], evaluations: Path) -> bytes:
    """Return a file's content without the beginning of an append that is noted and not all there.

    Raises:
        DataError: something else stands behind it.
    """
    for intent in intents:
        if intent is not None:
            _refuse_buried(content, intent, evaluations)
            if intent.missing_from(content):
                return content[: intent.before]
    return content


def read_patiently(path: Path, what: str, read: Callable[[bytes], T]) -> T | None:
    """Return what a table says, or None where there is none; half a row at its end may be being written just now.

    Args:
        path: the table.
        what: it is called in messages.
        read: takes its content, without the beginning of an append that is not all there.

    Raises:
        ManyErrors: what ``read`` raises.
        FileError: the system refused to read it.
        DataError: something else stands behind a part of an append.
    """
    for nap in (*_NAPS, None):
        content = _content(path, what)
        if content is None:
            return None
        try:
            return read(content)
        except ManyErrors:
            if nap is None or content.endswith((b"\n", b"\r")):
                raise
            time.sleep(nap)
    return None


def _content(path: Path, what: str) -> bytes | None:
    before = intent_of(path)
    try:
        content = read_bytes(path, what)
    except MissingFileError:
        return None
    return whole(content, (before, intent_of(path)), path)


def _refuse_buried(content: bytes, intent: Intent, evaluations: Path) -> None:
    if intent.is_buried_in(content):
        line = content.count(b"\n", 0, intent.before) + 1
        message = f"{place(evaluations, line, 1)}: ordbo was stopped while it wrote here, and others wrote behind it"
        raise DataError(message, f"Mend this line by hand, then delete {shown_path(journal_path(evaluations))}")


def _write(path: Path, intent: Intent, evaluations: Path) -> bool:
    """Write a note that who may use the evaluations may read; return whether there is one now.

    Raises:
        FileExistsError: there is another's.
    """
    try:
        descriptor = os.open(path, _NEW, 0o600)
    except FileExistsError:
        raise
    except OSError:
        return False
    try:
        copy_permissions(evaluations, descriptor)
        write_all(descriptor, json.dumps({"before": intent.before, "content": intent.content.decode()}).encode())
        os.fsync(descriptor)
    except OSError:  # a note that is cut counts for nothing
        pass
    finally:
        os.close(descriptor)
    return True


def _read(evaluations: Path) -> tuple[bool, Intent | None]:
    """Return whether the note, if any, can be believed, and what it says."""
    try:
        descriptor = os.open(journal_path(evaluations), _READ)
    except FileNotFoundError:
        return True, None
    except OSError:
        return False, None
    try:
        note = os.fstat(descriptor)
        if not (stat.S_ISREG(note.st_mode) and _trusted(note, evaluations)):
            return False, None
        found = json.loads(os.read(descriptor, note.st_size))
        return True, Intent(int(found["before"]), str(found["content"]).encode())
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return True, None
    finally:
        os.close(descriptor)


def _trusted(note: os.stat_result, evaluations: Path) -> bool:
    """Return whether a note is by somebody who may write to the evaluations anyway.

    In a shared folder anybody can put a file in its place.
    """
    if not hasattr(os, "geteuid"):
        return True
    if note.st_uid == os.geteuid():
        return True
    try:
        table = evaluations.stat()
    except FileNotFoundError:
        return False
    by_group = bool(table.st_mode & stat.S_IWGRP) and note.st_gid == table.st_gid
    return note.st_uid == table.st_uid or by_group or bool(table.st_mode & stat.S_IWOTH)


def _append(evaluations: Path, content: bytes) -> None:
    descriptor = os.open(evaluations, os.O_WRONLY | os.O_APPEND | getattr(os, "O_BINARY", 0))
    try:
        write_all(descriptor, content)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
