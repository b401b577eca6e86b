"""Which files a page follows, where they may lie, and what tells that one of them changed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ordbo_cli.errors import UsageError
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.problem.spelling import shown_path
from ordbo_cli.study.study import Study

Signature = tuple[tuple[int, int, int, int], ...]

NOBODY: Signature = ()


def watched_paths(file: ProblemFile) -> tuple[Path, ...]:
    """Return all files that what is shown of a study depends on."""
    others = (each.path for each in file.campaigns)
    return (file.path, file.evaluations, file.state, file.comparisons, file.handed, file.remarks, *others)


def opened(path: Path, root: Path | None, lock_timeout: float = 60.0) -> Study:
    """Read a problem file.

    Args:
        path: of it.
        root: a folder that all its files have to lie in, links followed; None for anywhere.
        lock_timeout: seconds to wait for other processes.

    Raises:
        UsageError: one of its files lies elsewhere.
        OrdboError: it cannot be read.
    """
    study = Study.open(path, lock_timeout=lock_timeout)
    if root is not None:
        folder = root.resolve()
        if not all(each.resolve().is_relative_to(folder) for each in watched_paths(study.file)):
            where = f"{shown_path(path)}: its files lie outside the folder that is watched"
            raise UsageError(where, "Watch this problem file by itself")
    return study


def signature(paths: Iterable[Path]) -> Signature:
    """Return what is another when a file has changed: its time, length and place; zeros where there is none."""
    return tuple(map(_of_one, paths))


def _of_one(path: Path) -> tuple[int, int, int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0, 0, 0)
    return (found.st_mtime_ns, found.st_size, found.st_ino, found.st_dev)
