"""Why a point was chosen: every number against one that is computed in another way."""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Sequence
from dataclasses import replace
from decimal import Decimal

import numpy as np
import pytest
from scipy.stats import norm

from ordbo_cli.insight import explanation as explain
from ordbo_cli.insight.explanation import aim_of
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.problem import Evaluation, Number, Parameter, Problem
from ordbo_cli.problem.method import PRESETS, Method
from ordbo_cli.search import step_input
from ordbo_cli.search.cells.next_cell import ChosenCell
from ordbo_cli.search.prediction import expected_at
from ordbo_cli.search.step import FoundPoint, Proposal, propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.step_record import Aim, Edges, Explanation, Weighing
from tests.unit.search.conftest import bound_of, evaluations, moments_of, random_study, reasons_of, unit_problem


def proposed(
    problem: Problem, rows: Sequence[Evaluation], pending: Sequence[Sequence[Number]] = (), step: int | None = None
) -> Proposal:
    """Return the next point with why it is chosen."""
    number = len(rows) + len(pending) if step is None else step
    return propose(StepInput(problem, rows, pending, number), explain=explain.explained)


def explanation(problem: Problem, rows: Sequence[Evaluation], pending: Sequence[Sequence[Number]] = ()) -> Explanation:
    """Return why the next point is chosen."""
    return reasons_of(proposed(problem, rows, pending))


def model(proposal: Proposal, method: Method, dimension: int) -> tuple[Fit, Posterior]:
    """Return the fitted model behind a proposal."""
    fit = Fit.from_dict(proposal.fit or {}, dimension)
    assert fit is not None
    return fit, fit.posterior(method.kernel)


@pytest.fixture
def chosen(monkeypatch: pytest.MonkeyPatch) -> list[ChosenCell]:
    """What was explained, in order."""
    seen: list[ChosenCell] = []
    plain = explain.explained

    def noted(found: FoundPoint) -> Explanation:
        assert found.chosen is not None
        seen.append(found.chosen)
        return plain(found)

    monkeypatch.setattr(explain, "explained", noted)
    return seen


@pytest.mark.slow
@pytest.mark.parametrize("acquisition", ["lcb", "ei", "thompson"])
@pytest.mark.parametrize("preset", ["default", "metric-free"])
@pytest.mark.parametrize("dimension", [1, 2, 7])
def test_the_point_is_the_same_to_the_last_bit(acquisition: str, preset: str, dimension: int) -> None:
    """Point, fit and the rest of the record: in the initial design, in the search, and with points out.

    The same call may rarely differ from itself by rounding (see docs/limits.md), so it is called again where it
    does; an explanation that changed anything would do so each time.
    """
    method = replace(PRESETS[preset], acquisition=acquisition, iterations=30, placement="random")  # type: ignore[arg-type]  # a literal
    problem = unit_problem(dimension, method)
    X, y = random_study(16, dimension, 3)
    rows, out = evaluations(X, y), [tuple(x) for x in X[14:]]
    for known, pending in ((rows[:2], []), (rows[:13], []), (rows[:14], out), (rows[:16], [])):
        for attempt in range(4):
            plain = propose(StepInput(problem, known, pending, 20))
            told = proposed(problem, known, pending, 20)
            if (told.values, told.fit) == (plain.values, plain.fit) or attempt == 3:
                break
        assert (told.values, told.fit) == (plain.values, plain.fit)
        reasons = reasons_of(told).to_dict()
        assert replace(told.record, explanation=None) == plain.record
        assert json.loads(json.dumps(reasons, allow_nan=False)) == reasons


@pytest.mark.parametrize("acquisition", ["lcb", "ei"])
@pytest.mark.parametrize(("dimension", "seed"), [(1, 0), (1, 5), (2, 1), (2, 6), (3, 2)])
def test_the_runner_up_is_the_best_other_cell(acquisition: str, dimension: int, seed: int, quick: Method) -> None:
    """Against a fine net over every cell of an exhaustive partition, edges included."""
    method = replace(quick, acquisition=acquisition, partition="exhaustive", explore_every=0)  # type: ignore[arg-type]  # a literal
    problem = unit_problem(dimension, method)
    X, y = random_study(7, dimension, seed)
    proposal = proposed(problem, evaluations(X, y))
    reasons = reasons_of(proposal)
    fit, posterior = model(proposal, method, dimension)
    lowest = posterior.moments(posterior.S)[0].min()

    def worth(s: Array) -> Array:
        mean, variance = posterior.moments(s)
        sd = np.sqrt(variance)
        if acquisition == "lcb":
            return -(mean - method.beta * sd)
        z = (lowest - mean) / sd
        return np.asarray(np.log(np.maximum(sd * (norm.pdf(z) + z * norm.cdf(z)), 1e-300)))

    shares = np.linspace(0.0, 1.0, {1: 2001, 2: 61, 3: 15}[dimension])
    best: list[tuple[float, Edges]] = []
    for places in itertools.product(*(range(len(u) - 1) for u in fit.knots)):
        sides = [s[k] + (s[k + 1] - s[k]) * shares for s, k in zip(fit.coordinates, places, strict=True)]
        net = np.stack([side.ravel() for side in np.meshgrid(*sides, indexing="ij")], axis=1)
        cell = tuple((float(u[k]), float(u[k + 1])) for u, k in zip(fit.knots, places, strict=True))
        best.append((float(worth(net).max()), cell))
    sign = -1.0 if acquisition == "lcb" else 1.0
    others = [each for each in best if each[1] != proposal.record.cell]
    second = reasons.runner_up
    assert second is not None
    assert second.value is not None
    assert reasons.value is not None
    assert second.cell in [cell for _, cell in others]
    assert sign * second.value >= max(others)[0] - 1e-6
    assert sign * second.value == pytest.approx({c: v for v, c in best}[second.cell], abs=0.02)
    assert sign * reasons.value >= sign * second.value - 1e-6


