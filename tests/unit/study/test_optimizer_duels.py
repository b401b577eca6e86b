"""Comparisons in memory: the same pairs as those of the commands."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from ordbo_cli import Optimizer, Parameter, Problem, Study
from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.problem import Comparison
from ordbo_cli.problem.sample_ranking import ranking_weight

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


def test_rankings_in_memory() -> None:
    """Of suggestions and of points of one's own; ties in a list, who said so with every pair."""
    optimizer = Optimizer(SQUARE)
    first = optimizer.ask()
    optimizer.rank([first, [{"x": 0.5, "y": 0.5}, [0.25, 0.5]]], judge="anna")
    a, b, c = first.values, (0.5, 0.5), (0.25, 0.5)
    weight = ranking_weight(3)
    assert optimizer.comparisons == (
        Comparison(a, c, False, "anna", weight),
        Comparison(a, b, False, "anna", weight),
        Comparison(b, c, True, "anna", weight),
    )
    assert not optimizer.pending
    optimizer.prefer(b, a, judge="bo")
    optimizer.tie(b, c)
    assert list(optimizer.comparisons)[3:] == [Comparison(b, a, judge="bo"), Comparison(b, c, tie=True)]


@pytest.mark.parametrize(
    ("ranking", "judge", "message"),
    [
        ([[(0.5, 0.5)]], None, "a ranking of fewer than two points"),
        ([[(0.5, 0.5)], [(0.1, 0.1), (0.5, 0.5)]], None, "a point is compared with itself"),
        ([[(0.5, 0.5)], [(0.1, 0.1)]], "", "is no name of a judge"),
        ([[(0.5, 0.5)], [(0.1,)]], None, "1 values for 2 free parameters"),
    ],
)
def test_rankings_that_are_refused_in_memory(ranking: list[Any], judge: str | None, message: str) -> None:
    """Nothing is recorded."""
    optimizer = Optimizer(SQUARE)
    with pytest.raises(UsageError, match=message):
        optimizer.rank(ranking, judge=judge)
    assert optimizer.comparisons == ()
