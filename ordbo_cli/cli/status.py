"""``ordbo status``: where a study stands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ordbo_cli.cli.command import Command, verbosity
from ordbo_cli.cli.console import Console, escape
from ordbo_cli.cli.notes import tell_notes
from ordbo_cli.cli.options import problem_argument
from ordbo_cli.cli.render import json_line, text, words
from ordbo_cli.cli.summary import age, sparkline
from ordbo_cli.study.entries import COUNTS, ROWS, status_entries

if TYPE_CHECKING:
    from ordbo_cli.study import Best, PendingPoint, Status, Study

_EXAMPLES: Final = """
ordbo status drag.yaml
ordbo status drag.yaml --json | jq .best
watch ordbo status drag.yaml
"""


@click.command("status", cls=Command, examples=_EXAMPLES)
@problem_argument
@click.option("--json", "as_json", is_flag=True, help="One JSON object instead of text.")
@click.option(
    "--rows", type=click.IntRange(min=0), default=ROWS, show_default=True, help="How many of the best to show."
)
@verbosity
@click.pass_obj
def command(console: Console, problem: Path, as_json: bool, rows: int) -> None:
    """Show where a study stands.

    The best so far, how many evaluations there are, the progress, the best rows, what is pending, and warnings
    (on standard error).
    """
    from ordbo_cli.study import Study

    study = Study.open(problem)
    status = study.status()
    tell_notes(console, study)
    if as_json:
        console.data(json_line(status_entries(study, status, rows)))
        return
    _show(console, study, status, rows)


def _show(console: Console, study: Study, status: Status, rows: int) -> None:
    name = study.problem.objective
    best = status.best
    counts = ", ".join(f"{getattr(status, word)} {word}" for word in COUNTS if getattr(status, word))
    lines = [f"{study.problem_path}: {study.problem.goal} {name}"]
    lines.append(f"evaluations: {counts or 'none yet'}; suggestions so far: {status.step}")
    if best is not None:
        where = f"id {best.id}" if best.id is not None else f"line {best.line}"
        lines.append(f"best: {name}={best.objective} ({where}) at {words(best.parameters)}")
        lines.append(f"best so far: {sparkline(status.history)}")
    console.data("".join(f"{escape(line)}\n" for line in lines))
    ranking = status.ranking[:rows]
    if ranking:
        console.data("\n")
        headers = ["rank", "id", name, *ranking[0].parameters]
        console.table(headers, [[str(k), *_row(entry)] for k, entry in enumerate(ranking, 1)], mark_first=True)
    for title, points in (("pending", status.waiting), ("to be evaluated again", status.again)):
        if points:
            console.data(f"\n{title}\n")
            headers = ["id", "age", *points[0].parameters]
            console.table(
                headers, [[text(point.id), _age(point), *map(text, point.parameters.values())] for point in points]
            )


def _age(point: PendingPoint) -> str:
    return "" if point.age is None else age(point.age)


def _row(entry: Best) -> list[str]:
    return [text(entry.id), text(entry.objective), *map(text, entry.parameters.values())]
