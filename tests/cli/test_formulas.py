"""Cells that a spreadsheet would run leave an export harmless, and come back as what they were."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from tests.calls import Call

pytestmark = pytest.mark.slow

FORMULAS = (
    "=1+1", "=cmd|' /C calc'!A0", '=HYPERLINK("http://x","y")', "=SUM(A1:A9)", "=x", "==", "=-1", "+1+1", "+cmd|x",
    "+x", "++", "-1+1", "-fast", "--", "-x|y", "@SUM(1)", "@x", "@@", "=é", "=a b", "-inf=",
)  # fmt: skip


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A study whose levels, names and constant are formulas, each with a result."""
    path = tmp_path / "p.yaml"
    levels = ", ".join("'" + each.replace("'", "''") + "'" for each in (*FORMULAS, "plain", "'quoted'"))
    path.write_text(
        "version: 1\nobjective: {name: '=y', goal: minimize}\nparameters:\n"
        f"  '@x': {{min: -3, max: 3}}\n  mode: {{type: categorical, values: [{levels}]}}\n  '-w': {{value: '=w'}}\n"
    )
    return path


def test_what_an_export_holds(ordbo: Call, path: Path, tmp_path: Path) -> None:
    """No cell begins as a formula but for numbers, and the table is the same study again."""
    for k, level in enumerate((*FORMULAS, "plain")):
        told = ordbo("observe", path, f"@x={-k / 10}", f"mode={level}", f"=y={-k}")
        assert told.status == 0, told.err
    text = ordbo("export", path).out
    for row in csv.reader(io.StringIO(text)):
        for cell in row:
            assert not cell.startswith(("=", "+", "@", "\t", "\r"))
            assert not cell.startswith("-") or float(cell) <= 0
    status = ordbo("status", path, "--json", "--rows", 100, "--no-next").out
    path.with_suffix(".csv").write_text(text)
    again = ordbo("status", path, "--json", "--rows", 100, "--no-next")
    assert again.status == 0, again.err
    assert json.loads(again.out)["ranking"] == json.loads(status)["ranking"]
    assert ordbo("export", path).out == text
    assert ordbo("export", path, "--ranks-only", "-o", tmp_path / "copy.yaml").status == 0
    for row in csv.reader(io.StringIO((tmp_path / "copy.csv").read_text())):
        assert not any(cell.startswith(("=", "+", "@")) for cell in row)
    assert ordbo("check", tmp_path / "copy.yaml").status == 0
