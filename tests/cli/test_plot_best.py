"""The best of a picture is the one that ``ordbo best`` names, under noise and of comparisons alone, too."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("matplotlib")
from ordbo_cli.insight.inspection import View
from ordbo_cli.study.study import Study

pytestmark = pytest.mark.slow

Call = Callable[..., Any]

NOISY = "x,y\n0,9\n10,8\n9,0.25\n3,1\n3,2\n3,1.50\n9,7\n9,7.5\n9,6.5\n6,5\n3,2.5\n"


def leading(path: Path) -> dict[str, float]:
    view = View.of(Study.open(path).snapshot().given)
    assert view.leader is not None
    return {p.name: float(x) for p, x in zip(view.problem.free, view.leader.values, strict=True)}


@pytest.mark.parametrize("goal", ["minimize", "maximize"])
@pytest.mark.parametrize("noise", ["true", "false"])
def test_of_results(ordbo: Call, tmp_path: Path, goal: str, noise: str) -> None:
    """Under noise that of the lowest mean, else that of the best value."""
    path = tmp_path / "p.yaml"
    path.write_text(f"objective: {{name: y, goal: {goal}}}\nparameters: {{x: {{min: 0, max: 10}}}}\nnoise: {noise}\n")
    path.with_suffix(".csv").write_text(NOISY)
    best = json.loads(ordbo("best", path).out)
    assert leading(path) == best["parameters"]
    said = ordbo("plot", path, "convergence", "-o", tmp_path / "y.svg", "--verbose").err
    by = "The best by mean is evaluation" if noise == "true" else "The best y"
    assert by in said


def test_of_comparisons_alone(ordbo: Call, tmp_path: Path) -> None:
    """The point of the lowest mean, its place told among the compared ones; there are no bins."""
    path = tmp_path / "p.yaml"
    path.write_text("objective: {name: y, goal: maximize}\nparameters: {x: {min: 0, max: 10}}\ncomparisons: d.csv\n")
    path.with_suffix(".csv").write_text("id,x,y,status\n1,1,,pending\n2,5,,pending\n3,9,,pending\n4,3,,pending\n")
    (tmp_path / "d.csv").write_text("better,worse,tie\n2,1,\n2,3,\n4,2,\n4,1,\n")
    best = json.loads(ordbo("best", path).out)
    assert leading(path) == best["parameters"]
    assert np.isfinite(best["expected_rank"])
    said = ordbo("plot", path, "fit", "-o", tmp_path / "y.svg", "--verbose").err
    assert f"expected rank {best['expected_rank']:.1f} of the compared points" in said
