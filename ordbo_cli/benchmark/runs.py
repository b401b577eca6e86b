"""One run: a method on a problem with a seed, from the initial points to the last evaluation."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

from threadpoolctl import threadpool_limits

from ordbo_cli.benchmark.distortions.distorted import Distorted
from ordbo_cli.benchmark.records import RunKey, RunRecord, Timing
from ordbo_cli.benchmark.rivals.methods import Contestant
from ordbo_cli.benchmark.rivals.searchers import Ordinal, Start, TakesOutcomes
from ordbo_cli.benchmark.suites.benchmark_problem import Subject
from ordbo_cli.benchmark.suites.fronts.front_problem import FrontProblem
from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.method import Method
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput

_INITIAL: Final = 5  # initial points of a run that is looked at, as of an experiment where nothing else is asked for
_ONE_AT_A_TIME = Lock()  # a Dask worker has threads; some methods have state that all runs of a process share


@dataclass(frozen=True)
class Run:
    """One run to do.

    Args:
        subject: what is minimised.
        contestant: the method.
        seed: of every random choice.
        initial: number of initial points, the two extreme corners among them.
        iterations: number of suggestions after them.
    """

    subject: Subject
    contestant: Contestant
    seed: int
    initial: int
    iterations: int

    @property
    def key(self) -> RunKey:
        """What tells this run's records from those of other runs."""
        return RunKey(self.subject.name, self.contestant.name, self.seed, self.initial, self.initial + self.iterations)


@dataclass(frozen=True)
class RunOutcome:
    """What a run gave: a record for each evaluation, and the seconds that each suggestion took."""

    records: tuple[RunRecord, ...]
    timing: Timing


def perform(run: Run) -> RunOutcome:
    """Do one run; the same run gives the same records wherever it is done."""
    with _ONE_AT_A_TIME, threadpool_limits(limits=1):
        problem = run.subject.problem(dataclasses.replace(run.contestant.method, initial=run.initial), run.seed)
        total = run.initial + run.iterations
        judged_by = run.subject.seen(run.subject.reference) if isinstance(run.subject, FrontProblem) else ()
        start = Start(problem, run.seed, run.initial, total, run.contestant.batch, judged_by)
        searcher = run.contestant.begin(start)
        records: list[RunRecord] = []
        seconds: list[float] = []

        def evaluate(values: tuple[Number, ...]) -> None:
            seen = run.subject.observe(values, run.seed, len(records) + 1)
            others = seen.outcomes if problem.several else ()
            records.append(RunRecord(run.key, len(records) + 1, values, seen.y, seen.regret, others))
            if seen.outcomes and isinstance(searcher, TakesOutcomes):
                searcher.tell_all(values, seen.objective, seen.outcomes)
            else:
                searcher.tell(values, seen.y)

        for values in starting_points(run.subject, problem, run.initial):
            evaluate(values)
        for _ in range(run.iterations):
            before = time.perf_counter()
            values = searcher.ask()
            seconds.append(time.perf_counter() - before)
            evaluate(values)
    return RunOutcome(tuple(records), Timing(run.key, _shared(seconds, run.contestant.batch)))


def _shared(seconds: Sequence[float], batch: int) -> tuple[float, ...]:
    """Return the seconds of each suggestion, those of a batch shared among its points: the first one waits for all."""
    batches = [seconds[start : start + batch] for start in range(0, len(seconds), batch)]
    return tuple(sum(each) / len(each) for each in batches for _ in each)


def starting_points(subject: Subject, problem: Problem, count: int) -> list[tuple[Number, ...]]:
    """Return the points that every method starts from on a subject.

    On a distorted problem they are those of the problem as it is: what changes is what a method makes of them.

    Args:
        subject: what is minimised.
        problem: the question that it puts to the method.
        count: how many.
    """
    if not isinstance(subject, Distorted):
        return initial_points(problem, count)
    origin = subject.origin.problem(problem.method, problem.seed)
    return [subject.seen(values) for values in initial_points(origin, count)]


def initial_points(problem: Problem, count: int) -> list[tuple[Number, ...]]:
    """Return the points that every method starts from: a space-filling design with the two extreme corners.

    They are the first points that ``ordbo suggest`` gives; they depend on the seed and on no result.

    Raises:
        ExhaustedError: the problem has fewer points.
    """
    designed = dataclasses.replace(problem, method=Method(initial=count, corners=True))
    points: list[tuple[Number, ...]] = []
    for step in range(count):
        points.append(propose(StepInput(designed, pending=points, step=step)).values)
    return points


def input_after(subject: Subject, method: Method, seed: int, evaluations: int) -> StepInput:
    """Return what is known after some evaluations of a benchmark's run with the same settings.

    Args:
        subject: what is minimised.
        method: the settings of ordinal Bayesian optimisation.
        seed: of every random choice.
        evaluations: how many, the initial ones included.
        initial: number of initial points, the two extreme corners among them.
    """
    problem = subject.problem(dataclasses.replace(method, initial=_INITIAL), seed)
    searcher = Ordinal(Start(problem, seed, _INITIAL, evaluations))
    with threadpool_limits(limits=1):
        points = starting_points(subject, problem, _INITIAL)[:evaluations]
        for number in range(evaluations):
            values = points[number] if number < _INITIAL else searcher.ask()
            searcher.tell(values, subject.observe(values, seed, number + 1).y)
    return StepInput(problem, tuple(searcher.evaluations), step=evaluations, fit=searcher.fit)
