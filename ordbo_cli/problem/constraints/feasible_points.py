"""Points that satisfy constraints, and the proof that there are none: sampling first, then branch and bound."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ordbo_cli.problem.axis import Axis, nearest
from ordbo_cli.problem.constraints.constraint import Constraint
from ordbo_cli.problem.parameter import Number, Parameter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]

Point = tuple[Number, ...]
Box = tuple[tuple[int, int], ...]
"""First and last index of the lattice of each parameter, both included."""

_DRAWS: Final = 20_000  # random points among which feasible ones are looked for before boxes are divided
_NUMBERS: Final = 1_000_000  # of such points at once, where parameters are very many
_TRIES: Final = 4  # points drawn in a box before it is divided
_BOXES: Final = 3000
_MOST_BOXES: Final = 20_000


def feasible_points(
    constraints: Sequence[Constraint],
    axes: Sequence[Axis],
    number: int,
    rng: np.random.Generator,
    box: Box | None = None,
    rare: int | None = None,
) -> list[Point]:
    """Return up to a number of different points that can be suggested and satisfy all constraints.

    They are uniform among such points, each parameter on its own scale, where these are not too rare. Where they are,
    boxes without one are ruled out until such points turn up: some places are then more likely than others, and fewer
    points than wanted may be found although there are more.

    Args:
        constraints: all of them have to be satisfied.
        axes: of the free parameters, in the problem's order.
        number: how many are enough.
        rng: the source of randomness.
        box: where they lie, by default anywhere; there is none where a first index is above the last.
        rare: how many are, where boxes have to be ruled out; by default as many.

    Returns:
        values of the parameters in order, levels as places. Those of parameters that do not count are arbitrary
        (:meth:`~ordbo_cli.problem.Problem.canonical`).
    """
    search = _Search(constraints, axes, box, lambda count: rng.random(count).tolist())
    if search.is_empty:
        return []
    found = search.sample(number, rng)
    enough = number if rare is None else min(number, rare)
    if len(found) < enough:
        for point in search.points(min(_BOXES + 20 * enough, _MOST_BOXES)):
            found[point] = None
            if len(found) >= enough:
                break
    return list(found)


def which_is_empty(constraints: Sequence[Constraint], parameters: Sequence[Parameter]) -> str | None:
    """Return the text of the constraint that leaves no point, or None where no proof is found that one does.

    It is the first that no point satisfies by itself; where each can be satisfied, the first that no point satisfies
    together with those before it.

    Args:
        constraints: in the user's order.
        parameters: the free ones, in the problem's order.
    """
    axes = [Axis(parameter) for parameter in parameters]
    if not _is_empty(constraints, axes):
        return None
    alone = [[constraint] for constraint in constraints]
    together = [constraints[: k + 1] for k in range(1, len(constraints))]
    return next(some[-1].text for some in (*alone, *together) if _is_empty(some, axes))


def _is_empty(constraints: Sequence[Constraint], axes: Sequence[Axis]) -> bool:
    """Return whether it is proved that no point satisfies all constraints."""
    rng = random.Random(0)
    search = _Search(constraints, axes, None, lambda count: [rng.random() for _ in range(count)])
    for _ in search.points(_BOXES):
        return False
    return search.finished


class _Search:
    """Looks for points in boxes of the lattices.

    Args:
        constraints, axes, box: as for :func:`feasible_points`.
        uniform: gives so many random numbers from 0 up to 1.
    """

    def __init__(
        self,
        constraints: Sequence[Constraint],
        axes: Sequence[Axis],
        box: Box | None,
        uniform: Callable[[int], list[float]],
    ) -> None:
        self.constraints, self.axes, self.uniform = constraints, axes, uniform
        self.root = box or tuple((0, axis.lattice.count - 1) for axis in axes)
        self.finished = False
        needed = frozenset().union(*(constraint.needs for constraint in constraints))
        self.deciding = [k for k, axis in enumerate(axes) if axis.parameter.name in needed]

    @property
    def is_empty(self) -> bool:
        """Whether the whole box is known to hold no point."""
        return any(first > last for first, last in self.root) or self._undecided(self.root) is None

    def sample(self, number: int, rng: np.random.Generator) -> dict[Point, None]:
        """Return up to a number of those of some random points of the whole box that satisfy all constraints."""
        import numpy as np

        found: dict[Point, None] = {}
        at_once = min(_DRAWS, max(1, _NUMBERS // len(self.axes)))
        for start in range(0, _DRAWS, at_once):
            shares = rng.random((min(at_once, _DRAWS - start), len(self.axes)))
            fine = np.ones(len(shares), dtype=bool)
            columns = {self.axes[k].parameter.name: self._spread(k, shares) for k in self.deciding}
            for constraint in self.constraints:
                fine &= constraint.satisfied(columns)
            shares = shares[fine]
            while len(shares) and len(found) < number:  # rounding to the lattices may lose some
                some, shares = np.split(shares, [number - len(found)])
                for row in np.stack([self._spread(k, some) for k in range(len(self.axes))], axis=1):
                    point = tuple(nearest(axis.lattice, x) for axis, x in zip(self.axes, row.tolist(), strict=True))
                    if self._holds(point):
                        found[point] = None
            if len(found) >= number:
                break
        return found

    def _spread(self, k: int, shares: Array) -> Array:
        """Return the values of a parameter at shares of the whole box [P, D], close to its lattice."""
        return self.axes[k].spread(*self.root[k], shares[:, k])

    def _point(self, box: Box, shares: Sequence[float]) -> Point | None:
        """Return the point at shares of a box, None where it does not satisfy all constraints.

        What decides is looked at first: the others may be thousands.
        """
        known = {k: self.axes[k].drawn(*box[k], shares[k]) for k in self.deciding}
        if not self._holds(known):
            return None
        return tuple(axis.drawn(*part, share) for axis, part, share in zip(self.axes, box, shares, strict=True))

    def _holds(self, known: Mapping[int, Number] | Point) -> bool:
        """Return whether values, by place, satisfy all constraints."""
        shown = {self.axes[k].parameter.name: self.axes[k].parameter.shown(known[k]) for k in self.deciding}
        return all(constraint.holds(shown) for constraint in self.constraints)

    def points(self, most: int) -> Iterator[Point]:
        """Yield points of boxes, dividing a number of boxes at most; :attr:`finished` tells whether that was enough.

        Args:
            most: number of boxes to look at.
        """
        waiting: list[tuple[float, int, Box]] = []  # a heap, the largest box first
        dive: list[Box] = [self.root]
        for turn in range(most):
            if not dive and not waiting:
                break
            box = dive.pop() if dive else heapq.heappop(waiting)[2]
            undecided = self._undecided(box)
            if undecided is None:
                continue
            found = next((x for x in self._candidates(box) if x is not None), None)
            axis = self._axis_to_divide(box, undecided)
            if axis is not None:
                halves = self._halves(box, axis)
                dive += halves if self.uniform(1)[0] < 0.5 else halves[::-1]
            if found is not None:
                # The next dive begins in the largest box that is left, so that points come from everywhere.
                for k, other in enumerate(dive):
                    heapq.heappush(waiting, (-self._size(other), turn * most + k, other))
                dive = []
                yield found
        self.finished = not dive and not waiting

    def _size(self, box: Box) -> float:
        return max((self.axes[k].part(*box[k]) for k in self.deciding), default=0.0)

    def _undecided(self, box: Box) -> list[Constraint] | None:
        """Return the constraints that may or may not hold in a box, None where one of them cannot."""
        low = {self.axes[k].parameter.name: self.axes[k].lattice.value(box[k][0]) for k in self.deciding}
        high = {self.axes[k].parameter.name: self.axes[k].lattice.value(box[k][1]) for k in self.deciding}
        if not all(constraint.possible(low, high) for constraint in self.constraints):
            return None
        return [constraint for constraint in self.constraints if not constraint.certain(low, high)]

    def _candidates(self, box: Box) -> Iterator[Point | None]:
        """Yield points of a box: its two extreme corners, where thin sets may end, and some at random.

        None stands for one that does not satisfy all constraints.
        """
        for end in (0.0, 1.0):
            shares = self.uniform(len(self.axes))
            for k in self.deciding:
                shares[k] = end
            yield self._point(box, shares)
        for _ in range(_TRIES):
            yield self._point(box, self.uniform(len(self.axes)))

    def _axis_to_divide(self, box: Box, undecided: Sequence[Constraint]) -> int | None:
        """Return the axis with the widest part in a box among those that an undecided constraint speaks of."""
        needed = frozenset().union(*(constraint.needs for constraint in undecided or self.constraints))
        open_axes = [k for k in self.deciding if self.axes[k].parameter.name in needed and box[k][0] < box[k][1]]
        return max(open_axes, key=lambda k: (self.axes[k].part(*box[k]), box[k][1] - box[k][0]), default=None)

    def _halves(self, box: Box, axis: int) -> list[Box]:
        first, last = box[axis]
        cut = self.axes[axis].cut(first, last)
        return [(*box[:axis], part, *box[axis + 1 :]) for part in ((first, cut), (cut + 1, last))]
