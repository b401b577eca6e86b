"""Which evaluations the model sees where there are too many."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from ordbo_cli.method import Method
from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.search import belief, predict, propose
from ordbo_cli.search.thinning import thinned
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
    monkeypatch.setattr(belief, "thinned", partial(thinned, most=20))
    x = [k / 50 for k in np.random.default_rng(3).permutation(51) if k != 31]
    problem = Problem((Parameter("x", 0.0, 1.0, step=0.02),), method=quick)
    proposal = propose(problem, evaluations([(value,) for value in x], [abs(value - 0.6) for value in x]), [], 60)
    assert proposal.values == (0.62,)
    assert (proposal.diagnostics["rows"], proposal.diagnostics["left_out"]) == (20, 30)
    X, y = random_study(60, 2, seed=3)
    order = np.argsort(y)
    told = predict(unit_problem(2, quick), evaluations(X, y), [X[order[0]], X[order[-1]]])
    assert told[0].rank < 20
    assert told[1].rank > 40
