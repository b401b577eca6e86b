"""Words about files: places, paths made safe for a terminal; and those of :mod:`ordbo_cli.problem.spelling`."""

from __future__ import annotations

import re
from os import PathLike

from ordbo_cli.problem.spelling import escaped as escaped
from ordbo_cli.problem.spelling import listed as listed
from ordbo_cli.problem.spelling import meant as meant
from ordbo_cli.problem.spelling import nearest as nearest
from ordbo_cli.problem.spelling import quoted as quoted
from ordbo_cli.problem.spelling import shown as shown
from ordbo_cli.problem.spelling import some as some


class Note(str):
    """A word to people that is no warning: what was understood, where it could be doubted."""


def shown_path(path: str | PathLike[str]) -> str:
    """Return a path with its control characters escaped, at full length."""
    return escaped(str(path))


def ordinal(place: int) -> str:
    """Return a place as people write it: 1st, 2nd, 13th, 22nd."""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


def environment_name(name: str) -> str:
    """Return ``ORDBO_`` and a parameter's name in upper case, everything but A-Z and 0-9 as ``_``."""
    return "ORDBO_" + re.sub(r"[^A-Z0-9]", "_", name.upper())


def place(source: str | PathLike[str], line: int, column: int) -> str:
    """Return ``file:line:column``, both counted from 1."""
    return f"{shown_path(source)}:{line}:{column}"


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Return the line and the column, from 1, of a character; LF, CRLF and lone CR end a line."""
    before = text[:offset].replace("\r\n", "\n").replace("\r", "\n")
    return before.count("\n") + 1, len(before) - (before.rfind("\n") + 1) + 1


def loose(name: str) -> str:
    """Return what spellings of a name have in common that differ in case, or in blanks for underscores, alone.

    Words that look alike but for that, such as Turkish ones with and without dots, stay apart.
    """
    from unicodedata import normalize

    return re.sub(r"[\s_]+", " ", normalize("NFC", normalize("NFC", name).casefold()).strip())
