"""A problem, and jobs that call small scripts."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.drive.processes.children import CHILDREN
from ordbo_cli.drive.simulation.command import Command
from ordbo_cli.drive.simulation.simulate import Job
from ordbo_cli.problem import Fixed, Number, Parameter, Problem
from tests.stand_in import Proposed, StepInput, search_modules
from tests.unit.drive.driven import Run

PROBLEM = Problem(
    (Parameter("wall shear", 0, 12), Parameter("n", 3, 9, type="int"), Fixed("mesh", "a b")), objective="drag"
)
PARAMETERS: dict[str, Number | str] = {"wall shear": 1e-05, "n": 4, "mesh": "a b"}

MakeJob = Callable[..., Job]


@pytest.fixture
def make_job(tmp_path: Path) -> MakeJob:
    """Return a function that makes a job: ``make_job("sh", "-c", "echo 1", timeout=3)``."""

    def make(*words: str, id: int = 17, attempt: int = 1, **options: Any) -> Job:
        name = str(id) if attempt == 1 else f"{id}-{attempt}"
        command = Command.prepare(PROBLEM, words, cwd=tmp_path, **options)
        return Job(id, attempt, PARAMETERS, tmp_path / "runs" / name, command, PROBLEM)

    return make


@pytest.fixture(autouse=True)
def _children_may_begin() -> Iterator[None]:
    yield
    CHILDREN.reset()


def waited_for(holds: Callable[[], object], seconds: float = 30.0) -> bool:
    """Return whether something comes to hold within a time."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            return False
        time.sleep(0.01)
    return True


def pid_in(path: Path) -> int:
    """Return the process number that a script wrote into a file, waiting for it."""
    assert waited_for(lambda: path.exists() and path.read_text().endswith("\n"))
    return int(path.read_text())


def runs(pid: int) -> bool:
    """Return whether a process is there and no zombie (which its parent, or init, has yet to reap)."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    try:
        return Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()[0] != b"Z"
    except OSError:
        return not Path("/proc/self/stat").exists()


@pytest.fixture
def run(tmp_path: Path) -> Run:
    return Run(tmp_path)


@pytest.fixture
def light(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put a search in the place of ordbo's that only counts."""

    def propose(given: StepInput, **_: Any) -> Proposed:
        taken = {e.values[0] for e in given.evaluations} | {p[0] for p in [*given.pending, *given.avoid]}
        return Proposed((next(k / 100 for k in range(500) if k / 100 not in taken), 4.0), {})

    for name, module in search_modules(propose).items():
        monkeypatch.setitem(sys.modules, name, module)
