"""Rows that are hard on a covariance matrix: equal, nearly equal, on a line, all on one side."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Evaluation, Parameter, Problem
from ordbo_cli.problem.method import PRESETS
from ordbo_cli.search.prediction import predict
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from tests.unit.search.conftest import evaluations

pytestmark = pytest.mark.slow

Rows = Callable[[Array], Array]


def twins(X: Array) -> Array:
    """Return rows of which every other one is its neighbour but for the last digit."""
    return np.where(np.arange(len(X))[:, None] % 2, np.nextafter(np.roll(X, 1, axis=0), 2.0), X)


SETS: dict[str, Rows] = {
    "all within 1e-13, 1e-15 apart": lambda X: 0.4 + 1e-15 * np.arange(len(X))[:, None] * np.ones_like(X),
    "twins in the last digit": twins,
    "one point, other results": lambda X: np.full_like(X, 0.3),
    "one point half of the time": lambda X: np.where(np.arange(len(X))[:, None] % 2, X[0], X),
    "on one line": lambda X: np.repeat(X[:, :1], X.shape[1], axis=1),
    "one column equal": lambda X: np.column_stack([np.full(len(X), 0.25), X[:, 1:]]),
    "one column equal but for the last digit": lambda X: np.column_stack(
        [np.where(np.arange(len(X)) % 3, 0.25, np.nextafter(0.25, 1.0)), X[:, 1:]]
    ),
    "one column on its bound": lambda X: np.column_stack([np.zeros(len(X)), X[:, 1:]]),
    "all but touching a corner": lambda X: 1e-300 * X,
    "among the smallest doubles": lambda X: np.round(50.0 * X) * 5e-324,
}


def check(problem: Problem, rows: list[Evaluation]) -> None:
    """Suggest cold, beside a pending point, and warm after its result; predict. A warning would fail the test."""
    first = propose(StepInput(problem, rows, [], len(rows)))
    second = propose(StepInput(problem, rows, [first.values], len(rows) + 1, first.fit))
    third = propose(
        StepInput(problem, [*rows, Evaluation(first.values, rows[0].objective)], [], len(rows) + 1, first.fit)
    )
    tried = {row.values for row in rows}
    for proposal in (first, second, third):
        assert all(p.low <= x <= p.high for p, x in zip(problem.free, proposal.values, strict=True))
        assert tuple(map(float, proposal.values)) not in tried
        json.dumps([proposal.fit, proposal.record.to_dict()], allow_nan=False)
    assert second.values != first.values != third.values
    for prediction in predict(StepInput(problem, rows, fit=first.fit), [first.values, rows[0].values]):
        assert np.all(np.isfinite([prediction.rank, prediction.improvement, prediction.mean, prediction.sd]))


@pytest.mark.parametrize("preset", ["default", "metric-free", "paper"])
@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("number", [10, pytest.param(100, marks=pytest.mark.slow)])
def test_rows_that_hardly_differ_do_not_stop_the_search(number: int, name: str, preset: str) -> None:
    """In one dimension and in three, on either scale."""
    rng = np.random.default_rng(number)
    for dimension, scale, low in ((1, "linear", 0.0), (3, "linear", 0.0), (3, "log", 1e-3)):
        axes = tuple(Parameter(f"x{j}", low, 1.0, scale=scale) for j in range(dimension))  # type: ignore[arg-type]
        problem = Problem(axes, method=replace(PRESETS[preset], iterations=6))
        X = np.maximum(SETS[name](rng.random((number, dimension))), low)
        check(problem, evaluations(X, rng.random(number).tolist()))


@pytest.mark.slow
@pytest.mark.parametrize(
    "settings", [{"posterior": "full"}, {"kernel": "rbf"}, {"drift": 0.5}, {"partition": "exhaustive"}]
)
@pytest.mark.parametrize("acquisition", ["lcb", "ei", "thompson"])
def test_nor_do_they_under_other_settings(settings: dict[str, object], acquisition: str) -> None:
    """Each acquisition with each form of the model."""
    rng = np.random.default_rng(1)
    method = replace(PRESETS["default"], iterations=6, samples=3, acquisition=acquisition, **settings)  # type: ignore[arg-type]
    problem = Problem((Parameter("a", 0.0, 1.0), Parameter("b", 0.0, 1.0)), method=method)
    for make in SETS.values():
        check(problem, evaluations(make(rng.random((12, 2))), rng.random(12).tolist()))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["twins in the last digit", "one point half of the time"])
def test_a_thousand_rows_that_hardly_differ(name: str) -> None:
    """As many as the model sees at once."""
    rng = np.random.default_rng(2)
    method = replace(PRESETS["default"], iterations=2)
    problem = Problem(tuple(Parameter(f"x{j}", 0.0, 1.0) for j in range(3)), method=method)
    check(problem, evaluations(SETS[name](rng.random((1000, 3))), rng.random(1000).tolist()))
