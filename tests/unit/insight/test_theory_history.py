"""A study's course as Section 4 looks at it: what is on record, and the bounds beside it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ordbo_cli.insight import theory
from ordbo_cli.insight.theory_history import Course, allowed_move, course
from ordbo_cli.problem.method import BetaSchedule, Method
from ordbo_cli.search import beta_schedule
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import Surrogate, fit_surrogate
from tests.unit.search.conftest import evaluations, random_study, unit_problem


def known(method: Method, rows: int = 9) -> Surrogate:
    """Return what is known of a study in two dimensions."""
    X, y = random_study(rows, 2, 0)
    problem = unit_problem(2, method)
    return fit_surrogate(StepInput(problem, evaluations(X, y)))


def words(rows: int, new: int, variance: float, gain: float, *moves: float, beta: float = 2.0) -> dict[str, Any]:
    """Return the words on a step; moves are the farthest one and the gain before it."""
    figures = {"beta": beta, "gain": gain, "new": new, "new_variance": variance}
    return {"rows": rows, "analysis": {**figures, **dict(zip(("moved", "gain_unmoved"), moves, strict=False))}}


def went(records: Sequence[Mapping[str, Any]], method: Method, rows: int = 9) -> Course:
    return course(records, known(method, rows), method, BetaSchedule())


def test_variances_add_up_and_a_fit_from_nothing_begins_anew(quick: Method) -> None:
    """Each fit once, however many points came from it; what was lost with a state is counted from the next one on."""
    records = [
        words(5, 5, 3.0, 4.0),
        words(5, 0, 0.0, 4.0, 0.0, 4.0),
        words(6, 1, 0.5, 5.0, 0.02, 5.25),
        words(8, 2, 0.75, 6.0, 0.01, 5.75),
        words(8, 8, 5.0, 6.5),
        words(9, 1, 0.25, 7.0, 0.04, 7.0),
    ]
    found = went(records, quick)
    assert [step.rows for step in found.steps] == [5, 6, 8, 8, 9]
    assert [step.variance for step in found.steps] == [3.0, 3.5, 4.25, 5.0, 5.25]
    assert [step.gain_lost for step in found.steps] == [None, 0.25, -0.25, None, 0.0]
    assert found.gain_lost == 0.0
    assert went(records[:4], quick).gain_lost_of_variance == 0.0
    assert went(records[:3], quick).gain_lost_of_variance == 0.25
    assert went([*records[:3], *records[4:]], quick).gain_lost_of_variance == 0.0
    assert found.gain_loss_claimed == pytest.approx(3 * 0.02**2 + 4 * 0.01**2 + 4.5 * 0.04**2)
    assert found.drift == pytest.approx(0.04 * 9 / 2)


def test_without_a_first_fit_the_variance_is_not_known(quick: Method) -> None:
    """As in a state that an older version began."""
    found = went([{"rows": 6}, words(7, 1, 0.5, 5.0, 0.02, 5.25), words(9, 2, 0.75, 6.0, 0.01, 5.75)], quick)
    assert [(step.rows, step.variance) for step in found.steps] == [(7, None), (9, None)]


@pytest.mark.parametrize(
    "broken",
    [
        {},
        {"rows": 6},
        {"rows": "6", "analysis": {"gain": 1, "new": 1, "new_variance": 0.1}},
        {"rows": 0, "analysis": {"gain": 1, "new": 1, "new_variance": 0.1}},
        {"rows": 6, "analysis": [1, 2]},
        {"rows": 6, "analysis": {"gain": "much", "new": 1, "new_variance": 0.1}},
        {"rows": 6, "analysis": {"gain": -1, "new": 1, "new_variance": 0.1}},
        {"rows": 6, "analysis": {"gain": True, "new": 1, "new_variance": 0.1}},
        {"rows": 6, "analysis": {"gain": 1e400, "new": 1, "new_variance": 0.1}},
        {"rows": 6, "analysis": {"gain": 1e308, "new": 1, "new_variance": 0.1}},
        {"rows": 6, "analysis": {"gain": 1, "new": 10**400, "new_variance": 0.1}},
        {"rows": 6, "analysis": {"gain": 1, "new": 1, "new_variance": 1e308}},
        {"rows": True, "analysis": {"gain": 1, "new": 1, "new_variance": 0.1}},
        {"rows": 10**9, "analysis": {"gain": 1, "new": 1, "new_variance": 0.1}},
    ],
    ids=repr,
)
def test_words_that_cannot_be_are_passed_over(broken: dict[str, Any], quick: Method) -> None:
    """A state is a file that people edit."""
    found = went([broken, words(9, 9, 4.0, 6.0)], quick)
    assert [(step.rows, step.gain, step.variance) for step in found.steps] == [(9, 6.0, 4.0)]


def test_bounds_are_those_of_the_last_fit(quick: Method) -> None:
    """Lemma 1 and Theorem 1 at each step, by the lengths and the noise of now and the drift of the method."""
    method = replace(quick, drift=0.4)
    found = went([words(5, 5, 3.0, 4.0), words(9, 4, 1.0, 7.0, 0.01, 7.0)], method)
    now = known(method)
    smooth = beta_schedule.smoothness("matern32", now.lengths)
    gains = theory.most_gain(theory.greedy_gains("matern32", now.lengths, now.fit.sigma, 9), now.fit.sigma)
    bound = theory.RegretBound(now.fit.sigma, 0.4, 2)
    for step, (beta, gain, regret) in zip(found.steps, found.bounds, strict=True):
        beta_n = beta_schedule.beta(step.rows, 2, smooth, 0.1)
        assert beta == pytest.approx(math.sqrt(beta_n))
        assert gain == pytest.approx(gains[step.rows - 1])
        assert regret == pytest.approx(bound.regret(step.rows, gain, beta_n))
    assert found.range == pytest.approx(float(np.ptp(now.fit.mean)))
    assert found.trivial == pytest.approx(9 * found.range)
    assert [allowed_move(method, 2, n) for n in (5, 9)] == [0.4 * 2 / 5, 0.4 * 2 / 9]
    assert allowed_move(quick, 2, 5) is None


def test_without_a_drift_the_realised_one_is_in_the_bound(quick: Method) -> None:
    """As if it had been set from the start."""
    found = went([words(5, 5, 3.0, 4.0), words(9, 4, 1.0, 7.0, 0.1, 7.0)], quick)
    assert found.bound.drift == found.drift == pytest.approx(0.45)


def test_a_drift_beyond_all_moves_is_one_that_allows_them_all(quick: Method) -> None:
    """Its bounds stay finite: no point moves farther than the unit box is long."""
    found = went([words(9, 9, 3.0, 4.0)], replace(quick, drift=1e308))
    assert math.isfinite(found.bounds[-1].regret)
    allowed = allowed_move(replace(quick, drift=1e308), 2, 1000)
    assert allowed is not None
    assert math.sqrt(2.0) <= allowed < math.inf
    (step,) = went([words(9, 9, 3.0, 4.0, 1e200, 4.0, beta=1e308)], quick).steps
    assert (step.moved, step.beta) == (None, 1e308)


def test_draws_without_slopes_have_no_bounds(quick: Method) -> None:
    """Matern 1/2: the gain is there, Lemma 1 is not."""
    found = went([words(9, 9, 3.0, 4.0)], replace(quick, kernel="matern12"))
    assert (found.smooth, found.bounds) == (None, ())
    assert len(found.greedy) == 9
