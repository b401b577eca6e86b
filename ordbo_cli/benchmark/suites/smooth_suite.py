"""Smooth test problems: bowls of all conditions, the textbook's functions and two designs.

Half of them are there to choose settings by (``tune``); the others are only reported.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

import numpy as np

from ordbo_cli.benchmark.suites.bbob_instances import draw_minimiser, draw_rotation
from ordbo_cli.benchmark.suites.benchmark_problem import BenchmarkProblem
from ordbo_cli.benchmark.suites.wide_suite import noisy_levy_3d
from ordbo_cli.ordinal.linalg import Array

HARTMANN_WEIGHTS: Final = np.array([1.0, 1.2, 3.0, 3.2])
_HARTMANN_3_SCALES: Final = np.array([[3.0, 10.0, 30.0], [0.1, 10.0, 35.0]] * 2)
_HARTMANN_3_CENTRES: Final = np.array(
    [[0.3689, 0.1170, 0.2673], [0.4699, 0.4387, 0.7470], [0.1091, 0.8732, 0.5547], [0.0381, 0.5743, 0.8828]]
)
HARTMANN_SCALES: Final = np.array(
    [
        [10.0, 3.0, 17.0, 3.5, 1.7, 8.0],
        [0.05, 10.0, 17.0, 0.1, 8.0, 14.0],
        [3.0, 3.5, 1.7, 10.0, 17.0, 8.0],
        [17.0, 8.0, 0.05, 10.0, 0.1, 14.0],
    ]
)
HARTMANN_CENTRES: Final = np.array(
    [
        [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
        [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
        [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650],
        [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
    ]
)
_FREQUENCIES: Final = np.geomspace(0.25, 4.0, 25)  # of the filter, in units of its corner
_BUTTERWORTH: Final = tuple(2.0 * math.sin((2 * k - 1) * math.pi / 8.0) for k in (1, 2, 3, 4))


def bowl(dimension: int, condition: float, *, rotated: bool, seed: int) -> tuple[Callable[[Array], float], Array]:
    """Return ``sum_i condition^((i-1)/(D-1)) z_i^2`` with ``z = R (x - c)``, and its centre c [D].

    Args:
        dimension: D.
        condition: ratio of the largest to the smallest curvature.
        rotated: whether R is a rotation of BBOB, or the identity.
        seed: of R, and of c in [-4, 4]^D.

    Source: the ellipsoid of every textbook.
    """
    centre = draw_minimiser(seed, dimension)
    rotation = draw_rotation(seed, dimension) if rotated else np.eye(dimension)
    curvatures = np.geomspace(1.0, condition, dimension)

    def value(x: Array) -> float:
        return float(curvatures @ (rotation @ (x - centre)) ** 2)

    return value, centre


def hartmann_3d(x: Array) -> float:
    """Return ``-sum_i a_i exp(-sum_j A_ij (x_j - P_ij)^2)``.

    Source: J. K. Hartman, "Some experiments in global optimization", Naval Research Logistics Quarterly 20 (1973).
    """
    return -float(HARTMANN_WEIGHTS @ np.exp(-np.sum(_HARTMANN_3_SCALES * (x - _HARTMANN_3_CENTRES) ** 2, axis=1)))


def hartmann_6d(x: Array) -> float:
    """Return the same in six dimensions.

    Source: see :func:`hartmann_3d`.
    """
    return -float(HARTMANN_WEIGHTS @ np.exp(-np.sum(HARTMANN_SCALES * (x - HARTMANN_CENTRES) ** 2, axis=1)))


def six_hump_camel_2d(x: Array) -> float:
    """Return ``(4 - 2.1 x1^2 + x1^4 / 3) x1^2 + x1 x2 + (4 x2^2 - 4) x2^2``.

    Source: L. C. W. Dixon and G. P. Szego, "Towards Global Optimisation 2" (1978).
    """
    a, b = float(x[0]), float(x[1])
    return (4.0 - 2.1 * a**2 + a**4 / 3.0) * a**2 + a * b + (4.0 * b**2 - 4.0) * b**2


def levy_4d(x: Array) -> float:
    """Return Levy's function, wavy in every direction, of :func:`.wide_suite.noisy_levy_3d`, without noise."""
    return noisy_levy_3d(x)


