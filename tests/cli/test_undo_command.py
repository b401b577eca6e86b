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
