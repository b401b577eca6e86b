"""Main effects: what each value or level of a parameter does to the expected rank, all others drawn at random.

For each parameter, points are drawn evenly from the space; the parameter is set to each of some values at all of them
where it counts, and their expected ranks are averaged (the partial dependence of Friedman 2001). Under constraints the
points that violate one do not count. Beside that stands the expected rank with all else as at the point that leads.

======  ============================================  ======
symbol  meaning                                       shape
======  ============================================  ======
G       values of a parameter that are looked at
S       points drawn
K       free parameters
======  ============================================  ======
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ordbo_cli.insight.inspection import View
from ordbo_cli.insight.level_lines import LevelLine, Point
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number
from ordbo_cli.problem.axis import Axis, nearest
from ordbo_cli.problem.streams import Stream
from ordbo_cli.search.prediction import expected_ranks
from ordbo_cli.search.surrogate import placed
from ordbo_cli.search.threads import thread_pool

_VALUES: Final = 17  # of a parameter with an order that are looked at, at most
_LEVELS: Final = 40  # of a parameter with levels
_POINTS: Final = (16, 128)  # drawn, fewest and most
_WORK: Final = 4e9  # products of covariances in all, about two seconds
_DRAWS: Final = 8  # times as many are drawn where constraints or conditions leave few


@dataclass(frozen=True)
class Effect:
    """What a parameter does to the expected rank, 1 the best.

    Args:
        k: the parameter, by place among the free ones.
        values: that are looked at, levels by their places [G].
        mean: expected rank on average over the space [G]; NaN where no feasible point has the value.
        low, high: lower and upper quartile over the space [G].
        lead: expected rank with all else as at the point that leads [G]; NaN where nothing leads, or it does not count.
    """

    k: int
    values: Array
    mean: Array
    low: Array
    high: Array
    lead: Array

    @property
    def size(self) -> float:
        """By how much the mean differs between the worst value and the best."""
        known = self.mean[np.isfinite(self.mean)]
        return float(np.ptp(known)) if len(known) else 0.0


def main_effects(view: View, wanted: Sequence[int]) -> list[Effect]:
    """Return the effects of parameters, by place among the free ones, in the order given.

    Nothing is known before the first result or comparison: then all ranks are 1.
    """
    grids = [_values(view, k) for k in wanted]
    model = view.model.fit.data.points or 1
    number = int(np.clip(_WORK / (model**2 * sum(map(len, grids))), *_POINTS))
    drawn = _drawn(view, number)
    with thread_pool(1):
        return [_effect(view, k, values, drawn) for k, values in zip(wanted, grids, strict=True)]


def _values(view: View, k: int) -> Array:
    """Return the values of a parameter that are looked at: all of few, else some, evenly on its own scale [G].

    That of the point that leads is one of them.
    """
    parameter = view.problem.free[k]
    axis = Axis(parameter, view.orders)
    most = _LEVELS if parameter.levels else _VALUES
    shares = np.linspace(0.0, 1.0, most)
    values = [float(nearest(axis.lattice, axis.between(axis.low, axis.high, float(share)))) for share in shares]
    if view.leader is not None and view.problem.active(view.leader.values)[k]:
        values.append(float(view.leader.values[k]))
    return np.unique(values)


def _drawn(view: View, number: int) -> list[Point]:
    """Return points of the box, evenly spread along each parameter: a Latin hypercube on the parameters' own scales."""
    problem = view.problem
    rng = np.random.default_rng([problem.seed, len(view.evaluations), Stream.EFFECTS])
    rows = number * _draws(view)
    columns: list[list[Number]] = []
    for parameter in problem.free:
        axis = Axis(parameter, view.orders)
        shares = ((rng.permutation(rows) + rng.random(rows)) / rows).tolist()
        if parameter.is_whole:
            columns.append([axis.drawn(0, axis.lattice.count - 1, share) for share in shares])
        else:
            columns.append([axis.between(axis.low, axis.high, share) for share in shares])
    return list(zip(*columns, strict=True))


def _draws(view: View) -> int:
    """Return how many times as many points are drawn as count: constraints and conditions leave some."""
    return _DRAWS if view.problem.constraints or any(p.when for p in view.problem.free) else 1


def _effect(view: View, k: int, values: Array, drawn: Sequence[Point]) -> Effect:
    problem, whole = view.problem, view.problem.free[k].is_whole
    most = len(drawn) // _draws(view)
    points: list[Point] = []
    counts = []
    for value in values.tolist():
        at = [(*x[:k], int(value) if whole else value, *x[k + 1 :]) for x in drawn]
        some = [problem.canonical(x) for x in at if problem.active(x)[k] and problem.satisfies_constraints(x)][:most]
        points += some
        counts.append(len(some))
    ranks = np.split(_ranks(view, points), np.cumsum(counts)[:-1])
    mean = np.array([some.mean() if len(some) else np.nan for some in ranks])
    low, high = (
        np.array([np.percentile(some, share) if len(some) else np.nan for some in ranks]) for share in (25, 75)
    )
    return Effect(k, values, mean, low, high, _at_the_lead(view, k, values))


def _at_the_lead(view: View, k: int, values: Array) -> Array:
    """Return expected ranks along a parameter with all else as at the point that leads [G]."""
    leader, problem = view.leader, view.problem
    if leader is None or not problem.active(leader.values)[k]:
        return np.full(len(values), np.nan)
    nominal = problem.free[k].type == "categorical"
    start = LevelLine(view, leader.values, k)
    lines = [LevelLine.at(view, k, int(value), k) if nominal else start for value in values]
    points = [line.points(np.array([value]))[0] for line, value in zip(lines, values, strict=True)]
    found = _ranks(view, points)
    found[[not problem.satisfies_constraints(x) for x in points]] = np.nan
    return found


def _ranks(view: View, points: Sequence[Point]) -> Array:
    fit, given = view.model.fit, view.whole
    if not view.evaluations or not points:
        return np.ones(len(points))
    s = placed(given.latent_axes, view.model.warp, fit, points)
    return expected_ranks(fit, fit.posterior(given.problem.method.kernel), given, s)
