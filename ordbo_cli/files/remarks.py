"""The list of remarks: notes and seconds of evaluations whose table has no columns for them, a line of JSON each.

It says nothing that a study depends on: who deletes it loses these words, and it is made again. So it is appended to
in one write that nobody waits for, and what cannot be read of it is passed over. A line that is undone takes back the
newest on the same row that stands.
"""

from __future__ import annotations

import json
import math
import os
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple, cast

from ordbo_cli.errors import MissingFileError
from ordbo_cli.files.durable.atomic import write_all
from ordbo_cli.files.durable.paths import read_bytes, refused
from ordbo_cli.files.values.remark import Remark, note_of

_WHAT: Final = "list of notes"
_NO_TRAP: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)  # a pipe is not waited for


class About(NamedTuple):
    """Which row a remark is about: the one that stands for an id or, where rows have no ids, for a point.

    Args:
        what: the id; or else the values of the point in text.
        status: of the row: a remark on a failure says nothing of the success that took its place.
    """

    what: int | str
    status: str

    @classmethod
    def of(cls, id: int | None, values: Iterable[float], status: str) -> About:
        """Return what a row of an id, or of a point where it has none, is about."""
        return cls(" ".join(f"{x:.12g}" for x in values) if id is None else id, status)


Remarks = Mapping[About, Remark]


def read_remarks(path: Path) -> Remarks:
    """Return the remarks of a list, the newest on each; none where there is no list.

    Raises:
        FileError: the system refused to read it.
    """
    try:
        lines = read_bytes(path, _WHAT).splitlines()
    except MissingFileError:
        return {}
    try:  # all at once is ten times as fast
        entries = json.loads(b"[" + b",".join(lines) + b"]")
    except (ValueError, RecursionError):
        entries = map(_entry, lines)
    found = list(filter(None, map(_remark, entries)))
    return _standing(found) if any(remark is None for _, remark in found) else cast("Remarks", dict(found))


def keep_remarks(path: Path, remarks: Iterable[tuple[About, Remark]]) -> None:
    """Append remarks. The caller holds the lock.

    Raises:
        FileError: the system refused.
    """
    _append(path, [{**_keys(about), **remark._asdict()} for about, remark in remarks])


def take_remarks_back(path: Path, abouts: Iterable[About]) -> None:
    """Append to a list, if there is one, that the newest remarks on rows are taken back. The caller holds the lock.

    Raises:
        FileError: the system refused.
    """
    lines = [{**_keys(about), "undone": True} for about in abouts]
    if lines and path.exists():
        _append(path, lines)


def _keys(about: About) -> dict[str, Any]:
    return {"about": about.what, "status": about.status}


def _append(path: Path, entries: Iterable[Mapping[str, Any]]) -> None:
    lines = "".join(json.dumps(entry) + "\n" for entry in entries)
    try:
        with open(path, "a+b", buffering=0, opener=lambda name, flags: os.open(name, flags | _NO_TRAP, 0o666)) as file:
            file.seek(max(0, file.seek(0, os.SEEK_END) - 1))
            begun = b"" if file.read() in (b"", b"\n") else b"\n"  # of a line that was cut
            write_all(file.fileno(), begun + lines.encode())
    except OSError as error:
        raise refused("append to it", path, error) from None


def _entry(line: bytes) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError):
        return None


def _standing(found: Iterable[tuple[About, Remark | None]]) -> Remarks:
    """Return the newest remark on each row that is not taken back."""
    said: dict[About, list[Remark]] = defaultdict(list)
    for about, remark in found:
        if remark is not None:
            said[about].append(remark)
        elif said[about]:
            said[about].pop()
    return {about: remarks[-1] for about, remarks in said.items() if remarks}


def _remark(entry: Any) -> tuple[About, Remark | None] | None:
    """Return what an entry says of a row, None for what takes a remark back; None where it cannot be read."""
    try:
        about = About(entry["about"], entry["status"])
        sound = isinstance(about.what, int | str) and isinstance(about.status, str)
        if entry.get("undone") is True:
            return (about, None) if sound else None
        note, seconds = entry["note"], entry["seconds"]
        known = isinstance(note, str) and (seconds is None or 0 <= seconds < math.inf)
        return (about, Remark(note_of(note), seconds)) if sound and known else None
    except (AttributeError, KeyError, TypeError):
        return None
