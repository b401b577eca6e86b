"""Problems with parameters of every kind: kinds, optima, failures, and the values worked out by hand."""

from __future__ import annotations

import itertools
import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize

from ordbo_cli.benchmark.rivals.unit_box import Box
from ordbo_cli.benchmark.suites.benchmark_problem import MixedProblem
from ordbo_cli.benchmark.suites.mixed_functions import moulding_needs
from ordbo_cli.benchmark.suites.mixed_limits import GRADES
from ordbo_cli.benchmark.suites.suite import GROUPS, MIXED, PROBLEMS, problems
from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.method import Method

EACH = pytest.mark.parametrize("problem", MIXED.values(), ids=lambda problem: problem.name)


def question_of(problem: MixedProblem) -> Problem:
    return problem.problem(Method(), 0)


def best_of(problem: MixedProblem) -> tuple[Number, ...]:
    return question_of(problem).values(problem.minimiser)


def some_points(problem: MixedProblem, count: int) -> list[tuple[Number, ...]]:
    """Points all over the space, that satisfy the constraints."""
    question = question_of(problem)
    box, rng, found = Box(question), np.random.default_rng(3), list[tuple[Number, ...]]()
    while len(found) < count:
        found += [x for x in map(box.values, rng.random((count, box.dimension))) if is_feasible(question, x)]
    return found[:count]


def is_feasible(question: Problem, point: tuple[Number, ...]) -> bool:
    """Whether a point satisfies all constraints."""
    return all(constraint.holds(question.mapping(point)) for constraint in question.constraints)


def by_levels(problem: MixedProblem) -> Iterator[dict[str, Any]]:
    """Every choice of the parameters that have levels, by name."""
    with_levels = [parameter for parameter in problem.parameters if parameter.levels]
    for levels in itertools.product(*(parameter.levels for parameter in with_levels)):
        yield {parameter.name: level for parameter, level in zip(with_levels, levels, strict=True)}


def lowest(problem: MixedProblem, points: Iterator[Mapping[str, Any]]) -> float:
    """The lowest value at some points, failures left out."""
    return min(value for value in map(problem.function, points) if not math.isnan(value))


def test_the_set_has_every_kind() -> None:
    """Fourteen problems, half of them to choose settings by, with every kind, conditions, failures and constraints."""
    some = MIXED.values()
    kinds = Counter(parameter.type for problem in some for parameter in problem.parameters)
    assert set(kinds) == {"float", "int", "ordinal", "categorical"}
    assert len(some) == 14
    assert 2 * len(GROUPS["mixed-tune"]) == len(some)
    assert sum(any(p.when for p in problem.parameters) for problem in some) == 1
    assert max(problem.dimension for problem in some) == 20
    for tune in (True, False):  # what is chosen by it and what is only reported have each hard kind
        half = [problem for problem in some if problem.tune == tune]
        assert sum(math.isfinite(problem.worst) for problem in half) == 2
        assert sum(bool(problem.constraints) for problem in half) == 1
        assert sum(problem.precision == 0.5 for problem in half) == 1  # grades
        assert any(sum(p.type == "categorical" for p in problem.parameters) >= 3 for problem in half)


def test_mixed_problems_are_a_group_of_their_own() -> None:
    """They are found by name and by group, and are no part of all."""
    assert [problem.name for problem in problems(["mixed"])] == list(MIXED)
    assert problems(["airfoil_1c1o2f"]) == (MIXED["airfoil_1c1o2f"],)
    assert not set(MIXED) & {*PROBLEMS, *GROUPS["all"], *GROUPS["tune"]}
    assert set(GROUPS["mixed-tune"]) < set(GROUPS["mixed"])


@EACH
def test_names_tell_the_kinds(problem: MixedProblem) -> None:
    """The end of the name has the numbers of categorical, ordinal, int and float parameters."""
    counts = Counter(parameter.type[0] for parameter in problem.parameters)
    told = {kind: int(number) for number, kind in re.findall(r"(\d+)([coif])", problem.name.rpartition("_")[2])}
    assert told == dict(counts)
    assert sum(told.values()) == problem.dimension


