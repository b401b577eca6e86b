"""Test problems with parameters of every kind: levels without an order, levels in order, whole numbers, conditions.

Half of them are there to choose settings by (``tune``); the others are only reported. All optima are known by
construction, or from one closed form for each choice of the levels.
"""

from __future__ import annotations

import math
from typing import Final

from ordbo_cli.benchmark.suites import mixed_functions as functions
from ordbo_cli.benchmark.suites.benchmark_problem import MixedProblem
from ordbo_cli.problem import Condition, Number, Parameter

_levels = Parameter.of_levels

_CAMEL: Final = {"x1": 0.08984201310031807 / 2, "x2": -0.7126564030207396 / 2}  # minimises the six-hump camel
_CAMEL_LOWEST: Final = -1.0316284534898774

_SOLVERS: Final = ("direct", "cg", "gmres", "bicgstab")
_PRECONDITIONERS: Final = ("none", "jacobi", "ilu", "amg")

_BURST: Final = 10 ** (-2.5 + 1 / 6)  # turbulence where the edge of the bubble is best

_CAVITIES: Final = 10
_HOT: Final = -40 * math.log(40 * 9 / (30 * _CAVITIES**1.5))  # degrees above the reference that are best for these
_PRESSURE, _COOLING = functions.moulding_needs("pa6", "fan", _CAVITIES, _HOT)

_RADIUS: Final = 13 * 0.0625 / 0.0193  # of the vessel that uses its shell up
_LENGTH: Final = 1_296_000 / (math.pi * _RADIUS**2) - 4 / 3 * _RADIUS


def _category(name: str, *levels: str, when: tuple[Condition, ...] = ()) -> Parameter:
    return Parameter.of_levels(name, levels, "categorical", when=when)


def _numbered(letter: str, count: int) -> Parameter:
    return Parameter.of_levels(letter, range(count), "categorical")


def _when(parent: str, levels: tuple[str, ...], *chosen: str) -> Condition:
    return Condition(parent, tuple(levels.index(level) for level in chosen))


_ITERATIVE: Final = _when("solver", _SOLVERS, "cg", "gmres", "bicgstab")


def _float(name: str, low: Number, high: Number, *when: Condition) -> Parameter:
    return Parameter(name, low, high, when=when)


def _log(name: str, low: Number, high: Number, *when: Condition) -> Parameter:
    return Parameter(name, low, high, scale="log", when=when)


