"""Whether a run's failures tell of its points or of a simulator that is dead, and what becomes of them until then."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Iterator, Sequence
from typing import Final

from ordbo_cli.drive.simulation.folders import Answer, RunFolders
from ordbo_cli.drive.simulation.simulate import Job
from ordbo_cli.drive.streak import Fault, Position, Streak
from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.files.values.answers import outcome_of
from ordbo_cli.files.values.remark import Remark
from ordbo_cli.problem import Number, Parameter, Problem
from ordbo_cli.study.reporting.views import Parameters
from ordbo_cli.study.study import Study

Ended = tuple[Job, Answer]

_OWN_WORD: Final = "it says so itself"


class Suspicion:
    """Watches the failures of a run.

    A failure is recorded as it comes: the search learns from it, and a row can take it back. Where the evaluations can
    hold no such row it is held back until an evaluation that began later has succeeded.

    Args:
        study: whose points are evaluated.
        folders: which tell why earlier evaluations failed.
        limit: how many failures in a row that look alike end the run; None to judge them by their usual rate.
        off: whether failures are taken for what they are, however many there are.
    """

    def __init__(self, study: Study, folders: RunFolders, limit: int | None, *, off: bool) -> None:
        self._study = study
        self._folders = folders
        self._off = off
        self._records_at_once = off or study.can_take_back()
        self._streak = Streak(() if off else _record(study, folders), limit)
        self._places: dict[int, int] = {}
        self._held: list[Ended] = []

    @property
    def held(self) -> int:
        """How many failures are held back."""
        return len(self._held)

    def begun(self, id: int) -> None:
        """Note that the evaluation of a point begins; a further attempt is the same evaluation."""
        if id not in self._places:
            self._places[id] = self._streak.begun()

    def ended(self, job: Job, answer: Answer) -> list[Ended]:
        """Note an answer, and return what is to be recorded now."""
        fault = _fault(job, answer)
        self.begun(job.id)
        self._streak.ended(self._places[job.id], fault, _position(job.problem, job.parameters))
        if fault is not None and not self._records_at_once:
            self._held.append((job, answer))
            return []
        settled = [each for each in self._held if self._streak.is_settled(self._places[each[0].id])]
        self._held = [each for each in self._held if each not in settled]
        return [*settled, (job, answer)]

    def release(self) -> list[Ended]:
        """Return what is held back, to be recorded after all."""
        held, self._held = self._held, []
        return held

    def suspects(self, *, at_end: bool = False) -> tuple[Fault, ...]:
        """Return the failures that are none of their points, see :meth:`Streak.suspects`."""
        return () if self._off else self._streak.suspects(at_end=at_end)

    def words(self, suspects: Sequence[Fault]) -> str:
        """Return what failures in a row are like."""
        if len(suspects) == self._streak.results:
            what = f"the first {len(suspects)} evaluations gave no answer"
        else:
            alike = all(fault.looks_like(suspects[-1]) for fault in suspects)
            pace = f" alike, within {max(fault.seconds for fault in suspects):.2g} s" if alike else ""
            what = f"{len(suspects)} evaluations in a row failed{pace}"
        return f"{what}: {suspects[-1].reason}"

    def take_back(self, suspects: Sequence[Fault]) -> UsageError:
        """Leave the points of failures to be evaluated again, and return the error that ends the run.

        Raises:
            FileError, LockTimeoutError: the system refused, or another process held the lock.
        """
        ids = [fault.id for fault in suspects if fault.id is not None]
        held = {job.id for job, _ in self._held}
        recorded = [id for id in ids if id not in held]
        where = f"Look into {self._folders.path(ids[-1], self._folders.last(ids[-1])[0])}"
        hint = f"{where}; the next run evaluates these points again. --keep-going takes them as failures"
        try:
            if recorded:
                self._study.retry(recorded, failed=True)
        except DataError as error:
            hint = f"{where}; these points are recorded as failed: {error.message}"
        for id in held:
            self._folders.forget(id)
        return UsageError(self.words(suspects), hint)


def remark_on(job: Job, answer: Answer) -> Remark:
    """Return what is kept of an evaluation beside its results: how long it took and, of a failure, why."""
    return Remark("" if _fault(job, answer) is None else answer.why, answer.seconds or None)


def _fault(job: Job, answer: Answer) -> Fault | None:
    """Return what is to be known of a failure; None for a success."""
    if answer.is_none:
        return Fault(job.id, answer.fault, answer.seconds)
    with contextlib.suppress(UsageError):  # it is refused when it is recorded
        if outcome_of(job.problem, answer.objective, outcomes=answer.outcomes).status == "failed":
            return Fault(job.id, _OWN_WORD, answer.seconds)
    return None


def _record(study: Study, folders: RunFolders) -> Iterator[tuple[Fault | None, Position]]:
    """Yield the results that are on record, in order of arrival; why one failed is known where its folder is kept."""
    known = folders.claimed()
    for point in study.points():
        where = _position(study.problem, point.parameters)
        if point.status == "ok":
            yield None, where
        elif point.status == "failed":
            answer = folders.last(point.id)[1] if point.id in known and point.id is not None else None
            if answer is not None and (answer.is_none or answer.objective is not None):
                yield Fault(point.id, answer.fault or _OWN_WORD, answer.seconds), where
            else:
                yield Fault(point.id), where


def _position(problem: Problem, parameters: Parameters) -> Position:
    """Return a point's coordinates in the unit box; none where a setting has no number."""
    if problem.ranked:
        return ()
    values = problem.values(parameters)
    return tuple(x for each in zip(problem.free, values, strict=True) for x in _coordinates(*each))


def _coordinates(parameter: Parameter, value: Number) -> Position:
    if parameter.type == "categorical":  # any two levels are as far apart
        return tuple(math.sqrt(0.5) * (value == level) for level in range(len(parameter.levels)))
    turn = math.log if parameter.scale == "log" else float
    low, high = turn(parameter.low), turn(parameter.high)
    inside = min(max(value, parameter.low), parameter.high)  # a log of what is outside the bounds there need not be
    return ((turn(inside) - low) / (high - low),)
