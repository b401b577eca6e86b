"""Levels of fidelity of rows that name none: those that their points were handed out for."""

from __future__ import annotations

from ordbo_cli.files.handed import Pending, handed_out
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.tables.fixed_cells import no_level
from ordbo_cli.files.tables.table import Row, Table
from ordbo_cli.files.values.numbers import printed, same
from ordbo_cli.problem import Fidelity


def with_levels_handed_out(table: Table, file: ProblemFile) -> Table:
    """Return a table whose rows with an id and without a level have that which the point of the id was handed out for.

    Who writes down the answer to a suggestion need not write its level, too; a row of the highest level says so.

    Args:
        table: as it was read, results of the study alone.
        file: the problem file.

    Raises:
        FileError: the system refused to read the list of suggestions.
    """
    fidelity = file.problem.fidelity
    if fidelity is None or not any(row.names_no_level and row.id is not None for row in table.rows):
        return table
    handed = handed_out(file.handed)
    rows = tuple(_at_level(row, fidelity, handed.get(row.id or 0)) if row.names_no_level else row for row in table.rows)
    return table._replace(rows=rows)


def _at_level(row: Row, fidelity: Fidelity, point: Pending | None) -> Row:
    said = None if point is None else point.parameters.get(fidelity.name)
    if said is None or same(said, fidelity.highest):
        return row
    fixed, level = {**row.fixed, fidelity.name: said}, fidelity.below(said)
    aside = row.aside if level is not None else row.aside or no_level(fidelity, printed(said))
    return row._replace(fixed=fixed, level=level, aside=aside, names_no_level=False)
