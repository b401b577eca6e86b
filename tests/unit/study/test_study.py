"""The ask/tell object with files behind it."""

from __future__ import annotations

import json
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.errors import DataError, FileError, ManyErrors, OrdboError, UsageError
from ordbo_cli.problem import Number
from ordbo_cli.study import Study
from ordbo_cli.study import study as study_module

Writer = Callable[[str | bytes], Path]
HEAD = "id,angle,blades,span,drag,status\n"


def state_of(study: Study) -> Any:
    return json.loads(study.state_path.read_text())


def test_asking_records_a_pending_suggestion_in_the_state(study: Study, search: Any) -> None:
    """The CSV is not touched; the next call sees what is open, and the fit of the one before."""
    first, second = study.ask(), study.ask()
    assert (first.id, first.values, dict(first.parameters)) == (1, (0.5, 3), {"angle": 0.5, "blades": 3, "span": 2.0})
    assert (second.id, second.values) == (2, (1.5, 4))
    _, evaluations, pending, step, fit = search.calls[1]
    assert (evaluations, pending, step, fit) == ([], [(0.5, 3)], 1, {"steps": 0})
    assert not study.evaluations_path.exists()
    state = state_of(study)
    assert [entry["id"] for entry in state["pending"]] == [1, 2]
    assert (state["step"], state["next_id"], state["fit"]) == (2, 3, {"steps": 1})
    assert state["diagnostics"] == [
        {"step": 0, "id": 1, "kind": "counted"},
        {"step": 1, "id": 2, "kind": "counted"},
    ]


def test_a_dry_run_records_nothing(study: Study, search: Any) -> None:
    """Not even a lock file is made; the same point comes again."""
    assert study.ask(dry_run=True) == study.ask(dry_run=True)
    assert [entry.name for entry in study.problem_path.parent.iterdir()] == ["drag.yaml"]
    assert len(search.calls) == 2


def test_appending_puts_a_pending_row_into_the_evaluations(study: Study, search: Any) -> None:
    """The row carries the id, and no objective."""
    study.ask(append=True)
    assert study.evaluations_path.read_text() == HEAD + "1,0.5,3,2.0,,pending\n"
    assert [point.id for point in study.status().waiting] == [1]
    assert len(search.calls) == 1


def test_the_engine_can_be_chosen_for_a_call(study: Study, search: Any) -> None:
    """The search gets a problem with that engine; an unknown one is a wrong call."""
    study.ask(engine="gpflow")
    assert search.calls[0][0].method.engine == "gpflow"
    with pytest.raises(UsageError, match="engine is 'abacus'"):
        study.ask(engine="abacus")  # type: ignore[arg-type]  # what a wrong call looks like


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
    _, evaluations, pending, _, _ = search.calls[-1]
    assert [(e.id, e.values, e.objective) for e in evaluations] == [
        (1, (0.5, 3), Decimal("0.30000000000000000001")),
        (2, (1.5, 4), Decimal(4)),
    ]
    assert pending == []
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
    assert "angle = -1.0 and blades = 12 outside the bounds" in study.warnings[0]
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


def test_abandoned_points_stay_taken(study: Study, search: Any) -> None:
    """The search is told of them as of pending ones: not ranked, and never suggested again."""
    study.ask()
    study.tell(id=1, abandon=True)
    study.ask()
    _, evaluations, taken, _, _ = search.calls[-1]
    assert (evaluations, taken) == ([], [(0.5, 3)])


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({}, UsageError, "there is no value of drag"),
        ({"objective": 1}, UsageError, "no point is told"),
        ({"objective": 1, "id": 1, "failed": True}, UsageError, "drag is given for a point that is failed"),
        ({"id": 1, "failed": True, "abandon": True}, UsageError, "cannot both"),
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
    with pytest.raises(DataError, match=r"already: it is ok with 3 \(line 2\). --amend replaces it"):
        study.tell(4, id=1)
    study.tell(4, id=1, amend=True)
    assert study.evaluations_path.read_text() == HEAD + "1,0.5,3,2.0,3,ok\n1,0.5,3,2.0,4,ok\n"
    assert study.best().objective == 4
    assert len(search.calls) == 1


