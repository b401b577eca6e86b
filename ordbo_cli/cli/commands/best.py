"""``ordbo best``: the best point so far."""

from __future__ import annotations

from pathlib import Path
from typing import Final, Literal

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.leader import front_words, leader_point, leader_words
from ordbo_cli.cli.options import output_options, problem_argument
from ordbo_cli.cli.output import Output

_EXAMPLES: Final = """
ordbo best drag.yaml                           # {"id": 17, "parameters": {...}, "objective": {"drag": 0.31}}
ordbo best drag.yaml --by mean                 # one result may be the best by luck
ordbo best wing.yaml --format csv              # of several objectives the front, a row for each of its points
ordbo best wing.yaml --knee                    # the point of the front that gives up least
ordbo best drag.yaml --format args | xargs sh -c './simulate --fine-mesh "$@"'  # --id=17, which comes first, is $0
ordbo best drag.yaml --template case.tpl -o best.in
"""


@click.command("best", cls=BaseCommand, examples=_EXAMPLES)
@problem_argument
@click.option(
    "--by",
    type=click.Choice(("mean", "value")),
    help="value: the best single result, or the front of single results. mean: the tried point where the model expects"
    " the lowest (goal: maximize: the highest) result, all of them taken together; or the front by that."
    " Default: value; mean where the problem says noise: true, and with one objective where there are comparisons.",
)
@click.option(
    "--knee",
    is_flag=True,
    help="Of several objectives that point of the front alone whose worst place in it, by any objective, is the best; "
    "where results were compared, the one that the answers speak for.",
)
@output_options
def command(
    console: Console,
    problem: Path,
    by: Literal["mean", "value"] | None,
    knee: bool,
    form: str | None,
    template: Path | None,
    output: Path | None,
    delimiters: str,
) -> None:
    """Print the best point so far, or the front.

    The front are the results of several objectives that no other result dominates, the best of the first one first.
    The formats are those of 'ordbo suggest'.
    JSON holds the objective too, and of several objectives CSV does, behind the parameters. The id is null (empty in
    the other formats) for a row that was never suggested.

    By mean, the point has to have a success, or to have been compared, and then it has no objective; of equal means the
    one with more results counts, then the earlier one.
    Its objective is the median of its successful results, the better one of two in the middle, and the id is that
    result's. JSON says how many results there are, and the point's expected rank among the distinct results so far.

    A front by mean are the tried points that none dominates by the ranks of their means, each by the model of one
    objective. The values are the medians by each objective, and the id is that of the median by the first.
    """
    from ordbo_cli.study.study import Study

    study = Study.open(problem)
    target = Output.prepare(study.problem, form, template, output, delimiters)
    if unused := target.unused(study.problem):
        console.warn(f"{template} does not hold {', '.join(unused)}")
    if knee and not study.problem.has_front:
        raise click.UsageError("--knee is about a front, and none is sought")
    if study.problem.has_front and not knee:
        with console.busy("fitting the models"):
            front = study.front(by)
        tell_notes(console, study, front.warnings)
        if front[0].by == "mean":
            console.say(front_words(front))
        target.write(console, [leader_point(each, study.problem) for each in front])
        return
    with console.busy("fitting the model"):
        best = study.best(by)
    tell_notes(console, study, best.warnings)
    if best.by == "mean":
        console.say(f"best by mean: {leader_words(best, study.problem)}")
    target.write(console, [leader_point(best, study.problem)])
