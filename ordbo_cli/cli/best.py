"""``ordbo best``: the best point so far."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from ordbo_cli.cli.command import Command, verbosity
from ordbo_cli.cli.console import Console
from ordbo_cli.cli.notes import tell_notes
from ordbo_cli.cli.options import output_options, problem_argument
from ordbo_cli.cli.output import Output
from ordbo_cli.cli.render import Point

_EXAMPLES: Final = """
ordbo best drag.yaml                           # {"id": 17, "parameters": {...}, "objective": {"drag": 0.31}}
ordbo best drag.yaml --format args | xargs ./simulate --fine-mesh
ordbo best drag.yaml --template case.tpl -o best.in
"""


@click.command("best", cls=Command, examples=_EXAMPLES)
@problem_argument
@output_options
@verbosity
@click.pass_obj
def command(
    console: Console, problem: Path, form: str | None, template: Path | None, output: Path | None, delimiters: str
) -> None:
    """Print the best point so far.

    The formats are those of 'ordbo suggest'.
    JSON holds the objective too. The id is null (empty in the other formats) for a row that was never suggested.
    """
    from ordbo_cli.study import Study

    study = Study.open(problem)
    target = Output.prepare(study.problem, form, template, output, delimiters)
    if unused := target.unused(study.problem):
        console.warn(f"{template} does not hold {', '.join(unused)}")
    best = study.best()
    tell_notes(console, study)
    result = (study.problem.objective, study.problem.shown(best.objective))
    target.write(console, [Point(best.id, best.parameters, result, study.problem.names)])
