"""Columns of a table that nobody chose: what counts the rows, says when they were made, or what became of them."""

from __future__ import annotations

import re
import shlex
from collections.abc import Sequence
from typing import Final

from ordbo_cli.exchange.seen_values import is_number, settings_of
from ordbo_cli.problem.spelling import loose

_FEWEST: Final = 3  # rows that show a pattern
_LONGEST: Final = 60  # characters of an option that is worth showing
_NUMBERED: Final = r"((?:[^0-9.+-].*?)?)([0-9]{1,18})"
_COUNTER: Final = (
    "#|no|nr|num(ber)?|nummer|index|idx|row|zeile|((lfd|laufende|serial)(no|nr|number|nummer)?"
    "|run|lauf|case|fall|trial|versuch|test|sample|probe|job|experiment|iteration|simulation)(no|nr|number|nummer|#)?"
    "|unnamed:[0-9]+"  # pandas' own
)
_WHEN: Final = (
    r"([0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}|[0-9]{1,2}[-/.][0-9]{1,2}[-/.]([0-9]{4}|[0-9]{2})"
    r"|[0-9]{1,2}[-. ]+[^\W\d_]{3,9}[-. ]+[0-9]{2,4})([t,; ].*)?"
    r"|[0-9]{1,2}:[0-9]{2}(:[0-9]{2}([.,][0-9]+)?)?( ?[ap]\.?m\.?)?"
)
_OUTCOME: Final = (
    "ok(ay)?|nok|not ok|fail(ed|ure)?|pass(ed)?|success(ful)?|abort(ed)?|cancell?ed|crash(ed)?|(di|con)verged"
    "|not converged|error|done|finished|completed?|killed|timed? ?out|pending|running|(in)?valid"
    "|abgebrochen|abbruch|fehler|fehlgeschlagen|gescheitert|fertig|erfolg(reich)?|(kon|di)vergiert"
    r"|(n\.? ?)?i\.? ?o\.?"
)
_ANSWER: Final = f"{_OUTCOME}|yes|no|y|n|ja|nein|j|true|false|0|1|x|-"
_ASKING: Final = f"status|state|ergebnis|result|outcome|{_OUTCOME}"


def none_chosen(name: str, cells: Sequence[str], results: Sequence[str]) -> str:
    """Return why a column without empty cells was hardly chosen, and how to have it; "" where it may have been."""
    if _counts(name, cells):
        why = "it counts the rows"
    elif all(re.fullmatch(_WHEN, cell.casefold()) for cell in cells):
        why = "it holds dates or times"
    elif _tells_outcome(name, cells) or _follows_outcome(cells, results):
        why = "it says what became of the rows"
    else:
        return ""
    return f"{why}; if you choose it, say {_option(name, cells)}"


def _counts(name: str, cells: Sequence[str]) -> bool:
    """Return whether cells are 1, 2, 3 ..., R7, R8 ..., or below a name for that any numbers, each once."""
    found = [re.fullmatch(_NUMBERED, cell) for cell in cells]
    parts = [match.groups() for match in found if match]
    if len(parts) < len(cells) or len({word for word, _ in parts}) > 1:
        return False
    numbers = [int(number) for _, number in parts]
    if re.fullmatch(_COUNTER, re.sub(r"[\s.-]", "", loose(name))):
        return len(set(numbers)) == len(numbers)
    return len(cells) >= _FEWEST and numbers == list(range(numbers[0], numbers[0] + len(numbers)))


def _tells_outcome(name: str, cells: Sequence[str]) -> bool:
    """Return whether cells are words of outcome, or answers below a name that asks for one."""
    words = _ANSWER if re.fullmatch(_ASKING, loose(name).rstrip("? ")) else _OUTCOME
    return all(re.fullmatch(words, cell.casefold()) for cell in cells)


def _follows_outcome(cells: Sequence[str], results: Sequence[str]) -> bool:
    """Return whether cells are always the same where there is a result, and never that where an evaluation failed."""
    rows = list(zip(cells, (result.lstrip("<>= ") for result in results), strict=True))
    there = [cell for cell, result in rows if is_number(result)]
    failed = [cell for cell, result in rows if result and not is_number(result)]
    return len(there) >= _FEWEST and len(set(there)) == 1 and bool(failed) and there[0] not in failed


def _option(name: str, cells: Sequence[str]) -> str:
    """Return the option of ``init`` that takes a column for a parameter."""
    settings = settings_of(cells)
    if "min" in settings:
        kind = ":int" if settings["type"] == "int" else ""
        said = f"{name}{kind}:{settings['min']}:{settings['max']}"
    else:
        said = f"{name}:categorical:{','.join(dict.fromkeys(cells))}"
    return "--param " + shlex.quote(said if len(said) <= _LONGEST else f"{name}:categorical:A,B,...")
