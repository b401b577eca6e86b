"""The evaluations: somebody's CSV, read by the names of its columns, every error at once."""

from __future__ import annotations

import csv
import io
import itertools
import time
from collections.abc import Iterable, Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Final, Literal, get_args

from ordbo_cli.errors import DataError, ManyErrors, MissingFileError, OrdboError
from ordbo_cli.problem import Fixed, Number, Parameter, Problem
from ordbo_cli.study.dialect import (
    Dialect,
    Record,
    cell_column,
    decimal_sign,
    delimiters,
    find_header,
    newline_of,
    records,
)
from ordbo_cli.study.journal import intent_of, whole
from ordbo_cli.study.numbers import exact_number, not_a_number, objective_value, parameter_value, same
from ordbo_cli.study.paths import read_bytes
from ordbo_cli.study.table import Row, Status, Table, columns_of, is_too_good, too_good_hint
from ordbo_cli.study.text import line_and_column, listed, meant, nearest, quoted, shown, shown_path

Purpose = Literal["evaluations", "results", "points"]
MOST_ERRORS: Final = 50
_NAPS: Final = (0.01, 0.03, 0.1)  # seconds between looks at a file that somebody may be writing
_STATUSES: Final[dict[str, Status]] = {"": "ok", **{status: status for status in get_args(Status)}}


def read_table(path: Path, problem: Problem) -> Table:
    """Read the evaluations; a missing file holds none.

    Raises:
        ManyErrors: of DataError, one for each mistake, each beginning ``file:line:column: ``.
        FileError: the system refused to read it.
    """
    for nap in _NAPS:
        content = _content(path)
        try:
            return _table(content, path, problem)
        except ManyErrors:
            # Half a row at the end may be one that is being written just now.
            if content is None or content.endswith((b"\n", b"\r")):
                raise
        time.sleep(nap)
    return _table(_content(path), path, problem)


def _content(path: Path) -> bytes | None:
    before = intent_of(path)
    try:
        content = read_bytes(path, "file of evaluations")
    except MissingFileError:
        return None
    return whole(content, (before, intent_of(path)))


def _table(content: bytes | None, path: Path, problem: Problem) -> Table:
    return Table(path) if content is None else _Reader(problem, shown_path(path), "evaluations").table(content, path)


def read_results(text: str, source: str, problem: Problem) -> Table:
    """Return a list of results: where a row has an id, that alone tells the point, and its values are then empty.

    Raises:
        ManyErrors: as :func:`read_table`.
    """
    return _Reader(problem, shown_path(source), "results").table(text.encode("utf-8", "surrogatepass"), Path(source))


def read_points(text: str, source: str, problem: Problem) -> list[dict[str, Number | str]]:
    """Return a list of points, each with all parameters by name; columns of other names are passed over.

    Raises:
        ManyErrors: as :func:`read_table`.
    """
    reader = _Reader(problem, shown_path(source), "points")
    table = reader.table(text.encode("utf-8", "surrogatepass"), Path(source))
    return [problem.mapping(row.values) for row in table.rows]


class _Faults:
    """Gathers the errors of a file, up to a number that people still read."""

    def __init__(self, source: str) -> None:
        self.source = source
        self.errors: list[OrdboError] = []
        self.count = 0

    def add(self, line: int, column: int, message: str, hint: str = "") -> None:
        self.count += 1
        if self.count <= MOST_ERRORS:
            self.errors.append(DataError(f"{self.source}:{line}:{column}: {message}", hint))

    def raise_any(self) -> None:
        if self.count > MOST_ERRORS:
            self.errors.append(DataError(f"{self.source}: {self.count - MOST_ERRORS} more errors like these"))
        if self.errors:
            raise ManyErrors(self.errors)


