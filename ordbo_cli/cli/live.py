"""What people see while a study is driven: a table on a terminal, a line for each evaluation elsewhere."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from ordbo_cli.cli.console import Console
from ordbo_cli.cli.countdown import Countdown
from ordbo_cli.cli.output import result_words, words
from ordbo_cli.cli.summary import took
from ordbo_cli.drive.driver import RunSettings
from ordbo_cli.drive.events import Begun, Event, Finished, Held, Warned
from ordbo_cli.problem.spelling import age, environment_name, some

if TYPE_CHECKING:
    from ordbo_cli.drive.simulation.folders import Answer
    from ordbo_cli.study.reporting.views import Best, Status
    from ordbo_cli.study.study import Study

_SHOWN = 8  # running evaluations that are named
_FIRST = 5  # results that are not all the same where the simulator uses the values


class Live:
    """Watches a driver.

    Args:
        console: where to.
        study: that is driven.
        settings: of the run.
    """

    def __init__(self, console: Console, study: Study, settings: RunSettings) -> None:
        self._console = console
        self._problem = study.problem
        self._objective = study.problem.objective
        self._rules = settings.rules
        self._retries = settings.retries
        self._begun: dict[int, float] = {}
        self._status: Status = study.status()
        self._is_first = self._status.ok == 0
        self._done, self._countdown = 0, Countdown()

    def watch(self, event: Event) -> None:
        """Take note of what happened, and say it where it is not shown."""
        if isinstance(event, Begun):
            self._begun[event.job.id] = time.monotonic()
        elif isinstance(event, Warned):
            self._console.warn(event.text)
        elif isinstance(event, Held):
            self._step(event)
            why = event.answer.why + _took(event.answer)
            when = "recorded when a later one succeeds, or the run ends"
            self._console.event(f"{event.job.id}: failed: {why}; {when}", plain=False)
        else:
            self._status = event.status
            self._step(event)
            self._finished(event)

    def rows(self) -> list[tuple[str, str]]:
        """Return the table: titles and what belongs to them."""
        status, now = self._status, time.monotonic()
        begun = list(self._begun.items())  # a copy: the terminal is drawn by a thread of its own
        running = [f"{id} ({age(now - since)})" for id, since in begun]
        rows = [("running", some(running, _SHOWN) or "-"), ("done", self._count())]
        if status.best is not None:
            where = "" if status.best.id is None else f" (id {status.best.id})"
            best = self._value(status.best)
            best = best if self._problem.several else f"{self._objective}={best}"
            if self._problem.has_front:
                rows.append(("front", f"{len(status.front)} {self._results} that none dominates"))
            rows.append((self._best, f"{best} at {words(status.best.parameters)}{where}"))
        if self._done and self._rules.budget is not None:
            rows.append(("time left", str(self._countdown)))
        return rows

    def _step(self, event: Finished | Held) -> None:
        """Take note that an evaluation has ended; what a former run has evaluated says nothing of the pace."""
        begun = self._begun.pop(event.job.id, None)
        if begun is not None and (isinstance(event, Held) or event.told is not None):
            self._done += 1
            self._countdown.at(self._done, self._rules.left(self._status))

    def _finished(self, event: Finished) -> None:
        job, answer, told = event.job, event.answer, event.told
        if told is not None:
            best = event.status.best
            result = result_words(told, self._objective)
            why = (f": {answer.why}" if told.status == "failed" else "") + _took(answer)
            why += f"; see {job.folder}" if told.status == "failed" and job.folder.is_dir() else ""
            so_far = f"; {self._best} {self._value(best)}" if best is not None else ""
            if self._problem.has_front and best is not None:
                so_far = f"; {len(event.status.front)} on the front{self._of_what}"
            self._console.event(f"{job.id}: {result}{why}; {self._count()} done{so_far}", plain=told.status == "ok")
            if self._is_first and told.status == "ok":
                self._is_first = False
                self._console.say(f"{job.id}: {result}, read from {answer.where}")
            if told.status == "ok" and self._are_all_one(event.status):
                name = self._problem.free[0].name
                ways = f"write {{{name}}} into its arguments, or have it read {environment_name(name)}"
                what = f"the first {_FIRST} results, at different points, are all the same"
                self._console.warn(f"{what}: perhaps the command does not use the values; {ways}")
        elif answer.fault and not answer.stopped and job.attempt <= self._retries:
            turn = f"{job.attempt} of {self._retries}"
            self._console.event(f"{job.id}: {answer.fault}, tried again ({turn}){_took(answer)}", plain=False)

    def _are_all_one(self, status: Status) -> bool:
        """Return whether the first results of a study are one number, each at a point of its own; words often are."""
        found = status.ranking
        return (
            status.ok == len(found) == _FIRST
            and not self._problem.grades
            and len({each.objective for each in found}) == 1
            and not any(each.censored for each in found)
            and len({words(each.parameters) for each in found}) == _FIRST
        )

    def _value(self, best: Best) -> str:
        """Return the result of the best point, of several objectives all of them."""
        value = str(self._problem.shown(best.objective, best.censored))
        return words({self._objective: value, **best.outcomes}) if self._problem.several else value

    @property
    def _best(self) -> str:
        """What the best value is called: 'ordbo best' may have another point, by mean."""
        if self._problem.has_front:
            return f"{'preferred' if self._status.comparisons else 'knee'}{self._of_what}"
        return "best value" if self._status.by == "mean" else "best"

    @property
    def _results(self) -> str:
        """What stands on the front."""
        return "single results" if self._status.by == "mean" else "results"

    @property
    def _of_what(self) -> str:
        """What the front is of, where 'ordbo best' has another one, by mean."""
        return " of single results" if self._status.by == "mean" else ""

    def _count(self) -> str:
        status = self._status
        failed = f" ({status.failed} failed)" if status.failed else ""
        return f"{self._rules.progress(status)}{failed}"


def _took(answer: Answer) -> str:
    """Return how long an evaluation took, behind the words on it."""
    return f" ({took(answer.seconds)})" if answer.seconds else ""
