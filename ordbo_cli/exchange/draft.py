"""A problem drafted from a table of past evaluations: what varies in it, between which bounds, and what came out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.exchange.foreign_table import ForeignTable
from ordbo_cli.exchange.not_chosen import none_chosen
from ordbo_cli.exchange.optuna_trials import is_optuna
from ordbo_cli.exchange.seen_values import Setting, is_number, settings_of
from ordbo_cli.files.problem_file.level_kinds import MOST_LEVELS
from ordbo_cli.files.tables.dialect import Record
from ordbo_cli.files.tables.table import CAMPAIGN, JUDGE
from ordbo_cli.files.values.decimals import decimal_sign
from ordbo_cli.files.values.numbers import objective_value
from ordbo_cli.files.values.units import is_no_unit, is_unit, may_be_unit, split_unit, without_brackets
from ordbo_cli.problem.spelling import loose, place, quoted, shown_path, some

_OURS: Final = {"id", "status", "note", "seconds"}
_MISSING: Final = {"", "nan", "na", "n/a", "null", "none"}
_MOST_WORDS: Final = 10  # where there are more, and most rows have their own, they are notes and no settings


@dataclass(frozen=True)
class PastColumn:
    """A column of the table.

    Args:
        name: of the parameter or result.
        header: what stands above it.
        unit: of its values, or "".
        cells: in the order of the rows, with decimal points.
    """

    name: str
    header: str
    unit: str
    cells: tuple[str, ...]

    @cached_property
    def seen(self) -> list[str]:
        """The cells that hold a value; words for none count as words among others."""
        filled = list(filter(None, self.cells))
        known = [cell for cell in filled if cell.lower() not in _MISSING]
        return known if all(map(is_number, known)) else filled

    @cached_property
    def may_be_result(self) -> bool:
        """Whether most cells are numbers or failures, and one is a number; others are told at their places."""
        return any(map(is_number, self.seen)) and _are_results(self.seen)


class Draft(NamedTuple):
    """What a table says of a problem.

    Args:
        objectives: the columns of results.
        parameters: each column that may be one, with its settings.
        notes: which columns are none, and why.
    """

    objectives: tuple[PastColumn, ...]
    parameters: tuple[tuple[PastColumn, dict[str, Setting]], ...]
    notes: tuple[str, ...]

    @property
    def columns(self) -> dict[str, str]:
        """What the table calls the columns of parameters and results where that is not their name."""
        every = [*self.objectives, *(column for column, _ in self.parameters)]
        return {column.name: column.header for column in every if column.name != column.header}


class PastTable:
    """A table of past evaluations that no problem file describes yet.

    Args:
        text: the table.
        source: where it comes from.
        objectives: the names of the columns of results, if somebody has said them: they help to tell the header.

    Raises:
        DataError: it is no table with a header above rows.
        UsageError: it is one of Optuna's.
    """

    def __init__(self, text: str, source: str, objectives: Sequence[str] = ()) -> None:
        table = ForeignTable.of(text, source, {"id", "status", *objectives})
        self.source = shown_path(source)
        if is_optuna(table.header.cells):
            hint = f"'ordbo import problem.yaml {self.source}' says how 'ordbo init' writes its problem file"
            raise UsageError(f"{self.source} holds trials of Optuna", hint)
        self._table = table
        self._check_header()
        units, rows = self._below_units()
        commas = self._has_commas(rows)
        names = _bare_names(table.header.cells)
        self.columns = [
            PastColumn(name, cell, units[k] or _unit_in(cell, name), tuple(self._cells(rows, k, commas=commas)))
            for k, (name, cell) in enumerate(zip(names, table.header.cells, strict=True))
            if cell and loose(name) not in _OURS and cell not in (CAMPAIGN, JUDGE)
        ]

    @property
    def numeric_words(self) -> str:
        """Which columns may hold results, in words."""
        return some([column.name for column in self.columns if column.may_be_result])

    @property
    def objective_hint(self) -> str:
        """How to say which column holds the results."""
        words = self.numeric_words
        return f"--objective names it. Numbers hold {words}" if words else "None holds numbers: results are numbers"

    def draft(self, objectives: Sequence[str], given: Collection[str] = ()) -> Draft:
        """Return what the table says of a problem.

        Args:
            objectives: the columns of results by name or header, whose capital letters do not count if it is unique.
            given: names of parameters whose settings somebody has said.

        Raises:
            UsageError: there is no such column, it holds no results, it is named twice, or nothing varies.
        """
        results, notes = tuple(map(self._result, objectives)), []
        if twice := [column for k, column in enumerate(results) if column in results[:k]]:
            raise UsageError(f"{self.source}: the column {quoted(twice[0].header)} is named twice", "Keep it once")
        parameters: list[tuple[PastColumn, dict[str, Setting]]] = []
        for column in self.columns:
            if column in results or column.name in given or column.header in given:
                continue
            if why := _no_parameter(column) or none_chosen(column.name, column.cells, results[0].cells):
                notes.append(f"{quoted(column.header)} is taken for no parameter: {why}")
            else:
                parameters.append((column, settings_of(column.seen)))
        if not given and all("value" in settings for _, settings in parameters):
            rows = len(results[0].cells)
            words = "no parameter varies" if rows > 1 else "one row tells no ranges" if rows else "there are no rows"
            words = "; ".join([f"{self.source}: {words}", *notes[:1]])
            raise UsageError(words, "Give the ranges: --param NAME:MIN:MAX for each parameter")
        return Draft(results, tuple(parameters), tuple(f"{self.source}: {note}" for note in notes))

    def _result(self, name: str) -> PastColumn:
        exact = [column for column in self.columns if name in (column.name, column.header)]
        near = [
            column
            for column in self.columns
            if loose(name) in map(loose, (column.header, split_unit(column.header)[0]))
        ]
        found = exact or near
        if len(found) != 1:
            words = f"there is no column {quoted(name)}"
            if found:
                words = f"{quoted(name)} may be {' or '.join(quoted(column.header) for column in found)}"
            raise UsageError(f"{self.source}: {words}", self.objective_hint)
        wrong = [cell for cell in found[0].seen if not _is_result(cell)]
        if wrong and not found[0].may_be_result:
            words = f"{self.source}: column {quoted(found[0].header)}: {quoted(wrong[0])} is no result"
            raise UsageError(words, self.objective_hint)
        return found[0]

    def _check_header(self) -> None:
        """Refuse what is no header.

        Raises:
            DataError: it holds numbers, fewer names than there are cells below it, or a name twice.
        """
        cells, line = self._table.header.cells, self._table.header.line
        named = [cell for cell in cells if cell]
        if any(map(is_number, named)):
            number = next(filter(is_number, named))
            hint = "The first row has to name the columns: put one above, or take out what stands above it"
            raise DataError(f"{place(self.source, line, 1)}: {number} is no name of a column", hint)
        if len(named) == 1:
            hint = "It has to name every column, with , or ; or tabs or blanks between: take out what stands above it"
            raise DataError(f"{place(self.source, line, 1)}: the first row holds one name, {quoted(named[0])}", hint)
        if twice := [name for name, count in Counter(named).items() if count > 1]:
            words = f"the column {quoted(twice[0])} stands more than once"
            raise DataError(f"{place(self.source, line, 1)}: {words}", "Rename all but one")
        for row in self._table.rows:
            if any(row.cells[len(cells) :]):
                words = f"{len(row.cells)} cells stand below {len(cells)} columns"
                hint = "The first row has to name every column: is there a title above the names?"
                raise DataError(f"{place(self.source, row.line, 1)}: {words}", hint)

    def _below_units(self) -> tuple[list[str], Sequence[Record]]:
        """Return the units that stand in a row of their own, and the rows below."""
        table = self._table
        width = len(table.header.cells)
        if len(table.rows) > 1:
            first, *rest = table.rows
            units = [without_brackets(table.cell(first, k)) for k in range(width)]
            below = ([table.cell(row, k) for row in rest] for k in range(width))
            sound = (is_no_unit(unit) or _is_unit_of(unit, cells) for unit, cells in zip(units, below, strict=True))
            if any(map(is_unit, units)) and all(sound):
                return ["" if is_no_unit(unit) else unit for unit in units], rest
        return [""] * width, table.rows

    def _has_commas(self, rows: Sequence[Record]) -> bool:
        """Return whether numbers have decimal commas.

        Raises:
            DataError: nobody can tell.
        """
        if self._table.delimiter != ";":
            return False
        sign = decimal_sign((row.line, cell) for row in rows for cell in row.cells)
        if sign.clash:
            raise DataError(f"{place(self.source, sign.line, 1)}: {sign.clash}", sign.hint)
        return sign.comma

    def _cells(self, rows: Sequence[Record], k: int, *, commas: bool) -> Iterator[str]:
        for row in rows:
            text = self._table.cell(row, k)
            bare = text.replace(",", ".", 1) if commas and "." not in text else text
            yield bare if is_number(bare) else text


def _no_parameter(column: PastColumn) -> str:
    """Return why a column cannot be taken for a parameter, or ""."""
    seen, empty = column.seen, len(column.cells) - len(column.seen)
    if not seen:
        return "it is empty"
    if empty:
        return f"it has no value in {empty} of {len(column.cells)} rows"
    different = len(set(seen))
    if (
        not all(map(is_number, seen))
        and different > _MOST_WORDS
        and (2 * different > len(seen) or different > MOST_LEVELS)
    ):
        return f"it holds {different} different words in {len(seen)} rows"
    return ""


def _is_unit_of(text: str, cells: Sequence[str]) -> bool:
    """Return whether a text may be the unit of numbers."""
    filled = [cell.replace(",", ".") for cell in cells if cell.lower() not in _MISSING]
    return may_be_unit(text) and _are_results(filled)


def _are_results(cells: Sequence[str]) -> bool:
    """Return whether more cells are results than not: what else stands there was meant as one."""
    return 2 * sum(map(_is_result, cells)) >= len(cells)


def _is_result(text: str) -> bool:
    try:
        objective_value(text.lstrip("<>= "))
    except ValueError:
        return False
    return True


def _bare_names(cells: Sequence[str]) -> list[str]:
    """Return names of columns without the units behind them, where that leaves each a name of its own."""
    bare = [_without_unit(cell) for cell in cells]
    count = Counter(map(loose, bare))
    return [name if count[loose(name)] == 1 else cell for name, cell in zip(bare, cells, strict=True)]


def _without_unit(cell: str) -> str:
    name, unit = split_unit(cell)
    return name if name and unit is not None and (is_no_unit(unit) or is_unit(unit)) else cell


def _unit_in(cell: str, name: str) -> str:
    unit = "" if name == cell else split_unit(cell)[1] or ""
    return "" if is_no_unit(unit) else unit
