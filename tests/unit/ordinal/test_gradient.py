"""The closed-form gradient against central differences."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from ordbo_cli.ordinal.engine import NumpyEngine
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.model import Model
from ordbo_cli.problem.method import GapPrior, Kernel, Posterior
from tests.unit.ordinal.cases import make_data, make_model, random_theta, with_judges, with_other_scales

STEP = 1e-5  # truncation and rounding both stay below 1e-8 of the largest entry


def differences(model: Model, theta: Array) -> Array:
    """Return central differences of the objective."""
    engine = NumpyEngine(model)
    steps = STEP * np.eye(len(theta))
    return np.array([engine.objective(theta + d)[0] - engine.objective(theta - d)[0] for d in steps]) / (2.0 * STEP)


@pytest.mark.parametrize("N", [1, 2, 5, pytest.param(25, marks=pytest.mark.slow)])
@pytest.mark.parametrize("D", [1, 3])
@pytest.mark.parametrize("posterior", get_args(Posterior))
@pytest.mark.parametrize("kernel", get_args(Kernel))
def test_gradient_is_that_of_the_objective(kernel: Kernel, posterior: Posterior, D: int, N: int) -> None:
    """It agrees with differences: free gaps with censored results and comparisons; bounded movement with a prior."""
    for bounded, prior in ((False, None), (True, GapPrior())):
        data = make_data(N, D, plain=bounded)
        model = make_model(data, kernel=kernel, posterior=posterior, bounded=bounded, prior=prior)
        theta = random_theta(model)
        _, gradient = NumpyEngine(model).objective(theta)
        assert np.all(np.isfinite(gradient))
        np.testing.assert_allclose(gradient, differences(model, theta), rtol=0, atol=1e-7 * np.abs(gradient).max())


@pytest.mark.parametrize("posterior", get_args(Posterior))
def test_gradient_with_results_on_other_scales(posterior: Posterior) -> None:
    """Each scale has edges and a noise of its own, and all of them move the same latent points."""
    model = make_model(with_other_scales(make_data(9, 2)), posterior=posterior, prior=GapPrior())
    theta = random_theta(model)
    _, gradient = NumpyEngine(model).objective(theta)
    np.testing.assert_allclose(gradient, differences(model, theta), rtol=0, atol=1e-7 * np.abs(gradient).max())
    assert all(
        np.any(gradient[part])
        for first, _, sigma in (model.bin_parts[1], model.bin_parts[3])
        for part in (first, sigma)
    )


@pytest.mark.parametrize("posterior", get_args(Posterior))
def test_gradient_with_judges(posterior: Posterior) -> None:
    """Each has a noise of its own, and no edges."""
    model = make_model(with_judges(make_data(9, 2, plain=False)), posterior=posterior, prior=GapPrior())
    theta = random_theta(model)
    _, gradient = NumpyEngine(model).objective(theta)
    np.testing.assert_allclose(gradient, differences(model, theta), rtol=0, atol=1e-7 * np.abs(gradient).max())
    for first, output, sigma in model.bin_parts[1:]:
        assert gradient[first].tolist() == [0.0]
        assert not len(gradient[output])
        assert gradient[sigma][0] != 0.0


def test_gradient_of_points_far_in_the_tails() -> None:
    """The gradient is right where every evaluation lies tens of sigma outside its bin."""
    model = make_model(make_data(8, 2))
    sizes = np.cumsum(model.sizes)
    theta = random_theta(model)
    theta[sizes[2] : sizes[3]] = -4.0  # sigma of 0.04
    theta[sizes[3] : sizes[4]] *= -3.0
    value, gradient = NumpyEngine(model).objective(theta)
    assert value < -1000.0
    np.testing.assert_allclose(gradient, differences(model, theta), rtol=0, atol=1e-7 * np.abs(gradient).max())
