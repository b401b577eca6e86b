"""``ordbo serve``: the line protocol on standard input and output."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path
from typing import Final

import click

from ordbo_cli.cli.base_command import BaseCommand
from ordbo_cli.cli.console import Console, tell_notes
from ordbo_cli.cli.options import engine_option, lock_option, problem_argument, threads_option
from ordbo_cli.cli.output import json_line
from ordbo_cli.cli.signals import ended_by_a_signal
from ordbo_cli.errors import FileError, UsageError
from ordbo_cli.problem.method import EngineKind

_EXAMPLES: Final = """
printf '{"ask": 2}\\n' | ordbo serve drag.yaml --stdio
ordbo serve drag.yaml --stdio --append         # then type {"ask": 1}
"""
_HELP: Final = """\
Answer requests, one JSON object a line.

For a program in any language that keeps one process for a whole study: no start for every point.

\b
{"ask": 1}                            {"points": [{"id": 17, "parameters": ...}]}
{"tell": {"id": 17, "objective": 3}}  {"told": {"id": 17, "status": "ok", ...}}
{"tell": {"id": 17, "objective": 3, "outcomes": {"stress": 240}}}
{"tell": {"id": 17, "objectives": {"drag": 3, "lift": 2}}}
{"tell": {"id": 17, "failed": true}}  or "abandon", "retry"; "amend" corrects
{"tell": {"id": 17, "failed": true, "note": "the mesh broke", "seconds": 12.5}}
{"tell": {"parameters": {"angle": 3.1, "blades": 4}, "objective": "1e400"}}
{"duel": true}                        {"points": [..., ...]}, two to compare
{"prefer": [12, 17]}                  {"compared": {"better": 12, ...}}; {"tie": [3, 4]}
{"status": true}                      {"status": ...}, as 'ordbo status --json'
{"best": true}                        {"best": ...}, as 'ordbo best'

A "tag" of any value comes back in the answer. An answer may hold "warnings". An error is an answer, too, with the
exit status that a command would have had, and ends nothing:

\b
{"error": {"message": "...", "hint": "...", "status": 65}}

A null objective is a failure; "note" and "seconds" of a tell may say why, and how long it took. In a status "next" is
null wherever it would have to be computed, and "best" is that of {"best": true} up to 200 results. Answers come in the
order of the requests, each flushed; an empty line has none. The files are read anew for every request: other processes
may work on the study meanwhile. The end of the input ends the process.
"""  # click keeps the lines below a \\b as they are


@click.command("serve", cls=BaseCommand, help=_HELP, examples=_EXAMPLES)
@problem_argument
@click.option("--stdio", is_flag=True, help="Requests on standard input, answers on standard output. Required.")
@click.option("--append", is_flag=True, help="Also append every point asked for to the CSV as a pending row.")
@engine_option
@threads_option
@lock_option
def command(
    console: Console,
    problem: Path,
    stdio: bool,
    append: bool,
    engine: EngineKind | None,
    threads: int,
    lock_timeout: float,
) -> None:
    """Answer requests, one JSON object a line."""
    from ordbo_cli.drive.protocol import Protocol
    from ordbo_cli.drive.request import lines
    from ordbo_cli.study.study import Study

    if not stdio:
        raise UsageError("where the requests come from is not said", "Give --stdio: standard input and output")
    if sys.stdin is None:
        raise FileError("standard input is closed")
    with ended_by_a_signal():
        tell_notes(console, Study.open(problem), ())  # a problem that is wrong from the start is refused at once
        protocol = Protocol(
            lambda: Study.open(problem, lock_timeout=lock_timeout, threads=threads),
            json_line,
            append=append,
            engine=engine,
        )
        protocol.warm()
        for line in lines(sys.stdin.buffer.readline):
            answer = protocol.answer(line)
            console.data(answer.line)
            for warning in answer.warnings:
                console.warn(warning)
            if answer.fault is not None and console.verbose:
                console.lines("".join(traceback.format_exception(answer.fault)).rstrip())
