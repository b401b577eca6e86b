"""Requests of the line protocol: from one line of bytes to a checked value."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from decimal import Decimal, InvalidOperation
from typing import Any, Final, Literal

from ordbo_cli.errors import UsageError
from ordbo_cli.problem.spelling import meant, quoted, shown

LONGEST_LINE: Final = 1 << 20  # bytes
DEEPEST: Final = 50  # lists and objects within each other
MOST_POINTS: Final = 1_000  # of one request
_LONGEST_ID: Final = 18  # digits

_ACTIONS: Final = ("ask", "tell", "duel", "prefer", "tie", "rank", "status", "best")


@dataclass(frozen=True)
class Ask:
    """Asks for so many new points."""

    number: int


@dataclass(frozen=True)
class Tell:
    """Says what became of a point, in the words of ``Study.tell``; of several objectives each may stand by its name."""

    id: int | None = None
    parameters: Mapping[str, str] | None = None
    objective: str | None = None
    objectives: Mapping[str, str | None] | None = None
    failed: bool = False
    abandon: bool = False
    retry: bool = False
    amend: bool = False
    outcomes: Mapping[str, str | None] | None = None
    note: str = ""
    seconds: float | None = None
    judge: str | None = None


@dataclass(frozen=True)
class Compare:
    """Says that one point was found to be better than another, or as good, by their ids."""

    better: int
    worse: int
    tie: bool
    judge: str | None = None


@dataclass(frozen=True)
class Rank:
    """Says in which order points were found to be, the best first, those of one group alike, by their ids."""

    ranking: tuple[int | tuple[int, ...], ...]
    judge: str | None = None


@dataclass(frozen=True)
class Query:
    """Asks for the status, for the best evaluation, or for two points to compare."""

    at: Literal["status", "best", "duel"]


Request = Ask | Tell | Compare | Rank | Query


class Spelt(str):
    """A number, as it stands in the line: its digits are not for a double to round."""

    __slots__ = ()


def lines(readline: Callable[[int], bytes]) -> Iterator[bytes]:
    """Yield the lines of a stream that are not empty; of one that is too long, its first part.

    Args:
        readline: returns the next line, or so many bytes of it, as binary files do.
    """
    while line := readline(LONGEST_LINE + 1):
        rest = line
        while len(rest) > LONGEST_LINE and not rest.endswith(b"\n"):
            rest = readline(LONGEST_LINE + 1)
        if line.strip():
            yield line


def decoded(line: bytes) -> dict[str, Any]:
    """Return the object in a line, its numbers as :class:`Spelt`.

    Raises:
        UsageError: the line is too long, not UTF-8, no JSON, no object, nested too deeply, or repeats a key.
    """
    if len(line.rstrip(b"\r\n")) > LONGEST_LINE:
        raise UsageError(f"the line is longer than {LONGEST_LINE} bytes", "Send one request a line")
    try:
        content = json.loads(
            line.decode("utf-8-sig"),
            parse_float=Spelt,
            parse_int=Spelt,
            parse_constant=Spelt,
            object_pairs_hook=_unrepeated,
        )
    except UnicodeDecodeError as error:
        raise UsageError(f"the line is not UTF-8: byte {error.start + 1} is wrong", "Send UTF-8") from None
    except json.JSONDecodeError as error:
        raise UsageError(f"the line is no JSON: {error.msg} at character {error.pos + 1}", _WHOLE) from None
    except RecursionError:
        raise _too_deep() from None
    if not isinstance(content, dict):
        raise UsageError("the line is no JSON object", _WHOLE)
    _refuse_depth(content, DEEPEST)
    return content


_WHOLE: Final = 'Send one object a line, such as {"ask": 1}'


def tag_of(content: Mapping[str, Any]) -> dict[str, object]:
    """Return the tag of a request, to stand in its answer as it came; nothing where it has none.

    Raises:
        UsageError: a number in it is none.
    """
    return {"tag": _handed_back(content["tag"])} if "tag" in content else {}


def request_of(content: Mapping[str, Any]) -> Request:
    """Return what an object asks for.

    Raises:
        UsageError: it asks for nothing, for two things, or in words that are not known.
    """
    _refuse_unknown(content, (*_ACTIONS, "judge", "tag"))
    said = [action for action in _ACTIONS if action in content]
    if not said:
        raise UsageError("nothing is asked for", f"Say one of {', '.join(_ACTIONS)}")
    if len(said) > 1:
        raise UsageError(f"{quoted(said[0])} beside {quoted(said[1])}", "Send them in lines of their own")
    (action,) = said
    value, judge = content[action], _judge(content.get("judge"), action)
    if action == "ask":
        return Ask(_whole("ask", value, MOST_POINTS))
    if action == "tell":
        return _tell(value, judge)
    if action in ("prefer", "tie"):
        return _compare(action, value, judge)
    if action == "rank":
        return _rank(value, judge)
    if value is not True:
        raise UsageError(f"{action} is not true", f'Send {{"{action}": true}}')
    return Query("status" if action == "status" else "duel" if action == "duel" else "best")


def _judge(value: object, action: str) -> str | None:
    """Return who judges, None where nobody is named."""
    if value is None:
        return None
    if not isinstance(value, str) or isinstance(value, Spelt):
        raise UsageError("judge is no text", 'Send {"prefer": [12, 17], "judge": "anna"}')
    if action not in ("prefer", "tie", "rank", "tell"):
        raise UsageError(f"{quoted('judge')} beside {quoted(action)}", "It stands beside prefer, tie, rank and tell")
    return str(value)


def _compare(action: str, value: object, judge: str | None) -> Compare:
    if not isinstance(value, list) or len(value) != 2:
        raise UsageError(f"{action} is no list of two ids", f'Send {{"{action}": [12, 17]}}')
    better, worse = (_whole("id", each) for each in value)
    return Compare(better, worse, action == "tie", judge)


def _rank(value: object, judge: str | None) -> Rank:
    if not isinstance(value, list):
        raise UsageError("rank is no list of ids", 'Send {"rank": [4, [7, 2], 9]}, the best first; [7, 2] are tied')
    ranking = (
        tuple(_whole("id", one) for one in each) if isinstance(each, list) else _whole("id", each) for each in value
    )
    return Rank(tuple(ranking), judge)


def _tell(value: object, judge: str | None) -> Tell:
    if not isinstance(value, dict):
        raise UsageError("tell is no object", 'Send {"tell": {"id": 17, "objective": 0.31}}')
    _refuse_unknown(value, tuple(field.name for field in fields(Tell)))
    failed, abandon, retry, amend = (_flag(name, value.get(name)) for name in ("failed", "abandon", "retry", "amend"))
    number = value.get("id")
    objective = value.get("objective")
    if not isinstance(objective, str | None):
        raise UsageError("objective is neither a number nor a word", "Send one of the two, or null for a failure")
    # null is what JSON makes of NaN; beside a flag it is only a field that is not used
    outcomes = _results("outcome", value.get("outcomes"), "stress")
    objectives = _results("objective", value.get("objectives"), "drag")
    if objective is not None and objectives is not None:
        raise UsageError("objective stands beside objectives", "Send objectives alone")
    nothing = any(name in value for name in ("objective", "objectives")) and objective is None and objectives is None
    failed = failed or (nothing and not (abandon or retry or outcomes))
    return Tell(
        id=None if number is None else _whole("id", number),
        parameters=_parameters(value.get("parameters")),
        objective=None if objective is None else str(objective),
        objectives=objectives,
        failed=failed,
        abandon=abandon,
        retry=retry,
        amend=amend,
        outcomes=outcomes,
        note=_note(value.get("note")),
        seconds=_seconds(value.get("seconds")),
        judge=judge if judge is not None else _judge(value.get("judge"), "tell"),
    )


def _note(value: object) -> str:
    if not isinstance(value, str | None) or isinstance(value, Spelt):
        raise UsageError("note is no text", 'Send {"note": "the mesh broke"}')
    return value or ""


def _seconds(value: object) -> float | None:
    if not isinstance(value, Spelt | None):
        raise UsageError("seconds is no number", 'Send {"seconds": 12.5}')
    return None if value is None else float(value)


def _parameters(value: object) -> dict[str, str] | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise UsageError("parameters is no object", 'Send {"angle": 3.1, "blades": 4}')
    given = {name: entry for name, entry in value.items() if entry is not None}
    for name, entry in given.items():
        if not isinstance(entry, str | bool):
            raise UsageError(f"parameter {quoted(name)} is neither a number nor a word", "Send one of the two")
    return {name: str(entry).lower() if isinstance(entry, bool) else str(entry) for name, entry in given.items()}


def _results(what: str, value: object, example: str) -> dict[str, str | None] | None:
    """Return results by name."""
    if value is None:
        return None
    if not isinstance(value, dict):
        raise UsageError(f"{what}s is no object", f'Send {{"{example}": 240}}')
    for name, entry in value.items():
        if not isinstance(entry, str | None):
            raise UsageError(f"{what} {quoted(name)} is no number", "Send one, or null where there is none")
    return {name: None if entry is None else str(entry) for name, entry in value.items()}


def _flag(name: str, value: object) -> bool:
    if value is None or isinstance(value, bool):
        return bool(value)
    raise UsageError(f"{name} is neither true nor false", f'Send "{name}": true, or leave it out')


def _whole(name: str, value: object, most: int | None = None) -> int:
    """Return a whole number from 1 on."""
    hint = f"Send a whole number from 1 {'on' if most is None else f'to {most}'}"
    if not isinstance(value, Spelt):
        raise UsageError(f"{name} is no number", hint)
    number = int(value) if value.isdecimal() and len(value) <= _LONGEST_ID else 0
    if number < 1 or (most is not None and number > most):
        raise UsageError(f"{name} is {shown(value)}", hint)
    return number


def _refuse_unknown(content: Mapping[str, Any], known: tuple[str, ...]) -> None:
    for name in content:
        if name not in known:
            raise UsageError(f"unknown key {quoted(name)}", meant(name, known))


def _unrepeated(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise UsageError(f"the key {quoted(name)} stands twice", "Which of the two is meant?")
        found[name] = value
    return found


def _refuse_depth(value: object, depth: int) -> None:
    """Refuse nesting that the way back could not follow."""
    if depth < 0:
        raise _too_deep()
    inside: Iterable[object] = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for entry in inside:
        _refuse_depth(entry, depth - 1)


def _too_deep() -> UsageError:
    return UsageError("the line is nested too deeply", f"At most {DEEPEST} lists and objects within each other")


def _handed_back(value: object) -> object:
    """Return a value with its numbers as decimals, which keep every digit."""
    if isinstance(value, dict):
        return {name: _handed_back(entry) for name, entry in value.items()}
    if isinstance(value, list):
        return [_handed_back(entry) for entry in value]
    if not isinstance(value, Spelt):
        return value
    try:
        number = Decimal(value)
    except InvalidOperation:
        number = Decimal("NaN")
    if not number.is_finite():
        raise UsageError(f"the tag holds {shown(value)}", "A number in a tag has to be finite, and its exponent short")
    return number
