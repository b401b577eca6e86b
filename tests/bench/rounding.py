"""Prints how far rounding carries: the next point of one table, where only the last bits of the arithmetic differ.

Usage: ``PYTHONPATH=. python tests/bench/rounding.py [--write FILE | --against FILE]``.

``--write`` keeps the points, and ``--against`` compares with those of another environment, say one with another NumPy.
Without either, every value and slope that the optimiser of the fit sees is off by a relative 1e-15, three times over.
Differences are shares of a parameter's range, the largest of all parameters.
"""

from __future__ import annotations

import argparse
import json
from itertools import product
from pathlib import Path
from typing import Final
from unittest import mock

import numpy as np

from ordbo_cli import Optimizer, Parameter, Problem
from ordbo_cli.ordinal.engine import NumpyEngine
from ordbo_cli.ordinal.linalg import Array
from tests.bench.figures import table
from tests.bench.histories import History

ROWS: Final = (10, 15, 20, 25, 30, 35, 40, 45, 60)
DIMENSIONS: Final = (1, 2, 3, 5)
EPSILON: Final = 1e-15
TURNS: Final = 3
RANGE: Final = 10.0  # of each parameter of a history
FAR: Final = 1e-9


def suggested(history: History) -> list[float]:
    """Return the next point after the rows of a history, by a cold fit [D]."""
    optimizer = Optimizer(Problem(tuple(Parameter(name, -5, 5) for name in history.names)))
    points = history.points()
    for point, value in zip(points.tolist(), history.values(points), strict=True):
        optimizer.tell(dict(zip(history.names, point, strict=True)), value)
    return [float(str(value)) for value in optimizer.ask().parameters.values()]


def suggested_off(history: History, seed: int) -> list[float]:
    """Return the same where what the fit's optimiser sees is off by a relative :data:`EPSILON`."""
    rng = np.random.default_rng(seed)
    exact = NumpyEngine.objective

    def off(self: NumpyEngine, theta: Array) -> tuple[float, Array]:
        value, slope = exact(self, theta)
        errors = 1.0 + EPSILON * rng.standard_normal(1 + len(slope))
        return value * float(errors[0]), slope * errors[1:]

    with mock.patch.object(NumpyEngine, "objective", off):
        return suggested(history)


def apart(one: list[float], other: list[float]) -> float:
    """Return how far two points are from each other."""
    return float(np.max(np.abs(np.subtract(one, other)))) / RANGE


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", type=Path)
    parser.add_argument("--against", type=Path)
    given = parser.parse_args()
    histories = [History(rows, dimension) for rows, dimension in product(ROWS, DIMENSIONS)]
    points = [suggested(history) for history in histories]
    if given.write:
        given.write.write_text(json.dumps(points), encoding="utf-8")
        return
    if given.against:
        others = json.loads(given.against.read_text(encoding="utf-8"))
        far = [apart(one, other) for one, other in zip(points, others, strict=True)]
    else:
        far = [
            apart(point, suggested_off(history, seed))
            for history, point in zip(histories, points, strict=True)
            for seed in range(TURNS)
        ]
    line = (
        str(len(far)),
        str(sum(each <= FAR for each in far)),
        *(f"{each:.0e}" for each in np.quantile(far, (0.5, 0.9, 1.0))),
    )
    print(table(("points", f"within {FAR:g}", "half within", "nine in ten within", "farthest"), [line]))


if __name__ == "__main__":
    main()