@pytest.mark.parametrize("seed", range(4))
def test_the_runner_up_is_seen_as_the_choice_is(seed: int, quick: Method) -> None:
    """At whole numbers: between two of them, where nothing can be tried, a bound may be far lower."""
    whole = Parameter("n", 0, 4, type="int")
    problem = Problem((whole, Parameter("x", 0.0, 1.0)), method=replace(quick, explore_every=0))
    rng = np.random.default_rng(seed)
    rows = [(k % 5, round(float(x), 3)) for k, x in enumerate(rng.random(7))]
    reasons = explanation(problem, evaluations(rows, [abs(n - 3) + x for n, x in rows]))
    assert reasons.runner_up is not None
    assert reasons.value is not None
    assert (reasons.runner_up.value or 0.0) >= reasons.value - 1e-6


def test_the_runner_up_is_open(quick: Method) -> None:
    """Neither a full cell nor one in which a result is awaited; None where the chosen one is the last."""
    problem = Problem((Parameter("n", 0, 8, type="int"),), method=replace(quick, initial=2, explore_every=0))
    tried = {0: 9, 8: 5, 4: 1, 2: 3, 3: 2}
    rows = evaluations([(n,) for n in tried], list(tried.values()))
    for out in (1, 5, 6, 7):
        second = explanation(problem, rows, [(out,)]).runner_up
        if second is not None:
            ((low, high),) = second.cell
            inside = {n for n in range(9) if low < n <= high}
            assert inside - {*tried, out}
            assert out not in inside
    assert explanation(problem, rows).runner_up is not None
    full = evaluations([(k,) for k in (0, 8, 4, 2, 1, 3, 5, 6)], [9, 5, 1, 3, 6, 2, 4, 7])
    assert explanation(problem, full).runner_up is None


def test_weights_are_those_of_the_mean(quick: Method, chosen: list[ChosenCell]) -> None:
    """Solved by elimination, they are found by the results' own inputs, and their sum is the mean."""
    X, y = random_study(12, 2, 4)
    rows = [replace(each, id=100 + k) for k, each in enumerate(evaluations(X, y))]
    method = replace(quick, explore_every=0)
    proposal = proposed(unit_problem(2, method), rows, [(0.5, 0.25)])
    fit, _ = model(proposal, method, 2)
    s = chosen[0].choice.s
    r = math.sqrt(3.0) * np.linalg.norm(fit.S[:, None, :] - fit.S[None, :, :], axis=2)
    K = (1.0 + r) * np.exp(-r) + 1e-6 * np.eye(len(r))
    at = math.sqrt(3.0) * np.linalg.norm(fit.S - s, axis=1)
    weights = np.linalg.solve(K, (1.0 + at) * np.exp(-at))
    assert weights @ fit.mean == pytest.approx(proposal.record.mean, abs=1e-6)
    by_point = {
        tuple(u[k] for u, k in zip(fit.knots, index, strict=True)): w
        for index, w in zip(fit.index, weights, strict=True)
    }
    told = reasons_of(proposal).weights
    assert [abs(each.weight) for each in told] == pytest.approx(sorted(map(abs, weights), reverse=True)[:3], rel=1e-5)
    for each in told:
        row = rows[each.place - 1]
        assert each.id == row.id
        assert each.weight == pytest.approx(by_point[tuple(row.values)], rel=1e-5)
        assert each.rank == 1 + sum(value < y[each.place - 1] for value in y)
        assert each == Weighing(each.place, each.id, each.rank, each.weight)


def test_replicates_and_failures_among_the_weights(quick: Method) -> None:
    """Of several results of one point the best is named, with their number; a failure is called one."""
    problem = Problem((Parameter("x", 0.0, 1.0),), method=replace(quick, initial=2), noise=True)
    rows = evaluations([(0.0,), (0.4,), (0.4,), (1.0,)], [5, 3, 2, None])
    told = explanation(problem, rows).weights
    by_place = {each.place: each for each in told}
    assert set(by_place) == {1, 3, 4}
    assert by_place[3].results == 2
    assert by_place[3].rank == 1
    assert by_place[4].failed is True
    assert by_place[4].rank == 4
    ignoring = explanation(replace(problem, failed="ignore"), rows)
    assert {each.place for each in ignoring.weights} == {1, 3}
    assert ignoring.distinct_results == 3


