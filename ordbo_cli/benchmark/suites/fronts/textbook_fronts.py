"""The textbook's functions of several objectives, in few dimensions. All have fronts by formula but Kursawe's."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

import numpy as np

from ordbo_cli.benchmark.suites.fronts.front_problem import FrontProblem, Values
from ordbo_cli.benchmark.suites.fronts.sampling import best_of, found_front
from ordbo_cli.ordinal.linalg import Array

_STEPS: Final = 200  # points of a front by formula
_UNIT: Final = (0.0, 1.0)


def _zdt_slope(x: Sequence[float]) -> float:
    return 1.0 + 9.0 * sum(x[1:]) / (len(x) - 1)


def zdt1(x: Sequence[float]) -> Values:
    """Return a convex trade, ``g (1 - sqrt(x1 / g))`` against x1.

    Source: E. Zitzler, K. Deb and L. Thiele, "Comparison of multiobjective evolutionary algorithms: empirical
    results", Evolutionary Computation 8 (2000).
    """
    g = _zdt_slope(x)
    return x[0], g * (1.0 - math.sqrt(x[0] / g))


def zdt2(x: Sequence[float]) -> Values:
    """Return a concave trade, ``g (1 - (x1 / g)^2)`` against x1. Source: as :func:`zdt1`."""
    g = _zdt_slope(x)
    return x[0], g * (1.0 - (x[0] / g) ** 2)


def zdt3(x: Sequence[float]) -> Values:
    """Return a trade in five pieces, ``g (1 - sqrt(x1 / g) - (x1 / g) sin(10 pi x1))``. Source: as :func:`zdt1`."""
    g = _zdt_slope(x)
    return x[0], g * (1.0 - math.sqrt(x[0] / g) - x[0] / g * math.sin(10.0 * math.pi * x[0]))


def dtlz2(x: Sequence[float], objectives: int = 2) -> Values:
    """Return a trade on a quarter of a circle or an eighth of a sphere, ``(1 + g)`` times its radius.

    Source: K. Deb, L. Thiele, M. Laumanns and E. Zitzler, "Scalable test problems for evolutionary multiobjective
    optimization", in Evolutionary Multiobjective Optimization, Springer (2005).
    """
    angles = [0.5 * math.pi * t for t in x[: objectives - 1]]
    radius = 1.0 + sum((t - 0.5) ** 2 for t in x[objectives - 1 :])
    values = []
    for k in range(objectives):
        cosines = math.prod(map(math.cos, angles[: objectives - 1 - k]))
        values.append(radius * cosines * (math.sin(angles[objectives - 1 - k]) if k else 1.0))
    return tuple(values)


def dtlz2_of_three(x: Sequence[float]) -> Values:
    """Return :func:`dtlz2` of three objectives."""
    return dtlz2(x, 3)


def dtlz7(x: Sequence[float]) -> Values:
    """Return a trade in two pieces, ``(1 + g) (2 - x1 / (1 + g) (1 + sin(3 pi x1)))`` against x1.

    Source: as :func:`dtlz2`.
    """
    g = 1.0 + 9.0 * sum(x[1:]) / (len(x) - 1)
    return x[0], (1.0 + g) * 2.0 - x[0] * (1.0 + math.sin(3.0 * math.pi * x[0]))


def fonseca(x: Sequence[float]) -> Values:
    """Return a concave trade between two bells, flat far away from both.

    Source: C. M. Fonseca and P. J. Fleming, "Multiobjective genetic algorithms made easy: selection, sharing and mating
    restriction", in Genetic Algorithms in Engineering Systems (1995).
    """
    centre = 1.0 / math.sqrt(len(x))
    return tuple(1.0 - math.exp(-sum((t - side * centre) ** 2 for t in x)) for side in (1.0, -1.0))


def kursawe(x: Sequence[float]) -> Values:
    """Return a trade in four pieces between an exponential of neighbours and a sum of waves.

    Source: F. Kursawe, "A variant of evolution strategies for vector optimization", in Parallel Problem Solving from
    Nature, Springer (1991).
    """
    first = sum(-10.0 * math.exp(-0.2 * math.hypot(a, b)) for a, b in pairwise(x))
    return first, sum(abs(t) ** 0.8 + 5.0 * math.sin(t**3) for t in x)


def _along_x1(function: Callable[[Sequence[float]], Values], dimension: int, low: float) -> Array:
    """Return the best of the points that x1 alone tells apart [F, 2], all others at their best place."""
    rest = [low] * (dimension - 1)
    return best_of(np.array([function([t, *rest]) for t in np.linspace(0.0, 1.0, 4 * _STEPS + 1)]), _STEPS)


def _sphere() -> Array:
    """Return directions of a simplex lattice on the sphere [F, 3]."""
    steps = 19
    lattice = [(i, j, steps - i - j) for i in range(steps + 1) for j in range(steps + 1 - i)]
    points = np.array(lattice, dtype=np.float64)
    return np.asarray(points / np.linalg.norm(points, axis=1, keepdims=True))


def _fonseca_front() -> Array:
    """Return the values on the line between the centres of the bells [F, 2]."""
    centre = 1.0 / math.sqrt(6)
    return np.array([fonseca([t] * 6) for t in np.linspace(-centre, centre, _STEPS + 1)])


TEXTBOOK_FRONTS: Final = (
    FrontProblem("zdt1_4d", zdt1, (_UNIT,) * 4, partial(_along_x1, zdt1, 4, 0.0), tune=True),
    FrontProblem("zdt2_4d", zdt2, (_UNIT,) * 4, partial(_along_x1, zdt2, 4, 0.0)),
    FrontProblem("zdt3_4d", zdt3, (_UNIT,) * 4, partial(_along_x1, zdt3, 4, 0.0)),
    FrontProblem("dtlz2_5d", dtlz2, (_UNIT,) * 5, partial(_along_x1, dtlz2, 5, 0.5), tune=True),
    FrontProblem("dtlz2_4d_3o", dtlz2_of_three, (_UNIT,) * 4, _sphere, tune=True),
    FrontProblem("dtlz7_4d", dtlz7, (_UNIT,) * 4, partial(_along_x1, dtlz7, 4, 0.0)),
    FrontProblem("fonseca_6d", fonseca, ((-1.0, 1.0),) * 6, _fonseca_front, tune=True),
    FrontProblem("kursawe_3d", kursawe, ((-5.0, 5.0),) * 3, partial(found_front, "kursawe_3d")),
)
