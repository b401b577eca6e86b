"""Every point that was ever handed out, a line of JSON each: what an answer is held against when all else is gone.

The state can be deleted or restored from a copy, the problem can change, and the evaluations can be cut. Jobs that are
out know none of that, and come back with an id. So this file is only ever appended to, an id stands in it before
anybody gets it, and no id is given twice.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from ordbo_cli.errors import FileError, MissingFileError, OrdboError
from ordbo_cli.files.durable.appending import append_bytes
from ordbo_cli.files.durable.atomic import replace_file
from ordbo_cli.files.durable.paths import may, read_bytes, read_end
from ordbo_cli.files.tables.table import LARGEST_ID
from ordbo_cli.problem import Fixed, Number, Problem
from ordbo_cli.problem.spelling import shown_path

_WHAT: Final = "list of suggestions"
_ID: Final = re.compile(rb'^\{"id": ?(\d{1,15}),.*\}\r?$', re.MULTILINE)  # of a whole line
_LAST: Final = 1 << 16  # bytes in which the last line is looked for first


@dataclass(frozen=True)
class Pending:
    """A point that was handed out.

    Args:
        id: its number.
        parameters: all parameters by name, as they were handed out.
        time: when that was, ISO 8601 in UTC.
        rows: rows of evaluations that the CSV had then; where order counts, only later ones can answer it.
    """

    id: int
    parameters: Mapping[str, Number | str]
    time: str
    rows: int

    @classmethod
    def of(cls, entry: Any) -> Pending:
        """Return the point of an entry that JSON gave.

        Raises:
            KeyError, TypeError, AttributeError: it is none.
        """
        parameters = entry["parameters"]
        _demand(is_count(entry["id"], 1) and entry["id"] <= LARGEST_ID and is_count(entry["rows"], 0))
        _demand(isinstance(entry["time"], str))
        for value in parameters.values():
            sound = isinstance(value, str | int | float) and not isinstance(value, bool)
            _demand(sound and (isinstance(value, str) or abs(value) <= sys.float_info.max))
        return cls(entry["id"], dict(parameters), entry["time"], entry["rows"])

    def under(self, problem: Problem) -> Pending | None:
        """Return the point with the names of a problem that may have changed since; None where it has no place in it.

        A parameter that was renamed has its new name, and one that was added the value that it had before (``past``).
        """
        given = dict(self.parameters)
        for parameter in problem.parameters:
            if parameter.was and parameter.was in given and parameter.name not in given:
                given[parameter.name] = given.pop(parameter.was)
            if not isinstance(parameter, Fixed) and parameter.past is not None:
                given.setdefault(parameter.name, parameter.shown(parameter.past))
        ranked = {problem.free[k].name for k in problem.ranked}  # whose words the evaluations explain, not the problem
        unread = {name: 0.5 if name in ranked and isinstance(x, str) else x for name, x in given.items()}
        try:
            values = problem.values(unread)
        except (KeyError, ValueError, TypeError):
            return None
        active = problem.active(values)
        counting = {parameter.name for parameter, counts in zip(problem.free, active, strict=True) if counts}
        plain = [(unread[p.name], p.is_whole) for p in problem.free if p.name in counting and not p.levels]
        if not all(isinstance(value, int if whole else int | float) for value, whole in plain):
            return None
        fixed = {each.name for each in problem.parameters if isinstance(each, Fixed)}
        return Pending(self.id, {n: x for n, x in given.items() if n in counting or n in fixed}, self.time, self.rows)


def handed_out(path: Path) -> dict[int, Pending]:
    """Return the points that were handed out by their ids, each as it was the last time.

    Raises:
        FileError: the system refused to read the file.
    """
    return {point.id: point for point in handed_out_each_time(path)}


def handed_out_each_time(path: Path) -> list[Pending]:
    """Return what was handed out, oldest first; lines that are cut or hold something else are passed over.

    Raises:
        FileError: the system refused to read the file.
    """
    try:
        lines = read_bytes(path, _WHAT).splitlines()
    except MissingFileError:
        return []
    return [point for line in lines if (point := _point(line)) is not None]


def newest_ids(path: Path) -> set[int]:
    """Return the ids near the end of the list.

    Raises:
        FileError: the system refused to read the file.
    """
    try:
        end = read_end(path, _WHAT, _LAST)
    except MissingFileError:
        return set()
    return {int(id) for id in _ID.findall(end)}


def note_handed_out(path: Path, points: Iterable[Pending]) -> None:
    """Append points that are about to be handed out. The caller holds the lock.

    Raises:
        FileError: the system refused.
    """
    if path.is_symlink():  # which others may have put there, in a folder of all
        raise FileError(f"{shown_path(path)}: this is a link", "ordbo keeps the list itself: take the link away")
    lines = _lines(points)
    if path.exists() and not may(os.W_OK, path):
        replace_file(path, read_bytes(path, _WHAT) + b"\n" + lines, locked=True)  # another's, in a folder of all
    else:
        append_bytes(path, lines, follow=False)


@contextlib.contextmanager
def handing_out(path: Path, points: Sequence[Pending]) -> Iterator[None]:
    """Append points for a ``with`` block that records them; where it is refused, nobody gets them, and they go again.

    Raises:
        FileError: the system refused.
    """
    note_handed_out(path, points)
    try:
        yield
    except OrdboError:
        lines = _lines(points)
        with contextlib.suppress(OSError), path.open("r+b") as file:
            start = file.seek(-len(lines), os.SEEK_END)
            if file.read() == lines:
                file.truncate(start)
        raise


def _lines(points: Iterable[Pending]) -> bytes:
    return "".join(json.dumps(asdict(point), allow_nan=False) + "\n" for point in points).encode()


def _point(line: bytes) -> Pending | None:
    try:
        return Pending.of(json.loads(line))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None


def is_count(value: object, least: int) -> bool:
    """Return whether a value of JSON is a whole number, not below the least one."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value


def _demand(sound: bool) -> None:
    if not sound:
        raise TypeError("a pending suggestion is not what it should be")
