"""ordbo: optimisation of expensive black boxes by the order of their results alone.

The public names are imported when they are first used, so that ``import ordbo_cli`` costs nothing.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ordbo_cli.errors import (
        DataError,
        ExhaustedError,
        FileError,
        LimitError,
        LockTimeoutError,
        ManyErrors,
        MissingFileError,
        OrdboError,
        ProblemError,
        ProblemErrors,
        StoppedError,
        UsageError,
    )
    from ordbo_cli.files.problem_file.in_python import Parameter, Problem
    from ordbo_cli.pictures.drawing import plot
    from ordbo_cli.pictures.style import Picture
    from ordbo_cli.problem import Comparison, Evaluation, Fidelity, Fixed, Limit, Suggestion
    from ordbo_cli.problem.method import BetaSchedule, GapPrior, Method
    from ordbo_cli.search.prediction import Prediction
    from ordbo_cli.study.optimizer import Optimizer
    from ordbo_cli.study.reporting.listing import Listed
    from ordbo_cli.study.reporting.views import Best, PendingPoint, Status
    from ordbo_cli.study.returned import Answers
    from ordbo_cli.study.study import Study
    from ordbo_cli.study.telling.recording import Told

__version__ = "0.2.0.dev0"

__all__ = [
    "Answers",
    "Best",
    "BetaSchedule",
    "Comparison",
    "DataError",
    "Evaluation",
    "ExhaustedError",
    "Fidelity",
    "FileError",
    "Fixed",
    "GapPrior",
    "Limit",
    "LimitError",
    "Listed",
    "LockTimeoutError",
    "ManyErrors",
    "Method",
    "MissingFileError",
    "Optimizer",
    "OrdboError",
    "Parameter",
    "PendingPoint",
    "Picture",
    "Prediction",
    "Problem",
    "ProblemError",
    "ProblemErrors",
    "Status",
    "StoppedError",
    "Study",
    "Suggestion",
    "Told",
    "UsageError",
    "plot",
]

_MODULES = {
    **dict.fromkeys([name for name in __all__ if name.endswith(("Error", "Errors"))], "ordbo_cli.errors"),
    **dict.fromkeys(["Comparison", "Evaluation", "Fidelity", "Fixed", "Limit", "Suggestion"], "ordbo_cli.problem"),
    **dict.fromkeys(["BetaSchedule", "GapPrior", "Method"], "ordbo_cli.problem.method"),
    **dict.fromkeys(["Parameter", "Problem"], "ordbo_cli.files.problem_file.in_python"),
    **dict.fromkeys(["Best", "PendingPoint", "Status"], "ordbo_cli.study.reporting.views"),
    "Answers": "ordbo_cli.study.returned",
    "Listed": "ordbo_cli.study.reporting.listing",
    "Optimizer": "ordbo_cli.study.optimizer",
    "Picture": "ordbo_cli.pictures.style",
    "Prediction": "ordbo_cli.search.prediction",
    "Study": "ordbo_cli.study.study",
    "Told": "ordbo_cli.study.telling.recording",
    "plot": "ordbo_cli.pictures.drawing",
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
