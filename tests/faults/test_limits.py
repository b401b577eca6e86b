"""Limits of memory and threads: an answer, or two lines at once; the loader of OpenBLAS waits for ever instead."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from ordbo_cli import room
from ordbo_cli.cli import main
from ordbo_cli.drive.protocol import Protocol
from ordbo_cli.errors import LimitError
from tests.conftest import Tally

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux holds processes to their address space")

RESULT = "angle=4 blades=4 drag=0.25"
STUDY_ANSWERS = {"best {}": 0, "check {}": 0, "status {}": 0, f"observe {{}} {RESULT}": 0}  # all without linear algebra
NUMERIC = ("suggest {}", "predict {} angle=3 blades=4", "check {} --invariance", "run {} --budget 3 -- echo 1")


def limited(words: str, problem: Path, environment: dict[str, str], **limits: int) -> subprocess.CompletedProcess[str]:
    """Run a command whose process may have so many MB of each kind of memory."""

    def prepare() -> None:
        for kind, megabytes in limits.items():
            resource.setrlimit(getattr(resource, f"RLIMIT_{kind}"), (megabytes << 20, megabytes << 20))

    command = [sys.executable, "-m", "ordbo_cli", *words.format(problem).split()]
    return subprocess.run(command, preexec_fn=prepare, capture_output=True, text=True, env=environment, timeout=30)


@pytest.mark.parametrize("limits", [{"AS": 150}, {"AS": 250}, {"AS": 400}, {"DATA": 60}, {"DATA": 130}], ids=str)
@pytest.mark.parametrize("words", [*NUMERIC, *STUDY_ANSWERS])
def test_little_memory(
    words: str, limits: dict[str, int], shared: Path, environment: dict[str, str], tally: Tally
) -> None:
    """What needs no linear algebra works, the rest says before the import what is missing, and how to allow it."""
    done = limited(words, shared, environment, **limits)
    assert done.returncode == STUDY_ANSWERS.get(words, 74)
    if done.returncode:
        *_, error, hint = done.stderr.splitlines()  # in front of them, which points are out
        assert error.startswith("error: numpy needs")
        assert "Allow more: ulimit -" in hint
    tally("calls with little memory", 1)


def test_the_hint_on_memory_is_enough(shared: Path, environment: dict[str, str]) -> None:
    """Who does what the hint says gets an answer, the same as without a limit."""
    refused = limited("suggest {} --dry-run", shared, environment, AS=250)
    enough = int(refused.stderr.rsplit(" ", 1)[1]) // 1024 + 1
    done = limited("suggest {} --dry-run --threads 4", shared, environment, AS=enough)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == limited("suggest {} --dry-run", shared, environment).stdout


def test_no_memory_for_the_imports(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Where not even the commands can be imported there is a line all the same."""

    class Full:
        def find_spec(self, name: str, *_: object) -> None:
            if name == "ordbo_cli.cli.app":
                raise MemoryError

    monkeypatch.delitem(sys.modules, "ordbo_cli.cli.app", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Full(), *sys.meta_path])
    assert main(["--version"]) == 74
    assert capsys.readouterr().err.startswith("error: the memory does not suffice\nhint: ")


def test_a_table_that_is_too_large(shared: Path, environment: dict[str, str]) -> None:
    """Memory that ends in the middle of the work is said in words, too."""
    shared.with_suffix(".csv").write_text("angle,blades,drag\n" + "".join(f"{k / 1e5},4,{k}\n" for k in range(100_000)))
    done = limited("check {}", shared, environment, AS=40)
    assert (done.returncode, done.stdout) == (74, "")
    assert done.stderr.startswith("error: the memory does not suffice\nhint: Allow more (ulimit -v is 40960)")


def test_serve_answers_in_words(shared: Path, environment: dict[str, str]) -> None:
    """What runs out during a request ends nothing."""

    def open_study() -> None:
        raise MemoryError

    answer = Protocol(open_study, json.dumps).answer(b'{"best": true}')  # type: ignore[arg-type]  # is never opened
    assert json.loads(answer.line)["error"]["status"] == 74
    assert answer.fault is None


def test_threads_are_as_many_as_there_is_room_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each thread of linear algebra needs buffers, for which OpenBLAS would wait for ever; so does the first."""
    for left, threads in ((10_000, 4), (400, 3), (100, 1)):
        monkeypatch.setattr(room, "_limits", lambda left=left: [room._Limit("ulimit -v", 20_000, left, 0)])
        assert room.threads_with_room(4) == threads
    monkeypatch.setattr(room, "_limits", lambda: [room._Limit("ulimit -v", 20_000, 50, 0)])
    with pytest.raises(LimitError, match="memory does not suffice"):
        room.threads_with_room(4)
    monkeypatch.setattr(room, "_limits", list)
    assert room.threads_with_room(4) == 4


def test_errors_of_memory_and_threads_are_told_from_others() -> None:
    """What the loader and Python say is put in words; what is about something else stays what it is."""
    for error in (
        MemoryError(),
        ImportError("libopenblas.so: failed to map segment from shared object"),
        RuntimeError("can't start new thread"),
    ):
        assert room.shortage(error) is not None
    assert room.shortage(ImportError("No module named 'x'")) is None
    assert room.shortage(RuntimeError("odd")) is None
