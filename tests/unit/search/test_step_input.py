"""What a step follows from, and which of its rows the model sees where there are too many."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, replace
from typing import Any

import numpy as np
import pytest

from ordbo_cli.problem import Comparison, Evaluation, Parameter, Problem
from ordbo_cli.problem.method import Method
from ordbo_cli.search import step_input
from ordbo_cli.search.prediction import predict
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.step_rows import thinned
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
    monkeypatch.setattr(step_input, "MOST_ROWS", 20)
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


def test_exploring_takes_turns_by_the_number_of_all_rows(quick: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number that the model sees stays the same from step to step, and is no turn."""
    monkeypatch.setattr(step_input, "MOST_ROWS", 10)
    problem = unit_problem(2, replace(quick, explore_every=3))
    X, y = random_study(24, 2, seed=4)
    rows, out = evaluations(X[:18], y[:18]), [tuple(x) for x in X[18:]]
    kinds = [propose(StepInput(problem, rows[:n], [], n)).record.kind for n in range(13, 18)]
    assert kinds == ["explore" if (n - 4) % 3 == 0 else "acquire" for n in range(13, 18)]
    monkeypatch.setattr(step_input, "MOST_ROWS", 5)
    kinds = [propose(StepInput(problem, rows[:14], out[:n], 14 + n)).record.kind for n in range(1, 7)]
    assert kinds == ["explore" if (n + 10) % 3 == 0 else "acquire" for n in range(1, 7)]


def test_of_too_many_pending_points_the_newest_are_seen(quick: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """A step's memory does not grow with their square, and the older ones are still not suggested again."""
    monkeypatch.setattr(step_input, "MOST_ROWS", 2)
    problem = Problem((Parameter("n", 0, 9, type="int"),), method=quick)
    out = [(k,) for k in range(9) if k != 4]
    given = StepInput(problem, evaluations([(9,)], [1]), out, 9)
    found = propose(given)
    assert found.values == (4,)
    assert (found.record.left_out, found.record.pending_left_out) == (0, 6)
    assert (given.rows.points, given.rows.number) == ([(9.0,), *out[-2:]], 9)


def test_the_number_of_rows_left_out(quick: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """Counted beyond the bound, of results and of what is out."""
    problem, rows = unit_problem(2, quick), evaluations(*random_study(12, 2, seed=1))
    out = [e.values for e in rows]
    for most, beyond in ((5, 7), (11, 1), (12, 0), (13, 0)):
        monkeypatch.setattr(step_input, "MOST_ROWS", most)
        found = StepInput(problem, rows, out).rows
        assert (found.left_out, found.pending_left_out, found.number) == (beyond, beyond, 24)


PAIR = Comparison((0.75, 0.25), (0.1, 0.2))


def given_of(method: Method) -> StepInput:
    """Return a study with results, a failure that is ignored, a comparison and a point that is out."""
    rows = evaluations([(0.1, 0.2), (0.5, 0.5), (0.9, 0.4)], [3, None, 1])
    problem = unit_problem(2, method, failed="ignore")
    return StepInput(problem, rows, [(0.3, 0.3)], 5, comparisons=[PAIR])


def test_nothing_of_it_changes(quick: Method) -> None:
    """It is frozen, and what follows from it is made once."""
    given = given_of(quick)
    with pytest.raises(FrozenInstanceError):
        given.step = 6  # type: ignore[misc]  # what is refused
    assert given.rows is given.rows
    assert given.latent_axes is given.latent_axes
    assert given == replace(given)


def test_its_rows(quick: Method) -> None:
    """Those with a rank, those that the model is fitted to, those of which something is known, and all of them."""
    given = given_of(quick)
    rows = given.rows
    assert [e.values for e in rows.ranked] == [(0.1, 0.2), (0.9, 0.4)]
    assert rows.fitted == [(0.1, 0.2), (0.9, 0.4), (0.75, 0.25)]
    assert given.known == rows.known == [(0.1, 0.2), (0.5, 0.5), (0.9, 0.4), (0.75, 0.25)]
    assert rows.points == [*rows.known, (0.3, 0.3)]
    assert (rows.number, rows.left_out, rows.pending_left_out) == (5, 0, 0)


def test_what_is_known_is_not_thinned(quick: Method, monkeypatch: pytest.MonkeyPatch) -> None:
    """No point is suggested twice, whether the model sees it or not."""
    monkeypatch.setattr(step_input, "MOST_ROWS", 2)
    given = given_of(quick)
    assert len(given.rows.known) == 3
    assert given.known == [(0.1, 0.2), (0.5, 0.5), (0.9, 0.4), (0.75, 0.25)]


def test_without_what_is_out(quick: Method) -> None:
    """All else stays; where nothing is out it is the same."""
    given = given_of(quick)
    settled = given.settled()
    assert settled == replace(given, pending=())
    assert settled.settled() is settled
    assert settled.rows.points == given.rows.known


def test_the_fit_of_the_step_before(quick: Method) -> None:
    """It is read from what a proposal gave; there is none in the initial design."""
    X, y = random_study(7, 2, seed=1)
    given = StepInput(unit_problem(2, quick), evaluations(X, y), step=7)
    fit = propose(given).fit
    assert fit is not None
    previous = replace(given, fit=fit).previous
    assert previous is not None
    assert previous.to_dict() == fit
    assert given.previous is None


NONSENSE: list[dict[str, Any]] = [{}, {"knots": 3}, {"knots": [[0, 1]] * 2}, {"n": 1}, {"value": None, "full": "yes"}]


@pytest.mark.parametrize("fit", NONSENSE, ids=repr)
def test_what_is_no_fit(fit: dict[str, Any], quick: Method) -> None:
    """People edit a state, and problems change: a model starts from nothing then."""
    assert StepInput(unit_problem(2, quick), fit=fit).previous is None


def test_a_fit_of_other_dimensions(quick: Method) -> None:
    """A parameter came or went: no model of this problem starts from it."""
    X, y = random_study(7, 2, seed=1)
    fit = propose(StepInput(unit_problem(2, quick), evaluations(X, y), step=7)).fit
    levels = Parameter.of_levels("s", ["a", "b"], "categorical")
    for other in (unit_problem(1, quick), unit_problem(3, quick), Problem((Parameter("x", 0.0, 1.0), levels))):
        assert StepInput(other, fit=fit).previous is None
    assert StepInput(unit_problem(2, quick), [Evaluation((0.5, 0.5), None)], fit=fit).previous is not None
