"""What is wrong with an expression, and where in its text."""

from __future__ import annotations

from ordbo_cli.errors import ProblemError
from ordbo_cli.problem.spelling import quoted


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
