"""Quadratics by order: they have the order that they are told, and say how much they can be believed."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.ordinal.linalg import Array, IntArray
from ordbo_cli.search.cells.ordinal_quadratic import OrdinalQuadratic, agreement, features, fit_quadratic


def bowl(dimension: int, points: int, seed: int) -> tuple[Array, IntArray, Array, Array]:
    """Return points, the best first and at 0, their ranks, and matrix and minimiser of the bowl that ranks them."""
    rng = np.random.default_rng(seed)
    root = rng.standard_normal((dimension, dimension))
    A, minimiser = root @ root.T + 0.1 * np.eye(dimension), 0.5 * rng.standard_normal(dimension)
    U = rng.standard_normal((points, dimension))
    values = np.einsum("ni,ij,nj->n", U - minimiser, A, U - minimiser)
    best_first = np.argsort(values)
    return U[best_first] - U[best_first[0]], np.arange(points), A, minimiser - U[best_first[0]]


def minimiser_of(quadratic: OrdinalQuadratic, dimension: int) -> Array:
    """Return where a quadratic has no slope [D]."""
    i, j = np.triu_indices(dimension)
    A = np.zeros((dimension, dimension))
    A[i, j] = A[j, i] = quadratic.weights[dimension:]
    return np.linalg.solve(A, -quadratic.weights[:dimension])


@pytest.mark.parametrize("dimension", [1, 2, 3, 5])
def test_a_quadratic_has_the_order_of_the_points_of_one(dimension: int) -> None:
    """Rank points by a bowl: the fit ranks them alike."""
    U, rank, _, _ = bowl(dimension, 30, dimension)
    assert np.all(np.diff(features(U) @ fit_quadratic(U, rank).weights) > 0)


def test_many_points_tell_where_the_minimum_is() -> None:
    """Eighty ranks in two dimensions: the minimum is known to a fiftieth of the spread of the points."""
    U, rank, _, minimiser = bowl(2, 80, 3)
    assert np.linalg.norm(minimiser_of(fit_quadratic(U, rank), 2) - minimiser) < 0.02


def test_more_points_leave_less_doubt() -> None:
    """The standard deviation of differences, as shares of them, is smaller after four times as many points."""
    shares = []
    for points in (10, 40):
        U, rank, _, _ = bowl(2, points, 5)
        mean, sd, _, _ = fit_quadratic(U, rank).differences(np.array([[1.0, 1.0], [-1.0, 2.0]]))
        shares.append(np.mean(sd / np.abs(mean)))
    assert shares[1] < 0.5 * shares[0]


@pytest.mark.parametrize("dimension", [1, 3])
def test_gradients_of_difference_and_deviation_are_those_of_finite_differences(dimension: int) -> None:
    """Move points by a millionth along each axis."""
    U, rank, _, _ = bowl(dimension, 12, 7)
    quadratic = fit_quadratic(U, rank)
    u, step = np.random.default_rng(0).standard_normal((4, dimension)), 1e-6
    _, _, by_mean, by_sd = quadratic.differences(u)
    for k in range(dimension):
        aside = step * np.eye(dimension)[k]
        above, below = quadratic.differences(u + aside), quadratic.differences(u - aside)
        assert np.allclose((above[0] - below[0]) / (2 * step), by_mean[:, k], rtol=1e-5)
        assert np.allclose((above[1] - below[1]) / (2 * step), by_sd[:, k], rtol=1e-5)


def test_agreement_is_high_for_a_bowl_and_low_for_chance() -> None:
    """Quadratics without a point put it into its place where a bowl ranks the points, not where chance does."""
    U, rank, _, _ = bowl(3, 20, 9)
    assert agreement(U, rank, fit_quadratic(U, rank)) > 0.9
    shuffled = np.concatenate([[0], 1 + np.random.default_rng(1).permutation(19)])
    order = np.argsort(shuffled)
    assert agreement(U[order], rank, fit_quadratic(U[order], rank)) < 0.7


def test_equal_results_speak_against_a_quadratic() -> None:
    """Of a bowl in steps no more pairs agree than have different results."""
    U, rank, _, _ = bowl(2, 24, 11)
    steps = rank // 6
    assert agreement(U, steps, fit_quadratic(U, steps)) < 18.5 / 23


def test_an_order_that_no_quadratic_has_is_fitted_all_the_same() -> None:
    """A wave in one dimension: weights and covariance are finite, and most pairs have their order."""
    x = np.linspace(-3, 3, 25)
    best_first = np.argsort(np.sin(3 * x) + 0.05 * x * x)
    U = (x[best_first] - x[best_first[0]])[:, None]
    quadratic = fit_quadratic(U, np.arange(25))
    assert np.isfinite(quadratic.weights).all()
    assert np.all(np.linalg.eigvalsh(quadratic.covariance) > 0)
