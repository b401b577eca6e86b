"""The optimisers of the NumPy engine."""

from __future__ import annotations

from typing import get_args

import numpy as np
import pytest

from ordbo_cli.ordinal.engine import NumpyEngine
from ordbo_cli.ordinal.fitting import cold_start
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.optimise import lbfgs
from ordbo_cli.problem.method import GapPrior, OptimizerKind, Posterior
from tests.unit.ordinal.cases import TOLERANCE, make_data, make_model, random_theta


@pytest.mark.slow
@pytest.mark.parametrize("optimizer", get_args(OptimizerKind))
def test_optimisers_climb_to_a_flat_place(optimizer: OptimizerKind) -> None:
    """Given steps enough, the gradient at the result is small and more steps gain nothing."""
    engine = NumpyEngine(make_model(make_data(6, 1), prior=GapPrior()))
    theta = random_theta(engine.model)
    best = engine.maximise(theta, optimizer, 2000, TOLERANCE)
    value, gradient = engine.objective(best)
    assert value > engine.objective(theta)[0]
    assert np.abs(gradient).max() < 0.02
    assert engine.objective(engine.maximise(best, optimizer, 200, TOLERANCE))[0] == pytest.approx(value, abs=1e-3)


def test_steps_are_counted() -> None:
    """One step of Adam moves every number by its rate; no more than twice the steps are evaluations of L-BFGS."""
    engine = NumpyEngine(make_model(make_data(6, 1)))
    theta = random_theta(engine.model)
    _, gradient = engine.objective(theta)
    moved = engine.maximise(theta, "adam", 1, TOLERANCE) - theta
    steep = np.abs(gradient) > 1e-4
    np.testing.assert_allclose(moved[steep], 0.05 * np.sign(gradient[steep]), rtol=1e-3)

    counting = Counting(engine.model)
    counting.maximise(theta, "lbfgs", 5, TOLERANCE)
    assert 5 <= counting.calls <= 11

    slower = engine.maximise(theta, "adam", 1, TOLERANCE, rate=0.001) - theta
    np.testing.assert_allclose(slower[steep], 0.001 * np.sign(gradient[steep]), rtol=1e-3)


class Counting(NumpyEngine):
    """Counts evaluations."""

    calls = 0

    def objective(self, theta: Array) -> tuple[float, Array]:
        self.calls += 1
        return super().objective(theta)


class Broken(NumpyEngine):
    """Has no value a little way from where it starts."""

    def objective(self, theta: Array) -> tuple[float, Array]:
        value, gradient = super().objective(theta)
        return (value, gradient) if value < -20.0 else (float("nan"), np.full_like(gradient, np.nan))


def test_the_best_point_is_kept_when_values_turn_into_nan() -> None:
    """A line search that ends in NaN leaves the best theta that had a value."""
    engine = Broken(make_model(make_data(8, 2)))
    theta = random_theta(engine.model)
    start, _ = engine.objective(theta)
    best = engine.maximise(theta, "lbfgs", 100, TOLERANCE)
    assert engine.objective(best)[0] > start


@pytest.mark.parametrize("posterior", get_args(Posterior))
def test_only_the_spread_is_bounded(posterior: Posterior) -> None:
    """Variances and precisions stay within exp(+-20): a line search along a flat direction tries exp(300)."""
    model = make_model(make_data(6, 1), posterior=posterior, prior=GapPrior())
    _, first, _, _, _, spread = model.parts
    seen: list[float] = []

    def rising(theta: Array) -> tuple[float, Array]:
        """Rise with the spread for ever, and with the first edge up to 150."""
        seen.append(np.abs(theta[spread]).max())
        slope = np.zeros_like(theta)
        slope[first], slope[spread] = 150.0 - theta[first], 1.0
        return float(theta[spread].sum() - 0.5 * np.sum(slope[first] ** 2)), slope

    best = lbfgs(rising, model, random_theta(model), 100, 1e-12)
    assert best[spread] == pytest.approx(20.0)
    assert best[first] == pytest.approx(150.0, rel=1e-3)
    assert max(seen) <= 20.0 + 1e-9


def test_a_fit_takes_tens_of_evaluations() -> None:
    """From the normal scores the maximum is found in tens of evaluations; else it takes a thousand."""
    data, model = make_data(25, 2), make_model(make_data(25, 2), prior=GapPrior())
    start = model.theta(cold_start(model, np.exp(model.input_prior.centre) if model.input_prior else np.ones(0)))
    counting = Counting(model)
    best = counting.maximise(start, "lbfgs", 200, TOLERANCE)
    assert data.points < counting.calls < 150
    value = counting.objective(best)[0]
    assert counting.objective(counting.maximise(best, "lbfgs", 2000, TOLERANCE))[0] == pytest.approx(value, abs=0.05)
