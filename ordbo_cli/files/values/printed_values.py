"""Values as simulators print them: behind a name, before a unit, between colour codes."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Final, NamedTuple

from ordbo_cli.errors import DataError
from ordbo_cli.files.values.levels import censored_value, level_hint, not_a_result
from ordbo_cli.files.values.numbers import number_hint
from ordbo_cli.problem import Problem
from ordbo_cli.problem.spelling import listed, quoted

# Escape sequences that leave the text where it is: colours, the character set, the title of a window, the cursor's
# look, and an erased rest of the line ...
_TEXT: Final = r"[^\x07\x1b\x9c]{0,999}"
_STYLES = re.compile(
    r"(?:\x1b\[|\x9b)(?:[0-?]*m|0?K|\?[0-?]*[hl])|(?:\x1b[\]PX^_]|[\x90\x9d])" + _TEXT + r"(?:\x07|\x1b\\|\x9c)"
    r"|\x1b[ -/]+[0-~]|\x1b[0-9=>]|[\x0e\x0f]"
)
# ... and those that move: what follows stands elsewhere.
_MOVES = re.compile(r"(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]|\x1b[@-Z\\^_c-~]")
_LINE_END = re.compile(r"\r\n|\r|\n")
_LONGEST_LINE: Final = 2_000  # characters; a longer one gives nothing by a name

# Not '=> 0.31', an arrow; '=>1e6' is a limit.
_SIGN: Final = r"\s*(?::=|=(?!>\s)|:)\s*"
# A colon in the middle of a word may be one of 12:30 or C:\.
_PAIR = re.compile(r"(?P<name>[^=:]*[^=:\s<>!~+*/-])\s*(?::=|=(?!>\s)|:(?=\s|[-+.]?[0-9]+(?![0-9:])))\s*(?P<rest>\S.*)")
_BETWEEN = re.compile(r"[,;|]\s+|\s{2,}(?=[^\s=:]+\s*[=:])")
_ROW = re.compile(r"(?:[^\s=:]+\s*=\s*[^\s=]+(?:\s+|$)){2,}")  # lift = 7 drag = 0.31
_IN_ROW = re.compile(r"([^\s=:]+)\s*=\s*([^\s=]+)")
_CENSORED = re.compile(r"([<>]=?|[\u2264\u2265])\s+")
# One word behind a value: no power of ten that was torn off (1.2 e-3, 3 x10), no share, no verdict.
_UNIT: Final = r"\[?(?!(?i:per|percent|pct|fail\w*|error\w*|invalid)\b|[eEdDqQxX][-+]?[0-9])(?:[^\W\d_]|\u00b0)[^\s,;]*"
_VALUE_AND_UNIT = re.compile(rf"(?P<value>\S+)(?:\s+(?P<unit>{_UNIT}))?[,;.]?(?:\s*[(#].*|[,;]\s+[^\W\d_].*)?")
_NUMBER_LIKE = re.compile(r"[-+.<>]*[0-9]")
_MOST_SEEN: Final = 3
_NO_NAME: Final = r"(?!)"


class Found(NamedTuple):
    """A value in what a simulator wrote.

    Args:
        text: as it is spelt.
        where: it stands, for people.
        unit: the word behind it, or "".
        note: what people should know of it, or "".
    """

    text: str
    where: str = ""
    unit: str = ""
    note: str = ""


class PrintedPair(NamedTuple):
    """A name, and what stands behind the sign that follows it."""

    name: str
    rest: str


def plain(text: str) -> str:
    """Return what a program printed without escape sequences; one that moves the cursor ends a line."""
    text = text.removeprefix("\ufeff")
    return text if "\x1b" not in text and text.isascii() else _MOVES.sub("\n", _STYLES.sub("", text))


def lines_of(text: str) -> list[str]:
    """Return the lines of a plain text, stripped, up to the last one that is not blank."""
    lines = [line.strip() for line in _LINE_END.split(text)]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def folded(name: str) -> str:
    """Return what names that differ in case, width or the signs between words have in common."""
    return re.sub(r"[\s_-]+", "", unicodedata.normalize("NFKC", name).casefold())


def spelling_of(problem: Problem, names: Sequence[str]) -> str | None:
    """Return the one name that differs from the objective's in its spelling alone; None where there is none, or two."""
    wanted = folded(problem.objective)
    alike = {name for name in names if folded(name) == wanted and name not in problem.names}
    return alike.pop() if len(alike) == 1 else None


def spelling_note(source: str, name: str, objective: str) -> str:
    """Return what people are told where a name is taken for the objective's."""
    return f"{source} gives {quoted(name)}, which is taken for {objective}"


