"""Which rows the model sees where there are too many for one step: it costs the cube of their number."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from ordbo_cli.problem import Comparison, Evaluation, Number, Problem
from ordbo_cli.problem.method import MOST_COMPARISONS
from ordbo_cli.problem.order import ranks

MOST_ROWS: Final = 1_000


def thinned(problem: Problem, evaluations: Sequence[Evaluation], most: int = MOST_ROWS) -> list[Evaluation]:
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


def left_out(evaluations: Sequence[Evaluation], most: int = MOST_ROWS) -> int:
    """Return how many evaluations the model does not see."""
    return max(0, len(evaluations) - most)


def newest_pending(pending: Sequence[Sequence[Number]], most: int = MOST_ROWS) -> Sequence[Sequence[Number]]:
    """Return at most a number of pending points, the newest, oldest first.

    Those before them are still not suggested again; only the cells that they lie in count as open.
    """
    return pending[max(0, len(pending) - most) :]


def newest_comparisons(comparisons: Sequence[Comparison], most: int = MOST_COMPARISONS) -> Sequence[Comparison]:
    """Return at most a number of comparisons, the newest, oldest first: they are about what is known to be good."""
    return comparisons[max(0, len(comparisons) - most) :]
