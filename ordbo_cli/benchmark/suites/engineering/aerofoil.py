"""A panel code: the flow about an aerofoil, its boundary layers with transition and separation, and its drag.

Lengths are in chords, speeds in the undisturbed speed V, the kinematic viscosity in both: it is 1 / Re.

========  =====================================================  ==========
symbol    meaning                                                shape
========  =====================================================  ==========
outline   corners, clockwise from the trailing edge              ``[M + 1, 2]``
s, u      arc length from the stagnation point, speed there      ``[K]``
theta     momentum thickness of the boundary layer
h, h1     its shape factors, displacement and entrainment
========  =====================================================  ==========
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from ordbo_cli.benchmark.suites.benchmark_problem import Point
from ordbo_cli.benchmark.suites.engineering.boundary_layer import Separated, Surface, drag_of
from ordbo_cli.benchmark.suites.engineering.engineering_problem import EngineeringProblem
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Parameter

_CRUISE: Final = (0.4, 3e6)  # lift coefficient, Reynolds number
_CLIMB: Final = (1.0, 1.5e6)
_PANELS: Final = 100
_LAST: Final = 0.98  # chords; the speeds of panels at the sharp tail are those of a singularity
_THICKNESSES: Final = ((0.3, 0.12), (0.9, 0.01))  # chords from the nose, least thickness there: of spar and flap


def laminar_aerofoil_8f(p: Point) -> float:
    """Return the drag of an aerofoil in cruise and climb in counts (1e-4), NaN where the flow separates.

    ``0.7 cd(cl = 0.4, Re = 3e6) + 0.3 cd(cl = 1.0, Re = 1.5e6)`` by a vortex panel method, the laminar layer by
    Thwaites, its transition by Michel, at the trip or where it separates, the turbulent layer by Head, the drag by
    Squire and Young. A laminar bubble of too small a Reynolds number bursts, a turbulent layer separates ahead of 92%
    of the chord, or the aerofoil is too thin for its spar (12% at 30% of the chord) or its flap (1% at 90%): failures.
    Transition is at a panel, so drag has steps, and it leaps where a bubble takes over.

    Source: A. Kuethe and C.-Y. Chow, "Foundations of Aerodynamics" (panels); J. Moran, "An Introduction to Theoretical
    and Computational Aerodynamics" (1984), chapter 7 (layers); B. Kulfan, "Universal Parametric Geometry
    Representation Method", J. Aircraft 45 (2008) (shape).
    """
    upper, lower = ([p[f"{side}{k}"] for k in (1, 2, 3)] for side in ("upper", "lower"))
    if any(_thickness(upper, lower, place) < least for place, least in _THICKNESSES):
        return math.nan
    flow = PanelFlow(kulfan_outline(upper, lower))
    try:
        cruise, climb = (_drag(flow, *state, (p["trip_lower"], p["trip_upper"])) for state in (_CRUISE, _CLIMB))
    except Separated:
        return math.nan
    return 1e4 * (0.7 * cruise + 0.3 * climb)


def _drag(flow: PanelFlow, lift: float, reynolds: float, trips: tuple[float, float]) -> float:
    """Return the drag coefficient at one lift coefficient; the trips of the lower and the upper surface in chords."""
    lower, upper = flow.surfaces(lift)
    return drag_of(lower, reynolds, trips[0]) + drag_of(upper, reynolds, trips[1])


def kulfan_outline(upper: list[float], lower: list[float]) -> Array:
    """Return the corners ``[M + 1, 2]`` of an aerofoil in chords by its Kulfan weights, closed at the tail.

    Args:
        upper, lower: weights of the Bernstein polynomials; those of the lower side are positive downwards.
    """
    around = np.linspace(0.0, 2 * np.pi, _PANELS + 1)
    x = (1 + np.cos(around)) / 2
    below = around < np.pi
    return np.column_stack((x, np.where(below, -_side(lower, x), _side(upper, x))))


def _side(weights: list[float], x: Array) -> Array:
    order = len(weights) - 1
    shape = sum(w * math.comb(order, k) * x**k * (1 - x) ** (order - k) for k, w in enumerate(weights))
    return np.sqrt(x) * (1 - x) * shape


def _thickness(upper: list[float], lower: list[float], place: float) -> float:
    x = np.array([place])
    return float((_side(upper, x) + _side(lower, x))[0])


class PanelFlow:
    """The potential flow about an outline, for every angle at once: it is a sum of the flows at 0 and 90 degrees.

    Args:
        outline: corners ``[M + 1, 2]``, clockwise from the trailing edge.
    """

    def __init__(self, outline: Array) -> None:
        """Solve for the strengths of linear vortex panels."""
        along = np.diff(outline, axis=0)
        self.lengths = np.hypot(*along.T)
        self.middles = (outline[1:] + outline[:-1]) / 2
        slope = np.arctan2(along[:, 1], along[:, 0])
        normal, tangential = _influences(self.middles, outline[:-1], slope, self.lengths)
        kutta = np.zeros(len(outline))
        kutta[[0, -1]] = 1.0
        onset = np.vstack((np.column_stack((np.sin(slope), -np.cos(slope))), [0.0, 0.0]))
        strengths = np.linalg.solve(np.vstack((normal, kutta)), onset)
        self._speeds = np.column_stack((np.cos(slope), np.sin(slope))) + tangential @ strengths  # [M, 2]
        self.lifts = 2 * np.pi * self.lengths @ (strengths[1:] + strengths[:-1])  # of cos and sin of the angle

    def speeds(self, lift: float) -> Array:
        """Return the speeds ``[M]`` along the outline at a lift coefficient.

        Raises:
            Separated: no angle gives that lift.
        """
        largest = math.hypot(*self.lifts)
        if not lift < largest:
            raise Separated
        angle = math.asin(lift / largest) - math.atan2(self.lifts[0], self.lifts[1])
        return self._speeds @ np.array([math.cos(angle), math.sin(angle)])

    def surfaces(self, lift: float) -> tuple[Surface, Surface]:
        """Return the lower and the upper surface, each from the stagnation point, at a lift coefficient.

        Raises:
            Separated: no angle gives that lift, or the flow is at rest elsewhere, too.
        """
        speeds, place = self.speeds(lift), self.lengths.cumsum() - self.lengths / 2
        first = int(np.argmax(speeds > 0))
        if first == 0 or not (speeds[first:] > 0).all():  # no point of stagnation near the nose, or several
            raise Separated
        share = speeds[first - 1] / (speeds[first - 1] - speeds[first])
        stagnation = place[first - 1] + share * (place[first] - place[first - 1])
        inside = np.flatnonzero(self.middles[:, 0] < _LAST)
        lower, upper = slice(first - 1, inside[0] - 1 if inside[0] else None, -1), slice(first, inside[-1] + 1)
        return (
            Surface(stagnation - place[lower], self.middles[lower, 0], -speeds[lower]),
            Surface(place[upper] - stagnation, self.middles[upper, 0], speeds[upper]),
        )


def _influences(middles: Array, starts: Array, slope: Array, lengths: Array) -> tuple[Array, Array]:
    """Return the normal and tangential speeds ``[M, M + 1]`` at the middles by unit strength at each corner."""
    x, y = (middles[:, None, k] - starts[None, :, k] for k in (0, 1))
    cos, sin = np.cos(slope), np.sin(slope)
    turn, twice = slope[:, None] - slope, slope[:, None] - 2 * slope
    a, b, e = -x * cos - y * sin, x**2 + y**2, x * sin - y * cos
    c, d = np.sin(turn), np.cos(turn)
    f, g = np.log1p(lengths * (lengths + 2 * a) / b), np.arctan2(e * lengths, b + a * lengths)
    p, q = x * np.sin(twice) + y * np.cos(twice), x * np.cos(twice) - y * np.sin(twice)
    normal2 = d + (q * f / 2 - (a * c + d * e) * g) / lengths
    tangential2 = c + (p * f / 2 + (a * d - c * e) * g) / lengths
    normal1, tangential1 = d * f / 2 + c * g - normal2, c * f / 2 - d * g - tangential2
    for matrix, own in ((normal1, -1.0), (normal2, 1.0), (tangential1, np.pi / 2), (tangential2, np.pi / 2)):
        np.fill_diagonal(matrix, own)
    return _at_corners(normal1, normal2), _at_corners(tangential1, tangential2)


def _at_corners(first: Array, second: Array) -> Array:
    return np.pad(first, ((0, 0), (0, 1))) + np.pad(second, ((0, 0), (1, 0)))


LAMINAR_AEROFOIL: Final = EngineeringProblem(
    name="laminar_aerofoil_8f",
    function=laminar_aerofoil_8f,
    summary="shape and trips of an aerofoil for the least drag in cruise and climb",
    unit="counts",
    parameters=(
        *(Parameter(f"upper{k}", 0.05, 0.4, unit="chord") for k in (1, 2, 3)),
        *(Parameter(f"lower{k}", -0.1, 0.3, unit="chord") for k in (1, 2, 3)),
        Parameter("trip_upper", 0.02, 0.9, unit="chord"),
        Parameter("trip_lower", 0.02, 0.9, unit="chord"),
    ),
    optimum=50.73618,
    minimiser={
        "upper1": 0.1325615,
        "upper2": 0.3583173,
        "upper3": 0.3929882,
        "lower1": 0.03363338,
        "lower2": 0.06781693,
        "lower3": 0.1911506,
        "trip_upper": 0.6833332,
        "trip_lower": 0.8941774,
    },
    best_known_by="differential evolution, CMA-ES and Nelder-Mead: the best of three seeds, 105,000 evaluations.",
    precision=0.1,
    worst=140.0,  # about the highest value
    tune=True,
)
