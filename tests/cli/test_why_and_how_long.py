"""Why evaluations failed and how long they took: in the progress, the status, the report and the table."""

from __future__ import annotations

import csv
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]

PROBLEM = """\
version: 1
objective: {name: y, goal: minimize}
parameters: {a: {min: 0, max: 1}}
outcomes: {stress: {max: 250, unit: MPa}}
method: {preset: default, iterations: 20}
"""
# Fails in five ways; the sixth point breaks a limit.
SIMULATOR = r"""
import os, signal, sys, time
k = int(os.environ["ORDBO_ID"])
if k == 1:
    sys.stderr.buffer.write(b"reading\n=1+1; \"boom\", \xe9 \x1b[31mred\x1b[0m\n\n")
    sys.exit(3)
if k == 2:
    print("iteration 12", file=sys.stderr, flush=True)
    time.sleep(60)
if k == 3:
    os.kill(os.getpid(), signal.SIGSEGV)
if k == 4:
    print("warning: " + "x" * 100_000, file=sys.stderr)
    print("all done")
if k == 5:
    print("y = nan")
if k > 5:
    print("y =", 10 * k, "\nstress =", 300 if k == 6 else 200)
"""
WHY = {
    1: 'exit status 3: =1+1; "boom", \ufffd red',
    2: "no answer within 1 s; stderr ends with 'iteration 12'",
    3: "ended by signal 11 (SIGSEGV)",
    4: "no y on standard output: the last line is 'all done'; stderr ends with '" + "x" * 77 + "...'",
    5: "it says so itself: the last line of standard output ('y = nan')",
}


@pytest.fixture
def problem(tmp_path: Path) -> Path:
    path = tmp_path / "p.yaml"
    path.write_text(PROBLEM)
    return path


def run(ordbo: Call, problem: Path, *options: object) -> Any:
    return ordbo("run", problem, "--budget", 7, "--timeout", "1s", *options, "--", sys.executable, "-c", SIMULATOR)


@pytest.mark.slow
@pytest.mark.parametrize("header", ["", "id,a,y,stress,status,note,seconds", "seconds;note;id;a;y;stress;status"])
def test_each_way_to_fail_is_told(ordbo: Call, problem: Path, header: str) -> None:
    """By 'run' as it comes, by 'status' and its JSON, and in the table where that has the columns."""
    if header:
        problem.with_suffix(".csv").write_text(header + "\n")
    said = run(ordbo, problem)
    for id, why in WHY.items():
        assert f"{id}: failed: {why} (" in said.err
    assert " s); see " in said.err
    status = json.loads(ordbo("status", problem, "--json", "--no-next").out)
    assert {each["id"]: each["note"] for each in status["failures"]} == WHY
    assert len(status["seconds"]) == 7
    assert all(each > 0 for each in status["seconds"])
    assert status["failures"][0]["seconds"] == status["seconds"][4]
    assert status["best"]["seconds"] == status["seconds"][6]
    text = ordbo("status", problem, "--no-next").out
    assert all(why in text for why in WHY.values())
    assert "evaluations took " in text
    assert " in all\n" in text
    with problem.with_suffix(".csv").open(newline="") as file:
        rows = list(csv.DictReader(file, delimiter=";" if ";" in header else ","))
    ended = {int(row["id"]): row for row in rows if row["status"] != "pending"}
    if header:
        assert {id: row["note"].removeprefix("'") for id, row in ended.items()} == {**WHY, 6: "", 7: ""}
        assert all(float(row["seconds"]) > 0 for row in ended.values())
    else:
        assert list(rows[0]) == ["id", "a", "y", "stress", "status"]
    assert problem.with_suffix(".notes.jsonl").exists() is not bool(header)


@pytest.mark.slow
def test_the_report_tells_it(ordbo: Call, problem: Path, tmp_path: Path) -> None:
    """Reasons, seconds, ids and outcomes; an infeasible row keeps its values, and is told from a failed one."""
    run(ordbo, problem, "--quiet")
    assert ordbo("report", problem, "-o", tmp_path / "r.html").status == 0
    page = (tmp_path / "r.html").read_text().replace("&#39;", "'").replace("&#34;", '"')
    for why in WHY.values():
        assert page.count(f"<span>{why}</span>") == 2  # among the failures, and in the table of all
    (line,) = [each for each in page.splitlines() if "ok (infeasible)" in each and each.startswith("<tr>")]
    assert ">60<" in line
    assert ">300<" in line
    assert "<small>(s)</small>" in page


