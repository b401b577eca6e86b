"""``ordbo observe``: record results."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ordbo_cli.cli import assignments
from ordbo_cli.cli.console import Console
from ordbo_cli.cli.inputs import read_text, source_name
from ordbo_cli.cli.notes import tell_notes
from ordbo_cli.cli.options import Command, lock_option, problem_argument, verbosity
from ordbo_cli.errors import UsageError

if TYPE_CHECKING:
    from ordbo_cli.study import Study, Told

_EXAMPLES: Final = """
ordbo observe drag.yaml --id 17 drag=0.31
ordbo observe drag.yaml --id 18 --failed
ordbo observe drag.yaml --id 19 --abandon
ordbo observe drag.yaml --id 17 drag=0.29 --amend
ordbo observe drag.yaml angle=3 blades=4 drag=0.35
ordbo observe drag.yaml --file results.csv
./simulate | ordbo observe drag.yaml --file -
"""


@click.command("observe", cls=Command, examples=_EXAMPLES)
@problem_argument
@click.argument("values", metavar="[NAME=VALUE]...", nargs=-1)
@click.option("--id", "number", type=click.IntRange(min=1), metavar="N", help="The suggestion that this answers.")
@click.option("--failed", is_flag=True, help="The evaluation failed: it ranks below every success.")
@click.option("--abandon", is_flag=True, help="Nobody will evaluate this suggestion.")
@click.option("--amend", is_flag=True, help="Correct a result that is already recorded.")
@click.option(
    "--file",
    "source",
    type=click.Path(allow_dash=True),
    metavar="CSV",
    help="Record a whole table, all of it or nothing; - for standard input.",
)
@lock_option
@verbosity
@click.pass_obj
def command(
    console: Console,
    problem: Path,
    values: Sequence[str],
    number: int | None,
    failed: bool,
    abandon: bool,
    amend: bool,
    source: str | None,
    lock_timeout: float,
) -> None:
    """Record results.

    The result of a suggestion, of a point that was never suggested, or a whole table of them.

    Give the objective as NAME=VALUE, after --id or beside all parameters. The value is a number; nan and
    failed are failures. Quote names that hold spaces: 'wall shear=3'. A table's columns are found by name.
    """
    from ordbo_cli.study import Study

    _check(values, number, failed, abandon, source)
    study = Study.open(problem, lock_timeout=lock_timeout)
    if source is not None:
        told = study.tell_rows(read_text(source), source=source_name(source), amend=amend)
    else:
        told = [_tell(study, values, number, failed, abandon, amend)]
    tell_notes(console, study)
    console.say(_summary(told, study.problem.objective))


def _check(values: Sequence[str], number: int | None, failed: bool, abandon: bool, source: str | None) -> None:
    """Refuse options that do not go together, before any file is read."""
    if source is not None and (values or number is not None or failed or abandon):
        raise UsageError("--file beside a single result", "Give one or the other")
    if failed and abandon:
        raise UsageError("--failed beside --abandon", "Give one of the two")
    if source is None and number is None and not values:
        raise UsageError(
            "nothing to record", "Give --id and the objective, all parameters and the objective, or --file"
        )


def _tell(study: Study, values: Sequence[str], number: int | None, failed: bool, abandon: bool, amend: bool) -> Told:
    name = study.problem.objective
    given = assignments.parse(values, (*study.problem.names, name))
    objective = given.pop(name, None)
    if objective is not None and (failed or abandon):
        raise UsageError(f"{name} beside {'--failed' if failed else '--abandon'}", "Give one of the two")
    if objective is None and not (failed or abandon):
        raise UsageError(f"no {name}", f"Give {name}=VALUE, --failed or --abandon")
    return study.tell(objective, id=number, parameters=given or None, failed=failed, abandon=abandon, amend=amend)


def _summary(told: Sequence[Told], objective: str) -> str:
    """Return one line that says what was recorded."""
    if len(told) != 1:
        counts = Counter(each.status for each in told)
        states = ", ".join(f"{number} {status}" for status, number in counts.items())
        return f"recorded {len(told)} rows" + (f": {states}" if told else "")
    (only,) = told
    what = f"{objective}={only.objective}" if only.status == "ok" else only.status
    point = " ".join(f"{name}={value}" for name, value in only.parameters.items())
    return f"recorded {'' if only.id is None else f'{only.id}: '}{what} at {point}"
