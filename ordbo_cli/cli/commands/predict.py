"""``ordbo predict``: what the model expects of points."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import click

from ordbo_cli.cli import assignments
from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.inputs import read_text, source_name
from ordbo_cli.cli.options import engine_option, format_option, objective_option, problem_argument
from ordbo_cli.cli.output import csv_lines, json_line
from ordbo_cli.errors import UsageError
from ordbo_cli.problem import Number
from ordbo_cli.problem.method import EngineKind
from ordbo_cli.problem.parameter import in_words

_EXAMPLES: Final = """
ordbo predict drag.yaml angle=3 blades=4
ordbo predict drag.yaml --id 17 --id 18
ordbo predict drag.yaml --file points.csv --format csv > predicted.csv
"""


@click.command("predict", cls=BaseCommand, examples=_EXAMPLES)
@problem_argument
@click.argument("values", metavar="[NAME=VALUE]...", nargs=-1)
@click.option(
    "--id", "ids", type=click.IntRange(min=1), metavar="N", multiple=True, help="The point of this suggestion or row."
)
@click.option(
    "--file",
    "source",
    type=click.Path(allow_dash=True, readable=False),
    metavar="FILE",
    help="The points of this CSV; - for standard input.",
)
@format_option("json", "csv", default="json", help="json (the default): one object a line; csv: a row a point.")
@objective_option
@engine_option
def command(
    console: Console,
    problem: Path,
    values: Sequence[str],
    ids: tuple[int, ...],
    source: str | None,
    form: str,
    objective: str | None,
    engine: EngineKind | None,
) -> None:
    """Print what the model expects of points.

    For each point: the expected rank among the results so far (1 is the best), the ranks that hold 90% of what its
    result may get (one more than there are results that are better), the chance to beat the best (with noise: true the
    one by mean, as of 'ordbo best'), the chance to fail or to break a limit where anything has, and the mean and
    standard deviation of the latent function, which only compare within one call.
    """
    from ordbo_cli.files.tables.evaluations import read_points
    from ordbo_cli.files.values.answers import new_point
    from ordbo_cli.study.reporting.entries import prediction_entries
    from ordbo_cli.study.study import Study

    if bool(values) + bool(ids) + (source is not None) != 1:
        raise UsageError("which points is not said, or said twice", "Give every NAME=VALUE, or --id N, or --file FILE")
    study = Study.open(problem, objective=objective)
    points: Sequence[Mapping[str, Number | str]] = ()
    if source is not None:
        points = read_points(read_text(source), source_name(source), study.problem, console.warn)
    elif values:
        given = assignments.parse(values, study.problem.names)
        points = [study.problem.mapping(new_point(study.problem, given, study.orders()))]
    with console.busy("fitting the model"):
        predictions = study.predict(points, ids=ids, engine=engine)
    tell_notes(console, study, predictions.warnings)
    names = study.problem.names
    rows: list[dict[str, Any]] = []
    for id, each in zip(ids or (None,) * len(points), predictions, strict=True):
        point = in_words(each.parameters or {})
        cells = {"parameters": point} if form == "json" else {name: point.get(name) for name in names}
        rows.append({**({} if id is None else {"id": id}), **cells, **prediction_entries(each)})
    if form == "json":
        console.data("".join(map(json_line, rows)))
    elif rows:
        console.data(csv_lines([rows[0], *(row.values() for row in rows)]))
