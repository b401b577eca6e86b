"""The wider set of test problems that the paper's last paragraph asks for.

Ill-conditioned, discontinuous, plateau-ridden, noisy or partly failing functions in 1 to 10 dimensions. Half of them
are there to choose settings by (``tune``); the others are only reported.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from ordbo_cli.benchmark.suites import bbob
from ordbo_cli.benchmark.suites.benchmark_problem import BenchmarkProblem, bbob_problem
from ordbo_cli.ordinal.linalg import Array

_ACKLEY_CENTRE: Final = np.array([3.3, -5.7])
_STAIR: Final = 0.62
_NEAR: Final = np.array([2e-5, 5e-4])
_CORNER: Final = np.array([1.0, 0.0] * 5)
_CORNER_WEIGHTS: Final = np.geomspace(1.0, 100.0, 10)
_STABLE_STEP: Final = 4e-3
_RELAXATION: Final = 0.03
_DISK_RADIUS: Final = 1 / 3
_DISK_NORMAL: Final = np.array([0.6, 0.8])


def noisy_stairs_1d(x: Array) -> float:
    """Return stairs down to a landing of width 0.025 whose far edge is a cliff; observed with heavy-tailed noise.

    ``floor(40 |x - 0.62|) / 4 + 3 [x > 0.62]``: 0 for 0.595 < x <= 0.62. Noise: 0.2 times Student's t of 2 degrees.

    Source: this project.
    """
    return math.floor(40 * abs(float(x[0]) - _STAIR)) / 4 + 3.0 * (float(x[0]) > _STAIR)


def ackley_plateaus_2d(x: Array) -> float:
    """Return Ackley's function rounded down to halves: a hilly plain, almost flat, with one narrow hole.

    ``floor(2 A) / 2``, ``A = 20 (1 - exp(-0.2 |u| / sqrt(2))) + e - exp(mean_i cos(2 pi u_i))``, u = x - (3.3, -5.7).

    Source: D. H. Ackley, "A Connectionist Machine for Genetic Hillclimbing" (1987); the steps are this project's.
    """
    u = x - _ACKLEY_CENTRE
    bowl = 20 * (1 - math.exp(-0.2 * math.sqrt(float(np.mean(u**2)))))
    ripple = math.e - math.exp(float(np.mean(np.cos(2 * np.pi * u))))
    return math.floor(2 * max(bowl + ripple, 0.0)) / 2


def near_bound_2d(x: Array) -> float:
    """Return a function whose optimum is orders of magnitude nearer to a bound than the range, on a linear scale.

    ``sum_i log10((x_i + 1e-8) / (t_i + 1e-8))^2`` with t = (2e-5, 5e-4): what a user gets who forgot ``scale: log``.

    Source: this project.
    """
    return float(np.sum(np.log10((x + 1e-8) / (_NEAR + 1e-8)) ** 2))


def stiff_integrator_2d(x: Array) -> float:
    """Return the effort of an explicit integrator: it falls with the step until the step is unstable and the run fails.

    ``4e-3 / h - 1 + w / 0.03 + 0.03 / w - 2`` for h <= 4e-3, else a failure: 30% of the box on its logarithmic scales
    fail, the optimum lies on the edge, and values span nine decades.

    Source: this project, after the stability limit ``h <= 2 / lambda`` of Euler's method.
    """
    h, w = float(x[0]), float(x[1])
    if h > _STABLE_STEP:
        return math.nan
    return (_STABLE_STEP / h - 1) + (w / _RELAXATION + _RELAXATION / w - 2)


def pipe_friction_2d(x: Array) -> float:
    """Return what an oil pipe costs by its diameter d and the oil's viscosity m, with a jump where the flow turns.

    All in units of the best design. Heating thins the oil: less friction, until the Reynolds number 2300 / (d m) passes
    2300, where the friction jumps by 64%. ``loss + 2.25 d^2 + 0.5 ln(10 / m)``; the loss is ``m / d^4`` for laminar
    flow (d m >= 1, Hagen and Poiseuille), times ``(0.316 / 64) Re^0.75`` for turbulent flow (Blasius). The optimum,
    d = m = 1, is on the edge.

    Source: this project, from the textbook laws.
    """
    d, m = float(x[0]), float(x[1])
    loss = m / d**4
    if d * m < 1:
        loss *= 0.316 / 64 * (2300 / (d * m)) ** 0.75
    return loss + 2.25 * d**2 + 0.5 * math.log(10 / m)


def disk_failure_2d(x: Array) -> float:
    """Return an ellipse, condition 30, whose lowest point is inside a disk where everything fails: 35% of the box.

    ``100 (n'(x - a))^2 + 3000 (t'(x - a))^2`` with n = (0.6, 0.8), t = (-0.8, 0.6); the disk has centre (0.5, 0.5) and
    radius 1/3, and a lies 0.1 inside its edge at c + n / 3, which is the best point that succeeds.

    Source: this project.
    """
    offset = x - 0.5
    if offset @ offset < _DISK_RADIUS**2 - 1e-15:  # rounding leaves the minimiser on the edge
        return math.nan
    outward = float(_DISK_NORMAL @ offset) - _DISK_RADIUS + 0.1
    along = float(_DISK_NORMAL[0] * offset[1] - _DISK_NORMAL[1] * offset[0])
    return 100 * outward**2 + 3000 * along**2


def noisy_levy_3d(x: Array) -> float:
    """Return Levy's function, wavy in every direction; observed with normal noise of standard deviation 0.5.

    With ``w = 1 + (x - 1) / 4``: ``sin^2(pi w_1) + sum_{i<D} (w_i - 1)^2 (1 + 10 sin^2(pi w_i + 1))
    + (w_D - 1)^2 (1 + sin^2(2 pi w_D))``.

    Source: M. Laguna and R. Marti, "Experimental testing of advanced scatter search designs for global optimization of
    multimodal functions", Journal of Global Optimization 33 (2005); the noise is this project's.
    """
    w = 1 + (x - 1) / 4
    middle = np.sum((w[:-1] - 1) ** 2 * (1 + 10 * np.sin(np.pi * w[:-1] + 1) ** 2))
    last = (w[-1] - 1) ** 2 * (1 + np.sin(2 * np.pi * w[-1]) ** 2)
    return float(np.sin(np.pi * w[0]) ** 2 + middle + last)


def corner_stairs_10d(x: Array) -> float:
    """Return stairs down to a corner of the box, their heights spread over two decades.

    ``sum_i 100^((i-1)/9) floor(8 |x_i - c_i|) / 8`` with the corner c = (1, 0, 1, 0, ...).

    Source: this project.
    """
    return float(_CORNER_WEIGHTS @ np.floor(8 * np.abs(x - _CORNER)) / 8)


def _heavy_tails(value: float, rng: np.random.Generator) -> float:
    return value + 0.2 * float(rng.standard_t(2))


def _normal_noise(value: float, rng: np.random.Generator) -> float:
    return value + 0.5 * float(rng.normal())


WIDE_PROBLEMS: Final = (
    BenchmarkProblem(
        "noisy_stairs_1d",
        noisy_stairs_1d,
        bounds=((0.0, 1.0),),
        optimum=0.0,
        minimiser=(_STAIR,),
        precision=0.125,
        noise=_heavy_tails,
    ),
    BenchmarkProblem(
        "ackley_plateaus_2d",
        ackley_plateaus_2d,
        bounds=((-10.0, 10.0),) * 2,
        optimum=0.0,
        minimiser=tuple(_ACKLEY_CENTRE.tolist()),
        precision=0.25,
        tune=True,
    ),
    BenchmarkProblem(
        "near_bound_2d",
        near_bound_2d,
        bounds=((0.0, 1.0),) * 2,
        optimum=0.0,
        minimiser=tuple(_NEAR.tolist()),
        tune=True,
    ),
    BenchmarkProblem(
        "stiff_integrator_2d",
        stiff_integrator_2d,
        bounds=((1e-8, 1.0), (1e-4, 1e2)),
        optimum=0.0,
        minimiser=(_STABLE_STEP, _RELAXATION),
        scales=("log", "log"),
        worst=4.04e5,  # about the highest value in the box
        tune=True,
    ),
    BenchmarkProblem(
        "pipe_friction_2d",
        pipe_friction_2d,
        bounds=((0.5, 2.0), (0.1, 10.0)),
        optimum=3.25 + 0.5 * math.log(10),
        minimiser=(1.0, 1.0),
        scales=("linear", "log"),
    ),
    BenchmarkProblem(
        "disk_failure_2d",
        disk_failure_2d,
        bounds=((0.0, 1.0),) * 2,
        optimum=1.0,
        minimiser=(0.5 + 0.2, 0.5 + 0.8 / 3),
        worst=1500.0,  # about the highest value in the box
    ),
    BenchmarkProblem(
        "noisy_levy_3d",
        noisy_levy_3d,
        bounds=((-10.0, 10.0),) * 3,
        optimum=0.0,
        minimiser=(1.0,) * 3,
        noise=_normal_noise,
        tune=True,
    ),
    # The landing around the optimum of f7 is next to one that is 0.1 * 0.1^2 higher or more; half of that.
    bbob_problem("step_ellipsoid", bbob.step_ellipsoid(3), precision=5e-4, tune=True),
    bbob_problem("sharp_ridge", bbob.sharp_ridge(3)),
    bbob_problem("ellipsoid", bbob.ellipsoid(4)),
    bbob_problem("attractive_sector", bbob.attractive_sector(5), tune=True),
    bbob_problem("schaffers", bbob.schaffers(5)),
    bbob_problem("rastrigin", bbob.rastrigin(6), tune=True),
    BenchmarkProblem(
        "corner_stairs_10d",
        corner_stairs_10d,
        bounds=((0.0, 1.0),) * 10,
        optimum=0.0,
        minimiser=tuple(_CORNER.tolist()),
        precision=1 / 16,
    ),
)
