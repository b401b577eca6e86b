"""Lines that are appended are in the file that the name leads to, whatever others do to it: all of them, each once."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import pytest

from ordbo_cli.errors import FileError, OvertakenError
from ordbo_cli.files.durable import appending
from ordbo_cli.files.durable.appending import append_bytes
from ordbo_cli.files.durable.atomic import Replacement, backup_path, put, watched
from ordbo_cli.files.durable.intent import Intent
from ordbo_cli.files.durable.journal import noted
from ordbo_cli.files.tables.evaluations import Evaluations
from ordbo_cli.files.tables.table import append_rows, cells_of
from ordbo_cli.problem import Parameter, Problem
from ordbo_cli.study.reading.holding import lock_path
from ordbo_cli.study.study import Study
from tests.faults.replaced import renamed_over

Writer = Callable[[str | bytes], Path]
Meanwhile = Callable[[Callable[[], object]], None]

PROBLEM = Problem((Parameter("x", 0, 9),), "y")
HEAD = b"x,y\n1,5\n"
ROWS = b"2,0.31\n3,0.47\n"


@pytest.fixture
def afterwards(monkeypatch: pytest.MonkeyPatch) -> Meanwhile:
    """Let others do something once, between a write and the look at what became of it."""
    left: list[Callable[[], object]] = []

    @contextlib.contextmanager
    def disturbed(path: Path, intent: Intent) -> Iterator[None]:
        with noted(path, intent):
            yield
        if left:
            left.pop()()

    monkeypatch.setattr(appending, "noted", disturbed)
    return left.append


@pytest.mark.parametrize(
    ("by_others", "found"),
    [
        (HEAD, HEAD + ROWS),  # read before the write
        (HEAD + ROWS, HEAD + ROWS),  # read after it: nothing is doubled
        (HEAD + ROWS[:3], HEAD + ROWS),  # in the midst of it
        (HEAD + ROWS[:-1], HEAD + ROWS),
        (HEAD + ROWS[:7], HEAD + ROWS),  # between two rows
        (HEAD[:-1], HEAD + ROWS),
        (HEAD + b"7,7\n", HEAD + b"7,7\n" + ROWS),
        (HEAD[:4], HEAD[:4] + ROWS),  # rows taken out
        (b"x,y\n2.0,0.310\n1,5\n3,0.47\n", b"x,y\n2.0,0.310\n1,5\n3,0.47\n"),  # sorted, and spelt anew
        (b"x,y\r\n1,5\r\n2,0.31\r\n", b"x,y\r\n1,5\r\n2,0.31\r\n3,0.47\n"),
        (b"", ROWS),
    ],
)
@pytest.mark.parametrize("in_place", [False, True])
def test_a_file_that_is_replaced_gets_what_it_lacks(
    csv: Writer, afterwards: Meanwhile, by_others: bytes, found: bytes, in_place: bool
) -> None:
    """By rename, or written anew in its place."""
    path = csv(HEAD)
    afterwards(lambda: path.write_bytes(by_others) if in_place else renamed_over(path, by_others))
    append_bytes(path, ROWS)
    assert path.read_bytes() == found
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_an_equal_row_that_was_there_before_does_not_count(csv: Writer, afterwards: Meanwhile) -> None:
    """The same result twice is two results: where rows may come again, they count."""
    path = csv(HEAD + ROWS)
    afterwards(lambda: renamed_over(path, HEAD + ROWS))
    append_bytes(path, ROWS)
    assert path.read_bytes() == HEAD + ROWS + ROWS


def test_a_link_is_followed_to_the_file_that_it_leads_to_by_then(
    csv: Writer, tmp_path: Path, afterwards: Meanwhile
) -> None:
    """sed -i puts a file in the place of a link."""
    target = csv(HEAD)
    path = tmp_path / "link.csv"
    path.symlink_to(target)
    append_bytes(path, b"4,4\n")
    assert target.read_bytes() == HEAD + b"4,4\n"
    afterwards(lambda: renamed_over(path, HEAD))
    append_bytes(path, ROWS)
    assert path.read_bytes() == HEAD + ROWS


def test_a_file_that_is_replaced_for_ever_is_given_up(csv: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody is told that a row is there which is not."""
    path = csv(HEAD)

    @contextlib.contextmanager
    def disturbed(where: Path, intent: Intent) -> Iterator[None]:
        yield
        renamed_over(where, HEAD)

    monkeypatch.setattr(appending, "noted", disturbed)
    monkeypatch.setattr(appending, "_PATIENCE", 0.05)
    with pytest.raises(FileError, match="cannot append to it: others replace it again and again"):
        append_bytes(path, ROWS)


