"""The comparisons: a table of its own beside the evaluations, append-only too, each row what somebody found of two ids.

``better,worse,tie``: the first of the two points was found to be better, or, where ``tie`` says yes, as good as the
second. Every row counts: who judges may contradict himself. But one whose ``tie`` is undone, or undone:tie, takes back
another that says the same of its two points. Other columns are kept.

Two further columns are there where somebody has needed one: ``judge``, who said so, and ``ranking``, a number that the
rows of one ranking share. These are its neighbours, ``4,7,`` and ``7,2,yes`` of 4 over 7 as good as 2.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from ordbo_cli.files.durable.journal import read_patiently
from ordbo_cli.files.tables.dialect import (
    Dialect,
    Record,
    cell_column,
    delimiters,
    find_header,
    harmless,
    lines_of,
    newline_of,
)
from ordbo_cli.files.tables.faults import Faults
from ordbo_cli.files.tables.header import Wanted, find_columns
from ordbo_cli.files.tables.judge_scores import Scores, weighed_scores
from ordbo_cli.files.tables.judged import Answer, Judged, JudgedRanking, answers_of
from ordbo_cli.files.tables.table import LARGEST_ID, UNDONE, Table, append_cells, columns_of
from ordbo_cli.problem import Problem
from ordbo_cli.problem.spelling import Note, quoted, shown_path

COLUMNS: Final = ("better", "worse", "tie")
ALL_COLUMNS: Final = (*COLUMNS, "judge", "ranking")
_NEEDED: Final = COLUMNS[:2]
_ID: Final = re.compile(r"[0-9]{1,16}(\.0*)?")  # tables that went through pandas have ids such as 17.0
_SAID: Final = {"": False, "no": False, "false": False, "0": False, "yes": True, "true": True, "1": True, "tie": True}
_UNDONE: Final = re.compile("undone(?::(.*))?")


class Judgements(NamedTuple):
    """The comparisons of a study.

    Args:
        table: the file they are in, without rows.
        judged: what its rows say, in file order, without what was taken back.
        rows: all of them.
        called: what columns of a new file are called instead, by their names here.
        scored: what the scores say that judges gave in the evaluations.
    """

    table: Table
    judged: tuple[Judged, ...] = ()
    rows: tuple[Judged, ...] = ()
    called: Mapping[str, str] = {}
    scored: tuple[Scores, ...] = ()

    @property
    def ids(self) -> frozenset[int]:
        """The ids that were compared, or scored."""
        compared = (id for each in self.judged for id in (each.better, each.worse))
        return frozenset([*compared, *(id for each in self.scored for id in each.ids)])

    @property
    def answers(self) -> list[Answer]:
        """What was said at a time: comparisons of two points, and rankings."""
        return answers_of(self.judged)[0]

    @property
    def judges(self) -> tuple[str, ...]:
        """The names of those who judged, in order of their first answers."""
        named = (each.judge for each in self.judged if each.judge)
        return tuple(dict.fromkeys([*named, *(each.judge for each in self.scored)]))

    def weighed(self, known: Collection[int] | None = None) -> list[tuple[Judged, float]]:
        """Return all that was said of two points each, oldest first, then by scores, with what each counts.

        Of many scores there are so many pairs as the model sees (:func:`.score_pairs`).

        Args:
            known: ids of the points that are meant; None for all. What is left of a ranking is a ranking of these.
        """
        said: list[tuple[Judged, float]] = []
        there = None if known is None else set(known)
        for each in self.answers:
            if isinstance(each, JudgedRanking):
                said += (each if there is None else each.within(there)).pairs
            elif there is None or there.issuperset(each.ids):
                said.append((each, 1.0))
        scored = self.scored if there is None else [each.within(there) for each in self.scored]
        return [*said, *weighed_scores(scored, len(said))]

    @property
    def number(self) -> int:
        """How many comparisons of two points there are, all of rankings among them, and those of scores."""
        return len(self.weighed())

    def latest(self, one: int, other: int, judge: str = "") -> Judged | None:
        """Return what a judge found last of two ids; None where they were never compared."""
        pair = {one, other}
        for each in reversed(self.answers):
            if each.judge == judge and pair <= {*each.ids}:
                pairs = [said for said, _ in each.pairs] if isinstance(each, JudgedRanking) else [each]
                return next(said for said in pairs if {*said.ids} == pair)
        return None

    def has_latest(self, ranking: JudgedRanking) -> bool:
        """Return whether a ranking is what its judge said last of two of its points or more."""
        ids = {*ranking.ids}
        about = (each for each in reversed(self.answers) if each.judge == ranking.judge and len(ids & {*each.ids}) > 1)
        newest = next(about, None)
        return isinstance(newest, JudgedRanking) and _alike(newest) == _alike(ranking)

    @property
    def next_ranking(self) -> int:
        """The number of the next ranking."""
        return 1 + max((each.ranking for each in self.rows), default=0)

    def with_more(self, *judged: Judged) -> Judgements:
        """Return the comparisons as they are read again once rows are appended."""
        line = 1 + max((each.line for each in self.rows), default=1)
        rows = (*self.rows, *(each._replace(line=line + k) for k, each in enumerate(judged)))
        return self._replace(rows=rows, judged=_counting(rows))

    def append(self, *judged: Judged) -> None:
        """Append comparisons, all or none. The caller holds the lock.

        Raises:
            FileError: the system refused; what was there is untouched.
        """
        names = ALL_COLUMNS if any(each.judge or each.ranking for each in judged) else COLUMNS
        called = {} if self.table.columns else self.called
        cells = [{called.get(name, name): text for name, text in cells_of_comparison(each).items()} for each in judged]
        append_cells(self.table, [called.get(name, name) for name in names], cells)


def columns_called(problem: Problem) -> dict[str, str]:
    """Return what a problem file calls columns of comparisons instead, by their names here."""
    others = columns_of(problem)
    return {name: column for name, column in problem.columns if name in ALL_COLUMNS and name not in others}


def cells_of_comparison(judged: Judged) -> dict[str, str]:
    """Return a row's cells by column."""
    said = ("undone:tie" if judged.tie else UNDONE) if judged.undone else "yes" if judged.tie else ""
    numbers = {"better": str(judged.better), "worse": str(judged.worse), "ranking": str(judged.ranking or "")}
    return {**numbers, "tie": said, "judge": harmless(judged.judge)}


