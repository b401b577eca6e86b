"""What becomes of simulations whose driver dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ordbo_cli.drive.processes.children import CHILDREN
from ordbo_cli.drive.processes.guard import Guard
from ordbo_cli.drive.simulation.simulate import Answer, simulate
from ordbo_cli.errors import FileError
from tests.unit.drive.conftest import MakeJob, pid_in, runs, waited_for

ROOT = Path(__file__).parents[4]

DRIVER = """
import os, signal, sys, threading
from pathlib import Path
from ordbo_cli.drive.processes.children import CHILDREN
from ordbo_cli.drive.simulation.command import Command
from ordbo_cli.drive.simulation.simulate import Job, simulate
from ordbo_cli.problem import Parameter, Problem

signal.signal(signal.SIGHUP, signal.SIG_DFL)  # nohup hands its own on to everybody
base, script = Path(sys.argv[1]), sys.argv[2]
problem = Problem((Parameter("x", 0, 1),))
command = Command.prepare(problem, ["sh", "-c", script], cwd=base, in_folder=True)
jobs = [Job(id, 1, {"x": 0.5}, base / str(id), command, problem) for id in (1, 2)]
threads = [threading.Thread(target=simulate, args=(job,), daemon=True) for job in jobs]
for thread in threads:
    thread.start()
while CHILDREN.guard.pid is None:
    pass
(base / "guard").write_text(f"{CHILDREN.guard.pid}\\n")
if sys.argv[3:] == ["fork"]:
    while not (base / "1" / "child").exists() or not (base / "2" / "child").exists():
        pass
    if (copy := os.fork()) == 0:
        signal.pause()
    (base / "copy").write_text(f"{copy}\\n")
for thread in threads:
    thread.join()
"""

Drive = Callable[..., subprocess.Popen[bytes]]


@pytest.fixture
def drive(tmp_path: Path) -> Iterator[Drive]:
    """Start a driver that does two simulations: ``drive(script)``; one that forks, too: ``drive(script, "fork")``."""
    started: list[subprocess.Popen[bytes]] = []

    def start(script: str, *more: str) -> subprocess.Popen[bytes]:
        words = [sys.executable, "-c", DRIVER, str(tmp_path), script, *more]
        settings = {**os.environ, "PYTHONPATH": str(ROOT)}
        started.append(subprocess.Popen(words, env=settings, stdout=subprocess.PIPE))
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGHUP])
def test_a_killed_driver_takes_its_simulations_along(drive: Drive, tmp_path: Path, number: signal.Signals) -> None:
    """Children and grandchildren end, and so does the helper."""
    driver = drive("sleep 100 & echo $! > grandchild; echo $$ > child; sleep 100")
    pids = [pid_in(tmp_path / str(id) / name) for id in (1, 2) for name in ("child", "grandchild")]
    helper = pid_in(tmp_path / "guard")
    assert all(map(runs, [*pids, helper]))
    driver.send_signal(number)
    assert driver.communicate(timeout=30)[0] == b""
    assert waited_for(lambda: not any(map(runs, [*pids, helper])))


@pytest.mark.slow
def test_who_does_not_listen_is_killed(drive: Drive, tmp_path: Path) -> None:
    """After a grace, in which nothing holds the driver's standard output open."""
    driver = drive("trap '' TERM HUP; echo $$ > child; while :; do sleep 0.1; done")
    pids = [pid_in(tmp_path / str(id) / "child") for id in (1, 2)]
    helper = pid_in(tmp_path / "guard")
    driver.kill()
    driver.communicate(timeout=30)
    assert runs(helper)
    assert waited_for(lambda: not any(map(runs, pids)))


def test_an_interrupt_at_the_keyboard_leaves_the_helper_at_work(make_job: MakeJob) -> None:
    """It has a group of its own."""
    simulate(make_job("true"))
    helper = CHILDREN.guard.pid
    assert helper is not None
    assert os.getpgid(helper) == helper


def test_children_do_not_hold_the_pipe(make_job: MakeJob) -> None:
    """A child has its three streams open and nothing else: it could not keep the helper from seeing the end."""
    code = """
import os
held = 0
for descriptor in range(3, 256):
    try:
        os.fstat(descriptor)
        held += 1
    except OSError:
        pass
print(held)
"""
    assert simulate(make_job(sys.executable, "-c", code)).objective == "0"


@pytest.mark.slow
def test_a_helper_that_somebody_ended_is_replaced(make_job: MakeJob) -> None:
    """The new one knows what runs, and the old one is no zombie."""
    job = make_job("sh", "-c", "echo $$ > pid; sleep 100", in_folder=True)
    found: list[Answer] = []
    thread = threading.Thread(target=lambda: found.append(simulate(job)))
    thread.start()
    child, helper = pid_in(job.folder / "pid"), CHILDREN.guard.pid
    assert helper is not None
    os.kill(helper, signal.SIGKILL)
    assert waited_for(lambda: not runs(helper))
    assert simulate(make_job("echo", "1", id=18)).objective == "1"
    assert CHILDREN.guard.pid != helper
    with pytest.raises(ProcessLookupError):
        os.kill(helper, 0)
    CHILDREN.guard.close()
    assert waited_for(lambda: not runs(child))
    thread.join(30)
    assert found[0].stopped


def test_a_forked_copy_has_no_part_in_it(make_job: MakeJob) -> None:
    """It ends nothing of the driver's, and does not keep the keepers from seeing the driver's end."""
    job = make_job("sh", "-c", "echo $$ > pid; sleep 100", in_folder=True)
    thread = threading.Thread(target=simulate, args=(job,))
    thread.start()
    child = pid_in(job.folder / "pid")
    copy = os.fork()
    if copy == 0:
        CHILDREN.guard.ready()
        CHILDREN.guard.close()
        os._exit(0)
    assert os.waitpid(copy, 0)[1] == 0
    assert runs(child)
    CHILDREN.guard.close()
    thread.join(30)
    assert not runs(child)


@pytest.mark.slow
def test_a_forked_copy_keeps_nothing_alive(drive: Drive, tmp_path: Path) -> None:
    """It lives on after the driver, whose simulations end all the same."""
    driver = drive("echo $$ > child; sleep 100", "fork")
    pids = [pid_in(tmp_path / str(id) / "child") for id in (1, 2)]
    copy = pid_in(tmp_path / "copy")
    driver.kill()
    try:
        assert waited_for(lambda: not any(map(runs, pids)))
        assert runs(copy)
    finally:
        os.kill(copy, signal.SIGKILL)


def test_nothing_begins_that_could_not_be_ended(make_job: MakeJob, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the helper cannot be started, the simulation is not."""

    def refuse(_: Guard) -> None:
        raise BlockingIOError(11, "Resource temporarily unavailable")

    CHILDREN.guard.close()
    monkeypatch.setattr(Guard, "_start", refuse)
    job = make_job("touch", "begun", in_folder=True)
    with pytest.raises(FileError, match="Resource temporarily unavailable"):
        simulate(job)
    assert not (job.folder / "begun").exists()
