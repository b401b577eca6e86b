"""Runs the commands on somebody's table, and writes down what they say."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

from tests.calls import Result

FOLDER = Path(__file__).parent
CASES = sorted(path.parent for path in FOLDER.glob("evaluations/*/drag.csv"))

_OBSERVE = ("observe", "drag.yaml", "angle=2.5", "blades=5", "drag=0.125")
# What the transcript shows, and what is only held to leave the file's bytes as they were.
_SHOWN = (
    ("check", "drag.yaml"),
    ("status", "drag.yaml", "--json", "--no-next"),
    ("best", "drag.yaml", "--format", "csv"),
    _OBSERVE,
)
_SILENT = (
    ("suggest", "drag.yaml"),
    ("suggest", "drag.yaml", "--append"),
    ("observe", "drag.yaml", "--id", "1", "drag=0.5", "--amend"),
    ("observe", "drag.yaml", "angle=2.5", "blades=5", "--failed"),
    ("observe", "drag.yaml", "angle=2.5", "blades=5", "drag=1,234.5"),
    ("undo", "drag.yaml"),
    ("undo", "drag.yaml", "-n", "2"),
    ("clean", "drag.yaml", "--quiet"),
    ("undo", "drag.yaml"),
)


def lay_out(case: Path, folder: Path) -> Path:
    """Copy a case into a folder, with the shared problem file where it has none of its own; return its table."""
    shutil.copy(FOLDER / "drag.yaml", folder)
    for path in case.iterdir():
        shutil.copy(path, folder)
    return folder / "drag.csv"


def transcript(table: Path, call: Callable[..., Result]) -> str:
    """Return what the commands say, with the bytes that the last of them appends."""
    text = ""
    for words in _SHOWN:
        result, appended = _kept(table, call, words)
        text += f"$ ordbo {' '.join(words)}\n"
        text += "".join(f"| {line}\n" for line in result.out.splitlines())
        text += "".join(f"! {line}\n" for line in result.err.splitlines())
        text += f"exit {result.status}\n"
        text += f"appended {appended!r}\n" if words is _OBSERVE or appended else ""
    return text


def run_silently(table: Path, call: Callable[..., Result]) -> list[int]:
    """Run what else writes, and return the exit statuses."""
    return [_kept(table, call, words)[0].status for words in _SILENT]


def _kept(table: Path, call: Callable[..., Result], words: tuple[str, ...]) -> tuple[Result, bytes]:
    """Run a command, and return what it appended; anything else that it does to the file is an error."""
    before = table.read_bytes()
    result = call(*words)
    after = table.read_bytes()
    assert after.startswith(before), f"{' '.join(words)} changed what was there"
    assert len(after) == len(before) or result.status == 0, f"{' '.join(words)} failed, and appended all the same"
    return result, after[len(before) :]
