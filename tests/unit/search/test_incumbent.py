"""The point that is held to be the best: by mean, and what others have to beat under noise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest

from ordbo_cli.errors import DataError
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Evaluation
from ordbo_cli.problem.method import Method
from ordbo_cli.search.incumbent import lowest, succeeded
from ordbo_cli.search.prediction import expected_at, incumbent, predict
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from tests.unit.search.conftest import evaluations, unit_problem

# At 0.9 one lucky result, the best of all, among bad ones; at 0.3 three good ones.
LUCKY = [(0.0, 9), (1.0, 8), (0.9, 0), (0.3, 1), (0.3, 2), (0.3, 1.5), (0.9, 7), (0.9, 7.5), (0.9, 6.5), (0.6, 5)]


def study(rows: Sequence[tuple[float, object]]) -> list[Evaluation]:
    return evaluations([(x,) for x, _ in rows], [y for _, y in rows])


def test_one_lucky_result_does_not_make_the_incumbent(quick: Method) -> None:
    """Of the tried points the one with the lowest mean is chosen, as the model's own predictions have it."""
    problem, rows = unit_problem(1, quick, noise=True), study(LUCKY)
    found = incumbent(StepInput(problem, rows))
    assert found.values == (0.3,)
    means = {x: predict(StepInput(problem, rows), [(x,)])[0] for x in (0.0, 0.3, 0.6, 0.9, 1.0)}
    assert min(means, key=lambda x: means[x].mean) == 0.3
    assert (found.mean, found.rank) == pytest.approx((means[0.3].mean, means[0.3].rank), abs=1e-9)


@pytest.mark.parametrize(("noise", "best", "other"), [(True, 0.3, 0.9), (False, 0.9, 0.3)])
def test_others_are_compared_with_the_incumbent(quick: Method, noise: bool, best: float, other: float) -> None:
    """Under noise a point has to beat the lowest mean; without, the best evaluation's point. Neither beats itself."""
    problem, rows = unit_problem(1, quick, noise=noise), study(LUCKY)
    chance = {x: predict(StepInput(problem, rows), [(x,)])[0].improvement for x in (0.3, 0.9)}
    assert chance[best] == 0.0
    assert chance[other] > 0.0


def test_what_a_proposals_own_model_compares_with(quick: Method) -> None:
    """The incumbent of its own rows: a point that came since is not in its fit."""
    problem, rows = unit_problem(1, quick, noise=True), study(LUCKY)
    proposal = propose(StepInput(problem, rows, [], len(rows)))
    assert proposal.fit is not None
    there = replace(proposal, values=(0.3,))
    expected = expected_at(StepInput(problem, rows), there)
    later = expected_at(StepInput(problem, [*rows, *study([(0.45, 0.5)])]), there)
    assert expected is not None
    assert later is not None
    assert (expected.improvement, later.improvement) == (0.0, 0.0)
    assert later.mean == expected.mean


def test_only_successes_inside_the_bounds_count(quick: Method) -> None:
    """Neither a better point outside, nor a failure in a good place, nor one that is infinitely bad."""
    problem, rows = unit_problem(1, quick), study([(0, 9), (1, 2), (1.5, 0), (1.4, 1), (0.5, None), (0.4, "Infinity")])
    assert incumbent(StepInput(problem, rows)).values == (1.0,)
    assert succeeded(StepInput(problem, rows).rows) == {(0.0,): 1, (1.0,): 1}
    with pytest.raises(DataError, match="inside the bounds"):
        incumbent(StepInput(unit_problem(1, quick), study([(1.5, 0), (0.5, None), (0.2, "Infinity")])))


def test_of_equal_means_the_point_with_more_results_counts_then_the_earlier_one(quick: Method) -> None:
    """A model that tells nothing apart leaves the choice to them."""
    problem = unit_problem(1, quick, noise=True)
    for places, best in (((0.2, 0.8, 0.8), 0.8), ((0.8, 0.2), 0.8), ((0.2, 0.8), 0.2)):
        rows = study([(x, 1) for x in places])
        fit = Fit.from_dict(propose(StepInput(problem, [*rows, *study([(0.5, 1)] * 9)], [], 9)).fit or {}, 1)
        assert fit is not None

        class Flat:
            def means(self, s: Array) -> Array:
                return np.zeros(len(s))

        found = lowest(fit, Flat(), StepInput(problem, rows).rows)  # type: ignore[arg-type]  # all that it asks
        assert found is not None
        assert found[1] == (best,)
