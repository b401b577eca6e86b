"""What a CSV of evaluations holds: rows, columns and spelling."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Final, Literal, NamedTuple

from ordbo_cli.errors import DataError, ManyErrors, OrdboError
from ordbo_cli.files.tables.dialect import Dialect
from ordbo_cli.problem import Censored, Evaluation, Number, Problem
from ordbo_cli.problem.limit import Measured
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders

Status = Literal["ok", "failed", "pending", "abandoned", "expired", "retry"]


BLANK_RESULT: Final = "pending"  # the objective of a point that is out, where blanks divide the columns
LARGEST_ID: Final = 10**15 - 1  # whole numbers up to here survive spreadsheets, which keep doubles
_PLAIN: Final = Dialect()


class Row(NamedTuple):
    """One row.

    Args:
        line: where it begins in the file, from 1.
        position: its place among the rows, from 0.
        id: of the point that it is about; None while nobody has given it one.
        status: what became of it.
        values: of the free parameters, in the problem's order.
        objective: the exact value; None unless the status is ok, and where an outcome breaks its limits.
        text: the objective as it is written.
        outside: whether a value lies outside the current bounds.
        aside: a fixed parameter's value that is not the problem's, in words, or "".
        fixed: all such values by name.
        censored: on which side of the objective the result lies, where that is only a limit.
        outcomes: the problem's other results in order, None for one that is not there; empty unless the status is ok.
        others: those as they are written.
        numbered: whether the row itself gives the id.
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

    def evaluation(self) -> Evaluation:
        """Return the result."""
        return Evaluation(self.values, self.objective, self.id, self.censored, self.outcomes)

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


def is_too_good(value: Decimal, problem: Problem) -> bool:
    """Return whether a value is infinite in the good direction."""
    return value.is_infinite() and (value < 0) == (problem.goal == "minimize")


def too_good_hint(problem: Problem) -> str:
    """Return what to do about a value that is infinite in the good direction."""
    bad = "inf" if problem.goal == "minimize" else "-inf"
    return f"To {problem.goal}, a bad result is {bad}; a failed simulation is 'failed'"


MOST_ERRORS: Final = 50


class Faults:
    """Gathers the errors of a file, up to a number that people still read.

    Args:
        source: the file's name, safe to show.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.count = 0
        self._errors: list[OrdboError] = []

    @property
    def full(self) -> bool:
        """Whether further errors are only counted."""
        return self.count >= MOST_ERRORS

    def add(self, line: int, column: int, message: str, hint: str = "") -> None:
        """Note an error at its place."""
        if not self.full:
            self._errors.append(DataError(f"{self.source}:{line}:{column}: {message}", hint))
        self.count += 1

    def raise_any(self) -> None:
        """Raise what was found, if anything.

        Raises:
            ManyErrors: of DataError.
        """
        if self.count > MOST_ERRORS:
            self._errors.append(DataError(f"{self.source}: {self.count - MOST_ERRORS} more errors like these"))
        if self._errors:
            raise ManyErrors(self._errors)
