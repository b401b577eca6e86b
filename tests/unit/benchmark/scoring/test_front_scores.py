"""What records of several objectives say, of runs that nobody had to do."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
import pytest

from ordbo_cli.benchmark.records import RunKey, RunRecord
from ordbo_cli.benchmark.scoring.front_scores import FrontScores, FrontStanding, front_scores
from ordbo_cli.benchmark.suites.fronts.front_copies import front_copy
from ordbo_cli.benchmark.suites.fronts.front_problem import FrontProblem, Values
from ordbo_cli.ordinal.linalg import Array

Points = Mapping[str, Sequence[Sequence[tuple[float, float]]]]


def lifted(x: Sequence[float], bend: float = 1.0) -> Values | None:
    """Return a straight trade along x1, all worse by x2; None for a corner. Bent, both objectives are curved."""
    if x[1] > 0.9:
        return None
    return math.expm1(bend * (x[0] + x[1])), (1.0 - x[0] + x[1]) ** (1.0 / bend)


def line(bend: float = 1.0) -> Array:
    return np.array([lifted((t, 0.0), bend) for t in np.linspace(0.0, 1.0, 41)])


def problem_of(name: str, bend: float = 1.0, kind: str = "smooth") -> FrontProblem:
    function = partial(lifted, bend=bend)
    return FrontProblem(name, function, ((0.0, 1.0),) * 2, partial(line, bend), kind)  # type: ignore[arg-type]  # one of them


def runs_of(problem: FrontProblem, points: Points) -> dict[RunKey, tuple[RunRecord, ...]]:
    """Return records of methods, each with the points of several seeds."""
    runs = {}
    for method, seeds in points.items():
        for seed, run in enumerate(seeds):
            key = RunKey(problem.name, method, seed, 1, len(run))
            told = [problem.function(x) for x in run]
            runs[key] = tuple(
                RunRecord(key, n, x, y[0] if y else None, None, y[1:] if y else ())
                for n, (x, y) in enumerate(zip(run, told, strict=True), 1)
            )
    return runs


POINTS: Points = {
    "near": [[(0.2, 0.0), (0.8, 0.0), (0.5, 0.1)], [(0.1, 0.0), (0.9, 0.0), (0.5, 0.0)]],
    "far": [[(0.5, 0.5), (0.2, 0.95), (0.3, 0.3)], [(0.5, 0.6), (0.6, 0.95), (0.4, 0.4)]],
    "failed": [[(0.5, 0.95)] * 3, [(0.6, 0.95)] * 3],
}


def scored(problem: FrontProblem, points: Points = POINTS, budgets: Sequence[int] = (1, 3)) -> FrontScores:
    return front_scores([problem], runs_of(problem, points), {}, budgets)


def row(scores: FrontScores, method: str, budget: int = 3) -> FrontStanding:
    return next(each for each in scores.problems if (each.method, each.budget) == (method, budget))


def test_shares_and_distances_are_in_units_of_the_front() -> None:
    """The whole front has a share of 1 and no distance; each method is ranked by both, no success is the last."""
    problem = problem_of("line_2d")
    whole = {"whole": [[(t, 0.0) for t in np.linspace(0.0, 1.0, 41).tolist()]]}
    best = row(scored(problem, whole, (41,)), "whole", 41)
    assert best.hypervolume.value == pytest.approx(1.0)
    assert best.distance.value == 0.0
    assert best.ranked_hypervolume.value == pytest.approx(1.0)
    scores = scored(problem)
    assert [row(scores, method).hypervolume.rank for method in POINTS] == [1.0, 2.0, 3.0]
    assert [row(scores, method).distance.rank for method in POINTS] == [1.0, 2.0, 3.0]
    assert row(scores, "failed").hypervolume.value == 0.0
    assert 0.5 < row(scores, "failed").distance.value < math.sqrt(2) * 1.1
    assert row(scores, "far").distance.value < row(scores, "far", 1).distance.value


def test_intervals_are_about_the_seeds() -> None:
    """The mean lies between the two seeds, and the interval reaches from one to the other."""
    problem = problem_of("line_2d")
    one, other = (row(scored(problem, {"near": [seed]}), "near").hypervolume.value for seed in POINTS["near"])
    both = row(scored(problem), "near").hypervolume
    assert both.value == pytest.approx((one + other) / 2)
    assert (both.low, both.high) == pytest.approx((min(one, other), max(one, other)))


def test_rank_coordinates_do_not_change_under_increasing_transforms() -> None:
    """With both objectives bent the figures by rank are the same to the digit, those by value are others."""
    straight, bent = scored(problem_of("line_2d")), scored(problem_of("line_2d", 3.0))
    for method in POINTS:
        one, other = row(straight, method), row(bent, method)
        assert one.ranked_distance == other.ranked_distance
        assert one.ranked_hypervolume == other.ranked_hypervolume
    assert row(straight, "far").distance != row(bent, "far").distance


def test_copies_are_scored_by_values_without_distortion() -> None:
    """The same points have the same figures through exp; a run that went elsewhere is not counted as the same."""
    origin = problem_of("line_2d")
    copy = front_copy(origin, "exp", tune=False)
    elsewhere = {**POINTS, "far": [POINTS["far"][0], [(0.5, 0.6), (0.6, 0.95), (0.4, 0.41)]]}
    found = front_scores([origin, copy], runs_of(origin, POINTS) | runs_of(copy, elsewhere), {}, (3,))
    near = [each for each in found.problems if each.method == "near"]
    assert near[0].hypervolume == near[1].hypervolume
    assert {(each.copy, each.method): each.same for each in found.copies} == {
        ("line_2d@exp", "near"): 2,
        ("line_2d@exp", "far"): 1,
        ("line_2d@exp", "failed"): 2,
    }
    assert list(dict.fromkeys(each.subject for each in found.classes)) == ["smooth", "rough", "all"]
    whole = next(each for each in found.classes if (each.subject, each.method) == ("all", "near"))
    assert whole.distance.value == pytest.approx(np.mean([each.distance.value for each in near]))


def test_problems_of_one_class_have_one_row_for_all() -> None:
    """There is nothing to tell apart."""
    some = [problem_of("a_2d"), problem_of("b_2d")]
    found = front_scores(some, runs_of(some[0], POINTS) | runs_of(some[1], POINTS), {}, (3,))
    assert {each.subject for each in found.classes} == {"all"}
