"""A study of several objectives of which some results are known by a limit alone, through commands and in Python."""

from __future__ import annotations

import json
import sys
from decimal import Decimal
from pathlib import Path

import pytest

from ordbo_cli.errors import UsageError
from ordbo_cli.exchange.export import export_ranks
from ordbo_cli.problem.order import order
from ordbo_cli.search.step import propose
from ordbo_cli.study.study import Study
from tests.calls import Call
from tests.cli.wing import written

PROBLEM = """\
objectives:
  drag: {goal: minimize}
  lift: {goal: maximize, enough: 8}
  feel: {goal: maximize, values: [poor, fair, good]}
outcomes: {stress: {max: 5}}
parameters: {angle: {min: 0, max: 12}, camber: {min: 0, max: 1}}
method: {initial: 3, iterations: 10}
"""
TABLE = """\
id,angle,camber,drag,lift,feel,stress,status
1,1,0.1,3,5,fair,1,ok
2,2,0.2,4,>=7.5,fair,2,
3,3,0.3,2,4,>poor,1,
4,4,0.4,>6,9,good,1,ok
5,5,0.5,≤ 1.5,2,poor,1,ok
6,6,0.6,0.5,<3,good,1,ok
7,7,0.7,0.1,9,<good,1,ok
8,8,0.8,1,>9,good,7,ok
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A problem with eight results: four may lead, three lie beyond a bad limit, one is infeasible."""
    path = tmp_path / "wing.yaml"
    path.write_text(PROBLEM)
    path.with_suffix(".csv").write_text(TABLE)
    return path


def objectives(text: str) -> list[object]:
    """Return the objectives that lines of JSON give."""
    return [json.loads(line)["objectives"] for line in text.splitlines()]


def test_the_front_has_limits_on_the_good_side_and_none_on_the_bad(path: Path, ordbo: Call) -> None:
    """Every output says on which side each objective lies."""
    assert objectives(ordbo("best", path).out) == [
        {"drag": "<1.5", "lift": 2, "feel": "poor"},
        {"drag": 2, "lift": 4, "feel": ">poor"},
        {"drag": 3, "lift": 5, "feel": "fair"},
        {"drag": 4, "lift": ">7.5", "feel": "fair"},
    ]
    said = ordbo("status", path, "--no-next").out
    assert "front: 4 results that none dominates" in said
    assert "evaluations: 8 ok" in said
    points = Study.open(path).points()
    assert [each.sides for each in points[:4]] == [(), ("above", "", ""), ("", "above", ""), ()]
    rows = ordbo("export", path).out.splitlines()
    assert rows[2] == "2,2.0,0.2,4,>7.5,fair,2,ok"
    assert rows[5] == "5,5.0,0.5,<1.5,2,poor,1,ok"
    assert rows[7:] == ["7,7.0,0.7,0.1,9,<good,1,ok", "8,8.0,0.8,1,>9,good,7,ok"]
    path.with_suffix(".csv").write_text("\n".join([*rows, ""]))
    assert ordbo("export", path).out.splitlines() == rows


def test_a_look_at_one_objective_has_its_limits(path: Path) -> None:
    """Each of them is in the model of its own objective, and in no other."""
    study = Study.open(path)
    lift, feel = study.alone("lift").points(), study.alone("feel").points()
    assert [(str(each.objective), each.censored) for each in lift[:3]] == [("5", ""), ("7.5", "above"), ("4", "")]
    assert [(str(each.objective), each.censored) for each in feel[:3]] == [("1", ""), ("1", ""), ("0", "above")]


def test_a_decreasing_transform_turns_the_sides_of_its_objective(path: Path, ordbo: Call) -> None:
    """So that the next point is the same; of words there are ranks, too."""
    found = ordbo("check", path, "--invariance")
    lines = [line for line in found.out.splitlines() if line.startswith("objective ")]
    same = "log, exp, cube, rank, affine, decreasing affine: the same suggestion"
    assert [same in line for line in lines] == [True] * 3
    assert found.status == 0


