"""Who judges samples, and rankings of them: which pairs it says, and how much each of them counts."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, TypeVar

from ordbo_cli.errors import UsageError
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
    flat = [(sample, k) for k, group in enumerate(groups) for sample in group]
    return [
        (one, two, first == second)
        for apart in range(len(flat) - 1, 0, -1)
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
