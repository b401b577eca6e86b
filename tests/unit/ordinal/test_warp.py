"""The input warp: order, bounds, shared coordinates, windows, and the way back of gradients."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ordbo_cli.ordinal.data import ordinal_data
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.warp import (
    LARGEST_GAP,
    BoundedMovement,
    FreeGaps,
    Logistic,
    Warp,
    coordinates,
    gradient_by_gaps,
    latent_points,
    movement_bound,
    movement_windows,
    smallest_gap,
)
from tests.unit.ordinal.cases import make_data, make_windows

THETA = st.floats(-800.0, 800.0)
PLACES = [np.array([0.0, 0.1, 0.1001, 0.6, 1.0]), np.array([0.0, 1.0]), np.array([0.0, 0.5, 0.5 + 1e-13, 1.0])]


def warps() -> list[Warp]:
    data = make_data(9, 2)
    return [FreeGaps(tuple(data.gap_counts.tolist())), make_windows(data)]


@given(hnp.arrays(np.float64, 20, elements=THETA))
def test_gaps_are_positive_and_within_bounds(theta: Array) -> None:
    """Whatever theta is, free gaps stay within their bounds and those of windows keep the order."""
    free, bounded = warps()
    assert isinstance(free, FreeGaps)
    gaps = free.gaps(np.resize(theta, free.size))
    assert np.all((gaps >= np.repeat(smallest_gap(free.counts), free.counts)) & (gaps <= LARGEST_GAP))
    assert np.all(bounded.gaps(np.resize(theta, bounded.size)) > 0.0)


@given(hnp.arrays(np.float64, 20, elements=THETA), st.floats(1e-17, 2.0))
def test_no_knot_leaves_its_window(theta: Array, radius: float) -> None:
    """Whatever theta is, knots stay in order and within the radius of their places, each axis scaled to 1."""
    warp = movement_windows(PLACES, radius)
    gaps = warp.gaps(np.resize(theta, warp.size))
    for axis, places in zip(np.split(gaps, np.cumsum(warp.counts)[:-1]), PLACES, strict=True):
        moved = np.concatenate([[0.0], np.cumsum(axis)]) / axis.sum()
        assert np.all(np.diff(moved) > 0.0)
        assert np.max(np.abs(moved - places)) <= radius + 1e-12


def test_windows_do_not_let_knots_collapse() -> None:
    """Pushed together through a hundred steps, two knots keep a distance that a double can tell."""
    places = np.array([0.0, 0.5, 0.6, 1.0])
    for _ in range(100):
        warp = movement_windows([places], 1.0)
        gaps = warp.gaps(np.array([40.0, -40.0, 0.0]))
        places = np.concatenate([[0.0], np.cumsum(gaps)]) / gaps.sum()
    assert 1e-7 < places[2] - places[1] < 1e-5


def test_a_window_of_no_width_is_a_constant() -> None:
    """A radius below what a double can tell gives the old places, and a gradient of zero instead of NaN."""
    warp = movement_windows(PLACES[:1], 1e-30)
    theta = warp.theta(np.diff(PLACES[0]))
    np.testing.assert_allclose(warp.gaps(theta) / warp.gaps(theta).sum(), np.diff(PLACES[0]), rtol=1e-12)
    assert warp.pull_back(theta, np.ones(4))[:3].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize("warp", warps(), ids=["free", "bounded"])
def test_pull_back_is_the_gradient(warp: Warp) -> None:
    """Pulling a gradient back agrees with differences of the gaps."""
    rng = np.random.default_rng(0)
    theta = rng.normal(size=warp.size)
    weights = rng.normal(size=len(warp.gaps(theta)))
    steps = 1e-6 * np.eye(warp.size)
    expected = [weights @ (warp.gaps(theta + d) - warp.gaps(theta - d)) / 2e-6 for d in steps]
    np.testing.assert_allclose(warp.pull_back(theta, weights), expected, rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("warp", warps(), ids=["free", "bounded"])
def test_theta_gives_back_the_gaps(warp: Warp) -> None:
    """The numbers found for allowed gaps give these gaps."""
    gaps = warp.gaps(np.random.default_rng(0).normal(size=warp.size))
    np.testing.assert_allclose(warp.gaps(warp.theta(gaps)), gaps, rtol=1e-10)


def test_gaps_outside_the_bounds_are_taken_inside() -> None:
    """The logistic transform has a slope where a start lies at or beyond an end."""
    transform = Logistic(0.01, 4.0)
    theta = transform.inverse(np.array([0.0, 0.01, 4.0, 99.0]))
    assert np.all(np.isfinite(theta))
    assert np.all(transform.slope(transform.forward(theta)) > 1e-3)


def test_equal_values_share_a_coordinate() -> None:
    """Replicates are one latent point, equal values of a column one coordinate, and the lower end is zero."""
    X = np.array([[0.2, 0.5], [0.7, 0.5], [0.2, 0.5], [0.2, 0.9]])
    data = ordinal_data(X, [0, 1, 2, 3], [0.0, 0.5], [1.0, 1.0])
    assert data.points == 3
    S = latent_points(data, np.array([0.3, 1.0, 0.2, 0.6, 0.1]))
    assert data.inputs.tolist() == [[0.2, 0.5], [0.2, 0.9], [0.7, 0.5]]
    np.testing.assert_allclose(S, [[0.3, 0.0], [0.3, 0.6], [1.3, 0.0]])
    assert np.bincount(data.point).tolist() == [2, 1, 1]


@given(st.integers(0, 1000), st.integers(1, 4))
def test_coordinates_keep_the_order_of_the_inputs(seed: int, D: int) -> None:
    """In every dimension latent coordinates are ordered as the inputs are, and agree with those of the knots."""
    data = make_data(8, D, seed)
    gaps = np.random.default_rng(seed).uniform(0.01, LARGEST_GAP, int(data.gap_counts.sum()))
    S = latent_points(data, gaps)
    for j, s in enumerate(coordinates(data, gaps)):
        assert np.array_equal(np.argsort(data.inputs[:, j]), np.argsort(S[:, j]))
        np.testing.assert_allclose(S[:, j], s[data.index[:, j]], rtol=1e-12)


def test_gradient_by_gaps_is_a_reversed_sum() -> None:
    """A function that is linear in S has the gradient that differences of the gaps give."""
    data = make_data(9, 3)
    rng = np.random.default_rng(0)
    gaps, weights = rng.uniform(0.01, LARGEST_GAP, int(data.gap_counts.sum())), rng.normal(size=(data.points, 3))
    unit = np.eye(len(gaps))
    expected = [np.sum(weights * (latent_points(data, gaps + d) - latent_points(data, gaps))) for d in unit]
    np.testing.assert_allclose(gradient_by_gaps(data, weights), expected, atol=1e-10)


def test_movement_bound() -> None:
    """``Delta_n = C D / n``; windows of many axes are as many as their inner knots."""
    assert movement_bound(0.5, 4, 10) == 0.2
    warp = movement_windows(PLACES, 0.01)
    assert isinstance(warp, BoundedMovement)
    assert (len(warp.low), warp.counts, warp.size) == (5, (4, 1, 3), 8)


@pytest.mark.parametrize("counts", [(4,), (30, 30), (1000, 3)])
def test_axes_are_no_longer_for_having_many_gaps(counts: tuple[int, ...]) -> None:
    """However many gaps share an axis of length 1, a start holds them as they are."""
    gaps = np.repeat([1.0 / count for count in counts], counts)
    warp = FreeGaps(counts)
    np.testing.assert_allclose(warp.gaps(warp.theta(gaps)), gaps, rtol=1e-9)
