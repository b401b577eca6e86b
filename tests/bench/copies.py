"""Counts copies among suggestions under constraints: points that are all but the same as another one.

Usage: ``PYTHONPATH=. python tests/bench/copies.py [--constraints corner,strip] [--preset default] [--seeds 3]``.

A copy lies within a thousandth of each parameter's range, on its own scale, of another point; of whole numbers, steps
and levels it has the same. Situations: nothing has a result (``out``), every evaluation has ``failed``, all results
are a ``tie``, and a batch that is out after six results that rank (``batch``, of which its own points are counted).
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Condition, Evaluation, Number, Parameter, Problem
from ordbo_cli.problem.constraints import Constraint
from ordbo_cli.problem.method import PRESETS, Method
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from tests.bench.figures import table

NEAR: Final = 1e-3
POINTS: Final = 30
BATCH: Final = (6, 16)  # results that rank, and points that are out after them
SITUATIONS: Final = ("out", "failed", "tie", "batch")

_A, _B, *_REST = (Parameter(name, 0.0, 1.0) for name in "abcdef")
_N, _M = (Parameter(name, 0, 40, type="int") for name in "nm")
_MESH = Parameter.of_levels("mesh", ["coarse", "mid", "fine"], "ordinal")
_SOLVER = Parameter.of_levels("solver", ["direct", "cg", "mg"], "categorical")
_LOGS = (Parameter("p", 1e-6, 1e2, scale="log"), Parameter("q", 1e-3, 1e3, scale="log"))
CONSTRAINTS: Final[dict[str, tuple[tuple[Parameter, ...], list[str]]]] = {
    "corner": ((_A, _B), ["a + b <= 0.3"]),
    "strip": ((_A, _B), ["abs(a - b) <= 0.01"]),
    "line": ((_A, _B), ["a + b == 1"]),
    "near line": ((_A, _B), ["abs(a + b - 1) <= 0.0001"]),
    "disc": ((_A, _B), ["(a - 0.5)**2 + (b - 0.5)**2 <= 0.01"]),
    "annulus": ((_A, _B), ["0.14 <= (a - 0.5)**2 + (b - 0.5)**2", "(a - 0.5)**2 + (b - 0.5)**2 <= 0.16"]),
    "islands": ((_A, _B), ["(a - 0.1)**2 + (b - 0.1)**2 <= 0.0025 or (a - 0.9)**2 + (b - 0.8)**2 <= 0.0025"]),
    "band": ((_A, _B), ["abs(b - a**2) <= 0.002"]),
    "simplex": ((_A, _B, *_REST), ["a + b + c + d + e + f <= 1"]),
    "levels": ((_MESH, _SOLVER, _A), ['mesh != "fine" or solver != "direct"', 'solver == "cg" or a <= 0.2']),
    "whole": ((_N, _M, _A), ["n + m == 40", "a <= 0.1"]),
    "log": (_LOGS, ["p*q <= 1e-4"]),
    "condition": ((_SOLVER, _A, replace(_B, when=(Condition("solver", (0,)),))), ["b <= 0.2", "a + b <= 0.4"]),
}


def problem_of(name: str, method: Method, seed: int = 0) -> Problem:
    """Return the problem with some of the constraints."""
    parameters, texts = CONSTRAINTS[name]
    constraints = tuple(Constraint.parse(text, parameters) for text in texts)
    return Problem(parameters, method=method, seed=seed, constraints=constraints)


def suggested(problem: Problem, situation: str) -> list[tuple[Number, ...]]:
    """Return the suggestions that count in a situation, one after the other."""
    results: list[Evaluation] = []
    out: list[tuple[Number, ...]] = []
    ranked, more = BATCH if situation == "batch" else (0, POINTS)
    fit = None
    for step in range(ranked + more):
        proposal = propose(StepInput(problem, results, out, step, fit))
        fit = proposal.fit or fit
        if situation == "out" or (situation == "batch" and step >= ranked):
            out.append(proposal.values)
        else:
            result = {"failed": None, "tie": Decimal(1)}.get(situation, _bowl(problem, proposal.values))
            results.append(Evaluation(proposal.values, result))
    return out or [result.values for result in results]


def copies(problem: Problem, points: Sequence[Sequence[Number]]) -> int:
    """Return how many points have another one within :data:`NEAR`."""
    places = _places(problem, points)
    away = np.abs(places[:, None] - places).max(axis=2)
    np.fill_diagonal(away, np.inf)
    return int(np.sum(away.min(axis=1) <= NEAR))


def _places(problem: Problem, points: Sequence[Sequence[Number]]) -> Array:
    """Return points as shares of each parameter's range, values of lattices at least 1 apart [P, D]."""
    places = Space(problem, ()).unit(np.array(points, dtype=np.float64))
    for k, parameter in enumerate(problem.free):
        if parameter.is_whole or parameter.step is not None:
            places[:, k] = np.unique([float(point[k]) for point in points], return_inverse=True)[1]
    return places


def _bowl(problem: Problem, values: Sequence[Number]) -> Decimal:
    place = Space(problem, ()).unit(np.array([values], dtype=np.float64))[0]
    return Decimal(repr(float(3.0 ** np.arange(len(place)) @ (place - 0.37) ** 2)))


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--constraints", default=",".join(CONSTRAINTS))
    parser.add_argument("--preset", default="default", choices=PRESETS)
    parser.add_argument("--seeds", type=int, default=3)
    asked = parser.parse_args()
    lines = []
    for name in asked.constraints.split(","):
        problems = [problem_of(name, PRESETS[asked.preset], seed) for seed in range(asked.seeds)]
        counts = [[copies(p, suggested(p, situation)) for p in problems] for situation in SITUATIONS]
        lines.append([name, *(", ".join(map(str, each)) for each in counts)])
    print(table(["constraints", *SITUATIONS], lines))


if __name__ == "__main__":
    main()
