"""Numbers in the words that go with pictures."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from itertools import accumulate
from typing import Final

_DIGITS: Final = 4
_MOST_DIGITS: Final = 17  # of a double; values that these do not tell apart look alike
_PLAIN: Final = (-4, 6)  # powers of ten, the first included, whose figures are written out


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: "1 evaluation", "3 evaluations"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def figure_of(value: Decimal | float | None, unit: str = "", digits: int = _DIGITS) -> str:
    """Return a value to four digits (or others) with its unit: 0.31, 1200, 1e400; None is a failure."""
    if value is None:
        return "a failure"
    text = _written(Decimal(value), digits)
    return f"{text} {unit}" if unit else text


def told_apart(values: Sequence[Decimal | float]) -> list[str]:
    """Return values to as few digits, from four on, as tell them apart."""
    texts: list[str] = []
    for digits in range(_DIGITS, _MOST_DIGITS + 1):
        texts = [figure_of(value, digits=digits) for value in values]
        if len(set(texts)) == len(set(values)):
            break
    return texts


def listed(words: Sequence[str]) -> str:
    """Return words as people list them: "a", "a and b", "a, b and c"."""
    return " and ".join(filter(None, (", ".join(words[:-1]), *words[-1:])))


def width_of(text: str) -> int:
    """Return about how many letters a text is wide: those of East Asian scripts are two each."""
    return sum(map(_width, text))


def cut(text: str, most: int) -> str:
    """Return a text about so many letters wide at most, its middle left out, as it is ends that tell names apart."""
    if width_of(text) <= most:
        return text
    tail = max(0, most - 1) // 3
    head = max(1, most - 1 - tail)
    first = sum(total <= head for total in accumulate(map(_width, text)))
    last = sum(total <= tail for total in accumulate(map(_width, reversed(text))))
    return f"{text[:first]}…{text[len(text) - last :]}"


def _width(letter: str) -> int:
    return 2 if unicodedata.east_asian_width(letter) in "WF" else 1


def _written(value: Decimal, digits: int) -> str:
    if not value.is_finite():
        return "a failure" if value.is_nan() else f"{'-' if value < 0 else ''}infinity"
    # A context of its own: the process's may trap, and knows no exponents past a million.
    context = Context(prec=digits, Emax=MAX_EMAX, Emin=MIN_EMIN)
    rounded = value.normalize(context)
    if rounded == 0:
        return "0"
    power = rounded.adjusted()
    if _PLAIN[0] <= power < _PLAIN[1]:
        return f"{rounded:f}"
    sign, figures, _ = rounded.as_tuple()
    head, tail = str(figures[0]), "".join(map(str, figures[1:]))
    return f"{'-' if sign else ''}{head}{'.' if tail else ''}{tail}e{power}"
