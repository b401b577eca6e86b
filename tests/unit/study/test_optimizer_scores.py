"""Scores of judges in memory."""

from __future__ import annotations

from pathlib import Path

import pytest

from ordbo_cli import Optimizer, Parameter, Problem
from ordbo_cli.errors import UsageError
from ordbo_cli.problem import Fidelity, Suggestion
from ordbo_cli.study.study import Study

PROBLEM = """\
objective: {name: taste, goal: maximize}
parameters: {sugar: {min: 0, max: 40, step: 0.5}, acid: {min: 0, max: 6, step: 0.1}}
"""
SIDES = [Parameter("x", 0, 1), Parameter("y", 0, 1)]


def test_the_optimizer_gives_the_points_of_the_files(tmp_path: Path) -> None:
    """Suggestion by suggestion, with scores, results and comparisons between them."""
    path = tmp_path / "taste.yaml"
    path.write_text(PROBLEM + "method: {initial: 3, iterations: 40}\n")
    study = Study.open(path)
    optimizer = Optimizer(study.problem)
    asked: list[Suggestion] = []
    for step in range(9):
        suggestion, other = study.ask(), optimizer.ask()
        assert (suggestion.id, suggestion.values) == (other.id, other.values)
        asked.append(other)
        merit = -abs(suggestion.values[0] - 20) - abs(suggestion.values[1] - 3)
        judges = ("anna", "bert") if step % 3 else ("bert",) if step else ("cy",)
        for judge in judges:
            score = round(merit / 4) if judge == "anna" else round(100 + merit)
            study.tell(score, id=suggestion.id, judge=judge)
            optimizer.tell(other, score, judge=judge)
        if step == 5:
            study.tell(-3, id=suggestion.id, judge="anna", amend=True)
            optimizer.tell(other, -3, judge="anna")
        if step == 0:
            study.tell(50, id=suggestion.id)
            optimizer.tell(other, 50)
        if step == 6:
            study.prefer(suggestion.id, 1)
            optimizer.prefer(other, asked[0])
    assert optimizer.comparisons == tuple(study.read().comparisons)
    with pytest.raises(UsageError, match="a judge gives a score"):
        optimizer.tell(other, "failed", judge="anna")


def test_points_need_no_ids_in_memory() -> None:
    """A later score of a judge replaces the earlier one; equal scores are ties."""
    optimizer = Optimizer(Problem(SIDES, "taste", "maximize", grades=("poor", "fair", "good")))
    optimizer.tell((0.1, 0.2), "good", judge="anna")
    optimizer.tell({"x": 0.3, "y": 0.4}, "fair", judge=" anna ")
    optimizer.tell((0.1, 0.2), "poor", judge="anna")
    (found,) = optimizer.comparisons
    assert (found.better, found.worse, found.tie, found.judge, found.weight) == (
        (0.3, 0.4), (0.1, 0.2), False, "anna", 1.0,
    )  # fmt: skip
    optimizer.tell((0.1, 0.2), "fair", judge="anna")
    assert [each.tie for each in optimizer.comparisons] == [True]
    assert optimizer.evaluations == ()


def test_what_is_refused() -> None:
    """Outcomes beside a score, lower levels, several objectives, and what is no score or no name."""
    limited = Optimizer(Problem(SIDES, "taste", outcomes={"cost": {"max": 3}}))
    limited.tell((0.5, 0.5), 3, judge="anna")
    with pytest.raises(UsageError, match="outcomes stand beside"):
        limited.tell((0.5, 0.5), 3, {"cost": 1}, judge="anna")
    for score in (None, "failed", "nan", "<3", {"taste": 3}):
        with pytest.raises(UsageError, match="a judge gives a score"):
            limited.tell((0.5, 0.5), score, judge="anna")
    with pytest.raises(UsageError, match="is no name of a judge"):
        limited.tell((0.5, 0.5), 3, judge="")
    levels = Problem(SIDES, "taste", fidelity=Fidelity("pot", ("cup", "kettle"), (1.0, 9.0)))
    with pytest.raises(UsageError, match="lower level"):
        Optimizer(levels).tell({"x": 0.5, "y": 0.5, "pot": "cup"}, 3, judge="anna")
    several = Problem(SIDES, objectives={"taste": "maximize", "looks": "maximize"})
    with pytest.raises(UsageError, match="several objectives, which is not supported"):
        Optimizer(several).tell((0.5, 0.5), 3, judge="anna")
