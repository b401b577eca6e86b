"""A disk that fills up at any byte: an error for people, nothing changed, and the next call goes on."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Tally
from tests.faults.kills import OF_TWO

ROOT = Path(__file__).parents[2]


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork and limits")
@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("id", "rows"),
        ("suggest", "rows"),
        ("append", "rows"),
        ("table", "new"),
        ("own", "foreign"),
        ("own", f"rows{OF_TWO}"),
        ("id", "no-flock"),
        pytest.param("long", "rows", marks=pytest.mark.faults_long),
        pytest.param("table", "foreign", marks=pytest.mark.faults_long),
        pytest.param("suggest", "lost", marks=pytest.mark.faults_long),
    ],
)
def test_a_full_disk(tmp_path: Path, tally: Tally, name: str, files: str) -> None:
    """The system itself cuts the write and refuses the rest, at every size between the old file and the new one."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.faults.full_disk", name, files, str(tmp_path / "study")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)
    assert counts["full disks"] >= 5
    assert counts["results lost by a full disk"] == 0
    for what, number in counts.items():
        tally(what, number)
