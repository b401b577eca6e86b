"""Exploration under constraints: the point that covers most of what lies far from every row.

How large a cell is says little where most of it is infeasible. So a sample stands for the feasible set: the next point
is the one of them that leaves the squared distances of all of them to the nearest row, in sum, the smallest. It lies
in the middle of the largest hole, not at a border, and never beside a row while there is another hole.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ordbo_cli.ordinal.kernels import squares
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number
from ordbo_cli.search.latent_axes import LatentAxes
from ordbo_cli.search.space.feasible_space import ConstrainedSpace

_APART = 0.5**0.5  # of two levels on their axes: so they are as far from each other as a parameter's bounds


def covering_point(space: ConstrainedSpace, rows: Sequence[Sequence[Number]]) -> tuple[Number, ...] | None:
    """Return the feasible untried point that covers most, or None where no look finds one.

    Args:
        space: of all parameters.
        rows: points that are known, out or given up; of all parameters.
    """
    problem = space.problem
    points = list(dict.fromkeys(map(problem.canonical, space.sample)))
    taken = {*space.tried, *(tuple(map(float, row)) for row in rows)}
    is_open = np.array([tuple(map(float, point)) not in taken for point in points], dtype=bool)
    if not is_open.any():
        return None
    S = _places(LatentAxes(problem), points)
    near = squares(S, _places(LatentAxes(problem), [*rows, *space.tried])).min(axis=1, initial=np.inf)
    left = np.minimum(near[:, None], squares(S, S[is_open])).sum(axis=0)
    return points[int(np.flatnonzero(is_open)[np.argmin(left)])]


def _places(latent_axes: LatentAxes, points: Sequence[Sequence[Number]]) -> Array:
    """Return points as shares of the box, each parameter on its own scale, and of levels as far apart as bounds."""
    ordered = latent_axes.space.unit(latent_axes.space.inputs(points))
    return np.hstack([ordered, _APART * latent_axes.encoded(points)[:, len(latent_axes.ordered) :]])
