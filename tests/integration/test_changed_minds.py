"""Problems, states and tables that change while suggestions are out: no result ends under values not its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.calls import Call

PROBLEM = """\
version: 1
objective: {name: y, goal: minimize}
parameters:
  x: {min: 0, max: 10, step: 0.1}
  n: {type: int, min: 1, max: 9}
  span: {value: 2.0}
"""


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A problem file."""
    path = tmp_path / "p.yaml"
    path.write_text(PROBLEM)
    return path


def edit(path: Path, old: str, new: str) -> None:
    """Change a file by hand."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


@pytest.mark.parametrize("append", [(), ("--append",)])
@pytest.mark.parametrize(
    ("old", "new", "name"),
    [("value: 2.0", "value: 3.0", "span"), ("min: 0, max: 10, step: 0.1", "min: 5, max: 5", "x")],
)
def test_a_result_keeps_the_values_that_were_handed_out(
    ordbo: Call, study: Path, append: tuple[str, ...], old: str, new: str, name: str
) -> None:
    """A fixed parameter has another value by now, or a free one is fixed: the result is recorded, and set aside."""
    ordbo("suggest", study, *append)
    point = json.loads(ordbo("suggest", study, *append).out)["parameters"]
    edit(study, old, new)
    assert json.loads(ordbo("status", study, "--json").out)["pending"][1]["parameters"] == point
    told = ordbo("observe", study, "--id", 2, "y=1")
    assert told.status == 0
    assert f"suggestion 2 was made with {name} = {point[name]}" in told.err
    status = json.loads(ordbo("status", study, "--json").out)
    assert (status["counts"]["ok"], status["counts"]["aside"], status["best"]) == (1, 1, None)
    cells = study.with_suffix(".csv").read_text().splitlines()[-1].split(",")
    assert [float(cell) for cell in cells[1:4]] == list(point.values())
    assert ordbo("observe", study, "--id", 2, "y=2", "--amend").status == 0
    assert json.loads(ordbo("status", study, "--json").out)["best"] is None


def test_an_answer_without_an_id_is_not_amended_beside_itself(ordbo: Call, study: Path) -> None:
    """Its row would go on ranking."""
    ordbo("suggest", study, "--append")
    csv = study.with_suffix(".csv")
    csv.write_text(csv.read_text() + ",0.0,1,2.0,3,ok\n")
    before = csv.read_bytes()
    for words in (["y=99"], ["--failed"], ["--abandon"]):
        end = ordbo("observe", study, "--id", 1, *words, "--amend")
        assert end.status == 65
        assert "line 3 answers suggestion 1 without its id, so that no row can replace it" in end.err
    assert csv.read_bytes() == before


def test_an_id_that_stands_for_another_point_is_told(ordbo: Call, study: Path) -> None:
    """As when two states share one CSV: the result is neither dropped as known nor put over the other's."""
    point = json.loads(ordbo("suggest", study).out)["parameters"]
    csv = study.with_suffix(".csv")
    csv.write_text("id,x,n,y,status\n1,3.3,3,0.5,ok\n")
    assert "line 2 has the id 1, but for another point" in ordbo("status", study).err
    for words in (["y=0.5"], ["y=7"], ["y=7", "--amend"]):
        end = ordbo("observe", study, "--id", 1, *words)
        assert end.status == 65
        assert "line 2 has the id 1, but for another point than was suggested under it" in end.err
    assert ordbo("observe", study, f"x={point['x']}", f"n={point['n']}", "y=7").status == 0


def test_noisy_answers_without_ids_all_count(ordbo: Call, study: Path) -> None:
    """Two suggestions at one point, answered in any order."""
    study.write_text(PROBLEM.replace("{min: 0, max: 10, step: 0.1}", "{type: int, min: 1, max: 2}") + "noise: true\n")
    edit(study, "min: 1, max: 9", "min: 1, max: 1")
    csv = study.with_suffix(".csv")
    csv.write_text("x,n,y\n")
    points = [json.loads(ordbo("suggest", study).out) for _ in range(4)]
    assert len({point["parameters"]["x"] for point in points}) == 2
    for point in reversed(points):
        assert ordbo("observe", study, "--id", point["id"], f"y={point['id']}").status == 0
    status = json.loads(ordbo("status", study, "--json").out)
    assert (status["counts"]["ok"], status["pending"]) == (4, [])


