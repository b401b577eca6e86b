"""The lowest value in each of many boxes, against a dense grid, and within its bound of work."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.insight.box_minima import minima
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.posterior import Posterior, posterior
from ordbo_cli.search.cells.acquisition import LowerConfidenceBound
from ordbo_cli.search.threads import SINGLE


def bound(points: int, dimension: int, seed: int) -> LowerConfidenceBound:
    """Return a lower confidence bound with many bumps in a box of side 4."""
    rng = np.random.default_rng(seed)
    S = 4.0 * rng.random((points, dimension))
    spread = np.full(points, 0.05)
    return LowerConfidenceBound(posterior(S, rng.standard_normal(points), spread, "matern32", full=False), 2.0)


def boxes(number: int, dimension: int, seed: int) -> tuple[Array, Array]:
    """Return edges of random boxes in a box of side 4 [C, D]."""
    ends = 4.0 * np.random.default_rng(seed).random((2, number, dimension))
    return ends.min(axis=0), ends.max(axis=0)


def dense(low: Array, high: Array, axes: list[int], side: int) -> Array:
    """Return a lattice of points in one box, its ends included [P, D]."""
    shares = np.stack(np.meshgrid(*[np.linspace(0.0, 1.0, side)] * len(axes)), axis=-1).reshape(-1, len(axes))
    points = np.tile(low, (len(shares), 1))
    points[:, axes] += (high - low)[axes] * shares
    return points


@pytest.mark.parametrize(("dimension", "axes"), [(1, [0]), (2, [0, 1]), (4, [1, 3]), (3, [2])])
def test_no_point_of_a_dense_grid_is_lower(dimension: int, axes: list[int]) -> None:
    """Found minima lie in their boxes, keep what is held, have the values told, and none of 10,000 points is lower."""
    acquisition = bound(12, dimension, 3)
    low, high = boxes(15, dimension, 4)
    held = [j for j in range(dimension) if j not in axes]
    low[:, held] = high[:, held] = 1.7
    s, values = minima(acquisition, low, high, SINGLE)
    assert np.all((low <= s) & (s <= high))
    assert values == pytest.approx(acquisition.values(s), abs=1e-12)
    for k in range(len(low)):
        lowest = acquisition.values(dense(low[k], high[k], axes, 101)).min()
        assert values[k] <= lowest + 1e-6


def test_the_lower_of_two_basins_is_found() -> None:
    """A box that holds two minima is searched from its lattice, so that the lower one wins."""
    S = np.array([[0.4], [3.5]])
    acquisition = LowerConfidenceBound(posterior(S, np.array([-1.0, -1.2]), np.full(2, 0.01), "rbf", full=False), 0.0)
    s, _ = minima(acquisition, np.array([[0.0]]), np.array([[4.0]]), SINGLE)
    assert s[0, 0] == pytest.approx(3.5, abs=0.05)


def test_a_box_without_width_is_its_own_minimum() -> None:
    """Nothing varies: the only point is the lowest."""
    acquisition = bound(5, 2, 1)
    corner = np.array([[1.0, 2.0], [0.5, 0.5]])
    s, values = minima(acquisition, corner, corner, SINGLE)
    assert np.array_equal(s, corner)
    assert values == pytest.approx(acquisition.values(corner))


class Counted:
    """A lower confidence bound that counts the points it is asked for."""

    def __init__(self, inner: LowerConfidenceBound) -> None:
        self.inner, self.points = inner, 0

    @property
    def posterior(self) -> Posterior:
        """The posterior that it judges by."""
        return self.inner.posterior

    def values(self, s: Array) -> Array:
        """Return values [P], and count them."""
        self.points += len(s)
        return self.inner.values(s)

    def values_with_gradients(self, s: Array) -> tuple[Array, Array]:
        """Return values [P] and gradients [P, D]."""
        raise AssertionError("no gradients are needed")


@pytest.mark.parametrize("looks", [0, 1_000, 5_000, 100_000])
def test_the_work_is_bounded(looks: int) -> None:
    """The number of points keeps to the bound, but for the middles and one search, which the best box has."""
    acquisition = Counted(bound(20, 2, 5))
    low, high = boxes(300, 2, 6)
    s, values = minima(acquisition, low, high, SINGLE, work=looks * (20**2 + 1e4))
    assert acquisition.points <= max(looks, 300) * 1.1 + 600
    middles = acquisition.inner.values(0.5 * (low + high))
    assert np.all(values <= middles + 1e-12)
    best = int(np.argmin(middles))
    assert values[best] < middles[best]
    assert np.all((low <= s) & (s <= high))


@pytest.mark.slow
def test_the_memory_of_thousands_of_parameters_is_bounded() -> None:
    """Fewer looks are taken at once where each has very many coordinates."""
    acquisition = Counted(bound(5, 1_000, 5))
    low = np.zeros((200, 1_000))
    high = np.where(np.arange(1_000) < 2, 4.0, low)
    minima(acquisition, low, high, SINGLE)
    assert acquisition.points * 1_000 <= 1.5 * 5e7
