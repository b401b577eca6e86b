"""Figures of merit: regrets, each as a ratio to a baseline's, and ranks.

The mean of the cumulative regret over seeds is arithmetic, that of the simple regret geometric. Ratios over several
problems are geometric means of the problems' ratios. Intervals hold 95% of bootstrap samples: seeds are drawn with
replacement, the same ones for a method and for the baseline. Ranks are those among the methods on each problem and
seed, equals sharing one, averaged.

=======  ==================================  ========
symbol   meaning                             shape
=======  ==================================  ========
``S``    seeds
``B``    bootstrap samples
``P``    problems
=======  ==================================  ========
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from ordbo_cli.benchmark.scoring.results import Results
from ordbo_cli.benchmark.suites.suite import GROUPS
from ordbo_cli.ordinal.linalg import Array

_SAMPLES: Final = 2000


@dataclass(frozen=True)
class Ratio:
    """A ratio to the baseline's figure, and the ends of its 95% bootstrap interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class MethodStanding:
    """How one method did on one problem or on a group of them.

    Args:
        subject: the problem or the group.
        method: the method.
        budget: after how many evaluations.
        cumulative: mean cumulative regret; None for a group.
        simple: geometric mean of the simple regret after so many evaluations; None for a group.
        cumulative_ratio, simple_ratio: to the baseline's; None where it did not take part.
        cumulative_rank, simple_rank: mean rank, 1 the best.
        seconds, seconds_90: median and upper decile over all suggestions; None where they are not known.
    """

    subject: str
    method: str
    budget: int
    cumulative: float | None
    simple: Mapping[int, float] | None
    cumulative_ratio: Ratio | None
    simple_ratio: Ratio | None
    cumulative_rank: float
    simple_rank: float
    seconds: float | None
    seconds_90: float | None


def standings(found: Results) -> list[MethodStanding]:
    """Return how every method did on every problem, at each budget."""
    return [
        _standing(problem, each, [problem], method)
        for each in found.by_budget
        for problem in found.problems
        for method in found.methods
    ]


def group_standings(found: Results) -> list[MethodStanding]:
    """Return how every method did on the groups of problems that are all there and on all problems, at each budget."""
    groups = {**{name: names for name, names in GROUPS.items() if name != "all"}, "all": tuple(found.problems)}
    there = {name: names for name, names in groups.items() if len(names) > 1 and set(names) <= set(found.problems)}
    once = {frozenset(names): name for name, names in reversed(there.items())}
    return [
        _standing(name, each, names, method)
        for each in found.by_budget
        for name, names in there.items()
        if once[frozenset(names)] == name
        for method in found.methods
    ]


def overall_standings(found: Results) -> list[MethodStanding]:
    """Return how every method did on all problems together, at each budget."""
    subject = found.problems[0] if len(found.problems) == 1 else "all"
    return [_standing(subject, each, found.problems, method) for each in found.by_budget for method in found.methods]


def _standing(subject: str, found: Results, problems: Sequence[str], method: str) -> MethodStanding:
    one = problems[0] if len(problems) == 1 else None
    base = found.baseline
    compared = [problem for problem in problems if (problem, base) in found.regrets]
    cumulative = [(found.cumulative(p, method), found.cumulative(p, base)) for p in compared]
    simple = [(found.simple(p, method), found.simple(p, base)) for p in compared]
    seconds = [s for p in problems for run in found.seconds.get((p, method), ()) for s in run]
    return MethodStanding(
        subject=subject,
        method=method,
        budget=found.total,
        cumulative=float(found.cumulative(one, method).mean()) if one else None,
        simple={mark: float(np.exp(_log_mean(found.simple(one, method, mark), geometric=True))) for mark in found.marks}
        if one
        else None,
        cumulative_ratio=ratio(cumulative, geometric=False) if cumulative else None,
        simple_ratio=ratio(simple, geometric=True) if simple else None,
        cumulative_rank=found.mean_rank("cumulative", problems, method),
        simple_rank=found.mean_rank("simple", problems, method),
        seconds=float(np.median(seconds)) if seconds else None,
        seconds_90=float(np.percentile(seconds, 90)) if seconds else None,
    )


def ratio(pairs: Sequence[tuple[Array, Array]], *, geometric: bool) -> Ratio:
    """Return the geometric mean over problems of a method's mean figure by the baseline's.

    Args:
        pairs: for each of P problems the figures of the method and of the baseline, by seed [S] each.
        geometric: whether the means over seeds are geometric.
    """
    rng = np.random.default_rng(0)
    logs, samples = [], []
    for mine, theirs in pairs:
        drawn = rng.integers(len(mine), size=(_SAMPLES, len(mine)))
        logs.append(_log_mean(mine, geometric) - _log_mean(theirs, geometric))
        samples.append(_log_mean(mine[drawn], geometric) - _log_mean(theirs[drawn], geometric))
    low, high = np.percentile(np.mean(samples, axis=0), (2.5, 97.5))
    return Ratio(float(np.exp(np.mean(logs))), float(np.exp(low)), float(np.exp(high)))


def _log_mean(figures: Array, geometric: bool) -> Array:
    """Return the logarithm of the mean over the last axis."""
    return np.log(figures).mean(axis=-1) if geometric else np.log(figures.mean(axis=-1))
