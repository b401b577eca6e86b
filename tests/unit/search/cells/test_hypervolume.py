"""Where several objectives send the next point: what one may hope to gain, and quadratics among the first fronts."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace
from decimal import Decimal
from typing import Final

import numpy as np
import pytest

from ordbo_cli.problem import Evaluation, Parameter, Problem
from ordbo_cli.problem.limit import Aim
from ordbo_cli.problem.method import Method
from ordbo_cli.search.cells.hypervolume import Gain, directions
from ordbo_cli.search.step import Proposal, propose
from ordbo_cli.search.step_input import StepInput

Results = Sequence[float] | None
POINTS: Final = np.random.default_rng(1).random((14, 2)).tolist()


def bowls(x: Sequence[float]) -> Results:
    """Return two tilted bowls, whose front is the line between their minima (0.3, 0.6) and (0.7, 0.4)."""
    return [(a + b) ** 2 + 20.0 * (a - b) ** 2 for a, b in ((x[0] - 0.3, x[1] - 0.6), (x[0] - 0.7, x[1] - 0.4))]


def next_point(
    function: Callable[[Sequence[float]], Results], method: Method | None = None, X: Sequence[Sequence[float]] = POINTS
) -> Proposal:
    """Return what follows from the results of two objectives at points of the unit square."""
    parameters = tuple(Parameter(f"x{j}", 0.0, 1.0) for j in range(2))
    problem = Problem(parameters, objective="y0", outcomes=(Aim("y1"),), method=method or Method())
    rows = []
    for k, x in enumerate(X):
        found = function(x)
        first, *rest = [None, None] if found is None else [Decimal(repr(value)) for value in found]
        rows.append(Evaluation(tuple(x), first, k + 1, "", tuple(rest) if found else ()))
    return propose(StepInput(problem, tuple(rows), step=len(X)))


def test_quadratics_find_a_front_across_the_axes() -> None:
    """The next point is close to the line of which each is the best of some weighted sum."""
    found = next_point(bowls)
    assert found.record.kind == "refine"
    values = np.array(bowls([float(x) for x in found.values]))
    seen = np.array([bowls(x) for x in POINTS])
    assert not np.any(np.all(seen <= values, axis=1))


@pytest.mark.parametrize("how", [math.exp, math.atan, lambda y: 3.0 * y - 7.0], ids=["exp", "atan", "affine"])
@pytest.mark.parametrize("refine", [True, False], ids=["quadratics", "latent process"])
def test_no_increasing_transform_of_one_objective_changes_the_point(
    how: Callable[[float], float], refine: bool
) -> None:
    """The same point to the last bit."""
    method = replace(Method(), refine=refine)

    def changed(x: Sequence[float]) -> Results:
        first, second = bowls(x) or (0.0, 0.0)
        return [first, how(second)]

    assert next_point(changed, method).values == next_point(bowls, method).values


def test_quadratics_are_not_followed_where_something_failed_beside_every_result_of_the_front() -> None:
    """Every result has a failure for a neighbour."""
    beside = [[x + 1e-3, y] for x, y in POINTS]
    found = next_point(lambda x: None if list(x) in beside else bowls(x), X=[*POINTS, *beside])
    assert found.record.kind == "acquire"


@pytest.mark.parametrize("favoured", [False, True])
@pytest.mark.parametrize("objectives", [2, 3])
def test_gradients_of_the_gain_are_those_of_its_values(objectives: int, favoured: bool) -> None:
    """By means and by standard deviations, whatever the directions count."""
    rng = np.random.default_rng(objectives)
    favour = rng.random(len(directions(objectives))) if favoured else None
    gain = Gain(rng.normal(size=(6, objectives)), np.full(objectives, 0.5), 2.0, favour=favour)
    mean, sd = rng.normal(size=(40, objectives)), 0.1 + rng.random((40, objectives))
    _, by_mean, by_sd = gain.of(mean, sd)
    for step in 1e-6 * np.eye(objectives):
        k = int(np.argmax(step))
        found_by_mean = (gain.of(mean + step, sd)[0] - gain.of(mean - step, sd)[0]) / 2e-6
        found_by_sd = (gain.of(mean, sd + step)[0] - gain.of(mean, sd - step)[0]) / 2e-6
        assert np.allclose(found_by_mean, by_mean[:, k], atol=1e-5)
        assert np.allclose(found_by_sd, by_sd[:, k], atol=1e-5)


def test_hope_is_shared() -> None:
    """What is unknown in two objectives promises less than twice the bound of each, and more than without doubt."""
    gain = Gain(np.array([[0.0, 1.0], [1.0, 0.0]]), np.full(2, 0.5), 2.0, hoped=np.inf)
    mean, sd = np.array([[0.8, 0.8]]), np.array([[0.3, 0.3]])
    shared = gain.of(mean, sd)[0]
    assert gain.of(mean - 2.0 * sd, 1e-3 * sd)[0] < shared < gain.of(mean, 1e-3 * sd)[0]
    one_known = np.array([[1e-5, 0.3]])
    assert np.allclose(gain.of(mean, one_known)[0], gain.of(mean - [[0.0, 0.6]], 0.0 * sd)[0], atol=1e-3)
