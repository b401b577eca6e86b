"""Recording that one of two points was found to be better, or that both are alike."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.tables.comparisons import Judged
from ordbo_cli.files.tables.table import Table, append_rows, cells_of, where_overtaken_again
from ordbo_cli.problem.spelling import shown_path
from ordbo_cli.study.reading.known_ids import unknown_id
from ordbo_cli.study.reading.ledger import Waiting
from ordbo_cli.study.reading.study_files import StudyFiles, held, lock_path, read_files


@dataclass(frozen=True)
class Compared:
    """A comparison that was taken.

    Args:
        better, worse: ids of the points; of a tie in the order in which they were given.
        tie: whether both were found to be alike.
        new: whether a row was added; the newest comparison of the two may have said the same already.
        warnings: what people should know.
    """

    better: int
    worse: int
    tie: bool
    new: bool = True
    warnings: tuple[str, ...] = field(default=(), compare=False)


class _Decided(NamedTuple):
    """A comparison to record, and the suggestions that the evaluations have to know for that."""

    files: StudyFiles
    judged: Judged
    new: bool
    unknown: tuple[Waiting, ...]


def compare(file: ProblemFile, timeout: float, better: int, worse: int, *, tie: bool, again: bool) -> Compared:
    """Record a comparison.

    A suggestion that has no row in the evaluations gets a pending one first, as comparisons speak of their rows.

    Args:
        file: the problem file.
        timeout: seconds to wait for other processes.
        better, worse: ids of the points.
        tie: whether both were found to be alike.
        again: whether an answer counts once more that is the newest one of these two already.

    Raises:
        UsageError: a point is compared with itself.
        DataError: an id is unknown, or a file lacks a column for what is to be said; with a front, a point has no
            result that could be preferred.
        ManyErrors: the files cannot be used.
        FileError, LockTimeoutError: the system refused, or another process held the lock.
    """
    if better == worse:
        raise UsageError(f"{better} is compared with itself", "Give the ids of two points")

    def decide() -> _Decided:
        return _decided(read_files(file), Judged(0, better, worse, tie), again)

    if not lock_path(file).exists():  # a call that is refused leaves no new file, not even the lock's
        found = decide()
        if not found.new:
            return _told(found)

    def recorded() -> _Decided:
        found = decide()
        if found.new:
            _append(found)
        return found

    with held(file, timeout):
        return _told(where_overtaken_again(recorded))


def _decided(files: StudyFiles, judged: Judged, again: bool) -> _Decided:
    known = {row.id for row in files.ledger.rows if row.id is not None}
    waiting = {entry.id: entry for entry in (*files.ledger.waiting, *files.ledger.again)}
    unknown: list[Waiting] = []
    for id in sorted((judged.better, judged.worse)):
        if id in known:
            continue
        if id not in waiting:
            raise unknown_id(id, waiting, known, "; 'ordbo suggest --duel' names the next two")
        unknown.append(waiting[id])
    if files.problem.has_front and (lacking := {judged.better, judged.worse} - files.whole_results):
        message = f"id {min(lacking)} has no result that could be preferred"
        raise DataError(
            message, "With a front whole results are compared: it has none yet, has failed, or broke a limit"
        )
    if judged.tie:
        demand_tie_column(files.judgements.table)
    latest = files.judgements.latest(judged.better, judged.worse)
    return _Decided(files, judged, again or latest is None or not latest.says(judged), tuple(unknown))


def demand_tie_column(table: Table) -> None:
    """Make sure that the comparisons can say more than which of two points is better.

    Raises:
        DataError: they lack the column.
    """
    if table.columns and "tie" not in table.columns:
        raise DataError(f"{shown_path(table.path)}: no column 'tie' can say that", "Add the column to its header")


def _append(found: _Decided) -> None:
    """Append the rows. The caller holds the lock."""
    files, problem = found.files, found.files.problem
    rows = [
        cells_of(files.table, problem, entry.id, {**problem.mapping(entry.values), **entry.fixed}, "", "pending")
        for entry in found.unknown
    ]
    append_rows(files.table, problem, rows)
    files.judgements.append(found.judged)


def _told(found: _Decided) -> Compared:
    judged, warnings = found.judged, list(found.files.warnings)
    if not found.new:
        warnings.append(f"{judged.words} is recorded already, nothing was added; --again counts it once more")
    return Compared(judged.better, judged.worse, judged.tie, found.new, tuple(warnings))
