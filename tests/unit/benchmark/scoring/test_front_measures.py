"""Hypervolume and distance of several objectives, against counting and against values by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.benchmark.scoring.front_measures import distance_from, hypervolume
from ordbo_cli.ordinal.linalg import Array


def counted(Y: Array, reference: Array, number: int = 200_000) -> float:
    """Return a hypervolume by the share of points drawn at random that a result dominates."""
    drawn = np.random.default_rng(1).random((number, len(reference))) * reference
    dominated = np.zeros(number, dtype=bool)
    for y in Y:
        dominated |= np.all(drawn >= y, axis=1)
    return float(dominated.mean() * reference.prod())


@pytest.mark.parametrize("objectives", [2, 3, 4])
def test_hypervolume_is_what_counting_gives(objectives: int) -> None:
    """Of results that dominate each other or not, some beyond the reference point, with ties."""
    rng = np.random.default_rng(objectives)
    Y = np.round(rng.random((30, objectives)) * 1.3, 1)
    reference = np.ones(objectives)
    assert hypervolume(Y, reference) == pytest.approx(counted(Y, reference), abs=0.005)


@pytest.mark.parametrize("objectives", [2, 3, 4])
def test_hypervolume_is_that_of_another_library(objectives: int) -> None:
    """Where moocore is installed, to rounding."""
    moocore = pytest.importorskip("moocore")
    Y = np.random.default_rng(3).random((60, objectives)) ** 2
    reference = np.full(objectives, 0.9)
    assert hypervolume(Y, reference) == pytest.approx(moocore.hypervolume(Y, ref=reference), rel=1e-12)


def test_hypervolume_by_hand() -> None:
    """Two steps of a staircase, a box, and nothing at all."""
    assert hypervolume(np.array([[0.0, 2.0], [1.0, 1.0], [1.0, 1.0], [2.5, 2.5]]), (3.0, 3.0)) == 5.0
    assert hypervolume(np.array([[1.0, 1.0, 0.0]]), (2.0, 3.0, 4.0)) == 8.0
    assert hypervolume(np.array([[3.0, 0.0]]), (3.0, 3.0)) == 0.0
    assert hypervolume(np.zeros((0, 2)), (3.0, 3.0)) == 0.0


def test_distance_counts_what_is_worse_alone() -> None:
    """A result on the front is at no distance from its point; one that is better in one objective is not far by it."""
    front = np.array([[0.0, 1.0], [1.0, 0.0]])
    assert distance_from(front, front) == 0.0
    assert distance_from(front, np.array([[0.0, 1.0]])) == pytest.approx(0.5)
    assert distance_from(front, np.array([[0.5, 0.5]])) == pytest.approx(0.5)
    assert distance_from(front, np.array([[0.5, 0.5], [9.0, 9.0]])) == pytest.approx(0.5)
