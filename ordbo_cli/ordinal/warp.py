"""The input warp (equation 1): positive gaps between neighbouring knots, summed to latent coordinates.

The gaps of all dimensions stand in one vector [G]. They are either free within bounds, or follow from coordinates that
may move only so far from their previous places (Section 4). Both kinds map unconstrained numbers theta to gaps and
pull a gradient back.

=======  =====================================================================  ======
symbol   meaning                                                                shape
=======  =====================================================================  ======
delta    gaps between neighbouring knots, positive                              [G]
s_j      latent coordinates of the knots of axis j: the gaps summed, from 0 on  [n_j]
theta    unconstrained numbers that the gaps follow from                        [size]
Delta_n  how far a point may move at n rows, in the unit box
=======  =====================================================================  ======
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

import numpy as np
from scipy.special import expit

from ordbo_cli.ordinal.data import OrdinalData
from ordbo_cli.ordinal.linalg import Array, IntArray

LARGEST_GAP: Final = 4.0  # k(4) is 0.008 for Matern 3/2: farther apart means nothing more
INSIDE: Final = 0.1  # share of a bound by which starts and centres are kept inside it, where the transform has a slope
_APART: Final = 1e-6  # of an axis: windows let knots that are farther apart than twice this come no closer


def smallest_gap(gaps: int | Sequence[int] | IntArray) -> Array:
    """Return the least that a gap may be that is one of so many: 0.01, or less where a hundred of them are too long.

    A fixed bound would stretch the axes, and the range of the latent function, with the number of rows.
    """
    return np.minimum(0.01, 0.3 / np.maximum(1, gaps))


@dataclass(frozen=True)
class Logistic:
    """The map from the real line onto an open interval, elementwise.

    Args:
        low, high: ends of the interval; numbers, or arrays for intervals of their own. Where both are equal, the map
            is constant.
        inside: share of the interval that the inverse keeps values away from its ends.
    """

    low: float | Array
    high: float | Array
    inside: float | Array = 1e-3

    @property
    def width(self) -> Array:
        """Length of the interval, above 0 so that one may divide by it."""
        return np.maximum(self.high - self.low, np.finfo(np.float64).tiny)

    def forward(self, theta: Array) -> Array:
        """Return values inside the interval."""
        return self.low + (self.high - self.low) * expit(theta)

    def slope(self, value: Array) -> Array:
        """Return the derivative of the map where it gives this value."""
        return (value - self.low) * (self.high - value) / self.width

    def inverse(self, value: Array) -> Array:
        """Return theta; values at or beyond an end are taken slightly inside."""
        share = np.clip((value - self.low) / self.width, self.inside, 1.0 - self.inside)
        return np.asarray(np.log(share) - np.log1p(-share))


class Warp(Protocol):
    """Unconstrained numbers to the gaps of all dimensions."""

    @property
    def size(self) -> int:
        """How many numbers it takes."""
        ...

    def gaps(self, theta: Array) -> Array:
        """Return positive gaps [G]."""
        ...

    def pull_back(self, theta: Array, by_gaps: Array) -> Array:
        """Return the gradient by theta of a function whose gradient by the gaps is given [G]."""
        ...

    def theta(self, gaps: Array) -> Array:
        """Return the numbers that give these gaps, or the nearest allowed ones."""
        ...


def gap_transform(gaps: int | IntArray, largest: float) -> Logistic:
    """Return the map to gaps between :func:`smallest_gap`, given of how many each is one, and a largest one."""
    low = smallest_gap(gaps)
    return Logistic(low, largest, inside=INSIDE * low / largest)


@dataclass(frozen=True)
class FreeGaps:
    """Each gap on its own, between :func:`smallest_gap` and ``LARGEST_GAP``.

    Args:
        counts: gaps of each axis, n_j - 1.
    """

    counts: tuple[int, ...]

    @property
    def size(self) -> int:
        """G."""
        return sum(self.counts)

    @cached_property
    def transform(self) -> Logistic:
        """Of each gap [G]."""
        return gap_transform(np.repeat(self.counts, self.counts), LARGEST_GAP)

    def gaps(self, theta: Array) -> Array:
        """Return positive gaps [G]."""
        return self.transform.forward(theta)

    def pull_back(self, theta: Array, by_gaps: Array) -> Array:
        """Return the gradient by theta of a function whose gradient by the gaps is given [G]."""
        return by_gaps * self.transform.slope(self.transform.forward(theta))

    def theta(self, gaps: Array) -> Array:
        """Return the numbers that give these gaps, or the nearest allowed ones."""
        return self.transform.inverse(gaps)


@dataclass(frozen=True)
class BoundedMovement:
    """Coordinates within windows around their previous places, each axis scaled to [0, 1]; its length is free.

    The windows of one axis do not overlap, so the order is kept whatever theta is.

    Args:
        low, high: windows of the inner knots of all axes, one axis after the other [G - D].
        counts: gaps of each axis, n_j - 1.
    """

    low: Array
    high: Array
    counts: tuple[int, ...]

    @property
    def size(self) -> int:
        """G: places of the inner knots, and a length for each axis."""
        return len(self.low) + len(self.counts)

    @property
    def places(self) -> Logistic:
        """Transform of the inner knots' places."""
        return Logistic(self.low, self.high)

    @property
    def lengths(self) -> Logistic:
        """Transform of the axes' latent lengths."""
        counts = np.array(self.counts)
        mean_gap = gap_transform(counts, LARGEST_GAP)
        return Logistic(mean_gap.low * counts, mean_gap.high * counts, mean_gap.inside)

    def split(self, places: Array) -> list[Array]:
        """Return each axis's places with the ends 0 and 1 added."""
        inner = np.split(places, np.cumsum([count - 1 for count in self.counts])[:-1])
        return [np.concatenate([[0.0], part, [1.0]]) for part in inner]

    def gaps(self, theta: Array) -> Array:
        """Return positive gaps [G]."""
        places = self.split(self.places.forward(theta[: len(self.low)]))
        lengths = self.lengths.forward(theta[len(self.low) :])
        return np.concatenate([length * np.diff(part) for length, part in zip(lengths, places, strict=True)])

    def pull_back(self, theta: Array, by_gaps: Array) -> Array:
        """Return the gradient by theta of a function whose gradient by the gaps is given [G]."""
        value = self.places.forward(theta[: len(self.low)])
        lengths = self.lengths.forward(theta[len(self.low) :])
        by_axis = np.split(by_gaps, np.cumsum(self.counts)[:-1])
        by_place = [-length * np.diff(part) for length, part in zip(lengths, by_axis, strict=True)]
        by_length = [part @ np.diff(place) for part, place in zip(by_axis, self.split(value), strict=True)]
        return np.concatenate(
            [
                np.concatenate(by_place) * self.places.slope(value),
                np.array(by_length) * self.lengths.slope(lengths),
            ]
        )

    def theta(self, gaps: Array) -> Array:
        """Return the numbers that give these gaps, or the nearest allowed ones."""
        axes = np.split(gaps, np.cumsum(self.counts)[:-1])
        lengths = np.array([axis.sum() for axis in axes])
        places = [np.cumsum(axis)[:-1] / length for axis, length in zip(axes, lengths, strict=True)]
        return np.concatenate([self.places.inverse(np.concatenate(places)), self.lengths.inverse(lengths)])


