"""Which evaluations the model sees where there are too many."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.problem.method import Method
from ordbo_cli.search import surrogate as surrogate_module
from ordbo_cli.search.prediction import predict
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput, left_out, newest_pending, thinned
from tests.unit.search.conftest import evaluations, random_study, unit_problem


def test_few_rows_stay_as_they_are(quick: Method) -> None:
    """Up to the bound, which is counted in."""
    X, y = random_study(20, 2, seed=1)
    rows = evaluations(X, y)
    assert thinned(unit_problem(2, quick), rows, most=20) == rows


@pytest.mark.parametrize("most", [6, 20, 21, 59])
def test_the_first_the_best_and_the_newest_stay(quick: Method, most: int) -> None:
    """In order of arrival; of the rest, every rank has its turn, failures included."""
    X, y = random_study(60, 2, seed=1)
    rows = evaluations(X, [None if k % 6 == 0 else value for k, value in enumerate(y)])
    kept = thinned(unit_problem(2, quick), rows, most=most)
    places = [rows.index(row) for row in kept]
    assert len(kept) == most
    assert places == sorted(places)
    assert places[:5] == [0, 1, 2, 3, 4]
    best_first = sorted((row for row in rows if row.objective is not None), key=lambda row: row.objective or 0)
    assert best_first[0] in kept
    if most >= 20:
        assert all(row in kept for row in [*best_first[:8], *rows[-5:]])
        assert any(row.objective is None for row in kept)
        assert any(row in kept for row in best_first[30:])


def test_an_increasing_transform_keeps_the_same_rows(quick: Method) -> None:
    """Only order and arrival count."""
    X, y = random_study(60, 2, seed=2)
    one = thinned(unit_problem(2, quick), evaluations(X, y), most=20)
    other = thinned(unit_problem(2, quick), evaluations(X, list(np.exp(np.array(y) / max(y)))), most=20)
    assert [row.values for row in one] == [row.values for row in other]


def test_a_step_on_too_many_rows(quick: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """The model sees some, no point is tried twice, and ranks are told among all results."""
    monkeypatch.setattr(surrogate_module, "thinned", partial(thinned, most=20))
    x = [k / 50 for k in np.random.default_rng(3).permutation(51) if k != 31]
    problem = Problem((Parameter("x", 0.0, 1.0, step=0.02),), method=quick)
    proposal = propose(
        StepInput(problem, evaluations([(value,) for value in x], [abs(value - 0.6) for value in x]), [], 60)
    )
    assert proposal.values == (0.62,)
    assert (proposal.record.rows, proposal.record.left_out) == (20, 30)
    X, y = random_study(60, 2, seed=3)
    order = np.argsort(y)
    told = predict(StepInput(unit_problem(2, quick), evaluations(X, y)), [X[order[0]], X[order[-1]]])
    assert told[0].rank < 20
    assert told[1].rank > 40


@pytest.mark.slow
def test_exploring_takes_turns_by_the_number_of_all_rows(quick: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number that the model sees stays the same from step to step, and is no turn."""
    monkeypatch.setattr(surrogate_module, "thinned", partial(thinned, most=10))
    monkeypatch.setattr(surrogate_module, "newest_pending", partial(newest_pending, most=3))
    problem = unit_problem(2, replace(quick, explore_every=3))
    X, y = random_study(24, 2, seed=4)
    rows, out = evaluations(X[:18], y[:18]), [tuple(x) for x in X[18:]]
    kinds = [propose(StepInput(problem, rows[:n], [], n)).record.kind for n in range(13, 18)]
    assert kinds == ["explore" if (n - 4) % 3 == 0 else "acquire" for n in range(13, 18)]
    kinds = [propose(StepInput(problem, rows[:14], out[:n], 14 + n)).record.kind for n in range(1, 6)]
    assert kinds == ["explore" if (n + 10) % 3 == 0 else "acquire" for n in range(1, 6)]


def test_of_too_many_pending_points_the_newest_are_seen(quick: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step's memory does not grow with their square, and the older ones are still not suggested again."""
    points = [(float(k), 0.0) for k in range(5)]
    assert (newest_pending(points, most=5), newest_pending(points, most=2)) == (points, points[3:])
    monkeypatch.setattr(surrogate_module, "newest_pending", partial(newest_pending, most=2))
    problem = Problem((Parameter("n", 0, 9, type="int"),), method=quick)
    out = [(k,) for k in range(9) if k != 4]
    found = propose(StepInput(problem, evaluations([(9,)], [1]), out, 9))
    assert found.values == (4,)
    assert (found.record.left_out, found.record.pending_left_out) == (0, 6)
    known = surrogate_module.Rows.of(problem, evaluations([(9,)], [1]), out)
    assert (known.points, known.number) == ([(9.0,), *out[-2:]], 9)


def test_the_number_of_rows_left_out(quick: Method) -> None:
    """Counted beyond the bound."""
    rows = evaluations(*random_study(12, 2, seed=1))
    assert [left_out(rows, most=most) for most in (5, 11, 12, 13)] == [7, 1, 0, 0]
