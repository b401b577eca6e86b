"""``ordbo diagnose``: how far the model can be trusted, and on demand what the theory says of the study."""

from __future__ import annotations

import shutil
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.benchmarks.standings import figure_of
from ordbo_cli.cli.console import Console, escape, tell_notes
from ordbo_cli.cli.options import engine_option, json_option, objective_option, problem_argument
from ordbo_cli.cli.output import json_line
from ordbo_cli.errors import UsageError
from ordbo_cli.problem.method import EngineKind

if TYPE_CHECKING:
    from ordbo_cli.study.reporting.diagnosis.diagnosing import Diagnosis, TheoryOfStudy
    from ordbo_cli.study.study import Study

_EXAMPLES: Final = """
ordbo diagnose drag.yaml
ordbo diagnose drag.yaml --json | jq .checks.kendall_tau
ordbo diagnose drag.yaml --theory --steps 50 --delta 0.05
"""
_TITLES: Final = {
    "checks": "Does the model predict the order?",
    "next": "What does it expect of the next point?",
    "theory": "What Section 4 of the paper says",
}
_HEADERS: Final = ("rows", "gain", "V", "moved", "allowed", "gain lost", "claimed", "beta", "lemma 1", "regret bound")
_STEPS: Final = 10
_WIDTH: Final = 96


@click.command("diagnose", cls=BaseCommand, examples=_EXAMPLES)
@problem_argument
@objective_option
@json_option
@click.option("--theory", is_flag=True, help="Also show the figures of the paper's theory; that takes more fits.")
@click.option(
    "--steps",
    type=click.IntRange(min=0),
    help=f"With --theory: how many of the newest fits its table shows (default: {_STEPS}); JSON has all.",
)
@click.option(
    "--delta",
    type=float,
    help="With --theory: probability with which Lemma 1 may fail, 0.1 where the problem says nothing.",
)
@click.option(
    "--c1", type=float, help="With --theory: factor of the smoothness assumption (default: by kernel and fit)."
)
@click.option(
    "--c2", type=float, help="With --theory: scale of the slopes on the unit box (default: by kernel and fit)."
)
@engine_option
def command(
    console: Console,
    problem: Path,
    objective: str | None,
    as_json: bool,
    theory: bool,
    steps: int | None,
    delta: float | None,
    c1: float | None,
    c2: float | None,
    engine: EngineKind | None,
) -> None:
    """Show how far the model can be trusted.

    Leaves every point out of the fit and predicts it: does the order come out, and is the model as sure as it may be?
    Up to 50 points each is left out of a fit of its own, up to 400 a tenth of them at a time; beyond that the warp is
    held, which flatters the model. Then what it expects of the next point. A sentence explains each figure. Nothing is
    recorded.

    --theory adds the figures of Section 4 of the paper: information gain, cumulative variance, movement of the latent
    points, and the bound on regret. For these the results are fitted once more as they came in, up to 400 of them with
    up to 50 fits, more of them with 10.
    """
    from ordbo_cli.study.reporting.diagnosis.diagnosis_words import entries
    from ordbo_cli.study.study import Study

    constants = {"delta": delta, "c1": c1, "c2": c2}
    given = next((name for name, value in {"steps": steps, **constants}.items() if value is not None), None)
    if given and not theory:
        raise UsageError(f"--{given} without --theory", "It is about the theory alone: add --theory")
    study = Study.open(problem, objective=objective)
    with console.counting("fits") as progress:
        found = study.diagnose(theory=theory, engine=engine, progress=progress, **constants)
    tell_notes(console, study, found.warnings)
    if as_json:
        console.data(json_line(entries(found, study.problem)))
    else:
        _show(console, found, study)
        if found.theory is not None:
            _show_fits(console, found.theory, _STEPS if steps is None else steps)


def _show(console: Console, found: Diagnosis, study: Study) -> None:
    """Print every figure with its sentence."""
    from ordbo_cli.study.reporting.diagnosis.diagnosis_words import figures

    counts = _counted(found.evaluations, "result"), _counted(len(study.problem.free), "parameter")
    console.data(escape(f"{study.problem_path}: {', '.join(counts)}") + "\n")
    width = min(_WIDTH, shutil.get_terminal_size().columns - 4) if console.terminal else _WIDTH
    for group, entries in figures(found, study.problem).items():
        console.data(f"\n{_TITLES[group]}\n")
        for each in entries:
            console.data(f"  {each.name} {figure_of(each.value)}\n")
            console.data(
                textwrap.indent(textwrap.fill(each.sentence, max(20, width), break_on_hyphens=False), "    ") + "\n"
            )


def _show_fits(console: Console, found: TheoryOfStudy, steps: int) -> None:
    """Print a table of the newest fits."""
    bounds = found.history.bounds or (None,) * len(found.history.steps)
    rows = [
        (
            str(step.rows),
            *map(figure_of, (step.gain, step.variance, step.moved, allowed, step.gain_lost, step.gain_loss_claimed)),
            figure_of(step.beta),
            *map(figure_of, (None, None) if bound is None else (bound.beta, bound.regret)),
        )
        for step, allowed, bound in zip(found.history.steps, found.moves_allowed, bounds, strict=True)
    ]
    if rows[-steps:] and steps:
        console.data("\n")
        console.table(_HEADERS, rows[-steps:])


def _counted(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