@EACH
def test_sources_are_given(problem: MixedProblem) -> None:
    """The docstring of each function names its source, and the function the problem's name."""
    assert "Source:" in (problem.function.__doc__ or "")
    assert getattr(problem.function, "__name__", "") == problem.name


@EACH
def test_the_minimiser_has_the_optimum(problem: MixedProblem) -> None:
    """The stated minimiser can be suggested, names what counts and nothing else, and has the stated optimum."""
    best, question = best_of(problem), question_of(problem)
    assert is_feasible(question, best)
    assert problem(best) == pytest.approx(problem.optimum, rel=1e-12, abs=1e-12)
    assert question.mapping(best) == dict(problem.minimiser)
    assert all(p.min <= x <= p.max for x, p in zip(best, question.free, strict=True))
    assert all(x in range(len(p.levels)) for x, p in zip(best, question.free, strict=True) if p.levels)
    assert problem.observe(best, 0, 1).regret == problem.precision


@pytest.mark.slow
@EACH
def test_nothing_is_below_the_optimum(problem: MixedProblem) -> None:
    """Neither all over the space nor close to the minimiser is any value below the optimum."""
    question, rng = question_of(problem), np.random.default_rng(0)
    box, best = Box(question), best_of(problem)
    values = [problem(point) for point in some_points(problem, 1000)]
    for scale in np.geomspace(1e-8, 1, 1000):
        changed = rng.random(problem.dimension) < 0.3
        point = box.values(box.shares(best) + scale * changed * rng.normal(size=problem.dimension))
        if is_feasible(question, point):
            values.append(problem(point))
    assert np.nanmin(values) >= problem.optimum - 1e-9


@pytest.mark.slow
@EACH
def test_failures_are_where_the_problem_says(problem: MixedProblem) -> None:
    """A failure tells no value, and its regret is that of the worst; elsewhere nothing is worse."""
    seen = [problem.observe(point, 0, 1) for point in some_points(problem, 1500)]
    failed = [one for one in seen if one.y is None]
    assert bool(failed) == math.isfinite(problem.worst)
    assert {one.regret for one in failed} <= {problem.worst - problem.optimum}
    assert max(one.regret for one in seen if one.y is not None and one.regret is not None) <= problem.worst


@EACH
def test_a_problem_can_be_asked(problem: MixedProblem) -> None:
    """The question has the parameters, the seed and the method that were given, minimises and knows no noise."""
    question = problem.problem(Method(beta=1.5), seed=4)
    assert question.free == problem.parameters
    assert (question.goal, question.seed, question.method.beta, question.noise) == ("minimize", 4, 1.5, False)
    with pytest.raises(ValueError, match=f"takes {problem.dimension} values"):
        problem([0] * (problem.dimension + 1))


@EACH
def test_what_does_not_count_changes_nothing(problem: MixedProblem) -> None:
    """Values of parameters that do not count have no say."""
    question, rng = question_of(problem), np.random.default_rng(5)
    highs = [parameter.high for parameter in question.free]
    for point in some_points(problem, 50):
        active = question.active(point)
        other = [x if on else rng.choice([x, high]) for x, on, high in zip(point, active, highs, strict=True)]
        np.testing.assert_equal(problem(other), problem(point))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["func2c_2c2f", "func3c_3c2f"])
def test_no_descent_goes_below_the_camel(name: str) -> None:
    """For every choice of the functions descents from several points find nothing lower."""
    problem = MIXED[name]
    for chosen, start in itertools.product(by_levels(problem), ((0.5, -0.5), (0.1, 0.5))):
        found = minimize(
            lambda x, chosen=chosen: problem.function({**chosen, "x1": x[0], "x2": x[1]}),
            start,
            bounds=[(-1, 1)] * 2,
            method="L-BFGS-B",
        )
        assert found.fun >= problem.optimum - 1e-12


