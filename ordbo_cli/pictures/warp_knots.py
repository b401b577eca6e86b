"""What one parameter's warp is drawn from: knots and gaps of one with an order, levels of one without."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from ordbo_cli.insight.drawn_warp import DrawnWarp
from ordbo_cli.ordinal.linalg import Array, BoolArray
from ordbo_cli.pictures.scene import Scene
from ordbo_cli.problem import Parameter
from ordbo_cli.problem.axis import Axis

_GAIN: Final = 0.01  # of the latent length: what a gap has to gain before one says that it is stretched


@dataclass(frozen=True)
class _DrawnValues:
    """Values of one parameter that its warp is drawn from.

    Args:
        scene: what is drawn.
        j: the parameter, by place among all free ones.
    """

    scene: Scene
    j: int

    @property
    def x(self) -> Array:
        """The values [n]."""
        raise NotImplementedError

    @property
    def parameter(self) -> Parameter:
        """The parameter."""
        return self.scene.all.parameters[self.j]

    @cached_property
    def evaluated(self) -> BoolArray:
        """Whether each was evaluated, and is not only a bound, a level or a pending one [n]."""
        view = self.scene.view
        return np.isin(self.x, view.inputs[view.seen & view.counts[:, self.j], self.j])

    @cached_property
    def pending(self) -> BoolArray:
        """Whether each is only that of a point that the model sees and that is out, where it counts [n]."""
        problem, out = self.scene.view.problem, self.scene.view.whole.rows.pending
        values = [float(x[self.j]) for x in out if problem.active(x)[self.j]]
        return np.isin(self.x, values) & ~self.evaluated


class Knots(_DrawnValues):
    """The knots of the warp of one parameter with an order between its bounds, and the gaps between them."""

    @cached_property
    def drawn(self) -> DrawnWarp:
        """The warp, knots outside the bounds included."""
        view = self.scene.view
        place, warp = view.whole.latent_axes.ordered.index(self.j), view.model.warp
        return DrawnWarp(Axis(self.parameter, view.orders), warp.knots[place], warp.coordinates[place])

    @cached_property
    def within(self) -> slice:
        """Those between the bounds."""
        ends = np.searchsorted(self.drawn.knots, self.scene.all.limits(self.j))
        return slice(int(ends[0]), int(ends[1]) + 1)

    @property
    def x(self) -> Array:
        """Values [n]."""
        return self.drawn.knots[self.within]

    @property
    def s(self) -> Array:
        """Latent places [n]."""
        return self.drawn.s[self.within]

    @property
    def length(self) -> float:
        """From bound to bound in the latent space."""
        return float(self.s[-1] - self.s[0])

    @cached_property
    def widest(self) -> int:
        """Place of the knot before the longest latent gap."""
        return int(np.argmax(np.diff(self.s)))

    @cached_property
    def gaps(self) -> Array:
        """Each gap's share of the range, on the parameter's own scale, and of the latent length [2, n - 1]."""
        share = self.drawn.axis.share(self.x)
        return np.stack([np.diff(share), np.diff(self.s) / self.length])

    @cached_property
    def stretched(self) -> int | None:
        """Place of the knot before the gap whose share gains most, where one does: the objective changes fast there.

        The ratio of both shares would not do: between two values that all but coincide it is as large as one likes.
        """
        if not len(self.scene.view.surrogate.fit.edges):  # all results are alike, or there is none
            return None
        gain = self.gaps[1] - self.gaps[0]
        k = int(np.argmax(gain))
        return k if gain[k] > max(_GAIN, 0.1 * self.gaps[0, k]) else None

    @property
    def outside(self) -> int:
        """Number of evaluations whose value lies outside the bounds."""
        low, high = self.scene.all.limits(self.j)
        values = self.scene.view.inputs[self.scene.view.counts[:, self.j], self.j]
        return int(np.sum((values < low) | (values > high)))


class LevelKnots(_DrawnValues):
    """The levels of a parameter without an order: how far each stands out in the latent space."""

    @property
    def x(self) -> Array:
        """Places of the levels [n]."""
        return self.scene.all.grid(self.j, 0)

    @property
    def s(self) -> Array:
        """How far each stands out: two are apart by the root of the sum of both squares [n]."""
        axes = self.scene.view.whole.latent_axes
        return np.array([self.scene.view.model.fit.coordinates[a][-1] for a in axes.groups[self.j]])

    @property
    def length(self) -> float:
        """Between the two that are farthest apart."""
        return float(self.scene.view.all_lengths[self.j])


def between(knots: Knots, k: int) -> str:
    """Name the values around a gap, with as many digits as tell them apart."""
    low, high = float(knots.x[k]), float(knots.x[k + 1])
    if knots.parameter.levels:
        return " and ".join(knots.scene.all.words(knots.j, [low, high]))
    digits = next((n for n in range(4, 17) if f"{low:.{n}g}" != f"{high:.{n}g}"), 17)
    return f"{low:.{digits}g} and {high:.{digits}g}"


def stretch(knots: Knots) -> str:
    """Say between which values a parameter's axis is stretched most."""
    k = knots.stretched or 0
    before, after = (100.0 * share for share in knots.gaps[:, k])
    return (
        f"Its axis is stretched most between {between(knots, k)}, where {before:.2g}% of the range take {after:.2g}% of"
        " the latent length: there the model sees the objective change fastest."
    )
