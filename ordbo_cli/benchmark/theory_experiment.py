"""How the cumulative latent regret grows, and what the bound of Theorem 1 says of it.

Regret is summed from the first evaluation on, initial ones included, and averaged over draws of the latent prior. Its
growth is the slope of a line through that mean on log-log axes over the second half of the steps, the initial points
left out: these cost the most, and with them even a regret that stays the same would look as if it fell. It is the mean
that is looked at, not each draw's own slope: draws that have found the minimum must not hide those that are stuck.
Intervals hold 95% of bootstrap samples of the draws. The bound takes the known noise, lengths and kernel of the draws,
an upper bound of the maximal gain and the whole beta_n, whatever its scale.

=======  ======================  ========
symbol   meaning                 shape
=======  ======================  ========
``S``    draws
``T``    evaluations of a run
=======  ======================  ========
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from threadpoolctl import threadpool_limits

from ordbo_cli.benchmark.records import RunKey, RunRecord
from ordbo_cli.benchmark.rivals.methods import contestant
from ordbo_cli.benchmark.suites.latent import KERNEL, SIGMA, LatentProblem
from ordbo_cli.benchmark.suites.suite import LATENT
from ordbo_cli.insight import theory
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem.method import BetaSchedule
from ordbo_cli.search import beta_schedule

MARKS: Final = (10, 25, 50)  # numbers of evaluations at which the regret is told, besides the last
_SAMPLES: Final = 2000
_ROUNDING: Final = 1e-9  # of a slope


@dataclass(frozen=True)
class Bound:
    """The bound of Theorem 1 for a method on a problem.

    Args:
        schedule: the method's, whose scale has no part in the bound.
        drift: C of the method's bound on movement; None for none, where there is no theorem: then the bound is that
            of points that stay where they are.
        regret: the bound after 1, 2, ... evaluations [T].
    """

    schedule: BetaSchedule
    drift: float | None
    regret: Array


@dataclass(frozen=True)
class RegretCourse:
    """The cumulative latent regret of a method on a problem.

    Args:
        problem, method: their names.
        regret: of each draw after 1, 2, ... evaluations [S, T].
        initial: how many of these are initial points.
        trivial: the highest regret that there can be, n times the range of f, averaged over draws [T].
        bound: of Theorem 1; None for a method that it is not about.
    """

    problem: str
    method: str
    regret: Array
    initial: int
    trivial: Array
    bound: Bound | None


@dataclass(frozen=True)
class Slope:
    """A slope, and the ends of its 95% bootstrap interval over draws."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class Growth:
    """The figures of a method on a problem.

    Args:
        problem, method: their names.
        draws: number of functions that were minimised.
        regret: mean cumulative latent regret after so many evaluations, all of them the last.
        slope: of the growth on log-log axes over the second half of the steps.
        sublinear: whether the interval of the slope is below 1; None for a single draw, which has no interval.
        bound: of Theorem 1 at the end; None for a method that it is not about.
        excess: the bound by the mean regret.
        trivial: the highest regret that there can be at the end.
        share: the bound by the trivial one: below 1 it says something, from 1 on it is vacuous.
        drift: C of the bound on movement; None for none.
        scale: factor of beta_n in the method, but not in the bound; None where there is no bound.
    """

    problem: str
    method: str
    draws: int
    regret: Mapping[int, float]
    slope: Slope
    sublinear: bool | None
    bound: float | None
    excess: float | None
    trivial: float
    share: float | None
    drift: float | None
    scale: float | None


def courses(runs: Mapping[RunKey, Sequence[RunRecord]]) -> list[RegretCourse]:
    """Arrange the records of an experiment with draws of the latent prior, a course for each problem and method.

    Args:
        runs: complete, on latent problems, with the same numbers of points.
    """
    found: dict[tuple[str, str, int], dict[int, list[float]]] = {}
    for key in runs:
        seeds = found.setdefault((key.problem, key.method, key.initial), {})
        seeds[key.seed] = [float(record.regret or 0.0) for record in runs[key]]
    return [_course(LATENT[problem], method, initial, seeds) for (problem, method, initial), seeds in found.items()]


def _course(problem: LatentProblem, method: str, initial: int, seeds: Mapping[int, Sequence[float]]) -> RegretCourse:
    regret = np.cumsum(np.array(list(seeds.values())), axis=1)
    n = np.arange(1.0, regret.shape[1] + 1)
    with threadpool_limits(limits=1):  # of a draw's many small products
        ranges = [draw.highest - draw.lowest for draw in map(problem.draw, seeds)]
    return RegretCourse(
        problem.name, method, regret, initial, n * float(np.mean(ranges)), _bound(problem, method, len(n))
    )


def _bound(problem: LatentProblem, name: str, total: int) -> Bound | None:
    """Return the bound for a method; None unless it takes the lowest LCB by the schedule, one point at a time."""
    one = contestant(name)
    schedule = one.method.beta
    if not isinstance(schedule, BetaSchedule) or one.method.acquisition != "lcb" or one.method.kernel != KERNEL:
        return None
    if one.batch > 1 or one.method.explore_every:
        return None
    gains = theory.most_gain(theory.greedy_gains(KERNEL, problem.lengths, SIGMA, total), SIGMA)
    bound = theory.RegretBound(SIGMA, one.method.drift or 0.0, problem.dimension)
    regret = [
        bound.regret(n, float(gain), beta_schedule.scheduled_beta(schedule, n, KERNEL, problem.lengths))
        for n, gain in enumerate(gains, 1)
    ]
    return Bound(schedule, one.method.drift, np.array(regret))


def growth(course: RegretCourse) -> Growth:
    """Return the figures of a course."""
    draws, total = course.regret.shape
    mean = course.regret.mean(axis=0)
    slope = slope_of(course.regret[:, course.initial :] - course.regret[:, [course.initial - 1]])
    last = None if course.bound is None else float(course.bound.regret[-1])
    trivial = float(course.trivial[-1])
    return Growth(
        problem=course.problem,
        method=course.method,
        draws=draws,
        regret={n: float(mean[n - 1]) for n in (*(mark for mark in MARKS if mark < total), total)},
        slope=slope,
        sublinear=slope.high < 1.0 - _ROUNDING if draws > 1 else None,
        bound=last,
        excess=None if last is None else last / float(mean[-1]),
        trivial=trivial,
        share=None if last is None else last / trivial,
        drift=None if course.bound is None else course.bound.drift,
        scale=None if course.bound is None else course.bound.schedule.scale,
    )


def slope_of(regret: Array) -> Slope:
    """Return the slope of the mean over draws on log-log axes over the second half of the steps.

    Args:
        regret: positive cumulative regrets [S, T]; of fewer than two steps the slope is 1.
    """
    draws, total = regret.shape
    if total < 2:
        return Slope(1.0, 1.0, 1.0)
    first = max(1, total // 2)
    n, late = np.arange(float(first), total + 1), regret[:, first - 1 :]
    drawn = np.random.default_rng(0).integers(draws, size=(_SAMPLES, draws))
    slopes = [theory.log_log_slope(n, mean) for mean in late[drawn].mean(axis=1)]
    low, high = np.percentile(slopes, (2.5, 97.5))
    return Slope(theory.log_log_slope(n, late.mean(axis=0)), float(low), float(high))