@pytest.mark.slow
def test_the_best_solver_settings() -> None:
    """All levels, and grids of the rest that hold the stated best, give nothing below 15.5 s."""
    problem = MIXED["linear_solver_2c1o1i2f"]
    rest = itertools.product((5, 10, 20, 38, 40, 42, 80, 200), np.geomspace(1e-12, 1e-1, 56), np.linspace(0, 1, 11))
    names = ("restart", "tolerance", "threshold")
    points = ({**a, **dict(zip(names, b, strict=True))} for a, b in itertools.product(by_levels(problem), list(rest)))
    assert lowest(problem, points) == pytest.approx(15.5, rel=1e-3)


@pytest.mark.slow
def test_the_best_airfoil() -> None:
    """All levels and a fine grid give nothing below the optimum, and come close to it."""
    problem = MIXED["airfoil_1c1o2f"]
    rest = list(itertools.product(np.linspace(0, 1, 301), np.geomspace(1e-5, 1e-1, 101)))
    points = ({**a, "transition": x, "turbulence": t} for a in by_levels(problem) for x, t in rest)
    assert problem.optimum <= lowest(problem, points) <= problem.optimum + 0.1


def test_the_best_vessel() -> None:
    """For all thicknesses, the shortest vessel of each radius costs no less than the stated one."""
    problem = MIXED["pressure_vessel_2i2f"]

    def vessels() -> Iterator[dict[str, float]]:
        for shell, head in itertools.product(range(1, 40), repeat=2):
            widest = min(shell * 0.0625 / 0.0193, head * 0.0625 / 0.00954, 200.0)
            for radius in np.linspace(max(10.0, 0.8 * widest), widest, 30) if widest > 10.0 else ():
                length = max(10.0, 1_296_000 / (math.pi * radius**2) - 4 / 3 * radius)
                if length <= 200.0:
                    yield {"shell": shell, "head": head, "radius": radius, "length": length}

    assert lowest(problem, vessels()) == pytest.approx(problem.optimum, rel=1e-12)
    assert problem.optimum == pytest.approx(6059.714335, abs=1e-5)  # the literature's best known


@pytest.mark.slow
def test_the_best_moulded_part() -> None:
    """For all plastics, gates and cavities and a grid of temperatures, what is just needed costs no less."""
    problem = MIXED["injection_2c1i3f"]
    plastics = {"abs": 220, "pp": 200, "pa6": 250}

    def parts() -> Iterator[dict[str, Any]]:
        for chosen, n, melt in itertools.product(by_levels(problem), range(1, 17), np.linspace(180, 310, 1301)):
            pressure, cooling = moulding_needs(chosen["plastic"], chosen["gate"], n, melt - plastics[chosen["plastic"]])
            if melt <= plastics[chosen["plastic"]] + 60:
                yield {**chosen, "cavities": n, "melt": melt, "pressure": pressure, "cooling": cooling}

    assert problem.optimum - 1e-12 <= lowest(problem, parts()) <= problem.optimum + 1e-4


def test_half_of_the_moulded_parts_fail() -> None:
    """So the problem promises; too little pressure, too little cooling and too much heat are the reasons."""
    problem = MIXED["injection_2c1i3f"]
    failed = np.mean([math.isnan(problem(point)) for point in some_points(problem, 4000)])
    assert 0.45 < failed < 0.55
    best = dict(problem.minimiser)
    for change in ({"pressure": best["pressure"] * 0.999}, {"cooling": best["cooling"] * 0.999}, {"melt": 310.0001}):  # type: ignore[operator]  # both are numbers
        assert math.isnan(problem.function({**best, **change}))


def test_no_two_changes_make_a_better_recipe() -> None:
    """All recipes with one or two other ingredients fall short by at least the step that the precision is half of."""
    problem = MIXED["recipe_4c4o4i"]
    best = best_of(problem)
    values = [range(p.lattice.count) for p in problem.parameters]
    losses = []
    for i, j in itertools.combinations(range(12), 2):
        for a, b in itertools.product(values[i], values[j]):
            point = list(best)
            point[i], point[j] = problem.parameters[i].lattice.value(a), problem.parameters[j].lattice.value(b)
            if tuple(point) != best:
                losses.append(problem(point))
    assert min(losses) == 2 * problem.precision == 0.5


