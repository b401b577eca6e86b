"""Many writers at once: nothing lost, nothing repeated, every file valid at every instant."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from ordbo_cli.files.state import load_state
from ordbo_cli.study.study import Study
from tests.conftest import Tally
from tests.faults.harness import PROBLEM

ROOT = Path(__file__).parents[2]
WORKERS, EACH = 20, 10
REAL = PROBLEM + "method: {initial: 200}\n"  # a step of the initial design costs little

WORKER = """
import sys
from tests.faults.harness import light_search
light_search()
from ordbo_cli.study.study import Study
study = Study.open(sys.argv[1])
for k in range(int(sys.argv[2])):
    suggestion = study.ask(append=k % 2 == 0)
    study.tell(suggestion.values[0], id=suggestion.id)
    print(suggestion.id, suggestion.values[0], flush=True)
"""
FOREIGNER = """
import sys, time
for k in range(int(sys.argv[2])):
    with open(sys.argv[1], "a") as file:  # as scripts do, without a lock
        file.write(f",{11 + k / 1000},9,2.0,{50 + k},ok\\n")
    time.sleep(0.01)
"""


def poll(study: Study, processes: list[subprocess.Popen[str]]) -> int:
    """Read every file whole until the processes end; return how often."""
    polls = 0
    while any(process.poll() is None for process in processes):
        study.status()
        assert load_state(study.file).whole
        polls += 1
    return polls


def said(process: subprocess.Popen[str]) -> list[str]:
    """Return what a process printed, and fail where it failed."""
    out, err = process.communicate()
    assert process.returncode == 0, err
    return out.splitlines()


def lost_and_repeated(study: Study, acknowledged: dict[int, float]) -> tuple[int, int]:
    """Return how many results that writers were told are recorded are not there, and how many stand twice."""
    found = [best for best in study.status().ranking if best.id is not None]
    there = {(best.id, float(best.objective)) for best in found if best.objective is not None}
    lost = sum((id, value) not in there for id, value in acknowledged.items())
    points = [tuple(best.parameters.values()) for best in found]
    return lost, len(points) - len(set(points)) + len(found) - len({best.id for best in found})


def test_twenty_writers_and_a_script(tmp_path: Path, tally: Tally) -> None:
    """200 suggestions and results, rows that a script appends without a lock, and a reader that polls."""
    path = tmp_path / "drag.yaml"
    path.write_text(PROBLEM)
    study = Study.open(path)
    study.tell(99, parameters={"angle": 12, "blades": 3})
    start: Callable[..., subprocess.Popen[str]] = lambda code, *words: subprocess.Popen(  # noqa: E731
        [sys.executable, "-c", code, *map(str, words)], cwd=ROOT, text=True, stdout=-1, stderr=-1
    )
    workers = [start(WORKER, path, EACH) for _ in range(WORKERS)]
    foreigner = start(FOREIGNER, study.evaluations_path, 100)
    polls = poll(study, [*workers, foreigner])
    lines = [line.split() for worker in workers for line in said(worker)]
    said(foreigner)
    lost, repeated = lost_and_repeated(study, {int(id): float(value) for id, value in lines})
    status = study.status()
    tally("writers", WORKERS + 1)
    tally("results told at once", len(lines))
    tally("reads meanwhile", polls)
    tally("results lost or repeated by writers", lost + repeated)
    assert (lost, repeated, polls > 0) == (0, 0, True)
    assert (status.ok, status.pending, status.step) == (WORKERS * EACH + 101, 0, WORKERS * EACH)


@pytest.mark.faults_long
def test_twenty_shells_with_the_real_command(tmp_path: Path, tally: Tally) -> None:
    """Each step is a process of its own, with the real search."""
    path = tmp_path / "drag.yaml"
    path.write_text(REAL)
    study = Study.open(path)
    acknowledged: dict[int, float] = {}
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}

    def ordbo(*words: object) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "ordbo_cli", *map(str, words)], env=environment, text=True, capture_output=True,
            check=True,
        )  # fmt: skip
        return done.stdout

    def shell() -> None:
        for k in range(EACH):
            point = json.loads(ordbo("suggest", path, *(["--append"] if k % 2 else []), "--lock-timeout", 600))
            value = point["parameters"]["angle"]
            ordbo("observe", path, "--id", point["id"], f"drag={value}", "--lock-timeout", 600)
            acknowledged[point["id"]] = value

    shells = [threading.Thread(target=shell) for _ in range(WORKERS)]
    for thread in shells:
        thread.start()
    polls = 0
    while any(thread.is_alive() for thread in shells):
        study.status()
        polls += 1
    lost, repeated = lost_and_repeated(study, acknowledged)
    tally("writers", WORKERS)
    tally("results told at once", len(acknowledged))
    tally("reads meanwhile", polls)
    tally("results lost or repeated by writers", lost + repeated)
    assert (lost, repeated, len(acknowledged)) == (0, 0, WORKERS * EACH)
    assert study.status().pending == 0
