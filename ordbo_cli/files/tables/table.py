"""What a CSV of evaluations holds: rows, columns and spelling; and rows appended to it."""

from __future__ import annotations

import csv
import re
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from decimal import MAX_EMAX, MIN_EMIN, Context, Decimal
from pathlib import Path
from typing import Final, Literal, NamedTuple, TypeVar

from ordbo_cli.errors import DataError, OvertakenError
from ordbo_cli.files.durable.appending import Fits, append_bytes
from ordbo_cli.files.tables.dialect import Dialect, Undecodable, decoded, find_header, harmless, records
from ordbo_cli.files.values.numbers import printed, same
from ordbo_cli.files.values.remark import NO_REMARK, NOTE, SECONDS, Remark, seconds_text
from ordbo_cli.problem import Censored, Evaluation, Number, Problem
from ordbo_cli.problem.limit import Measured, grades_of
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders
from ordbo_cli.problem.spelling import quoted, shown_path

Status = Literal["ok", "failed", "pending", "abandoned", "expired", "retry", "undone"]
UNDONE: Final = "undone"
CAMPAIGN: Final = "campaign"
JUDGE: Final = "judge"
BLANK_RESULT: Final = "pending"  # the objective of a point that is out, where blanks divide the columns
LARGEST_ID: Final = 10**15 - 1  # whole numbers up to here survive spreadsheets, which keep doubles
_PLAIN: Final = Dialect()
_DIGITS: Final = Context(prec=12, Emin=MIN_EMIN, Emax=MAX_EMAX, traps=[])


class Row(NamedTuple):
    """One row.

    Args:
        line: where it begins in the file, from 1.
        position: its place among the rows, from 0.
        id: of the point that it is about; None while nobody has given it one.
        status: what became of it; an undone row takes another one back, and says nothing else.
        values: of the free parameters, in the problem's order.
        objective: the exact value; None unless the status is (or was, where it is undone) ok, and where an outcome
            breaks its limits.
        text: the objective as it is written.
        outside: whether a value lies outside the current bounds.
        aside: a fixed parameter's value that is not the problem's, in words, or "".
        fixed: all such values by name.
        censored: on which side of the objective the result lies, where that is only a limit.
        outcomes: the problem's other results in order, None for one that is not there; empty unless the status is ok,
            or something was measured of several objectives where another failed.
        others: those as they are written.
        numbered: whether the row itself gives the id.
        remark: what its columns of that name hold beside the results.
        undoes: status of the row that is taken back; "" for any, and where none is.
        sides: on which side of its value each outcome lies, where that is only a limit; empty where all are known.
        campaign: that it is a result of, "" for the study itself.
        level: of fidelity below the highest, a place among the problem's; None for the highest.
        names_no_level: whether there are levels, and neither this row nor one before of its id names one.
        judge: whose score of the sample the objective is, "" for none; to the study such a row is a pending one.
    """

    line: int
    position: int
    id: int | None
    status: Status
    values: tuple[Number, ...]
    objective: Decimal | None
    text: str
    outside: bool
    aside: str = ""
    fixed: Mapping[str, Number | str] = {}
    censored: Censored = ""
    outcomes: tuple[Measured, ...] = ()
    others: tuple[str, ...] = ()
    numbered: bool = True
    remark: Remark = NO_REMARK
    undoes: Status | Literal[""] = ""
    sides: tuple[Censored, ...] = ()
    campaign: str = ""
    level: int | None = None
    names_no_level: bool = False
    judge: str = ""

    def evaluation(self) -> Evaluation:
        """Return the result."""
        if self.status == "failed":
            return Evaluation(self.values, None, self.id)
        return Evaluation(self.values, self.objective, self.id, self.censored, self.outcomes, sides=self.sides)

    @property
    def written(self) -> str:
        """The status as its cell says it."""
        return f"{self.status}:{self.undoes}" if self.undoes else self.status

    def takes_back(self, other: Row) -> bool:
        """Return whether this row undoes what another one says: its status, and its results to 12 digits."""
        if self.status != UNDONE or other.status == UNDONE or self.judge != other.judge:
            return False
        if self.undoes not in ("", "ok" if other.judge else other.status):
            return False
        return self.undoes != "ok" or not any(self.said) or self.said == other.said

    @property
    def said(self) -> tuple[str, ...]:
        """The results, the same for all spellings that agree to 12 digits."""
        result = "" if self.objective is None else str(self.objective.normalize(_DIGITS))
        return (result, self.censored, *(() if "failed" in (self.status, self.undoes) else self.others))

    @property
    def is_infeasible(self) -> bool:
        """Whether an outcome breaks its limits: then the row is ok, and its objective has no say."""
        return self.status == "ok" and self.objective is None