def test_an_answer_after_expiry_counts(study: Study, csv: Writer) -> None:
    """It is recorded with a warning."""
    csv(HEAD + "1,0.5,3,2,,pending\n1,0.5,3,2,,expired\n")
    study.tell(3, id=1)
    assert "had expired" in study.warnings[0]
    assert study.best().id == 1


def test_the_study_goes_on_from_the_csv_alone(study: Study, search: Any) -> None:
    """Without the state, ids and steps go on, and pending rows are known."""
    study.ask(append=True)
    study.ask(append=True)
    study.tell(3, id=1)
    study.state_path.unlink()
    assert study.ask().id == 3
    _, evaluations, pending, step, fit = search.calls[-1]
    assert ([e.id for e in evaluations], pending, step, fit) == ([1], [(1.5, 4)], 2, None)


def test_an_existing_table_starts_a_study(study: Study, search: Any, csv: Writer) -> None:
    """Without id and status columns; ids then live in the state, and a row of the same values answers."""
    content = "blades;note;angle;drag\n4;x;1,5;10\n5;y;2,5;failed\n"
    path = csv(content)
    suggestion = study.ask()
    assert suggestion.id == 1
    assert [e.objective for e in search.calls[0][1]] == [10, None]
    study.tell(1.25, id=1)
    assert path.read_text() == content + "3;;0,5;1,25\n"
    with pytest.raises(DataError, match="has its answer already"):
        study.tell(1.25, id=1)
    with pytest.raises(DataError, match="without a column 'id' no row can replace another"):
        study.tell(1.25, id=1, amend=True)
    assert study.ask().id == 2
    with pytest.raises(DataError, match="has its answer already, or is known no more"):
        study.tell(1.25, id=1)
    with pytest.raises(DataError, match="no column 'status' can say pending"):
        study.ask(append=True)
    assert path.read_text() == content + "3;;0,5;1,25\n"


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
    assert study.warnings == ["r: columns that are not recorded: cost"]
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


def test_status(study: Study, search: Any, csv: Writer) -> None:
    """Counts, ranking, history and what waits; outside and set-aside rows are in neither."""
    csv(
        HEAD
        + ",1,3,2,5,\n,2,3,2,,failed\n,3,3,2,3,\n,4,3,2,inf,\n,5,3,2,3.0,\n,-1,3,2,1,\n,6,3,9,1,\n,7,3,2,,abandoned\n"
    )
    study.ask()
    found = study.status()
    assert (found.ok, found.failed, found.abandoned, found.expired, found.pending) == (6, 1, 1, 0, 1)
    assert (found.outside, found.aside, found.step) == (1, 1, 1)
    assert [(best.objective, best.line) for best in found.ranking] == [
        (Decimal(3), 4),
        (Decimal(3), 6),
        (Decimal(5), 2),
    ]
    assert found.best == found.ranking[0] == study.best()
    assert [str(value) for value in found.history] == ["5", "5", "3", "3", "3"]
    (waiting,) = found.waiting
    assert waiting.id == 1
    assert waiting.age is not None
    assert waiting.age < 3600
    assert found.diagnostics == {"step": 0, "id": 1, "kind": "counted"}
    assert len(found.warnings) == 2
    assert len(search.calls[0][1]) == 6


def test_the_best_of_a_study_that_maximises(problem_path: Path, csv: Writer) -> None:
    """The largest value is the best, of equal ones the first."""
    problem_path.write_text(problem_path.read_text().replace("minimize", "maximize"))
    csv(HEAD + ",1,3,2,5,\n,2,3,2,7,\n,3,3,2,7,\n")
    study = Study.open(problem_path)
    assert (study.best().line, study.status().history) == (3, (Decimal(5), Decimal(7), Decimal(7)))


def test_there_is_no_best_before_a_success(study: Study, csv: Writer) -> None:
    """An empty study, and one in which everything failed."""
    with pytest.raises(DataError, match="no evaluation inside the bounds has succeeded yet"):
        study.best()
    csv(HEAD + ",1,3,2,,failed\n,1,3,2,inf,\n")
    with pytest.raises(DataError, match="no evaluation inside the bounds has succeeded yet"):
        study.best()
    assert study.status().best is None


