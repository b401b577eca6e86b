"""The comparisons: a table of its own beside the evaluations, append-only too, each row what somebody found of two ids.

``better,worse,tie``: the first of the two points was found to be better, or, where ``tie`` says yes, as good as the
second. Every row counts: who judges may contradict himself. But one whose ``tie`` is undone, or undone:tie, takes back
another that says the same of its two points. Other columns are kept.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from ordbo_cli.files.durable.journal import read_patiently
from ordbo_cli.files.tables.dialect import Dialect, Record, cell_column, delimiters, find_header, lines_of, newline_of
from ordbo_cli.files.tables.faults import Faults
from ordbo_cli.files.tables.header import Wanted, find_columns
from ordbo_cli.files.tables.table import LARGEST_ID, UNDONE, Table, append_cells
from ordbo_cli.problem.spelling import Note, quoted, shown_path

COLUMNS: Final = ("better", "worse", "tie")
_NEEDED: Final = COLUMNS[:2]
_ID: Final = re.compile(r"[0-9]{1,16}(\.0*)?")  # tables that went through pandas have ids such as 17.0
_SAID: Final = {"": False, "no": False, "false": False, "0": False, "yes": True, "true": True, "1": True, "tie": True}
_UNDONE: Final = re.compile("undone(?::(.*))?")


class Judged(NamedTuple):
    """One comparison.

    Args:
        line: where it stands in the file, from 1.
        better, worse: ids of the points; of a tie in either order.
        tie: whether both were found to be alike.
        undone: whether such a comparison is taken back.
    """

    line: int
    better: int
    worse: int
    tie: bool = False
    undone: bool = False

    @property
    def words(self) -> str:
        """What was found."""
        return f"{self.better} {'as good as' if self.tie else 'over'} {self.worse}"

    def says(self, other: Judged) -> bool:
        """Return whether another one found the same of the same points."""
        same_pair = {self.better, self.worse} == {other.better, other.worse}
        return self.tie == other.tie and (same_pair if self.tie else self[1:3] == other[1:3])


class Judgements(NamedTuple):
    """The comparisons of a study.

    Args:
        table: the file they are in, without rows.
        judged: what its rows say, in file order, without what was taken back.
        rows: all of them.
    """

    table: Table
    judged: tuple[Judged, ...] = ()
    rows: tuple[Judged, ...] = ()

    @property
    def ids(self) -> frozenset[int]:
        """The ids that were compared."""
        return frozenset(id for each in self.judged for id in (each.better, each.worse))

    def latest(self, one: int, other: int) -> Judged | None:
        """Return what was found last of two ids; None where they were never compared."""
        pair = {one, other}
        return next((each for each in reversed(self.judged) if {each.better, each.worse} == pair), None)

    def with_more(self, judged: Judged) -> Judgements:
        """Return the comparisons as they are read again once a row is appended."""
        rows = (*self.rows, judged._replace(line=1 + max((each.line for each in self.rows), default=1)))
        return self._replace(rows=rows, judged=_counting(rows))

    def append(self, judged: Judged) -> None:
        """Append a comparison. The caller holds the lock.

        Raises:
            FileError: the system refused; what was there is untouched.
        """
        said = ("undone:tie" if judged.tie else UNDONE) if judged.undone else "yes" if judged.tie else ""
        cells = {"better": str(judged.better), "worse": str(judged.worse), "tie": said}
        append_cells(self.table, COLUMNS, [cells])


def read_comparisons(path: Path, known: Collection[int]) -> Judgements:
    """Read the comparisons; a missing file holds none.

    Args:
        path: of the file.
        known: ids of the evaluations' rows.

    Raises:
        ManyErrors: of DataError, one for each mistake, each beginning ``file:line:column: ``.
        FileError: the system refused to read it.
    """
    found = read_patiently(path, "file of comparisons", lambda content: _ComparisonReader(path, known).read(content))
    return found or Judgements(Table(path))


class _ComparisonReader:
    """Reads one file of comparisons."""

    def __init__(self, path: Path, known: Collection[int]) -> None:
        self._path = path
        self._known = known
        self._faults = Faults(shown_path(path))
        self._columns: dict[str, int] = {}
        self._text = ""
        self._delimiter = ","
        self._notes: list[str] = []

    def read(self, content: bytes) -> Judgements:
        self._text = self._faults.decoded(content)
        self._delimiter = delimiters(self._text, COLUMNS)[0]
        dialect = Dialect(self._delimiter, newline_of(self._text))
        found = self._faults.records(self._text, self._delimiter, "Look for a quotation mark alone")
        header = find_header(found, COLUMNS)
        if header is None:
            return Judgements(Table(self._path, dialect=Dialect(newline=dialect.newline), size=len(content)))
        self._header(header)
        rows = [row for row in found if row.line > header.line and not row.comment]
        judged = [each for row in rows if (each := self._judged(row)) is not None]
        self._faults.raise_any()
        notes = tuple(Note(f"{self._faults.source}: {note}") for note in self._notes)
        table = Table(
            self._path, self._columns, len(header.cells), (), dialect, notes, len(content), header=header.cells
        )
        return Judgements(table, _counting(judged), tuple(judged))

    def _header(self, header: Record) -> None:
        found = find_columns(header.cells, [Wanted(name) for name in COLUMNS], partial(self._fault, header))
        self._columns.update(found.places)
        self._notes = found.told
        for k, name in enumerate(header.cells):
            if k not in found.places.values():
                self._columns.setdefault(name, k)
        for name in _NEEDED:
            if name not in self._columns:
                hint = "Its columns are better,worse,tie: two ids, and yes for a tie"
                self._faults.add(header.line, 1, f"there is no column {quoted(name)}", hint)
        self._faults.raise_any()

    def _judged(self, row: Record) -> Judged | None:
        before = self._faults.count
        if len(row.cells) < 1 + max(self._columns[name] for name in _NEEDED):
            self._faults.add(row.line, 1, f"there are {len(row.cells)} cells", "Is it cut?")
            return None
        better, worse = (self._id(row, self._columns[name]) for name in _NEEDED)
        if better and better == worse:
            self._fault(row, self._columns["worse"], f"{better} is compared with itself", "Name two points")
        tie, undone = self._tie(row)
        return None if self._faults.count > before else Judged(row.line, better, worse, tie, undone)

    def _id(self, row: Record, place: int) -> int:
        """Return an id, 0 where there is none, which is noted."""
        text = row.cells[place]
        number = int(text.partition(".")[0]) if _ID.fullmatch(text) else 0
        if not 1 <= number <= LARGEST_ID:
            self._fault(row, place, f"{quoted(text)} is no id", "Ids are those of the evaluations, from 1 on")
        elif number not in self._known:
            self._fault(row, place, f"no evaluation has the id {number}", "Ids are those of the evaluations' rows")
        return number

    def _tie(self, row: Record) -> tuple[bool, bool]:
        """Return whether a row says tie, and whether it takes that, or a preference, back."""
        place = self._columns.get("tie")
        text = row.cells[place] if place is not None and place < len(row.cells) else ""
        undone = _UNDONE.fullmatch(text.lower())
        said = _SAID.get((undone[1] or "") if undone else text.lower())
        if said is None and place is not None:
            self._fault(row, place, f"{quoted(text)} is no answer", "Write yes where both are as good, else nothing")
        return bool(said), undone is not None

    def _fault(self, row: Record, place: int, message: str, hint: str) -> None:
        line = next((text for k, text in enumerate(lines_of(self._text), 1) if k == row.line), "")
        self._faults.add(row.line, cell_column(line, self._delimiter, place), message, hint)


def _counting(judged: Sequence[Judged]) -> tuple[Judged, ...]:
    """Return the comparisons that count, without those that were taken back: the newest that say so of each two."""
    counts = [each for each in judged if not each.undone]
    for undone in (each for each in judged if each.undone):
        alike = [each for each in counts if each.says(undone)]
        if alike:
            counts.remove(next((each for each in reversed(alike) if each.line < undone.line), alike[0]))
    return tuple(counts)
