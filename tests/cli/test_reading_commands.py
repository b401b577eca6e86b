"""``ordbo status``, ``best``, ``predict``, ``check`` and ``schema``: they read and change nothing."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]


@pytest.mark.parametrize(
    "words",
    [
        ["status"],
        ["status", "--json"],
        ["best"],
        ["check"],
        ["predict", "angle=3", "blades=4", "wall shear=1"],
        ["suggest", "--dry-run"],
    ],
)
def test_reading_changes_nothing(ordbo: Call, results: Path, digest: Call, words: list[str]) -> None:
    """Not one byte of the folder changes, and no file is left behind."""
    before = digest(results.parent)
    done = ordbo(words[0], results, *words[1:])
    assert (done.status, done.err) == (0, "")
    assert done.out
    assert digest(results.parent) == before


def test_status_in_words(ordbo: Call, results: Path) -> None:
    """Goal, counts, best, progress, the best rows and what is pending, without an escape sequence."""
    ordbo("suggest", results)
    shown = ordbo("status", results, "--rows", 2)
    assert shown.status == 0
    lines = shown.out.splitlines()
    assert lines[0] == f"{results}: minimize drag"
    assert lines[1] == "evaluations: 5 ok, 2 failed, 1 pending; suggestions so far: 1"
    assert lines[2] == "best: drag=0.31 (id 4) at angle=6.0 blades=5 wall shear=20.0 span=2.0"
    assert lines[3] == "best so far: █▅▃▁▁▁▁"
    table = lines.index("") + 1
    assert lines[table].split() == ["rank", "id", "drag", "angle", "blades", "wall", "shear", "span"]
    assert [line.split()[:2] for line in lines[table + 1 : table + 3]] == [["1", "4"], ["2", "3"]]
    assert lines[table + 4] == "pending"
    assert lines[table + 6].startswith("8   ")
    assert "\x1b" not in shown.out


def test_status_of_a_new_study(ordbo: Call, study: Path) -> None:
    """Nothing there yet is no error."""
    shown = ordbo("status", study)
    assert shown.status == 0
    assert "none yet" in shown.out
    entries = json.loads(ordbo("status", study, "--json").out)
    assert (entries["best"], entries["ranking"], entries["history"], entries["pending"]) == (None, [], [], [])


def test_status_as_json(ordbo: Call, results: Path) -> None:
    """One strict JSON object with everything that the words say."""
    table = results.with_suffix(".csv")
    table.write_text(table.read_text() + "1,4,1,2,1e-400\n200,4,1,2,0.1\n")
    ordbo("suggest", results)
    shown = ordbo("status", results, "--json")
    entries = json.loads(shown.out, parse_float=Decimal)
    assert entries["counts"]["ok"] == 7
    assert entries["counts"]["outside"] == 1
    assert entries["best"]["objective"] == {"drag": Decimal("1e-400")}
    assert entries["best"]["line"] == 9
    assert [point["objective"]["drag"] for point in entries["ranking"][:2]] == [Decimal("1e-400"), Decimal("0.31")]
    assert entries["pending"][0]["id"] == 10
    assert entries["pending"][0]["age_seconds"] >= 0
    assert len(entries["warnings"]) == 1
    assert "outside" in entries["warnings"][0]
    assert shown.err == f"warning: {entries['warnings'][0]}\n"


def test_best_in_every_format(ordbo: Call, results: Path) -> None:
    """The point of row 5, under the id that the study gives a row without one."""
    point = json.loads(ordbo("best", results).out)
    parameters = {"angle": 6.0, "blades": 5, "wall shear": 20.0, "span": 2.0}
    assert point == {"id": 4, "parameters": parameters, "objective": {"drag": 0.31}}
    assert ordbo("best", results, "--format", "csv").out.splitlines()[1] == "4,6.0,5,20.0,2.0"
    assert ordbo("best", results, "--format", "env").out.splitlines()[:2] == ["ORDBO_ID=4", "ORDBO_ANGLE=6.0"]
    assert (
        ordbo("best", results, "--format", "args").out == "--id=4 --angle=6.0 --blades=5 --wall-shear=20.0 --span=2.0\n"
    )


def test_best_fills_in_a_template(ordbo: Call, results: Path) -> None:
    """As suggest does."""
    template, target = results.with_name("a.tpl"), results.with_name("b.in")
    template.write_text("{angle} {blades} {wall shear}")
    assert ordbo("best", results, "--template", template, "-o", target).status == 0
    assert target.read_text() == "6.0 5 20.0"


def test_best_without_a_success(ordbo: Call, study: Path) -> None:
    """There is none, and the message says what to do."""
    refused = ordbo("best", study)
    assert (refused.status, refused.out) == (65, "")
    assert "hint: " in refused.err


def test_predict_one_point(ordbo: Call, results: Path) -> None:
    """Rank within 1 and the number of ranks, a chance, a mean and a standard deviation; numbers as numbers."""
    said = ordbo("predict", results, "angle=6.1", "blades=5", "wall shear=20")
    assert (said.status, said.err) == (0, "")
    entry = json.loads(said.out)
    assert entry["parameters"] == {"angle": 6.1, "blades": 5, "wall shear": 20.0, "span": 2.0}
    assert 1 <= entry["expected_rank"] <= 7
    assert 1 <= entry["rank_low"] <= entry["expected_rank"] <= entry["rank_high"]
    assert 0 <= entry["chance_to_beat_best"] <= 1
    assert entry["latent_sd"] > 0
    assert isinstance(entry["latent_mean"], float)


def test_predict_tells_the_chance_to_fail_where_anything_has(ordbo: Call, results: Path) -> None:
    """In JSON and in CSV, larger at a failure than at the best; no such key and no such column without failures."""
    said = ordbo("predict", results, "--id", 4, "--id", 5)
    best, failure = (json.loads(line) for line in said.out.splitlines())
    assert 0 < best["chance_to_fail"] < failure["chance_to_fail"] < 1
    assert "chance_to_fail" in ordbo("predict", results, "--id", 4, "--format", "csv").out
    table = results.with_suffix(".csv")
    table.write_text(table.read_text().replace("failed", "7.5").replace("nan", "7"))
    assert "chance_to_fail" not in ordbo("predict", results, "--id", 4).out


def test_predict_outside_the_bounds_warns(ordbo: Call, results: Path) -> None:
    """Below zero on a log scale, too: an answer in finite numbers, and what it is worth."""
    said = ordbo("predict", results, "angle=1e308", "blades=5", "wall shear=-1")
    assert said.status == 0
    assert "angle = 1e+308 and wall shear = -1.0 outside the bounds: the model only guesses there" in said.err
    assert json.loads(said.out)["latent_sd"] > 0


@pytest.mark.parametrize(
    "table",
    [
        b"note,blades,angle,wall shear\na,5,6.1,20\nb,9,12,1e3\n",
        "\ufeffangle;blades;wall shear;note\r\n6,1;5;20;a\r\n# a comment;;;\r\n\r\n12;9;1e3;b".encode(),
        b"angle\tblades\twall shear\n6.1\t5\t20\n12\t9\t1.0D+03\n",
    ],
)
def test_predict_a_table(ordbo: Call, results: Path, table: bytes) -> None:
    """One answer a row, whatever divides the cells, equal to the answers one by one."""
    said = ordbo("predict", results, "--file", "-", stdin=table)
    assert (said.status, said.err) == (0, "")
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert [line["parameters"]["blades"] for line in lines] == [5, 9]
    alone = json.loads(ordbo("predict", results, "angle=6.1", "blades=5", "wall shear=20").out)
    assert lines[0]["parameters"] == alone["parameters"]
    assert lines[0]["expected_rank"] == pytest.approx(alone["expected_rank"])
    rows = list(
        csv.DictReader(ordbo("predict", results, "--file", "-", "--format", "csv", stdin=table).out.split("\n"))
    )
    assert [float(row["latent_mean"]) for row in rows] == [line["latent_mean"] for line in lines]


@pytest.mark.parametrize(
    ("words", "table", "status", "messages"),
    [
        ([], b"", 2, ["--file"]),
        (["angle=3"], b"", 2, ["blades", "wall shear"]),
        (["angle=3", "blades=4", "wall shear=1", "drag=1"], b"", 2, ["drag"]),
        (["angle=3", "blades=4", "wall shear=1", "span=3"], b"", 2, ["span"]),
        (["--file", "-"], b"", 65, ["standard input:1:1: "]),
        (["--file", "-"], b"angle,blades\n1,2\n", 65, ["standard input:1:1: ", "wall shear"]),
        (["--file", "-"], b"angle,blades,wall shear\n1,4,1\n1,x,\n", 65, ["input:3:3: ", "input:3:5: ", "blades"]),
        (["--file", "-"], b"angle,blades,wall shear\n1,4.5,1\n", 65, ["input:2:3: ", "blades", "whole"]),
        (["--file", "-"], b"angle,blades,wall shear,angle\n1,4,1,2\n", 65, ["input:1:25: ", "stands twice"]),
        (["--file", "-"], b"angle,blades,wall shear\n1,4\n", 65, ["input:2:1: ", "2 cells"]),
        (["--file", "missing.csv"], b"", 66, ["missing.csv"]),
        (["--file", "-", "angle=3"], b"", 2, ["--file"]),
    ],
)
def test_points_that_cannot_be_predicted(
    ordbo: Call, results: Path, words: list[str], table: bytes, status: int, messages: list[str]
) -> None:
    """Every mistake of a table at once, with line and column."""
    refused = ordbo("predict", results, *words, stdin=table)
    assert (refused.status, refused.out) == (status, "")
    assert [message for message in messages if message not in refused.err] == []


def test_check_says_what_it_found(ordbo: Call, results: Path) -> None:
    """Each file with what it holds, notes included, on standard output."""
    results.write_text(results.read_text().replace("min: 3, max: 9", "min: 3, max: 3"))
    said = ordbo("check", results)
    assert (said.status, said.err.count("note: ")) == (0, 0)
    assert said.out.startswith(f"{results}: ")
    assert "min and max are equal" in said.out
    assert "5 ok, 2 failed" in said.out


def test_all_errors_of_a_problem_file_at_once(ordbo: Call, study: Path) -> None:
    """Each on a line of its own that begins with file, line and column."""
    study.write_text(study.read_text().replace("min: 0, max: 12", "min: 12, max: 0").replace("int", "whole"))
    refused = ordbo("check", study)
    assert refused.status == 78
    assert [line.split(": ")[0].rsplit(":", 1)[0] for line in refused.err.splitlines()] == [f"{study}:4", f"{study}:5"]


def test_schema_is_json(ordbo: Call) -> None:
    """It describes the keys of a problem file."""
    schema = json.loads(ordbo("schema").out)
    assert {"objective", "parameters", "method"} <= set(schema["properties"])


def test_predict_at_a_suggestion_and_at_a_row(ordbo: Call, results: Path) -> None:
    """By id it says what it says of the point, in either format, and whose it is."""
    id = json.loads(ordbo("suggest", results).out)["id"]
    at_ids = [json.loads(line) for line in ordbo("predict", results, "--id", id, "--id", 3).out.splitlines()]
    assert [each.pop("id") for each in at_ids] == [id, 3]
    assert at_ids[1]["parameters"] == {"angle": 3.1, "blades": 4, "wall shear": 1.5, "span": 2.0}
    for each in at_ids:
        given = [f"{name}={value}" for name, value in each["parameters"].items()]
        alone = json.loads(ordbo("predict", results, *given).out)
        assert alone.pop("parameters") == each.pop("parameters")
        assert alone == pytest.approx(each)
    table = list(csv.DictReader(ordbo("predict", results, "--id", 3, "--format", "csv").out.splitlines()))
    assert [(row["id"], row["angle"], row["wall shear"]) for row in table] == [("3", "3.1", "1.5")]


@pytest.mark.parametrize("words", [["--id", "1", "angle=3"], ["--id", "1", "--file", "x.csv"], []])
def test_predict_says_which_points(ordbo: Call, results: Path, words: list[str]) -> None:
    """One of the three ways to name them, and no two."""
    said = ordbo("predict", results, *words)
    assert (said.status, said.err.splitlines()[1]) == (2, "hint: Give every NAME=VALUE, or --id N, or --file FILE")


def test_predict_at_a_ranked_setting(ordbo: Call, tmp_path: Path) -> None:
    """An id tells the place of a setting whose own words, those of the first point, name none any more."""
    path = tmp_path / "stir.yaml"
    path.write_text("version: 1\nobjective: {name: y, goal: minimize}\nparameters: {stir: {type: ranked}}\n")
    for id, y in enumerate((3, 1, 2), 1):
        ordbo("suggest", path)
        ordbo("observe", path, "--id", id, f"y={y}")
    ranks = [json.loads(ordbo("predict", path, "--id", id).out)["expected_rank"] for id in (1, 2, 3)]
    assert ranks[1] < ranks[2] < ranks[0]
