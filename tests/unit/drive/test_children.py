"""Starting processes while others are started, and interrupts while one is watched."""

from __future__ import annotations

import errno
import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.drive.children import CHILDREN, Children, Ending, Streams
from tests.unit.drive.conftest import pid_in, runs


@pytest.fixture
def streams() -> Iterator[Streams]:
    nothing = os.open(os.devnull, os.O_RDWR)
    yield Streams(nothing, nothing, nothing)
    os.close(nothing)


def test_a_program_that_is_being_written_is_tried_again(
    streams: Streams, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another thread's child holds a script open for an instant, between its fork and its exec."""
    start, refusals = subprocess.Popen, [errno.ETXTBSY] * 3

    def busy(words: Any, **options: Any) -> Any:
        if refusals and words[0] == "true":
            raise OSError(refusals.pop(), "Text file busy")
        return start(words, **options)

    monkeypatch.setattr("ordbo_cli.drive.children.subprocess.Popen", busy)
    assert CHILDREN.run(["true"], streams, cwd=tmp_path, env=dict(os.environ)) == Ending("itself", 0)
    assert refusals == []


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
