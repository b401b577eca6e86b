"""What records of several objectives say: each run's share of the reference front, and how far it is from it.

Four figures are told of the results that a run has after a budget of evaluations, always by their values without
distortion:

- *hypervolume*, as a share of that of the reference front, both from the problem's reference point;
- *distance*: IGD+ in units of the ranges of the front (:func:`.distance_from`);
- both in *rank coordinates*: each value is replaced by the share of all values that lie below it, of those that any
  method has seen on the problem and of the front, and the reference point is put by the same rule. No increasing
  transform of an objective changes them, but they do depend on which methods take part.

The reference point counts as a result: a run without a success has a share of 0 and a distance that is finite. Means
are arithmetic. Intervals hold 95% of bootstrap samples, seeds drawn with replacement. Ranks are those among the methods
on each problem and seed, equals sharing one, averaged.

=======  ==================================  ========
symbol   meaning                             shape
=======  ==================================  ========
``M``    methods
``S``    seeds
``N``    results of a run
``F``    points of the reference front
``K``    objectives
=======  ==================================  ========
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from scipy.stats import rankdata

from ordbo_cli.benchmark.records import RunKey, RunRecord
from ordbo_cli.benchmark.scoring.front_measures import distance_from, hypervolume
from ordbo_cli.benchmark.suites.fronts.front_problem import FrontProblem, Values, reference_of
from ordbo_cli.ordinal.linalg import Array

_LARGE_IS_GOOD: Final = np.array([True, False, True, False])  # of the four figures
_BOOTSTRAP: Final = 2000
_DIGITS: Final = 12  # of figures, of which ranks are made

Runs = Mapping[RunKey, Sequence[RunRecord]]


@dataclass(frozen=True)
class Mean:
    """A mean over seeds and problems, the ends of its 95% bootstrap interval, and the mean rank among the methods."""

    value: float
    low: float
    high: float
    rank: float


@dataclass(frozen=True)
class FrontStanding:
    """How one method did on one problem or on a class of them.

    Args:
        subject: the problem, or the class: smooth, rough (jumps, fails, or is distorted), all.
        method: the method.
        budget: after how many evaluations.
        hypervolume, distance, ranked_hypervolume, ranked_distance: the figures.
        seconds: median over all suggestions; None where they are not known.
    """

    subject: str
    method: str
    budget: int
    hypervolume: Mean
    distance: Mean
    ranked_hypervolume: Mean
    ranked_distance: Mean
    seconds: float | None


@dataclass(frozen=True)
class SamePoints:
    """How many runs of a method have the very same points on a distorted copy as on the problem as it is."""

    copy: str
    method: str
    runs: int
    same: int


@dataclass(frozen=True)
class FrontScores:
    """The tables of an experiment.

    Args:
        problems: a row for each budget, problem and method.
        classes: a row for each budget, class and method.
        copies: a row for each copy, as far as its origin takes part, and method.
    """

    problems: Sequence[FrontStanding]
    classes: Sequence[FrontStanding]
    copies: Sequence[SamePoints]


@dataclass(frozen=True)
class _Judge:
    """What a run's results are measured by: the reference front [F, K]."""

    front: Array

    def figures(self, several: Sequence[Array]) -> Array:
        """Return share and distance [2] of each of several sets of results [N, K]."""
        reference, unit = reference_of(self.front), np.ptp(self.front, axis=0)
        whole = hypervolume(self.front, reference)
        with_reference = [np.vstack([Y, reference]) for Y in several]
        return np.array(
            [(hypervolume(Y, reference) / whole, distance_from(self.front / unit, Y / unit)) for Y in with_reference]
        )


def front_scores(
    subjects: Sequence[FrontProblem],
    runs: Runs,
    timings: Mapping[RunKey, Sequence[float]],
    budgets: Sequence[int],
) -> FrontScores:
    """Return the tables of an experiment.

    Args:
        subjects: its problems.
        runs: the records of all runs, the same seeds for all methods of a problem.
        timings: of runs, as far as they are known.
        budgets: numbers of evaluations at which all is told, in order, the last one no larger than the runs.
    """
    methods = list(dict.fromkeys(key.method for key in runs))
    smooth = [one.name for one in subjects if one.kind == "smooth"]
    rough = [one.name for one in subjects if one.kind != "smooth"]
    classes = {"smooth": smooth, "rough": rough, "all": [*smooth, *rough]}
    of_problem = {one.name: _of_problem(one, runs, budgets) for one in subjects}
    seconds = _Seconds(runs, timings)

    def rows(named: Mapping[str, Sequence[str]]) -> list[FrontStanding]:
        return [
            _standing(
                subject, method, budget, [of_problem[name][budget] for name in names], place, seconds(method, names)
            )
            for budget in budgets
            for subject, names in named.items()
            for place, method in enumerate(methods)
        ]

    several = {name: names for name, names in classes.items() if names} if smooth and rough else {"all": classes["all"]}
    return FrontScores(
        rows({one.name: [one.name] for one in subjects}),
        rows(several) if len(subjects) > 1 else [],
        [_same(one, method, runs) for one in subjects for method in methods if one.origin in subjects],
    )


