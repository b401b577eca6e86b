"""What a kill or a full disk leaves meets other people: scripts that append, other users, a next call in a hurry."""

from __future__ import annotations

import errno
import json
import os
import sys
from pathlib import Path

import pytest

from ordbo_cli.errors import FileError
from ordbo_cli.files.durable import appending, lock
from ordbo_cli.files.durable.atomic import write_all
from ordbo_cli.files.durable.intent import Intent
from ordbo_cli.files.durable.journal import journal_path, noted
from ordbo_cli.files.durable.lock import locked
from tests.calls import Call
from tests.conftest import Tally
from tests.faults.forked import forked

HEAD = "angle,blades,drag\n1,4,9\n"
OURS = "11.5,7,0.31\n"


def killed_in_the_middle(csv: Path, cut: int) -> None:
    """Leave what a call leaves that dies after some bytes of its append."""
    csv.write_text(HEAD)
    with noted(csv, Intent(len(HEAD), OURS.encode())):
        note = journal_path(csv).read_bytes()
        mode = journal_path(csv).stat().st_mode & 0o777
    with csv.open("a") as file:
        file.write(OURS[:cut])
    journal_path(csv).write_bytes(note)
    journal_path(csv).chmod(mode)


def test_a_script_appends_behind_a_part(ordbo: Call, shared: Path, tally: Tally) -> None:
    """Its row has to stand alone; where that cannot be, or nobody knows, somebody has to be told."""
    csv = shared.with_suffix(".csv")
    wrong = 0
    for cut in range(1, len(OURS)):
        told = False
        killed_in_the_middle(csv, cut)
        with csv.open("a") as script:
            script.write("0.5,4,0.25\n")
        for command in (("best",), ("observe", "angle=3", "blades=3", "drag=7"), ("best",)):
            end = ordbo(command[0], shared, *command[1:])
            told = told or "drag.csv:3:" in end.err
            if command == ("best",) and end.status == 0 and not told:
                wrong += json.loads(end.out)["parameters"]["angle"] != 0.5
    tally("rows of scripts that were misread in silence", wrong)
    assert wrong == 0


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root can give a file away")
def test_another_user_meets_a_part(shared: Path, tally: Tally) -> None:
    """Who may write the evaluations of a colleague does not take a part of a colleague's result for a result."""
    csv = shared.with_suffix(".csv")
    killed_in_the_middle(csv, len("11.5,7,0.3"))
    for path in (csv, journal_path(csv)):
        os.chown(path, 12345, 12345)
    csv.chmod(0o666)
    shared.parent.chmod(0o777)
    commands = (("best", shared), ("observe", shared, "angle=3", "blades=3", "drag=7"), ("best", shared))
    ends = forked("powerless", *commands)
    wrong = sum(status == 0 and '"drag": 0.3}' in out for status, out, _ in ends)
    tally("parts of results taken for results", wrong)
    assert wrong == 0


def test_a_full_disk_when_the_lock_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message names the file, and the lock is free for the next call."""
    monkeypatch.setattr(lock, "_try_flock", lambda _: OSError(errno.ENOLCK, "No locks available"))
    path = tmp_path / "s.lock"

    def fill(descriptor: int, content: bytes) -> None:
        os.write(descriptor, content[:50])
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(lock, "write_all", fill)
        with pytest.raises(FileError, match=r"s\.lock"), locked(path, 0):
            pytest.fail("the lock was given without a signature")
    with locked(path, 0):
        assert (tmp_path / "s.locked").exists()
    assert not (tmp_path / "s.locked").exists()


def test_a_full_disk_takes_back_only_what_is_ours(ordbo: Call, shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A script that got its row in behind our half keeps it."""
    csv = shared.with_suffix(".csv")
    csv.write_text(HEAD)

    def fill(descriptor: int, content: bytes) -> None:
        os.write(descriptor, content[:3])
        with csv.open("a") as script:
            script.write("\n0.5,4,0.25\n")
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(appending, "write_all", fill)
    end = ordbo("observe", shared, "angle=11.5", "blades=7", "drag=0.31")
    assert end.status == 74
    assert "drag.csv: cannot append to it: No space left" in end.err
    assert csv.read_text().startswith(HEAD)
    assert "\n0.5,4,0.25\n" in csv.read_text()


def test_a_script_that_is_quicker(ordbo: Call, shared: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A row that arrives after the last look at the file, and before ours is written, is not written over."""
    csv = shared.with_suffix(".csv")
    csv.write_text(HEAD)

    def late(descriptor: int, content: bytes) -> None:
        with csv.open("a") as script:
            script.write("0.5,4,0.25\n")
        write_all(descriptor, content)

    monkeypatch.setattr(appending, "write_all", late)
    assert ordbo("observe", shared, "angle=11.5", "blades=7", "drag=0.31").status == 0
    assert csv.read_text() == HEAD + "0.5,4,0.25\n" + OURS


def test_a_lock_that_changes_hands_is_not_robbed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two looks at a dead process's lock a living one may have taken it."""
    held = tmp_path / "s.locked"
    held.write_text("{}")
    looks = iter([True, False])
    monkeypatch.setattr(lock, "_abandoned", lambda _: next(looks))
    lock._evict_dead(held)
    assert held.exists()
    assert next(looks, None) is None, "nobody looked again"
    assert os.listdir(tmp_path) == ["s.locked"]


def test_one_thief_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one process clears a dead one's lock away, another leaves it alone."""
    held, guard = tmp_path / "s.locked", tmp_path / "s.locked.guard"
    held.write_text("{}")
    guard.write_text("")
    monkeypatch.setattr(lock, "_abandoned", lambda _: True)
    lock._evict_dead(held)
    assert held.exists()
    assert guard.exists()


def test_only_our_own_lock_is_given_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who was taken for dead, and lives, leaves the lock of the one who came after."""
    monkeypatch.setattr(lock, "_try_flock", lambda _: OSError(errno.ENOLCK, "No locks available"))
    held = tmp_path / "s.locked"
    with locked(tmp_path / "s.lock", 0):
        held.write_text('{"pid": 1}')
    assert held.read_text() == '{"pid": 1}'
