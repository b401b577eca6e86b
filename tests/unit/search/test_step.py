"""The step: initial design, pending points, failures, exhaustion, exploration, and streams of random numbers."""

from __future__ import annotations

import json
import math
from dataclasses import replace

import numpy as np
import pytest
from scipy.stats import norm

from ordbo_cli.errors import DataError, ExhaustedError, UsageError
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Evaluation, Parameter, Problem
from ordbo_cli.problem.method import PRESETS, GapPrior, Method
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.step_record import Edges
from ordbo_cli.study.optimizer import Optimizer
from tests.unit.search.conftest import bound_of, cell_of, evaluations, moments_of, random_study, unit_problem


def test_initial_design_has_the_two_corners_and_a_spread(quick: Method) -> None:
    """Five points: both extreme corners, and three whose coordinates lie in thirds of their own."""
    optimizer = Optimizer(unit_problem(2, quick))
    points = np.array([optimizer.ask().values for _ in range(5)])
    assert points[:2].tolist() == [[0.0, 0.0], [1.0, 1.0]]
    for column in points[2:].T:
        assert sorted(np.floor(3 * column)) == [0, 1, 2]


def test_rows_at_hand_count_towards_the_initial_design(quick: Method) -> None:
    """With three rows, two more are initial; the sixth point comes from the model."""
    X, y = random_study(3, 2, 0)
    optimizer = Optimizer(unit_problem(2, quick), evaluations(X, y))
    kinds = []
    for _ in range(3):
        suggestion = optimizer.ask()
        assert optimizer.last is not None
        kinds.append(optimizer.last.record.kind)
        optimizer.tell(suggestion, 1.0)
    assert kinds == ["initial", "initial", "acquire"]


@pytest.mark.parametrize("dimension", [1, 3, 5])
def test_without_corners_the_design_fills_the_box(dimension: int, quick: Method) -> None:
    """``corners: false`` leaves both out and keeps the number of rows."""
    optimizer = Optimizer(unit_problem(dimension, replace(quick, corners=False)))
    points = np.array([optimizer.ask().values for _ in range(quick.initial_rows(dimension))])
    assert np.all((points > 0.0) & (points < 1.0))
    assert len(np.unique(points, axis=0)) == len(points)


@pytest.mark.slow
@pytest.mark.parametrize("acquisition", ["lcb", "thompson", "ei"])
def test_asking_again_without_results_gives_other_places(acquisition: str, quick: Method) -> None:
    """Eight asks on end give eight points."""
    method = replace(quick, acquisition=acquisition)  # type: ignore[arg-type]  # a literal from the list
    X, y = random_study(8, 2, 1)
    optimizer = Optimizer(unit_problem(2, method), evaluations(X, y))
    asked = [optimizer.ask().values for _ in range(8)]
    assert len(set(asked)) == 8


def test_a_pending_point_moves_the_next_one_away(quick: Method) -> None:
    """The variance at a pending point is gone, so the next point is not its neighbour, and promises less."""
    X, y = random_study(12, 2, 4)
    problem = unit_problem(2, quick)
    first = propose(StepInput(problem, evaluations(X, y), [], 12))
    second = propose(StepInput(problem, evaluations(X, y), [first.values], 13))
    assert np.max(np.abs(np.subtract(first.values, second.values))) > 0.1
    bounds = [bound_of(each, quick.beta) for each in (first, second)]
    assert bounds[1] > bounds[0] + 0.1


def test_a_weight_of_no_distances_is_the_equal_centre(quick: Method) -> None:
    """``centre: 0`` reads no distance either, where pending points come between the knots."""
    X, y = random_study(8, 2, 4)
    methods = (replace(quick, prior=GapPrior(centre=centre)) for centre in (0.0, "equal"))
    given = (StepInput(unit_problem(2, method), evaluations(X[:6], y[:6]), X[6:].tolist(), 8) for method in methods)
    weight, word = map(propose, given)
    one, other = ({**(each.fit or {}), "shaped_by": ""} for each in (weight, word))  # by which word it was is in it
    assert (weight.values, weight.record, one) == (word.values, word.record, other)