def by_name(lines: Sequence[str], problem: Problem, source: str) -> Found | None:
    """Return the value in the last line that gives the objective by its name; None where no line does.

    Args:
        lines: as :func:`lines_of` returns them.
        problem: whose objective is looked for.
        source: where they stand, for messages.

    Raises:
        DataError: what stands there is meant for a value and is none.
    """
    found = _last(lines, problem.objective, problem, source)
    name = None if found else spelling_of(problem, [pair.name for pair in _values(lines, problem)])
    if name is None:
        return found
    found = _last(lines, name, problem, source)
    return found and found._replace(note=spelling_note(source, name, problem.objective))


def named_elsewise(lines: Sequence[str], problem: Problem) -> str:
    """Return the last values that lines give by other names, in words; "" where there are none."""
    return listed(f"{pair.name} = {pair.rest}" for pair in _values(lines, problem)[-_MOST_SEEN:])


def _values(lines: Sequence[str], problem: Problem) -> list[PrintedPair]:
    return [pair for line in lines for pair in _pairs(line, _NO_NAME) if value_in(pair.rest, problem)]


def _last(lines: Sequence[str], name: str, problem: Problem, source: str) -> Found | None:
    for number in range(len(lines), 0, -1):
        line = lines[number - 1]
        if (found := _in_line(line, name, problem, source)) is not None:
            which = "the last line" if number == len(lines) else f"line {number}"
            return found._replace(where=f"{which} of {source} ({quoted(line)})")
    return None


def value_in(rest: str, problem: Problem) -> Found | None:
    """Return the value that stands behind a name, alone, or with one word for its unit and a remark in brackets."""
    if problem.grades:
        return Found(rest) if is_value(rest, problem) else None
    match = _VALUE_AND_UNIT.fullmatch(joined(rest))
    if match is None:
        return None
    for text in (match["value"], match["value"][:-1] if match["value"][-1] in ",;." else ""):
        if text and is_value(text, problem):
            return Found(text, unit=(match["unit"] or "").strip("[].,;"))
    return None


def joined(text: str) -> str:
    """Return a text in which the sign of a limit stands right before its value: ``>1e6`` for ``> 1e6``."""
    return _CENSORED.sub(r"\1", text, count=1) if text[:1] in "<>\u2264\u2265" else text


def is_value(text: str, problem: Problem) -> bool:
    """Return whether a text is a result, or a word for a failure."""
    try:
        censored_value(problem, text)
    except ValueError:
        return False
    return True


def _in_line(line: str, name: str, problem: Problem, source: str) -> Found | None:
    """Return the value that a line gives by a name.

    Raises:
        DataError: as :func:`by_name`.
    """
    if name not in line or len(line) > _LONGEST_LINE:
        return None
    escaped = re.escape(name)
    for pair in _pairs(line, escaped):
        if pair.name == name:
            if found := value_in(pair.rest, problem):
                return found
            if " " not in pair.rest or _NUMBER_LIKE.match(pair.rest) or problem.grades:
                hint = level_hint(pair.rest, problem.grades) if problem.grades else number_hint(pair.rest)
                what = not_a_result(problem, pair.rest)
                raise DataError(f"{source}: {what if problem.grades else f'{name}: {what}'}", hint)
            return None  # a sentence
    match = re.fullmatch(rf"{escaped}\s+(?P<behind>\S+)|(?P<before>\S.*?)\s+{escaped}", line)
    text = (match["behind"] or match["before"]) if match else ""
    return Found(text) if text and is_value(text, problem) else None


def _pairs(line: str, name: str) -> list[PrintedPair]:
    """Return what a line gives by names: ``drag = 0.31``, ``lift: 7 N, drag: 0.31 N``, ``lift=7 drag=0.31``.

    Args:
        line: of text.
        name: pattern of a name that may hold any signs.
    """
    if len(line) > _LONGEST_LINE or not ("=" in line or ":" in line):
        return []
    if _ROW.fullmatch(line):
        return [PrintedPair(each[1], each[2]) for each in _IN_ROW.finditer(line)]
    pattern = re.compile(rf"(?P<name>{name}){_SIGN}(?P<rest>\S.*)")
    whole = pattern.match(line)
    first, *others = _BETWEEN.split(whole["rest"] if whole else line)
    parts = [whole["name"] + " = " + first if whole else first, *others]
    pairs: list[PrintedPair] = []
    for part in parts:
        if match := pattern.fullmatch(part) or _PAIR.fullmatch(part):
            pairs.append(PrintedPair(match["name"], match["rest"]))
        elif pairs:  # a remark, or a second value where there should be one
            pairs[-1] = PrintedPair(pairs[-1].name, f"{pairs[-1].rest}, {part}")
    return pairs
