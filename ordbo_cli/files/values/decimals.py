"""Which decimal sign a file with semicolons uses, where that can be told."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from ordbo_cli.files.values.numbers import LONGEST_NUMBER

_COMMA: Final = re.compile(r"[-+]?[0-9]*,[0-9]*([eEdDqQ]?[-+]?[0-9]+)?")
_POINT: Final = re.compile(r"[-+]?[0-9]*\.[0-9]*([eEdDqQ]?[-+]?[0-9]+)?")
# 1,234 and 1.234: a number between 1 and 1000, or one above with a thousands separator.
_THOUSANDS: Final = re.compile(r"[-+]?[1-9][0-9]{0,2}[.,][0-9]{3}")


@dataclass(frozen=True)
class Decimals:
    """Which decimal sign a file uses.

    Args:
        comma: whether it is a comma.
        clash: why that cannot be told, or "".
        hint: what to do about that.
        line: where.
    """

    comma: bool
    clash: str = ""
    hint: str = ""
    line: int = 1


def decimal_sign(cells: Iterable[tuple[int, str]]) -> Decimals:
    """Return the decimal sign of a semicolon file from its numbers, given as (line, text)."""
    first: dict[str, tuple[int, str]] = {}
    sure = False
    for line, text in cells:
        sign = _sign(text.lstrip("<>= "))
        if sign:
            first.setdefault(sign, (line, text))
            sure = sure or not _THOUSANDS.fullmatch(text)
    if not first:
        return Decimals(comma=False)
    if len(first) > 1:
        (line, comma), (other, point) = first[","], first["."]
        clash = f"{comma} has a decimal comma, but {point} in line {other} a decimal point"
        return Decimals(False, clash, "Write all numbers of the file in one way, such as 1234.5, or 0,50", line)
    ((sign, (line, text)),) = first.items()
    if not sure:
        return Decimals(False, *_ambiguous(text, sign), line)
    return Decimals(comma=sign == ",")


def _sign(text: str) -> str:
    """Return the decimal sign of a number, or "" where it has none or is no number."""
    if len(text) > LONGEST_NUMBER:  # the patterns take their time with so many digits
        return ""
    for sign, pattern in ((",", _COMMA), (".", _POINT)):
        if sign in text and pattern.fullmatch(text):
            return sign
    return ""


def _ambiguous(text: str, sign: str) -> tuple[str, str]:
    bare = text.replace(sign, "")
    longer = f"{text}0"
    clash = f"{text} may be {bare} or {text.replace(',', '.')}"
    return clash, f"Write {bare} or {longer}: a file with semicolons may have commas or points in its thousands"


def surely_point(text: str) -> str:
    """Return a number with a decimal point in such a way that nobody takes the point for one of thousands."""
    return f"{text}0" if _THOUSANDS.fullmatch(text) else text
