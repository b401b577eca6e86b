"""Numbers in the words that go with pictures."""

from __future__ import annotations

from decimal import Decimal


def counted(number: int, noun: str) -> str:
    """Return a number with its noun: "1 evaluation", "3 evaluations"."""
    return f"{number} {noun}{'' if number == 1 else 's'}"


def figure_of(value: Decimal | float | None, unit: str = "") -> str:
    """Return a value to four digits with its unit; None is a failure."""
    if value is None:
        return "a failure"
    text = f"{value:.4g}"
    return f"{text} {unit}" if unit else text


def ordinal(place: int) -> str:
    """Return a place as people say it: "1st", "2nd", "13th"."""
    if place % 100 in (11, 12, 13):
        return f"{place}th"
    return f"{place}{dict(enumerate(('th', 'st', 'nd', 'rd'))).get(place % 10, 'th')}"
