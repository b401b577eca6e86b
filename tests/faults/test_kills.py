"""A kill at any moment leaves the old files or the new ones, and the next call goes on."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Tally
from tests.faults.kills import COMMANDS, FILES, OF_TWO, possible

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs fork and signals")

ROOT = Path(__file__).parents[2]
EVERY_RUN = {
    ("suggest", "new"), ("init", "rows"), ("append", "rows"), ("template", "rows"), ("id", "rows"),
    ("long", "rows"), ("batch", "new"), ("batch", "cut"), ("batch-append", "rows"), ("expire", "rows"),
    ("retry", "new"), ("table", "foreign"), ("suggest", "cut"), ("append", "lost"), ("id", "no-flock"),
    ("prefer", "new"), ("rank", "new"), ("rank", "rows"), ("undo", "rows"), ("serve", "rows"),
    ("id", f"rows{OF_TWO}"), ("table", f"foreign{OF_TWO}"), ("serve", f"rows{OF_TWO}"),
}  # fmt: skip


def cases() -> list[object]:
    """Every command in every state of the files; some of them on every run."""
    return [
        pytest.param(name, files, marks=[] if (name, files) in EVERY_RUN else pytest.mark.faults_long)
        for files in (*FILES, *(f"{files}{OF_TWO}" for files in ("new", "rows", "foreign", "cut", "no-flock")))
        for name in COMMANDS
        if possible(name, files)
    ]


def kill(tally: Tally, *words: object, program: str = "kills") -> dict[str, int]:
    """Run a program that kills, and count."""
    done = subprocess.run(
        [sys.executable, "-m", f"tests.faults.{program}", *map(str, words)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    counts: dict[str, int] = json.loads(done.stdout)
    for what, number in counts.items():
        tally(what, number)
    return counts


@pytest.mark.parametrize(("name", "files"), cases())
def test_a_kill_at_any_moment(tmp_path: Path, tally: Tally, name: str, files: str) -> None:
    """Before and after every call that changes a file, and in the middle of every write; of two objectives, too.

    No result of several objectives is ever there with one of them alone, or with one of another result.
    """
    counts = kill(tally, name, files, tmp_path / "study")
    assert counts["kill points"] >= 12
    assert counts["torn writes"] >= 3
    assert counts["results lost by a kill"] == 0


@pytest.mark.parametrize(
    "by", [signal.SIGINT, *(pytest.param(by, marks=pytest.mark.faults_long) for by in (signal.SIGTERM, signal.SIGHUP))]
)
def test_a_signal_at_any_moment(tmp_path: Path, tally: Tally, by: int) -> None:
    """Ctrl-C gives its own exit status; whatever the signal, the files are whole."""
    counts = kill(tally, "append", "rows", tmp_path / "study", int(by))
    assert counts["kill points"] >= 12
    assert counts["results lost by a kill"] == 0


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("id", "rows"),
        ("id", f"rows{OF_TWO}"),
        pytest.param("table", f"foreign{OF_TWO}", marks=pytest.mark.faults_long),
        pytest.param("amend", "rows", marks=pytest.mark.faults_long),
        pytest.param("table", "new", marks=pytest.mark.faults_long),
        pytest.param("table", "foreign", marks=pytest.mark.faults_long),
        pytest.param("failed", "no-flock", marks=pytest.mark.faults_long),
        pytest.param("id", "cut", marks=pytest.mark.faults_long),
    ],
)
def test_a_kill_while_the_damage_of_another_is_mended(tmp_path: Path, tally: Tally, name: str, files: str) -> None:
    """An append that was cut is completed however often the calls that complete it are killed."""
    counts = kill(tally, name, files, tmp_path / "study", program="recovery")
    assert counts["kills of the mending call"] >= 60
    assert counts["results lost by a kill"] == 0
