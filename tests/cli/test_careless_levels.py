"""Levels of fidelity in the hands of somebody careless: tables by hand, odd files, levels that say nothing."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli import Study
from tests.calls import Call

PROBLEM = """\
objective: {name: drag, goal: minimize}
parameters: {x: {min: 0, max: 1}, y: {min: 0, max: 1}}
fidelity: {name: mesh, levels: [coarse, fine], cost: [1, 20]}
method: {iterations: 60}
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A study without results."""
    path = tmp_path / "wing.yaml"
    path.write_text(PROBLEM)
    return path


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a study's table."""
    with path.with_suffix(".csv").open(newline="") as file:
        return list(csv.DictReader(file))


def levels(ordbo: Call, path: Path) -> list[dict[str, Any]]:
    """Return what status says of each level."""
    found: list[dict[str, Any]] = json.loads(ordbo("status", path, "--json", "--no-next").out)["levels"]
    return found


@pytest.mark.parametrize("table", ["id,x,y,drag\n1,0,0,-5\n2,1,1,-6\n", "id,x,y,mesh,drag\n1,0,0,,-5\n2,1,1,,-6\n"])
def test_answers_by_hand_without_a_level_are_of_that_they_were_asked_for(path: Path, ordbo: Call, table: str) -> None:
    """In a table without the column, or with empty cells: a coarse result is never the best because nobody said so."""
    for _ in range(2):
        ordbo("suggest", path)
    path.with_suffix(".csv").write_text(table)
    assert [each["ok"] for each in levels(ordbo, path)] == [2, 0]
    assert ordbo("best", path).status == 65
    path.with_suffix(".state.json").unlink()
    assert [each["ok"] for each in levels(ordbo, path)] == [2, 0]
    path.write_text(PROBLEM.replace("coarse", "rough"))
    assert [each["ok"] for each in levels(ordbo, path)] == [0, 0]


def test_a_list_of_results_by_id_need_not_name_levels(path: Path, ordbo: Call) -> None:
    """It is recorded with the level that each was asked for."""
    for _ in range(2):
        ordbo("suggest", path)
    results = path.with_name("results.csv")
    results.write_text("id,x,y,drag\n1,0,0,5\n2,1,1,6\n")
    assert ordbo("observe", path, "--file", results).status == 0
    assert [row["mesh"] for row in rows(path)] == ["coarse", "coarse"]


def test_a_row_without_a_level_below_one_whose_level_is_unknown_is_set_aside_too(path: Path) -> None:
    """Both are of the same evaluation."""
    path.with_suffix(".csv").write_text("id,x,y,mesh,drag,status\n1,0.1,0.2,medium,,pending\n1,,,,3,\n")
    files = Study.open(path).read()
    assert not files.ledger.seen()
    assert any("set aside: mesh is medium, which is no level: coarse or fine" in each for each in files.warnings)


@pytest.fixture
def timed(path: Path) -> Path:
    """A study without results, whose costs are the time that evaluations take, and a simulator that takes none."""
    path.write_text(PROBLEM.replace("cost: [1, 20]", "cost: seconds"))
    path.with_name("sim.py").write_text("import sys\nprint(float(sys.argv[1]) + (sys.argv[2] == 'fine'))\n")
    return path


def test_status_says_what_comes_first_where_nobody_knows_costs(timed: Path, ordbo: Call) -> None:
    """Each level is evaluated once to know it, the lowest first."""
    assert "next: point 1 of 5 of the initial design, at mesh = coarse" in ordbo("status", timed).out
    ordbo("observe", timed, "--id", json.loads(ordbo("suggest", timed).out)["id"], "drag=1", "--seconds", 2)
    assert "at mesh = fine" in ordbo("status", timed).out
    assert json.loads(ordbo("suggest", timed).out)["parameters"]["mesh"] == "fine"


def test_a_run_takes_the_time_of_each_level(timed: Path, ordbo: Call) -> None:
    """It begins where nothing is known, and ends by its budget in seconds."""
    said = ordbo(
        "run", timed, "--budget", 0.2, "--workers", 2, "--", "python3", timed.with_name("sim.py"), "{x}", "{mesh}"
    )
    assert (said.status, levels(ordbo, timed)[0]["ok"] > 0) == (0, True)