def test_all_five_grades_occur() -> None:
    """Coatings have whole grades from 0 to 4, and fewer than one in a hundred is very good."""
    problem = MIXED["coating_1c1o3f"]
    grades = Counter(problem(point) for point in some_points(problem, 5000))
    assert set(grades) == {0, 1, 2, 3, 4}
    assert 0 < grades[0] < 50
    assert problem.precision == 0.5


@pytest.mark.parametrize(
    ("name", "point", "value"),
    [
        ("func2c_2c2f", {"h1": 0, "h2": 2, "x1": 0.5, "x2": 0.0}, (100 + 0) / 300 + (0.5**2 + 1.25**2 + 1.625**2) / 50),
        ("func3c_3c2f", {"h1": 1, "h2": 4, "h3": 3, "x1": 0.0, "x2": 0.5}, 4 * (1.5**2 + 2.25**2 + 2.625**2) / 50),
        ("linear_solver_2c1o1i2f", {"solver": "direct"}, 300.0),
        (
            "linear_solver_2c1o1i2f",
            {"solver": "cg", "preconditioner": "none", "tolerance": 1e-4},
            400 * (10 - math.log(10)),
        ),
        ("linear_solver_2c1o1i2f", {"solver": "cg", "preconditioner": "ilu", "tolerance": 1e-4, "fill": 1}, math.nan),
        ("linear_solver_2c1o1i2f", {"solver": "bicgstab", "preconditioner": "none", "tolerance": 1e-4}, math.nan),
        (
            "linear_solver_2c1o1i2f",
            {"solver": "gmres", "preconditioner": "jacobi", "tolerance": 1e-5, "restart": 9},
            math.nan,
        ),
        (
            "linear_solver_2c1o1i2f",
            {"solver": "gmres", "preconditioner": "ilu", "tolerance": 1e-5, "restart": 5, "fill": 4},
            25 + 2 * (5 * 1.0625 + 1.5),
        ),
        ("airfoil_1c1o2f", {"model": "ke", "mesh": "coarse", "transition": 0.6, "turbulence": 0.01}, 48.6),
        ("valley_1c1i3f", {"drive": "worm", "teeth": 10, "x1": 1.0, "x2": 1.0, "x3": 0.0}, 5 + 100 + 1 + 0.01),
        ("pressure_vessel_2i2f", {"shell": 12, "head": 7, "radius": 42.0, "length": 200.0}, math.nan),
        ("pressure_vessel_2i2f", {"shell": 13, "head": 6, "radius": 42.0, "length": 200.0}, math.nan),
        ("pressure_vessel_2i2f", {"shell": 13, "head": 7, "radius": 42.0, "length": 170.0}, math.nan),
        (
            "pressure_vessel_2i2f",
            {"shell": 16, "head": 16, "radius": 50.0, "length": 100.0},
            0.6224 * 5000 + 1.7781 * 2500 + 3.1661 * 100 + 19.84 * 50,
        ),
        (
            "weld_1c1o1i2f",
            {"process": "mig", "wire": 1.0, "passes": 2, "current": 200.0, "speed": 12.5},
            4,  # 0.4 + 4 + 1.5 log2(0.5)^2 + 0.3 + 0.6 = 6.8 exceeds four limits
        ),
        (
            "grease_3c3f",
            {
                "base": "ester",
                "thickener": "lithium",
                "additive": "moly",
                "thickener_percent": 12.0,
                "additive_percent": 9.0,
                "minutes": 120.0,
            },
            0.8 + 0.7 + 0.6 + 3 + (4 + 16) / 20,
        ),
        (
            "gears_2c2i2f",
            {"material": "nylon", "oil": "dry", "pinion": 20, "wheel": 70, "module": 1.0, "width": 6.0},
            3 + 4 + 0.4 + 0.8 + 4 + 2,
        ),
        (
            "reactor_1c1i3f",
            {"catalyst": "cu", "stages": 2, "temperature": 500.0, "pressure": 10.0, "ratio": 2.4},
            0.3 + 4 + 0.4 + 5 + 0.25 + 2,
        ),
        (
            "coating_1c1o3f",
            {"powder": "hybrid", "coats": 3, "temperature": 190.0, "minutes": 15.0, "distance": 25.0},
            3,  # 0.2 + 1 + 2
        ),
    ],
)
def test_values_by_hand(name: str, point: dict[str, Any], value: float) -> None:
    """Values worked out from the formulas, failures among them."""
    assert MIXED[name].function(point) == pytest.approx(value, rel=1e-12, nan_ok=True)


