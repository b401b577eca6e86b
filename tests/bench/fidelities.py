"""Prints what a cheap level is worth: the cost until a search finds what 20 evaluations at the highest level find.

Usage: ``PYTHONPATH=. python tests/bench/fidelities.py --file FILE [--problems NAMES] [--seeds 0:10] [--ratio 0.05]
[--kinds related,unrelated] [--methods ordbo]``.

Of each seed the target is the best of 20 evaluations of ``default`` at the highest level alone, and what it costs is
how many of these it took. The lower level's results are those of a source in ``campaigns.py``, without failures where
it has its own function; it costs ``--ratio`` of the highest. A search that spends 25 has not reached its target.

``botorch`` is BoTorch's max-value entropy search a unit of cost on a SingleTaskMultiFidelityGP of the values (extra
``ordbo[peers]``), from the same initial design; a failure is as bad as the worst success to it. ``botorch, best mean``
is what the same searches cost if they stop as soon as the point of the best mean would reach the target, and evaluate
it.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final, Protocol

import numpy as np
from threadpoolctl import threadpool_limits

from ordbo_cli.benchmark.rivals.methods import ordinal_method
from ordbo_cli.benchmark.rivals.searchers import Start
from ordbo_cli.benchmark.runs import starting_points
from ordbo_cli.benchmark.suites import suite
from ordbo_cli.benchmark.suites.benchmark_problem import Observation, Subject
from ordbo_cli.problem import Campaign, Evaluation, Fidelity, Problem
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from tests.bench.campaigns import INITIAL, Values, exact, search, source_function
from tests.bench.figures import table

PROBLEMS: Final = (
    "many_steps_2d,hartmann_4d,levy_4d,hartmann_3d,step_ellipsoid_3d,attractive_sector_5d,batch_reactor_3d,powell_4d"
)
ALONE: Final = 20
MOST: Final = 25.0
_LEVEL: Final = 79  # stream of the lower level's random numbers


class Searcher(Protocol):
    """A search at two levels of fidelity; what it recommends is a point that it may not have evaluated."""

    recommended: Values | None

    def tell_at(self, level: int | None, values: Values, y: float | None) -> None:
        """Take a result of a level; None for the highest."""

    def ask_at(self) -> tuple[Values, int | None]:
        """Return the next point, and the level at which it is evaluated; None for the highest."""


class Ordinal:
    """The search of ``ordbo suggest``, which evaluates what it takes to be best."""

    recommended: Values | None = None

    def __init__(self, problem: Problem) -> None:
        assert problem.fidelity is not None
        self.problem, self.ratio = problem, problem.fidelity.share(0)
        self.own, self.low = list[Evaluation](), list[Evaluation]()
        self.fit: Mapping[str, Any] | None = None
        self.spent = 0.0

    def tell_at(self, level: int | None, values: Values, y: float | None) -> None:
        """Take a result."""
        (self.own if level is None else self.low).append(exact(values, y))
        self.spent = 0.0 if level is None else self.spent + self.ratio

    def ask_at(self) -> tuple[Values, int | None]:
        """Return the next point and its level."""
        campaigns = [Campaign("coarse", tuple(self.low), level=0)] if self.low else []
        step = len(self.own) + len(self.low)
        given = StepInput(self.problem, self.own, step=step, fit=self.fit, campaigns=campaigns, spent=self.spent)
        proposal = propose(given)
        self.fit = proposal.fit or self.fit
        return proposal.values, proposal.level


def begun(subject: Subject, problem: Problem, method: str) -> Searcher:
    """Return a search before its first evaluation."""
    if method == "ordbo":
        return Ordinal(problem)
    from tests.bench.fidelities_botorch import BoTorch

    start = Start(problem, problem.seed, INITIAL, total=ALONE)
    return BoTorch(start, starting_points(subject, problem, INITIAL))


def cost(subject: Subject, method: str, kind: str, seed: int, ratio: float, target: float) -> dict[str, Any]:
    """Return what a search costs until it reaches a target."""
    settings = replace(ordinal_method("default"), initial=INITIAL)
    problem = replace(subject.problem(settings, seed), fidelity=Fidelity("mesh", ("coarse", "fine"), (ratio, 1.0)))
    below = source_function(subject, problem, kind, np.random.default_rng([seed, _LEVEL]))
    fine, coarse, total, best, stopped = 0, 0, 0.0, math.inf, math.inf
    with threadpool_limits(limits=1):
        searcher = begun(subject, problem, method)
        while total < MOST and best > target:
            values, level = searcher.ask_at()
            if searcher.recommended and regret(subject.observe(searcher.recommended, seed, 1)) <= target:
                stopped = min(stopped, total + 1.0)
            if level is None:
                fine, total = fine + 1, total + 1.0
                seen = subject.observe(values, seed, fine)
                best = min(best, regret(seen))
                searcher.tell_at(level, values, seen.y)
            else:
                coarse, total = coarse + 1, total + ratio
                searcher.tell_at(level, values, below(values))
    found = {"cost": total, "fine": fine, "coarse": coarse, "reached": best <= target}
    return found if searcher.recommended is None else {**found, "stopped": min(stopped, total)}


def regret(seen: Observation) -> float:
    """Return how far a result is above the optimum; a failure is infinitely far."""
    return math.inf if seen.regret is None else seen.regret


def figures(runs: Sequence[dict[str, Any]]) -> list[list[str]]:
    """Return a row for each method and kind: costs as shares of what the highest level alone took."""
    runs, rows = [*runs, *(best_mean(run) for run in runs if "stopped" in run)], []
    for method, kind in sorted({(run["method"], run["kind"]) for run in runs}):
        these = [run for run in runs if (run["method"], run["kind"]) == (method, kind)]
        by_problem: dict[str, list[float]] = {}
        for run in these:
            by_problem.setdefault(run["problem"], []).append(math.log(run["cost"] / run["alone"]))
        means = {name: math.exp(float(np.mean(each))) for name, each in by_problem.items()}
        mean = math.exp(float(np.mean(np.log(list(means.values())))))
        half = f"{sum(each <= 0.5 for each in means.values())} of {len(means)}"
        reached = str(sum(run["reached"] for run in these))
        each = ", ".join(f"{name} {ratio:.2f}" for name, ratio in means.items())
        rows.append([method, kind, str(len(these)), reached, f"{mean:.2f}", half, each])
    return rows


def best_mean(run: dict[str, Any]) -> dict[str, Any]:
    """Return a run as if it had stopped where the point of the best mean reaches the target."""
    reached = run["reached"] or run["stopped"] < run["cost"]
    return {**run, "method": f"{run['method']}, best mean", "cost": run["stopped"], "reached": reached}


HEADER: Final = ["method", "lower level", "runs", "reached", "cost", "at most half", "by problem"]


def main() -> None:
    """Do what is not on file yet, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--file", type=Path, required=True)
    parser.add_argument("--problems", default=PROBLEMS)
    parser.add_argument("--seeds", default="0:10")
    parser.add_argument("--ratio", type=float, default=0.05)
    parser.add_argument("--kinds", default="related,unrelated")
    parser.add_argument("--methods", default="ordbo")
    options = parser.parse_args()
    lines = options.file.read_text().splitlines() if options.file.exists() else []
    runs = [json.loads(line) for line in lines]
    done = {(run["problem"], run["method"], run["kind"], run["seed"]) for run in runs}
    first, last = map(int, options.seeds.split(":"))
    searches = list(itertools.product(options.methods.split(","), options.kinds.split(",")))
    with options.file.open("a") as file:
        for seed in range(first, last):
            for subject in suite.problems([options.problems]):
                left = [(m, kind) for m, kind in searches if (subject.name, m, kind, seed) not in done]
                if not left:
                    continue
                alone = np.minimum.accumulate(search(subject, "ordbo", "none", seed)["regret"][:ALONE])
                took = 1 + int(np.argmax(alone <= alone[-1]))
                for method, kind in left:
                    found = cost(subject, method, kind, seed, options.ratio, float(alone[-1]))
                    names = {"problem": subject.name, "method": method, "kind": kind, "seed": seed}
                    runs.append({**names, "alone": took, **found})
                    file.write(json.dumps(runs[-1]) + "\n")
                    file.flush()
    print(table(HEADER, figures(runs)))


if __name__ == "__main__":
    main()
