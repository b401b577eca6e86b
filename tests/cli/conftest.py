"""What the tests of the command line share: a study in a folder, and two ways to call ordbo."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.calls import Call, Result, caller
from tests.cli import bowl as bowls

ROOT = Path(__file__).resolve().parents[2]

PROBLEM = """\
version: 1
objective: {name: drag, goal: minimize}
parameters:
  angle: {type: float, min: 0, max: 12, step: 0.1}
  blades: {type: int, min: 3, max: 9}
  wall shear: {type: float, min: 1e-3, max: 1e3, scale: log, digits: 4}
  span: {value: 2.0}
"""


@pytest.fixture
def ordbo(monkeypatch: pytest.MonkeyPatch) -> Call:
    """Call ordbo in this process: ``ordbo("status", path, stdin=b"", terminal=False)``."""
    return caller(monkeypatch)


@pytest.fixture
def environment() -> dict[str, str]:
    """The environment of a process that finds this checkout from any folder."""
    return {**os.environ, "PYTHONPATH": str(ROOT)}


@pytest.fixture
def process(environment: dict[str, str]) -> Call:
    """Call ordbo in a process of its own, its output to pipes."""

    def call(*arguments: object, stdin: bytes = b"", cwd: Path | None = None) -> Result:
        command = [sys.executable, "-m", "ordbo_cli", *map(str, arguments)]
        done = subprocess.run(command, input=stdin, capture_output=True, env=environment, cwd=cwd, timeout=120)
        return Result(done.returncode, done.stdout.decode(), done.stderr.decode())

    return call


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A problem file in a folder of its own: three free parameters (one with a space in its name), one fixed."""
    folder = tmp_path / "study"
    folder.mkdir()
    path = folder / "drag.yaml"
    path.write_text(PROBLEM)
    return path


@pytest.fixture
def results(study: Path) -> Path:
    """The study with seven results, the best of them in row 5, and two failures among them."""
    study.with_suffix(".csv").write_text(
        "angle,blades,wall shear,span,drag\n"
        "0,3,0.001,2,9.5\n"
        "12,9,1000,2,8\n"
        "3.1,4,1.5,2,0.5\n"
        "6,5,20,2,0.31\n"
        "7.5,6,0.2,2,failed\n"
        "1.2,8,30,2,nan\n"
        "9.9,7,7,2,4.25\n"
    )
    return study


@pytest.fixture
def digest() -> Callable[[Path], str]:
    """Return the hash of all files of a folder, names and bytes."""

    def of(folder: Path) -> str:
        total = hashlib.sha256()
        for path in sorted(folder.rglob("*")):
            total.update(repr(path.relative_to(folder)).encode())
            if path.is_file():
                total.update(path.read_bytes())
        return total.hexdigest()

    return of


@pytest.fixture
def bowl(tmp_path: Path) -> Path:
    """A problem of two parameters."""
    path = tmp_path / "bowl.yaml"
    path.write_text(bowls.PROBLEM)
    return path
