"""Tables of other optimisers: what ``ordbo import`` says about them, and what it appends, once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.calls import caller
from tests.golden.transcripts import FOLDER

CASES = sorted(path for path in (FOLDER / "imports").iterdir() if path.is_dir())


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_import_says_what_it_said(
    case: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """As in expected.txt: without a problem file, then with one, then again, which appends nothing."""
    monkeypatch.chdir(tmp_path)
    (table,) = case.glob("trials.*")
    for path in (table, FOLDER / "drag.yaml"):
        shutil.copy(path, tmp_path)
    options = (case / "options").read_text().split() if (case / "options").exists() else []
    call, evaluations, said = caller(monkeypatch), Path("drag.csv"), ""
    before = b""
    for problem in ("missing.yaml", "drag.yaml", "drag.yaml"):
        words = ["import", problem, table.name, *options]
        result = call(*words)
        assert result.status != 1
        said += f"$ ordbo {' '.join(words)}\n" + "".join(f"! {line}\n" for line in result.err.splitlines())
        said += f"exit {result.status}\n"
        after = evaluations.read_bytes() if evaluations.exists() else b""
        assert after.startswith(before)
        said += "".join(f"+ {line}\n" for line in after[len(before) :].decode().splitlines())
        before = after
    assert "+" not in said.rpartition("exit")[2]
    expected = case / "expected.txt"
    if request.config.getoption("--rewrite-golden"):
        expected.write_bytes(said.encode())
    assert said == expected.read_bytes().decode()


def test_there_are_cases() -> None:
    """The cases are found."""
    assert len(CASES) > 15
