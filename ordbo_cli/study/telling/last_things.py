"""What was recorded, one thing after the other, as far as the files tell in which order: what an undo takes back."""

from __future__ import annotations

from bisect import insort
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from ordbo_cli.files.handed import Pending
from ordbo_cli.files.tables.judged import Answer
from ordbo_cli.files.tables.table import UNDONE, Row
from ordbo_cli.study.reading.study_files import StudyFiles

Place = tuple[int, int, int, int]
"""The row of the evaluations before which (0) or with which (1) something came, and the how manieth it was there.

The last number is that of a comparison that is known to have come after it.
"""


class Thing(NamedTuple):
    """Something that was recorded.

    Args:
        place: in the order in which things came.
        rows: of the evaluations that say it: of a suggestion those that say that it is out, perhaps none.
        handed: the suggestion, where it is one.
        judged: the comparison or the ranking, where it is one.
    """

    place: Place
    rows: tuple[Row, ...] = ()
    handed: Pending | None = None
    judged: Answer | None = None

    def is_about(self, id: int) -> bool:
        """Return whether a point has to do with it."""
        if self.judged is not None:
            return id in self.judged.ids
        return id == self.id

    @property
    def id(self) -> int | None:
        """The point, unless it is a comparison of several."""
        return self.handed.id if self.handed else self.rows[0].id if self.rows else None


def things(files: StudyFiles, handed: Sequence[Pending], *, compared_last: bool | None) -> list[Thing]:
    """Return what stands of all that was recorded, in the order in which it came.

    A suggestion and its pending row are one thing. Comparisons have a file of their own, which does not tell when they
    came: each has its place behind the first answers of both its points, and behind those before it.

    Args:
        files: the files as they are.
        handed: what was handed out, oldest first, as often as it was.
        compared_last: whether the last comparison came after all else; None where nobody knows.
    """
    made = _suggestions(files, handed)
    rows = {row.position for thing in made for row in thing.rows}
    made += [Thing((row.position, 1, 0, 0), (row,)) for row in files.ledger.rows if row.position not in rows]
    made.sort(key=lambda thing: thing.place)
    first: dict[int | None, Place] = {}
    for thing in sorted(made, key=lambda thing: thing.handed is not None):
        first.setdefault(thing.id, thing.place)
    place = (0, 0, 0, 0)
    for k, judged in enumerate(files.judgements.answers, 1):
        place = (*max(place, *(first.get(id, place) for id in judged.ids))[:3], k)
        insort(made, Thing(place, judged=judged), key=lambda thing: thing.place)
    of_kind = [k for k, thing in enumerate(made) if (thing.judged is not None) == compared_last]
    if of_kind:
        made.append(made.pop(of_kind[-1]))
    return made


def _changed(path: Path) -> int:
    """Return when a file was changed, in nanoseconds; 0 where it is not there."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


def was_compared_last(files: StudyFiles) -> bool | None:
    """Return whether the last comparison is younger than all other rows, by the times of the files; None if unknown.

    Where the last row of the youngest file takes another one back, its time is that of an undo, and says nothing.
    """
    file = files.file
    row, judged = max(files.table.rows, key=lambda row: row.line, default=None), files.judgements.rows[-1:]
    compared = _changed(file.comparisons)
    others = max((_changed(file.evaluations), row is not None and row.status == UNDONE), (_changed(file.handed), False))
    if compared > others[0]:
        return None if judged and judged[0].undone else True
    return None if others[1] or compared == others[0] else False


def out_after(handed: Sequence[Pending], rows: Sequence[Row], place: int) -> bool:
    """Return whether a point was handed out, and that not taken back, after a row at some place.

    Args:
        handed: what was handed out of this point, oldest first.
        rows: of the evaluations.
        place: of the row; -1 for any time.
    """
    return any(each.rows > place for each in _standing(handed, rows))


def _suggestions(files: StudyFiles, handed: Sequence[Pending]) -> list[Thing]:
    known = {each.id for each in files.pending} | files.ledger.ids
    order = {id(each): k for k, each in enumerate(handed)}
    of_id: dict[int, list[Pending]] = defaultdict(list)
    for each in handed:
        if each.id in known:
            of_id[each.id].append(each)
    pending: dict[int | None, list[Row]] = defaultdict(list)
    for row in files.ledger.rows:
        if row.status == "pending" and not row.judge:
            pending[row.id].append(row)
    return [
        Thing((each.rows, 0, order[id(each)], 0), rows, each)
        for number, times in of_id.items()
        for each, rows in _with_rows(list(_standing(times, files.table.rows)), pending[number])
    ]


def _standing(handed: Sequence[Pending], rows: Sequence[Row]) -> list[Pending]:
    """Return the times at which a point was handed out that were not taken back; each such row is of the last one."""
    ids = {each.id for each in handed}
    ends = [row.position for row in rows if row.status == UNDONE and row.undoes == "pending" and row.id in ids]
    times: list[Pending] = []
    left = list(handed)
    for end in [*ends, None]:
        while left and (end is None or left[0].rows <= end):
            times.append(left.pop(0))
        if times and end is not None:
            times.pop()
    return times


def _with_rows(times: Sequence[Pending], rows: Sequence[Row]) -> Iterator[tuple[Pending, tuple[Row, ...]]]:
    """Yield each time with the pending rows that were written then, or since."""
    for k, each in enumerate(times):
        begin, end = each.rows - 1 if k else 0, times[k + 1].rows - 1 if k + 1 < len(times) else None  # its own counts
        yield each, tuple(row for row in rows if begin <= row.position and (end is None or row.position < end))
