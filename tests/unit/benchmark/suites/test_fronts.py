"""The test problems of several objectives: their fronts are fronts, copies keep order, and all can be sent away."""

import pickle
from collections import Counter

import numpy as np
import pytest

from ordbo_cli.benchmark.suites.fronts.front_problem import FrontProblem
from ordbo_cli.benchmark.suites.fronts.front_suite import FRONTS
from ordbo_cli.benchmark.suites.fronts.sampling import best_of, not_dominated
from ordbo_cli.ordinal.linalg import Array

ORIGINS = [one for one in FRONTS.values() if one.origin is None]
COPIES = [one for one in FRONTS.values() if one.origin is not None]


def some_values(problem: FrontProblem, number: int = 3000) -> tuple[Array, Array]:
    """Return points drawn at random that succeed, and their values without distortion."""
    low, high = np.array(problem.bounds).T
    drawn = low + (high - low) * np.random.default_rng(5).random((number, len(low)))
    found = [(x, y) for x in drawn.tolist() if (y := problem.true(x)) is not None]
    return np.array([x for x, _ in found]), np.array([y for _, y in found])


@pytest.mark.parametrize("problem", ORIGINS, ids=lambda one: one.name)
def test_nothing_drawn_at_random_is_beyond_the_front_in_every_objective(problem: FrontProblem) -> None:
    """No value is better than a point of the front by a hundredth of its extent in every objective."""
    assert np.array_equal(not_dominated(problem.front), problem.front[np.lexsort(problem.front.T[::-1])])
    assert len(problem.front) <= 300
    _, Y = some_values(problem)
    beyond = Y[:, None, :] < problem.front[None, :, :] - 0.01 * problem.extent
    assert not beyond.all(axis=2).any()


@pytest.mark.parametrize("problem", COPIES, ids=lambda one: one.name)
def test_copies_keep_the_order_of_each_objective(problem: FrontProblem) -> None:
    """Equal and larger values stay so; all but clip tell them apart as before."""
    X, Y = some_values(problem)
    told = np.array([problem.function(x) for x in X.tolist()])
    assert np.isfinite(told).all()
    for before, after in zip(Y.T, told.T, strict=True):
        order = np.argsort(before)
        assert np.all(np.diff(after[order]) >= 0)
        same = len(np.unique(after)) == len(np.unique(before))
        assert same or problem.name.endswith("@clip")
    assert not np.array_equal(told, Y)


def test_failures_tell_no_values() -> None:
    """A point that fails has None, in the function and in what is observed."""
    cliff = FRONTS["cliff_3d"]
    assert cliff.function((0.5, 0.9, 0.5)) is None
    assert cliff.observe((0.5, 0.9, 0.5), 0, 1).outcomes == ()
    assert cliff.observe((0.5, 0.5, 0.5), 0, 1).y == pytest.approx(0.25)


def test_heat_jumps_where_a_flow_becomes_turbulent() -> None:
    """A hair's breadth of the cold flow changes the temperature by degrees."""
    below, above = (FRONTS["heat_exchanger_4d"].function((20.0, 10.0, 5.0, flow)) for flow in (0.06, 0.061))
    assert below is not None
    assert above is not None
    assert below[1] - above[1] > 1.0


def test_both_halves_have_every_kind_and_three_objectives() -> None:
    """What settings are chosen by and what they are judged by are alike."""
    for tune in (True, False):
        half = [one for one in FRONTS.values() if one.tune == tune]
        assert set(Counter(one.kind for one in half)) == {"smooth", "jumps", "fails", "distorted"}
        assert any(one.objectives == 3 for one in half)


@pytest.mark.parametrize("problem", FRONTS.values(), ids=lambda one: one.name)
def test_a_problem_can_be_sent_to_another_process(problem: FrontProblem) -> None:
    """A copy that was sent asks and tells the same."""
    sent = pickle.loads(pickle.dumps(problem))  # noqa: S301  it is our own
    point = [low + 0.4 * (high - low) for low, high in problem.bounds]
    assert sent.problem() == problem.problem()
    assert len(problem.problem().goals) == problem.objectives
    assert sent.function(point) == problem.function(point)


def test_the_best_of_many_are_spread_out() -> None:
    """Of a line of trades that many points crowd one end of, both ends and the middle are kept."""
    t = np.concatenate([np.linspace(0.0, 0.01, 500), np.linspace(0.0, 1.0, 11)])
    kept = best_of(np.column_stack([t, 1.0 - t]), 5)
    assert len(kept) == 5
    assert {0.0, 1.0} <= set(kept[:, 0].tolist())
    assert np.diff(kept[:, 0]).max() <= 0.31
