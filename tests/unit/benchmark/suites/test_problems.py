"""All test problems: optima and regrets; and the definitions of the paper's five."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.optimize import minimize

from ordbo_cli.benchmark.suites.benchmark_problem import BenchmarkProblem
from ordbo_cli.benchmark.suites.problems import PAPER_PROBLEMS
from ordbo_cli.benchmark.suites.suite import PROBLEMS
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem.method import Method

BY_NAME = {problem.name: problem for problem in PAPER_PROBLEMS}
EACH = pytest.mark.parametrize("problem", PROBLEMS.values(), ids=lambda problem: problem.name)


def test_the_five_problems_are_those_of_the_paper() -> None:
    """One in 1D, three in 2D, one in 4D."""
    assert {problem.name: problem.dimension for problem in PAPER_PROBLEMS} == {
        "step_1d": 1,
        "many_steps_2d": 2,
        "bent_cigar_2d": 2,
        "different_powers_2d": 2,
        "hartmann_4d": 4,
    }


@EACH
def test_the_minimiser_has_the_optimum(problem: BenchmarkProblem) -> None:
    """The stated minimiser lies within the bounds and has the stated optimum."""
    assert problem(problem.minimiser) == pytest.approx(problem.optimum, abs=1e-12)
    assert all(low <= x <= high for x, (low, high) in zip(problem.minimiser, problem.bounds, strict=True))


@EACH
def test_nothing_is_below_the_optimum(problem: BenchmarkProblem) -> None:
    """Neither all over the box nor close to the minimiser is any value below the optimum."""
    rng = np.random.default_rng(0)
    low, high = np.array(problem.bounds).T
    everywhere = rng.uniform(low, high, (2000, problem.dimension))
    steps = np.geomspace(1e-8, 1, 2000)[:, None] * rng.normal(size=everywhere.shape) * (high - low)
    near = np.clip(np.array(problem.minimiser) + steps, low, high)
    values = np.array([problem(x.tolist()) for x in (*everywhere, *near)])
    assert np.nanmin(values) >= problem.optimum - 1e-11


@EACH
def test_no_descent_goes_below_the_optimum(problem: BenchmarkProblem) -> None:
    """Nelder and Mead's search from the minimiser and from points around it finds nothing lower."""
    rng = np.random.default_rng(1)
    low, high = np.array(problem.bounds).T

    def value(x: Array) -> float:
        found = problem(x.tolist())
        return 1e12 if math.isnan(found) else found

    for scale in (0.0, 1e-3, 1e-1):
        start = np.clip(np.array(problem.minimiser) + scale * rng.normal(size=len(low)) * (high - low), low, high)
        found = minimize(value, start, method="Nelder-Mead", bounds=list(problem.bounds), options={"maxfev": 1000})
        assert found.fun >= problem.optimum - 1e-11


@EACH
def test_regret_is_floored(problem: BenchmarkProblem) -> None:
    """Regret is the height above the optimum, and never less than the problem's precision."""
    assert problem.regret(problem.optimum) == problem.precision
    assert problem.regret(problem.optimum + 3.0) == pytest.approx(3.0)


@EACH
def test_a_problem_can_be_asked(problem: BenchmarkProblem) -> None:
    """The question has the bounds, the seed and the method that were given, and minimises."""
    question = problem.problem(Method(beta=1.5), seed=4)
    scales = problem.scales or ("linear",) * problem.dimension
    assert [(p.min, p.max, p.name, p.scale) for p in question.free] == [
        (low, high, f"x{i}", scales[i - 1]) for i, (low, high) in enumerate(problem.bounds, 1)
    ]
    assert question.noise == (problem.noise is not None)
    assert (question.goal, question.seed, question.method.beta) == ("minimize", 4, 1.5)


@EACH
def test_points_of_another_dimension_are_refused(problem: BenchmarkProblem) -> None:
    """A point with a coordinate too many is an error, not a value."""
    with pytest.raises(ValueError, match=f"takes {problem.dimension} values"):
        problem([0.5] * (problem.dimension + 1))


@pytest.mark.parametrize(
    ("x", "value"),
    [(0.0, 0.0), (0.65, -1.0), (math.nextafter(0.65, 1.0), 0.6), (0.7125, 1.0), (0.8375, 0.2), (1.0, 0.83511)],
)
def test_step_1d_jumps_at_its_optimum(x: float, value: float) -> None:
    """It falls to -1 at 0.65 and jumps to 0.6 at the next double."""
    assert BY_NAME["step_1d"]([x]) == pytest.approx(value, abs=1e-5)


@pytest.mark.parametrize(
    ("z", "value"),
    [
        ((0.0, 0.0), 0.0),
        ((-0.25, 0.0), 2.0),  # radius sqrt(1/16 + 10 (1 - cos 0.375)) = 0.870, and floor(-0.5) is odd
        ((0.25, 0.0), 0.5),
        ((0.5, 0.0), 3.0),  # radius 1.712, the first odd stripe
        ((1.0, 0.0), 3.0),  # radius 3.207, an even stripe
        ((0.0, 1.0), 7.5),  # radius 7.702
    ],
)
def test_many_steps_by_hand(z: tuple[float, float], value: float) -> None:
    """Values worked out by hand, stripes on both sides of zero included."""
    nudge = 1e-12  # off the edges, where rounding would decide
    assert BY_NAME["many_steps_2d"]((0.4 + z[0] / 20 + nudge, 0.6 + z[1] / 20 + nudge)) == value


def test_many_steps_has_only_half_steps() -> None:
    """Every value is a multiple of 0.5, so that half a step is 0.25."""
    problem = BY_NAME["many_steps_2d"]
    values = np.array([problem(x) for x in np.random.default_rng(1).uniform(size=(500, 2)).tolist()])
    np.testing.assert_array_equal(2 * values, np.round(2 * values))
    assert problem.precision == 0.25


def test_hartmann_in_the_middle_of_the_box() -> None:
    """The value at the centre, worked out term by term with math alone."""
    weights = (1.0, 1.2, 3.0, 3.2)
    scales = ((10, 3, 17, 3.5), (0.05, 10, 17, 0.1), (3, 3.5, 1.7, 10), (17, 8, 0.05, 10))
    centres = ((1312, 1696, 5569, 124), (2329, 4135, 8307, 3736), (2348, 1451, 3522, 2883), (4047, 8828, 8732, 5743))
    wells = (
        weight * math.exp(-sum(a * (0.5 - p / 1e4) ** 2 for a, p in zip(row, centre, strict=True)))
        for weight, row, centre in zip(weights, scales, centres, strict=True)
    )
    assert BY_NAME["hartmann_4d"]([0.5] * 4) == pytest.approx((1.1 - sum(wells)) / 0.839, rel=1e-14)
