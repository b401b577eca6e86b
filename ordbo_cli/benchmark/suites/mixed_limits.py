"""Mixed problems whose limits make them hard: known constraints, a large failing region, grades as the only results.

As in :mod:`.mixed_functions` the name of each ends with the numbers of its categorical (c), ordinal (o), int (i) and
float (f) parameters, and half of them are there to choose settings by.
"""

from __future__ import annotations

import math
from typing import Final

from ordbo_cli.benchmark.suites.benchmark_problem import MixedProblem, Point
from ordbo_cli.problem import Parameter

_levels = Parameter.of_levels

_EDGES_COUNT: Final = 1e-9  # rounding leaves minimisers on the edge

GRADES: Final = ("excellent", "good", "fair", "poor", "bad", "reject")
_LIMITS: Final = (0.3, 1.0, 2.5, 6.0, 15.0)  # faults up to which each of them but the last is given

# A process's own fault, and the amperes that it wants a millimetre of wire.
_PROCESSES: Final = {"mig": (0.4, 140.0), "tig": (1.5, 110.0), "mag": (0.0, 160.0)}
_WIRES: Final = (0.6, 0.8, 1.0, 1.2, 1.6)


def weld_1c1o1i2f(p: Point) -> float:
    """Return the grade of a weld as an inspector gives it: the place of one of six words, 0 for excellent.

    A fault is graded: ``b + ((I - i w) / 30)^2 + 1.5 log2(I k / v / 64)^2 + 0.3 |k - 3| + 0.6 |w's place - 3|``, I the
    current, w the wire, k the passes, v the speed, and b and i by process: current has to suit the wire, and current,
    passes and speed together have to give the heat.

    Source: this project.
    """
    fault, per_millimetre = _PROCESSES[p["process"]]
    current, wire, passes = p["current"], p["wire"], p["passes"]
    fault += ((current - per_millimetre * wire) / 30) ** 2
    fault += 1.5 * math.log2(current * passes / p["speed"] / 64) ** 2
    fault += 0.3 * abs(passes - 3) + 0.6 * abs(_WIRES.index(wire) - 3)
    return float(sum(fault > limit for limit in _LIMITS))


# Friction that each part has, and the shares of thickener and additive that a thickener and an additive want.
_BASES: Final = {"mineral": 1.5, "pao": 0.0, "ester": 0.8}
_THICKENERS: Final = {"lithium": (0.7, 10.0), "calcium": (0.0, 15.0), "clay": (2.5, 22.0)}
_ADDITIVES: Final = {"none": (4.0, 0.0), "graphite": (2.0, 8.0), "ptfe": (0.0, 14.0), "moly": (0.6, 5.0)}


def grease_3c3f(p: Point) -> float:
    """Return the friction of a grease: three choices, two shares whose sum is limited, and the minutes of milling.

    ``b + t + a + (T - T_t)^2 / 20 + (A - A_a)^2 / 20 + 3 log10(m / 12)^2``, T and A the shares of thickener and
    additive, m the minutes. Clay does not go with ester, and the best two shares together exceed what the mill takes.

    Source: this project.
    """
    (thickener, share), (additive, percent) = _THICKENERS[p["thickener"]], _ADDITIVES[p["additive"]]
    friction = _BASES[p["base"]] + thickener + additive + 3 * math.log10(p["minutes"] / 12) ** 2
    return float(friction + ((p["thickener_percent"] - share) ** 2 + (p["additive_percent"] - percent) ** 2) / 20)


_GEAR_MATERIALS: Final = {"nylon": 3.0, "steel": 0.0, "bronze": 1.0}
_OILS: Final = {"grease": 0.5, "bath": 0.0, "dry": 4.0, "spray": 1.5}


def gears_2c2i2f(p: Point) -> float:
    """Return the loss of a pair of gears whose ratio has to be 3.5 give or take 0.3, and that have to fit into a box.

    ``b + o + 0.2 |z - 18| + 0.1 |Z - 62| + 4 log2(m / 2)^2 + (w - 16)^2 / 50``, z and Z the teeth, m the module, w the
    width, b and o by material and oil. About one point in a hundred satisfies all three constraints.

    Source: this project.
    """
    loss = _GEAR_MATERIALS[p["material"]] + _OILS[p["oil"]]
    loss += 0.2 * abs(p["pinion"] - 18) + 0.1 * abs(p["wheel"] - 62)
    return float(loss + 4 * math.log2(p["module"] / 2) ** 2 + (p["width"] - 16) ** 2 / 50)


