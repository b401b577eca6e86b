"""The evaluations: somebody's table, read by the names of its columns, every error at once."""

from __future__ import annotations

import contextlib
import csv
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from threading import Lock
from typing import Final, get_args

from ordbo_cli.errors import ManyErrors
from ordbo_cli.files.durable.journal import read_patiently
from ordbo_cli.files.tables.dialect import Dialect, Record, delimiters, find_header, lines_of, newline_of, records
from ordbo_cli.files.tables.faults import Faults
from ordbo_cli.files.tables.places import Places, Purpose
from ordbo_cli.files.tables.rows import RowReader
from ordbo_cli.files.tables.table import (
    Row,
    Status,
    Table,
    campaign_columns,
    judge_columns,
    remark_columns,
    result_columns,
)
from ordbo_cli.files.tables.table_columns import TableColumns
from ordbo_cli.problem import Fixed, Number, Parameter, Problem
from ordbo_cli.problem.spelling import Note, quoted, shown, shown_path, some

_STATUS: Final = "status"
_QUOTES: Final = "Look in this line or below for a quotation mark without its partner, or with a blank behind it"
_LONGEST_ID: Final = 15
_NOT_OK: Final = {*get_args(Status), "fail", "failure"} - {"ok"}
_SPREADSHEET_ERROR: Final = re.compile(r"#[^\W\d_a-z][^\W_a-z]*(/[^\W_a-z]+)?[!?]?")  # #DIV/0!, #N/A, #ZAHL!


class Evaluations:
    """A file of evaluations that is read again and again: where rows were added at its end, these alone are parsed.

    What :meth:`table` returns is the same as if all of it were parsed each time. Threads may share one.

    Args:
        path: the file.
        problem: what its rows are about.
    """

    def __init__(self, path: Path, problem: Problem) -> None:
        self.path = path
        self.problem = problem
        self._lock = Lock()
        self._last: tuple[bytes, Table, TableReader] | None = None

    def table(self) -> Table:
        """Read the evaluations; a missing file holds none.

        Raises:
            ManyErrors: of DataError, one for each mistake, each beginning ``file:line:column: ``.
            FileError: the system refused to read it.
        """
        with self._lock:
            return read_patiently(self.path, "file of evaluations", self._table) or Table(self.path)

    def _table(self, content: bytes) -> Table:
        last, self._last = self._last, None  # an error leaves a reader that is of no use
        if last is not None and content == last[0]:
            self._last = last
            return last[1]
        if last is not None and content.startswith(last[0]):
            before, table, reader = last
            with contextlib.suppress(ManyErrors, ValueError, csv.Error):  # found again in the whole, with its place
                table = reader.read_on(table, content[len(before) :])
                self._keep(content, table, reader)
                return table
        reader = self._reader()
        table = reader.table(content, self.path)
        self._keep(content, table, reader)
        return table

    def _reader(self) -> TableReader:
        return TableReader(self.problem, shown_path(self.path), "evaluations")

    def _keep(self, content: bytes, table: Table, reader: TableReader) -> None:
        if reader.reads_on and content.endswith(b"\n"):
            self._last = content, table, reader


def read_results(text: str, source: str, problem: Problem) -> Table:
    """Return a list of results: where a row has an id, that alone tells the point, and its values are then empty.

    Raises:
        ManyErrors: as :meth:`Evaluations.table`.
    """
    return TableReader(problem, shown_path(source), "results").table(
        text.encode("utf-8", "surrogatepass"), Path(source)
    )


def read_points(
    text: str, source: str, problem: Problem, tell: Callable[[str], object] = str
) -> list[dict[str, Number | str]]:
    """Return a list of points, each with all parameters by name; columns of other names are passed over.

    Args:
        text: the table.
        source: where it comes from, for messages.
        problem: whose points they are.
        tell: takes what people should know of how it was read.

    Raises:
        ManyErrors: as :meth:`Evaluations.table`.
    """
    reader = TableReader(problem, shown_path(source), "points")
    table = reader.table(text.encode("utf-8", "surrogatepass"), Path(source))
    for note in notes_of(table):
        tell(note)
    return [problem.mapping(row.values) for row in table.rows]


