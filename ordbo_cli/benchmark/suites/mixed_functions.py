"""Functions of parameters of every kind, as maps of the parameters that count, by name as a user has them.

The name of each ends with the numbers of its categorical (c), ordinal (o), int (i) and float (f) parameters.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from ordbo_cli.benchmark.suites.benchmark_problem import Point

_EDGES_COUNT: Final = 1 + 1e-12  # rounding leaves minimisers on the edge


def func2c_2c2f(p: Point) -> float:
    """Return the sum of two functions of the same two floats, which two categorical parameters choose.

    With x doubled, so that it lies in [-2, 2]^2: a first of Rosenbrock's / 300, six-hump camel / 10 and Beale's / 50,
    plus a second of these (its last three levels are Beale's all).

    Source: "Func-2C" of B. Ru, A. Alvi, V. Nguyen, M. Osborne and S. Roberts, "Bayesian Optimisation over Multiple
    Continuous and Categorical Inputs" (2020), without the noise of 1e-6 that their code adds.
    """
    terms = _three(2 * p["x1"], 2 * p["x2"])
    return terms[p["h1"]] + terms[min(p["h2"], 2)]


def func3c_3c2f(p: Point) -> float:
    """Return Func-2C plus 5 times the camel, twice Rosenbrock's, or 2 or 3 times Beale's, by a third parameter.

    Source: "Func-3C" of Ru et al. (2020), as :func:`func2c_2c2f`.
    """
    rosenbrock, camel, beale = _three(2 * p["x1"], 2 * p["x2"])
    return func2c_2c2f(p) + (5 * camel, 2 * rosenbrock, 2 * beale, 3 * beale)[p["h3"]]


def _three(x: float, y: float) -> tuple[float, float, float]:
    rosenbrock = 100 * (y - x**2) ** 2 + (x - 1) ** 2
    camel = (4 - 2.1 * x**2 + x**4 / 3) * x**2 + x * y + (4 * y**2 - 4) * y**2
    beale = (1.5 - x + x * y) ** 2 + (2.25 - x + x * y**2) ** 2 + (2.625 - x + x * y**3) ** 2
    return rosenbrock / 300, camel / 10, beale / 50


_KRYLOV_COST: Final = {"cg": 1.0, "bicgstab": 2.6}  # of a step, in tenths of a second
_KRYLOV_STEPS: Final = {"cg": 4.0, "gmres": 1.0, "bicgstab": 1.3}  # the matrix is not quite symmetric
_TOLERANCE: Final = 1e-5


def linear_solver_2c1o1i2f(p: Point) -> float:
    """Return the seconds of a nonlinear solve by the settings of its linear solver: from 15 to millions, or a failure.

    A direct solver takes 300. An iterative one takes the preconditioner's set-up and ``steps cost w / 10`` with
    ``w = ln(1e-5 / tol) + tol / 1e-5``: each digit costs steps, a loose tolerance costs more of the outer ones. A short
    restart of GMRES costs steps (1 + 20 / m), a long one memory (1 + m / 80). CG fails with ILU, BiCGStab without a
    preconditioner, GMRES of a restart below 10 with less than ILU.

    Source: this project, after what textbooks say of Krylov methods.
    """
    solver, preconditioner = p["solver"], p.get("preconditioner", "")
    if solver == "direct":
        return 300.0
    restart = p.get("restart", 10)
    if (solver, preconditioner) in {("cg", "ilu"), ("bicgstab", "none")}:
        return math.nan
    if restart < 10 and preconditioner in {"none", "jacobi"}:
        return math.nan
    cost = _KRYLOV_COST.get(solver, (1 + 20 / restart) * (1 + restart / 80))
    fill, threshold = p.get("fill", 0), p.get("threshold", 0.0)
    steps, more, setup = {
        "none": (1000.0, 0.0, 0.0),
        "jacobi": (316.0, 0.1, 0.1),
        "ilu": (100.0 / (1 + fill), 0.5 + 0.25 * fill, (1.0 + fill) ** 2),
        "amg": (20.0 * (1 + 25 * (threshold - 0.3) ** 2), 3.0, 5.0),
    }[preconditioner]
    work = math.log(_TOLERANCE / p["tolerance"]) + p["tolerance"] / _TOLERANCE
    return float(setup + 0.1 * _KRYLOV_STEPS[solver] * steps * (cost + more) * work)


_BIAS: Final = {"laminar": 30.0, "sa": 4.0, "sst": 0.0, "ke": 6.0}
_EDGE: Final = {"laminar": -0.2, "sa": -0.05, "sst": 0.0, "ke": 0.03}
_ERROR: Final = {"coarse": 8.0, "medium": 3.0, "fine": 1.0, "finest": 0.4}
_HOURS: Final = {"coarse": 0.1, "medium": 0.4, "fine": 1.5, "finest": 6.0}


def airfoil_1c1o2f(p: Point) -> float:
    """Return the misfit of a computed drag to a measured one plus a price of the hours, with a jump of 25.

    ``bias + error + hours + 20 (1 - x) + 6 (t + 2.5)^2 + 25 [x > s]``: bias by turbulence model, error and hours by
    mesh, x the place of transition, t the decimal logarithm of the inflow's turbulence. Aft of
    ``s = 0.55 + 0.1 (t + 2)``, shifted by the model, the computed bubble bursts. The optimum is on the edge.

    Source: this project.
    """
    t, x = math.log10(p["turbulence"]), p["transition"]
    burst = x > _EDGES_COUNT * bubble_edge(t, p["model"])
    known = _BIAS[p["model"]] + _ERROR[p["mesh"]] + _HOURS[p["mesh"]]
    return float(known + 20 * (1 - x) + 6 * (t + 2.5) ** 2 + 25 * burst)


def bubble_edge(t: float, model: str) -> float:
    """Return how far aft transition may be, by the logarithm of the turbulence and the model."""
    return 0.55 + 0.1 * (t + 2) + _EDGE[model]


_RESINS: Final = {"epoxy": (0, 12), "polyester": (3, 8), "vinylester": (1, 18), "phenolic": (6, 24)}
_HARDENERS: Final = {"amine": (0, 80), "anhydride": (2, 120), "peroxide": (4, 40)}
_CLASHES: Final = {("vinylester", "amine"), ("polyester", "anhydride"), ("phenolic", "peroxide"), ("epoxy", "peroxide")}
_FILLERS: Final = {"silica": (0, 25), "talc": (2, 15), "glass": (1, 35)}
_SOLVENTS: Final = {"water": 5, "ethanol": 1, "acetone": 0}


def recipe_4c4o4i(p: Point) -> float:
    """Return how far an adhesive falls short of the best: 12 discrete parameters, 0 for one recipe in half a billion.

    Each resin, hardener, filler and solvent has a loss of its own; resins and hardeners clash; each resin wants a share
    of hardener, each hardener a temperature, each filler a share; stirring, sieve, humidity and vacuum have a best
    level, and a coarse sieve wants fast stirring. Steps of a half.

    Source: this project.
    """
    (resin, share), (hardener, heat), (filler, percent) = (
        table[p[name]] for table, name in ((_RESINS, "resin"), (_HARDENERS, "hardener"), (_FILLERS, "filler"))
    )
    loss = resin + hardener + filler + _SOLVENTS[p["solvent"]]
    loss += 8 * ((p["resin"], p["hardener"]) in _CLASHES)
    sieve, stir = ("fine", "medium", "coarse").index(p["sieve"]), ("slow", "medium", "fast").index(p["stirring"])
    loss += 3 * abs(stir - 1 - (sieve == 2)) + 2 * abs(sieve - 1)
    loss += ("dry", "low", "middle", "high").index(p["humidity"]) + 2 * (3 - p["vacuum"])
    loss += abs(p["hardener_percent"] - share) / 2 + abs(p["heat"] - heat) / 10
    return float(loss + abs(p["filler_percent"] - percent) / 5 + abs(p["minutes"] - 90) / 20)


# Height, place along x, bend and gear of each drive's valley.
_DRIVES: Final = {
    "belt": (1.0, -0.8, -1, 4),
    "chain": (0.3, 1.2, 1, 15),
    "gear": (0.0, 0.7, -1, 13),
    "worm": (5.0, 0.0, 1, 9),
}


def valley_1c1i3f(p: Point) -> float:
    """Return a bent valley of condition 1e4, which is another one for each drive and shifts with a whole number.

    ``h + 1e4 (y - b x^2 - (n - 10) / 20)^2 + 100 (z - y^2)^2 + (x - a)^2 + ((n - m) / 10)^2`` with x, y, z
    the three floats, n the teeth, and h, a, b, m by drive.

    Source: this project, after Rosenbrock's function.
    """
    height, a, b, m = _DRIVES[p["drive"]]
    x, y, z, n = p["x1"], p["x2"], p["x3"], p["teeth"]
    across = 1e4 * (y - b * x**2 - (n - 10) / 20) ** 2 + 100 * (z - y**2) ** 2
    return float(height + across + (x - a) ** 2 + ((n - m) / 10) ** 2)


_VOLUME: Final = 1_296_000.0


def pressure_vessel_2i2f(p: Point) -> float:
    """Return what a pressure vessel costs: shell and head are whole sixteenths of an inch; the forbidden ones fail.

    ``0.6224 s R L + 1.7781 h R^2 + 3.1661 s^2 L + 19.84 s^2 R``, s and h the thicknesses, for ``s >= 0.0193 R``,
    ``h >= 0.00954 R`` and a volume of 1,296,000 cubic inches.

    Source: E. Sandgren, "Nonlinear integer and discrete programming in mechanical design optimization", Journal of
    Mechanical Design 112 (1990), as revised by B. Kannan and S. Kramer (1994). Best known: 6059.714.
    """
    s, h, R, L = 0.0625 * p["shell"], 0.0625 * p["head"], p["radius"], p["length"]
    used = max(0.0193 * R / s, 0.00954 * R / h, _VOLUME / (math.pi * R**2 * (L + 4 / 3 * R)))
    if used > _EDGES_COUNT:
        return math.nan
    return float(0.6224 * s * R * L + 1.7781 * h * R**2 + 3.1661 * s**2 * L + 19.84 * s**2 * R)


# Price, pressure in bar and cooling in seconds at the reference temperature, that temperature.
_PLASTICS: Final = {"abs": (1.0, 50.0, 12.0, 220.0), "pp": (0.6, 40.0, 16.0, 200.0), "pa6": (2.0, 30.0, 9.0, 250.0)}
_GATES: Final = {"pin": (0.0, 1.6), "fan": (0.2, 1.0), "edge": (0.5, 0.8)}  # price, share of the pressure


def injection_2c1i3f(p: Point) -> float:
    """Return what a moulded part costs; half of the space fails, and the optimum is on two edges of that.

    ``price + 2 (cooling + 4) / n + 0.3 n + pressure / 50`` for n cavities. The shot is short below a pressure that
    grows with sqrt(n) and falls with the melt's temperature, hot parts warp that are not cooled for longer, and 60
    degrees above its reference the plastic burns.

    Source: this project.
    """
    price, _, _, reference = _PLASTICS[p["plastic"]]
    pressure, cooling = moulding_needs(p["plastic"], p["gate"], p["cavities"], p["melt"] - reference)
    if p["melt"] > reference + 60 or max(pressure / p["pressure"], cooling / p["cooling"]) > _EDGES_COUNT:
        return math.nan
    n = p["cavities"]
    return float(price + _GATES[p["gate"]][0] + 2 * (p["cooling"] + 4) / n + 0.3 * n + p["pressure"] / 50)


def moulding_needs(plastic: str, gate: str, cavities: int, above: float) -> tuple[float, float]:
    """Return the least pressure and cooling time, given the temperature above the plastic's reference."""
    _, pressure, cooling, _ = _PLASTICS[plastic]
    return pressure * _GATES[gate][1] * math.sqrt(cavities) * math.exp(-above / 40), cooling * (1 + above / 100)


_PLANT_TABLE: Final = ((0.0, 3.0, 6.0), (4.0, 0.0, 1.0), (2.0, 2.5, 0.0), (0.0, 0.5, 5.0), (3.0, 0.0, 0.3))
_PLANT_BEST: Final = (4, 1, 2, 0, 3)  # of the ordinal ones
_PLANT_WEIGHTS: Final = np.geomspace(1.0, 100.0, 10)
_PLANT_FLOATS: Final = np.array([0.2, 0.65, 0.35, 0.8, 0.5, 0.1, 0.7, 0.45, 0.9, 0.3])


def plant_5c5o10f(p: Point) -> float:
    """Return the loss of a plant of 20 parameters: five kinds of machines, five grades, ten settings.

    Each machine has a loss by a table, each grade one of ``0.8 |o - o_best|^1.5``, each setting one of
    ``w_k (u_k - t_k - 0.1 l)^2``: u_k is its share of the range (the last five are on logarithmic scales), the weights
    go from 1 to 100, and l is the place of the machine that it belongs to from the best one.

    Source: this project.
    """
    machines = [p[f"c{j}"] for j in range(1, 6)]
    loss = sum(table[machine] for table, machine in zip(_PLANT_TABLE, machines, strict=True))
    loss += sum(0.8 * abs(p[f"o{j}"] - best) ** 1.5 for j, best in enumerate(_PLANT_BEST, 1))
    u = np.array([p[f"x{k}"] for k in range(1, 6)] + [(math.log10(p[f"x{k}"]) + 3) / 6 for k in range(6, 11)])
    away = [machine - table.index(0.0) for table, machine in zip(_PLANT_TABLE, machines, strict=True)]
    return float(loss + _PLANT_WEIGHTS @ (u - _PLANT_FLOATS - 0.1 * np.array(away * 2)) ** 2)


_POWDERS: Final = {"epoxy": (0.6, 190), "polyester": (0.0, 200), "hybrid": (0.2, 175), "acrylic": (1.5, 165)}


def coating_1c1o3f(p: Point) -> float:
    """Return the grade of a powder coating as a person gives it: 0 for very good to 4 for reject, and nothing between.

    The grade counts how many of 0.3, 1, 2.5 and 5 a fault exceeds: ``b + 0.8 |coats - 3| + ((T - T_b) / 15)^2 +
    2 (log2(minutes / 15) + (T - T_b) / 15)^2 + ((d - 25) / 10)^2`` with b and T_b by powder; the hotter, the shorter.

    Source: this project.
    """
    fault, reference = _POWDERS[p["powder"]]
    hot = (p["temperature"] - reference) / 15
    fault += 0.8 * abs(p["coats"] - 3) + hot**2 + 2 * (math.log2(p["minutes"] / 15) + hot) ** 2
    fault += ((p["distance"] - 25) / 10) ** 2
    return float(sum(fault > limit for limit in (0.3, 1.0, 2.5, 5.0)))
