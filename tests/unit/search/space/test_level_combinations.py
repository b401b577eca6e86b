"""Levels without an order, and parameters that count under a condition: parts of the space, and the axes of levels."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

import numpy as np
import pytest

from ordbo_cli.errors import ExhaustedError
from ordbo_cli.insight.inspection import View
from ordbo_cli.ordinal.kernels import distances
from ordbo_cli.problem import Condition, Evaluation, Number, Parameter, Problem
from ordbo_cli.problem.method import PRESETS, BetaSchedule, GapPrior, Kernel, Method
from ordbo_cli.search.cells.acquisition import function_sample
from ordbo_cli.search.latent_axes import LatentAxes
from ordbo_cli.search.prediction import predict
from ordbo_cli.search.space.level_combinations import MOST_PARTS, at, every_part, has_room, held_at, some_parts
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import fit_surrogate, latent_points
from ordbo_cli.study.optimizer import Optimizer
from tests.unit.search.conftest import bound_of, cell_of, evaluations

pytestmark = pytest.mark.slow

SOLVER = Parameter.of_levels("solver", ["gmres", "cg", "direct"], "categorical")
TOLERANCE = Parameter("tolerance", 1e-8, 1e-1, scale="log", when=(Condition("solver", (0, 1)),))
RESTART = Parameter("restart", 5, 50, type="int", when=(Condition("solver", (0,)),))
MESH = Parameter.of_levels("mesh", ["coarse", "medium", "fine"])
WIDTH = Parameter("width", 0.0, 1.0)


def mixed(method: Method, **settings: Any) -> Problem:
    """Return a problem with parameters of every kind, the categorical one in the middle."""
    return Problem((WIDTH, SOLVER, TOLERANCE, RESTART, MESH), method=method, **settings)


def cost(problem: Problem, values: Sequence[Number]) -> float:
    """Return what a point of the mixed problem costs; the best is gmres, 1e-5, 20, fine, 0.3."""
    point: dict[str, Any] = problem.mapping(values)
    total: float = 2.0 * abs(point["width"] - 0.3) + {"fine": 0.0, "medium": 0.4, "coarse": 1.0}[point["mesh"]]
    if point["solver"] == "direct":
        return total + 2.0
    total += 0.3 * abs(math.log10(point["tolerance"]) + 5.0)
    return total + (1.0 if point["solver"] == "cg" else abs(int(point["restart"]) - 20) / 30)


def searched(problem: Problem, number: int) -> list[Evaluation]:
    """Return the results of a search."""
    optimizer = Optimizer(problem)
    for _ in range(number):
        suggestion = optimizer.ask()
        optimizer.tell(suggestion, cost(problem, suggestion.values))
    return list(optimizer.evaluations)


def test_parts_are_the_choices_of_levels_each_once(quick: Method) -> None:
    """Nested conditions leave no part twice, and each point lies in one part."""
    inner = Parameter.of_levels("inner", ["a", "b"], "categorical", when=(Condition("solver", (1, 2)),))
    leaf = Parameter("leaf", 0.0, 1.0, when=(Condition("inner", (1,)),))
    problem = Problem((SOLVER, inner, leaf, WIDTH), method=quick)
    parts = list(every_part(problem))
    assert parts == [(0, 0, 0.0, 0.0), (1, 0, 0.0, 0.0), (1, 1, 0.0, 0.0), (2, 0, 0.0, 0.0), (2, 1, 0.0, 0.0)]
    axes = [at(Space(problem, ()), held).columns for held in parts]
    assert axes == [(3,), (3,), (2, 3), (3,), (2, 3)]
    assert held_at(problem, (0, 1, 0.5, 0.25)) == (0, 0, 0.0, 0.0)
    assert held_at(problem, (2, 1, 0.5, 0.25)) == (2, 1, 0.0, 0.0)


def test_of_very_many_parts_some_are_looked_at(quick: Method) -> None:
    """Those of the rows, all that are a level away from the best, and some at random."""
    problem = Problem(tuple(Parameter.of_levels(f"c{k}", "abcd", "categorical") for k in range(20)), method=quick)
    best = (1,) * 20
    found = some_parts(problem, [best, (2,) * 20], np.random.default_rng(0))
    assert len(found) == len(set(found)) < MOST_PARTS
    assert {best, (2,) * 20} <= set(found)
    assert all((*best[:k], level, *best[k + 1 :]) in found for k in range(20) for level in range(4))
    proposal = propose(
        StepInput(problem, evaluations(np.ones((30, 20)) * (np.arange(30) % 4)[:, None], range(30)), [], 30)
    )
    assert len(proposal.values) == 20


def test_levels_have_axes_of_their_own(quick: Method) -> None:
    """Two levels are as far apart as their two gaps make them; what does not count is where its lowest value is."""
    problem = mixed(quick)
    rows = [
        (0.1, 0, 1e-3, 10, 0),
        (0.5, 1, 1e-4, 5, 1),
        (0.9, 2, 1e-8, 5, 2),
        (0.3, 1, 1e-2, 5, 2),
        (0.7, 0, 1e-6, 40, 1),
    ]
    latent_axes = LatentAxes(problem)
    assert latent_axes.ordered == (0, 2, 3, 4)
    assert latent_axes.dimension == 7
    surrogate = fit_surrogate(StepInput(problem, evaluations(rows, range(5))))
    gaps = [s[-1] for s in surrogate.fit.coordinates[4:]]
    assert all(0.01 < gap < 4.0 for gap in gaps)
    S = latent_points(latent_axes, surrogate.warp, surrogate.fit, rows)
    assert S[:, 4:].tolist() == [[gaps[k] if row[1] == k else 0.0 for k in range(3)] for row in rows]
    assert np.array(sorted(S.tolist())) == pytest.approx(np.array(sorted(surrogate.fit.S.tolist())))
    both = latent_points(latent_axes, surrogate.warp, surrogate.fit, [(0.1, 0, 1e-8, 5, 0), (0.1, 2, 1e-8, 5, 0)])
    assert float(distances(both[:1], both[1:])[0, 0]) == pytest.approx(math.hypot(gaps[0], gaps[2]))


@pytest.mark.parametrize("held", [(0.0, 0, 1e-8, 5, 0), (0.0, 1, 1e-8, 5, 0), (0.0, 2, 1e-8, 5, 0)])
def test_a_part_is_the_model_at_its_levels(held: tuple[Number, ...], quick: Method) -> None:
    """Moments, gradients, covariances and a draw along its axes are those of the whole model at the same points."""
    problem = mixed(quick)
    latent_axes = LatentAxes(problem)
    results = searched(problem, 12)
    surrogate = fit_surrogate(StepInput(problem, results, [(0.25, 1, 1e-3, 5, 1)]))
    space = at(Space(problem, ()), held)
    here = surrogate.at(space, latent_axes)
    rng = np.random.default_rng(1)
    low, high = here.warp.box.edges(here.warp.coordinates)
    s = low + (high - low) * rng.random((6, len(low)))
    whole = here.whole(s)
    assert whole.shape == (6, 7)
    for found, expected in zip(here.posterior.moments(s), surrogate.posterior.moments(whole), strict=True):
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-12)
    assert here.posterior.covariance(s) == pytest.approx(surrogate.posterior.covariance(whole), abs=1e-12)
    step = 1e-6
    mean, variance, by_mean, by_variance = here.posterior.moments_with_gradients(s)
    for j in range(s.shape[1]):
        moved = s + step * np.eye(s.shape[1])[j]
        after = here.posterior.moments(moved)
        assert (after[0] - mean) / step == pytest.approx(by_mean[:, j], abs=1e-4)
        assert (after[1] - variance) / step == pytest.approx(by_variance[:, j], abs=1e-4)
    draw = function_sample(surrogate.posterior, 7, np.random.default_rng(2))
    assert draw.at(*here.held).values(s) == pytest.approx(draw.values(whole), abs=1e-9)


def test_no_list_of_parts_is_needed_for_the_best_one(quick: Method) -> None:
    """The chosen cell's value is the lowest that a close look finds anywhere at any levels."""
    problem = mixed(quick)
    latent_axes = LatentAxes(problem)
    for number in (8, 14):
        results = searched(problem, number)
        proposal = propose(StepInput(problem, results, [], number))
        surrogate = fit_surrogate(StepInput(problem, results))
        chosen = bound_of(proposal, 2.0)
        rng = np.random.default_rng(3)
        points = [
            problem.canonical([p.min + (p.max - p.min) * t if p.scale == "linear" else p.min * (p.max / p.min) ** t
                               for p, t in zip(problem.free, u, strict=True)])
            for u in rng.random((3000, 5))
        ]  # fmt: skip
        points = [(x[0], int(x[1]), *x[2:]) for x in points]
        tried = [tuple(map(float, e.values)) for e in results]
        from ordbo_cli.search.surrogate import placed

        mean, variance = surrogate.posterior.moments(placed(latent_axes, surrogate.warp, surrogate.fit, points))
        assert chosen <= np.min(mean - 2.0 * np.sqrt(variance)) + 0.02
        assert tuple(map(float, proposal.values)) not in tried