def test_what_is_expected_is_what_predict_says(quick: Method) -> None:
    """At the point itself, where it is placed on the winning latent point; points that are out have no say."""
    method = replace(quick, margin=0.0, explore_every=0)
    X, y = random_study(14, 2, 9)
    rows = evaluations(X, y)
    for pending in ([], [(0.3, 0.4), (0.35, 0.42)]):
        proposal = proposed(unit_problem(2, method), rows, pending, 14)
        reasons = reasons_of(proposal)
        given = StepInput(unit_problem(2, method), rows, pending, 14)
        expected = expected_at(given, proposal)
        assert expected is not None
        assert reasons.expected_rank == pytest.approx(expected.rank, abs=0.05)
        assert reasons.chance_to_beat_best == pytest.approx(expected.improvement, abs=0.01)
        assert reasons.distinct_results == 14
        assert reasons.sd_left == proposal.record.sd
    assert isinstance(method.beta, float)
    assert reasons.value == pytest.approx(bound_of(proposal, 0.75 * method.beta))


def test_the_value_is_the_bound_itself(quick: Method) -> None:
    """Mean less beta standard deviations; it explores where more than half of the prior's deviation is left."""
    X, y = random_study(9, 3, 2)
    proposal = proposed(unit_problem(3, replace(quick, explore_every=0)), evaluations(X, y))
    reasons = reasons_of(proposal)
    assert reasons.value == pytest.approx(bound_of(proposal, quick.beta))
    assert reasons.aim == ("explore" if moments_of(proposal)[1] > 0.5 else "exploit")
    assert [aim_of(sd) for sd in (0.2, 0.5, 0.51, 1.0)] == ["exploit", "exploit", "explore", "explore"]


def test_initial_points_say_what_they_are(quick: Method) -> None:
    """Which one of how many; corners, then points that fill the box."""
    problem = unit_problem(2, quick)
    rows: list[Evaluation] = []
    told = []
    for k in range(5):
        proposal = proposed(problem, rows)
        told.append(proposal.record.explanation)
        rows.append(Evaluation(proposal.values, Decimal(k)))
    aims: list[Aim] = ["corner", "corner", "filling", "filling", "filling"]
    assert told == [Explanation(aim, place=k, of=5) for k, aim in enumerate(aims, 1)]


def test_a_turn_to_explore_and_too_many_points_out(quick: Method) -> None:
    """The largest cell is nobody's runner-up's better; both say what they are."""
    X, y = random_study(9, 2, 0)
    method = replace(quick, explore_every=1)
    reasons = explanation(unit_problem(2, method), evaluations(X, y))
    assert reasons.aim == "largest"
    assert (reasons.value, reasons.runner_up, reasons.acquisition) == (None, None, None)
    assert len(reasons.weights) == 3
    one = Problem((Parameter("x", 0.0, 1.0),), method=replace(quick, initial=2))
    out = [(0.5,), (0.25,)]
    assert explanation(one, evaluations([(0.0,), (1.0,)], [1, 2]), out).aim == "spread"


def test_before_any_result_nothing_is_expected(quick: Method) -> None:
    """With the whole initial design out, no result weighs, and there is no best to beat."""
    reasons = explanation(unit_problem(1, replace(quick, initial=2)), [], [(0.0,), (1.0,)])
    assert reasons.weights == ()
    assert (reasons.expected_rank, reasons.chance_to_beat_best, reasons.distinct_results) == (None, None, None)


@pytest.mark.slow
def test_shares_of_thompson_samples(quick: Method) -> None:
    """Of two cells one holds the minimum of what the other does not; of one there is no other; of many no shares."""
    method = replace(quick, acquisition="thompson", initial=2, explore_every=0)
    problem = unit_problem(1, method)
    two = explanation(problem, evaluations([(0.0,), (1.0,), (0.4,)], [3, 2, 1]))
    second = two.runner_up
    assert second is not None
    assert (two.share or 0.0) + (second.share or 0.0) == pytest.approx(1.0)
    assert second.cell in (((0.0, 0.4),), ((0.4, 1.0),))
    assert explanation(problem, evaluations([(0.0,), (1.0,)], [3, 2])).runner_up is None
    X, y = random_study(18, 2, 0)
    many = explanation(unit_problem(2, replace(method, partition="exhaustive")), evaluations(X, y))
    assert (many.acquisition, many.share, many.runner_up) == ("thompson", None, None)


def test_ranks_and_places_among_all_results_where_the_model_sees_some(
    quick: Method, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thinned rows keep their places and ranks."""
    monkeypatch.setattr(step_input, "MOST_ROWS", 20)
    x = np.linspace(0.0, 1.0, 60)
    rows = evaluations([(value,) for value in x], [abs(value - 0.6) for value in x])
    reasons = explanation(unit_problem(1, replace(quick, explore_every=0)), rows)
    order = sorted({each.objective for each in rows})  # type: ignore[type-var]  # none failed
    assert reasons.distinct_results == len(order)
    for each in reasons.weights:
        assert each.rank == 1 + order.index(rows[each.place - 1].objective)
