"""The five test problems of the paper's Section 5.

The paper draws two of them without a formula; theirs are the ones that this project settled on.
"""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from ordbo_cli.benchmark.suites import bbob
from ordbo_cli.benchmark.suites.benchmark_problem import BenchmarkProblem, bbob_problem
from ordbo_cli.benchmark.suites.smooth_suite import HARTMANN_CENTRES, HARTMANN_SCALES, HARTMANN_WEIGHTS
from ordbo_cli.ordinal.linalg import Array


def step_1d(x: Array) -> float:
    """Return a smooth descent that ends at its optimum, where the value jumps by 1.6.

    ``-sin(pi x / 1.3)`` for x <= 0.65, else ``0.6 + 0.4 sin(8 pi (x - 0.65))``.

    Source: this project, after the paper's figure of its 1D function.
    """
    if x[0] <= 0.65:
        return -math.sin(math.pi * x[0] / 1.3)
    return 0.6 + 0.4 * math.sin(8 * math.pi * (x[0] - 0.65))


def many_steps_2d(x: Array) -> float:
    """Return a multimodal function of many steps with high conditioning; all values are multiples of 0.5.

    With ``z = 20 (x - (0.4, 0.6))``: ``floor(2 sqrt(z1^2 + 50 z2^2 + 10 (2 - cos(1.5 z1) - cos(1.5 z2)))) / 2
    + 1.5 (floor(2 z1) mod 2)``.

    Source: this project, after the paper's figure of its "many steps" function.
    """
    z1, z2 = 20 * (float(x[0]) - 0.4), 20 * (float(x[1]) - 0.6)
    radius = math.sqrt(z1**2 + 50 * z2**2 + 10 * (2 - math.cos(1.5 * z1) - math.cos(1.5 * z2)))
    return math.floor(2 * radius) / 2 + 1.5 * (math.floor(2 * z1) % 2)


def hartmann_4d(x: Array) -> float:
    """Return four Gaussian wells, smooth and easy for an ordinary Gaussian process.

    ``(1.1 - sum_i alpha_i exp(-sum_j A_ij (x_j - P_ij)^2)) / 0.839``.

    Source: L. C. W. Dixon and G. P. Szego (1978) for the wells (the first four columns of the 6D function);
    V. Picheny, T. Wagner and D. Ginsbourger, "A benchmark of kriging-based infill criteria for noisy optimization",
    Structural and Multidisciplinary Optimization 48 (2013), for the scale.
    """
    wells = np.exp(-np.sum(HARTMANN_SCALES[:, :4] * (x - HARTMANN_CENTRES[:, :4]) ** 2, axis=1))
    return float((1.1 - HARTMANN_WEIGHTS @ wells) / 0.839)


PAPER_PROBLEMS: Final = (
    BenchmarkProblem("step_1d", step_1d, bounds=((0.0, 1.0),), optimum=-1.0, minimiser=(0.65,)),
    BenchmarkProblem(
        "many_steps_2d",
        many_steps_2d,
        bounds=((0.0, 1.0), (0.0, 1.0)),
        optimum=0.0,
        minimiser=(0.4, 0.6),
        precision=0.25,
    ),
    bbob_problem("bent_cigar", bbob.bent_cigar(2)),
    bbob_problem("different_powers", bbob.different_powers(2)),
    BenchmarkProblem(
        "hartmann_4d",
        hartmann_4d,
        bounds=((0.0, 1.0),) * 4,
        optimum=-3.1344941412224,
        minimiser=(0.18739527, 0.19415153, 0.55791778, 0.26477963),
    ),
)
