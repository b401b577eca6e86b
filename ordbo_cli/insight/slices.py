"""A line or a plane through the latent space: the cells that it meets, their bounds, and where its minimum may be.

======  =============================  ======
symbol  meaning                        shape
======  =============================  ======
A       axes of the slice, one or two
P       points on it
s       latent points                  [P, D]
======  =============================  ======
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from ordbo_cli.insight.box_minima import WORK, minima
from ordbo_cli.insight.coarse_boxes import Boxes, boxes_of
from ordbo_cli.insight.inspection import View
from ordbo_cli.ordinal.linalg import Array, BoolArray, IntArray
from ordbo_cli.problem.method import PartitionKind
from ordbo_cli.problem.streams import Stream
from ordbo_cli.search.cells.acquisition import jittered_cholesky
from ordbo_cli.search.cells.partition import Cell, Partition
from ordbo_cli.search.threads import thread_pool

MOST_CELLS: Final = 1_000  # on a slice; where there are more, boxes of several stand for them
_GROUPS: Final = 8  # of samples, each with points of its own: a covariance is factored for each


@dataclass(frozen=True)
class Slice:
    """What two parameters (or one) do while the others stay where the best point has them.

    Args:
        view: what is looked at.
        axes: the parameters that vary, by place: one or two.
        partition: the cells.
    """

    view: View
    axes: tuple[int, ...]
    partition: Partition

    @property
    def whole(self) -> bool:
        """Whether every parameter varies."""
        return not self._held

    @property
    def cells(self) -> list[Cell]:
        """The cells that it meets; of more than :data:`MOST_CELLS`, about as many boxes, the larger ones divided."""
        return self._boxes.boxes

    @property
    def coarse(self) -> int:
        """How many of :attr:`cells` stand for several cells, too small to be looked at one by one."""
        return self._boxes.coarse

    @cached_property
    def open(self) -> BoolArray:
        """Whether the method would look into each cell: one is closed where every point was tried or a result is out.

        A box that stands for several cells is taken for open [C].
        """
        closed = self.view.closed
        return np.array([closed(cell) is None for cell in self.cells], dtype=bool)

    @cached_property
    def next_cell(self) -> int | None:
        """The place among :attr:`cells` of the one that holds the next point; None where the slice misses it."""
        interval = self.view.next_interval
        if interval is None:
            return None
        holding = self.partition.cell_at(interval)
        return self.cells.index(holding) if holding in self.cells else None

    def edges(self, knots: Sequence[Array]) -> tuple[Array, Array]:
        """Return lower and upper edges of the cells along the slice's axes [C, axes].

        Args:
            knots: of each dimension, in the units that are wanted.
        """
        low = np.array([[knots[j][cell.lower[j]] for j in self.axes] for cell in self.cells])
        high = np.array([[knots[j][cell.upper[j]] for j in self.axes] for cell in self.cells])
        return low, high

    def points(self, along: Array) -> Array:
        """Return latent points [P, D] of the slice, given their coordinates along its axes [P, axes]."""
        s = np.tile(self.view.centre, (len(along), 1))
        s[:, self.axes] = along
        return s

    def inputs(self, along: Array) -> Array:
        """Return points [P, D] of the slice in the user's units, given their values along its axes [P, axes]."""
        X = np.tile(self.view.through, (len(along), 1))
        X[:, self.axes] = along
        return X

    @cached_property
    def bounds(self) -> Array:
        """The lowest lower confidence bound of each cell, on the slice [C]; with many rows, those of few looks."""
        low, high = (self.points(edge) for edge in self.edges(self.view.surrogate.warp.coordinates))
        with thread_pool(1) as pool:
            return minima(self.view.acquisition, low, high, pool)[1]

    def thompson(self, samples: int) -> tuple[IntArray, Array]:
        """Return joint samples' minima on the slice: the cells that hold them [samples], and the points [samples, D].

        Every cell has one random point in the draw, as in the paper; some samples share these points, which spares
        factoring a covariance for each: all of them where there are many cells.
        """
        low, high = (self.points(edge) for edge in self.edges(self.view.surrogate.warp.coordinates))
        rng, posterior = self._rng(), self.view.surrogate.posterior
        C, M = len(low), len(posterior.S)
        groups = min(samples, max(1, min(_GROUPS, int(WORK / (C * M**2 + C**2 * M + C**3)))))
        cells, points = [], []
        with thread_pool(1):
            for group in np.array_split(np.arange(samples), groups):
                s = low + (high - low) * rng.random(low.shape)
                mean, _ = posterior.moments(s)
                draws = jittered_cholesky(posterior.covariance(s)) @ rng.standard_normal((len(s), len(group)))
                winners = np.argmin(mean[:, None] + draws, axis=0)
                cells.append(winners)
                points.append(s[winners])
        return np.concatenate(cells), np.vstack(points)

    def holds(self, X: Array) -> BoolArray:
        """Return whether points in the user's units lie on the slice [P]."""
        if self.whole:
            return np.ones(len(X), dtype=bool)
        if self.view.leader is None:
            return np.zeros(len(X), dtype=bool)
        return np.all(X[:, self._held] == self.view.through[self._held], axis=1)

    @cached_property
    def evaluated(self) -> BoolArray:
        """Whether each evaluation lies on the slice [N]."""
        return self.holds(self.view.X) & self.view.here

    @cached_property
    def shown(self) -> BoolArray:
        """Whether each evaluation has a place in the picture: within the bounds, where the slice's axes count [N]."""
        columns = [self.view.space.columns[j] for j in self.axes]
        return np.asarray(self.view.inside & np.all(self.view.counts[:, columns], axis=1))

    @property
    def _held(self) -> list[int]:
        return [j for j in range(self.view.space.dimension) if j not in self.axes]

    @cached_property
    def _boxes(self) -> Boxes:
        warp, box = self.view.surrogate.warp, self.view.surrogate.warp.box
        interval = warp.intervals(self.view.centre[None, :], box)[0]
        through = {j: int(interval[j]) for j in self._held}
        lengths = [s[high] - s[low] or 1.0 for s, low, high in zip(warp.coordinates, box.lower, box.upper, strict=True)]
        latent = tuple(s / length for s, length in zip(warp.coordinates, lengths, strict=True))
        following = self.view.next_interval
        apart = [] if following is None else [following]
        return boxes_of(self.partition, through, MOST_CELLS, (latent, self.view.space.shares(warp.knots)), apart)

    def _rng(self) -> np.random.Generator:
        return np.random.default_rng([self.view.problem.seed, len(self.view.evaluations), Stream.SLICES])


def slice_of(view: View, axes: Sequence[int], kind: PartitionKind | None = None) -> Slice:
    """Return a slice through the best point.

    Args:
        axes: the parameters that vary.
        kind: which cells; None for those of the method.
    """
    return Slice(view, tuple(axes), view.cells(kind))
