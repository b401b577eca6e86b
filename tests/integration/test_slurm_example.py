"""The array job of examples/slurm without Slurm: many tasks at once, and tasks that are ended in the middle."""

from __future__ import annotations

import contextlib
import csv
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "slurm"
ROOT = EXAMPLE.parents[1]
TASKS = 16
# Those that are here, under one name each: sh is one of the others on most systems.
SHELLS = list({os.path.realpath(path): path for path in map(shutil.which, ("dash", "bash", "sh")) if path}.values())

Start = Callable[..., "subprocess.Popen[bytes]"]


def script(path: Path, text: str) -> None:
    """Write a program that a shell runs."""
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


@pytest.fixture
def bin_folder(tmp_path: Path) -> Path:
    """A folder with this checkout's ``ordbo`` and this Python, to stand first in PATH."""
    folder = tmp_path / "bin"
    folder.mkdir()
    script(folder / "ordbo", f"PYTHONPATH='{ROOT}' exec '{sys.executable}' -m ordbo_cli \"$@\"")
    script(folder / "python3", f"exec '{sys.executable}' \"$@\"")
    return folder


@pytest.fixture
def scratch(tmp_path: Path) -> Path:
    """Where the tasks make their scratch folders."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    return folder


@pytest.fixture
def settings(bin_folder: Path, scratch: Path) -> dict[str, str]:
    """The environment of a task."""
    path = os.pathsep.join((str(bin_folder), os.environ["PATH"]))
    kept = {name: value for name, value in os.environ.items() if not name.startswith("SLURM_")}
    return {**kept, "PATH": path, "TMPDIR": str(scratch), "SOLVER_SECONDS": "0"}


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """A study's folder as the README has it made: a copy of the example."""
    return Path(shutil.copytree(EXAMPLE, tmp_path / "study"))


@pytest.fixture
def start(study: Path, settings: dict[str, str]) -> Iterator[Start]:
    """Start a task in a process group of its own: ``start("sh", SOLVER_SECONDS="60")``."""
    started: list[subprocess.Popen[bytes]] = []

    def begin(shell: str = "sh", **changed: str) -> subprocess.Popen[bytes]:
        command = [shell, str(study / "array.sh"), str(study)]
        pipe = subprocess.PIPE
        process = subprocess.Popen(
            command, env={**settings, **changed}, stdout=pipe, stderr=pipe, start_new_session=True
        )
        started.append(process)
        return process

    yield begin
    for process in started:
        with contextlib.suppress(ProcessLookupError):  # what a task left behind, too
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def finished(process: subprocess.Popen[bytes]) -> tuple[int, str]:
    """Wait for a task, and return its exit status and what it said."""
    _, words = process.communicate(timeout=120)
    return process.returncode, words.decode()


def rows(study: Path) -> list[dict[str, str]]:
    """Return the rows of the evaluations."""
    with (study / "solver.csv").open(newline="") as table:
        return list(csv.DictReader(table))


