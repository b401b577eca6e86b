"""Rounding errors do not carry to the suggested point."""

from __future__ import annotations

import numpy as np
import pytest

from ordbo_cli.ordinal.linalg import rounded
from tests.bench.histories import History
from tests.bench.rounding import FAR, apart, suggested, suggested_off


@pytest.mark.parametrize(("rows", "dimension"), [(15, 1), (25, 2), (30, 3), (40, 2)])
def test_the_last_bits_of_the_objective_do_not_move_the_next_point(rows: int, dimension: int) -> None:
    """An objective that is off by a relative 1e-15, as under another version of NumPy, leads to the same point."""
    history = History(rows, dimension)
    assert max(apart(suggested(history), suggested_off(history, seed)) for seed in range(3)) <= FAR


def test_a_value_far_away_blurs_no_other() -> None:
    """Values are compared beside one of a billion, or an infinite one, as finely as alone; slopes have errors alike."""
    values = np.array([0.1, 0.1 + 2e-9, -1e9, np.inf])
    seen = rounded(values, 30)
    assert seen[0] < seen[1]
    assert seen[2:].tolist() == [-1e9, np.inf]
    np.testing.assert_allclose(seen[:2], values[:2], rtol=0.0, atol=2.0**-31)
    assert rounded([1e-3, 1e9], 30, together=True).tolist() == [0.0, 1e9]