# Price, lowest and highest temperature at 1 bar and with one stage.
_CATALYSTS: Final = {
    "ni": (1.0, 600.0, 690.0),
    "pt": (2.0, 700.0, 760.0),
    "fe": (0.0, 600.0, 700.0),
    "cu": (0.3, 520, 620),
}


def reactor_1c1i3f(p: Point) -> float:
    """Return the loss of a reactor; six of seven points fail, and the optimum is on an edge of those that do not.

    ``price + 8 / n + 0.2 n + (700 - T) / 40 + (log10(P) - 1.5)^2 + 2 log2(q / 1.2)^2`` for n stages, T degrees, P bar
    and a feed ratio q. Too cold it does not light (pressure helps), too hot it runs away (sooner with more stages), and
    above 20 n bar or with a ratio 3 times off it fails as well.

    Source: this project.
    """
    price, lights, runs_away = _CATALYSTS[p["catalyst"]]
    n, T, off = p["stages"], p["temperature"], math.log2(p["ratio"] / 1.2)
    decades = math.log10(p["pressure"])
    lit = lights - 60 * decades <= T
    tame = runs_away - 15 * (n - 1) + _EDGES_COUNT >= T
    if not (lit and tame and p["pressure"] <= 20 * n and abs(off) <= math.log2(3)):
        return math.nan
    return float(price + 8 / n + 0.2 * n + (700 - T) / 40 + (decades - 1.5) ** 2 + 2 * off**2)


LIMITED_PROBLEMS: Final = (
    MixedProblem(
        "weld_1c1o1i2f",
        weld_1c1o1i2f,
        (
            _levels("process", tuple(_PROCESSES), "categorical"),
            _levels("wire", _WIRES),
            Parameter("passes", 1, 6, "int"),
            Parameter("current", 60.0, 300.0),
            Parameter("speed", 1.0, 50.0, scale="log"),
        ),
        optimum=0.0,
        minimiser={"process": "mag", "wire": 1.2, "passes": 3, "current": 192.0, "speed": 9.0},
        precision=0.5,
        tune=True,
        grades=GRADES,
    ),
    MixedProblem(
        "grease_3c3f",
        grease_3c3f,
        (
            _levels("base", tuple(_BASES), "categorical"),
            _levels("thickener", tuple(_THICKENERS), "categorical"),
            _levels("additive", tuple(_ADDITIVES), "categorical"),
            Parameter("thickener_percent", 2.0, 30.0),
            Parameter("additive_percent", 0.0, 20.0),
            Parameter("minutes", 1.0, 200.0, scale="log"),
        ),
        optimum=0.4,
        minimiser={
            "base": "pao",
            "thickener": "calcium",
            "additive": "ptfe",
            "thickener_percent": 13.0,
            "additive_percent": 12.0,
            "minutes": 12.0,
        },
        tune=True,
        constraints=("thickener_percent + additive_percent <= 25", "not (base == 'ester' and thickener == 'clay')"),
    ),
    MixedProblem(
        "gears_2c2i2f",
        gears_2c2i2f,
        (
            _levels("material", tuple(_GEAR_MATERIALS), "categorical"),
            _levels("oil", tuple(_OILS), "categorical"),
            Parameter("pinion", 12, 30, "int"),
            Parameter("wheel", 30, 100, "int"),
            Parameter("module", 0.5, 3.0, scale="log"),
            Parameter("width", 4.0, 30.0),
        ),
        optimum=4 * math.log2(0.75) ** 2,
        minimiser={"material": "steel", "oil": "bath", "pinion": 18, "wheel": 62, "module": 1.5, "width": 16.0},
        constraints=("abs(wheel / pinion - 3.5) <= 0.3", "module * (pinion + wheel) / 2 <= 60", "width <= 12 * module"),
    ),
    MixedProblem(
        "reactor_1c1i3f",
        reactor_1c1i3f,
        (
            _levels("catalyst", tuple(_CATALYSTS), "categorical"),
            Parameter("stages", 1, 8, "int"),
            Parameter("temperature", 450.0, 800.0),
            Parameter("pressure", 1.0, 1000.0, scale="log"),
            Parameter("ratio", 0.25, 4.0, scale="log"),
        ),
        optimum=2 + 0.8 + 45 / 40,
        minimiser={"catalyst": "fe", "stages": 4, "temperature": 655.0, "pressure": 10**1.5, "ratio": 1.2},
        worst=40.0,  # about the highest value
    ),
)
