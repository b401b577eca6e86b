"""Prints whether each rival of ``ordbo benchmark`` reaches through our wrapper what its library reaches by itself.

Usage: ``PYTHONPATH=. python tests/bench/rivals_reach.py [--methods cobyqa,nomad] [--seeds 5]``.

Each has a question from its own documentation, answered by the call that stands there and by our wrapper from the same
start. Evaluations count from the start, which is the first; figures are medians over seeds.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any, TypeVar

import numpy as np

from ordbo_cli.benchmark.rivals.methods import contestant
from ordbo_cli.benchmark.rivals.searchers import Start
from ordbo_cli.problem import Number, Parameter, Problem
from tests.bench.figures import table

Function = Callable[[Any], float]
C = TypeVar("C")


@dataclass(frozen=True)
class Case:
    """A question that suits a rival.

    Args:
        source: where it stands.
        function: maps a point [D] to its value.
        bounds: of all parameters.
        start: the first point.
        target: a value that is a solution.
        evaluations: that both may make.
        own: minimises by the library's own call, given the function, the case and a seed.
    """

    source: str
    function: Function
    bounds: tuple[tuple[float, float], ...]
    start: tuple[float, ...]
    target: float
    evaluations: int
    own: Callable[[Function, Case, int], object]


def by_itself(case: Case, seed: int) -> list[float]:
    """Return the values that the library's own call sees [N]."""
    values: list[float] = []

    def function(x: Any) -> float:
        values.append(float(case.function(np.asarray(x, dtype=np.float64))))
        return values[-1]

    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        case.own(function, case, seed)
    return values[: case.evaluations]


def wrapped(name: str, case: Case, seed: int) -> list[float]:
    """Return the values that our wrapper sees [N], that of the start first."""
    problem = Problem(tuple(Parameter(f"x{i}", low, high) for i, (low, high) in enumerate(case.bounds)))
    searcher = contestant(name).begin(Start(problem, seed, 1, case.evaluations))
    values: list[float] = []
    point: tuple[Number, ...] = case.start
    while True:
        values.append(float(case.function(np.asarray(point, dtype=np.float64))))
        searcher.tell(point, values[-1])
        if len(values) == case.evaluations:
            return values
        point = searcher.ask()


def first_below(values: Sequence[float], target: float) -> float:
    """Return the number of evaluations up to the first value at the target or below; infinity where there is none."""
    return next((number for number, value in enumerate(values, 1) if value <= target), np.inf)


def rosenbrock(x: Any) -> float:
    """Return Rosenbrock's function in any dimension."""
    return float(np.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2))


def _cobyqa(function: Function, case: Case, seed: int) -> None:
    from cobyqa import minimize

    minimize(function, case.start, bounds=case.bounds, options={"maxfev": case.evaluations})


def _pybobyqa(function: Function, case: Case, seed: int) -> None:
    import pybobyqa

    low, high = np.array(case.bounds).T
    pybobyqa.solve(function, np.array(case.start), bounds=(low, high), maxfun=case.evaluations)


def _pybads(function: Function, case: Case, seed: int) -> None:
    from pybads import BADS

    hard, plausible = np.full(2, 20.0), np.array(case.bounds).T
    options = {"max_fun_evals": case.evaluations, "random_seed": seed}
    BADS(function, np.array(case.start), -hard, hard, *plausible, options=options).optimize()


def _nomad(function: Function, case: Case, seed: int) -> None:
    import PyNomad

    def evaluate(x: Any) -> int:
        x.setBBO(str(function([x.get_coord(i) for i in range(x.size())])).encode("UTF-8"))
        return 1

    low, high = zip(*case.bounds, strict=True)
    settings = ["BB_OUTPUT_TYPE OBJ", f"MAX_BB_EVAL {case.evaluations}", "DISPLAY_DEGREE 0", f"SEED {seed}"]
    PyNomad.optimize(evaluate, list(case.start), list(low), list(high), settings)


CASES = {
    "cobyqa": Case(
        "docstring of minimize: Rosenbrock 5D, here within -2 to 2",
        rosenbrock,
        ((-2.0, 2.0),) * 5,
        (1.3, 0.7, 0.8, 1.9, 1.2),
        1e-4,
        300,
        _cobyqa,
    ),
    "pybobyqa": Case(
        "documentation, Rosenbrock with bounds: 0.01 at (0.9, 0.81)",
        rosenbrock,
        ((-10.0, 0.9), (-10.0, 0.85)),
        (-1.2, 0.85),
        0.01001,
        200,
        _pybobyqa,
    ),
    "pybads": Case(
        "example 1, Rosenbrock in its plausible box: 2.7e-5 after 75",
        rosenbrock,
        ((-5.0, 5.0),) * 2,
        (0.0, 0.0),
        1e-3,
        100,
        _pybads,
    ),
    "nomad": Case(
        "runTest.py of PyNomad: sum of squares 3D",
        lambda x: float(np.sum(np.square(x))),
        ((-1.0, 1.0),) * 3,
        (0.71, 0.51, 0.51),
        1e-4,
        100,
        _nomad,
    ),
}


def row(name: str, case: Case, seeds: int) -> list[str]:
    """Return the cells of a rival."""
    both = [[by_itself(case, seed) for seed in range(seeds)], [wrapped(name, case, seed) for seed in range(seeds)]]
    counts = [median(first_below(values, case.target) for values in runs) for runs in both]
    ends = [median(min(values) for values in runs) for runs in both]
    shown = [f"{count:.0f}" if np.isfinite(count) else f"over {case.evaluations}" for count in counts]
    return [name, case.source, f"{case.target:g}", *shown, str(case.evaluations), *(f"{end:.2g}" for end in ends)]


def report(
    said: str | None, cases: Mapping[str, C], header: Sequence[str], row: Callable[[str, C, int], list[str]], seeds: int
) -> None:
    """Measure the rivals that are asked for and installed, and print a table.

    Args:
        said: what the script says of itself.
        cases: the questions of all rivals.
        header, row: of the table.
        seeds: number of runs of each, where nothing else is asked for.
    """
    parser = argparse.ArgumentParser(description=said, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--methods", default=",".join(cases), help="names separated by commas")
    parser.add_argument("--seeds", type=int, default=seeds, help="number of runs of each")
    options = parser.parse_args()
    rows = []
    for name in options.methods.split(","):
        if missing := contestant(name).missing:
            print(f"{name} is left out: {', '.join(missing)} is not installed\n")
        else:
            rows.append(row(name, cases[name], options.seeds))
    print(table(header, rows))


HEADER = ("method", "question", "target", "own: reached after", "ours", "evaluations", "own: best", "ours")

if __name__ == "__main__":
    report(__doc__, CASES, HEADER, row, seeds=5)
