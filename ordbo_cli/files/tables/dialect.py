"""How a table is written: found from the file itself, kept when rows are appended."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from ordbo_cli.files.tables.header import likely
from ordbo_cli.problem.spelling import line_and_column

DELIMITERS: Final = (",", ";", "\t")
BLANKS: Final = " "
"""Stands for runs of blanks and tabs, as Dakota, Fortran and NumPy write them."""

_BLANK_CELL = re.compile(r'[ \t]*(?:"((?:[^"]|"")*)"|([^ \t"][^ \t]*))(?![^ \t])')
_LEADING_SIGN = re.compile(r"\A[ \t]*([#%])[#% \t]*")
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+")
_DAKOTA_ID: Final = "eval_id"
_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r")


class Dialect(NamedTuple):
    """The spelling of a table.

    Args:
        delimiter: between cells.
        newline: at the end of a row.
        comma: whether numbers have decimal commas.
    """

    delimiter: str = ","
    newline: str = "\n"
    comma: bool = False

    @property
    def blank(self) -> bool:
        """Whether blanks divide the columns, so that no cell can be empty."""
        return self.delimiter == BLANKS

    def number(self, text: str) -> str:
        """Return a number's text with this dialect's decimal sign."""
        if self.comma:
            return text.replace(".", ",")
        if self.delimiter != ";":
            return text
        from ordbo_cli.files.values.decimals import surely_point

        bare = text.lstrip("<>")  # a result that is known by a limit
        return text[: len(text) - len(bare)] + surely_point(bare)

    def line(self, cells: Sequence[str]) -> str:
        """Return a row with its line end."""
        if self.blank:
            return " ".join(cells) + self.newline
        buffer = io.StringIO()
        csv.writer(buffer, delimiter=self.delimiter, lineterminator=self.newline).writerow(cells)
        return buffer.getvalue()


def harmless(text: str) -> str:
    """Return a cell's text as no spreadsheet takes it for a formula: an apostrophe before it says that it is none."""
    return f"'{text}" if text.startswith(_FORMULAS) else text


def _as_meant(text: str, ours: Collection[str]) -> str:
    """Return a cell's text without the apostrophe of :func:`harmless`."""
    return text[1:] if text[:1] == "'" and text[1:].startswith(_FORMULAS) and text not in ours else text


class Record(NamedTuple):
    """One row of cells, stripped of outer blanks, and the line where it begins."""

    line: int
    cells: tuple[str, ...]

    @property
    def comment(self) -> bool:
        """Whether it begins with ``#``, or is Excel's word on the delimiter (``sep=;``)."""
        return self.cells[0].startswith("#") or self.cells[0].lower().startswith("sep=")


def lines_of(text: str) -> Iterator[str]:
    """Yield the lines of a text with their ends: LF, CRLF or CR, and no other sign that Python takes for one."""
    return (match[0] for match in _LINE.finditer(text))


def records(text: str, delimiter: str, ours: Collection[str] = ()) -> Iterator[Record]:
    """Yield the rows of a table that hold anything, comments included.

    Args:
        text: the table.
        delimiter: between its cells.
        ours: names and words that are as they stand, whatever they begin with.

    Raises:
        csv.Error: quotation marks do not match.
    """
    lines = lines_of(text)
    if delimiter == BLANKS:
        yield from _blank_records(lines)
        return
    csv.field_size_limit(max(csv.field_size_limit(), len(text)))  # a column of the user's own may hold whole logs
    reader = csv.reader(lines, delimiter=delimiter, skipinitialspace=True, strict=True)
    begin = 1
    for cells in reader:
        stripped = tuple(_as_meant(cell.strip(), ours) for cell in cells)
        if any(stripped):
            yield Record(begin, stripped)
        begin = reader.line_num + 1


def _blank_records(lines: Iterable[str]) -> Iterator[Record]:
    for number, line in enumerate(lines, 1):
        # The sign of a comment belongs to the word behind it: NumPy writes its header as "# x y".
        cells = tuple(text for _, text in _blank_cells(_LEADING_SIGN.sub(r"\1", line.rstrip("\r\n"))))
        if any(cells):
            yield Record(number, cells)


def _blank_cells(line: str) -> Iterator[tuple[int, str]]:
    """Yield the cells of a line that blanks divide, each with the offset where it begins."""
    end = 0
    while match := _BLANK_CELL.match(line, end):
        end = match.end()
        if match[1] is None:
            yield match.start(2), match[2].strip()
        else:
            yield match.start(1) - 1, match[1].replace('""', '"').strip()
    if line[end:].strip(" \t"):
        raise csv.Error("a quotation mark without its partner")


def newline_of(text: str) -> str:
    """Return the line end that a text uses first; LF where it has none."""
    found = re.search(r"\r\n|\r|\n", text)
    return found[0] if found else "\n"


def header_of(text: str, delimiter: str, wanted: Collection[str]) -> tuple[str, ...]:
    """Return the first row read with a delimiter; empty where there is none or its quotation marks do not match."""
    try:
        header = find_header(records(text, delimiter, wanted), wanted)
    except csv.Error:
        return ()
    return header.cells if header else ()


