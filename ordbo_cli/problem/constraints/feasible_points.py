"""Points that satisfy constraints, and the proof that there are none: sampling first, then branch and bound."""

from __future__ import annotations

import heapq
import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from ordbo_cli.problem.constraints.boxes import Box, BoxAxis
from ordbo_cli.problem.constraints.constraint import Constraint
from ordbo_cli.problem.parameter import Number, Parameter
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders

if TYPE_CHECKING:
    import numpy as np

Point = tuple[Number, ...]
Within = tuple[Sequence[Number], Sequence[Number]]

_DRAWS: Final = 20  # points drawn for each that is wanted, before boxes are divided
_LEAST_DRAWS: Final = 400
_TRIES: Final = 4  # points drawn in a box before it is divided
_BOXES: Final = 3000
_MOST_BOXES: Final = 20_000


def feasible_points(
    constraints: Sequence[Constraint],
    parameters: Sequence[Parameter],
    number: int,
    rng: np.random.Generator,
    within: Within | None = None,
    orders: SettingOrders = NO_ORDERS,
) -> list[Point]:
    """Return up to a number of different points that can be suggested and satisfy all constraints.

    They are uniform among such points, each parameter on its own scale, where these are not too rare. Where they are,
    boxes without one are ruled out until such points turn up: some places are then more likely than others, and fewer
    points than wanted may be found although there are more.

    Args:
        constraints: all of them have to be satisfied.
        parameters: the free ones, in the problem's order.
        number: of points.
        rng: the source of randomness.
        within: lowest and highest value of each parameter, both included; by default its own bounds.
        orders: of the settings of ranked parameters.

    Returns:
        values of the parameters in order, levels as places. Those of parameters that do not count are arbitrary
        (:meth:`~ordbo_cli.problem.Problem.canonical`).
    """
    search = _Search(constraints, parameters, within, lambda count: rng.random(count).tolist(), orders)
    if search.root is None:
        return []
    found: dict[Point, None] = {}
    for _ in range(max(_LEAST_DRAWS, _DRAWS * number)):
        if len(found) >= number:
            break
        point = search.drawn(search.root)
        if point is not None:
            found[point] = None
    if len(found) < number:
        for point in search.points(min(_BOXES + 20 * number, _MOST_BOXES)):
            found[point] = None
            if len(found) >= number:
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
    if not _is_empty(constraints, parameters):
        return None
    for constraint in constraints:
        if _is_empty([constraint], parameters):
            return constraint.text
    for k in range(1, len(constraints)):
        if _is_empty(constraints[: k + 1], parameters):
            return constraints[k].text
    return None  # pragma: no cover - the last of these was all of them


def _is_empty(constraints: Sequence[Constraint], parameters: Sequence[Parameter]) -> bool:
    """Return whether it is proved that no point satisfies all constraints."""
    rng = random.Random(0)
    search = _Search(constraints, parameters, None, lambda count: [rng.random() for _ in range(count)])
    for _ in search.points(_BOXES):
        return False
    return search.finished


class _Search:
    """Looks for points in boxes of the lattices.

    Args:
        constraints, parameters, within, orders: as for :func:`feasible_points`.
        uniform: gives so many random numbers from 0 up to 1.
    """

    def __init__(
        self,
        constraints: Sequence[Constraint],
        parameters: Sequence[Parameter],
        within: Within | None,
        uniform: Callable[[int], list[float]],
        orders: SettingOrders = NO_ORDERS,
    ) -> None:
        low = within[0] if within else [parameter.low for parameter in parameters]
        high = within[1] if within else [parameter.high for parameter in parameters]
        self.constraints = constraints
        self.axes = [BoxAxis(p, a, b, orders) for p, a, b in zip(parameters, low, high, strict=True)]
        self.uniform = uniform
        self.finished = False
        self.root: Box | None = tuple((axis.first, axis.last) for axis in self.axes)
        if any(first > last for first, last in self.root):
            self.root = None
        needed = frozenset().union(*(constraint.needs for constraint in constraints))
        self.deciding = [k for k, axis in enumerate(self.axes) if axis.parameter.name in needed]
        self.others = [k for k, axis in enumerate(self.axes) if axis.parameter.name not in needed]

    def drawn(self, box: Box) -> Point | None:
        """Return a random point of a box, None where it does not satisfy all constraints."""
        shares = dict(enumerate(self.uniform(len(self.axes))))
        return self._point(box, {k: self.axes[k].draw(*box[k], shares[k]) for k in self.deciding}, shares)

    def _point(self, box: Box, known: Mapping[int, Number], shares: Mapping[int, float]) -> Point | None:
        """Return the point of a box with the values that decide, None where these do not satisfy all constraints.

        The others are made for a point that does: they may be thousands.
        """
        shown = {self.axes[k].parameter.name: self.axes[k].parameter.shown(x) for k, x in known.items()}
        if not all(constraint.holds(shown) for constraint in self.constraints):
            return None
        return tuple(
            known[k] if k in known else axis.draw(*ends, shares[k])
            for k, (axis, ends) in enumerate(zip(self.axes, box, strict=True))
        )

    def points(self, most: int) -> Iterator[Point]:
        """Yield points of boxes, dividing a number of boxes at most; :attr:`finished` tells whether that was enough.

        Args:
            most: number of boxes to look at.
        """
        waiting: list[tuple[float, int, Box]] = []  # a heap, the largest box first
        dive: list[Box] = [self.root] if self.root is not None else []
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
        return max((self.axes[k].share(*box[k]) for k in self.deciding), default=0.0)

    def _undecided(self, box: Box) -> list[Constraint] | None:
        """Return the constraints that may or may not hold in a box, None where one of them cannot."""
        low = {self.axes[k].parameter.name: self.axes[k].value(box[k][0]) for k in self.deciding}
        high = {self.axes[k].parameter.name: self.axes[k].value(box[k][1]) for k in self.deciding}
        if not all(constraint.possible(low, high) for constraint in self.constraints):
            return None
        return [constraint for constraint in self.constraints if not constraint.certain(low, high)]

    def _candidates(self, box: Box) -> Iterator[Point | None]:
        """Yield points of a box: its two extreme corners, where thin sets may end, and some at random.

        None stands for one that does not satisfy all constraints.
        """
        for end in (0, 1):
            shares = dict(zip(self.others, self.uniform(len(self.others)), strict=True))
            yield self._point(box, {k: self.axes[k].value(box[k][end]) for k in self.deciding}, shares)
        for _ in range(_TRIES):
            yield self.drawn(box)

    def _axis_to_divide(self, box: Box, undecided: Sequence[Constraint]) -> int | None:
        """Return the axis with the widest part in a box among those that an undecided constraint speaks of."""
        needed = frozenset().union(*(constraint.needs for constraint in undecided or self.constraints))
        open_axes = [k for k in self.deciding if self.axes[k].parameter.name in needed and box[k][0] < box[k][1]]
        return max(open_axes, key=lambda k: (self.axes[k].share(*box[k]), box[k][1] - box[k][0]), default=None)

    def _halves(self, box: Box, axis: int) -> list[Box]:
        first, last = box[axis]
        cut = self.axes[axis].cut(first, last)
        return [(*box[:axis], part, *box[axis + 1 :]) for part in ((first, cut), (cut + 1, last))]
