"""What a step follows from, and those of its rows that the model and the cells are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final

import numpy as np

from ordbo_cli.errors import UsageError
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.problem import Comparison, Evaluation, Number, Problem
from ordbo_cli.problem.method import MOST_COMPARISONS
from ordbo_cli.problem.order import ranks
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders
from ordbo_cli.problem.several import alone, alone_in, fits_of
from ordbo_cli.search.latent_axes import LatentAxes
from ordbo_cli.search.space.space import Space

MOST_ROWS: Final = 1_000  # that the model sees: a step costs the cube of their number


@dataclass(frozen=True)
class StepInput:
    """What the next point follows from: the same input gives the same point, in every call and on every machine.

    Args:
        problem: what is asked.
        evaluations: in order of arrival.
        pending: points asked for that have no result yet, oldest first.
        step: number of points asked for so far; the random numbers follow from the seed and it.
        fit: what the step before found (``Proposal.fit``), if it is at hand: the next fit starts from it.
        avoid: points that were given up: nothing is known of them, and they are not suggested again, noise or not.
        comparisons: of points with each other, oldest first.
        orders: of the settings of ranked parameters that have their places.
    """

    problem: Problem
    evaluations: Sequence[Evaluation] = ()
    pending: Sequence[Sequence[Number]] = ()
    step: int = 0
    fit: Mapping[str, Any] | None = None
    avoid: Sequence[Sequence[Number]] = ()
    comparisons: Sequence[Comparison] = ()
    orders: SettingOrders = NO_ORDERS

    @classmethod
    def after(
        cls, results: int, problem: Problem, evaluations: Sequence[Evaluation], orders: SettingOrders = NO_ORDERS
    ) -> StepInput:
        """Return what followed from the first evaluations alone, with nothing out.

        Args:
            results: how many of them.
            problem, evaluations, orders: as the class has them.

        Raises:
            UsageError: there are not so many.
        """
        if not 0 <= results <= len(evaluations):
            number = len(evaluations)
            raise UsageError(f"{results} evaluations are asked for", f"There {'is' if number == 1 else 'are'} {number}")
        return cls(problem, evaluations[:results], step=results, orders=orders)

    @cached_property
    def rows(self) -> Rows:
        """The rows that make the model and the cells, thinned where there are too many."""
        some = thinned(self.problem, self.evaluations, MOST_ROWS)
        newest = self.pending[-MOST_ROWS:]  # older ones are still not suggested again; only their cells count as open
        pairs = self.comparisons[-MOST_COMPARISONS:]  # the newest are about what is known to be good
        left_out, pending_left_out = len(self.evaluations) - len(some), len(self.pending) - len(newest)
        compared = points_without(pairs, self.evaluations)
        return Rows(self.problem, some, newest, left_out, pending_left_out, pairs, compared)

    @cached_property
    def latent_axes(self) -> LatentAxes:
        """The axes of the latent space."""
        return LatentAxes(self.problem)

    @cached_property
    def previous(self) -> Fit | None:
        """The fit of the step before; None where there is none that this model could start from."""
        return Fit.from_dict(self.fit or {}, self.latent_axes.dimension)

    @property
    def known(self) -> list[Sequence[Number]]:
        """Points of which something is known: evaluated in order of arrival, then compared."""
        return [*(e.values for e in self.evaluations), *points_without(self.comparisons, self.evaluations)]

    @property
    def each(self) -> list[StepInput]:
        """The same of each of several objectives alone, of the rows that the model sees."""
        problem, fits = self.problem, fits_of(self.fit)
        return [
            replace(
                self,
                problem=alone(problem, k),
                evaluations=tuple(alone_in(problem, e, k) for e in self.rows.evaluations),
                fit=fits[k] if k < len(fits) else None,
                comparisons=(),
            )
            for k in range(len(problem.goals))
        ]

    def settled(self) -> StepInput:
        """Return it without what is pending: that counts as observed where a point is chosen, but nothing is known."""
        return replace(self, pending=()) if self.pending else self


@dataclass(frozen=True)
class Rows:
    """The rows that make the model and the cells, sorted by what they are good for.

    Args:
        problem: the problem.
        evaluations: in order of arrival; failures are among them.
        pending: points without a result, oldest first.
        left_out: number of evaluations beyond these.
        pending_left_out: number of pending points beyond these.
        comparisons: of points with each other, oldest first.
        compared: their points that have no evaluation, in order of arrival.
    """

    problem: Problem
    evaluations: Sequence[Evaluation]
    pending: Sequence[Sequence[Number]]
    left_out: int = 0
    pending_left_out: int = 0
    comparisons: Sequence[Comparison] = ()
    compared: Sequence[Sequence[Number]] = ()

    @property
    def ranked(self) -> list[Evaluation]:
        """The evaluations that the model is fitted to."""
        return ranked(self.problem, self.evaluations)

    @property
    def fitted(self) -> list[Sequence[Number]]:
        """Inputs of what the model is fitted to: evaluations in order of arrival, then what has comparisons only."""
        results = self.ranked
        return [*(e.values for e in results), *points_without(self.comparisons, results)]

    @property
    def number(self) -> int:
        """How many rows there are, those that are left out included."""
        return len(self.known) + self.left_out + len(self.pending) + self.pending_left_out

    @property
    def known(self) -> list[Sequence[Number]]:
        """Inputs of the rows of which something is known: evaluated in order of arrival, then compared."""
        return [*(e.values for e in self.evaluations), *self.compared]

    @property
    def points(self) -> list[Sequence[Number]]:
        """Inputs of all rows: those that are known, then pending."""
        return [*self.known, *self.pending]

    def at(self, space: Space) -> Rows:
        """Return the rows that make the cells of a space: those that lie in it, and all of the initial design."""
        initial = self.problem.method.initial_rows(len(space.held))
        some = [e for k, e in enumerate(self.evaluations) if k < initial or space.contains(e.values)]
        compared = [x for k, x in enumerate(self.compared, len(self.evaluations)) if k < initial or space.contains(x)]
        out = [x for k, x in enumerate(self.pending, len(self.known)) if k < initial or space.contains(x)]
        return replace(self, evaluations=some, compared=compared, pending=out)


def ranked(problem: Problem, evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Return the evaluations that have a rank: failures only where the problem says that they count as the worst."""
    if problem.failed == "ignore":
        return [e for e in evaluations if not problem.is_failure(e)]
    return list(evaluations)


