"""Options of ``ordbo run`` for its hooks."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, TypeVar

import click

from ordbo_cli.cli.console import Console
from ordbo_cli.cli.options import DURATION
from ordbo_cli.errors import UsageError

if TYPE_CHECKING:
    from ordbo_cli.drive.hooks import Hook
    from ordbo_cli.study.study import Study

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: Final = (
    click.option(
        "--on-result",
        metavar="COMMAND",
        multiple=True,
        help="Call this, without a shell, when a result or a failure is on record: in ORDBO_ID, ORDBO_STATUS, a"
        " variable for each parameter and result, and as JSON on standard input, it has what happened.",
    ),
    click.option(
        "--on-best",
        metavar="COMMAND",
        multiple=True,
        help="The same when a result is the best so far, of several objectives when it is on the front.",
    ),
    click.option(
        "--hook-timeout",
        type=DURATION,
        default="60s",
        show_default=True,
        help="How long a call of these may take, and all that are left when the run ends. The run waits for none"
        " before.",
    ),
)


def hook_options(function: F) -> F:
    """Add the options that say what is called when a result is on record."""
    for option in reversed(_OPTIONS):
        function = option(function)
    return function


def hooks_of(console: Console, study: Study, options: Mapping[str, Any]) -> list[Hook]:
    """Return what is called where a result is on record, checked before any point is asked for.

    Args:
        console: to warn of a hook that needs a shell.
        study: whose results they are told.
        options: of the command.

    Raises:
        OrdboError: one of them cannot be called.
    """
    from ordbo_cli.drive.hooks import Hook

    if not options["hook_timeout"] > 0:
        raise UsageError("--hook-timeout is 0", "It has to be above 0")
    hooks = [
        Hook.prepare(study.problem, event, text, Path.cwd())
        for event in ("result", "best")
        for text in options[f"on_{event}"]
    ]
    for hook in hooks:
        if sign := hook.looks_like_shell:
            console.warn(f"{hook} is called without a shell, which {sign} needs: write sh -c '...'")
    return hooks