def test_a_run_beside_own_results_of_the_highest_level(timed: Path, ordbo: Call) -> None:
    """While the cost of a lower level is not known, it counts as one at the highest."""
    ordbo("observe", timed, "x=0.5", "y=0.5", "drag=1.5", "--seconds", 1)
    said = ordbo(
        "run", timed, "--budget", 3, "--workers", 3, "--", "python3", timed.with_name("sim.py"), "{x}", "{mesh}"
    )
    assert (said.status, levels(ordbo, timed)[0]["ok"] > 0) == (0, True)


@pytest.mark.parametrize("budget", ["0", "-3", "nan", "inf", "1e400", "much"])
def test_a_budget_is_a_number_above_0(path: Path, ordbo: Call, budget: str) -> None:
    """With levels it need be no whole one, and the refusal does not ask for one."""
    said = ordbo("run", path, "--budget", budget, "--", "echo", "1")
    assert said.status == 2
    assert f"'{budget}' is no number above 0" in said.err


def test_a_level_that_nobody_asks_for_is_noted(path: Path, ordbo: Call) -> None:
    """Where the initial design costs more there than one at the highest, the search knows nothing of lower ones."""
    assert "the search asks for no level" not in ordbo("check", path).out
    path.write_text(PROBLEM.replace("[1, 20]", "[1, 4]"))
    said = ordbo("check", path).out
    assert "the search asks for no level below fine until there are results of one: the 5 points of" in said


def test_what_is_missing_is_a_result_at_the_highest_level(path: Path, ordbo: Call) -> None:
    """A coarse one that is there is no best."""
    path.with_suffix(".csv").write_text("id,x,y,mesh,drag,status\n1,0.1,0.2,coarse,3,ok\n")
    assert "no evaluation inside the bounds has succeeded at mesh = fine yet" in ordbo("best", path).err


def test_a_level_that_is_none_is_not_recorded(path: Path, ordbo: Call) -> None:
    """The hint says what to do about it."""
    results = path.with_name("results.csv")
    results.write_text("x,y,mesh,drag\n0.1,0.2,medium,3\n")
    said = ordbo("observe", path, "--file", results)
    assert said.status == 65
    assert "which is no level: coarse or fine. Mend it, or add the level to the problem file" in said.err


def test_rows_of_a_lower_level_are_none_of_another_campaign(path: Path, ordbo: Call) -> None:
    """Their level is written down, and they are set aside: only results of one level are compared."""
    foreign = path.with_name("dakota.dat")
    foreign.write_text("%eval_id interface x y mesh obj_fn\n1 NO_ID 0.1 0.2 coarse 5\n2 NO_ID 0.3 0.2 fine 0.4\n")
    assert ordbo("import", path, foreign, "--objective-column", "obj_fn", "--campaign", "old").status == 0
    assert ",0.1,0.2,coarse,5,ok\n,0.3,0.2,fine,0.4,ok\n" in path.with_name("old.csv").read_text()
    path.write_text(PROBLEM + "evaluations: [wing.csv, {file: old.csv}]\n")
    said = ordbo("status", path, "--no-next")
    assert "old: 1 result" in said.out
    assert "set aside: mesh is coarse, not fine" in said.err


def test_what_a_table_without_the_column_is_taken_for(path: Path, ordbo: Call) -> None:
    """Where what decides the level has another name by now, say, coarse results would be fine ones without a word."""
    path.with_suffix(".csv").write_text("id,x,y,grid,drag,status\n1,0.1,0.2,coarse,3,ok\n")
    said = ordbo("status", path, "--no-next")
    assert "there is no column 'mesh': results count as fine, but for answers to suggestions" in said.err
    path.with_suffix(".csv").write_text("id,x,y,mesh,drag,status\n1,0.1,0.2,coarse,3,ok\n")
    assert "no column" not in ordbo("status", path, "--no-next").err
