"""Appending lines to a file that others append to, edit and replace as they like: never a byte of theirs is changed.

Who replaces a file by rename (``sed -i``, an editor, a spreadsheet) takes its name from the file that is open here, and
who writes it anew in its place cuts it to nothing first. So an append is looked for afterwards where the name leads by
then, and what is not there is appended again. Whoever read the file before the append and puts his copy in its place
after the last look is seen by nobody: only a lock that both take would help.
"""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final, NamedTuple

from ordbo_cli.errors import FileError
from ordbo_cli.files.durable.atomic import put, sync_folder, write_all
from ordbo_cli.files.durable.intent import LINE_ENDS, Intent
from ordbo_cli.files.durable.journal import noted
from ordbo_cli.files.durable.paths import refused
from ordbo_cli.problem.spelling import shown_path

Fits = Callable[[bytes, bytes], None]
"""Is given what a file holds and what is to be appended; raises where they do not go together."""

_NAPS: Final = (0.01, 0.03, 0.1)  # seconds between looks at a file that somebody else is appending to
_PATIENCE: Final = 10.0  # seconds after which a file that is replaced again and again is given up
_FLAGS: Final = os.O_RDWR | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_WORD: Final = re.compile(rb'[^\s,;"]+')
_FRESH: Final = 1.0  # seconds in which a file counts as just changed
_ours: Final[set[tuple[int, int]]] = set()
"""Files that this process has appended to: that they have just changed says nothing of others."""


class _Spot(NamedTuple):
    """Where an append was written: the file, the offset behind it, and its bytes."""

    file: os.stat_result
    end: int
    content: bytes


class Append:
    """Lines that are in a file once :meth:`make` has returned: all of them, and each once.

    Args:
        path: the file; it is made where it is not there.
        content: whole lines, in UTF-8.
        fits: is asked before each write.
        size: of the file as it was read: if it ended in the middle of a line then, nobody is waited for to end that.
        follow: whether the name may be a link.
    """

    def __init__(
        self, path: Path, content: bytes, fits: Fits | None = None, size: int | None = None, *, follow: bool = True
    ) -> None:
        self._path = path
        self._lines = content.splitlines(keepends=True)
        self._fits = fits
        self._size = size
        self._flags = _FLAGS | (0 if follow else getattr(os, "O_NOFOLLOW", 0))
        self._before = b""  # what the file held before the first write
        self._created = False
        self._spot: _Spot | None = None
        self._copied = False  # whether a copy by others holds the lines: so will the copies that are made of it
        self.busy = False

    def make(self) -> None:
        """Append what is not there. The caller holds the lock.

        Raises:
            FileError: the system refused, or the file is replaced again and again; what was there is untouched.
        """
        end = time.monotonic() + _PATIENCE
        try:
            while not self.stands():
                if time.monotonic() > end:
                    raise FileError(f"{shown_path(self._path)}: cannot append to it: others replace it again and again")
                self._write()
        except OSError as error:
            raise refused("append to it", self._path, error) from None

    def stands(self) -> bool:
        """Return whether the lines are still where they were written, or in the copy that somebody has made of them."""
        if self._spot is None:
            return False
        try:
            with self._path.open("rb") as file:
                if self._copied:
                    return not self._intent(file.read()).content
                file.seek(self._spot.end - len(self._spot.content))
                there = file.read(len(self._spot.content)) == self._spot.content
                return there and os.path.samestat(os.fstat(file.fileno()), self._spot.file)
        except OSError:
            return False

    def _write(self) -> None:
        """Append what is missing, if anything is.

        Noting it takes so long that others may replace the file meanwhile: it is opened again right before the write.
        """
        with self._opened() as descriptor:
            now = self._settled(descriptor)
            intent = self._intent(now)
            self._copied = len(now) == intent.before + len(intent.content)
            self.busy = not self._copied and (self._spot is not None or _is_fresh(os.fstat(descriptor)))
            if self._copied:
                os.fsync(descriptor)
                self._spot = _Spot(os.fstat(descriptor), 0, b"")
                return
        with noted(self._path, intent), self._opened() as descriptor:
            now = _content(descriptor)
            intent = self._intent(now)
            content = intent.content[len(now) - intent.before :]
            if content:
                self._demand_fit(now, content)
                self._before = now if self._spot is None else self._before
                _written(descriptor, content, intent)
                self._spot = _Spot(os.fstat(descriptor), os.lseek(descriptor, 0, os.SEEK_CUR), content)
                _ours.add((self._spot.file.st_dev, self._spot.file.st_ino))

    @contextlib.contextmanager
    def _opened(self) -> Iterator[int]:
        """Open the file; one that is new, or may be another's, has its name on disk at the end."""
        again = self._spot is not None
        try:
            descriptor = os.open(self._path, self._flags)
        except FileNotFoundError:
            self._demand_fit(b"", self._intent(b"").content)
            descriptor = os.open(self._path, self._flags | os.O_CREAT, 0o666)
            self._created = True
        try:
            yield descriptor
        finally:
            os.close(descriptor)
        if self._created or again:
            sync_folder(Path(os.path.realpath(self._path)).parent)

    def _settled(self, descriptor: int) -> bytes:
        """Return the file's content, after a while in which somebody who is in the middle of a row can end it."""
        for nap in _NAPS:
            content = _content(descriptor)
            if len(content) == self._size or _ends_a_line(content):
                return content
            time.sleep(nap)
        return _content(descriptor)

    def _intent(self, now: bytes) -> Intent:
        """Return what has to be in a file behind its first bytes; another's copy may end in a part of it."""
        missing = self._lines if self._spot is None else _missing(self._lines, self._before, now)
        if _ends_a_line(now):
            return Intent(len(now), b"".join(missing))
        if self._spot is not None:
            start = max(map(now.rfind, LINE_ENDS)) + 1
            known, last = self._before.splitlines(), now[start:]
            lines = _missing(self._lines, self._before, now[:start])
            begun = [line for line in lines if line.startswith(last) and last not in known][:1]
            if begun:
                lines.remove(begun[0])
                return Intent(start, b"".join(begun + lines))
        if not missing:
            return Intent(len(now), b"")
        return Intent(len(now), (b"\r\n" if missing[-1].endswith(b"\r\n") else missing[-1][-1:]) + b"".join(missing))

    def _demand_fit(self, now: bytes, content: bytes) -> None:
        if self._fits is not None:
            self._fits(now, content)


