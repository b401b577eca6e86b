"""Prints how good the point is that duels before a noisy judge lead to: the share of the box that is better.

Usage: ``PYTHONPATH=. python tests/bench/duels.py [--problems bowl,branin] [--seeds 10] [--duels 40]
[--wrong 0.1 | --wrong 0,0,0.2 [--unnamed]]``.

The judge sees two points and says which has the lower value, wrongly in a tenth of all cases. Of several judges, each
of whom errs in a share of his own, every one answers in turn, and the model is told who, or not. Each function lives on
the unit square; its values are nothing but what the judge compares.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np

from ordbo_cli.benchmark.rivals.methods import ordinal_method
from ordbo_cli.problem import Comparison, Number, Parameter, Problem
from ordbo_cli.problem.method import Method
from ordbo_cli.search.duel import propose_duel
from ordbo_cli.search.prediction import incumbent
from ordbo_cli.search.step_input import StepInput
from tests.bench.figures import NOTHING, table

Function = Callable[[Any, Any], Any]  # of numbers or arrays of any shape, elementwise
SQUARE: Final = (Parameter("x", 0.0, 1.0), Parameter("y", 0.0, 1.0))
_GRID: Final = np.meshgrid(np.linspace(0.0, 1.0, 401), np.linspace(0.0, 1.0, 401))
_JUDGE: Final = 7  # stream of the judge's errors
GOOD: Final = 0.05
_LEAST: Final = 1e-5  # share that is told from none


def bowl(x: Any, y: Any) -> Any:
    """Return a quadratic bowl."""
    return (x - 0.37) ** 2 + 2.0 * (y - 0.71) ** 2


def branin(x: Any, y: Any) -> Any:
    """Return Branin's function with its three equal minima (Dixon and Szego 1978)."""
    a, b = 15.0 * x - 5.0, 15.0 * y
    bent = b - 5.1 / (4.0 * np.pi**2) * a**2 + 5.0 / np.pi * a - 6.0
    return bent**2 + 10.0 * (1.0 - 1.0 / (8.0 * np.pi)) * np.cos(a) + 10.0


def valley(x: Any, y: Any) -> Any:
    """Return Rosenbrock's bent valley."""
    a, b = 4.0 * x - 2.0, 4.0 * y - 2.0
    return 100.0 * (b - a**2) ** 2 + (1.0 - a) ** 2


def waves(x: Any, y: Any) -> Any:
    """Return a bowl with local minima, the second of which a tenth of the box is better than."""
    return (x - 0.3) ** 2 + (y - 0.6) ** 2 - 0.1 * np.cos(9.0 * x) * np.cos(11.0 * y)


def cliff(x: Any, y: Any) -> Any:
    """Return a bowl beside a plain that lies far above it."""
    return np.where(x < 0.4, 3.0 + y, (x - 0.55) ** 2 + (y - 0.2) ** 2)


def camel(x: Any, y: Any) -> Any:
    """Return the six-hump camel (Dixon and Szego 1978)."""
    a, b = 6.0 * x - 3.0, 4.0 * y - 2.0
    return (4.0 - 2.1 * a**2 + a**4 / 3.0) * a**2 + a * b + (4.0 * b**2 - 4.0) * b**2


FUNCTIONS: Final[dict[str, Function]] = {f.__name__: f for f in (bowl, branin, valley, waves, cliff, camel)}


def better_share(function: Function, point: tuple[Number, ...]) -> float:
    """Return the share of the square in which a function is lower than at a point."""
    return float(np.mean(function(*_GRID) < function(*np.array(point, dtype=np.float64))))


def incumbents(
    function: Function, method: Method, seed: int, duels: int, wrong: Sequence[float] = (0.1,), *, named: bool = True
) -> Iterator[tuple[Number, ...]]:
    """Yield the point that is held to be the best after each duel.

    Args:
        wrong: share of each judge's answers that are wrong.
        named: whether the model is told who said what; one judge has no name.
    """
    problem = Problem(SQUARE, seed=seed, method=method)
    errs = np.random.default_rng([seed, _JUDGE]).random(duels) < np.resize(wrong, duels)
    found: list[Comparison] = []
    fit = None
    for step, err in enumerate(errs):
        duel = propose_duel(StepInput(problem, (), (), step, fit, comparisons=found))
        points = (duel.first, duel.challenger.values)
        one, other = (function(*np.array(point)) for point in points)
        better, worse = points if bool(one < other) != err else points[::-1]
        judge = f"judge {step % len(wrong)}" if named and len(wrong) > 1 else ""
        found.append(Comparison(better, worse, judge=judge))
        fit = duel.challenger.fit
        yield incumbent(StepInput(problem, (), fit=fit, comparisons=found)).values


def main() -> None:
    """Print a table of the functions."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--problems", default=",".join(FUNCTIONS))
    parser.add_argument("--method", default="default")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--duels", type=int, default=40)
    parser.add_argument("--wrong", default="0.1")
    parser.add_argument("--unnamed", action="store_true")
    options = parser.parse_args()
    wrong = [float(text) for text in options.wrong.split(",")]
    rows, all_ends = [], list[float]()
    for name in options.problems.split(","):
        ends = []
        for seed in range(options.seeds):
            method = replace(ordinal_method(options.method))
            *_, last = incumbents(FUNCTIONS[name], method, seed, options.duels, wrong, named=not options.unnamed)
            ends.append(better_share(FUNCTIONS[name], last))
        all_ends += ends
        good = sum(end <= GOOD for end in ends)
        rows.append([name, f"{good} of {len(ends)}", f"{np.median(ends):.2%}", f"{max(ends):.1%}", NOTHING])
    good = sum(end <= GOOD for end in all_ends)
    mean = np.exp(np.mean(np.log(np.maximum(all_ends, _LEAST))))
    rows.append(
        ["all", f"{good} of {len(all_ends)}", f"{np.median(all_ends):.2%}", f"{max(all_ends):.1%}", f"{mean:.2%}"]
    )
    print(table(["function", f"in the best {GOOD:.0%}", "median share better", "worst", "geometric mean"], rows))


if __name__ == "__main__":
    main()
