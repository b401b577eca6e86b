"""Levels as people spell them: from a text or a number to the place of a level, and back."""

from __future__ import annotations

from collections.abc import Sequence

from ordbo_cli.problem import Level, Number, Parameter
from ordbo_cli.study.numbers import LONGEST_NUMBER, exact_number, printed
from ordbo_cli.study.text import listed, meant, quoted

_MOST_LISTED = 20


def place_of(levels: Sequence[Level], given: Level, *, comma: bool = False) -> int:
    """Return the place of a level: words by letter but for outer blanks, numbers by value.

    Args:
        levels: the known ones.
        given: a level, or its text.
        comma: whether numbers may have decimal commas.

    Raises:
        ValueError: there is no such level; its message is a hint for people.
    """
    text = _text(given).strip()
    spelt = [printed(level) for level in levels]
    if text in spelt:
        return spelt.index(text)
    if any(not isinstance(level, str) for level in levels):
        number = _number(text.replace(",", ".") if comma and "." not in text else text)
        for place, level in enumerate(levels):
            if number is not None and not isinstance(level, str) and float(level) == number:
                return place
    raise ValueError(level_hint(text, levels))


def level_hint(text: str, levels: Sequence[Level]) -> str:
    """Return what a text that is no level was meant to be, or which levels there are."""
    spelt = [printed(level) for level in levels]
    if len(spelt) > _MOST_LISTED:
        near = meant(text, spelt)
        return near if near.startswith("Did") else f"Known are {listed(spelt[:_MOST_LISTED])} and more"
    return meant(text, spelt)


def checked_value(parameter: Parameter, given: Number | str) -> Number:
    """Return the value inside of what people give for a parameter, as a number or as text.

    Raises:
        ValueError: it will not do; its message is a hint for people, perhaps empty.
    """
    if parameter.levels:
        return place_of(parameter.levels, given)
    from ordbo_cli.study.numbers import checked_parameter

    return checked_parameter(given, whole=parameter.is_whole)


def not_a_level(text: str) -> str:
    """Return the start of a message about a text that is no level."""
    return "it is empty" if not text.strip() else f"{quoted(text)} is none of its values"


def _text(given: Level) -> str:
    """Return a level's text; true and false are words, as in the problem file."""
    return str(given).lower() if isinstance(given, bool) else printed(given)


def _number(text: str) -> float | None:
    if len(text) > LONGEST_NUMBER:
        return None
    try:
        return float(exact_number(text))
    except ValueError:
        return None
