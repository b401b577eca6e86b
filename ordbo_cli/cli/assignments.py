"""NAME=VALUE arguments, pairs of ids, and rankings of them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Final

from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.problem.sample_ranking import groups_of, judge_name
from ordbo_cli.problem.spelling import meant, quoted

_LONGEST_ID: Final = 15  # digits
_BEGINS_A_NUMBER: Final = re.compile(r"[<>]?[+-]?\.?\d")


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
    if bare := [argument for argument in arguments if "=" not in argument]:
        raise UsageError(f"{bare[0]!r} is not NAME=VALUE", f"For instance {_example(arguments, bare, names)}")
    for argument in arguments:
        name, value = _split(argument, names)
        if name in values:
            raise UsageError(f"{name!r} is given twice", "Give it once")
        if not value:
            raise UsageError(f"{name!r} has no value", f"Write {shlex.quote(f'{name}=NUMBER')}")
        values[name] = value
    return values


def _split(argument: str, names: Sequence[str]) -> tuple[str, str]:
    known = [name for name in names if argument.startswith(f"{name}=")]
    if known:
        name = max(known, key=len)
        return name, argument[len(name) + 1 :].strip()
    name, _, value = argument.partition("=")
    if name.strip() in names:
        return name.strip(), value.strip()
    raise UsageError(f"unknown name {quoted(name)}", meant(name, names))


def _example(arguments: Sequence[str], bare: Sequence[str], names: Sequence[str]) -> str:
    """Return how to write, in a shell, what was most likely meant: the last name not given yet, with the value of it.

    That may stand behind the name (``drag 0.31``, ``wall shear=3`` without quotation marks), or be the only bare word.
    """
    words = " ".join(arguments)
    left = [name for name in names if not any(argument.startswith(f"{name}=") for argument in arguments)]
    for name in sorted(left, key=len, reverse=True):
        if found := re.search(rf"(?<!\S){re.escape(name)}\s*[=: ]\s*(\S+)", words):
            return shlex.quote(f"{name}={found[1]}")
    value = bare[0] if len(bare) == 1 and _BEGINS_A_NUMBER.match(bare[0]) else "0.31"
    return shlex.quote(f"{(left or names)[-1]}={value}")


def two_ids(words: Sequence[str]) -> tuple[int, int]:
    """Return the ids of two points.

    Raises:
        UsageError: there are not two, or they are no ids.
    """
    if len(words) != 2 or not all(word.isascii() and word.isdecimal() and int(word) for word in words):
        raise UsageError(f"{' '.join(words)!r} names no two points", "Give two ids: 12 over 17")
    one, other = map(int, words)
    return one, other


def ranked_ids(words: Sequence[str]) -> list[list[int]]:
    """Return the groups of ids that words name: ``4 7=2 9``, with or without ``over`` between them.

    Raises:
        UsageError: one is no id, or a sign of equality has nothing on one side.
    """
    text = re.sub(r"\s*=\s*", "=", " ".join(words))
    groups = [word.split("=") for word in text.split() if word.lower() != "over"]
    for id in (id for group in groups for id in group):
        if not id:
            raise UsageError(f"{quoted(text)}: nothing stands on one side of =", "Join what is tied: 7=2")
        if not (id.isascii() and id.isdecimal() and len(id) <= _LONGEST_ID and int(id)):
            raise UsageError(f"{quoted(id)} is no id", "Give ids, the best first, those that are tied joined: 4 7=2 9")
    return [[int(id) for id in group] for group in groups]


def rankings_in(text: str, source: str) -> list[tuple[list[list[int]], str | None]]:
    """Return the rankings in a file, one a line, each with the judge whose name and a colon stand before it.

    Raises:
        DataError: a line is none, or there is none.
    """
    found: list[tuple[list[list[int]], str | None]] = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        judge, colon, ids = line.rpartition(":")
        try:
            ranking = ranked_ids(ids.split())
            groups_of(ranking)
            found.append((ranking, judge_name(judge) if colon else None))
        except UsageError as error:
            raise DataError(f"{source}:{number}: {error.message}", error.hint) from None
    if not found:
        raise DataError(f"{source}: there is no ranking in it", "Write one a line, the best first: anna: 4 7=2 9")
    return found
