#!/usr/bin/env python3
"""What a heated pipeline for heavy oil costs in a year: the simulator of this example, a program of its own.

    pipeline.py --diameter=0.4 --temperature=60 --stations=4 --flow=0.1

prints one number, thousand euros a year, on stdout and the reasons for it on stderr. A design that cannot be built
prints no number, and the exit status is 1. Nothing but Python's standard library is used; ordbo is not imported.
"""

from __future__ import annotations

import argparse
import math
import sys
from dataclasses import dataclass

LENGTH = 200_000.0  # of the line, m
ROUGHNESS = 4.5e-5  # of commercial steel, m
TRANSITION = 2300.0  # Reynolds number up to which the flow stays laminar
PRESSURE_LIMIT = 100e5  # of a pumping station, Pa
STRESS_LIMIT = 120e6  # of the steel, Pa
THINNEST_WALL = 0.004  # m
CORROSION = 0.001  # m of wall that may rust away
STEEL_DENSITY = 7850.0  # kg/m3
PUMP_EFFICIENCY = 0.65
HOURS = 8000.0  # in operation, a year
ELECTRICITY = 0.14  # euros a kWh
WASTE_HEAT = 0.012  # euros a kWh, from the refinery next door
ARRIVAL = 20.0  # temperature at which the oil arrives, deg C
ANNUITY = 0.09  # share of the building costs that a year pays


class CannotBeBuiltError(Exception):
    """The design asks for more pressure than any pumping station has."""


@dataclass(frozen=True)
class Design:
    """One pipeline: inner diameter in m, oil temperature in deg C, pumping stations, flow in m3/s."""

    diameter: float
    temperature: float
    stations: int
    flow: float


def viscosity(temperature: float) -> float:
    """Return the oil's kinematic viscosity in m2/s (Walther's law through 3000 cSt at 20 and 100 cSt at 80 deg C)."""
    cold, hot = 293.15, 353.15

    def doubly(centistokes: float) -> float:
        return math.log10(math.log10(centistokes + 0.7))

    slope = (doubly(3000.0) - doubly(100.0)) / (math.log10(hot) - math.log10(cold))
    exponent = doubly(3000.0) - slope * (math.log10(temperature + 273.15) - math.log10(cold))
    return float((10 ** (10**exponent) - 0.7) * 1e-6)


def density(temperature: float) -> float:
    """Return the oil's density in kg/m3."""
    return 960.0 - 0.65 * (temperature - 15.0)


def friction_factor(reynolds: float, relative_roughness: float) -> float:
    """Return Darcy's friction factor: 64/Re in laminar flow, Haaland's formula above. The two do not meet."""
    if reynolds <= TRANSITION:
        return 64.0 / reynolds
    return (-1.8 * math.log10((relative_roughness / 3.7) ** 1.11 + 6.9 / reynolds)) ** -2


def pressure_drop(design: Design) -> tuple[float, float]:
    """Return the pressure that the whole line takes in Pa, and the flow's Reynolds number."""
    velocity = design.flow / (math.pi / 4 * design.diameter**2)
    reynolds = velocity * design.diameter / viscosity(design.temperature)
    friction = friction_factor(reynolds, ROUGHNESS / design.diameter)
    return friction * LENGTH / design.diameter * density(design.temperature) * velocity**2 / 2, reynolds


def yearly_cost(design: Design) -> tuple[float, str]:
    """Return the cost in thousand euros a year, and in words where it comes from.

    Raises:
        CannotBeBuiltError: the pressure is above what a pumping station can give.
    """
    drop, reynolds = pressure_drop(design)
    pressure = drop / design.stations
    words = f"Re {reynolds:.0f} ({'laminar' if reynolds <= TRANSITION else 'turbulent'}), {pressure / 1e5:.1f} bar"
    if pressure > PRESSURE_LIMIT:
        raise CannotBeBuiltError(f"{words}: a station gives at most {PRESSURE_LIMIT / 1e5:.0f} bar")

    wall = max(THINNEST_WALL, pressure * design.diameter / (2 * STRESS_LIMIT) + CORROSION)
    steel = math.pi * (design.diameter + wall) * wall * STEEL_DENSITY * LENGTH  # kg
    laying = 60.0 + 450.0 * design.diameter**1.2  # euros a metre
    pump_power = drop * design.flow / PUMP_EFFICIENCY / 1e3  # kW
    heat_power = density(design.temperature) * design.flow * 1.9 * (design.temperature - ARRIVAL)  # kW
    built = 2.2 * steel + laying * LENGTH + 1.5e6 * design.stations + 900.0 * pump_power
    parts = {
        "building": ANNUITY * built,
        "pumping": HOURS * ELECTRICITY * pump_power,
        "heating": HOURS * WASTE_HEAT * heat_power,
    }
    words += ": " + ", ".join(f"{name} {euros / 1e3:.0f}" for name, euros in parts.items())
    return sum(parts.values()) / 1e3, words


def main() -> int:
    """Read the design from the arguments, print its cost, return the exit status."""
    parser = argparse.ArgumentParser(description="Yearly cost of a heated oil pipeline, in thousand euros.")
    parser.add_argument("--diameter", type=float, required=True, help="inner diameter, m")
    parser.add_argument("--temperature", type=float, required=True, help="oil temperature, deg C")
    parser.add_argument("--stations", type=int, required=True, help="number of pumping stations")
    parser.add_argument("--flow", type=float, required=True, help="flow to be moved, m3/s")
    arguments = parser.parse_args()
    try:
        cost, words = yearly_cost(Design(**vars(arguments)))
    except CannotBeBuiltError as error:
        print(f"pipeline.py: {error}", file=sys.stderr)
        return 1
    print(f"pipeline.py: {words}", file=sys.stderr)
    print(f"{cost:.6g}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
