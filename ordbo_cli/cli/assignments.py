"""NAME=VALUE arguments, and pairs of ids."""

from __future__ import annotations

from collections.abc import Sequence

from ordbo_cli.errors import UsageError
from ordbo_cli.problem.spelling import meant, quoted


def parse(arguments: Sequence[str], names: Sequence[str]) -> dict[str, str]:
    """Return the values by name, as they were typed.

    A name may hold ``=`` itself: the longest known name in front of one wins.

    Args:
        arguments: each ``NAME=VALUE``.
        names: the known ones.

    Raises:
        UsageError: an argument has no ``=`` or no value, its name is unknown, or a name is given twice.
    """
    values: dict[str, str] = {}
    for argument in arguments:
        name, value = _split(argument, names)
        if name in values:
            raise UsageError(f"{name!r} is given twice", "Give it once")
        if not value:
            raise UsageError(f"{name!r} has no value", f"Write {name}=NUMBER")
        values[name] = value
    return values


def _split(argument: str, names: Sequence[str]) -> tuple[str, str]:
    if "=" not in argument:
        raise UsageError(f"{argument!r} is not NAME=VALUE", f"For instance {names[-1]}=0.31")
    known = [name for name in names if argument.startswith(f"{name}=")]
    if known:
        name = max(known, key=len)
        return name, argument[len(name) + 1 :].strip()
    name, _, value = argument.partition("=")
    if name.strip() in names:
        return name.strip(), value.strip()
    raise UsageError(f"unknown name {quoted(name)}", meant(name, names))


def two_ids(words: Sequence[str]) -> tuple[int, int]:
    """Return the ids of two points.

    Raises:
        UsageError: there are not two, or they are no ids.
    """
    if len(words) != 2 or not all(word.isascii() and word.isdecimal() and int(word) for word in words):
        raise UsageError(f"{' '.join(words)!r} names no two points", "Give two ids: 12 over 17")
    one, other = map(int, words)
    return one, other
