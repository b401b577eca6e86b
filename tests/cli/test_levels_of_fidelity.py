"""A study whose points may be evaluated at several levels, through commands."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli import Optimizer, Study
from ordbo_cli.files.problem_file.problem_file import load_problem
from tests.calls import Call

PROBLEM = """\
objective: {name: drag, goal: minimize}
parameters: {x: {min: 0, max: 1}, y: {min: 0, max: 1}}
fidelity: {name: mesh, levels: [coarse, fine], cost: [1, 20]}
method: {iterations: 60}
"""
SIMULATOR = """\
import sys
x, y, mesh = float(sys.argv[1]), float(sys.argv[2]), sys.argv[3]
fine = (x - 0.7) ** 2 + (y - 0.2) ** 2
print(fine if mesh == "fine" else 1000 * (fine + 0.02 * x) ** 3)
"""
COARSE = [(0.1, 0.3, 7.0), (0.8, 0.9, 5.0), (0.6, 0.2, 1.0), (0.75, 0.3, 2.0), (0.9, 0.05, 3.0), (0.3, 0.6, 6.0)]
FINE = [(0.65, 0.25, 0.01), (0.7, 0.1, 0.02), (0.85, 0.3, 0.05)]
OWN = "".join(f"{k},{x},{y},coarse,{f},\n" for k, (x, y, f) in enumerate(COARSE, 1)) + "".join(
    f"{k},{x},{y},fine,{f},\n" for k, (x, y, f) in enumerate(FINE, 7)
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A study without results."""
    path = tmp_path / "wing.yaml"
    path.write_text(PROBLEM)
    return path


@pytest.fixture
def under_way(path: Path) -> Path:
    """A study with six results on the coarse mesh and three on the fine one."""
    path.with_suffix(".csv").write_text(f"id,x,y,mesh,drag,status\n{OWN}")
    return path


def rows(path: Path) -> list[dict[str, str]]:
    """Return the rows of a study's table."""
    with path.with_suffix(".csv").open(newline="") as file:
        return list(csv.DictReader(file))


def pending(ordbo: Call, path: Path) -> list[dict[str, Any]]:
    """Return what is out."""
    return [json.loads(line) for line in ordbo("pending", "list", path, "--json").out.splitlines()]


def test_suggest_says_at_which_level(path: Path, ordbo: Call) -> None:
    """In every format, beside the parameters, and in the row of what is out; the first points are coarse ones."""
    said = json.loads(ordbo("suggest", path, "--append").out)
    assert said["parameters"]["mesh"] == "coarse"
    assert rows(path)[0]["mesh"] == "coarse"
    assert "--mesh=coarse" in ordbo("suggest", path, "--format", "args").out
    assert "ORDBO_MESH=coarse" in ordbo("suggest", path, "--format", "env").out
    assert [each["parameters"]["mesh"] for each in pending(ordbo, path)] == ["coarse"] * 3


def test_the_points_are_those_of_the_optimizer(path: Path, ordbo: Call) -> None:
    """A loop of suggest and observe goes the way of one in Python, level by level."""
    optimizer, levels = Optimizer(load_problem(path).problem), list[str]()
    for _ in range(25):
        said = json.loads(ordbo("suggest", path).out)
        expected = optimizer.ask()
        assert said == {"id": expected.id, "parameters": dict(expected.parameters)}
        x, y, mesh = said["parameters"].values()
        drag = (x - 0.7) ** 2 + (y - 0.2) ** 2 + (0.1 * x if mesh == "coarse" else 0.0)
        assert ordbo("observe", path, "--id", said["id"], f"drag={drag!r}").status == 0
        optimizer.tell(expected, repr(drag))
        levels.append(mesh)
    assert levels[:5] == ["coarse"] * 5
    assert "fine" in levels
    assert Study.open(path).read().step_input().spent == pytest.approx(optimizer.step_input().spent)


