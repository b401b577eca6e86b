"""The acquisition where points of parameters with few values would be placed."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.problem.method import Method
from ordbo_cli.search.cells import next_cell
from ordbo_cli.search.cells.acquisition import Acquisition, LowerConfidenceBound
from ordbo_cli.search.latent_axes import FittedWarp
from ordbo_cli.search.space.on_grid import FEW, OnGrids, on_grids
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from tests.unit.search.conftest import evaluations, random_study

MESH = Parameter.of_levels("mesh", ("coarse", "medium", "fine", "finest"))
ANGLE = Parameter("angle", 0.0, 1.0)


def bound() -> LowerConfidenceBound:
    """A bound that rests on two points."""
    known = Posterior(np.array([[0.0, 0.2], [4.0, 0.9]]), np.ones(2), 0.3 * np.eye(2), "matern32")
    return LowerConfidenceBound(known, 2.0)


def seen(*parameters: Parameter, knots: tuple[list[float], ...], places: tuple[list[float], ...]) -> OnGrids:
    """The bound on a space and a frame of it."""
    space = Space(Problem(parameters), ())
    warp = FittedWarp(tuple(map(np.array, knots)), tuple(map(np.array, places)), space.low, space.high)
    found = on_grids(bound(), space, warp)
    assert isinstance(found, OnGrids)
    return found


def test_points_are_looked_at_on_the_values_of_their_intervals() -> None:
    """Levels 0 and 3 are knots 4 apart: 1 and 2 lie at thirds; the box's own end belongs to the interval above it."""
    acquisition = seen(MESH, ANGLE, knots=([0.0, 3.0], [0.0, 1.0]), places=([0.0, 4.0], [0.0, 2.0]))
    s = np.array([[0.1, 0.3], [1.0, 0.3], [2.1, 1.7], [3.9, 0.0]])
    np.testing.assert_allclose(acquisition.on(s), [[0.0, 0.3], [4 / 3, 0.3], [8 / 3, 1.7], [4.0, 0.0]])
    np.testing.assert_array_equal(acquisition.values(s), bound().values(acquisition.on(s)))


def test_an_interval_keeps_its_points() -> None:
    """With knots 0, 1, 3 what lies above 1 goes to 2 or 3, never back to 1, however near."""
    acquisition = seen(MESH, ANGLE, knots=([0.0, 1.0, 3.0], [0.0, 1.0]), places=([0.0, 1.0, 5.0], [0.0, 2.0]))
    s = np.array([[0.4, 0.0], [0.6, 0.0], [1.01, 0.0], [4.5, 0.0]])
    np.testing.assert_allclose(acquisition.on(s)[:, 0], [0.0, 1.0, 3.0, 5.0])


def test_the_gradient_is_that_of_the_other_axes() -> None:
    """Along a grid the acquisition is flat between jumps; along floats its slope is that of differences."""
    acquisition = seen(MESH, ANGLE, knots=([0.0, 3.0], [0.0, 1.0]), places=([0.0, 4.0], [0.0, 2.0]))
    s = np.array([[1.0, 0.7], [3.0, 1.4]])
    values, gradients = acquisition.values_with_gradients(s)
    np.testing.assert_array_equal(values, acquisition.values(s))
    assert gradients[:, 0].tolist() == [0.0, 0.0]
    step = np.array([0.0, 1e-6])
    np.testing.assert_allclose(
        gradients[:, 1], (acquisition.values(s + step) - acquisition.values(s - step)) / 2e-6, rtol=1e-5
    )


def test_an_axis_without_a_value_left_is_as_it_was() -> None:
    """Between a row off the grid and the next knot below its value no value lies: the point stays."""
    acquisition = seen(MESH, ANGLE, knots=([0.0, 0.2, 0.6, 3.0], [0.0, 1.0]), places=([0.0, 1.0, 2.0, 3.0], [0.0, 2.0]))
    assert acquisition.on(np.array([[1.5, 0.0]]))[0, 0] == 1.5


@pytest.mark.parametrize(
    ("parameter", "few"),
    [
        (Parameter("n", 1, FEW, "int"), True),
        (Parameter("n", 1, FEW + 1, "int"), False),
        (Parameter("x", 0.0, 1.0, step=0.25), True),
        (Parameter("x", 0.0, 1.0, step=0.01), False),
        (ANGLE, False),
    ],
)
def test_few_values_are_few(parameter: Parameter, few: bool) -> None:
    """Floats and fine grids leave the acquisition as it is."""
    space = Space(Problem((parameter,)), ())
    warp = FittedWarp((np.array([space.low[0], space.high[0]]),), (np.array([0.0, 1.0]),), space.low, space.high)
    found = on_grids(bound(), space, warp)
    assert isinstance(found, OnGrids) == few


@pytest.mark.parametrize("rows", [7, 8])
def test_every_other_step_looks_at_values_alone(rows: int, quick: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """With an odd number of rows; with an even one the acquisition is minimised between the levels too."""
    looked: list[Acquisition] = []

    def spied(acquisition: Acquisition, space: Space, warp: FittedWarp) -> Acquisition:
        looked.append(on_grids(acquisition, space, warp))
        return looked[-1]

    monkeypatch.setattr(next_cell, "on_grids", spied)
    X, y = random_study(rows, 2, 3)
    problem = Problem((MESH, ANGLE), method=quick)
    proposal = propose(StepInput(problem, evaluations([(int(4 * a), b) for a, b in X], y), [], rows))
    assert [isinstance(each, OnGrids) for each in looked] == [True] * (rows % 2)
    assert proposal.values[0] in range(4)
