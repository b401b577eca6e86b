r"""Texts to be filled in, files and arguments: ``{name}`` becomes the value, all else stays as it is, byte by byte.

Input files are full of braces of their own, so only what looks like a name is taken: letters, digits, ``_ . -`` and
single spaces, on one line. ``{ type fixedValue; }``, ``{"a": 1}``, ``{R1*2}`` and ``{3}`` stand. A name that is not
one of the study's is an error. ``\{name}`` is a literal ``{name}``, ``\\{name}`` a backslash and the value. Files
where that is not enough take other delimiters: ``@ @``, ``<< >>``, ``@{ }``.
"""

from __future__ import annotations

import re
import stat
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from ordbo_cli.errors import DataError, OrdboError, UsageError
from ordbo_cli.files.durable.paths import missing
from ordbo_cli.problem.spelling import meant, quoted

_NAME = r"[^\W\d]\w*(?:[ .-]\w+)*"


@dataclass(frozen=True)
class Template:
    """A text to be filled in.

    Args:
        pieces: literal text and names in turn, a literal one first and last.
        mode: permission bits of the file that it was read from; None for a text that was no file.
    """

    pieces: tuple[str, ...]
    mode: int | None = None

    @classmethod
    def read(cls, path: Path, delimiters: str, names: Collection[str]) -> Template:
        """Read a template from a file and find the names in it.

        Args:
            path: of the template; any encoding that keeps ASCII as ASCII.
            delimiters: the opening and the closing one, a space between.
            names: all that can be filled in.

        Raises:
            MissingFileError: there is no such file.
            UsageError: the delimiters are not two.
            DataError: a name in the template is unknown (file, line and column are named).
            OSError: it cannot be read.
        """
        pair = _split(delimiters)
        try:
            content = path.read_bytes().decode("utf-8", "surrogateescape")
            mode = stat.S_IMODE(path.stat().st_mode)
        except FileNotFoundError:
            raise missing(path, "template") from None
        return cls(_pieces(content, pair, names, path), mode)

    @classmethod
    def of_argument(cls, argument: str, names: Collection[str]) -> Template:
        """Find the names in an argument of a command line, between braces.

        Args:
            argument: as it was typed.
            names: all that can be filled in.

        Raises:
            UsageError: a name in it is unknown.
        """
        return cls(_pieces(argument, ("{", "}"), names, None))

    @property
    def names(self) -> frozenset[str]:
        """The names that stand in it."""
        return frozenset(self.pieces[1::2])

    def fill(self, values: Mapping[str, str]) -> str:
        """Return the text with every name replaced; lone surrogates stand for bytes that are not UTF-8."""
        return "".join(values[piece] if place % 2 else piece for place, piece in enumerate(self.pieces))


def _pieces(content: str, delimiters: tuple[str, str], names: Collection[str], source: Path | None) -> tuple[str, ...]:
    opening, closing = delimiters
    pieces: list[str] = []
    end = 0
    literal = ""
    for match in _pattern(opening, closing, names).finditer(content):
        slashes, name = match["slashes"], match["name"]
        escaped = len(slashes) % 2 == 1
        if match["tail"] and not escaped:
            continue
        literal += content[end : match.start()] + slashes[: len(slashes) // 2]
        end = match.end()
        if escaped:
            literal += f"{opening}{match['inside']}{closing}"
            continue
        _check(match, names, source, delimiters)
        pieces += [literal, name]
        literal = ""
    return (*pieces, literal + content[end:])


def _split(delimiters: str) -> tuple[str, str]:
    parts = delimiters.split()
    if len(parts) != 2:
        raise UsageError(f"--delimiters is {delimiters!r}", "It takes two with a space between: '{ }', '@ @', '<< >>'")
    if any(re.search(r"\w|\\", part) for part in parts):
        raise UsageError(f"--delimiters is {delimiters!r}", "Letters, digits, _ and \\ cannot stand around a name")
    return parts[0], parts[1]


def _pattern(opening: str, closing: str, names: Collection[str]) -> re.Pattern[str]:
    """Return what finds ``slashes``, ``inside`` (with blanks) and ``name``; a known name may hold any characters."""
    known = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    before, after = re.escape(opening), re.escape(closing)
    return re.compile(rf"(?P<slashes>\\*){before}(?P<inside>[ \t]*(?P<name>{known}|{_NAME})[ \t]*)(?P<tail>\\?){after}")


def _check(match: re.Match[str], names: Collection[str], source: Path | None, delimiters: tuple[str, str]) -> None:
    """Make sure that a name is known, and not meant for doubled delimiters."""
    opening, closing = delimiters
    name, content = match["name"], match.string
    if name not in names:
        literal = f"Text that only looks like a name: write \\{opening}{name}{closing}"
        guess = meant(name, names)
        others = "" if source is None else ", or give other --delimiters"
        raise _fault(
            match, source, f"unknown name {name!r}", f"{guess}{'' if guess.endswith('?') else '.'} {literal}{others}"
        )
    doubled = content[: match.start()].endswith(opening) and content.startswith(closing, match.end())
    if doubled and not match["slashes"]:
        spaced = f"put a space inside the outer pair: {opening} {opening}{name}{closing} {closing}"
        pair = f"'{opening * 2} {closing * 2}'"
        raise _fault(
            match,
            source,
            f"{opening * 2}{name}{closing * 2} can be read in two ways",
            f"Write {opening}{name}{closing} for the value; for braces around it {spaced}"
            if source is None
            else f"Give --delimiters {pair} if all of it is to be replaced, or {spaced}",
        )


def _fault(match: re.Match[str], source: Path | None, what: str, hint: str) -> OrdboError:
    """Return the error for a place in a file, or in an argument, which is short enough to be shown."""
    content = match.string
    if source is None:
        return UsageError(f"the argument {quoted(content)}: {what}", hint)
    line = content.count("\n", 0, match.start()) + 1
    column = match.start() - content.rfind("\n", 0, match.start())
    return DataError(f"{source}:{line}:{column}: {what}", hint)
