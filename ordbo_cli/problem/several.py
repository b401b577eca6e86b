"""Several objectives: each of them alone, and who dominates whom. Only order is used, of each objective by itself."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from ordbo_cli.problem.evaluation import Evaluation
from ordbo_cli.problem.problem import Problem

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


def alone_in(problem: Problem, evaluation: Evaluation, objective: int) -> Evaluation:
    """Return an evaluation as one of the problem that :func:`alone` returns.

    Args:
        problem: with several objectives.
        evaluation: of it.
        objective: its place among :attr:`.Problem.goals`.
    """
    measured = zip(problem.outcomes, evaluation.outcomes, strict=False)
    outcomes = tuple(value for outcome, value in measured if outcome.is_limited)
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


def levels(places: Sequence[Places]) -> list[int]:
    """Return how many fronts have to be taken away before each result is on one: 0 for those that none dominates.

    Source: X. Zhang et al., "An efficient approach to nondominated sorting for evolutionary multiobjective
    optimization", IEEE Transactions on Evolutionary Computation 19 (2015).
    """
    fronts: list[list[Places]] = []
    level: dict[Places, int] = {}
    for one in sorted(set(places)):  # what dominates it comes before it
        low, high = 0, len(fronts)
        while low < high:
            middle = (low + high) // 2
            if any(dominates(other, one) for other in reversed(fronts[middle])):
                low = middle + 1
            else:
                high = middle
        if low == len(fronts):
            fronts.append([])
        fronts[low].append(one)
        level[one] = low
    return [level[one] for one in places]
