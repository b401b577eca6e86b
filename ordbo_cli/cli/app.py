"""The group of all commands, and what becomes of an error: the one place that gives text and exit status."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

import click

from ordbo_cli import __version__
from ordbo_cli.cli.base_command import CONTEXT, VERBOSITY, did_you_mean, options_of, write_examples
from ordbo_cli.cli.console import Console, drop_output, escape
from ordbo_cli.errors import (
    ExhaustedError,
    FileError,
    ManyErrors,
    MissingFileError,
    OrdboError,
    StoppedError,
    UsageError,
)
from ordbo_cli.room import shortage

DONE: Final = 0
INTERNAL: Final = 1
USAGE: Final = 2
INTERRUPTED: Final = 130

COMMANDS: Final = {  # in the order in which people meet them
    "init": "Write a commented problem file.",
    "suggest": "Print the next point to evaluate, or the next ones.",
    "observe": "Record results.",
    "undo": "Take back what was recorded last.",
    "prefer": "Record which of two points is better.",
    "tie": "Record that two points are as good.",
    "rank": "Record in which order points were found to be.",
    "run": "Drive an external simulator to the end.",
    "status": "Show where a study stands.",
    "pending": "Say what becomes of suggestions without a result.",
    "best": "Print the best point so far, or the front.",
    "export": "Print all evaluations, or share a study by ranks alone.",
    "import": "Append what another optimiser has evaluated.",
    "plot": "Draw what the method sees.",
    "report": "Write one HTML page that shows a study.",
    "watch": "Show a study in the browser as it goes on.",
    "predict": "Print what the model expects of points.",
    "diagnose": "Show how far the model can be trusted.",
    "check": "Validate all files of a study.",
    "clean": "List the files of a study, and delete the derived ones.",
    "serve": "Answer requests, one JSON object a line.",
    "mcp": "Let an agent work on the studies of a folder.",
    "benchmark": "Compare methods on test problems, or on a simulator of yours.",
    "schema": "Print the JSON Schema of problem files.",
    "completion": "Print a shell's completion script.",
}
"""Each command with the first sentence of its help: to list them, none of their modules has to be imported."""
_MODULES: Final = {"import": "import_"}  # of commands whose names Python keeps for itself
_COMPLETION: Final = "_ORDBO_COMPLETE"


_EXAMPLES: Final = """
ordbo init drag.yaml --param angle:0:12 --param blades:int:3:9 --objective drag --goal minimize
ordbo suggest drag.yaml                        # {"id": 1, "parameters": {"angle": 6.5, "blades": 4}}
ordbo observe drag.yaml --id 1 drag=0.31
ordbo status drag.yaml
"""
_STATUSES: Final = """
  Exit statuses:
    0 done   1 internal error   2 usage   3 exhausted, out of patience or at a stop rule   65 bad CSV or state
    66 file missing   74 input/output error, no memory   75 lock time-out   78 bad problem file   130 interrupted