def append_bytes(
    path: Path, content: bytes, fits: Fits | None = None, size: int | None = None, *, follow: bool = True
) -> None:
    """Append lines at the end of a file, all or none; see :class:`Append`. The caller holds the lock.

    What others append meanwhile stays, before or after these lines.

    Raises:
        FileError: the system refused; what was there is untouched.
    """
    put(Append(path, content, fits, size, follow=follow))


def _is_fresh(file: os.stat_result) -> bool:
    """Return whether others have changed a file just now, or put it in its place."""
    return (file.st_dev, file.st_ino) not in _ours and abs(time.time() - file.st_ctime) < _FRESH


def _written(descriptor: int, content: bytes, intent: Intent) -> None:
    """Write at the end; a write that fails half-way is taken back, if nobody has written since."""
    before = os.lseek(descriptor, 0, os.SEEK_CUR)
    try:
        write_all(descriptor, content)
        os.fsync(descriptor)
    except OSError:
        with contextlib.suppress(OSError):
            end = os.lseek(descriptor, 0, os.SEEK_CUR)
            torn = intent.torn_at(there := _content(descriptor))
            if torn is not None and before < end == len(there):
                os.ftruncate(descriptor, max(torn, before))
        raise


def _content(descriptor: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    with os.fdopen(descriptor, "rb", closefd=False) as file:
        return file.read()


def _ends_a_line(content: bytes) -> bool:
    return not content or content.endswith(LINE_ENDS)


def _missing(lines: Sequence[bytes], before: bytes, now: bytes) -> list[bytes]:
    """Return the lines that a file does not hold beside what it held before, in whatever order and spelling."""
    there = Counter(map(_meaning, now.splitlines()))
    there.subtract(map(_meaning, before.splitlines()))
    missing = []
    for line in lines:
        there[_meaning(line)] -= 1
        if there[_meaning(line)] < 0:
            missing.append(line)
    return missing


def _meaning(line: bytes) -> tuple[bytes | str, ...]:
    """Return the words of a line; numbers as they are after a program that keeps 15 digits has written them anew."""
    return tuple(map(_number, _WORD.findall(line)))


def _number(word: bytes) -> bytes | str:
    try:
        return f"{float(word):.14g}"
    except ValueError:
        return word