def movement_bound(drift: float, dimension: int, step: int) -> float:
    """Return ``Delta_n = C D / n``, the farthest that a latent point may move at step n (Section 4)."""
    return drift * dimension / step


def movement_windows(previous: Sequence[Array], radius: float) -> BoundedMovement:
    """Return a warp whose inner knots stay within a radius of their previous places, in order.

    Args:
        previous: place of every knot of each axis, from 0 to 1 [n_j]; a knot that is new has the place that its
            neighbours give it.
        radius: in units of the axis.
    """
    low, high = [], []
    for places in previous:
        middle, gap = 0.5 * (places[1:] + places[:-1]), np.diff(places)
        spare = gap * np.clip(_APART / gap, 1e-3, 0.4999)  # neighbours' windows keep this far from their middle
        low.append(np.maximum(places[1:-1] - radius, middle[:-1] + spare[:-1]))
        high.append(np.minimum(places[1:-1] + radius, middle[1:] - spare[1:]))
    return BoundedMovement(np.concatenate(low), np.concatenate(high), tuple(len(places) - 1 for places in previous))


def coordinates(data: OrdinalData, gaps: Array) -> list[Array]:
    """Return the latent coordinate of every knot, ``s(u_1) = 0``, per dimension [n_j]."""
    return [np.concatenate([[0.0], np.cumsum(part)]) for part in np.split(gaps, data.starts[1:])]


def latent_points(data: OrdinalData, gaps: Array) -> Array:
    """Return S, the latent coordinates of the distinct points [M, D]."""
    total = np.concatenate([[0.0], np.cumsum(gaps)])
    return total[data.starts + data.index] - total[data.starts]


def gradient_by_gaps(data: OrdinalData, by_points: Array) -> Array:
    """Return a gradient by the gaps [G] from one by the latent coordinates [M, D]: a reversed cumulative sum."""
    G = int(data.gap_counts.sum())
    total = np.bincount((data.starts + data.index).ravel(), weights=by_points.ravel(), minlength=G + 1)
    np.subtract.at(total, data.starts, by_points.sum(axis=0))
    return np.cumsum(total[::-1])[::-1][1:]
