"""Appending rows: never a byte of what is there is changed."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ordbo_cli.errors import DataError, FileError
from ordbo_cli.files.durable import appending
from ordbo_cli.files.durable.intent import Intent
from ordbo_cli.files.tables.evaluations import Evaluations
from ordbo_cli.files.tables.table import Status, append_rows, cells_of
from ordbo_cli.problem import Fixed, Number, Parameter, Problem

Writer = Callable[[str | bytes], Path]

PROBLEM = Problem((Parameter("angle", 0, 12), Parameter("blades", 3, 9, type="int"), Fixed("wall, x", "s a")), "drag")
POINT: dict[str, Number | str] = {"angle": 1.5, "blades": 4, "wall, x": "s a"}


def add(path: Path, objective: str = "0.25", status: Status = "ok", id: int | None = 7) -> bytes:
    """Append one row, and return the bytes that were added."""
    before = path.read_bytes() if path.exists() else b""
    table = Evaluations(path, PROBLEM).table()
    append_rows(table, PROBLEM, [cells_of(table, PROBLEM, id, POINT, objective, status)])
    after = path.read_bytes()
    assert after.startswith(before)
    assert len(Evaluations(path, PROBLEM).table().rows) == len(table.rows) + 1
    return after[len(before) :]


def test_a_new_file_gets_a_header(tmp_path: Path) -> None:
    """Id, all parameters in order, objective and status; quotation where it is needed."""
    path = tmp_path / "new.csv"
    assert add(path) == b'id,angle,blades,"wall, x",drag,status\n7,1.5,4,s a,0.25,ok\n'
    assert add(path, "", "failed", None) == b",1.5,4,s a,,failed\n"


@pytest.mark.parametrize(
    ("content", "added"),
    [
        (b"angle,blades,drag\n1,4,2\n", b"1.5,4,0.25\n"),
        (b"angle,blades,drag\n1,4,2", b"\n1.5,4,0.25\n"),
        (b"angle,blades,drag\r\n1,4,2", b"\r\n1.5,4,0.25\r\n"),
        (b"angle,blades,drag\r1,4,2\r", b"1.5,4,0.25\r"),
        (b"\xef\xbb\xbfdrag,note,angle,blades\n2,x,1,4\n", b"0.25,,1.5,4\n"),
        (b"angle;blades;drag\n1,5;4;2\n", b"1,5;4;0,25\n"),
        (b"angle;blades;drag\n1;4;2.5\n", b"1.5;4;0.25\n"),
        (b"angle\tblades\tdrag\n1\t4\t2.5\n", b"1.5\t4\t0.25\n"),
        (b"# notes\r\n", b'id,angle,blades,"wall, x",drag,status\r\n7,1.5,4,s a,0.25,ok\r\n'),
        (b"\xef\xbb\xbf", b'\nid,angle,blades,"wall, x",drag,status\n7,1.5,4,s a,0.25,ok\n'),
        (b"status,drag,blades,angle,id\nok,3,3,3,\n", b"ok,0.25,4,1.5,7\n"),
    ],
)
def test_the_file_keeps_its_spelling(csv: Writer, content: bytes, added: bytes) -> None:
    """Delimiter, decimal sign, line end, order and extra columns are the file's own."""
    assert add(csv(content)) == added


@pytest.mark.slow
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    angle=st.floats(allow_nan=False, allow_infinity=False),
    objective=st.decimals(allow_nan=False, allow_infinity=False),
    head=st.sampled_from(["angle,blades,drag\n", "drag;angle;blades\r\n0,5;0,25;3", "\ufeffangle\tblades\tdrag"]),
)
def test_numbers_make_the_round_trip(csv: Writer, angle: float, objective: Decimal, head: str) -> None:
    """Every double and every decimal comes back as it was, in every spelling."""
    path = csv(head)
    table = Evaluations(path, PROBLEM).table()
    point = {**POINT, "angle": angle}
    append_rows(table, PROBLEM, [cells_of(table, PROBLEM, None, point, str(objective), "ok")])
    row = Evaluations(path, PROBLEM).table().rows[-1]
    assert row.values == (angle, 4)
    assert row.objective == objective


