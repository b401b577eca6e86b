"""Whatever the expression: columns answer as points do, and boxes tell no lie."""

from __future__ import annotations

import random

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from ordbo_cli.problem import Problem
from ordbo_cli.problem.axis import Axis
from ordbo_cli.problem.constraints import Constraint, ExpressionError, feasible_points, which_is_empty
from ordbo_cli.problem.parameter import Number
from tests.properties.expressions import PARAMETERS, points, truths

pytestmark = pytest.mark.slow

PROBLEM = Problem(PARAMETERS)
Point = tuple[Number, ...]


def parsed(text: str) -> Constraint:
    """Return the constraint of a text, passing over those that divide by zero or name no parameter."""
    try:
        return Constraint.parse(text, PARAMETERS)
    except ExpressionError as error:
        assume("undefined" not in error.said and "larger than" not in error.said and "no parameter" not in error.said)
        raise


def columns(many: list[Point]) -> dict[str, np.ndarray]:  # type: ignore[type-arg]  # of numbers
    return {p.name: np.array([point[k] for point in many], dtype=float) for k, p in enumerate(PARAMETERS)}


def by_name(point: Point) -> dict[str, Number]:
    return {p.name: x for p, x in zip(PARAMETERS, point, strict=True)}


@settings(max_examples=400, deadline=None)
@given(truths(), st.lists(points(), min_size=1, max_size=12))
def test_columns_answer_as_points_do(text: str, many: list[Point]) -> None:
    """Bit for bit, with and without the parameters that do not count."""
    constraint = parsed(text)
    answers = [constraint.holds(PROBLEM.mapping(point)) for point in many]
    assert constraint.satisfied(columns(many)).tolist() == answers
    whole = [{p.name: p.shown(x) for p, x in zip(PARAMETERS, point, strict=True)} for point in many]
    assert [constraint.holds(point) for point in whole] == answers


@settings(max_examples=800, deadline=None)
@given(truths(), st.data())
def test_boxes_tell_no_lie(text: str, data: st.DataObject) -> None:
    """No point of a box satisfies what is impossible there, and all of them what is certain."""
    constraint = parsed(text)
    one, other = data.draw(points()), data.draw(points())
    low, high = tuple(map(min, one, other)), tuple(map(max, one, other))
    possible, certain = (ask(by_name(low), by_name(high)) for ask in (constraint.possible, constraint.certain))
    assert possible or not certain
    rng = random.Random(data.draw(st.integers(0, 10**6)))
    for _ in range(30):
        point = []
        for parameter, a, b in zip(PARAMETERS, low, high, strict=True):
            inside = rng.uniform(float(a), float(b)) if parameter.name == "x" else a
            if parameter.is_whole:
                inside = rng.randint(int(a), int(b))
            point.append(rng.choice([a, b, inside]))
        answer = constraint.holds(PROBLEM.mapping(point))
        assert possible or not answer
        assert answer or not certain
    for point in ([*low], [*high]):
        assert certain <= constraint.holds(PROBLEM.mapping(point)) <= possible
        assert constraint.holds(PROBLEM.mapping(point)) == constraint.possible(
            by_name(tuple(point)), by_name(tuple(point))
        )


@settings(max_examples=150, deadline=None)
@given(st.lists(truths(), min_size=1, max_size=2), st.data())
def test_points_that_are_found_are_points(texts: list[str], data: st.DataObject) -> None:
    """They satisfy all, can be suggested and lie within; a proof of emptiness survives what is drawn."""
    constraints = [parsed(text) for text in texts]
    axes = [Axis(parameter) for parameter in PARAMETERS]
    box = tuple(_part(data, axis.lattice.count) for axis in axes)
    found = feasible_points(constraints, axes, 3, np.random.default_rng(0), box)
    assert len(set(found)) == len(found) <= 3
    for point in found:
        assert all(constraint.holds(PROBLEM.mapping(point)) for constraint in constraints)
        for axis, (first, last), x in zip(axes, box, point, strict=True):
            assert first <= axis.floor(x) <= last
            assert axis.holds(x)
    empty = which_is_empty(constraints, PARAMETERS)
    assert empty is None or empty in texts
    if empty is not None:
        assert found == []
        drawn = data.draw(points())
        assert not all(constraint.holds(PROBLEM.mapping(drawn)) for constraint in constraints)


def _part(data: st.DataObject, count: int) -> tuple[int, int]:
    first, last = sorted(data.draw(st.tuples(*[st.integers(0, count - 1)] * 2)))
    return first, last
