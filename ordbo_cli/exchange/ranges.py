"""Which 'ordbo init' writes a problem file for a table of another optimiser: bounds are what it saw."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from ordbo_cli.exchange.foreign_table import ForeignTable
from ordbo_cli.exchange.importing import Origin, dakota_columns, origin_of
from ordbo_cli.exchange.optuna_trials import PARAMETER, columns_of_values, foreign_table_of, value_columns
from ordbo_cli.files.values.numbers import exact_number, printed


def init_line(path: Path, text: str, source: str, origin: Origin, wanted: Sequence[str]) -> str:
    """Return a command that writes a problem file for a table.

    Args:
        path: of the problem file.
        text: the table.
        source: where it comes from.
        origin: whose it is.
        wanted: the columns of the results, if somebody names them.

    Raises:
        DataError: the table cannot be used.
        UsageError: it has no column of results, or not one that is named.
    """
    if origin_of(text, source, origin) == "optuna":
        foreign = foreign_table_of(text, source)
        objectives = tuple(map(_name_of, _values_of(foreign, wanted)))
        columns = {name: k for k, name in enumerate(foreign.header.cells) if name.startswith(PARAMETER)}
        parameters = {name.removeprefix(PARAMETER): _values(foreign, k) for name, k in columns.items()}
    else:
        foreign = ForeignTable.of(text, source, ("id", "interface"))
        columns, objectives = dakota_columns(foreign, wanted)
        parameters = {name: _values(foreign, k) for name, k in columns.items()}
    words = ["ordbo", "init", str(path)]
    for name, values in parameters.items():
        words += ["--param", f"{name}:{_range(values)}"] if values else []
    if len(objectives) == 1:
        return shlex.join([*words, "--objective", objectives[0], "--goal", "minimize"])
    return shlex.join([*words, *(word for name in objectives for word in ("--objective", f"{name}:minimize"))])


def _values_of(foreign: ForeignTable, wanted: Sequence[str]) -> tuple[str, ...]:
    """Return the columns of results of Optuna's trials: those that are named, or all."""
    there = columns_of_values(foreign)
    return there if there and not wanted else value_columns(foreign, list(wanted or ("value",)), wanted)


def _name_of(column: str) -> str:
    """Return what an objective is called whose results stand in a column of Optuna's trials."""
    bare = column.removeprefix("values_")
    return column if bare.isdecimal() else bare


def _values(foreign: ForeignTable, column: int) -> list[str]:
    return [cell for row in foreign.rows if (cell := foreign.cell(row, column)) and cell.lower() != "nan"]


def _range(texts: Sequence[str]) -> str:
    """Return the values that were seen as 'ordbo init' has them: bounds, or levels where there are words."""
    try:
        numbers = sorted((exact_number(text), text) for text in texts)
    except ValueError:
        return "categorical:" + ",".join(sorted(set(texts)))
    whole = all("." not in text and "e" not in text.lower() for text in texts)
    low, high = (printed(int(x) if whole else float(x)) for x in (numbers[0][0], numbers[-1][0]))
    return f"int:{low}:{high}" if whole else f"{low}:{high}"
