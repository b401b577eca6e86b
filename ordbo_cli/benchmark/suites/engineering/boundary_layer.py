"""A boundary layer along one surface of an aerofoil: laminar, transition, turbulent, and the drag of its wake.

Lengths are in chords, speeds in the undisturbed speed V, the kinematic viscosity in both: it is 1 / Re.

========  ===========================================================  =========
symbol    meaning                                                      shape
========  ===========================================================  =========
s, x, u   arc length from stagnation, chords from the nose, speed      ``[K]``
theta     momentum thickness
h, h1     shape factors: displacement thickness and entrainment, both over theta
========  ===========================================================  =========

Source: J. Moran, "An Introduction to Theoretical and Computational Aerodynamics" (1984), chapter 7: the methods of
Thwaites (laminar), Michel (transition), Head (turbulent), Squire and Young (wake).
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from ordbo_cli.ordinal.linalg import Array

_TAIL: Final = 0.92  # chords; separation behind it is what every aerofoil has
_BURST: Final = 160.0  # Reynolds number of theta below which a laminar bubble does not close
_SEPARATES: Final = -0.09  # Thwaites' parameter
_AFTER_TRANSITION: Final = 1.4  # the shape factor with which a turbulent layer begins
_TURBULENT_LIMIT: Final = 2.4  # the shape factor with which it separates


class Separated(Exception):
    """The flow leaves the surface, where a boundary layer says nothing more."""


class Surface(NamedTuple):
    """The upper or lower surface of an aerofoil in a flow, from stagnation to the trailing edge.

    Args:
        s: arc lengths ``[K]`` in chords.
        x: chords behind the nose ``[K]``.
        u: speeds ``[K]`` outside of the layer, in the undisturbed speed.
    """

    s: Array
    x: Array
    u: Array


def drag_of(surface: Surface, reynolds: float, trip: float) -> float:
    """Return the drag coefficient of one surface by Squire and Young's formula for its wake.

    Args:
        trip: chords behind the nose where transition is forced.

    Raises:
        Separated: a bubble bursts, or the turbulent layer does not reach the tail.
    """
    start, theta = _laminar(surface, reynolds, trip)
    theta, h = _turbulent(surface, reynolds, start, theta)
    return 2 * theta * float(surface.u[-1]) ** ((h + 5) / 2)


def _laminar(surface: Surface, reynolds: float, trip: float) -> tuple[int, float]:
    """Return the place where the laminar layer ends and its momentum thickness there, by Thwaites and Michel."""
    s, x, u = surface
    gathered = np.concatenate(([u[0] ** 5 * s[0] / 6], np.diff(s) * (u[1:] ** 5 + u[:-1] ** 5) / 2)).cumsum()
    theta = np.sqrt(0.45 * gathered / (reynolds * u**6))
    slope = np.gradient(u, s)
    of_theta, of_s = reynolds * u * theta, reynolds * u * s
    separated = theta**2 * reynolds * slope < _SEPARATES
    natural = of_theta > 1.174 * (1 + 22_400 / of_s) * of_s**0.46
    ends = np.flatnonzero(separated | natural | (x >= trip))
    end = int(ends[0]) if len(ends) else len(s) - 1
    if separated[end] and of_theta[end] < _BURST:
        raise Separated
    return end, float(theta[end])


def _turbulent(surface: Surface, reynolds: float, start: int, theta: float) -> tuple[float, float]:
    """Return momentum thickness and shape factor at the end, by Head's method in steps of Heun's."""
    s, x, u = (line.tolist() for line in surface)
    state = (theta, theta * u[start] * _entrainment_of(_AFTER_TRANSITION))
    for k in range(start, len(s) - 1):
        step, slope = s[k + 1] - s[k], (u[k + 1] - u[k]) / (s[k + 1] - s[k])
        first = _growth(*state, u[k], slope, reynolds)
        ahead = (state[0] + step * first[0], state[1] + step * first[1])
        second = _growth(*ahead, u[k + 1], slope, reynolds)
        state = (state[0] + step * (first[0] + second[0]) / 2, state[1] + step * (first[1] + second[1]) / 2)
        h = _shape_of(state[1] / (state[0] * u[k + 1])) if min(state) > 0 else math.inf
        if math.isinf(h) or (h > _TURBULENT_LIMIT and x[k + 1] < _TAIL):
            raise Separated
    return state[0], min(_shape_of(state[1] / (state[0] * u[-1])), _TURBULENT_LIMIT)


def _growth(theta: float, flux: float, u: float, slope: float, reynolds: float) -> tuple[float, float]:
    """Return the derivatives of momentum thickness and of the flux u theta h1 by arc length."""
    theta = max(theta, 1e-9)
    h1 = max(flux / (u * theta), 3.01)
    h = _shape_of(h1)
    friction = 0.246 * 10 ** (-0.678 * h) * (reynolds * u * theta) ** -0.268
    return friction / 2 - (h + 2) * theta / u * slope, 0.0306 * u * (h1 - 3) ** -0.6169


def _entrainment_of(h: float) -> float:
    """Return h1 by h."""
    return 0.8234 * (h - 1.1) ** -1.287 + 3.3 if h <= 1.6 else 1.5501 * (h - 0.6778) ** -3.064 + 3.3


def _shape_of(h1: float) -> float:
    """Return h by h1: the inverse of the other fit, and the limit of separation where there is none."""
    if h1 <= 3.32:
        return 3.0
    over = h1 - 3.3
    return 1.1 + (0.8234 / over) ** (1 / 1.287) if h1 >= 5.3 else 0.6778 + (1.5501 / over) ** (1 / 3.064)
