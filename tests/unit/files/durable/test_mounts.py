"""Locks that hold on one machine alone, and what is done there."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from ordbo_cli.errors import LockTimeoutError
from ordbo_cli.files.durable import lock
from ordbo_cli.files.durable.lock import locked
from ordbo_cli.files.durable.mounts import locks_are_local, mounts_in

LINES = """\
22 1 259:2 / / rw,relatime shared:1 - ext4 /dev/nvme0n1p2 rw,errors=remount-ro
60 22 0:51 / /home rw,relatime shared:30 - nfs4 head:/home rw,vers=4.2,hard,local_lock=none,addr=10.0.0.1
61 22 0:52 / /old rw,relatime - nfs head:/old rw,vers=3,nolock,local_lock=all,addr=10.0.0.1
62 22 0:53 / /half rw,relatime - nfs head:/half rw,vers=3,local_lock=posix,addr=10.0.0.1
63 22 0:54 / /scratch rw,flock - lustre 10.0.0.1@tcp:/scratch rw,flock,lazystatfs
64 22 0:55 / /fast rw - lustre 10.0.0.1@tcp:/fast rw,localflock
65 22 0:56 / /far rw,nosuid - fuse.sshfs me@far:/data rw,user_id=0
66 22 8:17 / /stick rw - fuseblk /dev/sdb1 rw,user_id=0
67 22 0:57 / /share rw - cifs //box/share rw,vers=3.0,nobrl
68 22 0:58 / /with\\040blank rw - tmpfs tmpfs rw
broken line
"""
HOLDER = """
import sys
from pathlib import Path
from ordbo_cli.files.durable.lock import locked
with locked(Path(sys.argv[1]), 5):
    print("held", flush=True)
    sys.stdin.read()
"""
ROOT = Path(__file__).parents[4]


@pytest.mark.parametrize(
    ("device", "local"),
    [
        ("259:2", False), ("0:51", False), ("0:52", True), ("0:53", False), ("0:54", False), ("0:55", True),
        ("0:56", True), ("8:17", False), ("0:57", True), ("0:58", False),
    ],
)  # fmt: skip
def test_which_mounts_keep_their_locks_to_themselves(device: str, local: bool) -> None:
    """By their kind and their options; a line that tells no mount is passed over."""
    mounts = mounts_in(LINES)
    assert len(mounts) == 10
    assert mounts[device].is_local == local


def test_a_lock_that_would_be_local_is_a_file_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While it is held; a process of this machine waits for the system's lock, one of another for the file."""
    path = tmp_path / "s.lock"
    beside = tmp_path / "s.locked"
    with locked(path, 0):
        assert not beside.exists()
    monkeypatch.setattr(lock, "locks_are_local", lambda _: True)
    with locked(path, 0):
        assert beside.exists()
    assert not beside.exists()
    beside.write_text('{"pid": 1, "host": "another node", "since": "2026", "token": "x"}')
    with pytest.raises(LockTimeoutError, match="held by process 1 on another node since 2026"), locked(path, 0.05):
        pytest.fail("another machine holds it")


@pytest.fixture
def nodes(tmp_path: Path) -> Iterator[tuple[Path, Path]]:
    """One folder as two machines see it through a file system that does not hand locks on."""
    if shutil.which("bindfs") is None or not os.access("/dev/fuse", os.W_OK):
        pytest.skip("bindfs, which mounts one folder twice with locks apart, is not here")
    folder, *seen = (tmp_path / name for name in ("disk", "one", "two"))
    for each in (folder, *seen):
        each.mkdir()
    for each in seen:
        subprocess.run(["bindfs", str(folder), str(each)], check=True)
    yield seen[0], seen[1]
    for each in seen:
        subprocess.run(["fusermount", "-u", str(each)], check=True)


def test_two_nodes_of_such_a_file_system_keep_each_other_out(nodes: tuple[Path, Path]) -> None:
    """The system's lock alone would be given to both."""
    one, two = (node / "s.lock" for node in nodes)
    one.touch()
    assert locks_are_local(one)
    command = ["flock", "-n", str(one), "sh", "-c", "echo held; read x"]
    held = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert held.stdout is not None
    assert held.stdout.readline() == "held\n"
    assert subprocess.run(["flock", "-n", str(two), "true"], check=False).returncode == 0
    held.communicate("\n")
    process = subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(one)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert process.stdout is not None
    assert process.stdout.readline() == "held\n"
    with pytest.raises(LockTimeoutError, match=f"held by process {process.pid}"), locked(two, 0.1):
        pytest.fail("the lock was given twice")
    process.communicate("")
    with locked(two, 5):
        pass
