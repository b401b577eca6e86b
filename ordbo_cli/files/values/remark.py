"""What is kept of an evaluation beside its results: why it failed or what else somebody wrote, and how long it took."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from ordbo_cli.errors import UsageError
from ordbo_cli.problem.spelling import escaped, shown

NOTE: Final = "note"
SECONDS: Final = "seconds"
LONGEST_NOTE: Final = 200  # characters; a column of that name may hold whole logs


class Remark(NamedTuple):
    """What is kept beside results, the names of the columns that hold it.

    Args:
        note: one line of words, "" for none.
        seconds: that the evaluation took; None where nobody knows.
    """

    note: str = ""
    seconds: float | None = None

    def over(self, other: Remark) -> Remark:
        """Return this remark, what it does not say taken from another."""
        return Remark(self.note or other.note, other.seconds if self.seconds is None else self.seconds)


NO_REMARK: Final = Remark()


def note_of(text: str) -> str:
    """Return a note as one line that is safe on a terminal and in every file, a long one cut."""
    if text.isprintable() and len(text) <= LONGEST_NOTE:
        return text.strip()
    line = escaped(" ".join(text[: 10 * LONGEST_NOTE].split()))  # half a character, which no file takes, included
    return line if len(line) <= LONGEST_NOTE else line[: LONGEST_NOTE - 3] + "..."


def seconds_of(text: str) -> float | None:
    """Return the seconds in a cell; None for what is no number of them, which belongs to somebody else."""
    try:
        seconds = float(text.replace(",", ".")) if text else math.nan
    except ValueError:
        return None
    return seconds if 0 <= seconds < math.inf else None


def seconds_text(seconds: float | None) -> str:
    """Return seconds as they are written, to a thousandth."""
    return "" if seconds is None else f"{seconds:.3f}".rstrip("0").rstrip(".")


def remark_of(note: str | None, seconds: float | None) -> Remark:
    """Return the remark that a call gives; its seconds may be of any kind of number, such as NumPy's.

    Raises:
        UsageError: the note is no text, or the seconds are negative or no number.
    """
    if not isinstance(note, str | None):
        raise UsageError(f"note is {shown(repr(note))}", "Give a text")
    try:
        number = None if seconds is None else float(seconds)
        sound = number is None or (0 <= number < math.inf and not isinstance(seconds, str))
    except (TypeError, ValueError, OverflowError):
        sound = False
    if not sound:
        raise UsageError(f"seconds is {shown(str(seconds))}", "Give how long the evaluation took: a number, 0 or more")
    return Remark(note_of(note or ""), number)
