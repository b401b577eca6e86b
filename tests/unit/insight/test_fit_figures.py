"""The figures of Section 4 at one fit, against computations from the fits alone; the bound on movement at work."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ordbo_cli.insight import theory
from ordbo_cli.insight.theory_history import FitFigures, figures_of
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.kernels import KERNELS, distances
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Evaluation, Number, Parameter, Problem
from ordbo_cli.problem.method import PRESETS, BetaSchedule, GapPrior, Method
from ordbo_cli.search import beta_schedule
from ordbo_cli.search.cells.worth import lower_bound
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import fit_surrogate
from ordbo_cli.study.optimizer import Optimizer
from tests.unit.search.conftest import evaluations, random_study, unit_problem


def valley(x: tuple[float, ...]) -> float:
    """Return an ill-conditioned valley's value."""
    return float(sum(10.0**j * (v - 0.3) ** 2 for j, v in enumerate(x)))


def walked(problem: Problem, steps: int, at_once: int = 1) -> list[tuple[FitFigures, Fit]]:
    """Return the figures of each step with a model, and its fit, of a search whose results come some at a time."""
    found = []
    results: list[Evaluation] = []
    fit: dict[str, Any] | None = None
    for _ in range(steps // at_once):
        out: list[tuple[Number, ...]] = []
        for _ in range(at_once):
            given = StepInput(problem, tuple(results), tuple(out), len(results) + len(out), fit)
            proposal = propose(given)
            if proposal.fit is not None:
                found.append(figured(given, proposal.fit))
                fit = proposal.fit
            out.append(proposal.values)
        results += evaluations(out, [valley(tuple(map(float, point))) for point in out])
    return found


def figured(given: StepInput, fit: dict[str, Any]) -> tuple[FitFigures, Fit]:
    """Return the figures of a step's fit, and the fit, which stands as it is where nothing has changed since."""
    surrogate = fit_surrogate(replace(given, fit=fit))
    assert surrogate.fit.to_dict() == fit
    return figures_of(given, surrogate), surrogate.fit


def figures(problem: Problem, results: list[Evaluation], fit: dict[str, Any] | None = None) -> FitFigures:
    """Return the figures of a fit to results that starts from another one."""
    given = StepInput(problem, results, fit=fit)
    return figures_of(given, fit_surrogate(given))


def scaled(fit: Fit) -> dict[tuple[float, ...], Array]:
    """Return latent points by their inputs, each axis scaled to 1."""
    S = fit.S / [s[-1] for s in fit.coordinates]
    return {tuple(x): s for x, s in zip(fit.data.inputs.tolist(), S, strict=True)}


def regression_variance(S: Array, s: Array, sigma: float) -> float:
    """Return the variance of Matern 3/2 regression at s [1, D] given noisy values at S, by a system of equations."""
    k = KERNELS["matern32"].value(distances(S, s))[:, 0]
    K = KERNELS["matern32"].value(distances(S, S)) + sigma**2 * np.eye(len(S))
    return float(1.0 - k @ np.linalg.solve(K, k))


@pytest.mark.slow
@pytest.mark.parametrize("dimension", [1, 2, 3, 4])
@pytest.mark.parametrize("at_once", [1, 3])
def test_no_point_moves_farther_than_the_drift_allows(dimension: int, at_once: int, quick: Method) -> None:
    """Over 30 steps, one result at a time or three, with S scaled to the unit box; and points do move."""
    problem = unit_problem(dimension, replace(quick, drift=0.3, initial=5))
    steps = walked(problem, 30, at_once)
    assert len(steps) >= 24
    share = []
    for (_, before), (found, now) in itertools.pairwise(steps):
        old, new, n = scaled(before), scaled(now), len(now.rank)
        moved = max(float(np.linalg.norm(new[x] - old[x])) for x in old)
        allowed = 0.3 * dimension / n
        assert moved <= allowed * (1.0 + 1e-9)
        assert found.moved is not None
        assert found.moved <= allowed * (1.0 + 1e-9)
        assert found.moved >= moved - 1e-12  # new points count, too, from where the old warp has them
        share.append(moved / allowed)
    assert max(share) > 0.2


@pytest.mark.slow
def test_without_a_drift_points_go_farther(quick: Method) -> None:
    """So the bound above is one that binds."""
    steps = walked(unit_problem(2, replace(quick, initial=5)), 20)
    assert max((found.moved or 0.0) * found.rows / 2 for found, _ in steps[1:]) > 0.3


def test_a_first_fit_has_static_figures(quick: Method) -> None:
    """Gain and variances of its rows by their places, by definition; nothing has moved."""
    X, y = random_study(9, 2, 0)
    given = StepInput(unit_problem(2, quick), evaluations(X, y))
    fit = fit_surrogate(given).fit
    found = figures_of(given, fit_surrogate(given))
    K = KERNELS["matern32"].value(distances(fit.S, fit.S))
    gain = 0.5 * np.linalg.slogdet(np.eye(9) + K / fit.sigma**2)[1]
    assert found.gain == pytest.approx(gain, rel=1e-8)
    assert (found.rows, found.new) == (9, 9)
    by_hand = 1.0 + sum(regression_variance(fit.S[:i], fit.S[i : i + 1], fit.sigma) for i in range(1, 9))
    assert found.new_variance == pytest.approx(by_hand, rel=1e-8)
    assert (found.moved, found.gain_unmoved) == (None, None)
    assert found.beta == quick.beta


@pytest.mark.parametrize("settings", [{}, {"drift": 0.2}, {"warm": False}, {"posterior": "full"}], ids=repr)
def test_a_later_fit_counts_what_is_new_and_what_moved(settings: dict[str, Any], quick: Method) -> None:
    """Two rows more: their variances where the old warp has them, and the gain before and after the points moved."""
    problem = unit_problem(2, replace(quick, **settings))
    X, y = random_study(12, 2, 1)
    before = fit_surrogate(StepInput(problem, evaluations(X[:10], y[:10]))).fit
    given = StepInput(problem, evaluations(X, y), fit=before.to_dict())
    now = fit_surrogate(given).fit
    found = figures_of(given, fit_surrogate(given))
    assert found.new == 2
    assert found.moved is not None
    assert found.gain_unmoved is not None
    lengths = np.array([s[-1] for s in now.coordinates])
    old = scaled(before)
    S = np.array([old[tuple(x)] for x in X[:10].tolist()]) * lengths
    order = sorted(range(10), key=lambda i: tuple(X[i]))
    gained = found.gain_unmoved - theory.information_gain(theory.covariance("matern32", S[order]), now.sigma)
    assert gained >= -1e-9
    assert 0.0 < found.new_variance < 2.0
    # The chain rule: what two new rows of these variances add lies between both extremes of how they share their sum.
    total = found.new_variance / now.sigma**2
    assert 0.5 * math.log1p(total) - 1e-6 <= gained <= math.log1p(0.5 * total) + 1e-6
    moved = max(float(np.linalg.norm(scaled(now)[x] - old[x])) for x in old)
    assert found.moved >= moved - 1e-12
    assert found.gain == pytest.approx(theory.information_gain(theory.covariance("matern32", now.S), now.sigma))


def test_a_fit_that_stands_has_nothing_new(quick: Method) -> None:
    """The second point of a batch comes from the same fit."""
    X, y = random_study(8, 2, 2)
    problem = unit_problem(2, quick)
    first = propose(StepInput(problem, evaluations(X, y), [], 8))
    given = StepInput(problem, evaluations(X, y), [first.values], 9, first.fit)
    found = figures_of(given, fit_surrogate(given))
    assert (found.new, found.new_variance, found.moved) == (0, 0.0, 0.0)
    assert found.gain == pytest.approx(found.gain_unmoved, rel=1e-12)


def test_replicates_and_failures_count_as_rows(quick: Method) -> None:
    """A point that was evaluated twice tells more than once; of three rows at a place that is known, two are new."""
    X, y = random_study(6, 1, 3)
    problem = unit_problem(1, quick, noise=True)
    first = fit_surrogate(StepInput(problem, evaluations(X, y))).fit
    again = [*evaluations(X, y), *(Evaluation(tuple(map(float, X[2])), None) for _ in range(2))]
    found = figures(problem, again, first.to_dict())
    assert (found.rows, found.new) == (8, 2)
    assert found.gain > 0.0


@pytest.mark.parametrize("scale", [1.0, 0.1])
def test_beta_follows_the_schedule(scale: float, quick: Method) -> None:
    """Row by row, what is out counted, by the lengths of this step's box; and no factor for pending points."""
    schedule = BetaSchedule(scale=scale, delta=0.2)
    method = replace(quick, beta=schedule)
    X, y = random_study(8, 2, 4)
    problem = unit_problem(2, method)
    given = StepInput(problem, evaluations(X, y), [(0.5, 0.25)])
    surrogate = fit_surrogate(given)
    expected = beta_schedule.multiplier(schedule, 10, "matern32", surrogate.lengths)
    assert lower_bound(surrogate, method).beta == expected
    assert figures_of(given, surrogate).beta == pytest.approx(expected)
    assert expected == pytest.approx(
        math.sqrt(scale * beta_schedule.scheduled_beta(schedule, 10, "matern32", surrogate.lengths))
    )


@pytest.mark.slow
def test_a_schedule_is_a_setting_like_any_other() -> None:
    """A search with it ends as the others do, in every preset, with mixed axes."""
    axes = (Parameter("r", 1e-3, 1e3, scale="log"), Parameter("n", 0, 50, type="int"))
    for name, preset in PRESETS.items():
        method = replace(preset, beta=BetaSchedule(scale=0.1), iterations=25, initial=4)
        optimizer = Optimizer(Problem(axes, method=method, seed=1))
        for _ in range(8):
            suggestion = optimizer.ask()
            optimizer.tell(suggestion, math.log(suggestion.values[0]) ** 2 + suggestion.values[1])
        assert len({e.values for e in optimizer.evaluations}) == 8, name


def test_rows_outside_the_box_keep_to_the_bound(quick: Method) -> None:
    """They are knots beyond the ends of the box; the axis that is scaled to 1 holds them, too."""
    method = replace(quick, drift=0.2, prior=GapPrior(centre="inherited"))
    X, y = random_study(14, 2, 5)
    X[[1, 11]] = [[-0.5, 0.2], [1.7, 1.2]]
    problem = unit_problem(2, method)
    fit: dict[str, Any] | None = None
    for n in range(8, 15):
        given = StepInput(problem, evaluations(X[:n], y[:n]), fit=fit)
        surrogate = fit_surrogate(given)
        fit, moved = surrogate.fit.to_dict(), figures_of(given, surrogate).moved
        assert (moved is None) == (n == 8)
        assert (moved or 0.0) <= 0.2 * 2 / n * (1.0 + 1e-9)
