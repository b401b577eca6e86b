"""A problem that changes while points are out: ordinary changes, each from the shell, and no id ever twice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.calls import Call

pytestmark = pytest.mark.slow

PROBLEM = """\
version: 1
objective: {name: y, goal: minimize}
parameters:
  x: {min: 0, max: 1}
  solver: {type: categorical, values: [cg, gmres]}
  span: {value: 2.0}
"""
CHANGED = "warning: the problem's bounds or settings have changed: the model is rebuilt from the evaluations"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A problem file."""
    path = tmp_path / "p.yaml"
    path.write_text(PROBLEM)
    return path


def handed(ordbo: Call, path: Path, *options: str) -> dict[str, object]:
    end = ordbo("suggest", path, *options)
    assert end.status == 0, end.err
    point: dict[str, object] = json.loads(end.out)
    return point


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def last_row(path: Path) -> str:
    return path.with_suffix(".csv").read_text().splitlines()[-1]


@pytest.mark.parametrize("levels", ["[amg, cg, gmres]", "[cg, amg, gmres]", "[cg, gmres, amg]"])
def test_a_level_that_was_added(ordbo: Call, path: Path, levels: str) -> None:
    """Wherever it stands in the list, an old job's answer is recorded at what the job was given."""
    points = [handed(ordbo, path) for _ in range(2)]
    edit(path, "[cg, gmres]", levels)
    told = ordbo("observe", path, "--id", 2, "y=1")
    assert told.status == 0
    assert CHANGED in told.err
    values = points[1]["parameters"]
    assert isinstance(values, dict)
    assert last_row(path) == f"2,{values['x']},{values['solver']},2.0,1,ok"
    assert handed(ordbo, path)["id"] == 3


def test_a_constant_that_was_moved(ordbo: Call, path: Path) -> None:
    """The answer is recorded with the value that it was made with, and set aside."""
    handed(ordbo, path)
    edit(path, "2.0", "3.0")
    told = ordbo("observe", path, "--id", 1, "y=1")
    assert "suggestion 1 was made with span = 2.0, which is another value now: its result is set aside" in told.err
    assert last_row(path) == "1,0.0,cg,2.0,1,ok"
    assert handed(ordbo, path) == {"id": 2, "parameters": {"x": 0.0, "solver": "cg", "span": 3.0}}


@pytest.mark.parametrize("renamed_in_the_table", [False, True])
def test_a_parameter_that_was_renamed(ordbo: Call, path: Path, renamed_in_the_table: bool) -> None:
    """With was: its old name; the column may keep that, or have the new one."""
    handed(ordbo, path, "--append")
    handed(ordbo, path)
    edit(path, "x: {", "height: {was: x, ")
    if renamed_in_the_table:
        edit(path.with_suffix(".csv"), "id,x", "id,height")
    assert ordbo("observe", path, "--id", 2, "y=1").status == 0
    assert last_row(path) == "2,1.0,gmres,2.0,1,ok"
    assert ordbo("observe", path, "--id", 1, "y=2").status == 0
    fresh = handed(ordbo, path, "--append")
    assert fresh["id"] == 3
    assert list(fresh["parameters"]) == ["height", "solver", "span"]  # type: ignore[call-overload]  # a mapping
    assert ordbo("check", path).status == 0


def test_a_parameter_that_was_added(ordbo: Call, path: Path) -> None:
    """With past: its value in older rows; a new value needs its column, and rows from before it stay as they are."""
    for _ in range(2):
        handed(ordbo, path)
    assert ordbo("observe", path, "--id", 1, "y=1").status == 0
    edit(path, "  span", "  mesh: {type: int, min: 1, max: 9, past: 3}\n  span")
    assert ordbo("observe", path, "--id", 2, "y=2").status == 0
    refused = ordbo("suggest", path)
    assert (refused.status, refused.out) == (65, "")
    assert "there is no column 'mesh'" in refused.err
    assert "Add it at the end of the header; older rows stay as they are, and count as 3" in refused.err
    edit(path.with_suffix(".csv"), "y,status\n", "y,status,mesh\n")
    fresh = handed(ordbo, path, "--append")
    assert fresh["id"] == 3
    assert ordbo("observe", path, "--id", 3, "y=3").status == 0
    ranking = json.loads(ordbo("status", path, "--json", "--no-next").out)["ranking"]
    assert [best["parameters"]["mesh"] for best in ranking] == [3, 3, 1]


