"""A kill before or after any system call that changes a file leaves the old or the new files, whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
KILLER = """
import os, sys, shutil
from pathlib import Path
from types import ModuleType, SimpleNamespace

module = ModuleType("ordbo_cli.search")
module.propose = lambda problem, evaluations, pending, step, fit, avoid: SimpleNamespace(
    values=(len(evaluations) + len(pending) + 0.5, 4), fit={"n": step}, diagnostics={})
sys.modules["ordbo_cli.search"] = module
from ordbo_cli.study import Study
from ordbo_cli.study.state import load_state

CALLS = {
    "ask": lambda study: study.ask(),
    "append": lambda study: study.ask(append=True),
    "tell": lambda study: study.tell(0.25, id=2),
    "rows": lambda study: study.tell_rows("id,drag\\n2,1\\n3,2\\n", source="r"),
}
CHANGES = ["open", "write", "fsync", "ftruncate", "link", "replace", "rename", "unlink"]

def prepare(folder, csv, cut):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    shutil.copy(sys.argv[1], folder / "drag.yaml")
    study = Study.open(folder / "drag.yaml")
    if csv:
        study.ask(append=True)
        study.tell(1, id=1)
    else:
        study.ask()
    study.ask()
    study.ask()
    if cut:
        study.state_path.write_text("{cut")
    return study

def die_at(moment, after):
    left = [moment]
    def wrap(function):
        def wrapped(*arguments, **options):
            left[0] -= 1
            if left[0] == 0 and not after:
                os._exit(9)
            value = function(*arguments, **options)
            if left[0] == 0:
                os._exit(9)
            return value
        return wrapped
    for name in CHANGES:
        setattr(os, name, wrap(getattr(os, name)))

def examine(study, before, finished, name, cut):
    data = study.evaluations_path.read_bytes() if study.evaluations_path.exists() else b""
    assert data.startswith(before), "a byte has changed"
    new = data[len(before):]
    assert new == b"" or new.endswith(b"\\n"), "half a row"
    if name == "rows":
        assert new.count(b",ok\\n") in (0, 2), "half a table"
    assert cut or load_state(study._file).whole
    known = {entry.id for entry in study.status().waiting}
    assert name in ("tell", "rows") or {2} | ({3} - {3 * cut}) <= known, "a suggestion was lost"
    fresh = study.ask()
    assert fresh.id > 3 and fresh.id not in known, "an id was repeated"
    assert load_state(study._file).whole
    assert not list(study.problem_path.parent.glob(".*.tmp")), "a temporary file was left for good"

folder = Path(sys.argv[2])
name, csv, cut = sys.argv[3], sys.argv[4] == "csv", sys.argv[5] == "cut"
points = 0
for after in (False, True):
    moment = 0
    while True:
        moment += 1
        study = prepare(folder, csv, cut)
        before = study.evaluations_path.read_bytes() if study.evaluations_path.exists() else b""
        child = os.fork()
        if child == 0:
            die_at(moment, after)
            CALLS[name](study)
            os._exit(0)
        finished = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        examine(study, before, finished, name, cut)
        if finished:
            break
        points += 1
print(points)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs fork")
@pytest.mark.parametrize(
    ("call", "csv", "cut"),
    [
        ("ask", "csv", "whole"),
        ("ask", "csv", "cut"),
        ("append", "none", "whole"),
        ("append", "csv", "whole"),
        ("tell", "csv", "whole"),
        ("rows", "none", "whole"),
    ],
)
def test_a_kill_at_any_moment(problem_path: Path, tmp_path: Path, call: str, cut: str, csv: str) -> None:
    """Nothing that was there is lost, no half row stands, ids go on, and the next call works."""
    done = subprocess.run(
        [sys.executable, "-c", KILLER, str(problem_path), str(tmp_path / "s"), call, csv, cut],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) >= 8
