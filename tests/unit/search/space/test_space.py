"""Axes, closed cells and exhaustion, decided exactly."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.search.space.space import Space

MIXED = (
    Parameter("n", 1, 5, type="int"),
    Parameter("a", 0.0, 1.0, step=0.25),
    Parameter("r", 1.0, 1e3, scale="log", digits=1),
)


def test_room_is_counted_exactly_on_every_kind_of_axis() -> None:
    """A cell has room until its last value is tried; a value on its lower edge is not its own."""
    space = Space(Problem(MIXED), [])
    low, high = np.array([2.0, 0.25, 20.0]), np.array([3.0, 0.5, 30.0])
    assert space.has_room(low, high)
    assert not Space(Problem(MIXED), [(3, 0.5, 30.0)]).has_room(low, high)
    assert Space(Problem(MIXED), [(2, 0.5, 30.0), (3, 0.25, 30.0), (3, 0.5, 20.0)]).has_room(low, high)


def test_points_off_the_lattice_use_up_no_room() -> None:
    """A past run at 2.5 blades closes nothing."""
    space = Space(Problem(MIXED), [(2.5, 0.5, 30.0)])
    assert space.has_room(np.array([2.0, 0.25, 20.0]), np.array([3.0, 0.5, 30.0]))


def test_exhausted_when_the_last_value_is_tried() -> None:
    """Not one value earlier, not one later."""
    axes = [[axis.lattice.value(i) for i in range(axis.lattice.count)] for axis in MIXED]
    every = list(itertools.product(*axes))
    assert not Space(Problem(MIXED), every[:-1]).exhausted
    assert Space(Problem(MIXED), every).exhausted


@pytest.mark.slow
@given(st.data())
def test_room_is_that_of_a_count_point_by_point(data: st.DataObject) -> None:
    """Whatever was tried, points off the lattice and outside the bounds included."""
    parameters = (Parameter("n", 0, 4, type="int"), Parameter("a", 0.0, 1.0, step=0.25))
    every = list(itertools.product(range(5), [0.0, 0.25, 0.5, 0.75, 1.0]))
    tried = data.draw(
        st.lists(st.sampled_from([*every, (0.5, 0.5), (-1.0, 0.25), (9.0, 1.0), (2.0, 0.3)]), max_size=70)
    )
    space = Space(Problem(parameters), tried)
    edges = [
        sorted(data.draw(st.lists(st.sampled_from(axis), min_size=2, max_size=2, unique=True)))
        for axis in (range(5), [0.0, 0.25, 0.5, 0.75, 1.0])
    ]
    low, high = np.array([e[0] for e in edges], dtype=float), np.array([e[1] for e in edges], dtype=float)
    own = [x for x in every if all(b < v <= c or v == b == 0 for v, b, c in zip(x, low, high, strict=True))]
    assert space.has_room(low, high) == bool(set(own) - set(tried))


@pytest.mark.slow
@given(st.data())
def test_untried_is_the_nearest_by_brute_force(data: st.DataObject) -> None:
    """The walk outward finds a value no farther than any other untried one, and None only where there is none."""
    parameters = (Parameter("n", 0, 6, type="int"), Parameter("a", 0.0, 1.0, step=0.2))
    every = [
        (float(parameters[0].lattice.value(i)), parameters[1].lattice.value(j)) for i in range(7) for j in range(6)
    ]
    tried = data.draw(st.lists(st.sampled_from(every), max_size=60))
    space = Space(Problem(parameters), tried)
    target = np.array([data.draw(st.floats(0, 6)), data.draw(st.floats(0, 1))])
    left = [x for x in every if x not in set(tried)]
    found = space.untried(space.low, space.high, target)
    if not left:
        assert found is None
        return
    assert found is not None
    assert tuple(map(float, found)) in left

    def distance(x: tuple[float, ...]) -> float:
        return float(abs(x[0] - target[0]) / 6 + abs(x[1] - target[1]))

    assert distance(tuple(map(float, found))) <= min(map(distance, left)) + 1e-12
