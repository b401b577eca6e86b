"""Asking a study: suggestions, and the files behind them."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.errors import DataError, FileError, OrdboError, UsageError
from ordbo_cli.study.asking import suggest as asking
from ordbo_cli.study.study import Study

Writer = Callable[[str | bytes], Path]
HEAD = "id,angle,blades,span,drag,status\n"


def state_of(study: Study) -> Any:
    return json.loads(study.state_path.read_text())


def test_asking_records_a_pending_suggestion_in_the_state(study: Study, search: Any) -> None:
    """The CSV is not touched; the next call sees what is open, and the fit of the one before."""
    first, second = study.ask(), study.ask()
    assert (first.id, first.values, dict(first.parameters)) == (1, (0.5, 3), {"angle": 0.5, "blades": 3, "span": 2.0})
    assert (second.id, second.values) == (2, (1.5, 4))
    given = search.calls[1]
    assert (given.evaluations, given.pending, given.step, given.fit) == ([], [(0.5, 3)], 1, {"steps": 0})
    assert not study.evaluations_path.exists()
    state = state_of(study)
    assert [entry["id"] for entry in state["pending"]] == [1, 2]
    assert (state["step"], state["next_id"], state["fit"]) == (2, 3, {"steps": 1})
    assert state["diagnostics"] == [
        {"step": 0, "id": 1, "kind": "acquire"},
        {"step": 1, "id": 2, "kind": "acquire"},
    ]


def test_the_diagnostics_of_the_newest_steps_are_kept(
    study: Study, search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long study's state does not grow for ever; the steps are counted on."""
    monkeypatch.setattr(asking, "MOST_STEPS", 3)
    for _ in range(5):
        study.ask()
    assert [words["step"] for words in state_of(study)["diagnostics"]] == [2, 3, 4]
    assert (state_of(study)["step"], len(study.status().steps)) == (5, 3)


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


@pytest.mark.gpflow
def test_the_engine_can_be_chosen_for_a_call(study: Study, search: Any) -> None:
    """The search gets a problem with that engine; an unknown one is a wrong call."""
    study.ask(engine="gpflow")
    assert search.calls[0].problem.method.engine == "gpflow"
    with pytest.raises(UsageError, match="engine is 'abacus'"):
        study.ask(engine="abacus")  # type: ignore[arg-type]  # what a wrong call looks like


def test_abandoned_points_stay_taken(study: Study, search: Any) -> None:
    """The search is told to avoid them: not ranked, not pending, and never suggested again."""
    study.ask()
    study.tell(id=1, abandon=True)
    study.ask()
    given = search.calls[-1]
    assert (given.evaluations, given.pending, given.avoid) == ([], [], [(0.5, 3)])


@pytest.mark.slow
@pytest.mark.parametrize(("append", "lost"), [(False, False), (True, False), (True, True)])
def test_a_point_to_evaluate_again_comes_back_under_its_id(study: Study, search: Any, append: bool, lost: bool) -> None:
    """First of all, once for each wish, and it is no new step; the rows alone are enough for that."""
    first = study.ask(append=append)
    study.ask(append=append)
    study.tell(id=1, retry=True)
    status = study.status()
    assert (status.retry, [point.id for point in status.again], status.pending) == (1, [1], 1)
    if lost:
        study.state_path.unlink()
    assert study.ask(dry_run=True) == study.ask(append=append) == first
    assert (study.status().retry, search.calls[-1].avoid) == (0, [])
    assert study.ask(append=append).id == 3
    assert study.status().step == 3
    study.tell(5, id=1)
    assert study.best().id == 1


def test_points_of_ones_own_can_be_queued(study: Study, search: Any) -> None:
    """One that was never suggested gets an id when it is handed out, and keeps others away until then."""
    study.tell(parameters={"angle": 7, "blades": 5}, retry=True)
    study.tell(parameters={"angle": 8, "blades": 5}, retry=True)
    assert (study.ask().id, study.ask().values, study.ask().values) == (1, (8.0, 5), (2.5, 5))
    assert study.status().step == 3
    study.tell(1, id=1)
    assert study.best().parameters["angle"] == 7


