"""Data profiles: which share of all targets a method has met after so many evaluations.

A target is a regret to come down to. Of each problem and seed there are thirty, at fixed shares of the regret of the
best initial point, which all methods start from: ``10^-0.2``, ``10^-0.4``, ... ``10^-6``. One below the problem's
precision counts as that precision. So every (problem, seed) weighs the same, whatever its units, and a share of 1 means
that every problem was solved to a millionth of what it offered, or to its precision, on every seed. It is the runtime
distribution that COCO draws (Hansen et al. 2021, *COCO: a platform for comparing continuous optimizers in a black-box
setting*), with targets relative to the start as in the data profiles of Moré and Wild (2009, *Benchmarking
derivative-free optimization algorithms*); evaluations are not divided by the dimension, as the budgets are not either.

=======  ==================================  ========
symbol   meaning                             shape
=======  ==================================  ========
``K``    targets of a problem and seed
``S``    seeds
``T``    evaluations of a run
=======  ==================================  ========
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from ordbo_cli.benchmark.scoring.results import Results
from ordbo_cli.ordinal.linalg import Array

TARGETS: Final[Array] = 10.0 ** (-0.2 * np.arange(1, 31))
"""The targets, as shares of the regret of the best initial point [K]."""
_ROUNDING: Final = 1e-12  # relative, of a target


@dataclass(frozen=True)
class Profile:
    """The data profile of a method over all problems and seeds of an experiment.

    Args:
        method: the method.
        course: the share of targets that are met after 1, 2, ... evaluations [T].
        solved: that share at each budget.
        area: its mean over the evaluations after the initial ones, up to each budget: 1 would be to meet all at once.
    """

    method: str
    course: tuple[float, ...]
    solved: dict[int, float]
    area: dict[int, float]


def profiles(found: Results) -> list[Profile]:
    """Return the data profile of every method."""
    return [_profile(found, method) for method in found.methods]


def _profile(found: Results, method: str) -> Profile:
    course = np.mean([targets_met(found, problem, method).mean(axis=0) for problem in found.problems], axis=0)
    return Profile(
        method,
        tuple(course.tolist()),
        {budget: float(course[budget - 1]) for budget in found.budgets},
        {budget: float(course[found.initial : budget].mean()) for budget in found.budgets},
    )


def targets_met(found: Results, problem: str, method: str) -> Array:
    """Return the share of targets that each seed's run has met after 1, 2, ... evaluations [S, T]."""
    best = np.minimum.accumulate(found.regrets[problem, method], axis=1)
    targets = np.maximum(best[:, [found.initial - 1]] * TARGETS, found.precision[problem]) * (1.0 + _ROUNDING)
    met = [np.searchsorted(-levels, -row, side="right") for row, levels in zip(best, targets, strict=True)]
    return np.array(met) / len(TARGETS)
