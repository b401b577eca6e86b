"""The search under constraints: no point violates one, cells without a feasible point are closed."""

from __future__ import annotations

import math
import tracemalloc
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ordbo_cli.errors import ExhaustedError, ProblemError
from ordbo_cli.problem import Condition, Number, Parameter, Problem
from ordbo_cli.problem.constraints import Constraint
from ordbo_cli.problem.method import PRESETS, Method
from ordbo_cli.search.space.feasible_space import ConstrainedSpace, space_of
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.study.optimizer import Optimizer
from tests.unit.search.conftest import evaluations, moments_of

pytestmark = pytest.mark.slow

A, B = Parameter("a", 0.0, 10.0), Parameter("b", 0.0, 10.0)
N, M = Parameter("n", 0, 12, type="int"), Parameter("m", 0, 12, type="int")
WALL = Parameter.of_levels("wall", ["sa", "sst"], "categorical")


def constrained(method: Method, parameters: Sequence[Parameter], *texts: str, **settings: Any) -> Problem:
    """Return a problem with constraints."""
    made = tuple(Constraint.parse(text, tuple(parameters)) for text in texts)
    return Problem(tuple(parameters), method=method, constraints=made, **settings)


def satisfies(problem: Problem, values: Sequence[Number]) -> bool:
    """Return whether the simulator would see a point that satisfies all constraints."""
    return all(constraint.holds(problem.mapping(values)) for constraint in problem.constraints)


def searched(problem: Problem, number: int) -> list[dict[str, Any]]:
    """Return the points of a search for small sums."""
    optimizer = Optimizer(problem)
    for _ in range(number):
        suggestion = optimizer.ask()
        assert satisfies(problem, suggestion.values), suggestion
        optimizer.tell(suggestion, float(sum(map(float, suggestion.values))))
    return [dict(problem.mapping(e.values)) for e in optimizer.evaluations]


@pytest.mark.parametrize(
    ("parameters", "texts"),
    [
        ((A, B), ["a + b >= 3"]),
        ((A, B), ["a*b <= 0.05", "a + b >= 1"]),
        ((A, B), ["(a-5)**2 + (b-5)**2 <= 0.01"]),
        ((A, B), ["a > 9.999 or b > 9.999"]),
        ((replace(A, step=0.25), replace(B, digits=2)), ["b >= 2*a + 0.1"]),
        ((Parameter("a", 1e-6, 1e2, scale="log"), B), ["a*b >= 1e-3", "a <= 1e-2"]),
        ((N, M), ["n + m == 12"]),
        ((N, A), ["n % 2 == 1", "a <= n / 2"]),
        ((WALL, A, B), ['wall == "sst" or a <= 3', "a + 2*b >= 2"]),
        ((WALL, replace(A, when=(Condition("wall", (0,)),)), B), ["a >= 4", "b >= 1"]),
    ],
    ids=str,
)
@pytest.mark.parametrize("preset", PRESETS)
def test_no_point_violates_a_constraint(parameters: tuple[Parameter, ...], texts: list[str], preset: str) -> None:
    """After rounding, in the initial design and after it, with every preset; and all points are new."""
    method = replace(PRESETS[preset], optimizer="lbfgs", iterations=25)
    points = searched(constrained(method, parameters, *texts), 11)
    assert len({str(point) for point in points}) == 11


@pytest.mark.parametrize(
    "settings",
    [
        {"acquisition": "ei"},
        {"acquisition": "thompson", "samples": 5},
        {"explore_every": 2},
        {"partition": "exhaustive"},
        {"posterior": "full"},
        {"corners": False},
    ],
    ids=repr,
)
def test_every_setting_heeds_constraints(settings: dict[str, Any], quick: Method) -> None:
    """A ring, and a part whose levels exclude half of the box."""
    method = replace(quick, **settings)
    ring = searched(constrained(method, (A, B), "(a-5)**2 + (b-5)**2 <= 9", "(a-5)**2 + (b-5)**2 >= 4"), 12)
    assert len({str(point) for point in ring}) == 12
    assert all(4 <= (point["a"] - 5) ** 2 + (point["b"] - 5) ** 2 <= 9 for point in ring)
    walls = searched(constrained(method, (WALL, A, B), 'wall != "sa" or a + b <= 1'), 12)
    assert len({str(point) for point in walls}) == 12
    assert all(point["wall"] != "sa" or point["a"] + point["b"] <= 1 for point in walls)


def test_a_finite_feasible_set_is_searched_to_its_end(quick: Method) -> None:
    """Each of the thirteen points once, then it is exhausted: cells without one are closed."""
    optimizer = Optimizer(constrained(quick, (N, M), "n + m == 12"))
    found = []
    for _ in range(13):
        suggestion = optimizer.ask()
        found.append(suggestion.values)
        optimizer.tell(suggestion, (suggestion.values[0] - 4) ** 2)
    assert sorted(found) == [(n, 12 - n) for n in range(13)]
    with pytest.raises(ExhaustedError):
        optimizer.ask()


