"""``ordbo mcp``: the studies of a folder for agents, by the Model Context Protocol."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any, Final

import click

from ordbo_cli import __version__
from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console
from ordbo_cli.cli.options import PATH, demand, engine_option, lock_option, threads_option
from ordbo_cli.cli.output import json_line
from ordbo_cli.errors import FileError, MissingFileError
from ordbo_cli.files.durable.paths import refused
from ordbo_cli.problem.method import EngineKind

if TYPE_CHECKING:
    from ordbo_cli.study.study import Study

_EXAMPLES: Final = """
ordbo mcp .                                    # an agent's program starts it: see docs/how-to/agents.md
ordbo mcp /data/wing --lock-timeout 10min
"""
_INTERRUPTED: Final = 130  # the exit status of every command that a signal ends
_LAST: Final = 5.0  # seconds that a call may take to its end after a signal


@click.command("mcp", cls=BaseCommand, examples=_EXAMPLES)
@click.argument("folder", type=PATH)
@click.option("--append", is_flag=True, help="Also append every point handed out to the CSV as a pending row.")
@engine_option
@threads_option
@lock_option
def command(
    console: Console, folder: Path, append: bool, engine: EngineKind | None, threads: int, lock_timeout: float
) -> None:
    """Let an agent work on the studies of a folder.

    Speaks the Model Context Protocol on standard input and output, for a program that starts it. Its tools are suggest,
    observe, prefer, status, best, explain, predict, diagnose, check and plot, over the same files as the commands; the
    problem, the evaluations and the schema of problem files can be read as resources. Errors are those of the commands.

    Problem files are named relative to FOLDER; nothing outside it is read or written, and links that lead out are
    refused. Nothing runs a simulator, and nothing is deleted.

    An agent may forget, repeat itself or be killed at any time: 'suggest' gives what is out before it makes a new
    point, and 'observe' records one result of an id.

    It needs the extra ordbo[mcp]. The end of the input ends the process.
    """
    demand("'ordbo mcp'", "mcp", extra="mcp")
    if sys.stdin is None or sys.stdout is None:
        raise FileError(f"standard {'input' if sys.stdin is None else 'output'} is closed")
    _enter(folder)
    from ordbo_cli.drive.agents.agent_folder import AgentFolder
    from ordbo_cli.drive.agents.mcp_server import McpServer
    from ordbo_cli.drive.agents.toolbox import Toolbox

    def opened(path: Path, objective: str | None) -> Study:
        from ordbo_cli.study.study import Study

        return Study.open(path, lock_timeout=lock_timeout, threads=threads, objective=objective)

    def fault(error: Exception) -> None:
        if console.verbose:
            console.lines("".join(traceback.format_exception(error)).rstrip())

    toolbox = Toolbox(AgentFolder(opened), json_line, _drawn, append=append, engine=engine)
    server = McpServer(toolbox, __version__, fault)

    def stop(number: int, frame: FrameType | None) -> None:
        server.finish(_LAST)
        console.say("interrupted")
        os._exit(_INTERRUPTED)  # a thread waits for the next line of input, and nothing wakes it

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    server.serve()


def _enter(folder: Path) -> None:
    """Make a folder the working folder: then every message names files as an agent does."""
    try:
        os.chdir(folder)
    except FileNotFoundError:
        raise MissingFileError(f"{folder}: there is no such folder", "Make it: mkdir -p") from None
    except OSError as error:
        raise refused("enter it", folder, error) from None


def _drawn(study: Study, kind: str, form: str, **options: Any) -> tuple[bytes, str]:
    from ordbo_cli.pictures.drawing import plot

    picture = plot(study, kind, **options)
    return picture.encoded(form), picture.alt
