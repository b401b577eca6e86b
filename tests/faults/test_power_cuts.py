"""What is on disk before the next thing is begun: a power cut keeps only what was synced.

Nobody can cut the power in a test. What can be held is the order of the calls: content reaches the disk before a name
points at it, a row before the note about it is dropped, and a new name before the command ends.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import Tally
from tests.faults.harness import PROBLEM, Call

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="finds the names of open files as Linux has them")

ROOT = Path(__file__).parents[2]
PROGRAM = """
import dataclasses, json, sys
from tests.faults.harness import run
from tests.faults.kills import load_everything
load_everything()
end = run(sys.argv[1:])
assert end.status == 0, end
print(json.dumps([dataclasses.astuple(call) for call in end.seen]))
"""
NAMES = ("link", "replace", "rename", "unlink")


def calls(*words: object) -> list[Call]:
    """Return the calls of a command that change files."""
    command = [sys.executable, "-c", PROGRAM, *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    return [Call(*entry) for entry in json.loads(done.stdout)]


@pytest.mark.parametrize("rows", ["", "id,angle,blades,span,drag,status\n1,3,4,2,,pending\n"])
@pytest.mark.parametrize("name", ["init", "suggest", "append", "template", "observe"])
def test_what_is_written_is_synced_before_the_next_name_changes(
    tmp_path: Path, tally: Tally, name: str, rows: str
) -> None:
    """All but the lock, which a power cut frees anyway."""
    path, template = tmp_path / "drag.yaml", tmp_path / "case.tpl"
    path.write_text(PROBLEM)
    template.write_text("{angle}")
    if rows:
        path.with_suffix(".csv").write_text(rows)
    seen = calls(
        *{
            "init": ("init", tmp_path / "new.yaml"),
            "suggest": ("suggest", path),
            "append": ("suggest", path, "--append"),
            "template": ("suggest", path, "--template", template, "-o", tmp_path / "case.in"),
            "observe": ("observe", path, "angle=3", "blades=4", "drag=0.5"),
        }[name]
    )
    written: set[str] = set()
    synced = 0
    for call in seen:
        if call.name == "write" and not call.target.endswith(".lock"):
            written.add(call.target)
        elif call.name == "fsync":
            synced += call.target in written
            written.discard(call.target)
        elif call.name in NAMES:
            assert not written, f"{call.name} before {written} is on disk: {seen}"
    assert not written
    assert synced >= 1
    last = max(k for k, call in enumerate(seen) if call.name in (*NAMES, "open"))
    if name != "observe" or not rows:  # a row in a file that is there makes no new name
        assert any(call.name == "fsync" and call.target == tmp_path.name for call in seen[last - 1 :]), seen
    tally("orders of calls", 1)
