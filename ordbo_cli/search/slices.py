"""A line or a plane through the latent space: the cells that it meets, their bounds, and where its minimum may be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from ordbo_cli.method import PartitionKind
from ordbo_cli.ordinal.arrays import Array, IntArray
from ordbo_cli.search.acquisition import jittered_cholesky
from ordbo_cli.search.crew import crew_of
from ordbo_cli.search.minimise import minima
from ordbo_cli.search.partition import Cell, Partition
from ordbo_cli.search.view import View

_STREAM = 6  # of the random numbers here
_GROUPS = 8  # of samples, each with points of its own: a covariance is factored for each


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
        return len(self.axes) == self.view.space.dimension

    @cached_property
    def cells(self) -> list[Cell]:
        """The cells that it meets."""
        frame = self.view.known.frame
        held = [j for j in range(self.view.space.dimension) if j not in self.axes]
        interval = frame.intervals(self.view.centre[None, :], frame.box)[0]
        return list(self.partition.cells({j: int(interval[j]) for j in held}))

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

    @cached_property
    def bounds(self) -> Array:
        """The lowest lower confidence bound of each cell, on the slice [C]."""
        low, high = (self.points(edge) for edge in self.edges(self.view.known.frame.coordinates))
        with crew_of(1) as crew:
            s = minima(self.view.acquisition, low, high, self._rng(), crew)
            return self.view.acquisition.values(s)

    def thompson(self, samples: int) -> tuple[IntArray, Array]:
        """Return joint samples' minima on the slice: the cells that hold them [samples], and the points [samples, D].

        Every cell has one random point in the draw, as in the paper; some samples share these points, which spares
        factoring a covariance for each.
        """
        low, high = (self.points(edge) for edge in self.edges(self.view.known.frame.coordinates))
        rng, posterior = self._rng(), self.view.known.posterior
        cells, points = [], []
        with crew_of(1):
            for group in np.array_split(np.arange(samples), min(_GROUPS, samples)):
                s = low + (high - low) * rng.random(low.shape)
                mean, _ = posterior.moments(s)
                draws = jittered_cholesky(posterior.covariance(s)) @ rng.standard_normal((len(s), len(group)))
                winners = np.argmin(mean[:, None] + draws, axis=0)
                cells.append(winners)
                points.append(s[winners])
        return np.concatenate(cells), np.vstack(points)

    def near(self, s: Array) -> Array:
        """Return whether latent points lie on the slice [P]."""
        held = [j for j in range(self.view.space.dimension) if j not in self.axes]
        return np.all(s[:, held] == self.view.centre[held], axis=1)

    def _rng(self) -> np.random.Generator:
        return np.random.default_rng([self.view.problem.seed, len(self.view.evaluations), _STREAM])


def slice_of(view: View, axes: Sequence[int], kind: PartitionKind | None = None) -> Slice:
    """Return a slice through the best point.

    Args:
        axes: the parameters that vary.
        kind: which cells; None for those of the method.
    """
    return Slice(view, tuple(axes), view.cells(kind))
