"""A known constraint: read once, then asked of points, of columns of points and of boxes."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ordbo_cli.problem.constraints import columns as many
from ordbo_cli.problem.constraints import doubles, intervals
from ordbo_cli.problem.constraints.complaints import ExpressionError, Mistake
from ordbo_cli.problem.constraints.reader import read
from ordbo_cli.problem.constraints.tree import Among, Atom, Formula, Relation, Variable, judge, value
from ordbo_cli.problem.parameter import Fixed, Level, Number, Parameter

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Array = NDArray[np.float64]
    Truths = NDArray[np.bool_]

Bounds = Mapping[str, Number]


class Gate(NamedTuple):
    """A condition under which a parameter counts: another one has one of some levels.

    Args:
        parent: the other's name.
        places: of those levels.
        levels: all of the other's.
    """

    parent: str
    places: frozenset[int]
    levels: tuple[Level, ...]


@dataclass(frozen=True)
class Constraint:
    """One expression that every point has to satisfy; :meth:`parse` makes one.

    A comparison whose value is undefined (a division by zero, a root of a negative number) is not satisfied, and
    neither is its opposite: ``not (1/x > 3)`` is not satisfied at x = 0 either. A comparison that speaks of a parameter
    that does not count is satisfied, and so is its opposite: it does not bind. Numbers are doubles.

    Args:
        text: as the user wrote it.
        names: of the free parameters that it speaks of, in the problem's order.
        formula: what it says.
        conditions: those of these parameters that count under conditions, each with all of them.
    """

    text: str
    names: tuple[str, ...]
    formula: Formula
    conditions: tuple[tuple[str, tuple[Gate, ...]], ...] = ()

    @classmethod
    def parse(cls, text: str, parameters: Sequence[Parameter | Fixed]) -> Constraint:
        """Return the constraint that a text stands for.

        Args:
            text: an expression.
            parameters: all that it may speak of, fixed ones included.

        Raises:
            ExpressionError: it cannot be read; it knows the column.
        """
        try:
            formula, seen = read(text, parameters)
        except Mistake as error:
            raise ExpressionError(text, error.at + 1, error.said, error.hint) from None
        gates = _gates(parameters)
        names = tuple(parameter.name for parameter in parameters if parameter.name in seen)
        return cls(text, names, formula, tuple((name, gates[name]) for name in names if gates[name]))

    @cached_property
    def needs(self) -> frozenset[str]:
        """The parameters that decide it: its own, and those that decide whether these count."""
        return frozenset((*self.names, *(gate.parent for _, gates in self.conditions for gate in gates)))

    @cached_property
    def _gates(self) -> Mapping[str, tuple[Gate, ...]]:
        return dict(self.conditions)

    def holds(self, point: Mapping[str, Level]) -> bool:
        """Return whether a point satisfies it.

        Args:
            point: the parameters by name as the user has them; those that do not count may be missing.

        Raises:
            KeyError: one that counts is missing.
        """

        def number(variable: Variable) -> float:
            return float(point[variable.name])

        def counts(name: str) -> bool:
            gates = self._gates.get(name, ())
            return all(_place(gate.levels, point.get(gate.parent)) in gate.places for gate in gates)

        def atom(atom: Atom) -> bool:
            if not all(map(counts, atom.names)):
                return True
            if isinstance(atom, Relation):
                left, right = (value(side, float, number, doubles.apply) for side in (atom.left, atom.right))
                return doubles.compare(atom.operator, left, right)
            places = (_place(levels, point[name]) for name, levels in zip(atom.names, atom.levels, strict=True))
            return tuple(places) in atom.allowed

        return judge(self.formula, atom, all, any)

    def satisfied(self, columns: Mapping[str, Array]) -> Truths:
        """Return which points satisfy it [N]: the same answers as :meth:`holds`.

        Args:
            columns: at least the parameters of :attr:`needs` by name [N], levels as places.
        """
        import numpy as np

        def atom(atom: Atom) -> Truths:
            if isinstance(atom, Relation):
                holds = many.compare(atom.operator, *_sides(atom, columns))
            else:
                holds = _allowed(atom, columns)
            return np.logical_or(self._idle(atom, columns), holds)

        def every(parts: list[Truths]) -> Truths:
            return np.asarray(functools.reduce(np.logical_and, parts) if parts else True)

        def some(parts: list[Truths]) -> Truths:
            return np.asarray(functools.reduce(np.logical_or, parts) if parts else False)

        found = judge(self.formula, atom, every, some)
        points = len(next(iter(columns.values()))) if columns else 1
        return np.array(np.broadcast_to(found, (points,)), dtype=bool)

    def possible(self, low: Bounds, high: Bounds) -> bool:
        """Return whether some point of a box may satisfy it; False is a proof that none does.

        Args:
            low, high: bounds of at least the parameters of :attr:`needs` by name, both included, levels as places.
        """

        def atom(atom: Atom) -> bool:
            if not all(self._counts(name, low, high)[1] for name in atom.names):
                return True
            if isinstance(atom, Relation):
                return intervals.possible(atom.operator, *_ranges(atom, low, high))
            return any(places in atom.allowed for places in _places(atom, low, high))

        return judge(self.formula, atom, all, any)

    def certain(self, low: Bounds, high: Bounds) -> bool:
        """Return whether all points of a box are known to satisfy it; True is a proof.

        Args:
            low, high: as for :meth:`possible`.
        """

        def atom(atom: Atom) -> bool:
            if not all(self._counts(name, low, high)[0] for name in atom.names):
                return True
            if isinstance(atom, Relation):
                return intervals.certain(atom.operator, *_ranges(atom, low, high))
            return all(places in atom.allowed for places in _places(atom, low, high))

        return judge(self.formula, atom, all, any)

    def _idle(self, atom: Atom, columns: Mapping[str, Array]) -> Truths:
        """Return where one of a comparison's parameters does not count."""
        import numpy as np

        gates = [gate for name in atom.names for gate in self._gates.get(name, ())]
        met = [np.isin(columns[gate.parent], list(gate.places)) for gate in gates]
        return np.asarray(~np.logical_and.reduce(met) if met else False)

    def _counts(self, name: str, low: Bounds, high: Bounds) -> tuple[bool, bool]:
        """Return whether a parameter counts somewhere in a box, and whether it does everywhere."""
        ranges = [(gate, set(_between(low, high, gate.parent))) for gate in self._gates.get(name, ())]
        return all(gate.places & places for gate, places in ranges), all(
            places <= gate.places for gate, places in ranges
        )


