"""Appending rows to the evaluations: never a byte of what is there is changed."""

from __future__ import annotations

import csv
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, TypeVar

from ordbo_cli.errors import DataError, OvertakenError
from ordbo_cli.files.durable.appending import Fits, append_bytes
from ordbo_cli.files.tables.dialect import Undecodable, decoded, find_header, records
from ordbo_cli.files.tables.table import BLANK_RESULT, Status, Table, columns_of
from ordbo_cli.files.text import quoted, shown_path
from ordbo_cli.files.values.numbers import printed, same
from ordbo_cli.problem import Number, Problem

Cells = Mapping[str, str]
T = TypeVar("T")

_FAILED: Final = "failed"
_NAPS: Final = (0.01, 0.03, 0.1)  # seconds until a file is read again that somebody is writing anew
# What stands for nothing in a table that blanks divide. Dakota wants a whole number as id and a word as interface.
_NOT_A_NUMBER: Final = "nan"
_NO_ID: Final = "0"
_INTERFACE: Final = "interface"
_NO_INTERFACE: Final = "NO_ID"


def cells_of(
    table: Table,
    problem: Problem,
    id: int | None,
    parameters: Mapping[str, Number | str],
    objective: str,
    status: Status,
    others: Sequence[str] = (),
) -> Cells:
    """Return a row's cells by column, in the spelling of the file; what does not count, and what is out, has none.

    Raises:
        DataError: the file lacks the column that could say this, or cannot hold a text.
    """
    number = table.dialect.number
    cells = {name: number(printed(v)) if not isinstance(v, str) else v for name, v in parameters.items()}
    result = objective if problem.grades else number(objective)
    cells |= {"id": "" if id is None else str(id), problem.objective: result, "status": status}
    cells |= {limit.name: number(text) for limit, text in zip(problem.outcomes, others, strict=False)}
    demand_room_for(table, status)
    demand_columns(table, problem, parameters)
    if status == "failed" and table.columns and "status" not in table.columns:
        cells[problem.objective] = _FAILED
    return _without_blanks(table, problem, cells) if table.dialect.blank else cells


def has_status(table: Table) -> bool:
    """Return whether a file can say every status."""
    return not table.columns or "status" in table.columns


def demand_room_for(table: Table, status: Status) -> None:
    """Make sure that a file can say a status: for ok, failed and pending the column of the objective is enough.

    Raises:
        DataError: it lacks the column.
    """
    if status not in ("ok", "failed", "pending") and not has_status(table):
        hint = "Add the column to its header and rows, or begin a new file with evaluations:"
        raise DataError(f"{shown_path(table.path)}: no column 'status' can say {status}", hint)


def demand_columns(table: Table, problem: Problem, parameters: Mapping[str, Number | str]) -> None:
    """Make sure that a file has a column for each parameter that was added later, unless it has its past value.

    Raises:
        DataError: it lacks one.
    """
    for parameter in problem.free if table.columns else ():
        if parameter.past is None or parameter.name in table.columns:
            continue
        past = parameter.shown(parameter.past)
        if not same(parameters.get(parameter.name, past), past):
            hint = f"Add it at the end of the header; older rows stay as they are, and count as {past}"
            raise DataError(f"{shown_path(table.path)}: there is no column {quoted(parameter.name)}", hint)


def _without_blanks(table: Table, problem: Problem, cells: Cells) -> Cells:
    """Return cells for a table that blanks divide: none empty, and numbers where Dakota and NumPy expect them."""
    filled = {name: text or _NOT_A_NUMBER for name, text in cells.items() if name in table.columns}
    if filled.get("id") == _NOT_A_NUMBER:
        filled["id"] = _NO_ID
    if cells["status"] == "pending" and not has_status(table):
        filled[problem.objective] = BLANK_RESULT
    if filled[problem.objective] == _FAILED:
        filled[problem.objective] = _NOT_A_NUMBER
    for name, text in filled.items():
        if any(character.isspace() or character in '"#' for character in text):
            message = f"{shown_path(table.path)}: column {quoted(name)}: {quoted(text)} cannot stand in it"
            raise DataError(message, "Blanks divide its columns: begin a new file with evaluations:, or use commas")
    return filled


def append_rows(table: Table, problem: Problem, rows: Sequence[Cells]) -> None:
    """Append rows of evaluations; see :func:`append_cells`."""
    append_cells(table, columns_of(problem), rows)


def append_cells(table: Table, header: Sequence[str], rows: Sequence[Cells]) -> None:
    """Append rows at the end of the file, all or none; a new or empty file gets its header first.

    The caller holds the lock. What others append meanwhile stays, before or after these rows, and where they replace
    the file the rows are appended to the new one; see :mod:`ordbo_cli.files.durable.appending`.

    Args:
        table: the file as it was read.
        header: of a new file.
        rows: cells by column.

    Raises:
        FileError: the system refused; what was there is untouched.
        OvertakenError: the file has got other columns meanwhile.
    """
    if rows:
        append_bytes(table.path, _text(table, header, rows), _fitting(table, header), table.size)


def where_overtaken_again(act: Callable[[], T]) -> T:
    """Return what a call gives that reads files and appends to them, made again where somebody was quicker.

    Raises:
        OvertakenError: somebody was, each time.
    """
    for nap in _NAPS:
        try:
            return act()
        except OvertakenError:
            time.sleep(nap)
    return act()


def _fitting(table: Table, header: Sequence[str]) -> Fits:
    """Return what makes sure that rows are laid out for the columns that a file has by now."""
    named = _placed(table.header) if table.header else (dict(table.columns), table.width or len(table.columns))
    first = table.dialect.line(header).encode()

    def fits(now: bytes, content: bytes) -> None:
        new = not table.columns and first in content  # of a file that we have begun others may have made a copy
        expected = ({}, 0) if new else named if table.columns else _placed(header)
        if _columns_in(now, table, header) != expected:
            message = f"{shown_path(table.path)}: somebody has written to it meanwhile"
            raise OvertakenError(message, "Nothing was recorded: call again")

    return fits


def _columns_in(content: bytes, table: Table, wanted: Sequence[str]) -> tuple[dict[str, int], int]:
    """Return the place of each column by name, and how many there are, as the readers of tables find them."""
    try:
        found = find_header(records(decoded(content), table.dialect.delimiter, wanted), wanted)
    except (csv.Error, Undecodable):
        found = None
    return _placed(found.cells if found else ())


def _placed(names: Sequence[str]) -> tuple[dict[str, int], int]:
    places: dict[str, int] = {}
    for k, name in enumerate(names):
        places.setdefault(name, k)
    return places, len(names)


def _text(table: Table, header: Sequence[str], rows: Sequence[Cells]) -> bytes:
    columns, lines = table.columns, []
    if not columns:
        columns = {name: k for k, name in enumerate(header)}
        lines.append(table.dialect.line(header))
    width = table.width or len(columns)
    for row in rows:
        cells = [_NOT_A_NUMBER if table.dialect.blank else ""] * width
        if table.dialect.blank and _INTERFACE in columns:
            cells[columns[_INTERFACE]] = _NO_INTERFACE
        for name, text in row.items():
            if name in columns:
                cells[columns[name]] = text
        lines.append(table.dialect.line(cells))
    return "".join(lines).encode()