def test_the_seconds_of_a_retry_are_said(ordbo: Call, problem: Path) -> None:
    """What is tried again took its time, too."""
    said = ordbo("run", problem, "--budget", 1, "--retries", 1, "--", "sh", "-c", "exit 4")
    assert "1: exit status 4, tried again (1 of 1) (0." in said.err


def test_a_person_says_why(ordbo: Call, problem: Path) -> None:
    """With a note and seconds; as text and as JSON."""
    ordbo("suggest", problem)
    note = "mesh\tbroke;\n=cmd|calc"
    assert ordbo("observe", problem, "--id", 1, "--failed", "--note", note, "--seconds", "90.5").status == 0
    assert ordbo("observe", problem, "a=0.5", "y=1", "stress=3", "--note", "by hand").status == 0
    assert ordbo("observe", problem, "a=0.6", "y=2", "stress=3").status == 0
    status = json.loads(ordbo("status", problem, "--json", "--no-next").out)
    (failure,) = status["failures"]
    assert (failure["note"], failure["seconds"]) == ("mesh broke; =cmd|calc", 90.5)
    assert [each.get("note") for each in status["ranking"]] == ["by hand", None]
    assert "seconds" not in status["best"]
    assert status["seconds"] == [90.5, None, None]
    text = ordbo("status", problem, "--no-next").out
    assert "90.5 s at the median, 90.5 s at most, 90.5 s in all (known of 1 of 3)" in text
    assert "mesh broke; =cmd|calc" in text


@pytest.mark.parametrize(
    ("options", "why"),
    [
        (("--failed", "--seconds", "nan"), "no span of time"),
        (("--failed", "--seconds", "-1"), "no span of time"),
        (("--failed", "--seconds", "soon"), "soon"),
    ],
)
def test_seconds_that_cannot_be_are_refused(ordbo: Call, problem: Path, options: tuple[str, ...], why: str) -> None:
    """With nothing recorded."""
    ordbo("suggest", problem)
    refused = ordbo("observe", problem, "--id", 1, *options)
    assert refused.status == 2
    assert why in refused.err
    assert not problem.with_suffix(".csv").exists()


def test_a_table_has_its_own_notes(ordbo: Call, problem: Path, tmp_path: Path) -> None:
    """A note beside a whole table would be about nobody knows which row."""
    (tmp_path / "r.csv").write_text("a,y,stress\n0.5,1,2\n")
    refused = ordbo("observe", problem, "--file", tmp_path / "r.csv", "--note", "x")
    assert (refused.status, refused.err.count("\n")) == (2, 2)
    assert "--note" in refused.err


@pytest.mark.parametrize(
    ("names", "columns", "last"),
    [
        ("Note;Seconds [s]", "", "why;2,5"),
        ("NOTE;seconds", "", "why;2,5"),
        ("Grund;dauer", "columns: {note: grund, seconds: dauer}\n", "why;2,5"),
        ("Note;dauer", "columns: {seconds: dauer}\n", "why;2,5"),
        ("Note;NOTE", "", ";"),  # one of the two would be a guess
        ("Notes;Seconds [min]", "", ";"),
    ],
)
def test_other_spellings_of_their_columns(ordbo: Call, problem: Path, names: str, columns: str, last: str) -> None:
    """Where one alone may be it, or columns: says so; a row of units and older rows are no matter."""
    problem.write_text(PROBLEM + columns)
    old = ";;" if last == ";" else ""
    problem.with_suffix(".csv").write_text(f"id;status;a;y;stress;{names}\n;;;;MPa;;\n1;ok;0,5;1,5;2,5{old}\n")
    assert ordbo("observe", problem, "a=0.25", "y=1", "stress=2", "--note", "why", "--seconds", 2.5).status == 0
    assert problem.with_suffix(".csv").read_text().splitlines()[-1] == f";ok;0,25;1;2;{last}"
    best = json.loads(ordbo("status", problem, "--json").out)["best"]
    assert (best["note"], best["seconds"]) == ("why", 2.5)