def styblinski_tang_3d(x: Array) -> float:
    """Return ``0.5 sum_i (x_i^4 - 16 x_i^2 + 5 x_i)``: a valley for each combination of signs.

    Source: M. A. Styblinski and T.-S. Tang, "Experiments in nonconvex optimization", Neural Networks 3 (1990).
    """
    return 0.5 * float(np.sum(x**4 - 16.0 * x**2 + 5.0 * x))


def zakharov_4d(x: Array) -> float:
    """Return ``sum x_i^2 + s^2 + s^4`` with ``s = sum_i 0.5 i x_i``: a plate that is bent up along one direction.

    Source: the collection of S. Surjanovic and D. Bingham, Virtual Library of Simulation Experiments (2013).
    """
    s = 0.5 * float(np.arange(1, len(x) + 1) @ x)
    return float(x @ x) + s**2 + s**4


def dixon_price_3d(x: Array) -> float:
    """Return ``(x_1 - 1)^2 + sum_{i>1} i (2 x_i^2 - x_{i-1})^2``: a bent valley.

    Source: L. C. W. Dixon and R. C. Price, "Truncated Newton method for sparse unconstrained optimization using
    automatic differentiation", Journal of Optimization Theory and Applications 60 (1989).
    """
    return float((x[0] - 1.0) ** 2 + np.arange(2, len(x) + 1) @ (2.0 * x[1:] ** 2 - x[:-1]) ** 2)


def powell_4d(x: Array) -> float:
    """Return Powell's function, whose curvature at the minimum is singular.

    ``(x1 + 10 x2)^2 + 5 (x3 - x4)^2 + (x2 - 2 x3)^4 + 10 (x1 - x4)^4``

    Source: M. J. D. Powell, "An iterative method for finding stationary values of a function of several variables", The
    Computer Journal 5 (1962).
    """
    a, b, c, d = x.tolist()
    return (a + 10.0 * b) ** 2 + 5.0 * (c - d) ** 2 + (b - 2.0 * c) ** 4 + 10.0 * (a - d) ** 4


def batch_reactor_3d(x: Array) -> float:
    """Return what a batch of A -> B -> C costs for each mole of A, in units of the price of B.

    Two phases at T1 and T2 kelvin, t hours together, half of them each. First-order reactions, ``k1 = 2 exp(7000 (1 /
    350 - 1 / T))`` and ``k2 = 0.4 exp(11000 (1 / 350 - 1 / T))`` an hour. The price of what is B at the end is earned;
    an hour costs 0.03, and heating above 300 K, squared, 0.02 for every 50 K.

    Source: this project, after the textbook's consecutive reactions (O. Levenspiel, "Chemical Reaction Engineering").
    """
    first, second, hours = x.tolist()
    a, b = 1.0, 0.0
    for kelvin in (first, second):
        k1 = 2.0 * math.exp(7000.0 * (1.0 / 350.0 - 1.0 / kelvin))
        k2 = 0.4 * math.exp(11000.0 * (1.0 / 350.0 - 1.0 / kelvin))
        t = 0.5 * hours
        made = a * k1 / (k2 - k1) * (math.exp(-k1 * t) - math.exp(-k2 * t))
        a, b = a * math.exp(-k1 * t), b * math.exp(-k2 * t) + made
    heat = 0.02 * (((first - 300.0) / 50.0) ** 2 + ((second - 300.0) / 50.0) ** 2)
    return 0.03 * hours + heat - b