def test_the_best_is_of_the_highest_level(under_way: Path, ordbo: Call) -> None:
    """So are the rows of status and the progress; how many there are of each, and what they cost, stands there, too."""
    coarse = under_way.with_suffix(".csv")
    coarse.write_text(coarse.read_text() + "10,0.5,0.5,coarse,-9,\n")
    assert json.loads(ordbo("best", under_way).out)["objective"] == {"drag": 0.01}
    said = ordbo("status", under_way).out
    assert "mesh: 7 ok at coarse (cost 7), 3 ok at fine (cost 60); cost 67 in all\n" in said
    assert "level mesh=coarse: 7 results, " in said
    status = json.loads(ordbo("status", under_way, "--json", "--rows", 20).out)
    assert [each["id"] for each in status["ranking"]] == [7, 8, 9]
    assert status["history"] == [0.01, 0.01, 0.01]
    assert status["levels"] == [
        {"mesh": "coarse", "ok": 7, "failed": 0, "pending": 0, "cost": 1.0, "spent": 7.0},
        {"mesh": "fine", "ok": 3, "failed": 0, "pending": 0, "cost": 20.0, "spent": 60.0},
    ]
    assert status["counts"]["ok"] == 10


def test_what_a_lower_level_measured_means_nothing_but_its_order(under_way: Path, ordbo: Call) -> None:
    """Any increasing transform of its results leaves the next point, and its level, as they were."""
    before = ordbo("suggest", under_way, "--dry-run").out
    transformed = OWN
    for x, y, f in COARSE:
        transformed = transformed.replace(f"{x},{y},coarse,{f},", f"{x},{y},coarse,{-(2.0**-f)!r},")
    under_way.with_suffix(".csv").write_text(f"id,x,y,mesh,drag,status\n{transformed}")
    assert ordbo("suggest", under_way, "--dry-run").out == before
    said = ordbo("check", under_way, "--invariance")
    assert said.status == 0
    assert "objective drag of campaign mesh=coarse: log, exp, cube, rank, affine: the same suggestion" in said.out


def test_why_at_this_level(under_way: Path, ordbo: Call) -> None:
    """The explanation has what a result of each level would tell."""
    said = ordbo("suggest", under_way, "--explain").err
    assert "with the results of mesh=coarse" in said
    assert "nats for the cost of one evaluation at the highest; mesh = " in said


def test_points_of_ones_own(under_way: Path, ordbo: Call) -> None:
    """Their level stands beside the parameters, the highest where none is said; one that is not there is refused."""
    assert ordbo("observe", under_way, "x=0.5", "y=0.5", "mesh=coarse", "drag=3").status == 0
    assert ordbo("observe", under_way, "x=0.5", "y=0.5", "drag=0.3").status == 0
    assert [(row["mesh"], row["drag"]) for row in rows(under_way)[-2:]] == [("coarse", "3"), ("fine", "0.3")]
    said = ordbo("observe", under_way, "x=0.5", "y=0.5", "mesh=corse", "drag=3")
    assert said.status == 2
    assert "mesh: 'corse' is no level\nhint: Did you mean coarse?" in said.err


def test_an_answer_is_one_of_the_level_it_was_asked_for(path: Path, ordbo: Call) -> None:
    """By its id, by its values with the level; not by values at another one, and another level of an id is refused."""
    first, second = (json.loads(ordbo("suggest", path).out)["parameters"] for _ in range(2))
    said = ordbo("observe", path, "--id", 1, "mesh=fine", "drag=3")
    assert said.status == 2
    assert "suggestion 1 is for mesh = coarse, not fine" in said.err
    assert ordbo("observe", path, "--id", 1, "mesh=coarse", "drag=3").status == 0
    at = [f"{name}={second[name]}" for name in "xy"]
    assert ordbo("observe", path, *at, "drag=0.3").status == 0
    assert [point["id"] for point in pending(ordbo, path)] == [2]
    assert ordbo("observe", path, *at, "mesh=coarse", "drag=4").status == 0
    assert pending(ordbo, path) == []
    assert first["mesh"] == "coarse"


def test_a_table_of_results_has_levels(under_way: Path, ordbo: Call) -> None:
    """Its column names them; an amendment and an undo keep the level of their point."""
    table = under_way.with_name("more.csv")
    table.write_text("x,y,mesh,drag\n0.2,0.2,coarse,6.5\n0.2,0.2,fine,0.26\n")
    assert ordbo("observe", under_way, "--file", table).status == 0
    assert [(row["mesh"], row["drag"]) for row in rows(under_way)[-2:]] == [("coarse", "6.5"), ("fine", "0.26")]
    assert ordbo("observe", under_way, "--id", 3, "drag=1.5", "--amend").status == 0
    assert rows(under_way)[-1]["mesh"] == "coarse"
    assert "mesh=coarse" in ordbo("undo", under_way).err
    assert ordbo("observe", under_way, "--id", 3, "--retry", "--amend").status == 0
    again = json.loads(ordbo("suggest", under_way).out)
    assert (again["id"], again["parameters"]["mesh"]) == (3, "coarse")


