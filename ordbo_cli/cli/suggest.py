"""``ordbo suggest``: the next point to evaluate."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ordbo_cli.cli.console import Console
from ordbo_cli.cli.notes import tell_notes
from ordbo_cli.cli.options import Command, engine_option, lock_option, output_options, problem_argument, verbosity
from ordbo_cli.cli.output import Output
from ordbo_cli.cli.render import Point, json_line
from ordbo_cli.errors import FileError, ProblemError
from ordbo_cli.method import EngineKind

if TYPE_CHECKING:
    from ordbo_cli.study import Study

_EXAMPLES: Final = """
ordbo suggest drag.yaml                        # {"id": 17, "parameters": {"angle": 3.1, "blades": 4}}
vars=$(ordbo suggest drag.yaml --format env) && eval "$vars"  # ORDBO_ID, ORDBO_ANGLE, ...
ordbo suggest drag.yaml --format args | xargs ./simulate
ordbo suggest drag.yaml --template case.tpl -o case.in
ordbo suggest drag.yaml --template U.tpl -o 0/U --delimiters '@ @'
"""


@click.command("suggest", cls=Command, examples=_EXAMPLES)
@problem_argument
@click.option("-n", "--number", type=click.IntRange(min=1), default=1, show_default=True, help="How many points.")
@click.option("--append", is_flag=True, help="Also append the point to the CSV as a pending row.")
@click.option("--dry-run", is_flag=True, help="Record nothing: the next call gives the same point.")
@output_options
@engine_option
@lock_option
@verbosity
@click.pass_obj
def command(
    console: Console,
    problem: Path,
    number: int,
    append: bool,
    dry_run: bool,
    form: str | None,
    template: Path | None,
    output: Path | None,
    delimiters: str,
    engine: EngineKind | None,
    lock_timeout: float,
) -> None:
    r"""Print the next point to evaluate.

    Its id stays pending until 'ordbo observe' closes it; asking again before that gives another point.

    A template is the simulator's own input file with {name} where a value belongs. Braces around anything
    that does not look like a name stay as they are; \{name} is a literal {name}; files that are full of
    braces take other delimiters. Names that the study does not know are errors.
    """
    from ordbo_cli.study import Study

    if number > 1:
        raise ProblemError(f"{number} points at once are not supported yet", "Call 'ordbo suggest' once for each")
    study = Study.open(problem, lock_timeout=lock_timeout)
    target = Output.prepare(study.problem, form, template, output, delimiters)
    if unused := target.unused(study.problem):
        console.warn(f"{template} does not hold {', '.join(unused)}")
    with console.busy("choosing a point"):
        suggestion = study.ask(append=append, dry_run=dry_run, engine=engine)
    tell_notes(console, study)
    point = Point(suggestion.id, suggestion.parameters)
    try:
        target.write(console, point)
    except (OSError, FileError) as error:
        if not dry_run and not isinstance(error, BrokenPipeError):
            console.say(f"suggestion {point.id} stands as pending; 'ordbo status' shows it")
        raise
    if console.verbose and not dry_run:
        _tell_diagnostics(console, study, suggestion.id)


def _tell_diagnostics(console: Console, study: Study, number: int) -> None:
    """Say how a suggestion was chosen, unless another process has asked since."""
    said = study.status().diagnostics or {}
    console.detail(f"files: {study.evaluations_path}, {study.state_path}")
    if said.get("id") == number:
        console.detail(f"chosen: {json_line(said).rstrip()}")
