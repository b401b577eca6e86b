"""Points that satisfy constraints, and the proof that there are none."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from ordbo_cli.problem import Condition, Parameter
from ordbo_cli.problem.axis import Axis
from ordbo_cli.problem.constraints import Constraint, feasible_points, which_is_empty
from ordbo_cli.problem.constraints.feasible_points import Box, Point

A, B = Parameter("a", 0.0, 1.0), Parameter("b", 0.0, 1.0)
N, M = Parameter("n", 0, 100, type="int"), Parameter("m", 0, 100, type="int")
P = Parameter("p", 1e-3, 1.0, scale="log")
Q = Parameter("q", 1e-3, 1.0, scale="log", digits=3)
S, T = Parameter("s", 0.0, 1.0, step=0.1), Parameter("t", 0.0, 1.0, step=0.1)
MESH = Parameter.of_levels("mesh", ["coarse", "medium", "fine"])
WALL = Parameter.of_levels("wall", ["sa", "sst"], "categorical")
TOL = Parameter("tol", 1e-8, 1e-2, scale="log", digits=2, when=(Condition("wall", (1,)),))
OTHERS = tuple(Parameter(f"z{k}", 0.0, 1.0) for k in range(6))


def parsed(texts: Sequence[str], parameters: Sequence[Parameter]) -> list[Constraint]:
    return [Constraint.parse(text, parameters) for text in texts]


def found(
    constraints: Sequence[Constraint],
    parameters: Sequence[Parameter],
    number: int,
    seed: int = 0,
    box: Box | None = None,
) -> list[Point]:
    """Return points of a box, by default of all values."""
    return feasible_points(constraints, list(map(Axis, parameters)), number, np.random.default_rng(seed), box)


THIN = [
    (["a*b <= 1e-6"], (A, B)),
    (["a*b <= 1e-6", "a > 0", "b > 0", "a + b >= 0.5"], (A, B)),
    (["a**2 + b**2 <= 1e-8", "a > b"], (A, B)),
    (["n + m == 12"], (N, M)),
    (["n*m == 36", "n > m"], (N, M)),
    (["n % 17 == 3", "m == 2*n + 1"], (N, M)),
    (["p*q <= 1.05e-6"], (P, Q)),
    (["p*q <= 1.05e-6", "p > 0.00102"], (P, Q)),
    (["s + t == 1"], (S, T)),
    (["a + b == 1"], (A, B)),
    (["a == 0.3", "b == a*2"], (A, B)),
    (["a < 1e-9 and mesh == 'fine' and wall == 'sst' and tol == 1e-5"], (A, MESH, WALL, TOL)),
    (["a*b <= 1e-7", "z0 + z1 < 0.5"], (A, B, *OTHERS)),
    (["a + b + z0 + z1 <= 0"], (A, B, *OTHERS)),
    (["sin(50*a) > 0.9999999"], (A, B)),
]


@pytest.mark.parametrize(("texts", "parameters"), THIN, ids=lambda value: str(value[0])[:40])
def test_thin_sets_are_found(texts: list[str], parameters: tuple[Parameter, ...]) -> None:
    """Curves, corners and single values, which no sampling hits, at a bounded price."""
    constraints = parsed(texts, parameters)
    points = found(constraints, parameters, 3, seed=1)
    assert 1 <= len(points) == len(set(points)) <= 3
    for point in points:
        shown = {p.name: p.shown(x) for p, x in zip(parameters, point, strict=True)}
        assert all(constraint.holds(shown) for constraint in constraints)
        assert all(isinstance(x, int) for p, x in zip(parameters, point, strict=True) if p.is_whole)
    assert which_is_empty(constraints, parameters) is None


def test_points_are_spread_where_they_are_many() -> None:
    """Uniformly on each parameter's own scale, as sampling and rejection gives."""
    points = np.array(found(parsed(["a <= 0.5"], (A, P)), (A, P), 400))
    assert points.shape == (400, 2)
    assert np.histogram(points[:, 0], bins=5, range=(0, 0.5))[0].min() > 50
    assert np.histogram(np.log10(points[:, 1]), bins=3, range=(-3, 0))[0].min() > 100


def test_thin_sets_are_found_everywhere() -> None:
    """Not only in the corner at which the search begins."""
    parameters = (Parameter("n", 0, 1000, type="int"), Parameter("m", 0, 1000, type="int"))
    constraints = parsed(["n + m == 1000"], parameters)
    points = np.array(found(constraints, parameters, 40))
    assert len(points) == 40
    assert np.histogram(points[:, 0], bins=4, range=(0, 1000))[0].min() >= 3


