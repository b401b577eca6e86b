"""Why it failed and how long it took, told with a result: where that is kept, and which row it is about."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.files.values.remark import NO_REMARK, Remark
from ordbo_cli.study.study import Study

Writer = Callable[[str | bytes], Path]
COLUMNS = "id,angle,blades,drag,status,note,seconds\n"
POINT = {"angle": 2, "blades": 4}


def remarks(study: Study) -> list[Remark]:
    return [each.remark for each in study.points()]


@pytest.mark.parametrize("columns", [True, False])
def test_a_remark_is_shown_with_its_row(study: Study, search: Any, csv: Writer, columns: bool) -> None:
    """Whether the table has columns for it or not; a new table has none, and no study a list that it does not need."""
    if columns:
        csv(COLUMNS)
    study.ask_batch(2)
    study.tell(1.0, id=1)
    assert not study.file.remarks.exists()
    study.tell(failed=True, id=2, note="the mesh broke", seconds=3)
    study.tell(2.0, parameters=POINT, seconds=4)
    assert remarks(study) == [NO_REMARK, Remark("the mesh broke", 3), Remark("", 4)]
    (failure,) = study.status().failures
    assert failure.remark == Remark("the mesh broke", 3)
    assert study.status().took == (None, 3, 4)
    assert study.file.remarks.exists() is not columns
    header = study.evaluations_path.read_text().splitlines()[0]
    assert header == (COLUMNS.strip() if columns else "id,angle,blades,span,drag,status")


@pytest.mark.parametrize("head", ["angle,blades,drag\n", "id,angle,blades,drag,status\n"])
def test_rows_without_ids_are_known_by_their_points(study: Study, search: Any, csv: Writer, head: str) -> None:
    """In a table without ids, and of points of one's own; without the state, too."""
    csv(head)
    study.tell(failed=True, parameters=POINT, note="mine")
    study.ask()
    study.tell(1.0, id=study.pending()[0].id, seconds=2.5)
    assert remarks(study) == [Remark("mine"), Remark("", 2.5)]
    study.state_path.unlink()
    assert remarks(study) == [Remark("mine"), Remark("", 2.5)]


@pytest.mark.parametrize("columns", [True, False])
def test_an_amendment_adds_to_a_remark_or_begins_anew(study: Study, search: Any, csv: Writer, columns: bool) -> None:
    """The same answer keeps what was said of it; another one has its own; without --amend the first one stands."""
    if columns:
        csv(COLUMNS)
    study.ask()
    study.tell(failed=True, id=1, seconds=3)
    told = study.tell(failed=True, id=1, note="late")
    assert not told.new
    assert remarks(study) == [Remark("", 3)]
    for new in (True, False):
        assert study.tell(failed=True, id=1, note="the mesh broke", amend=True).new is new
        assert remarks(study) == [Remark("the mesh broke", 3)]
    study.tell(1.0, id=1, amend=True)
    assert remarks(study) == [NO_REMARK]
    study.tell(failed=True, id=1, amend=True)
    assert remarks(study) == [NO_REMARK]


def test_an_evaluation_done_again_has_a_remark_of_its_own(study: Study, search: Any) -> None:
    """What was said of the failure before is not said of the next one."""
    study.ask()
    study.tell(failed=True, id=1, note="no licence", seconds=1)
    study.tell(id=1, retry=True, amend=True)
    study.ask()
    study.tell(failed=True, id=1)
    assert remarks(study) == [NO_REMARK]


def test_a_row_by_hand_ends_what_is_said_of_another_status(study: Study, search: Any) -> None:
    """A person may append the result of an evaluation that had failed."""
    study.ask()
    study.tell(failed=True, id=1, note="no licence")
    with study.evaluations_path.open("a") as file:
        file.write("1,0.5,3,2,7,ok\n")
    assert remarks(study) == [NO_REMARK]


def test_a_table_of_results_brings_its_remarks(study: Study, search: Any) -> None:
    """Its columns of these names are recorded, and no warning says that they are not."""
    study.ask()
    told = study.tell_rows("id,drag,note,seconds,more\n1,failed,the mesh broke,3,x\n", source="results")
    assert remarks(study) == [Remark("the mesh broke", 3)]
    assert [warning for warning in told.warnings if "not recorded" in warning] == [
        "results: columns that are not recorded: more"
    ]


def test_a_result_is_recorded_whatever_becomes_of_its_remark(study: Study, search: Any) -> None:
    """A warning says that it is lost; and a list that cannot be read takes nothing from the status but its words."""
    study.ask()
    study.file.remarks.mkdir()
    told = study.tell(failed=True, id=1, note="the mesh broke")
    assert told.new
    assert "why it failed and how long it took is not kept" in told.warnings[-1]
    status = study.status()
    assert status.failed == 1
    assert any("notes.jsonl: cannot read it" in warning for warning in status.warnings)


def test_a_column_for_one_of_the_two(study: Study, search: Any, csv: Writer) -> None:
    """Leaves the other to the list."""
    csv(COLUMNS.replace(",seconds", ""))
    study.ask()
    study.tell(failed=True, id=1, note="the mesh broke", seconds=3)
    assert json.loads(study.file.remarks.read_text()) == {"about": 1, "status": "failed", "note": "", "seconds": 3.0}
    assert remarks(study) == [Remark("the mesh broke", 3)]


def test_several_are_told_at_once(study: Study, search: Any, csv: Writer) -> None:
    """What they say of themselves is made safe, too."""
    path = csv(COLUMNS)
    study.ask_batch(2)
    study.tell_all({1: 1.0, 2: None}, remarks={2: Remark("two\nlines", 0.5)})
    assert remarks(study) == [NO_REMARK, Remark("two lines", 0.5)]
    assert path.read_text().endswith(",failed,two lines,0.5\n")


def test_the_list_can_be_deleted(study: Study, search: Any) -> None:
    """These words are lost, and nothing else."""
    study.ask()
    study.tell(failed=True, id=1, note="the mesh broke")
    assert json.loads(study.file.remarks.read_text())["note"] == "the mesh broke"
    os.remove(study.file.remarks)
    assert remarks(study) == [NO_REMARK]
    assert study.status().failed == 1
    assert study.ask().id == 2