@pytest.mark.parametrize("header", [b"y,x\n5,1\n", b"x,y,note\n1,5,\n", b"x;y\n1;5\n", None])
def test_rows_are_laid_out_for_the_columns_that_are_there(csv: Writer, header: bytes | None) -> None:
    """Between reading and appending somebody gives the file other columns, or takes it away."""
    path = csv(HEAD)
    table = Evaluations(path, PROBLEM).table()
    if header is None:
        path.unlink()
    else:
        renamed_over(path, header)
    with pytest.raises(OvertakenError, match="somebody has written to it meanwhile"):
        append_rows(table, PROBLEM, [cells_of(table, PROBLEM, None, {"x": 4.0}, "1", "ok")])
    assert (path.read_bytes() if header else None) == header
    assert path.exists() == bool(header)


@pytest.mark.slow
@pytest.mark.parametrize("columns", [b"blades,drag,angle\n4,9,1\n", b"angle;blades;drag;note\n1;4;9;\n", None])
def test_a_result_is_recorded_in_the_columns_that_come_meanwhile(
    study: Study, afterwards: Meanwhile, columns: bytes | None
) -> None:
    """The files are read again, and what is acknowledged is there."""
    path = study.evaluations_path
    path.write_bytes(b"angle,blades,drag\n1,4,9\n")
    afterwards(path.unlink if columns is None else lambda: renamed_over(path, columns))
    assert study.tell(0.25, parameters={"angle": 3, "blades": 5}).new
    status = study.status()
    assert (status.ranking[0].objective, status.ok) == (Decimal("0.25"), 1 + bool(columns))


@pytest.mark.slow
def test_a_last_look_is_taken_when_the_call_ends(study: Study, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file may be replaced while the state is written, and when the lock is free again."""
    study.tell(0.25, parameters={"angle": 3, "blades": 5})
    path = study.evaluations_path
    before, close, lock = path.read_bytes(), os.close, lock_path(study.file)
    replaced: list[int] = []

    def late(descriptor: int) -> None:
        of_lock = os.path.samestat(os.fstat(descriptor), lock.stat())
        if of_lock and not replaced and b"pending" in path.read_bytes():
            replaced.append(descriptor)
            renamed_over(path, before)
        close(descriptor)

    monkeypatch.setattr(os, "close", late)
    study.ask(append=True)
    assert replaced
    assert path.read_bytes().startswith(before)
    assert b"pending" in path.read_bytes()[len(before) :]


def test_a_state_is_written_again_where_the_one_before_comes_back(tmp_path: Path) -> None:
    """What another call has made of it since stays."""
    path = tmp_path / "s.json"
    path.write_bytes(b"1")
    with watched() as puts:
        put(Replacement(path, b"2", backup_path(path)))
    assert (path.read_bytes(), backup_path(path).read_bytes()) == (b"2", b"1")
    (state,) = puts
    for strange in (b"1", None):
        path.unlink()
        if strange:
            renamed_over(path, strange)
        assert not state.stands()
        state.make()
        assert path.read_bytes() == b"2"
    renamed_over(path, b"3")
    assert state.stands()
    state.make()
    assert path.read_bytes() == b"3"
