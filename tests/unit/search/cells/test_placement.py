"""The point inside the chosen cell."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.problem import Number
from ordbo_cli.problem.method import Method
from ordbo_cli.search.cells.next_cell import place
from ordbo_cli.search.cells.partition import Cell
from ordbo_cli.search.latent_axes import FittedWarp
from ordbo_cli.search.minimise import Choice
from ordbo_cli.search.space.space import Space
from tests.unit.search.conftest import unit_problem

AXIS = np.array([0.0, 0.5, 1.0])
CORNERS = {"below": Cell((0, 0), (1, 1)), "above": Cell((1, 1), (2, 2))}


def placed(method: Method, cell: Cell, s: tuple[float, float], seed: int = 0) -> tuple[Number, ...]:
    """Return the point of a cell of a two by two grid."""
    space = Space(unit_problem(2, method), [])
    warp = FittedWarp((AXIS, AXIS), (AXIS, AXIS), space.low, space.high)
    return place(Choice(cell, np.array(s), 0.0), warp, space, method, np.random.default_rng(seed))


def test_interpolation_reaches_a_bound_and_keeps_away_from_an_edge() -> None:
    """The winning place counts as it is, but for a margin of the cell beside an edge that is no bound."""
    method = Method(margin=0.05)
    assert placed(method, CORNERS["below"], (0.0, 0.2)) == pytest.approx((0.0, 0.2))
    assert placed(method, CORNERS["below"], (0.5, 0.4999)) == pytest.approx((0.475, 0.475))
    assert placed(method, CORNERS["above"], (1.0, 0.8)) == pytest.approx((1.0, 0.8))
    assert placed(method, CORNERS["above"], (0.5, 0.5001)) == pytest.approx((0.525, 0.525))


def test_random_places_fill_the_cell() -> None:
    """Uniform in the cell, whatever place has won."""
    points = np.array([placed(Method(placement="random"), CORNERS["above"], (0.5, 1.0), seed) for seed in range(400)])
    assert points.min() > 0.5
    for column in points.T:
        assert np.histogram(column, 4, (0.5, 1.0))[0] == pytest.approx(100, abs=40)


@pytest.mark.parametrize(("tried", "expected"), [([], (0.0, 0.0)), ([(0.0, 0.0)], (0.025, 0.025))])
def test_a_corner_that_was_tried_is_not_tried_again_a_double_away(
    tried: list[tuple[Number, ...]], expected: tuple[float, ...]
) -> None:
    """The best place may be a corner of the box; once it was evaluated, the margin holds there too."""
    problem = unit_problem(2, Method())
    space = Space(problem, tried)
    axis = np.array([0.0, 0.5, 1.0])
    warp = FittedWarp((axis, axis), (axis, axis), space.low, space.high)
    choice = Choice(Cell((0, 0), (1, 1)), np.array([0.0, 0.0]), 0.0)
    assert place(choice, warp, space, problem.method, np.random.default_rng(0)) == pytest.approx(expected)
