"""Words in messages: made safe for a terminal, and the known word that a misspelt one was meant to be."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import islice
from typing import Final

LONGEST_SHOWN: Final = 80
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