def test_an_empty_set_names_the_constraint(quick: Method) -> None:
    """The first that contradicts those before it."""
    problem = constrained(quick, (A, B), "a + b <= 6", "a >= 7")
    with pytest.raises(ProblemError, match="a >= 7"):
        propose(StepInput(problem, [], [], 0))


def test_the_optimum_on_a_constraint_is_approached(quick: Method) -> None:
    """The best point of a slanted valley lies on the line; it is found to a hundredth of what is left."""
    method = replace(quick, iterations=200)
    problem = constrained(method, (A, B), "a + b <= 6")
    optimizer = Optimizer(problem)
    for _ in range(35):
        suggestion = optimizer.ask()
        a, b = suggestion.values
        optimizer.tell(suggestion, (a - 5) ** 2 + 100 * (b - 4) ** 2)
    best = optimizer.best()
    assert 8.91 < float(best.objective or 0) < 9.1


def test_cells_without_a_feasible_point_are_closed(quick: Method) -> None:
    """By intervals or by looking; those with a sliver of one are open, and a point of it is found."""
    problem = constrained(quick, (A, B), "a + b <= 6")
    space = space_of(problem, ())
    assert isinstance(space, ConstrainedSpace)
    assert not space.has_room(np.array([5.0, 5.0]), np.array([7.0, 9.0]))
    assert space.has_room(np.array([2.9, 3.0]), np.array([10.0, 10.0]))
    assert not space.has_room(np.array([3.0, 3.0]), np.array([10.0, 10.0]))  # its corner is another cell's
    low, high = np.array([2.99, 2.99]), np.array([10.0, 10.0])
    point = space.untried(low, high, np.array([9.0, 9.0]))
    assert point is not None
    assert 2.99 < point[0] <= 10.0
    assert point[0] + point[1] <= 6.0
    assert isinstance(space_of(Problem((A, B)), ()), Space)
    assert not isinstance(space_of(Problem((A, B)), ()), ConstrainedSpace)


def test_a_wanted_place_is_kept_where_it_is_feasible(quick: Method) -> None:
    """Else the nearest that is found towards it, at the border."""
    space = space_of(constrained(quick, (A, B), "a + b <= 6"), ())
    low, high = np.zeros(2), np.full(2, 10.0)
    assert space.untried(low, high, np.array([2.5, 3.25])) == (2.5, 3.25)
    near = space.untried(low, high, np.array([4.0, 4.0]))
    assert near is not None
    assert 5.9 < near[0] + near[1] <= 6.0


def test_pending_and_given_up_points_are_not_repeated(quick: Method) -> None:
    """In a finite feasible set, what is out, or was given up, is no longer there."""
    problem = constrained(quick, (N, M), "n + m == 3")
    rows = evaluations([(0, 3), (1, 2)], [1, 2])
    proposal = propose(StepInput(problem, rows, [(2.0, 1.0)], 3, avoid=[]))
    assert proposal.values == (3, 0)
    with pytest.raises(ExhaustedError):
        propose(StepInput(problem, rows, [(2.0, 1.0)], 3, avoid=[(3.0, 0.0)]))


def test_infeasible_rows_of_the_users_own_are_learnt_from(quick: Method) -> None:
    """They are results like any other; only suggestions have to satisfy the constraints."""
    problem = constrained(quick, (A, B), "a + b <= 6")
    rng = np.random.default_rng(0)
    X = rng.random((9, 2)) * 10
    proposal = propose(StepInput(problem, evaluations(X, [float(x.sum()) for x in X]), [], 9))
    assert satisfies(problem, proposal.values)
    assert math.isfinite(moments_of(proposal)[0])


def many(number: int) -> ConstrainedSpace:
    """Return the space of so many parameters and one constraint on two of them."""
    parameters = [Parameter(f"x{k}", 0.0, 1.0) for k in range(number)]
    return ConstrainedSpace(constrained(PRESETS["default"], parameters, "x0 + x1 <= 0.3"), ())


def test_thousands_of_parameters_are_drawn_a_few_points_at_a_time() -> None:
    """The sample of 2,000 takes some megabytes, not three gigabytes."""
    space = many(2_000)
    tracemalloc.start()
    try:
        sample = space.sample
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert all(space.is_feasible(point) for point in sample)
    assert peak < 2e8


def test_room_among_thousands_of_parameters_is_counted_as_far_as_it_matters() -> None:
    """One parameter without a value leaves none, whatever the others have; one point more than was tried is enough."""
    space = Space(many(300).problem, [(0.5,) * 300])
    assert space.has_room(space.low, space.high)
    low, high = np.full(300, 0.5), np.ones(300)
    high[-1] = 0.5
    assert not space.has_room(low, high)


def test_parts_without_number_have_room() -> None:
    """The first of three to the power of 30 choices of levels are all infeasible: the sample has others."""
    levels = [Parameter.of_levels(f"c{k}", ["u", "v", "w"], "categorical") for k in range(30)]
    problem = constrained(PRESETS["default"], levels, 'c0 != "u"')
    assert satisfies(problem, propose(StepInput(problem, [], [], 0)).values)