def _alike(ranking: JudgedRanking) -> list[set[int]]:
    return [set(group) for group in ranking.groups]


def read_comparisons(path: Path, known: Collection[int], called: Mapping[str, str] = {}) -> Judgements:
    """Read the comparisons; a missing file holds none.

    Args:
        path: of the file.
        known: ids of the evaluations' rows.
        called: what columns are called instead, by their names here.

    Raises:
        ManyErrors: of DataError, one for each mistake, each beginning ``file:line:column: ``.
        FileError: the system refused to read it.
    """
    reader = partial(_ComparisonReader, path, known, called)
    found = read_patiently(path, "file of comparisons", lambda content: reader().read(content))
    return found or Judgements(Table(path), called=called)


class _ComparisonReader:
    """Reads one file of comparisons."""

    def __init__(self, path: Path, known: Collection[int], called: Mapping[str, str]) -> None:
        self._path = path
        self._known = known
        self._called = called
        self._named = [called.get(name, name) for name in ALL_COLUMNS]
        self._faults = Faults(shown_path(path))
        self._columns: dict[str, int] = {}
        self._text = ""
        self._delimiter = ","
        self._notes: list[str] = []

    def read(self, content: bytes) -> Judgements:
        self._text = self._faults.decoded(content)
        self._delimiter = delimiters(self._text, self._named)[0]
        dialect = Dialect(self._delimiter, newline_of(self._text))
        found = self._faults.records(self._text, self._delimiter, "Look for a quotation mark alone")
        header = find_header(found, self._named)
        if header is None:
            empty = Table(self._path, dialect=Dialect(newline=dialect.newline), size=len(content))
            return Judgements(empty, called=self._called)
        self._header(header)
        rows = [row for row in found if row.line > header.line and not row.comment]
        judged = [each for row in rows if (each := self._judged(row)) is not None]
        self._faults.raise_any()
        counting = _counting(judged)
        notes = [Note(f"{self._faults.source}: {note}") for note in self._notes]
        for line, what in answers_of(counting)[1]:
            notes.append(Note(f"{self._faults.source}:{line}: {what}; they count as comparisons of two"))
        table = Table(
            self._path, self._columns, len(header.cells), (), dialect, tuple(notes), len(content), header=header.cells
        )
        return Judgements(table, counting, tuple(judged), self._called)

    def _header(self, header: Record) -> None:
        found = find_columns(
            header.cells,
            [Wanted(name, self._called.get(name, "")) for name in ALL_COLUMNS],
            partial(self._fault, header),
        )
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
        ranking = self._ranking(row)
        judged = Judged(row.line, better, worse, tie, undone, self._cell(row, "judge"), ranking)
        return None if self._faults.count > before else judged

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
        place, text = self._columns.get("tie"), self._cell(row, "tie")
        undone = _UNDONE.fullmatch(text.lower())
        said = _SAID.get((undone[1] or "") if undone else text.lower())
        if said is None and place is not None:
            self._fault(row, place, f"{quoted(text)} is no answer", "Write yes where both are as good, else nothing")
        return bool(said), undone is not None

    def _ranking(self, row: Record) -> int:
        """Return the number of the ranking that a row is a part of, 0 where it is of none."""
        text = self._cell(row, "ranking")
        number = int(text.partition(".")[0]) if _ID.fullmatch(text) else 0
        if text and not 1 <= number <= LARGEST_ID:
            hint = "The rows of one ranking share a number, from 1 on; others have none"
            self._fault(row, self._columns["ranking"], f"{quoted(text)} is no number of a ranking", hint)
        return number

    def _cell(self, row: Record, name: str) -> str:
        """Return a cell, "" where the row has none."""
        place = self._columns.get(name)
        return row.cells[place] if place is not None and place < len(row.cells) else ""

    def _fault(self, row: Record, place: int, message: str, hint: str) -> None:
        line = next((text for k, text in enumerate(lines_of(self._text), 1) if k == row.line), "")
        self._faults.add(row.line, cell_column(line, self._delimiter, place), message, hint)


def _counting(judged: Sequence[Judged]) -> tuple[Judged, ...]:
    """Return the comparisons that count, without those that were taken back: the newest that say so of each two.

    What names a judge or a ranking takes back that one's; what names none the same of nobody, or else of anybody.
    """
    counts = [each for each in judged if not each.undone]
    for undone in (each for each in judged if each.undone):
        alike = [each for each in counts if each.says(undone)]
        anybody = [] if undone.judge or undone.ranking else alike
        if alike := [each for each in alike if each.is_part_of(undone)] or anybody:
            counts.remove(next((each for each in reversed(alike) if each.line < undone.line), alike[0]))
    return tuple(counts)