@pytest.mark.parametrize(
    ("partition", "cell"), [("tree", ((0.0, 0.8), (0.2, 1.0))), ("exhaustive", ((0.0, 0.45), (0.2, 1.0)))]
)
def test_the_tree_grows_from_the_initial_rows(partition: str, cell: Edges, quick: Method) -> None:
    """A row after the initial ones cuts the cell that holds it and no other; exhaustive, it cuts the whole box."""
    method = replace(quick, initial=3, explore_every=1, partition=partition)  # type: ignore[arg-type]  # a literal
    rows = evaluations([(0.0, 0.0), (1.0, 1.0), (0.8, 0.2), (0.45, 0.1)], [3, 2, 1, 4])
    assert propose(StepInput(unit_problem(2, method), rows, [], 4)).record.cell == cell


@pytest.mark.parametrize(("acquisition", "beta"), [("lcb", 0.3), ("lcb", 3.0), ("ei", 2.0)])
def test_no_place_is_worth_more_than_the_chosen_one(acquisition: str, beta: float, quick: Method) -> None:
    """Anywhere in the latent box, the bound or the improvement on the lowest mean at the data is no better."""
    X, y = random_study(12, 2, 7)
    method = replace(quick, acquisition=acquisition, beta=beta)  # type: ignore[arg-type]  # a literal from the list
    proposal = propose(StepInput(unit_problem(2, method), evaluations(X, y), [], 12))
    fit = Fit.from_dict(proposal.fit or {}, 2)
    assert fit is not None
    latent = fit.posterior(method.kernel)
    lowest = latent.moments(latent.S)[0].min()

    def loss(mean: Array, sd: Array) -> Array:
        z = (lowest - mean) / sd
        return mean - beta * sd if acquisition == "lcb" else -sd * (norm.pdf(z) + z * norm.cdf(z))

    s = np.random.default_rng(0).random((5000, 2)) * [axis[-1] for axis in fit.coordinates]
    mean, variance = latent.moments(s)
    chosen = loss(np.array(proposal.record.mean), np.array(proposal.record.sd))
    assert chosen <= loss(mean, np.sqrt(variance)).min() + 1e-6


def test_asking_before_any_result_never_ends_the_search(quick: Method) -> None:
    """With nothing but pending points the prior alone spreads them."""
    optimizer = Optimizer(unit_problem(2, quick))
    points = {optimizer.ask().values for _ in range(9)}
    assert len(points) == 9


@pytest.mark.parametrize(
    "y",
    [
        [None] * 8,
        [None, 3, 1, 2, None, 5, 6, 7],
        [1] * 8,
        [math.inf, 1, 2, 3, 4, None, math.inf, 5],
    ],
    ids=["all failed", "first failed", "constant", "infinite"],
)
@pytest.mark.parametrize("failed", ["worst", "ignore"])
def test_failures_and_constants_give_a_point(y: list[float | None], failed: str, quick: Method) -> None:
    """Whatever the results are worth, the next point is new and inside the box."""
    X, _ = random_study(8, 2, 5)
    problem = unit_problem(2, quick, failed=failed)
    values = propose(StepInput(problem, evaluations(X, y), [], 8)).values
    assert all(0.0 <= x <= 1.0 for x in values)
    assert values not in {tuple(x) for x in X}


def test_a_failure_has_no_size() -> None:
    """The rank of a failure is the same whatever the successes are, and all that counts where none is avoided."""
    X, y = random_study(9, 2, 6)
    problem = unit_problem(2, replace(PRESETS["default"], iterations=30, avoid_failures=False))
    failed = [*y[:4], None, *y[5:]]
    worst = [*y[:4], 1e300, *y[5:]]
    assert propose(StepInput(problem, evaluations(X, failed), [], 9)) == propose(
        StepInput(problem, evaluations(X, worst), [], 9)
    )


def test_ignored_failures_are_not_suggested_again() -> None:
    """``failed: ignore`` leaves a failure out of the model, not out of the points that were tried."""
    problem = Problem((Parameter("n", 1, 4, type="int"),), failed="ignore", method=Method(initial=2))
    rows = [Evaluation((1,), None), Evaluation((4,), None), Evaluation((2,), None)]
    assert propose(StepInput(problem, rows, [], 3)).values == (3,)
    with pytest.raises(ExhaustedError):
        propose(StepInput(problem, [*rows, Evaluation((3,), None)], [], 4))