class Table(NamedTuple):
    """A CSV of evaluations.

    Args:
        path: where it was read, or would be written.
        columns: place of each column by name; empty where the file holds no header yet.
        width: number of columns.
        rows: in file order.
        dialect: how it is spelt.
        warnings: what people should know about it.
        size: of the file in bytes.
        orders: of the settings of ranked parameters, as the rows make them.
        blank: lines of rows that say nothing of what became of their points.
        header: the names of the columns as they stand there.
    """

    path: Path
    columns: Mapping[str, int] = {}
    width: int = 0
    rows: tuple[Row, ...] = ()
    dialect: Dialect = _PLAIN
    warnings: tuple[str, ...] = ()
    size: int = 0
    orders: SettingOrders = NO_ORDERS
    blank: frozenset[int] = frozenset()
    header: tuple[str, ...] = ()


def columns_of(problem: Problem) -> tuple[str, ...]:
    """Return the columns of a problem's evaluations, in the order of a new file."""
    return ("id", *problem.names, *result_columns(problem), "status")


def result_columns(problem: Problem) -> tuple[str, ...]:
    """Return the columns of results: the objective, then the outcomes."""
    return (problem.objective, *(limit.name for limit in problem.outcomes))


def remark_columns(columns: Collection[str], problem: Problem) -> set[str]:
    """Return which of a table's columns hold remarks: not those that the problem has names of its own for."""
    return {NOTE, SECONDS}.intersection(columns).difference(columns_of(problem))


def campaign_columns(columns: Collection[str], problem: Problem) -> set[str]:
    """Return the column that names the campaign of each row, if a table has it and the problem no name like it."""
    return {CAMPAIGN}.intersection(columns).difference(columns_of(problem))


def judge_columns(columns: Collection[str], problem: Problem) -> set[str]:
    """Return the column that names who gave a score, if a table has it and the problem no name like it."""
    return {JUDGE}.intersection(columns).difference(columns_of(problem))


def is_too_good(value: Decimal, problem: Problem) -> bool:
    """Return whether a value is infinite in the good direction."""
    return value.is_infinite() and (value < 0) == (problem.goal == "minimize")


def too_good_hint(problem: Problem) -> str:
    """Return what to do about a value that is infinite in the good direction."""
    bad = "inf" if problem.goal == "minimize" else "-inf"
    return f"To {problem.goal}, a bad result is {bad}; a failed simulation is 'failed'"


Cells = Mapping[str, str]
T = TypeVar("T")

_FAILED: Final = "failed"
_NAPS: Final = (0.01, 0.03, 0.1)  # seconds until a file is read again that somebody is writing anew
_NO_WORDS: Final = re.compile(r'[\s"#]+')  # where blanks divide the columns
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
    status: str,
    others: Sequence[str] = (),
    remark: Remark = NO_REMARK,
) -> Cells:
    """Return a row's cells by column, in the spelling of the file; what does not count, and what is out, has none.

    A remark has those that the file has columns for.

    Raises:
        DataError: the file lacks the column that could say this, or cannot hold a text.
    """
    number = table.dialect.number
    note = remark.note if table.dialect.blank else harmless(remark.note)
    remarks = {NOTE: note, SECONDS: number(seconds_text(remark.seconds))}
    cells = {name: remarks[name] for name in remark_columns(table.columns, problem)}
    cells |= {name: number(printed(v)) if not isinstance(v, str) else v for name, v in parameters.items()}
    result = objective if problem.grades else number(objective)
    cells |= {"id": "" if id is None else str(id), problem.objective: result, "status": status}
    pairs = zip(problem.outcomes, others, strict=False)
    cells |= {limit.name: text if grades_of(limit) else number(text) for limit, text in pairs}
    demand_room_for(table, status)
    demand_columns(table, problem, parameters)
    if status == "failed" and table.columns and "status" not in table.columns:
        cells[problem.objective] = _FAILED
    return _without_blanks(table, problem, cells) if table.dialect.blank else cells


def has_status(table: Table) -> bool:
    """Return whether a file can say every status."""
    return not table.columns or "status" in table.columns


