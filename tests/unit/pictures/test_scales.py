"""Where objective values go: on the axis that shows them, in their order, with few ticks in plain figures."""

from __future__ import annotations

import math
from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ordbo_cli.pictures.scales import Heights, heights, set_scale, spread_out
from ordbo_cli.pictures.style import LIGHT, Axes, Look

pytest.importorskip("matplotlib")


def of(values: Sequence[object], goal: str = "minimize") -> Heights:
    return heights([None if value is None else Decimal(str(value)) for value in values], goal)


def axes_of(values: Sequence[object], size: tuple[float, float] = (4.0, 3.0)) -> Axes:
    """Return a panel with values on its vertical axis."""
    some = of(values)
    with Look(LIGHT, size).figure(*size) as figure:
        axes = figure.subplots()
        axes.plot(some.y, "o")
        some.apply(axes)
    figure.draw_without_rendering()
    return axes


def labels(axes: Axes) -> list[str]:
    """Return the tick labels that are drawn, from low to high."""
    low, high = sorted(axes.get_ylim())
    ticks = [tick for tick in axes.yaxis.get_major_ticks() if low <= tick.get_loc() <= high]
    return [tick.label1.get_text() for tick in ticks]


@pytest.mark.parametrize(
    ("values", "kind"),
    [
        ([], "linear"),
        ([None, "inf"], "linear"),
        ([3], "linear"),
        ([1, 2, 3, 4], "linear"),
        ([-5, 0, 5, 8], "linear"),
        ([1, 10, 1000], "log"),
        ([1e-150, 1, 1e150], "log"),
        ([1e-299, 1, 1e299], "rank"),  # its ticks would reach beyond the largest double
        ([-1, -100, -10000], "symlog"),
        ([-1, 0.5, 1, 2, 1e9], "symlog"),
        ([-1e299, 1, 2, 3, 1e299], "rank"),  # no bent axis has room for 600 decades
        ([1, 2, "1e400"], "rank"),
        ([1, "2e-400", "1e-400"], "rank"),  # to doubles both are zero
        (["1.00000000000000000001", "1.00000000000000000002", 3], "rank"),
        ([0, 1e-320, 1], "rank"),
    ],
)
def test_the_axis_that_shows_them(values: list[object], kind: str) -> None:
    """Linear, logarithmic, bent where some lie far out, by rank where no axis shows them."""
    assert of(values).kind == kind


def test_failures_and_infinities_have_no_height() -> None:
    """The others stand at their own value."""
    some = of([3, None, "inf", -1.5, "-inf"])
    assert some.y[[0, 3]].tolist() == [3.0, -1.5]
    assert [math.isnan(y) for y in some.y] == [False, True, True, False, True]


@pytest.mark.parametrize("goal", ["minimize", "maximize"])
def test_by_rank_low_values_are_low(goal: str) -> None:
    """Equal values share a place; the goal says which end is good, the axis is the same."""
    some = of(["2e400", "1e400", 3, None, "2e400", "-1e400"], goal)
    assert some.kind == "rank"
    assert [0 if math.isnan(y) else y for y in some.y] == [4, 3, 2, 0, 4, 1]
    assert some.high_is_good == (goal == "maximize")
    assert some.note == ", by rank"


decimals = st.one_of(
    st.decimals(allow_nan=False, allow_infinity=False),
    st.floats(allow_nan=False, allow_infinity=False).map(lambda x: Decimal(repr(x))),
    st.integers(-400, 400).map(lambda power: Decimal(10) ** power),
)


@pytest.mark.slow
@example([Decimal("1e93"), Decimal("1e-216"), Decimal("1e-217")])
@given(st.lists(decimals, min_size=1, max_size=12))
def test_heights_have_the_values_order(values: list[Decimal]) -> None:
    """Whatever the axis, higher is larger, and equal is equal."""
    y = heights(values, "minimize").y
    for first, a in zip(values, y, strict=True):
        for second, b in zip(values, y, strict=True):
            assert (first < second) == (a < b)