def test_the_same_generator_gives_the_same_points() -> None:
    """And another one others."""
    for texts in (["a + b <= 1"], ["a + b == 1"]):
        constraints = parsed(texts, (A, B))
        one, same, other = (found(constraints, (A, B), 5, seed) for seed in (0, 0, 1))
        assert one == same != other


def test_all_points_of_a_small_set_and_no_more() -> None:
    """A finite set runs out, each of its points given once."""
    constraints = parsed(["n + m == 3"], (N, M))
    assert sorted(found(constraints, (N, M), 10)) == [(0, 3), (1, 2), (2, 1), (3, 0)]
    parameters = (Parameter("n", 0, 1000, type="int"), Parameter("m", 0, 1000, type="int"))
    corner = parsed(["n <= 5", "m <= 5"], parameters)
    assert len(found(corner, parameters, 40)) == 36


def test_points_lie_within() -> None:
    """Both ends included; a box between two values has none."""
    constraints = parsed(["n + m >= 5"], (N, M))
    assert sorted(found(constraints, (N, M), 50, box=((2, 3), (3, 4)))) == [(2, 3), (2, 4), (3, 3), (3, 4)]
    assert found(constraints, (N, M), 5, box=((3, 2), (3, 4))) == []
    assert found(constraints, (N, M), 5, box=((0, 2), (0, 2))) == []
    assert found([], (N, M), 5, box=((7, 7), (9, 9))) == [(7, 9)]


def test_nothing_is_drawn_where_intervals_prove_that_nothing_is_there() -> None:
    """Twenty thousand points in each of a picture's cells take long."""
    rng = np.random.default_rng(0)
    assert feasible_points(parsed(["n + m >= 5"], (N, M)), [Axis(N), Axis(M)], 5, rng, ((0, 2), (0, 2))) == []
    assert rng.random() == np.random.default_rng(0).random()


def test_where_points_are_rare_fewer_are_enough() -> None:
    """Sampling finds less than that of a line's; boxes give them, and no more."""
    constraints = parsed(["abs(a - b) <= 1e-5"], (A, B))
    assert len(feasible_points(constraints, [Axis(A), Axis(B)], 100, np.random.default_rng(0), rare=20)) == 20


@pytest.mark.parametrize(
    ("texts", "parameters", "empty"),
    [
        (["a + b > 2"], (A, B), 0),
        (["a < 0.5", "b < -1"], (A, B), 1),
        (["a < 0.5", "b < 0.5", "a + b > 1.5", "b > 3"], (A, B), 3),
        (["a < 0.5", "b < 0.5", "a + b > 1.5", "b > 0.1"], (A, B), 2),
        (["a < 0.5", "a > 0.6"], (A, B), 1),
        (["n + m == 12", "n - m == 13"], (N, M), 1),
        (["2*n + 2*m == 13"], (N, M), 0),
        (["s == 0.25"], (S, T), 0),
        (["mesh > 'fine'"], (MESH, A), 0),
        (["mesh != 'fine'", "mesh >= 'fine'"], (MESH, A), 1),
        (["log(-a - 1) < 3"], (A, B), 0),
        (["wall == 'sst'", "tol > 1"], (WALL, TOL), 1),
        (["a**2 + b**2 < 0.0001", "a + b > 0.2"], (A, B), 1),
    ],
)
def test_which_is_empty(texts: list[str], parameters: tuple[Parameter, ...], empty: int) -> None:
    """The one that alone cannot be satisfied, else the first that contradicts those before it."""
    constraints = parsed(texts, parameters)
    assert which_is_empty(constraints, parameters) == texts[empty]
    assert found(constraints, parameters, 2) == []


def test_what_does_not_bind_is_not_empty() -> None:
    """A condition that leaves the parameter out is a way to satisfy the constraint."""
    assert which_is_empty(parsed(["tol > 1"], (WALL, TOL)), (WALL, TOL)) is None
    assert which_is_empty([], (A, B)) is None


@pytest.mark.slow
def test_work_is_bounded() -> None:
    """What cannot be decided in so many boxes is left open, and no point is made up."""
    constraints = parsed(["a*b - b*a > 0"], (A, B))
    assert which_is_empty(constraints, (A, B)) is None
    assert found(constraints, (A, B), 2) == []
