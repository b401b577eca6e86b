"""What a run shows while it goes on."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from ordbo_cli.cli import live
from ordbo_cli.cli.console import Console
from ordbo_cli.drive.driver import RunSettings
from ordbo_cli.drive.events import Begun, Finished
from ordbo_cli.drive.rules import Rules
from ordbo_cli.drive.simulation.command import Command
from ordbo_cli.drive.simulation.simulate import Answer, Job
from ordbo_cli.study.study import Study


def test_an_evaluation_may_begin_while_the_table_is_drawn(results: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The terminal is drawn by another thread than the one that takes note of what happens."""
    study = Study.open(results)
    command = Command.prepare(study.problem, ["true"], cwd=results.parent)
    shown = live.Live(Console(), study, RunSettings(command, Rules()))
    jobs = iter([Job(id, 1, {}, results.parent / str(id), command, study.problem) for id in range(1, 9)])

    def age(_: float) -> str:
        shown.watch(Begun(next(jobs)))
        return "1 s"

    shown.watch(Begun(next(jobs)))
    monkeypatch.setattr(live, "age", age)
    assert shown.rows()[0] == ("running", "1 (1 s)")
    assert shown.rows()[0] == ("running", "1 (1 s), 2 (1 s)")


def test_what_is_not_tried_again_is_not_said_to_be(results: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Of an evaluation that was stopped, or that somebody else answered, a watcher hears nothing more."""
    study = Study.open(results)
    command = Command.prepare(study.problem, ["true"], cwd=results.parent)
    shown = live.Live(Console(), study, RunSettings(command, Rules(), retries=1))
    first, second = (Job(3, attempt, {}, results.parent / "3", command, study.problem) for attempt in (1, 2))
    for job, answer in (
        (first, Answer(None, "exit status 1")),
        (first, Answer(None, "stopped", stopped=True)),
        (second, Answer(None, "exit status 1")),
    ):
        shown.watch(Finished(job, answer, None, study.status()))
    assert capsys.readouterr().err == "3: exit status 1, tried again (1 of 1)\n"


@pytest.mark.parametrize(("noise", "title"), [("true", "best value"), ("false", "best")])
def test_the_best_value_is_called_so_where_it_is_not_the_best(
    results: Path, capsys: pytest.CaptureFixture[str], noise: str, title: str
) -> None:
    """Under noise 'ordbo best' may have another point: in the table and in the lines."""
    with results.open("a") as file:
        file.write(f"noise: {noise}\n")
    study = Study.open(results)
    command = Command.prepare(study.problem, ["true"], cwd=results.parent)
    shown = live.Live(Console(), study, RunSettings(command, Rules()))
    assert title in dict(shown.rows())
    told = study.tell(9.0, parameters={"angle": 1, "blades": 4, "wall shear": 1})
    job = Job(3, 1, {}, results.parent / "3", command, study.problem)
    shown.watch(Finished(job, Answer("9.0", seconds=125.0), told, study.status()))
    said = capsys.readouterr().err
    assert " (125 s); " in said
    assert f" done; {title} " in said


def test_a_terminal_that_was_closed_spoils_no_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """There is nothing left to draw on; what was done below the table counts."""

    class Closed:
        def start(self) -> None:
            """Begin to draw."""

        def stop(self) -> None:
            """Draw for the last time."""
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(Console, "_draws", True)
    monkeypatch.setattr("ordbo_cli.cli.console._live", lambda _: Closed())
    with Console().live(list):
        pass
