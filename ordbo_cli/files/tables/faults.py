"""The errors of a table, gathered, so that people are told all of them at once."""

from __future__ import annotations

import csv
from collections.abc import Collection
from typing import Final

from ordbo_cli.errors import DataError, ManyErrors, OrdboError
from ordbo_cli.files.tables.dialect import Record, Undecodable, decoded, records
from ordbo_cli.problem.spelling import shown

MOST_ERRORS: Final = 50


class Faults:
    """Gathers the errors of a file, up to a number that people still read.

    Args:
        source: the file's name, safe to show.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.count = 0
        self._errors: list[OrdboError] = []

    @property
    def full(self) -> bool:
        """Whether further errors are only counted."""
        return self.count >= MOST_ERRORS

    def add(self, line: int, column: int, message: str, hint: str = "") -> None:
        """Note an error at its place."""
        if not self.full:
            self._errors.append(DataError(f"{self.source}:{line}:{column}: {message}", hint))
        self.count += 1

    def decoded(self, content: bytes) -> str:
        """Return the text of the file.

        Raises:
            ManyErrors: of DataError: it is none.
        """
        try:
            return decoded(content, "UTF-8, in Excel as 'CSV UTF-8'")
        except Undecodable as error:
            self.add(error.line, error.column, error.message, error.hint)
            self.raise_any()
            raise

    def records(self, text: str, delimiter: str, hint: str, ours: Collection[str] = ()) -> list[Record]:
        """Return the rows of the file, as :func:`.dialect.records` does.

        Raises:
            ManyErrors: of DataError: quotation marks do not match, for which the hint is.
        """
        found: list[Record] = []
        try:
            found.extend(records(text, delimiter, ours))
        except csv.Error as error:
            line = found[-1].line + 1 if found else 1
            self.add(line, 1, f"this is not a CSV: {shown(str(error))}", hint)
            self.raise_any()
        return found

    def raise_any(self) -> None:
        """Raise what was found, if anything.

        Raises:
            ManyErrors: of DataError.
        """
        if self.count > MOST_ERRORS:
            self._errors.append(DataError(f"{self.source}: {self.count - MOST_ERRORS} more errors like these"))
        if self._errors:
            raise ManyErrors(self._errors)
