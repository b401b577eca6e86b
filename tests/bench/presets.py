"""Prints how the presets fare against random search on the paper's five problems.

Usage: ``python tests/bench/presets.py [--seeds 3] [--iterations 20] [--presets default metric-free] [--jobs 2]``.

Each run is 5 initial points, the two corners among them, then 20 suggestions; all methods share the initial points of a
seed. Regret is floored at the problem's precision. *Cumulative* regret is summed over the suggestions after the initial
design and averaged over seeds; *final* simple regret is that of the best of all points, its geometric mean over seeds.
Ratios to random search are geometric means over problems; below 1 is better.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from statistics import fmean, geometric_mean

import numpy as np

from ordbo_cli.benchmark.problems import PAPER_PROBLEMS, BenchmarkProblem
from ordbo_cli.method import PRESETS
from ordbo_cli.search import Optimizer

INITIAL = 5
RANDOM = "random"


@dataclass(frozen=True)
class Task:
    """One run to do: a problem's place among the five, a preset or ``random``, a seed, and how many suggestions."""

    problem: int
    method: str
    seed: int
    iterations: int


@dataclass(frozen=True)
class Run:
    """One run's figures: regrets of the initial points and of the suggestions, and the seconds a suggestion took."""

    task: Task
    initial: tuple[float, ...]
    suggested: tuple[float, ...]
    seconds: float

    @property
    def cumulative(self) -> float:
        """The sum of the suggestions' regrets."""
        return sum(self.suggested)

    @property
    def final(self) -> float:
        """The regret of the best point of all."""
        return min(self.initial + self.suggested)


def run(task: Task) -> Run:
    """Do one run."""
    problem = PAPER_PROBLEMS[task.problem]
    preset = PRESETS["default" if task.method == RANDOM else task.method]
    optimizer = Optimizer(problem.problem(replace(preset, initial=INITIAL), seed=task.seed))
    initial = tuple(ask_and_tell(optimizer, problem) for _ in range(INITIAL))
    start = time.perf_counter()
    if task.method == RANDOM:
        low, high = np.array(problem.bounds).T
        points = np.random.default_rng(task.seed).uniform(low, high, (task.iterations, problem.dimension))
        suggested = tuple(problem.regret(problem(point)) for point in points.tolist())
    else:
        suggested = tuple(ask_and_tell(optimizer, problem) for _ in range(task.iterations))
    return Run(task, initial, suggested, (time.perf_counter() - start) / task.iterations)


def ask_and_tell(optimizer: Optimizer, problem: BenchmarkProblem) -> float:
    """Let the optimiser choose a point, evaluate it, and return its regret."""
    suggestion = optimizer.ask()
    value = problem(suggestion.values)
    optimizer.tell(suggestion, value)
    return problem.regret(value)


def figures(runs: Sequence[Run], problem: int, method: str) -> tuple[float, float]:
    """Return cumulative and final regret of a method on a problem."""
    mine = [r for r in runs if (r.task.problem, r.task.method) == (problem, method)]
    return fmean(r.cumulative for r in mine), geometric_mean(r.final for r in mine)


def lines(runs: Sequence[Run], methods: Sequence[str]) -> Iterable[str]:
    """Lay the table out: a row a problem, two columns a method, then ratios and seconds."""
    width = 22
    yield f"{'cumulative, final':<22}" + "".join(f"{method:>{width}}" for method in methods)
    table = {(p, m): figures(runs, p, m) for p in range(len(PAPER_PROBLEMS)) for m in methods}
    for p, problem in enumerate(PAPER_PROBLEMS):
        cells = (f"{table[p, m][0]:.4g}, {table[p, m][1]:.3g}" for m in methods)
        yield f"{problem.name:<22}" + "".join(f"{cell:>{width}}" for cell in cells)
    ratios = (
        [geometric_mean(table[p, m][k] / table[p, RANDOM][k] for p in range(len(PAPER_PROBLEMS))) for k in (0, 1)]
        for m in methods
    )
    yield f"{'ratio to random':<22}" + "".join(f"{f'{a:.3g}, {b:.3g}':>{width}}" for a, b in ratios)
    seconds = (fmean(r.seconds for r in runs if r.task.method == m) for m in methods)
    yield f"{'seconds a suggestion':<22}" + "".join(f"{s:>{width}.3g}" for s in seconds)


def main() -> None:
    """Run what the options ask for and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=3, metavar="K", help="repetitions, with seeds 0 to K-1")
    parser.add_argument("--iterations", type=int, default=20, help="suggestions after the initial design")
    parser.add_argument("--presets", nargs="+", choices=PRESETS, default=list(PRESETS))
    parser.add_argument("--jobs", type=int, default=1, help="runs at a time")
    options = parser.parse_args()

    methods = [*options.presets, RANDOM]
    tasks = [
        Task(problem, method, seed, options.iterations)
        for method in reversed(methods)
        for problem in range(len(PAPER_PROBLEMS))
        for seed in range(options.seeds)
    ]
    runs = []
    with ProcessPoolExecutor(options.jobs) as pool:
        for done in pool.map(run, tasks):
            runs.append(done)
            if sys.stderr.isatty():
                print(f"\r{len(runs)} of {len(tasks)} runs ", end="", file=sys.stderr, flush=True)
    if sys.stderr.isatty():
        print(file=sys.stderr)
    print(f"{INITIAL} initial points, then {options.iterations} suggestions; {options.seeds} seeds")
    for line in lines(runs, methods):
        print(line)


if __name__ == "__main__":
    main()
