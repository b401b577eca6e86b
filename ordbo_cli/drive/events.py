"""What a driver tells those who watch it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ordbo_cli.drive.simulation.simulate import Answer, Job
from ordbo_cli.problem import Problem
from ordbo_cli.study.reporting.views import Status
from ordbo_cli.study.telling.recording import Told


@dataclass(frozen=True)
class Begun:
    """An evaluation has begun."""

    job: Job


@dataclass(frozen=True)
class Finished:
    """An evaluation has ended.

    Args:
        job: which one.
        answer: what it gave.
        told: what was recorded; None where it is tried again, was ended, or somebody else had recorded an answer.
        status: of the study after it, without what was recorded together with it and is told next.
    """

    job: Job
    answer: Answer
    told: Told | None
    status: Status


@dataclass(frozen=True)
class Held:
    """An evaluation has failed, and is recorded when the simulator is known still to work, or the run ends."""

    job: Job
    answer: Answer


@dataclass(frozen=True)
class Warned:
    """There is something that people should know."""

    text: str


Event: TypeAlias = Begun | Finished | Held | Warned


def status_before(newest: Sequence[Told | None], status: Status, problem: Problem) -> Status:
    """Return where a study stood before its newest results: of several at once, each is told as if it came alone."""
    new = {each.id: each for each in newest if each is not None and each.new}
    if not new:
        return status
    words, ranking = (
        [each.status for each in new.values()],
        tuple(each for each in status.ranking if each.id not in new),
    )
    said = [(problem.level_below(each.parameters), each.status) for each in new.values()]
    above = sum(level is None for level, _ in said)
    last = len(status.levels) - 1
    levels = tuple(
        replace(
            each,
            ok=each.ok - said.count((None if k == last else k, "ok")),
            failed=each.failed - said.count((None if k == last else k, "failed")),
        )
        for k, each in enumerate(status.levels)
    )
    return replace(
        status,
        ok=status.ok - words.count("ok"),
        failed=status.failed - words.count("failed"),
        best=ranking[0] if ranking else None,
        ranking=ranking,
        front=tuple(each for each in status.front if each.id not in new),
        history=status.history[: len(status.history) - above],
        levels=levels,
    )
