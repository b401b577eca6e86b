"""Driving a study: every worker is kept busy, and what it finds is recorded as it comes."""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future, wait
from dataclasses import dataclass, replace
from queue import Empty, SimpleQueue
from statistics import median
from typing import TYPE_CHECKING, Final

from ordbo_cli.drive.ahead import Ahead
from ordbo_cli.drive.events import Begun, Event, Finished, Held, Warned, status_before
from ordbo_cli.drive.others import left_alone
from ordbo_cli.drive.processes.executors import Workers
from ordbo_cli.drive.rules import Ending, Rules
from ordbo_cli.drive.simulation.answer import Units
from ordbo_cli.drive.simulation.command import Command
from ordbo_cli.drive.simulation.folders import RunFolders
from ordbo_cli.drive.simulation.simulate import Answer, Job, simulate
from ordbo_cli.drive.suspicion import Suspicion, remark_on
from ordbo_cli.errors import (
    DataError,
    ExhaustedError,
    FileError,
    MissingFileError,
    OrdboError,
    StoppedError,
    UsageError,
)
from ordbo_cli.study.reporting.views import Parameters, PendingPoint, Status
from ordbo_cli.study.returned import Unseen
from ordbo_cli.study.study import Study
from ordbo_cli.study.telling.recording import Told

if TYPE_CHECKING:
    from ordbo_cli.search.step import Proposal

_LAST: Final = 15.0  # seconds that evaluations which were told to end may take: where all workers died they never do
_NAP: Final = 0.5  # seconds between looks at a request to stop
_WORTH: Final = 0.01  # share of an evaluation's time that a worker may wait for a suggestion that knows the last result
_RECENT: Final = 20  # evaluations whose median time counts


@dataclass(frozen=True)
class RunSettings:
    """What a run is asked for.

    Args:
        command: what evaluates a point.
        rules: when the run ends.
        retries: how often an evaluation without an answer is tried again before it counts as failed.
        keep_going: whether to go on however many evaluations fail.
        max_failures: how many failures in a row that look alike end the run; None to judge them by their usual rate.
    """

    command: Command
    rules: Rules
    retries: int = 0
    keep_going: bool = False
    max_failures: int | None = None


