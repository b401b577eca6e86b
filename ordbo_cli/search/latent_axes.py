"""The axes of the latent space: one for each parameter with an order, one for each level of those without.

A categorical parameter has an axis a level, on which a point is at the far end where it has the level and at the near
end where it has not. Each of these axes has one gap, which is learnt like any other, so two levels a and b are
``sqrt(gap_a^2 + gap_b^2)`` apart: how far a level stands out is all that is learnt of it, and nothing of an order.

A campaign has an axis, too, the last ones: its results lie at the far end of it, the study's own at the near one. So
the latent function of a campaign departs from the study's by as much as its gap says, which is learnt.

========  ==============================================  =========
symbol    meaning                                         shape
========  ==============================================  =========
X         points in the user's units                      [P, D]
u_j, s_j  knots of an axis, and their latent coordinates  [n_j]
s         latent points                                   [P, axes]
========  ==============================================  =========
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array, IntArray, side_by_side
from ordbo_cli.problem import Problem
from ordbo_cli.search.cells.partition import Cell
from ordbo_cli.search.space.space import Space

LEVEL_SCALE: Final = 0.1  # of the latent length of a parameter: what the prior expects of a level's gap
CAMPAIGN_SCALE: Final = 0.1  # the same of a campaign's


class LatentAxes:
    """Which columns of the model belong to which parameter: those with an order first, then the levels.

    Args:
        problem: the problem.
        campaigns: number of campaigns.
    """

    def __init__(self, problem: Problem, campaigns: int = 0) -> None:
        self.problem = problem
        self.campaigns = campaigns
        self.nominal = problem.categorical
        self.ordered = tuple(k for k in range(len(problem.free)) if k not in self.nominal)
        self.space = Space(problem, (), self.ordered)
        levels = sum(len(problem.free[k].levels) for k in self.nominal)
        aside = levels + campaigns
        self.low = np.concatenate([self.space.low, np.zeros(aside)])
        self.high = np.concatenate([self.space.high, np.ones(aside)])
        scales = [np.ones(len(self.ordered)), np.full(levels, LEVEL_SCALE), np.full(campaigns, CAMPAIGN_SCALE)]
        self.scales = np.concatenate(scales)

    @property
    def dimension(self) -> int:
        """How many axes the latent space has."""
        return len(self.low)

    @property
    def groups(self) -> list[list[int]]:
        """The axes of each free parameter: one, or one a level."""
        groups = {k: [j] for j, k in enumerate(self.ordered)}
        first = len(self.ordered)
        for k in self.nominal:
            groups[k] = list(range(first, first + len(self.problem.free[k].levels)))
            first = groups[k][-1] + 1
        return [groups[k] for k in range(len(groups))]

    @property
    def aside(self) -> bool:
        """Whether there are axes beside those of the parameters with an order."""
        return bool(self.nominal) or self.campaigns > 0

    def encoded(self, points: Sequence[Any], campaign: int | None = None) -> Array:
        """Return points of all free parameters as the model takes them [P, axes].

        Args:
            points: of the study, or of a campaign.
            campaign: its place; None for the study.
        """
        X = np.array(points, dtype=np.float64).reshape(-1, len(self.problem.free))
        if not self.aside:
            return X
        levels = [X[:, [k]] == np.arange(len(self.problem.free[k].levels)) for k in self.nominal]
        sources = np.tile(np.arange(self.campaigns) == (-1 if campaign is None else campaign), (len(X), 1))
        return np.hstack([X[:, self.ordered], *levels, sources])

    def shares(self, knots: Sequence[Array]) -> tuple[Array, ...]:
        """Return the knots of each axis as shares of the box, on the parameter's own scale [n_j]."""
        ordered = len(self.ordered)
        return (*self.space.shares(tuple(knots[:ordered])), *knots[ordered:])


@dataclass(frozen=True)
class FittedWarp:
    """Knots and their latent coordinates.

    Args:
        knots: sorted distinct values of each dimension, in the user's units [n_j].
        coordinates: their latent places [n_j].
        low, high: the box, in the user's units [D].
    """

    knots: tuple[Array, ...]
    coordinates: tuple[Array, ...]
    low: Array
    high: Array

    @cached_property
    def box(self) -> Cell:
        """The box between the domain ends."""
        return Cell(
            tuple(int(np.searchsorted(u, x)) for u, x in zip(self.knots, self.low, strict=True)),
            tuple(int(np.searchsorted(u, x)) for u, x in zip(self.knots, self.high, strict=True)),
        )

    def places(self, X: Array) -> IntArray:
        """Return the places among the knots of points whose coordinates are all knots [P, D]."""
        return side_by_side([np.searchsorted(u, X[:, j]) for j, u in enumerate(self.knots)], len(X)).astype(np.int64)

    def below(self, X: Array) -> IntArray:
        """Return the place of the knot below each coordinate of points of the box; on a knot, the one before [P, D]."""
        return np.clip(self.places(X) - 1, self.box.lower, np.array(self.box.upper) - 1)

    def latent(self, X: Array) -> Array:
        """Return the latent coordinates of points whose coordinates are all knots [P, D]."""
        places = self.places(X)
        return side_by_side([s[places[:, j]] for j, s in enumerate(self.coordinates)], len(X))

    def intervals(self, s: Array, within: Cell) -> IntArray:
        """Return the place of the knot below each coordinate of latent points of a box; on a knot, the one before.

        Args:
            s: latent points [P, D].
            within: the box.
        """
        columns = [np.searchsorted(c, s[:, j]) - 1 for j, c in enumerate(self.coordinates)]
        return np.clip(np.stack(columns, axis=1), within.lower, np.array(within.upper) - 1).astype(np.int64)


def extended(warp: FittedWarp, space: Space, X: Array, *, metric: bool) -> FittedWarp:
    """Return a frame that has the coordinates of more points as knots, without moving the ones it had.

    Args:
        X: the points [P, D].
        metric: whether a new knot's latent place follows its original distances to its neighbours; otherwise the new
            knots of one gap divide it evenly, so that order alone counts.
    """
    knots, coordinates = [], []
    for j, axis in enumerate(space.axes):
        u = np.unique(np.concatenate([warp.knots[j], X[:, j]]))
        known, s = warp.knots[j], warp.coordinates[j]
        place = axis.share(u) if metric and axis.parameter.type != "ranked" else np.arange(len(u), dtype=np.float64)
        # Knots that differ may have one place (a log scale, rows far outside): each stays between its neighbours.
        below = s[np.maximum(np.searchsorted(known, u, side="right") - 1, 0)]
        above = s[np.minimum(np.searchsorted(known, u), len(s) - 1)]
        knots.append(u)
        coordinates.append(np.clip(np.interp(place, place[np.isin(u, known)], s), below, above))
    return FittedWarp(tuple(knots), tuple(coordinates), warp.low, warp.high)
