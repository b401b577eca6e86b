"""Order is all that counts: what may change nothing, changes nothing, bit for bit."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.problem.method import PRESETS, Acquisition, Method
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.study.optimizer import Optimizer
from tests.unit.search.conftest import cell_of, evaluations, random_study, unit_problem

STEPS = 9
METHODS = {
    "default": replace(PRESETS["default"], iterations=40),
    "metric-free": replace(PRESETS["metric-free"], iterations=40),
    "paper": replace(PRESETS["paper"], iterations=40),
}
ACQUISITIONS: tuple[Acquisition, ...] = ("lcb", "thompson", "ei")
TRANSFORMS: dict[str, Callable[[float], float]] = {
    "log": math.log,
    "exp": math.exp,
    "cube": lambda y: y**3,
    "1e300": lambda y: 1e300 * y,
    "shift and shrink": lambda y: 1e-5 * y - 7.0,
}


def valley(x: tuple[float, ...]) -> float:
    """Return values between 0.1 and 12 that rise steeply in the second coordinate; some points fail."""
    return float("nan") if x[0] > 0.97 else 0.1 + (x[0] - 0.3) ** 2 + 30.0 * (x[1] - 0.6) ** 2


def trace(problem: Problem, transform: Callable[[float], float]) -> list[tuple[float, ...]]:
    """Return the points of a study whose results are transformed; NaN stays a failure."""
    optimizer = Optimizer(problem)
    points = []
    for _ in range(STEPS):
        suggestion = optimizer.ask()
        y = valley(suggestion.values)
        optimizer.tell(suggestion, y if math.isnan(y) else transform(y))
        points.append(suggestion.values)
    return points


@pytest.mark.slow
@pytest.mark.parametrize("acquisition", ACQUISITIONS)
@pytest.mark.parametrize("preset", METHODS)
def test_monotone_transforms_of_the_objective_change_no_suggestion(preset: str, acquisition: Acquisition) -> None:
    """log, exp, cube, a scale of 1e300: every suggestion is the same double."""
    problem = unit_problem(2, replace(METHODS[preset], acquisition=acquisition))
    expected = trace(problem, lambda y: y)
    assert len(set(expected)) == STEPS
    for name, transform in TRANSFORMS.items():
        assert trace(problem, transform) == expected, name


def test_ranks_in_place_of_values_change_no_suggestion() -> None:
    """The same rows with their ranks as objective give the same next point."""
    X, y = random_study(14, 2, 1)
    ranks = [sorted(y).index(value) for value in y]
    problem = unit_problem(2, METHODS["default"])
    expected = propose(StepInput(problem, evaluations(X, y), [], 14))
    assert propose(StepInput(problem, evaluations(X, ranks), [], 14)) == expected


@pytest.mark.slow
@pytest.mark.parametrize("preset", METHODS)
def test_maximising_the_negative_is_minimising(preset: str) -> None:
    """Failures stay the worst under both goals."""
    problem = unit_problem(2, METHODS[preset])
    assert trace(replace(problem, goal="maximize"), lambda y: -y) == trace(problem, lambda y: y)


@pytest.mark.parametrize("partition", ["tree", "exhaustive"])
@pytest.mark.parametrize("preset", METHODS)
def test_order_of_the_initial_rows_changes_nothing(preset: str, partition: str) -> None:
    """Shuffling the first ``initial`` rows gives the same proposal, record and fit included."""
    method: Method = replace(METHODS[preset], partition=partition)  # type: ignore[arg-type]  # a literal from the list
    X, y = random_study(12, 2, 2)
    rows = evaluations(X, [*y[:3], None, *y[4:]])
    problem = unit_problem(2, method)
    expected = propose(StepInput(problem, rows, [], 12))
    for order in ([4, 3, 2, 1, 0], [2, 0, 4, 1, 3]):
        assert propose(StepInput(problem, [*(rows[i] for i in order), *rows[5:]], [], 12)) == expected


INPUT_TRANSFORMS: dict[str, Callable[[float], float]] = {
    "cube": lambda u: (u - 0.2) ** 3,
    "exp": lambda u: math.exp(9.0 * u),
    "tangent": lambda u: math.tan(1.5 * u),
    "tiny steps": lambda u: 1e-9 * u + 5.0,
}


@pytest.mark.parametrize("acquisition", ["lcb", "thompson", "ei"])
@pytest.mark.parametrize("name", INPUT_TRANSFORMS)
def test_metric_free_chooses_the_same_cell_from_transformed_inputs(name: str, acquisition: Acquisition) -> None:
    """With ``metric-free`` any increasing transform of any input maps the chosen cell onto the chosen cell.

    Two rows are pending and one step is warm-started, which must not bring distances in: not into the model either.
    """
    transform = INPUT_TRANSFORMS[name]
    X, y = random_study(15, 2, 3)
    plain = unit_problem(2, replace(METHODS["metric-free"], acquisition=acquisition))
    low, high = transform(0.0), transform(1.0)
    warped = replace(
        plain,
        parameters=(Parameter("x0", low, high, scale="log" if low > 0 else "linear"), Parameter("x1", 0.0, 1.0)),
    )
    Z = np.array([[transform(a), b] for a, b in X])
    cells, views = [], []
    for problem, rows in ((plain, X), (warped, Z)):
        fit = propose(StepInput(problem, evaluations(rows[:12], y[:12]), [], 12)).fit
        proposal = propose(StepInput(problem, evaluations(rows[:13], y[:13]), [tuple(r) for r in rows[13:]], 15, fit))
        cells.append(cell_of(proposal))
        views.append([proposal.record.mean, proposal.record.sd])
    expected = [transform(edge) for edge in cells[0][0]]
    assert cells[1][0] == pytest.approx(expected, rel=1e-12)
    assert cells[1][1] == cells[0][1]
    assert views[1] == views[0]


def test_default_knows_distances() -> None:
    """The centre ``distances`` does move with the metric: the two presets promise different things."""
    X, y = random_study(15, 2, 3)
    plain = unit_problem(2, METHODS["default"])
    warped = replace(plain, parameters=(Parameter("x0", 1.0, math.exp(9.0)), Parameter("x1", 0.0, 1.0)))
    Z = [(math.exp(9.0 * a), b) for a, b in X]
    here = propose(StepInput(plain, evaluations(X, y), [], 15))
    there = propose(StepInput(warped, evaluations(Z, y), [], 15))
    assert here.record.lengths != there.record.lengths