class _Reader:
    """Reads one CSV for one purpose."""

    def __init__(self, problem: Problem, source: str, purpose: Purpose) -> None:
        self.problem = problem
        self.purpose = purpose
        self.faults = _Faults(source)
        self.ours = {name for name in columns_of(problem) if purpose != "points" or name in problem.names}
        self.text = ""
        self.delimiter = ","
        self.columns: dict[str, int] = {}
        self.comma = False
        self.known: dict[int, tuple[Number, ...]] = {}

    def table(self, content: bytes, path: Path) -> Table:
        self.text = text = self._decoded(content)
        found = delimiters(text, self.ours)
        if len(found) > 1:
            self.faults.add(
                1, 1, "more than one sign may divide the columns", "Divide them by ',' or ';' or tabs alone"
            )
        self.delimiter = found[0]
        rows = self._records(text)
        self.faults.raise_any()
        header = find_header(rows, self.ours)
        if header is None:
            return self._empty(path, len(content))
        self._header(header)
        rows = self._even(header, [row for row in rows if row.line > header.line])
        self.faults.raise_any()
        self._decimals(rows)
        read = tuple(row for k, record in enumerate(rows) if (row := self._row(k, record)) is not None)
        self.faults.raise_any()
        dialect = Dialect(self.delimiter, newline_of(text), self.comma)
        return Table(path, self.columns, len(header.cells), read, dialect, tuple(self._warnings(read)), len(content))

    def _empty(self, path: Path, size: int) -> Table:
        if self.purpose != "evaluations":
            self.faults.add(1, 1, "there is no header", "The first row names the columns")
            self.faults.raise_any()
        return Table(path, dialect=Dialect(newline=newline_of(self.text)), size=size)

    def _decoded(self, content: bytes) -> str:
        try:
            text = content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            start = content[: error.start].decode("utf-8-sig", "replace")
            self.faults.add(*line_and_column(start, len(start)), "the file is not UTF-8 text", "Save it as UTF-8")
            self.faults.raise_any()
            raise
        if "\0" in text:
            where = line_and_column(text, text.index("\0"))
            self.faults.add(*where, "there is a NUL character", "The file was cut or is not a CSV: mend it by hand")
            self.faults.raise_any()
        return text

    def _records(self, text: str) -> list[Record]:
        found: list[Record] = []
        try:
            found.extend(records(text, self.delimiter))
        except csv.Error as error:
            line = found[-1].line + 1 if found else 1
            hint = "Look for a quotation mark without its partner in this line or below"
            self.faults.add(line, 1, f"this is not a CSV: {shown(str(error))}", hint)
        return found

    def _even(self, header: Record, rows: Sequence[Record]) -> list[Record]:
        """Return the rows that have as many cells as the header; empty cells at the end do not count."""
        width, first = len(header.cells), header.cells[0]
        even = []
        for row in rows:
            # A column of the user's own may hold texts such as #12: such a row is data.
            if row.comment and (first in self.ours or len(row.cells) != width):
                continue
            if len(row.cells) < width or any(row.cells[width:]):
                hint = "Numbers with commas need quotation marks" if len(row.cells) > width else "Is it cut?"
                self.faults.add(row.line, 1, f"{len(row.cells)} cells stand below {width} columns", hint)
            else:
                even.append(Record(row.line, row.cells[:width]))
        return even

    def _header(self, header: Record) -> None:
        for k, name in enumerate(header.cells):
            if name not in self.columns:
                self.columns[name] = k
            elif name in self.ours:
                column = self._column(header.line, k)
                self.faults.add(header.line, column, f"the column {quoted(name)} stands twice", "Rename one of them")
        if header.cells[0].startswith("%"):
            hint = "Divide its columns by commas, and call the first one id"
            self.faults.add(header.line, 1, "Dakota's tabular format is not supported yet", hint)
            return
        for name in self._needed():
            if name not in self.columns:
                guess = nearest(name, [cell for cell in header.cells if cell and cell not in self.ours])
                hint = f"Is it {quoted(guess)}?" if guess else f"There are {listed(header.cells)}"
                self.faults.add(header.line, 1, f"there is no column {quoted(name)}", hint)

    def _needed(self) -> list[str]:
        free = [parameter.name for parameter in self.problem.free]
        if self.purpose == "points":
            return free
        if self.purpose == "evaluations":
            return [*free, self.problem.objective]
        by_id = "id" in self.columns and not any(name in self.columns for name in free)
        return [*([] if by_id else free), *([] if "status" in self.columns else [self.problem.objective])]

    def _decimals(self, rows: Sequence[Record]) -> None:
        """Find the decimal sign: files with semicolons may have commas."""
        if self.delimiter != ";":
            return
        names = [parameter.name for parameter in self.problem.parameters if isinstance(parameter, Parameter)]
        places = [self.columns[name] for name in (*names, self.problem.objective) if name in self.columns]
        found = decimal_sign((row.line, row.cells[k]) for row in rows for k in places)
        self.comma = found.comma
        if found.clash:
            hint = "Write all numbers of the file in one way, such as 1234.5, or 0,50 with commas"
            self.faults.add(found.line, 1, found.clash, hint)
            self.faults.raise_any()

    def _cell(self, record: Record, name: str) -> str:
        return record.cells[self.columns[name]] if name in self.columns else ""

    def _number(self, text: str) -> str:
        """Return a cell's number with a decimal point."""
        return text.replace(",", ".") if self.comma and "." not in text else text

    def _fault(self, record: Record, name: str, message: str, hint: str = "") -> None:
        column = self._column(record.line, self.columns.get(name, 0))
        self.faults.add(record.line, column, f"column {quoted(name)}: {message}", hint)

    def _column(self, line: int, cell: int) -> int:
        """Return where a cell begins; 1 past the errors that are shown, whose place nobody sees."""
        if self.faults.count >= MOST_ERRORS:
            return 1
        lines = itertools.islice(io.StringIO(self.text, newline=""), line - 1, line)
        return cell_column(next(lines, ""), self.delimiter, cell)

    def _row(self, index: int, record: Record) -> Row | None:
        before = self.faults.count
        id = self._id(record) if self.purpose != "points" else None
        values = self._values(record, id)
        status, objective, text = self._outcome(record) if self.purpose != "points" else ("pending", None, "")
        if self.faults.count > before or values is None:
            return None
        if id is not None and values:
            self.known[id] = values
        free = self.problem.free
        outside = bool(values) and any(not p.min <= v <= p.max for p, v in zip(free, values, strict=True))
        return Row(record.line, index, id, status, values, objective, text, outside, self._other_fixed(record))

    def _id(self, record: Record) -> int | None:
        text = self._cell(record, "id")
        if not text:
            return None
        try:
            number = exact_number(self._number(text))
        except ValueError:
            number = Decimal(0)
        # Tables that went through pandas have ids such as 17.0.
        if 1 <= number < 10**15 and number == number.to_integral_value():
            return int(number)
        self._fault(record, "id", f"{quoted(text)} is no id", "Ids are whole numbers from 1 on; or rename the column")
        return None

    def _values(self, record: Record, id: int | None) -> tuple[Number, ...] | None:
        """Return the free values; a row whose cells are all empty takes those of the rows before with its id."""
        free = self.problem.free
        if id is not None and not any(self._cell(record, parameter.name) for parameter in free):
            if id in self.known:
                return self.known[id]
            if self.purpose == "results":
                return ()
        values: list[Number] = []
        for parameter in free:
            text = self._cell(record, parameter.name)
            try:
                values.append(parameter_value(self._number(text), whole=parameter.type == "int"))
            except ValueError as error:
                message = f"{quoted(text)} will not do" if "has to be" in str(error) else not_a_number(text)
                self._fault(record, parameter.name, message, str(error))
        return tuple(values) if len(values) == len(free) else None

    def _outcome(self, record: Record) -> tuple[Status, Decimal | None, str]:
        """Return status, objective and its text, with a decimal point.

        A status of failed, abandoned or retry stands whatever the objective is. A pending or expired row in which
        somebody has filled in the objective is a result.
        """
        text = self._number(self._cell(record, self.problem.objective))
        status = self._status(record)
        if status in ("failed", "abandoned", "retry") or (status in ("pending", "expired") and not text):
            return status, None, text
        objective = self._objective(record, text)
        return ("failed" if objective is None else "ok"), objective, text

    def _status(self, record: Record) -> Status:
        text = self._cell(record, "status")
        status = _STATUSES.get(text.lower())
        if status is None:
            self._fault(record, "status", f"{quoted(text)} is no status", meant(text, get_args(Status)))
        return status or "ok"

    def _objective(self, record: Record, text: str) -> Decimal | None:
        name = self.problem.objective
        try:
            value = objective_value(text)
        except ValueError as error:
            hint = str(error) or "Write a number, or 'failed' where the simulation failed"
            self._fault(record, name, not_a_number(text), hint)
            return None
        if value is not None and is_too_good(value, self.problem):
            self._fault(record, name, f"{quoted(text)} would be the best value of all", too_good_hint(self.problem))
        return value

    def _other_fixed(self, record: Record) -> str:
        for parameter in self.problem.parameters:
            if isinstance(parameter, Fixed):
                text = self._cell(record, parameter.name)
                if text and not same(self._number(text), parameter.value):
                    return f"{parameter.name} is {text}, not {parameter.value}"
        return ""

    def _warnings(self, rows: Iterable[Row]) -> Iterator[str]:
        rows, source = list(rows), self.faults.source
        if outside := [row.line for row in rows if row.outside]:
            yield f"{source}: {_lines(outside)} outside the bounds, kept for the order only"
        if aside := [row for row in rows if row.aside]:
            yield f"{source}: {_lines([row.line for row in aside])} set aside: {shown(aside[0].aside)}"


def _lines(lines: Sequence[int]) -> str:
    some = ", ".join(str(line) for line in lines[:5]) + (", ..." if len(lines) > 5 else "")
    return f"{len(lines)} row{'s' if len(lines) > 1 else ''} (line {some})"
