"""A study that knows results of other sources, through commands."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from ordbo_cli.problem.order import ranks
from ordbo_cli.study.study import Study
from tests.calls import Call

PROBLEM = """\
objective: {name: drag, goal: minimize}
parameters: {x: {min: 0, max: 1}, y: {min: 0, max: 1}}
method: {initial: 5, iterations: 60}
evaluations:
  - {file: rig.csv, factor: {x: 0.1}}
"""


def bowl(x: float, y: float) -> float:
    """The function that is measured."""
    return (x - 0.7) ** 2 + (y - 0.2) ** 2


GRID = [(0.05 + 0.18 * k, 0.1 + 0.19 * ((3 * k) % 5)) for k in range(6)]
OWN = "".join(f"{k},{x:.3f},{y:.3f},{bowl(x, y):.5f},,\n" for k, (x, y) in enumerate(GRID, 1))
WRONG = "".join(f",{x + 0.02:.3f},{y:.3f},{5 - bowl(x + 0.02, y):.5f},,upside down\n" for x, y in GRID)
RIG = "".join(
    f"{10 * x:.3f},{y:.3f},{100 * bowl(x, y) ** 0.5:.4f}\n" for x, y in [(k / 24, (7 * k % 24) / 24) for k in range(24)]
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Six results, six of a source that has all the wrong way round, and twenty-four of a rig that agrees."""
    path = tmp_path / "wing.yaml"
    path.write_text(PROBLEM)
    path.with_suffix(".csv").write_text(f"id,x,y,drag,status,campaign\n{OWN}{WRONG}")
    (tmp_path / "rig.csv").write_text(f"x,y,drag\n{RIG}")
    return path


def test_status_says_what_each_is_worth(path: Path, ordbo: Call) -> None:
    """In words and as JSON; without computing only how many results there are."""
    said = ordbo("status", path).out
    assert "campaign upside down: 6 results, contradicts (tau -" in said
    assert re.search(r"campaign rig: 24 results, agrees: tau [01]\.\d\d; weighs like \d+ of your own\n", said)
    assert "evaluations: 6 ok; suggestions so far: 6" in said
    wrong, rig = json.loads(ordbo("status", path, "--json").out)["campaigns"]
    assert (wrong["heard"], rig["heard"], rig["results"], rig["compared"]) == (False, True, 24, 6)
    assert wrong["tau"] < 0 < rig["tau"]
    assert wrong["weighs_like"] is None
    assert 0 < rig["weighs_like"] <= 24
    quick = json.loads(ordbo("status", path, "--json", "--no-next").out)["campaigns"]
    assert [(each["results"], each["tau"], each["heard"]) for each in quick] == [(6, None, None), (24, None, None)]
    assert "rig: 24 results\n" in ordbo("status", path, "--no-next").out


def test_what_is_not_tested_yet(path: Path, ordbo: Call) -> None:
    """Two results are too few, and said to be."""
    path.with_suffix(".csv").write_text("id,x,y,drag,status,campaign\n" + "".join(OWN.splitlines(keepends=True)[:2]))
    assert "campaign rig: 24 results, not tested yet: 2 of 3 results" in ordbo("status", path).out
    assert "of the initial design" in ordbo("status", path).out


def test_serve_and_python_say_it_too(path: Path, ordbo: Call) -> None:
    """As status does."""
    answer = json.loads(ordbo("serve", path, "--stdio", stdin=b'{"status": true}\n').out.splitlines()[-1])
    assert [each["heard"] for each in answer["status"]["campaigns"]] == [False, True]
    assert [each.is_heard for each in Study.open(path).campaigns()] == [False, True]


def test_a_point_is_explained_with_those_that_were_heard(path: Path, ordbo: Call) -> None:
    """By their names, and predictions and diagnosis take them in."""
    assert "with the results of rig\n" in ordbo("suggest", path, "--explain", "--dry-run").err
    assert ordbo("predict", path, "x=0.7", "y=0.2").status == 0
    assert ordbo("diagnose", path).status == 0


