"""The pipes of a water network of two loops, simulated by EPANET."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Sequence
from typing import Final

from ordbo_cli.benchmark.suites.benchmark_problem import Point
from ordbo_cli.benchmark.suites.engineering.engineering_problem import EngineeringProblem
from ordbo_cli.problem import Parameter

INCH: Final = 25.4  # mm
PRICES: Final = {
    1: 2,
    2: 5,
    3: 8,
    4: 11,
    6: 16,
    8: 23,
    10: 32,
    12: 50,
    14: 60,
    16: 90,
    18: 130,
    20: 170,
    22: 300,
    24: 550,
}
"""Of a metre of pipe of each diameter in inches."""
_SOURCE_HEAD: Final = 210.0  # m
_JUNCTIONS: Final = {
    2: (150, 100),
    3: (160, 100),
    4: (155, 120),
    5: (150, 270),
    6: (165, 330),
    7: (160, 200),
}  # m, m3/h
_PIPES: Final = ((1, 2), (2, 3), (2, 4), (4, 5), (4, 6), (6, 7), (3, 5), (5, 7))
_LENGTH: Final = 1000.0  # m
_ROUGHNESS: Final = 130.0  # of Hazen and Williams
_LEAST_PRESSURE: Final = 30.0  # m


def pressures(inches: Sequence[int]) -> list[float]:
    """Return the pressures of the six junctions in metres of water, for the diameters of the eight pipes."""
    from epanet import toolkit as epanet

    network = epanet.createproject()
    try:
        epanet.init(network, os.devnull, "", epanet.CMH, epanet.HW)
        source = epanet.addnode(network, "1", epanet.RESERVOIR)
        epanet.setnodevalue(network, source, epanet.ELEVATION, _SOURCE_HEAD)
        for name, (elevation, demand) in _JUNCTIONS.items():
            epanet.setjuncdata(network, epanet.addnode(network, str(name), epanet.JUNCTION), elevation, demand, "")
        for k, ((start, end), diameter) in enumerate(zip(_PIPES, inches, strict=True), 1):
            pipe = epanet.addlink(network, str(k), epanet.PIPE, str(start), str(end))
            epanet.setpipedata(network, pipe, _LENGTH, diameter * INCH, _ROUGHNESS, 0.0)
        epanet.openH(network)
        epanet.initH(network, epanet.NOSAVE)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of pressures below zero
            epanet.runH(network)
        found = [epanet.getnodevalue(network, 1 + k, epanet.PRESSURE) for k in range(len(_JUNCTIONS))]
        epanet.closeH(network)
    finally:
        epanet.deleteproject(network)
    return found


def two_loop_8o(p: Point) -> float:
    """Return what eight pipes of 1000 m cost, in thousand units; with less than 30 m at a junction they fail.

    Source: E. Alperovits and U. Shamir, "Design of optimal water distribution systems", Water Resources Research 13
    (1977), with the prices of its Table 3; EPANET is called by owa-epanet.
    """
    inches = [p[f"pipe{k}"] for k in range(1, len(_PIPES) + 1)]
    if min(pressures(inches)) < _LEAST_PRESSURE:
        return math.nan
    return float(sum(PRICES[diameter] for diameter in inches))


TWO_LOOP_NETWORK: Final = EngineeringProblem(
    "two_loop_8o",
    two_loop_8o,
    tuple(Parameter.of_levels(f"pipe{k}", tuple(PRICES), unit="in") for k in range(1, len(_PIPES) + 1)),
    optimum=419.0,
    minimiser={f"pipe{k}": inches for k, inches in enumerate((18, 10, 16, 4, 16, 10, 10, 1), 1)},
    precision=0.5,
    worst=4400.0,  # all pipes of 24 inches
    summary="cheapest commercial diameters that keep 30 m of pressure everywhere",
    unit="1000 units",
    best_known_by="D. Savic and G. Walters (1997) found it by a genetic algorithm; nobody has found less since.",
    needs=("epanet",),
)