@pytest.mark.parametrize(
    "method",
    [
        PRESETS["default"],
        PRESETS["metric-free"],
        replace(PRESETS["paper"], optimizer="lbfgs"),
        Method(acquisition="ei"),
        Method(acquisition="thompson", samples=5),
        Method(partition="exhaustive"),
        Method(posterior="full"),
        Method(drift=0.5),
        Method(explore_every=2),
        Method(beta=BetaSchedule(scale=0.1)),
        Method(prior=GapPrior(centre=0.5)),
        Method(corners=False, initial=3),
    ],
    ids=repr,
)
def test_every_setting_goes_with_levels(method: Method) -> None:
    """New points, each one of its lattice's, canonical, level and condition heeded; and JSON-able words."""
    problem = mixed(replace(method, iterations=25))
    results = searched(problem, 14)
    assert len({e.values for e in results}) == 14
    for e in results:
        assert problem.canonical(e.values) == e.values
        for parameter, x in zip(problem.free, e.values, strict=True):
            assert parameter.min <= x <= parameter.max
            assert isinstance(x, int) == parameter.is_whole
    proposal = propose(StepInput(problem, results, [], 14))
    cell = cell_of(proposal)
    active = problem.active(proposal.values)
    for k, (low, high) in enumerate(cell):
        moves = active[k] and problem.free[k].type != "categorical"
        assert low <= proposal.values[k] <= high
        assert (low < high) == moves


