"""The search for the best values of simulators finds what is known, and the table counts what there is."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from ordbo_cli.benchmark.suites.suite import ENGINEERING
from ordbo_cli.problem import Parameter
from tests.bench.engineering_best import Search, best_truss, character

_BOWL = replace(
    ENGINEERING["levitation_1o4f"],
    name="bowl",
    parameters=(Parameter.of_levels("a", (3, 1, 2)), Parameter("u", 0.0, 1.0), Parameter("v", 1.0, 100.0, scale="log")),
    optimum=1.0,
    precision=1e-6,
    worst=10.0,
)


def _bowl(p: Mapping[str, Any]) -> float:
    """A bowl with a floor for each level, and a half that fails."""
    return float(p["a"] + (p["u"] - 0.3) ** 2 + (math.log10(p["v"]) - 1) ** 2) if p["u"] < 0.5 else math.nan


def test_the_search_finds_the_bottom() -> None:
    """To many digits, in a box with levels, a logarithm and failures."""
    value, point = Search(replace(_BOWL, function=_bowl)).run(0, 400)
    assert value == pytest.approx(1.0, abs=1e-10)
    assert point == pytest.approx((1, 0.3, 10.0), abs=1e-4)


def test_the_table_counts_failures() -> None:
    """Half of the box fails, and its edge is a jump along most lines."""
    name, fail, decades, *rest, optimum, optima, jumps, _ = character(replace(_BOWL, function=_bowl), 400)
    assert (name, optimum, len(rest)) == ("bowl", "1", 1)
    assert 40 < float(fail.rstrip("%")) < 60
    assert 0 < float(decades) < 8
    assert 0 < float(optima) <= 1
    assert float(jumps) > 0.5


@pytest.mark.slow
def test_no_truss_is_cheaper() -> None:
    """The enumeration of all trusses gives the entry's."""
    problem = ENGINEERING["roof_truss_2c4o1i1f"]
    value, point = best_truss()
    assert value == pytest.approx(problem.optimum, rel=1e-12)
    assert point == problem.minimiser
