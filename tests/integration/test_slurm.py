"""``ordbo run --slurm``: evaluations as jobs of Slurm, by its daemons where they are installed, and by stand-ins."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests import slurm_cluster

PROBLEM = """\
objective: {name: drag, goal: minimize}
parameters: {x: {min: 0, max: 1}, y: {min: 0, max: 1}}
method: {iterations: 20}
"""
pytest.importorskip("submitit", reason="the extra ordbo[slurm] is not installed")


@pytest.fixture(params=["stand-ins", "daemons"], scope="module")
def slurm(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """The environment of a machine that hands jobs in."""
    folder = tmp_path_factory.mktemp("slurm")
    if request.param == "stand-ins":
        yield {**os.environ, **slurm_cluster.stand_ins(folder)}
        return
    if lacking := slurm_cluster.missing():
        pytest.skip(f"Slurm is not installed here: there is no {lacking}")
    with slurm_cluster.cluster(folder) as environment:
        yield {**os.environ, **environment}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A study without results."""
    path = tmp_path / "wing.yaml"
    path.write_text(PROBLEM)
    return path


def begun(path: Path, slurm: dict[str, str], *arguments: object) -> subprocess.Popen[str]:
    """Begin a run."""
    words = [sys.executable, "-m", "ordbo_cli", "run", path, *arguments]
    return subprocess.Popen(
        [str(word) for word in words], env=slurm, cwd=path.parent, text=True, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def ran(path: Path, slurm: dict[str, str], *arguments: object) -> tuple[int, str]:
    """Return exit status and standard error of a run."""
    run = begun(path, slurm, *arguments)
    _, said = run.communicate(timeout=120)
    return run.returncode, said


def answers(path: Path) -> list[dict[str, str]]:
    """Return the rows of answers."""
    with path.with_suffix(".csv").open(newline="") as file:
        return [row for row in csv.DictReader(file) if row["status"] != "pending"]


def jobs(slurm: dict[str, str]) -> list[str]:
    """Return what waits or runs."""
    said = subprocess.run(["squeue", "-h", "-r", "-o", "%i"], env=slurm, capture_output=True, text=True, check=True)
    return said.stdout.split()


def test_a_study_is_evaluated_in_jobs(path: Path, slurm: dict[str, str]) -> None:
    """Points that go out together are one array, each in a job; nothing of the jobs is left, and no other file gone."""
    canary = path.with_suffix(".runs") / "slurm" / "canary"
    canary.parent.mkdir(parents=True)
    canary.write_text("of the user")
    command = ("sh", "-c", 'echo "$SLURM_ARRAY_TASK_ID" >&2; echo "$ORDBO_X"')
    status, said = ran(
        path, slurm, "--budget", 5, "--workers", 2, "--keep", "all", "--slurm", "--time=5", "--", *command
    )
    assert status == 0, said
    rows = answers(path)
    assert [row["drag"] for row in rows] == [row["x"] for row in rows]
    assert len(rows) == 5
    tasks = [(path.with_suffix(".runs") / name / "stderr").read_text().strip() for name in ("1", "2")]
    assert sorted(tasks) == ["0", "1"]
    assert [each.name for each in path.with_suffix(".runs").glob("slurm*")] == ["slurm"]
    assert canary.read_text() == "of the user"
    assert jobs(slurm) == []


def test_a_failure_is_one_of_the_simulator(path: Path, slurm: dict[str, str]) -> None:
    """Its exit status comes back, and the run goes on; a command that is not there ends it."""
    command = ("sh", "-c", 'echo broken >&2; [ "$ORDBO_ID" != 2 ] && echo 1')
    status, said = ran(path, slurm, "--budget", 3, "--slurm", "--time=5", "--", *command)
    assert status == 0, said
    assert "2: failed: exit status 1: broken" in said
    assert [row["status"] for row in answers(path)] == ["ok", "failed", "ok"]
    status, said = ran(path, slurm, "--budget", 4, "--slurm", "--time=5", "--", "/no/such/program")
    assert status == 66
    assert "/no/such/program: there is no such program" in said
    assert len(answers(path)) == 3


def test_an_interrupt_cancels_the_jobs(path: Path, slurm: dict[str, str]) -> None:
    """Their points stay pending, and the same command evaluates them."""
    run = begun(path, slurm, "--budget", 2, "--workers", 2, "--slurm", "--time=5", "--", "sh", "-c", "sleep 60; echo 1")
    runs = path.with_suffix(".runs")
    wait_until(lambda: (runs / "1" / "point.json").exists() and (runs / "2" / "point.json").exists())
    run.send_signal(signal.SIGINT)
    _, said = run.communicate(timeout=60)
    assert run.returncode == 130
    assert "2 points are pending: the same command goes on from there" in said
    wait_until(lambda: not jobs(slurm))
    status, said = ran(path, slurm, "--budget", 2, "--workers", 2, "--slurm", "--time=5", "--", "sh", "-c", "echo 7")
    assert status == 0, said
    assert [(row["id"], row["drag"]) for row in sorted(answers(path), key=lambda row: row["id"])] == [
        ("1", "7"),
        ("2", "7"),
    ]


def test_jobs_outlive_a_driver_that_is_killed(path: Path, slurm: dict[str, str]) -> None:
    """What they found is recorded by the next call: nothing is evaluated twice."""
    count = path.with_name("count")
    command = ("sh", "-c", f'echo "$ORDBO_ID" >> {count}; sleep 3; echo "$ORDBO_ID"')
    options = ("--budget", 2, "--workers", 2, "--slurm", "--time=5", "--", *command)
    run = begun(path, slurm, *options)
    wait_until(lambda: count.exists() and len(count.read_text().split()) == 2)
    run.kill()
    run.communicate(timeout=60)
    wait_until(lambda: not jobs(slurm))
    status, said = ran(path, slurm, *options)
    assert status == 0, said
    assert {row["id"]: row["drag"] for row in answers(path)} == {"1": "1", "2": "2"}
    assert sorted(count.read_text().split()) == ["1", "2"]


def test_a_job_that_is_lost_is_told(path: Path, slurm: dict[str, str]) -> None:
    """Somebody cancels it: its point failed for want of an answer, or is tried again with --retries."""
    command = ("sh", "-c", f"cd {path.parent}; if [ -e again ]; then echo 3; else touch begun; sleep 100; fi")
    run = begun(path, slurm, "--budget", 1, "--retries", 1, "--slurm", "--time=5", "--", *command)
    wait_until(path.with_name("begun").exists)
    path.with_name("again").touch()
    subprocess.run(["scancel", *jobs(slurm)], env=slurm, check=True)
    _, said = run.communicate(timeout=120)
    assert run.returncode == 0, said
    assert "1: the worker was lost: " in said
    assert [row["drag"] for row in answers(path)] == ["3"]


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("--partition=nope --time=5", "the job was not handed in: sbatch: error: "),
        ("--mem=1G", "--slurm says nothing of the time"),
        ("--time=5 --array=1-3", "--slurm: --array is set by ordbo"),
        ("-p short", "--slurm: -p is no option of sbatch"),
        ("--time '5", "--slurm: No closing quotation"),
    ],
)
def test_options_that_will_not_do(path: Path, slurm: dict[str, str], options: str, said: str) -> None:
    """They are refused in words, before any point is lost."""
    status, told = ran(path, slurm, "--budget", 1, "--slurm", options, "--", "echo", "1")
    assert status in (2, 74)
    assert said in told


def wait_until(true: object, seconds: float = 60.0) -> None:
    """Wait until something holds."""
    assert callable(true)
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it does not come to that"
        time.sleep(0.1)
