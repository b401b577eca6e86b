"""Methods that know nothing of constraints, on problems that have some: what violates one is no evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ordbo_cli.benchmark.rivals.searchers import Searcher
from ordbo_cli.problem import Number, Problem

_PATIENCE: Final = 300  # answers that violate a constraint, before a point at random takes the place of the next


class Constrained:
    """A method that is asked again where its answer violates a constraint, which it is told as a failure.

    Args:
        problem: with the constraints.
        inner: the method.
        spare: gives points where the method finds none that satisfies them.
    """

    def __init__(self, problem: Problem, inner: Searcher, spare: Searcher) -> None:
        self._problem, self._inner, self._spare = problem, inner, spare

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
        while not self._problem.satisfies_constraints(point := self._spare.ask()):
            pass
        return point
