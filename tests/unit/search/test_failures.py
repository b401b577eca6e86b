"""Where evaluations fail: the chance that predictions have, and what a step makes of it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest

from ordbo_cli.problem import Evaluation, Parameter, Problem
from ordbo_cli.problem.limit import Limit
from ordbo_cli.problem.method import PRESETS, Method
from ordbo_cli.search.cells.acquisition import LowerConfidenceBound, Wary
from ordbo_cli.search.cells.local_quadratic import QuadraticBound, Safety
from ordbo_cli.search.cells.ordinal_quadratic import OrdinalQuadratic
from ordbo_cli.search.cells.worth import acquisition_of
from ordbo_cli.search.prediction import expected_at, predict
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.success_field import fit_success
from ordbo_cli.search.surrogate import fit_surrogate
from tests.unit.search.conftest import evaluations, unit_problem

SAFE, BEYOND = (0.2, 0.2), (0.9, 0.9)


def bowl(x: Sequence[float]) -> float:
    """Return a bowl whose minimum fails."""
    return (x[0] - 0.6) ** 2 + 3.0 * (x[1] - 0.7) ** 2


def study(
    method: Method, result: Callable[[float], float] = float, *, fails: bool = True, **settings: object
) -> StepInput:
    """Return results of the bowl at random points, of which those beyond an edge fail."""
    X = np.random.default_rng(1).random((18, 2))
    y = [None if fails and x.sum() > 1.1 else result(bowl(x.tolist())) for x in X]
    return StepInput(unit_problem(2, method, **settings), evaluations(X, y), step=18)


def chances(given: StepInput) -> list[float]:
    """Return the chances to fail among the successes and among the failures."""
    found = [each.failure for each in predict(given, [SAFE, BEYOND])]
    assert None not in found
    return [float(each or 0.0) for each in found]


def test_predictions_have_the_chance_to_fail(quick: Method) -> None:
    """Low among successes and high among failures; as the step that suggests a point has it there."""
    given = study(quick)
    safe, beyond = chances(given)
    assert safe < 0.3 < 0.7 < beyond
    proposal = propose(given)
    expected = expected_at(given, proposal)
    assert expected is not None
    assert expected.failure == pytest.approx(predict(given, [proposal.values])[0].failure, abs=1e-6)


def test_nothing_is_said_of_failures_where_there_are_none(quick: Method) -> None:
    """Nor is the acquisition another one."""
    given = study(quick, fails=False)
    assert predict(given, [SAFE])[0].failure is None
    assert isinstance(acquisition_of(fit_surrogate(given), given.problem.method), LowerConfidenceBound)


def test_without_a_failure_the_setting_changes_nothing() -> None:
    """The same doubles, by the quadratic too."""
    points = [propose(study(replace(Method(), avoid_failures=on), fails=False)).values for on in (True, False)]
    assert points[0] == points[1]


@pytest.mark.parametrize("how", [math.exp, math.sqrt, lambda y: 3.0 * y - 7.0], ids=["exp", "sqrt", "affine"])
@pytest.mark.parametrize("refine", [True, False])
def test_no_increasing_transform_of_the_results_changes_the_point(how: Callable[[float], float], refine: bool) -> None:
    """The same point to the last bit, with failures among the rows."""
    method = replace(Method(), refine=refine)
    assert propose(study(method, how)).values == propose(study(method)).values


def test_what_breaks_a_limit_counts_as_failed(quick: Method) -> None:
    """Results beside the objective that are outside their limits."""
    X = np.random.default_rng(1).random((18, 2)).tolist()
    limit = Limit("load", max=Decimal("1.1"))
    rows = [Evaluation((a, b), Decimal(repr(bowl((a, b)))), outcomes=(Decimal(repr(a + b)),)) for a, b in X]
    problem = Problem((Parameter("a", 0.0, 1.0), Parameter("b", 0.0, 1.0)), method=quick, outcomes=(limit,))
    safe, beyond = chances(StepInput(problem, rows, step=18))
    assert safe < 0.3 < 0.7 < beyond


def test_failures_that_have_no_rank_are_told_of_all_the_same(quick: Method) -> None:
    """With ``failed: ignore``."""
    safe, beyond = chances(study(quick, failed="ignore"))
    assert safe < 0.3 < 0.7 < beyond


def test_places_that_are_likely_to_fail_cost_something(quick: Method) -> None:
    """Where most fail the acquisition is above the bound, elsewhere it is as good as equal; not where it is off."""
    given = study(quick)
    surrogate = fit_surrogate(given)
    wary = acquisition_of(surrogate, given.problem.method)
    assert isinstance(wary, Wary)
    s = 5.0 * np.random.default_rng(0).random((200, 2))
    more = wary.values(s) - wary.base.values(s)
    assert surrogate.success is not None
    chance = surrogate.success.chances(s)
    assert more[chance < 0.2].min() > 0.5
    assert more[chance > 0.4].max() < 0.05
    off = acquisition_of(surrogate, replace(quick, avoid_failures=False))
    assert isinstance(off, LowerConfidenceBound)


@pytest.mark.parametrize("preset", ["metric-free", "paper"])
def test_the_other_presets_take_failures_as_the_worst_alone(preset: str) -> None:
    """They are what they were."""
    assert not PRESETS[preset].avoid_failures


def fenced(safety: Safety | None) -> QuadraticBound:
    """Return the bound of a flat quadratic, with a wide trust region, in the unit square around its middle."""
    flat = OrdinalQuadratic(np.zeros(5), 1e-9 * np.eye(5))
    return QuadraticBound(flat, np.eye(2), 9.0, fit_surrogate(study(Method())).posterior, safety)


def test_a_quadratic_is_not_followed_to_where_it_fails() -> None:
    """Beyond an edge, across a bent warp, its bound rises steeply, with the slope that central differences have."""
    s = 4.0 * np.random.default_rng(0).random((25, 2))
    success = fit_success(s, s[:, 0] < 2.0)
    knots, bent = np.array([0.0, 0.3, 1.0]), np.array([0.0, 2.4, 4.0])
    safety = Safety(success, (knots, knots), (bent, bent), np.full(2, 0.5), np.full(2, 0.5))
    bound, free = fenced(safety), fenced(None)
    places = np.array([[-0.9, 0.1], [0.61, 0.13], [0.93, -0.7], [-0.13, 0.4]])
    value, slope = bound.values_with_gradients(places)
    assert value[0] == free.values(places)[0]
    assert (value - free.values(places))[1:].min() > 1.0
    for j, step in enumerate(1e-5 * np.eye(2)):
        differences = (bound.values(places + step) - bound.values(places - step)) / 2e-5
        assert slope[:, j] == pytest.approx(differences, rel=1e-3, abs=1e-3)


def test_a_step_takes_the_quadratic_as_far_as_a_success_is_likely() -> None:
    """Its minimum is beyond an edge that is some way off the best points; without the setting it goes farther."""
    rng = np.random.default_rng(40)
    X = np.clip(np.vstack([rng.random((6, 2)), 0.35 + 0.12 * rng.standard_normal((12, 2))]), 0.0, 1.0)
    y = [None if x.sum() > 1.05 else (x[0] - 0.62) ** 2 + 3.0 * (x[1] - 0.5) ** 2 for x in X]
    chance = {}
    for on in (True, False):
        given = StepInput(unit_problem(2, replace(Method(), avoid_failures=on)), evaluations(X, y), step=18)
        proposal = propose(given)
        assert proposal.record.kind == "refine"
        chance[on] = predict(given, [proposal.values])[0].failure or 0.0
    assert chance[True] < 0.17 < 0.24 < chance[False]
