"""Trades of engineering, in closed form: a truss, a crash, a welded beam and a heat exchanger."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np

from ordbo_cli.benchmark.suites.fronts.front_problem import FrontProblem, Values
from ordbo_cli.benchmark.suites.fronts.sampling import found_front
from ordbo_cli.ordinal.linalg import Array

_ROOT2: Final = math.sqrt(2.0)
_LENGTH: Final = 200.0  # cm, of the truss
_FORCE: Final = 10.0  # kN, on the truss
_YOUNG: Final = 2e5  # kN/cm2, of the truss
_WATER: Final = (990.0, 4180.0, 0.63, 6e-4)  # density, heat capacity, conductivity, viscosity; SI units
_STEEL: Final = 15.0  # W/(m K)
_HOT: Final = 0.2  # kg/s
_HOT_IN: Final = 80.0  # degrees Celsius
_COLD_IN: Final = 20.0  # degrees Celsius
_WALL: Final = 1.5e-3  # m
_TURBULENT: Final = 2300.0  # Reynolds number from which a flow is
_MOST_DROP: Final = 1.5e5  # Pa
_USE: Final = 8000.0 * 3600.0 * 10.0  # s, in ten years
_ENERGY: Final = 0.25 / 3.6e6  # EUR/J
_TUBE: Final = 400.0  # EUR/m2 of tube


def four_bar(x: Sequence[float]) -> Values:
    """Return volume and sag of a truss of four bars, given their sections; volume has the root of the third.

    Source: F. Y. Cheng and X. S. Li, "Generalized center method for multiobjective engineering optimization",
    Engineering Optimization 31 (1999); RE21 of R. Tanabe and H. Ishibuchi (2020).
    """
    volume = _LENGTH * (2.0 * x[0] + _ROOT2 * x[1] + math.sqrt(x[2]) + x[3])
    bending = 2.0 / x[0] + 2.0 * _ROOT2 / x[1] - 2.0 * _ROOT2 / x[2] + 2.0 / x[3]
    return volume, _FORCE * _LENGTH / _YOUNG * bending


def _four_bar_front() -> Array:
    """Return the front: the third section is as small as it may be, the others follow from one price of sag."""
    prices = np.linspace(1.0 / _ROOT2, 3.0, 201)
    sections = [(np.clip(t, 1, 3), np.clip(_ROOT2 * t, _ROOT2, 3), _ROOT2, np.clip(_ROOT2 * t, 1, 3)) for t in prices]
    return np.array([four_bar(each) for each in sections])


def crash(x: Sequence[float]) -> Values:
    """Return mass, acceleration and intrusion of a car's crash, surfaces fitted to simulations, by five thicknesses.

    Source: X. Liao, Q. Li, X. Yang, W. Zhang and W. Li, "Multiobjective optimization for crash safety design of
    vehicles using stepwise regression model", Structural and Multidisciplinary Optimization 35 (2008).
    """
    a, b, c, d, e = x
    mass = 1640.2823 + 2.3573285 * a + 2.3220035 * b + 4.5688768 * c + 7.7213633 * d + 4.4559504 * e
    acceleration = 6.5856 + 1.15 * a - 1.0427 * b + 0.9738 * c + 0.8364 * d - 0.3695 * a * d + 0.0861 * a * e
    acceleration += 0.3628 * b * d - 0.1106 * a * a - 0.3437 * c * c + 0.1764 * d * d
    intrusion = -0.0551 + 0.0181 * a + 0.1024 * b + 0.0421 * c - 0.0073 * a * b + 0.024 * b * c - 0.0118 * b * d
    intrusion += -0.0204 * c * d - 0.008 * c * e - 0.0241 * b * b + 0.0109 * d * d
    return mass, acceleration, intrusion


def welded_beam(x: Sequence[float]) -> Values | None:
    """Return cost and sag of a beam that is welded on; None where it shears, bends or buckles.

    Source: K. Deb, "Evolutionary algorithms for multi-criterion optimization in engineering design" (1999), with the
    weld's thickness h and length l, the beam's height t and width b in inches.
    """
    h, l, t, b = x  # noqa: E741  as in the source
    radius = math.sqrt(0.25 * (l * l + (h + t) ** 2))
    straight = 6000.0 / (_ROOT2 * h * l)
    turning = 6000.0 * (14.0 + 0.5 * l) * radius / (2.0 * 0.707 * h * l * (l * l / 12.0 + 0.25 * (h + t) ** 2))
    shear = math.sqrt(straight**2 + turning**2 + l * straight * turning / radius)
    buckling = 64746.022 * (1.0 - 0.0282346 * t) * t * b**3
    if shear > 13600.0 or 504000.0 / (t * t * b) > 30000.0 or b < h or buckling < 6000.0:
        return None
    return 1.10471 * h * h * l + 0.04811 * t * b * (14.0 + l), 2.1952 / (t**3 * b)


def heat_exchanger(x: Sequence[float]) -> Values | None:
    """Return cost in EUR and what is left of the heat in degrees Celsius of two tubes, one in the other.

    Hot water (0.2 kg/s, 80 degrees Celsius) flows inside, cold water the other way in the gap. Given are the inner
    diameter in mm, the length in m, the gap in mm and the cold flow in kg/s. The cost is that of the tubes and of ten
    years of pumping. Heat transfer and friction jump where a flow becomes turbulent (Reynolds number 2300); it fails
    where a pump would have to give more than 1.5 bar.

    Source: this project; Nusselt number 3.66 and friction 64 / Re of laminar flow, else those of Dittus and Boelter and
    of Blasius, hydraulic diameter in the gap, effectiveness of a counterflow (F. P. Incropera and D. P. DeWitt,
    *Fundamentals of Heat and Mass Transfer*).
    """
    inner, length, gap, cold = x[0] * 1e-3, x[1], x[2] * 1e-3, x[3]
    outer = inner + 2.0 * _WALL
    gap_area = math.pi * gap * (outer + gap)
    inside, drop_inside = _flow(_HOT, 0.25 * math.pi * inner**2, inner, length)
    outside, drop_outside = _flow(cold, gap_area, 2.0 * gap, length)
    if max(drop_inside, drop_outside) > _MOST_DROP:
        return None
    resistance = 1.0 / (inside * inner) + math.log(outer / inner) / (2.0 * _STEEL) + 1.0 / (outside * outer)
    transfer = math.pi * length / resistance
    least, most = (side(_HOT, cold) * _WATER[1] for side in (min, max))
    units, ratio = transfer / least, least / most
    fading = math.exp(-units * (1.0 - ratio))
    effect = units / (1.0 + units) if ratio > 1.0 - 1e-9 else (1.0 - fading) / (1.0 - ratio * fading)
    pumping = (_HOT * drop_inside + cold * drop_outside) / _WATER[0] / 0.5 * _USE * _ENERGY
    tubes = _TUBE * math.pi * length * (2.0 * outer + 2.0 * gap)
    hot_out = _HOT_IN - effect * least * (_HOT_IN - _COLD_IN) / (_HOT * _WATER[1])
    return tubes + pumping, hot_out


def _flow(rate: float, area: float, diameter: float, length: float) -> tuple[float, float]:
    """Return heat transfer in W/(m2 K) and loss of pressure in Pa of water in a duct; all in SI units."""
    density, heat, conductivity, viscosity = _WATER
    speed = rate / (density * area)
    reynolds = density * speed * diameter / viscosity
    if reynolds < _TURBULENT:
        nusselt, friction = 3.66, 64.0 / reynolds
    else:
        nusselt = 0.023 * reynolds**0.8 * (viscosity * heat / conductivity) ** 0.4
        friction = 0.316 / reynolds**0.25
    return nusselt * conductivity / diameter, friction * length / diameter * 0.5 * density * speed**2


DESIGN_FRONTS: Final = (
    FrontProblem("four_bar_4d", four_bar, ((1.0, 3.0), (_ROOT2, 3.0), (_ROOT2, 3.0), (1.0, 3.0)), _four_bar_front),
    FrontProblem("crash_5d_3o", crash, ((1.0, 3.0),) * 5, partial(found_front, "crash_5d_3o")),
    FrontProblem(
        "welded_beam_4d",
        welded_beam,
        ((0.125, 5.0), (0.1, 10.0), (0.1, 10.0), (0.125, 5.0)),
        partial(found_front, "welded_beam_4d"),
        kind="fails",
    ),
    FrontProblem(
        "heat_exchanger_4d",
        heat_exchanger,
        ((8.0, 40.0), (1.0, 30.0), (2.0, 20.0), (0.02, 0.6)),
        partial(found_front, "heat_exchanger_4d"),
        kind="jumps",
    ),
)
