"""``ordbo init``: write a commented problem file."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, get_args

import click

from ordbo_cli.cli.base_command import BaseCommand, verbosity
from ordbo_cli.cli.console import Console, escape
from ordbo_cli.cli.options import PATH
from ordbo_cli.errors import FileError, ManyErrors, MissingFileError, OrdboError, UsageError
from ordbo_cli.problem import Goal
from ordbo_cli.problem.spelling import nearest

_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
_PLAIN: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_-]*")
_NOT_TEXT: Final = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"}  # to one YAML reader or another

_LEVELS: Final = re.compile(r"(?P<name>.*?):(?P<type>ordinal|categorical):(?P<levels>.*)")
_PLAIN_TYPES: Final = ("bool", "ranked")
_TYPES: Final = ("float", "int", "ordinal", "categorical", *_PLAIN_TYPES)
_HINT: Final = (
    "For instance x:0:1, n:int:1:9, re:1e5:1e7:log, mesh:ordinal:coarse,medium,fine, "
    "wall:categorical:sa,sst or stir:ranked"
)

_HEAD: Final = """\
# yaml-language-server: $schema=./ordbo.schema.json
# An ordbo problem. 'ordbo schema > ordbo.schema.json' lets an editor check it, 'ordbo check {file}' does so too.
version: 1

# The result of your simulator. Only its order counts: no scaling, no logarithm is needed.
objective: {{name: {objective}, goal: {goal}}}

# What can be varied. Bounds are included.
#   step: 0.1      only multiples of it, counted from min
#   digits: 4      significant digits of a float
#   scale: log     where ratios matter (min above 0)
#   {{type: ordinal, values: [coarse, medium, fine]}}   levels in their order
#   {{type: categorical, values: [sa, sst]}}            values without an order; {{type: bool}} for false and true
#   {{type: ranked}}   a knob without a scale: settings are told by their neighbours, "between 3 and 7"
#   when: {{wall: [sst]}}   beside the rest: where it counts, by a categorical parameter above
#   {{value: 2.0}}   instead of bounds: a constant that is handed to the simulator
parameters:
"""

_TAIL: Final = """
# What a failed evaluation means: worst (ranks below every success), ignore, or error.
failed: worst
# true where the simulator is noisy and a point may be suggested again.
noise: false
# Of every random choice: the same seed and the same results give the same points.
seed: 0
# default | metric-free | paper, or single settings of one: {preset: default, beta: 2.5}
method: default