@pytest.mark.parametrize("way", ["observe", "table", "serve", "tell", "by name"])
def test_a_limit_of_any_objective_arrives(path: Path, ordbo: Call, way: str) -> None:
    """However it comes, with whatever sign, it is one row; said twice it is there once, and it is taken back whole."""
    ordbo("suggest", path)
    study = Study.open(path)
    for again in (False, True):
        if way == "observe":
            told = ordbo("observe", path, "--id", "9", "drag=<=0.3", "lift=≥ 3", "feel=>poor", "stress=1")
            assert told.status == 0
        elif way == "table":
            table = b"id,drag,lift,feel,stress\n9,<0.3,>=3,> poor,1\n"
            assert ordbo("observe", path, "--file", "-", stdin=table).status == 0
        elif way == "serve":
            results = {"drag": "<0.3", "lift": "≥3", "feel": ">poor"}
            request = json.dumps({"tell": {"id": 9, "objectives": results, "outcomes": {"stress": 1}}}).encode()
            answer = json.loads(ordbo("serve", path, "--stdio", stdin=request + b"\n").out)["told"]
            assert answer["objectives"] == {"drag": "<0.3", "lift": ">3", "feel": ">poor"}
        elif way == "tell":
            assert study.tell("<0.3", id=9, outcomes={"lift": ">3", "feel": ">poor", "stress": 1}).new != again
        else:
            assert study.tell({"drag": "<0.3", "lift": ">=3", "feel": ">poor", "stress": 1}, id=9).new != again
    assert path.with_suffix(".csv").read_text().splitlines()[9:] == [f"9,{_point(path)},<0.3,>3,>poor,1,ok"]
    assert ordbo("observe", path, "--id", "9", "drag=<0.3", "lift=3", "feel=>poor", "stress=1").status == 65
    ordbo("observe", path, "--id", "9", "drag=<0.3", "lift=<3", "feel=>poor", "stress=1", "--amend")
    assert study.points()[8].sides == ("below", "above", "")
    ordbo("undo", path)
    assert study.points()[8].sides == ("above", "above", "")
    ordbo("undo", path)
    assert len([each for each in study.points() if each.status == "ok"]) == 8


def _point(path: Path) -> str:
    return ",".join(path.with_suffix(".csv").read_text().splitlines()[9].split(",")[1:3])


def test_a_limit_is_imported_once_and_is_not_the_value_itself(tmp_path: Path, ordbo: Call) -> None:
    """Of whichever objective."""
    path = written(tmp_path)
    table = (
        b"%eval_id interface angle camber drag lift\n1 NO_ID 1 0.1 1.0 >3\n2 NO_ID 2 0.2 <2.0 5\n3 NO_ID 3 0.3 4 9\n"
    )
    for new in (2, 0):
        before = len(path.with_suffix(".csv").read_text().splitlines())
        assert ordbo("import", path, "-", "--from", "dakota", stdin=table).status == 0
        assert len(path.with_suffix(".csv").read_text().splitlines()) == before + new
    assert [each.sides for each in Study.open(path).points()[-2:]] == [("above",), ()]
    assert [each.censored for each in Study.open(path).points()[-2:]] == ["", "below"]


def test_a_simulator_may_print_limits(path: Path, ordbo: Call) -> None:
    """By name, as of one objective."""
    code = "print('drag = > 3\\nlift: >= 4 N\\nfeel = <good\\nstress = 1')"
    said = ordbo("run", path, "--budget", "10", "--keep-going", "--", sys.executable, "-c", code, "{angle}", "{camber}")
    assert said.status == 0
    assert "9: drag=>3 lift=>4 feel=<good stress=1" in said.err


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (("drag=3", "lift=>", "feel=fair", "stress=1"), "lift"),
        (("drag=3", "lift=>>2", "feel=fair", "stress=1"), "lift: '>>2' is not a number"),
        (("drag=3", "lift=>-inf", "feel=fair", "stress=1"), "Behind the sign there has to be a number"),
        (("drag=3", "lift=>nan", "feel=fair", "stress=1"), "Behind the sign there has to be a number"),
        (("drag=3", "lift=3", "feel=>good", "stress=1"), "There is no word beyond it"),
        (("drag=3", "lift=3", "feel=<poor", "stress=1"), "There is no word beyond it"),
        (("drag=3", "lift=3", "feel=fair", "stress=>7"), "stress: '>7' will not do"),
        (("drag=3", "lift=3", "feel=fair", "stress=>7"), "It has limits, so that its number has to be known"),
    ],
)
def test_what_is_no_limit_is_refused_in_words(path: Path, ordbo: Call, given: tuple[str, ...], message: str) -> None:
    """On the command line, and in a table with its line and column."""
    found = ordbo("observe", path, "angle=9", "camber=1", *given)
    assert (found.status, message in found.err) == (2, True)
    names, values = zip(*(each.split("=", 1) for each in given), strict=True)
    table = f"angle,camber,{','.join(names)}\n9,1,{','.join(values)}\n".encode()
    assert ordbo("observe", path, "--file", "-", stdin=table).status == 65
    assert len(path.with_suffix(".csv").read_text().splitlines()) == 9


