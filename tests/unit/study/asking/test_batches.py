"""Batches: the points that single calls give, recorded together, and proposals that were made before."""

from __future__ import annotations

import itertools
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from ordbo_cli.errors import DataError, ExhaustedError, FileError, UsageError
from ordbo_cli.problem import Suggestion
from ordbo_cli.search.step import Proposal
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.step_record import Edges, StepRecord
from ordbo_cli.study.asking import suggest as asking
from ordbo_cli.study.returned import Unseen
from ordbo_cli.study.study import Study

HEAD = "id,angle,blades,span,drag,status\n"
NO_IDS = "angle,blades,drag,status\n"
# Tables with everything that can be out, or wait to be evaluated again.
TABLES = {
    "none": "",
    "results": HEAD + "7,1,3,2,5,ok\n,2,3,2,6,failed\n8,3,3,2,,abandoned\n9,4,3,2,,expired\n",
    "queue": HEAD + "7,1,3,2,5,ok\n7,1,3,2,,retry\n3,2,4,2,,pending\n,9,9,2,,retry\n2,8,3,2,,retry\n",
    "moved out": HEAD + "4,13,3,2,,retry\n5,1,3,2,,retry\n6,2,3,7,,pending\n",
    "nameless": HEAD + ",11,3,2,,pending\n5,1,3,2,,pending\n,10,4,2,,pending\n,9,9,2,,retry\n",
    "no ids": NO_IDS + "1,3,5,ok\n2,4,,pending\n1,3,,retry\n2,5,,retry\n7,7,,expired\n",
    "foreign": "drag;blades;note;angle\n1,5;4;a;1,25\n",
}


def kept(study: Study) -> tuple[str, Any]:
    """Return evaluations and state, but for the times."""
    table, state = study.evaluations_path, study.state_path
    text = re.sub(r'"time": "[^"]*"', "", state.read_text()) if state.exists() else ""
    return table.read_text() if table.exists() else "", text


def restart(study: Study, table: str) -> None:
    """Take the study back to a table, without a state."""
    for path in study.problem_path.parent.iterdir():
        if path != study.problem_path:
            path.unlink()
    if table:
        study.evaluations_path.write_text(table)


@pytest.mark.slow
@pytest.mark.parametrize("noise", [False, True])
@pytest.mark.parametrize("before", [0, 2])
@pytest.mark.parametrize(
    ("table", "append"),
    [(table, append) for table in TABLES for append in (False, True)],
)
def test_a_batch_is_what_single_calls_are(
    problem_path: Path, search: Any, table: str, append: bool, before: int, noise: bool
) -> None:
    """Ids, points, rows, state to the last count, and what the search was asked: whatever is out or in the queue."""
    problem_path.write_text(problem_path.read_text() + f"noise: {str(noise).lower()}\n")
    study = Study.open(problem_path)
    found = []
    for many in (False, True):
        restart(study, TABLES[table])
        for _ in range(before):
            study.ask(append=append)
        search.calls.clear()
        points = study.ask_batch(5, append=append) if many else [study.ask(append=append) for _ in range(5)]
        found.append((list(points), kept(study), list(search.calls), [point.id for point in study.pending()]))
    assert found[0] == found[1]
    assert len({point.id for point in found[0][0]}) == 5


def test_points_to_evaluate_again_go_first_and_once(study: Study, search: Any) -> None:
    """Then new ones, each with what was said about it."""
    study.evaluations_path.write_text(TABLES["queue"])
    points = study.ask_batch(5)
    assert [(point.id, point.values[0]) for point in points] == [(7, 1.0), (8, 9.0), (2, 8.0), (9, 4.5), (10, 5.5)]
    assert [said["id"] for said in study.status().steps] == [9, 10]
    assert [call.step for call in search.calls] == [4, 5]