def notes_of(table: Table) -> list[str]:
    """Return what people should know of how a table was read; its warnings are of what stands in it, too."""
    return [each for each in table.warnings if isinstance(each, Note)]


class TableReader:
    """Reads one table for one purpose.

    Args:
        problem: what its rows are about.
        source: where it comes from, for messages.
        purpose: what it is for.
    """

    def __init__(self, problem: Problem, source: str, purpose: Purpose) -> None:
        self.problem = problem
        self.purpose = purpose
        self.faults = Faults(source)
        self.found = TableColumns(problem, purpose, self.faults)
        self.columns = self.found.places
        self.ours = self.found.ours
        self.spelt = self.ours | _words(problem)
        self.dialect = Dialect()
        self._read: tuple[Record, RowReader] | None = None
        self._lines = 0

    @property
    def reads_on(self) -> bool:
        """Whether rows below a table that was read can be read by themselves: they say nothing of those above."""
        by_themselves = self.dialect.delimiter == "," and not self.problem.ranked and not self.found.own
        return self._read is not None and by_themselves

    def read_on(self, table: Table, tail: bytes) -> Table:
        """Return a table that this reader has read, with the rows that were appended since.

        Raises:
            ManyErrors, ValueError, csv.Error: these cannot be read by themselves.
        """
        if self._read is None:
            raise ValueError("no table was read")
        header, reader = self._read
        text = tail.decode()
        if "\0" in text:
            raise ValueError("there is a NUL character")
        found = [Record(line + self._lines, cells) for line, cells in records(text, self.dialect.delimiter, self.spelt)]
        found = self._even(header, found)
        self._refuse_other_status(found, reader.places)
        rows = _rows(reader, self.in_our_words(found), len(table.rows))
        self.faults.raise_any()
        self._lines += sum(1 for _ in lines_of(text))
        return self._told(table._replace(rows=(*table.rows, *rows), size=table.size + len(tail)), reader)

    def table(self, content: bytes, path: Path) -> Table:
        """Return the table that a file's content is.

        Raises:
            ManyErrors: of DataError, one for each mistake.
        """
        text = self.faults.decoded(content)
        self.dialect = Dialect(self._delimiter(text), newline_of(text))
        found = self.faults.records(text, self.dialect.delimiter, _QUOTES, self.spelt)
        self.faults.raise_any()
        header = find_header(found, self.ours)
        if header is None:
            return self._empty(path, len(content))
        places = Places(text, self.dialect, self.columns, header.cells)
        self.found.read(header, places)
        found = self._even(header, [record for record in found if record.line > header.line])
        self.faults.raise_any()
        found = self.found.below_units(found, places)
        self.found.leave_own(found)
        self._decimals(found)
        places = Places(text, self.dialect, self.columns, header.cells)
        self._refuse_other_status(found, places)
        found = self.in_our_words(found)
        reader = RowReader(self.asked(), self.purpose, places, self.faults)
        rows = _rows(reader, found)
        if self.faults.count and self.problem.ranked and "id" in self.columns:
            reader, rows = self._rows_by_id(places, found) or (reader, rows)
        self.faults.raise_any()
        self._read, self._lines = (header, reader), sum(1 for _ in lines_of(text))
        width, orders = len(header.cells), reader.orders
        table = Table(path, self.columns, width, rows, self.dialect, (), len(content), orders, header=header.cells)
        return self._told(table, reader)

    def in_our_words(self, found: Sequence[Record]) -> list[Record]:
        """Return rows whose cells say what the problem calls it."""
        return list(found)

    def asked(self) -> Problem:
        """Return the problem as far as the table has columns for it."""
        return self.problem

    def _told(self, table: Table, reader: RowReader) -> Table:
        """Return a table with what people should know about its rows.

        Raises:
            ManyErrors: of DataError: a column that may hold ids may as well hold something else.
        """
        self.found.refuse_doubtful(reader)
        warnings = tuple(self._warnings(table.rows, reader.moved))
        return table._replace(warnings=warnings, blank=frozenset(reader.blank))

    def _delimiter(self, text: str) -> str:
        found = delimiters(text, self.ours)
        if len(found) > 1:
            hint = "Divide them by ',' or ';' or tabs alone"
            self.faults.add(1, 1, "more than one sign may divide the columns", hint)
        return found[0]

    def _empty(self, path: Path, size: int) -> Table:
        if self.purpose != "evaluations":
            self.faults.add(1, 1, "there is no header", "The first row names the columns")
            self.faults.raise_any()
        return Table(path, dialect=Dialect(newline=self.dialect.newline), size=size)

    def _even(self, header: Record, found: Sequence[Record]) -> list[Record]:
        """Return the rows that have a cell below each name, no more and no fewer; empty ones at the end do not count.

        A number below no name at the end of the header is one too many: 1,5 may have been cut in two.
        """
        width = len(header.cells)
        named = max((k + 1 for k, name in enumerate(header.cells) if name), default=0)
        known = self.found.names | self.found.remarks | self.found.sources
        added = self._added_at_the_end([known.get(k, name) for k, name in enumerate(header.cells[:named])])
        even = []
        for record in found:
            if self._is_comment(record, header):
                continue
            cells = record.cells
            if len(cells) > 1 and cells[1:] == header.cells[1:]:
                self.faults.add(record.line, 1, "the header stands here again", "Take this line out")
            elif (len(cells) < named and len(cells) != named - added) or any(cells[named:]):
                count = max(k + 1 for k, cell in enumerate(cells) if cell) if len(cells) > named else len(cells)
                words = f"{count} cell{'s stand' if count > 1 else ' stands'} below {named} columns"
                self.faults.add(record.line, 1, words, self._uneven_hint(count > named))
            else:
                even.append(record if len(cells) == width else Record(record.line, (*cells, *[""] * width)[:width]))
        return even

    def _added_at_the_end(self, names: Sequence[str]) -> int:
        """Return how many columns at the end are of parameters that were added later, of remarks, or of sources.

        Older rows may lack them.
        """
        added = {parameter.name for parameter in self.problem.free if parameter.past is not None}
        added |= remark_columns(names, self.problem) | campaign_columns(names, self.problem)
        added |= judge_columns(names, self.problem)
        return len(list(itertools.takewhile(added.__contains__, reversed(names))))

    def _is_comment(self, record: Record, header: Record) -> bool:
        """Return whether a row is passed over.

        A column of words may hold such as #12, and a spreadsheet writes its errors as #DIV/0!: those rows are data.
        """
        if not record.comment:
            return False
        if len(record.cells) != len(header.cells):
            return True
        first = self.found.names.get(0, "")
        words = {each.name for each in self.problem.parameters if isinstance(each, Fixed) or each.levels}
        words |= {self.problem.free[k].name for k in self.problem.ranked}
        words |= self.problem.words.keys()
        numbers = bool(first) and first not in words
        return numbers and not (_SPREADSHEET_ERROR.fullmatch(record.cells[0]) and any(record.cells[1:]))

    def _uneven_hint(self, long: bool) -> str:
        if not long:
            return "Is it cut?"
        if self.dialect.blank:
            return "The header has to name every column; values with blanks need quotation marks"
        return {
            ",": "Numbers with commas need quotation marks",
            ";": "Texts with semicolons need quotation marks",
            "\t": "Texts with tabs need quotation marks",
        }[self.dialect.delimiter]

    def _rows_by_id(self, places: Places, found: Sequence[Record]) -> tuple[RowReader, tuple[Row, ...]] | None:
        """Return the rows of a table that somebody has sorted, and their reader; None where that explains no error.

        Settings that are known by their order alone have places by the words of rows that came before.
        """
        cells = [record.cells[self.columns["id"]] for record in found]
        ids = [int(cell) if cell.isascii() and cell.isdigit() and len(cell) <= _LONGEST_ID else 0 for cell in cells]
        faults = Faults(self.faults.source)
        reader = RowReader(self.problem, self.purpose, places, faults)
        rows = _rows(reader, [found[k] for k in sorted(range(len(found)), key=ids.__getitem__)])
        if faults.count:
            return None
        self.faults = faults
        return reader, rows

    def _decimals(self, found: Sequence[Record]) -> None:
        """Find the decimal sign: files with semicolons may have commas."""
        if self.dialect.delimiter != ";":
            return
        from ordbo_cli.files.values.decimals import decimal_sign

        names = [each.name for each in self.problem.parameters if _has_numbers(each)]
        names += [name for name in result_columns(self.problem) if name not in self.problem.words]
        places = [self.columns[name] for name in names if name in self.columns]
        sign = decimal_sign((record.line, record.cells[k]) for record in found for k in places)
        self.dialect = self.dialect._replace(comma=sign.comma)
        if sign.clash:
            self.faults.add(sign.line, 1, sign.clash, sign.hint)
            self.faults.raise_any()

    def _refuse_other_status(self, found: Sequence[Record], places: Places) -> None:
        """Refuse failures in a column Status: that is not the one that is read, and they would count as successes."""
        others = [name for name in self.columns if name.lower() == _STATUS != name]
        if self.purpose == "points" or _STATUS in self.columns or not others:
            return
        for record in found:
            text = record.cells[self.columns[others[0]]]
            if text.lower() in _NOT_OK:
                column = places.column(record.line, self.columns[others[0]])
                words = f"column {quoted(others[0])}: {quoted(text)} would be passed over"
                self.faults.add(record.line, column, words, f"Call the column {_STATUS!r}")
                return

    def _warnings(self, rows: Sequence[Row], moved: Sequence[int]) -> Iterator[str]:
        source = self.faults.source
        yield from (Note(f"{source}: {note}") for note in self.found.notes)
        fidelity = self.problem.fidelity if self.purpose == "evaluations" and rows else None
        if fidelity is not None and fidelity.name not in self.columns:
            all_at = f"results count as {fidelity.highest}, but for answers to suggestions"
            yield Note(f"{source}: there is no column {quoted(fidelity.name)}: {all_at}")
        if again := self.found.again(rows):
            yield f"{source}: {_lines(again)} with an id that has a result above: the last one counts"
        if moved:
            yield f"{source}: {_lines(moved)} with the id of another point above: the last row of an id stands"
        if outside := [row.line for row in rows if row.outside and not row.campaign]:
            yield f"{source}: {_lines(outside)} outside the bounds, kept for the order only"
        if aside := [row for row in rows if row.aside and not row.campaign and self.purpose != "campaign"]:
            yield f"{source}: {_lines([row.line for row in aside])} set aside: {shown(aside[0].aside)}"


