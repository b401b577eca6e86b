"""The order of results, and nothing else of them: which ranks each may have.

Of several objectives the rank of a result is the number of fronts before its own; with a priority among them that of
its ranks by each, compared one after the other. What is better than good enough
ranks as good enough.

Only exact decimals are compared, so every strictly monotone transform of the objective gives the same ranks.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise
from typing import NamedTuple

from ordbo_cli.problem import Evaluation, Problem
from ordbo_cli.problem.limit import violations
from ordbo_cli.problem.several import Places, alone, alone_in, dominators, levels


@dataclass(frozen=True)
class Order:
    """The dense ranks that results may have, 0 the best: one each, or several where only a limit is known.

    Args:
        low: the best rank of each [N].
        high: the worst rank of each [N].
    """

    low: tuple[int, ...]
    high: tuple[int, ...]


class FrontStep(NamedTuple):
    """What an evaluation made of the front of those until then.

    Args:
        joins: whether it is on it.
        size: how many results are.
    """

    joins: bool
    size: int


def order(problem: Problem, evaluations: Sequence[Evaluation]) -> Order:
    """Return the order of evaluations: equal results share a rank, all failures share one after the last.

    A censored result may have every rank on its side of its limit. Results that break a limit come between the others
    and the failures, those that break them alike share a rank (:func:`ordbo_cli.problem.limit.violations`).
    """
    if not problem.outcomes:
        return _feasible_order(problem, evaluations)
    broken = violations(problem.outcomes, [each.outcomes for each in evaluations])
    kept = [k for k, total in enumerate(broken) if not total]
    found = _feasible_order(problem, [evaluations[k] for k in kept])
    low, high = dict(zip(kept, found.low, strict=True)), dict(zip(kept, found.high, strict=True))
    used = 1 + max((high[k] for k in kept if evaluations[k].objective is not None), default=-1)
    places = {total: used + k for k, total in enumerate(sorted({total for total in broken if total}))}
    failed = [k for k in kept if evaluations[k].objective is None]
    rank = {k: places[total] for k, total in enumerate(broken) if total} | dict.fromkeys(failed, used + len(places))
    return Order(*(tuple((each | rank)[k] for k in range(len(evaluations))) for each in (low, high)))


def _feasible_order(problem: Problem, evaluations: Sequence[Evaluation]) -> Order:
    """Return the order of evaluations of which none breaks a limit."""
    if problem.several:
        return _front_order(problem, evaluations)
    if problem.enough is not None:
        evaluations = [as_it_counts(problem, each) for each in evaluations]
    known = {each.objective for each in evaluations if each.objective is not None}
    place = {value: k for k, value in enumerate(sorted(known, reverse=problem.goal == "maximize"))}
    if not any(each.censored for each in evaluations):
        rank = tuple(len(place) if each.objective is None else place[each.objective] for each in evaluations)
        return Order(rank, rank)
    is_enough = problem.enough in known
    spans = [
        None if e.objective is None else _span(place[e.objective], e, problem, len(place), is_enough=is_enough)
        for e in evaluations
    ]
    exact = {span[0] for e, span in zip(evaluations, spans, strict=True) if span and not e.censored}
    censored = {span for e, span in zip(evaluations, spans, strict=True) if span and e.censored}
    bins, used = _bins(exact, censored, 2 * len(place) + 1)
    ends = [(used, used) if span is None else (bins[span[0]], bins[span[1]]) for span in spans]
    return Order(tuple(low for low, _ in ends), tuple(high for _, high in ends))


def as_it_counts(problem: Problem, evaluation: Evaluation) -> Evaluation:
    """Return a result of one objective, one that is better than what is good enough as just that; a limit as well."""
    enough, value = problem.enough, evaluation.objective
    if enough is None or value is None or (value > enough if problem.goal == "minimize" else value < enough):
        return evaluation
    side = evaluation.censored if problem.is_worse_than_limit(evaluation.censored) else ""
    return replace(evaluation, objective=enough, censored=side)


def _front_order(problem: Problem, evaluations: Sequence[Evaluation]) -> Order:
    """Return the order by fronts, or by priority, of evaluations of which none breaks a limit."""
    known = [k for k, each in enumerate(evaluations) if each.objective is not None]
    found = places(problem, [evaluations[k] for k in known])
    level = dict(zip(known, joint_ranks(problem, found), strict=True))
    last = 1 + max(level.values(), default=-1)
    rank = tuple(level.get(k, last) for k in range(len(evaluations)))
    return Order(rank, rank)


def joint_ranks(problem: Problem, found: Sequence[Places]) -> list[int]:
    """Return the ranks of results by all objectives, given those by each: numbers of fronts, or by priority."""
    if not problem.by_priority:
        return levels(found)
    rank_of = {each: k for k, each in enumerate(sorted(set(found)))}
    return [rank_of[each] for each in found]


def front(problem: Problem, evaluations: Sequence[Evaluation]) -> list[int]:
    """Return the places of the successes inside the bounds that no other of them dominates, in order of arrival.

    With a priority among objectives they are the best ones, which are alike by each.
    """
    good = [k for k, each in enumerate(evaluations) if problem.is_inside(each.values) and problem.is_success(each)]
    return [k for k, rank in zip(good, ranks(problem, [evaluations[k] for k in good]), strict=True) if rank == 0]


def known_of_front(problem: Problem, evaluations: Sequence[Evaluation]) -> list[int]:
    """Return how many results of the front of all were known after each evaluation."""
    leading = set(front(problem, evaluations))
    return list(accumulate(k in leading for k in range(len(evaluations))))


def course_of_front(problem: Problem, evaluations: Sequence[Evaluation]) -> list[FrontStep]:
    """Return what each evaluation made of the front of those until then; limits have places among all of today."""
    good = [k for k, each in enumerate(evaluations) if problem.is_inside(each.values) and problem.is_success(each)]
    joins, sizes = [False] * len(evaluations), [0] * (len(evaluations) + 1)
    for k, above in enumerate(dominators(places(problem, [evaluations[k] for k in good]))):
        first = (above & -above).bit_length() - 1  # the place of the first that dominates it, -1 where none does
        if first < 0 or first > k:
            joins[good[k]] = True
            sizes[good[k]] += 1
            sizes[good[first] if first >= 0 else -1] -= 1
    return [FrontStep(*each) for each in zip(joins, accumulate(sizes[:-1]), strict=True)]


def knee(problem: Problem, evaluations: Sequence[Evaluation]) -> int | None:
    """Return the place of the result of the front that gives up least: whose worst place in it is the best.

    Places along the front by each objective count, and no distances, so no increasing transform of an objective changes
    it. Of equals that with the smaller sum of places counts, then that with the better place in the first objective.
    None where nothing has succeeded.
    """
    best = front(problem, evaluations)
    found = places(problem, [evaluations[k] for k in best])
    return best[knee_among(found)] if best else None


def knee_among(found: Sequence[Places]) -> int:
    """Return the place of the knee among the results of a front, given their ranks by each objective.

    Args:
        found: of one result at least, in order of arrival; ranks among all results say the same.
    """
    by_objective = [sorted(set(column)) for column in zip(*found, strict=True)]
    along = [tuple(map(bisect_left, by_objective, each)) for each in found]
    return min(range(len(found)), key=lambda k: (max(along[k]), sum(along[k]), along[k]))


def places(problem: Problem, evaluations: Sequence[Evaluation]) -> list[Places]:
    """Return the ranks of results by each of several objectives."""
    each = range(len(problem.goals))
    return list(
        zip(*(ranks(alone(problem, k), [alone_in(problem, e, k) for e in evaluations]) for k in each), strict=True)
    )


def ranks(problem: Problem, evaluations: Sequence[Evaluation]) -> list[int]:
    """Return a dense rank for each evaluation, 0 the best; of a censored one that next to its limit."""
    found = order(problem, evaluations)
    return [
        high if each.censored and not problem.is_worse_than_limit(each.censored) else low
        for each, low, high in zip(evaluations, found.low, found.high, strict=True)
    ]


def _span(place: int, evaluation: Evaluation, problem: Problem, values: int, *, is_enough: bool) -> tuple[int, int]:
    """Return the first and the last position that a result may have.

    Of the distinct values in order, limits included, the k-th has position 2k + 1, and what lies before it 2k. Nothing
    lies before what is good enough, and what is no better than that may be as good.
    """
    if not evaluation.censored:
        return 2 * place + 1, 2 * place + 1
    if not problem.is_worse_than_limit(evaluation.censored):
        return int(is_enough), 2 * place
    return 2 * place + 2 - (evaluation.objective == problem.enough), 2 * values


def _bins(seen: Collection[int], censored: Collection[tuple[int, int]], positions: int) -> tuple[list[int], int]:
    """Return the bin of each position, and how many bins there are.

    Every observed value has a bin. Positions without one join a bin beside them that the same censored results may be
    in. Where there is none, they make a bin of their own: limits overlap there, or lie beyond all values.

    Args:
        seen: positions of the observed values.
        censored: first and last positions of the censored results.
        positions: how many there are.
    """
    change = [0] * (positions + 1)  # of the number of censored results that may be there
    for first, last in censored:
        change[first] += 1
        change[last + 1] -= 1
    is_seen = [0] * positions
    for position in seen:
        is_seen[position] = 1
    bins: list[int] = []
    used = covered = 0
    cuts = sorted({0, positions, *(first for first, _ in censored), *(last + 1 for _, last in censored)})
    for start, stop in pairwise(cuts):  # all positions between are alike to the censored results
        covered += change[start]
        counts = list(accumulate(is_seen[start:stop]))
        bins += [used + max(count - 1, 0) for count in counts]
        used += max(counts[-1], int(covered > 0))
    return bins, used