def find_header(rows: Iterable[Record], wanted: Collection[str]) -> Record | None:
    """Return the row that names the columns: the first that is no comment, or the comment above that does it better.

    NumPy writes such comments, and Dakota puts ``%`` before the first name; its ``%eval_id`` is the id.
    """
    wanted, best, most, other = set(wanted), None, 0, None
    for row in rows:
        percent = row.cells[0].startswith("%")
        named = _without_sign(row, wanted) if row.comment or percent else row
        found = len(wanted & set(named.cells))
        if not (row.comment or percent):
            if other is not None and not likely(named.cells, wanted):
                return best or other
            return best if best and most > found else named
        # A word of ours alone may stand in any comment.
        if found >= max(most, 1 if percent else 2):
            best, most = named, found
        elif likely(named.cells, wanted) >= 2:
            other = named
    return best or other


def _without_sign(row: Record, wanted: Collection[str]) -> Record:
    """Return a row of names without the sign that makes it a comment, where that gives a name of ours."""
    first = row.cells[0]
    bare = first.lstrip("#% ")
    if first.startswith("%") and bare == _DAKOTA_ID and bare not in wanted:
        bare = "id"
    elif first in wanted or (first.startswith("%") and not likely([bare], wanted)):
        return row
    return Record(row.line, (bare, *row.cells[1:]))


def delimiters(text: str, wanted: Iterable[str]) -> list[str]:
    """Return the delimiters that find most of the wanted columns in the first row: several where it is unclear."""
    wanted = set(wanted)
    headers = {delimiter: header_of(text, delimiter, wanted) for delimiter in DELIMITERS}
    matches = {delimiter: len(wanted & set(headers[delimiter])) for delimiter in DELIMITERS}
    most = max(matches.values())
    if most > 1:
        return [delimiter for delimiter in DELIMITERS if matches[delimiter] == most]
    matches = {delimiter: likely(headers[delimiter], wanted) for delimiter in DELIMITERS}
    most = max(most, *matches.values())
    blank = header_of(text, BLANKS, wanted)
    if likely(blank, wanted) > most and not any(sign in cell for cell in blank for sign in ",;"):
        return [BLANKS]
    if most > 1:
        return [delimiter for delimiter in DELIMITERS if matches[delimiter] == most]
    # Too few columns of ours to judge by: the error to come lists the columns, so take what divides the row most.
    return [max(DELIMITERS, key=lambda delimiter: len(headers[delimiter]))]


def cell_column(line: str, delimiter: str, index: int) -> int:
    """Return the column, from 1, of the character at which a cell of a line begins."""
    if delimiter == BLANKS:
        signless = _LEADING_SIGN.sub(lambda match: " " * len(match[0]), line.rstrip("\r\n"))
        starts = [start for start, _ in _blank_cells(signless)]
        return starts[index] + 1 if index < len(starts) else 1
    quoted, seen = False, 0
    for k, character in enumerate(line):
        if seen == index:
            return k + 1
        quoted ^= character == '"'
        seen += character == delimiter and not quoted
    return len(line) + 1 if seen == index else 1


_ARCHIVE = b"PK\x03\x04"  # how .xlsx and .ods begin
_MARKS = (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)


class Undecodable(Exception):
    """A file that is not text as it has to be.

    Args:
        message: what is wrong.
        hint: what to do.
        line, column: where, from 1.
    """

    def __init__(self, message: str, hint: str, line: int, column: int) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint
        self.line = line
        self.column = column


def decoded(content: bytes, save_as: str = "UTF-8") -> str:
    """Return UTF-8 text, its byte-order mark taken off.

    Args:
        content: of a file.
        save_as: what people should do instead, as they know it.

    Raises:
        Undecodable: it is not UTF-8, or no text at all, or holds a NUL character.
    """
    if content.startswith(_ARCHIVE):
        raise Undecodable("the file is a workbook or another archive", f"Save its text as {save_as}", 1, 1)
    if _is_utf_16(content):
        raise Undecodable("the file is UTF-16 text", f"Save it as {save_as}", 1, 1)
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        before = error.object[: error.start].decode()  # without the byte-order mark, unlike content
        message = f"the file is not UTF-8 text: byte 0x{error.object[error.start]:02X}"
        hint = f"Save it as {save_as}; it may be Latin-1 (Windows-1252) now"
        raise Undecodable(message, hint, *line_and_column(before, len(before))) from None
    if "\0" in text:
        where = line_and_column(text, text.index("\0"))
        raise Undecodable("there is a NUL character", "The file was cut or is no text: mend it by hand", *where)
    return text


def _is_utf_16(content: bytes) -> bool:
    """Return whether a file begins as UTF-16 does: with its mark, or with ASCII of which every other byte is NUL."""
    start = content[:8]
    return start[:2] in _MARKS or (len(start) >= 4 and (not any(start[::2]) or not any(start[1::2])) and any(start))
