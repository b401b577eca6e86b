"""The point inside the chosen cell."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.method import Method
from ordbo_cli.problem import Number
from ordbo_cli.search.frame import Frame
from ordbo_cli.search.minimise import Choice
from ordbo_cli.search.partition import Cell
from ordbo_cli.search.placement import place
from ordbo_cli.search.space import Space
from tests.unit.search.conftest import unit_problem


@pytest.mark.parametrize(("tried", "expected"), [([], (0.0, 0.0)), ([(0.0, 0.0)], (0.025, 0.025))])
def test_a_corner_that_was_tried_is_not_tried_again_a_double_away(
    tried: list[tuple[Number, ...]], expected: tuple[float, ...]
) -> None:
    """The best place may be a corner of the box; once it was evaluated, the margin holds there too."""
    problem = unit_problem(2, Method())
    space = Space(problem, tried)
    axis = np.array([0.0, 0.5, 1.0])
    frame = Frame((axis, axis), (axis, axis), space.low, space.high)
    choice = Choice(Cell((0, 0), (1, 1)), np.array([0.0, 0.0]), 0.0)
    assert place(choice, frame, space, problem.method, np.random.default_rng(0)) == pytest.approx(expected)