def test_the_best_grease() -> None:
    """All choices, and a grid of shares that the mill takes, give nothing below the optimum; without it they do."""
    problem = MIXED["grease_3c3f"]
    shares = [(t, a) for t, a in itertools.product(np.linspace(2, 30, 57), np.linspace(0, 20, 41)) if t + a <= 25]
    names = ("thickener_percent", "additive_percent")
    points = ({**a, **dict(zip(names, b, strict=True)), "minutes": 12.0} for a in by_levels(problem) for b in shares)
    assert lowest(problem, points) == pytest.approx(0.4, rel=1e-12)
    assert problem.function({**problem.minimiser, "thickener_percent": 15.0, "additive_percent": 14.0}) == 0.0


def test_the_best_gears() -> None:
    """For all teeth whose ratio will do, the module that fits into the box loses no less than the stated one."""
    problem = MIXED["gears_2c2i2f"]

    def gears() -> Iterator[dict[str, Any]]:
        for chosen, z, wheel in itertools.product(by_levels(problem), range(12, 31), range(30, 101)):
            if abs(wheel / z - 3.5) <= 0.3:
                yield {**chosen, "pinion": z, "wheel": wheel, "module": min(2.0, 120 / (z + wheel)), "width": 16.0}

    assert lowest(problem, gears()) == pytest.approx(problem.optimum, rel=1e-12)


@pytest.mark.slow
def test_the_best_reactor() -> None:
    """For all catalysts and stages the hottest that does not run away loses no less than the stated one."""
    problem = MIXED["reactor_1c1i3f"]
    rest = itertools.product(range(1, 9), np.linspace(450, 800, 351), np.geomspace(1, 1000, 31), (0.8, 1.2, 1.7))
    names = ("stages", "temperature", "pressure", "ratio")
    points = ({**a, **dict(zip(names, b, strict=True))} for a, b in itertools.product(by_levels(problem), list(rest)))
    assert lowest(problem, points) == pytest.approx(problem.optimum, rel=1e-9)
    best = dict(problem.minimiser)
    for change in ({"temperature": 655.001}, {"temperature": 500.0}, {"pressure": 80.1}, {"ratio": 3.7}):
        assert math.isnan(problem.function({**best, **change}))


def test_most_reactors_fail() -> None:
    """Six of seven, as the problem promises."""
    problem = MIXED["reactor_1c1i3f"]
    assert 0.84 < np.mean([math.isnan(problem(point)) for point in some_points(problem, 4000)]) < 0.9


@pytest.mark.slow
def test_a_weld_is_graded_in_words() -> None:
    """All six words occur, the best seldom, and the question has them."""
    problem = MIXED["weld_1c1o1i2f"]
    grades = Counter(problem(point) for point in some_points(problem, 20_000))
    assert set(grades) == set(range(len(GRADES)))
    assert 0 < grades[0] < 20
    assert question_of(problem).grades == GRADES


def test_a_plant_pays_for_each_part() -> None:
    """One machine off costs its table and moves the best of its two settings; a grade off costs by its distance."""
    plant = MIXED["plant_5c5o10f"]
    best = dict(plant.minimiser)
    assert plant.function({**best, "o3": 4}) == pytest.approx(0.8 * 2**1.5)
    assert plant.function({**best, "x10": 1e3}) == pytest.approx(100 * 0.7**2)
    weights = np.geomspace(1, 100, 10)
    assert plant.function({**best, "c5": 0}) == pytest.approx(3.0 + 0.01 * (weights[4] + weights[9]))
