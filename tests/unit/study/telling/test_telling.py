"""Telling a study: results, failures, amendments."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.errors import DataError, ManyErrors, OrdboError, UsageError
from ordbo_cli.problem import Number
from ordbo_cli.study.study import Study

Writer = Callable[[str | bytes], Path]
HEAD = "id,angle,blades,span,drag,status\n"


def state_of(study: Study) -> Any:
    return json.loads(study.state_path.read_text())


def test_telling_by_id_takes_the_values_of_the_suggestion(study: Study, search: Any) -> None:
    """From the state, or from the pending row; the model gets the exact value."""
    study.ask()
    told = study.tell("0.30000000000000000001", id=1)
    assert (told.id, told.status, dict(told.parameters), told.objective) == (
        1, "ok", {"angle": 0.5, "blades": 3, "span": 2.0}, "0.30000000000000000001",
    )  # fmt: skip
    study.ask(append=True)
    study.tell(4, id=2, parameters={"angle": 1.5})
    assert study.evaluations_path.read_text() == (
        HEAD + "1,0.5,3,2.0,0.30000000000000000001,ok\n2,1.5,4,2.0,,pending\n2,1.5,4,2.0,4,ok\n"
    )
    study.ask()
    given = search.calls[-1]
    assert [(e.id, e.values, e.objective) for e in given.evaluations] == [
        (1, (0.5, 3), Decimal("0.30000000000000000001")),
        (2, (1.5, 4), Decimal(4)),
    ]
    assert given.pending == []
    assert [entry["id"] for entry in state_of(study)["pending"]] == [3]


@pytest.mark.parametrize("numbers", [{"angle": 0.5, "blades": 3}, {"angle": "5.0D-1", "blades": 3.0, "span": "2"}])
def test_telling_a_pending_point_closes_it(study: Study, search: Any, numbers: dict[str, Number | str]) -> None:
    """Equal values are the suggestion, however they are spelt."""
    study.ask()
    assert study.tell(1.0, parameters=numbers).id == 1
    assert study.status().pending == 0


def test_a_point_of_ones_own_needs_no_id(study: Study) -> None:
    """It is recorded without one; out of bounds with a warning."""
    told = study.tell(1.5, parameters={"angle": -1, "blades": 12})
    assert told.id is None
    assert "angle = -1.0 and blades = 12 outside the bounds" in told.warnings[0]
    assert study.evaluations_path.read_text() == HEAD + ",-1.0,12,2.0,1.5,ok\n"
    assert study.status().outside == 1


@pytest.mark.parametrize(
    ("arguments", "row", "status"),
    [
        ({"failed": True}, "1,0.5,3,2.0,,failed\n", "failed"),
        ({"objective": "nan"}, "1,0.5,3,2.0,,failed\n", "failed"),
        ({"objective": float("nan")}, "1,0.5,3,2.0,,failed\n", "failed"),
        ({"objective": "****"}, "1,0.5,3,2.0,,failed\n", "failed"),
        ({"abandon": True}, "1,0.5,3,2.0,,abandoned\n", "abandoned"),
        ({"objective": float("inf")}, "1,0.5,3,2.0,inf,ok\n", "ok"),
        ({"objective": "1.5D+400"}, "1,0.5,3,2.0,1.5E+400,ok\n", "ok"),
    ],
)
def test_outcomes(study: Study, search: Any, arguments: dict[str, Any], row: str, status: str) -> None:
    """Failures, abandoned points, bad infinities and Fortran numbers are written so that all can read them."""
    study.ask()
    assert study.tell(id=1, **arguments).status == status
    assert study.evaluations_path.read_text() == HEAD + row
    assert len(search.calls) == 1


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({}, UsageError, "there is no value of drag"),
        ({"objective": 1}, UsageError, "no point is told"),
        ({"objective": 1, "id": 1, "failed": True}, UsageError, "drag is given for a point that is failed"),
        ({"id": 1, "failed": True, "abandon": True}, UsageError, "failed and abandoned at once"),
        ({"objective": "abc", "id": 1}, UsageError, "drag: 'abc' is not a number"),
        ({"objective": "1,5", "id": 1}, UsageError, "Write 1.5, with a decimal point"),
        ({"objective": True, "id": 1}, UsageError, "It has to be a number"),
        ({"objective": "-inf", "id": 1}, UsageError, "would be the best value of all"),
        ({"objective": 1, "id": 9}, DataError, "no suggestion has the id 9. Open are 1"),
        ({"objective": 1, "id": 0}, DataError, "no suggestion has the id 0"),
        ({"objective": 1, "parameters": {"angle": 1}}, UsageError, "no value of blades"),
        ({"objective": 1, "parameters": {"angel": 1, "blades": 4}}, UsageError, "Did you mean angle?"),
        ({"objective": 1, "parameters": {"angle": "x", "blades": 4}}, UsageError, "angle: 'x' will not do"),
        ({"objective": 1, "parameters": {"angle": float("nan"), "blades": 4}}, UsageError, "angle: 'nan'"),
        ({"objective": 1, "parameters": {"angle": 1, "blades": 4.5}}, UsageError, "whole number"),
        ({"objective": 1, "parameters": {"angle": 1, "blades": True}}, UsageError, "not true or false"),
        ({"objective": 1, "parameters": {"angle": 1, "blades": 4, "span": 3}}, UsageError, "span is fixed at 2.0"),
        ({"objective": 1, "id": 1, "parameters": {"angle": 3}}, UsageError, "suggestion 1 has angle = 0.5, not 3.0"),
        ({"objective": 1, "parameters": {"angle": 1, "blades": 4}, "amend": True}, UsageError, "without an id"),
    ],
)
def test_wrong_calls_change_nothing(
    study: Study, search: Any, arguments: dict[str, Any], error: type[OrdboError], words: str
) -> None:
    """Each says what is wrong; no file is written."""
    study.ask()
    before = study.state_path.read_bytes()
    with pytest.raises(error) as caught:
        study.tell(**arguments)
    assert words in str(caught.value)
    assert not study.evaluations_path.exists()
    assert study.state_path.read_bytes() == before
    assert len(search.calls) == 1


def test_a_closed_suggestion_has_to_be_amended(study: Study, search: Any) -> None:
    """The answer that is there is told; the amendment stands after it."""
    study.ask()
    study.tell(3, id=1)
    with pytest.raises(DataError, match=r"already: it is ok with 3 \(line 2\). 'observe --amend' replaces it"):
        study.tell(4, id=1)
    study.tell(4, id=1, amend=True)
    assert study.evaluations_path.read_text() == HEAD + "1,0.5,3,2.0,3,ok\n1,0.5,3,2.0,4,ok\n"
    assert study.best().objective == 4
    assert len(search.calls) == 1


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ({"objective": 3}, {"objective": "3.00"}),
        ({"objective": "inf"}, {"objective": "Infinity"}),
        ({"failed": True}, {"objective": "nan"}),
        ({"abandon": True}, {"abandon": True}),
        ({"retry": True}, {"retry": True}),
    ],
)
@pytest.mark.parametrize("amend", [False, True])
def test_the_same_answer_twice_is_one(
    study: Study, search: Any, first: dict[str, Any], again: dict[str, Any], amend: bool
) -> None:
    """A call that was killed can be repeated, by itself and in a table."""
    study.ask(append=True)
    assert study.tell(id=1, **first).new
    before = study.evaluations_path.read_text()
    told = study.tell(id=1, amend=amend, **again)
    assert not told.new
    assert told.warnings == ("suggestion 1: recorded already, nothing was added",)
    status = study.status()
    word = next(word for word in ("ok", "failed", "abandoned", "retry") if getattr(status, word))
    rows = f"id,drag,status\n1,{again.get('objective', '')},{word}\n"
    assert [told.new for told in study.tell_rows(rows, source="r.csv", amend=amend)] == [False]
    assert study.evaluations_path.read_text() == before


def test_an_answer_after_expiry_counts(study: Study, csv: Writer) -> None:
    """It is recorded with a warning."""
    csv(HEAD + "1,0.5,3,2,,pending\n1,0.5,3,2,,expired\n")
    assert "had expired" in study.tell(3, id=1).warnings[0]
    assert study.best().id == 1


def test_a_whole_table_of_results(study: Study, search: Any) -> None:
    """By id, by point, failures too; in any spelling."""
    for _ in range(3):
        study.ask()
    told = study.tell_rows(
        "id;angle;blades;drag;status;cost\n2;;;1,5;;9\n;0,5;3;;failed;9\n;7,5;4;2,25;ok;9\n", source="r"
    )
    assert [(row.id, row.status, row.objective) for row in told] == [
        (2, "ok", "1.5"), (1, "failed", None), (None, "ok", "2.25"),
    ]  # fmt: skip
    assert study.evaluations_path.read_text() == (
        HEAD + "2,1.5,4,2.0,1.5,ok\n1,0.5,3,2.0,,failed\n,7.5,4,2.0,2.25,ok\n"
    )
    assert told.warnings == ("r: columns that are not recorded: cost",)
    assert len(search.calls) == 3


def test_a_table_with_a_wrong_row_records_nothing(study: Study, search: Any) -> None:
    """Every wrong row is told at its line: unknown, told twice, without its result."""
    study.ask()
    with pytest.raises(ManyErrors) as caught:
        study.tell_rows("id,drag,status\n1,2,\n1,3,\n7,4,\n", source="r.csv")
    assert [str(error)[:40] for error in caught.value.errors] == [
        "r.csv:3:1: suggestion 1 has its answer a",
        "r.csv:4:1: no suggestion has the id 7. N",
    ]
    with pytest.raises(ManyErrors, match=r"r\.csv:2:1: a row that is pending is no result"):
        study.tell_rows("id,drag,status\n1,,pending\n", source="r.csv")
    with pytest.raises(ManyErrors, match=r"r\.csv:2:1: span is 3, not 2.0"):
        study.tell_rows("id,span,drag\n1,3,1\n", source="r.csv")
    assert not study.evaluations_path.exists()
    study.tell_rows("id,drag\n1,2\n1,3\n", source="r.csv", amend=True)
    assert study.best().objective == 3
    assert len(search.calls) == 1


def test_points_told_twice_in_a_table_are_replicates(study: Study, search: Any) -> None:
    """The first row at an open point answers it, the second is a row of its own."""
    study.ask()
    told = study.tell_rows("angle,blades,drag\n0.5,3,1\n0.5,3,2\n", source="r.csv")
    assert [row.id for row in told] == [1, None]
    assert study.status().ok == 2
    assert len(search.calls) == 1


@pytest.mark.slow
def test_a_long_table_of_results_is_recorded_whole(study: Study) -> None:
    """Thousands of rows in one write."""
    rows = "".join(f"{k / 1000},{3 + k % 7},{k}\n" for k in range(5000))
    assert len(study.tell_rows("angle,blades,drag\n" + rows, source="r.csv")) == 5000
    assert study.status().ok == 5000
    assert study.best().objective == 0


def test_several_results_at_once(study: Study, search: Any) -> None:
    """By id, a failure among them, in one append."""
    study.ask_batch(3)
    told = study.tell_all({2: 0.5, 1: None, 3: "1.0D+02"})
    assert [(each.id, each.status, each.objective) for each in told] == [
        (2, "ok", "0.5"), (1, "failed", None), (3, "ok", "1.0E+2"),
    ]  # fmt: skip
    assert (study.status().ok, study.status().failed, study.status().pending) == (2, 1, 0)


@pytest.mark.parametrize(("wrong", "error"), [({9: 1.0}, DataError), ({2: "-inf"}, UsageError), ({2: "x"}, UsageError)])
def test_one_wrong_result_and_none_is_recorded(
    study: Study, search: Any, wrong: dict[int, Any], error: type[OrdboError]
) -> None:
    """An unknown id, a value that cannot be."""
    study.ask_batch(2, append=True)
    before = study.evaluations_path.read_bytes()
    with pytest.raises(error):
        study.tell_all({1: 0.5, **wrong})
    assert study.evaluations_path.read_bytes() == before
