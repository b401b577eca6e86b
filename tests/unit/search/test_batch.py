"""Several points at a time: each in a cell of its own, from one fit."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from ordbo_cli.ordinal.engine import Engine, make_engine
from ordbo_cli.ordinal.model import Model
from ordbo_cli.problem import Evaluation, Number, Parameter, Problem
from ordbo_cli.problem.method import PRESETS, Acquisition, EngineKind, Method, PartitionKind
from ordbo_cli.search.cells.partition import Cell, Partition
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from tests.unit.search.conftest import evaluations, random_study, unit_problem

pytestmark = pytest.mark.slow


def batch(problem: Problem, results: list[Evaluation], number: int, out: int = 0) -> list[tuple[Number, ...]]:
    """Return points asked for one after the other, no result of theirs known; some more are out before them."""
    points: list[tuple[Number, ...]] = []
    fit = None
    for step in range(len(results), len(results) + out + number):
        proposal = propose(StepInput(problem, results, points, step, fit))
        fit = proposal.fit or fit
        points.append(proposal.values)
    return points


def cells(problem: Problem, results: list[Evaluation], points: list[tuple[Number, ...]]) -> list[Cell]:
    """Return the cells that evaluated rows make around points, by original coordinates alone."""
    X = np.array([result.values for result in results])
    knots = [np.unique([0.0, 1.0, *column]) for column in X.T]
    rows = np.stack([np.searchsorted(u, column) for u, column in zip(knots, X.T, strict=True)], axis=1)
    grid_rows = problem.method.initial_rows(X.shape[1]) if problem.method.partition == "tree" else len(X)
    box = Cell((0,) * X.shape[1], tuple(len(u) - 1 for u in knots))
    partition = Partition(rows, grid_rows, box)
    below = [[np.searchsorted(u, v) - 1 for u, v in zip(knots, point, strict=True)] for point in points]
    return [partition.cell_at(np.maximum(interval, 0)) for interval in below]


@pytest.mark.parametrize("explore_every", [0, 3])
@pytest.mark.parametrize("partition", ["tree", "exhaustive"])
@pytest.mark.parametrize("acquisition", ["lcb", "ei", "thompson"])
def test_points_of_a_batch_lie_in_a_cell_each(
    acquisition: Acquisition, partition: PartitionKind, explore_every: int, quick: Method
) -> None:
    """As many cells as points, whatever chooses them; points that were out before have cells of their own, too."""
    method = replace(
        quick, acquisition=acquisition, partition=partition, samples=20, initial=4, explore_every=explore_every
    )
    for dimension, rows, seed in ((1, 9, 0), (2, 7, 1), (2, 12, 2)):
        problem = unit_problem(dimension, method)
        X, y = random_study(rows, dimension, seed)
        results = evaluations(X, y)
        points = batch(problem, results, 4, out=2)
        assert len(set(cells(problem, results, points))) == 6


def test_more_points_than_cells_are_points_of_their_own(quick: Method) -> None:
    """Two rows on the bounds leave one cell: it takes the whole batch."""
    problem = unit_problem(1, replace(quick, initial=2))
    points = batch(problem, evaluations([[0.0], [1.0]], [1, 0]), 5)
    assert len(set(points)) == 5
    assert all(0.0 < x < 1.0 for (x,) in points)


@pytest.mark.parametrize("preset", ["default", "metric-free"])
def test_far_more_points_than_cells_fill_the_box(preset: str) -> None:
    """Two hundred workers begin at once, with five results or none: no two of their points crowd in one place."""
    for rows in (0, 5):
        problem = unit_problem(2, replace(PRESETS[preset], iterations=20))
        X, y = random_study(rows, 2, 4)
        points = np.array([*X.tolist(), *batch(problem, evaluations(X, y), 40)])
        apart = np.linalg.norm(points[:, None] - points[None], axis=2) + 2.0 * np.eye(len(points))
        assert apart.min() > 1e-3
        for right, upper in ((False, False), (False, True), (True, False), (True, True)):
            assert np.sum(np.all((points > 0.5) == [right, upper], axis=1)) >= 2


def test_a_batch_rests_on_one_fit(quick: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where nothing was evaluated since, the model is not fitted again; one more result, and it is."""
    problem = unit_problem(2, quick)
    X, y = random_study(8, 2, 0)
    results = evaluations(X, y)
    first = propose(StepInput(problem, results[:7], [], 7))
    fits: list[EngineKind] = []

    def counted(kind: EngineKind, model: Model) -> Engine:
        fits.append(kind)
        return make_engine(kind, model)

    monkeypatch.setattr("ordbo_cli.ordinal.fitting.make_engine", counted)
    second = propose(StepInput(problem, results[:7], [first.values], 8, first.fit))
    assert (len(fits), second.fit) == (0, first.fit)
    propose(StepInput(problem, results, [first.values], 8, first.fit))
    assert len(fits) == 1


@pytest.mark.gpflow
def test_another_engine_fits_anew(quick: Method) -> None:
    """Who asks for the other engine gets its own fit, the data unchanged or not."""
    X, y = random_study(6, 1, 3)
    results = evaluations(X, y)
    first = propose(StepInput(unit_problem(1, quick), results, [], 6))
    assert first.fit is not None
    other = propose(StepInput(unit_problem(1, replace(quick, engine="gpflow")), results, [], 6, first.fit))
    assert other.fit is not None
    assert (first.fit["engine"], other.fit["engine"]) == ("numpy", "gpflow")


def test_under_noise_a_point_that_is_out_waits_for_its_turn(quick: Method) -> None:
    """While there is another point, what is pending is not suggested a second time; then it is."""
    problem = Problem((Parameter("n", 1, 6, type="int"),), noise=True, method=replace(quick, initial=2))
    results = [Evaluation((n,), Decimal(n)) for n in (1, 3, 6)]
    points = batch(problem, results, 6)
    assert sorted(points) == [(n,) for n in range(1, 7)]
    assert propose(StepInput(problem, results, points, 9)).values in points
