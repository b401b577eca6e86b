"""The next point by a quadratic among the best points: where it is taken, and where it is left."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import pytest

from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.problem.method import PRESETS, Method
from ordbo_cli.search.step import Proposal, propose
from ordbo_cli.search.step_input import StepInput
from tests.unit.search.conftest import evaluations, unit_problem


def bowl(x: Sequence[float]) -> float:
    """Return a bowl of condition 100 whose valley lies across the axes, with its minimum at (0.4, 0.6)."""
    a, b = x[0] - 0.4, x[1] - 0.6
    return (a + b) ** 2 + 100.0 * (a - b) ** 2


def next_point(
    function: Callable[[Sequence[float]], float | None], method: Method | None = None, rows: int = 14, seed: int = 0
) -> Proposal:
    """Return what follows from the results of a function at random points of the unit square."""
    X = np.random.default_rng(seed).random((rows, 2))
    results = [function(x.tolist()) for x in X]
    return propose(StepInput(unit_problem(2, method or Method()), evaluations(X, results), step=rows))


def test_a_quadratic_finds_a_valley_across_the_axes() -> None:
    """After fourteen random points of a tilted bowl the next one is the best by far."""
    X = np.random.default_rng(0).random((14, 2))
    found = next_point(bowl)
    assert found.record.kind == "refine"
    assert bowl([float(x) for x in found.values]) < 0.25 * min(map(bowl, X.tolist()))


@pytest.mark.parametrize("how", [math.exp, math.atan, lambda y: 3.0 * y - 7.0], ids=["exp", "atan", "affine"])
def test_no_increasing_transform_of_the_results_changes_the_point(how: Callable[[float], float]) -> None:
    """The same point to the last bit."""
    assert next_point(lambda x: how(bowl(x))).values == next_point(bowl).values


def test_too_few_points_are_left_to_the_latent_process() -> None:
    """A quadratic in two dimensions has six terms."""
    assert next_point(bowl, replace(Method(), initial=5), rows=5).record.kind == "acquire"


def test_a_failure_among_the_best_points_leaves_them_to_the_latent_process() -> None:
    """What fails close to the best point has no place in a quadratic."""
    assert next_point(lambda x: None if x[0] > 0.5 else bowl(x)).record.kind == "acquire"


@pytest.mark.parametrize(
    "function",
    [
        lambda x: math.floor(0.05 * bowl(x)),
        lambda x: math.sin(25.0 * x[0]) * math.cos(25.0 * x[1]),
    ],
    ids=["steps", "waves"],
)
def test_results_that_are_not_those_of_a_quadratic_are_left_to_the_latent_process(
    function: Callable[[Sequence[float]], float],
) -> None:
    """Equal results, and an order that quadratics without a point do not foresee."""
    assert next_point(function, rows=20).record.kind == "acquire"


@pytest.mark.parametrize("preset", ["metric-free", "paper"])
def test_presets_that_go_by_order_alone_do_not_refine(preset: str) -> None:
    """Distances are what a quadratic is made of."""
    assert next_point(bowl, PRESETS[preset]).record.kind == "acquire"


def test_points_on_a_grid_are_suggested_once() -> None:
    """Whole numbers: the place next to the lowest of the quadratic, if that was not tried, and never a tried one."""
    parameters = (Parameter("a", 0, 20, type="int"), Parameter("b", 0.0, 1.0))
    problem = Problem(parameters, objective="y")
    rng = np.random.default_rng(2)
    X = [(int(a), float(b)) for a, b in zip(rng.integers(0, 21, 16), rng.random(16), strict=True)]
    rows = evaluations(X, [bowl((a / 20.0, b)) for a, b in X])
    found = propose(StepInput(problem, rows, step=16))
    assert isinstance(found.values[0], int)
    assert found.values not in [e.values for e in rows]
