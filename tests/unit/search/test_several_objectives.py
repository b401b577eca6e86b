"""The next point of several objectives: what it follows from, and what changes nothing."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Any, Literal

import numpy as np
import pytest

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Aim, Evaluation, Parameter, Problem
from ordbo_cli.problem.constraints import Constraint
from ordbo_cli.problem.method import PRESETS, Method
from ordbo_cli.problem.order import order
from ordbo_cli.search.cells.acquisition import Acquisition
from ordbo_cli.search.cells.front_quadratics import first_fronts
from ordbo_cli.search.cells.hypervolume import directions, hypervolume_gain
from ordbo_cli.search.cells.worth import acquisition_of
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import fit_surrogate

Transform = Callable[[float], float]
FLOATS = tuple(Parameter(f"x{k}", 0.0, 1.0) for k in range(2))


def trade(x: Sequence[float]) -> tuple[float, float, float]:
    """Return the distances from three places, squared."""
    one, two, three = (float((x[0] - a) ** 2 + (x[1] - b) ** 2) for a, b in ((0.2, 0.3), (0.8, 0.4), (0.5, 0.9)))
    return one, two, three


def study(
    method: Method, objectives: int = 2, rows: int = 14, transforms: Sequence[Transform] = (), **settings: Any
) -> StepInput:
    """Return results of some distances at random points, of which the two farthest from the middle fail."""
    parameters = settings.pop("parameters", FLOATS)
    aims = tuple(Aim(f"f{k}") for k in range(1, objectives))
    problem = Problem(parameters, "f0", method=method, outcomes=aims, **settings)
    X = np.random.default_rng(3).random((rows, 2))
    failed = set(np.argsort(-np.abs(X - 0.5).sum(axis=1))[:2].tolist())
    how = list(transforms) or [float] * objectives
    found = []
    for k, x in enumerate(X):
        values = (*map(float, x), *([k % 3] if len(problem.free) == 3 else []))
        results = [Decimal(repr(g(y))) for g, y in zip(how, trade(x.tolist())[:objectives], strict=True)]
        first, *others = [None] if k in failed else results
        found.append(problem.evaluation(values, first, k, "", tuple(others)))
    return StepInput(problem, found, step=rows)


@pytest.mark.parametrize("rows", [14, 15])
@pytest.mark.parametrize("objectives", [2, 3])
def test_no_increasing_transform_of_any_objective_changes_the_point(quick: Method, objectives: int, rows: int) -> None:
    """To the last bit, and nor do the doubles of the fit change; a decreasing one does. By one trade, and by all."""
    plain = propose(study(quick, objectives, rows))
    hows: list[Transform] = [np.exp, lambda y: y**3 - 7.0, lambda y: 1e6 * y + 1.0]
    for k in range(objectives):
        transforms: list[Transform] = [float] * objectives
        transforms[k] = hows[k]
        found = propose(study(quick, objectives, rows, transforms=transforms))
        assert (found.values, found.fit) == (plain.values, plain.fit)
    assert (
        propose(study(quick, objectives, rows, transforms=[lambda y: -y, *[float] * (objectives - 1)])).values
        != plain.values
    )


def test_the_warm_start_goes_on_and_rubbish_in_its_place_does_no_harm(quick: Method) -> None:
    """A state is a file that people edit."""
    given = study(quick, rows=15)
    first = propose(given)
    assert first.fit is not None
    assert len(first.fit["objectives"]) == 2
    assert propose(replace(given, fit=first.fit)).values == first.values
    kinds: list[dict[str, Any]] = [{"objectives": 3}, {"objectives": [1, None]}, {"objectives": []}, {"knots": []}, {}]
    for rubbish in kinds:
        assert propose(replace(given, fit=rubbish)).values == first.values


def finite_differences(acquisition: Acquisition, s: Array) -> Array:
    """Return the slopes of an acquisition at points [P, D]."""
    step = 1e-6
    moved = [step * np.eye(s.shape[1])[j] for j in range(s.shape[1])]
    rise = [acquisition.values(s + e) - acquisition.values(s - e) for e in moved]
    return np.asarray(np.stack(rise, axis=1) / (2.0 * step))


@pytest.mark.parametrize("objectives", [2, 3])
def test_gradients_are_those_of_the_values(quick: Method, objectives: int) -> None:
    """Where something is gained, and where nothing is."""
    surrogate = fit_surrogate(study(replace(quick, avoid_failures=False), objectives))
    acquisition = hypervolume_gain(surrogate, 2.0)
    low, high = surrogate.warp.box.edges(surrogate.warp.coordinates)
    s = low + (high - low) * np.random.default_rng(0).random((40, 2))
    value, gradient = acquisition.values_with_gradients(s)
    np.testing.assert_array_equal(value, acquisition.values(s))
    assert (value < 0.0).any()
    wrong = np.abs(gradient - finite_differences(acquisition, s)) > 1e-4 * (1.0 + np.abs(gradient))
    assert wrong.any(axis=1).sum() <= 2  # a kink, or a knot, between the two points of a difference
    worse = hypervolume_gain(surrogate, 0.0).values(s)
    assert (worse >= value - 1e-12).all()
    assert (worse > 0.0).any()


def test_directions_are_of_unit_length_and_spread_evenly() -> None:
    """About as many for any number of objectives, none along an axis."""
    for objectives in range(2, 9):
        found = directions(objectives)
        assert found.shape[1] == objectives
        assert objectives <= len(found) <= 64
        np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0)
        np.testing.assert_allclose(found.mean(axis=0), found.mean())
        assert found.min() > 0.0


def test_the_front_holds_successes_that_none_dominates(quick: Method) -> None:
    """Its means are in the order of the results by each objective."""
    given = study(quick)
    surrogate = fit_surrogate(given)
    good = [e for e in given.evaluations if e.objective is not None]
    pairs = [(e.objective, e.outcomes[0]) for e in good]
    front = sorted(p for p in pairs if not any(q != p and q[0] <= p[0] and q[1] <= p[1] for q in pairs))  # type: ignore[operator]
    assert surrogate.traded is not None
    assert surrogate.front is not None
    assert len(front) == len(surrogate.traded) == len(surrogate.front) > 1


def test_where_nothing_has_succeeded_the_space_is_explored(quick: Method) -> None:
    """And a point comes all the same."""
    given = study(quick)
    failed = [Evaluation(e.values, None, e.id) for e in given.evaluations]
    assert propose(replace(given, evaluations=failed)).record.kind == "explore"


def test_a_point_that_is_out_has_a_cell_of_its_own(quick: Method) -> None:
    """So points of a batch differ."""
    given = study(quick)
    first = propose(given)
    second = propose(replace(given, pending=(first.values,), step=given.step + 1))
    assert not first.is_taken_by(second.values)


@pytest.mark.parametrize("preset", ["default", "metric-free", "paper"])
def test_every_preset_and_kind_of_space_has_a_next_point(preset: str) -> None:
    """Levels without an order, constraints, steps."""
    method = replace(PRESETS[preset], initial=3, iterations=10)
    wall = Parameter("wall", 0, 2, type="categorical", levels=("sa", "sst", "les"))
    assert len(propose(study(method, parameters=(*FLOATS, wall))).values) == 3
    steps = (Parameter("x0", 0.0, 1.0, step=0.1), FLOATS[1])
    held = (Constraint.parse("x0 + x1 <= 1", steps),)
    x = propose(study(method, parameters=steps, constraints=held)).values
    assert float(x[0]) + float(x[1]) <= 1.0


def test_what_is_good_enough_is_not_improved_any_further(quick: Method) -> None:
    """Where it costs another objective: the points stay on the side where that is better."""

    def chosen(enough: Decimal | None) -> list[float]:
        problem = Problem(FLOATS, "f0", method=quick, outcomes=(Aim("f1"),), enough=enough)
        found: list[Evaluation] = []
        for _ in range(16):
            x = propose(StepInput(problem, found, step=len(found))).values
            one, two = float(x[0]), 1.0 - float(x[0]) + float(x[1]) ** 2
            found.append(problem.evaluation(x, Decimal(repr(one)), None, "", (Decimal(repr(two)),)))
        return [float(e.values[0]) for e in found[5:]]

    far = [sum(x < 0.3 for x in chosen(enough)) for enough in (None, Decimal("0.5"))]
    assert far[0] >= 4
    assert far[1] == 0


def test_one_objective_has_no_say_in_it(quick: Method) -> None:
    """Its acquisition is what it was."""
    given = study(quick)
    one = given.each[0]
    assert not one.problem.several
    assert (
        type(acquisition_of(fit_surrogate(one), replace(quick, avoid_failures=False))).__name__
        == "LowerConfidenceBound"
    )


def test_results_outside_the_bounds_are_not_on_the_front(quick: Method) -> None:
    """However good: no point that may be suggested comes near them."""
    given = study(quick)
    far = given.problem.evaluation((1.5, 0.5), Decimal(-9), 99, "", (Decimal(-9),))
    both = replace(given, evaluations=[*given.evaluations, far])
    plain, found = fit_surrogate(given).traded, fit_surrogate(both).traded
    assert plain is not None
    assert found is not None
    assert len(plain) == len(found) > 1


@pytest.mark.parametrize("which", [0, 1])
def test_the_first_fronts_have_no_order_from_limits(quick: Method, which: int) -> None:
    """By whichever objective: where a result lies beyond its limit nobody knows."""
    given = study(replace(quick, refine=True), rows=20)
    space = Space(given.problem, ())
    plain = first_fronts(given.rows, space)
    assert plain is not None
    place = int(plain.first[-1])
    known = given.evaluations[place]
    limit: dict[str, Any] = {"sides": ("below",)} if which else {"censored": "below"}
    rows = [replace(each, **limit) if each is known else each for each in given.evaluations]
    found = first_fronts(replace(given, evaluations=rows).rows, space)
    assert found is not None
    assert (place in plain.first, place in found.first) == (True, False)


@pytest.mark.parametrize("limit", [("0.5", "above"), ("-1", "below")])
def test_a_front_of_results_known_by_a_limit_alone_is_searched_on(
    quick: Method, limit: tuple[str, Literal["above", "below"]]
) -> None:
    """No quadratic has its order from them."""
    given = study(replace(quick, refine=True), rows=15)
    *before, last = given.evaluations
    best = replace(last, objective=Decimal(limit[0]), outcomes=(Decimal(-9),), censored=limit[1])
    others = [replace(each, objective=each.objective and 1 + each.objective) for each in before]
    found = replace(given, evaluations=[*others, best])
    levels = order(found.problem, found.evaluations).low
    assert [k for k, level in enumerate(levels) if level == 0] == [14]
    assert len(propose(found).values) == 2
