"""Prints what one evaluation of the fit's objective costs beside the linear algebra that it cannot spare.

Usage: ``PYTHONPATH=. python tests/bench/limits.py [--rounds 7] [--rows 100,500,1000,2000] [--dimension 10]``.

The objective and its gradient take a Cholesky factor of the covariance, its inverse and one product of the inverse with
itself, N^3 / 3, 2 N^3 / 3 and N^3 operations. LAPACK and BLAS are timed for these alone, on one thread too.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from decimal import Decimal
from statistics import median
from typing import Any

import numpy as np
from scipy.linalg.blas import dsyrk
from scipy.linalg.lapack import dpotrf, dpotri
from threadpoolctl import threadpool_limits

from ordbo_cli.problem import Evaluation, Parameter, Problem
from ordbo_cli.search.step_rows import MOST_ROWS
from ordbo_cli.study.optimizer import Optimizer
from tests.bench.figures import rounded, table
from tests.bench.histories import History
from tests.bench.step import numbers
from tests.bench.timed_step import COUNTED, replace


class _Found(Exception):
    """Ends a fit at its first evaluation, which it holds."""


def stop_at_first(objective: Callable[..., Any]) -> Callable[..., Any]:
    """Return what stands in for the objective, so that it can be timed alone."""

    def stop(*arguments: Any) -> Any:
        raise _Found(lambda: objective(*arguments))

    return stop


def first_evaluation(history: History) -> Callable[[], object]:
    """Return the evaluation of the objective that a cold fit begins with.

    Raises:
        SystemExit: there was none.
    """
    points = history.points()
    results = [Decimal(repr(y)) for y in history.values(points)]
    rows = [Evaluation(tuple(x), y) for x, y in zip(points.tolist(), results, strict=True)]
    optimizer = Optimizer(Problem(tuple(Parameter(name, -5, 5) for name in history.names)), rows)
    try:
        optimizer.ask()
    except _Found as end:
        evaluation: Callable[[], object] = end.args[0]
        return evaluation
    raise SystemExit("limits.py: no objective was evaluated")


def least(N: int) -> Callable[[], object]:
    """Return the linear algebra of an evaluation on a matrix [N, N]."""
    A = np.random.default_rng(N).standard_normal((N, N))
    K = np.asfortranarray(A @ A.T + N * np.eye(N))

    def algebra() -> None:
        L = dpotrf(K, lower=True)[0]
        dsyrk(1.0, dpotri(L, lower=True)[0], lower=True)

    return algebra


def timed(work: Callable[[], object], rounds: int) -> float:
    """Return the median seconds of some work, after a round that does not count."""
    seconds = []
    for _ in range(rounds + 1):
        start = time.perf_counter()
        work()
        seconds.append(time.perf_counter() - start)
    return median(seconds[1:])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=7, help="times that each is timed")
    parser.add_argument("--rows", type=numbers, default=(25, 100, 500, 1000, 2000), help="numbers of rows")
    parser.add_argument("--dimension", type=int, default=10, help="number of parameters")
    options = parser.parse_args()
    replace(COUNTED, stop_at_first)
    lines = []
    with threadpool_limits(limits=1):
        for N in (rows for rows in options.rows if rows <= MOST_ROWS):
            whole = timed(first_evaluation(History(N, options.dimension)), options.rounds)
            algebra = timed(least(N), options.rounds)
            lines.append([str(N), rounded(1e3 * whole), rounded(1e3 * algebra), rounded(whole / algebra)])
    print(f"One evaluation of the objective, {options.dimension} parameters:\n")
    print(table(("N", "evaluation, ms", "its linear algebra at least, ms", "ratio"), lines))


if __name__ == "__main__":
    main()
