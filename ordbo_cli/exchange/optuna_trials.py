"""Optuna's trials: the CSV of ``study.trials_dataframe()``, and the JSON of ``optuna trials --format json``.

Columns are ``number``, ``value`` (``values_0``, ... or ``values_NAME`` of several objectives), ``params_NAME`` and
``state``, beside dates and attributes. Directions and bounds are not in it.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal, get_args

from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.exchange.foreign_table import ForeignTable, choose_column, demand_as_many, renamed
from ordbo_cli.files.tables.dialect import Dialect, Record
from ordbo_cli.files.tables.table import columns_of
from ordbo_cli.problem import Problem
from ordbo_cli.problem.spelling import place, quoted, shown_path

Pruned = Literal["skip", "failed"]
PRUNED: Final = get_args(Pruned)
PARAMETER: Final = "params_"
_VALUE: Final = "value"
_ATTRIBUTE: Final = "user_attrs_"
_VALUES: Final = "values_"
_STATES: Final = ("COMPLETE", "FAIL", "PRUNED", "RUNNING", "WAITING")
_EARLY: Final = "FAIL before all parameters were drawn"
_TELLTALE: Final = ("number", "state", _VALUE, f"{_VALUES}0")


def is_json(text: str) -> bool:
    """Return whether a text is no table, but the JSON of Optuna's command."""
    return text.lstrip()[:1] in ("[", "{")


def is_optuna(header: Sequence[str]) -> bool:
    """Return whether a header is that of Optuna's trials."""
    return any(name.startswith(PARAMETER) for name in header) or ("params" in header and "number" in header)


def foreign_table_of(text: str, source: str, names: Sequence[str] = ()) -> ForeignTable:
    """Take trials apart.

    Args:
        text: CSV or JSON.
        source: where it comes from.
        names: of parameters, by which the delimiter is told.

    Raises:
        DataError: it is neither, or has columns of two levels.
    """
    if is_json(text):
        text, source = _from_json(text, source), f"{source} (as a table, a trial a line)"
    foreign = ForeignTable.of(text, source, {*_TELLTALE, *(f"{PARAMETER}{name}" for name in names)})
    if not any(name.startswith(PARAMETER) for name in foreign.header.cells):
        where = place(foreign.source, foreign.header.line, 1)
        hint = "Write study.trials_dataframe().to_csv(...), without multi_index, or 'optuna trials --format json'"
        raise DataError(f"{where}: there is no column {PARAMETER}... as Optuna's trials have", hint)
    return foreign


def in_words_of(problem: Problem, foreign: ForeignTable) -> tuple[ForeignTable, list[str]]:
    """Return trials with the problem's names for parameters that are spelt in another way, and notes on them.

    Raises:
        DataError: a column can be read in two ways.
    """
    cells = foreign.header.cells
    bare = [cell.removeprefix(PARAMETER) if cell.startswith(PARAMETER) else "" for cell in cells]
    names, notes = foreign.in_words_of(problem, bare, problem.names)
    ours = tuple(PARAMETER + name if name else cell for name, cell in zip(names, cells, strict=True))
    return foreign._replace(header=Record(foreign.header.line, ours)), notes


def _from_json(text: str, source: str) -> str:
    """Return trials in JSON, flattened or not, as a table."""
    try:
        trials = json.loads(text, parse_float=str, parse_int=str, parse_constant=str)
    except ValueError as error:
        raise DataError(f"{shown_path(source)}: this is no JSON: {error}") from None
    if not isinstance(trials, list) or not trials or not all(isinstance(each, dict) for each in trials):
        raise DataError(f"{shown_path(source)}: this is no list of trials", "'optuna trials --format json' writes one")
    flat = [_flat(each) for each in trials]
    header = list(dict.fromkeys(key for each in flat for key in each))
    dialect = Dialect()
    return "".join(dialect.line(row) for row in [header, *([each.get(key, "") for key in header] for each in flat)])


def _flat(trial: Mapping[str, Any]) -> dict[str, str]:
    flat: dict[str, Any] = {}
    for key, value in trial.items():
        if isinstance(value, dict):
            flat |= {f"{key}_{inner}": each for inner, each in value.items()}
        elif isinstance(value, list):
            flat |= {f"{key}_{k}": each for k, each in enumerate(value)}
        else:
            flat[key] = value
    return {key: _cell(value) for key, value in flat.items()}


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value)