def demand_room_for(table: Table, status: str) -> None:
    """Make sure that a file can say a status: for ok, failed and pending the column of the objective is enough.

    Raises:
        DataError: it lacks the column.
    """
    if status not in ("ok", "failed", "pending") and not has_status(table):
        hint = "Add the column to its header and rows, or begin a new file with evaluations:"
        raise DataError(f"{shown_path(table.path)}: no column 'status' can say {status}", hint)


def demand_columns(table: Table, problem: Problem, parameters: Mapping[str, Number | str]) -> None:
    """Make sure that a file has a column for each parameter that was added later, unless it has its past value.

    So it needs one for the level of fidelity, unless that is the highest.

    Raises:
        DataError: it lacks one.
    """
    for parameter in problem.free if table.columns else ():
        if parameter.past is None or parameter.name in table.columns:
            continue
        past = parameter.shown(parameter.past)
        if not same(parameters.get(parameter.name, past), past):
            raise _no_column(table, parameter.name, past)
    fidelity = problem.fidelity if table.columns else None
    if fidelity and fidelity.name not in table.columns and problem.level_below(parameters) is not None:
        raise _no_column(table, fidelity.name, fidelity.highest)


def _no_column(table: Table, name: str, past: Number | str) -> DataError:
    hint = f"Add it at the end of the header; older rows stay as they are, and count as {past}"
    return DataError(f"{shown_path(table.path)}: there is no column {quoted(name)}", hint)


def _without_blanks(table: Table, problem: Problem, cells: Cells) -> Cells:
    """Return cells for a table that blanks divide: none empty, and numbers where Dakota and NumPy expect them."""
    filled = {name: text or _NOT_A_NUMBER for name, text in cells.items() if name in table.columns}
    for name in remark_columns(filled, problem):
        filled[name] = _NO_WORDS.sub("_", filled[name])
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


def with_judge(table: Table, problem: Problem, cells: Cells, judge: str) -> Cells:
    """Return the cells of a row that is the score of a judge.

    Raises:
        DataError: the file lacks a column for that, or cannot hold the name.
    """
    path = shown_path(table.path)
    if JUDGE in columns_of(problem):
        hint = "Call the judge's column otherwise: that is a name of the problem"
        raise DataError(f"{path}: no column can say who has judged: 'judge' is a column of results", hint)
    if table.columns and JUDGE not in table.columns:
        called = dict(problem.columns).get(JUDGE, JUDGE)
        hint = f"Make its header {table.dialect.line([*table.header, called]).strip()}: the rows below stay as they are"
        raise DataError(f"{path}: no column {quoted(called)} can say who has judged", hint)
    if table.dialect.blank and _NO_WORDS.search(judge):
        message = f"{path}: column {quoted(JUDGE)}: {quoted(judge)} cannot stand in it"
        raise DataError(message, "Blanks divide its columns: give the judge a name without")
    return {**cells, JUDGE: judge if table.dialect.blank else harmless(judge)}


def append_rows(table: Table, problem: Problem, rows: Sequence[Cells]) -> None:
    """Append rows of evaluations; see :func:`append_cells`. A new file has the names that ``columns:`` gives.

    It has a column for judges where one of the rows names one.
    """
    called = {} if table.columns else dict(problem.columns)
    judges = [JUDGE] if any(JUDGE in row for row in rows) and JUDGE not in columns_of(problem) else []
    header = [called.get(name, name) for name in (*columns_of(problem), *judges)]
    append_cells(table, header, [{called.get(name, name): text for name, text in row.items()} for row in rows])


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
        append_bytes(table.path, table_text(table, header, rows).encode(), _fitting(table, header), table.size)


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
        names = {*wanted, *table.header}
        found = find_header(records(decoded(content), table.dialect.delimiter, names), names)
    except (csv.Error, Undecodable):
        found = None
    return _placed(found.cells if found else ())


def _placed(names: Sequence[str]) -> tuple[dict[str, int], int]:
    places: dict[str, int] = {}
    for k, name in enumerate(names):
        places.setdefault(name, k)
    return places, len(names)


def table_text(table: Table, header: Sequence[str], rows: Sequence[Cells]) -> str:
    """Return rows as a table spells them, with its header first where it has none yet.

    Args:
        table: the file.
        header: of a new file.
        rows: cells by column.
    """
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
    return "".join(lines)
