"""Who judges samples, rankings of them, and scores: which pairs these say, and how much each of them counts."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Final, TypeVar

from ordbo_cli.errors import UsageError
from ordbo_cli.problem.method import MOST_COMPARISONS
from ordbo_cli.problem.spelling import quoted

LONGEST_NAME: Final = 100
T = TypeVar("T")
Groups = tuple[tuple[int, ...], ...]
"""Ids of a ranking, the best first; those of one group are tied."""


def ranking_pairs(groups: Sequence[Sequence[T]]) -> list[tuple[T, T, bool]]:
    """Return every pair of a ranking once: the better one, the worse one, and whether they are tied.

    Those come first that are farthest apart, and neighbours last: where only the newest pairs are kept, it is these,
    from which all others follow.

    Args:
        groups: the best first; those of one group are tied.
    """
    flat = _flat(groups)
    return _pairs(flat, range(1, len(flat)))


def _flat(groups: Sequence[Sequence[T]]) -> list[tuple[T, int]]:
    return [(sample, k) for k, group in enumerate(groups) for sample in group]


def _pairs(flat: Sequence[tuple[T, int]], distances: Sequence[int]) -> list[tuple[T, T, bool]]:
    """Return the pairs of samples that are so many places apart, the farthest first."""
    return [
        (one, two, first == second)
        for apart in sorted(distances, reverse=True)
        for (one, first), (two, second) in zip(flat, flat[apart:], strict=False)
    ]


def ranking_weight(number: int) -> float:
    """Return how much each pair of a ranking counts: ``log(m!) / (m (m - 1) / 2 * log 2)`` for ``m`` samples.

    A ranking of ``m`` samples is one of ``m!`` orders, and says ``log2(m!)`` bits, while an answer about two samples
    says one. Its ``m (m - 1) / 2`` pairs follow from each other in part; were each an answer of its own, a long ranking
    would count for many more answers than were given. With this weight all pairs together count as many answers as the
    order has bits: 1 for two samples, 2.6 for three, 6.9 for five. Ties count as other pairs do.

    Args:
        number: of the samples, at least 2.
    """
    return math.log(math.factorial(number)) / (number * (number - 1) // 2 * math.log(2))


def judge_name(judge: str | None) -> str:
    """Return the name of a judge as a table holds it; "" where nobody is named.

    Raises:
        UsageError: it is empty, too long, or has characters that cannot be printed.
    """
    if judge is None:
        return ""
    name = judge.strip()
    if not name or len(name) > LONGEST_NAME or not name.isprintable():
        raise UsageError(f"{quoted(judge)} is no name of a judge", f"Give one of 1 to {LONGEST_NAME} characters")
    return name


def groups_of(given: Sequence[int | Sequence[int]]) -> Groups:
    """Return the groups of a ranking.

    Args:
        given: ids, the best first; those in a list of their own are tied.

    Raises:
        UsageError: there are fewer than two points, a group is empty, or a point stands in it twice.
    """
    groups = tuple((each,) if isinstance(each, int) else tuple(each) for each in given)
    ids = [id for group in groups for id in group]
    if not all(groups):
        raise UsageError("a group of the ranking is empty", "Each holds an id or more, those of one group tied")
    if twice := next((id for k, id in enumerate(ids) if id in ids[:k]), None):
        raise UsageError(f"{twice} stands in the ranking twice", "Name each point once")
    if len(ids) < 2:
        raise UsageError("a ranking of fewer than two points says nothing", "Give their ids, the best first: 4 7=2 9")
    return groups


def ranking_words(groups: Sequence[Sequence[int]]) -> str:
    """Return a ranking in words."""
    return " over ".join("=".join(map(str, group)) for group in groups)


def score_groups(scores: Mapping[T, Decimal], *, largest_first: bool) -> tuple[tuple[T, ...], ...]:
    """Return the ranking that the scores of one judge are: equal scores are ties, in the order in which they came.

    Args:
        scores: by sample.
        largest_first: whether a larger score is a better one.
    """
    by_score: dict[Decimal, list[T]] = {}
    for sample, score in scores.items():
        by_score.setdefault(score, []).append(sample)
    return tuple(tuple(by_score[score]) for score in sorted(by_score, reverse=largest_first))


def score_pairs(
    rankings: Mapping[str, Sequence[Sequence[T]]], others: int = 0
) -> list[tuple[str, tuple[T, T, bool], float]]:
    """Return what the scores of several judges say of two samples each: who says it, the pair, and what it counts.

    Each judge's count as many answers as his ranking has bits (:func:`ranking_weight`). Where all pairs together are
    more than the model sees, each judge has an equal share of it, and those pairs are taken that are 1, 2, 4, 8
    and so on places apart, then others, as far as there is room for all so far apart; of a ranking longer than that its
    better half, and of the other one every so many-th.

    Args:
        rankings: of each judge by name, the best first; those of one group are tied.
        others: how many comparisons there are beside; half of what the model sees is left to the scores at least.
    """
    shares = _shares({judge: math.comb(sum(map(len, groups)), 2) for judge, groups in rankings.items()}, others)
    found = []
    for judge, groups in rankings.items():
        if shares[judge]:
            pairs, weight = thinned_ranking(groups, shares[judge])
            found += [(judge, pair, weight) for pair in pairs]
    return found


def _shares(wanted: Mapping[str, int], others: int) -> dict[str, int]:
    """Return how many pairs of each judge the model sees: what one does not need the others have."""
    left = max(MOST_COMPARISONS // 2, MOST_COMPARISONS - others)
    found = {}
    for k, judge in enumerate(sorted(wanted, key=wanted.__getitem__)):
        found[judge] = min(wanted[judge], left // (len(wanted) - k))
        left -= found[judge]
    return found


def thinned_ranking(groups: Sequence[Sequence[T]], most: int) -> tuple[list[tuple[T, T, bool]], float]:
    """Return at most a number of pairs of a ranking, and what each counts; places in the ranking alone decide.

    Args:
        groups: the best first, with two samples or more; those of one group are tied.
        most: how many pairs, at least 1.
    """
    flat = _flat(groups)
    if math.comb(len(flat), 2) <= most:
        return ranking_pairs(groups), ranking_weight(len(flat))
    if len(flat) > most + 1:
        best, rest = flat[: (most + 1) // 2], flat[(most + 1) // 2 :]
        number = most + 1 - len(best)
        flat = [*best, *(rest[(k + 1) * len(rest) // number - 1] for k in range(number))]
    doubling = [2**k for k in range(len(flat).bit_length()) if 2**k < len(flat)]
    distances: list[int] = []
    room = most
    for apart in [*doubling, *(k for k in range(1, len(flat)) if k not in doubling)]:
        if len(flat) - apart <= room:
            room -= len(flat) - apart
            distances.append(apart)
    pairs = _pairs(flat, distances)
    return pairs, ranking_weight(len(flat)) * math.comb(len(flat), 2) / len(pairs)
