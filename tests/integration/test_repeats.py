"""Points that come again: told twice, a bit apart, outside changed bounds, on a grid that has only so many."""

from __future__ import annotations

import itertools
import json
import math
from pathlib import Path

import pytest

from tests.calls import Call

PROBLEM = """\
version: 1
objective: {{name: y, goal: minimize}}
parameters:
{parameters}
noise: {noise}
"""
GRID = "  n: {type: int, min: 1, max: 3}\n  s: {min: 0, max: 1, step: 0.5}"


def problem(folder: Path, parameters: str, noise: str = "false", csv: str = "") -> Path:
    """Write a study."""
    path = folder / "p.yaml"
    path.write_text(PROBLEM.format(parameters=parameters, noise=noise))
    if csv:
        path.with_suffix(".csv").write_text(csv)
    return path


def test_the_same_point_twice(ordbo: Call, tmp_path: Path) -> None:
    """With equal and with different results: both are kept, and the best of them counts."""
    path = problem(tmp_path, "  x: {min: 0, max: 1}", csv="x,y\n0.25,3\n0.25,3\n0.250,2\n0.5,4\n")
    status = json.loads(ordbo("status", path, "--json").out)
    assert status["counts"]["ok"] == 4
    assert status["best"]["line"] == 4
    assert ordbo("suggest", path).status == 0
    assert ordbo("observe", path, "x=2.5e-1", "y=1").status == 0
    assert json.loads(ordbo("best", path).out)["objective"] == {"y": 1}
    assert path.with_suffix(".csv").read_text().count("\n") == 6


def test_points_that_agree_to_15_digits_are_one(ordbo: Call, tmp_path: Path) -> None:
    """A spreadsheet keeps no more of a suggestion; a neighbour that differs in them does not answer it."""
    path = problem(tmp_path, "  x: {min: 0, max: 1}", csv="x,y\n0,1\n1,2\n0.3,3\n0.7,4\n0.4,0\n")
    x = json.loads(ordbo("suggest", path).out)["parameters"]["x"]
    assert ordbo("observe", path, f"x={x + 1e-12!r}", "y=5").err.startswith("recorded y=5")
    assert len(json.loads(ordbo("status", path, "--json").out)["pending"]) == 1
    near = math.nextafter(x, 1)
    assert ordbo("observe", path, f"x={near!r}", "y=6").err == f"recorded 6: y=6 at x={x!r}\n"
    assert json.loads(ordbo("status", path, "--json").out)["pending"] == []


def test_bounds_that_change(ordbo: Call, tmp_path: Path) -> None:
    """What lies outside is kept for its order, counted and told; suggestions and the best are inside."""
    rows = "".join(f"{k / 10},{abs(k - 2)}\n" for k in range(11))
    path = problem(tmp_path, "  x: {min: 0, max: 1}", csv="x,y\n" + rows)
    assert json.loads(ordbo("best", path).out)["parameters"]["x"] == 0.2
    path.write_text(path.read_text().replace("min: 0, max: 1", "min: 0.45, max: 2"))
    end = ordbo("suggest", path)
    assert 0.45 <= json.loads(end.out)["parameters"]["x"] <= 2
    assert "5 rows (line 2, 3, 4, 5, 6) outside the bounds, kept for the order only" in end.err
    status = json.loads(ordbo("status", path, "--json").out)
    assert (status["counts"]["ok"], status["counts"]["outside"]) == (11, 5)
    assert status["best"]["parameters"]["x"] == 0.5
    told = ordbo("observe", path, "x=0.1", "y=0")
    assert "x = 0.1 outside the bounds: kept for the order only" in told.err


@pytest.mark.parametrize("parameter", ["{type: int, min: 0, max: 9}", "{min: 0, max: 9, step: 1}"])
def test_a_grid_never_gives_a_point_again(ordbo: Call, tmp_path: Path, parameter: str) -> None:
    """Not even where the place that the search wants rounds to one that was tried."""
    path = problem(tmp_path, f"  x: {parameter}")
    seen = []
    for _ in range(10):
        point = json.loads(ordbo("suggest", path, "--append").out)
        seen.append(point["parameters"]["x"])
        ordbo("observe", path, "--id", point["id"], f"y={abs(point['parameters']['x'] - 4.2)}")
    assert sorted(seen) == list(range(10))
    end = ordbo("suggest", path)
    assert (end.status, end.out) == (3, "")
    assert end.err.startswith("error: exhausted: every point of the space was tried")


