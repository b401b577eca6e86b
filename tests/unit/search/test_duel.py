"""Comparisons in the search: what the model makes of them, and the next two points to compare."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from decimal import Decimal
from typing import get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordbo_cli.errors import DataError, ExhaustedError
from ordbo_cli.insight.inspection import View
from ordbo_cli.insight.invariance import invariance_of
from ordbo_cli.problem import Comparison, Evaluation, Number, Parameter, Problem
from ordbo_cli.problem.constraints import Constraint
from ordbo_cli.problem.method import PRESETS, Method, Posterior
from ordbo_cli.search.duel import Duel, propose_duel
from ordbo_cli.search.prediction import incumbent, predict
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import fit_surrogate
from tests.bench.duels import FUNCTIONS, GOOD, better_share, incumbents
from tests.unit.search.conftest import reasons_of

LINE = Problem((Parameter("x", 0.0, 1.0),))
SQUARE = Problem((Parameter("x", 0.0, 1.0), Parameter("y", 0.0, 1.0)))
MIXED = Problem(
    (
        Parameter("x", 0.0, 1.0, step=0.25),
        Parameter.of_levels("wall", ["sa", "sst", "ke"], "categorical"),
        Parameter("blades", 3, 9, "int"),
    ),
)
THREE = [((0.1,), (0.5,)), ((0.5,), (0.9,)), ((0.1,), (0.9,))]


def pairs(of: Sequence[tuple[tuple[Number, ...], tuple[Number, ...]]], tie: bool = False) -> list[Comparison]:
    """Return comparisons, the better point first."""
    return [Comparison(better, worse, tie) for better, worse in of]


def means(problem: Problem, comparisons: Sequence[Comparison], points: Sequence[tuple[Number, ...]]) -> list[float]:
    """Return the means of the latent function."""
    return [found.mean for found in predict(StepInput(problem, (), comparisons=comparisons), points)]


def judged(problem: Problem, duels: int, seed: int = 0, noise: float = 0.0) -> tuple[list[Duel], list[Comparison]]:
    """Return duels and their answers, of a judge who wants all parameters in their middles."""
    rng = np.random.default_rng(seed)
    found: list[Comparison] = []
    asked: list[Duel] = []
    low, high = (np.array(ends, dtype=np.float64) for ends in zip(*((p.min, p.max) for p in problem.free), strict=True))

    def cost(point: tuple[Number, ...]) -> float:
        return float(np.sum(((np.array(point) - low) / (high - low) - 0.5) ** 2))

    for step in range(duels):
        fit = asked[-1].challenger.fit if asked else None
        asked.append(propose_duel(StepInput(problem, (), (), step, fit, comparisons=found)))
        one, two = asked[-1].first, asked[-1].challenger.values
        right = cost(one) < cost(two)
        found.append(Comparison(one, two) if right != (rng.random() < noise) else Comparison(two, one))
    return asked, found


@pytest.mark.parametrize("posterior", get_args(Posterior))
def test_answers_order_the_points(posterior: Posterior) -> None:
    """What was found to be better has the lower mean, and nothing else than answers is needed for that."""
    problem = dataclasses.replace(LINE, method=Method(posterior=posterior))
    low, middle, high = means(problem, pairs(THREE), [(0.1,), (0.5,), (0.9,)])
    assert low < middle - 0.1
    assert middle < high - 0.1


def test_a_tie_has_no_side() -> None:
    """Which point of a tie is called the better says nothing; a tie brings two points together."""
    one, two = ([Comparison(*pair, True)] for pair in (((0.1,), (0.9,)), ((0.9,), (0.1,))))
    points = [(0.1,), (0.9,)]
    assert means(LINE, one, points) == means(LINE, two, points)
    apart = pairs([((0.1,), (0.9,))])
    far = np.diff(means(LINE, apart, points))[0]
    assert abs(np.diff(means(LINE, [*apart, *one, *one], points))[0]) < 0.8 * far


@pytest.mark.slow
@settings(max_examples=20)
@given(st.permutations(range(5)))
def test_the_order_of_answers_changes_nothing(order: list[int]) -> None:
    """The model is fitted to a set of answers; repeated and contradicting ones are in it too."""
    answers = pairs([*THREE, THREE[0], ((0.9,), (0.1,))])
    points = [(0.1,), (0.3,), (0.9,)]
    plain = means(LINE, answers, points)
    assert means(LINE, [answers[k] for k in order], points) == pytest.approx(plain, abs=0.02)


def test_results_and_comparisons_add_up() -> None:
    """A point without a result finds its place among those with one by comparison with them."""
    evaluations = [Evaluation((x,), Decimal(y)) for x, y in ((0.1, 1), (0.5, 2), (0.9, 3))]
    before = predict(StepInput(LINE, evaluations), [(0.7,)])[0]
    after = predict(StepInput(LINE, evaluations, comparisons=pairs([((0.7,), (0.1,)), ((0.7,), (0.5,))])), [(0.7,)])[0]
    assert after.mean < before.mean - 0.3
    assert after.rank < before.rank
    assert incumbent(StepInput(LINE, evaluations, comparisons=pairs([((0.7,), (0.1,))] * 5))).values == (0.7,)


def test_the_first_duel_is_of_two_points_of_the_initial_design() -> None:
    """Nothing is known yet; both are new, and differ."""
    duel = propose_duel(StepInput(SQUARE, (), (), 0))
    assert duel.first == propose(StepInput(SQUARE, (), (), 0)).values
    assert duel.challenger.values != duel.first
    assert duel.challenger.record.kind == "initial"


@pytest.mark.slow
@pytest.mark.parametrize("problem", [SQUARE, MIXED])
def test_the_incumbent_meets_a_new_point(problem: Problem) -> None:
    """After the first one each duel is between the lowest mean and a point that nobody has seen, inside the bounds."""
    asked, found = judged(problem, 12)
    seen: set[tuple[Number, ...]] = set()
    for k, duel in enumerate(asked):
        if k:
            known = StepInput(problem, fit=duel.challenger.fit, comparisons=found[:k])
            assert duel.first == incumbent(known).values
        assert duel.challenger.values not in {*seen, duel.first}
        for point in (duel.first, duel.challenger.values):
            assert all(p.min <= x <= p.max for p, x in zip(problem.free, point, strict=True))
            assert problem.canonical(point) == point
        seen |= {duel.first, duel.challenger.values}
    challengers = [duel.challenger for duel in asked]
    json.dumps([(each.fit, each.record.to_dict()) for each in challengers], allow_nan=False)


@pytest.mark.slow
def test_duels_heed_constraints_and_what_was_given_up() -> None:
    """No point of a duel violates a constraint, and none is one that was abandoned."""
    constraint = Constraint.parse("x + y <= 0.9", SQUARE.free)
    problem = dataclasses.replace(SQUARE, constraints=(constraint,))
    asked, _ = judged(problem, 10)
    assert all(sum(point) <= 0.9 for duel in asked for point in (duel.first, duel.challenger.values))
    again = propose_duel(StepInput(problem, (), (), 0, avoid=[asked[0].first]))
    assert asked[0].first not in (again.first, again.challenger.values)


def test_a_finite_space_runs_out() -> None:
    """Where every point was compared there is no challenger; under noise one comes again, against another."""
    small = Problem((Parameter("blades", 3, 5, "int"),))
    answers = pairs([((3,), (4,)), ((4,), (5,))])
    with pytest.raises(ExhaustedError):
        propose_duel(StepInput(small, (), (), 3, comparisons=answers))
    noisy = dataclasses.replace(small, noise=True)
    duel = propose_duel(StepInput(noisy, (), (), 3, comparisons=answers))
    assert duel.first == (3,)
    assert duel.challenger.values in {(4,), (5,)}


def test_a_compared_point_is_not_suggested_again() -> None:
    """It was tried: the next evaluation is elsewhere, also in a space with few points."""
    small = Problem((Parameter("blades", 3, 5, "int"),))
    assert propose(StepInput(small, (), (), 2, comparisons=pairs([((3,), (5,))]))).values == (4,)


def test_a_point_that_failed_is_no_incumbent() -> None:
    """Whoever preferred it did not see that."""
    failed = [Evaluation((0.1,), None)]
    assert incumbent(StepInput(LINE, failed, comparisons=pairs(THREE))).values != (0.1,)
    with pytest.raises(DataError):
        incumbent(StepInput(LINE, failed))


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["default", "metric-free"])
def test_transforms_of_inputs_keep_the_next_point(preset: str) -> None:
    """Comparisons keep the promise: the cell follows from order and arrival where the settings are metric-free."""
    problem = dataclasses.replace(SQUARE, method=PRESETS[preset])
    asked, found = judged(problem, 8)
    trials = invariance_of(StepInput(problem, (), step=8, fit=asked[-1].challenger.fit, comparisons=found)).trials
    assert {trial.outcome for trial in trials} <= {"same", "rounded"}
    assert bool(trials) == (preset == "metric-free")


@pytest.mark.slow
def test_what_is_seen_and_explained_without_any_result() -> None:
    """A view of comparisons alone says why the next point comes, and how many points there are to beat."""
    asked, found = judged(SQUARE, 8)
    seen = StepInput(SQUARE, (), step=8, fit=asked[-1].challenger.fit, comparisons=found)
    view = View.of(seen, explain=True)
    assert view.suggestion is not None
    reasons = reasons_of(view.suggestion)
    assert reasons.distinct_results == 9
    assert reasons.expected_rank is not None
    assert 1.0 <= reasons.expected_rank <= 10.0
    assert reasons.weights == ()


def test_very_many_comparisons_are_thinned() -> None:
    """Of more than five hundred the newest count."""
    answers = pairs([((k / 1000,), (k / 1000 + 0.001,)) for k in range(600)])
    assert list(StepInput(LINE, comparisons=answers).rows.comparisons) == answers[100:]
    assert len(fit_surrogate(StepInput(LINE, (), comparisons=answers[-30:])).fit.comparisons) == 30


@pytest.mark.slow
def test_duels_before_a_noisy_judge_find_the_best() -> None:
    """One wrong answer in ten: after 40 duels the incumbent is in the best 5% of the square, in 8 of 10 searches."""
    ends = []
    for seed in range(10):
        *_, last = incumbents(FUNCTIONS["branin"], Method(), seed, 40)
        ends.append(better_share(FUNCTIONS["branin"], last))
    assert sum(end <= GOOD for end in ends) >= 8
