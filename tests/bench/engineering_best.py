"""Searches the simulators of the group ``engineering`` hard for their best values, or says what they are like.

Usage: ``PYTHONPATH=. python tests/bench/engineering_best.py [NAMES] [--seeds 3] [--evaluations 5000]`` prints the best
value and point of each search: differential evolution over the box, then steps along each parameter and each pair of
levels until none helps. The roof truss is enumerated instead.

``... --character [--points 500]`` prints, of random points: how many fail, decades between the 1% and the 99% quantile
of the others' regret, the median regret of the best of 25, optima and jumps along lines through the box, milliseconds
an evaluation.
"""

from __future__ import annotations

import argparse
import itertools
import math
import time
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from scipy.optimize import differential_evolution
from threadpoolctl import threadpool_limits

from ordbo_cli.benchmark.rivals.unit_box import Box
from ordbo_cli.benchmark.suites.engineering import roof_truss
from ordbo_cli.benchmark.suites.engineering.engineering_problem import EngineeringProblem
from ordbo_cli.benchmark.suites.suite import ENGINEERING
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number
from ordbo_cli.problem.method import Method
from tests.bench.figures import table

_FAILED = 1e30
_LINE = 201  # points of a line
_FINEST = 1e-7  # share of the box


class Search:
    """Minimises a problem, each point evaluated once."""

    def __init__(self, problem: EngineeringProblem) -> None:
        self.problem = problem
        self.box = Box(problem.problem(Method()))
        self.seen: dict[tuple[Number, ...], float] = {}

    def value(self, shares: Array) -> float:
        """Return the value at a point of the unit box, a huge one of a failure."""
        point = self.box.values(shares)
        if point not in self.seen:
            found = self.problem(point)
            self.seen[point] = _FAILED if math.isnan(found) else found
        return self.seen[point]

    def run(self, seed: int, evaluations: int) -> tuple[float, tuple[Number, ...]]:
        """Return the best value found and its point."""
        dimension = self.box.dimension
        rounds = max(1, evaluations // (8 * dimension) - 1)
        found = differential_evolution(
            self.value, [(0, 1)] * dimension, seed=seed, popsize=8, maxiter=rounds, tol=0, polish=False, init="sobol"
        )
        return self.polished(found.x, found.fun)

    def polished(self, shares: Array, lowest: float) -> tuple[float, tuple[Number, ...]]:
        """Step along each parameter, and to other levels of each pair, until nothing helps."""
        step = 0.1
        while step > _FINEST:
            better = min(self.neighbours(shares, step), key=self.value)
            if self.value(better) < lowest:
                shares, lowest = better, self.value(better)
            else:
                step /= 2
        return lowest, self.box.values(shares)

    def neighbours(self, shares: Array, step: float) -> Iterator[Array]:
        """Yield the points around one."""
        moves = [self.moves(k, shares[k], step) for k in range(len(shares))]
        for k, places in enumerate(moves):
            yield from (_changed(shares, {k: place}) for place in places)
        with_levels = [k for k, parameter in enumerate(self.problem.parameters) if parameter.levels]
        for i, j in itertools.combinations(with_levels, 2) if step > 0.09 else ():
            yield from (_changed(shares, {i: a, j: b}) for a, b in itertools.product(moves[i], moves[j]))

    def moves(self, k: int, share: float, step: float) -> Sequence[float]:
        """Return other places on an axis."""
        levels = len(self.problem.parameters[k].levels)
        if levels:
            return [(place + 0.5) / levels for place in range(levels)]
        return [share + step, share - step, share + step / 3, share - step / 3]


def _changed(shares: Array, changes: dict[int, float]) -> Array:
    other = shares.copy()
    for k, share in changes.items():
        other[k] = min(max(share, 0.0), 1.0)
    return other


def best_truss() -> tuple[float, dict[str, Any]]:
    """Return the cheapest truss, found on one thread, which is quicker for matrices as small as these."""
    with threadpool_limits(limits=1):
        return _best_truss()


def _best_truss() -> tuple[float, dict[str, Any]]:
    """Return it: for each layout and steel the tubes in order of cost, until one design will do."""
    best, least = math.inf, dict[str, Any]()
    angles = [float(x) for x in range(25, 61)]
    tubes = np.array([roof_truss.section(name) for name in roof_truss.TUBES])
    for web, panels, angle in itertools.product(roof_truss.WEBS, range(4, 17, 2), angles):
        truss = roof_truss.layout(web, panels, math.tan(math.radians(angle)) * roof_truss.SPAN / panels)
        for steel, (strength, price) in roof_truss.STEELS.items():
            used = [roof_truss.use_of_tubes(truss, np.tile(tube, (len(truss.M), 1)), strength)[0] for tube in tubes]
            most = np.array([[share[truss.group == g].max() for share in used] for g in range(4)])
            costs = [
                [roof_truss.cost(truss, *_column(truss.group == g, tube), price) for tube in tubes] for g in range(4)
            ]
            work = 3 * roof_truss.cost(truss, *_column(truss.group < 0, tubes[0]), price)  # counted with each group
            fit = [[t for t in range(len(tubes)) if most[g, t] <= 1] for g in range(4)]
            if not all(fit) or sum(min(costs[g][t] for t in fit[g]) for g in range(4)) - work >= best:
                continue
            for chosen in sorted(itertools.product(*fit), key=lambda x: sum(costs[g][x[g]] for g in range(4))):
                if sum(costs[g][chosen[g]] for g in range(4)) - work >= best:
                    break
                names = [list(roof_truss.TUBES)[t] for t in chosen]
                point = {"web": web, "steel": steel, "panels": panels, "angle": angle}
                point |= dict(zip(roof_truss.GROUPS_OF_MEMBERS, names, strict=True))
                value = roof_truss.roof_truss_2c4o1i1f(point)
                if value < best:
                    best, least = value, point
                    break
    return best, least


def _column(there: Any, tube: Array) -> tuple[Array, Array]:
    """Return areas and diameters of members that have one tube where they are in a group, and none elsewhere."""
    return there * tube[0], there * tube[2]


def character(problem: EngineeringProblem, points: int) -> tuple[str, ...]:
    """Return a row of the table of what problems are like."""
    box, rng = Box(problem.problem(Method())), np.random.default_rng(0)
    start = time.perf_counter()
    values = np.array([problem(box.values(x)) for x in rng.random((points, box.dimension))])
    milliseconds = 1000 * (time.perf_counter() - start) / points
    regrets = np.array([problem.regret(value) for value in values])
    low, high = np.quantile(regrets[~np.isnan(values)], (0.01, 0.99))
    best = np.median([min(rng.choice(regrets, 25)) for _ in range(1000)])
    optima, jumps = zip(*(_along(problem, box, rng) for _ in range(10)), strict=True)
    return (
        problem.name,
        f"{np.mean(np.isnan(values)):.0%}",
        f"{math.log10(high / low):.1f}",
        f"{best:.3g}",
        f"{problem.optimum:.6g}",
        f"{np.mean(optima):.1f}",
        f"{np.mean(jumps):.1f}",
        f"{milliseconds:.1f}",
    )


def _along(problem: EngineeringProblem, box: Box, rng: np.random.Generator) -> tuple[int, int]:
    """Return the local optima and the jumps along a line through the box.

    A jump is an edge of what fails, or a step more than ten times as long as half of all that are not zero.
    """
    start, end = rng.random((2, box.dimension))
    line = np.array([problem(box.values(start + t * (end - start))) for t in np.linspace(0, 1, _LINE)])
    there = ~np.isnan(line)
    edges = int(np.sum(there[1:] != there[:-1]))
    steps = np.diff(line[there])
    moved = steps[steps != 0]
    turns = int(np.sum((moved[:-1] < 0) & (moved[1:] > 0)))
    return turns, edges + (int(np.sum(np.abs(moved) > 10 * np.median(np.abs(moved)))) if len(moved) else 0)


def main() -> None:
    """Read the options, and search or characterise."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", default=list(ENGINEERING))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--evaluations", type=int, default=5000)
    parser.add_argument("--character", action="store_true")
    parser.add_argument("--points", type=int, default=500)
    options = parser.parse_args()
    problems = [ENGINEERING[name] for name in options.names]
    for one in problems:
        one.check()
    if options.character:
        header = ("problem", "fail", "decades", "best of 25", "optimum", "optima", "jumps", "ms")
        print(table(header, [character(one, options.points) for one in problems]))
        return
    for one in problems:
        if one is roof_truss.ROOF_TRUSS:
            print(one.name, "enumerated:", *best_truss(), flush=True)
            continue
        for seed in range(options.seeds):
            search = Search(one)
            value, point = search.run(seed, options.evaluations)
            named = one.problem(Method()).mapping(point)
            print(one.name, f"seed {seed}, {len(search.seen)} points:", repr(value), dict(named), flush=True)


if __name__ == "__main__":
    main()