def _gates(parameters: Sequence[Parameter | Fixed]) -> dict[str, tuple[Gate, ...]]:
    """Return all conditions of each parameter: its own, and those of the parameters that they speak of."""
    by_name = {parameter.name: parameter for parameter in parameters}
    found: dict[str, tuple[Gate, ...]] = {}
    for parameter in parameters:
        gates: list[Gate] = []
        for condition in parameter.when if isinstance(parameter, Parameter) else ():
            parent = by_name[condition.parent]
            assert isinstance(parent, Parameter)
            gates += [Gate(condition.parent, frozenset(condition.levels), parent.levels), *found[condition.parent]]
        found[parameter.name] = tuple(gates)
    return found


def _place(levels: tuple[Level, ...], level: Level | None) -> int:
    """Return the place of a level, -1 for none of them."""
    return levels.index(level) if level in levels else -1


def _between(low: Bounds, high: Bounds, name: str) -> range:
    """Return the places of levels in a box."""
    return range(math.ceil(low[name]), math.floor(high[name]) + 1)


def _places(atom: Among, low: Bounds, high: Bounds) -> itertools.product[tuple[int, ...]]:
    return itertools.product(*(_between(low, high, name) for name in atom.names))


def _ranges(atom: Relation, low: Bounds, high: Bounds) -> tuple[intervals.Interval, intervals.Interval]:
    """Return the intervals of both sides of a comparison."""

    def bounds(variable: Variable) -> intervals.Interval:
        if not variable.levels:
            return intervals.Interval(float(low[variable.name]), float(high[variable.name]))
        levels = [variable.levels[k] for k in _between(low, high, variable.name)]
        return intervals.Interval(min(levels), max(levels)) if levels else intervals.UNDEFINED

    left, right = (value(side, intervals.constant, bounds, intervals.apply) for side in (atom.left, atom.right))
    return left, right


def _sides(atom: Relation, columns: Mapping[str, Array]) -> tuple[Array, Array]:
    """Return the values of both sides of a comparison."""
    import numpy as np

    def column(variable: Variable) -> Array:
        given = np.asarray(columns[variable.name])
        return np.array(variable.levels)[given.astype(int)] if variable.levels else given.astype(float)

    left, right = (value(side, np.array, column, many.apply) for side in (atom.left, atom.right))
    return left, right


def _allowed(atom: Among, columns: Mapping[str, Array]) -> Truths:
    """Return where levels are among those allowed [N]."""
    import numpy as np

    table = np.zeros([len(levels) for levels in atom.levels], dtype=bool)
    for places in atom.allowed:
        table[places] = True
    found: Truths = table[tuple(np.asarray(columns[name]).astype(int) for name in atom.names)]
    return found
