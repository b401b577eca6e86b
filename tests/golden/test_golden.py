"""Tables that real people bring: what every command says about them, byte by byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.calls import caller
from tests.golden.transcripts import CASES, lay_out, run_silently, transcript


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_commands_say_what_they_said(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """As in expected.txt; and no command, refused or not, changes a byte that was there."""
    monkeypatch.chdir(tmp_path)
    table, call = lay_out(case, tmp_path), caller(monkeypatch)
    said = transcript(table, call)
    assert said.replace("\n", "").isprintable()
    assert "Traceback" not in said
    assert 1 not in run_silently(table, call)  # the status of an error that nobody expected
    expected = case / "expected.txt"
    if request.config.getoption("--rewrite-golden"):
        expected.write_bytes(said.encode())
    assert said == expected.read_bytes().decode()


def test_there_are_cases() -> None:
    """The cases are found, and each has its expectation."""
    assert len(CASES) > 60
    assert [case.name for case in CASES if not (case / "expected.txt").exists()] == []
