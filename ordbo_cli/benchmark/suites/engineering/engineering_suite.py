"""The simulators among the test problems, a module each; half of them are there to choose settings by (``tune``)."""

from __future__ import annotations

from typing import Final

from ordbo_cli.benchmark.suites.engineering.engineering_problem import EngineeringProblem

ENGINEERING_PROBLEMS: Final[tuple[EngineeringProblem, ...]] = ()
