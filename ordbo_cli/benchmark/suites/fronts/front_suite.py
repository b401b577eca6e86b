"""The test problems of several objectives; half of them are there to choose settings by (``tune``)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ordbo_cli.benchmark.suites.fronts.broken_fronts import BROKEN_FRONTS
from ordbo_cli.benchmark.suites.fronts.design_fronts import DESIGN_FRONTS
from ordbo_cli.benchmark.suites.fronts.front_copies import WAYS, front_copy
from ordbo_cli.benchmark.suites.fronts.front_problem import FrontProblem
from ordbo_cli.benchmark.suites.fronts.textbook_fronts import TEXTBOOK_FRONTS
from ordbo_cli.errors import UsageError

_ORIGINS: Final = {one.name: one for one in (*TEXTBOOK_FRONTS, *DESIGN_FRONTS, *BROKEN_FRONTS)}
_COPIES: Final = (
    ("zdt1_4d", "exp", True),
    ("dtlz2_5d", "clip", True),
    ("crash_5d_3o", "exp", False),
    ("four_bar_4d", "clip", False),
)
FRONTS: Final[dict[str, FrontProblem]] = {
    **_ORIGINS,
    **{f"{name}@{how}": front_copy(_ORIGINS[name], how, tune=tune) for name, how, tune in _COPIES},
}
"""The problems by name: ``FRONTS["zdt1_4d"].problem()`` is the question, ``.function(x)`` what a point gives."""


def seen_through(problem: FrontProblem, ways: Sequence[str]) -> FrontProblem:
    """Return a copy of a problem, seen through transforms of each objective by their names.

    Raises:
        UsageError: there is no such transform of several objectives, or there are two.
    """
    if problem.origin is not None or len(ways) != 1 or ways[0] not in WAYS:
        named = "@".join(ways)
        raise UsageError(
            f"{problem.name} cannot be seen through {named}",
            f"Problems of several objectives are seen through one of {', '.join(WAYS)}",
        )
    name = f"{problem.name}@{ways[0]}"
    return FRONTS[name] if name in FRONTS else front_copy(problem, ways[0], tune=problem.tune)
