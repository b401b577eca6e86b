"""Comparisons in memory: the same pairs as those of the commands."""

from __future__ import annotations

from pathlib import Path

import pytest

from ordbo_cli import Optimizer, Parameter, Problem, Study
from ordbo_cli.errors import DataError, UsageError

SQUARE = Problem((Parameter("x", 0.0, 1.0), Parameter("y", 0.0, 1.0)), "taste")


@pytest.mark.slow
def test_pairs_in_memory_are_those_of_the_files(tmp_path: Path) -> None:
    """Ids and points, through the initial design and beyond."""
    path = tmp_path / "taste.yaml"
    path.write_text(
        "objective: {name: taste, goal: minimize}\nparameters:\n  x: {min: 0, max: 1}\n  y: {min: 0, max: 1}\n"
    )
    study, optimizer = Study.open(path), Optimizer(SQUARE)
    for turn in range(8):
        pair = study.ask_duel()
        own = optimizer.ask_duel()
        assert [(point.id, point.values) for point in own] == [(point.id, point.values) for point in pair]
        better, worse = sorted(own, key=lambda point: (point.values[0] - 0.3) ** 2 + point.values[1])
        if turn == 4:
            study.tie(better.id, worse.id)
            optimizer.tie(better, worse)
        else:
            study.prefer(better.id, worse.id)
            optimizer.prefer(better, worse)
    assert len(optimizer.comparisons) == 8
    assert not optimizer.pending
    with pytest.raises(DataError, match="no evaluation has succeeded yet"):
        optimizer.best()


def test_points_of_ones_own() -> None:
    """They are given by values or by name; a point is not compared with itself."""
    optimizer = Optimizer(SQUARE)
    optimizer.prefer((0.1, 0.2), {"x": 0.3, "y": 0.4})
    assert (optimizer.comparisons[0].better, optimizer.comparisons[0].worse) == ((0.1, 0.2), (0.3, 0.4))
    first, second = optimizer.ask_duel()
    assert first.values == (0.1, 0.2)
    assert second.values not in ((0.1, 0.2), (0.3, 0.4))
    with pytest.raises(UsageError, match="itself"):
        optimizer.tie(first, first)
