"""Outcomes with limits and results that are limits, through the commands."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ordbo_cli.study.study import Study
from tests.calls import Call

PROBLEM = """\
objective: {name: drag, goal: minimize}
parameters:
  x: {min: 0, max: 1}
  y: {min: 0, max: 1}
outcomes: {stress: {max: 250}, lift: {min: 1, max: 3}}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A problem with two outcomes, and three suggestions that are out."""
    path = tmp_path / "p.yaml"
    path.write_text(PROBLEM)
    Study.open(path).ask_batch(3)
    return path


def rows(path: Path) -> list[str]:
    """Return the rows of the table, without inputs."""
    lines = path.with_suffix(".csv").read_text().splitlines()
    return [",".join([*line.split(",")[:1], *line.split(",")[3:]]) for line in lines]


@pytest.mark.slow
def test_observe_takes_outcomes_beside_the_objective(path: Path, ordbo: Call) -> None:
    """Feasible, infeasible without an objective, amended: each is a row, and is said."""
    assert ordbo("observe", path, "--id", "1", "drag=0.31", "stress=240", "lift=2").status == 0
    said = ordbo("observe", path, "--id", "2", "stress=300")
    assert "stress=300 (infeasible)" in said.err
    ordbo("observe", path, "--id", "3", "drag=0.1", "lift=0.5", "stress=10")
    assert "recorded already" in ordbo("observe", path, "--id", "3", "drag=0.10", "lift=0.5", "stress=1e1").err
    assert ordbo("observe", path, "--id", "1", "drag=0.3", "stress=240", "lift=2", "--amend").status == 0
    answers = [row for row in rows(path) if not row.endswith("pending")]
    assert answers == [
        "id,drag,stress,lift,status",
        "1,0.31,240,2,ok",
        "2,,300,,ok",
        "3,0.1,10,0.5,ok",
        "1,0.3,240,2,ok",
    ]
    best = json.loads(ordbo("best", path).out)
    assert (best["id"], best["objective"], best["outcomes"]) == (1, {"drag": 0.3}, {"stress": 240, "lift": 2})
    assert "3 ok (2 of them infeasible)" in ordbo("status", path).out
    assert "2 of the ok ones are infeasible" in ordbo("check", path).out


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["drag=1", "stress=2"], "there is no value of lift"),
        (["drag=1", "stress=two", "lift=2"], "stress: 'two' is not a number"),
        (["drag=1", "stress=-inf", "lift=2"], "infinitely far from its limit"),
        (["stress=2", "lift=2"], "there is no value of drag"),
        (["drag=1", "stress=2", "lift=2", "--failed"], "beside --failed"),
    ],
)
def test_observe_refuses_what_is_missing_or_wrong(path: Path, ordbo: Call, values: list[str], said: str) -> None:
    """A feasible point needs all of its results, each a number."""
    before = path.with_suffix(".csv").read_bytes() if path.with_suffix(".csv").exists() else b""
    result = ordbo("observe", path, "--id", "1", *values)
    assert result.status == 2
    assert said in result.err
    assert (path.with_suffix(".csv").read_bytes() if before else b"") == before


@pytest.mark.slow
def test_before_anything_is_feasible_the_nearest_is_shown(path: Path, ordbo: Call) -> None:
    """Least infeasible is the one that breaks its limits by the fewest ranks; a missing outcome is worst."""
    ordbo("observe", path, "--id", "1", "stress=900")
    ordbo("observe", path, "--id", "2", "drag=1", "stress=260", "lift=2")
    assert "no evaluation is feasible yet; nearest: stress=260 lift=2 (id 2)" in ordbo("status", path).out
    best = ordbo("best", path)
    assert best.status == 65
    assert "no evaluation inside the bounds is feasible yet" in best.err
    status = json.loads(ordbo("status", path, "--json").out)
    assert (status["infeasible"], status["nearest"]["id"], status["best"]) == (2, 2, None)


def test_a_table_without_an_outcome_is_an_error(path: Path, ordbo: Call) -> None:
    """The column is named, with what to do; an empty cell in a row that breaks nothing is one, too."""
    path.with_suffix(".csv").write_text("x,y,drag,stress\n0,0,1,2\n")
    result = ordbo("check", path)
    assert result.status == 65
    assert "p.csv:1:1: there is no column 'lift'. It is an outcome" in result.err
    path.with_suffix(".csv").write_text("x,y,drag,stress,lift\n0,0,1,2,\n0,1,,260,\n")
    result = ordbo("check", path)
    assert result.status == 65
    assert "p.csv:2:9: column 'lift': it is empty" in result.err
    assert ":3:" not in result.err


@pytest.mark.slow
def test_run_reads_every_result_by_its_name(path: Path, ordbo: Call) -> None:
    """Lines and JSON; a number alone is no objective here, and a result that is missing is a fault."""
    line = "print('drag = >5'); print('stress = {x}e2'); print('lift: 2')"
    assert ordbo("run", path, "--budget", "2", "--", sys.executable, "-c", line).status == 0
    assert rows(path)[-1].split(",")[1] == ">5"
    js = "import json; print(json.dumps(dict(drag=None, stress=251, lift=2)))"
    assert ordbo("run", path, "--budget", "3", "--", sys.executable, "-c", js).status == 0
    assert rows(path)[-1] == "6,,251,2,ok"
    bare = "print('stress = 2'); print('lift = 2'); print(7)"
    result = ordbo("run", path, "--budget", "4", "--keep-going", "--", sys.executable, "-c", bare)
    assert "no drag on standard output" in result.err
    assert rows(path)[-1] == "7,,,,failed"


def test_serve_takes_outcomes(path: Path, ordbo: Call) -> None:
    """Beside the objective, null where there is none."""
    lines = [
        {"tell": {"id": 1, "objective": ">0.5", "outcomes": {"stress": 1, "lift": 2}}},
        {"tell": {"id": 2, "objective": None, "outcomes": {"stress": 300, "lift": None}}},
        {"tell": {"id": 3, "objective": None}},
    ]
    result = ordbo("serve", path, "--stdio", stdin="\n".join(map(json.dumps, lines)).encode())
    told = [json.loads(line)["told"] for line in result.out.splitlines()]
    assert [each["status"] for each in told] == ["ok", "ok", "failed"]
    assert [each["infeasible"] for each in told] == [False, True, False]
    assert told[0]["objective"] == ">0.5"


def test_a_result_that_is_a_limit_keeps_its_sign(tmp_path: Path, ordbo: Call) -> None:
    """In the table with decimal commas, in status, best and export; on the bad side it is never the best."""
    path = tmp_path / "p.yaml"
    path.write_text("objective: {name: t, goal: minimize}\nparameters: {x: {min: 0, max: 9}}\n")
    path.with_suffix(".csv").write_text("id;x;t;status\n1;1,5;>7,25;ok\n2;2,5;9,5;ok\n3;3,5;< 0,1;ok\n4;4,5;≥8,5;ok\n")
    assert ordbo("observe", path, "x=5", "t=>=1.5D+01").status == 0
    assert path.with_suffix(".csv").read_text().splitlines()[-1] == ";5,0;>15;ok"
    assert json.loads(ordbo("best", path).out)["objective"] == {"t": "<0.1"}
    status = json.loads(ordbo("status", path, "--json").out)
    assert [each["objective"]["t"] for each in status["ranking"]] == ["<0.1", 9.5]
    assert ">7.25" in ordbo("export", path).out
    assert ordbo("observe", path, "x=6", "t=>inf").status == 2
    assert ordbo("suggest", path, "--dry-run").status == 0


@pytest.mark.slow
@pytest.mark.parametrize("goal", ["minimize", "maximize"])
def test_a_copy_with_ranks_alone_suggests_the_same(tmp_path: Path, ordbo: Call, goal: str) -> None:
    """With infeasible and censored results, bit for bit; nothing of the outcomes is in the copy."""
    path = tmp_path / "p.yaml"
    path.write_text(PROBLEM.replace("minimize", goal))
    table = ["id,x,y,drag,stress,lift,status"]
    for k in range(12):
        x, y = (k * 5 % 12) / 12, k / 12
        sign = ">" if k in (3, 7) else "<" if k == 5 else ""
        table.append(f"{k + 1},{x},{y},{sign}{(x - 0.4) ** 2 + y:.3f},{200 + 10 * k},{1 + 2.3 * x},ok")
    table.append("13,0.5,0.5,,260,,ok")
    path.with_suffix(".csv").write_text("\n".join(table) + "\n")
    assert ordbo("export", path, "--ranks-only", "-o", tmp_path / "copy", "--names").status == 0
    copy = tmp_path / "copy" / "problem.yaml"
    assert "stress" not in copy.read_text() + copy.with_suffix(".csv").read_text()
    own, theirs = (json.loads(ordbo("suggest", each, "--dry-run").out)["parameters"] for each in (path, copy))
    assert list(own.values()) == list(theirs.values())
    assert ordbo("check", path, "--invariance").status == 0
    for kind in ("report", "best"):
        assert ordbo(kind, path, *(["-o", tmp_path / "r.html"] if kind == "report" else [])).status == 0
    page = (tmp_path / "r.html").read_text()
    assert "ok (infeasible)" in page
    assert "stress" in page
