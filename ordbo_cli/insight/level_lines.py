"""Lines through the whole space, one for each level without an order: what the model makes of what lies there.

======  ==================================  ======
symbol  meaning                             shape
======  ==================================  ======
K       free parameters
P       points
======  ==================================  ======
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ordbo_cli.insight.inspection import View
from ordbo_cli.ordinal.linalg import Array, BoolArray
from ordbo_cli.problem import Number
from ordbo_cli.search.surrogate import placed
from ordbo_cli.search.threads import thread_pool

Point = tuple[Number, ...]


def moments_at(view: View, points: Sequence[Sequence[Number]]) -> tuple[Array, Array]:
    """Return means and standard deviations of the latent function at points of all free parameters [P]."""
    if not len(points):
        return np.zeros(0), np.zeros(0)
    with thread_pool(1):
        s = placed(view.whole.latent_axes, view.model.warp, view.model.fit, points)
        mean, variance = view.model.posterior.moments(s)
    return mean, np.sqrt(variance)


def start_of(view: View) -> Point:
    """Return the point that lines go through: the one that leads, or before any the lowest of the part looked at."""
    return view.space.held if view.leader is None else view.leader.values


@dataclass(frozen=True)
class LevelLine:
    """The points with one level, all else as where the study leads.

    Args:
        view: what is looked at.
        through: the point with that level. What counts there and not where the study leads is as at the best result
            with the level, or lowest where there is none.
        k: the parameter that varies, by place among the free ones.
    """

    view: View
    through: Point
    k: int

    @classmethod
    def at(cls, view: View, parameter: int, level: int, k: int) -> LevelLine:
        """Return the line at a level of a parameter."""
        problem, start = view.problem, start_of(view)
        with_level = (*start[:parameter], level, *start[parameter + 1 :])
        here = np.flatnonzero((view.inputs[:, parameter] == level) & view.counts[:, parameter] & view.inside)
        if len(here):
            nearest = view.evaluations[here[np.argmin(view.ranks[here])]].values
            before = problem.active(start)
            with_level = tuple(
                x if on or place == parameter else y
                for place, (x, y, on) in enumerate(zip(with_level, nearest, before, strict=True))
            )
        return cls(view, problem.canonical(with_level), k)

    @property
    def counts(self) -> bool:
        """Whether the parameter that varies counts there."""
        return self.view.problem.active(self.through)[self.k]

    def points(self, values: Array) -> list[Point]:
        """Return the points with values of the parameter that varies [P]."""
        k, number = self.k, int if self.view.problem.free[self.k].is_whole else float
        with_values = [(*self.through[:k], number(x), *self.through[k + 1 :]) for x in values]
        return [self.view.problem.canonical(x) for x in with_values]

    def holds(self, X: Array) -> BoolArray:
        """Return whether points of all parameters lie on it [P]."""
        along = self.points(X[:, self.k])
        return np.array([tuple(map(float, x)) == tuple(y) for x, y in zip(along, X.tolist(), strict=True)], dtype=bool)
