"""Reading somebody's CSV."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path

import pytest

from ordbo_cli.errors import DataError, FileError, ManyErrors
from ordbo_cli.files.tables.evaluations import Evaluations, read_points, read_results
from ordbo_cli.files.tables.table import Table
from ordbo_cli.problem import Fixed, Parameter, Problem

Writer = Callable[[str | bytes], Path]

PROBLEM = Problem((Parameter("angle", 0, 12), Parameter("blades", 3, 9, type="int"), Fixed("span", 2.0)), "drag")
UPWARDS = Problem(PROBLEM.parameters, "drag", goal="maximize")


def read(path: Path, problem: Problem = PROBLEM) -> Table:
    return Evaluations(path, problem).table()


def errors_of(path: Path, problem: Problem = PROBLEM) -> list[str]:
    with pytest.raises(ManyErrors) as caught:
        Evaluations(path, problem).table()
    assert caught.value.exit_status == 65
    assert all(isinstance(error, DataError) for error in caught.value.errors)
    return [str(error)[str(error).index(path.name) :] for error in caught.value.errors]


def test_a_missing_file_holds_no_evaluations(tmp_path: Path) -> None:
    """A study may start from nothing."""
    assert read(tmp_path / "none.csv").rows == ()


@pytest.mark.parametrize("content", [b"", b"\xef\xbb\xbf", b"\n\n", b"# notes\n", b"angle,blades,drag\n"])
def test_an_empty_file_holds_no_evaluations(csv: Writer, content: bytes) -> None:
    """No bytes, a byte-order mark, blank lines, comments, or a header only."""
    assert read(csv(content)).rows == ()


@pytest.mark.parametrize(
    "content",
    [
        "angle,blades,drag\n1.5,4,10\n2.5,5,20\n",
        "angle,blades,drag\n1.5,4,10\n2.5,5,20",
        "angle,blades,drag\r\n1.5,4,10\r\n2.5,5,20\r\n",
        "angle,blades,drag\r1.5,4,10\r2.5,5,20\r",
        "\ufeffangle,blades,drag\n1.5,4,10\n2.5,5,20\n",
        "angle;blades;drag\n1.5;4;10\n2.5;5;20\n",
        "angle;blades;drag\n1,5;4;10\n2,5;5;20\n",
        "angle\tblades\tdrag\n1.5\t4\t10\n2.5\t5\t20\n",
        "drag,angle,blades\n10,1.5,4\n20,2.5,5\n",
        '"angle", "blades",drag \n"1.5", 4 ,10\n\n2.5,5,"20"\n,,\n',
        'note,angle,blades,drag,\n"a, ""b""\nc",1.5,4,10,\nx,2.5,5.0,20,\n',
        "# angle,blades,drag\n1.5,4,10\n# 9,9,9\n2.5,5,20\n",
        "# some words\nangle,blades,drag\n1.5,4,10,\n2.5,5,20,,\n",
        "angle,blades,span,drag\n1.5D+0,4,2,1.0D+01\n2.5E0,5,2.00,2.0d1\n",
        "sep=;\nangle;blades;drag\n1,5;4;10\n2,5;5;20\n",
        "run,angle,blades,drag\n#1,1.5,4,10\n#2,2.5,5,20\n",
        "angle,blades,drag,\n1.5,4,10\n2.5,5,20,\n",
        "%eval_id interface angle blades drag \n 1 NO_ID 1.5 4 10 \n 2 NO_ID  2.5 5 20 \n",
        "%eval_id,interface,angle,blades,drag\n1,NO_ID,1.5,4,10\n2,NO_ID,2.5,5,20\n",
        "%angle\tblades drag\n1.5 4\t10\n\n  2.5  5   20",
        "# angle blades drag\n1.5e+00 4.0e+00 1e+01\n# 9 9 9\n# words\n2.5e+00 5.0e+00 2e+01\n",
        '"angle" "note" "blades" "drag"\r\n1.5 "a ""b""" 4 10\r\n2.5 "c" 5 "20"\r\n',
        "# see angle, blades, drag\n# angle,blades,drag\n1.5,4,10\n2.5,5,20\n",
        "# columns: angle,blades,drag\nangle,blades,drag\n1.5,4,10\n2.5,5,20\n",
        "% by hand\n% angle blades drag\n1.5 4 10\n2.5 5 20\n",
        "%load,angle,blades,drag\n7,1.5,4,10\n8,2.5,5,20\n",
        "angle blades drag status\r1.5 4 10 nan\r2.5 5 20 ok\r",
    ],
)
def test_the_same_rows_in_every_shape(csv: Writer, content: str) -> None:
    """Encodings, line ends, delimiters, quotation, order, extra columns and comments change nothing."""
    table = read(csv(content))
    assert [row.values for row in table.rows] == [(1.5, 4), (2.5, 5)]
    assert [row.objective for row in table.rows] == [10, 20]
    assert [row.position for row in table.rows] == [0, 1]
    assert isinstance(table.rows[0].values[1], int)
    assert table.warnings == ()