def filter_fit_4d(x: Array) -> float:
    """Return how far a ladder of two coils and two capacitors is from Butterworth's filter, mean square in dB.

    Normalised elements in the order coil, capacitor, coil, capacitor, between resistors of 1 at both ends, at 25
    frequencies from a quarter of the corner to four times it.

    Source: the ladder network of every textbook on filters; its answer is ``2 sin((2 k - 1) pi / 8)``.
    """
    s = 1j * _FREQUENCIES
    a, b, c, d = np.ones_like(s), np.zeros_like(s), np.zeros_like(s), np.ones_like(s)
    for k, element in enumerate(x.tolist()):
        if k % 2 == 0:  # in series
            b, d = a * s * element + b, c * s * element + d
        else:
            a, c = a + b * s * element, c + d * s * element
    gain = 20.0 * np.log10(2.0 / np.abs(a + b + c + d))
    wanted = -10.0 * np.log10(1.0 + _FREQUENCIES**8)
    return float(np.mean((gain - wanted) ** 2))


def _bowl(name: str, condition: float, *, rotated: bool, seed: int, tune: bool = False) -> BenchmarkProblem:
    dimension = int(name[-2])
    function, centre = bowl(dimension, condition, rotated=rotated, seed=seed)
    return BenchmarkProblem(name, function, ((-5.0, 5.0),) * dimension, 0.0, tuple(centre.tolist()), tune=tune)


SMOOTH_PROBLEMS: Final = (
    _bowl("round_bowl_2d", 1.0, rotated=False, seed=1, tune=True),
    _bowl("tilted_bowl_3d", 1e3, rotated=True, seed=2, tune=True),
    _bowl("needle_bowl_4d", 1e6, rotated=True, seed=3),
    _bowl("long_bowl_5d", 1e2, rotated=False, seed=4),
    BenchmarkProblem(
        "hartmann_3d",
        hartmann_3d,
        bounds=((0.0, 1.0),) * 3,
        optimum=-3.862779787332663,
        minimiser=(0.1145888769, 0.5556488931, 0.8525469848),
        tune=True,
    ),
    BenchmarkProblem(
        "hartmann_6d",
        hartmann_6d,
        bounds=((0.0, 1.0),) * 6,
        optimum=-3.322368011415515,
        minimiser=(0.20168952, 0.15001069, 0.47687398, 0.27533243, 0.31165162, 0.65730053),
    ),
    BenchmarkProblem(
        "six_hump_camel_2d",
        six_hump_camel_2d,
        bounds=((-3.0, 3.0), (-2.0, 2.0)),
        optimum=-1.031628453489877,
        minimiser=(0.08984201, -0.71265640),
    ),
    BenchmarkProblem("levy_4d", levy_4d, bounds=((-10.0, 10.0),) * 4, optimum=0.0, minimiser=(1.0,) * 4, tune=True),
    BenchmarkProblem(
        "styblinski_tang_3d",
        styblinski_tang_3d,
        bounds=((-5.0, 5.0),) * 3,
        optimum=-117.49849711131423,
        minimiser=(-2.903534018185960,) * 3,
    ),
    BenchmarkProblem(
        "zakharov_4d", zakharov_4d, bounds=((-5.0, 10.0),) * 4, optimum=0.0, minimiser=(0.0,) * 4, tune=True
    ),
    BenchmarkProblem(
        "dixon_price_3d",
        dixon_price_3d,
        bounds=((-10.0, 10.0),) * 3,
        optimum=0.0,
        minimiser=(1.0, 2.0**-0.5, 2.0**-0.75),
    ),
    BenchmarkProblem("powell_4d", powell_4d, bounds=((-4.0, 5.0),) * 4, optimum=0.0, minimiser=(0.0,) * 4, tune=True),
    BenchmarkProblem(
        "batch_reactor_3d",
        batch_reactor_3d,
        bounds=((300.0, 420.0), (300.0, 420.0), (0.1, 10.0)),
        optimum=-0.6503306203062716,
        minimiser=(336.75771142, 330.41040074, 2.7333955),
        scales=("linear", "linear", "log"),
        tune=True,
    ),
    BenchmarkProblem(
        "filter_fit_4d",
        filter_fit_4d,
        bounds=((0.1, 10.0),) * 4,
        optimum=0.0,
        minimiser=_BUTTERWORTH,
        scales=("log",) * 4,
    ),
)
