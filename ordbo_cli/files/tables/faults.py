"""The errors of a file, gathered so that people see all of them at once."""

from __future__ import annotations

from typing import Final

from ordbo_cli.errors import DataError, ManyErrors, OrdboError

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

    def raise_any(self) -> None:
        """Raise what was found, if anything.

        Raises:
            ManyErrors: of DataError.
        """
        if self.count > MOST_ERRORS:
            self._errors.append(DataError(f"{self.source}: {self.count - MOST_ERRORS} more errors like these"))
        if self._errors:
            raise ManyErrors(self._errors)
