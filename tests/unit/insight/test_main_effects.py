"""Main effects: averages of the model's expected ranks over the space, and beside them those at the best point."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.insight.inspection import View
from ordbo_cli.insight.main_effects import main_effects
from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.problem.constraints import Constraint
from ordbo_cli.problem.method import Method
from ordbo_cli.search.prediction import expectations
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import placed
from tests.unit.search.conftest import evaluations

U = np.random.default_rng(3).random((12, 2))


def view_of(problem: Problem) -> View:
    X = np.column_stack([U[:, 0], np.round(2.0 * U[:, 1])])
    return View.of(StepInput(problem, evaluations(X, (X[:, 1] + X[:, 0]).tolist()), (), step=12))


def levels() -> tuple[Parameter, ...]:
    return Parameter("a", 0.0, 1.0), Parameter.of_levels("kind", ["good", "fair", "poor"], "categorical")


def test_of_one_parameter_they_are_the_predictions(quick: Method) -> None:
    """There is nothing to average over; the value of the best is among those looked at."""
    problem = Problem((Parameter("a", 0.0, 1.0),), method=quick)
    given = StepInput(problem, evaluations(U[:, :1], U[:, 0].tolist()), (), step=12)
    view = View.of(given)
    (effect,) = main_effects(view, [0])
    assert U[:, 0].min() in effect.values
    s = placed(given.latent_axes, view.model.warp, view.model.fit, [(x,) for x in effect.values])
    expected = [each.rank for each in expectations(view.model.fit, given, s)]
    for ranks in (effect.mean, effect.low, effect.high, effect.lead):
        np.testing.assert_allclose(ranks, expected, rtol=1e-9)


def test_the_order_of_levels_is_found(quick: Method) -> None:
    """On average and at the best; quartiles stand around the mean."""
    (effect,) = main_effects(view_of(Problem(levels(), method=quick)), [1])
    assert effect.values.tolist() == [0, 1, 2]
    assert effect.mean[0] < effect.mean[1] < effect.mean[2]
    assert effect.lead[0] < effect.lead[1] < effect.lead[2]
    assert np.all((effect.low <= effect.mean) & (effect.mean <= effect.high))
    assert effect.size == pytest.approx(effect.mean[2] - effect.mean[0])


def test_points_that_violate_a_constraint_do_not_count(quick: Method) -> None:
    """A level with none that satisfies all has no effect."""
    free = levels()
    constraints = (Constraint.parse('kind != "fair" or a > 2', free),)
    (effect,) = main_effects(view_of(Problem(free, constraints=constraints, method=quick)), [1])
    assert np.isnan(effect.mean).tolist() == [False, True, False]
    assert np.isnan(effect.lead).tolist() == [False, True, False]
    assert np.isfinite(effect.size)
