"""What is wrong with an expression, and where in its text."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from ordbo_cli.errors import ProblemError

_LONGEST_SHOWN: Final = 60


class ExpressionError(ProblemError):
    """An expression that cannot be read.

    Args:
        text: the whole expression.
        column: of the mistake within it, from 1.
        said: what is wrong there.
        hint: how to mend it, or "".
    """

    def __init__(self, text: str, column: int, said: str, hint: str = "") -> None:
        super().__init__(f"constraint {quoted(text)}, column {column}: {said}", hint)
        self.column = column
        self.said = said


class Mistake(Exception):
    """A mistake at a place of a text that is being read; :class:`ExpressionError` is made of it.

    Args:
        at: its place, from 0.
        said, hint: as there.
    """

    def __init__(self, at: int, said: str, hint: str = "") -> None:
        super().__init__(said)
        self.at, self.said, self.hint = at, said, hint


def shown(text: str) -> str:
    """Return a text that is safe on a terminal and not longer than a line."""
    clipped = text if len(text) <= _LONGEST_SHOWN else text[: _LONGEST_SHOWN - 3] + "..."
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in clipped)


def quoted(text: str) -> str:
    """Return :func:`shown` text in quotation marks."""
    return f"'{shown(text)}'"


def meant(word: str, known: Mapping[str, str]) -> str:
    """Return a hint for an unknown word: the nearest known one, or some of them.

    Args:
        word: what came.
        known: the words that would have been right, each with its spelling in an expression.
    """
    from difflib import get_close_matches

    by_lower = {candidate.lower(): candidate for candidate in known}
    found = get_close_matches(word.lower()[:_LONGEST_SHOWN], by_lower, n=1, cutoff=0.6)
    if found:
        return f"Did you mean {shown(known[by_lower[found[0]]])}?"
    return f"Known are {', '.join(shown(spelling) for spelling in list(known.values())[:12])}"
