"""``ordbo check``: validate all files of a study."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, escape
from ordbo_cli.cli.options import problem_argument
from ordbo_cli.errors import OrdboError

_EXAMPLES: Final = """
ordbo check drag.yaml && ordbo suggest drag.yaml
ordbo check drag.yaml --invariance
"""
_HINT: Final = "This is an error of ordbo: please report it, with the problem file, the evaluations and the state"


@click.command("check", cls=BaseCommand, examples=_EXAMPLES)
@problem_argument
@click.option(
    "--invariance",
    is_flag=True,
    help="Show that monotone transforms of the objective, and of each parameter, keep the next suggestion.",
)
def command(console: Console, problem: Path, invariance: bool) -> None:
    """Validate all files of a study.

    Says in words what they hold, and changes nothing.
    Errors name file, line and column, all of a file at once.

    With --invariance, the next suggestion is chosen again from the logarithm, exponential, cube, ranks and
    affine maps of the results, and has to stay the same. Several objectives go through them at once, each through
    another one at a time, and one by one only where that makes a difference. Where the settings are metric-free, the
    same is done to each parameter, and the cell has to stay the same; where they are not, that is said. Each takes as
    long as a suggestion. A difference is an error, with exit status 1.
    """
    from ordbo_cli.study.study import Study

    study = Study.open(problem)
    found = study.check()
    for warning in found.warnings:
        console.warn(warning)
    _print(console, found)
    if not invariance:
        return
    shown = study.invariance(progress=lambda total: console.progress("suggestions", total))
    _print(console, shown.lines)
    if not shown.holds:
        raise OrdboError("a transform changed the next suggestion, which it must not", _HINT)


def _print(console: Console, lines: Iterable[str]) -> None:
    console.data("".join(f"{escape(line)}\n" for line in lines))