def test_rows_of_a_campaign_are_no_results_of_the_study(path: Path, ordbo: Call) -> None:
    """The best value, what is out, what is to be repeated and what is undone are the study's own."""
    with path.with_suffix(".csv").open("a") as table:
        table.write(",0.3,0.3,-99,,rig\n7,0.4,0.4,,pending,rig\n8,0.5,0.5,,retry,rig\n,0.6,0.6,failed,,rig\n")
    said = json.loads(ordbo("status", path, "--json", "--no-next").out)
    assert said["counts"] == {
        "ok": 6, "failed": 0, "pending": 0, "retry": 0, "abandoned": 0, "expired": 0, "outside": 0, "aside": 0,
        "comparisons": 0,
    }  # fmt: skip
    assert said["best"]["objective"]["drag"] > 0
    assert {each["name"]: each["results"] for each in said["campaigns"]} == {"upside down": 6, "rig": 2 + 24}
    assert json.loads(ordbo("suggest", path, "--dry-run").out)["id"] == 7
    assert ordbo("undo", path).status == 0
    assert ordbo("status", path, "--no-next").out.count("5 ok") == 1


def test_rows_that_are_recorded_belong_to_the_study(path: Path, ordbo: Call) -> None:
    """Their cell of the column stays empty, and no byte of a campaign's table changes."""
    before = (path.parent / "rig.csv").read_bytes()
    assert ordbo("observe", path, "x=0.5", "y=0.5", "drag=3").status == 0
    assert path.with_suffix(".csv").read_text().splitlines()[-1] == ",0.5,0.5,3,ok,"
    assert (path.parent / "rig.csv").read_bytes() == before
    assert sorted(each.name for each in path.parent.glob("rig*")) == ["rig.csv"]


def test_clean_leaves_tables_of_campaigns(path: Path, ordbo: Call) -> None:
    """They are no file that the study made."""
    ordbo("suggest", path)
    assert "rig.csv" not in ordbo("clean", path, "--dry-run").out
    assert ordbo("clean", path, "--runs").status == 0
    assert (path.parent / "rig.csv").read_text() == f"x,y,drag\n{RIG}"


def test_results_of_a_campaign_are_not_told(path: Path, ordbo: Call, tmp_path: Path) -> None:
    """A table with the column is no table of results, where a row names its campaign."""
    more = tmp_path / "more.csv"
    more.write_text("x,y,drag,campaign\n0.1,0.2,3,\n0.2,0.2,3,rig\n")
    refused = ordbo("observe", path, "--file", more)
    assert refused.status == 65
    assert "more.csv:3:11: column 'campaign': the row is a result of 'rig'" in refused.err
    more.write_text("x,y,drag,campaign\n0.1,0.2,3,\n")
    assert ordbo("observe", path, "--file", more).status == 0


def test_the_column_may_be_called_otherwise(path: Path) -> None:
    """By columns:; and it is found by its name as it is spelt alone, as nobody means it by another one."""
    path.write_text(PROBLEM + "columns: {campaign: Kampagne}\n")
    table = path.with_suffix(".csv")
    table.write_text(table.read_text().replace("campaign", "Kampagne"))
    assert [each.name for each in Study.open(path).read().campaigns] == ["upside down", "rig"]
    path.write_text(PROBLEM)
    table.write_text(table.read_text().replace("Kampagne", "Campaign"))
    assert [each.name for each in Study.open(path).read().campaigns] == ["rig"]


def test_a_parameter_of_that_name_wins(path: Path) -> None:
    """Then there is no such column."""
    path.write_text(PROBLEM.replace("y:", "campaign:").replace("  - {file: rig.csv, factor: {x: 0.1}}", "  - wing.csv"))
    path.with_suffix(".csv").write_text("x,campaign,drag\n0.1,0.2,3\n0.3,0.4,5\n")
    files = Study.open(path).read()
    assert files.campaigns == ()
    assert [each.values for each in files.ledger.evaluations()] == [(0.1, 0.2), (0.3, 0.4)]


