"""The simulators among the test problems, a module each; half of them are there to choose settings by (``tune``)."""

from __future__ import annotations

from typing import Final

from ordbo_cli.benchmark.suites.engineering.aerofoil import LAMINAR_AEROFOIL
from ordbo_cli.benchmark.suites.engineering.amplifier import AMPLIFIER
from ordbo_cli.benchmark.suites.engineering.chemical_clock import CHEMICAL_CLOCK
from ordbo_cli.benchmark.suites.engineering.combustor import AMMONIA_COMBUSTOR
from ordbo_cli.benchmark.suites.engineering.engineering_problem import EngineeringProblem
from ordbo_cli.benchmark.suites.engineering.heat_pump import HEAT_PUMP
from ordbo_cli.benchmark.suites.engineering.laser_filter import LASER_FILTER
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
    LAMINAR_AEROFOIL,
    AMMONIA_COMBUSTOR,
    HEAT_PUMP,
    CHEMICAL_CLOCK,
    LASER_FILTER,
)
