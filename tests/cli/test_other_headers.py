"""A CSV whose columns are spelt in another way, through every command that reads or writes it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]

PROBLEM = """\
version: 1
objective: {name: drag, goal: minimize, unit: N}
parameters:
  height: {min: 0, max: 5, unit: m}
  blades: {type: int, min: 3, max: 9}
"""
TABLE = "ID,HEIGHT [m],Blades,note,Drag (N),STATUS\n,m,-,,N,\n1,1,4,a,5,ok\n2,2,5,b,6,ok\n"
NOTES = (
    "note: drag.csv: 'ID' is taken for id, 'HEIGHT [m]' is taken for height, 'Blades' is taken for blades, "
    "'Drag (N)' is taken for drag, 'STATUS' is taken for status\n"
    "note: drag.csv: line 2 is a row of units, passed over\n"
)


@pytest.fixture
def theirs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A problem file, and a table from elsewhere."""
    monkeypatch.chdir(tmp_path)
    Path("drag.yaml").write_text(PROBLEM)
    Path("drag.csv").write_text(TABLE)
    return tmp_path


def test_every_command_reads_and_writes_it(ordbo: Call, theirs: Path) -> None:
    """Rows go below the user's own header, whoever writes them, and are found again by all the others."""
    assert ordbo("check", "drag.yaml").err == NOTES
    assert json.loads(ordbo("suggest", "drag.yaml", "--append").out)["id"] == 3
    assert ordbo("observe", "drag.yaml", "--id", 3, "drag=2").status == 0
    assert ordbo("run", "drag.yaml", "--budget", 4, "--", "echo", 3).status == 0
    assert ordbo("observe", "drag.yaml", "--id", 1, "--amend", "drag=1").status == 0
    text = Path("drag.csv").read_text()
    assert text.startswith(TABLE)
    added = [row.split(",") for row in text.removeprefix(TABLE).splitlines()]
    assert [(row[0], row[4], row[5]) for row in added] == [
        ("3", "", "pending"), ("3", "2", "ok"), ("4", "", "pending"), ("4", "3", "ok"), ("1", "1", "ok"),
    ]  # fmt: skip
    assert json.loads(ordbo("best", "drag.yaml").out)["id"] == 1
    assert ordbo("export", "drag.yaml").out.startswith("id,height,blades,drag,status\n1,1.0,4,1,ok\n")


def test_tables_of_results_and_points_are_read_alike(ordbo: Call, theirs: Path) -> None:
    """What is given to observe and to predict may be spelt in yet another way."""
    done = ordbo("observe", "drag.yaml", "--file", "-", stdin=b"Height;BLADES;Drag [N]\nm;-;N\n1,5;7;3,5\n")
    assert "note: standard input: 'Height' is taken for height, 'BLADES' is taken for blades" in done.err
    assert Path("drag.csv").read_text() == TABLE + ",1.5,7,,3.5,ok\n"
    done = ordbo("predict", "drag.yaml", "--file", "-", stdin=b"Blades,Height\n-,m\n5,2\n")
    assert json.loads(done.out)["parameters"] == {"height": 2.0, "blades": 5}
    assert "note: standard input: line 2 is a row of units, passed over" in done.err


def test_what_others_have_evaluated_is_imported_alike(ordbo: Call, theirs: Path) -> None:
    """Trials of Optuna whose parameters differ in case, and a table of Dakota."""
    Path("drag.csv").unlink()
    trials = b"number,value,params_Height,params_BLADES,state\n0,0.5,1,4,COMPLETE\n"
    assert (
        "'Height' is taken for height, 'BLADES' is taken for blades"
        in ordbo("import", "drag.yaml", "-", stdin=trials).err
    )
    dakota = b"%eval_id interface HEIGHT Blades Drag\n1 NO_ID 2 5 0.25\n"
    assert "'Drag' is taken for drag" in ordbo("import", "drag.yaml", "-", stdin=dakota).err
    assert Path("drag.csv").read_text() == "id,height,blades,drag,status\n,1.0,4,0.5,ok\n,2.0,5,0.25,ok\n"


def test_comparisons_are_read_alike(ordbo: Call, theirs: Path) -> None:
    """Better and WORSE are better and worse, and further judgements go below them."""
    Path("drag.comparisons.csv").write_text("Better,WORSE,Tie\n1,2,\n")
    assert ordbo("prefer", "drag.yaml", 2, 1).status == 0
    assert Path("drag.comparisons.csv").read_text() == "Better,WORSE,Tie\n1,2,\n2,1,\n"
    assert "'Better' is taken for better" in ordbo("check", "drag.yaml").err


def test_quiet_keeps_the_notes_to_itself(ordbo: Call, theirs: Path) -> None:
    """They are no warnings, but as loud as those."""
    assert ordbo("best", "drag.yaml", "--quiet").err == ""


def test_columns_map_what_is_called_otherwise(ordbo: Call, theirs: Path) -> None:
    """A new file has those names, and a table with others is refused by them."""
    Path("drag.yaml").write_text(PROBLEM + "columns: {height: 'H (mm)', drag: Cd}\n")
    Path("drag.csv").unlink()
    ordbo("suggest", "drag.yaml", "--append")
    ordbo("observe", "drag.yaml", "--id", 1, "drag=3")
    assert Path("drag.csv").read_text().splitlines()[0] == "id,H (mm),blades,Cd,status"
    assert json.loads(ordbo("best", "drag.yaml").out)["parameters"] == {"height": 0.0, "blades": 3}
    Path("drag.yaml").write_text(PROBLEM + "columns: {height: 'H (mm)', drag: Cd, status: status}\n")
    assert "settings have changed: the model is rebuilt" in ordbo("suggest", "drag.yaml").err
    Path("drag.yaml").write_text(PROBLEM + "columns: {height: 'H (mm)', drag: Ce}\n")
    refused = ordbo("check", "drag.yaml")
    assert refused.status == 65
    assert "there is no column 'Ce', which columns: names for 'drag'" in refused.err
