"""What the state remembers of the evaluations: in which order their rows came, and the ids of those that have none.

A table is sorted, edited and saved by programs that know nothing of either. So every row leaves a mark, made of what it
says, with its id behind it. A row that comes back is put in its old place, wherever it stands by then; a row without a
mark came later than all that have one.
"""

from __future__ import annotations

import hashlib
from collections import defaultdict, deque
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from ordbo_cli.files.tables.table import Row, Status
from ordbo_cli.problem import Number

_DIGEST: Final = 5  # bytes of a mark: of 100,000 rows, two that differ have the same one in a study out of 200
_HEX: Final = 2 * _DIGEST
_LETTERS: Final[dict[Status, str]] = {
    "ok": "o", "failed": "f", "abandoned": "a", "expired": "e", "retry": "r", "pending": "p",
    "undone": "u",
}  # fmt: skip
_ANSWERS: Final = "ofa"


class Mark(NamedTuple):
    """A row that was there.

    Args:
        digest: of what it says.
        letter: of its status.
        id: of its point, given by the row or by the study.
    """

    digest: str
    letter: str
    id: int


class Recalled(NamedTuple):
    """Rows in the order in which they came.

    Args:
        rows: each with its place in that order as its position; rows without an id have the one that they had.
        gone: places of the marks of rows that are there no more.
    """

    rows: tuple[Row, ...]
    gone: frozenset[int] = frozenset()


def marks_of(rows: Iterable[Row]) -> tuple[Mark, ...]:
    """Return the marks of rows that all have ids, in the order in which they are given."""
    return tuple(Mark(_digest(row), _LETTERS[row.status], row.id or 0) for row in rows)


def marks_text(marks: Iterable[Mark]) -> str:
    """Return marks as one text, which JSON writes a hundred times as fast as a list."""
    return " ".join(f"{digest}{letter}{id}" for digest, letter, id in marks)


def marks_from(text: str) -> tuple[Mark, ...]:
    """Return the marks in a text.

    Raises:
        ValueError: it holds something else.
    """
    marks = tuple(Mark(word[:_HEX], word[_HEX : _HEX + 1], int(word[_HEX + 1 :])) for word in text.split())
    if any(letter not in _LETTERS.values() or id < 1 for _, letter, id in marks):
        raise ValueError("these are no marks")
    return marks


def recalled(rows: Sequence[Row], marks: Sequence[Mark]) -> Recalled:
    """Return rows in the order in which they came.

    A row that was changed where it stands is known by its place, so that an edited cell is no new row.
    """
    if not marks:
        return Recalled(tuple(_at(k, row) for k, row in enumerate(rows)))
    places = _places(rows, marks)
    taken = {place for place in places if place is not None}
    for k, (row, mark) in enumerate(zip(rows, marks, strict=False)):
        if places[k] is None and k not in taken and row.id in (None, mark.id):
            places[k] = k
            taken.add(k)
    later = iter(range(len(marks), len(marks) + len(rows)))
    found = [
        _at(next(later), row) if place is None else _as_it_was(row, place, marks[place])
        for row, place in zip(rows, places, strict=True)
    ]
    found.sort(key=lambda row: row.position)
    return Recalled(tuple(found), frozenset(range(len(marks))) - taken)


class Missing(NamedTuple):
    """Points whose newest answer is there no more.

    Args:
        gone: ids of which no answer is left.
        older: ids of which an older one stands now.
    """

    gone: frozenset[int]
    older: frozenset[int]


def missing_answers(recalled: Recalled, marks: Sequence[Mark], known: Collection[int]) -> Missing:
    """Return the points whose newest answer was in the table, and which nothing has been said of since.

    Args:
        recalled: the rows, all with their ids.
        marks: what was there.
        known: other ids of which that was found before.
    """
    newest: dict[int, int] = {}
    for place, mark in enumerate(marks):
        answered = mark.id in newest and marks[newest[mark.id]].letter in _ANSWERS
        if mark.letter != "p" and not (mark.letter == "e" and answered):
            newest[mark.id] = place
    lost = {id for id, place in newest.items() if place in recalled.gone and marks[place].letter in _ANSWERS}
    said = {row.id: row for row in recalled.rows if row.status != "pending"}
    lost = (lost | set(known)) - {id for id, row in said.items() if row.position >= len(marks)}
    older = frozenset(id for id in lost if id in said and said[id].status != "retry")
    return Missing(frozenset(lost) - older, older)


def _places(rows: Sequence[Row], marks: Sequence[Mark]) -> list[int | None]:
    """Return the place of each row among the marks, None where it has none."""
    pairs = zip(rows, marks, strict=False)
    same = next((k for k, (row, mark) in enumerate(pairs) if not _may_be(row, mark)), min(len(rows), len(marks)))
    free: dict[str, deque[int]] = defaultdict(deque)
    for place, mark in enumerate(marks[same:], same):
        free[mark.digest].append(place)
    return [*range(same), *(_take(free[_digest(row)], row, marks) for row in rows[same:])]


def _may_be(row: Row, mark: Mark) -> bool:
    return mark.digest == _digest(row) and row.id in (None, mark.id)


def _take(free: deque[int], row: Row, marks: Sequence[Mark]) -> int | None:
    """Take the first place that may be a row's: a row with an id has that of its own id."""
    place = next((place for place in free if row.id in (None, marks[place].id)), None)
    if place is not None:
        free.remove(place)
    return place


def _as_it_was(row: Row, place: int, mark: Mark) -> Row:
    if row.id is None:
        return row._replace(position=place, id=mark.id, numbered=False)
    return _at(place, row)


def _at(place: int, row: Row) -> Row:
    return row if row.position == place else row._replace(position=place)


def _digest(row: Row) -> str:
    """Return a digest of what a row says, the same for all spellings that agree to 12 digits."""
    return _digest_of(row.values, row.written, (*row.said, row.judge) if row.judge else row.said)


@lru_cache(maxsize=1 << 16)  # a run reads the rows that it has written again and again
def _digest_of(values: tuple[Number, ...], status: str, results: tuple[str, ...]) -> str:
    said = (*(f"{x:.12g}" for x in values), status, *results)
    return hashlib.blake2b("|".join(said).encode(), digest_size=_DIGEST).hexdigest()
