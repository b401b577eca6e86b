"""Test problems whose constraints only an evaluation tells: outcomes that have to keep within limits.

An evaluation that breaks one counts as the worst value in the regret, as a failure does elsewhere: only feasible points
count. The sources are named at each function; x has the shape ``[D]``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final

import numpy as np
from numpy.typing import NDArray

from ordbo_cli.benchmark.suites.benchmark_problem import Observation
from ordbo_cli.problem import Limit, Problem
from ordbo_cli.problem.method import Method
from ordbo_cli.problem.parameter import Number, Parameter

Array = NDArray[np.float64]
Function = Callable[[Array], tuple[float, tuple[float, ...]]]


@dataclass(frozen=True)
class LimitedProblem:
    """A function to minimise under limits of its other results, whose answer is known.

    Args:
        name: its name, the dimension at its end.
        function: maps one point ``[D]`` to its value and its other results, in the order of the limits.
        bounds: lower and upper bound of each parameter.
        limits: of the other results.
        optimum: the lowest feasible value, from the literature or below it by no more than the precision.
        minimiser: a feasible point whose value is near the optimum.
        precision: regret below this counts as this.
        worst: the value that an infeasible point counts as in the regret.
    """

    name: str
    function: Function
    bounds: tuple[tuple[float, float], ...]
    limits: tuple[Limit, ...]
    optimum: float
    minimiser: tuple[float, ...]
    precision: float
    worst: float

    @property
    def dimension(self) -> int:
        """The number of parameters, D."""
        return len(self.bounds)

    def problem(self, method: Method, seed: int = 0) -> Problem:
        """Return the question to put to an optimiser, with parameters x1 to xD."""
        parameters = tuple(Parameter(f"x{k}", low, high) for k, (low, high) in enumerate(self.bounds, 1))
        return Problem(parameters, objective="y", seed=seed, method=method, outcomes=self.limits)

    def observe(self, values: Sequence[Number], seed: int, number: int) -> Observation:
        """Evaluate one point ``[D]``; there is no noise that seed and number could decide."""
        value, others = self.function(np.asarray(values, dtype=np.float64))
        feasible = all(
            limit.holds(Decimal(repr(float(other)))) for limit, other in zip(self.limits, others, strict=True)
        )
        regret = max((value if feasible else self.worst) - self.optimum, self.precision)
        return Observation(value if feasible else None, regret, others, value)


def _sinusoid_2d(x: Array) -> tuple[float, tuple[float, ...]]:
    """Return ``sin(x1) + x2`` and ``sin(x1) sin(x2)``, which has to be -0.95 or less: 1% of the box.

    Source: J. Gardner et al., "Bayesian Optimization with Inequality Constraints", ICML 2014, second simulation. Its
    lowest value is asin(0.95) - 1, at (3 pi / 2, asin(0.95)).
    """
    return math.sin(x[0]) + float(x[1]), (math.sin(x[0]) * math.sin(x[1]),)


def _coil_3d(x: Array) -> tuple[float, tuple[float, ...]]:
    """Return the weight of a coil spring of wire diameter d, coil diameter D and N coils, and its four constraints.

    Source: J. Arora, "Introduction to Optimum Design" (1989), as in C. Coello, "Use of a self-adaptive penalty approach
    for engineering optimization problems", Computers in Industry 41 (2000).
    """
    d, coil, number = map(float, x)
    deflection = 1 - coil**3 * number / (71_785 * d**4)
    bend = coil * d**3 - d**4
    shear = (4 * coil**2 - d * coil) / (12_566 * bend) + 1 / (5_108 * d**2) - 1
    surge = 1 - 140.45 * d / (coil**2 * number)
    return (number + 2) * coil * d**2, (deflection, shear, surge, (d + coil) / 1.5 - 1)


def _welded_beam_4d(x: Array) -> tuple[float, tuple[float, ...]]:
    """Return what a welded beam costs, by h, l, t and b, and shear, bending, deflection, buckling load and h - b.

    Source: as :func:`_coil_3d`, after K. Ragsdell and D. Phillips, J. Eng. Ind. 98 (1976).
    """
    h, l, t, b = map(float, x)  # noqa: E741  # the names of the source
    load, length, young, shear = 6_000.0, 14.0, 30e6, 12e6
    primary = load / (math.sqrt(2) * h * l)
    radius = math.sqrt(l**2 / 4 + ((h + t) / 2) ** 2)
    inertia = 2 * math.sqrt(2) * h * l * (l**2 / 12 + ((h + t) / 2) ** 2)
    secondary = load * (length + l / 2) * radius / inertia
    tau = math.sqrt(primary**2 + primary * secondary * l / radius + secondary**2)
    sigma = 6 * load * length / (b * t**2)
    delta = 4 * load * length**3 / (young * t**3 * b)
    buckling = 4.013 * young * math.sqrt(t**2 * b**6 / 36) / length**2
    buckling *= 1 - t / (2 * length) * math.sqrt(young / (4 * shear))
    return 1.10471 * h**2 * l + 0.04811 * t * b * (14 + l), (tau, sigma, delta, buckling, h - b)


def _most(**limits: str) -> tuple[Limit, ...]:
    return tuple(Limit(name, max=Decimal(end)) for name, end in limits.items())


OUTCOME_PROBLEMS: Final = (
    LimitedProblem(
        name="sinusoid_2d",
        function=_sinusoid_2d,
        bounds=((0.0, 6.0), (0.0, 6.0)),
        limits=_most(c="-0.95"),
        optimum=math.asin(0.95) - 1,
        minimiser=(1.5 * math.pi, math.asin(0.95) + 1e-9),
        precision=1e-8,
        worst=6.02,  # about the highest feasible value
    ),
    LimitedProblem(
        name="coil_3d",
        function=_coil_3d,
        bounds=((0.05, 2.0), (0.25, 1.3), (2.0, 15.0)),
        limits=_most(deflection="0", shear="0", surge="0", diameter="0"),
        optimum=0.012665,
        minimiser=(0.0516898, 0.3567341, 11.2881),
        precision=1e-6,
        worst=1.0,  # feasible wires are thin: far above what they weigh
    ),
    LimitedProblem(
        name="welded_beam_4d",
        function=_welded_beam_4d,
        bounds=((0.1, 2.0), (0.1, 10.0), (0.1, 10.0), (0.1, 2.0)),
        limits=(
            *_most(shear="13600", bending="30000", deflection="0.25"),
            Limit("buckling", min=Decimal(6000)),
            *_most(weld="0"),
        ),
        optimum=1.724852,
        minimiser=(0.20573, 3.4705, 9.03664, 0.205735),
        precision=1e-5,
        worst=68.0,  # about the highest value
    ),
)
