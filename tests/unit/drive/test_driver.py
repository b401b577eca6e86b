"""The driver, with evaluations that end when a test says so."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import pytest

from ordbo_cli.drive.driver import Driver
from ordbo_cli.drive.events import Begun, Event, Finished, Warned
from ordbo_cli.drive.simulation.folders import Answer, begin, write_answer
from ordbo_cli.errors import FileError, OrdboError, StoppedError
from ordbo_cli.study.asking import suggest as asking
from ordbo_cli.study.asking.stopping import StopRule
from ordbo_cli.study.returned import Answers, Asked, Unseen
from ordbo_cli.study.study import Study
from ordbo_cli.study.telling.recording import Told
from tests.unit.drive.driven import Run


def test_an_answer_that_cannot_be_recorded_ends_no_other_evaluation(run: Run) -> None:
    """It is recorded when the next one ends, the run goes on, and people were told the value."""
    whole = b""

    def then(event: Event) -> None:
        nonlocal whole
        if isinstance(event, Begun) and event.job.id == 2:
            whole = run.study.evaluations_path.read_bytes()
            run.study.evaluations_path.write_bytes(whole + b"garbage\n")
            run.hand.end(1)
        elif isinstance(event, Warned):
            run.study.evaluations_path.write_bytes(whole)
            run.hand.end(2, "8")
        elif isinstance(event, Begun) and event.job.id > 2:
            run.hand.end(event.job.id)

    assert run(then, budget=4).kind == "done"
    assert run.results == {1: "7", 2: "8", 3: "7", 4: "7"}
    assert [warning[:27] for warning in run.warnings] == ["1: y=7 is not recorded yet:"]


def test_an_answer_that_can_never_be_recorded(run: Run) -> None:
    """When nothing runs any more the run ends with the reason, and no further point was asked for."""

    def then(event: Event) -> None:
        if isinstance(event, Begun) and event.job.id == 2:
            with run.study.evaluations_path.open("a") as file:
                file.write("garbage\n")
            run.hand.end(1)
        elif isinstance(event, Warned) and 2 in run.hand.running:
            run.hand.end(2)

    with pytest.raises(OrdboError, match="1 cell stands"):
        run(then, budget=4)
    assert [job.id for job in run.hand.jobs] == [1, 2]


def test_an_evaluation_that_the_system_did_not_let_begin_ends_no_other(run: Run) -> None:
    """It begins when another one has ended."""

    def then(event: Event) -> None:
        if isinstance(event, Begun) and event.job.id == 2 and 1 in run.hand.running:
            run.hand.end(1, FileError("no room"))
            run.hand.end(2)
        elif isinstance(event, Begun) and len(run.hand.jobs) > 2:
            run.hand.end(event.job.id)

    assert run(then, budget=3).kind == "done"
    assert run.results.keys() == {1, 2, 3}


def test_an_evaluation_that_the_system_never_lets_begin(run: Run) -> None:
    """With nothing else running the run ends, and the next one begins it."""
    with pytest.raises(FileError, match="no room"):
        run(lambda event: run.end_at_once(event, FileError("no room")), budget=1)
    assert run(run.end_at_once, budget=1).kind == "done"
    assert run.results == {1: "7"}


def test_a_running_point_is_not_begun_a_second_time(run: Run) -> None:
    """Somebody wants it evaluated again: it is being evaluated, in its folder, and that answer counts."""

    def then(event: Event) -> None:
        if isinstance(event, Begun) and event.job.id == 2:
            begin(event.job.folder)
            run.study.tell(id=2, retry=True)
            run.hand.end(1)
        elif isinstance(event, Begun) and event.job.id == 3:
            run.hand.end(2)
            run.hand.end(3)

    assert run(then, budget=3).kind == "done"
    assert [job.id for job in run.hand.jobs] == [1, 2, 3]
    assert run.results == {1: "7", 2: "7", 3: "7"}
    assert sorted(path.name for path in run.folders.base.iterdir()) == ["1", "2", "3"]  # no 2.old
    assert run.warnings == ["suggestion 2 is being evaluated: it is not begun a second time"]


def test_a_kill_during_a_further_attempt_does_not_use_it_up(run: Run) -> None:
    """The attempt that was cut is made again; one that had come to its end is not."""
    for id, answers in ((1, [Answer(None, "bad"), None]), (2, [Answer(None, "bad")]), (3, [Answer(None, "bad")] * 2)):
        run.study.ask_batch(1, append=True, claim=run.folders.claim)
        for attempt, answer in enumerate(answers, 1):
            begin(run.folders.path(id, attempt))
            if answer is not None:
                write_answer(run.folders.path(id, attempt), answer)
    run(run.end_at_once, budget=3, workers=1, retries=1)
    assert [(job.id, job.attempt) for job in run.hand.jobs] == [(1, 2), (2, 2)]
    assert run.results == {1: "7", 2: "7"}


def test_an_answer_that_was_taken_back_is_asked_for_again(run: Run) -> None:
    """Its folder has it still, and nobody wants it."""
    assert run(run.end_at_once, budget=1).kind == "done"
    begin(run.folders.path(1))
    write_answer(run.folders.path(1), Answer("7"))
    run.study.undo()
    run(lambda event: run.hand.end(1, "8") if isinstance(event, Begun) else None, budget=1)
    assert [job.id for job in run.hand.jobs] == [1, 1]
    assert run.results == {1: "8"}


def test_a_stop_does_not_wait_for_workers_that_are_gone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """What nobody answers stays pending; what had come to its end is recorded."""
    monkeypatch.setattr("ordbo_cli.drive.driver._LAST", 0.1)
    monkeypatch.setattr(run.hand, "stop", lambda: run.hand.end(1))
    assert run(lambda event: run.driver.stop(), budget=4).kind == "stopped"
    assert run.results == {1: "7"}


def test_an_answer_that_somebody_gave_meanwhile_stands(run: Run) -> None:
    """People are told, and the run goes on."""

    def then(event: Event) -> None:
        if isinstance(event, Begun):
            if event.job.id == 1:
                run.study.tell(5, id=1)
            run.hand.end(event.job.id)

    assert run(then, budget=2, workers=1).kind == "done"
    assert run.results == {1: "5", 2: "7"}
    assert ["has its answer already" in warning for warning in run.warnings] == [True]


@pytest.mark.slow
def test_results_that_come_together_are_recorded_together(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """One append for all; where one of them is refused the others are recorded all the same."""
    recorded: list[list[int]] = []
    tell_all = run.study.tell_all

    def counted(results: Mapping[int, str | None], *rest: Any) -> Answers[Told]:
        recorded.append(list(results))
        return tell_all(results, *rest)

    monkeypatch.setattr(Study, "tell_all", lambda _, *arguments: counted(*arguments))

    def then(event: Event) -> None:
        if isinstance(event, Begun) and event.job.id == 3:
            for id in (1, 2, 3):
                run.hand.end(id)
        elif isinstance(event, Begun) and event.job.id == 6:
            run.study.tell(3, id=5)
            for id in (4, 5, 6):
                run.hand.end(id)

    assert run(then, budget=6, workers=3).kind == "done"
    assert run.results == {1: "7", 2: "7", 3: "7", 4: "7", 5: "3", 6: "7"}
    assert recorded == [[1, 2, 3], [4, 5, 6], [4], [5], [6]]


def test_a_stop_where_the_evaluations_can_hold_no_pending_row(run: Run) -> None:
    """What was out is evaluated again under its id, as anywhere else."""
    run.study.evaluations_path.write_text("a,b,y\n1,1,9\n")

    def then(event: Event) -> None:
        if isinstance(event, Begun) and event.job.id == 3:
            run.hand.end(2)
            run.driver.stop()

    assert run(then, budget=4).kind == "stopped"
    assert [point.id for point in run.study.pending()] == [3]
    assert run(run.end_at_once, budget=4).kind == "done"
    assert [job.id for job in run.hand.jobs] == [2, 3, 3, 4]
    assert run.study.pending() == ()


@pytest.mark.slow
@pytest.mark.parametrize("workers", [1, 3])
def test_a_stop_rule_is_asked_again_with_each_result(run: Run, monkeypatch: pytest.MonkeyPatch, workers: int) -> None:
    """While it holds nothing begins and what runs is waited for; a result that makes it fail lets the run go on."""
    asked: list[tuple[int, int]] = []

    def stopping(files: Any, wish: Any, proposal: Any) -> str | None:
        results, out = len(files.ledger.evaluations()), len(files.ledger.waiting)
        if wish.stop_when:
            asked.append((results, out))
        return "enough" if wish.stop_when and (results in (5, 6) or results >= 9) and (results, out) != (6, 0) else None

    something_happened = Driver._something_happened

    def one_ends(driver: Driver) -> bool:
        if run.hand.running:  # the driver has begun what it will, and waits
            run.hand.end(min(run.hand.running))
        return something_happened(driver)

    monkeypatch.setattr(asking, "stopping", stopping)
    monkeypatch.setattr(Driver, "_something_happened", one_ends)
    ending = run(budget=50, workers=workers, stop_when=(StopRule.parse("expected-rank > 2"),))
    assert (ending.kind, ending.words) == ("rule", "enough")
    assert asked[-1][1] == 0  # the last word had the study when nothing was out
    assert len(run.results) == (5 if workers == 1 else asked[-1][0])
    assert run.study.pending() == ()
    assert not run.hand.running


@pytest.mark.slow
def test_what_was_proposed_ahead_has_not_the_last_word(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the rule holds of it the study is asked itself, with all results, before a run ends or goes on."""
    prepared: list[int] = []
    ask_batch = run.study.ask_batch

    def asked(number: int, **how: Any) -> Any:
        prepared.append(len(how["prepared"]))
        if len(prepared) > 4 and how["prepared"]:
            raise StoppedError("enough, by what was known then")
        return ask_batch(number, **how)

    monkeypatch.setattr(Study, "ask_batch", lambda _, number, **how: asked(number, **how))
    assert run(run.end_at_once, budget=9, workers=2).kind == "done"
    assert len(run.results) == 9
    (place,) = [k for k, count in enumerate(prepared) if k > 3 and count]
    assert prepared[place + 1 :]
    assert set(prepared[place + 1 :]) == {0}