def test_a_queued_point_is_done_when_it_is_answered(ordbo: Call, study: Path) -> None:
    """However often it was queued, and whether the answer has an id or not."""
    for _ in range(2):
        ordbo("observe", study, "x=4", "n=4", "--retry")
    assert json.loads(ordbo("suggest", study).out) == {"id": 1, "parameters": {"x": 4.0, "n": 4, "span": 2.0}}
    ordbo("observe", study, "--id", 1, "y=3")
    again = json.loads(ordbo("suggest", study).out)
    assert again["id"] == 2
    assert again["parameters"] != {"x": 4.0, "n": 4, "span": 2.0}


def test_a_table_that_is_gone_is_told(ordbo: Call, study: Path) -> None:
    """A file server that is not mounted looks like a new study."""
    for number in (1, 2, 3):
        ordbo("suggest", study)
        ordbo("observe", study, "--id", number, f"y={number}")
    ordbo("suggest", study)
    study.with_suffix(".csv").unlink()
    assert "p.csv: it was there, and is there no more" in ordbo("status", study).err


def test_the_studys_own_table_is_no_list_of_results(ordbo: Call, study: Path) -> None:
    """It would be recorded twice."""
    ordbo("observe", study, "x=1", "n=1", "y=1")
    before = study.with_suffix(".csv").read_bytes()
    end = ordbo("observe", study, "--file", study.with_suffix(".csv"))
    assert (end.status, "holds this study's evaluations" in end.err) == (2, True)
    assert study.with_suffix(".csv").read_bytes() == before


@pytest.mark.parametrize(
    "files",
    ["evaluations: q.lock\nstate: q", "evaluations: q.bak\nstate: q", "evaluations: q\nstate: q.journal",
     "evaluations: link.csv", "state: link.csv\nevaluations: p.csv", "evaluations: sub/../p.yaml"],
)  # fmt: skip
def test_files_that_would_write_over_each_other(ordbo: Call, study: Path, files: str) -> None:
    """By their real names, with what is written beside them."""
    (study.parent / "sub").mkdir()
    study.with_suffix(".csv").write_text("x,n,y\n1,1,1\n")
    (study.parent / "link.csv").symlink_to("p.yaml" if files == "evaluations: link.csv" else "p.csv")
    study.write_text(PROBLEM + files + "\n")
    end = ordbo("suggest", study)
    assert (end.status, "are the same file" in end.err) == (78, True)
    assert study.with_suffix(".csv").read_text() == "x,n,y\n1,1,1\n"


def test_ids_end_where_they_could_not_be_read_again(ordbo: Call, study: Path) -> None:
    """The largest one is refused before it is written."""
    study.with_suffix(".csv").write_text("id,x,n,y,status\n999999999999999,1,1,1,ok\n")
    end = ordbo("suggest", study)
    assert (end.status, "the ids have come to their end, 999999999999999" in end.err) == (65, True)


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ('"abc"', "suggestion 2: the problem has no place for the point"),
        ("2.5", "suggestion 2: the problem has no place for the point"),
        *((value, "the state is unreadable") for value in ("null", "true", "1" + 400 * "0")),
    ],
)
def test_a_state_whose_values_cannot_be_is_set_aside(ordbo: Call, study: Path, value: str, said: str) -> None:
    """Nothing of it reaches the table; what is no point of the problem is named, what cannot be a point is no state."""
    ordbo("suggest", study)
    ordbo("suggest", study)
    edit(study.with_name("p.state.json"), '"n": 9', f'"n": {value}')
    assert said in ordbo("status", study).err
    ordbo("observe", study, "--id", 2, "y=1")
    assert not study.with_suffix(".csv").exists() or "2.5" not in study.with_suffix(".csv").read_text()
    assert ordbo("suggest", study).status == 0


def test_a_folder_that_is_not_there_is_told_before_anything_is_simulated(ordbo: Call, study: Path) -> None:
    """For the table and for the state."""
    for files in ("evaluations: no/where.csv", "state: no/where.json"):
        study.write_text(PROBLEM + files + "\n")
        end = ordbo("suggest", study)
        assert (end.status, end.out) == (66, "")
        assert "/no: there is no such folder for where." in end.err