class Driver:
    """Keeps workers busy with the points of a study.

    With one worker each point is chosen when all results are known, so a run that was cut goes on to the same points.
    With more, points are chosen ahead, so that no worker waits for one, until a stop rule has held of one: from then on
    each is chosen when all results are known, too.

    Args:
        study: whose points are evaluated.
        settings: what the run is asked for.
        folders: where each evaluation leaves its files.
        workers: where evaluations are done.
        watch: is told what happens, in the thread that calls :meth:`drive`.
    """

    def __init__(
        self, study: Study, settings: RunSettings, folders: RunFolders, workers: Workers, watch: Callable[[Event], None]
    ) -> None:
        self._study = study
        self._settings = settings
        self._folders = folders
        self._workers = workers
        self._watch = watch
        self._jobs: dict[Future[Answer], Job] = {}
        self._left_over: deque[Job] = deque()
        self._unrecorded: deque[tuple[Job, Answer]] = deque()
        self._events: SimpleQueue[Future[Answer] | None] = SimpleQueue()
        self._ahead = Ahead(study, lambda: self._events.put(None))
        self._seconds: deque[float] = deque(maxlen=_RECENT)
        self._suspicion: Suspicion
        self._units = Units()
        self._warned: set[str | type[Unseen]] = set()
        self._knows_all = workers.at_once == 1
        self._stopping = False
        self._error: OrdboError | None = None
        self._wrong: OrdboError | None = None

    def stop(self) -> None:
        """End the running evaluations and leave their points pending; may be called from a signal handler."""
        self._stopping = True
        self._events.put(None)

    def drive(self) -> Ending:
        """Run until a rule, the space or :meth:`stop` ends it, and return why.

        What runs when a rule ends it, or when no point is left, comes to its end and is recorded. So does what runs
        when the system refuses something; each evaluation that ends is a moment to try that again.

        Raises:
            UsageError, MissingFileError: the command cannot start, or the simulator looks dead. The points are left to
                be evaluated again.
            DataError, ManyErrors: the files cannot be used, or an evaluation failed where ``failed: error`` forbids it.
            FileError, LockTimeoutError: the system refused, or another process held the lock.
        """
        try:
            self._status = self._study.status()
            limit, off = self._settings.max_failures, self._settings.keep_going
            self._suspicion = Suspicion(self._study, self._folders, limit, off=off)
            self._take_up()
            ending = self._hand_out()
            while not self._stopping and (ending is None or self._jobs):
                if self._something_happened():
                    ending = self._hand_out()
            if not (self._stopping or self._error or self._wrong):
                self._doubt(at_end=True)
                self._unrecorded += self._suspicion.release()
                self._record()
        finally:
            self._end_jobs()
            self._ahead.close()
        if self._wrong is not None:
            raise self._wrong
        if self._error is not None and (self._unrecorded or not self._stopping):
            raise self._error
        return Ending("stopped") if self._stopping or ending is None else ending

    def _take_up(self) -> None:
        """Go on with what a former run left: record the answers that it had, and evaluate the rest again.

        An answer that was taken back is not recorded again from its folder. What somebody else handed out is left
        alone; so is a point whose folder has an answer that was recorded before it was handed out again.
        """
        claimed = self._folders.claimed()
        undone = {row.id for row in self._study.read().table.rows if row.undoes in ("ok", "failed") and not row.judge}
        others: list[PendingPoint] = []
        for point in self._status.waiting:
            attempt, answer = self._folders.last(point.id) if point.id in claimed else (1, None)
            is_old = answer is not None and answer.recorded and point.id not in undone
            if point.id is None or point.id not in claimed or is_old:
                others.append(point)
                continue
            job = self._job(point.id, point.parameters, attempt)
            if answer is None or point.id in undone:
                self._left_over.append(job)
            elif self._is_to_be_tried_again(job, answer):
                self._left_over.append(self._job(job.id, job.parameters, attempt + 1))
            else:
                self._take(job, answer)
        self._warn([left_alone(self._study, others)] if others else [])
        self._record()

    def _is_to_be_tried_again(self, job: Job, answer: Answer) -> bool:
        return answer.is_none and job.attempt <= self._settings.retries

    def _hand_out(self) -> Ending | None:
        """Give the free workers points; return why no more are given, where the run is at its end."""
        if self._error is not None or self._wrong is not None or self._stopping or self._doubt():
            return Ending("stopped")
        if ending := self._settings.rules.ending(self._study.problem, self._counted):
            return ending
        while self._left_over and self._wanted(self._workers.at_once) > 0:
            self._start(self._left_over.popleft())
        try:
            while (wanted := self._wanted(self._workers.at_once)) > 0:
                proposals = self._proposals(wanted)
                if proposals is None:
                    break
                self._ask(proposals)
        except StoppedError as error:
            return Ending("rule", error.message)
        except ExhaustedError as error:
            return Ending("exhausted", str(error))
        except OrdboError as error:
            self._error = error
            return Ending("stopped")
        if not self._knows_all and self._events.empty():  # what else has ended is recorded first
            self._ahead.make(self._wanted(2 * self._workers.at_once), self._results)
        return None

    def _wanted(self, most: int) -> int:
        """Return how many more points the budget and a number of places have room for."""
        out = [self._study.problem.level_below(job.parameters) for job in self._jobs.values()]
        room = self._settings.rules.room(self._counted, out)
        return most - len(out) if room is None else min(most - len(out), room)

    def _proposals(self, wanted: int) -> Sequence[Proposal] | None:
        """Return what was proposed ahead, none where the study is to propose now; None where it is to be waited for."""
        if self._knows_all:
            return ()
        patience = _WORTH * median(self._seconds) if self._seconds else 0.0
        return self._ahead.take(wanted, self._results, patience)

    def _ask(self, proposals: Sequence[Proposal]) -> None:
        """Record points as pending and start their evaluations."""
        number = max(1, len(proposals))
        ours = {job.id for job in (*self._jobs.values(), *self._left_over, *(job for job, _ in self._unrecorded))}

        def claim(id: int) -> None:
            if id not in ours:
                self._folders.claim(id)

        stop_when = self._settings.rules.stop_when
        try:
            points = self._study.ask_batch(number, append=None, prepared=proposals, claim=claim, stop_when=stop_when)
        except StoppedError:
            if self._knows_all:
                raise
            self._knows_all = True  # what was proposed ahead may not know the last results
            self._ask(())
            return
        self._warn(points.warnings)
        for point in points:
            if point.id in ours:
                self._warn([f"suggestion {point.id} is being evaluated: it is not begun a second time"])
            else:
                self._ahead.handed_out(point.values)
                self._start(self._job(point.id, point.parameters))

    def _job(self, id: int, parameters: Parameters, attempt: int = 1) -> Job:
        folder = self._folders.path(id, attempt)
        return Job(id, attempt, parameters, folder, self._settings.command, self._study.problem)

    def _start(self, job: Job) -> None:
        self._suspicion.begun(job.id)
        future = self._workers.executor.submit(simulate, job)
        self._jobs[future] = job
        self._watch(Begun(job))
        future.add_done_callback(self._events.put)

    def _something_happened(self) -> bool:
        """Wait for something to happen, and take note of all that has; return whether anything has."""
        try:
            event = self._events.get(timeout=_NAP)
        except Empty:
            return False
        with contextlib.suppress(Empty):
            while True:
                if event is not None:
                    self._ended(event)
                event = self._events.get_nowait()
        self._record()
        return True

    def _ended(self, future: Future[Answer]) -> None:
        job = self._jobs.pop(future)
        self._error = None
        try:
            answer = _answer_of(future)
        except (UsageError, MissingFileError) as error:  # the command is wrong, whatever the point
            self._wrong = error
            return
        except OrdboError as error:
            self._error = error
            self._left_over.append(job)
            return
        if answer.stopped and not self._stopping:
            message = f"evaluation {job.id} was given up by the cluster, or taken over by another run"
            raise FileError(message, "Call again: what is pending is evaluated anew")
        if answer.stopped:
            self._watch(Finished(job, answer, None, self._status))
        elif self._is_to_be_tried_again(job, answer) and not self._stopping:
            self._watch(Finished(job, answer, None, self._status))
            self._start(self._job(job.id, job.parameters, job.attempt + 1))
        else:
            self._seconds.append(answer.seconds)
            self._take(job, answer)

    def _take(self, job: Job, answer: Answer) -> None:
        """Take an answer that is the last one of its point."""
        self._warn(answer.notes)
        answer = self._units.checked(answer)
        recorded = self._suspicion.ended(job, answer)
        self._unrecorded += recorded
        if not recorded:
            self._watch(Held(job, answer))

    def _record(self) -> None:
        """Record the answers that are there, at once or else one by one; what cannot be stays for the next time."""
        together = True
        while self._unrecorded:
            some = list(self._unrecorded) if together else [self._unrecorded[0]]
            try:
                told = self._told_all(some) if len(some) > 1 else [self._told(*some[0])]
                self._status = self._study.status()
            except OrdboError as error:
                if len(some) > 1:
                    together = False
                    continue
                self._error = error
                self._warn([self._not_recorded(*some[0], error)])
                break
            for place, ((job, answer), each) in enumerate(zip(some, told, strict=True), 1):
                self._unrecorded.popleft()
                self._watch(Finished(job, answer, each, status_before(told[place:], self._status, self._study.problem)))

    def _told_all(self, some: Sequence[tuple[Job, Answer]]) -> Sequence[Told]:
        others = {job.id: answer.outcomes for job, answer in some}
        remarks = {job.id: remark_on(job, answer) for job, answer in some}
        told = self._study.tell_all({job.id: answer.objective for job, answer in some}, others, remarks)
        self._warn(told.warnings)
        for each, (job, _) in zip(told, some, strict=True):
            self._folders.done(job.id, failed=each.status == "failed")
        return told

    def _told(self, job: Job, answer: Answer) -> Told | None:
        """Record an answer; return None where somebody has recorded another one meanwhile."""
        try:
            return self._told_all([(job, answer)])[0]
        except DataError as error:
            if any(point.id == job.id for point in self._study.pending()):
                raise
            self._warn([str(error)])
            return None

    def _not_recorded(self, job: Job, answer: Answer, error: OrdboError) -> str:
        results = {self._study.problem.objective: answer.objective} if answer.objective is not None else {}
        what = ", ".join(f"{name}={text}" for name, text in (results | dict(answer.outcomes)).items()) or "failed"
        return f"{job.id}: {what} is not recorded yet: {error.message}"

    def _doubt(self, *, at_end: bool = False) -> bool:
        """Return whether the simulator looks dead. What runs comes to its end first: it may show that it is not.

        Raises:
            UsageError: it looks dead, and nothing runs any more.
            FileError, LockTimeoutError: the system refused, or another process held the lock.
        """
        suspects = self._suspicion.suspects(at_end=at_end)
        if not suspects:
            return False
        if not self._jobs:
            raise self._suspicion.take_back(suspects)
        self._warn([f"{self._suspicion.words(suspects)}; no point begins until what runs has ended"])
        return True

    @property
    def _counted(self) -> Status:
        """Where the study stands once what is held back is recorded."""
        status, held = self._status, self._suspicion.held
        history = (*status.history, *(status.history[-1:] or (None,)) * held)
        levels = (*status.levels[:-1], *(replace(each, failed=each.failed + held) for each in status.levels[-1:]))
        return replace(status, failed=status.failed + held, history=history, levels=levels) if held else status

    @property
    def _results(self) -> int:
        return self._status.ok + self._status.failed

    def _warn(self, warnings: Sequence[str]) -> None:
        """Pass warnings on, each once; that the model does not see all there is changes its numbers at every step."""
        for warning in warnings:
            which = Unseen if isinstance(warning, Unseen) else warning
            if which not in self._warned:
                self._warned.add(which)
                self._watch(Warned(warning))

    def _end_jobs(self) -> None:
        """End what still runs, and record what had come to its end by then."""
        if self._jobs:
            self._workers.stop()
            wait(self._jobs, timeout=_LAST)
        for future, job in self._jobs.items():
            future.cancel()  # what no worker of a cluster has begun, or ever will
            with contextlib.suppress(OrdboError):  # it could not even begin
                if not (answer := _answer_of(future)).stopped:
                    self._take(job, answer)
        self._record()


def _answer_of(future: Future[Answer]) -> Answer:
    """Return what an evaluation gave; a worker that was lost gives no answer.

    Raises:
        OrdboError: the system refused to begin it.
    """
    try:
        return future.result()
    except CancelledError:
        return Answer(None, stopped=True)
    except OrdboError:
        raise
    except Exception as error:
        return Answer(None, f"the worker was lost: {error}")
