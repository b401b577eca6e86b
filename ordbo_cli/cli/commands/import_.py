"""``ordbo import``: append what another optimiser has evaluated."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.inputs import read_text, source_name
from ordbo_cli.cli.options import lock_option, problem_argument
from ordbo_cli.errors import MissingFileError, OrdboError

if TYPE_CHECKING:
    from ordbo_cli.exchange.importing import Imported
    from ordbo_cli.study.study import Study

_EXAMPLES: Final = """
ordbo import drag.yaml trials.csv              # study.trials_dataframe().to_csv("trials.csv")
optuna trials --study-name drag --format json | ordbo import drag.yaml -
ordbo import drag.yaml trials.csv --objective-column values_1 --pruned failed
ordbo import drag.yaml old.csv --campaign coarse-mesh
ordbo import drag.yaml dakota_tabular.dat --from dakota --objective-column obj_fn
"""


@click.command("import", cls=BaseCommand, examples=_EXAMPLES)
@problem_argument
@click.argument("file", type=click.Path(allow_dash=True, readable=False))
@click.option(
    "--from",
    "origin",
    type=click.Choice(("auto", "optuna", "dakota")),
    default="auto",
    show_default=True,
    help="Whose table it is; auto tells by its header.",
)
@click.option(
    "--objective-column",
    "columns",
    metavar="NAME",
    multiple=True,
    help="The column of the results (default: the one that is called as the objective; Optuna's value; the only one)."
    " Of several objectives repeat it, in their order (default: those called so; those there, if they are as many).",
)
@click.option(
    "--pruned",
    type=click.Choice(("skip", "failed")),
    default="skip",
    show_default=True,
    help="What Optuna's pruned trials are: passed over, or failures.",
)
@click.option(
    "--campaign",
    metavar="NAME",
    help="Write the results of another source to a table of their own, NAME.csv, which the problem file then names"
    " under evaluations:; nothing is recorded.",
)
@lock_option
def command(
    console: Console,
    problem: Path,
    file: str,
    origin: Literal["auto", "optuna", "dakota"],
    columns: Sequence[str],
    pruned: Literal["skip", "failed"],
    campaign: str | None,
    lock_timeout: float,
) -> None:
    """Append what another optimiser has evaluated.

    All of it, or nothing where a row is wrong; and nothing twice: what the evaluations hold already is passed over, so
    a longer table of the same study can be imported again. - for standard input.

    Optuna: the CSV of study.trials_dataframe() or the JSON of 'optuna trials --format json'. params_NAME goes to the
    parameter NAME. A trial that is COMPLETE is a result, and one that is FAIL a failure; RUNNING and WAITING are passed
    over. One that is PRUNED was stopped early: its value is not that of its end, and would be ranked among ends. As a
    failure it ranks below every success, those that are worse than it would have been included.

    Dakota: tabular data, which begins with %eval_id. Numbers of trials and evaluations are not ids here, and are not
    recorded.

    Neither table says what is good: the problem's goal does, and has to be the one of the study. Of several objectives
    whose columns have names of their own, such as Optuna's values_0 and values_1, the first is the first objective.

    Results that are not comparable with the study's, of another mesh or another year, are a campaign: --campaign NAME.
    A table whose columns the problem file can name needs no import: it is named there as it is.
    """
    from ordbo_cli.exchange.importing import import_results
    from ordbo_cli.files.durable.paths import missing
    from ordbo_cli.study.study import Study

    try:
        study = Study.open(problem, lock_timeout=lock_timeout)
    except MissingFileError:
        raise missing(problem, "problem file", _init_hint(problem, file, origin, columns), ending=".yaml") from None
    if campaign is not None:
        _import_campaign(console, study, file, campaign, origin, columns, pruned)
        return
    done = import_results(
        study, read_text(file), source=source_name(file), origin=origin, column=columns, pruned=pruned
    )
    tell_notes(console, study, done.warnings)
    console.say(_summary(done))


def _import_campaign(
    console: Console,
    study: Study,
    file: str,
    name: str,
    origin: Literal["auto", "optuna", "dakota"],
    columns: Sequence[str],
    pruned: Literal["skip", "failed"],
) -> None:
    from ordbo_cli.exchange.as_campaign import import_campaign

    source = source_name(file)
    done = import_campaign(study, read_text(file), name, source=source, origin=origin, column=columns, pruned=pruned)
    tell_notes(console, study, done.warnings)
    console.say(f"wrote {done.path}: {done.rows} rows; now add to the list evaluations: of {study.problem_path}:")
    console.say(f"  - {done.entry}")


def _init_hint(problem: Path, file: str, origin: Literal["auto", "optuna", "dakota"], columns: Sequence[str]) -> str:
    """Return which command writes the problem file that is missing, or why the table does not say."""
    from ordbo_cli.exchange.ranges import init_line

    try:
        line = init_line(problem, read_text(file), source_name(file), origin, columns)
    except OrdboError as error:
        return f"'ordbo init' writes one to start from; but {error}"
    return f"{line} # or maximize; the bounds are what was tried: widen them; :int: for whole numbers"


def _summary(done: Imported) -> str:
    """Return one line that says what was recorded."""
    counts = Counter(each.status for each in done.told)
    states = ", ".join(f"{number} {status}" for status, number in counts.items())
    there = f"; {done.known} {'is' if done.known == 1 else 'are'} there already" if done.known else ""
    return f"recorded {len(done.told)} rows" + (f": {states}" if states else "") + there
