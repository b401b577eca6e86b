"""The rows of a study that the model and the cells are made of, sorted by what they are good for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

import numpy as np

from ordbo_cli.problem import Campaign, Comparison, Evaluation, Number, Problem
from ordbo_cli.problem.order import ranks
from ordbo_cli.search.latent_axes import LatentAxes
from ordbo_cli.search.space.space import Space

MOST_ROWS: Final = 1_000  # that the model sees: a step costs the cube of their number


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
        campaigns: results of other sources.
    """

    problem: Problem
    evaluations: Sequence[Evaluation]
    pending: Sequence[Sequence[Number]]
    left_out: int = 0
    pending_left_out: int = 0
    comparisons: Sequence[Comparison] = ()
    compared: Sequence[Sequence[Number]] = ()
    campaigns: Sequence[Campaign] = ()

    @cached_property
    def latent_axes(self) -> LatentAxes:
        """The axes of the latent space."""
        return LatentAxes(self.problem, len(self.campaigns))

    @cached_property
    def judges(self) -> tuple[str, ...]:
        """The names of those who compared points, in alphabetical order."""
        return tuple(sorted({each.judge for each in self.comparisons if each.judge}))

    @property
    def elsewhere(self) -> list[Sequence[Number]]:
        """Inputs of the results of other sources."""
        return [e.values for campaign in self.campaigns for e in campaign.evaluations]

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
        """Inputs of all rows: those of other sources, those that are known, then pending."""
        return [*self.elsewhere, *self.known, *self.pending]

    def at(self, space: Space) -> Rows:
        """Return the rows that make the cells of a space: those that lie in it, and all of the initial design."""
        initial = self.problem.method.initial_rows(len(space.held))
        some = [e for k, e in enumerate(self.evaluations) if k < initial or space.contains(e.values)]
        compared = [x for k, x in enumerate(self.compared, len(self.evaluations)) if k < initial or space.contains(x)]
        out = [x for k, x in enumerate(self.pending, len(self.known)) if k < initial or space.contains(x)]
        campaigns = [
            replace(each, evaluations=tuple(e for e in each.evaluations if space.contains(e.values)))
            for each in self.campaigns
        ]
        return replace(self, evaluations=some, compared=compared, pending=out, campaigns=campaigns)


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
