"""The regrets of an experiment, arranged by problem and method, and what is counted of them.

*Cumulative* regret is summed over the suggestions after the initial design. *Simple* regret is that of the best point
of all so far, initial ones included. Regrets are floored at the problem's precision, and are those of the values
without noise.

=======  ==================================  ========
symbol   meaning                             shape
=======  ==================================  ========
``M``    methods
``S``    seeds
``T``    evaluations of a run
=======  ==================================  ========
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Literal

import numpy as np
from scipy.stats import rankdata

from ordbo_cli.benchmark.distortions.distorted import AT
from ordbo_cli.benchmark.records import RunKey, RunRecord
from ordbo_cli.benchmark.rivals.registry import BASELINE
from ordbo_cli.benchmark.suites import suite
from ordbo_cli.benchmark.suites.benchmark_problem import COCO_PRECISION
from ordbo_cli.errors import UsageError
from ordbo_cli.ordinal.linalg import Array

Figure = Literal["cumulative", "simple"]
FIGURES: Final[tuple[Figure, ...]] = ("cumulative", "simple")
_USER_PRECISION: Final = 1e-3  # of a simulator whose optimum nobody knows, in units of what the best run gained
_LARGEST: Final = 1e300  # regret of such a simulator: sums of them are still numbers


@dataclass(frozen=True)
class Results:
    """The regrets of an experiment.

    Args:
        regrets: of each problem and method, a row a seed [S, T].
        initial: number of initial points of each run.
        seconds: of each problem and method, for each run whose times are known those of its suggestions.
        precision: of each problem: no regret is below it.
        budgets: numbers of evaluations at which all is told, the last one T; just T where none are given.
        baseline: the method that all are compared with.
        marks: numbers of evaluations at which the simple regret is told; none for the halfway of the search and T.
    """

    regrets: Mapping[tuple[str, str], Array]
    initial: int
    seconds: Mapping[tuple[str, str], Sequence[Sequence[float]]]
    precision: Mapping[str, float]
    budgets: tuple[int, ...]
    baseline: str = BASELINE
    marks: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        """Fill in the marks."""
        if not self.marks:
            object.__setattr__(self, "marks", (self.initial + (self.total - self.initial) // 2, self.total))

    @property
    def total(self) -> int:
        """T."""
        return self.budgets[-1]

    @property
    def problems(self) -> list[str]:
        """The problems, in order."""
        return list(dict.fromkeys(problem for problem, _ in self.regrets))

    @property
    def methods(self) -> list[str]:
        """The methods, in order."""
        return list(dict.fromkeys(method for _, method in self.regrets))

    @property
    def compared_with(self) -> str:
        """What ratios are to, as headers say it: the baseline, by its name if it takes part."""
        return self.baseline if self.baseline in self.methods else "baseline"

    @cached_property
    def by_budget(self) -> list[Results]:
        """The results as they were at each of the budgets, each a one of its own."""
        if len(self.budgets) == 1:
            return [self]
        return [
            dataclasses.replace(
                self,
                regrets={place: table[:, :budget] for place, table in self.regrets.items()},
                seconds={place: [run[: budget - self.initial] for run in runs] for place, runs in self.seconds.items()},
                budgets=(budget,),
                marks=(budget,),
            )
            for budget in self.budgets
        ]

    def cumulative(self, problem: str, method: str) -> Array:
        """Return the cumulative regret of each seed [S]."""
        return self.regrets[problem, method][:, self.initial :].sum(axis=1)

    def simple(self, problem: str, method: str, evaluations: int | None = None) -> Array:
        """Return the simple regret of each seed [S], after so many evaluations or at the end."""
        return self.regrets[problem, method][:, :evaluations].min(axis=1)

    def figure(self, figure: Figure, problem: str, method: str) -> Array:
        """Return one of the two figures at the end, of each seed [S]."""
        return self.cumulative(problem, method) if figure == "cumulative" else self.simple(problem, method)

    def on(self, problems: Collection[str]) -> Results:
        """Return the same on some of the problems."""
        return dataclasses.replace(self, regrets={at: table for at, table in self.regrets.items() if at[0] in problems})

    def with_strongest(self, methods: Sequence[str]) -> Results:
        """Return the same compared with that of some methods whose cumulative regret over the problems is lowest."""

        def total(method: str) -> float:
            return sum(math.log(self.cumulative(problem, method).mean()) for problem in self.problems)

        return dataclasses.replace(self, baseline=min(methods, key=total))

    @cached_property
    def _ranks(self) -> dict[tuple[Figure, str], Array]:
        return {
            (figure, problem): rankdata([self.figure(figure, problem, each) for each in self.methods], axis=0)
            for figure in FIGURES
            for problem in self.problems
        }

    def mean_rank(self, figure: Figure, problems: Sequence[str], method: str) -> float:
        """Return the mean over problems and seeds of a method's rank among all, 1 the best, equals sharing one.

        Ranks are halves of whole numbers, whose sum is exact: the order of the problems makes no difference.
        """
        place = self.methods.index(method)
        return float(np.concatenate([self._ranks[figure, problem][place] for problem in problems]).mean())


def results(
    runs: Mapping[RunKey, Sequence[RunRecord]],
    timings: Mapping[RunKey, Sequence[float]],
    baseline: str = BASELINE,
    budgets: Sequence[int] = (),
) -> Results:
    """Arrange the records of an experiment.

    Args:
        runs: complete, with the same numbers of points, and the same seeds for all methods of a problem. The records of
            one may be the first ones of a longer run.
        timings: of runs, as far as they are known.
        baseline: the method that all are compared with.
        budgets: numbers of evaluations at which all is told, in order; none for that of the runs.
    """
    unknown = _unknown_optima(runs)
    rows: dict[tuple[str, str], list[Array]] = {}
    seconds: dict[tuple[str, str], list[Sequence[float]]] = {}
    for key in sorted(runs, key=lambda key: key.seed):
        place = (key.problem, key.method)
        rows.setdefault(place, []).append(_regrets(runs[key], unknown.get(key.problem)))
        taken = timings.get(runs[key][0].key, ())[: key.total - key.initial]
        seconds.setdefault(place, []).extend([taken] if taken else [])
    order = dict.fromkeys((key.problem, key.method) for key in runs)
    some = next(iter(runs))
    return Results(
        {place: np.array(rows[place]) for place in order},
        some.initial,
        seconds,
        {name: unknown[name][2] if name in unknown else _precision(name) for name, _ in order},
        tuple(budgets) or (some.total,),
        baseline,
    )


def _precision(problem: str) -> float:
    """Return the precision of a test problem, of a distorted one that of the problem as it is, whose regret is told."""
    try:
        return float(getattr(suite.problems([problem.partition(AT)[0]])[0], "precision", COCO_PRECISION))
    except UsageError:
        return COCO_PRECISION


def _regrets(records: Sequence[RunRecord], unknown: tuple[float, float, float] | None) -> Array:
    """Return the regrets of one run [T]; with an unknown optimum those over the best value that any run found."""
    if unknown is None:
        return np.array([record.regret for record in records], dtype=np.float64)
    best, worst, precision = unknown
    losses = np.array([worst if record.y is None else record.y for record in records])
    with np.errstate(over="ignore"):
        return np.clip(losses - best, precision, _LARGEST)


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
        with np.errstate(over="ignore"):
            gained = float(np.median(starts[problem])) - best if starts[problem] else worst - best
        found[problem] = (best, worst, max(_USER_PRECISION * min(gained, _LARGEST), COCO_PRECISION))
    return found
