"""The best point under noise: what ``best``, ``status`` and ``run`` name, and how."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.study.study import Study

Call = Callable[..., Any]

# At 9 one lucky result, the best of all, among bad ones; at 3 four good ones.
ROWS = ["0,9", "10,8", "9,0.25", "3,1", "3,2", "3,1.50", "9,7", "9,7.5", "9,6.5", "6,5", "3,2.5"]


def noisy(folder: Path, *, noise: str = "true", goal: str = "minimize") -> Path:
    path = folder / "p.yaml"
    path.write_text(f"objective: {{name: y, goal: {goal}}}\nparameters:\n  x: {{min: 0, max: 10}}\nnoise: {noise}\n")
    sign = "-" if goal == "maximize" else ""
    path.with_suffix(".csv").write_text("x,y\n" + "".join(f"{row.replace(',', ',' + sign)}\n" for row in ROWS))
    return path


@pytest.mark.slow
@pytest.mark.parametrize("goal", ["minimize", "maximize"])
def test_best_by_mean_is_the_default_under_noise(ordbo: Call, tmp_path: Path, goal: str) -> None:
    """The median is one of the results digit by digit, the better one of two in the middle; the words say how many."""
    path, sign = noisy(tmp_path, goal=goal), -1 if goal == "maximize" else 1
    said = ordbo("best", path)
    point = json.loads(said.out)
    rank = point.pop("expected_rank")
    assert point == {"id": 6, "parameters": {"x": 3.0}, "objective": {"y": sign * 1.5}, "by": "mean", "results": 4}
    assert '"y": 1.50' in said.out or '"y": -1.50' in said.out
    assert 1.0 <= rank <= 11.0
    text = "1.50" if sign > 0 else "-1.50"
    assert said.err == f"best by mean: y={text} is the median of 4 results, expected rank {rank:.1f}\n"
    assert ordbo("best", path, "--by", "mean") == said
    assert ordbo("best", path, "--format", "args").out == "--id=6 --x=3.0\n"


def test_best_by_value(ordbo: Call, tmp_path: Path) -> None:
    """The single best result, as it was before there was another way; it is the default without noise."""
    path = noisy(tmp_path)
    by_value = ordbo("best", path, "--by", "value")
    assert json.loads(by_value.out) == {"id": 3, "parameters": {"x": 9.0}, "objective": {"y": 0.25}}
    assert by_value.err == ""
    by_mean = ordbo("best", path)
    path = noisy(tmp_path, noise="false")
    assert ordbo("best", path) == by_value
    assert json.loads(ordbo("best", path, "--by", "mean").out)["parameters"] == json.loads(by_mean.out)["parameters"]


def test_status_names_the_same_point(ordbo: Call, tmp_path: Path) -> None:
    """In words and as JSON; where nothing may be computed, it is the best value, and called so."""
    path = noisy(tmp_path)
    best = json.loads(ordbo("best", path).out)
    assert json.loads(ordbo("status", path, "--json").out)["best"] == {**best, "line": 7}
    lines = ordbo("status", path).out.splitlines()
    rank = best["expected_rank"]
    assert f"best by mean: y=1.50 is the median of 4 results, expected rank {rank:.1f} (id 6) at x=3.0" in lines
    quick = ordbo("status", path, "--no-next")
    assert "best value: y=0.25 (id 3) at x=9.0" in quick.out.splitlines()
    assert "by" not in json.loads(ordbo("status", path, "--no-next", "--json").out)["best"]


@pytest.mark.slow
def test_serve_names_the_same_point(ordbo: Call, tmp_path: Path) -> None:
    """Asked for the best, or for the status."""
    path = noisy(tmp_path)
    said = ordbo("serve", path, "--stdio", stdin=b'{"best": true}\n{"status": true}\n')
    best, status = map(json.loads, said.out.splitlines())
    assert best["best"]["by"] == "mean"
    assert status["status"]["best"] == {**best["best"], "line": 7}


@pytest.mark.slow
def test_the_report_names_the_same_point(ordbo: Call, tmp_path: Path) -> None:
    """With how many results it has; the table below is of values, and called so."""
    path, page = noisy(tmp_path), tmp_path / "r.html"
    assert ordbo("report", path, "-o", page).status == 0
    text = page.read_text()
    assert "Best by mean, y" in text
    assert "id 6: x 3; chosen by its mean, the median of 4 results" in text
    assert "The best 5 values" in text


def test_status_fits_no_long_study(ordbo: Call, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of more results than a step of a second has, only --next fits a model."""
    path = noisy(tmp_path)
    path.with_suffix(".csv").write_text("x,y\n" + "".join(f"{k / 25},{(k - 90) ** 2}\n" for k in range(201)))
    asked: list[str] = []
    by_value = Study.status

    def status(study: Study, by: str = "value") -> object:
        asked.append(by)
        return by_value(study)

    monkeypatch.setattr(Study, "status", status)
    monkeypatch.setattr(Study, "upcoming", lambda study: None)
    assert "best value: y=0 " in ordbo("status", path).out
    assert asked == ["value"]
    ordbo("status", path, "--next")
    assert asked == ["value", "value", "mean"]


@pytest.mark.slow
def test_run_prints_the_same_point_at_its_end(ordbo: Call, tmp_path: Path) -> None:
    """Its last line of data is what ``best`` prints."""
    path = noisy(tmp_path)
    ran = ordbo("run", path, "--budget", 12, "--", sys.executable, "-c", "print('y = 8.5')")
    assert ran.status == 0
    best = ordbo("best", path)
    assert ran.out == best.out
    assert best.err in ran.err
    assert json.loads(ran.out)["by"] == "mean"


def test_no_success_is_told_as_ever(ordbo: Call, tmp_path: Path) -> None:
    """Before any model is fitted."""
    path = noisy(tmp_path)
    path.with_suffix(".csv").write_text("x,y\n3,failed\n4,inf\n")
    refused = ordbo("best", path)
    assert (refused.status, refused.out) == (65, "")
    assert "no evaluation inside the bounds has succeeded yet" in refused.err
    assert ordbo("best", path, "--by", "median").status == 2


def test_serve_answers_with_the_same_point(ordbo: Call, tmp_path: Path) -> None:
    """And says how many results it has."""
    path = noisy(tmp_path)
    said = ordbo("serve", path, "--stdio", stdin=b'{"best": true}\n')
    assert json.loads(said.out.splitlines()[-1])["best"] == json.loads(ordbo("best", path).out)
