"""Several objectives as one: the order of results for one trade between them, which every second step searches by.

A front has middling results in each objective, so that to a model for each a place of which nothing is known looks as
good as the front, and hope is spent in all corners of the box. In the order of one trade the best results lead, as with
one objective, and the search stays with them where it should. Which trade, a draw says; over the steps all have their
turn, those more often that somebody's comparisons speak for.

A trade is a direction from a reference point that is worse than all results by each objective. A result is as good for
it as it comes along the direction, by the objective that holds it back most: a weighted Chebyshev maximum (Knowles
2006, whose augmented scalarisation of values this is by ranks). Beside it all of them count a little, so that a result
ranks behind every one that dominates it.

======  ===========================================================  ======
symbol  meaning                                                      shape
======  ===========================================================  ======
P       successes
K       objectives
L       directions
h       ranks of results as heights, from 1 of the best of all to 0  [P, K]
lambda  a direction, of unit length                                  [K]
======  ===========================================================  ======
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array, IntArray
from ordbo_cli.problem import Evaluation, Problem
from ordbo_cli.problem.order import places
from ordbo_cli.problem.several import alone, alone_in
from ordbo_cli.problem.streams import Stream
from ordbo_cli.search.cells.hypervolume import directions
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.step_rows import Rows
from ordbo_cli.search.trades.preferences import BEYOND, weights_by_place

_EVERY: Final = 2  # steps
_ALL: Final = 0.05  # weight of all objectives beside the one that holds a result back most


@dataclass(frozen=True)
class OneTrade:
    """A step's results in the order of one trade.

    Args:
        given: what the step follows from, with that order in the place of the objectives.
        weights: how much each objective counts, 1 together [K].
    """

    given: StepInput
    weights: Array


def one_trade(given: StepInput) -> OneTrade | None:
    """Return the trade that a step searches by; None where it searches by all objectives, or there is one."""
    problem, rows = given.problem, given.rows
    if not problem.has_front or rows.number % _EVERY:
        return None
    good = [each for each in rows.evaluations if problem.is_success(each)]
    if not good:
        return None
    rng = np.random.default_rng([problem.seed, given.step, Stream.TRADE])
    along = _drawn(rows, good, _heights(problem, good), rng)
    asked = replace(alone(problem, 0), goal="minimize", grades=(), enough=None)
    results = _in_order(problem, rows.evaluations, along)
    campaigns = [replace(c, evaluations=_in_order(problem, c.evaluations, along)) for c in rows.campaigns]
    seen = replace(given, problem=asked, evaluations=results, fit=None, comparisons=(), campaigns=campaigns)
    return OneTrade(seen, along / along.sum())


def _in_order(problem: Problem, evaluations: Sequence[Evaluation], along: Array) -> tuple[Evaluation, ...]:
    """Return evaluations whose one objective is their rank by how far they come along a direction; failures as such."""
    good = [k for k, each in enumerate(evaluations) if problem.is_success(each)]
    found = ranks_along(_heights(problem, [evaluations[k] for k in good]), along) if good else ()
    rank = dict(zip(good, map(int, found), strict=True))
    return tuple(_result(alone_in(problem, e, 0), rank.get(k, len(good))) for k, e in enumerate(evaluations))


def ranks_along(heights: Array, along: Array) -> IntArray:
    """Return the ranks of results by how far they come along a direction, 0 the farthest [P].

    Args:
        heights: of results [P, K].
        along: the direction [K].
    """
    reached = (heights + BEYOND) / along
    worth = reached.min(axis=1) + _ALL * reached.sum(axis=1)
    return np.asarray(np.unique(-worth.round(9), return_inverse=True)[1], dtype=np.int64)


def _heights(problem: Problem, good: Sequence[Evaluation]) -> Array:
    """Return the ranks of successes by each objective as heights [P, K]."""
    found = np.array(places(problem, good), dtype=np.float64)
    return np.asarray(1.0 - found / np.maximum(found.max(axis=0), 1.0))


def _drawn(rows: Rows, results: list[Evaluation], heights: Array, rng: np.random.Generator) -> Array:
    """Return a direction, by chance and what comparisons of results say [K]."""
    lines = directions(heights.shape[1])
    place = {each.values: 1.0 - height for each, height in reversed(list(zip(results, heights, strict=True)))}
    if rows.problem.noise:
        for values in place:  # of several results of a point none speaks for it alone
            own = [height for each, height in zip(results, heights, strict=True) if each.values == values]
            place[values] = 1.0 - np.mean(own, axis=0)
    weights = weights_by_place(rows.comparisons, place, lines)
    share = np.ones(len(lines)) if weights is None else weights
    return np.asarray(lines[rng.choice(len(lines), p=share / share.sum())])


def _result(evaluation: Evaluation, rank: int) -> Evaluation:
    """Return an evaluation whose one objective is its rank; a failure is one still."""
    return evaluation if evaluation.objective is None else replace(evaluation, objective=Decimal(rank), censored="")
