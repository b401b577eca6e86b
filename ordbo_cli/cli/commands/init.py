"""``ordbo init``: write a commented problem file."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final, get_args

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, escape
from ordbo_cli.cli.inputs import read_text
from ordbo_cli.cli.new_problem import TYPES, Given, Sought, new_text
from ordbo_cli.cli.options import PATH
from ordbo_cli.errors import ManyErrors, MissingFileError, OrdboError, UsageError
from ordbo_cli.files.durable.atomic import create_new, there_already
from ordbo_cli.problem import Goal
from ordbo_cli.problem.spelling import nearest

if TYPE_CHECKING:
    from ordbo_cli.exchange.draft import PastTable
    from ordbo_cli.files.problem_file.problem_file import ProblemFile

_MOST_LINES: Final = 20
_EXAMPLES: Final = """
ordbo init
ordbo init drag.yaml --param angle:0:12 --param blades:int:3:9 --param re:1e5:1e7:log --objective drag
ordbo init flow.yaml --param mesh:ordinal:coarse,medium,fine --param wall:categorical:sa,sst --param limiter:bool
ordbo init drag.yaml --from past.csv --objective drag --goal minimize
ordbo init wing.yaml --param angle:0:12 --objective drag:minimize --objective lift:maximize
"""


@click.command("init", cls=BaseCommand, examples=_EXAMPLES)
@click.argument("file", type=PATH, default="problem.yaml", required=False)
@click.option(
    "--param",
    "params",
    multiple=True,
    metavar="NAME[:TYPE]:...",
    help="A parameter: NAME[:int]:MIN:MAX[:log], NAME:ordinal:A,B,..., NAME:categorical:A,B,..., NAME:bool or"
    " NAME:ranked; repeat it for each. Default: x:0:1, to be edited.",
)
@click.option(
    "--from",
    "table",
    metavar="CSV",
    help="A table of past evaluations, which becomes the study's: its columns are the parameters, with the ranges,"
    " types and decimals that they hold. A --param of the same name wins.",
)
@click.option(
    "--objective",
    "objectives",
    multiple=True,
    metavar="NAME[:GOAL]",
    help="The result's name, 'objective' by default; of a table the column of results, which is asked for. Repeat it"
    " for each where several are traded off, with :minimize or :maximize behind.",
)
@click.option("--goal", type=click.Choice(get_args(Goal)), default="minimize", show_default=True, help="What is good.")
def command(
    console: Console, file: Path, params: Sequence[str], table: str | None, objectives: Sequence[str], goal: Goal
) -> None:
    """Write a commented problem file.

    FILE is problem.yaml unless given. An existing file is never overwritten.

    With --from it is that of a table: what you have tried before, with names of columns in its first row. What counts
    the rows, dates them or says what became of them is left out, with a warning. Look the file over before the first
    suggest: a table does not tell which columns are chosen and which are measured, nor what else is possible. New rows
    are appended to the table: keep a copy if you need one.
    """
    given = [Given.parse(param) for param in params]
    _refuse_what_is_there(file)
    if table is None:
        sought = [Sought.parse(each, goal) for each in objectives or ("objective",)]
        text = new_text(file, sought, given or [Given.parse("x:0:1")])
        _checked(text, file)
        create_new(file, text)
    else:
        _write_for(console, file, table, objectives, goal, given)
    look = "look it over, then ordbo check" if table else "ordbo suggest"
    console.say(f"wrote {file}; next: {look} {file}")
    for each in given:
        head, colon, word = each.name.rpartition(":")
        if colon and (guess := nearest(word, TYPES)):
            console.say(f"note: {each.name!r} is the name of a parameter; was the type {guess} of {head!r} meant?")
    for name in (name for name in objectives if table is None and Sought.parse(name, goal).name == name):
        head, colon, _ = name.rpartition(":")
        if colon:
            console.say(f"note: {name!r} is the name of an objective; was {head}:minimize or {head}:maximize meant?")


def _write_for(
    console: Console, file: Path, table: str, objectives: Sequence[str], goal: Goal, given: Sequence[Given]
) -> None:
    """Write the problem file of a table."""
    from ordbo_cli.exchange.draft import PastTable
    from ordbo_cli.study.reading.ledger import on_blank_rows, on_infinite_results

    if table == "-":
        raise UsageError(
            "--from - is no file", "Save the table first: its rows stay where they are, and new ones follow"
        )
    sought = [Sought.parse(each, goal) for each in objectives]
    past = PastTable(read_text(table), table, [each.name for each in sought])
    sought = sought or [Sought.parse(_asked(console, past), goal)]
    draft = past.draft([each.name for each in sought], [each.name for each in given])
    sought = [replace(each, name=column.name) for each, column in zip(sought, draft.objectives, strict=True)]
    parameters = [*(Given.seen(*each) for each in draft.parameters), *given]
    text = new_text(file, sought, parameters, os.path.relpath(table, file.parent), draft)
    written = _checked(text, file)
    rows = written.rows.table()
    create_new(file, text)
    told = (*on_blank_rows(written, sorted(rows.blank)), *on_infinite_results(written, rows.rows))
    for note in (*draft.notes, *written.notes, *rows.warnings, *told):
        console.warn(note)
    console.say(f"{table}: {' and '.join(f'{each.goal} {each.name}' for each in sought)}, with these parameters:")
    for line in [each.line().strip() for each in parameters][:_MOST_LINES]:
        console.say(f"  {line}")
    if len(parameters) > _MOST_LINES:
        console.say(f"  and {len(parameters) - _MOST_LINES} more")
    console.say(f"Delete from {file}, before the first suggest, what was measured and not chosen.")
    console.say("Bounds are those seen, and where all values are whole, so is the parameter (int).")
    console.say(f"New rows will be appended to {table}: keep a copy if you need it as it is.")


def _asked(console: Console, past: PastTable) -> str:
    """Return the column of results.

    Raises:
        UsageError: nobody is there to be asked.
    """
    answer = console.ask(f"Which column is the result? {past.numeric_words}:")
    if not answer:
        raise UsageError(f"{past.source}: which column is the result?", past.objective_hint)
    return answer


def _refuse_what_is_there(file: Path) -> None:
    """Refuse a file that cannot be written.

    Raises:
        MissingFileError: there is no such folder.
        FileError: the file is there already.
    """
    if os.path.lexists(file):
        raise there_already(file)
    if not file.parent.is_dir():
        raise MissingFileError(f"{file.parent}: there is no such folder", "Make it first: mkdir -p")


def _checked(text: str, file: Path) -> ProblemFile:
    """Return what a text would be as a problem file.

    Raises:
        UsageError: it would not load.
    """
    from ordbo_cli.files.problem_file.problem_file import read_problem

    try:
        return read_problem(text.encode(), file)
    except OrdboError as error:
        errors = error.errors if isinstance(error, ManyErrors) else (error,)
        place = re.compile(re.escape(escape(str(file))) + r":(\d+:)*\s*")
        messages = dict.fromkeys(place.sub("", str(each)) for each in errors)
        raise UsageError("; ".join(messages), "Nothing was written") from None
