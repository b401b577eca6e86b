"""What every command has: help with examples, ``--quiet`` and ``--verbose``."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import click

from ordbo_cli.cli.console import Console

CONTEXT: Final = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def _note(context: click.Context, option: click.Parameter, given: bool) -> None:
    console = context.find_object(Console)
    if given and console is not None and option.name is not None:
        setattr(console, option.name, True)


VERBOSITY: Final = tuple(
    click.Option(names, is_flag=True, expose_value=False, is_eager=True, callback=_note, help=f"Print {what}.")
    for names, what in ((["-q", "--quiet"], "errors only"), (["-v", "--verbose"], "details too"))
)
"""The options of every command; they stand before or after its name."""


class BaseCommand(click.Command):
    """A command whose help shows examples; its function takes the console before its own parameters.

    Args:
        examples: one a line, printed as they stand.
    """

    def __init__(self, *arguments: Any, callback: Callable[..., Any], examples: str, **settings: Any) -> None:
        settings = {"context_settings": dict(CONTEXT), "callback": click.pass_obj(callback), **settings}
        super().__init__(*arguments, **settings)
        self.params += VERBOSITY
        self.examples = examples

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the description, and the examples below it."""
        super().format_help_text(ctx, formatter)
        write_examples(self.examples, formatter)


def write_examples(examples: str, formatter: click.HelpFormatter) -> None:
    """Write examples without wrapping them: a broken line could not be copied."""
    lines = examples.strip().splitlines()
    formatter.write("\n  Examples:\n" + "".join(f"    {line}\n" for line in lines))


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the known word that one of the command line was meant to be, as the first words of a hint."""
    from ordbo_cli.problem.spelling import nearest

    guess = nearest(word, known)
    return "" if guess is None else f"Did you mean {guess}? "


def options_of(context: click.Context) -> list[str]:
    """Return the options of a command, as they are typed."""
    return [name for each in context.command.get_params(context) for name in (*each.opts, *each.secondary_opts)]
