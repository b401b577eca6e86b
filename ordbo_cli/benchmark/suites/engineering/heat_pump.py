"""An industrial heat pump with CoolProp: which refrigerant, which pressures, how large its heat exchangers.

========  ========================================================================  ==========
symbol    meaning                                                                   shape
========  ========================================================================  ==========
h         specific enthalpies of the refrigerant along an exchanger, J/kg           ``[K]``
t         temperatures of the refrigerant there, K                                  ``[K]``
========  ========================================================================  ==========
"""

from __future__ import annotations

import math
from functools import cache
from typing import Any, Final, NamedTuple

import numpy as np

from ordbo_cli.benchmark.suites.benchmark_problem import Point
from ordbo_cli.benchmark.suites.engineering.engineering_problem import EngineeringProblem
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Parameter

_HEAT: Final = 1e6  # W
_SINK: Final = (323.15, 348.15)  # K, water that is to be heated
_SOURCE: Final = 313.15  # K of the water that gives its heat
_SOURCE_FLOW: Final = 80e3  # W/K, its heat capacity
_HOURS: Final = 6000.0  # a year
_POWER_PRICE: Final = 0.12e-3  # EUR/Wh
_ANNUITY: Final = 0.1  # of what is bought, a year
_AREA_PRICE: Final = 450.0  # EUR/m2 of the lowest pressure class
_CLASSES: Final = ((16, 1.0), (25, 1.25), (40, 1.6), (63, 2.3), (100, 3.4), (160, 5.0))  # bar, factor of that price
_FRAMES: Final = (200, 400, 700, 1200, 2000, 3500, 6000)  # m3/h swept by compressors that are made
_FRAME_PRICE: Final = 3000.0  # EUR for each (m3/h)^0.6
_HOTTEST: Final = 443.15  # K at which the oil cokes
_SEGMENTS: Final = 12
_DRY: Final = 3.0  # K of superheat below which drops reach the compressor
_MOTOR, _FILLING = 0.94, 0.85  # efficiencies

_GAS, _BOILING, _CONDENSING, _DENSE = 150.0, 1200.0, 1500.0, 600.0  # W/(m2 K)

# What each costs more a year for its safety, in EUR: flammable, poisonous, under a tax.
REFRIGERANTS: Final = {
    "ammonia": ("Ammonia", 18e3),
    "butane": ("n-Butane", 14e3),
    "carbon_dioxide": ("CarbonDioxide", 0.0),
    "isobutane": ("IsoButane", 14e3),
    "propane": ("n-Propane", 14e3),
    "r1233zd": ("R1233zd(E)", 6e3),
    "r1234ze": ("R1234ze(E)", 6e3),
    "r134a": ("R134a", 25e3),
}


def heat_pump_1c5f(p: Point) -> float:
    """Return what a heat pump of 1 MW costs a year in thousand EUR, NaN where it does not work.

    Power for 6000 h, two heat exchangers by the area that their pinch asks for, and a compressor. Water is heated from
    50 to 75 degrees Celsius; the source comes with 40. The exchangers are cut into segments of equal heat, each with
    the coefficient of its phase. The design fails where a pinch is crossed, the liquid does not condense, the
    compressor gets drops or coked oil, or nothing is made for its pressure or volume. The price jumps with the pressure
    class, with the frame of the compressor, and where the gas is dense instead of condensing.

    Parameters: refrigerant, where it boils in degrees Celsius, ratio of the pressures, superheat in K, approach at the
    cold end of the condenser in K, effectiveness of the exchanger that heats the suction gas with the liquid.

    Source: this project, with properties by CoolProp (I. Bell et al., Ind. Eng. Chem. Res. 53 (2014)); typical
    coefficients after VDI-Waermeatlas (2013), C3.
    """
    name, safety = REFRIGERANTS[p["refrigerant"]]
    try:
        return (_cost(*_cycle(_fluid(name), p)) + safety) / 1000
    except (_Impossible, ValueError):  # CoolProp's, who finds no state
        return math.nan


class _Cycle(NamedTuple):
    """A cycle that closes: swept volume in m3/s, power in W, areas of the condenser and the evaporator in m2."""

    volume: float
    power: float
    condenser: float
    evaporator: float


class _Impossible(Exception):
    """A cycle that cannot be."""


@cache
def _fluid(name: str) -> Any:
    from CoolProp import AbstractState

    return AbstractState("HEOS", name)


def _cycle(fluid: Any, p: Point) -> tuple[_Cycle, float]:
    """Return the cycle, and its higher pressure in Pa.

    Raises:
        _Impossible: it cannot be.
        ValueError: there is no such state of the fluid.
    """
    import CoolProp as cp

    if p["superheat"] < _DRY:
        raise _Impossible
    boiling = 273.15 + p["boiling"]
    fluid.update(cp.QT_INPUTS, 1.0, boiling)
    low, saturated = fluid.p(), fluid.hmass()
    high = low * p["ratio"]
    fluid.update(cp.PT_INPUTS, low, boiling + p["superheat"])
    left = fluid.hmass()
    cold, condensed_at = _condensed(fluid, high, p["approach"])
    fluid.update(cp.PT_INPUTS, low, condensed_at)
    regained = p["regenerator"] * (fluid.hmass() - left)
    volume, work = _compression(fluid, left + regained, low, high)
    hot = left + regained + work
    flow = _HEAT / (hot - cold)
    cycle = _Cycle(
        flow * volume / _FILLING,
        flow * work / _MOTOR,
        _condenser(fluid, high, hot, cold),
        _evaporator(flow * (saturated - cold + regained), flow * (left - saturated), boiling, p["superheat"]),
    )
    return cycle, high


