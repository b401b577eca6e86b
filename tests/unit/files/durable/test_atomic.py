"""Replacing a file in one step."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ordbo_cli.errors import FileError
from ordbo_cli.files.durable.atomic import backup_path, create_file, replace_file


def test_the_old_file_becomes_the_backup(tmp_path: Path) -> None:
    """Or gets another name, and the backup before stays."""
    path = tmp_path / "s.json"
    replace_file(path, b"1", keep_as=backup_path(path))
    assert not backup_path(path).exists()
    replace_file(path, b"2", keep_as=backup_path(path))
    assert (path.read_bytes(), backup_path(path).read_bytes()) == (b"2", b"1")
    replace_file(path, b"3", keep_as=tmp_path / "aside")
    assert (path.read_bytes(), backup_path(path).read_bytes()) == (b"3", b"1")
    assert (tmp_path / "aside").read_bytes() == b"2"
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["aside", "s.json", "s.json.bak"]


@pytest.mark.parametrize("name", ["link", "replace", "fsync", "open"])
def test_a_failing_system_call_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """At every step: the old file is whole, no temporary file is left; without hard links a copy is made."""
    path = tmp_path / "s.json"
    replace_file(path, b"1", keep_as=backup_path(path))

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, name, fail)
        if name == "link":
            replace_file(path, b"2", keep_as=backup_path(path))
        else:
            with pytest.raises(FileError, match=r"s\.json: cannot write it: No space left"):
                replace_file(path, b"2", keep_as=backup_path(path))
    assert path.read_bytes() == (b"2" if name == "link" else b"1")
    assert {entry.name for entry in tmp_path.iterdir()} <= {"s.json", "s.json.bak"}


def test_what_killed_writers_left_is_swept_up(tmp_path: Path) -> None:
    """Only files of exactly that pattern; without a lock only old ones, for somebody may be writing a young one."""
    path = tmp_path / "s.json"
    left, other = tmp_path / f".s.json.{'0' * 16}.tmp", tmp_path / ".s.json.mine.tmp"
    left.write_bytes(b"")
    other.write_bytes(b"")
    replace_file(path, b"1")
    assert left.exists()
    os.utime(left, (1e9, 1e9))
    os.utime(other, (1e9, 1e9))
    replace_file(path, b"1")
    assert not left.exists()
    left.write_bytes(b"")
    replace_file(path, b"1", keep_as=backup_path(path), locked=True)
    assert not left.exists()
    assert other.exists()


def test_a_new_file_is_whole_or_not_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that is there stays as it is, also where the file system has no hard links."""

    def refuse(*_: object) -> None:
        raise OSError(95, "Operation not supported")

    create_file(tmp_path / "p.yaml", b"1")
    monkeypatch.setattr(os, "link", refuse)
    create_file(tmp_path / "q.yaml", b"2")
    for name, content in (("p.yaml", b"1"), ("q.yaml", b"2")):
        with pytest.raises(FileExistsError):
            create_file(tmp_path / name, b"3")
        assert (tmp_path / name).read_bytes() == content
    monkeypatch.undo()
    with pytest.raises(FileExistsError):
        create_file(tmp_path / "p.yaml", b"3")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["p.yaml", "q.yaml"]
    with pytest.raises(FileError, match="cannot write it"):
        create_file(tmp_path / "none" / "p.yaml", b"1")


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    """A state that only its owner may read stays so, and a link stays a link."""
    target, link = tmp_path / "real.json", tmp_path / "link.json"
    target.write_bytes(b"1")
    target.chmod(0o640)
    link.symlink_to(target)
    replace_file(link, b"2", keep_as=backup_path(link))
    assert link.is_symlink()
    assert target.read_bytes() == b"2"
    assert target.stat().st_mode & 0o777 == 0o640


def test_new_files_follow_the_umask(tmp_path: Path) -> None:
    """No more is allowed than for any other new file."""
    before = os.umask(0o027)
    try:
        replace_file(tmp_path / "s.json", b"1", keep_as=tmp_path / "bak")
    finally:
        os.umask(before)
    assert (tmp_path / "s.json").stat().st_mode & 0o777 == 0o640


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file away")
def test_the_owner_stays(tmp_path: Path) -> None:
    """Root may lend a hand, and the file is its user's all the same."""
    path = tmp_path / "state"
    path.write_bytes(b"old")
    os.chown(path, 12345, 23456)
    replace_file(path, b"new", keep_as=backup_path(path))
    assert (path.stat().st_uid, path.stat().st_gid, path.read_bytes()) == (12345, 23456, b"new")


def test_extended_attributes_stay(tmp_path: Path) -> None:
    """Access lists are among them."""
    path = tmp_path / "state"
    path.write_bytes(b"old")
    try:
        os.setxattr(path, "user.note", b"kept")
    except (AttributeError, OSError):
        pytest.skip("this file system has no extended attributes")
    replace_file(path, b"new", keep_as=backup_path(path))
    assert os.getxattr(path, "user.note") == b"kept"