def test_what_the_model_does_not_see_is_said_once(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its numbers change with every result; any other warning is told where it is new."""
    ask_batch, asked = run.study.ask_batch, itertools.count(1)

    def unseen(number: int, **how: Any) -> Asked:
        found, k = ask_batch(number, **how), next(asked)
        return Asked(found, [Unseen(f"the model sees {k} results"), f"news {k // 2}"], found.chosen)

    monkeypatch.setattr(Study, "ask_batch", lambda _, number, **how: unseen(number, **how))
    assert run(run.end_at_once, budget=4, workers=1).kind == "done"
    assert run.warnings == ["the model sees 1 results", "news 0", "news 1", "news 2"]


def test_several_results_at_once_are_told_one_by_one(run: Run) -> None:
    """Each with the count and the best that it would have come with alone, though they were recorded together."""

    def then(event: Event) -> None:
        if isinstance(event, Begun) and event.job.id == 3:
            for id, answer in ((1, "8"), (2, None), (3, "6")):
                run.hand.end(id, answer)

    assert run(then, budget=3, workers=3, keep_going=True).kind == "done"
    told = [event.status for event in run.events if isinstance(event, Finished)]
    assert [(status.ok, status.failed) for status in told] == [(1, 0), (1, 1), (2, 1)]
    assert [status.best and str(status.best.objective) for status in told] == ["8", "8", "6"]
    assert [len(status.history) for status in told] == [1, 2, 3]
    assert told[-1] == run.study.status()