MIXED_PROBLEMS: Final = (
    MixedProblem(
        "func2c_2c2f",
        functions.func2c_2c2f,
        (_numbered("h1", 3), _numbered("h2", 5), _float("x1", -1.0, 1.0), _float("x2", -1.0, 1.0)),
        optimum=2 * _CAMEL_LOWEST / 10,
        minimiser={"h1": 1, "h2": 1, **_CAMEL},
        tune=True,
    ),
    MixedProblem(
        "func3c_3c2f",
        functions.func3c_3c2f,
        (
            *(_numbered(f"h{j}", count) for j, count in enumerate((3, 5, 4), 1)),
            _float("x1", -1.0, 1.0),
            _float("x2", -1.0, 1.0),
        ),
        optimum=7 * _CAMEL_LOWEST / 10,
        minimiser={"h1": 1, "h2": 1, "h3": 0, **_CAMEL},
    ),
    MixedProblem(
        "linear_solver_2c1o1i2f",
        functions.linear_solver_2c1o1i2f,
        (
            _category("solver", *_SOLVERS),
            _category("preconditioner", *_PRECONDITIONERS, when=(_ITERATIVE,)),
            _levels("fill", (0, 1, 2, 4, 8), when=(_when("preconditioner", _PRECONDITIONERS, "ilu"),)),
            Parameter("restart", 5, 200, "int", scale="log", when=(_when("solver", _SOLVERS, "gmres"),)),
            _log("tolerance", 1e-12, 1e-1, _ITERATIVE),
            _float("threshold", 0.0, 1.0, _when("preconditioner", _PRECONDITIONERS, "amg")),
        ),
        optimum=15.5,
        minimiser={"solver": "gmres", "preconditioner": "amg", "restart": 40, "tolerance": 1e-5, "threshold": 0.3},
        worst=5e6,  # about the highest value
        tune=True,
    ),
    MixedProblem(
        "airfoil_1c1o2f",
        functions.airfoil_1c1o2f,
        (
            _category("model", "laminar", "sa", "sst", "ke"),
            _levels("mesh", ("coarse", "medium", "fine", "finest")),
            _float("transition", 0.0, 1.0),
            _log("turbulence", 1e-5, 1e-1),
        ),
        optimum=2.5 + 20 * (1 - functions.bubble_edge(-2.5 + 1 / 6, "sst")) + 1 / 6,
        minimiser={
            "model": "sst",
            "mesh": "fine",
            "transition": functions.bubble_edge(-2.5 + 1 / 6, "sst"),
            "turbulence": _BURST,
        },
    ),
    MixedProblem(
        "recipe_4c4o4i",
        functions.recipe_4c4o4i,
        (
            _category("resin", "polyester", "epoxy", "vinylester", "phenolic"),
            _category("hardener", "anhydride", "peroxide", "amine"),
            _category("filler", "talc", "silica", "glass"),
            _category("solvent", "water", "ethanol", "acetone"),
            _levels("sieve", ("fine", "medium", "coarse")),
            _levels("stirring", ("slow", "medium", "fast")),
            _levels("humidity", ("dry", "low", "middle", "high")),
            _levels("vacuum", (0, 1, 2, 3)),
            Parameter("hardener_percent", 5, 30, "int"),
            Parameter("heat", 20, 140, "int", step=10),
            Parameter("filler_percent", 0, 40, "int", step=5),
            Parameter("minutes", 10, 240, "int", step=20),
        ),
        optimum=0.0,
        minimiser={
            "resin": "epoxy",
            "hardener": "amine",
            "filler": "silica",
            "solvent": "acetone",
            "sieve": "medium",
            "stirring": "medium",
            "humidity": "dry",
            "vacuum": 3,
            "hardener_percent": 12,
            "heat": 80,
            "filler_percent": 25,
            "minutes": 90,
        },
        precision=0.25,
        tune=True,
    ),
    MixedProblem(
        "valley_1c1i3f",
        functions.valley_1c1i3f,
        (
            _category("drive", "belt", "chain", "gear", "worm"),
            Parameter("teeth", 1, 20, "int"),
            _float("x1", -1.5, 2.5),  # off the middle, where every valley has its floor
            _float("x2", -2.4, 1.6),
            _float("x3", -1.0, 3.0),
        ),
        optimum=0.0,
        minimiser={"drive": "gear", "teeth": 13, "x1": 0.7, "x2": -0.49 + 0.15, "x3": (-0.49 + 0.15) ** 2},
        tune=True,
    ),
    MixedProblem(
        "pressure_vessel_2i2f",
        functions.pressure_vessel_2i2f,
        (
            Parameter("shell", 1, 99, "int"),
            Parameter("head", 1, 99, "int"),
            _float("radius", 10.0, 200.0),
            _float("length", 10.0, 200.0),
        ),
        optimum=6059.714335048436,
        minimiser={"shell": 13, "head": 7, "radius": _RADIUS, "length": _LENGTH},
        worst=7.8e5,  # about the highest value
    ),
    MixedProblem(
        "injection_2c1i3f",
        functions.injection_2c1i3f,
        (
            _category("plastic", "pp", "abs", "pa6"),
            _category("gate", "pin", "fan", "edge"),
            Parameter("cavities", 1, 16, "int"),
            _float("melt", 180.0, 310.0),
            _log("pressure", 20.0, 5000.0),
            _float("cooling", 4.0, 60.0),
        ),
        optimum=2.2 + 2 * (_COOLING + 4) / _CAVITIES + 0.3 * _CAVITIES + _PRESSURE / 50,
        minimiser={
            "plastic": "pa6",
            "gate": "fan",
            "cavities": _CAVITIES,
            "melt": 250 + _HOT,
            "pressure": _PRESSURE,
            "cooling": _COOLING,
        },
        worst=240.0,  # about the highest value
        tune=True,
    ),
    MixedProblem(
        "plant_5c5o10f",
        functions.plant_5c5o10f,
        (
            *(_numbered(f"c{j}", 3) for j in range(1, 6)),
            *(_levels(f"o{j}", range(5)) for j in range(1, 6)),
            *(_float(f"x{k}", 0.0, 1.0) for k in range(1, 6)),
            *(_log(f"x{k}", 1e-3, 1e3) for k in range(6, 11)),
        ),
        optimum=0.0,
        minimiser={
            "c1": 0,
            "c2": 1,
            "c3": 2,
            "c4": 0,
            "c5": 1,
            "o1": 4,
            "o2": 1,
            "o3": 2,
            "o4": 0,
            "o5": 3,
            "x1": 0.2,
            "x2": 0.65,
            "x3": 0.35,
            "x4": 0.8,
            "x5": 0.5,
            **{f"x{k}": 10 ** (6 * t - 3) for k, t in enumerate((0.1, 0.7, 0.45, 0.9, 0.3), 6)},
        },
    ),
    MixedProblem(
        "coating_1c1o3f",
        functions.coating_1c1o3f,
        (
            _category("powder", "epoxy", "polyester", "hybrid", "acrylic"),
            _levels("coats", (1, 2, 3, 4, 6)),
            _float("temperature", 150.0, 230.0),
            _log("minutes", 2.0, 60.0),
            _float("distance", 10.0, 50.0),
        ),
        optimum=0.0,
        minimiser={"powder": "polyester", "coats": 3, "temperature": 200.0, "minutes": 15.0, "distance": 25.0},
        precision=0.5,
    ),
)
