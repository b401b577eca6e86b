"""Replacing a file so that a kill at any moment leaves the old or the new one, whole."""

from __future__ import annotations

import contextlib
import os
import re
import stat
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from contextvars import ContextVar
from pathlib import Path
from typing import Final, Protocol

from ordbo_cli.errors import FileError
from ordbo_cli.files.durable.paths import refused
from ordbo_cli.problem.spelling import shown_path

_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0)
_DRAFT_LIFE: Final = 3600.0  # seconds after which a draft that nobody has renamed is a killed writer's
_MOST_TRIES: Final = 100  # to put a file in a place where strangers put theirs, too
_TEMPORARY: Final = re.compile(r"\.[0-9a-f]{16}\.tmp")


def backup_path(path: Path) -> Path:
    """Return where the last good version of a file is kept."""
    return path.with_name(path.name + ".bak")


def replace_file(
    path: Path, content: bytes, *, keep_as: Path | None = None, mode: int | None = None, locked: bool = False
) -> None:
    """Write a file's new content beside it, and put it in its place in one step.

    Args:
        path: the file; a symbolic link stays one, its target is replaced.
        content: everything that it is to hold.
        keep_as: the name that the old file is kept under, if at all; what had that name before is replaced.
        mode: its permission bits; None for all permissions of the old file: mode, owner and extended attributes, access
            lists among them.
        locked: whether the caller holds a lock, so that nobody else is writing this file.

    Raises:
        FileError: the system refused; the old file is untouched.
    """
    target = Path(os.path.realpath(path))
    try:
        with _draft(target, content, mode, locked=locked) as draft:
            if keep_as is not None:
                _keep(target, Path(os.path.realpath(keep_as)))
            os.replace(draft, target)
        sync_folder(target.parent)
    except OSError as error:
        raise refused("write it", path, error) from None


class Replacement:
    """A file's new content that is there once :meth:`make` has returned, whoever puts something else in its place.

    Args:
        path, content, keep_as: as :func:`replace_file` has them.
    """

    def __init__(self, path: Path, content: bytes, keep_as: Path | None) -> None:
        self._path = path
        self._content = content
        self._keep_as = keep_as
        self._before = self._found()

    @property
    def busy(self) -> bool:
        """Nobody but ordbo has to do with such files."""
        return False

    def stands(self) -> bool:
        """Return whether the file holds the content, or what another call has made of it since."""
        found = self._found()
        return found == self._content or found not in (None, self._before)

    def make(self) -> None:
        """Write the content, until it is there. The caller holds the lock, as he did when he made this object.

        Raises:
            FileError: the system refused, or others replace the file again and again.
        """
        if self._keep_as is None and self.stands():
            return
        for _ in range(_MOST_TRIES):
            replace_file(self._path, self._content, keep_as=self._keep_as, locked=True)
            self._keep_as = None  # what was there before is kept by now
            if self._found() == self._content:
                return
        raise FileError(f"{shown_path(self._path)}: cannot write it: others replace it again and again")

    def _found(self) -> bytes | None:
        try:
            return self._path.read_bytes()
        except OSError:
            return None


def create_file(path: Path, content: bytes) -> None:
    """Write a file that is not there yet, whole or not at all.

    Raises:
        FileExistsError: it is there.
        FileError: the system refused.
    """
    try:
        with _draft(path, content) as draft:
            try:
                os.link(draft, path)  # unlike a rename, this fails where somebody has just made the file
            except FileExistsError:
                raise
            except OSError:  # a file system without hard links
                _write_new(path, content, None)
        sync_folder(path.parent)
    except FileExistsError:
        raise
    except OSError as error:
        raise refused("write it", path, error) from None


def create_new(path: Path, text: str) -> None:
    """Write a file as :func:`create_file` does.

    Raises:
        FileError: it is there, or the system refused.
    """
    try:
        create_file(path, text.encode())
    except FileExistsError:
        raise there_already(path) from None


def there_already(path: Path) -> FileError:
    """Return the refusal to overwrite a file."""
    return FileError(f"{shown_path(path)}: there is such a file already", "Give another name, or remove it first")


def sync_folder(folder: Path) -> None:
    """Make sure that a new name in a folder outlives a power cut, where the system can do that."""
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def write_all(descriptor: int, content: bytes) -> None:
    """Write every byte, in one system call where the system takes them all."""
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


@contextlib.contextmanager
def _draft(target: Path, content: bytes, mode: int | None = None, *, locked: bool = False) -> Iterator[Path]:
    """Write content under a name that nobody can guess; the file is gone at the end, unless it was renamed."""
    _sweep(target, 0.0 if locked else _DRAFT_LIFE)
    draft = target.with_name(f".{target.name}.{os.urandom(8).hex()}.tmp")
    try:
        _write_new(draft, content, target, mode)
        yield draft
    finally:
        with contextlib.suppress(OSError):
            draft.unlink()


def _write_new(path: Path, content: bytes, like: Path | None, mode: int | None = None) -> None:
    """Write a file that was not there, with given permission bits, or another file's permissions if there is that."""
    descriptor = os.open(path, _NEW, 0o666)
    try:
        if mode is not None:
            os.chmod(path, mode)
        elif like is not None and like.exists():
            copy_permissions(like, descriptor)
        write_all(descriptor, content)
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def copy_permissions(like: Path, descriptor: int) -> None:
    """Copy mode, owner and extended attributes; the last two as far as the system lets this user."""
    if not hasattr(os, "fchmod"):
        return
    old, new = like.stat(), os.fstat(descriptor)
    if (old.st_uid, old.st_gid) != (new.st_uid, new.st_gid):
        with contextlib.suppress(OSError):
            os.fchown(descriptor, -1, old.st_gid)
        with contextlib.suppress(OSError):
            os.fchown(descriptor, old.st_uid, -1)
    os.fchmod(descriptor, stat.S_IMODE(old.st_mode))
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(like):
                os.setxattr(descriptor, name, os.getxattr(like, name))


def _keep(target: Path, name: Path) -> None:
    """Let another name point at the old file too, if there is one, without a moment in which either is missing."""
    spare = target.with_name(f".{target.name}.{os.urandom(8).hex()}.tmp")
    try:
        try:
            os.link(target, spare)
        except FileNotFoundError:
            return
        except OSError:  # a file system without hard links
            _write_new(spare, target.read_bytes(), target)
        os.replace(spare, name)
    finally:
        with contextlib.suppress(OSError):
            spare.unlink()


def _sweep(target: Path, age: float) -> None:
    """Delete what killed writers left some seconds ago: what is younger may be in use."""
    for other in drafts_of(target):
        with contextlib.suppress(OSError):
            if time.time() - other.stat().st_mtime >= age:
                other.unlink()


def drafts_of(target: Path) -> list[Path]:
    """Return what writers of a file have begun, and not put in its place yet."""
    prefix = f".{target.name}"
    found = (path for path in target.parent.iterdir() if path.name.startswith(prefix))
    return [path for path in found if _TEMPORARY.fullmatch(path.name[len(prefix) :])]


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
