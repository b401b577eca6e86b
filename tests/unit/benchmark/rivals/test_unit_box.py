"""The box: values of every kind as shares of axes, and back."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from ordbo_cli.benchmark.rivals.unit_box import Box
from ordbo_cli.problem import Condition, Parameter, Problem

_PARAMETERS = (
    Parameter("x", 0.5, 8.0, scale="log"),
    Parameter("n", 2, 6, "int"),
    Parameter("m", 1, 100, "int", scale="log"),
    Parameter("s", 0.0, 1.1, step=0.25),
    Parameter("w", 0.1, 10.0, scale="log", step=0.7),
    Parameter("d", 0.0, 2.0, digits=2),
    Parameter.of_levels("o", ("low", "middle", "high")),
    Parameter.of_levels("c", ("a", "b", "c", "d"), "categorical"),
)


@pytest.mark.parametrize("one_hot", [False, True])
@pytest.mark.parametrize("parameter", _PARAMETERS, ids=lambda parameter: parameter.name)
def test_values_come_back(parameter: Parameter, one_hot: bool) -> None:
    """The shares of a value are inside the cube and stand for that value."""
    box = Box(Problem((parameter,)), one_hot=one_hot)
    lattice = parameter.lattice
    places = range(lattice.count) if lattice.count < 1000 else range(0, lattice.count, lattice.count // 50)
    for value in map(lattice.value, places):
        shares = box.shares((value,))
        assert shares.shape == (box.dimension,)
        assert np.all((shares >= 0.0) & (shares <= 1.0))
        (back,) = box.values(shares)
        assert back == pytest.approx(value, rel=1e-12)
        assert type(back) is type(value)


@pytest.mark.parametrize("name", ["n", "s", "o", "c"])
def test_every_value_has_an_equal_part(name: str) -> None:
    """Shares spread evenly over an axis give each value of a grid and each level as often as any other."""
    parameter = next(one for one in _PARAMETERS if one.name == name)
    box, count = Box(Problem((parameter,))), parameter.lattice.count
    found = Counter(box.values(np.array([share]))[0] for share in (np.arange(20 * count) + 0.5) / (20 * count))
    assert set(found.values()) == {20}
    assert len(found) == count


def test_whole_numbers_on_a_logarithmic_scale_reach_from_midway_to_midway() -> None:
    """1 has the part from 0.5 to 1.5 of the decades from 0.5 to 100.5: a fifth of them."""
    box = Box(Problem((_PARAMETERS[2],)))
    ones = sum(box.values(np.array([share]))[0] == 1 for share in np.linspace(0, 1, 1001))
    assert ones / 1001 == pytest.approx(np.log(3) / np.log(201), abs=2e-3)


def test_one_hot_axes() -> None:
    """A level without an order has an axis; the largest share wins, the others are told apart from nothing."""
    box = Box(Problem(_PARAMETERS), one_hot=True)
    assert box.dimension == 7 + 4
    point = (1.0, 3, 10, 0.5, 0.8, 1.5, 1, 2)
    np.testing.assert_array_equal(box.shares(point)[-4:], [0, 0, 1, 0])
    shares = box.shares(point)
    shares[-4:] = [0.1, 0.6, 0.5, 0.2]
    assert box.values(shares)[-1] == 1


def test_what_does_not_count_is_at_its_lowest() -> None:
    """A conditional parameter keeps its share only under the level that it goes with."""
    solver = Parameter.of_levels("solver", ("direct", "gmres"), "categorical")
    box = Box(Problem((solver, Parameter("restart", 5, 50, "int", when=(Condition("solver", (1,)),)))))
    assert box.values(np.array([0.2, 0.9])) == (0, 5)
    assert box.values(np.array([0.8, 0.9])) == (1, 46)


def test_rounding_leaves_what_is_no_grid() -> None:
    """Floats are as they were, to the last digit; with a level among them all points become those that can be had."""
    shares = np.random.default_rng(0).random((5, 2))
    line = Box(Problem((Parameter("x", 0.5, 8.0, scale="log"), Parameter("y", 0.0, 1.0))))
    assert not line.rounds
    assert line.rounded(shares) is shares
    mixed = Box(Problem((Parameter("y", 0.0, 1.0), Parameter("n", 1, 2, "int"))))
    assert mixed.rounds
    np.testing.assert_array_equal(
        mixed.rounded(shares), np.column_stack([shares[:, 0], 0.25 + (shares[:, 1] > 0.5) / 2])
    )


def test_one_axis_alone() -> None:
    """A share of one parameter stands for what it does in the whole box."""
    box = Box(Problem(_PARAMETERS))
    whole = box.values(np.full(8, 0.3))
    assert tuple(box.value(k, 0.3) for k in range(8)) == whole
