"""A simulator that dies in the middle of a run, or never lived."""

from __future__ import annotations

import pytest

from ordbo_cli.drive.events import Begun, Event, Warned
from ordbo_cli.drive.simulation.folders import Answer, begin, write_answer
from ordbo_cli.errors import MissingFileError, UsageError
from tests.unit.drive.driven import Run, Script, again

pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("light")]


def test_a_wrong_command_leaves_no_failure_behind(run: Run) -> None:
    """Where nothing has ever succeeded, nobody knows how often the simulator fails: many a failure is needed."""
    with pytest.raises(UsageError, match="the first 62 evaluations gave no answer: bad") as caught:
        run(Script(run, [None]), budget=100, workers=1)
    assert "--keep-going" in caught.value.hint
    assert again(run) == [*range(1, 63)]
    assert run.study.status().failed == 0


@pytest.mark.parametrize("table", ["", "id,a,b,y,status\n", "a,b,y\n", "a,b,y,status\n"])
@pytest.mark.parametrize("workers", [1, 4])
def test_a_simulator_that_dies(run: Run, table: str, workers: int) -> None:
    """After 31 successes six failures are too many; the next run evaluates their points. Any table will do."""
    if table:
        run.study.evaluations_path.write_text(table)
    with pytest.raises(UsageError, match="evaluations in a row failed alike, within 0 s: bad"):
        run(Script(run, [*["7"] * 31, None]), budget=50, workers=workers)
    assert (run.study.status().ok, run.study.status().failed) == (31, 0)
    points = {job.id: job.parameters for job in run.hand.jobs}
    assert 37 <= len(points) < 37 + workers
    run.hand.jobs.clear()
    assert run(Script(run, ["7"]), budget=50, workers=workers).kind == "done"
    assert (run.study.status().ok, run.study.status().failed, again(run)) == (50, 0, [])
    assert {job.id: job.parameters for job in run.hand.jobs if job.id in points} == {
        id: parameters for id, parameters in points.items() if id > 31
    }


@pytest.mark.parametrize("table", ["", "a,b,y\n"])
def test_failures_at_their_usual_rate(run: Run, table: str) -> None:
    """They are recorded, the last ones too, and count for the budget; nothing is left open."""
    if table:
        run.study.evaluations_path.write_text(table)
    assert run(Script(run, [*["7", None, None] * 10, None]), budget=34, workers=1).kind == "done"
    assert (run.study.status().ok, run.study.status().failed, again(run)) == (10, 24, [])
    assert len(run.hand.jobs) == 34


def test_a_number_of_failures(run: Run) -> None:
    """As many as the user says, if they look alike; none are too many for who goes on."""
    bad = [Answer(None, f"exit status {number}") for number in (1, 1, 2, 2)]
    with pytest.raises(UsageError, match="3 evaluations in a row failed alike, within 0 s: exit status 2"):
        run(Script(run, [*bad, bad[-1]]), budget=50, workers=1, max_failures=3)
    assert again(run) == [3, 4, 5]
    assert run(Script(run, [None]), budget=50, workers=1, keep_going=True).kind == "done"
    assert run.study.status().failed == 50


def test_what_runs_may_show_that_the_simulator_works(run: Run) -> None:
    """No point begins meanwhile; a success that began among the failures makes them failures of their points."""
    begun: list[int] = []

    def then(event: Event) -> None:
        if isinstance(event, Begun):
            begun.append(event.job.id)
            if event.job.id <= 31:
                run.hand.end(event.job.id)
            elif event.job.id != 37:
                run.hand.end(event.job.id, None)
        elif isinstance(event, Warned):
            assert "6 evaluations in a row failed alike, within 0 s: bad; no point begins until" in event.text
            assert max(begun) == 38
            run.hand.end(37)

    with pytest.raises(UsageError, match="evaluations in a row failed alike"):
        run(then, budget=60, workers=2)
    assert run.study.status().ok == 32
    assert run.study.status().failed == 5
    assert min(again(run)) == 38  # type: ignore[type-var]  # ids are there


def test_a_kill_in_a_row_of_failures(run: Run) -> None:
    """What a killed run had recorded, or not even recorded, is part of the row, and is taken back with it."""
    run(Script(run, ["7"]), budget=31, workers=1)
    run(Script(run, [Answer(None, "bad")]), budget=34, workers=1)
    for id in (35, 36):
        run.study.ask_batch(1, append=True, claim=run.folders.claim)
        begin(run.folders.path(id))
        write_answer(run.folders.path(id), Answer(None, "bad"))
    for id in (32, 33, 34):
        write_answer(run.folders.path(id), Answer(None, "bad"))
    with pytest.raises(UsageError, match="6 evaluations in a row failed alike"):
        run(Script(run, [None]), budget=50, workers=1)
    assert again(run) == [32, 33, 34, 35, 36, 37]


def test_a_command_that_cannot_start_ends_the_run(run: Run) -> None:
    """Nothing is recorded of the point; what runs comes to its end and is."""

    def then(event: Event) -> None:
        if isinstance(event, Begun) and event.job.id == 2:
            run.hand.end(2, MissingFileError("there is no program"))
            run.hand.end(1)

    with pytest.raises(MissingFileError, match="there is no program"):
        run(then, budget=50)
    assert run.results == {1: "7"}
    assert again(run) == [2]
    assert run(run.end_at_once, budget=3).kind == "done"
    assert run.results.keys() == {1, 2, 3}


def test_an_answer_in_another_unit(run: Run) -> None:
    """950 ms and 1.2 s have no order that the numbers tell."""
    answers = [Answer("950", units={"y": "ms"}), Answer("1.2", units={"y": "s"}), Answer("940", units={"y": "ms"})]
    run(Script(run, answers), budget=3, workers=1)
    assert run.results == {1: "950", 3: "940"}
