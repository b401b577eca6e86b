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
from pathlib import Path
from typing import Final, TypeVar

from ordbo_cli.errors import DataError, ManyErrors, MissingFileError
from ordbo_cli.files.durable.atomic import copy_permissions, write_all
from ordbo_cli.files.durable.intent import LINE_ENDS, Intent, Met
from ordbo_cli.files.durable.paths import read_bytes
from ordbo_cli.problem.spelling import place, shown_path

T = TypeVar("T")

_NAPS: Final = (0.01, 0.03, 0.1)  # seconds between looks at a file that somebody may be writing
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_READ: Final = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


def journal_path(evaluations: Path) -> Path:
    """Return where appends to a file of evaluations are noted."""
    real = Path(os.path.realpath(evaluations))
    return real.with_name(real.name + ".journal")


@contextlib.contextmanager
def noted(evaluations: Path, intent: Intent) -> Iterator[None]:
    """Keep note of an append while it is made; the caller holds the lock, and has settled what was noted before.

    Where no file can be made beside the evaluations, the append goes on without.
    """
    path = journal_path(evaluations)
    drop(evaluations)
    ours = done = False
    with contextlib.suppress(FileExistsError):
        ours = _write(path, intent, evaluations)
    try:
        yield
        done = True
    finally:
        with contextlib.suppress(OSError):  # a part that could not be taken back is completed by the next writer
            if ours and (done or intent.torn_at(evaluations.read_bytes()) is None):
                path.unlink()


def intent_of(evaluations: Path) -> Intent | None:
    """Return the append that is noted, if any: a note that is cut counts for nothing, nor does a stranger's."""
    return _read(evaluations)[1]


def settle(evaluations: Path) -> None:
    """Complete an append that was cut, so that all of it is there or none of it; the caller holds the lock.

    A note about which :func:`doubts` remain is kept until these are told; see :func:`drop`.

    Raises:
        DataError: a row is broken.
        OSError: the system refused.
    """
    trusted, intent = _read(evaluations)
    if not trusted:
        return
    if intent is not None:
        with contextlib.suppress(FileNotFoundError):
            content = evaluations.read_bytes()
            while (torn := intent.torn_at(content)) is not None:
                _append(evaluations, intent.rest(content, torn))
                content = evaluations.read_bytes()  # somebody may have replaced it by a copy with the part
            if _met(content, intent, evaluations) is not None:
                return
    drop(evaluations)


def drop(evaluations: Path) -> None:
    """Clear a note away, unless it is a stranger's; the caller holds the lock."""
    path = journal_path(evaluations)
    if os.path.lexists(path) and _read(evaluations)[0]:
        with contextlib.suppress(FileNotFoundError, PermissionError):
            path.unlink()


def doubts(evaluations: Path) -> list[str]:
    """Return a warning about a row that can be read, and may have begun as another one, while that is noted.

    Raises:
        DataError: a row is broken.
        FileError: the system refused.
    """
    intent = intent_of(evaluations)
    if intent is None:
        return []
    try:
        content = read_bytes(evaluations, "table")
    except MissingFileError:
        return []
    if intent.torn_at(content) is not None or (met := _met(content, intent, evaluations)) is None:
        return []
    words = "a call was stopped that was about to write here, and others have"
    return [f"{place(evaluations, met.line, 1)}: {words}: make sure that this row begins as it should"]


def whole(content: bytes, intents: tuple[Intent | None, ...], evaluations: Path) -> bytes:
    """Return a file's content without the beginning of an append that is noted and not all there.

    Raises:
        DataError: a row is broken.
    """
    for intent in intents:
        if intent is not None:
            torn = intent.torn_at(content)
            if torn is not None:
                return content[:torn]
            _met(content, intent, evaluations)
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
        before = intent_of(path)
        try:
            found = read_bytes(path, what)
        except MissingFileError:
            return None
        intent = intent_of(path) or before
        content = whole(found, (before, intent), path)
        try:
            return read(content)
        except ManyErrors as errors:
            if nap is None or content.endswith(LINE_ENDS):
                _explain(errors, content, intent, path)
                raise
            time.sleep(nap)
    return None


def _met(content: bytes, intent: Intent, evaluations: Path) -> Met | None:
    """Return the line of others that begins as the append, and may be a row of their own."""
    met = intent.met(content)
    if met is not None and met.torn:
        raise _broken(met, evaluations)
    return met


def _explain(errors: ManyErrors, content: bytes, intent: Intent | None, evaluations: Path) -> None:
    """Refuse a table for the row that cannot be read because others wrote behind a part of ours."""
    met = intent.met(content) if intent is not None else None
    if met and any(error.message.startswith(f"{shown_path(evaluations)}:{met.line}:") for error in errors.errors):
        raise _broken(met, evaluations) from None


def _broken(met: Met, evaluations: Path) -> DataError:
    where = place(evaluations, met.line, 1)
    message = f"{where}: ordbo was stopped while it wrote here, and others wrote behind it"
    return DataError(message, f"Mend this line by hand, then delete {shown_path(journal_path(evaluations))}")


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
        intent = Intent(max(int(found["before"]), 0), str(found["content"]).encode())
        return True, intent if intent.rows else None
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
