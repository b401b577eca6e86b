"""Text that comes in whole: a file, or standard input."""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from ordbo_cli.errors import DataError, FileError, ManyErrors, MissingFileError
from ordbo_cli.problem import Number, Problem

Values = dict[str, Number | str]  # all parameters by name, fixed ones included


def source_name(source: str) -> str:
    """Return what messages call a ``--file`` argument."""
    return "standard input" if source == "-" else source


def read_text(source: str) -> str:
    """Return the text of a file, or of standard input for ``-``; line ends and a byte-order mark as they are.

    Raises:
        MissingFileError: there is no such file.
        FileError: the system refuses to read it.
        DataError: it is not UTF-8.
    """
    name = source_name(source)
    if source == "-" and sys.stdin is None:
        raise FileError("standard input is closed")
    try:
        content = sys.stdin.buffer.read() if source == "-" else Path(source).read_bytes()
    except FileNotFoundError:
        raise MissingFileError(f"{name}: there is no such file") from None
    except OSError as error:
        raise FileError(f"{name}: cannot read it: {error.strerror}") from error
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise DataError(f"{name}:{line}:1: this is not UTF-8 text", "Save it as UTF-8") from None


def one_point(given: Mapping[str, str], problem: Problem) -> Values:
    """Return the point that texts by name stand for.

    Raises:
        UsageError: a free parameter is missing, a value is no number, or a fixed one is another than the problem's.
    """
    from ordbo_cli.study.answers import whole_point

    return problem.mapping(whole_point(problem, given))


def read_points(text: str, source: str, problem: Problem) -> list[Values]:
    """Return the points of a CSV: columns found by name (others are passed over), divided by ``,`` ``;`` or tabs.

    Raises:
        ManyErrors: of DataError, one for each mistake, each beginning ``file:line:column: ``.
    """
    text = text.removeprefix("\ufeff")
    tables = [_records(text, delimiter, source) for delimiter in (",", ";", "\t")]
    rows = max(tables, key=lambda rows: len(set(rows[0][1]) & set(problem.names)) if rows else 0)
    if not rows:
        raise ManyErrors([DataError(f"{source}:1:1: there is no header", f"It names {', '.join(problem.names)}")])
    (line, header), *rest = rows
    columns = {name: k for k, name in enumerate(header)}
    missing = [parameter.name for parameter in problem.free if parameter.name not in columns]
    if missing:
        raise ManyErrors([DataError(f"{source}:{line}:1: there is no column {name!r}") for name in missing])
    return _points(rest, problem, columns, source, comma=rows is not tables[0])


def _records(text: str, delimiter: str, source: str) -> list[tuple[int, list[str]]]:
    """Return the rows that hold anything and are no comment, each with the line where it ends."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True)
    try:
        rows = [(reader.line_num, [cell.strip() for cell in cells]) for cells in reader]
    except csv.Error as error:
        raise ManyErrors([DataError(f"{source}:{reader.line_num}:1: this is not a CSV: {error}")]) from None
    return [(line, cells) for line, cells in rows if any(cells) and not cells[0].startswith("#")]


def _points(
    rows: Sequence[tuple[int, Sequence[str]]], problem: Problem, columns: Mapping[str, int], source: str, *, comma: bool
) -> list[Values]:
    # A decimal comma can only stand where commas do not divide the cells.
    from ordbo_cli.study.numbers import not_a_number, parameter_value

    errors: list[DataError] = []
    points: list[Values] = []
    for line, cells in rows:
        values: list[Number] = []
        for parameter in problem.free:
            place = columns[parameter.name]
            cell = cells[place] if place < len(cells) else ""
            try:
                number = cell.replace(",", ".") if comma and "." not in cell else cell
                values.append(parameter_value(number, whole=parameter.type == "int"))
            except ValueError as error:
                message = f"column {parameter.name!r}: {not_a_number(cell)}"
                errors.append(DataError(f"{source}:{line}:{place + 1}: {message}", str(error)))
        if len(values) == len(problem.free):
            points.append(problem.mapping(values))
    if errors:
        raise ManyErrors(errors)
    return points
