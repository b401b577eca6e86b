"""``ordbo export``: one clean table, or a copy that holds ranks alone and gives the same suggestions."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

Call = Callable[..., Any]


@pytest.mark.slow
def test_all_evaluations_as_one_table(ordbo: Call, results: Path) -> None:
    """The rows that stand with ids and statuses, and exact results; it is a table of evaluations again."""
    ordbo("suggest", results)
    ordbo("observe", results, "--id", 8, "drag=1e-400")  # in a table without ids
    said = ordbo("export", results)
    assert (said.status, said.err) == (0, "")
    rows = list(csv.DictReader(said.out.splitlines()))
    assert list(rows[0]) == ["id", "angle", "blades", "wall shear", "span", "drag", "status"]
    assert [row["id"] for row in rows[:7]] == list("1234567")
    assert [row["status"] for row in rows[:7]] == ["ok"] * 4 + ["failed"] * 2 + ["ok"]
    assert [(row["id"], row["drag"], row["status"]) for row in rows[7:]] == [("8", "1E-400", "ok")]
    before = json.loads(ordbo("suggest", results, "--dry-run").out)["parameters"]
    results.with_suffix(".csv").write_text(said.out)  # with ids, so that the step has another number, and other starts
    assert json.loads(ordbo("suggest", results, "--dry-run").out)["parameters"] == pytest.approx(before, rel=1e-3)


def test_words_of_results_are_exported_as_words(ordbo: Call, tmp_path: Path) -> None:
    """So the table is one of evaluations again."""
    path = tmp_path / "tea.yaml"
    path.write_text(
        "objective: {name: taste, goal: maximize, values: [poor, good]}\nparameters: {x: {min: 0, max: 1}}\n"
    )
    path.with_suffix(".csv").write_text("id,x,taste,status\n1,0.1,poor,ok\n2,0.2,good,ok\n")
    assert ordbo("export", path).out == path.with_suffix(".csv").read_text()


def test_a_table_as_json(ordbo: Call, results: Path) -> None:
    """One flat object a line, numbers as numbers, nothing as null; infinity is a word in both formats."""
    table = results.with_suffix(".csv")
    table.write_text(table.read_text() + "1,4,1,2,inf\n")
    lines = ordbo("export", results, "--format", "json").out.splitlines()
    assert json.loads(lines[3], parse_float=Decimal)["drag"] == Decimal("0.31")
    assert json.loads(lines[4]) == {
        "id": 5, "angle": 7.5, "blades": 6, "wall shear": 0.2, "span": 2.0, "drag": None, "status": "failed",
    }  # fmt: skip
    assert json.loads(lines[-1])["drag"] == "inf"
    assert ordbo("export", results).out.splitlines()[-1] == "8,1.0,4,1.0,2.0,inf,ok"


def test_a_table_in_a_file(ordbo: Call, results: Path) -> None:
    """What is there already is not overwritten; - is standard output."""
    target = results.with_name("clean.csv")
    assert ordbo("export", results, "-o", target).err == f"wrote {target}\n"
    assert target.read_text() == ordbo("export", results).out == ordbo("export", results, "-o", "-").out
    target.write_text("mine")
    refused = ordbo("export", results, "-o", target)
    assert (refused.status, "there is such a file already" in refused.err, target.read_text()) == (74, True, "mine")
    assert ordbo("export", results, "-o", results.parent / "no" / "clean.csv").status == 66


@pytest.mark.slow
@pytest.mark.parametrize("names", [[], ["--names"]])
@pytest.mark.parametrize("goal", ["minimize", "maximize"])
def test_the_copy_gives_the_same_suggestions(
    ordbo: Call, results: Path, tmp_path: Path, goal: str, names: list[str]
) -> None:
    """Bit for bit, as batches and one after the other with results in between, where neither has a state's fit.

    Rows of one's own have no ids in the copy, whose first suggestion comes after those that they get there.
    """
    results.write_text(
        results.read_text().replace("minimize", goal).replace("min: 0, max: 12, step: 0.1", "min: 0, max: 12")
    )
    ordbo("suggest", results)  # known to the state alone
    said = ordbo("export", results, "--ranks-only", "-o", tmp_path / "copy", *names)
    problem, table = tmp_path / "copy" / "problem.yaml", tmp_path / "copy" / "problem.csv"
    assert said.err == f"wrote {problem} and {table}: 8 rows, ranks for results\n"
    forget(results)
    between = {"minimize": (1.5, 3.5), "maximize": (4.5, 2.5)}[goal]  # the ranks between which the results lie
    for result, rank in zip((0.4, 6.0), between, strict=True):
        mine, theirs = (points(ordbo("suggest", each, "-n", 3, "--dry-run")) for each in (results, problem))
        assert mine == theirs
        assert len({str(point) for point in mine}) == 3
        for path, said in ((results, f"drag={result}"), (problem, f"{'y' if names else 'drag'}={rank}")):
            id = json.loads(ordbo("suggest", path).out)["id"]
            assert ordbo("observe", path, "--id", id, said).status == 0
            forget(path)


def test_a_copy_names_what_is_out(ordbo: Call, results: Path, tmp_path: Path) -> None:
    """A suggestion that is out has its id in the copy, too, where its row in a table without ids has none."""
    for words in ((), ("--append",)):
        ordbo("suggest", results, *words)
    ordbo("export", results, "--ranks-only", "-o", tmp_path / "copy")
    rows = list(csv.DictReader((tmp_path / "copy" / "problem.csv").read_text().splitlines()))
    assert [row["id"] for row in rows] == [*[""] * 7, "8", "9"]
    mine, theirs = (
        points(ordbo("suggest", each, "--dry-run")) for each in (results, tmp_path / "copy" / "problem.yaml")
    )
    assert mine == theirs


def forget(path: Path) -> None:
    """Take the last fit out of a state."""
    state = path.with_name(f"{path.stem}.state.json")
    content = json.loads(state.read_text())
    content["fit"] = None
    state.write_text(json.dumps(content))


def points(said: Any) -> list[list[float]]:
    """Return free values."""
    return [list(json.loads(line)["parameters"].values())[:3] for line in said.out.splitlines()]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--names"], "--names without --ranks-only"),
        (["--ranks-only"], "--ranks-only writes two files"),
        (["--ranks-only", "-o", "-"], "--ranks-only writes two files"),
        (["--ranks-only", "-o", "c", "--format", "csv"], "--format beside --ranks-only"),
    ],
)
def test_options_that_do_not_go_together(
    ordbo: Call, results: Path, digest: Call, words: list[str], message: str
) -> None:
    """They are refused before anything is written."""
    before = digest(results.parent)
    refused = ordbo("export", results, *words)
    assert (refused.status, refused.out, message in refused.err) == (2, "", True)
    assert digest(results.parent) == before


def test_a_copy_overwrites_nothing(ordbo: Call, results: Path) -> None:
    """Not even the study itself."""
    refused = ordbo("export", results, "--ranks-only", "-o", results)
    assert (refused.status, "there is such a file already" in refused.err) == (74, True)