def test_failed_error_refuses_to_go_on(quick: Method) -> None:
    """``failed: error`` says so instead of guessing."""
    X, y = random_study(6, 2, 5)
    with pytest.raises(DataError, match="failed"):
        propose(StepInput(unit_problem(2, quick, failed="error"), evaluations(X, [*y[:5], None]), [], 6))


@pytest.mark.slow
def test_a_finite_space_is_searched_to_its_last_point(quick: Method) -> None:
    """Every point comes once, results or not, then the space is exhausted."""
    problem = Problem((Parameter("n", 1, 4, type="int"), Parameter("a", 0.0, 1.0, step=0.5)), method=quick)
    optimizer = Optimizer(problem)
    seen = []
    for turn in range(12):
        suggestion = optimizer.ask()
        seen.append(suggestion.values)
        if turn % 3:
            optimizer.tell(suggestion, suggestion.values[0])
    assert len(set(seen)) == 12
    with pytest.raises(ExhaustedError):
        optimizer.ask()


def test_noise_lets_a_point_come_again(quick: Method) -> None:
    """With ``noise: true`` a space of three values gives more than three suggestions."""
    problem = Problem((Parameter("n", 1, 3, type="int"),), noise=True, method=replace(quick, initial=3))
    optimizer = Optimizer(problem)
    for _ in range(6):
        suggestion = optimizer.ask()
        optimizer.tell(suggestion, (suggestion.values[0] - 2) ** 2)
    assert len(optimizer.evaluations) == 6


@pytest.mark.parametrize("noise", [False, True])
def test_a_point_that_was_given_up_teaches_nothing_and_never_returns(noise: bool, quick: Method) -> None:
    """An avoided point takes no place in the initial design, leaves the model alone, and is not suggested."""
    problem = Problem((Parameter("n", 1, 3, type="int"),), noise=noise, method=replace(quick, initial=2))
    assert propose(StepInput(problem, [], [], 0, avoid=[(1,)])).values == (3,)
    rows = evaluations([(1,), (3,)], [1, 2])
    fit = propose(StepInput(problem, rows, [], 2)).fit
    avoiding = propose(StepInput(problem, rows, [], 2, avoid=[(2,)])) if noise else None
    if avoiding is None:
        with pytest.raises(ExhaustedError):
            propose(StepInput(problem, rows, [], 2, avoid=[(2,)]))
    else:
        assert avoiding.values != (2,)
        assert avoiding.fit == fit


@pytest.mark.parametrize("partition", ["tree", "exhaustive"])
def test_exploration_takes_the_largest_cell_every_kth_step(partition: str, quick: Method) -> None:
    """Every second step after the design lies in the largest original cell: the empty right half."""
    X = [(0.0, 0.0), (1.0, 1.0), (0.1, 0.2), (0.2, 0.7), (0.15, 0.5), (0.12, 0.45)]
    y = [5, 9, 2, 3, 1, 0]
    method = replace(quick, explore_every=2, partition=partition)  # type: ignore[arg-type]  # a literal
    proposal = propose(StepInput(unit_problem(2, method), evaluations(X, y), [], 6))
    assert proposal.record.kind == "explore"
    (left, right), (bottom, top) = cell_of(proposal)
    assert (left, right) == (0.2, 1.0)
    assert top - bottom == pytest.approx(0.3)


@pytest.mark.slow
@pytest.mark.parametrize(
    "method",
    [
        Method(placement="midpoint"),
        Method(placement="random"),
        Method(posterior="full", kernel="matern52"),
        Method(kernel="rbf", prior=None),
        Method(kernel="matern12", prior=GapPrior(centre=0.5)),
        Method(drift=0.5),
        Method(partition="exhaustive", acquisition="thompson", samples=7),
    ],
    ids=repr,
)
@pytest.mark.parametrize("dimension", [1, 4])
def test_every_setting_gives_new_points_inside_the_bounds(method: Method, dimension: int) -> None:
    """Mixed axes; every value is one of its lattice's."""
    axes = (
        Parameter("r", 1e-3, 1e3, scale="log"),
        Parameter("a", -1.0, 2.0, step=0.01),
        Parameter("n", 0, 50, type="int"),
        Parameter("d", 1e2, 1e4, scale="log", digits=2),
    )[:dimension]
    optimizer = Optimizer(Problem(axes, method=replace(method, iterations=25, initial=4)))
    for _ in range(9):
        suggestion = optimizer.ask()
        for parameter, x in zip(axes, suggestion.values, strict=True):
            assert parameter.min <= x <= parameter.max
        optimizer.tell(suggestion, sum(math.log(1 + abs(x)) for x in suggestion.values))
    assert len({e.values for e in optimizer.evaluations}) == 9


