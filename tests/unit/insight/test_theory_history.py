"""A study gone through once more as Section 4 looks at it, against the fits themselves, and the bounds beside it."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import astuple, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from ordbo_cli.insight import theory
from ordbo_cli.insight.theory_history import (
    TheoryHistory,
    allowed_move,
    figures_of,
    fitted_numbers,
    theory_history,
)
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.kernels import KERNELS, distances
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Comparison, Evaluation, Problem
from ordbo_cli.problem.method import BetaSchedule, Method
from ordbo_cli.search import beta_schedule, step_input
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import Surrogate, fit_surrogate
from tests.unit.search.conftest import evaluations, random_study, unit_problem


def study(method: Method, rows: int = 9, **settings: object) -> StepInput:
    """Return a study in two dimensions."""
    X, y = random_study(rows, 2, 0)
    return StepInput(unit_problem(2, method, **settings), evaluations(X, y))


def went(given: StepInput) -> TheoryHistory:
    return theory_history(given, BetaSchedule())


def fits(given: StepInput, numbers: Sequence[int]) -> Iterator[tuple[StepInput, Surrogate]]:
    """Yield fits to so many of the first results, each from the one before, with what each follows from."""
    plain: dict[str, Any] | None = None
    for number in numbers:
        here = StepInput(given.problem, given.evaluations[:number], fit=plain)
        surrogate = fit_surrogate(here)
        plain = surrogate.fit.to_dict()
        yield here, surrogate


def places(fit: Fit, rows: Sequence[Evaluation]) -> Array:
    """Return the latent points of rows, in their order."""
    at = {tuple(x): s for x, s in zip(fit.data.inputs.tolist(), fit.S, strict=True)}
    return np.array([at[tuple(map(float, e.values))] for e in rows])


def variance_given(S: Array, s: Array, sigma: float) -> float:
    """Return the variance of Matern 3/2 regression at s [1, D] given noisy values at S, by a system of equations."""
    k = KERNELS["matern32"].value(distances(S, s))[:, 0]
    return float(1.0 - k @ np.linalg.solve(KERNELS["matern32"].value(distances(S, S)) + sigma**2 * np.eye(len(S)), k))


def test_variances_add_up(quick: Method) -> None:
    """Of points that all but stay where they are: each given those before it, by the fit that has it first."""
    given = study(replace(quick, drift=1e-7, initial=5), rows=11)
    history = went(given)
    total = 0.0
    for step, (here, surrogate) in zip(history.steps, fits(given, range(5, 12)), strict=True):
        S, sigma = places(surrogate.fit, here.evaluations), surrogate.fit.sigma
        if not total:
            first = places(surrogate.fit, sorted(here.evaluations, key=lambda e: e.values))
            total = 1.0 + sum(variance_given(first[:i], first[[i]], sigma) for i in range(1, 5))
        else:
            total += variance_given(S[:-1], S[[-1]], sigma)
        assert step.rows == len(here.evaluations)
        assert step.variance == pytest.approx(total, rel=1e-5)
        assert step.moved is None or step.moved <= 1e-7
        assert step.gain_lost is None or abs(step.gain_lost) < 1e-4


def test_gains_and_moves_are_those_of_the_fits(quick: Method) -> None:
    """The gain by its determinant, moves of the points by their places, and what these took from the gain."""
    given = study(replace(quick, initial=5), rows=10)
    history = went(given)
    walk = list(fits(given, range(5, 11)))
    for step, (_, surrogate) in zip(history.steps, walk, strict=True):
        K = KERNELS["matern32"].value(distances(surrogate.fit.S, surrogate.fit.S))
        gain = 0.5 * np.linalg.slogdet(np.eye(len(K)) + K / surrogate.fit.sigma**2)[1]
        assert step.gain == pytest.approx(gain, rel=1e-6)
        assert step.beta == quick.beta
    lost = []
    for step, ((_, before), (here, now)) in zip(history.steps[1:], pairwise(walk), strict=True):
        old, new = (
            places(each.fit, here.evaluations[:-1]) / [s[-1] for s in each.fit.coordinates] for each in (before, now)
        )
        assert step.moved is not None
        assert step.moved >= np.linalg.norm(new - old, axis=1).max() - 1e-9
        figures = figures_of(here, now)
        assert figures.gain_unmoved is not None
        lost.append(figures.gain_unmoved - figures.gain)
        assert step.gain_lost == pytest.approx(lost[-1], abs=1e-6)
        assert step.gain_loss_claimed == pytest.approx(0.5 * step.rows * step.moved**2)
    assert history.gain_lost == pytest.approx(sum(lost), abs=1e-5)
    assert history.gain_loss_claimed == pytest.approx(sum(step.gain_loss_claimed or 0.0 for step in history.steps))
    assert history.drift == max(step.moved * step.rows / 2 for step in history.steps if step.moved is not None)


@pytest.mark.parametrize("settings", [{}, {"drift": 0.3}], ids=repr)
def test_nothing_but_the_results_counts(settings: dict[str, Any], quick: Method) -> None:
    """Neither what is out, nor the fit of the step before, nor the number of steps, nor what was given up."""
    given = study(replace(quick, initial=5, **settings))
    fit = propose(replace(given, evaluations=given.evaluations[:8], step=8)).fit
    other = replace(given, pending=[(0.5, 0.25), (0.1, 0.9)], step=40, fit=fit, avoid=[(0.3, 0.3)])
    plain, beside = went(given), went(other)
    one, two = (np.array([astuple(step) for step in each.steps], dtype=np.float64) for each in (plain, beside))
    np.testing.assert_allclose(two, one, rtol=1e-7, atol=1e-9)
    np.testing.assert_allclose(beside.bounds, plain.bounds, rtol=1e-7)


def test_every_move_keeps_to_its_bound(quick: Method) -> None:
    """Up to the last fit, which is made from the one before as all are."""
    given = study(replace(quick, initial=5, drift=0.05), rows=14)
    stray = propose(StepInput(given.problem, given.evaluations[:6], step=6)).fit
    for step in went(replace(given, fit=stray)).steps:
        assert (step.moved or 0.0) <= 0.05 * 2 / step.rows * (1.0 + 1e-9)


def test_bounds_are_those_of_the_last_fit(quick: Method) -> None:
    """Lemma 1 and Theorem 1 at each step, by its lengths and noise and the drift of the method."""
    method = replace(quick, drift=0.4, initial=5)
    given = study(method)
    found = went(given)
    *_, (_, now) = fits(given, range(5, 10))
    smooth = beta_schedule.smoothness("matern32", now.lengths)
    gains = theory.most_gain(theory.greedy_gains("matern32", now.lengths, now.fit.sigma, 9), now.fit.sigma)
    bound = theory.RegretBound(now.fit.sigma, 0.4, 2)
    assert [step.rows for step in found.steps] == [5, 6, 7, 8, 9]
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
    """As if it had been set from the start; with one fit there is none."""
    found = went(study(replace(quick, initial=5)))
    assert found.bound.drift == found.drift > 0.0
    alone = went(study(replace(quick, initial=5), rows=4))
    assert (len(alone.steps), alone.steps[0].moved, alone.drift, alone.gain_lost) == (1, None, 0.0, 0.0)


def test_a_drift_beyond_all_moves_is_one_that_allows_them_all(quick: Method) -> None:
    """Its bounds stay finite: no point moves farther than the unit box is long."""
    method = replace(quick, drift=1e308)
    assert math.isfinite(went(study(method)).bounds[-1].regret)
    allowed = allowed_move(method, 2, 1000)
    assert allowed is not None
    assert math.sqrt(2.0) <= allowed < math.inf


def test_draws_without_slopes_have_no_bounds(quick: Method) -> None:
    """Matern 1/2: the gain is there, Lemma 1 is not."""
    found = went(study(replace(quick, kernel="matern12")))
    assert (found.smooth, found.bounds) == (None, ())
    assert len(found.greedy) == 9


def test_failures_that_are_ignored_at_first(quick: Method) -> None:
    """The history begins with the first result that is ranked, and counts those alone."""
    X, y = random_study(11, 2, 0)
    rows = evaluations(X, [*[None] * 7, *y[7:]])
    told: list[tuple[int, int]] = []
    problem = unit_problem(2, replace(quick, initial=5), failed="ignore")
    found = theory_history(StepInput(problem, rows), BetaSchedule(), lambda *numbers: told.append(numbers))
    assert [step.rows for step in found.steps] == [1, 2, 3, 4]
    assert [step.moved is None for step in found.steps] == [True, False, False, False]
    assert told == [(k, 7) for k in range(1, 8)]


def test_failures_that_count_as_the_worst(quick: Method) -> None:
    """They are rows like any other; a study of failures alone has its figures too."""
    X, _ = random_study(7, 2, 0)
    found = went(StepInput(unit_problem(2, replace(quick, initial=5)), evaluations(X, [None] * 7)))
    assert [step.rows for step in found.steps] == [5, 6, 7]
    assert found.steps[-1].gain > 0.0


def test_comparisons_count_from_the_first_fit_on(quick: Method) -> None:
    """They have no place in the order of arrival; a compared point is no evaluation."""
    given = study(replace(quick, initial=5), rows=7)
    pair = Comparison((0.25, 0.75), given.evaluations[0].values)
    found = went(replace(given, comparisons=[pair]))
    assert [step.rows for step in found.steps] == [5, 6, 7]
    assert found.steps[0].gain != went(given).steps[0].gain


@pytest.mark.parametrize(
    ("number", "fits_made", "first"),
    [(1, 1, 1), (3, 1, 3), (5, 1, 5), (6, 2, 5), (20, 16, 5), (54, 50, 5), (400, 50, 5), (401, 10, 5), (1000, 10, 5)],
)
def test_after_how_many_results_the_model_is_fitted(number: int, fits_made: int, first: int, quick: Method) -> None:
    """After each where they are few, a few times where they are many; once before the initial design is complete."""
    row = Evaluation((0.5, 0.5), None)
    numbers = fitted_numbers(StepInput(unit_problem(2, replace(quick, initial=5)), [row] * number))
    assert (len(numbers), numbers[0], numbers[-1]) == (fits_made, first, number)
    assert numbers == sorted(set(numbers))
    gaps = np.diff(numbers)
    assert not len(gaps) or gaps.max() - gaps.min() <= 1


def test_more_results_than_the_model_sees(quick: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of each fit are those that it is made of, at most so many."""
    monkeypatch.setattr(step_input, "MOST_ROWS", 8)
    problem: Problem = unit_problem(1, replace(quick, initial=4))
    x = np.linspace(0.0, 1.0, 11)
    found = went(StepInput(problem, evaluations([(v,) for v in x], [abs(v - 0.3) for v in x])))
    assert [step.rows for step in found.steps] == [4, 5, 6, 7, 8, 8, 8, 8]
    assert len(found.greedy) == 8
