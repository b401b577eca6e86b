"""``ordbo suggest``: the next point to evaluate."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.options import (
    engine_option,
    lock_option,
    output_options,
    problem_argument,
    stop_option,
    threads_option,
)
from ordbo_cli.cli.output import Output, ShownPoint, json_line
from ordbo_cli.errors import FileError, UsageError
from ordbo_cli.problem.method import EngineKind

if TYPE_CHECKING:
    from ordbo_cli.problem import Suggestion
    from ordbo_cli.study.asking.stopping import StopRule
    from ordbo_cli.study.reporting.views import Chosen
    from ordbo_cli.study.returned import Answers
    from ordbo_cli.study.study import Study

_EXAMPLES: Final = """
ordbo suggest drag.yaml                        # {"id": 17, "parameters": {"angle": 3.1, "blades": 4}}
vars=$(ordbo suggest drag.yaml --format env) && eval "$vars"  # ORDBO_ID, ORDBO_ANGLE, ...
ordbo suggest drag.yaml --format args          # --id=17 --angle=3.1 --blades=4
ordbo suggest drag.yaml --explain              # and on standard error, why there
ordbo suggest drag.yaml --stop-when 'improvement-probability < 0.01'
ordbo suggest drag.yaml -n 4 --format args | xargs -P 4 -L 1 sh -c './sim "$@" | ordbo observe drag.yaml "$0" --file -'
ordbo suggest drag.yaml --template case.tpl -o case.in
ordbo suggest drag.yaml -n 16 --append --template case.tpl -o 'run-{id}/case.in'
ordbo suggest taste.yaml --duel                # two points to compare; then: ordbo prefer taste.yaml 12 over 17
ordbo suggest drag.yaml --template U.tpl -o 0/U --delimiters '@ @'
"""


@click.command("suggest", cls=BaseCommand, examples=_EXAMPLES)
@problem_argument
@click.option("-n", "--number", type=click.IntRange(1, 1000), default=1, show_default=True, help="How many points.")
@click.option("--append", is_flag=True, help="Also append the points to the CSV as pending rows.")
@click.option("--explain", is_flag=True, help="Also say on standard error why each point was chosen; --quiet wins.")
@click.option("--duel", is_flag=True, help="Print two points to compare, for 'ordbo prefer' and 'ordbo tie'.")
@click.option("--dry-run", is_flag=True, help="Record nothing: the next call gives the same points.")
@stop_option
@output_options
@engine_option
@threads_option
@lock_option
def command(
    console: Console,
    problem: Path,
    number: int,
    append: bool,
    explain: bool,
    duel: bool,
    dry_run: bool,
    stop_when: tuple[StopRule, ...],
    form: str | None,
    template: Path | None,
    output: Path | None,
    delimiters: str,
    engine: EngineKind | None,
    threads: int,
    lock_timeout: float,
) -> None:
    r"""Print the next point to evaluate, or the next ones.

    Its id stays pending until 'ordbo observe' closes it; asking again before that gives another point.

    -n 4 gives the points that four calls give, and records all of them or none: four JSON lines, a CSV with one
    header, or four lines of arguments. Fewer come where fewer are left. No shell can hold two points in the same
    variables, so --format env gives one.

    --explain says in a few lines where the point lies, how its cell compares with the runner-up, which results weigh
    on it and what is expected of it. A point explores where more than half of the standard deviation that the model
    starts from is left, and exploits what is known elsewhere. The point is the same without it.

    --duel gives two points to compare: the one that is held to be the best, and a new one, which gets a pending row in
    the CSV; both are new in the beginning. Asking again without an answer gives another pair. Where two or more have
    judged, it says who should answer: with few answers so far, and a model that agrees with most of them.

    Arguments begin with --id=17, which 'ordbo observe' takes as it stands. A shell that is called with them has it in
    "$0" and the parameters in "$@", as in the example below, where four simulations run at a time.

    A parameter that does not count at a point (when:) is left out of JSON and arguments, unset by --format env, an
    empty cell in a CSV and nothing in a template.

    A template is the simulator's own input file with {name} where a value belongs. Braces around anything
    that does not look like a name stay as they are; \{name} is a literal {name}; files that are full of
    braces take other delimiters. Names that the study does not know are errors. An {id} in -o becomes the id, and
    the folders from there on are made; with -n it has to be there, so that each point gets a file of its own.
    """
    from ordbo_cli.study.study import Study

    study = Study.open(problem, lock_timeout=lock_timeout, threads=threads)
    if duel:
        beside = {"-n": number > 1, "--explain": explain, "--stop-when": bool(stop_when)}
        if others := [option for option, given in beside.items() if given]:
            hint = "Ask for one pair, and for other points with a call of their own"
            raise UsageError(f"--duel beside {others[0]}", hint)
    target = Output.prepare(study.problem, form, template, output, delimiters, many=number > 1 or duel)
    if unused := target.unused(study.problem):
        console.warn(f"{template} does not hold {', '.join(unused)}")
    with console.busy("choosing a point" if number == 1 else f"choosing {number} points"):
        suggestions: Answers[Suggestion]
        chosen: tuple[Chosen, ...] = ()
        if duel:
            suggestions = study.ask_duel(dry_run=dry_run, engine=engine)
        else:
            how: Any = {"append": append, "dry_run": dry_run, "engine": engine}
            suggestions = asked = study.ask_batch(number, explain=explain, stop_when=stop_when, **how)
            chosen = asked.chosen
    tell_notes(console, study, suggestions.warnings)
    try:
        target.write(console, [ShownPoint(each.id, each.parameters, names=study.problem.names) for each in suggestions])
    except (OSError, FileError) as error:
        if not dry_run and not isinstance(error, BrokenPipeError):
            console.say(f"{_named(suggestions)} as pending; see 'ordbo pending list'")
        raise
    if duel:
        one, other = (each.id for each in suggestions)
        who = study.next_judge()
        by = "" if who is None else f" --judge {shlex.quote(who)}"
        answer = f"'ordbo prefer {problem} {one} over {other}{by}', the other way round, or tie"
        console.say(f"compare {one} with {other}: {answer}")
    _tell_choices(console, study, chosen)


def _named(suggestions: Sequence[Suggestion]) -> str:
    if len(suggestions) == 1:
        return f"suggestion {suggestions[0].id} stands"
    return f"{len(suggestions)} suggestions, {suggestions[0].id} to {suggestions[-1].id}, stand"


def _tell_choices(console: Console, study: Study, chosen: Sequence[Chosen]) -> None:
    """Say why the points were chosen, and in detail how."""
    console.detail(f"files: {study.evaluations_path}, {study.state_path}")
    for each in chosen:
        if each.record is not None:
            console.detail(f"chosen: {json_line(each.record.to_dict()).rstrip()}")
        for line in each.lines:
            console.say(line)