def test_what_a_problem_has_no_place_for(ordbo: Call, path: Path) -> None:
    """A level that was taken out: its answer is refused with what it was handed out with, and put back is taken."""
    handed(ordbo, path)
    edit(path, "[cg, gmres]", "[gmres, amg]")
    said = ordbo("suggest", path)
    assert "suggestion 1: the problem has no place for the point any more" in said.err
    refused = ordbo("observe", path, "--id", 1, "y=1")
    assert refused.status == 65
    assert "suggestion 1 was handed out with x = 0.0 and solver = cg and span = 2.0, for which" in refused.err
    assert not path.with_suffix(".csv").exists()
    edit(path, "[gmres, amg]", "[gmres, amg, cg]")
    assert ordbo("observe", path, "--id", 1, "y=1").status == 0
    assert last_row(path) == "1,0.0,cg,2.0,1,ok"


@pytest.mark.parametrize(
    ("gone", "known"),
    [
        ("p.state.json", True),
        ("p.state.json*", True),
        ("p.csv", True),
        ("p.suggestions.jsonl", True),
        ("p.[sc]*v p.state.json*", True),
        ("p.suggestions.jsonl p.state.json*", False),
    ],
)
def test_whatever_is_deleted_no_id_comes_twice(ordbo: Call, path: Path, gone: str, known: bool) -> None:
    """And what was handed out is still what its answer is recorded at; where nothing knows it, it is refused."""
    for _ in range(2):
        handed(ordbo, path, "--append")
    point = handed(ordbo, path)
    ordbo("observe", path, "--id", 1, "y=1")
    if not known:
        handed(ordbo, path, "--append")
    for pattern in gone.split():
        for file in path.parent.glob(pattern):
            file.unlink()
    fresh = handed(ordbo, path)
    assert fresh["id"] == (4 if known else 5)
    late = ordbo("observe", path, "--id", 3, "y=7")
    if not known:
        assert late.status == 65
        return
    assert late.status == 0, late.err
    values = point["parameters"]
    assert isinstance(values, dict)
    assert last_row(path) == f"3,{values['x']},{values['solver']},2.0,7,ok"


@pytest.mark.parametrize(
    ("old", "new"),
    [("name: y", "name: z"), ("  x:", "  w:"), ("  x:", "  w: {min: 0, max: 1}\n  x:")],
)
def test_another_problem_is_refused_and_nothing_has_to_be_deleted(ordbo: Call, path: Path, old: str, new: str) -> None:
    """The hint says what to write."""
    handed(ordbo, path)
    edit(path, old, new)
    end = ordbo("suggest", path)
    assert end.status == 65
    assert "belongs to another problem" in end.err
    assert "was: its old name, or past: its value in older rows" in end.err
    assert "delete" not in end.err


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("name: y", "name: z", "it knows the objective 'y'\n"),
        ("  x:", "  w:", "it knows 'x' and it does not know 'w'\n"),
        ("  x:", "  w: {min: 0, max: 1}\n  x:", "it does not know 'w'\n"),
        ("  x: {min: 0, max: 1}\n", "", "it knows 'x'\n"),
    ],
)
def test_the_refusal_names_what_differs(ordbo: Call, path: Path, old: str, new: str, words: str) -> None:
    """Which parameter or objective the state knows, or does not know."""
    handed(ordbo, path)
    edit(path, old, new)
    assert f"the state belongs to another problem: {words}" in ordbo("status", path).err


