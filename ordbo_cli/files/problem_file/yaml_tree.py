"""The tree of a problem file: plain nodes that know their line and column, and the report of what is wrong in it."""

from __future__ import annotations

from typing import Final, NamedTuple

from ordbo_cli.errors import OrdboError, ProblemError, ProblemErrors
from ordbo_cli.problem.spelling import place, quoted, shown

MOST_ERRORS: Final = 50


class Scalar(NamedTuple):
    """One value: its text, and what that means (text, number, bool or None).

    Args:
        text, value: as above.
        line, column: where it begins.
        quote: the sign that stands around the text, "" for none; None where the file's spelling differs from the text.
    """

    text: str
    value: bool | int | float | str | None
    line: int
    column: int
    quote: str | None = None

    def inside(self, offset: int) -> Scalar:
        """Return the place of a character of the text, or the beginning where that is not known."""
        if self.quote is None:
            return self
        doubled = self.text[:offset].count("'") if self.quote == "'" else 0
        return self._replace(column=self.column + len(self.quote) + offset + doubled)

    def __str__(self) -> str:
        return quoted(self.text) if isinstance(self.value, str) else shown(self.text) or "nothing"


class Listing(NamedTuple):
    """A YAML sequence."""

    items: tuple[Node, ...]
    line: int
    column: int

    def __str__(self) -> str:
        return "a list"


class YamlMapping(NamedTuple):
    """A YAML mapping: keys by their text, each once."""

    entries: dict[str, tuple[Scalar, Node]]
    line: int
    column: int

    def __str__(self) -> str:
        return "a mapping"


class Refused(NamedTuple):
    """A value that was reported as wrong: it keeps its place, so that nothing seems to be missing there."""

    line: int
    column: int

    def __str__(self) -> str:
        return "a refused value"


Node = Scalar | Listing | YamlMapping | Refused


class ProblemFaults:
    """Gathers every error of one file.

    Args:
        source: the file's name, as it stands in messages.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.errors: list[OrdboError] = []
        self._places: list[tuple[int, int]] = []

    def add(self, where: Node, message: str, hint: str = "") -> None:
        """Note an error at a node; one that was refused has its error already."""
        if not isinstance(where, Refused):
            self.at(where.line, where.column, message, hint)

    def at(self, line: int, column: int, message: str, hint: str = "") -> None:
        """Note an error at a line and a column, both counted from 1."""
        self._places.append((line, column))
        self.errors.append(ProblemError(f"{self.place(line, column)}{message}", hint))

    def place(self, line: int, column: int) -> str:
        """Return what stands in front of a message: where its cause is."""
        return f"{place(self.source, line, column)}: "

    def refuse(self) -> None:
        """Refuse the problem if there is any error.

        Raises:
            ProblemErrors: the errors in the order of their places.
        """
        order = sorted(range(len(self.errors)), key=self._places.__getitem__)
        more = len(order) - MOST_ERRORS
        source = f"{self.source}: " if self.source else ""
        rest = [ProblemError(f"{source}{more} more errors like these")] if more > 0 else []
        if order:
            raise ProblemErrors([*(self.errors[k] for k in order[:MOST_ERRORS]), *rest])