@pytest.mark.parametrize("text", ["nan", "NaN", "failed", "FAILED", "****", "fail"])
def test_failures_in_words(csv: Writer, text: str) -> None:
    """A failure is seen from its cell alone."""
    (row,) = read(csv(f"angle,blades,drag\n1,4,{text}\n")).rows
    assert (row.status, row.objective) == ("failed", None)


@pytest.mark.parametrize(
    ("objective", "status", "found", "value"),
    [
        ("", "failed", "failed", None),
        ("1e3", "failed", "failed", None),
        ("-inf", "failed", "failed", None),
        ("3", "", "ok", 3),
        ("3", "OK", "ok", 3),
        ("nan", "ok", "failed", None),
        ("", "pending", "pending", None),
        ("3", "pending", "ok", 3),
        ("", "expired", "expired", None),
        ("3", "expired", "ok", 3),
        ("", "abandoned", "abandoned", None),
        ("3", "abandoned", "abandoned", None),
    ],
)
def test_status_and_objective_together(csv: Writer, objective: str, status: str, found: str, value: int | None) -> None:
    """What a row means follows from both cells; a result that somebody filled in is one."""
    (row,) = read(csv(f"id,angle,blades,drag,status\n1,1,4,{objective},{status}\n")).rows
    assert (row.status, row.objective) == (found, value)


def test_infinities_by_goal(csv: Writer) -> None:
    """Infinite in the bad direction is a value; in the good one an error with a hint."""
    path = csv("angle,blades,drag\n1,4,inf\n")
    assert read(path).rows[0].objective == Decimal("Infinity")
    (error,) = errors_of(path, UPWARDS)
    assert error.startswith("drag.csv:2:5: column 'drag': 'inf' would be the best value of all. To maximize, a bad")
    assert read(csv("angle,blades,drag\n1,4,-inf\n"), UPWARDS).rows[0].objective == Decimal("-Infinity")


