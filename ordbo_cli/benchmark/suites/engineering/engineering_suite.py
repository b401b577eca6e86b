"""The simulators among the test problems, a module each; half of them are there to choose settings by (``tune``)."""

from __future__ import annotations

from typing import Final

from ordbo_cli.benchmark.suites.engineering.amplifier import AMPLIFIER
from ordbo_cli.benchmark.suites.engineering.engineering_problem import EngineeringProblem
from ordbo_cli.benchmark.suites.engineering.levitation import LEVITATION
from ordbo_cli.benchmark.suites.engineering.pumping import PUMPING
from ordbo_cli.benchmark.suites.engineering.roof_truss import ROOF_TRUSS
from ordbo_cli.benchmark.suites.engineering.two_loop_network import TWO_LOOP_NETWORK

ENGINEERING_PROBLEMS: Final[tuple[EngineeringProblem, ...]] = (
    TWO_LOOP_NETWORK,
    PUMPING,
    ROOF_TRUSS,
    AMPLIFIER,
    LEVITATION,
)