@pytest.mark.parametrize("turned", [False, True])
def test_what_was_no_parameter_goes_with_clean(ordbo: Call, path: Path, turned: bool) -> None:
    """All else is refused and says so; after clean all results count, and what is out is answered at its point."""
    table = path.with_suffix(".csv")
    table.write_text("run,x,solver,y\n1,0.5,cg,3\n3,0.25,cg,failed\n7,0.75,gmres,2\n")
    edit(path, "  x:", "  run: {type: int, min: 1, max: 9}\n  x:")
    edit(path, "  span: {value: 2.0}\n", "")
    points = [handed(ordbo, path, *options) for options in ((), ("--append",))]
    assert ordbo("observe", path, "--id", 4, "y=5").status == 0
    edit(path, "  run: {type: int, min: 1, max: 9}\n", "")
    if turned:  # so that no row is where the state saw it
        header, *rows = table.read_text().splitlines()
        table.write_text("\n".join([header, *reversed(rows), ""]))
    before = table.read_bytes(), path.with_suffix(".suggestions.jsonl").read_bytes()
    for call in (("status", path), ("suggest", path), ("observe", path, "--id", 5, "y=1")):
        refused = ordbo(*call)
        assert refused.status == 65
        assert "the state belongs to another problem: it knows 'run'\nhint: Put it back" in refused.err
        assert f"If it never was one, 'ordbo clean {path}' deletes the state" in refused.err
    assert ordbo("clean", path).status == 0
    assert (table.read_bytes(), path.with_suffix(".suggestions.jsonl").read_bytes()) == before
    assert not path.with_suffix(".state.json").exists()
    assert handed(ordbo, path)["id"] == 6
    assert ordbo("observe", path, "--id", 5, "y=1").status == 0
    ranking = json.loads(ordbo("status", path, "--json", "--no-next").out)["ranking"]
    assert [(each["id"], each["objective"]["y"]) for each in ranking] == [
        (5, 1), (1 if turned else 3, 2), (3 if turned else 1, 3), (4, 5)
    ]  # fmt: skip
    values = points[1]["parameters"]
    assert isinstance(values, dict)
    assert ranking[0]["parameters"] == {name: values[name] for name in ("x", "solver")}


def test_the_state_stays_where_ids_hang_on_it(ordbo: Call, path: Path) -> None:
    """Of rows without ids that were compared; once the table has them, it goes."""
    table = path.with_suffix(".csv")
    table.write_text("run,x,solver,span,y\n1,0.5,cg,2,3\n3,0.25,cg,2,4\n7,0.75,gmres,2,2\n")
    edit(path, "  x:", "  run: {type: int, min: 1, max: 9}\n  x:")
    handed(ordbo, path)
    assert ordbo("prefer", path, 1, 2).status == 0
    edit(path, "  run: {type: int, min: 1, max: 9}\n", "")
    said = ordbo("clean", path)
    assert "it alone knows the ids of rows that were compared: write them into a column 'id'" in said.out
    assert path.with_suffix(".state.json").exists()
    header, *rows = table.read_text().splitlines()
    table.write_text("\n".join([f"id,{header}", *(f"{k},{row}" for k, row in enumerate(rows, 1)), ""]))
    assert ordbo("clean", path).status == 0
    assert not path.with_suffix(".state.json").exists()
    assert ordbo("check", path).status == 0


@pytest.mark.parametrize("lost", ["list", "answer"])
def test_the_state_stays_where_it_alone_knows_what_is_out(ordbo: Call, path: Path, lost: str) -> None:
    """The list of suggestions is gone, or an answer that was there: put back, it goes."""
    edit(path, "  x:", "  run: {type: int, min: 1, max: 9}\n  x:")
    for _ in range(2):
        handed(ordbo, path)
    assert ordbo("observe", path, "--id", 1, "y=5").status == 0
    handed(ordbo, path)
    edit(path, "  run: {type: int, min: 1, max: 9}\n", "")
    file = path.with_suffix(".suggestions.jsonl" if lost == "list" else ".csv")
    text = file.read_text()
    file.write_text("" if lost == "list" else text.splitlines(keepends=True)[0])
    assert f"it alone knows what is out: {'2, 3' if lost == 'list' else 1}\n" in ordbo("clean", path).out
    assert path.with_suffix(".state.json").exists()
    file.write_text(text)
    assert ordbo("clean", path).status == 0
    assert not path.with_suffix(".state.json").exists()