def test_a_point_that_the_bounds_no_longer_allow_stays_where_it_is(study: Study, search: Any) -> None:
    """People are told; the search goes on."""
    study.tell(parameters={"angle": 13, "blades": 5}, retry=True)
    asked = study.ask()
    assert asked.values == (0.5, 3)
    assert "to be evaluated again, but the problem no longer allows the point" in asked.warnings[-1]
    assert search.calls[-1].pending == [(13.0, 5)]


def test_the_study_goes_on_from_the_csv_alone(study: Study, search: Any) -> None:
    """Without the state, ids and steps go on, and pending rows are known."""
    study.ask(append=True)
    study.ask(append=True)
    study.tell(3, id=1)
    study.state_path.unlink()
    assert study.ask().id == 3
    given = search.calls[-1]
    assert [e.id for e in given.evaluations] == [1]
    assert (given.pending, given.step, given.fit) == ([(1.5, 4)], 2, None)


def test_an_existing_table_starts_a_study(study: Study, search: Any, csv: Writer) -> None:
    """Without id and status columns; ids then live in the state, and a row of the same values answers."""
    content = "blades;note;angle;drag\n4;x;1,5;10\n5;y;2,5;failed\n"
    path = csv(content)
    suggestion = study.ask()
    assert suggestion.id == 3
    assert [e.objective for e in search.calls[0].evaluations] == [10, None]
    study.tell(1.25, id=3)
    assert path.read_text() == content + "3;;0,5;1,25\n"
    assert not study.tell(1.25, id=3).new
    with pytest.raises(DataError, match="has its answer already"):
        study.tell(1.5, id=3)
    with pytest.raises(DataError, match="without a column 'id' no row can replace another"):
        study.tell(1.25, id=3, amend=True)
    assert study.ask().id == 4
    assert not study.tell(1.25, id=3).new
    with pytest.raises(DataError, match=r"suggestion 3 has its answer already: it is ok with 1\.25"):
        study.tell(1.5, id=3)
    assert study.ask(append=True).id == 5
    assert path.read_text() == content + "3;;0,5;1,25\n5;;2,5;\n"
    assert [(point.id, point.line) for point in study.pending()] == [(4, None), (5, 5)]


def test_failures_may_be_errors(problem_path: Path, search: Any, csv: Writer) -> None:
    """They can be recorded and seen, but nothing is suggested until they are amended."""
    problem_path.write_text(problem_path.read_text() + "failed: error\n")
    study = Study.open(problem_path)
    study.ask()
    assert "failed: error is set" in study.tell(id=1, failed=True).warnings[0]
    with pytest.raises(DataError, match=r"drag\.csv:2:1: this evaluation failed"):
        study.ask()
    with pytest.raises(DataError, match=r"drag\.csv:2:1: this evaluation failed"):
        study.check()
    assert "this evaluation failed" in study.status().warnings[0]
    study.tell(3, id=1, amend=True)
    assert study.ask().id == 2
    assert len(search.calls) == 2


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
    assert after == before
    assert not search.calls


def test_a_cut_state_is_rebuilt(study: Study, search: Any) -> None:
    """Reading calls leave it and warn; the next suggestion sets it aside, and no id is given twice."""
    study.ask()
    study.ask()
    study.state_path.write_text("{cut")
    assert "is unreadable" in study.status().warnings[0]
    assert study.state_path.read_text() == "{cut"
    asked = study.ask()
    assert asked.id == 3
    assert any("was set aside as" in warning for warning in asked.warnings)
    (aside,) = study.problem_path.parent.glob("*.unreadable-*")
    assert aside.read_text() == "{cut"
    asked = study.ask()
    assert (asked.id, asked.warnings) == (4, ())
    assert len(search.calls) == 4


def test_a_state_that_cannot_be_written(study: Study, search: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --append the point is nobody's, and its id goes to the next one; with it the row remembers it."""

    def refuse(*_: object) -> list[str]:
        raise FileError("no space")

    monkeypatch.setattr(asking, "save_state", refuse)
    with pytest.raises(FileError):
        study.ask()
    assert study.pending() == ()
    asked = study.ask(append=True)
    assert asked.id == 1
    assert asked.warnings[-1] == "no space; the suggestion stands in the evaluations"
    assert study.ask(append=True).id == 2
    assert len(search.calls) == 3