def _condensed(fluid: Any, pressure: float, approach: float) -> tuple[float, float]:
    """Return the enthalpy in J/kg and the temperature in K in which the refrigerant leaves the condenser."""
    import CoolProp as cp

    temperature = _SINK[0] + approach
    if pressure < fluid.p_critical():
        fluid.update(cp.PQ_INPUTS, pressure, 0.0)
        if temperature > fluid.T():  # there is still gas
            raise _Impossible
    fluid.update(cp.PT_INPUTS, pressure, temperature)
    return fluid.hmass(), temperature


def _compression(fluid: Any, suction: float, low: float, high: float) -> tuple[float, float]:
    """Return the work in J/kg from an enthalpy at the lower pressure, and the volume in m3/kg of what is sucked in."""
    import CoolProp as cp

    fluid.update(cp.HmassP_INPUTS, suction, low)
    volume, entropy = 1 / fluid.rhomass(), fluid.smass()
    fluid.update(cp.PSmass_INPUTS, high, entropy)
    if fluid.phase() == cp.iphase_twophase:
        raise _Impossible
    work = (fluid.hmass() - suction) / (0.75 - 0.08 * math.log(high / low / 3) ** 2)  # isentropic efficiency
    fluid.update(cp.HmassP_INPUTS, suction + work, high)
    if fluid.T() > _HOTTEST:
        raise _Impossible
    return volume, work


def _condenser(fluid: Any, pressure: float, hot: float, cold: float) -> float:
    """Return the area in m2 between two enthalpies in J/kg."""
    import CoolProp as cp

    def at(h: float) -> tuple[float, float]:
        fluid.update(cp.HmassP_INPUTS, h, pressure)
        dense = fluid.rhomass() > fluid.rhomass_critical() / 2
        two = fluid.phase() == cp.iphase_twophase
        return fluid.T(), _CONDENSING if two else _DENSE if dense else _GAS

    h = np.linspace(cold, hot, 2 * _SEGMENTS + 1)  # ends and middles of the segments
    t, coefficients = np.array([at(enthalpy) for enthalpy in h]).T
    differences = t[::2] - np.linspace(*_SINK, _SEGMENTS + 1)
    return _area(np.full(_SEGMENTS, _HEAT / _SEGMENTS), differences, coefficients[1::2])


def _evaporator(boiled: float, superheated: float, boiling: float, superheat: float) -> float:
    """Return the area in m2 by the heat of both parts in W, the temperature in K and what is added to it."""
    if boiled <= 0:
        raise _Impossible
    heats = np.array([boiled, superheated])
    source = _SOURCE - np.array([heats.sum(), superheated, 0.0]) / _SOURCE_FLOW
    return _area(heats, source - [boiling, boiling, boiling + superheat], np.array([_BOILING, _GAS]))


def _area(heats: Array, differences: Array, coefficients: Array) -> float:
    """Return the area in m2 by the heats ``[K]`` in W, the differences ``[K + 1]`` in K where the parts meet.

    The logarithmic means are Chen's approximation, Chem. Eng. Sci. 42 (1987).
    """
    if differences.min() <= 0:
        raise _Impossible
    first, second = differences[:-1], differences[1:]
    return float(np.sum(heats / coefficients / np.cbrt(first * second * (first + second) / 2)))


def _cost(cycle: _Cycle, high: float) -> float:
    """Return the EUR of a year without the refrigerant's.

    Raises:
        _Impossible: nothing is made for the pressure in Pa, or for the volume.
    """
    factor = next((factor for bar, factor in _CLASSES if high <= bar * 1e5), None)
    frame = next((frame for frame in _FRAMES if 3600 * cycle.volume <= frame), None)
    if factor is None or frame is None:
        raise _Impossible
    bought = factor * (_AREA_PRICE * (cycle.condenser + cycle.evaporator) + _FRAME_PRICE * frame**0.6)
    return _HOURS * _POWER_PRICE * cycle.power + _ANNUITY * bought


HEAT_PUMP: Final = EngineeringProblem(
    name="heat_pump_1c5f",
    function=heat_pump_1c5f,
    summary="refrigerant, pressures and exchangers of a heat pump for the least cost of a year",
    unit="kEUR",
    needs=("CoolProp",),
    parameters=(
        Parameter.of_levels("refrigerant", tuple(REFRIGERANTS), "categorical"),
        Parameter("boiling", -10.0, 35.0, unit="degC"),
        Parameter("ratio", 2.0, 10.0, scale="log", unit="bar/bar"),
        Parameter("superheat", 0.0, 40.0, unit="K"),
        Parameter("approach", 0.5, 30.0, scale="log", unit="K"),
        Parameter("regenerator", 0.0, 1.0, unit="K/K"),
    ),
    optimum=173.2004,
    minimiser={
        "refrigerant": "r1234ze",
        "boiling": 28.34949,
        "ratio": 2.90387,
        "superheat": 3.000001,
        "approach": 5.958965,
        "regenerator": 1.0,
    },
    best_known_by="differential evolution and Nelder-Mead for each refrigerant by itself: 9,000 evaluations each.",
    precision=0.01,
    worst=800.0,  # about the highest value
    tune=True,
)
