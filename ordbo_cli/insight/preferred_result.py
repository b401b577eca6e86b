"""Which result of the front somebody likes best who has compared some, by places along the front and nothing else."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Comparison, Evaluation, Problem
from ordbo_cli.problem.order import front, knee, places
from ordbo_cli.search.cells.hypervolume import directions
from ordbo_cli.search.trades.preferences import BEYOND, reach, weights_by_place


def preferred(problem: Problem, results: Sequence[Evaluation], comparisons: Sequence[Comparison]) -> int | None:
    """Return the place of the result of the front that is worth most for the trades that comparisons speak for.

    No increasing transform of an objective changes it. It is the knee where no comparison is of two of the results, and
    where several are worth the same the first of them; None where nothing has succeeded.

    Args:
        problem: with a front.
        results: successes and others.
        comparisons: of results with each other.
    """
    best = front(problem, results)
    if not best or not comparisons:
        return knee(problem, results)
    along, lines = _along(problem, results, best), directions(len(problem.goals))
    place = {e.values: x for e, x in reversed(list(zip(results, along, strict=True))) if problem.is_success(e)}
    weights = weights_by_place(comparisons, place, lines)
    if weights is None:
        return knee(problem, results)
    worth = reach(1.0 + BEYOND - along[best], lines) @ weights
    return best[int(np.argmax(worth.round(9)))]


def _along(problem: Problem, results: Sequence[Evaluation], best: Sequence[int]) -> Array:
    """Return places along the front, 0 the best of it and 1 the worst, by each objective [P, K]."""
    columns = []
    for column in zip(*places(problem, results), strict=True):
        marks = sorted({column[k] for k in best})
        columns.append([bisect_left(marks, each) / max(1, len(marks) - 1) for each in column])
    return np.array(columns).T