def test_no_point_is_taken_for_one_of_thousands(csv: Writer) -> None:
    """In a file with semicolons 1.234 alone may be 1234: a 0 behind it leaves no doubt to us or a spreadsheet."""
    path = csv("angle;blades;drag\n")
    table = Evaluations(path, PROBLEM).table()
    append_rows(table, PROBLEM, [cells_of(table, PROBLEM, None, {**POINT, "angle": 1.125}, "100.000", "ok")])
    assert path.read_bytes() == b"angle;blades;drag\n1.1250;4;100.0000\n"
    (row,) = Evaluations(path, PROBLEM).table().rows
    assert (row.values, row.objective) == ((1.125, 4), Decimal(100))


def test_a_file_without_status_says_failures_in_the_objective(csv: Writer) -> None:
    """What is out has no objective; abandoned points cannot be said there, and that is an error."""
    path = csv("angle,blades,drag\n")
    assert add(path, "", "failed") == b"1.5,4,failed\n"
    assert add(path, "", "pending") == b"1.5,4,\n"
    with pytest.raises(DataError, match="no column 'status' can say abandoned"):
        add(path, "", "abandoned")


def test_a_full_disk_leaves_the_file_as_it_was(csv: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a row that was written is taken back."""
    content = b"angle,blades,drag\n1,4,2\n"
    path = csv(content)

    def fill(descriptor: int, row: bytes) -> None:
        os.write(descriptor, row[:3])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(appending, "write_all", fill)
    with pytest.raises(FileError, match="cannot append to it: No space left"):
        add(path)
    assert path.read_bytes() == content


def test_what_others_append_stays(csv: Writer) -> None:
    """A row that a script appends between reading and appending is kept."""
    path = csv("angle,blades,drag\n")
    table = Evaluations(path, PROBLEM).table()
    with path.open("ab") as script:
        script.write(b"9,9,9")
    append_rows(table, PROBLEM, [cells_of(table, PROBLEM, None, POINT, "1", "ok")])
    assert path.read_bytes() == b"angle,blades,drag\n9,9,9\n1.5,4,1\n"


def test_what_others_append_at_the_last_moment_stays(csv: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between the look at the file's end and the write: both rows stand."""
    path = csv("angle,blades,drag\n")

    @contextlib.contextmanager
    def meanwhile(where: Path, intent: Intent) -> Iterator[None]:
        with where.open("a") as file:
            file.write("9,9,9\n")
        yield

    monkeypatch.setattr(appending, "noted", meanwhile)
    table = Evaluations(path, PROBLEM).table()
    append_rows(table, PROBLEM, [cells_of(table, PROBLEM, None, POINT, "1", "ok")])
    assert path.read_text() == "angle,blades,drag\n9,9,9\n1.5,4,1\n"


def test_no_header_lands_in_a_file_that_has_got_one(tmp_path: Path) -> None:
    """A file that a script makes meanwhile is not given a second header."""
    path = tmp_path / "new.csv"
    table = Evaluations(path, PROBLEM).table()
    path.write_bytes(b"angle,blades,drag\n")
    with pytest.raises(DataError, match="somebody has written to it meanwhile"):
        append_rows(table, PROBLEM, [cells_of(table, PROBLEM, None, POINT, "1", "ok")])
    assert path.read_bytes() == b"angle,blades,drag\n"


def test_permissions_stay(csv: Writer) -> None:
    """A file that only its owner may read stays so."""
    path = csv("angle,blades,drag\n")
    path.chmod(0o600)
    add(path)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_missing_folder_is_told(tmp_path: Path) -> None:
    """The system's refusal is an error for people."""
    with pytest.raises(FileError, match="cannot append to it"):
        add(tmp_path / "none" / "new.csv")
