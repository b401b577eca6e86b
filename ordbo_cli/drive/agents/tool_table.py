"""The tools that agents have: names, words and JSON Schemas, by which their arguments are checked, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from ordbo_cli.drive.request import MOST_POINTS
from ordbo_cli.errors import UsageError
from ordbo_cli.problem.spelling import meant, quoted, shown

Schema = Mapping[str, Any]

PICTURES: Final = ("convergence", "front", "fit", "warp", "cells", "acquisition", "parallel", "importance", "effects")
INSTRUCTIONS: Final = """\
ordbo looks for the best settings of something expensive (a simulation, an experiment) by the order of its results \
alone. Nothing here runs it: you do, or people do.

One round: suggest gives a point with its id; evaluate it; observe(id=..., objective=...) records the result, \
observe(id=..., failed=true) a failure. Never make a result up. Then suggest again.

You may repeat any call. suggest gives what is still out before it makes a new point, and observe records one result \
an id: the same again adds nothing, another one is refused unless amend=true says that it replaces the first. Where \
you have forgotten what you were doing, call status, then suggest.

Smaller or larger is better as the problem says; results are compared, never averaged, so any scale will do. A result \
with more digits than a double has, or beyond its range, can be given as text: "1e400".\
"""
_PROBLEM: Final = {
    "type": "string",
    "description": "The problem file by its name relative to the folder, such as drag.yaml. It may be left out where"
    " the folder has one.",
}
_OBJECTIVE: Final = {
    "type": "string",
    "description": "Name of one of several objectives, to be looked at as if it were the only one.",
}
_ID: Final = {
    "type": "integer",
    "minimum": 1,
    "maximum": 10**18 - 1,
    "description": "Of a suggestion, as suggest has told it.",
}
_POINT: Final = {
    "type": "object",
    "additionalProperties": {"type": ["number", "string", "boolean", "null"]},
    "description": "Every free parameter by its name.",
}
_VALUE: Final = ["number", "string", "null"]


@dataclass(frozen=True)
class ToolSpec:
    """A tool.

    Args:
        name: by which it is called.
        title: in a few words.
        description: what it does, for who has to choose.
        properties: the arguments by name, each a JSON Schema.
        required: those of them that may not be left out.
        writes: whether it may record something.
    """

    name: str
    title: str
    description: str
    properties: Mapping[str, Schema] = field(default_factory=dict)
    required: tuple[str, ...] = ()
    writes: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON Schema of its arguments."""
        return {
            "type": "object",
            "properties": {"problem": _PROBLEM, **self.properties},
            **({"required": list(self.required)} if self.required else {}),
            "additionalProperties": False,
        }

    def checked(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return arguments that are as its schema says; those that are null are left out, but results.

        Raises:
            UsageError: one is unknown, lacks, or is none of what it may be.
        """
        known: Mapping[str, Schema] = self.schema["properties"]
        for name in arguments:
            if name not in known:
                raise UsageError(f"{self.name} has no argument {quoted(name)}", meant(name, known))
        given = {name: value for name, value in arguments.items() if value is not None or "null" in _types(known[name])}
        for name in self.required:
            if name not in given:
                raise UsageError(f"{self.name} lacks {quoted(name)}", _described(known[name]))
        for name, value in given.items():
            _check(name, value, known[name])
        return given


def _check(name: str, value: object, schema: Schema, hint: str = "") -> None:
    """Make sure that a value is what a schema says.

    Raises:
        UsageError: it is not.
    """
    types, hint = _types(schema), _described(schema) or hint
    if not any(_is(value, each) for each in types):
        raise UsageError(f"{name} is {shown(repr(value))}, no {' and no '.join(types)}", hint)
    if "enum" in schema and value not in schema["enum"]:
        raise UsageError(f"{name} is {shown(str(value))}", meant(str(value), schema["enum"]))
    if isinstance(value, int | float) and not isinstance(value, bool):
        least, most = schema.get("minimum", value), schema.get("maximum", value)
        if not least <= value <= most:
            rest = f"to {most}" if "maximum" in schema else "on"
            raise UsageError(f"{name} is {shown(str(value))}", f"Give a whole number from {least} {rest}")
    if isinstance(value, list):
        if len(value) > schema.get("maxItems", len(value)):
            raise UsageError(f"{name} has {len(value)} entries", f"Give up to {schema['maxItems']} in one call")
        for each in value:
            _check(name, each, schema.get("items", {}), hint)
    if isinstance(value, dict):
        for key, each in value.items():
            _check(f"{name}, {shown(str(key))},", each, schema.get("additionalProperties", {}), hint)


def _types(schema: Schema) -> Sequence[str]:
    found = schema.get("type", ())
    return [found] if isinstance(found, str) else list(found) or list(_KINDS)


_KINDS: Final[Mapping[str, tuple[type, ...]]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "array": (list,),
    "object": (dict,),
    "null": (type(None),),
}


def _is(value: object, kind: str) -> bool:
    if isinstance(value, bool):
        return kind == "boolean"
    return isinstance(value, _KINDS[kind])


def _described(schema: Schema) -> str:
    return str(schema.get("description", "")).rstrip(".")


_TOOLS: Final = (
    ToolSpec(
        "suggest",
        "The next point to evaluate",
        "Hand out points to evaluate, each with its id. What is out without a result comes first, so a call that was"
        " lost can be repeated; a new point is made where fewer are out than you ask for, or by more=true. Points in"
        " the hands of a running 'ordbo run' are not yours and are left out. Evaluate a point yourself, then observe.",
        {
            "number": {
                "type": "integer",
                "minimum": 1,
                "maximum": MOST_POINTS,
                "default": 1,
                "description": "How many points you want to have out: more than one to evaluate side by side.",
            },
            "more": {
                "type": "boolean",
                "default": False,
                "description": "Make so many new points whatever is out: for another worker, or more at a time.",
            },
            "duel": {
                "type": "boolean",
                "default": False,
                "description": "Two points to compare, for prefer, where nobody can give results numbers.",
            },
        },
        writes=True,
    ),
    ToolSpec(
        "observe",
        "Record a result",
        "Record what became of a point: its result, that it failed, that it is given up or to be evaluated again. Name"
        " the point by its id. The same again adds nothing and says so; another result of an id that has one is refused"
        " unless amend=true.",
        {
            "id": _ID,
            "objective": {
                "type": _VALUE,
                "description": "The result: a number, one of the objective's words, or a text such as '1e400', or"
                " '>1e6' where only a limit is known. null is a failure.",
            },
            "objectives": {
                "type": "object",
                "additionalProperties": {"type": _VALUE},
                "description": "Of several objectives the results by name, in place of objective.",
            },
            "outcomes": {
                "type": "object",
                "additionalProperties": {"type": _VALUE},
                "description": "Results that the problem limits, by name; null where there is none.",
            },
            "failed": {"type": "boolean", "description": "The evaluation gave no result; the search avoids the place."},
            "abandon": {"type": "boolean", "description": "The point is given up: not ranked, never suggested again."},
            "retry": {"type": "boolean", "description": "The point is to be evaluated again: suggest hands it out."},
            "amend": {"type": "boolean", "description": "This replaces the answer that the id has."},
            "parameters": {
                **_POINT,
                "description": "Every free parameter by its name, in place of an id: of a point that was never"
                " suggested.",
            },
            "again": {
                "type": "boolean",
                "description": "With parameters: this is a further result at a point that has one, as of noise.",
            },
            "note": {"type": "string", "description": "Why it failed, or what else there is to say, in a line."},
            "seconds": {"type": "number", "minimum": 0, "description": "That the evaluation took."},
        },
        writes=True,
    ),
    ToolSpec(
        "prefer",
        "Record a comparison",
        "Record which of two points is better, that they are as good, or the order of several, where nobody can give"
        " them numbers. Give better and worse, or ranking. The same again adds nothing and says so.",
        {
            "better": {**_ID, "description": "Id of the better point."},
            "worse": {**_ID, "description": "Id of the worse point."},
            "tie": {"type": "boolean", "description": "The two are as good."},
            "ranking": {
                "type": "array",
                "maxItems": MOST_POINTS,
                "items": {"type": ["integer", "array"], "items": {"type": "integer"}},
                "description": "Ids, the best first; those that are as good in a list of their own: [4, [7, 2], 9].",
            },
            "judge": {"type": "string", "description": "Who says so: how often each judge errs is learnt."},
        },
        writes=True,
    ),
    ToolSpec(
        "status",
        "Where a study stands",
        "Tell the objective and its goal, counts, the best so far, the ranking, the history, what is out without a"
        " result, what failed and why, and where the search goes next. Where the folder has several problems and none"
        " is named, their names.",
        {
            "rows": {
                "type": "integer",
                "minimum": 0,
                "maximum": MOST_POINTS,
                "default": 5,
                "description": "How many of the best evaluations the ranking has.",
            }
        },
    ),
    ToolSpec(
        "best",
        "The best point",
        "Tell the best point so far with its result; of several objectives the front, and the point of it that gives up"
        " least.",
        {
            "by": {
                "type": "string",
                "enum": ["value", "mean"],
                "description": "value: the best single result. mean: the tried point where the model expects the best,"
                " all results taken together. Left out: what suits the problem.",
            }
        },
    ),
    ToolSpec(
        "explain",
        "Why a point was chosen",
        "Tell in sentences why the search chose a point: where it lies, how its cell compares with the runner-up, which"
        " results weigh on it, what is expected of it. Without an id: of all points that are out, or else of the one"
        " that would come next, which is not handed out by this.",
        {"id": _ID},
    ),
    ToolSpec(
        "predict",
        "What the model expects of points",
        "Tell for each point the expected rank among the results so far (1 is the best), the ranks that hold 90% of"
        " what it may get, its chance to beat the best and, where anything has failed, to fail.",
        {
            "points": {"type": "array", "maxItems": MOST_POINTS, "items": _POINT, "description": "Any points."},
            "ids": {"type": "array", "maxItems": MOST_POINTS, "items": _ID, "description": "Of suggestions or rows."},
            "objective": _OBJECTIVE,
        },
    ),
    ToolSpec(
        "diagnose",
        "How far the model can be trusted",
        "Leave points out of the fit and predict them: does their order come out, is the model as sure as it may be? A"
        " sentence explains each figure. It takes seconds to minutes.",
        {
            "objective": _OBJECTIVE,
            "theory": {
                "type": "boolean",
                "description": "Also what the paper's theory says of the study, which takes longer.",
            },
        },
    ),
    ToolSpec(
        "check",
        "Validate all files",
        "Read every file of the study and tell what they hold; every mistake with its file, line and column.",
        {
            "invariance": {
                "type": "boolean",
                "description": "Also show that increasing transforms of the results keep the next point, which takes as"
                " long as a dozen suggestions.",
            }
        },
    ),
    ToolSpec(
        "plot",
        "A picture of the study",
        "Draw what the method sees, as an image, with words on what it shows.",
        {
            "kind": {
                "type": "string",
                "enum": list(PICTURES),
                "description": "convergence: every result and the best so far; front: trades of several objectives;"
                " fit: the model; warp: how axes are stretched; cells: the partition; acquisition: what chooses the"
                " next point; parallel: many parameters side by side; importance: which parameters matter; effects:"
                " what each value does.",
            },
            "format": {"type": "string", "enum": ["png", "svg"], "default": "png", "description": "Of the image."},
            "parameters": {
                "type": "array",
                "maxItems": MOST_POINTS,
                "items": {"type": "string"},
                "description": "Names of those that are drawn; those that suit the picture where this is left out.",
            },
            "step": {"type": "integer", "minimum": 0, "description": "As it was after so many evaluations."},
            "theme": {"type": "string", "enum": ["light", "dark"], "default": "light", "description": "Of colours."},
            "objective": _OBJECTIVE,
        },
        required=("kind",),
    ),
)
TOOLS: Final[Mapping[str, ToolSpec]] = {each.name: each for each in _TOOLS}


def tool_of(name: str) -> ToolSpec:
    """Return a tool.

    Raises:
        UsageError: there is none of this name.
    """
    if name not in TOOLS:
        raise UsageError(f"there is no tool {quoted(name)}", meant(name, TOOLS))
    return TOOLS[name]
