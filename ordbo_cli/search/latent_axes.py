"""The axes of the latent space: one for each parameter with an order, one for each level of those without.

A categorical parameter has an axis a level, on which a point is at the far end where it has the level and at the near
end where it has not. Each of these axes has one gap, which is learnt like any other, so two levels a and b are
``sqrt(gap_a^2 + gap_b^2)`` apart: how far a level stands out is all that is learnt of it, and nothing of an order.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.problem import Problem
from ordbo_cli.search.space.space import Space

LEVEL_SCALE: Final = 0.1  # of the latent length of a parameter: what the prior expects of a level's gap


class LatentAxes:
    """Which columns of the model belong to which parameter: those with an order first, then the levels.

    Args:
        problem: the problem.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.nominal = problem.categorical
        self.ordered = tuple(k for k in range(len(problem.free)) if k not in self.nominal)
        self.space = Space(problem, (), self.ordered)
        levels = sum(len(problem.free[k].levels) for k in self.nominal)
        self.low = np.concatenate([self.space.low, np.zeros(levels)])
        self.high = np.concatenate([self.space.high, np.ones(levels)])
        self.scales = np.concatenate([np.ones(len(self.ordered)), np.full(levels, LEVEL_SCALE)])

    @property
    def dimension(self) -> int:
        """How many axes the latent space has."""
        return len(self.low)

    def encoded(self, points: Sequence[Any]) -> Array:
        """Return points of all free parameters as the model takes them [P, axes]."""
        X = np.array(points, dtype=np.float64).reshape(-1, len(self.problem.free))
        if not self.nominal:
            return X
        levels = [X[:, [k]] == np.arange(len(self.problem.free[k].levels)) for k in self.nominal]
        return np.hstack([X[:, self.ordered], *levels])

    def shares(self, knots: Sequence[Array]) -> tuple[Array, ...]:
        """Return the knots of each axis as shares of the box, on the parameter's own scale [n_j]."""
        ordered = len(self.ordered)
        return (*self.space.shares(tuple(knots[:ordered])), *knots[ordered:])
