"""Methods that know nothing of constraints, on problems that have some: what violates one is no evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from ordbo_cli.benchmark.rivals.searchers import Searcher
from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.axis import Axis
from ordbo_cli.problem.constraints import feasible_points

_PATIENCE: Final = 300  # answers that violate a constraint, before a point at random takes the place of the next
_AMONG: Final = 20  # points that it is one of: where they are rare, the first that is found is often the same


class Constrained:
    """A method that is asked again where its answer violates a constraint, which it is told as a failure.

    Args:
        problem: with the constraints.
        inner: the method.
        rng: draws points where the method finds none that satisfies them.
    """

    def __init__(self, problem: Problem, inner: Searcher, rng: np.random.Generator) -> None:
        self._problem, self._inner, self._rng = problem, inner, rng

    def tell(self, values: Sequence[Number], loss: float | None) -> None:
        """Hand a result on."""
        self._inner.tell(values, loss)

    def ask(self) -> tuple[Number, ...]:
        """Return the next point, which satisfies all constraints."""
        for _ in range(_PATIENCE):
            point = self._inner.ask()
            if self._problem.satisfies_constraints(point):
                return point
            self._inner.tell(point, None)
        axes = [Axis(parameter) for parameter in self._problem.free]
        points = feasible_points(self._problem.constraints, axes, _AMONG, self._rng)
        return self._problem.canonical(points[self._rng.integers(len(points))])
