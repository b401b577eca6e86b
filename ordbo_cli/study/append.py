"""Appending rows to the evaluations: never a byte of what is there is changed."""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from ordbo_cli.errors import DataError
from ordbo_cli.problem import Number, Problem
from ordbo_cli.study.atomic import sync_folder, write_all
from ordbo_cli.study.journal import Intent, noted
from ordbo_cli.study.numbers import printed, same
from ordbo_cli.study.paths import refused
from ordbo_cli.study.table import BLANK_RESULT, Status, Table, columns_of
from ordbo_cli.study.text import quoted, shown_path

Cells = Mapping[str, str]
_LINE_ENDS: Final = (b"\n", b"\r")
_FAILED: Final = "failed"
_NAPS: Final = (0.01, 0.03, 0.1)  # seconds between looks at a file that somebody else is appending to
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

    The caller holds the lock. What others append meanwhile stays, before or after these rows.

    Args:
        table: the file as it was read.
        header: of a new file.
        rows: cells by column.

    Raises:
        FileError: the system refused; what was there is untouched.
        DataError: a file that had no header has got something meanwhile.
    """
    if not rows:
        return
    try:
        descriptor, new = _open(table.path)
    except OSError as error:
        raise refused("append to it", table.path, error) from None
    try:
        _append(descriptor, _text(table, header, rows), table)
    except OSError as error:
        raise refused("append to it", table.path, error) from None
    finally:
        os.close(descriptor)
    if new:
        sync_folder(table.path.parent)


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


def _open(path: Path) -> tuple[int, bool]:
    flags = os.O_RDWR | os.O_APPEND | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
    try:
        return os.open(path, flags), False
    except FileNotFoundError:
        return os.open(path, flags | os.O_CREAT, 0o666), True


def _append(descriptor: int, content: bytes, table: Table) -> None:
    """Write at the end; a write that fails half-way is taken back, if nobody has written since."""
    before = _settled_size(descriptor, table.size)
    if not table.columns and before != table.size:
        message = f"{shown_path(table.path)}: somebody has written to it meanwhile"
        raise DataError(message, "Nothing was recorded: call again")
    if not _ends_a_line(descriptor, before):
        content = (b"\r\n" if content.endswith(b"\r\n") else content[-1:]) + content
    with noted(table.path, Intent(before, content)):
        try:
            write_all(descriptor, content)
            os.fsync(descriptor)
        except OSError:
            with contextlib.suppress(OSError):
                _take_back(descriptor, before, content)
            raise


def _settled_size(descriptor: int, known: int) -> int:
    """Return the file's size, after a while in which somebody who is in the middle of a row can end it."""
    for nap in _NAPS:
        size = os.fstat(descriptor).st_size
        if size == known or _ends_a_line(descriptor, size):
            return size
        time.sleep(nap)
    return os.fstat(descriptor).st_size


def _ends_a_line(descriptor: int, size: int) -> bool:
    if not size:
        return True
    os.lseek(descriptor, size - 1, os.SEEK_SET)
    return os.read(descriptor, 1) in _LINE_ENDS


def _take_back(descriptor: int, before: int, content: bytes) -> None:
    os.lseek(descriptor, before, os.SEEK_SET)
    tail = os.read(descriptor, len(content) + 1)
    if tail and content.startswith(tail):
        os.ftruncate(descriptor, before)


def append_lines(path: Path, content: bytes) -> None:
    """Append whole lines to a file that nobody but this program writes.

    Raises:
        FileError: the system refused.
    """
    try:
        descriptor, new = _open(path)
        try:
            size = os.fstat(descriptor).st_size
            write_all(descriptor, content if _ends_a_line(descriptor, size) else b"\n" + content)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise refused("append to it", path, error) from None
    if new:
        sync_folder(path.parent)
