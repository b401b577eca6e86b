"""The change of variables in which a fit goes: against the curvature that differences of the gradient have."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from ordbo_cli.ordinal.data import OrdinalData
from ordbo_cli.ordinal.elbo import objective
from ordbo_cli.ordinal.engine import NumpyEngine
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.model import Model
from ordbo_cli.ordinal.preconditioner import preconditioner_at
from ordbo_cli.problem.method import GapPrior, Posterior
from tests.unit.ordinal.cases import TOLERANCE, make_data, make_model, random_theta, with_other_scales

STEP = 1e-5


def curvature(model: Model, theta: Array) -> Array:
    """Return minus the second derivatives of the objective, by differences of its gradient."""
    steps = STEP * np.eye(len(theta))
    rows = [objective(model, theta - d)[1] - objective(model, theta + d)[1] for d in steps]
    return np.array(rows) / (2.0 * STEP)


@pytest.mark.parametrize("posterior", get_args(Posterior))
@pytest.mark.parametrize("prior", [GapPrior(), None])
@pytest.mark.parametrize("bounded", [False, True])
def test_gradients_are_pulled_back(posterior: Posterior, prior: GapPrior | None, bounded: bool) -> None:
    """``theta`` and ``pull_back`` are P and its transpose."""
    model = make_model(make_data(9, 2), posterior=posterior, prior=prior, bounded=bounded)
    preconditioner = preconditioner_at(model, random_theta(model))
    rng = np.random.default_rng(0)
    z, g = rng.normal(size=(2, sum(model.sizes)))
    assert preconditioner.pull_back(g) @ z == pytest.approx(g @ preconditioner.theta(z), rel=1e-9)


@pytest.mark.parametrize(
    ("data", "least"),
    [
        pytest.param(make_data(12, 2), 300.0, id="plain"),
        pytest.param(make_data(12, 2, plain=False), 50.0, id="censored, with comparisons"),
        pytest.param(with_other_scales(make_data(12, 2), rows=(7, 5)), 100.0, id="other scales"),
    ],
)
def test_means_and_edges_are_as_curved_one_way_as_another(data: OrdinalData, least: float) -> None:
    """At the maximum, P turns the curvature by edges and means into about the identity."""
    model = make_model(data, prior=GapPrior())
    theta = NumpyEngine(model).maximise(random_theta(model), "lbfgs", 2000, TOLERANCE)
    preconditioner = preconditioner_at(model, theta)
    H = curvature(model, theta)
    P = np.array([preconditioner.theta(e) for e in np.eye(len(theta))]).T
    edges = [np.r_[first, output] for first, output, _ in model.bin_parts]
    tied = np.concatenate([*edges, np.r_[model.mean_part]])
    before = np.linalg.eigvalsh(H[np.ix_(tied, tied)])
    after = np.linalg.eigvalsh((P.T @ H @ P)[np.ix_(tied, tied)])
    assert before.max() / before.min() > least
    assert after.min() > 0.2
    assert after.max() < 2.0


def test_the_prior_sets_the_units_of_the_gaps() -> None:
    """P P' of the gaps is the covariance of their logarithms, in units of theta."""
    data = make_data(9, 2)
    prior = GapPrior(spread=0.6, shift=0.9)
    model = make_model(data, prior=prior)
    gaps = model.parts[0]
    preconditioner = preconditioner_at(model, random_theta(model))
    P = np.array([preconditioner.theta(e) for e in np.eye(sum(model.sizes))]).T[gaps, gaps]
    axis = np.repeat(np.arange(2), data.gap_counts)
    covariance = 0.36 * np.eye(len(axis)) + 0.81 * (axis[:, None] == axis)
    np.testing.assert_allclose(P @ P.T, preconditioner.gaps[:, None] * covariance * preconditioner.gaps, rtol=1e-9)


def test_points_that_all_but_coincide_have_a_metric() -> None:
    """Gaps of 1e-13 leave numbers, not NaN, for replicates, ties and failures too."""
    model = make_model(make_data(40, 2), prior=GapPrior())
    theta = random_theta(model)
    theta[model.parts[0]] = -700.0
    preconditioner = preconditioner_at(model, theta)
    assert np.all(np.isfinite(preconditioner.theta(np.ones(len(theta)))))
