"""Starting processes, and interrupts while one is watched."""

from __future__ import annotations

import ast
import os
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from ordbo_cli.drive.children import CHILDREN, Children, Ending, Streams
from ordbo_cli.drive.guard import Guard
from ordbo_cli.drive.simulate import simulate
from tests.unit.drive.conftest import MakeJob, pid_in, runs, waited_for


@pytest.fixture
def streams() -> Iterator[Streams]:
    nothing = os.open(os.devnull, os.O_RDWR)
    yield Streams(Path(os.devnull), nothing, nothing)
    os.close(nothing)


def test_nothing_starts_while_a_script_is_written(
    make_job: MakeJob, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A child that is being started holds what is open, and nobody can execute what somebody has open for writing."""
    template = tmp_path / "case.tpl"
    template.write_text("echo 1")
    write, held = Path.write_bytes, []

    def watched(path: Path, content: bytes) -> int:
        if path.name == "case.sh":
            held.append(CHILDREN.starting.locked())
        return write(path, content)

    monkeypatch.setattr(Path, "write_bytes", watched)
    assert simulate(make_job("sh", "{folder}/case.sh", template=template, input="case.sh")).objective == "1"
    assert held == [True]


def test_variables_that_no_shell_can_have_are_handed_on(tmp_path: Path, make_job: MakeJob) -> None:
    """Functions that bash exports, as environment modules do; and nothing is added for the simulator to stumble on."""
    job = make_job(sys.executable, "-c", "import os; print(dict(os.environ)); print(1)")
    env = {"PATH": os.environ["PATH"], "BASH_FUNC_module%%": "() {  echo x\n}", "a.b": "1 2", "C": "$(exit)"}
    with (tmp_path / "out").open("w+b") as out:
        streams = Streams(Path(os.devnull), out.fileno(), out.fileno())
        assert CHILDREN.run(job.command.arguments, streams, cwd=tmp_path, env=env).status == 0
        out.seek(0)
        found = ast.literal_eval(out.readline().decode())
    assert {name: value for name, value in found.items() if name not in {"PWD", "SHLVL", "_", "LC_CTYPE"}} == env


def test_a_child_tells_the_guard_itself(streams: Streams, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A driver that is killed before it gets to say what it started takes that along all the same."""
    children = Children()
    monkeypatch.setattr(Guard, "began", lambda *_: None)
    words = ["sh", "-c", "sleep 100 & echo $! > pid; sleep 100"]
    thread = threading.Thread(
        target=lambda: children.run(words, streams, cwd=tmp_path, env=dict(os.environ)), daemon=True
    )
    thread.start()
    pid = pid_in(tmp_path / "pid")
    children.guard.close()
    assert waited_for(lambda: not runs(pid))
    thread.join(30)


def test_a_guard_that_dies_while_a_child_begins_is_no_matter(
    streams: Streams, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The child cannot tell it, and goes on: the next guard is told by the driver."""
    reading, writing = os.pipe()
    os.close(reading)
    children = Children()
    monkeypatch.setattr(Guard, "ready", lambda _: writing)
    assert children.run(["true"], streams, cwd=tmp_path, env=dict(os.environ)) == Ending("itself", 0)
    children.guard.close()


def test_an_interrupt_ends_what_is_watched(streams: Streams, tmp_path: Path) -> None:
    """In the main thread, where it is raised in the middle of waiting."""
    children = Children()

    def interrupt() -> bool:
        raise KeyboardInterrupt

    words = ["sh", "-c", "echo $$ > pid; sleep 100"]
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
