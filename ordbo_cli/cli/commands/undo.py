"""``ordbo undo``: take back what was recorded last."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.options import json_option, lock_option, problem_argument
from ordbo_cli.cli.output import json_line, result_words, words
from ordbo_cli.study.reporting.entries import undone_entries
from ordbo_cli.study.telling.compare import Compared, RankingTaken

if TYPE_CHECKING:
    from ordbo_cli.problem import Problem
    from ordbo_cli.study.telling.undoing import Undone

_EXAMPLES: Final = """
ordbo undo drag.yaml
ordbo undo drag.yaml --dry-run                 # say what would be taken back
ordbo undo drag.yaml -n 4                      # the last four things: the points of 'suggest -n 4'
ordbo undo drag.yaml --id 17                   # the last that was recorded of 17
ordbo undo taste.yaml --comparison             # the last comparison, whatever came after it
"""
_STANDS: Final = {"pending": "it is pending again", "retry": "it is to be evaluated again"}


@click.command("undo", cls=BaseCommand, examples=_EXAMPLES)
@problem_argument
@click.option(
    "-n", "number", type=click.IntRange(min=1), default=1, show_default=True, metavar="K", help="How many things."
)
@click.option("--id", type=click.IntRange(min=1), metavar="N", help="The last that was recorded of this point.")
@click.option(
    "--comparison",
    "comparisons",
    is_flag=True,
    help="The last comparison or ranking (-n K: the last K), whatever came after it.",
)
@click.option("--dry-run", is_flag=True, help="Record nothing: say what would be done.")
@json_option
@lock_option
def command(
    console: Console,
    problem: Path,
    number: int,
    id: int | None,
    comparisons: bool,
    dry_run: bool,
    as_json: bool,
    lock_timeout: float,
) -> None:
    """Take back what was recorded last.

    A result, a failure, an amendment, a point of your own, a comparison, a ranking as a whole, a suggestion, and what
    'observe' and 'pending' say of one. What stands then is what stood before: a suggestion waits for its result again,
    under its id; an amended result is what it was.

    It is done by a row, whose status says what it takes back (undone:ok, undone:failed, undone:pending, ...): nothing
    that is written is changed. Each row of a batch or a table is a thing of its own: -n 4 takes back four, all of them
    or none. The next call takes back what came before that, and never undoes an undo: record again what was taken back
    in error, with 'observe', 'prefer' or 'suggest', which then hands the same point out under a new id.

    Whether a comparison or a row was the last is told by the times of their files, and of what came before the last one
    by nothing: what is taken then may not be the newest, and a warning says so. --comparison and --id say which one is
    meant.
    """
    from ordbo_cli.study.study import Study

    study = Study.open(problem, lock_timeout=lock_timeout)
    undone = study.undo(number, id=id, comparisons=comparisons, dry_run=dry_run)
    tell_notes(console, study, undone.warnings)
    if as_json:
        console.data("".join(json_line(undone_entries(each, study.problem)) for each in undone))
    for each in undone:
        console.say(f"{'would take' if dry_run else 'took'} back {_words(each, study.problem)}")


def _words(undone: Undone, problem: Problem) -> str:
    """Return one line on something that was taken back."""
    was, stands, name = undone.was, undone.stands, problem.objective
    if isinstance(was, Compared | RankingTaken):
        return was.words
    what = _STANDS.get(was.status) or result_words(was, name)
    about = f"suggestion {was.id}" if was.status == "pending" else what if was.id is None else f"{was.id}: {what}"
    now = "" if stands is None else f"; {_STANDS.get(stands.status) or f'{result_words(stands, name)} stands'}"
    return f"{about} at {words(was.parameters)}{now}"
