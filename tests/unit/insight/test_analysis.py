"""The figures of Section 4 at each step, against computations from the fits alone; the bound on movement at work."""

from __future__ import annotations

import itertools
import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ordbo_cli.insight import theory
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.kernels import KERNELS, distances
from ordbo_cli.problem import Evaluation, Parameter, Problem
from ordbo_cli.problem.method import PRESETS, BetaSchedule, GapPrior, Method
from ordbo_cli.search import beta_schedule
from ordbo_cli.search.cells.next_cell import lower_bound
from ordbo_cli.search.latent_axes import LatentAxes
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import Rows, StepInput
from ordbo_cli.search.surrogate import fit_surrogate
from ordbo_cli.study import Optimizer
from tests.unit.search.conftest import evaluations, random_study, unit_problem


def valley(x: tuple[float, ...]) -> float:
    """Return an ill-conditioned valley's value."""
    return float(sum(10.0**j * (v - 0.3) ** 2 for j, v in enumerate(x)))


def walked(problem: Problem, steps: int, at_once: int = 1) -> list[tuple[dict[str, Any], Fit]]:
    """Return the words on each step with a model, and its fit, of a search whose results come some at a time."""
    optimizer = Optimizer(problem)
    found = []
    for _ in range(steps // at_once):
        points = []
        for _ in range(at_once):
            points.append(optimizer.ask())
            assert optimizer.last is not None
            if optimizer.last.fit is not None:
                fit = Fit.from_dict(optimizer.last.fit, len(problem.free))
                assert fit is not None
                found.append((optimizer.last.diagnostics, fit))
        for point in points:
            optimizer.tell(point, valley(tuple(map(float, point.values))))
    return found


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
    for (_, before), (words, now) in itertools.pairwise(steps):
        old, new, n = scaled(before), scaled(now), len(now.rank)
        moved = max(float(np.linalg.norm(new[x] - old[x])) for x in old)
        allowed = 0.3 * dimension / n
        assert moved <= allowed * (1.0 + 1e-9)
        assert words["analysis"]["moved"] <= allowed * (1.0 + 1e-9)
        assert words["analysis"]["moved"] >= moved - 1e-12  # new points count, too, from where the old warp has them
        share.append(moved / allowed)
    assert max(share) > 0.2


@pytest.mark.slow
def test_without_a_drift_points_go_farther(quick: Method) -> None:
    """So the bound above is one that binds."""
    steps = walked(unit_problem(2, replace(quick, initial=5)), 20)
    farthest = [words["analysis"]["moved"] * words["rows"] / 2 for words, _ in steps[1:]]
    assert max(farthest) > 0.3


def test_a_first_fit_has_static_figures(quick: Method) -> None:
    """Gain and variances of its rows by their places, by definition; nothing has moved."""
    X, y = random_study(9, 2, 0)
    words = propose(StepInput(unit_problem(2, quick), evaluations(X, y), [], 9)).diagnostics
    fit = fit_surrogate(*some_rows(X, y, quick), None).fit
    figures = words["analysis"]
    K = KERNELS["matern32"].value(distances(fit.S, fit.S))
    gain = 0.5 * np.linalg.slogdet(np.eye(9) + K / fit.sigma**2)[1]
    assert figures["gain"] == pytest.approx(gain, rel=1e-8)
    assert figures["new"] == 9
    by_hand = 1.0 + sum(regression_variance(fit.S[:i], fit.S[i : i + 1], fit.sigma) for i in range(1, 9))
    assert figures["new_variance"] == pytest.approx(by_hand, rel=1e-8)
    assert not {"moved", "gain_unmoved"} & set(figures)
    assert figures["beta"] == quick.beta


def some_rows(X: Array, y: list[float], method: Method) -> tuple[Rows, LatentAxes]:
    """Return rows of a study on the unit box, and the layout of its model."""
    problem = unit_problem(X.shape[1], method)
    return Rows.of(problem, evaluations(X, y), ()), LatentAxes(problem)


@pytest.mark.parametrize("settings", [{}, {"drift": 0.2}, {"warm": False}, {"posterior": "full"}], ids=repr)
def test_a_later_fit_counts_what_is_new_and_what_moved(settings: dict[str, Any], quick: Method) -> None:
    """Two rows more: their variances where the old warp has them, and the gain before and after the points moved."""
    method = replace(quick, **settings)
    X, y = random_study(12, 2, 1)
    before = fit_surrogate(*some_rows(X[:10], y[:10], method), None).fit
    words = propose(StepInput(unit_problem(2, method), evaluations(X, y), [], 12, before.to_dict())).diagnostics
    rows, latent_axes = some_rows(X, y, method)
    now = fit_surrogate(rows, latent_axes, before).fit
    figures = words["analysis"]
    assert figures["new"] == 2
    lengths = np.array([s[-1] for s in now.coordinates])
    old = scaled(before)
    S = np.array([old[tuple(x)] for x in X[:10].tolist()]) * lengths
    order = sorted(range(10), key=lambda i: tuple(X[i]))
    assert figures["gain_unmoved"] >= theory.information_gain(theory.covariance("matern32", S[order]), now.sigma) - 1e-9
    assert 0.0 < figures["new_variance"] < 2.0
    gained = figures["gain_unmoved"] - theory.information_gain(theory.covariance("matern32", S[order]), now.sigma)
    # The chain rule: what two new rows of these variances add lies between both extremes of how they share their sum.
    total = figures["new_variance"] / now.sigma**2
    assert 0.5 * math.log1p(total) - 1e-6 <= gained <= math.log1p(0.5 * total) + 1e-6
    moved = max(float(np.linalg.norm(scaled(now)[x] - old[x])) for x in old)
    assert figures["moved"] >= moved - 1e-12
    assert figures["gain"] == pytest.approx(theory.information_gain(theory.covariance("matern32", now.S), now.sigma))


def test_a_fit_that_stands_has_nothing_new(quick: Method) -> None:
    """The second point of a batch comes from the same fit."""
    X, y = random_study(8, 2, 2)
    problem = unit_problem(2, quick)
    first = propose(StepInput(problem, evaluations(X, y), [], 8))
    second = propose(StepInput(problem, evaluations(X, y), [first.values], 9, first.fit))
    figures = second.diagnostics["analysis"]
    assert (figures["new"], figures["new_variance"], figures["moved"]) == (0, 0.0, 0.0)
    assert figures["gain"] == pytest.approx(figures["gain_unmoved"], rel=1e-12)


def test_replicates_and_failures_count_as_rows(quick: Method) -> None:
    """A point that was evaluated twice tells more than once; of three rows at a place that is known, two are new."""
    X, y = random_study(6, 1, 3)
    problem = unit_problem(1, quick, noise=True)
    first = propose(StepInput(problem, evaluations(X, y), [], 6))
    again = [*evaluations(X, y), *(Evaluation(tuple(map(float, X[2])), None) for _ in range(2))]
    figures = propose(StepInput(problem, again, [], 8, first.fit)).diagnostics["analysis"]
    assert figures["new"] == 2
    assert figures["gain"] > 0.0


@pytest.mark.parametrize("scale", [1.0, 0.1])
def test_beta_follows_the_schedule(scale: float, quick: Method) -> None:
    """Row by row, what is out counted, by the lengths of this step's box; and no factor for pending points."""
    schedule = BetaSchedule(scale=scale, delta=0.2)
    method = replace(quick, beta=schedule)
    X, y = random_study(8, 2, 4)
    problem = unit_problem(2, method)
    proposal = propose(StepInput(problem, evaluations(X, y), [(0.5, 0.25)], 9))
    surrogate = fit_surrogate(StepInput(problem, evaluations(X, y), [(0.5, 0.25)]))
    expected = beta_schedule.multiplier(schedule, 10, "matern32", surrogate.lengths)
    assert lower_bound(surrogate, method).beta == expected
    assert proposal.diagnostics["analysis"]["beta"] == pytest.approx(expected)
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
        proposal = propose(StepInput(problem, evaluations(X[:n], y[:n]), [], n, fit))
        fit = proposal.fit
        if n > 8:
            assert proposal.diagnostics["analysis"]["moved"] <= 0.2 * 2 / n * (1.0 + 1e-9)