def test_the_best_levels_are_found(quick: Method) -> None:
    """On the mixed problem after thirty evaluations the best point has them, and costs little."""
    for seed in (0, 1, 2):
        problem = mixed(quick, seed=seed)
        best = min(searched(problem, 30), key=lambda e: e.objective)  # type: ignore[arg-type,return-value]  # none failed
        point = problem.mapping(best.values)
        assert (point["solver"], point["mesh"]) == ("gmres", "fine")
        assert float(best.objective or 9) < 0.3


def test_relabelling_changes_nothing(quick: Method) -> None:
    """Other names, and the levels in another order: the same points under the new names, as far as all were seen."""
    names = {"gmres": "Z", "cg": "Y", "direct": "X"}
    problem = Problem((WIDTH, SOLVER, MESH), method=quick)
    renamed = Problem((WIDTH, Parameter.of_levels("solver", list(names.values()), "categorical"), MESH), method=quick)
    order = [2, 0, 1]  # place in the new list of each level of the old
    turned = Problem(
        (WIDTH, Parameter.of_levels("solver", ["cg", "direct", "gmres"], "categorical"), MESH), method=quick
    )
    rng = np.random.default_rng(4)
    X = [
        (float(x), int(k), int(m))
        for x, k, m in zip(rng.random(9), np.arange(9) % 3, rng.integers(0, 3, 9), strict=True)
    ]
    y = [abs(x - 0.3) + [0.0, 0.5, 1.0][k] + 0.2 * (2 - m) for x, k, m in X]
    plain = propose(StepInput(problem, evaluations(X, y), [], 9))
    assert propose(StepInput(renamed, evaluations(X, y), [], 9)).values == plain.values
    after = propose(StepInput(turned, evaluations([(x, order[k], m) for x, k, m in X], y), [], 9))
    assert after.values[1] == order[int(plain.values[1])]
    assert after.values[2] == plain.values[2]
    assert after.values[0] == pytest.approx(plain.values[0], abs=1e-3)
    assert cell_of(after)[0] == pytest.approx(cell_of(plain)[0])


def test_a_level_that_stands_out_is_farther_from_the_others(quick: Method) -> None:
    """Where one of four levels behaves otherwise, its gap is the largest."""
    quick = replace(quick, iterations=200)
    levels = Parameter.of_levels("m", "abcd", "categorical")
    problem = Problem((WIDTH, levels), method=quick)
    rng = np.random.default_rng(5)
    X = [(float(x), k % 4) for k, x in enumerate(rng.random(40))]
    y = [(1.0 - x if k == 2 else x) for x, k in X]
    surrogate = fit_surrogate(StepInput(problem, evaluations(X, y)))
    gaps = [s[-1] for s in surrogate.fit.coordinates[1:]]
    assert int(np.argmax(gaps)) == 2
    assert gaps[2] > 2.0 * max(gaps[0], gaps[1], gaps[3])


def test_a_space_of_levels_alone_is_searched_to_its_end(quick: Method) -> None:
    """Every combination once, the worse ones later; then it is exhausted."""
    axes = (Parameter.of_levels("a", "xyz", "categorical"), Parameter.of_levels("b", [1, 2, 3], "categorical"))
    optimizer = Optimizer(Problem(axes, method=quick))
    told = []
    for _ in range(9):
        suggestion = optimizer.ask()
        told.append(suggestion.values)
        optimizer.tell(suggestion, abs(suggestion.values[0] - 1) * 3 + abs(suggestion.values[1] - 2))
    assert sorted(told) == sorted(itertools.product(range(3), range(3)))
    with pytest.raises(ExhaustedError):
        optimizer.ask()


