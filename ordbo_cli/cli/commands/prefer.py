"""``ordbo prefer``: record which of two points is better."""

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
ordbo prefer taste.yaml 12 over 17             # the two that 'ordbo suggest taste.yaml --duel' gave, or any others
ordbo prefer taste.yaml 12 over 17 --judge bo  # who says so
ordbo prefer taste.yaml 12 over 17 --again     # a second taster says so, too
"""
_OVER: Final = "over"


@click.command("prefer", cls=BaseCommand, examples=_EXAMPLES)
@problem_argument
@click.argument("ids", metavar="ID over ID", nargs=-1, required=True)
@judge_option
@again_option
@lock_option
def command(
    console: Console, problem: Path, ids: Sequence[str], judge: str | None, again: bool, lock_timeout: float
) -> None:
    """Record which of two points is better.

    A point is named by the id of its suggestion, or of its row in the CSV. It needs no other result: a study may have
    comparisons only. They are rows of a CSV of their own, better,worse,tie, that you may edit and add to. Answers that
    contradict each other are taken as noise; 'ordbo check' names them, and circles, by their lines.

    Of several objectives whole results are compared, and tell which trades somebody wants: 'ordbo best --knee' is then
    the result of the front that is worth most for these, and the search goes more for points like it. With a priority
    among them it is as with one objective.

    Where several people judge, --judge says who: how much each errs is learnt from the answers, and 'ordbo status'
    says how many of each agree with the model. For more than two points at once there is 'ordbo rank'.

    An answer that is the judge's newest one on these two already is not recorded again, so that a call that was cut off
    can be repeated; --again counts it once more.
    """
    from ordbo_cli.study.study import Study

    better, worse = two_ids([word for k, word in enumerate(ids) if k != 1 or word.lower() != _OVER])
    study = Study.open(problem, lock_timeout=lock_timeout)
    told = study.prefer(better, worse, judge=judge, again=again)
    tell_notes(console, study, told.warnings)
    if told.new:
        console.say(f"recorded {told.words}")
