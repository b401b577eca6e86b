"""One run folder, by its descriptor: nothing that is written, read or deleted in it leads through a link elsewhere."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Final

from ordbo_cli.files.durable.atomic import write_all

_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC  # a pipe is not waited for
_NEW: Final = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC


class RunFolder:
    """A folder that is open.

    Args:
        descriptor: of the folder.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    @classmethod
    @contextlib.contextmanager
    def at(cls, path: Path, *, make: bool = False) -> Iterator[RunFolder]:
        """Open a folder that is no link, for the time of a ``with`` block.

        Args:
            path: of the folder; the one around it may be reached by links, as people name it.
            make: whether it is made, where it is not there.

        Raises:
            OSError: the system refused, or it is something else.
        """
        around = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
        try:
            descriptor = cls(around)._below(path.name, make=make)
        finally:
            os.close(around)
        try:
            yield cls(descriptor)
        finally:
            os.close(descriptor)

    def names(self) -> list[str]:
        """Return the names of all that is in it."""
        return os.listdir(self._descriptor)

    def read(self, name: str, at_most: int) -> bytes:
        """Return the beginning of a regular file.

        Raises:
            OSError: it is not there, or is none.
        """
        descriptor = self.open(name)
        with open(descriptor, "rb") as file:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise OSError(f"{name} is no regular file")
            return file.read(at_most)

    def open(self, name: str) -> int:
        """Return the descriptor of a file that is no link, open for reading.

        Raises:
            OSError: the system refused.
        """
        return os.open(name, _FILE, dir_fd=self._descriptor)

    def create(self, name: str) -> int:
        """Return the descriptor of a new file, open for reading and appending; what had its name is deleted.

        Raises:
            OSError: the system refused.
        """
        self.delete(name)
        return os.open(name, _NEW, 0o666, dir_fd=self._descriptor)

    def write(self, name: str, content: bytes, mode: int | None = None) -> None:
        """Write a new file in it or in folders below it, which are made; what had its name is deleted.

        Args:
            name: relative to the folder.
            content: all of it.
            mode: permission bits; None for those that new files have.

        Raises:
            OSError: the system refused.
        """
        *folders, last = PurePosixPath(name).parts
        with contextlib.ExitStack() as stack:
            inner = self
            for folder in folders:
                inner = RunFolder(inner._below(folder, make=True))
                stack.callback(os.close, inner._descriptor)
            descriptor = inner.create(last)
            stack.callback(os.close, descriptor)
            write_all(descriptor, content)
            if mode is not None:
                os.fchmod(descriptor, mode)

    def replace(self, name: str, content: bytes, *, sync: bool = True) -> None:
        """Write a file whole or not at all.

        Args:
            name: of the file.
            content: all of it.
            sync: whether it is to outlive a power cut.

        Raises:
            OSError: the system refused.
        """
        draft = f".{name}.{os.urandom(8).hex()}.tmp"
        try:
            descriptor = self.create(draft)
            try:
                write_all(descriptor, content)
                if sync:
                    os.fsync(descriptor)
            finally:
                os.close(descriptor)
            os.replace(draft, name, src_dir_fd=self._descriptor, dst_dir_fd=self._descriptor)
        except BaseException:
            with contextlib.suppress(OSError):
                self.delete(draft)
            raise
        if sync:
            with contextlib.suppress(OSError):  # a file system that cannot
                os.fsync(self._descriptor)

    def delete(self, name: str) -> None:
        """Delete a file, a link, or a folder with all that is in it; nothing where it is not there.

        Raises:
            OSError: the system refused.
        """
        try:
            mode = os.lstat(name, dir_fd=self._descriptor).st_mode
            if not stat.S_ISDIR(mode):
                os.unlink(name, dir_fd=self._descriptor)
                return
            if mode & stat.S_IRWXU != stat.S_IRWXU:  # a simulator made it read-only
                self._open_up(name, mode)
            inner = RunFolder(self._below(name))
            try:
                for each in inner.names():
                    inner.delete(each)
            finally:
                os.close(inner._descriptor)
            os.rmdir(name, dir_fd=self._descriptor)
        except FileNotFoundError:
            return

    def _below(self, name: str, *, make: bool = False) -> int:
        if make:
            with contextlib.suppress(FileExistsError):
                os.mkdir(name, dir_fd=self._descriptor)
        return os.open(name, _FOLDER, dir_fd=self._descriptor)

    def _open_up(self, name: str, mode: int) -> None:
        """Let this user into a folder; by its name, as one that may not be read cannot be opened."""
        follow = os.chmod not in os.supports_follow_symlinks
        with contextlib.suppress(OSError):  # what follows says it
            os.chmod(name, stat.S_IMODE(mode) | stat.S_IRWXU, dir_fd=self._descriptor, follow_symlinks=follow)
