"""Fronts under noise: how good the points are that are called the front, by means and by single results.

Usage: ``PYTHONPATH=. python tests/bench/noisy_fronts.py [PROBLEM ...] [--sd 0.05] [--seeds 100:105]
[--evaluations 40] [--steps 0]``.

Test problems are searched with and without ``noise: true``, told values with normal noise whose standard deviation is a
share of the extent that each objective has over random points; with ``--steps`` each parameter has so many steps, so
that points come again. A row is the hypervolume that the true values of the points on the front have, as a share of
that of the problem's own front: of the front by means, of that of single results, and of all points that were tried.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ordbo_cli.benchmark.scoring.front_measures import hypervolume
from ordbo_cli.benchmark.suites.fronts.front_problem import FrontProblem
from ordbo_cli.benchmark.suites.fronts.front_suite import FRONTS
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Parameter
from ordbo_cli.problem.order import front
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import fit_surrogate
from ordbo_cli.search.threads import thread_pool
from ordbo_cli.search.trades.expected_front import expected_results
from ordbo_cli.study.optimizer import Optimizer

Row = tuple[float, float, float, int]
PROBLEMS = ("zdt1_4d", "dtlz2_4d_3o", "fonseca_6d")


def noise_of(problem: FrontProblem, share: float) -> Array:
    """Return the standard deviations of the noise [K]."""
    low, high = np.array(problem.bounds).T
    points = low + (high - low) * np.random.default_rng(0).random((1000, len(low)))
    return np.asarray(share * np.ptp(np.array([problem.function(x) for x in points]), axis=0))


def searched(
    problem: FrontProblem, seed: int, sd: Array, evaluations: int, *, noise: bool, steps: int = 0
) -> StepInput:
    """Return what is known after a search, of parameters in so many steps where these are not 0."""
    asked = replace(problem.problem(seed=seed), noise=noise)
    if steps:
        sides = enumerate(problem.bounds, 1)
        parameters = tuple(Parameter(f"x{k}", low, high, step=(high - low) / steps) for k, (low, high) in sides)
        asked = replace(asked, parameters=parameters)
    search = Optimizer(asked)
    for number in range(evaluations):
        point = search.ask()
        error = sd * np.random.default_rng([seed, number]).standard_normal(len(sd))
        first, *others = (problem.function(point.values) + error).tolist()
        search.tell(point, first, {f"f{k}": y for k, y in enumerate(others, 2)})
    return search.step_input()


def shares(problem: FrontProblem, given: StepInput) -> tuple[float, float, float]:
    """Return the shares of hypervolume by means, by single results, and of all points."""
    with thread_pool(1):
        models = [fit_surrogate(each) for each in given.each]
    expected = expected_results(given.rows, [(each.fit, each.posterior) for each in models])
    single = [given.evaluations[k].values for k in front(given.problem, given.evaluations)]
    whole = hypervolume(problem.front, problem.reference)

    def share(points: Sequence[Sequence[float]]) -> float:
        true = np.array([problem.function(x) for x in points])
        return hypervolume(true, problem.reference) / whole

    return share(expected.front), share(single), share([each.values for each in given.evaluations])


def main() -> None:
    """Print a row for each problem and search, and their means."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("problems", nargs="*", default=PROBLEMS)
    parser.add_argument("--sd", type=float, default=0.05)
    parser.add_argument("--seeds", default="100:105")
    parser.add_argument("--evaluations", type=int, default=40)
    parser.add_argument("--steps", type=int, default=0)
    asked = parser.parse_args()
    seeds = range(*map(int, asked.seeds.split(":")))
    print(f"{'problem':<14} {'search':<12} by mean  single  all tried  distinct points")
    totals: dict[bool, list[Row]] = {True: [], False: []}
    for name in asked.problems:
        problem = FRONTS[name]
        sd = noise_of(problem, asked.sd)
        for noise in (True, False):
            found: list[Row] = []
            for seed in seeds:
                given = searched(problem, seed, sd, asked.evaluations, noise=noise, steps=asked.steps)
                found.append((*shares(problem, given), len({each.values for each in given.evaluations})))
            totals[noise] += found
            print(_row(name, noise, found), flush=True)
    for noise, all_ in totals.items():
        print(_row("all", noise, all_))


def _row(name: str, noise: bool, found: Sequence[Row]) -> str:
    by_mean, single, tried, distinct = np.mean(found, axis=0)
    return f"{name:<14} {f'noise: {noise}'.lower():<12} {by_mean:7.3f} {single:7.3f} {tried:10.3f} {distinct:10.1f}"


if __name__ == "__main__":
    main()
