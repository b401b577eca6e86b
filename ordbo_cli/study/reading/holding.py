"""The lock that holds the files of a study still, and whether they may be written at all."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Iterator
from pathlib import Path

from ordbo_cli.errors import FileError, UsageError
from ordbo_cli.files.durable.atomic import look_again, watched
from ordbo_cli.files.durable.journal import drop, settle
from ordbo_cli.files.durable.lock import locked
from ordbo_cli.files.durable.paths import folder_of, may, refused
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.problem.spelling import shown_path


def lock_path(file: ProblemFile) -> Path:
    """Return the lock of a study: beside the state's real path, so that all names of one study share one lock."""
    state = Path(os.path.realpath(file.state))
    return state.with_name(state.name + ".lock")


@contextlib.contextmanager
def held(file: ProblemFile, timeout: float) -> Iterator[None]:
    """Hold the lock, with the evaluations whole: what a killed writer began to append is completed first.

    At the end, when the lock is free again, what was written is looked for once more.

    Raises:
        UsageError: this is a look at one objective.
        LockTimeoutError: another process held it for too long.
        FileError: the system refused.
    """
    if file.whole is not None:
        raise UsageError("a look at one objective records nothing", "Open the study anew")
    with watched() as puts:
        with locked(lock_path(file), timeout):
            try:
                for path in (file.evaluations, file.comparisons, file.handed):
                    settle(path)
            except OSError as error:
                raise refused("append to it", path, error) from None
            found = _identities(file)
            yield
            replaced = any(old and old != new for old, new in zip(found, _identities(file), strict=True))
            for path in (file.evaluations, file.comparisons, file.handed):
                drop(path)
        look_again(puts, lambda: locked(lock_path(file), timeout), replaced=replaced)


def _identities(file: ProblemFile) -> list[tuple[int, int] | None]:
    """Return which files the names of the tables lead to."""
    found: list[tuple[int, int] | None] = []
    for path in (file.evaluations, file.comparisons):
        try:
            table = path.stat()
            found.append((table.st_dev, table.st_ino))
        except OSError:
            found.append(None)
    return found


def demand_access(file: ProblemFile) -> None:
    """Make sure that a result could be appended: a point that somebody cannot answer would be out for ever.

    Raises:
        FileError: it could not.
        MissingFileError: the folder of the evaluations is not there.
    """
    path = file.evaluations
    folder = folder_of(path)
    if may(os.W_OK, path if path.exists() else folder) or (path.exists() and not may(os.R_OK, path)):
        return  # what cannot be read is refused when it is read
    denied = refused("append to it", path, PermissionError(errno.EACCES, os.strerror(errno.EACCES)))
    what = shown_path(path) if path.exists() else f"the folder of {shown_path(path)}"
    hint = f"No point is handed out whose result you could not record: have {what} made writable (chmod g+w)"
    raise FileError(denied.message, hint)