@pytest.mark.slow
def test_check_transforms_campaigns_too(path: Path, ordbo: Call) -> None:
    """No increasing transform of one campaign's results changes the next point; check says so of each."""
    said = ordbo("check", path, "--invariance")
    assert said.status == 0
    assert "objective drag: log, exp, cube, rank, affine, decreasing affine: the same suggestion" in said.out
    for name, number in (("upside down", 6), ("rig", 24)):
        assert f"objective drag of campaign {name}: log, exp, cube, rank, affine: the same suggestion" in said.out
        assert f"ranks of the {number} results stay" in said.out


def test_check_names_what_is_known(path: Path, ordbo: Call) -> None:
    """A line a campaign."""
    assert "campaign rig: 24 results\n" in ordbo("check", path).out


def test_import_writes_a_table_of_a_campaign(path: Path, ordbo: Call) -> None:
    """A new file that the problem file can name; no result is recorded, and none is written over."""
    before = path.with_suffix(".csv").read_bytes()
    trials = b",number,value,params_x,params_y,state\n0,0,3,0.1,0.2,COMPLETE\n1,1,,0.3,0.2,FAIL\n"
    said = ordbo("import", path, "-", "--campaign", "coarse", stdin=trials)
    assert said.status == 0
    assert said.err.splitlines()[-1].strip() == '- {file: "coarse.csv"}'
    assert path.with_suffix(".csv").read_bytes() == before
    path.write_text(PROBLEM + '  - {file: "coarse.csv"}\n')
    (coarse,) = (each for each in Study.open(path).read().campaigns if each.name == "coarse")
    assert [(each.values, each.objective) for each in coarse.evaluations] == [((0.1, 0.2), 3), ((0.3, 0.2), None)]
    assert ordbo("import", path, "-", "--campaign", "coarse", stdin=trials).status == 74
    assert ordbo("import", path, "-", "--campaign", "a/b", stdin=trials).status == 2


@pytest.mark.parametrize("names", [(), ("--names",)])
def test_a_copy_by_ranks_has_campaigns(path: Path, ordbo: Call, tmp_path: Path, names: tuple[str, ...]) -> None:
    """With ranks of their own, and the study's next point; the plain table holds the study's own results alone."""
    assert ordbo("export", path, "--ranks-only", *names, "--output", tmp_path / "copy").status == 0
    copy = tmp_path / "copy" / "problem.yaml"
    files = Study.open(copy).read()
    known = [each.name for each in files.campaigns]
    assert known == (["campaign 1", "campaign 2"] if names else ["upside down", "rig"])
    own = Study.open(path).read()
    for each, copied in zip(own.campaigns, files.campaigns, strict=True):
        order = ranks(own.problem, each.evaluations)
        assert [found.objective for found in copied.evaluations] == [1 + rank for rank in order]
    ours, theirs = (json.loads(ordbo("suggest", each, "--dry-run").out)["parameters"] for each in (path, copy))
    assert list(ours.values()) == list(theirs.values())
    assert "rig" in ordbo("suggest", path, "--dry-run", "--explain").err
    assert len(ordbo("export", path).out.splitlines()) == 1 + 6


def test_pictures_mark_what_the_model_sees(path: Path, ordbo: Call) -> None:
    """A legend entry and marks for a campaign that is heard, none for one that is not."""
    for kind in ("fit", "cells"):
        drawn = path.parent / f"{kind}.svg"
        assert ordbo("plot", path, kind, "-o", drawn).status == 0
        assert 'id="campaign-rig"' in drawn.read_text()
        assert "campaign rig<" in drawn.read_text()
        assert "upside down" not in drawn.read_text()


def test_rows_that_become_those_of_a_campaign_are_not_missed(path: Path, ordbo: Call) -> None:
    """Somebody finds that a result was of another rig, and says so in its row: it is there still."""
    ordbo("suggest", path)
    assert ordbo("observe", path, "--id", "7", "drag=0.5").status == 0
    ordbo("suggest", path)
    table = path.with_suffix(".csv")
    table.write_text(table.read_text().rstrip("\n") + "rig\n")
    said = ordbo("suggest", path)
    assert "is there no more" not in said.err
    assert json.loads(said.out)["id"] == 9
    assert "evaluations: 6 ok, 2 pending" in ordbo("status", path, "--no-next").out
