"""One lock around every read, change and write."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ordbo_cli.errors import FileError, LockTimeoutError
from ordbo_cli.files.durable import lock
from ordbo_cli.files.durable.lock import locked

HOLDER = """
import sys, time
from pathlib import Path
from ordbo_cli.files.durable.lock import locked
with locked(Path(sys.argv[1]), 5):
    print("held", flush=True)
    sys.stdin.read()
"""
ROOT = Path(__file__).parents[4]


@pytest.fixture(params=["flock", "fallback"])
def kind(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run a test with the system's lock, and with the one for file systems that have none."""
    if request.param == "fallback":
        monkeypatch.setattr(lock, "_try_flock", lambda _: OSError(errno.ENOLCK, "No locks available"))
    return str(request.param)


def hold(path: Path) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    return process


def test_a_held_lock_times_out_and_names_its_holder(tmp_path: Path) -> None:
    """Process, host and since when; once that is gone the lock is free."""
    path = tmp_path / "s.lock"
    process = hold(path)
    with (
        pytest.raises(LockTimeoutError, match=rf"s\.lock: still held by process {process.pid} on .+ since 20"),
        locked(path, 0.05),
    ):
        pytest.fail("the lock was given twice")
    process.communicate("")
    with locked(path, 0):
        pass


def test_a_killed_holder_frees_the_lock(tmp_path: Path) -> None:
    """The system takes it back."""
    path = tmp_path / "s.lock"
    process = hold(path)
    process.kill()
    process.communicate()
    with locked(path, 5):
        pass


@pytest.mark.parametrize("replace", [False, True])
def test_a_lock_file_that_is_taken_away_while_it_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, replace: bool
) -> None:
    """Who locks a file that the next one does not find holds nobody up: he locks the one that is there."""
    path, plain = tmp_path / "s.lock", lock._try_flock
    looks: list[int] = []

    def late(descriptor: int) -> OSError | None:
        if not looks:
            path.unlink()
            if replace:
                path.write_text("")
        looks.append(descriptor)
        return plain(descriptor)

    monkeypatch.setattr(lock, "_try_flock", late)
    with locked(path, 0):
        assert looks == looks[:1] * 2
        assert json.loads(path.read_text())["pid"] == os.getpid()
        with pytest.raises(LockTimeoutError), locked(path, 0):
            pytest.fail("the lock was given twice")


@pytest.mark.slow
def test_one_thread_at_a_time(tmp_path: Path, kind: str) -> None:
    """A counter that is read and written under the lock loses nothing."""
    path, counter = tmp_path / "s.lock", tmp_path / "n"
    counter.write_text("0")

    def work() -> None:
        for _ in range(20):
            with locked(path, 60):
                counter.write_text(str(int(counter.read_text()) + 1))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.read_text() == "80", kind


def test_the_fallback_takes_over_from_the_dead_only(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file of a dead process of this machine is taken over; of another machine, or broken, it is not."""
    monkeypatch.setattr(lock, "_try_flock", lambda _: OSError(errno.ENOLCK, "No locks available"))
    path, held = tmp_path / "s.lock", tmp_path / "s.locked"
    dead = subprocess.Popen([sys.executable, "-c", ""])
    dead.wait()
    signature = json.loads(lock._signature()) | {"pid": dead.pid}
    held.write_text(json.dumps(signature))
    with locked(path, 5):
        assert json.loads(held.read_text())["pid"] == os.getpid()
    assert not held.exists()
    for content in (json.dumps(signature | {"host": "elsewhere"}), "", "[1]", json.dumps({"pid": "x"})):
        held.write_text(content)
        with pytest.raises(LockTimeoutError), locked(path, 0.02):
            pytest.fail("a living process was robbed")
        assert held.read_text() == content


def test_a_lock_file_that_nobody_signed_is_taken_over_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its maker was killed before it could sign; a young one may be about to be signed."""
    monkeypatch.setattr(lock, "fcntl", None)
    path = tmp_path / "s.lock"
    unsigned = tmp_path / "s.locked"
    unsigned.touch()
    with pytest.raises(LockTimeoutError, match="another process"), locked(path, 0.05):
        pytest.fail("the lock was taken")
    os.utime(unsigned, (1e9, 1e9))
    with locked(path, 0.05):
        assert json.loads(unsigned.read_bytes())["pid"] == os.getpid()
    assert not unsigned.exists()


def test_a_dead_thief_is_not_waited_for_for_ever(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A guard file that is older than any thief is removed."""
    monkeypatch.setattr(lock, "_try_flock", lambda _: OSError(errno.ENOLCK, "No locks available"))
    monkeypatch.setattr(lock, "_dead", lambda holder: holder.get("pid") == -1)
    held, guard = tmp_path / "s.locked", tmp_path / "s.locked.guard"
    held.write_text('{"pid": -1}')
    guard.write_text("")
    os.utime(guard, (0, 0))
    with locked(tmp_path / "s.lock", 5):
        assert not guard.exists()


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """The system's refusal is no time-out."""
    with pytest.raises(FileError, match="cannot lock it"), locked(tmp_path / "none" / "s.lock", 5):
        pytest.fail("the lock is nowhere")


def test_a_link_in_the_locks_place_is_not_followed(tmp_path: Path) -> None:
    """Nobody can have another's file overwritten through a lock file in a shared folder."""
    victim, path = tmp_path / "victim", tmp_path / "s.lock"
    victim.write_text("precious")
    path.symlink_to(victim)
    with pytest.raises(FileError), locked(path, 5):
        pytest.fail("a link was followed")
    assert victim.read_text() == "precious"
