"""The user's files - problem, evaluations, state - and the study that puts them around a search.

Names are loaded when they are first used; nothing here imports numerics outside the call that needs them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ordbo_cli.study.problem_file import ProblemFile, load_problem
    from ordbo_cli.study.recording import Told
    from ordbo_cli.study.schema import json_schema
    from ordbo_cli.study.stopping import StopRule
    from ordbo_cli.study.study import Study
    from ordbo_cli.study.views import Best, Chosen, PendingPoint, Status, Upcoming

_HOMES = {
    "ProblemFile": "problem_file",
    "load_problem": "problem_file",
    "json_schema": "schema",
    "StopRule": "stopping",
    "Study": "study",
    "Best": "views",
    "Chosen": "views",
    "PendingPoint": "views",
    "Status": "views",
    "Upcoming": "views",
    "Told": "recording",
}

__all__ = [
    "Best",
    "Chosen",
    "PendingPoint",
    "ProblemFile",
    "Status",
    "StopRule",
    "Study",
    "Told",
    "Upcoming",
    "json_schema",
    "load_problem",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