def test_ticks_by_rank_are_the_values() -> None:
    """In the user's own numbers, of which no double is one; where they are too long, the ranks."""
    assert labels(axes_of(["1e400", "2.5e-400", 3])) == ["2.5e-400", "3", "1e400"]
    assert labels(axes_of([10**30 + k for k in range(3)])) == ["1", "2", "3"]
    assert labels(axes_of(["1.000000000001", "1.000000000002", "1e400"])) == ["1", "2", "3"]


@pytest.mark.parametrize(
    "values",
    [
        [0.5, -1, 1e9, 2, -1e8, 0.7, 1.1],
        [-(10.0**k) for k in range(9)],
        [1.0 + 1e-13 * k for k in range(8)],
        [10.0**k for k in range(-150, 150, 10)],
        [1e7, 2e7, 3e7, 4e7],
        [3.25],
        [-1e-5, 1e-5, 1, -1, 1e20],
    ],
)
def test_ticks_are_few_and_told_apart(values: list[float]) -> None:
    """At least one, no two alike or on each other, no powers drawn as mathematics, and no offset above the axis."""
    axes = axes_of(values)
    low, high = sorted(axes.get_ylim())
    ticks = [tick for tick in axes.yaxis.get_major_ticks() if low <= tick.get_loc() <= high]
    texts = [tick.label1.get_text() for tick in ticks]
    assert 1 <= len(texts) <= 10
    assert len(set(texts)) == len(texts)
    assert [float(text) for text in texts] == pytest.approx([tick.get_loc() for tick in ticks], rel=1e-12)
    assert axes.yaxis.get_offset_text().get_text() == ""
    boxes = sorted((box.y0, box.y1) for box in (tick.label1.get_window_extent() for tick in ticks))
    assert all(below[1] <= above[0] for below, above in pairwise(boxes))


def test_without_values_there_are_no_ticks() -> None:
    """An axis of nothing has no numbers that mean nothing."""
    assert labels(axes_of([None, "inf"])) == []


def test_a_bent_axis_may_run_backwards() -> None:
    """Its ticks are the same, whichever end is up."""
    with Look().figure(4, 3) as figure:
        first, second = figure.subplots(1, 2)
        for axes, limits in ((first, (-1e6, 1e6)), (second, (1e6, -1e6))):
            set_scale(axes, "y", "symlog", linthresh=1.0)
            axes.set_ylim(*limits)
    ticks = [sorted(axes.yaxis.get_majorticklocs().tolist()) for axes in (first, second)]
    assert ticks[0] == ticks[1]
    assert 0.0 in ticks[0]
    assert ticks[0][0] < 0.0 < ticks[0][-1]


@pytest.mark.parametrize(("number", "most", "places"), [(0, 5, []), (1, 5, [0]), (3, 5, [0, 1, 2]), (9, 3, [0, 4, 8])])
def test_some_of_many(number: int, most: int, places: list[int]) -> None:
    """From the first to the last, evenly."""
    assert spread_out(number, most) == places


@pytest.mark.parametrize(
    ("values", "value", "room"),
    [
        ([1, 2, 4], "7", True),
        ([1, 2, 4], "7.1", False),
        ([1, 2, 4], "-2.1", False),
        ([3], "1e9", True),
        ([3], "1e400", False),
        (["0.001", 1, 1000], "1e8", True),
        (["0.001", 1, 1000], "1e10", False),
        (["0.001", 1, 1000], "-1", False),
        (["0.001", 1, 1000], "0", False),
        ([-1000, "-0.001", 1, 1000, 5], "0", True),
        (["1e400", "2e400"], "1e400", False),
        ([], "1", False),
    ],
)
def test_a_line_beside_the_results_has_room_where_it_does_not_squash_them(
    values: list[object], value: str, room: bool
) -> None:
    """By lengths along the axis, whatever its scale; an axis by rank has no place for what is no result."""
    assert of(values).has_room_for(Decimal(value)) is room