@pytest.mark.parametrize("fate", ["ok", "failed", "abandoned", "pending"])
def test_a_finite_space_runs_out_whatever_became_of_its_points(ordbo: Call, tmp_path: Path, fate: str) -> None:
    """Failed, abandoned and pending points are not given again; asking costs nothing then."""
    path = problem(tmp_path, GRID)
    for k in range(9):
        point = json.loads(ordbo("suggest", path, "--append").out)
        answer = {"ok": [f"y={k}"], "failed": ["--failed"], "abandoned": ["--abandon"], "pending": []}[fate]
        if answer and k % 2:
            assert ordbo("observe", path, "--id", point["id"], *answer).status == 0
    before = path.with_suffix(".csv").read_bytes()
    said = ordbo("suggest", path, "--append")
    # Of the others every second one is still out.
    assert (said.status, "was tried or is out" in said.err) == (3, True)
    assert path.with_suffix(".csv").read_bytes() == before


@pytest.mark.parametrize("fate", ["expired", "retry"])
def test_points_without_an_answer_come_again(ordbo: Call, tmp_path: Path, fate: str) -> None:
    """An expired point may be suggested anew, one to retry is."""
    points = itertools.product((1, 2, 3), (0, 0.5, 1))
    rows = [f"{k},{n},{s},{k},ok" for k, (n, s) in enumerate(points, 1)]
    rows[4] = f"5,2,0.5,,{fate}"
    path = problem(tmp_path, GRID, csv="\n".join(["id,n,s,y,status", *rows, ""]))
    point = json.loads(ordbo("suggest", path, "--append").out)
    assert point == {"id": 5 if fate == "retry" else 10, "parameters": {"n": 2, "s": 0.5}}
    assert ordbo("suggest", path).status == 3


def test_noise_lets_a_point_come_again(ordbo: Call, tmp_path: Path) -> None:
    """A finite space never runs out then, but for the points that were abandoned."""
    path = problem(tmp_path, "  x: {type: int, min: 0, max: 1}", noise="true", csv="id,x,y,status\n1,0,,abandoned\n")
    for k in range(4):
        point = json.loads(ordbo("suggest", path, "--append").out)
        assert point["parameters"] == {"x": 1}
        assert ordbo("observe", path, "--id", point["id"], f"y={k}").status == 0


def test_answers_that_come_late_or_twice(ordbo: Call, tmp_path: Path) -> None:
    """Closed, unknown and expired ids, and the same id twice: one row a fact, an error where two disagree."""
    path = problem(tmp_path, "  x: {min: 0, max: 1}")
    csv = path.with_suffix(".csv")
    for _ in range(3):
        ordbo("suggest", path, "--append")
    assert ordbo("observe", path, "--id", 1, "y=1").status == 0
    x = csv.read_text().splitlines()[2].split(",")[1]
    csv.write_text(csv.read_text() + f"2,{x},,expired\n")
    calls = {
        ("--id", "1", "y=2"): (65, "suggestion 1 has its answer already: it is ok with 1"),
        ("--id", "9", "y=2"): (65, "no suggestion has the id 9. Open are 3"),
        ("--id", "0", "y=2"): (2, "--id"),
        ("--id", "1", "--failed"): (65, "has its answer already"),
        ("--amend", "y=2"): (2, "an amendment without an id"),
    }
    before = csv.read_bytes()
    for words, (status, message) in calls.items():
        end = ordbo("observe", path, *words)
        assert end.status == status
        assert message in end.err.replace("\nhint: ", ". ")
    assert csv.read_bytes() == before
    late = ordbo("observe", path, "--id", 2, "y=0.5")
    assert (late.status, "had expired; its answer is recorded all the same" in late.err) == (0, True)
    assert ordbo("observe", path, "--id", 1, "y=0.25", "--amend").status == 0
    twice = ordbo("observe", path, "--file", "-", stdin=b"id,y\n3,7\n3,7\n")
    assert (twice.status, "suggestion 3: recorded already" in twice.err) == (0, True)
    clash = ordbo("observe", path, "--file", "-", stdin=b"id,y\n3,8\n")
    assert (clash.status, "standard input:2:1: suggestion 3 has its answer already" in clash.err) == (65, True)
    found = json.loads(ordbo("status", path, "--json").out)
    assert [(row["id"], row["objective"]["y"]) for row in found["ranking"]] == [(1, 0.25), (2, 0.5), (3, 7)]