def ordbo(settings: dict[str, str], *words: object) -> Any:
    """Call ordbo and return the JSON that it prints."""
    done = subprocess.run(["ordbo", *map(str, words)], env=settings, capture_output=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def wait_for(true: Callable[[], bool], process: subprocess.Popen[bytes]) -> None:
    """Wait until something is true, as long as the task lives."""
    end = time.monotonic() + 60
    while not true():
        assert process.poll() is None, finished(process)
        assert time.monotonic() < end
        time.sleep(0.02)


def simulates(scratch: Path) -> Callable[[], bool]:
    """Return whether a task has begun to simulate: its simulator's output file is there."""
    return lambda: any(scratch.glob("solver-*/result"))


def test_sixteen_tasks_at_once(study: Path, tmp_path: Path, settings: dict[str, str], scratch: Path) -> None:
    """As many ids and points as tasks, each result beside the point that it came from, all files whole."""
    folder = tmp_path / "sixteen"
    done = subprocess.run(
        ["sh", str(EXAMPLE / "run.sh"), str(TASKS), "3", str(folder)], env=settings, capture_output=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    pending = {row["id"]: row for row in rows(folder) if row["status"] == "pending"}
    answers = {row["id"]: row for row in rows(folder) if row["status"] != "pending"}
    assert len(rows(folder)) == 2 * TASKS
    assert pending.keys() == answers.keys() == {str(number) for number in range(1, TASKS + 1)}
    points = {number: (row["tile"], row["ranks"], row["buffer"]) for number, row in pending.items()}
    assert len(set(points.values())) == TASKS
    for number, (tile, ranks, buffer) in points.items():
        words = [sys.executable, str(study / "solver.py"), f"--tile={tile}", f"--ranks={ranks}", f"--buffer={buffer}"]
        expected = subprocess.run(words, env=settings, capture_output=True, text=True)
        row = answers[number]
        assert (row["tile"], row["ranks"], row["buffer"]) == (tile, ranks, buffer)
        assert (row["seconds"], row["status"]) == (expected.stdout.strip(), ("ok", "failed")[expected.returncode])
    status = ordbo(settings, "status", folder / "solver.yaml", "--json")
    assert (status["step"], status["pending"], status["warnings"]) == (TASKS, [], [])
    assert json.loads(done.stdout) == ordbo(settings, "best", folder / "solver.yaml")
    assert list(scratch.iterdir()) == []
    assert "seed: 3\n" in (folder / "solver.yaml").read_text()


@pytest.mark.parametrize("shell", SHELLS)
@pytest.mark.parametrize("whole_group", [False, True], ids=["shell alone", "its children too"])
def test_a_task_that_is_ended_hands_its_point_back(
    start: Start, study: Path, settings: dict[str, str], scratch: Path, shell: str, whole_group: bool
) -> None:
    """SIGTERM while it simulates: the simulation ends with it, and the next task gets the same id and point."""
    task = start(shell, SOLVER_SECONDS="600")
    wait_for(simulates(scratch), task)
    (os.killpg if whole_group else os.kill)(task.pid, signal.SIGTERM)
    code, words = finished(task)  # which waits for whoever holds its pipes: the simulator
    assert code == 143
    assert "retry" in words
    again = ordbo(settings, "status", study / "solver.yaml", "--json")["retry"]
    assert [point["id"] for point in again] == [1]
    assert list(scratch.iterdir()) == []
    assert finished(start(shell))[0] == 0
    handed_out, back, handed_out_again, answer = rows(study)
    values = ("id", "tile", "ranks", "buffer")
    assert [row["status"] for row in (handed_out, back, handed_out_again)] == ["pending", "retry", "pending"]
    assert {tuple(row[name] for name in values) for row in rows(study)} == {tuple(answer[name] for name in values)}
    assert answer["status"] in ("ok", "failed")


@pytest.mark.parametrize("shell", SHELLS)
def test_a_task_that_is_ended_while_it_asks(
    start: Start, study: Path, settings: dict[str, str], bin_folder: Path, tmp_path: Path, shell: str
) -> None:
    """The point that it is just being given is not lost either."""
    asking, real = tmp_path / "asking", bin_folder / "real"
    (bin_folder / "ordbo").rename(real)
    script(bin_folder / "ordbo", f"[ \"$1\" != suggest ] || {{ : >'{asking}'; sleep 0.5; }}\nexec '{real}' \"$@\"")
    task = start(shell)
    wait_for(asking.exists, task)
    os.killpg(task.pid, signal.SIGTERM)
    assert finished(task)[0] == 143
    assert [row["status"] for row in rows(study)] == ["pending", "retry"]
    status = ordbo(settings, "status", study / "solver.yaml", "--json")
    assert ([point["id"] for point in status["retry"]], status["pending"]) == ([1], [])


@pytest.mark.parametrize(
    ("solver", "code", "status"),
    [
        ("print('0.25')", 0, "ok"),
        ("raise SystemExit(1)", 0, "failed"),
        ("raise SystemExit(77)", 0, "failed"),
        ("import os; os.kill(os.getpid(), 11)", 0, "failed"),
        ("raise SystemExit(2)", 2, "retry"),
        ("raise SystemExit(127)", 127, "retry"),
        ("import os; os.kill(os.getpid(), 15)", 143, "retry"),
    ],
)
def test_what_becomes_of_a_simulation(start: Start, study: Path, solver: str, code: int, status: str) -> None:
    """A failure is recorded; a simulator that is not there, is called wrongly or was ended has not failed."""
    (study / "solver.py").write_text(solver)
    assert finished(start())[0] == code
    assert [row["status"] for row in rows(study)] == ["pending", status]


def test_a_result_that_cannot_be_recorded_is_told(start: Start, study: Path, bin_folder: Path) -> None:
    """The words hold the command that records it later."""
    (bin_folder / "ordbo").rename(bin_folder / "real")
    script(bin_folder / "ordbo", f'[ "$1" != observe ] || exit 74\nexec \'{bin_folder / "real"}\' "$@"')
    (study / "solver.py").write_text("print('0.25')")
    code, words = finished(start())
    assert code == 74
    assert "ordbo observe solver.yaml --id 1 seconds=0.25" in words


def test_a_copy_in_slurms_folder(study: Path, settings: dict[str, str], tmp_path: Path) -> None:
    """Slurm runs a copy of the script, and says where the job was submitted: the study is there."""
    spool = tmp_path / "spool"
    spool.mkdir()
    shutil.copy(study / "array.sh", spool / "slurm_script")
    submitted = {**settings, "SLURM_SUBMIT_DIR": str(study), "SLURM_ARRAY_TASK_ID": "1"}
    done = subprocess.run(["sh", str(spool / "slurm_script")], env=submitted, cwd=spool, timeout=120)
    assert done.returncode == 0
    assert len(rows(study)) == 2
    assert [path.name for path in spool.iterdir()] == ["slurm_script"]


def test_nothing_is_left(start: Start, study: Path) -> None:
    """The tasks of an array that is larger than its study end well."""
    problem = (study / "solver.yaml").read_text()
    (study / "solver.yaml").write_text(
        problem.replace("max: 1024", "max: 9")
        .replace("{type: int, min: 1, max: 64, scale: log}", "{value: 2}")
        .replace("{type: float, min: 0.05, max: 16, scale: log, digits: 2}", "{value: 1}")
    )
    assert [finished(start())[0] for _ in range(3)] == [0, 0, 0]
    assert len(rows(study)) == 4


def test_slurms_options_stand_where_slurm_reads_them() -> None:
    """It stops at the first line that is no comment; the signal comes a minute early, and to the shell."""
    text = (EXAMPLE / "array.sh").read_text().splitlines()
    head = text[: next(k for k, line in enumerate(text) if not line.startswith("#"))]
    options = [line for line in text if line.startswith("#SBATCH")]
    assert text[0] == "#!/bin/sh"
    assert [line for line in head if line.startswith("#SBATCH")] == options
    assert "#SBATCH --signal=B:TERM@60" in options


def test_a_count_that_is_no_number_is_a_usage_error(tmp_path: Path, settings: dict[str, str]) -> None:
    """run.sh says how it is called, before it makes a folder."""
    folder = tmp_path / "new"
    done = subprocess.run(
        ["sh", str(EXAMPLE / "run.sh"), "many", "1", str(folder)], env=settings, capture_output=True, timeout=60
    )
    assert (done.returncode, b"usage" in done.stderr, folder.exists()) == (2, True, False)
