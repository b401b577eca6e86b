"""``ordbo tie``: record that two points are as good."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from ordbo_cli.cli.assignments import two_ids
from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.options import again_option, judge_option, lock_option, problem_argument

_EXAMPLES: Final = """
ordbo tie taste.yaml 3 4
"""


@click.command("tie", cls=BaseCommand, examples=_EXAMPLES)
@problem_argument
@click.argument("ids", metavar="ID ID", nargs=-1, required=True)
@judge_option
@again_option
@lock_option
def command(
    console: Console, problem: Path, ids: Sequence[str], judge: str | None, again: bool, lock_timeout: float
) -> None:
    """Record that two points are as good.

    It brings them together, as half an answer for each would. 'ordbo prefer --help' says more on comparisons.
    """
    from ordbo_cli.study.study import Study

    one, other = two_ids(ids)
    study = Study.open(problem, lock_timeout=lock_timeout)
    told = study.tie(one, other, judge=judge, again=again)
    tell_notes(console, study, told.warnings)
    if told.new:
        console.say(f"recorded {told.words}")
