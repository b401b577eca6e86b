"""Several objectives: each of them alone, and who dominates whom. Only order is used, of each objective by itself."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any, Final

from ordbo_cli.problem.evaluation import Evaluation
from ordbo_cli.problem.limit import Aim
from ordbo_cli.problem.problem import Problem

_BLOCK: Final = 4_000  # results whose dominators are found at a time
OF_EACH: Final = "objectives"  # key of the fits of several in that of a step

Places = tuple[int, ...]
"""The ranks of a result, one for each objective, 0 the best."""


def alone(problem: Problem, objective: int) -> Problem:
    """Return a problem with one of its objectives; the limits of all outcomes stay.

    Args:
        problem: with several.
        objective: its place among :attr:`.Problem.goals`.
    """
    if not problem.several:
        return problem
    name, goal = problem.goals[objective]
    limits = tuple(each for each in problem.outcomes if each.is_limited)
    unit = problem.aims[objective - 1][1].unit if objective else problem.unit
    enough, grades = problem.enoughs[objective], problem.words.get(name, ())
    one = replace(problem, outcomes=limits, columns=(), trade="front")
    return replace(one, objective=name, goal=goal, unit=unit, enough=enough, grades=grades)


def without_enough(problem: Problem) -> Problem:
    """Return a problem in which nothing is good enough: the values of other sources may lie on other scales."""
    if all(enough is None for enough in problem.enoughs):
        return problem
    outcomes = tuple(replace(each, enough=None) if isinstance(each, Aim) else each for each in problem.outcomes)
    return replace(problem, enough=None, outcomes=outcomes)


def alone_in(problem: Problem, evaluation: Evaluation, objective: int) -> Evaluation:
    """Return an evaluation as one of the problem that :func:`alone` returns.

    Args:
        problem: with several objectives.
        evaluation: of it.
        objective: its place among :attr:`.Problem.goals`.
    """
    measured = zip(problem.outcomes, evaluation.outcomes, strict=False)
    outcomes = tuple(value for outcome, value in measured if outcome.is_limited) if problem.is_limited else ()
    if evaluation.objective is None or objective == 0:
        return replace(evaluation, outcomes=outcomes, sides=())
    place, _ = problem.aims[objective - 1]
    value, side = evaluation.outcomes[place], evaluation.side(place)
    return replace(evaluation, objective=value, censored=side, outcomes=outcomes, sides=())


def fits_of(fit: Mapping[str, Any] | None) -> list[Any]:
    """Return the fits of several objectives that one of all of them holds, whatever stands there."""
    fits = (fit or {}).get(OF_EACH)
    return [each if isinstance(each, Mapping) else None for each in fits] if isinstance(fits, list) else []


def dominates(one: Places, other: Places) -> bool:
    """Return whether a result is as good as another one in every objective, and better in one."""
    return one != other and all(a <= b for a, b in zip(one, other, strict=True))


def dominators(places: Sequence[Places]) -> Iterator[int]:
    """Yield for each result which others dominate it: a whole number with a bit for each of them, by place.

    Sets of results that are as good in one objective grow along it; what they have in common, and a better one among
    it, are operations on whole numbers, each on all results at once.
    """
    for begin in range(0, len(places), _BLOCK):
        yield from _dominators(places, range(begin, min(begin + _BLOCK, len(places))))


def _dominators(places: Sequence[Places], some: range) -> list[int]:
    """Return the same of some results: of all at once it would take memory by the square of their number."""
    as_good, better = [-1] * len(some), [0] * len(some)
    for ranks in zip(*places, strict=True):
        until = 0
        for _, alike in groupby(sorted(range(len(ranks)), key=ranks.__getitem__), key=ranks.__getitem__):
            here, before = list(alike), until
            for k in here:
                until |= 1 << k
            for k in here:
                if k in some:
                    as_good[k - some.start] &= until
                    better[k - some.start] |= before
    return [one & other for one, other in zip(as_good, better, strict=True)]


def levels(places: Sequence[Places]) -> list[int]:
    """Return how many fronts have to be taken away before each result is on one: 0 for those that none dominates.

    Source: X. Zhang et al., "An efficient approach to nondominated sorting for evolutionary multiobjective
    optimization", IEEE Transactions on Evolutionary Computation 19 (2015).
    """
    fronts: list[int] = []  # each with a bit for each of its results
    level: dict[Places, int] = {}
    distinct = sorted(set(places))  # what dominates a result comes before it
    for k, above in enumerate(dominators(distinct)):
        low = bisect_left(fronts, 0, key=lambda front: -bool(front & above))  # the first that has none of them
        if low == len(fronts):
            fronts.append(0)
        fronts[low] |= 1 << k
        level[distinct[k]] = low
    return [level[one] for one in places]
