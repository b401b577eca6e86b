"""Notes and seconds: one safe line, and a number of seconds or nothing."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from ordbo_cli.errors import UsageError
from ordbo_cli.files.values.remark import LONGEST_NOTE, Remark, note_of, remark_of, seconds_of, seconds_text


@pytest.mark.parametrize(
    ("text", "note"),
    [
        ("  the mesh broke ", "the mesh broke"),
        ("two\nlines\tand a\r\n\vtab", "two lines and a tab"),
        ("\x1b[31mred\x00", "\\x1b[31mred\\x00"),
        ("half \udcff a character", "half \\udcff a character"),
        ("=1+1", "=1+1"),
        ("\u2028\n ", ""),
    ],
)
def test_a_note_is_one_printable_line(text: str, note: str) -> None:
    """Blanks and line ends are one blank, and what no terminal or file takes is escaped."""
    assert note_of(text) == note


@pytest.mark.parametrize("text", ["x" * 10_000_000, "\x00" * 5_000, "a b\n" * 1_000])
def test_a_long_note_is_cut(text: str) -> None:
    """To so many characters, of which the last ones say so; a second time changes nothing."""
    note = note_of(text)
    assert len(note) == LONGEST_NOTE
    assert note.endswith("...")
    assert note_of(note) == note


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        *((text, 12.5) for text in ("12.5", "12,5", "1.25e1")),
        ("0", 0.0),
        *((text, None) for text in ("", "soon", "-1", "nan", "1e999", "9" * 5000, "12 s", "1,234.5")),
    ],
)
def test_seconds_are_a_number_or_nothing(text: str, seconds: float | None) -> None:
    """A column of that name may be somebody's own, and hold anything."""
    assert seconds_of(text) == seconds


def test_seconds_are_written_to_a_thousandth() -> None:
    """Without zeros that say nothing, and never with an exponent."""
    assert [seconds_text(each) for each in (None, 0.0, 1234.5678, 2.5, 1e7)] == ["", "0", "1234.568", "2.5", "10000000"]


@pytest.mark.parametrize(
    ("note", "seconds", "what"),
    [
        *(("", seconds, "seconds is") for seconds in (-1.0, float("nan"), float("inf"), 10**400, "3", [3], 3j)),
        *((note, 1.0, "note is") for note in (3, b"broke", ["broke"])),
    ],
)
def test_what_a_call_gives_is_checked(note: Any, seconds: Any, what: str) -> None:
    """Seconds that cannot be are refused, and notes that are no text."""
    with pytest.raises(UsageError, match=what):
        remark_of(note, seconds)


@pytest.mark.parametrize("seconds", [np.float32(2.5), np.float64(2.5), Decimal("2.5"), Fraction(5, 2)])
def test_a_call_may_give_any_kind_of_number(seconds: Any) -> None:
    """It is kept as a double, which every file takes."""
    remark = remark_of(None, seconds)
    assert remark == Remark("", 2.5)
    assert type(remark.seconds) is float


def test_one_remark_over_another() -> None:
    """What it does not say is taken from the other."""
    assert Remark("new").over(Remark("old", 3.0)) == Remark("new", 3.0)
    assert Remark("", 0.0).over(Remark("old", 3.0)) == Remark("old", 0.0)
