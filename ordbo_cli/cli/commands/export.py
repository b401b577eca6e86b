"""``ordbo export``: all evaluations as one table, or a copy of the study that holds ranks alone."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.options import PATH, format_option, problem_argument
from ordbo_cli.cli.output import Value, csv_lines, json_line
from ordbo_cli.errors import UsageError

if TYPE_CHECKING:
    from ordbo_cli.problem import Problem
    from ordbo_cli.study.reporting.listing import Listed

_EXAMPLES: Final = """
ordbo export drag.yaml > clean.csv             # pandas.read_csv("clean.csv")
ordbo export drag.yaml --json | jq .drag
ordbo export drag.yaml --ranks-only -o share/  # share/problem.yaml and share/problem.csv
ordbo export drag.yaml --ranks-only --names -o anonymous.yaml
"""


@click.command("export", cls=BaseCommand, examples=_EXAMPLES)
@problem_argument
@click.option(
    "-o",
    "--output",
    type=PATH,
    help="Where it goes: a table's file (default: standard output); with --ranks-only a problem file, where the name"
    " ends with .yaml or .yml, with its CSV beside it, or else a folder for problem.yaml and problem.csv. Nothing is"
    " ever overwritten.",
)
@format_option("csv", "json", help="csv (the default): a header and a row a point; json: one object a line.")
@click.option("--ranks-only", is_flag=True, help="Write a copy of the study in which ranks stand for the results.")
@click.option(
    "--names",
    is_flag=True,
    help="With --ranks-only: parameters become x1, x2, ..., the objective y, words among levels 'level 1', ..., and"
    " fixed values are left out.",
)
def command(
    console: Console, problem: Path, output: Path | None, form: str | None, ranks_only: bool, names: bool
) -> None:
    """Print all evaluations, or share a study by ranks alone.

    One table has a row for each point: id, parameters, objective and status. Of several rows of an id it has the one
    that stands. A word that a spreadsheet would run, such as =x, has an apostrophe before it. Answers come in order of
    arrival, then what is out and what is to be evaluated again. It is a table of evaluations again.

    With --ranks-only somebody else can go on with the study, or look into it, without its results: 1 stands for the
    best, 2 for the next, equal results have equal ranks; each of several objectives has its own. As order is all that
    counts, the next suggestions are the same, bit for bit.

    The copy keeps: bounds, grids and scales of the parameters and the values of every point (distances count in the
    default method), names and fixed values (but see --names), ids and their number, failures, what is pending,
    abandoned, expired or to be evaluated again, the order of arrival, seed and settings.

    It does not keep: results, the goal (small ranks are the good ones), superseded rows, other columns, comments,
    units, file names, and the state. So its suggestions are those of a study whose last fit is lost; a fit that starts
    from the one before ('warm: true') ends close by, but not always on the same point.
    """
    from ordbo_cli.study.study import Study

    _check(output, form, ranks_only, names)
    study = Study.open(problem)
    if ranks_only:
        assert output is not None
        from ordbo_cli.exchange.export import export_ranks

        written = export_ranks(study, output, names=names)
        tell_notes(console, study, written.warnings)
        console.say(f"wrote {written.problem} and {written.evaluations}: {written.rows} rows, ranks for results")
        return
    points = study.points()
    text = _table(study.problem, points, form or "csv")
    tell_notes(console, study, points.warnings)
    if output is None or str(output) == "-":
        console.data(text)
        return
    from ordbo_cli.exchange.export import write_new

    write_new(output, text)
    console.say(f"wrote {output}")


def _check(output: Path | None, form: str | None, ranks_only: bool, names: bool) -> None:
    """Refuse options that do not go together, before any file is read."""
    if names and not ranks_only:
        raise UsageError("--names without --ranks-only", "The names belong to the table; give both, or neither")
    if ranks_only and form is not None:
        raise UsageError("--format beside --ranks-only", "A copy has a problem file and a CSV: drop --format")
    if ranks_only and (output is None or str(output) == "-"):
        raise UsageError("--ranks-only writes two files", "Give a folder or a problem file: -o share/")


def _table(problem: Problem, points: Iterable[Listed], form: str) -> str:
    """Return the points as CSV, or one JSON object a line."""
    from ordbo_cli.exchange.export import plain_rows
    from ordbo_cli.files.tables.dialect import harmless
    from ordbo_cli.files.tables.table import columns_of

    rows = plain_rows(problem, points)
    if form == "json":
        return "".join(json_line(row) for row in rows)
    columns = columns_of(problem)
    return csv_lines([[*map(harmless, columns)], *(_cells(row, columns) for row in rows)])


def _cells(row: Mapping[str, Value], columns: Sequence[str]) -> list[Value]:
    """Return cells that a spreadsheet shows and does not run."""
    from ordbo_cli.files.tables.dialect import harmless

    def cell(value: Value) -> Value:
        if isinstance(value, Decimal) and value.is_infinite():
            return "-inf" if value < 0 else "inf"
        return harmless(value) if isinstance(value, str) else value

    return [cell(row[column]) for column in columns]
