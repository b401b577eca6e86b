"""Where the cells of a table stand, and what the table is for."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from ordbo_cli.files.tables.dialect import Dialect, cell_column, lines_of

Purpose = Literal["evaluations", "results", "points", "campaign"]
"""Of a study, results that are told, points alone, or results of another source."""


class Places(NamedTuple):
    """Where the cells of a table stand.

    Args:
        text: the whole table.
        dialect: how it is spelt.
        columns: place of each column by name.
        header: the names as they stand in it.
    """

    text: str
    dialect: Dialect
    columns: Mapping[str, int]
    header: Sequence[str] = ()

    def called(self, name: str) -> str:
        """Return the name of a column as the table has it."""
        return self.header[self.columns[name]] if name in self.columns and self.header else name

    def column(self, line: int, cell: int) -> int:
        """Return the column of a line, from 1, at which a cell begins."""
        lines = itertools.islice(lines_of(self.text), line - 1, line)
        return cell_column(next(lines, ""), self.dialect.delimiter, cell)
