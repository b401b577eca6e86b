"""``ordbo observe``: record results."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from ordbo_cli.cli import assignments
from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.inputs import read_text, source_name
from ordbo_cli.cli.options import DURATION, lock_option, problem_argument
from ordbo_cli.cli.output import result_words, words
from ordbo_cli.errors import UsageError

if TYPE_CHECKING:
    from ordbo_cli.study.study import Study
    from ordbo_cli.study.telling.recording import Told

_EXAMPLES: Final = """
ordbo observe drag.yaml --id 17 drag=0.31
ordbo observe drag.yaml --id 17 drag=0.31 stress=240
ordbo observe drag.yaml --id 17 'drag=>1e6'
ordbo observe wing.yaml --id 17 drag=0.31 'lift=>3'
ordbo observe drag.yaml --id 18 --failed --note 'the mesh broke' --seconds 340
ordbo observe drag.yaml --id 19 --abandon
ordbo observe drag.yaml --id 20 --retry
ordbo observe drag.yaml --id 21 --file results.out
ordbo observe drag.yaml --id 17 drag=0.29 --amend
ordbo observe drag.yaml angle=3 blades=4 drag=0.35
ordbo observe tea.yaml --id 7 --judge anna taste=6
ordbo observe drag.yaml --file results.csv
./simulate | ordbo observe drag.yaml --id 22 --file -
"""


@click.command("observe", cls=BaseCommand, examples=_EXAMPLES)
@problem_argument
@click.argument("values", metavar="[NAME=VALUE]...", nargs=-1)
@click.option("--id", "number", type=click.IntRange(min=1), metavar="N", help="The suggestion that this answers.")
@click.option("--failed", is_flag=True, help="The evaluation failed: it ranks below every success.")
@click.option("--abandon", is_flag=True, help="Nobody will evaluate this suggestion.")
@click.option("--retry", is_flag=True, help="It has to be evaluated again: the next suggest hands the point out.")
@click.option("--amend", is_flag=True, help="Correct a result that is already recorded.")
@click.option(
    "--file",
    "source",
    type=click.Path(allow_dash=True, readable=False),
    metavar="FILE",
    help="Record a whole CSV, all of it or nothing; with --id or a point, what the simulator left of this one"
    " evaluation. - for standard input.",
)
@click.option(
    "--judge", metavar="NAME", help="Whose score this is: it is compared with other scores of the same judge alone."
)
@click.option("--note", default="", metavar="TEXT", help="Why it failed, or what else there is to say of it.")
@click.option("--seconds", type=DURATION, help="How long the evaluation took, such as 340 or 2h.")
@lock_option
def command(
    console: Console,
    problem: Path,
    values: Sequence[str],
    number: int | None,
    failed: bool,
    abandon: bool,
    retry: bool,
    amend: bool,
    source: str | None,
    judge: str | None,
    note: str,
    seconds: float | None,
    lock_timeout: float,
) -> None:
    """Record results.

    The result of a suggestion, of a point that was never suggested, or a whole table of them.

    Give the objective as NAME=VALUE, after --id or beside all parameters. The value is a number, or one of the
    objective's words where the problem file lists them; nan and failed are failures. '>1e6' and '<0.1' say that the
    evaluation was stopped early, and only that much is known. Of several objectives give all in this way: a point that
    lacks one (nan) failed. Quote names that hold spaces: 'wall shear=3'. A table's
    columns are found by name.

    Results that the problem file limits (outcomes) stand beside the objective. Where one breaks its limits, the
    others and the objective may be left out: the point is infeasible.

    A failed point ranks below every success, an abandoned one does not rank and never returns, one to retry does not
    rank and returns. Saying the same of an id again changes nothing, so a call that was cut off can be repeated.

    A note and the seconds stand in the table's columns 'note' and 'seconds', where it has them, or else in a file
    beside it; 'ordbo status' and 'ordbo report' show them. With --amend they can be added to what is recorded.

    With --judge it is the score that somebody gives the point, on a scale of his own; its table has a column 'judge'
    then. Each judge may score it, and corrects that with --amend.

    The file of one evaluation holds a number, lines of 'VALUE NAME' or 'NAME = VALUE', or a JSON object. One that
    begins with "fail" is a failure, as in Dakota.
    """
    from ordbo_cli.study.study import Study

    flags = {"failed": failed, "abandon": abandon, "retry": retry}
    said = [flag for flag in flags if flags[flag]]
    _check(values, number, said, source)
    study = Study.open(problem, lock_timeout=lock_timeout)
    if source is not None and number is None and not values:
        if judge is not None:
            raise UsageError("--judge beside a table", "Name who judged in its column 'judge'")
        if note or seconds is not None:
            raise UsageError("--note or --seconds beside a table", "Give it columns of these names")
        rows = study.tell_rows(read_text(source), source=source_name(source), amend=amend)
        told, warnings = list(rows), rows.warnings
    else:
        how = {"amend": amend, "note": note, "seconds": seconds, "judge": judge}
        told = [_tell(study, values, number, source, said, how)]
        warnings = told[0].warnings
    tell_notes(console, study, warnings)
    if summary := _summary(told, study.problem.objective):
        console.say(summary)


def _check(values: Sequence[str], number: int | None, said: Sequence[str], source: str | None) -> None:
    """Refuse options that do not go together, before any file is read."""
    if len(said) > 1:
        raise UsageError(f"--{said[0]} beside --{said[1]}", "Give one of the two")
    if source is not None and said:
        raise UsageError(f"--file beside --{said[0]}", "Give one or the other")
    if source is None and number is None and not values:
        raise UsageError(
            "nothing to record", "Give --id and the objective, all parameters and the objective, or --file"
        )


def _tell(
    study: Study,
    values: Sequence[str],
    number: int | None,
    source: str | None,
    said: Sequence[str],
    how: Mapping[str, Any],
) -> Told:
    """Record one result; ``how`` is handed on to ``Study.tell``."""
    name = study.problem.objective
    limited = [limit.name for limit in study.problem.outcomes]
    given = assignments.parse(values, (*study.problem.names, *limited, name))
    objective = given.pop(name, None)
    outcomes: Mapping[str, str] = {each: given.pop(each) for each in limited if each in given}
    notes: Sequence[str] = ()
    other = "--file" if source is not None else f"--{said[0]}" if said else ""
    if (objective is not None or outcomes) and other:
        raise UsageError(
            f"{name if objective is not None else next(iter(outcomes))} beside {other}", "Give one of the two"
        )
    if objective is None and not (other or outcomes):
        raise UsageError(f"no {name}", f"Give {shlex.quote(f'{name}=VALUE')}, --failed, --abandon or --retry")
    if source is not None:
        from ordbo_cli.files.values.result_file import read_answer

        found = read_answer(read_text(source), source_name(source), study.problem)
        objective, outcomes, notes = found.objective, found.outcomes, found.notes
    words: dict[str, Any] = dict.fromkeys(said, True) | ({} if objective is None else {"objective": objective})
    told = study.tell(id=number, parameters=given or None, outcomes=outcomes, **how, **words)
    return replace(told, warnings=(*told.warnings, *notes))


def _summary(told: Sequence[Told], objective: str) -> str:
    """Return one line that says what was recorded, or "" where nothing was and the warnings say why."""
    if len(told) != 1:
        counts = Counter(each.status for each in told if each.new)
        states = ", ".join(f"{number} {status}" for status, number in counts.items())
        return f"recorded {counts.total()} rows" + (f": {states}" if counts else "")
    (only,) = told
    if not only.new:
        return ""
    what = result_words(only, objective)
    return f"recorded {'' if only.id is None else f'{only.id}: '}{what} at {words(only.parameters)}"
