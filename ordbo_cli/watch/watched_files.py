"""Which files a page follows, and what tells that one of them changed."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ordbo_cli.files.problem_file.problem_file import ProblemFile

Signature = tuple[tuple[int, int, int, int], ...]

NOBODY: Signature = ()


def watched_paths(file: ProblemFile) -> tuple[Path, ...]:
    """Return all files that what is shown of a study depends on."""
    others = (each.path for each in file.campaigns)
    return (file.path, file.evaluations, file.state, file.comparisons, file.handed, file.remarks, *others)


def signature(paths: Iterable[Path]) -> Signature:
    """Return what is another when a file has changed: its time, length and place; zeros where there is none."""
    return tuple(map(_of_one, paths))


def _of_one(path: Path) -> tuple[int, int, int, int]:
    try:
        found = path.stat()
    except OSError:
        return (0, 0, 0, 0)
    return (found.st_mtime_ns, found.st_size, found.st_ino, found.st_dev)
