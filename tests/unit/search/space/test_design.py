"""The initial design: the widest of many Latin hypercubes, whichever way its distances are computed."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem.method import Method
from ordbo_cli.search.space.design import design, least_distance
from tests.unit.search.conftest import unit_problem

_STREAM, _DRAWS = 1, 100


def plainly(rows: int, dimension: int, seed: int, corners: Array) -> Array:
    """Return the design as its description has it: pair by pair, in loops."""
    rng = np.random.default_rng([seed, 0, _STREAM])
    filling = rows - len(corners)
    best, widest = np.zeros((0, dimension)), -1.0
    for _ in range(_DRAWS if filling > 0 else 0):
        strata = np.stack([rng.permutation(filling) for _ in range(dimension)], axis=1)
        points = (strata + rng.random((filling, dimension))) / filling
        spread = np.inf
        for i, point in enumerate(points):
            others = np.vstack([points[:i], corners])
            if len(others):
                spread = min(spread, float(np.sqrt(np.min(np.sum((others - point) ** 2, axis=1)))))
        if spread > widest:
            best, widest = points, spread
    return np.vstack([corners, best])


@pytest.mark.parametrize("corners", [True, False])
@pytest.mark.parametrize("dimension", [1, 2, 9, 50])
@pytest.mark.parametrize("rows", [2, 3, 7, 40])
def test_it_is_the_widest_of_the_hypercubes_bit_for_bit(
    rows: int, dimension: int, corners: bool, quick: Method
) -> None:
    """A single point without a corner, and no point beside the corners, are designs, too."""
    ends = np.array([[0.0] * dimension, [1.0] * dimension]) if corners else np.zeros((0, dimension))
    problem = unit_problem(dimension, replace(quick, corners=corners), seed=3)
    for number in {rows, rows - 1 + corners}:
        assert design(number, dimension, problem).tobytes() == plainly(number, dimension, 3, ends).tobytes()


def test_of_distances_that_only_rounding_tells_apart_the_least_is_found() -> None:
    """Tenths, whose neighbours are 0.1 apart but for the last digits, at both ends of the box and beyond it."""
    for D in (1, 3, 9):
        points = np.repeat(np.arange(-20, 30)[:, None] * 0.1, D, axis=1)
        pairs = [points[i] - points[j] for i in range(len(points)) for j in range(i)]
        least = min(float(np.sqrt(np.sum(pair[None, :] ** 2, axis=1))[0]) for pair in pairs)
        assert least_distance(points, np.zeros((0, D))) == least


def test_nobody_can_change_the_design_that_is_kept_for_the_next_step(quick: Method) -> None:
    """It is computed once for all steps, so it is not to be written to."""
    problem = unit_problem(2, quick)
    with pytest.raises(ValueError, match="read-only"):
        design(5, 2, problem)[0] = 0.5
    assert design(5, 2, replace(problem, seed=1)).tolist() != design(5, 2, problem).tolist()
