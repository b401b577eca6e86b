"""How a CSV is written: found from the file itself, kept when rows are appended."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

DELIMITERS: Final = (",", ";", "\t")


@dataclass(frozen=True)
class Dialect:
    """The spelling of a CSV.

    Args:
        delimiter: between cells.
        newline: at the end of a row.
        comma: whether numbers have decimal commas.
    """

    delimiter: str = ","
    newline: str = "\n"
    comma: bool = False

    def number(self, text: str) -> str:
        """Return a number's text with this dialect's decimal sign."""
        return text.replace(".", ",") if self.comma else text

    def line(self, cells: Sequence[str]) -> str:
        """Return a row with its line end."""
        buffer = io.StringIO()
        csv.writer(buffer, delimiter=self.delimiter, lineterminator=self.newline).writerow(cells)
        return buffer.getvalue()


@dataclass(frozen=True)
class Record:
    """One row of cells, stripped of outer blanks, and the line where it begins."""

    line: int
    cells: tuple[str, ...]

    @property
    def comment(self) -> bool:
        """Whether it begins with ``#``, or is Excel's word on the delimiter (``sep=;``)."""
        return self.cells[0].startswith("#") or self.cells[0].lower().startswith("sep=")


def records(text: str, delimiter: str) -> Iterator[Record]:
    """Yield the rows of a CSV that hold anything, comments included.

    Raises:
        csv.Error: quotation marks do not match.
    """
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    begin = 1
    for cells in reader:
        stripped = tuple(cell.strip() for cell in cells)
        if any(stripped):
            yield Record(begin, stripped)
        begin = reader.line_num + 1


def newline_of(text: str) -> str:
    """Return the line end that a text uses first; LF where it has none."""
    found = re.search(r"\r\n|\r|\n", text)
    return found[0] if found else "\n"


def header_of(text: str, delimiter: str, wanted: Collection[str]) -> tuple[str, ...]:
    """Return the first row read with a delimiter; empty where there is none or its quotation marks do not match."""
    try:
        header = find_header(records(text, delimiter), wanted)
    except csv.Error:
        return ()
    return header.cells if header else ()


def find_header(rows: Iterable[Record], wanted: Collection[str]) -> Record | None:
    """Return the first row that is no comment, or a comment that names the columns (NumPy writes such headers)."""
    for row in rows:
        if not row.comment:
            return row
        cells = (row.cells[0].lstrip("# "), *row.cells[1:])
        if len(set(cells) & set(wanted)) > 1:
            return Record(row.line, cells)
    return None


def delimiters(text: str, wanted: Iterable[str]) -> list[str]:
    """Return the delimiters that find most of the wanted columns in the first row: several where it is unclear."""
    wanted = set(wanted)
    headers = {delimiter: header_of(text, delimiter, wanted) for delimiter in DELIMITERS}
    matches = {delimiter: len(wanted & set(headers[delimiter])) for delimiter in DELIMITERS}
    best = [delimiter for delimiter in DELIMITERS if matches[delimiter] == max(matches.values())]
    if max(matches.values()) > 1:
        return best
    # Too few columns of ours to judge by: the error to come lists the columns, so take what divides the row most.
    return [max(DELIMITERS, key=lambda delimiter: len(headers[delimiter]))]


def cell_column(line: str, delimiter: str, index: int) -> int:
    """Return the column, from 1, of the character at which a cell of a line begins."""
    quoted, seen = False, 0
    for k, character in enumerate(line):
        if seen == index:
            return k + 1
        quoted ^= character == '"'
        seen += character == delimiter and not quoted
    return len(line) + 1 if seen == index else 1


_COMMA: Final = re.compile(r"[-+]?[0-9]*,[0-9]*([eEdDqQ]?[-+]?[0-9]+)?")
_POINT: Final = re.compile(r"[-+]?[0-9]*\.[0-9]*([eEdDqQ]?[-+]?[0-9]+)?")
_THOUSANDS: Final = re.compile(r"[-+]?[1-9][0-9]{0,2},[0-9]{3}")


@dataclass(frozen=True)
class Decimals:
    """Which decimal sign a file uses.

    Args:
        comma: whether it is a comma.
        clash: why that cannot be told, or "".
        line: where.
    """

    comma: bool
    clash: str = ""
    line: int = 1


def decimal_sign(cells: Iterable[tuple[int, str]]) -> Decimals:
    """Return the decimal sign of a semicolon file from its numbers, given as (line, text)."""
    comma = point = sure = None
    for line, text in cells:
        if "," in text and _COMMA.fullmatch(text):
            comma = comma or (line, text)
            sure = sure or not _THOUSANDS.fullmatch(text)
        elif "." in text and _POINT.fullmatch(text):
            point = point or (line, text)
    if comma is None:
        return Decimals(comma=False)
    if point is not None:
        where = f"{comma[1]} has a decimal comma, but {point[1]} in line {point[0]} a decimal point"
        return Decimals(False, where, comma[0])
    if not sure:
        bare = comma[1].replace(",", "")
        return Decimals(False, f"{comma[1]} may be {bare} or {comma[1].replace(',', '.')}", comma[0])
    return Decimals(comma=True)
