"""A driver whose evaluations end when a test says so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

from ordbo_cli.drive.driver import Driver, RunSettings
from ordbo_cli.drive.events import Begun, Event, Warned
from ordbo_cli.drive.processes.executors import Workers
from ordbo_cli.drive.rules import Ending, Rules
from ordbo_cli.drive.simulation.command import Command
from ordbo_cli.drive.simulation.folders import Answer, RunFolders
from ordbo_cli.drive.simulation.simulate import Job
from ordbo_cli.study.study import Study

PROBLEM = """\
version: 1
objective: {name: y, goal: minimize}
parameters:
  a: {type: float, min: -5, max: 5}
  b: {type: float, min: -5, max: 5}
method: {preset: default, iterations: 20}
"""


class Hand(Executor):
    """Takes evaluations, and leaves it to others when they end."""

    def __init__(self) -> None:
        self.jobs: list[Job] = []
        self.running: dict[int, Future[Any]] = {}

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Note an evaluation."""
        (job,) = args
        self.jobs.append(job)
        future: Future[Any] = Future()
        self.running[job.id] = future
        return future

    def end(self, id: int, answer: str | Answer | Exception | None = "7") -> None:
        """End one."""
        future = self.running.pop(id)
        if isinstance(answer, Exception):
            future.set_exception(answer)
        elif isinstance(answer, Answer):
            future.set_result(answer)
        else:
            future.set_result(Answer(answer, "bad" if answer is None else ""))

    def stop(self) -> None:
        """End all without an answer."""
        while self.running:
            self.running.popitem()[1].set_result(Answer(None, stopped=True))


class Run:
    """A run of which a test decides, event for event, how it goes on."""

    def __init__(self, folder: Path) -> None:
        path = folder / "study.yaml"
        path.write_text(PROBLEM)
        self.study = Study.open(path, lock_timeout=0.1)
        self.folders = RunFolders(folder / "runs", "all")
        self.hand = Hand()
        self.events: list[Event] = []

    def __call__(
        self, then: Callable[[Event], object] = lambda _: None, *, budget: int, workers: int = 2, **more: Any
    ) -> Ending:
        """Drive; ``then`` is called after each event."""

        def watch(event: Event) -> None:
            self.events.append(event)
            then(event)

        command = Command.prepare(self.study.problem, ["true"], cwd=self.folders.base.parent)
        rules = Rules(budget, stop_when=more.get("stop_when", ()))
        failures = more.get("keep_going", False), more.get("max_failures")
        settings = RunSettings(command, rules, more.get("retries", 0), *failures)
        self.driver = Driver(self.study, settings, self.folders, Workers(self.hand, workers, self.hand.stop), watch)
        return self.driver.drive()

    def end_at_once(self, event: Event, answer: str | Exception = "7") -> None:
        """End what has just begun."""
        if isinstance(event, Begun):
            self.hand.end(event.job.id, answer)

    @property
    def results(self) -> dict[int | None, str]:
        """The results by id, as they stand in the evaluations."""
        rows = (line.split(",") for line in self.study.evaluations_path.read_text().splitlines()[1:])
        return {int(row[0]): row[3] for row in rows if row[4] == "ok"}

    @property
    def warnings(self) -> list[str]:
        """What it warned of."""
        return [event.text for event in self.events if isinstance(event, Warned)]


class Script:
    """Ends evaluations as soon as they begin, as a list of answers says; the last one goes on for ever."""

    def __init__(self, run: Run, answers: Sequence[str | Answer | None]) -> None:
        self._run = run
        self._answers = list(answers)

    def __call__(self, event: Event) -> None:
        """Answer what has begun."""
        if isinstance(event, Begun):
            answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
            self._run.hand.end(event.job.id, answer)


def again(run: Run) -> list[int | None]:
    """Return the ids that are left to be evaluated again, or to be evaluated by the next run."""
    status = run.study.status()
    return [point.id for point in (*status.again, *status.waiting)]
