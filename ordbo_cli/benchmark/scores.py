"""Figures of merit: regret after the initial design, each as a ratio to a baseline's.

*Cumulative* regret is summed over the suggestions after the initial design and averaged over seeds. *Simple* regret is
that of the best point of all so far, initial ones included, and its mean over seeds is geometric. Regrets are floored
at the problem's precision, and are those of the values without noise. Ratios over several problems are geometric means
of the problems' ratios. Intervals hold 95% of bootstrap samples: seeds are drawn with replacement, the same ones for a
method and for the baseline. Ranks are those among the methods on each problem and seed, equals sharing one, averaged.

=======  ==================================  ========
symbol   meaning                             shape
=======  ==================================  ========
``S``    seeds
``T``    evaluations of a run
``B``    bootstrap samples
``P``    problems
=======  ==================================  ========
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np
from scipy.stats import rankdata

from ordbo_cli.benchmark.records import RunKey, RunRecord
from ordbo_cli.benchmark.rivals.methods import BASELINE
from ordbo_cli.benchmark.suites.benchmark_problem import COCO_PRECISION
from ordbo_cli.benchmark.suites.suite import CHALLENGING
from ordbo_cli.benchmark.suites.suite import GROUPS as SUITES
from ordbo_cli.ordinal.linalg import Array

_SAMPLES: Final = 2000
_USER_PRECISION: Final = 1e-3  # of a simulator whose optimum nobody knows, in units of what the best run gained


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
        cumulative: mean cumulative regret; None for a group.
        simple: geometric mean of the simple regret after so many evaluations; None for a group.
        cumulative_ratio, simple_ratio: to the baseline's, at the end; None where it did not take part.
        cumulative_rank, simple_rank: mean rank, 1 the best, at the end.
        seconds: median over all suggestions; None where it is not known.
    """

    subject: str
    method: str
    cumulative: float | None
    simple: Mapping[int, float] | None
    cumulative_ratio: Ratio | None
    simple_ratio: Ratio | None
    cumulative_rank: float
    simple_rank: float
    seconds: float | None


