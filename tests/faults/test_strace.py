"""The calls that the kills are made at are all that the system sees: strace watches the real command, and kills it."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest

from ordbo_cli.study.study import Study
from tests.conftest import Tally
from tests.faults.harness import PROBLEM

pytestmark = [
    pytest.mark.faults_long,
    pytest.mark.skipif(
        shutil.which("strace") is None or subprocess.run(["strace", "true"], capture_output=True).returncode != 0,
        reason="needs strace, and leave to use it",
    ),
]

ROOT = Path(__file__).parents[2]
# System calls that take a path or a descriptor and change no file. What is not named here counts as a change.
HARMLESS = re.compile(
    "access|chdir|close|dup[23]?|epoll_create1|execve|faccessat2?|fadvise64|fcntl|f?(get|list)xattr|l(get|list)xattr"
    "|llistxattr|flock|[fl]?stat|f?statfs|statx|newfstatat|getcwd|getdents64|ioctl|lseek|mmap|pipe2|p?poll|pread64"
    "|pselect6|select|read|readv|readlink|readlinkat"
)
SAME = {"openat": "open", "replace": "rename", "renameat": "rename", "renameat2": "rename", "pwrite64": "write"}
LINE = re.compile(r"\d+ +(?P<name>\w+)\((?P<rest>.*)")


@dataclass(frozen=True)
class Seen:
    """A change that strace saw: as the harness names it; as the system does, and which call of that name it was."""

    name: str
    system: str
    number: int


def watched(folder: Path, command: tuple[object, ...], *options: str) -> tuple[list[Seen], int]:
    """Run the real command below strace; return the changes in a folder, and how the command ended."""
    trace = folder.with_name("trace")
    strace = ["strace", "-f", "-qq", "-y", "-s", "0", "-e", "trace=%file,%desc", *options, "-o", str(trace)]
    done = subprocess.run(
        [*strace, sys.executable, "-m", "ordbo_cli", *map(str, command)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"},
        capture_output=True,
        check=False,
    )
    found, numbers = [], Counter[str]()
    pid = trace.read_text(errors="replace").split(maxsplit=1)[0]
    for text in trace.read_text(errors="replace").splitlines():
        line = LINE.match(text)
        if line is None or not text.startswith(pid):
            continue
        name, rest = line["name"], line["rest"]
        numbers[name] += 1
        if HARMLESS.fullmatch(name) or (name == "openat" and not re.search("O_WRONLY|O_RDWR|O_CREAT|O_TRUNC", rest)):
            continue
        if str(folder) in rest:
            found.append(Seen(SAME.get(name, name), name, numbers[name]))
    return found, done.returncode


def scene(folder: Path) -> Path:
    """Make a study with a suggestion that waits."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    path = folder / "drag.yaml"
    path.write_text(PROBLEM)
    (folder / "case.tpl").write_text("{angle}")
    path.with_suffix(".csv").write_text("id,angle,blades,span,drag,status\n1,3,4,2,0.5,ok\n2,4,4,2,,pending\n")
    Study.open(path).ask()
    return path


def commands(path: Path) -> dict[str, tuple[object, ...]]:
    """Return commands that change files in every way that there is."""
    return {
        "init": ("init", path.with_name("new.yaml")),
        "suggest": ("suggest", path),
        "append": ("suggest", path, "--append"),
        "template": ("suggest", path, "--template", path.with_name("case.tpl"), "-o", path.with_name("case.in")),
        "observe": ("observe", path, "--id", 2, "drag=0.25"),
    }


@pytest.mark.parametrize("name", ["init", "suggest", "append", "template", "observe"])
def test_the_harness_wraps_every_call(tmp_path: Path, name: str, tally: Tally) -> None:
    """The same changes in the same order, as Python calls and as system calls."""
    folder = tmp_path / "study"
    path = scene(folder)
    system, status = watched(folder, commands(path)[name])
    assert status == 0
    path = scene(folder)
    program = "import json, sys; from tests.faults.kills import load_everything as load; load()\n"
    program += "from tests.faults.harness import run\nend = run(sys.argv[1:])\n"
    program += "assert end.status == 0, end\nprint(json.dumps([call.name for call in end.seen]))"
    words = [str(word) for word in commands(path)[name]]
    done = subprocess.run([sys.executable, "-c", program, *words], cwd=ROOT, capture_output=True, text=True, check=True)
    wrapped = [SAME.get(call, call) for call in json.loads(done.stdout)]
    assert [seen.name for seen in system] == wrapped
    tally("system calls compared", len(wrapped))


@pytest.mark.parametrize("name", ["append", "observe"])
def test_the_real_command_killed_by_strace(tmp_path: Path, name: str, tally: Tally) -> None:
    """At each of its changes: rows that were there stay, nothing is half, and the next call goes on."""
    folder = tmp_path / "study"
    path = scene(folder)
    changes, _ = watched(folder, commands(path)[name])
    killed = lost = 0
    for change in changes:
        path = scene(folder)
        before = path.with_suffix(".csv").read_bytes()
        inject = f"inject={change.system}:signal=KILL:when={change.number}"
        _, status = watched(folder, commands(path)[name], "-e", inject)
        assert status in (-signal.SIGKILL, 128 + signal.SIGKILL), change
        killed += 1
        study = Study.open(path)
        found = study.status()
        lost += [best.id for best in found.ranking if best.id == 1] != [1]
        assert path.with_suffix(".csv").read_bytes().startswith(before)
        assert (found.ok, found.pending) in {"append": [(1, 2), (1, 3)], "observe": [(1, 2), (2, 1)]}[name]
        known = {waiting.id or 0 for waiting in found.waiting}
        assert study.ask().id > max(known)
        assert study.tell(0.25, id=2).status == "ok"
    tally("kills of the real command", killed)
    tally("results lost by a kill", lost)
    assert killed >= 8
    assert lost == 0