class _Seconds:
    """The median seconds of suggestions, by method and problems."""

    def __init__(self, runs: Runs, timings: Mapping[RunKey, Sequence[float]]) -> None:
        self._of: dict[tuple[str, str], list[float]] = {}
        for key, records in runs.items():
            self._of.setdefault((key.method, key.problem), []).extend(timings.get(records[0].key, ()))

    def __call__(self, method: str, problems: Sequence[str]) -> float | None:
        every = [second for problem in problems for second in self._of.get((method, problem), ())]
        return float(np.median(every)) if every else None


def _of_problem(problem: FrontProblem, runs: Runs, budgets: Sequence[int]) -> dict[int, Array]:
    """Return the figures of all runs on a problem at each budget [M, S, 4], methods and seeds in order of the runs."""
    keys = [key for key in runs if key.problem == problem.name]
    found = {key: [problem.true(record.x) for record in runs[key]] for key in keys}
    everything = [problem.front, *(_successes(values, problem) for values in found.values())]
    axes = [np.unique(column) for column in np.vstack(everything).T]

    def ranked(Y: Array) -> Array:
        return np.column_stack([np.searchsorted(a, y) / len(a) for a, y in zip(axes, Y.T, strict=True)])

    plain, by_rank = _Judge(problem.front), _Judge(ranked(problem.front))
    methods = list(dict.fromkeys(key.method for key in keys))
    shown: dict[int, Array] = {}
    for budget in budgets:
        several = [_successes(found[key][:budget], problem) for key in sorted(keys, key=lambda k: k.seed)]
        figures = np.hstack([plain.figures(several), by_rank.figures([ranked(Y) for Y in several])])
        order = [key.method for key in sorted(keys, key=lambda k: k.seed)]
        shown[budget] = np.array([figures[[own == method for own in order]] for method in methods])
    return shown


def _successes(values: Sequence[Values | None], problem: FrontProblem) -> Array:
    """Return those of some values that are there [N, K]."""
    return np.array([each for each in values if each is not None]).reshape(-1, problem.objectives)


def _standing(
    subject: str, method: str, budget: int, tables: Sequence[Array], place: int, seconds: float | None
) -> FrontStanding:
    """Return a method's standing on problems, from figures of all methods on each [M, S, 4]."""
    rng = np.random.default_rng(0)
    own = [table[place] for table in tables]
    drawn = [each[rng.integers(len(each), size=(_BOOTSTRAP, len(each)))].mean(axis=1) for each in own]
    low, high = np.percentile(np.mean(drawn, axis=0), (2.5, 97.5), axis=0)
    value = np.mean([each.mean(axis=0) for each in own], axis=0)
    rank = np.concatenate([_ranks(table)[place] for table in tables]).mean(axis=0)
    means = [Mean(*map(float, each)) for each in zip(value, low, high, rank, strict=True)]
    return FrontStanding(subject, method, budget, means[0], means[1], means[2], means[3], seconds)


def _ranks(table: Array) -> Array:
    """Return the ranks of figures among the methods [M, S, 4], 1 the best."""
    return np.asarray(rankdata(np.round(np.where(_LARGE_IS_GOOD, -table, table), _DIGITS), axis=0))


def _same(problem: FrontProblem, method: str, runs: Runs) -> SamePoints:
    """Return how many runs on a copy have the points of the run with the same seed on its origin."""
    assert problem.origin is not None
    own = [key for key in runs if (key.problem, key.method) == (problem.name, method)]
    twins = [key._replace(problem=problem.origin.name) for key in own]
    pairs = [(runs[one], runs[twin]) for one, twin in zip(own, twins, strict=True)]
    same = sum([r.x for r in mine] == [r.x for r in theirs] for mine, theirs in pairs)
    return SamePoints(problem.name, method, len(own), same)
