"""Words in messages: safe for a terminal, with places in files, and with the known word that a misspelt one may be."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable
from itertools import islice
from os import PathLike
from typing import Final

LONGEST_SHOWN: Final = 80
UNITS: Final = (("d", 86400), ("h", 3600), ("min", 60), ("s", 1))  # of time, in seconds
_MOST_LISTED: Final = 25
_LISTED_OF_MORE: Final = 20


def escaped(text: str) -> str:
    """Return text with everything unprintable (control characters, line ends, lone surrogates) as backslash escapes."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in text)


def shown(text: str) -> str:
    """Return text that is safe on a terminal: control characters escaped, and not longer than a line."""
    return escaped(text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 3] + "...")


def quoted(text: str) -> str:
    """Return :func:`shown` text in quotation marks."""
    return f"'{shown(text)}'"


def listed(words: Iterable[str]) -> str:
    """Return words as a list in a sentence, each made safe."""
    return ", ".join(shown(word) for word in words)


def some(words: Collection[object], most: int = 20, *, counted: bool = True) -> str:
    """Return the first of words as a list in a sentence, and how many others there are, or only that there are some."""
    begun, left = listed(map(str, islice(words, most))), len(words) - most
    return begun if left <= 0 else f"{begun} and {left} more" if counted else f"{begun}, ..."


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that a misspelt one was most likely meant to be."""
    from difflib import get_close_matches

    by_lower = {candidate.lower(): candidate for candidate in known}
    found = get_close_matches(word.lower()[:LONGEST_SHOWN], by_lower, n=1, cutoff=0.65)
    return by_lower[found[0]] if found else None


def meant(word: str, known: Iterable[str], spelt: Callable[[str], str] = str) -> str:
    """Return a hint for an unknown word: the nearest known one, or some of them.

    Args:
        word: what came.
        known: the words that would have been right.
        spelt: returns how one of them is to be written.
    """
    known = tuple(known)
    guess = nearest(word, known)
    if guess is not None:
        return f"Did you mean {shown(spelt(guess))}?"
    if len(known) <= _MOST_LISTED:
        return f"Known are {listed(map(spelt, known))}"
    return f"Known are {listed(map(spelt, known[:_LISTED_OF_MORE]))} and more"


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


def age(seconds: float | None) -> str:
    """Return a time span in its largest whole unit: "3 h", "40 s"; "0 s" for a clock that went back; "" for None."""
    if seconds is None:
        return ""
    for unit, size in UNITS:
        if seconds >= size:
            return f"{int(seconds // size)} {unit}"
    return "0 s"
