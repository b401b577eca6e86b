"""ordbo: optimisation of expensive black boxes by the order of their results alone.

The public names are imported when they are first used, so that ``import ordbo_cli`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ordbo_cli.errors import OrdboError
    from ordbo_cli.files.problem_file.in_python import Parameter, Problem
    from ordbo_cli.problem import Evaluation, Fixed, Limit, Suggestion
    from ordbo_cli.problem.method import Method
    from ordbo_cli.study.optimizer import Optimizer
    from ordbo_cli.study.study import Study

__version__ = "0.2.0.dev0"

__all__ = [
    "Evaluation",
    "Fixed",
    "Limit",
    "Method",
    "Optimizer",
    "OrdboError",
    "Parameter",
    "Problem",
    "Study",
    "Suggestion",
]

_MODULES = {
    "Evaluation": "ordbo_cli.problem",
    "Fixed": "ordbo_cli.problem",
    "Limit": "ordbo_cli.problem",
    "Method": "ordbo_cli.problem.method",
    "Optimizer": "ordbo_cli.study.optimizer",
    "OrdboError": "ordbo_cli.errors",
    "Parameter": "ordbo_cli.files.problem_file.in_python",
    "Problem": "ordbo_cli.files.problem_file.in_python",
    "Study": "ordbo_cli.study.study",
    "Suggestion": "ordbo_cli.problem",
}


def __getattr__(name: str) -> object:
    """Import a public name on its first use.

    Raises:
        AttributeError: there is no such name.
    """
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(_MODULES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