def value_columns(foreign: ForeignTable, objectives: Sequence[str], wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of the results, one of each objective.

    Args:
        foreign: the trials.
        objectives: the problem's.
        wanted: the columns that somebody names, with or without ``values_``: of the first objectives, in their order.

    Raises:
        UsageError: one is not there; or others are there than the objectives tell.
    """
    header = foreign.header.cells
    there = columns_of_values(foreign)
    demand_as_many(foreign, objectives, wanted)
    found = []
    for k, name in enumerate([*wanted, *objectives[len(wanted) :]]):
        if k < len(wanted):
            found.append(next((way for way in (name, f"{_VALUES}{name}") if way in there), None))
        elif k:
            found.append(next((way for way in _ways_of_others(name) if way in header), None))
        else:
            found.append(next((way for way in (_VALUE, f"{_VALUES}{name}", name) if way in there), None))
    if not wanted and not any(found) and len(there) == len(objectives):
        return there
    if None in found:
        raise _no_column(foreign, objectives, wanted, found.index(None), there)
    return tuple(filter(None, found))


def columns_of_values(foreign: ForeignTable) -> tuple[str, ...]:
    """Return the columns of results that trials have."""
    return tuple(name for name in foreign.header.cells if name == _VALUE or name.startswith(_VALUES))


def _ways_of_others(name: str) -> tuple[str, ...]:
    """Return what the column of a result beside the first objective may be called."""
    return f"{_VALUES}{name}", f"{_ATTRIBUTE}{name}", name


def _no_column(
    foreign: ForeignTable, objectives: Sequence[str], wanted: Sequence[str], k: int, there: Sequence[str]
) -> UsageError:
    if k < len(wanted):
        what = f"no column {quoted(wanted[k])} of results"
    elif len(objectives) > 1:
        what = f"no column of results for {quoted(objectives[k])}"
    else:
        what = "several objectives, or none"
    hint = choose_column(wanted[k] if k < len(wanted) else None, there) or "Optuna calls it value"
    return UsageError(f"{shown_path(foreign.source)}: {what}", hint)


class Trials:
    """Trials as results of a problem.

    Args:
        foreign: the trials.
        problem: whose results they are.
        columns: of the results, one of each objective.
        pruned: what becomes of a trial that was stopped early: it has no result at its end.

    Raises:
        DataError: a column is missing.
    """

    def __init__(self, foreign: ForeignTable, problem: Problem, columns: Sequence[str], pruned: Pruned) -> None:
        self.passed: Counter[str] = Counter()
        """How many trials are passed over, by what they are."""
        self._foreign, self._problem, self._pruned = foreign, problem, pruned
        values = [foreign.column(column) for column in columns]
        self._value = values[0]
        header = foreign.header.cells
        self._state = foreign.column("state") if "state" in header else None
        free = {each.name: foreign.column(f"{PARAMETER}{each.name}") for each in problem.free}
        self._drawn = [free[each.name] for each in problem.free if not each.when]
        given = {name: f"{PARAMETER}{name}" for name in problem.names if f"{PARAMETER}{name}" in header}
        self._names = {foreign.column(column): name for name, column in given.items()}
        self._names |= dict(zip(values, (name for name, _ in problem.goals), strict=True))
        for limit in problem.outcomes[len(values) - 1 :]:
            if (own := next((name for name in _ways_of_others(limit.name) if name in header), None)) is not None:
                self._names[foreign.column(own)] = limit.name

    @property
    def unknown(self) -> list[str]:
        """The columns of parameters that the problem does not have."""
        return [
            name
            for k, name in enumerate(self._foreign.header.cells)
            if name.startswith(PARAMETER) and k not in self._names
        ]

    def text(self) -> str:
        """Return the trials as a list of results, every line where it was.

        Raises:
            DataError: a trial has a state that Optuna does not know.
        """
        self.passed.clear()
        return self._foreign.edited(
            renamed(self._foreign.header.cells, self._names, columns_of(self._problem)), self._edit
        )

    def _edit(self, row: Record) -> Sequence[str] | None:
        """Return the cells of a trial with a result or a failure; None for one without."""
        state = self._state_of(row)
        if state == "PRUNED" and self._pruned == "failed":
            state = "FAIL"
        if state == "FAIL" and not all(self._foreign.cell(row, column) for column in self._drawn):
            state = _EARLY
        if state == "COMPLETE":
            return row.cells
        if state == "FAIL":
            return [*row.cells[: self._value], "failed", *row.cells[self._value + 1 :]]
        self.passed[state] += 1
        return None

    def _state_of(self, row: Record) -> str:
        if self._state is None:
            return "COMPLETE" if self._foreign.cell(row, self._value) else "without a value"
        state = self._foreign.cell(row, self._state).removeprefix("TrialState.")
        if state not in _STATES:
            where = place(self._foreign.source, row.line, 1)
            raise DataError(f"{where}: {quoted(state)} is no state of a trial", f"Optuna has {', '.join(_STATES)}")
        return state