def test_what_does_not_count_makes_no_new_points(quick: Method) -> None:
    """A finite space of conditions has as many points as differ in what counts."""
    switch = Parameter.of_levels("s", ["on", "off"], "categorical")
    depth = Parameter("depth", 1, 3, type="int", when=(Condition("s", (0,)),))
    optimizer = Optimizer(Problem((switch, depth), method=quick))
    found = []
    for _ in range(4):
        suggestion = optimizer.ask()
        found.append(dict(suggestion.parameters))
        optimizer.tell(suggestion, len(found))
    with pytest.raises(ExhaustedError):
        optimizer.ask()
    assert sorted(map(str, found)) == sorted(
        map(str, [{"s": "on", "depth": 1}, {"s": "on", "depth": 2}, {"s": "on", "depth": 3}, {"s": "off"}])
    )


def test_points_out_lie_in_cells_of_their_own_whatever_their_levels(quick: Method) -> None:
    """Five points asked for at once are five points, and no two of one level lie in one cell."""
    problem = mixed(quick)
    results = searched(problem, 10)
    out: list[tuple[Number, ...]] = []
    cells = []
    for k in range(5):
        proposal = propose(StepInput(problem, results, out, 10 + k))
        out.append(proposal.values)
        cells.append(cell_of(proposal))
    assert len(set(out)) == len(set(cells)) == 5


def test_has_room_counts_points_that_differ(quick: Method) -> None:
    """Values of what does not count make no room."""
    axes = (SOLVER, Parameter("n", 1, 2, type="int", when=(Condition("solver", (0,)),)))
    problem = Problem(axes, method=quick)
    points = [(0, 1), (0, 2), (1, 1), (2, 1)]
    assert has_room(Space(problem, points[:3]))
    assert not has_room(Space(problem, points))


def test_predictions_know_the_levels(quick: Method) -> None:
    """The same place at a better level is expected to be better; a level that nobody has tried is hardly known."""
    problem = Problem((WIDTH, Parameter.of_levels("m", "abc", "categorical")), method=replace(quick, iterations=200))
    X = [(x, k) for k in (0, 1) for x in np.linspace(0, 1, 6)]
    y = [x + 2.0 * k for x, k in X]
    good, bad, new = predict(StepInput(problem, evaluations(X, y)), [(0.5, 0), (0.5, 1), (0.5, 2)])
    assert good.rank < bad.rank
    assert new.sd > 1.5 * good.sd


def test_a_view_looks_at_the_levels_of_the_best(quick: Method) -> None:
    """As if they were fixed: its parameters are the others that count, its rows those of all, marked where they lie."""
    problem = mixed(quick)
    results = searched(problem, 12)
    view = View.of(StepInput(problem, results, step=12))
    best = results[view.best or 0]
    assert view.best is not None
    names = [parameter.name for parameter in view.parameters]
    assert names == [
        p.name for p, on in zip(problem.free, problem.active(best.values), strict=True) if on and p is not SOLVER
    ]
    assert view.X.shape == (12, len(names))
    assert [bool(here) for here in view.here] == [e.values[1] == best.values[1] for e in results]
    assert view.here[view.best]
    mean, sd = view.moments(view.latent(view.X[[view.best]]))
    expected = predict(StepInput(problem, results, fit=view.surrogate.fit.to_dict()), [best.values])[0]
    assert (float(mean[0]), float(sd[0])) == pytest.approx((expected.mean, expected.sd), rel=1e-6)
    assert (view.next is None) == (view.proposal is None)


def test_kernels_take_what_is_held_into_account() -> None:
    """Every kernel's slope along the axes that are left, with others held."""
    from ordbo_cli.ordinal.posterior import posterior

    rng = np.random.default_rng(6)
    S = rng.random((7, 4)) * 2
    for kernel in get_args(Kernel):
        whole = posterior(S, rng.standard_normal(7), np.full(7, 0.1), kernel, full=False)
        place = rng.random(4)
        part = whole.at(place, (1, 3))
        s = rng.random((3, 2))
        full = np.repeat(place[None], 3, axis=0)
        full[:, [1, 3]] = s
        _, _, by_mean, by_variance = whole.moments_with_gradients(full)
        _, _, mine, of_variance = part.moments_with_gradients(s)
        assert mine == pytest.approx(by_mean[:, [1, 3]])
        assert of_variance == pytest.approx(by_variance[:, [1, 3]])
