"""What the method sees: places there and back, ranks, the best, the next point, and what is closed."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Any

import numpy as np
import pytest

from ordbo_cli.insight.inspection import View
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Evaluation, Parameter, Problem
from ordbo_cli.problem.method import Method
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from tests.unit.search.conftest import evaluations, random_study, unit_problem

SPACES = {
    "unit": Parameter("a", 0.0, 1.0),
    "log": Parameter("a", 1e-8, 1.0, scale="log"),
    "wide log": Parameter("a", 1e-300, 1e-290, scale="log"),
    "int": Parameter("a", -3, 40, type="int"),
    "step": Parameter("a", 0.0, 1.0, step=0.05),
    "tiny": Parameter("a", 1e-300, 1e-290),
    "denormal": Parameter("a", 0.0, 1e-310),
    "huge": Parameter("a", -8e307, 8e307),
    "far from zero": Parameter("a", 1e9, 1e9 + 1),
}


def spread(parameter: Parameter, number: int) -> list[float]:
    """Return values of a parameter from bound to bound that can be suggested, sorted and distinct."""
    share = np.linspace(0.0, 1.0, number) ** 2
    low, high = float(parameter.min), float(parameter.max)
    x = low ** (1 - share) * high**share if parameter.scale == "log" else low + (high - low) * share
    if parameter.type == "int":
        x = np.round(x)
    return sorted({float(v) for v in np.clip(x, low, high)})


def seen_of(parameter: Parameter, x: list[float], method: Method) -> View:
    """Return what the method sees of one parameter and another that does not matter."""
    problem = Problem((parameter, Parameter("b", 0.0, 1.0)), method=method)
    rows = [Evaluation((v, 0.5), Decimal(k)) for k, v in enumerate(x)]
    return View.of(StepInput(problem, rows, step=len(rows)))


@pytest.mark.parametrize("space", SPACES)
def test_places_there_and_back(quick: Method, space: str) -> None:
    """From the user's units to the latent space and back leads to the same values, on any scale; edges to edges."""
    parameter = SPACES[space]
    view = seen_of(parameter, spread(parameter, 6), quick)
    low, high = float(parameter.min), float(parameter.max)
    shares = np.random.default_rng(3).random(100)
    x = low ** (1 - shares) * high**shares if parameter.scale == "log" else low + (high - low) * shares
    X = np.column_stack([np.concatenate([x, [low, high]]), np.full(102, 0.3)])
    back = view.original(view.latent(X))
    unit = view.space.unit(X)
    assert np.all(np.isfinite(back))
    assert view.space.unit(back) == pytest.approx(unit, abs=1e-6 if space == "far from zero" else 1e-9)


@pytest.mark.parametrize("space", SPACES)
def test_knots_have_their_latent_coordinates(quick: Method, space: str) -> None:
    """At rows and bounds the drawn warp is the fitted one, to the last digit: points lie on the cells' edges."""
    view = seen_of(SPACES[space], spread(SPACES[space], 6), quick)
    warp = view.surrogate.warp
    assert view.latent(view.X).tolist() == warp.latent(view.X).tolist()
    assert view.warped(0, warp.knots[0]).tolist() == warp.coordinates[0].tolist()


@pytest.mark.parametrize("space", SPACES)
def test_the_warp_rises(quick: Method, space: str) -> None:
    """Order is kept from the user's units to the latent ones."""
    parameter = SPACES[space]
    view = seen_of(parameter, spread(parameter, 5), quick)
    x = np.array(spread(parameter, 60))
    assert np.all(np.diff(view.warped(0, x)) >= 0.0)
    assert np.all(np.diff(view.unwarped(0, np.linspace(*edges(view, 0), 80))) >= 0.0)


def edges(view: View, j: int) -> tuple[float, float]:
    """Return the latent ends of the box in one dimension."""
    low, high = view.surrogate.warp.box.edges(view.surrogate.warp.coordinates)
    return float(low[j]), float(high[j])


@pytest.mark.parametrize("scale", ["linear", "log"])
def test_rows_outside_the_bounds_are_not_inside(quick: Method, scale: Any) -> None:
    """They have latent places beyond the box, are never the best, and the box keeps its ends."""
    problem = Problem((Parameter("a", 0.1, 1.0, scale=scale), Parameter("b", 0.0, 1.0)), method=quick)
    X = [(0.2, 0.2), (5.0, 0.5), (-3.0, 0.4), (0.6, 1e300), (0.5, 0.5), (1.0, 0.0)]
    view = View.of(StepInput(problem, evaluations(X, [3, 0, 1, 2, 5, 4]), step=6))
    assert view.inside.tolist() == [True, False, False, False, True, True]
    assert view.best == 0
    assert view.ranks.tolist() == [3, 0, 1, 2, 5, 4]
    s = view.latent(view.X)
    (low, high) = edges(view, 0)
    assert s[1, 0] > high
    assert s[2, 0] < low
    assert s[3, 1] > edges(view, 1)[1]
    assert view.original(np.array([[low, 0.0], [high, 0.0]]))[:, 0] == pytest.approx([0.1, 1.0])


