"""``ordbo undo``: what it says, and what it leaves."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow

Call = Callable[..., Any]


@pytest.fixture
def told(ordbo: Call, bowl: Path) -> Path:
    """A study with two suggestions, the first of which has a result that was amended."""
    ordbo("suggest", bowl, "-n", 2)
    ordbo("observe", bowl, "--id", 1, "y=3")
    ordbo("observe", bowl, "--id", 1, "--amend", "y=2")
    return bowl


def test_what_it_says(ordbo: Call, told: Path) -> None:
    """One line a thing: what it was, where, and what stands now."""
    lines = [ordbo("undo", told).err for _ in range(4)]
    assert [line.partition(" at ")[0] for line in lines] == [
        "took back 1: y=2", "took back 1: y=3", "took back suggestion 2", "took back suggestion 1",
    ]  # fmt: skip
    assert [line.partition("; ")[2] for line in lines] == ["y=3 stands\n", "it is pending again\n", "", ""]
    said = ordbo("undo", told)
    assert (said.status, said.out) == (65, "")
    assert said.err == f"error: {told}: nothing is recorded that could be taken back\n"


def test_a_dry_run_records_nothing(ordbo: Call, told: Path, digest: Callable[[Path], str]) -> None:
    """It says what would be taken back."""
    before = digest(told.parent)
    said = ordbo("undo", told, "-n", 2, "--dry-run")
    assert said.status == 0
    assert [line.partition(":")[0] for line in said.err.splitlines()] == ["would take back 1"] * 2
    assert digest(told.parent) == before


def test_as_json(ordbo: Call, told: Path) -> None:
    """An object a line, the newest first."""
    said = ordbo("undo", told, "-n", 3, "--json", "--quiet")
    found = [json.loads(line) for line in said.out.splitlines()]
    assert [each["id"] for each in found] == [1, 1, 2]
    assert said.err == ""


def test_more_than_there_is(ordbo: Call, told: Path, digest: Callable[[Path], str]) -> None:
    """Nothing is taken back, and how many there are is said."""
    before = told.with_suffix(".csv").read_bytes()
    said = ordbo("undo", told, "-n", 9)
    assert (said.status, said.err) == (
        2, "error: 9 things are to be taken back, and there are 4 things\nhint: Give -n 4\n",
    )  # fmt: skip
    assert told.with_suffix(".csv").read_bytes() == before


def test_the_table_says_it(ordbo: Call, told: Path) -> None:
    """Rows are appended, none is changed, and every other command reads them."""
    before = told.with_suffix(".csv").read_bytes()
    ordbo("undo", told, "-n", 2)
    after = told.with_suffix(".csv").read_bytes()
    assert after.startswith(before)
    assert [line.rpartition(b",")[2] for line in after[len(before) :].splitlines()] == [b"undone:ok"] * 2
    for command in ("status", "check", "export"):
        assert ordbo(command, told).status == 0
    assert "2 pending" in ordbo("status", told).out


@pytest.mark.parametrize("header", ["", "a,b,y,id,status\n"])
def test_notes_go_with_what_they_were_said_of(ordbo: Call, bowl: Path, header: str) -> None:
    """A remark in the list beside the table is taken back with its row, and the one before it is told again."""
    if header:
        bowl.with_suffix(".csv").write_text(header)
    ordbo("suggest", bowl)
    ordbo("observe", bowl, "--id", 1, "y=3", "--note", "first", "--seconds", 5)
    ordbo("observe", bowl, "--id", 1, "--amend", "y=2")
    ordbo("observe", bowl, "--id", 1, "--amend", "y=1", "--note", "third")
    ordbo("observe", bowl, "--id", 1, "--amend", "y=1", "--note", "fourth")

    def best() -> tuple[float, str | None, float | None]:
        found = json.loads(ordbo("status", bowl, "--json").out)["best"]
        return found["objective"]["y"], found.get("note"), found.get("seconds")

    stood = [best()]
    for _ in range(3):
        assert ordbo("undo", bowl).status == 0
        stood.append(best())
    assert stood == [(1, "fourth", None), (1, "third", None), (2, None, None), (3, "first", 5)]
    ordbo("undo", bowl)
    line = next(line for line in bowl.with_suffix(".csv").read_text().splitlines() if line.endswith("ok"))
    with bowl.with_suffix(".csv").open("a") as table:
        table.write(f"{line}\n")
    assert best()[1:] == (None, None)
