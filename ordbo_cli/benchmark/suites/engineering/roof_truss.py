"""A roof truss of steel tubes: its layout, its depth, and sections from the catalogue, checked as EN 1993-1-1 does."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ordbo_cli.benchmark.suites.benchmark_problem import Point
from ordbo_cli.benchmark.suites.engineering.engineering_problem import EngineeringProblem
from ordbo_cli.benchmark.suites.engineering.pin_jointed import Joints, lengths_and_directions, solve
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Parameter

SPAN: Final = 24.0  # m
LOAD: Final = 12.0  # kN/m on the upper chord
YOUNG: Final = 210e6  # kN/m2
DENSITY: Final = 7850.0  # kg/m3
STEELS: Final = {"S235": (235e3, 1.00), "S355": (355e3, 1.08), "S460": (460e3, 1.30)}  # kN/m2, EUR/kg
WEBS: Final = ("pratt", "howe", "warren")
TUBES: Final = {
    "76.1x3.2": (76.1, 3.2),
    "88.9x4": (88.9, 4.0),
    "101.6x4": (101.6, 4.0),
    "114.3x5": (114.3, 5.0),
    "139.7x5": (139.7, 5.0),
    "168.3x6.3": (168.3, 6.3),
    "193.7x6.3": (193.7, 6.3),
    "219.1x8": (219.1, 8.0),
    "244.5x8": (244.5, 8.0),
    "273x10": (273.0, 10.0),
}
"""Outer diameter and wall in mm, from EN 10210-2."""
GROUPS_OF_MEMBERS: Final = ("top", "bottom", "diagonals", "verticals")
_IMPERFECTION: Final = 0.21  # buckling curve a, hot-finished tubes
_SAFETY: Final = 1.1  # on buckling and yield
_USE: Final = 1.4  # loads that members have to bear over those in use
_MOST_SAG: Final = SPAN / 250  # m
_PAINT: Final = 25.0  # EUR/m2
_JOINT: Final = 35.0  # EUR to cut, fit and weld a member


@dataclass(frozen=True)
class Layout:
    """A truss without its sections.

    Args:
        X: places of the joints in metres [J, 2].
        M: first and last joint of each member [M, 2].
        group: of each member, a place in ``GROUPS_OF_MEMBERS`` [M].
        P: loads in kN [J, 2].
    """

    X: Array
    M: Joints
    group: NDArray[np.int64]
    P: Array


def layout(web: str, panels: int, depth: float) -> Layout:
    """Return a truss whose lower chord has joints 0 to ``panels`` from left to right, and the upper one as many more.

    Pratt diagonals fall towards the middle and pull, Howe diagonals rise towards it and push, those of a Warren truss
    fall and rise in turn; all have verticals.
    """
    half, top = panels // 2, panels + 1
    x = np.linspace(0.0, SPAN, panels + 1)
    X = np.concatenate([np.column_stack([x, np.zeros_like(x)]), np.column_stack([x, np.full_like(x, depth)])])
    falls = [k < half if web == "pratt" else k >= half if web == "howe" else k % 2 == 0 for k in range(panels)]
    members = [(top + k, top + k + 1, 0) for k in range(panels)] + [(k, k + 1, 1) for k in range(panels)]
    members += [(top + k, k + 1, 2) if falls[k] else (k, top + k + 1, 2) for k in range(panels)]
    members += [(k, top + k, 3) for k in range(panels + 1)]
    P = np.zeros_like(X)
    P[top:, 1] = -LOAD * SPAN / panels
    P[[top, -1], 1] /= 2
    M = np.array(members)
    return Layout(X, M[:, :2], M[:, 2], P)


def section(tube: str) -> tuple[float, float, float]:
    """Return the area in m2, the radius of gyration in m and the outer diameter in m of a tube."""
    outer, wall = (x / 1000 for x in TUBES[tube])
    inner = outer - 2 * wall
    return math.pi / 4 * (outer**2 - inner**2), math.hypot(outer, inner) / 4, outer


def buckling_share(lengths: Array, radii: Array, yield_stress: float) -> Array:
    """Return the share of its squash load at which each member buckles [M] (EN 1993-1-1, 6.3.1.2)."""
    slenderness = lengths / radii / (math.pi * math.sqrt(YOUNG / yield_stress))
    phi = 0.5 * (1 + _IMPERFECTION * (slenderness - 0.2) + slenderness**2)
    return np.minimum(1.0, 1 / (phi + np.sqrt(np.maximum(phi**2 - slenderness**2, 0.0))))


def use_of_tubes(truss: Layout, tubes: Array, yield_stress: float) -> tuple[Array, float]:
    """Return the share of its resistance that each member uses [M], and how far the truss sags in use, in metres.

    The roof lies on the upper chord, which also bends as a continuous beam; bending joins compression as in EN
    1993-1-1, 6.3.3 and annex B.

    Args:
        tubes: area, radius of gyration and outer diameter of each member, m2, m and m [M, 3].
        yield_stress: kN/m2.
    """
    areas, radii, outer = tubes.T
    u, n = solve(truss.X, truss.M, YOUNG * areas, truss.P, [0, 1, len(truss.X) - 1])
    lengths, _ = lengths_and_directions(truss.X, truss.M)
    strength = areas * yield_stress / _SAFETY
    share = np.abs(n) / np.where(n < 0, buckling_share(lengths, radii, yield_stress) * strength, strength)
    moment = np.where(truss.group == 0, LOAD * lengths**2 / 10, 0.0) / (strength * radii**2 / (outer / 2))
    return share + 0.9 * (1 + 0.6 * share) * moment, float(np.max(-u[:, 1]) / _USE)


def cost(truss: Layout, areas: Array, outer: Array, price: float) -> float:
    """Return what steel, paint and work cost in EUR.

    Args:
        areas, outer: areas and diameters of the members, m2 and m [M].
        price: EUR/kg.
    """
    lengths, _ = lengths_and_directions(truss.X, truss.M)
    return float(lengths @ (DENSITY * price * areas + _PAINT * math.pi * outer) + _JOINT * len(lengths))


def roof_truss_2c4o1i1f(p: Point) -> float:
    """Return what a truss of 24 m costs, in EUR; one that yields, buckles or sags by more than span / 250 fails.

    Source: this project; resistances from EN 1993-1-1, tubes from EN 10210-2, prices assumed.
    """
    truss = layout(p["web"], p["panels"], math.tan(math.radians(p["angle"])) * SPAN / p["panels"])
    tubes = np.array([section(p[name]) for name in GROUPS_OF_MEMBERS])[truss.group]
    yield_stress, price = STEELS[p["steel"]]
    used, sag = use_of_tubes(truss, tubes, yield_stress)
    return cost(truss, tubes[:, 0], tubes[:, 2], price) if np.max(used) <= 1 and sag <= _MOST_SAG else math.nan


def _tube(group: str) -> Parameter:
    return Parameter.of_levels(group, tuple(TUBES), unit="mm")


ROOF_TRUSS: Final = EngineeringProblem(
    "roof_truss_2c4o1i1f",
    roof_truss_2c4o1i1f,
    (
        Parameter.of_levels("web", WEBS, "categorical"),
        Parameter.of_levels("steel", tuple(STEELS), "categorical"),
        *map(_tube, GROUPS_OF_MEMBERS),
        Parameter("panels", 4, 16, "int", step=2),
        Parameter("angle", 25.0, 60.0, step=1.0, unit="deg"),
    ),
    optimum=2869.558213881579,
    minimiser={
        "web": "pratt",
        "steel": "S355",
        "top": "168.3x6.3",
        "bottom": "88.9x4",
        "diagonals": "76.1x3.2",
        "verticals": "88.9x4",
        "panels": 6,
        "angle": 33.0,
    },
    precision=0.5,
    worst=13_200.0,  # about the highest value
    tune=True,
    summary="cheapest roof truss of 24 m that neither yields, buckles nor sags",
    unit="EUR",
    best_known_by="All designs were enumerated: no force depends on the tubes, so that each group is checked alone.",
)
