"""The BBOB functions against COCO's own implementation."""

from __future__ import annotations

from collections.abc import Callable

import cocoex
import numpy as np
import pytest

from ordbo_cli.benchmark.suites import bbob
from ordbo_cli.benchmark.suites.bbob import BbobFunction

INSTANCES = (1, 2, 5, 13, 71)
MAKERS = {
    6: bbob.attractive_sector,
    7: bbob.step_ellipsoid,
    10: bbob.ellipsoid,
    12: bbob.bent_cigar,
    13: bbob.sharp_ridge,
    14: bbob.different_powers,
    15: bbob.rastrigin,
    18: bbob.schaffers,
}
FUNCTIONS = [pytest.param(number, make, id=make.__name__) for number, make in MAKERS.items()]


@pytest.fixture(scope="module")
def reference() -> cocoex.Suite:
    """COCO's test bed, written by its authors in C."""
    return cocoex.Suite("bbob", f"instances: {','.join(map(str, INSTANCES))}", "")


@pytest.mark.parametrize("instance", INSTANCES)
@pytest.mark.parametrize("dimension", [2, 3, 5, 10, 20])
@pytest.mark.parametrize(("number", "make"), FUNCTIONS)
def test_values_are_those_of_coco(
    reference: cocoex.Suite, number: int, make: Callable[..., BbobFunction], dimension: int, instance: int
) -> None:
    """Over the box, at its corners and close to the optimum the values agree to 1e-9."""
    theirs = reference.get_problem_by_function_dimension_instance(number, dimension, instance)
    ours = make(dimension, instance)
    rng = np.random.default_rng(instance)
    points = [
        *rng.uniform(-5, 5, (10, dimension)),
        *rng.choice([-5.0, 5.0], (3, dimension)),
        *(ours.minimiser + scale * rng.normal(size=dimension) for scale in (1e-1, 1e-4, 1e-8)),
    ]
    np.testing.assert_allclose([ours(x) for x in points], [theirs(x) for x in points], rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("instance", INSTANCES)
@pytest.mark.parametrize(("number", "make"), FUNCTIONS)
def test_the_minimum_is_that_of_coco(
    reference: cocoex.Suite, number: int, make: Callable[..., BbobFunction], instance: int
) -> None:
    """At the minimiser both give f_opt, and it lies well inside the box."""
    ours = make(2, instance)
    theirs = reference.get_problem_by_function_dimension_instance(number, 2, instance)
    assert ours(ours.minimiser) == ours.minimum
    assert theirs(ours.minimiser) == pytest.approx(ours.minimum, abs=1e-9)
    assert np.all(np.abs(ours.minimiser) <= 4)


@pytest.mark.parametrize("make", MAKERS.values())
def test_rotations_are_orthogonal(make: Callable[..., BbobFunction]) -> None:
    """R' R and Q' Q are the identity."""
    function = make(7, 3)
    for rotation in (function.rotation, function.second):
        np.testing.assert_allclose(rotation.T @ rotation, np.eye(7), atol=1e-12)


@pytest.mark.parametrize("make", MAKERS.values())
def test_one_dimension_is_refused(make: Callable[..., BbobFunction]) -> None:
    """The definitions divide by D - 1."""
    with pytest.raises(ValueError, match="at least two dimensions, not 1"):
        make(1)
