"""An append that was cut counts for nothing until the next writer completes it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.errors import DataError
from ordbo_cli.files.durable.intent import Intent
from ordbo_cli.files.durable.journal import intent_of, journal_path, noted, settle
from ordbo_cli.files.tables.evaluations import Evaluations
from ordbo_cli.files.tables.table import append_rows, cells_of
from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.study.study import Study

Writer = Callable[[str | bytes], Path]

PROBLEM = Problem((Parameter("x", 0, 9),), "y")
HEAD = b"x,y\n1,5\n"
ROWS = b"2,0.31\n3,0.47\n"


def killed_in_the_middle(path: Path, rows: bytes, cut: int) -> None:
    """Leave what a process leaves that dies after some bytes of an append."""
    before = path.stat().st_size
    with noted(path, Intent(before, rows)):
        note = journal_path(path).read_bytes()
    with path.open("ab") as file:
        file.write(rows[:cut])
    journal_path(path).write_bytes(note)


@pytest.mark.parametrize("cut", range(len(ROWS) + 1))
def test_an_append_cut_anywhere_is_all_or_nothing(csv: Writer, cut: int) -> None:
    """Readers see none of a part; a writer completes it; nothing and everything are left as they are."""
    path = csv(HEAD)
    killed_in_the_middle(path, ROWS, cut)
    seen = len(Evaluations(path, PROBLEM).table().rows)
    assert seen == (3 if cut == len(ROWS) else 1)
    settle(path)
    assert path.read_bytes() == (HEAD if cut == 0 else HEAD + ROWS)
    assert not journal_path(path).exists()


def test_a_kill_between_note_and_append_needs_no_mending(csv: Writer) -> None:
    """The note is dropped by the next append, whose rows alone arrive."""
    path = csv(HEAD)
    killed_in_the_middle(path, ROWS, 0)
    settle(path)
    table = Evaluations(path, PROBLEM).table()
    append_rows(table, PROBLEM, [cells_of(table, PROBLEM, None, {"x": 4.0}, "1", "ok")])
    assert path.read_bytes() == HEAD + b"4.0,1\n"
    assert not journal_path(path).exists()


@pytest.mark.parametrize("cut", range(1, 40))
def test_a_note_that_is_cut_counts_for_nothing(csv: Writer, cut: int) -> None:
    """It was being written: the append had not begun."""
    path = csv(HEAD)
    killed_in_the_middle(path, ROWS, 0)
    journal_path(path).write_bytes(journal_path(path).read_bytes()[:-cut])
    assert intent_of(path) is None
    settle(path)
    assert path.read_bytes() == HEAD
    assert not journal_path(path).exists()


@pytest.mark.parametrize("mended", [b"7,7\n", ROWS[:7] + b"7,7\n", ROWS + b"7,7\n"])
def test_rows_of_others_behind_a_part_are_left_to_people(csv: Writer, mended: bytes) -> None:
    """Nobody can tell them apart: reading and writing wait until somebody has looked."""
    path = csv(HEAD)
    killed_in_the_middle(path, ROWS, 3)
    path.write_bytes(path.read_bytes() + b"7,7\n")
    for _ in range(2):
        with pytest.raises(DataError, match=r"drag.csv:3:1: ordbo was stopped while it wrote here"):
            Evaluations(path, PROBLEM).table()
        settle(path)
    assert path.read_bytes() == HEAD + ROWS[:3] + b"7,7\n"
    path.write_bytes(HEAD + mended)
    settle(path)
    assert path.read_bytes() == HEAD + mended
    assert not journal_path(path).exists()


@pytest.mark.parametrize("end", [b"\n", b"\r\n", b""])
@pytest.mark.parametrize("row", [b"7,7", b"2,0.37", b"2,0.310", b"2,0.31", b"2.5,0.31", b"2.0,0.5"])
def test_a_sound_row_in_the_place_of_a_row_that_was_not_written(study: Study, row: bytes, end: bytes) -> None:
    """It may begin alike: it is read, nothing is doubled or added, and a warning says where to look."""
    path = study.evaluations_path
    path.write_bytes(b"angle,drag,blades\n1,5,4\n")
    killed_in_the_middle(path, b"2,0.31,4\n", 0)
    path.write_bytes(path.read_bytes() + row + b",4" + end)
    sound = path.read_bytes()
    unended = (row, end) == (b"2,0.31", b"")  # which may be ours but for its end, and is seen once it has got that
    status = study.status()
    assert status.ok == 2 - unended
    told = [warning for warning in status.warnings if "drag.csv:3:1" in warning]
    assert study.tell(0.75, parameters={"angle": 3, "blades": 5}).new
    assert bool(told) == (row not in (b"7,7", b"2,0.31"))
    assert path.read_bytes().replace(b"\r", b"") == (sound.rstrip() + b"\n3.0,0.75,5\n").replace(b"\r", b"")
    assert not journal_path(path).exists()
    status = study.status()
    assert (status.ok, status.warnings) == (3, ())


@pytest.mark.parametrize("above", [b"x,y\n", b"x,y\n1,5\n8,8\n9,9\n", b"# y\nx,y\n1,5.0\n"])
def test_a_part_is_found_wherever_the_file_ends_by_now(csv: Writer, above: bytes) -> None:
    """Rows above were taken out, edited, or arrived just before the part."""
    path = csv(HEAD)
    killed_in_the_middle(path, ROWS, 5)
    path.write_bytes(above + ROWS[:5])
    assert len(Evaluations(path, PROBLEM).table().rows) == above.count(b"\n") - 1 - above.count(b"#")
    settle(path)
    assert path.read_bytes() == above + ROWS
    assert not journal_path(path).exists()


@pytest.mark.parametrize("content", [b"1,2\n1,2\n", b"1,2\n1,2\n1,2\n", b"1,2\n1,2\n7,7\n1,2\n"])
def test_rows_that_stand_are_not_added_again(csv: Writer, content: bytes) -> None:
    """A batch may hold a row twice, and a script may write one of them once more."""
    path = csv(HEAD)
    killed_in_the_middle(path, b"1,2\n1,2\n", 0)
    path.write_bytes(HEAD + content)
    settle(path)
    assert path.read_bytes() == HEAD + content


def test_a_last_row_without_an_end_is_no_part(csv: Writer) -> None:
    """It was there before, and begins as ours: nothing is added to it."""
    path = csv(HEAD[:-1])
    killed_in_the_middle(path, b"\n1,55\n", 0)
    settle(path)
    assert path.read_bytes() == HEAD[:-1]


@pytest.mark.parametrize("note", ['{"before": 3, "content": ""}', '{"before": -9, "content": "2,7\\n"}', "[]", "7"])
def test_a_note_of_nonsense_counts_for_nothing(csv: Writer, note: str) -> None:
    """Whoever wrote it."""
    path = csv(HEAD)
    journal_path(path).write_text(note)
    assert len(Evaluations(path, PROBLEM).table().rows) == 1
    settle(path)
    assert path.read_bytes() == HEAD
    assert not journal_path(path).exists()


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root can give a file away")
def test_a_strangers_note_is_not_believed(csv: Writer) -> None:
    """In a shared folder anybody can leave one, and it would write into the evaluations."""
    path = csv(HEAD)
    killed_in_the_middle(path, ROWS, 3)
    os.chown(journal_path(path), 12345, 12345)
    assert intent_of(path) is None
    settle(path)
    assert path.read_bytes() == HEAD + ROWS[:3]


def test_a_link_in_the_notes_place_is_not_followed(csv: Writer, tmp_path: Path) -> None:
    """Neither when it is read nor when it is written."""
    path, other = csv(HEAD), tmp_path / "other"
    other.write_text('{"before": 3, "content": "x,y\\n1"}')
    journal_path(path).symlink_to(other)
    assert intent_of(path) is None
    table = Evaluations(path, PROBLEM).table()
    append_rows(table, PROBLEM, [cells_of(table, PROBLEM, None, {"x": 4.0}, "1", "ok")])
    assert other.read_text() == '{"before": 3, "content": "x,y\\n1"}'


def test_the_next_call_goes_on_from_a_part(study: Study, search: Any) -> None:
    """The torn row is completed before anything is read: its id is not given again."""
    study.ask(append=True)
    path = study.evaluations_path
    killed_in_the_middle(path, b"2,1.5,4,2.0,,pending\n", 9)
    assert [waiting.id for waiting in study.status().waiting] == [1]
    assert study.ask(append=True).id == 3
    assert [waiting.id for waiting in study.status().waiting] == [1, 2, 3]
