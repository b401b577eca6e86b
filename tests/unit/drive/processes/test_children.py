"""Starting processes, and interrupts while one is watched."""

from __future__ import annotations

import ast
import dataclasses
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ordbo_cli.drive.processes.children import CHILDREN, ChildEnding, Children, Streams
from ordbo_cli.drive.processes.guard import Guard
from ordbo_cli.drive.simulation.run_folder import RunFolder
from ordbo_cli.drive.simulation.simulate import simulate
from ordbo_cli.errors import FileError
from tests.unit.drive.conftest import MakeJob, pid_in, runs, waited_for


@pytest.fixture
def streams(tmp_path: Path) -> Iterator[Streams]:
    """No input, and the files ``out`` and ``err``."""
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT
    three = [os.open(os.devnull, os.O_RDONLY), *(os.open(tmp_path / name, flags) for name in ("out", "err"))]
    yield Streams(*three)
    for descriptor in three:
        os.close(descriptor)


def test_nothing_starts_while_a_script_is_written(
    make_job: MakeJob, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child that is being started holds what is open, and nobody can execute what somebody has open for writing."""
    template = tmp_path / "case.tpl"
    template.write_text("echo 1")
    write, held = RunFolder.write, []

    def watched(folder: RunFolder, name: str, content: bytes, mode: int | None = None) -> None:
        if name == "case.sh":
            held.append(CHILDREN.starting.locked())
        write(folder, name, content, mode)

    monkeypatch.setattr(RunFolder, "write", watched)
    assert simulate(make_job("sh", "{folder}/case.sh", template=template, input="case.sh")).objective == "1"
    assert held == [True]


def test_variables_that_no_shell_can_have_are_handed_on(tmp_path: Path, streams: Streams) -> None:
    """Functions that bash exports, as environment modules do; and nothing is added for the simulator to stumble on."""
    words = [sys.executable, "-c", "import os; print(dict(os.environ))"]
    env = {"PATH": os.environ["PATH"], "BASH_FUNC_module%%": "() {  echo x\n}", "a.b": "1 2", "C": "$(exit)"}
    env |= {"bytes": "\udcff"}
    assert Children().run(words, streams, cwd=tmp_path, env=env).status == 0
    found = ast.literal_eval((tmp_path / "out").read_text())
    assert {name: value for name, value in found.items() if name != "LC_CTYPE"} == env


def test_a_helper_that_is_ended_while_a_child_begins_is_no_matter(
    streams: Streams, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another one starts it, once."""
    children, ready = Children(), Guard.ready
    kills: list[int] = []

    def killed(guard: Guard) -> socket.socket:
        control = ready(guard)
        if len(kills) < 2:
            assert guard.pid is not None
            os.kill(guard.pid, signal.SIGKILL)
            kills.append(guard.pid)
        return control

    monkeypatch.setattr(Guard, "ready", killed)
    words = ["sh", "-c", "echo begun"]
    assert children.run(words, streams, cwd=tmp_path, env=dict(os.environ)) == ChildEnding("itself", 0)
    assert (tmp_path / "out").read_text() == "begun\n"
    assert len(kills) == 2
    children.guard.close()


def test_helpers_that_are_all_ended_are_an_error(
    streams: Streams, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is tried for ever."""
    mine, theirs = socket.socketpair()
    theirs.close()
    monkeypatch.setattr(Guard, "ready", lambda _: mine)
    with mine, pytest.raises(BlockingIOError, match="ended again and again"):
        Children().run(["true"], streams, cwd=tmp_path, env=dict(os.environ))


@pytest.mark.slow
def test_a_stopped_helper_is_no_matter(streams: Streams, tmp_path: Path) -> None:
    """It is woken, and so is a stopped keeper."""
    children = Children()
    children.guard.ready()
    assert children.guard.pid is not None
    os.kill(children.guard.pid, signal.SIGSTOP)
    words = ["sh", "-c", "kill -STOP $PPID; sleep 0.2; echo $PPID"]
    assert children.run(words, streams, cwd=tmp_path, env=dict(os.environ)) == ChildEnding("itself", 0)
    children.guard.close()


@pytest.mark.slow
def test_a_keeper_that_is_ended_is_an_error(streams: Streams, tmp_path: Path) -> None:
    """It is no property of the point: nothing is recorded, and nothing goes on."""
    children = Children()
    words = ["sh", "-c", "setsid sleep 100 & echo $! > pid; sleep 0.2; kill -KILL $PPID; sleep 100"]
    with pytest.raises(FileError, match="somebody has ended the process that keeps a simulation"):
        children.run(words, streams, cwd=tmp_path, env=dict(os.environ))
    assert waited_for(lambda: not runs(pid_in(tmp_path / "pid")))
    children.guard.close()


def test_a_full_disk_is_an_error(streams: Streams, tmp_path: Path) -> None:
    """What a simulation printed could not be written: that is no answer."""
    read_only = os.open(tmp_path / "out", os.O_RDONLY)
    try:
        with pytest.raises(FileError, match="stdout: what a simulation prints cannot be written: Bad file descriptor"):
            Children().run(
                ["echo", "1"], dataclasses.replace(streams, stdout=read_only), cwd=tmp_path, env=dict(os.environ)
            )
    finally:
        os.close(read_only)


@pytest.mark.slow
def test_an_interrupt_ends_what_is_watched(streams: Streams, tmp_path: Path) -> None:
    """In the main thread, where it is raised in the middle of waiting."""
    children = Children()

    def interrupt() -> bool:
        raise KeyboardInterrupt

    words = ["sh", "-c", "setsid sleep 100 & echo $! > pid; sleep 100"]
    with pytest.raises(KeyboardInterrupt):
        children.run(words, streams, cwd=tmp_path, env=dict(os.environ), superseded=interrupt)
    assert not runs(pid_in(tmp_path / "pid"))
    children.guard.close()


def test_ending_one_run_leaves_the_others() -> None:
    """After the end of all, none begins before a reset."""
    children = Children()
    children.end(run="another")
    assert not children.stopping()
    children.end(grace=100)
    assert children.stopping()
    children.reset()
    assert not children.stopping()
