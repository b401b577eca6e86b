"""``ordbo run`` killed at ten moments, and what the next one makes of it."""

from __future__ import annotations

import contextlib
import csv
import os
import random
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from tests.conftest import Tally

pytestmark = pytest.mark.skipif(not Path("/proc/self/cwd").exists(), reason="looks for processes in /proc")

ROOT = Path(__file__).resolve().parents[2]
PROBLEM = """\
version: 1
objective: {name: y, goal: minimize}
parameters:
  a: {type: float, min: -5, max: 5}
  b: {type: float, min: -5, max: 5}
method: {preset: default, iterations: 20}
"""
KILLS, BUDGET, WORKERS = 10, 60, 3
SIMULATOR = (
    'echo "begin $ORDBO_ID" >> log; sleep 0.2; echo "y = 0.$ORDBO_ID"; echo "z = 1.$ORDBO_ID";'
    ' echo "end $ORDBO_ID" >> log'
)
OF_TWO = PROBLEM.replace("objective: {name: y, goal: minimize}", "objectives: {y: minimize, z: maximize}")


def said(folder: Path, word: str) -> list[int]:
    """Return the ids that simulations have logged with a word."""
    lines = (folder / "log").read_text().splitlines() if (folder / "log").exists() else []
    return [int(id) for mark, id in map(str.split, lines) if mark == word]


def recorded(folder: Path) -> dict[int, str]:
    """Return the results by id, those of two objectives as a pair."""
    path = folder / "study.csv"
    rows = csv.DictReader(path.read_text().splitlines()) if path.exists() else ()
    return {int(row["id"]): " ".join(filter(None, (row["y"], row.get("z")))) for row in rows if row["status"] == "ok"}


def answered(folder: Path) -> set[int]:
    """Return the ids whose simulation has left its answer."""
    return {int(path.parent.name) for path in (folder / "study.runs").glob("*/answer.json")}


@pytest.mark.parametrize(
    ("problem", "results_are"),
    [
        pytest.param(PROBLEM, "0.{0}", id="one objective"),
        pytest.param(OF_TWO, "0.{0} 1.{0}", id="two objectives"),
    ],
)
def test_ten_kills_lose_nothing_and_repeat_nothing(
    tmp_path: Path, tally: Tally, problem: str, results_are: str
) -> None:
    """All that finished is recorded in the end, only what ran at a kill is simulated again, and no child stays."""
    (tmp_path / "study.yaml").write_text(problem)
    command = [sys.executable, "-m", "ordbo_cli", "run", "study.yaml", "--budget", str(BUDGET)]
    command += ["--workers", str(WORKERS), "--", "sh", "-c", SIMULATOR]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    moments = random.Random(5)
    running: Counter[int] = Counter()
    kills = 0
    while kills < KILLS:
        run = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.DEVNULL)
        before = len(said(tmp_path, "begin"))
        while len(said(tmp_path, "begin")) < before + moments.randint(1, 6) and run.poll() is None:
            time.sleep(0.01)
        time.sleep(0.2 * moments.random())
        assert run.poll() is None, "it has ended before its kill"
        run.send_signal(signal.SIGKILL)
        run.wait(timeout=60)
        kills += 1
        wait_for_the_end_of_children(tmp_path)
        open_now = set(said(tmp_path, "begin")) - set(recorded(tmp_path)) - answered(tmp_path)
        running.update(open_now)
    done = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    begun = Counter(said(tmp_path, "begin"))
    results = recorded(tmp_path)
    assert set(said(tmp_path, "end")) <= set(results)
    # A kill between the list of suggestions and the state costs a number, which is never given again, and no result.
    assert results == {id: results_are.format(id) for id in begun}
    assert len(results) == BUDGET
    assert max(results) <= BUDGET + kills
    assert {id: times for id, times in begun.items() if times > 1 + running[id]} == {}
    tally("kills of ordbo run", kills)
    tally("simulations begun again after one", begun.total() - len(begun))


def wait_for_the_end_of_children(folder: Path) -> None:
    """Wait until no process works in a folder: the driver's children are ended although it was killed."""
    for _ in range(1000):
        if not any(works_in(folder, pid) for pid in os.listdir("/proc") if pid.isdigit()):
            return
        time.sleep(0.01)
    raise AssertionError("a simulation has outlived its driver")


def works_in(folder: Path, pid: str) -> bool:
    """Return whether a process has a folder as its own."""
    with contextlib.suppress(OSError):
        return os.readlink(f"/proc/{pid}/cwd") == str(folder)
    return False