def test_failures_may_be_errors(problem_path: Path, search: Any, csv: Writer) -> None:
    """They can be recorded and seen, but nothing is suggested until they are amended."""
    problem_path.write_text(problem_path.read_text() + "failed: error\n")
    study = Study.open(problem_path)
    study.ask()
    study.tell(id=1, failed=True)
    assert "failed: error is set" in study.warnings[0]
    with pytest.raises(DataError, match=r"drag\.csv:2:1: this evaluation failed"):
        study.ask()
    with pytest.raises(DataError, match=r"drag\.csv:2:1: this evaluation failed"):
        study.check()
    assert "this evaluation failed" in study.status().warnings[0]
    study.tell(3, id=1, amend=True)
    assert study.ask().id == 2
    assert len(search.calls) == 2


def test_check_says_what_the_files_hold(study: Study, search: Any, csv: Writer) -> None:
    """In words, one line for each file; nothing is written."""
    assert [line.rpartition("/")[2] for line in study.check()] == [
        "drag.yaml: 2 free and 1 fixed parameters",
        "drag.csv: no evaluations (no file yet)",
        "drag.state.json: none yet",
    ]
    csv(HEAD + ",1,3,2,5,\n")
    study.ask()
    before = sorted(study.problem_path.parent.iterdir())
    assert [line.rpartition("/")[2] for line in study.check()][1:] == [
        "drag.csv: 1 ok, 1 pending",
        "drag.state.json: step 1",
    ]
    assert sorted(study.problem_path.parent.iterdir()) == before
    assert len(search.calls) == 1


def test_check_tells_the_errors_of_all_files(study: Study, csv: Writer) -> None:
    """Evaluations and state at once."""
    csv(HEAD + ",x,3,2,5,\n")
    study.state_path.write_text('{"format": 9}')
    with pytest.raises(ManyErrors) as caught:
        study.check()
    assert [type(error) for error in caught.value.errors] == [DataError, DataError]


@pytest.mark.parametrize("call", ["ask", "tell", "status", "best", "check"])
@pytest.mark.parametrize("wrong", ["csv", "state"])
def test_wrong_files_stop_every_call_and_stay(study: Study, search: Any, csv: Writer, call: str, wrong: str) -> None:
    """Exit status 65, and not a byte on disk is changed."""
    csv(HEAD + (",x,3,2,5,\n" if wrong == "csv" else ",1,3,2,5,\n"))
    study.state_path.write_text('{"format": 9}' if wrong == "state" else "{cut")
    before = {path.name: path.read_bytes() for path in study.problem_path.parent.iterdir()}
    arguments: dict[str, Any] = {"objective": 1, "parameters": {"angle": 1, "blades": 3}} if call == "tell" else {}
    with pytest.raises(OrdboError) as caught:
        getattr(study, call)(**arguments)
    assert caught.value.exit_status == 65
    after = {path.name: path.read_bytes() for path in study.problem_path.parent.iterdir()}
    after.pop("drag.state.json.lock", None)
    assert after == before
    assert not search.calls


def test_a_cut_state_is_rebuilt(study: Study, search: Any) -> None:
    """Reading calls leave it and warn; the next suggestion sets it aside, and no id is given twice."""
    study.ask()
    study.ask()
    study.state_path.write_text("{cut")
    assert "is unreadable" in study.status().warnings[0]
    assert study.state_path.read_text() == "{cut"
    assert study.ask().id == 3
    assert any("was set aside as" in warning for warning in study.warnings)
    (aside,) = study.problem_path.parent.glob("*.unreadable-*")
    assert aside.read_text() == "{cut"
    assert study.ask().id == 4
    assert study.warnings == []
    assert len(search.calls) == 4


def test_a_state_that_cannot_be_written(study: Study, search: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --append nothing would remember the point: an error; with it the row does."""

    def refuse(*_: object) -> list[str]:
        raise FileError("no space")

    monkeypatch.setattr(study_module, "save_state", refuse)
    with pytest.raises(FileError):
        study.ask()
    assert study.ask(append=True).id == 1
    assert study.warnings == ["no space; the suggestion stands in the evaluations"]
    assert study.ask(append=True).id == 2
    assert len(search.calls) == 3


def test_warnings_are_those_of_the_last_call(study: Study, csv: Writer) -> None:
    """They do not pile up."""
    csv(HEAD + ",-1,3,2,5,\n")
    study.status()
    study.status()
    assert len(study.warnings) == 1