def _rows(reader: RowReader, found: Sequence[Record], first: int = 0) -> tuple[Row, ...]:
    """Return the rows of records, in the order of the file, the first of them at a place among all rows."""
    rows = [row for k, record in enumerate(found, first) if (row := reader.row(k, record)) is not None]
    rows.sort(key=lambda row: row.line)
    return tuple(row if row.position == k else row._replace(position=k) for k, row in enumerate(rows, first))


def _words(problem: Problem) -> set[str]:
    """Return the words that cells may hold."""
    words = {
        *itertools.chain(*problem.words.values()),
        *(each for parameter in problem.free for each in parameter.levels),
    }
    words |= {each.value for each in problem.parameters if isinstance(each, Fixed)}
    return {word for word in words if isinstance(word, str)}


def _has_numbers(parameter: Parameter | Fixed) -> bool:
    """Return whether the column of a parameter may hold numbers."""
    if isinstance(parameter, Fixed):
        return not isinstance(parameter.value, str)
    if parameter.type == "ranked":
        return False
    return not parameter.levels or any(not isinstance(level, str) for level in parameter.levels)


def _lines(lines: Sequence[int]) -> str:
    return f"{len(lines)} row{'s' if len(lines) > 1 else ''} (line {some(lines, 5, counted=False)})"
