"""One parameter's values on its own scale, whatever its kind."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.problem import Parameter
from ordbo_cli.problem.axis import Axis, nearest
from ordbo_cli.problem.setting_order import SettingOrder, SettingOrders


def test_between_keeps_to_the_scale_and_the_ends() -> None:
    """Halfway on a logarithmic axis is the geometric mean; rounding never leaves the interval."""
    log_axis = Axis(Parameter("r", 1.0, 1e3, scale="log", digits=1))
    assert log_axis.between(10.0, 1000.0, 0.5) == pytest.approx(100.0)
    assert log_axis.between(0.1, 0.3, 1.0) == 0.3
    wide = Axis(Parameter("r", 1e-300, 1e300, scale="log"))
    assert wide.between(1e-300, 1e300, 0.5) == pytest.approx(1.0)


@pytest.mark.parametrize(
    "parameter",
    [
        Parameter("r", 1e-3, 1e3, scale="log"),
        Parameter("r", 5e-324, 1e308, scale="log"),
        Parameter("a", 0.0, 1.7e308),
        Parameter("a", 1.0, 1.0 + 1e-12),
        Parameter("a", 0.0, 1e-320),
    ],
)
def test_rows_outside_the_bounds_lie_at_most_a_width_away(parameter: Parameter) -> None:
    """However far outside a row lies, below zero on a log scale too, its place is finite and in order."""
    share = Axis(parameter).share(np.array([-1.7e308, 0.0, parameter.min, parameter.max, 1.79e308]))
    assert np.all(np.diff(share) >= 0.0)
    assert share[2:4].tolist() == [0.0, 1.0]
    assert -1.0 <= share.min() <= share.max() <= 2.0


@pytest.mark.parametrize(
    ("parameter", "first", "last", "values"),
    [
        (Parameter("n", 0, 100, type="int"), 3, 6, [3, 4, 5, 6]),
        (Parameter("odd", 1, 99, type="int", step=2), 1, 3, [3, 5, 7]),
        (Parameter("s", 0.0, 1.0, step=0.1), 3, 6, [0.3, 0.4, 0.5, 0.6]),
        (Parameter.of_levels("mesh", ["coarse", "medium", "fine"]), 1, 2, [1, 2]),
        (Parameter("q", 1e-3, 1.0, scale="log", digits=3), 900, 903, [0.01, 0.0101, 0.0102, 0.0103]),
        (Parameter("v", 1, 1000, type="int", scale="log"), 0, 3, [1, 2, 3, 4]),
        (Parameter("w", -1e-300, 1e-300, digits=1), 0, 2, [-1e-300, 0.0, 1e-300]),
        (Parameter.of_rank("r"), 0, 2, [1 / 3, 0.5, 2 / 3]),
    ],
    ids=lambda value: value.name if isinstance(value, Parameter) else None,
)
def test_values_are_those_of_the_lattice(parameter: Parameter, first: int, last: int, values: list[float]) -> None:
    """All of a part are drawn, one by one or many at once, and no others; so are the halves of any division."""
    axis = Axis(parameter, SettingOrders((("r", SettingOrder().with_(1, 0.5)),)))
    shares = np.linspace(0, 1, 1000, endpoint=False)
    drawn = [axis.drawn(first, last, share) for share in shares.tolist()]
    assert sorted(set(drawn)) == pytest.approx(values, abs=0.0)
    assert all(isinstance(x, int) for x in drawn) == parameter.is_whole
    assert [nearest(axis.lattice, x) for x in axis.spread(first, last, shares).tolist()] == drawn
    assert first <= axis.cut(first, last) < last
    assert axis.part(0, axis.lattice.count - 1) == pytest.approx(1.0, abs=0.7 * (parameter.type == "ranked"))


def test_steps_on_a_logarithmic_scale_are_spread_on_it() -> None:
    """Each decade of 1 to 1000 gets a third of the draws, not nine tenths of them the last one."""
    axis = Axis(Parameter("v", 1, 1000, type="int", scale="log"))
    decades = np.histogram(np.log10(axis.spread(0, 999, np.random.default_rng(0).random(3000))), 3, (0, 3))[0]
    assert decades.min() > 800
