"""Somebody else's table, renamed and cut so that it reads as a list of results, every line where it was."""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.files.tables.dialect import Dialect, Record, delimiters, find_header, lines_of, records
from ordbo_cli.files.tables.header import find_columns, likely, wanted_columns
from ordbo_cli.problem import Problem
from ordbo_cli.problem.spelling import Note, listed, nearest, place, quoted, shown, shown_path

Edit = Callable[[Record], Sequence[str] | None]


def choose_column(wanted: str | None, there: Sequence[str]) -> str:
    """Return the hint for a column of results that is not there, or "" where there is none at all."""
    guess = None if wanted is None else nearest(wanted, there)
    choice = f"Choose with --objective-column: {listed(there)}" if there else ""
    return f"Did you mean {shown(guess)}?" if guess is not None else choice


def demand_as_many(foreign: ForeignTable, objectives: Sequence[str], wanted: Sequence[str]) -> None:
    """Demand that no more columns of results are named than there are objectives, and none twice.

    Raises:
        UsageError: there are.
    """
    where = shown_path(foreign.source)
    if len(wanted) > len(objectives):
        are = "objectives are" if len(objectives) > 1 else "objective is"
        raise UsageError(f"{where}: {len(wanted)} columns are named, and {are} {listed(objectives)}")
    if len(set(wanted)) < len(wanted):
        raise UsageError(f"{where}: {quoted(wanted[0])} is named twice", "Each objective has a column of its own")


def taken_in_order(foreign: ForeignTable, columns: Sequence[str], objectives: Sequence[str]) -> list[str]:
    """Return a note on columns of several objectives whose names do not tell which is which, or nothing."""
    if len(columns) == 1 or all(column.endswith(name) for column, name in zip(columns, objectives, strict=True)):
        return []
    pairs = [f"{shown(column)} is {shown(name)}" for column, name in zip(columns, objectives, strict=True)]
    return [Note(f"{shown_path(foreign.source)}: {', '.join(pairs)}")]


class ForeignTable(NamedTuple):
    """A table as it stands.

    Args:
        source: where it comes from.
        text: all of it.
        delimiter: between its cells.
        header: the row that names the columns.
        rows: those below it, comments left out.
    """

    source: str
    text: str
    delimiter: str
    header: Record
    rows: tuple[Record, ...]

    @classmethod
    def of(cls, text: str, source: str, wanted: Collection[str]) -> ForeignTable:
        """Take a table apart.

        Args:
            text: the table.
            source: where it comes from.
            wanted: columns by which its delimiter is told.

        Raises:
            DataError: it has no header, or its quotation marks do not match.
        """
        delimiter = delimiters(text, wanted)[0]
        try:
            found = list(records(text, delimiter))
        except csv.Error as error:
            raise DataError(f"{shown_path(source)}: this is not a CSV: {shown(str(error))}") from None
        header = find_header(found, wanted)
        if header is None:
            raise DataError(f"{place(source, 1, 1)}: there is no header", "The first row names the columns")
        rows = (each for each in found if each.line > header.line and not each.comment)
        return cls(source, text, delimiter, header, tuple(rows))

    def in_words_of(self, problem: Problem, cells: Sequence[str], names: Sequence[str]) -> tuple[list[str], list[str]]:
        """Return a header with the problem's names for columns that are spelt in another way, and notes on them.

        Args:
            problem: whose names they are.
            cells: the header.
            names: that are looked for.

        Raises:
            DataError: a column can be read in two ways.
        """

        def fault(_: int, message: str, hint: str) -> None:
            raise DataError(f"{place(self.source, self.header.line, 1)}: {message}", hint)

        found = find_columns(cells, wanted_columns(problem, names), fault)
        ours = {k: name for name, k in found.places.items()}
        notes: list[str] = [Note(f"{shown_path(self.source)}: {note}") for note in found.told]
        return [ours.get(k, cell) for k, cell in enumerate(cells)], notes

    def column(self, name: str) -> int:
        """Return the place of a column.

        Raises:
            DataError: there is none, or there are two.
        """
        cells = self.header.cells
        if cells.count(name) == 1:
            return cells.index(name)
        what = "stands twice" if name in cells else "is not there"
        some = ", ".join(quoted(cell) for cell in cells[:20] if cell)
        raise DataError(
            f"{place(self.source, self.header.line, 1)}: the column {quoted(name)} {what}", f"There are {some}"
        )

    def cell(self, row: Record, column: int) -> str:
        """Return a cell; an uneven row's may be missing, which is told where the row is read."""
        return row.cells[column] if column < len(row.cells) else ""

    def edited(self, names: Sequence[str], edit: Edit) -> str:
        """Return the table with other names, and with rows changed or left out.

        Args:
            edit: returns the cells that a row is to have: its own where it stays as it is, None where it goes.
        """
        lines = list(lines_of(self.text))
        ends = [row.line - 1 for row in self.rows[1:]] + [len(lines)]
        dialect = Dialect(self.delimiter)
        for row, end in zip(self.rows, ends, strict=True):
            cells = edit(row)
            if cells is None or cells != row.cells:
                kept = [] if cells is None else list(lines_of(dialect.line(cells)))
                lines[row.line - 1 : end] = kept + ["\n"] * (end - row.line + 1 - len(kept))
        top = self.header.line - 1
        spelt = [f'"{name}"' if dialect.blank and (" " in name or not name) else name for name in names]
        lines[:top] = ["\n"] * top
        lines[top] = dialect.line(spelt)
        return "".join(lines)


def renamed(header: Sequence[str], names: dict[int, str], ours: Collection[str]) -> list[str]:
    """Return a header in which the columns that are not taken have no names of ours.

    Args:
        ours: names that mean something to the reader.
    """
    found = []
    for k, name in enumerate(header):
        while k not in names and likely([name], ours):
            name = f"_{name}"
        found.append(names.get(k, name))
    return found