@dataclass(frozen=True)
class Results:
    """The regrets of an experiment.

    Args:
        regrets: of each problem and method, a row a seed [S, T].
        initial: number of initial points of each run.
        total: T.
        seconds: of the suggestions of each problem and method, as far as they are known.
        baseline: the method that all are compared with.
    """

    regrets: Mapping[tuple[str, str], Array]
    initial: int
    total: int
    seconds: Mapping[tuple[str, str], Sequence[float]]
    baseline: str = BASELINE

    @property
    def problems(self) -> list[str]:
        """The problems, in order."""
        return list(dict.fromkeys(problem for problem, _ in self.regrets))

    @property
    def methods(self) -> list[str]:
        """The methods, in order."""
        return list(dict.fromkeys(method for _, method in self.regrets))

    @property
    def marks(self) -> tuple[int, int]:
        """The numbers of evaluations at which the simple regret is told: halfway through the search, and at its end."""
        return (self.initial + (self.total - self.initial) // 2, self.total)

    def cumulative(self, problem: str, method: str) -> Array:
        """Return the cumulative regret of each seed [S]."""
        return self.regrets[problem, method][:, self.initial :].sum(axis=1)

    def simple(self, problem: str, method: str, evaluations: int | None = None) -> Array:
        """Return the simple regret of each seed [S], after so many evaluations or at the end."""
        return self.regrets[problem, method][:, :evaluations].min(axis=1)

    def with_strongest(self, methods: Sequence[str]) -> Results:
        """Return the same compared with that of some methods whose cumulative regret over the problems is lowest."""

        def total(method: str) -> float:
            return sum(math.log(self.cumulative(problem, method).mean()) for problem in self.problems)

        return replace(self, baseline=min(methods, key=total))


def results(
    runs: Mapping[RunKey, Sequence[RunRecord]], timings: Mapping[RunKey, Sequence[float]], baseline: str = BASELINE
) -> Results:
    """Arrange the records of an experiment.

    Args:
        runs: complete, with the same numbers of points, and the same seeds for all methods of a problem.
        timings: of runs, as far as they are known.
        baseline: the method that all are compared with.
    """
    unknown = _unknown_optima(runs)
    rows: dict[tuple[str, str], list[Array]] = {}
    seconds: dict[tuple[str, str], list[float]] = {}
    for key in sorted(runs, key=lambda key: key.seed):
        place = (key.problem, key.method)
        rows.setdefault(place, []).append(_regrets(runs[key], unknown.get(key.problem)))
        seconds.setdefault(place, []).extend(timings.get(key, ()))
    order = dict.fromkeys((key.problem, key.method) for key in runs)
    some = next(iter(runs))
    return Results({place: np.array(rows[place]) for place in order}, some.initial, some.total, seconds, baseline)


def standings(found: Results) -> list[MethodStanding]:
    """Return how every method did on every problem."""
    return [_standing(problem, found, [problem], method) for problem in found.problems for method in found.methods]


def group_standings(found: Results) -> list[MethodStanding]:
    """Return how every method did on the groups of problems that are all there, and on all problems together."""
    groups = {
        "challenging": CHALLENGING,
        **{name: names for name, names in SUITES.items() if name != "all"},
        "all": tuple(found.problems),
    }
    there = {name: names for name, names in groups.items() if len(names) > 1 and set(names) <= set(found.problems)}
    once = {frozenset(names): name for name, names in reversed(there.items())}
    return [
        _standing(name, found, names, method)
        for name, names in there.items()
        if once[frozenset(names)] == name
        for method in found.methods
    ]


def _standing(subject: str, found: Results, problems: Sequence[str], method: str) -> MethodStanding:
    one = problems[0] if len(problems) == 1 else None
    base, compared = found.baseline, _with_baseline(found, problems)
    cumulative = [(found.cumulative(p, method), found.cumulative(p, base)) for p in compared]
    simple = [(found.simple(p, method), found.simple(p, base)) for p in compared]
    seconds = [s for problem in problems for s in found.seconds.get((problem, method), ())]
    return MethodStanding(
        subject=subject,
        method=method,
        cumulative=float(found.cumulative(one, method).mean()) if one else None,
        simple={mark: _geometric(found.simple(one, method, mark)) for mark in found.marks} if one else None,
        cumulative_ratio=ratio(cumulative, geometric=False) if cumulative else None,
        simple_ratio=ratio(simple, geometric=True) if simple else None,
        cumulative_rank=float(np.mean([_mean_rank(found, p, method, Results.cumulative) for p in problems])),
        simple_rank=float(np.mean([_mean_rank(found, p, method, Results.simple) for p in problems])),
        seconds=float(np.median(seconds)) if seconds else None,
    )


def _with_baseline(found: Results, problems: Iterable[str]) -> list[str]:
    return [problem for problem in problems if (problem, found.baseline) in found.regrets]


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


def _geometric(figures: Array) -> float:
    return float(np.exp(np.log(figures).mean()))


def _mean_rank(found: Results, problem: str, method: str, figure: Callable[[Results, str, str], Array]) -> float:
    """Return the mean over seeds of a method's rank on a problem by one of the figures of :class:`Results`."""
    table = np.array([figure(found, problem, each) for each in found.methods])
    return float(rankdata(table, axis=0)[found.methods.index(method)].mean())


def _regrets(records: Sequence[RunRecord], unknown: tuple[float, float, float] | None) -> Array:
    """Return the regrets of one run [T]; with an unknown optimum those over the best value that any run found."""
    if unknown is None:
        return np.array([record.regret for record in records], dtype=np.float64)
    best, worst, precision = unknown
    losses = np.array([worst if record.y is None else record.y for record in records])
    return np.maximum(losses - best, precision)


def _unknown_optima(runs: Mapping[RunKey, Sequence[RunRecord]]) -> dict[str, tuple[float, float, float]]:
    """Return best and worst value seen and precision of each problem whose optimum is not known."""
    values: dict[str, list[float]] = {}
    starts: dict[str, list[float]] = {}
    for key, records in runs.items():
        if any(record.regret is None for record in records):
            values.setdefault(key.problem, []).extend(r.y for r in records if r.y is not None)
            starts.setdefault(key.problem, []).extend(r.y for r in records[: key.initial] if r.y is not None)
    found = {}
    for problem, seen in values.items():
        best, worst = min(seen, default=0.0), max(seen, default=0.0)
        gained = float(np.median(starts[problem])) - best if starts[problem] else worst - best
        found[problem] = (best, worst, max(_USER_PRECISION * gained, COCO_PRECISION))
    return found
