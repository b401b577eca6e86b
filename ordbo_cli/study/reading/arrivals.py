"""From the rows of a table, in whatever order they stand, to the rows as they came, each with the id of its point."""

from __future__ import annotations

from collections.abc import Sequence

from ordbo_cli.files.handed import Pending
from ordbo_cli.files.seen import Recalled, recalled
from ordbo_cli.files.state import Loaded
from ordbo_cli.files.tables.table import Row
from ordbo_cli.files.values.digits import Known
from ordbo_cli.problem import Problem
from ordbo_cli.study.reading.naming import named


def arrivals(rows: Sequence[Row], problem: Problem, loaded: Loaded, pending: Sequence[Pending]) -> Recalled:
    """Return rows in the order in which they came, all with ids, values that agree to 15 digits as one.

    Args:
        rows: in the order of the file.
        problem: what the study asks.
        loaded: the state as it was found.
        pending: what it holds to be out, as far as it has a place in the problem.
    """
    known = [problem.values(each.parameters) for each in pending]
    snapped = Known(problem, known).snapped([row.values for row in rows])
    rows = [row if row.values is x else row._replace(values=x) for row, x in zip(rows, snapped, strict=True)]
    came = recalled(rows, loaded.state.seen)
    first = max([loaded.first or loaded.state.next_id, *(1 + row.id for row in came.rows if row.id is not None)])
    if loaded.rebuilt and not any(row.id for row in came.rows):
        first = 1  # in a table without ids they are the rows' own, but for those of the suggestions
    out = [(each.id, x, each.rows) for each, x in zip(pending, known, strict=True)]
    return came._replace(rows=named(came.rows, out, first, loaded.unsaved, noise=problem.noise))
