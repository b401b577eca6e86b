"""Every rule of interval arithmetic encloses what doubles give, at any size and next to zero."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ordbo_cli.problem.constraints import doubles, intervals
from ordbo_cli.problem.constraints.intervals import Interval

NUMBERS = st.one_of(
    st.floats(allow_nan=False),
    st.floats(-10.0, 10.0),
    st.integers(-5, 5).map(float),
    st.sampled_from([-math.inf, -1e308, -5e-324, 0.0, 5e-324, 1e-160, 1e160, 1e308, math.inf, math.pi / 2]),
)
TWO = ["+", "-", "*", "/", "//", "%", "**", "min", "max"]
ONE = ["neg", *(name for name in doubles.FUNCTIONS if name not in ("min", "max"))]


def inside(ends: list[float], share: float) -> float:
    low, high = min(ends), max(ends)
    x = low + share * (high - low)
    return min(max(x, low), high) if math.isfinite(x) else (0.0 if low <= 0 <= high else low)


def check(operator: str, boxes: list[list[float]], shares: list[float]) -> None:
    found = intervals.apply(operator, [Interval(min(ends), max(ends)) for ends in boxes])
    for point in (
        [inside(ends, share) for ends, share in zip(boxes, shares, strict=True)],
        [ends[0] for ends in boxes],
        [ends[-1] for ends in boxes],
        [ends[k % 2] for k, ends in enumerate(boxes)],
        [0.0 if min(ends) <= 0 <= max(ends) else ends[1] for ends in boxes],
    ):
        value = doubles.apply(operator, point)
        assert not math.isnan(value) or found.partial
        assert math.isnan(value) or found.low <= value <= found.high


@pytest.mark.slow
@pytest.mark.parametrize("operator", TWO)
@settings(max_examples=400, deadline=None)
@example(boxes=[[-3.0, -1.0], [2.0, 2.0]], shares=[0.5, 0.0])
@example(boxes=[[-1.0, 1.0], [math.inf, math.inf]], shares=[0.5, 0.0])
@example(boxes=[[-math.inf, math.inf], [math.inf, math.inf]], shares=[0.0, 0.0])
@example(boxes=[[-math.inf, math.inf], [0.0, 0.0]], shares=[0.0, 0.0])
@example(boxes=[[-7.0, -7.0], [-math.inf, math.inf]], shares=[0.5, 1.0])
@given(
    st.lists(st.lists(NUMBERS, min_size=2, max_size=2), min_size=2, max_size=2),
    st.lists(st.floats(0, 1), min_size=2, max_size=2),
)
def test_operators(operator: str, boxes: list[list[float]], shares: list[float]) -> None:
    """Of two numbers."""
    check(operator, boxes, shares)


@pytest.mark.slow
@pytest.mark.parametrize("operator", ONE)
@settings(max_examples=300, deadline=None)
@given(st.lists(NUMBERS, min_size=2, max_size=2), st.floats(0, 1))
def test_functions(operator: str, ends: list[float], share: float) -> None:
    """Of one number."""
    check(operator, [ends], [share])


@pytest.mark.parametrize(
    ("operator", "boxes", "expected"),
    [
        ("+", [(1.0, 2.0), (3.0, 4.0)], (4.0, 6.0)),
        ("*", [(-1.0, 2.0), (3.0, 4.0)], (-4.0, 8.0)),
        ("/", [(1.0, 2.0), (2.0, 4.0)], (0.25, 1.0)),
        ("/", [(1.0, 2.0), (0.0, 4.0)], (0.25, math.inf)),
        ("abs", [(-3.0, 2.0)], (0.0, 3.0)),
        ("sqrt", [(-3.0, 4.0)], (0.0, 2.0)),
        ("%", [(5.0, 90.0), (4.0, 4.0)], (0.0, 4.0)),
        ("%", [(1.0, 3.0), (4.0, 4.0)], (1.0, 3.0)),
        ("min", [(1.0, 5.0), (2.0, 3.0)], (1.0, 3.0)),
        ("log", [(-2.0, -1.0)], (math.inf, -math.inf)),
        ("sin", [(0.0, 2.0)], (0.0, 1.0)),
        ("cos", [(2.0, 4.0)], (-1.0, math.cos(2.0))),
        ("**", [(-3.0, 2.0), (2.0, 2.0)], (0.0, 9.0)),
        ("**", [(-3.0, 2.0), (3.0, 3.0)], (-27.0, 8.0)),
        ("//", [(1.0, 9.5), (2.0, 2.0)], (0.0, 4.0)),
    ],
)
def test_bounds_are_tight(operator: str, boxes: list[tuple[float, float]], expected: tuple[float, float]) -> None:
    """But for some ulps of the C library's functions."""
    found = intervals.apply(operator, [Interval(*ends) for ends in boxes])
    assert found[:2] == pytest.approx(expected, rel=1e-14, abs=1e-300)