def test_midpoints_halve_the_cell() -> None:
    """On a log axis the middle is the geometric one."""
    problem = Problem((Parameter("r", 1.0, 1e4, scale="log"),), method=Method(placement="midpoint", initial=2))
    rows = [Evaluation((1.0,), None), Evaluation((1e4,), None)]
    assert propose(StepInput(problem, rows, [], 2)).values[0] == pytest.approx(100.0)


@pytest.mark.slow
def test_pending_points_a_digit_apart_do_not_stop_the_search(quick: Method) -> None:
    """Two pending points next to each other on a log axis have one latent place; the next point is still found."""
    problem = Problem((Parameter("r", 1e-3, 1e3, scale="log"), Parameter("a", 0.0, 1.0)), method=quick)
    rows = evaluations([(1e-3, 0.1), (1e3, 0.9), (0.1, 0.4), (1.0, 0.7), (30.0, 0.2)], [3, 2, 1, 5, 4])
    pending: list[tuple[float, ...]] = [(np.nextafter(0.3, 1.0), 0.5), (0.3, 0.6), (np.nextafter(1e-3, 1.0), 0.3)]
    for step in range(8):
        pending.append(tuple(map(float, propose(StepInput(problem, rows, pending, 8 + step)).values)))
    assert len(set(pending)) == 11


def test_interpolation_keeps_its_distance_from_edges_but_not_from_bounds() -> None:
    """5% of the cell from an edge; a parameter's own bound may be reached."""
    problem = unit_problem(1, Method(initial=3, corners=False))
    rows = evaluations([(0.2,), (0.5,), (0.8,)], [1, 2, 3])
    proposal = propose(StepInput(problem, rows, [], 3))
    ((low, high),) = cell_of(proposal)
    assert low == 0.0
    assert 0.0 <= proposal.values[0] <= high - 0.05 * (high - low) + 1e-12


@pytest.mark.slow
def test_a_stateless_loop_is_the_loop_in_memory(quick: Method) -> None:
    """Each step from the rows and the JSON of the previous fit gives the points of the in-memory loop, bit for bit."""
    problem = unit_problem(2, quick, seed=3)
    optimizer = Optimizer(problem)
    rows: list[Evaluation] = []
    fit = None
    for step in range(12):
        proposal = propose(StepInput(problem, rows, [], step, fit))
        suggestion = optimizer.ask()
        assert proposal.values == suggestion.values
        y = (suggestion.values[0] - 0.3) ** 2 + suggestion.values[1]
        optimizer.tell(suggestion, y)
        rows.append(optimizer.evaluations[-1])
        fit = json.loads(json.dumps(proposal.fit, allow_nan=False)) or fit
        json.dumps(proposal.record.to_dict(), allow_nan=False)


def test_each_step_has_random_numbers_of_its_own(quick: Method) -> None:
    """The same rows at the same step give the same random place, at another step or with another seed another one."""
    X, y = random_study(7, 2, 5)
    problem = unit_problem(2, replace(quick, placement="random"))
    first, again, later, other = (
        propose(StepInput(at, evaluations(X, y), [], step)).values
        for at, step in ((problem, 7), (problem, 7), (problem, 8), (replace(problem, seed=1), 7))
    )
    assert first == again
    assert len({first, later, other}) == 3


def test_the_fit_of_the_step_before_is_the_start(quick: Method) -> None:
    """What a step learnt is not learnt again: one more iteration from there is worth more than one from nothing."""
    X, y = random_study(9, 2, 5)
    problem, rows = unit_problem(2, replace(quick, iterations=1)), evaluations(X, y)
    cold = propose(StepInput(problem, rows, [], 9)).fit
    trained = propose(StepInput(unit_problem(2, quick), rows, [], 9)).fit
    warm = propose(StepInput(problem, rows, [], 9, trained)).fit
    assert cold is not None
    assert trained is not None
    assert warm is not None
    assert trained["value"] - warm["value"] < 0.5  # what lies at a bound starts slightly inside
    assert trained["value"] - cold["value"] > 2.0