"""


def module_of(command: str) -> str:
    """Return the module of a command."""
    return f"ordbo_cli.cli.commands.{_MODULES.get(command, command)}"


class LazyGroup(click.Group):
    """A group that imports a command's module when the command is asked for."""

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the description, examples and the exit statuses."""
        super().format_help_text(ctx, formatter)
        write_examples(_EXAMPLES, formatter)
        formatter.write(_STATUSES)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the commands in the order in which people meet them."""
        return list(COMMANDS)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the table of commands."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None where there is no such command."""
        if cmd_name not in COMMANDS:
            return None
        command = import_module(module_of(cmd_name)).command
        assert isinstance(command, click.Command)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that an argument names, or the nearest one for the message.

        Raises:
            UsageError: there is none.
        """
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            if self.get_command(ctx, args[0]) is not None or args[0].startswith("-"):
                raise
            hint = f"{did_you_mean(args[0], COMMANDS)}'ordbo --help' lists them"
            raise UsageError(f"no such command '{args[0]}'", hint) from error


@click.group(cls=LazyGroup, no_args_is_help=False, context_settings=dict(CONTEXT), params=list(VERBOSITY))
@click.version_option(__version__, prog_name="ordbo", message="%(prog)s %(version)s")
def ordbo() -> None:
    """Optimise an expensive black box by the order of its results alone."""


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status; nothing but an interrupt from outside leaves as an exception."""
    console = Console()
    try:
        if instruction := os.environ.get(_COMPLETION):
            from click.shell_completion import shell_complete

            return shell_complete(ordbo, {}, "ordbo", _COMPLETION, instruction)
        if not arguments:
            console.lines(ordbo.get_help(click.Context(ordbo, info_name="ordbo", **ordbo.context_settings)))
            return USAGE
        with ordbo.make_context("ordbo", list(arguments), obj=console) as context:
            ordbo.invoke(context)
        return DONE
    except click.exceptions.Exit as leave:
        return leave.exit_code
    except BrokenPipeError:
        drop_output()
        return DONE
    except (KeyboardInterrupt, click.Abort):
        console.say("interrupted")
        return INTERRUPTED
    except Exception as error:
        return _report(console, error)


def _report(console: Console, error: Exception) -> int:
    """Say what went wrong and return the exit status for it."""
    error = shortage(error) or error
    if isinstance(error, ManyErrors):
        for each in error.errors:
            console.lines(escape(str(each)))
        return error.exit_status
    if isinstance(error, StoppedError):  # no error: somebody asked for it
        console.say(error.message)
        return error.exit_status
    if isinstance(error, ExhaustedError):
        console.error(f"exhausted: {error.message}", error.hint)
        return error.exit_status
    if isinstance(error, OrdboError):
        console.error(error.message, _WITHOUT_FOLDER if _is_without_folder(error) else error.hint)
        return error.exit_status
    if isinstance(error, click.UsageError):
        _report_usage(console, error)
        return USAGE
    if isinstance(error, OSError):
        if sys.stdout is not None and error.filename is None:
            drop_output()  # what cannot be written now cannot be written at the end of the process either
        where = f"{error.filename}: " if error.filename is not None else ""
        console.error(f"{where}{error.strerror or error}", _WITHOUT_FOLDER if _is_without_folder(error) else "")
        return FileError.exit_status
    if console.verbose:
        import traceback

        console.lines("".join(traceback.format_exception(error)).rstrip())
    console.error(
        f"internal error: {type(error).__name__}: {error}",
        "" if console.verbose else "please report it with the traceback that --verbose shows",
    )
    return INTERNAL


_WITHOUT_FOLDER: Final = "The folder that you are in was deleted: cd to another one"


def _is_without_folder(error: Exception) -> bool:
    """Return whether a file is missed by a process whose own folder is gone."""
    if not isinstance(error, FileError | MissingFileError | FileNotFoundError):
        return False
    try:
        os.getcwd()
    except OSError:
        return True
    return False


def _report_usage(console: Console, error: click.UsageError) -> None:
    message = error.format_message()
    message = message[:1].lower() + message[1:]
    path = error.ctx.command_path if error.ctx else "ordbo"
    if isinstance(error, click.NoSuchOption):
        message = f"no such option {error.option_name}"
    console.error(message.rstrip("."), f"{_guess(error)}'{path} --help' lists what it takes")


def _guess(error: click.UsageError) -> str:
    """Return what a misspelt option, or a choice among words, was meant to be, "" where nobody knows."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        if error.option_name[1:2].isdigit() and any(each.name == "values" for each in error.ctx.command.params):
            return "A negative number is written behind its name, NAME=-1; "
        return did_you_mean(error.option_name, options_of(error.ctx))
    kind = error.param.type if isinstance(error, click.BadParameter) and error.param is not None else None
    word = re.match("'(.*)' is not one of ", error.message)
    return did_you_mean(word[1], map(str, kind.choices)) if isinstance(kind, click.Choice) and word else ""
