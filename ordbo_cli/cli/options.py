"""Options and arguments that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

import click

from ordbo_cli.cli.render import FORMATS
from ordbo_cli.method import EngineKind

_THREADS: Final = (
    "Threads of the search for the best cell; the point is the same whatever their number. They save little: at 1,000"
    " rows and 10 parameters that search is a quarter of a second, and the fit the rest of the step. More is to share"
    " where 'acquisition: thompson' compares hundreds of cells, 15 s at 900."
)
F = TypeVar("F", bound=Callable[..., Any])

PATH: Final = click.Path(path_type=Path, readable=False)  # who reads a file says why it cannot


def problem_argument(function: F) -> F:
    """Add the argument PROBLEM: the problem file."""
    return click.argument("problem", type=PATH)(function)


def lock_option(function: F) -> F:
    """Add ``--lock-timeout``."""
    return click.option(
        "--lock-timeout",
        type=click.FloatRange(min=0),
        default=60.0,
        show_default=True,
        metavar="SECONDS",
        help="How long to wait for another ordbo process on the same study.",
    )(function)


def engine_option(function: F) -> F:
    """Add ``--engine``."""
    return click.option(
        "--engine", type=click.Choice(get_args(EngineKind)), help="Overrides the problem file's engine."
    )(function)


def threads_option(function: F) -> F:
    """Add ``--threads``."""
    return click.option(
        "--threads",
        type=click.IntRange(1, 256),
        default=1,
        show_default=True,
        help=_THREADS,
    )(function)


def delimiters_option(function: F) -> F:
    """Add ``--delimiters``."""
    return click.option(
        "--delimiters",
        default="{ }",
        show_default=True,
        metavar="'OPEN CLOSE'",
        help="What stands around a name in the template, for instance '@ @' or '<< >>'.",
    )(function)


def output_options(function: F) -> F:
    """Add the options that say how a point is printed."""
    for option in reversed(
        (
            click.option(
                "--format",
                "form",
                type=click.Choice(FORMATS),
                help="json (the default): one object a line; csv: a header and a row a point; env: lines to eval in a"
                " shell; args: command-line arguments.",
            ),
            click.option("--template", type=PATH, help="Fill in this file: every {name}, and {id}."),
            click.option(
                "-o",
                "--output",
                type=PATH,
                help="Where the filled-in template goes (default: standard output); {id} in it becomes the id.",
            ),
            delimiters_option,
        )
    ):
        function = option(function)
    return function