@pytest.mark.parametrize("fit", [{}, {"knots": 3}, {"knots": [[0, 1]], "coordinates": [[0, 1]]}])
def test_a_broken_fit_is_no_fit(fit: dict[str, object], quick: Method) -> None:
    """A state that does not fit the problem starts cold instead of failing."""
    X, y = random_study(7, 2, 5)
    problem = unit_problem(2, quick)
    assert propose(StepInput(problem, evaluations(X, y), [], 7, fit)) == propose(
        StepInput(problem, evaluations(X, y), [], 7)
    )


def test_telling_what_cannot_be_is_refused(quick: Method) -> None:
    """A wrong number of values, and an infinitely good objective."""
    optimizer = Optimizer(unit_problem(2, quick))
    with pytest.raises(UsageError, match="1 values"):
        optimizer.tell([0.5], 1.0)
    with pytest.raises(UsageError, match="would be the best value of all"):
        optimizer.tell([0.5, 0.5], -math.inf)
    for objective in ("fast", "", [1.0]):
        with pytest.raises(UsageError, match="objective"):
            optimizer.tell([0.5, 0.5], objective)  # type: ignore[arg-type]  # what people hand over all the same
    with pytest.raises(UsageError, match="no value of x1"):
        optimizer.tell({"x0": 0.5}, 1.0)
    with pytest.raises(UsageError, match="no parameter 'x3'"):
        optimizer.tell({"x0": 0.5, "x1": 0.5, "x3": 0.5}, 1.0)
    for point in ([0.5, math.nan], [0.5, None], "ab"):
        with pytest.raises(UsageError, match="finite number"):
            optimizer.tell(point, 1.0)  # type: ignore[arg-type]
    blades = Optimizer(Problem((Parameter("blades", 3, 9, type="int"),), method=quick))
    with pytest.raises(UsageError, match="whole number"):
        blades.tell([3.5], 1.0)
    assert not optimizer.evaluations


def test_telling_a_point_by_its_values_closes_it(quick: Method) -> None:
    """A result for the values of a pending suggestion is that suggestion's result; NaN is a failure."""
    optimizer = Optimizer(unit_problem(2, quick))
    first, second = optimizer.ask(), optimizer.ask()
    optimizer.tell(list(first.values), math.nan)
    assert [s.id for s in optimizer.pending] == [second.id]
    assert optimizer.evaluations[0] == Evaluation(first.values, None, first.id)
    with pytest.raises(DataError, match="no evaluation has succeeded yet"):
        optimizer.best()


@pytest.mark.parametrize("preset", ["default", "metric-free", "paper"])
def test_rows_outside_the_bounds_leave_the_point_inside(preset: str) -> None:
    """After an edit of the bounds some rows, here the later ones, lie on both sides of the box; the study goes on."""
    problem = unit_problem(2, replace(PRESETS[preset], iterations=30))
    X, y = random_study(6, 2, 4)
    rows = evaluations([*X, (5.0, -3.0), (-2.0, 0.5), (0.5, 1e300)], [*y, 0.1, 0.2, 0.3])
    proposal = propose(StepInput(problem, rows, [], 9))
    assert all(0.0 <= x <= 1.0 for x in proposal.values)


@pytest.mark.parametrize("preset", ["default", "metric-free", "paper"])
def test_rows_below_zero_do_not_stop_a_log_scale(preset: str) -> None:
    """They lie outside the bounds, and count for their order as others do."""
    problem = Problem((Parameter("r", 1e-3, 1e3, scale="log"),), method=replace(PRESETS[preset], iterations=30))
    rows = evaluations([(1e-3,), (1e3,), (0.1,), (0.0,), (-2.0,), (-1e300,)], [3, 2, 1, 4, 5, 6])
    proposal = propose(StepInput(problem, rows, [], 6))
    assert 1e-3 <= proposal.values[0] <= 1e3
    assert np.all(np.isfinite(moments_of(proposal)))