def test_a_row_that_names_no_level(path: Path) -> None:
    """It has that of the rows before of its id, or else the highest; what is no level is set aside, in words."""
    path.with_suffix(".csv").write_text(
        "id,x,y,mesh,drag,status\n1,0.1,0.2,coarse,,pending\n1,,,,3,\n2,0.1,0.2,,0.3,\n3,0.4,0.2,extra fine,0.2,\n"
    )
    files = Study.open(path).read()
    assert [len(each.evaluations) for each in files.campaigns] == [1]
    assert [each.id for each in files.ledger.seen()] == [2]
    assert any(
        "1 row (line 5) set aside: mesh is extra fine, which is no level: coarse or fine" in each
        for each in files.warnings
    )


def test_levels_may_be_numbers(tmp_path: Path) -> None:
    """However a spreadsheet spells them."""
    path = tmp_path / "wing.yaml"
    path.write_text(PROBLEM.replace("[coarse, fine]", "[100, 2500]"))
    path.with_suffix(".csv").write_text("x;y;mesh;drag\n0,1;0,2;100,0;3\n0,3;0,2;2500;3\n0,3;0,2;1e2;3\n")
    files = Study.open(path).read()
    assert [(each.name, len(each.evaluations)) for each in files.campaigns] == [("mesh=100", 2)]
    assert len(files.ledger.evaluations()) == 1


def test_a_table_from_before_needs_the_column_once_a_level_is_to_stand_there(path: Path, ordbo: Call) -> None:
    """Its rows are of the highest level; what cannot be written down is not handed out."""
    path.with_suffix(".csv").write_text("id,x,y,drag,status\n")
    said = ordbo("suggest", path)
    assert said.status == 65
    assert "there is no column 'mesh'" in said.err
    assert not path.with_suffix(".state.json").exists()
    path.with_suffix(".csv").write_text("id,x,y,drag,status\n1,0.5,0.5,0.3,\n")
    assert len(Study.open(path).read().ledger.seen()) == 1


def test_comparisons_are_of_the_highest_level(under_way: Path, ordbo: Call) -> None:
    """A point of a lower one is refused, as it has no place beside them."""
    said = ordbo("prefer", under_way, 1, 7)
    assert said.status == 65
    assert "id 1 is a point at mesh = coarse" in said.err
    assert ordbo("prefer", under_way, 7, 8).status == 0


def test_a_run_hands_the_level_on_and_ends_before_its_cost_is_exceeded(path: Path, ordbo: Call) -> None:
    """What all evaluations cost is the budget, those from before included."""
    simulator = path.with_name("sim.py")
    simulator.write_text(SIMULATOR)
    command = ("--", "python3", simulator, "{x}", "{y}", "{mesh}")
    said = ordbo("run", path, "--budget", 70.5, *command)
    assert said.status == 0
    levels = [row["mesh"] for row in rows(path) if row["status"] == "ok"]
    cost = levels.count("coarse") + 20 * levels.count("fine")
    assert 50.5 < cost <= 70.5
    assert f"{len(levels)} evaluations have cost {cost} of 70.5, and one at mesh = fine costs 20" in said.err
    said = ordbo("run", path, "--budget", 70, *command)
    assert f"--budget 70 is what all evaluations of the study may cost: {len(levels)} have cost {cost}" in said.err
    assert len([row for row in rows(path) if row["status"] == "ok"]) == len(levels)
    said = ordbo("run", path, "--budget", 95, "--workers", 3, *command)
    assert said.status == 0
    levels = [row["mesh"] for row in rows(path) if row["status"] == "ok"]
    assert 75 < levels.count("coarse") + 20 * levels.count("fine") <= 95


def test_a_command_that_does_not_take_the_level_is_warned_of(path: Path, ordbo: Call) -> None:
    """It would evaluate every point in one way."""
    said = ordbo("run", path, "--budget", 1, "--", "echo", "{x}", "{y}")
    assert "the command does not use mesh (it is in ORDBO_MESH)" in said.err


def test_a_budget_that_is_no_whole_number_needs_levels(path: Path, ordbo: Call) -> None:
    """Elsewhere it is a number of evaluations."""
    path.write_text(PROBLEM.replace("fidelity: {name: mesh, levels: [coarse, fine], cost: [1, 20]}\n", ""))
    said = ordbo("run", path, "--budget", 3.5, "--", "echo", "1")
    assert said.status == 2
    assert "--budget is 3.5\nhint: It is a number of evaluations" in said.err