def test_objectives_are_exact(csv: Writer) -> None:
    """Values beyond and between doubles keep their order."""
    texts = ["1e400", "1e500", "0.12345678901234567890", "0.12345678901234567891", "1e-320", "1e300"]
    rows = read(csv("angle,blades,drag\n" + "".join(f"1,4,{text}\n" for text in texts))).rows
    assert [row.objective for row in rows] == [Decimal(text) for text in texts]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        ("angle,blades\n1,4\n", "drag.csv:1:1: there is no column 'drag'. There are angle, blades"),
        ("angle,blade,drag\n1,4,1\n", "drag.csv:1:1: there is no column 'blades'. Is it 'blade'?"),
        ("angle,blades,drag,drag\n", "drag.csv:1:19: the column 'drag' stands twice"),
        ("angle,blades,drag\n1,4\n", "drag.csv:2:1: 2 cells stand below 3 columns. Is it cut?"),
        ("angle,blades,drag\n1,4,1,234.5\n", "drag.csv:2:1: 4 cells stand below 3 columns"),
        ("angle,blades,drag\n1,4,abc\n", "drag.csv:2:5: column 'drag': 'abc' is not a number. Write a number, or"),
        ("angle,blades,drag,status\n1,4,,ok\n", "drag.csv:2:5: column 'drag': it is empty"),
        ("angle,blades,drag\n,4,1\n", "drag.csv:2:1: column 'angle': it is empty"),
        ("angle,blades,drag\nnan,4,1\n", "drag.csv:2:1: column 'angle': 'nan' is not a number"),
        ("angle,blades,drag\n1,4.5,1\n", "drag.csv:2:3: column 'blades': '4.5' will not do. It has to be a whole"),
        ("angle,blades,drag\n1e400,4,1\n", "drag.csv:2:1: column 'angle': '1e400' is not a number. It is beyond"),
        ('angle,blades,drag\n1,4,"1,234.5"\n', "drag.csv:2:5: column 'drag': '1,234.5' is not a number. Write 1234.5"),
        ('angle,blades,drag\n1,4,"3,5"\n', "drag.csv:2:5: column 'drag': '3,5' is not a number. Write 3.5"),
        ("angle\tblades\tdrag\n1\t4\t3,5\n", "drag.csv:2:5: column 'drag': '3,5' is not a number. Write 3.5"),
        ("angle,blades,drag\n1,4,1_000\n", "drag.csv:2:5: column 'drag': '1_000' is not a number. Write 1000"),
        ("angle,blades,drag\n1,4,٣\n", "drag.csv:2:5: column 'drag': '٣' is not a number. Write it with the digits"),
        ("angle;blades;drag\n1,5;4;1.5\n", "drag.csv:2:1: 1,5 has a decimal comma, but 1.5 in line 2 a decimal point"),
        ("angle;blades;drag\n1;4;1,234\n", "drag.csv:2:1: 1,234 may be 1234 or 1.234. Write 1234 or 1,2340"),
        ("angle;blades;drag\n1;4;1.234\n", "drag.csv:2:1: 1.234 may be 1234 or 1.234. Write 1234 or 1.2340"),
        ("angle,blades,drag,\n1,4,0,5\n", "drag.csv:2:1: 4 cells stand below 3 columns. Numbers with commas need"),
        ("drag,angle,blades\n#DIV/0!,1,4\n", "drag.csv:2:1: column 'drag': '#DIV/0!' is not a number. A formula of"),
        ("id,angle,blades,drag\nx7,1,4,1\n", "drag.csv:2:1: column 'id': 'x7' is no id"),
        ("id,angle,blades,drag\n0,1,4,1\n", "drag.csv:2:1: column 'id': '0' is no id"),
        ("angle,blades,drag,status\n1,4,1,done\n", "drag.csv:2:7: column 'status': 'done' is no status. Known are ok"),
        ("angle,blades,drag,status\n1,4,1,fialed\n", "drag.csv:2:7: column 'status': 'fialed' is no status. Did you"),
        ("angle,blades,drag\n1,4,1\n2,4,\0\n", "drag.csv:3:5: there is a NUL character"),
        (b"angle,blades,drag\n1,4,\xff\n", "drag.csv:2:5: the file is not UTF-8 text"),
        ("angle,blades,drag\n".encode("utf-16"), "drag.csv:1:1: the file is UTF-16 text. Save it as UTF-8, in Exc"),
        ("angle,blades,drag\n".encode("utf-16-be"), "drag.csv:1:1: the file is UTF-16 text. Save it as UTF-8, in"),
        (b"\xef\xbb\xbfangle,blades,drag\n1,4,\xfc\n", "drag.csv:2:5: the file is not UTF-8 text: byte 0xFC. Save"),
        ('angle,blades,drag\n1,4,"1\n', "drag.csv:2:1: this is not a CSV: unexpected end of data"),
        ("%eval_id interface angle drag\n1 NO_ID 1 1\n", "drag.csv:1:1: there is no column 'blades'. There are id, in"),
        ("angle blades drag\n1 4 x\n", "drag.csv:2:5: column 'drag': 'x' is not a number. Write a number, or"),
        ("# angle  blades drag drag\n1 4 1 1\n", "drag.csv:1:22: the column 'drag' stands twice. Rename one of"),
        ("angle blades drag\n1 4 1 1\n", "drag.csv:2:1: 4 cells stand below 3 columns. The header has to name"),
        ("angle;blades;span;drag\n1;4;2,5;1.5\n", "drag.csv:2:1: 2,5 has a decimal comma, but 1.5 in line 2 a"),
        ("angle,blades,drag\n1,4,1\nangle,blades,drag\n", "drag.csv:3:1: the header stands here again. Take this"),
        (
            "%eval_id angle blades drag\n1 1 4 1\n%eval_id angle blades drag\n",
            "drag.csv:3:1: the header stands here again",
        ),
        ("My results\nangle,blades,drag\n", "drag.csv:1:1: the first row names no columns of the problem: it begins"),
        ("ａngle,blades,drag\n", "drag.csv:1:1: there is no column 'angle'. One looks the same, but is of other"),
        (b"PK\x03\x04\x14\x00", "drag.csv:1:1: the file is a workbook or another archive. Save its text as UTF-8"),
        ("angle blades drag\n1 4\n", "drag.csv:2:1: 2 cells stand below 3 columns. Is it cut?"),
        ('angle blades drag\n1 4 "1\n', "drag.csv:2:1: this is not a CSV: a quotation mark without its partner"),
        ("angle blades drag\n1,5 4 1\n", "drag.csv:2:1: column 'angle': '1,5' is not a number. Write 1.5"),
        ("angle blades, drag\n1 4 1\n", "drag.csv:1:1: there is no column 'angle'. There are angle blades"),
        ("angle,blades,drag\n1,4,\x1b[2J\n", "drag.csv:2:5: column 'drag': '\\x1b[2J' is not a number"),
    ],
)
def test_wrong_files_are_told_at_their_place(csv: Writer, content: str | bytes, expected: str) -> None:
    """Every kind of mistake is an error with line, column, column's name and a hint."""
    assert errors_of(csv(content))[0].startswith(expected)


