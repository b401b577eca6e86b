"""What stands in a new problem file."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Final

from ordbo_cli.errors import UsageError
from ordbo_cli.files.problem_file.problem_text import flow
from ordbo_cli.files.values.numbers import PLAIN

if TYPE_CHECKING:
    from ordbo_cli.exchange.draft import Draft, PastColumn
    from ordbo_cli.exchange.seen_values import Setting

_LEVELS: Final = re.compile(r"(?P<name>.*?):(?P<type>ordinal|categorical):(?P<levels>.*)")
_GOALS: Final = {"minimize": "minimize", "maximize": "maximize", "min": "minimize", "max": "maximize"}
_PLAIN_TYPES: Final = ("bool", "ranked")
TYPES: Final = ("float", "int", "ordinal", "categorical", *_PLAIN_TYPES)
_HINT: Final = (
    "For instance x:0:1, n:int:1:9, re:1e5:1e7:log, mesh:ordinal:coarse,medium,fine, "
    "wall:categorical:sa,sst or stir:ranked"
)

_HEAD: Final = """\
# yaml-language-server: $schema=./ordbo.schema.json
# An ordbo problem. 'ordbo schema > ordbo.schema.json' lets an editor check it, 'ordbo check {file}' does so too.
version: 1

{results}
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
_RESULT: Final = """\
# The result of your simulator. Only its order counts: no scaling, no logarithm is needed.
objective: {name: %s}
"""
_RESULTS: Final = """\
# The results of your simulator that are traded off. Only the order of each counts: no weights, no scaling is needed.
objectives:
"""
_SEEN: Final = """\
  # Bounds and values are those in {table}: widen them where more is possible. Delete what was
  # measured and not chosen, before the first suggest: a parameter that goes later makes it another problem.
  # step and digits are as fine as the numbers there, and what held whole numbers alone is an int.
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
"""
_COLUMNS: Final = "\n# What the table calls them.\ncolumns:\n"
_FILES: Final = """
# Your results, and what ordbo keeps for itself. {said}:
{evaluations}
# state: {state}
"""


@dataclass(frozen=True)
class Sought:
    """An objective: its name, and what is good."""

    name: str
    goal: str

    @classmethod
    def parse(cls, argument: str, goal: str) -> Sought:
        """Read ``NAME`` or ``NAME:GOAL``, whose name may hold colons; without a goal it has the one that is given."""
        name, _, word = argument.rpartition(":")
        return cls(name, _GOALS[word]) if name and word in _GOALS else cls(argument, goal)


@dataclass(frozen=True)
class Given:
    """A parameter: its name, and its settings as they stand in the file."""

    name: str
    settings: str

    @classmethod
    def seen(cls, column: PastColumn, settings: Mapping[str, Setting]) -> Given:
        """Return the parameter that a column of a table holds."""
        said = {**settings, **({"unit": column.unit} if column.unit else {})}
        return cls(column.name, ", ".join(f"{key}: {flow(value)}" for key, value in said.items()))

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
            sound = bool(PLAIN.fullmatch(low) and PLAIN.fullmatch(high))
            digits = _digits(low, high) if sound and kind == "float" else ""
            name, settings = ":".join(parts[:-2]), f"type: {kind}, min: {low}, max: {high}{scale}{digits}"
        if not name.strip() or not sound:
            raise UsageError(f"--param {argument} is not NAME:MIN:MAX", _HINT)
        return cls(name.strip(), settings)

    def line(self) -> str:
        """Return its line of the problem file."""
        return f"  {flow(self.name)}: {{{self.settings}}}\n"


def new_text(
    file: Path, sought: Sequence[Sought], given: Iterable[Given], table: str = "", draft: Draft | None = None
) -> str:
    """Return a commented problem file.

    Args:
        file: that it will be.
        sought: the objectives.
        given: the parameters.
        table: that it is written for, if any, as the problem file names it.
        draft: what that says.
    """
    units = [column.unit for column in draft.objectives] if draft else [""] * len(sought)
    text = _HEAD.format(file=_inside(file.name), results=_results(sought, units))
    text += _SEEN.format(table=_inside(table)) if table else ""
    text += "".join(each.line() for each in given) + _TAIL
    if draft and draft.columns:
        text += _COLUMNS + "".join(f"  {flow(name)}: {flow(column)}\n" for name, column in draft.columns.items())
    evaluations = f"evaluations: {flow(table)}" if table else f"# evaluations: {flow(f'{file.stem}.csv')}"
    said = "Of the state this is the default" if table else "These are the defaults"
    return text + _FILES.format(said=said, evaluations=evaluations, state=flow(f"{file.stem}.state.json"))


def _results(sought: Sequence[Sought], units: Sequence[str]) -> str:
    """Return the key of the objectives."""
    names = [flow(each.name) for each in sought]
    settings = [
        f"goal: {each.goal}" + (f", unit: {flow(unit)}" if unit else "")
        for each, unit in zip(sought, units, strict=True)
    ]
    if len(sought) == 1:
        return _RESULT % f"{names[0]}, {settings[0]}"
    return _RESULTS + "".join(f"  {name}: {{{said}}}\n" for name, said in zip(names, settings, strict=True))


def _inside(text: str) -> str:
    """Return text that no line of a comment ends in."""
    return json.dumps(text, ensure_ascii=False)[1:-1]


def _digits(low: str, high: str) -> str:
    from ordbo_cli.exchange.seen_values import digits_between

    bounds = float(low), float(high)
    found = digits_between(*map(Decimal, map(repr, bounds))) if all(map(math.isfinite, bounds)) else {}
    return "".join(f", {key}: {value}" for key, value in found.items())


def _level(text: str) -> str:
    return text if PLAIN.fullmatch(text) else flow(text)