# Your results, and what ordbo keeps for itself. These are the defaults:
"""


@dataclass(frozen=True)
class Given:
    """One ``--param``: its name, and its settings as they stand in the file."""

    name: str
    settings: str

    @classmethod
    def parse(cls, argument: str) -> Given:
        """Read ``NAME[:float|int]:MIN:MAX[:log|linear]``, ``NAME:ordinal|categorical:A,B,...`` or ``NAME:bool|ranked``.

        The name may hold colons.

        Raises:
            UsageError: it is of no such form.
        """
        if match := _LEVELS.fullmatch(argument):
            levels = [level.strip() for level in match["levels"].split(",")]
            name, settings = match["name"], f"type: {match['type']}, values: [{', '.join(map(_level, levels))}]"
            sound = all(levels)
        elif argument.rpartition(":")[2] in _PLAIN_TYPES:
            name, _, kind = argument.rpartition(":")
            settings, sound = f"type: {kind}", True
        else:
            parts = argument.split(":")
            scale = ", scale: log" if parts[-1] == "log" else ""
            parts = parts[:-1] if parts[-1] in ("log", "linear") else parts
            kind = parts.pop(-3) if len(parts) >= 4 and parts[-3] in ("float", "int") else "float"
            low, high = parts[-2:] if len(parts) >= 3 else ("", "")
            name, settings = ":".join(parts[:-2]), f"type: {kind}, min: {low}, max: {high}{scale}"
            sound = bool(_NUMBER.fullmatch(low) and _NUMBER.fullmatch(high))
        if not name.strip() or not sound:
            raise UsageError(f"--param {argument} is not NAME:MIN:MAX", _HINT)
        return cls(name.strip(), settings)

    def line(self) -> str:
        """Return its line of the problem file."""
        return f"  {_quoted(self.name)}: {{{self.settings}}}\n"


_EXAMPLES: Final = """
ordbo init
ordbo init drag.yaml --param angle:0:12 --param blades:int:3:9 --param re:1e5:1e7:log --objective drag
ordbo init flow.yaml --param mesh:ordinal:coarse,medium,fine --param wall:categorical:sa,sst --param limiter:bool
"""


@click.command("init", cls=BaseCommand, examples=_EXAMPLES)
@click.argument("file", type=PATH, default="problem.yaml", required=False)
@click.option(
    "--param",
    "params",
    multiple=True,
    metavar="NAME[:TYPE]:...",
    help="A parameter: NAME[:int]:MIN:MAX[:log], NAME:ordinal:A,B,..., NAME:categorical:A,B,..., NAME:bool or"
    " NAME:ranked; repeat it for each. Default: x:0:1, to be edited.",
)
@click.option("--objective", default="objective", show_default=True, help="The result's name.")
@click.option("--goal", type=click.Choice(get_args(Goal)), default="minimize", show_default=True, help="What is good.")
@verbosity
@click.pass_obj
def command(console: Console, file: Path, params: Sequence[str], objective: str, goal: str) -> None:
    """Write a commented problem file.

    FILE is problem.yaml unless given. An existing file is never overwritten.
    """
    given = [Given.parse(param) for param in params or ("x:0:1",)]
    file_name = json.dumps(file.name, ensure_ascii=False)[1:-1]
    text = _HEAD.format(file=file_name, objective=_quoted(objective), goal=goal)
    text += "".join(each.line() for each in given) + _TAIL
    text += f"# evaluations: {_quoted(file.stem + '.csv')}\n# state: {_quoted(file.stem + '.state.json')}\n"
    _write(file, text)
    console.say(f"wrote {file}; next: ordbo suggest {file}")
    for each in given:
        head, colon, word = each.name.rpartition(":")
        if colon and (guess := nearest(word, _TYPES)):
            console.say(f"note: {each.name!r} is the name of a parameter; was the type {guess} of {head!r} meant?")


def _level(text: str) -> str:
    return text if _NUMBER.fullmatch(text) else _quoted(text)


def _quoted(text: str) -> str:
    """Return text as YAML, in quotes unless no reader could take it for anything else (JSON strings are YAML)."""
    if _PLAIN.fullmatch(text) and text.lower() not in _NOT_TEXT:
        return text
    return json.dumps(text, ensure_ascii=False)


def _write(file: Path, text: str) -> None:
    """Write a problem file that loads, or nothing.

    Raises:
        UsageError: it would not load.
        MissingFileError: there is no such folder.
        FileError: the file is there already.
        OSError: it cannot be written.
    """
    if os.path.lexists(file):
        raise FileError(f"{file}: there is such a file already", "Give another name, or remove it first")
    if not file.parent.is_dir():
        raise MissingFileError(f"{file.parent}: there is no such folder", "Make it first: mkdir -p")
    from ordbo_cli.files.durable.atomic import create_file

    content = text.encode()
    _check(content, file)
    try:
        create_file(file, content)
    except FileExistsError:
        raise FileError(f"{file}: there is such a file already", "Give another name, or remove it first") from None


def _check(content: bytes, file: Path) -> None:
    from ordbo_cli.files.problem_file.problem_file import read_problem

    try:
        read_problem(content, file)
    except OrdboError as error:
        errors = error.errors if isinstance(error, ManyErrors) else (error,)
        place = re.compile(re.escape(escape(str(file))) + r":(\d+:)*\s*")
        messages = dict.fromkeys(place.sub("", str(each)) for each in errors)
        raise UsageError("; ".join(messages), "Nothing was written") from None
