"""``ordbo observe`` on a real study."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]


def _rows(study: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(study.with_suffix(".csv").read_text().splitlines()))


def test_a_result_by_id(ordbo: Call, study: Path) -> None:
    """The objective is stored as it was typed, standard output stays empty, one line says what was recorded."""
    point = json.loads(ordbo("suggest", study).out)
    told = ordbo("observe", study, "--id", 1, "drag=0.3100")
    assert (told.status, told.out) == (0, "")
    assert told.err.startswith("recorded 1: drag=0.3100 at angle=")
    assert told.err.count("\n") == 1
    (row,) = _rows(study)
    assert row["drag"] == "0.3100"
    assert {name: row[name] for name in point["parameters"]} == {k: str(v) for k, v in point["parameters"].items()}


@pytest.mark.slow
@pytest.mark.parametrize("words", [["--failed"], ["drag=nan"], ["drag=failed"], ["drag=NaN"]])
def test_failures(ordbo: Call, study: Path, words: list[str]) -> None:
    """All spellings of a failure are recorded as one."""
    ordbo("suggest", study)
    assert ordbo("observe", study, "--id", 1, *words).err.startswith("recorded 1: failed at ")
    assert [row["status"] for row in _rows(study)] == ["failed"]


@pytest.mark.slow
def test_abandon_and_amend(ordbo: Call, study: Path) -> None:
    """An abandoned suggestion is closed; a second result needs --amend and is a row of its own."""
    ordbo("suggest", study)
    ordbo("suggest", study)
    assert ordbo("observe", study, "--id", 1, "--abandon").err.startswith("recorded 1: abandoned at ")
    assert ordbo("observe", study, "--id", 2, "drag=1").status == 0
    refused = ordbo("observe", study, "--id", 2, "drag=2")
    assert refused.status == 65
    assert "--amend" in refused.err
    assert ordbo("observe", study, "--id", 2, "drag=2", "--amend").status == 0
    assert [(row["id"], row["drag"], row["status"]) for row in _rows(study)] == [
        ("1", "", "abandoned"),
        ("2", "1", "ok"),
        ("2", "2", "ok"),
    ]
    assert json.loads(ordbo("best", study).out)["objective"] == {"drag": 2}


def test_a_point_to_evaluate_again(ordbo: Call, study: Path) -> None:
    """It is neither failed nor abandoned, and the next suggest hands it out under its id."""
    first = ordbo("suggest", study).out
    assert ordbo("observe", study, "--id", 1, "--retry").err.startswith("recorded 1: retry at angle=")
    status = ordbo("status", study)
    assert "1 retry" in status.out
    assert "to be evaluated again" in status.out
    assert json.loads(ordbo("status", study, "--json").out)["retry"][0]["id"] == 1
    assert ordbo("suggest", study, "--append").out == first
    assert json.loads(ordbo("status", study, "--json").out)["counts"]["pending"] == 1
    assert json.loads(ordbo("suggest", study).out)["id"] == 2


def test_the_same_call_twice_records_once(ordbo: Call, study: Path) -> None:
    """It may be repeated when nobody knows whether it came to its end."""
    ordbo("suggest", study)
    ordbo("observe", study, "--id", 1, "drag=0.31")
    before = study.with_suffix(".csv").read_bytes()
    again = ordbo("observe", study, "--id", 1, "drag=3.1e-1")
    assert (again.status, study.with_suffix(".csv").read_bytes()) == (0, before)
    assert again.err == "warning: suggestion 1: recorded already, nothing was added\n"
    table = ordbo("observe", study, "--file", "-", stdin=b"id,drag\n1,0.31\n")
    assert table.err == again.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("content", "last"),
    [
        (b"  1.5E-01 drag\n", ",1.5E-01,ok"),
        (b"0.15\n", ",0.15,ok"),
        (b'{"drag": 0.15}', ",0.15,ok"),
        (b"FAIL\n", ",,failed"),
        (b"Fail: diverged\n", ",,failed"),
    ],
)
def test_what_the_simulator_left_of_one_evaluation(ordbo: Call, study: Path, content: bytes, last: str) -> None:
    """Beside an id, and beside a whole point."""
    ordbo("suggest", study)
    assert ordbo("observe", study, "--id", 1, "--file", "-", stdin=content).status == 0
    point = ("angle=3.1", "blades=4", "wall shear=1.5")
    assert ordbo("observe", study, *point, "--file", "-", stdin=content).status == 0
    rows = study.with_suffix(".csv").read_text().splitlines()
    assert [row.endswith(last) for row in rows] == [False, True, True]


def test_a_result_file_that_says_nothing_records_nothing(ordbo: Call, study: Path) -> None:
    """An empty file is no failure: the simulator may still be writing it."""
    ordbo("suggest", study)
    refused = ordbo("observe", study, "--id", 1, "--file", "-")
    assert (refused.status, study.with_suffix(".csv").exists()) == (65, False)
    assert refused.err.startswith("error: standard input: it is empty")


def test_a_point_never_suggested(ordbo: Call, study: Path) -> None:
    """All free parameters and the objective, in any order; a fixed one may be left out."""
    told = ordbo("observe", study, "drag=-1e-400", "wall shear=2e0", "blades=4", "angle=3")
    assert (told.status, told.err) == (0, "recorded drag=-1e-400 at angle=3.0 blades=4 wall shear=2.0 span=2.0\n")


def test_a_suggested_point_by_its_values(ordbo: Call, study: Path) -> None:
    """The printed values alone close the pending suggestion."""
    parameters = json.loads(ordbo("suggest", study).out)["parameters"]
    told = ordbo("observe", study, *(f"{name}={value}" for name, value in parameters.items()), "drag=1")
    assert told.err.startswith("recorded 1: ")
    assert json.loads(ordbo("status", study, "--json").out)["pending"] == []


@pytest.mark.slow
@pytest.mark.parametrize("source", ["-", "results.csv"])
def test_a_whole_table(ordbo: Call, study: Path, monkeypatch: pytest.MonkeyPatch, source: str) -> None:
    """From a file or from standard input, by ids or by values; the line counts what was recorded."""
    monkeypatch.chdir(study.parent)
    ordbo("suggest", study)
    table = (
        "\ufeffdrag,id,angle,blades,wall shear\r\n1.5,1,,,\r\nfailed,,3,4,1\r\n0.5,,4,4,1\r\n".encode()
    )  # as a spreadsheet saves it
    Path("results.csv").write_bytes(table)
    told = ordbo("observe", study, "--file", source, stdin=table)
    assert (told.status, told.out, told.err) == (0, "", "recorded 3 rows: 2 ok, 1 failed\n")
    assert len(_rows(study)) == 3


@pytest.mark.parametrize(
    ("table", "message"),
    [
        (b"drag,angle,blades,wall shear\n1,3,4,1\n2,3,x,1\n3,3,4,y\n", "standard input:3:"),
        (b"drag,angle\n1,3\n", "standard input:1:"),
        (b"drag,angle,blades,wall shear\n1,3,4,\xff\n", "standard input:2:"),
    ],
)
def test_a_wrong_table_records_nothing(ordbo: Call, results: Path, digest: Call, table: bytes, message: str) -> None:
    """All rows or none, each error with its line."""
    before = digest(results.parent)
    refused = ordbo("observe", results, "--file", "-", stdin=table)
    assert (refused.status, refused.out) == (65, "")
    assert message in refused.err
    assert digest(results.parent) == before


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ([], 2, "nothing to record"),
        (["--id", "1"], 2, "no drag"),
        (["--id", "0", "drag=1"], 2, "--id"),
        (["--id", "99", "drag=1"], 65, "99"),
        (["angle=3", "drag=1"], 2, "blades"),
        (["angel=3", "drag=1"], 2, "'angel'"),
        (["angle=3", "blades=4", "wall shear=1", "drag=high"], 2, "high"),
        (["angle=3", "blades=4.5", "wall shear=1", "drag=1"], 2, "blades"),
        (["angle=3", "blades=4", "wall shear=1", "drag=-inf"], 2, "drag"),
        (["drag"], 2, "NAME=VALUE"),
        (["--id", "1", "drag=1", "--failed"], 2, "--failed"),
        (["--id", "1", "--failed", "--abandon"], 2, "--abandon"),
        (["--file", "results.csv", "drag=1"], 2, "--file"),
        (["--file", "results.csv"], 66, "results.csv"),
        (["--file", "."], 74, "."),
    ],
)
def test_a_wrong_call_records_nothing(
    ordbo: Call, results: Path, digest: Call, monkeypatch: pytest.MonkeyPatch, words: list[str], status: int,
    message: str,
) -> None:  # fmt: skip
    """One or two lines on standard error, nothing on standard output or on disk."""
    monkeypatch.chdir(results.parent)
    before = digest(results.parent)
    refused = ordbo("observe", results, *words)
    assert (refused.status, refused.out) == (status, "")
    assert refused.err.startswith("error: ")
    assert message in refused.err
    assert refused.err.count("\n") <= 2
    assert digest(results.parent) == before


def test_quiet(ordbo: Call, study: Path) -> None:
    """--quiet leaves nothing but errors."""
    ordbo("suggest", study)
    assert ordbo("observe", study, "--id", 1, "drag=1", "-q").err == ""
    assert ordbo("observe", study, "--id", 1, "drag=2", "-q").err != ""


def test_control_characters_from_outside_are_escaped(ordbo: Call, results: Path) -> None:
    """An argument can neither colour the terminal nor begin a line of its own."""
    refused = ordbo("observe", results, "an\x1b[31mgle\n=3")
    assert "\x1b" not in refused.err
    assert refused.err.count("\n") <= 2
    assert "\\x1b" in refused.err


def test_a_value_without_its_name(ordbo: Call, study: Path) -> None:
    """The hint is what to type, quoted where the objective's name has blanks; a negative one is no option."""
    study.write_text(study.read_text().replace("name: drag", "name: Yearly cost"))
    said = ordbo("observe", study, "--id", 27, 350)
    assert (said.status, said.err) == (2, "error: '350' is not NAME=VALUE\nhint: For instance 'Yearly cost=350'\n")
    assert "hint: Give 'Yearly cost=VALUE', --failed" in ordbo("observe", study, "--id", 27).err
    said = ordbo("observe", study, "--id", 27, "-3.5")
    assert (said.status, "A negative number is written behind its name, NAME=-1; " in said.err) == (2, True)
