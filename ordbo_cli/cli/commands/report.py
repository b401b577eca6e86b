"""``ordbo report``: one HTML file that shows a study."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Final

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.inputs import names_in
from ordbo_cli.cli.options import PATH, demand, objective_option, problem_argument
from ordbo_cli.cli.output import check_target, overwrite

_EXAMPLES: Final = """
ordbo report drag.yaml                         # drag-report.html
ordbo report drag.yaml -o report.html --pair angle,blades --pair angle,reynolds
"""


@click.command("report", cls=BaseCommand, examples=_EXAMPLES)
@problem_argument
@objective_option
@click.option("-o", "--output", type=PATH, help="The page (default: PROBLEM-report.html).")
@click.option(
    "--pair",
    "pairs",
    multiple=True,
    metavar="NAMES",
    help="Two parameters whose acquisition is shown, the first pair with its fit; may be repeated. By default the pairs"
    " among the three of most latent length.",
)
def command(
    console: Console, problem: Path, objective: str | None, output: Path | None, pairs: tuple[str, ...]
) -> None:
    """Write one HTML page that shows a study.

    Summary, best points, pictures of what the method sees, diagnostics, and a table of all evaluations that sorts and
    filters. The file needs no other one and no network. Nothing is recorded.
    """
    demand("'ordbo report'", "matplotlib", "jinja2")
    from ordbo_cli.pictures.pages.page import render
    from ordbo_cli.pictures.pages.report import Report
    from ordbo_cli.study.study import Study

    study = Study.open(problem, objective=objective)
    of = f"-{objective}" if objective else ""
    target = output or Path(f"{problem.stem}{of}-report.html")
    check_target(target, study.problem_path, study.evaluations_path, study.state_path)
    with console.busy("drawing"):
        report = Report.of(study, [names_in(pair, study.problem) for pair in pairs])
        tell_notes(console, study, report.snapshot.status.warnings)
        content = render(report.page(datetime.now().astimezone()))
    overwrite(target, content.encode("utf-8", "surrogateescape"))
    console.say(f"report: {target}")
