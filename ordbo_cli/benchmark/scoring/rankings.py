"""Mean ranks, and which of their differences are more than chance.

The ranks are those among the methods on each problem and seed, averaged over seeds, then over problems. Problems are
what is drawn by chance here: ten seeds of one problem say nothing about another problem, and as ten blocks of a test
they would make any difference certain. So a test sees one figure a problem.

Whether the methods differ at all is Friedman's test on the mean ranks, ranked once more within each problem, in the
form of Iman and Davenport. Which pairs differ is Wilcoxon's signed-rank test on the share of seeds on which the one was
ahead, less a half, a number for each problem, with Holm's correction for the number of pairs. Mean ranks themselves
would make the answer for a pair depend on which other methods take part (Benavoli, Corani and Mangili 2016, *Should we
really use post-hoc tests based on mean-ranks?*); these shares do not, and their sum over opponents is the mean rank.
The null distribution is the exact one, ties included: the normal approximation takes five wins on five problems for
significant. They cannot be: it takes six problems for one pair, nine to eleven for the pairs of five to ten methods.
Nemenyi's critical difference (Demšar 2006, *Statistical comparisons of classifiers over multiple data sets*) is given
for comparison.

=======  ==================================  ========
symbol   meaning                             shape
=======  ==================================  ========
``M``    methods
``P``    problems
=======  ==================================  ========
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, count
from typing import Final

import numpy as np
from scipy import stats

from ordbo_cli.benchmark.scoring.results import FIGURES, Figure, Results
from ordbo_cli.ordinal.linalg import Array

LEVEL: Final = 0.05
"""The chance of an error that is taken, for all pairs of a table together."""


@dataclass(frozen=True)
class MethodRanking:
    """The methods in order of their mean ranks over all problems of an experiment.

    Args:
        figure: by which regret, ``cumulative`` or ``simple``.
        budget: after how many evaluations.
        problems: how many there are.
        ranks: of each method, the best first.
        alike: for each method the others that it is not told apart from, the best first.
        friedman: the chance of such ranks if all methods were alike; None for two methods, or if all are tied.
        critical_difference: of mean ranks, by Nemenyi; None for two methods.
    """

    figure: Figure
    budget: int
    problems: int
    ranks: Mapping[str, float]
    alike: Mapping[str, Sequence[str]]
    friedman: float | None
    critical_difference: float | None

    @property
    def fewest(self) -> int:
        """How many problems it takes at least to tell two of so many methods apart."""
        pairs = len(self.ranks) * (len(self.ranks) - 1) // 2
        return next(problems for problems in count(1) if pairs * 0.5 ** (problems - 1) < LEVEL)

    @property
    def groups(self) -> list[tuple[str, ...]]:
        """The longest runs of neighbours in which no two are told apart, of two methods or more."""
        order = list(self.ranks)
        runs = [order[start : self._end(order, start)] for start in range(len(order))]
        ends = [start + len(run) for start, run in enumerate(runs)]
        return [
            tuple(run) for start, run in enumerate(runs) if len(run) > 1 and ends[start] > max(ends[:start], default=0)
        ]

    def _end(self, order: Sequence[str], start: int) -> int:
        """Return where the run of neighbours ends that begins at a place."""
        for end in range(start + 1, len(order)):
            if not set(order[start:end]) <= set(self.alike[order[end]]):
                return end
        return len(order)


def rankings(found: Results) -> list[MethodRanking]:
    """Return the rankings by both figures at each budget; none of a single problem or method."""
    if len(found.problems) < 2 or len(found.methods) < 2:
        return []
    return [_ranking(each, figure) for each in found.by_budget for figure in FIGURES]


def _ranking(found: Results, figure: Figure) -> MethodRanking:
    table = np.array([[found.mean_rank(figure, [p], method) for method in found.methods] for p in found.problems])
    means = {method: found.mean_rank(figure, found.problems, method) for method in found.methods}
    order = sorted(means, key=means.__getitem__)
    pairs = list(combinations(order, 2))
    chances = holm([signed_rank(_leads(found, figure, *pair)) for pair in pairs])
    apart = {frozenset(pair) for pair, chance in zip(pairs, chances, strict=True) if chance < LEVEL}
    return MethodRanking(
        figure=figure,
        budget=found.total,
        problems=len(table),
        ranks={method: means[method] for method in order},
        alike={one: [other for other in order if other != one and {one, other} not in apart] for one in order},
        friedman=friedman(table),
        critical_difference=critical_difference(len(order), len(table)) if len(order) > 2 else None,
    )


def _leads(found: Results, figure: Figure, one: str, other: str) -> Array:
    """Return for each problem the share of seeds on which one method is ahead of another, less a half [P]."""
    pairs = [(found.figure(figure, p, one), found.figure(figure, p, other)) for p in found.problems]
    return np.array([0.5 * np.sign(theirs - mine).mean() for mine, theirs in pairs])


def friedman(table: Array) -> float | None:
    """Return the chance of figures such as these if no method were better, by Iman and Davenport.

    Args:
        table: a row a problem, a column a method, the lower the better [P, M].

    Returns:
        The p-value; None for fewer than three methods, or if all are tied on every problem.
    """
    problems, methods = table.shape
    if methods < 3 or np.all(table == table[:, :1]):
        return None
    chi2 = float(stats.friedmanchisquare(*table.T).statistic)
    rest = problems * (methods - 1) - chi2
    F = (problems - 1) * chi2 / rest if rest > 0.0 else np.inf
    return float(stats.f.sf(F, methods - 1, (methods - 1) * (problems - 1)))


def critical_difference(methods: int, problems: int) -> float:
    """Return by how much two mean ranks have to differ by Nemenyi's test."""
    quantile = stats.studentized_range.ppf(1.0 - LEVEL, methods, np.inf) / np.sqrt(2.0)
    return float(quantile * np.sqrt(methods * (methods + 1) / (6.0 * problems)))


def signed_rank(differences: Array) -> float:
    """Return the two-sided p-value of Wilcoxon's signed-rank test, exact with ties too, differences of 0 left out.

    SciPy's is exact without ties alone. Every sum of ranks comes from as many choices of signs; twice the ranks are
    whole numbers.
    """
    known = differences[differences != 0.0]
    ranks = np.rint(2.0 * stats.rankdata(np.abs(known))).astype(int)
    chances = np.ones(1)  # of each sum of the ranks with a plus
    for rank in ranks:
        chances = 0.5 * (np.pad(chances, (0, rank)) + np.pad(chances, (rank, 0)))
    total = int(ranks[known > 0.0].sum())
    return min(1.0, 2.0 * float(min(chances[: total + 1].sum(), chances[total:].sum())))


def holm(chances: Sequence[float]) -> list[float]:
    """Return p-values corrected by Holm for their number."""
    order = np.argsort(chances, kind="stable")
    factors = np.arange(len(chances), 0, -1)
    corrected = np.minimum(1.0, np.maximum.accumulate(factors * np.asarray(chances)[order]))
    return [float(p) for p in corrected[np.argsort(order, kind="stable")]]
