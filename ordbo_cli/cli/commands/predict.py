"""``ordbo predict``: what the model expects of points."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from ordbo_cli.cli import assignments
from ordbo_cli.cli.base_command import BaseCommand, verbosity
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.inputs import one_point, read_text, source_name
from ordbo_cli.cli.options import engine_option, problem_argument
from ordbo_cli.cli.output import csv_lines, json_line
from ordbo_cli.errors import UsageError
from ordbo_cli.problem.method import EngineKind

_EXAMPLES: Final = """
ordbo predict drag.yaml angle=3 blades=4
ordbo predict drag.yaml --file points.csv --format csv > predicted.csv
"""


@click.command("predict", cls=BaseCommand, examples=_EXAMPLES)
@problem_argument
@click.argument("values", metavar="[NAME=VALUE]...", nargs=-1)
@click.option(
    "--file",
    "source",
    type=click.Path(allow_dash=True, readable=False),
    metavar="CSV",
    help="A table of points; - for standard input.",
)
@click.option(
    "--format",
    "form",
    type=click.Choice(("json", "csv")),
    default="json",
    show_default=True,
    help="json: one object a line.",
)
@engine_option
@verbosity
@click.pass_obj
def command(
    console: Console, problem: Path, values: Sequence[str], source: str | None, form: str, engine: EngineKind | None
) -> None:
    """Print what the model expects of points.

    For each point: the expected rank among the results so far (1 is the best), the chance to beat the best (with
    noise: true the one by mean, as of 'ordbo best'), and the mean and standard deviation of the latent function, which
    only compare within one call.
    """
    from ordbo_cli.files.tables.evaluations import read_points
    from ordbo_cli.study.study import Study

    if bool(values) == (source is not None):
        raise UsageError("one point or a table is needed", "Give every NAME=VALUE, or --file CSV")
    study = Study.open(problem)
    if source is not None:
        points = read_points(read_text(source), source_name(source), study.problem, console.warn)
    else:
        points = [one_point(assignments.parse(values, study.problem.names), study.problem, study.orders())]
    with console.busy("fitting the model"):
        predictions = study.predict(points, engine=engine)
    tell_notes(console, study, predictions.warnings)
    rows = [
        (
            point,
            {
                "expected_rank": each.rank,
                "chance_to_beat_best": each.improvement,
                "latent_mean": each.mean,
                "latent_sd": each.sd,
            },
        )
        for point, each in zip(points, predictions, strict=True)
    ]
    if form == "json":
        console.data("".join(json_line({"parameters": point, **expected}) for point, expected in rows))
    elif rows:
        names = study.problem.names
        cells = ([*map(point.get, names), *expected.values()] for point, expected in rows)
        console.data(csv_lines([[*names, *rows[0][1]], *cells]))