@pytest.mark.parametrize("trade", ["front", "lexicographic"])
@pytest.mark.parametrize("names", [False, True])
def test_a_copy_by_ranks_keeps_limits(path: Path, tmp_path: Path, names: bool, trade: str) -> None:
    """Those on the good side, and the next point; what is good enough is the first rank, where a limit is there."""
    path.write_text(f"{PROBLEM}trade: {trade}\n")
    study = Study.open(path)
    copy = export_ranks(study, tmp_path / "copy", names=names)
    lines = [line.split(",")[3:6] for line in copy.evaluations.read_text().splitlines()]
    assert lines[1:8] == [
        ["5", "3", "2"], ["6", "<2", "2"], ["4", "4", "<3"], [">7", "1", "1"], ["<3", "6", "3"], ["2", ">5", "1"],
        ["1", "1", ">1"],
    ]  # fmt: skip
    mine, theirs = study.read().step_input(), Study.open(copy.problem).read().step_input()
    assert order(mine.problem, mine.evaluations) == order(theirs.problem, theirs.evaluations)
    assert propose(mine).values == propose(theirs).values


def test_what_failed_by_one_objective_keeps_what_was_measured_of_the_others(path: Path, ordbo: Call) -> None:
    """In the CSV and in every table that shows results, though it counts as a failure and nothing else."""
    ordbo("observe", path, "angle=9", "camber=1", "drag=>2", "lift=nan", "feel=good", "stress=1")
    ordbo("observe", path, "angle=9", "camber=0.9", "drag=nan", "lift=<3", "feel=good", "stress=9e9")
    table = b"angle,camber,drag,lift,feel,stress\n9,0.8,failed,3,nan,nan\n"
    ordbo("observe", path, "--file", "-", stdin=table)
    ordbo("observe", path, "angle=9", "camber=0.7", "--failed")
    assert path.with_suffix(".csv").read_text().splitlines()[9:] == [
        ",9.0,1.0,>2,nan,good,1,failed", ",9.0,0.9,,<3,good,9e9,ok", ",9.0,0.8,,3,nan,nan,failed",
        ",9.0,0.7,,,,,failed",
    ]  # fmt: skip
    rows = ordbo("export", path).out.splitlines()[9:]
    assert rows == [
        "9,9.0,1.0,>2,,good,1,failed", "10,9.0,0.9,,<3,good,9E+9,ok", "11,9.0,0.8,,3,,,failed", "12,9.0,0.7,,,,,failed"
    ]  # fmt: skip
    study = Study.open(path)
    read = study.read()
    assert [each.objective for each in read.step_input().evaluations[8:]] == [None] * 4
    assert [each.outcomes != () for each in read.step_input().evaluations[8:]] == [False, True, False, False]
    assert study.status().failed == 3
    ordbo("undo", path)
    ordbo("undo", path)
    assert path.with_suffix(".csv").read_text().splitlines()[-1] == ",9.0,0.8,,,,,undone:failed"
    assert len(study.points()) == 10


def test_results_by_name_are_all_there_and_each_once(path: Path) -> None:
    """Unknown names, and one that is said in two places, are refused; what is missing is asked for."""
    study = Study.open(path)
    study.ask()
    whole: dict[str, int | float | str | None] = {"drag": 3, "lift": 2, "feel": "good", "stress": 1}
    with pytest.raises(UsageError, match="there is no result 'lifts'"):
        study.tell({**whole, "lifts": 2}, id=9)
    with pytest.raises(UsageError, match="lift is given twice"):
        study.tell(whole, id=9, outcomes={"lift": 2})
    with pytest.raises(UsageError, match="there is no value of drag"):
        study.tell({name: x for name, x in whole.items() if name != "drag"}, id=9)
    with pytest.raises(UsageError, match="there is no value of lift"):
        study.tell({name: x for name, x in whole.items() if name != "lift"}, id=9)
    assert study.tell({"stress": 9}, id=9).infeasible  # then nothing else has to be there
    assert study.tell({**whole, "drag": None}, id=9, amend=True).status == "failed"
    (told,) = study.tell_all({study.ask().id: {**whole, "lift": ">2"}})
    assert (told.objective, told.outcomes["lift"]) == ("3", ">2")
    assert study.points()[-1].objective == Decimal(3)
