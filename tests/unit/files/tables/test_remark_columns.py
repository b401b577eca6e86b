"""The columns ``note`` and ``seconds`` of somebody's table: read whatever they hold, written as the table is."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from ordbo_cli.files.values.remark import NO_REMARK, Remark
from ordbo_cli.study.study import Study

Writer = Callable[[str | bytes], Path]
NOTE = '=1+1; "a, b" #c\nd'
READ = '=1+1; "a, b" #c d'


def remarks(study: Study) -> list[Remark]:
    return [standing.row.remark for standing in study.read().ledger.standing]


def test_they_are_read_whatever_they_hold(study: Study, csv: Writer) -> None:
    """A note of any text, and seconds that are no number, change nothing of the results."""
    csv(
        "note,angle,blades,drag,seconds\n"
        '"two\nlines",1,4,10,2.5\n# look here,2,4,11,soon\n=SUM(A1),3,4,12,-3\n,4,4,failed,nan\nsep=;,5,4,13,\n'
    )
    assert remarks(study) == [
        Remark("two lines", 2.5), Remark("# look here"), Remark("=SUM(A1)"), NO_REMARK, Remark("sep=;"),
    ]  # fmt: skip
    assert study.status().took == (2.5, None, None, None, None)


@pytest.mark.parametrize(
    ("table", "row"),
    [
        ("id,angle,blades,drag,status,note,seconds\n1,1,4,3,ok,,\n", ""),
        ("note;seconds;angle;id;blades;drag;status\r\n;;1,5;1;4;3,5;ok\r\n", "12,5"),
        ("id\tangle\tblades\tdrag\tstatus\tseconds\tnote\n1\t1\t4\t3\tok\t\t\n", ""),
    ],
)
def test_they_are_written_so_that_they_are_read_again(study: Study, csv: Writer, table: str, row: str) -> None:
    """Divided by commas, semicolons or tabs; a spreadsheet takes no note for a formula."""
    path = csv(table)
    study.tell(failed=True, parameters={"angle": 2.5, "blades": 4}, note=NOTE, seconds=12.5)
    assert remarks(study)[1:] == [Remark(READ, 12.5)]
    added = path.read_bytes().decode()[len(table) :]
    assert "'=1+1" in added
    assert row in added
    assert not study.file.remarks.exists()


def test_where_blanks_divide_the_columns_a_note_is_one_word(study: Study, csv: Writer) -> None:
    """A result is not refused for what somebody says of it, and none of it is an empty cell."""
    path = csv("id angle blades drag status note seconds\n1 1 4 3 ok nan nan\n")
    study.tell(failed=True, parameters={"angle": 2.5, "blades": 4}, note=NOTE, seconds=12.5)
    study.tell(4, parameters={"angle": 3.5, "blades": 4})
    assert path.read_text().splitlines()[2:] == [
        "0 2.5 4 nan failed =1+1;_a,_b_c_d 12.5",
        "0 3.5 4 4 ok nan nan",
    ]
    assert remarks(study)[1:] == [Remark("=1+1;_a,_b_c_d", 12.5), NO_REMARK]


def test_columns_of_the_problem_are_no_remarks(tmp_path: Path) -> None:
    """Where a parameter or a result has one of these names, its column holds nothing else."""
    path = tmp_path / "p.yaml"
    path.write_text("objective: {name: seconds, goal: minimize}\nparameters: {note: {min: 0, max: 9}}\n")
    path.with_suffix(".csv").write_text("note,seconds\n1,30\n")
    study = Study.open(path)
    study.tell(20, parameters={"note": 2}, note="of another kind", seconds=5)
    assert path.with_suffix(".csv").read_text() == "note,seconds\n1,30\n2.0,20\n"
    assert [each.remark for each in study.points()] == [NO_REMARK, Remark("of another kind", 5)]


def test_they_may_be_added_to_the_header_alone(study: Study, csv: Writer) -> None:
    """Rows from before lack them; any other row that is short is an error, as it was."""
    csv("angle,blades,drag,note,seconds\n1,4,10\n2,4,11,,2.5\n")
    assert remarks(study) == [NO_REMARK, Remark("", 2.5)]
    csv("angle,blades,drag,note,seconds\n1,4,10\n2,4,11,x\n")
    with pytest.raises(Exception, match="4 cells stand below 5 columns"):
        study.status()