def test_all_errors_of_a_file_come_at_once(csv: Writer) -> None:
    """Two in one row, one in another."""
    errors = errors_of(csv("angle,blades,drag\nx,y,1\n1,4,1\n1,4,z\n"))
    assert [error.split(": ")[0] for error in errors] == ["drag.csv:2:1", "drag.csv:2:3", "drag.csv:4:5"]


def test_columns_of_errors_count_characters(csv: Writer) -> None:
    """An editor jumps to the cell, whatever quotation stands before it."""
    (error,) = errors_of(csv('note,angle,blades,drag\n"a, b",1,4,zz\n'))
    assert error.startswith("drag.csv:2:12: ")


def test_many_errors_are_counted(csv: Writer) -> None:
    """Ten thousand wrong rows do not fill the screen."""
    errors = errors_of(csv("angle,blades,drag\n" + "1,4,x\n" * 10_000))
    assert len(errors) == 51
    assert errors[-1] == "drag.csv: 9950 more errors like these"


def test_rows_outside_the_bounds_are_kept_and_told(csv: Writer) -> None:
    """They are marked, counted and named by line."""
    table = read(csv("angle,blades,drag\n1,4,1\n-3,4,2\n1,12,3\n"))
    assert [row.outside for row in table.rows] == [False, True, True]
    assert "2 rows (line 3, 4) outside the bounds" in table.warnings[0]


def test_rows_with_another_fixed_value_are_set_aside(csv: Writer) -> None:
    """They say what differs; equal values in another spelling do not."""
    table = read(csv("angle,blades,span,drag\n1,4,2.00,1\n1,4,3,2\n1,4,,3\n"))
    assert [bool(row.aside) for row in table.rows] == [False, True, False]
    assert "1 row (line 3) set aside: span is 3, not 2.0" in table.warnings[0]


def test_failures_in_a_column_of_almost_the_name_count(csv: Writer) -> None:
    """A column Status is status where it holds one; where no cell does, its words are the user's own."""
    table = read(csv("angle,blades,drag,Status\n1,4,2,ok\n1,4,2,Failed\n"))
    assert [row.status for row in table.rows] == ["ok", "failed"]
    (error,) = errors_of(csv("angle,blades,drag,Status\n1,4,2,converged\n1,4,2,failed\n"))
    assert error.startswith("drag.csv:2:7: column 'Status': 'converged' is no status")
    assert len(read(csv("angle,blades,drag,Status\n1,4,2,converged\n")).rows) == 1
    assert len(read(csv("angle,blades,drag,Status,status\n1,4,2,failed,ok\n")).rows) == 1
    assert len(read_points("angle,blades,Status\n1,4,failed\n", "p", PROBLEM)) == 1


@pytest.mark.parametrize("digits", ["{}x", "{}.{}x", ",{}x", ".{}x", "1{}mm", "1 {}", "a{}", "-{}"])
def test_a_cell_as_long_as_a_book_is_refused_at_once(csv: Writer, digits: str) -> None:
    """No pattern takes hours over a number of fifty thousand digits, in either kind of file."""
    text = digits.replace("{}", "1" * 50_000)
    for sign in ",;":
        rows = ["angle", "blades", "drag"], ["1", "4", f'"{text}"']
        (error,) = errors_of(csv("".join(sign.join(row) + "\n" for row in rows)))
        assert error.startswith(f"drag.csv:2:5: column 'drag': '{text[:70]}")
        assert error.endswith("is not a number. Write it with at most 1000 characters")


def test_a_column_may_hold_whole_logs(csv: Writer) -> None:
    """Longer cells than Python's own limit are none of our business."""
    log = "x" * 200_000
    assert len(read(csv(f'log,angle,blades,drag\n"{log}",1,4,2\n{log},2,4,3\n')).rows) == 2


def test_many_names_are_not_all_listed(csv: Writer) -> None:
    """Thousands of columns, or of empty ones, do not fill the screen."""
    (error, _) = errors_of(csv("angle,," + ",".join(f"c{k}" for k in range(5000)) + "\n"))
    assert error.endswith("c17, c18 and 4981 more")


def test_a_column_of_words_may_hold_a_hash(csv: Writer) -> None:
    """Where the first column is a fixed word, a row of full width is data; a note beside it is a comment still."""
    problem = Problem((Fixed("case", "#7"), *PROBLEM.parameters), "drag")
    table = read(csv("case,angle,blades,drag\n#7,1,4,2\n# by hand\n#8,1,4,3\n"), problem)
    assert [row.aside for row in table.rows] == ["", "case is #8, not #7"]


