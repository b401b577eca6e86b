"""Other programs replace the files of a study while a command runs, and add rows behind a kill: nothing gets lost."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.conftest import Tally
from tests.faults.kills import COMMANDS, OF_TWO
from tests.faults.test_kills import kill

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork, and renames over open files")

REPLACED = [(name, "rows") for name in COMMANDS if name not in ("init", "template")] + [
    ("suggest", "new"), ("own", "new"), ("table", "new"), ("own", "foreign"), ("table", "foreign"),
    ("import", "foreign"), ("id", "no-flock"), ("append", "lost"), ("table", f"rows{OF_TWO}"),
]  # fmt: skip
BEHIND = [
    ("id", "rows"), ("own", "rows"), ("own", "foreign"), ("append", "rows"), ("failed", "rows"), ("table", "rows"),
    ("import", "rows"), ("prefer", "rows"), ("id", "no-flock"),
    ("own", f"foreign{OF_TWO}"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "files", "every"),
    [
        ("id", "rows", 31),
        ("id", f"rows{OF_TWO}", 43),
        ("prefer", "rows", 37),
        ("import", "foreign", 37),
        ("suggest", "new", 43),
        *(pytest.param(*case, 1, marks=pytest.mark.faults_long) for case in REPLACED),
    ],
)
def test_files_replaced_at_every_step(tmp_path: Path, tally: Tally, name: str, files: str, every: int) -> None:
    """By rename, in place, by a copy that is older, sorted, edited, spelt anew or cut; or deleted."""
    counts = kill(tally, name, files, tmp_path / "study", every, program="replaced")
    assert counts["files replaced while a row was appended"] >= 20
    assert counts["acknowledged results lost"] == 0
    assert counts["results that stand twice"] == 0
    assert counts["studies blocked"] == 0


@pytest.mark.parametrize(
    ("name", "files", "every"),
    [
        ("id", "rows", 23),
        ("id", f"rows{OF_TWO}", 37),
        ("prefer", "rows", 3),
        *(pytest.param(*case, 1, marks=pytest.mark.faults_long) for case in BEHIND),
    ],
)
def test_a_sound_row_behind_a_kill(tmp_path: Path, tally: Tally, name: str, files: str, every: int) -> None:
    """It may begin as the row that was to be written: what can be read is no torn row, and blocks nobody."""
    counts = kill(tally, name, files, tmp_path / "study", every, program="behind")
    assert counts["kills with a sound row behind"] >= 5
    assert counts["studies blocked"] == 0
    assert counts["notes left for good"] == 0
    assert counts["rows of scripts that were misread in silence"] == 0
