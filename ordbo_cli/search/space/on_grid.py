"""An acquisition seen where points would be placed: on the values of parameters that have few of them.

Between two values nothing can be evaluated, and yet the acquisition is often lowest there, for it is certain at both
and not in between. On a fine grid that makes no difference, and the slopes along it are worth more. Looked at on the
values alone, though, it keeps to the level that is known to be good: so every other step goes without this.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.problem.axis import Axis
from ordbo_cli.search.cells.acquisition import Acquisition
from ordbo_cli.search.latent_axes import FittedWarp
from ordbo_cli.search.space.space import Space

FEW: Final = 10  # values of a parameter at most, where the acquisition is looked at on them alone


class _Values:
    """The values of one axis in the latent space.

    Args:
        axis: with few values.
        knots, places: of the frame along it [n].
    """

    def __init__(self, axis: Axis, knots: Array, places: Array) -> None:
        values = np.array([float(axis.lattice.value(k)) for k in range(axis.lattice.count)])
        self._places = places
        self._low, self._high = (int(np.searchsorted(knots, end)) for end in (axis.low, axis.high))
        self._latent = np.interp(axis.share(values), axis.share(knots), places)
        # An interval owns the values above its lower knot up to its upper one; the lowest of all is the first's too.
        owner = np.clip(np.searchsorted(knots, values) - 1, self._low, self._high - 1)
        intervals = np.arange(self._low, self._high)
        self._first = np.searchsorted(owner, intervals, side="left")
        self._last = np.searchsorted(owner, intervals, side="right") - 1

    def nearest(self, s: Array) -> Array:
        """Return the latent place of the nearest value of the same interval [P], s itself where that has none."""
        k = np.clip(np.searchsorted(self._places, s) - 1, self._low, self._high - 1) - self._low
        first, last = self._first[k], self._last[k]
        above = np.minimum(np.clip(np.searchsorted(self._latent, s), first, last), len(self._latent) - 1)
        below = np.clip(above - 1, first, above)
        nearer = np.abs(self._latent[below] - s) <= np.abs(self._latent[above] - s)
        return np.where(last < first, s, self._latent[np.where(nearer, below, above)])


@dataclass(frozen=True)
class OnGrids:
    """An acquisition at the nearest values of some axes; it does not change along them but from value to value.

    Args:
        inner: the acquisition.
        values_of: the axes that have few, by place.
    """

    inner: Acquisition
    values_of: Sequence[tuple[int, _Values]]

    @property
    def posterior(self) -> Posterior:
        """The posterior that it judges by."""
        return self.inner.posterior

    def on(self, s: Array) -> Array:
        """Return latent points [P, D] with the nearest values in place of their coordinates on these axes."""
        s = s.copy()
        for j, values in self.values_of:
            s[:, j] = values.nearest(s[:, j])
        return s

    def values(self, s: Array) -> Array:
        """Return values [P] at latent points [P, D]."""
        return self.inner.values(self.on(s))

    def values_with_gradients(self, s: Array) -> tuple[Array, Array]:
        """Return values [P] and their gradients [P, D]."""
        values, gradients = self.inner.values_with_gradients(self.on(s))
        gradients[:, [j for j, _ in self.values_of]] = 0.0
        return values, gradients


def on_grids(acquisition: Acquisition, space: Space, warp: FittedWarp) -> Acquisition:
    """Return an acquisition along the axes of a space as it is where points would be placed."""
    few = [
        (j, _Values(axis, warp.knots[j], warp.coordinates[j]))
        for j, axis in enumerate(space.axes)
        if axis.lattice.count <= FEW
    ]
    return OnGrids(acquisition, few) if few else acquisition
