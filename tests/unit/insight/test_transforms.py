"""Monotone maps of results and of a parameter's values: the order stays, and what they cannot do is said."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from itertools import pairwise

import numpy as np
import pytest

from ordbo_cli.insight.transforms import (
    INPUT_TRANSFORMS,
    OBJECTIVE_TRANSFORMS,
    Mapped,
    mapped_parameter,
    objective_images,
)
from ordbo_cli.problem import Number, Parameter

ODD = {
    "signs": ["-3.5", "0", "1e-7", "2", "17"],
    "twenty digits": ["1.0000000000000000001", "1.0000000000000000002", "1", "-1.0000000000000000001"],
    "beyond doubles": ["1e400", "-1e400", "1e-320", "1e300", "3"],
    "close at the top": ["1e300", "1.00000000000000000000000001e300", "0"],
    "infinite": ["Infinity", "5", "1e400", "-2"],
    "infinite below": ["-Infinity", "5", "1e400", "-2"],
    "one": ["4"],
    "zero": ["0"],
    "zeros": ["0", "-0", "0.0"],
}


@pytest.mark.parametrize("how", OBJECTIVE_TRANSFORMS)
@pytest.mark.parametrize("name", ODD)
def test_results_keep_their_order(name: str, how: str) -> None:
    """Whatever the size of the numbers and the digits that tell them apart; one of the six turns the order round."""
    values = sorted({Decimal(text) for text in ODD[name]})
    images = objective_images([*values, *values], how)
    assert images is not None
    assert list(images) == values
    line = [images[y] for y in values]
    if how == "decreasing affine":
        line.reverse()
    assert all(a < b for a, b in pairwise(line))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
def test_random_results_keep_their_order(seed: int) -> None:
    """Of every size from 1e-300 to 1e300, both signs."""
    rng = np.random.default_rng(seed)
    values = {Decimal(repr(float(y))) for y in rng.normal(size=40) * 10.0 ** rng.integers(-300, 300, 40)}
    for how in OBJECTIVE_TRANSFORMS:
        images = objective_images(values, how)
        assert images is not None
        ranks = sorted(values, key=images.__getitem__, reverse=how == "decreasing affine")
        assert ranks == sorted(values), how


def test_the_transforms_are_what_they_are_called() -> None:
    """By the functions of doubles, to their digits."""
    values = [Decimal(y) for y in (-8, -1, 0, 1, 4)]
    x = np.array(values, dtype=np.float64)
    expected = {
        "log": np.sign(x) * np.log1p(np.abs(x)),
        "exp": np.exp(x / 8.0),
        "cube": x**3,
        "rank": np.arange(1.0, 6.0),
        "affine": 3.0 * x + 5.0,
        "decreasing affine": 5.0 - 3.0 * x,
    }
    for how in OBJECTIVE_TRANSFORMS:
        images = objective_images(values, how)
        assert images is not None
        assert [float(images[y]) for y in values] == pytest.approx(expected[how], rel=1e-14), how


@pytest.mark.slow
def test_results_that_take_too_many_digits() -> None:
    """The exponential of numbers beside 1e3000 is not had within the bound, and neither are sums; cube and rank are."""
    values = [Decimal("1e3000"), Decimal(1), Decimal(2)]
    had = {how for how in OBJECTIVE_TRANSFORMS if objective_images(values, how) is not None}
    assert had == set(OBJECTIVE_TRANSFORMS) - {"exp"}
    values = [Decimal("1e-3000"), Decimal(1), Decimal(0)]
    had = {how for how in OBJECTIVE_TRANSFORMS if objective_images(values, how) is not None}
    assert had == {"cube", "rank"}


FLOATS = {
    "plain": (Parameter("a", -1.0, 3.0), [0.1, 2.9, 1e-12]),
    "rows outside": (Parameter("a", 0.0, 12.0), [-40.0, 3.3, 1e4]),
    "log": (Parameter("a", 1e-8, 10.0, scale="log"), [1e-7, 3e-3]),
    "log with a row below zero": (Parameter("a", 1e-8, 10.0, scale="log"), [-1.0, 3e-3]),
    "far from zero": (Parameter("a", 1e6, 1e6 + 1), [1e6 + 0.25, 1e6 + 1e-4]),
    "tiny": (Parameter("a", 0.0, 1e-200), [1e-203, 5e-202]),
    "huge": (Parameter("a", -8e307, 8e307), [1.0, -2e305]),
}


@pytest.mark.parametrize("how", INPUT_TRANSFORMS)
@pytest.mark.parametrize("name", FLOATS)
def test_a_float_without_a_grid_takes_every_transform(name: str, how: str) -> None:
    """Known values and bounds rise as before, as doubles with room between them, and no longer in the same ratios."""
    parameter, known = FLOATS[name]
    mapped = mapped_parameter(parameter, known, how, 10)
    assert isinstance(mapped, Mapped)
    x = sorted({*known, float(parameter.min), float(parameter.max)})
    y = [float(mapped.images[value]) for value in x]
    assert all(a < b for a, b in pairwise(y))
    assert (mapped.parameter.min, mapped.parameter.max) == (y[x.index(parameter.min)], y[x.index(parameter.max)])
    assert mapped.parameter.scale == "linear"
    assert y != x
    before, after = (np.diff(line) / (line[-1] - line[0]) for line in (np.array(x) / 8.0, np.array(y)))
    assert (after == pytest.approx(before, rel=1e-6, abs=1e-9)) == (how == "affine")


@pytest.mark.parametrize("how", INPUT_TRANSFORMS)
def test_values_that_lie_too_close(how: str) -> None:
    """Two doubles lie between these: after a transform there are more or fewer, which counts where five were tried."""
    x = np.float64(0.7)
    close = [float(x), float(x + 3 * np.spacing(x))]
    assert mapped_parameter(Parameter("a", 0.0, 1.0), close, how, 5) == "merged"
    assert isinstance(mapped_parameter(Parameter("a", 0.0, 1.0), close, how, 0), Mapped)


def test_values_whose_cubes_are_no_doubles() -> None:
    """1 and 2 beside 8e307: both cubes of their shares underflow."""
    assert mapped_parameter(Parameter("a", -8e307, 8e307), [1.0, 2.0], "cube", 5) == "merged"


def test_ranks_make_room_that_was_not_there() -> None:
    """Between two neighbouring doubles lies none, so that a cell there is full; between their ranks many do."""
    close = [0.7, float(np.nextafter(0.7, 1.0))]
    assert mapped_parameter(Parameter("a", 0.0, 1.0), close, "rank", 5) == "merged"


GRIDS: dict[str, tuple[Parameter, list[Number], str]] = {
    "int": (Parameter("a", 3, 90, type="int"), [4, 17, 90, 1000], "int"),
    "int with a step": (Parameter("a", -3, 90, type="int", step=4), [1, 5, 6], "int"),
    "large int": (Parameter("a", 0, 10**15, type="int"), [3, 10**15 - 1], "int"),
    "step": (Parameter("a", 0.1, 2.3, step=0.01), [0.11, 1.7, 1.705], "float"),
    "step short of the end": (Parameter("a", 0.0, 1.0, step=0.3), [0.3, 0.9, 1.0], "float"),
    "digits": (Parameter("a", 0.1, 100.0, digits=3), [0.123, 99.9, 0.1234], "float"),
    "digits through zero": (Parameter("a", -2.0, 7.0, digits=2), [-0.11, 0.0, 6.9], "float"),
    "digits on a log scale": (Parameter("a", 1e-6, 1.0, digits=4, scale="log"), [1.234e-5, 0.5], "float"),
}


@pytest.mark.parametrize("name", GRIDS)
def test_a_grid_stays_one_under_affine_maps(name: str) -> None:
    """As many values lie between any two known ones, and those that were on the grid are on it."""
    parameter, known, kind = GRIDS[name]
    mapped = mapped_parameter(parameter, known, "affine", 5)
    assert isinstance(mapped, Mapped)
    after = mapped.parameter
    assert (after.type, after.digits, after.step is None) == (
        kind,
        parameter.digits,
        kind != "int" and "digits" in name,
    )
    assert after.min != parameter.min or after.max != parameter.max
    if parameter.digits is None:
        assert after.lattice.count == parameter.lattice.count
        for k in (0, 1, 2, parameter.lattice.count - 1):
            assert after.lattice.value(k) == pytest.approx(2 * parameter.lattice.value(k) + 3 * (parameter.step or 1))
    else:
        assert after.lattice.value(0) == pytest.approx(100 * parameter.min)
    assert all(isinstance(mapped.images[float(x)], int) == (kind == "int") for x in known)


@pytest.mark.parametrize("how", ["log", "exp", "cube", "rank"])
@pytest.mark.parametrize("name", GRIDS)
def test_a_grid_is_lost_under_other_maps(name: str, how: str) -> None:
    """No parameter has the values that these would give."""
    parameter, known, _ = GRIDS[name]
    assert mapped_parameter(parameter, known, how, 5) == "off the grid"


SEVENTEEN = Parameter("a", 0.1234567890123456, 0.9, step=0.001234567890123)


@pytest.mark.parametrize(
    ("parameter", "places", "tried"),
    [
        (SEVENTEEN, range(0, 600, 2), 500),
        (SEVENTEEN, [321], 0),
        (Parameter("a", 0.0, 1e-299, digits=3), range(0, 600, 2), 500),
        (Parameter("a", 0.0, 0.9999999999999999, step=0.1), [2, 5], 0),
    ],
)
def test_a_grid_that_doubles_cannot_show(parameter: Parameter, places: Sequence[int], tried: int) -> None:
    """Many digits in a bound, decimals at the end of the doubles, a step that just misses the end: no comparison."""
    values = [parameter.lattice.value(k) for k in places]
    assert mapped_parameter(parameter, values, "affine", tried) == "off the grid"


def test_whole_numbers_that_are_one_double() -> None:
    """These rows are outside the bounds; twice as large they would be one double."""
    parameter = Parameter("a", 0, 2**50, type="int")
    assert mapped_parameter(parameter, [2**53 - 1, 2**53 - 2], "affine", 5) == "merged"
