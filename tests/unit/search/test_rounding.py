"""Rounding errors do not carry to the suggested point."""

from __future__ import annotations

import pytest

from tests.bench.histories import History
from tests.bench.rounding import FAR, apart, suggested, suggested_off


@pytest.mark.parametrize(("rows", "dimension"), [(15, 1), (25, 2), (30, 3), (40, 2)])
def test_the_last_bits_of_the_objective_do_not_move_the_next_point(rows: int, dimension: int) -> None:
    """An objective that is off by a relative 1e-15, as under another version of NumPy, leads to the same point."""
    history = History(rows, dimension)
    assert max(apart(suggested(history), suggested_off(history, seed)) for seed in range(3)) <= FAR
