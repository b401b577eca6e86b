"""One problem and what is known of it: the study, with files behind it, and the optimizer, without.

Names are loaded when they are first used; nothing here imports numerics outside the call that needs them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ordbo_cli.files.problem_file.problem_file import ProblemFile, load_problem
    from ordbo_cli.files.problem_file.schema import json_schema
    from ordbo_cli.study.asking.stopping import StopRule
    from ordbo_cli.study.optimizer import Optimizer
    from ordbo_cli.study.reporting.views import Best, Chosen, PendingPoint, Status, Upcoming
    from ordbo_cli.study.study import Study
    from ordbo_cli.study.telling.recording import Told

_HOMES = {
    "ProblemFile": "ordbo_cli.files.problem_file.problem_file",
    "load_problem": "ordbo_cli.files.problem_file.problem_file",
    "json_schema": "ordbo_cli.files.problem_file.schema",
    "StopRule": "ordbo_cli.study.asking.stopping",
    "Study": "ordbo_cli.study.study",
    "Optimizer": "ordbo_cli.study.optimizer",
    "Best": "ordbo_cli.study.reporting.views",
    "Chosen": "ordbo_cli.study.reporting.views",
    "PendingPoint": "ordbo_cli.study.reporting.views",
    "Status": "ordbo_cli.study.reporting.views",
    "Upcoming": "ordbo_cli.study.reporting.views",
    "Told": "ordbo_cli.study.telling.recording",
}

__all__ = [
    "Best",
    "Chosen",
    "Optimizer",
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
    return getattr(import_module(_HOMES[name]), name)