def test_words_keep_their_commas(csv: Writer) -> None:
    """A fixed word is compared as it stands, in a file with decimal commas too; its numbers are compared by value."""
    problem = Problem((*PROBLEM.parameters, Fixed("wall", "s, a")), "drag")
    table = read(csv("angle;blades;span;wall;drag\n1,5;4;2,0;s, a;1\n1,5;4;2,5;s, a;1\n"), problem)
    assert [row.aside for row in table.rows] == ["", "span is 2,5, not 2.0"]


def test_ids_survive_pandas_and_empty_rows_take_the_values_of_their_id(csv: Writer) -> None:
    """17.0 is an id; a later row of it needs no parameters."""
    table = read(csv("id,angle,blades,drag,status\n17.0,1,4,,pending\n17,,,0.5,ok\n"))
    assert [(row.id, row.values) for row in table.rows] == [(17, (1.0, 4)), (17, (1.0, 4))]


def test_an_id_of_two_points_is_told(csv: Writer) -> None:
    """Somebody's own numbers, which begin anew in the middle of the file, are no suggestions of ours."""
    table = read(csv("id,angle,blades,drag\n1,1,4,1\n2,2,4,2\n1,3,4,3\n2,2,4,4\n"))
    assert "1 row (line 4) with the id of another point above: the last row of an id stands" in table.warnings[0]
    assert len(table.warnings) == 1


def test_decimal_commas_are_taken_from_the_whole_file(csv: Writer) -> None:
    """A cell that may have a thousands separator is read as the others show."""
    rows = read(csv("angle;blades;drag\n1,5;4;1,234\n0,25;4;3\n")).rows
    assert [row.objective for row in rows] == [Decimal("1.234"), 3]
    assert [row.values[0] for row in rows] == [1.5, 0.25]


def test_a_row_that_is_being_written_is_waited_for(csv: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    """Half a row at the end of the file is looked at again; one with its line end is an error at once."""
    path = csv("id,angle,blades,drag,status\n1,1.5,4,1")
    naps = []

    def finish(nap: float) -> None:
        naps.append(nap)
        path.write_text("id,angle,blades,drag,status\n1,1.5,4,10,ok\n")

    monkeypatch.setattr("time.sleep", finish)
    assert read(path).rows[0].objective == 10
    assert len(naps) == 1
    assert len(errors_of(csv("angle,blades,drag\n1.5,4\n"))) == 1
    assert len(naps) == 1
    monkeypatch.setattr("time.sleep", naps.append)
    assert len(errors_of(csv("angle,blades,drag\n1.5,4"))) == 1
    assert len(naps) == 4


def test_a_folder_is_no_file_of_evaluations(tmp_path: Path) -> None:
    """The system's refusal is told."""
    with pytest.raises(FileError, match="cannot read it"):
        read(tmp_path)


def test_results_by_id_need_no_parameters() -> None:
    """A list of ids and objectives is enough; without ids every free parameter has to be there."""
    table = read_results("drag,id\n3,1\n4,2\n", "r.csv", PROBLEM)
    assert [(row.id, row.values, row.objective) for row in table.rows] == [(1, (), Decimal(3)), (2, (), Decimal(4))]
    with pytest.raises(ManyErrors, match=r"r\.csv:1:1: there is no column 'angle'"):
        read_results("drag\n3\n", "r.csv", PROBLEM)
    with pytest.raises(ManyErrors, match=r"r\.csv:1:1: there is no header"):
        read_results("", "r.csv", PROBLEM)


def test_points_need_their_parameters_only() -> None:
    """Ids and results beside them are passed over, in any spelling of numbers."""
    points = read_points("id;angle;blades;drag\nx;0,5;4;\ny;1,5;5;zzz\n", "p.csv", PROBLEM)
    assert points == [{"angle": 0.5, "blades": 4, "span": 2.0}, {"angle": 1.5, "blades": 5, "span": 2.0}]
    with pytest.raises(ManyErrors, match=r"p\.csv:2:1: column 'angle': 'a' is not a number"):
        read_points("angle,blades\na,4\n", "p.csv", PROBLEM)


def test_the_locale_changes_nothing(csv: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
    """German settings do not make commas of points."""
    monkeypatch.setenv("LC_ALL", "de_DE.UTF-8")
    assert read(csv("angle,blades,drag\n1.5,4,2.5\n")).rows[0].objective == Decimal("2.5")
