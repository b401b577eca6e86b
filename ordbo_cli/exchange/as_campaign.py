"""What another optimiser has evaluated as the table of a campaign: a new file, which nothing else is in."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ordbo_cli.errors import UsageError
from ordbo_cli.exchange.importing import Origin, foreign_results
from ordbo_cli.exchange.optuna_trials import Pruned
from ordbo_cli.files.durable.atomic import create_new, there_already
from ordbo_cli.files.problem_file.problem_text import flow
from ordbo_cli.files.problem_file.schema_kinds import name_fault
from ordbo_cli.files.tables.table import Table, cells_of, columns_of, table_text
from ordbo_cli.problem.spelling import quoted
from ordbo_cli.study.study import Study


class ImportedCampaign(NamedTuple):
    """A campaign's table that was written.

    Args:
        path: where.
        rows: how many rows it has.
        entry: what the problem file has to say of it.
        warnings: what people should know.
    """

    path: Path
    rows: int
    entry: str
    warnings: tuple[str, ...] = ()


def import_campaign(
    study: Study,
    text: str,
    name: str,
    *,
    source: str,
    origin: Origin = "auto",
    column: Sequence[str] = (),
    pruned: Pruned = "skip",
) -> ImportedCampaign:
    """Write the table of a campaign beside the problem file, with the problem's columns; nothing else is touched.

    Args:
        study: whose campaign it will be, once the problem file names it.
        name: of the campaign, and of the file.
        text, source, origin, column, pruned: as :func:`.import_results` takes them.

    Raises:
        UsageError: no file can have the name; beside what :func:`.import_results` raises.
        FileError: there is such a file already, or the system refused.
    """
    if name_fault(name) or set(name) & set("/\\:") or name.startswith("."):
        raise UsageError(
            f"no file can be called {quoted(name)}", "Take a campaign's name of letters, digits and dashes"
        )
    problem, path = study.problem, study.problem_path.parent / f"{name}.csv"
    if path.exists():
        raise there_already(path)
    found = foreign_results(text, source, study.file, origin, column, pruned)
    table = Table(path)
    rows = [
        cells_of(table, problem, None, {**problem.mapping(row.values), **row.fixed}, row.text, row.status, row.others)
        for row in found.table.rows
    ]
    create_new(path, table_text(table, columns_of(problem), rows))
    return ImportedCampaign(path, len(rows), flow({"file": path.name}), found.words)
