"""``ordbo rank``: record in which order points were found to be."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from ordbo_cli.cli.assignments import ranked_ids, rankings_in
from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.inputs import read_text, source_name
from ordbo_cli.cli.options import again_option, json_option, judge_option, lock_option, problem_argument
from ordbo_cli.cli.output import json_line
from ordbo_cli.errors import UsageError
from ordbo_cli.study.reporting.entries import ranking_entries

_EXAMPLES: Final = """
ordbo rank taste.yaml 4 7 2                    # 4 is the best of the three, 2 the worst
ordbo rank taste.yaml 4 7=2 9 --judge anna     # 7 and 2 are alike
ordbo rank taste.yaml --file rankings.txt      # one a line, such as 'anna: 4 7=2 9'
"""


@click.command("rank", cls=BaseCommand, examples=_EXAMPLES)
@problem_argument
@click.argument("ids", metavar="ID ID[=ID]...", nargs=-1)
@click.option("--file", "source", metavar="FILE", help="Rankings, one a line ('anna: 4 7=2 9'); - is standard input.")
@judge_option
@again_option
@json_option
@lock_option
def command(
    console: Console,
    problem: Path,
    ids: Sequence[str],
    source: str | None,
    judge: str | None,
    again: bool,
    as_json: bool,
    lock_timeout: float,
) -> None:
    """Record in which order points were found to be.

    The best comes first. Points are named by their ids, as for 'ordbo prefer'; those that nobody can tell apart are
    joined by =. A ranking of any length is recorded in one go, as rows of the comparisons: one for each point and the
    next, which share a number. All pairs count that follow from it, each less than an answer about two points alone:
    all together they weigh as many bits as the order has. 'ordbo undo' takes the whole ranking back.

    A line of a file is a ranking; where it begins with a name and a colon, that is who judged. Empty lines and those
    that begin with # are passed over. All rankings are recorded, or none.

    A ranking that is what the judge has said last of these points is not recorded again; --again counts it once more.
    """
    from ordbo_cli.study.study import Study

    if (source is None) == (not ids):
        raise UsageError("ids beside --file" if ids else "no ids are given", "Give ids, the best first: 4 7=2 9")
    rankings = [(ranked_ids(ids), None)] if source is None else rankings_in(read_text(source), source_name(source))
    study = Study.open(problem, lock_timeout=lock_timeout)
    taken = study.rank_all([(ranking, who or judge) for ranking, who in rankings], again=again)
    tell_notes(console, study, taken.warnings)
    if as_json:
        console.data("".join(json_line(ranking_entries(each)) for each in taken))
    for each in taken:
        if each.new:
            console.say(f"recorded {each.words}")
