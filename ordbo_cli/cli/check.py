"""``ordbo check``: validate all files of a study."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from ordbo_cli.cli.command import Command, verbosity
from ordbo_cli.cli.console import Console, escape
from ordbo_cli.cli.notes import tell_warnings
from ordbo_cli.cli.options import problem_argument
from ordbo_cli.errors import ProblemError

_EXAMPLES: Final = """
ordbo check drag.yaml && ordbo suggest drag.yaml
"""


@click.command("check", cls=Command, examples=_EXAMPLES)
@problem_argument
@click.option("--invariance", is_flag=True, help="Show that monotone transforms change nothing (not supported yet).")
@verbosity
@click.pass_obj
def command(console: Console, problem: Path, invariance: bool) -> None:
    """Validate all files of a study.

    Says in words what they hold, and changes nothing.
    Errors name file, line and column, all of a file at once.
    """
    from ordbo_cli.study import Study

    if invariance:
        raise ProblemError("--invariance is not supported yet")
    study = Study.open(problem)
    found = study.check()
    tell_warnings(console, study)  # the notes are among what was found
    for line in found:
        console.data(f"{escape(line)}\n")
