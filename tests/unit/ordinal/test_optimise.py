"""How far the axes may grow in one go: the cost of being longer, and where nothing is held."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.optimize

from ordbo_cli.ordinal.optimise import TrustRegion
from ordbo_cli.problem.method import GapPrior
from tests.unit.ordinal.cases import make_data, make_model, random_theta


def test_what_lies_within_trust_region_costs_nothing() -> None:
    """Shorter axes, and those a little longer, are free."""
    model = make_model(make_data(9, 2), prior=GapPrior())
    theta = random_theta(model)
    trust_region = TrustRegion.around(model, theta)
    for shift in (-9.0, 0.0, 0.5):
        moved = theta.copy()
        moved[model.parts[0]] += shift
        cost, by_theta = trust_region.cost(moved)
        assert cost == 0.0
        assert not by_theta.any()


def test_the_gradient_of_the_cost_is_that_of_its_differences() -> None:
    """Far beyond the trust_region of one axis or of all, the gradient agrees with differences."""
    model = make_model(make_data(9, 2), prior=GapPrior())
    theta = random_theta(model)
    theta[model.parts[0]] -= 5.0
    trust_region = TrustRegion.around(model, theta)
    for end in (4, model.parts[0].stop):
        theta[:end] += 5.0
        cost, by_theta = trust_region.cost(theta)
        assert cost > 0.0
        expected = scipy.optimize.approx_fprime(theta, lambda x: trust_region.cost(x)[0], 1e-6)
        np.testing.assert_allclose(by_theta, expected, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize(("prior", "bounded"), [(None, False), (GapPrior(), True)])
def test_free_gaps_and_bounded_movement_are_not_held(prior: GapPrior | None, bounded: bool) -> None:
    """Without a prior gaps may belong at their largest, and windows hold the coordinates anyway."""
    model = make_model(make_data(9, 2), prior=prior, bounded=bounded)
    theta = random_theta(model)
    theta[model.parts[0]] = -9.0
    trust_region = TrustRegion.around(model, theta)
    theta[model.parts[0]] = 9.0
    assert trust_region.cost(theta)[0] == 0.0
