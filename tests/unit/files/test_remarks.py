"""The list of notes and seconds beside a table: what is read of it whatever it holds, and what is never written to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from ordbo_cli.errors import FileError
from ordbo_cli.files.remarks import About, keep_remarks, read_remarks
from ordbo_cli.files.values.remark import Remark

BROKE = (About(7, "failed"), Remark("the mesh broke", 1.5))


def test_the_newest_remark_counts(tmp_path: Path) -> None:
    """On each id and status, or each point and status."""
    path = tmp_path / "p.notes.jsonl"
    assert read_remarks(path) == {}
    keep_remarks(path, [BROKE, (About.of(None, (0.1, 3), "ok"), Remark("", 2.0))])
    keep_remarks(path, [(About(7, "failed"), Remark("no licence")), (About(7, "ok"), Remark())])
    assert read_remarks(path) == {
        About(7, "failed"): Remark("no licence"),
        About("0.1 3", "ok"): Remark("", 2.0),
        About(7, "ok"): Remark(),
    }


def test_what_is_no_remark_is_passed_over(tmp_path: Path) -> None:
    """Lines that are cut, of other shapes, or no text; the next remark stands in a line of its own."""
    path = tmp_path / "p.notes.jsonl"
    path.write_bytes(
        b'[1]\n{}\nnull\n\xff\xfe\n{"about": [], "status": "ok", "note": "", "seconds": 1}\n'
        b'{"about": 1, "status": "ok", "note": 3, "seconds": 1}\n'
        b'{"about": 1, "status": "ok", "note": "", "seconds": "x"}\n'
        b'{"about": 1, "status": "ok", "note": "", "seconds": -1}\n{"about": 2, "status": "fai'
    )
    keep_remarks(path, [BROKE])
    assert read_remarks(path) == dict([BROKE])


def test_notes_are_cut_when_they_are_read(tmp_path: Path) -> None:
    """Somebody may have written a log into the list."""
    path = tmp_path / "p.notes.jsonl"
    keep_remarks(path, [(About(1, "failed"), Remark("x" * 1000))])
    (remark,) = read_remarks(path).values()
    assert len(remark.note) == 200


def test_a_link_and_a_pipe_are_refused(tmp_path: Path) -> None:
    """Others may have put them there, in a folder of all: nothing behind a link is touched, no pipe is waited for."""
    canary, path = tmp_path / "canary", tmp_path / "p.notes.jsonl"
    canary.write_text("alive")
    path.symlink_to(canary)
    with pytest.raises(FileError, match="cannot append"):
        keep_remarks(path, [BROKE])
    assert canary.read_text() == "alive"
    path.unlink()
    os.mkfifo(path)
    with pytest.raises(FileError):
        keep_remarks(path, [BROKE])
