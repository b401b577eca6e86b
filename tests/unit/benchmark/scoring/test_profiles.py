"""Data profiles of courses whose targets are counted by hand."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.benchmark.scoring.profiles import TARGETS, profiles, targets_met
from ordbo_cli.benchmark.scoring.results import Results

# Two initial points, the best of which has regret 10: targets are 10^0.8, 10^0.6, ... 10^-5.
COURSES = {
    "steady": [[1e3, 10.0, 9.0, 1.0, 1e-3, 1e-5]],
    "lucky": [[1e3, 10.0, 1e-5, 5.0, 5.0, 5.0]],
    "lazy": [[1e3, 10.0, 10.0, 10.0, 10.0, 10.0]],
}


def results_of(precision: float = 1e-8, budgets: tuple[int, ...] = (6,)) -> Results:
    regrets = {("p", method): np.array(rows) for method, rows in COURSES.items()}
    return Results(regrets, 2, {}, {"p": precision}, budgets)


def test_targets_go_down_to_a_millionth() -> None:
    """Thirty, five a decade, none of which the start meets."""
    assert len(TARGETS) == 30
    assert (TARGETS[0], TARGETS[-1]) == pytest.approx((10**-0.2, 1e-6))


def test_shares_by_hand() -> None:
    """A tenth of the start's regret is five targets of thirty, a ten-thousandth twenty; what was met stays met."""
    found = results_of()
    np.testing.assert_allclose(targets_met(found, "p", "steady"), [[0, 0, 0, 5 / 30, 20 / 30, 1]])
    np.testing.assert_allclose(targets_met(found, "p", "lucky"), [[0, 0, 1, 1, 1, 1]])
    np.testing.assert_array_equal(targets_met(found, "p", "lazy"), np.zeros((1, 6)))


def test_figures_at_budgets() -> None:
    """The share at each budget, and its mean over the evaluations after the initial ones."""
    steady, lucky, lazy = profiles(results_of(budgets=(4, 6)))
    assert steady.solved == pytest.approx({4: 5 / 30, 6: 1.0})
    assert steady.area == pytest.approx({4: 2.5 / 30, 6: (0 + 5 + 20 + 30) / 120})
    assert (lucky.area[6], lazy.area[6], lazy.solved[6]) == (1.0, 0.0, 0.0)


def test_nothing_below_the_precision_is_asked_for() -> None:
    """Who comes down to the precision has met all targets: those below it count as it."""
    np.testing.assert_allclose(targets_met(results_of(1e-3), "p", "steady")[0, 4], 1.0)
    np.testing.assert_allclose(targets_met(results_of(2e-4), "p", "steady")[0, 4], 20 / 30)


def test_problems_and_seeds_weigh_the_same() -> None:
    """The mean over both, whatever the units of a problem."""
    regrets = {("p", "m"): np.array([[1.0, 0.1], [1.0, 1.0]]), ("q", "m"): np.array([[1e9, 1e9], [1e9, 1e9]])}
    (found,) = profiles(Results(regrets, 1, {}, {"p": 1e-8, "q": 1e-8}, (2,)))
    assert found.solved[2] == pytest.approx(5 / 30 / 4)
