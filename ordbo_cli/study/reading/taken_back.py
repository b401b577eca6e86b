"""Rows that are taken back: an undone row says which one, so that both may stand in any order, and neither counts.

Each takes back one row that says what it says, of its id or else of its values: the newest before it, or where somebody
has sorted the table the first behind it. What somebody says once more after that stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from typing import Final

from ordbo_cli.files.handed import Pending
from ordbo_cli.files.tables.table import UNDONE, Row

_NOBODY: Final = -1


def pairs(rows: Sequence[Row]) -> dict[int, Row]:
    """Return the row that each undone row takes back, by the position of the undone one; none for what finds none.

    Args:
        rows: of one point, or of one place where they have no ids, in the order in which they came.
    """
    found: dict[int, Row] = {}
    taken: set[int] = set()
    for undone in rows:
        if undone.status != UNDONE:
            continue
        alike = [row for row in rows if undone.takes_back(row) and row.position not in taken]
        before = [row for row in alike if row.position < undone.position]
        if alike:
            found[undone.position] = before[-1] if before else alike[0]
            taken.add(found[undone.position].position)
    return found


def counting(rows: Sequence[Row]) -> tuple[Row, ...]:
    """Return the rows, in the order in which they came, that count: neither undone ones, nor what these take back."""
    if not any(row.status == UNDONE for row in rows):
        return tuple(rows)
    points: dict[int | None, list[Row]] = defaultdict(list)
    for row in rows:
        points[row.id].append(row)
    taken = {row.position for each in points.values() for row in pairs(each).values()}
    return tuple(row for row in rows if row.status != UNDONE and row.position not in taken)


def suggestions_taken_back(rows: Iterable[Row], left: Iterable[Row]) -> frozenset[int]:
    """Return the ids of suggestions that were taken back, and of which nothing else is said.

    Args:
        rows: all of them, with ids.
        left: those that count.
    """
    said = {row.id for row in left}
    undone = {row.id for row in rows if row.status == UNDONE and row.undoes == "pending"}
    return frozenset(id for id in undone if id is not None and id not in said)


def still_out(pending: Sequence[Pending], rows: Sequence[Row], left: Collection[Row]) -> list[Pending]:
    """Return suggestions without those that were taken back since they were handed out.

    Args:
        pending: what was handed out, the last time that each was.
        rows: all of them, with ids.
        left: those that count.
    """
    undone = {row.id: row.position for row in rows if row.status == UNDONE and row.undoes == "pending"}
    if not undone:
        return list(pending)
    status = {row.id: row.status for row in left}
    gone = suggestions_taken_back(rows, left)
    handed_again = {each.id for each in pending if each.rows > undone.get(each.id, _NOBODY)}
    waits = {id for id in undone if status.get(id) == "retry"}
    return [each for each in pending if each.id not in gone and (each.id not in waits or each.id in handed_again)]