def points_without(comparisons: Sequence[Comparison], evaluations: Sequence[Evaluation]) -> list[Sequence[Number]]:
    """Return the points of comparisons at which there is no evaluation, in order of arrival."""
    evaluated = {e.values for e in evaluations}
    return [x for x in dict.fromkeys(x for c in comparisons for x in (c.better, c.worse)) if x not in evaluated]


def thinned(problem: Problem, evaluations: Sequence[Evaluation], most: int) -> list[Evaluation]:
    """Return at most a number of evaluations, in order of arrival; all where they are few enough.

    Kept are the first rows, which make the grid of cells; then the best, half of the number; the newest, a quarter; and
    of the rest every so many-th in the order of ranks. Nothing but order and arrival is used, so no increasing
    transform changes the choice.
    """
    if len(evaluations) <= most:
        return list(evaluations)
    n = len(evaluations)
    best_first = np.argsort(ranks(problem, evaluations), kind="stable")
    first = min(problem.method.initial_rows(len(problem.free)), most)
    keep = np.zeros(n, dtype=bool)
    keep[:first] = True
    for wanted, order in ((most // 2, best_first), (most // 4, np.arange(n)[::-1])):
        keep[order[~keep[order]][: max(0, min(wanted, most - int(keep.sum())))]] = True
    rest = best_first[~keep[best_first]]
    left = most - int(keep.sum())
    keep[rest[np.linspace(0, len(rest) - 1, left).astype(int)]] = True
    return [evaluations[k] for k in np.flatnonzero(keep)]
