"""The test problems of several objectives; half of them are there to choose settings by (``tune``)."""

from __future__ import annotations

from typing import Final

from ordbo_cli.benchmark.suites.fronts.broken_fronts import BROKEN_FRONTS
from ordbo_cli.benchmark.suites.fronts.design_fronts import DESIGN_FRONTS
from ordbo_cli.benchmark.suites.fronts.front_copies import front_copy
from ordbo_cli.benchmark.suites.fronts.front_problem import FrontProblem
from ordbo_cli.benchmark.suites.fronts.textbook_fronts import TEXTBOOK_FRONTS

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
