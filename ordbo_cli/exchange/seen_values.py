"""What a column of a table holds: numbers, and how finely they were given, or words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, Context, Decimal
from typing import Final

from ordbo_cli.files.values.numbers import exact_number, parameter_value
from ordbo_cli.problem.parameter import BOOL

Setting = float | str | list[float | str]

FEWEST_DIGITS: Final = 4
_MOST_DIGITS: Final = 15  # those that every double keeps
_MOST_SEEN: Final = 8  # more digits are a computer's, not somebody's choice
_FEWEST_VALUES: Final = 2  # as a power of ten: so many values at least that digits leave between the bounds
_MOST_DECIMALS: Final = 6
_FEWEST_STEPS: Final = 20
_LARGEST_WHOLE: Final = 2**52
_LARGEST_EXPONENT: Final = 400


def is_number(text: str) -> bool:
    """Return whether a text is a finite number."""
    try:
        parameter_value(text, whole=False)
    except ValueError:
        return False
    return True


def settings_of(texts: Sequence[str]) -> dict[str, Setting]:
    """Return the settings of a parameter that has had these values; at least one.

    Numbers have the range that was seen, and as many decimals; words and truth values become levels, and what was
    always the same is a constant.
    """
    if all(map(is_number, texts)):
        return _of_numbers([_bounded(exact_number(text)) for text in texts])
    words = list(dict.fromkeys(texts))
    if len(words) == 1:
        return {"value": words[0]}
    if {word.lower() for word in words} == BOOL.keys():
        return {"type": "bool"}
    return {"type": "categorical", "values": [_level(word) for word in words]}


def _of_numbers(numbers: Sequence[Decimal]) -> dict[str, Setting]:
    low, high = min(numbers), max(numbers)
    exponents = [_exponent(x) for x in numbers]
    whole = not any(exponents) and max(-low, high) < _LARGEST_WHOLE
    if float(low) == float(high):
        return {"value": int(low) if whole else float(low)}
    if whole:
        return {"type": "int", "min": int(low), "max": int(high)}
    if max(_significant(low), _significant(high)) > _MOST_SEEN:
        digits = min(_telling(low, high), _MOST_DIGITS)
        low, high = (Context(digits, way).plus(x) for x, way in ((low, ROUND_FLOOR), (high, ROUND_CEILING)))
    settings: dict[str, Setting] = {"type": "float", "min": float(low), "max": float(high)}
    decimals = -min(exponents)
    if max(exponents) > 0 or decimals > _MOST_DECIMALS:
        return {**settings, **digits_between(low, high)}
    if _FEWEST_STEPS <= (high - low).scaleb(decimals) < 10**_MOST_DECIMALS:
        return {**settings, "step": float(Decimal(1).scaleb(-decimals))}
    return {**settings, **digits_between(low, high)}


def digits_between(low: Decimal, high: Decimal) -> dict[str, Setting]:
    """Return how many significant digits a float between two bounds has: 4, or more where those tell too few apart.

    The bounds keep theirs. It is no setting where it would be more than all doubles have.
    """
    digits = max(_telling(low, high), _significant(low), _significant(high))
    return {"digits": digits} if digits <= _MOST_DIGITS else {}


def _telling(low: Decimal, high: Decimal) -> int:
    """Return how many digits tell enough values between two bounds apart."""
    largest, span = max(abs(low), abs(high)), high - low
    needed = _FEWEST_VALUES + 1 + math.ceil(largest.adjusted() - float(span.log10())) if span > 0 else 0
    return max(FEWEST_DIGITS, needed)


def _significant(x: Decimal) -> int:
    return len(x.normalize(Context(1000)).as_tuple().digits)


def _exponent(x: Decimal) -> int:
    return int(x.as_tuple().exponent)


def _bounded(x: Decimal) -> Decimal:
    """Return a number, or its double where that says as much and no step can make it write out a billion digits."""
    return x if x.adjusted() > -_LARGEST_EXPONENT else Decimal(repr(float(x)))


def _level(word: str) -> float | str:
    if not is_number(word):
        return word
    number = exact_number(word)
    return int(number) if not _exponent(number) else float(number)