def test_files_are_written_once(study: Study, search: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """However many points there are; they are read before the lock is taken, and under it."""
    study.ask(append=True)
    calls: list[str] = []

    def counted(module: Any, name: str) -> None:
        call = getattr(module, name)

        def counting(*arguments: Any, **options: Any) -> Any:
            calls.append(name)
            return call(*arguments, **options)

        monkeypatch.setattr(module, name, counting)

    counted(asking, "read_files")
    counted(asking, "append_rows")
    counted(asking, "save_state")
    study.ask_batch(6, append=True)
    assert calls == ["read_files", "read_files", "append_rows", "save_state"]


def test_others_record_results_while_a_batch_is_chosen(
    study: Study, problem_path: Path, search: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A long batch does not hold the lock: a job that ends meanwhile waits for nothing, and its point is not chosen."""
    propose, chosen = search.propose, []

    def slowly(given: StepInput, **options: Any) -> Proposal:
        proposal: Proposal = propose(given, **options)
        chosen.append(proposal)
        if len(chosen) == 3:
            values = dict(zip(("angle", "blades"), chosen[0].values, strict=False))
            Study.open(problem_path, lock_timeout=0.0).tell(5, parameters=values)
        return proposal

    study.ask()
    monkeypatch.setattr(sys.modules["ordbo_cli.search.step"], "propose", slowly)
    points = [point.values for point in study.ask_batch(3, append=True)]
    assert points == [tuple(proposal.values) for proposal in chosen[1:]]


@pytest.mark.parametrize("broken", ["append_rows", "save_state"])
@pytest.mark.parametrize("append", [False, True])
def test_all_points_are_recorded_or_none(
    study: Study, search: Any, monkeypatch: pytest.MonkeyPatch, append: bool, broken: str
) -> None:
    """A refusal leaves all as it was; where the rows are there already, they stand without the state."""
    study.ask(append=True)
    before = kept(study)

    def refuse(*_: object) -> None:
        raise FileError("no space")

    monkeypatch.setattr(asking, broken, refuse)
    if append and broken == "save_state":
        asked = study.ask_batch(3, append=True)
        assert [point.id for point in asked] == [2, 3, 4]
        assert asked.warnings == ("no space; the 3 suggestions stand in the evaluations",)
        assert [point.id for point in study.pending()] == [1, 2, 3, 4]
        return
    with pytest.raises(FileError):
        study.ask_batch(3, append=append)
    assert kept(study) == before


def test_claims_come_before_anything_is_recorded(study: Study, search: Any) -> None:
    """Under the lock, one for each id, those that are handed out again among them; a refused one stops it all."""
    study.evaluations_path.write_text(TABLES["queue"])
    claimed: list[tuple[int, bool, bool]] = []

    def claim(id: int) -> None:
        unchanged = study.evaluations_path.read_text() == TABLES["queue"]
        claimed.append((id, unchanged, study.state_path.exists()))

    study.ask_batch(4, dry_run=True, claim=claim)
    assert claimed == []
    study.ask_batch(4, append=True, claim=claim)
    assert claimed == [(id, True, False) for id in (7, 8, 2, 9)]
    before = kept(study)
    with pytest.raises(ZeroDivisionError):
        study.ask_batch(2, append=True, claim=lambda id: id // 0)
    assert kept(study) == before


def test_nothing_is_claimed_where_no_row_can_be_appended(problem_path: Path, search: Any) -> None:
    """The table has no column for a parameter that was added."""
    problem_path.write_text(problem_path.read_text().replace("max: 9}", "max: 9, past: 9}"))
    study = Study.open(problem_path)
    study.evaluations_path.write_text("angle,drag\n1,4\n")
    with pytest.raises(DataError, match="there is no column 'blades'"):
        study.ask_batch(2, append=True, claim=lambda _: pytest.fail("claimed"))
    assert not study.state_path.exists()


@pytest.mark.parametrize(("left", "words"), [(1, "only 1 point is left"), (2, "only 2 points are left")])
def test_fewer_points_where_fewer_are_left(
    study: Study, search: Any, monkeypatch: pytest.MonkeyPatch, left: int, words: str
) -> None:
    """Those are recorded, with a warning; none at all is an error."""
    propose = search.propose

    def until(given: StepInput, **rest: Any) -> Any:
        if given.step >= left:
            raise ExhaustedError("every point of the space was tried")
        return propose(given, **rest)

    monkeypatch.setattr(sys.modules["ordbo_cli.search.step"], "propose", until)
    assert len(study.prepare(4)) == left
    asked = study.ask_batch(4, append=True)
    assert (len(asked), asked.warnings) == (left, (words,))
    assert len(study.pending()) == left
    before = kept(study)
    with pytest.raises(ExhaustedError):
        study.ask_batch(4)
    assert study.prepare(4) == []
    assert kept(study) == before


@pytest.mark.parametrize("number", [0, -1])
def test_no_points_are_no_batch(study: Study, number: int) -> None:
    """A wrong call."""
    with pytest.raises(UsageError, match=f"{number} points are asked for"):
        study.ask_batch(number)
    assert study.prepare(number) == []


def test_proposals_that_nobody_wants_any_more_are_not_made(study: Study, search: Any) -> None:
    """It is asked before each, and those that were made come back."""
    answers = iter([True, True, False])
    assert len(study.prepare(9, wanted=lambda: next(answers))) == 2


def test_what_the_model_does_not_see_is_told_once(study: Study, search: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not for each point of a batch, nor at each later step, although the numbers are others then."""
    study.evaluations_path.write_text(HEAD + "".join(f",{k},3,2,{k},\n" for k in range(9)))
    counts = itertools.count(3)

    def propose(*_: object, **__: object) -> Proposal:
        return Proposal((1.0, next(counts)), None, StepRecord("acquire", left_out=7, pending_left_out=4))

    monkeypatch.setattr(sys.modules["ordbo_cli.search.step"], "propose", propose)
    asked = study.ask_batch(3)
    assert asked.warnings == (
        "the model sees 2 of 9 results: the first, the best, the newest and some of every rank",
        "the model sees the newest points that are out: 4 older ones are left out",
    )
    assert all(isinstance(warning, Unseen) for warning in asked.warnings)
    study.tell(1.0, id=10)
    assert study.ask().warnings[0].startswith("the model sees 3 of 10 results")


def proposals(*angles: float) -> list[Proposal]:
    return [Proposal((angle, 5), {"prepared": angle}, StepRecord("spread")) for angle in angles]


def angles(points: Sequence[Any]) -> list[float]:
    return [point.values[0] for point in points]


def test_prepared_points_take_the_place_of_new_ones(study: Study, search: Any) -> None:
    """Behind the queue, in their order, with their fit and their words; the search is asked for the rest alone."""
    study.evaluations_path.write_text(HEAD + "1,1,3,2,,retry\n")
    points = study.ask_batch(4, prepared=proposals(10, 11))
    assert angles(points) == [1, 10, 11, 3.5]
    assert [point.id for point in points] == [1, 2, 3, 4]
    assert [(call.step, call.fit) for call in search.calls] == [(3, {"prepared": 11})]
    assert [(said["id"], said["step"], said["kind"]) for said in study.status().steps] == [
        (2, 1, "spread"), (3, 2, "spread"), (4, 3, "acquire"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("row", "noise", "taken"),
    [
        ("9,10,5,2,,pending", False, True),
        ("9,10,5,2,,pending", True, True),
        (",10,5,2,,pending", False, True),
        ("9,10,5,2,4,ok", False, True),
        ("9,10,5,2,4,ok", True, False),
        (",10,5,2,,failed", False, True),
        ("9,10,5,2,,abandoned", False, True),
        ("9,10,5,2,,abandoned", True, True),
        ("9,10,5,2,,expired", False, False),
        ("9,10,5,3,,pending", False, False),  # with another value of span: another point
    ],
)
def test_prepared_points_that_others_took_are_passed_over(
    problem_path: Path, search: Any, row: str, noise: bool, taken: bool
) -> None:
    """What is out, was tried or was given up by now; with noise a point may be tried again."""
    problem_path.write_text(problem_path.read_text() + f"noise: {str(noise).lower()}\n")
    study = Study.open(problem_path)
    study.evaluations_path.write_text(HEAD + row + "\n")
    (point,) = study.ask_batch(1, prepared=proposals(10, 11))
    assert angles([point]) == [11 if taken else 10]


def test_prepared_points_whose_cell_others_took_are_passed_over(study: Study, search: Any) -> None:
    """Another caller's point inside the cell came since; one on its edge made the cell."""
    study.evaluations_path.write_text(HEAD + "9,10.5,5,2,,pending\n8,2,6,2,,pending\n")
    cells: list[Edges] = [((10.0, 11.0), (4, 7)), ((1.0, 2.0), (3, 9))]
    made = [Proposal((x, 5), None, StepRecord("acquire", cell)) for x, cell in zip((10.2, 1.5), cells, strict=True)]
    assert angles(study.ask_batch(1, prepared=made)) == [1.5]


def test_a_prepared_point_is_given_once(study: Study, search: Any) -> None:
    """Also where it was prepared twice, or has been handed out again from the queue."""
    study.evaluations_path.write_text(HEAD + ",10,5,2,,retry\n")
    assert angles(study.ask_batch(4, prepared=proposals(10, 11, 11))) == [10, 11, 2.5, 3.5]


@pytest.mark.parametrize("table", TABLES)
def test_what_is_prepared_is_what_comes_next(study: Study, search: Any, table: str) -> None:
    """The new points of the next batch; nothing is recorded or said, and no lock is taken."""
    restart(study, TABLES[table])
    queue = sum(point.again and point.parameters["angle"] != 13 for point in study.pending())
    before = sorted(path.name for path in study.problem_path.parent.iterdir())
    prepared = study.prepare(3)
    assert sorted(path.name for path in study.problem_path.parent.iterdir()) == before
    asked = search.calls.copy()
    search.calls.clear()
    points = study.ask_batch(queue + 3, dry_run=True)
    assert [proposal.values for proposal in prepared] == [point.values for point in points[queue:]]
    assert asked == search.calls
    assert study.ask_batch(queue + 3, prepared=prepared) == points


def test_preparing_while_others_ask_and_tell(study: Study, search: Any) -> None:
    """From other threads: every call succeeds, and no point is handed out twice."""
    found: list[Any] = []
    wrong: list[BaseException] = []

    def prepare() -> None:
        try:
            found.extend(study.prepare(2) for _ in range(20))
        except BaseException as error:
            wrong.append(error)

    threads = [Thread(target=prepare) for _ in range(2)]
    for thread in threads:
        thread.start()
    points: list[Suggestion] = []
    while any(thread.is_alive() for thread in threads):
        points += study.ask_batch(2, append=True, prepared=found.pop() if found else [])
        study.tell(1, id=points[-1].id)
    assert wrong == []
    assert len({point.values for point in points}) == len(points)


def test_failures_that_are_errors_stop_preparing(problem_path: Path, search: Any) -> None:
    """As they stop asking."""
    problem_path.write_text(problem_path.read_text() + "failed: error\n")
    study = Study.open(problem_path)
    study.evaluations_path.write_text(HEAD + "1,1,3,2,,failed\n")
    for call in (study.prepare, study.ask_batch):
        with pytest.raises(DataError, match="this evaluation failed"):
            call(2)


@pytest.mark.slow
def test_a_batch_that_only_a_cut_state_knew(study: Study, search: Any) -> None:
    """No id is given twice, whether or not there was a copy before it; and no table is missed that never was."""
    for before in (0, 1):
        restart(study, "")
        for _ in range(before):
            study.ask()
        study.ask_batch(4)
        cut = study.state_path.read_bytes()[:-30]
        study.state_path.write_bytes(cut)
        assert study.ask().id == before + 5
        asked = study.ask()
        assert (asked.id, asked.warnings) == (before + 6, ())
        study.tell(1, id=before + 5)
        study.ask()
        study.evaluations_path.unlink()
        first, second = study.status().warnings
        assert "it was there, and is there no more" in first
        assert f"the result of {before + 5} was there, and is there no more" in second