def test_a_study_without_rows(quick: Method) -> None:
    """Everything has a value before the first result: shapes are empty, the centre is the middle, the prior stands."""
    view = View.of(StepInput(unit_problem(3, quick), (), step=0))
    assert view.X.shape == (0, 3)
    assert view.latent(view.X).shape == view.original(view.X).shape == (0, 3)
    assert view.ranks.shape == view.failed.shape == view.inside.shape == (0,)
    assert view.best is None
    assert view.original(view.centre[None, :])[0] == pytest.approx([0.5] * 3)
    mean, sd = view.moments(view.centre[None, :])
    assert (mean.tolist(), sd.tolist()) == ([0.0], [1.0])
    assert np.all(view.lengths > 0.0)
    assert view.proposal is not None
    assert view.proposal.record.kind == "initial"


def test_the_best_is_the_earliest_success(quick: Method) -> None:
    """Failures are last in rank, equals share a rank, and the first of equal bests is the best."""
    X, _ = random_study(6, 2, 1)
    view = View.of(StepInput(unit_problem(2, quick), evaluations(X, [None, 2, 1, 1, None, 3]), step=6))
    assert view.best == 2
    assert view.ranks.tolist() == [3, 1, 0, 0, 3, 2]
    assert view.failed.tolist() == [True, False, False, False, True, False]
    assert view.centre.tolist() == view.latent(X[[2]])[0].tolist()
    least = View.of(
        StepInput(unit_problem(2, quick, goal="maximize"), evaluations(X, [None, 2, 1, 1, None, 3]), step=6)
    )
    assert least.best == 5
    assert View.of(StepInput(unit_problem(2, quick), evaluations(X, [None] * 6), step=6)).best is None


def test_the_next_point_is_that_of_a_step(quick: Method) -> None:
    """The view proposes what ``propose`` does, from the same arguments, and its fit is the proposal's."""
    X, y = random_study(10, 2, 1)
    problem, rows = unit_problem(2, quick), evaluations(X, y)
    pending = [(0.1, 0.9)]
    first = propose(StepInput(problem, rows[:-1], (), 9))
    expected = propose(StepInput(problem, rows, pending, 10, first.fit))
    view = View.of(StepInput(problem, rows, pending, 10, first.fit))
    assert view.proposal == expected
    assert view.next is not None
    assert view.next.tolist() == list(expected.values)
    assert view.surrogate.fit.to_dict() == expected.fit
    assert view.surrogate.pending


@pytest.mark.parametrize("partition", ["tree", "exhaustive"])
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_the_interval_of_the_next_point_is_in_its_cell(quick: Method, seed: int, partition: Any) -> None:
    """The cell looked up for the next point is that of the record, on whole numbers (on an edge), too."""
    method = replace(quick, partition=partition)
    parameters = (Parameter("a", 0, 9, type="int"), Parameter("b", 1e-3, 1.0, scale="log"))
    problem = Problem(parameters, method=method)
    rng = np.random.default_rng(seed)
    X = [(float(rng.integers(10)), float(10 ** rng.uniform(-3, 0))) for _ in range(9)]
    view = View.of(StepInput(problem, evaluations(X, [(a - 4) ** 2 + b for a, b in X]), step=9))
    assert view.next_interval is not None
    cell = view.cells().cell_at(view.next_interval)
    assert view.proposal is not None
    edges = np.column_stack(cell.edges(view.surrogate.warp.knots)).tolist()
    assert tuple(map(tuple, edges)) == view.proposal.record.cell
    assert view.closed(cell) is None


def test_why_there_is_no_next_point(quick: Method) -> None:
    """An exhausted space and a failure that is forbidden leave a view, and say why; all cells are closed in the one."""
    whole = Problem((Parameter("a", 0, 1, type="int"),), method=quick)
    view = View.of(StepInput(whole, evaluations([(0.0,), (1.0,)], [1, 2]), step=2))
    assert view.next is None
    assert view.next_interval is None
    assert "every point" in view.why_not
    assert all(view.closed(cell) is not None for cell in view.cells().cells())
    X, y = random_study(6, 2, 1)
    refused = View.of(StepInput(unit_problem(2, quick, failed="error"), evaluations(X, [None, *y[1:]]), step=6))
    assert refused.proposal is None
    assert "failed" in refused.why_not
    assert refused.best is not None


@pytest.mark.parametrize("acquisition", ["lcb", "ei", "thompson"])
def test_the_bound_is_the_methods(quick: Method, acquisition: Any) -> None:
    """Mean less beta deviations, whatever the method chooses by; three quarters of beta while points are out."""
    X, y = random_study(8, 2, 1)
    problem = unit_problem(2, replace(quick, acquisition=acquisition, beta=1.25))
    s: Array = np.array([[0.5, 0.7], [2.0, 1.0]])
    for pending, beta in (((), 1.25), (((0.3, 0.3),), 0.9375)):
        view = View.of(StepInput(problem, evaluations(X, y), pending, step=8))
        mean, sd = view.moments(s)
        assert view.acquisition.values(s) == pytest.approx(mean - beta * sd)


def test_cells_of_both_kinds(quick: Method) -> None:
    """The method's own partition unless another is asked for: 6 x 6 + 3 x 3 cells of a tree, 9 x 9 in all."""
    X, y = random_study(8, 2, 1)
    view = View.of(StepInput(unit_problem(2, quick), evaluations(X, y), step=8))
    assert view.cells().size(10**6) == view.cells("tree").size(10**6) == 6**2 + 3 * 3
    assert view.cells("exhaustive").size(10**6) == 9**2
