"""Points as JSON, CSV, environment variables or arguments. What is printed is what is stored: no rounding here."""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, Final, NamedTuple

from ordbo_cli.errors import ProblemError
from ordbo_cli.files.text import environment_name

if TYPE_CHECKING:
    from ordbo_cli.study.telling.recording import Told

FORMATS: Final = ("json", "csv", "env", "args")

Value = int | float | str | Decimal | None


class ShownPoint(NamedTuple):
    """What suggest and best print.

    Args:
        id: of the suggestion; None for a row that was never suggested.
        parameters: all that count by name, fixed ones included.
        objective: name and value of the result, where there is one.
        names: of all parameters, also of those that do not count; empty where none is left out.
        more: what else there is to say on the point, for JSON.
    """

    id: int | None
    parameters: Mapping[str, int | float | str]
    objective: tuple[str, Decimal | str] | None = None
    names: tuple[str, ...] = ()
    more: Mapping[str, object] = {}

    @property
    def cells(self) -> dict[str, int | float | str | None]:
        """All parameters by name, None for one that does not count."""
        return {name: self.parameters.get(name) for name in self.names or self.parameters}


def text(value: Value) -> str:
    """Return a value as it is stored: the shortest decimal that reads back as the same double; "" for None."""
    return "" if value is None else str(value)


def words(parameters: Mapping[str, int | float | str]) -> str:
    """Return a point in words, for people."""
    return " ".join(f"{name}={value}" for name, value in parameters.items())


def result_words(told: Told, objective: str) -> str:
    """Return what was told of a point, in words: its results by name, or what became of it."""
    if told.status != "ok":
        return told.status
    results = {objective: told.objective} if told.objective is not None else {}
    return words({**results, **told.outcomes}) + (" (infeasible)" if told.infeasible else "")


def argument_name(name: str) -> str:
    """Return ``--`` and the name, everything but letters, digits and dots as ``-``."""
    return "--" + re.sub(r"[^\w.]|_", "-", name)


def check_names(form: str, names: Iterable[str]) -> None:
    """Make sure that a format can tell the names apart.

    Raises:
        ProblemError: two of them would be printed alike.
    """
    if form == "env":
        spelt, names = environment_name, ("id", *names)
    elif form == "args":
        spelt = argument_name
    else:
        return
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(spelt(name), name)
        if other != name or list(names).count(name) > 1:
            raise ProblemError(
                f"--format {form}: {other!r} and {name!r} would both be {spelt(name)}",
                "Rename one in the problem file, or use --format json",
            )


def render(form: str, point: ShownPoint) -> str:
    """Return a point in one of :data:`FORMATS`, with the final line end."""
    return _RENDERERS[form](point)


def render_all(form: str, points: Sequence[ShownPoint]) -> str:
    """Return points one below the other; as CSV, below one header."""
    if form == "csv" and points:
        return csv_lines([["id", *points[0].cells], *([each.id, *each.cells.values()] for each in points)])
    return "".join(render(form, point) for point in points)


def json_line(value: object) -> str:
    """Return one line of strict JSON: decimals digit by digit, infinity as the text "inf", Unicode as it is."""
    return _json(value) + "\n"


def csv_lines(rows: Iterable[Iterable[Value]]) -> str:
    """Return rows as comma-separated lines."""
    target = io.StringIO()
    csv.writer(target, lineterminator="\n").writerows([text(value) for value in row] for row in rows)
    return target.getvalue()


def _json(value: object) -> str:
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_json(str(key))}: {_json(entry)}" for key, entry in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_json, value)) + "]"
    if isinstance(value, Decimal):  # json.dumps knows no decimals; 1E+400 and 20 digits are JSON numbers all the same
        return str(value) if value.is_finite() else '"inf"' if value > 0 else '"-inf"'
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def _as_json(point: ShownPoint) -> str:
    entries: dict[str, object] = {"id": point.id, "parameters": point.parameters}
    if point.objective is not None:
        entries["objective"] = dict([point.objective])
    return json_line({**entries, **point.more})


def _as_csv(point: ShownPoint) -> str:
    return render_all("csv", [point])


def _as_env(point: ShownPoint) -> str:
    entries = {"id": point.id, **point.parameters}
    given = "".join(f"{environment_name(name)}={shlex.quote(text(value))}\n" for name, value in entries.items())
    absent = [environment_name(name) for name, value in point.cells.items() if value is None]
    return given + (f"unset {' '.join(absent)}\n" if absent else "")  # what the point before may have set


def _as_args(point: ShownPoint) -> str:
    arguments = (f"{argument_name(name)}={text(value)}" for name, value in point.parameters.items())
    return shlex.join(arguments) + "\n"


_RENDERERS: Final[Mapping[str, Callable[[ShownPoint], str]]] = {
    "json": _as_json,
    "csv": _as_csv,
    "env": _as_env,
    "args": _as_args,
}
