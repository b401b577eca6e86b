"""Every command on studies with levels, conditions and words of results."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]
PROBLEM = """\
version: 1
objective: {name: drag, goal: minimize}
parameters:
  solver: {type: categorical, values: [gmres, "c g"]}
  mesh: {type: ordinal, values: [coarse, medium, fine]}
  restart: {type: int, min: 10, max: 50, when: {solver: gmres}}
  limiter: {type: bool}
"""
ROWS = """\
id,solver,mesh,restart,limiter,drag,status
1,gmres,fine,30,true,0.5,
2,c g,coarse,,false,0.25,
3,c g,medium,,true,,failed
4,gmres,coarse,20,false,,pending
5,c g,fine,,false,,pending
"""
ORDERED = """\
version: 1
objective: {name: grade, goal: maximize, values: [poor, fair, very good]}
parameters:
  mesh: {type: ordinal, values: [coarse, medium, fine, finest]}
  cores: {values: [1, 2, 4, 8]}
"""


@pytest.fixture
def problem(tmp_path: Path) -> Path:
    path = tmp_path / "p.yaml"
    path.write_text(PROBLEM)
    path.with_suffix(".csv").write_text(ROWS)
    return path


def test_status(ordbo: Call, problem: Path) -> None:
    """Every table has a column for each parameter, and nothing in it where it does not count."""
    said = ordbo("status", problem, "--no-next")
    assert said.status == 0
    assert "best: drag=0.25 (id 2) at solver=c g mesh=coarse limiter=false" in said.out
    tables = [line.split() for line in said.out.splitlines()]
    assert tables.count(["rank", "id", "drag", "solver", "mesh", "restart", "limiter"]) == 1
    assert ["1", "2", "0.25", "c", "g", "coarse", "false"] in tables
    assert ["2", "1", "0.5", "gmres", "fine", "30", "true"] in tables
    assert ["4", "gmres", "coarse", "20", "false"] in tables
    assert ["3", "4", "c", "g", "medium", "true"] in tables
    found = json.loads(ordbo("status", problem, "--json", "--no-next").out)
    assert found["best"]["parameters"] == {"solver": "c g", "mesh": "coarse", "limiter": "false"}
    assert [list(each["parameters"]) for each in found["pending"]] == [
        ["solver", "mesh", "restart", "limiter"],
        ["solver", "mesh", "limiter"],
    ]


def test_pending_and_best(ordbo: Call, problem: Path) -> None:
    """As they are in status."""
    lines = [line.split() for line in ordbo("pending", "list", problem).out.splitlines()]
    assert ["id", "age", "solver", "mesh", "restart", "limiter", "CSV"] in lines
    assert ["5", "c", "g", "fine", "false", "line", "6"] in lines
    assert ordbo("best", problem, "--format", "csv").out == "id,solver,mesh,restart,limiter\n2,c g,coarse,,false\n"
    assert ordbo("best", problem, "--format", "env").out.splitlines()[1:] == [
        "ORDBO_SOLVER='c g'", "ORDBO_MESH=coarse", "ORDBO_LIMITER=false", "unset ORDBO_RESTART",
    ]  # fmt: skip
    template = problem.with_name("case.tpl")
    template.write_text("{solver}:{restart}:{mesh}:{limiter}")
    assert ordbo("best", problem, "--template", template).out == "c g::coarse:false"


def test_observe(ordbo: Call, problem: Path) -> None:
    """Levels by name; a point by hand closes the one that is out; a wrong level is an error with a hint."""
    path = problem.with_suffix(".csv")
    said = ordbo("observe", problem, "solver=c g", "mesh=fine", "limiter=false", "drag=0.125")
    assert (said.status, said.err) == (0, "recorded 5: drag=0.125 at solver=c g mesh=fine limiter=false\n")
    assert path.read_text() == ROWS + "5,c g,fine,,false,0.125,ok\n"
    said = ordbo("observe", problem, "solver=c g", "mesh=Fine", "limiter=false", "drag=0.125")
    assert said.status == 2
    assert "Did you mean fine?" in said.err


def test_serve(ordbo: Call, problem: Path) -> None:
    """Booleans and nulls of JSON are what they look like."""
    tell = {"solver": "c g", "mesh": "fine", "limiter": True, "restart": None}
    request = json.dumps({"tell": {"parameters": tell, "objective": 2}})
    said = ordbo("serve", problem, "--stdio", stdin=f"{request}\n".encode())
    assert json.loads(said.out)["told"]["parameters"] == {"solver": "c g", "mesh": "fine", "limiter": "true"}
    assert problem.with_suffix(".csv").read_text().endswith(",c g,fine,,true,2,ok\n")


def test_predict_in_a_table(ordbo: Call, tmp_path: Path) -> None:
    """One column for each parameter, whatever counts in the first row."""
    path = tmp_path / "p.yaml"
    path.write_text(ORDERED)
    path.with_suffix(".csv").write_text(
        "mesh,cores,grade\ncoarse,1,poor\nmedium,2,fair\nfine,4,very good\nfinest,8,fair\ncoarse,8.0,failed\n"
    )
    points = tmp_path / "points.csv"
    points.write_text("cores,mesh\n2.0,fine\n4,medium\n")
    rows = list(csv.DictReader(ordbo("predict", path, "--file", points, "--format", "csv").out.splitlines()))
    assert [(row["mesh"], row["cores"]) for row in rows] == [("fine", "2"), ("medium", "4")]
    found = json.loads(ordbo("predict", path, "mesh=fine", "cores=2").out)
    assert found["parameters"] == {"mesh": "fine", "cores": 2}


@pytest.mark.slow
def test_a_study_of_words_from_end_to_end(ordbo: Call, tmp_path: Path) -> None:
    """Ordinal parameters and words as results: suggest, observe, best, the target of run, and check."""
    path = tmp_path / "p.yaml"
    path.write_text(ORDERED)
    simulator = tmp_path / "sim"
    simulator.write_text(
        '#!/bin/sh\ncase "$ORDBO_MESH $1" in\n  "fine 4") echo very good;;\n  *" 8") exit 3;;\n'
        '  coarse*) echo "grade = poor";;\n  *) echo fair;;\nesac\n'
    )
    simulator.chmod(0o755)
    first = json.loads(ordbo("suggest", path, "--append").out)
    mesh, cores = first["parameters"]["mesh"], first["parameters"]["cores"]
    assert mesh in ("coarse", "medium", "fine", "finest")
    assert cores in (1, 2, 4, 8)
    assert ordbo("observe", path, "--id", 1, "grade=poor").status == 0
    done = ordbo("run", path, "--target", "very good", "--budget", 16, "--", str(simulator), "{cores}")
    assert done.status == 0, done.err
    found = json.loads(done.out)
    assert found["parameters"] == {"mesh": "fine", "cores": 4}
    assert found["objective"] == {"grade": "very good"}
    assert "grade has come to very good, the target is very good" in done.err
    rows = list(csv.DictReader(path.with_suffix(".csv").read_text().splitlines()))
    tried = [(row["mesh"], row["cores"]) for row in rows if row["status"] != "pending"]
    assert len(set(tried)) == len(tried)
    assert {row["grade"] for row in rows if row["status"] == "ok"} <= {"poor", "fair", "very good"}
    assert all(
        row["status"] == "failed"
        for row in rows
        if row["cores"] == "8" and row["status"] != "pending" and row["id"] != "1"
    )
    status = json.loads(ordbo("status", path, "--json", "--no-next").out)
    assert status["history"][-1] == "very good"
    assert ordbo("check", path).status == 0
    assert ordbo("run", path, "--target", "good", "--", "true").status == 2
    assert "best: grade=very good" in ordbo("status", path, "--no-next").out


@pytest.mark.slow
def test_an_ordinal_space_is_exhausted(ordbo: Call, tmp_path: Path) -> None:
    """Each level is suggested once."""
    path = tmp_path / "p.yaml"
    path.write_text("objective: {name: y, goal: minimize}\nparameters:\n  m: {type: ordinal, values: [a, b, c, d]}\n")
    seen = []
    for k in range(4):
        point = json.loads(ordbo("suggest", path).out)
        seen.append(point["parameters"]["m"])
        assert ordbo("observe", path, "--id", point["id"], f"y={k}").status == 0
    assert sorted(seen) == ["a", "b", "c", "d"]
    assert ordbo("suggest", path).status == 3