def test_costs_may_be_the_time_that_evaluations_take(path: Path, ordbo: Call) -> None:
    """Each level is evaluated once to know it; then the median of each is its cost."""
    path.write_text(PROBLEM.replace("cost: [1, 20]", "cost: seconds"))
    took = {"coarse": 2, "fine": 90}
    levels = []
    for _ in range(8):
        point = json.loads(ordbo("suggest", path).out)
        x, y, mesh = point["parameters"].values()
        drag = (x - 0.7) ** 2 + (y - 0.2) ** 2
        said = ordbo("observe", path, "--id", point["id"], f"drag={drag!r}", "--seconds", took[mesh])
        assert said.status == 0
        levels.append(mesh)
    assert levels[:6] == ["coarse", "fine", *["coarse"] * 4]
    status = json.loads(ordbo("status", path, "--json", "--no-next").out)
    assert [each["cost"] for each in status["levels"]] == [2.0, 90.0]


def test_a_copy_by_ranks_has_levels_and_the_same_next_point(under_way: Path, ordbo: Call, tmp_path: Path) -> None:
    """Each level has ranks of its own; with names hidden the level's name and words are, too."""
    for names in ((), ("--names",)):
        target = tmp_path / f"copy{len(names)}"
        assert ordbo("export", under_way, "--ranks-only", *names, "-o", target).status == 0
        found = rows(target / "problem.yaml")
        level = "level" if names else "mesh"
        low = "level 1" if names else "coarse"
        value = "y" if names else "drag"
        assert sorted(int(row[value]) for row in found if row[level] == low) == [1, 2, 3, 4, 5, 6]
        assert sorted(int(row[value]) for row in found if row[level] != low) == [1, 2, 3]
        ours, theirs = (
            json.loads(ordbo("suggest", each, "--dry-run").out) for each in (under_way, target / "problem.yaml")
        )
        assert list(theirs["parameters"].values())[:2] == list(ours["parameters"].values())[:2]


def test_report_and_pictures_know_levels(under_way: Path, ordbo: Call) -> None:
    """The report has a line of each, a table of all rows; a picture marks what the model sees."""
    assert ordbo("report", under_way, "-o", under_way.with_suffix(".html")).status == 0
    page = under_way.with_suffix(".html").read_text()
    assert "Level mesh=coarse" in page
    drawn = under_way.with_suffix(".svg")
    for parameters in ("x,y", "x"):
        assert ordbo("plot", under_way, "fit", "--parameters", parameters, "-o", drawn).status == 0
        assert 'id="campaign-mesh=coarse"' in drawn.read_text()


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ("{name: mesh, levels: [coarse, fine]}", "the fidelity has no cost"),
        ("{name: mesh, levels: [fine], cost: [1]}", "a list of 1 stands where at least 2"),
        ("{name: mesh, levels: [coarse, fine], cost: [1]}", "2 levels, 1 costs"),
        ("{name: mesh, levels: [coarse, fine], cost: [20, 1]}", "a lower level costs as much as the highest"),
        ("{name: mesh, levels: [coarse, fine], cost: [0, 1]}", "0 stands where a number above 0 is expected"),
        ("{name: mesh, levels: [coarse, fine], cost: hours}", "'hours' stands where costs are expected"),
        ("{name: mesh, levels: [coarse, coarse], cost: [1, 2]}", "the value 'coarse' stands twice"),
        ("{name: x, levels: [coarse, fine], cost: [1, 2]}", "'x' is a parameter, and what decides the level"),
        ("{name: drag, levels: [coarse, fine], cost: [1, 2]}", "the name 'drag' stands twice"),
        ("{name: id, levels: [coarse, fine], cost: [1, 2]}", "the name 'id' is taken"),
        ("mesh", "'mesh' stands where the settings of the fidelity"),
    ],
)
def test_levels_that_cannot_be_are_refused_with_their_place(path: Path, ordbo: Call, wrong: str, said: str) -> None:
    """As every mistake of a problem file."""
    path.write_text(PROBLEM.replace("{name: mesh, levels: [coarse, fine], cost: [1, 20]}", wrong))
    answer = ordbo("check", path)
    assert answer.status == 78
    assert said in answer.err
    assert "wing.yaml:" in answer.err
