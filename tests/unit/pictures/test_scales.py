"""Where numbers go on an axis: which scale, which heights, which ticks, for values of any size."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ordbo_cli.pictures.scales import heights, set_limits, set_scale, spread_out
from ordbo_cli.pictures.style import LIGHT, Look

pytest.importorskip("matplotlib")


def exact(*texts: object) -> list[Decimal | None]:
    """Return exact values; None is a failure."""
    return [None if text is None else Decimal(str(text)) for text in texts]


def ticks(values: Sequence[Decimal | None], goal: str = "minimize") -> list[str]:
    """Return the labels of an axis that shows values, within its limits, and check that none repeats."""
    found = heights(values, goal)
    with Look(LIGHT).figure(4, 3) as figure:
        axes = figure.subplots()
        axes.plot(range(len(values)), found.y, "o")
        found.apply(axes)
        figure.draw_without_rendering()
        low, high = axes.get_ylim()
        labels = [t.label1.get_text() for t in axes.yaxis.get_major_ticks() if low <= t.get_loc() <= high]
    shown = [label for label in labels if label]
    assert len(set(shown)) == len(shown), shown
    return shown


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ((1, 2, 3), "linear"),
        ((1, 1000), "linear"),  # of two values no spread is known
        ((1, 10, 101), "log"),
        ((1, 10, 100), "linear"),
        ((1e-300, 5, 1e300), "rank"),  # its margins would overflow
        ((1e-200, 5, 1e200), "log"),
        ((-101, -10, -1), "symlog"),
        ((-1, 0, 1, 2, 1e9), "symlog"),
        ((-1, 0, 1, 2, 3), "linear"),
        ((1, 2, "1e400"), "rank"),
        ((1, "1e-400", "1e-401"), "rank"),
        ((1, 2, "1.00000000000000000001"), "rank"),
        ((-1e200, -1, 0, 1, 2, 3, 1e200), "rank"),
        ((5, 5, 5), "linear"),
        ((None, None), "linear"),
        (("inf", "inf"), "linear"),
    ],
)
def test_the_scale(values: tuple[object, ...], kind: str) -> None:
    """Linear, logarithmic over two decades of one sign, bent for outliers, by rank where doubles do not do."""
    assert heights(exact(*values), "minimize").kind == kind


def test_heights_are_values_or_ranks() -> None:
    """Failures and infinities have none; by rank the distinct values stand at 1, 2, 3."""
    np.testing.assert_array_equal(heights(exact(3, None, 1, "inf"), "minimize").y, [3, math.nan, 1, math.nan])
    found = heights(exact("1e400", 2, "1e401", None, 2), "maximize")
    np.testing.assert_array_equal(found.y, [2, 1, 3, math.nan, 1])
    assert found.high_is_good
    assert found.note == ", by rank"


decimals = st.decimals(allow_nan=False, allow_infinity=False) | st.integers(-400, 400).map(lambda k: Decimal(f"1e{k}"))


@settings(max_examples=300, deadline=None)
@given(st.lists(st.none() | decimals, max_size=12))
def test_heights_keep_the_order(values: list[Decimal | None]) -> None:
    """Of any values: equal ones are as high, a higher one is higher, none is lost."""
    y = heights(values, "minimize").y
    known = [(value, float(height)) for value, height in zip(values, y, strict=True) if value is not None]
    assert all(math.isfinite(height) for _, height in known)
    assert all((a < b) == (x < z) and (a == b) == (x == z) for a, x in known for b, z in known)


@pytest.mark.parametrize(
    "values",
    [
        (1, 2, 3),
        (1e-9, 1.0, 1e9),
        (-1, 0, 1, 2, 1e9),
        (-1e9, -1, 0, 1, 1e9),
        (1e9, 1e9 + 1, 1e9 + 2),
        (1e-300, 2e-300, 3e-300),
        (1e299, 2e299, 3e299),
        (-1e299, 0, 1e299),
        ("1e400", "1e401", 5),
        ("1e9999999", "-1e9999999"),
        (7,),
        tuple(range(1000)),
    ],
    ids=lambda values: f"{values[0]}..{values[-1]}",
)
def test_ticks_are_few_and_differ(values: tuple[object, ...]) -> None:
    """At least one and at most a dozen, no two alike, no power notation of mathematics."""
    labels = ticks(exact(*values))
    assert 1 <= len(labels) <= 12
    assert not any("$" in label or "\N{MULTIPLICATION SIGN}" in label for label in labels)


def test_ticks_by_rank_are_the_values() -> None:
    """Where they are short; the ranks where they are long."""
    assert ticks(exact("1e400", 5, "1e401")) == ["5", "1e400", "1e401"]
    assert ticks(exact("1.00000000000000000001", "1.00000000000000000002", 1)) == ["1", "2", "3"]


def test_nothing_to_show_has_no_ticks() -> None:
    """Failures only."""
    assert ticks(exact(None, None)) == []


@pytest.mark.parametrize(("number", "most", "places"), [(0, 5, []), (1, 5, [0]), (3, 5, [0, 1, 2]), (9, 3, [0, 4, 8])])
def test_spread_out(number: int, most: int, places: list[int]) -> None:
    """First and last among them, not more than the most."""
    assert spread_out(number, most) == places


@pytest.mark.parametrize(
    ("scale", "low", "high"),
    [
        ("linear", 1e-300, 1e-290),
        ("log", 1e-300, 1e-290),
        ("linear", -1e9, 1e9),
        ("log", 1e-12, 1e12),
        ("linear", 0, 9),
    ],
)
@pytest.mark.parametrize("which", ["x", "y"])
def test_axes_of_parameters(which: Any, scale: str, low: float, high: float) -> None:
    """Bounds of any size are the ends of the axis, with at least two ticks that differ between them."""
    with Look(LIGHT).figure(5, 3) as figure:
        axes = figure.subplots()
        set_scale(axes, which, scale)
        set_limits(axes, which, low, high, whole=False)
        figure.draw_without_rendering()
        axis = axes.xaxis if which == "x" else axes.yaxis
        assert tuple(axis.get_view_interval()) == pytest.approx((low, high), rel=1e-9)
        labels = [t.label1.get_text() for t in axis.get_major_ticks() if low <= t.get_loc() <= high]
    assert len(set(filter(None, labels))) >= 2


def test_whole_numbers_have_whole_ticks() -> None:
    """An axis of three blades to five has no tick at 3.5."""
    with Look(LIGHT).figure(5, 3) as figure:
        axes = figure.subplots()
        set_scale(axes, "x", "linear")
        set_limits(axes, "x", 3, 5, whole=True)
        assert all(float(tick).is_integer() for tick in axes.get_xticks())
