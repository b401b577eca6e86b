"""Which open suggestions are meant to expire or to be evaluated again: named ones, old ones, or all that are out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.values.answers import Outcome
from ordbo_cli.problem.spelling import shown_path
from ordbo_cli.study.reading.ledger import Waiting
from ordbo_cli.study.reading.study_files import StudyFiles
from ordbo_cli.study.reporting.reports import age_of, check_choice, of_unknown_age
from ordbo_cli.study.returned import Answers
from ordbo_cli.study.telling.answer_intake import AnswerIntake, TakenAnswer
from ordbo_cli.study.telling.recording import Decide, Told, record

Closing = Literal["expired", "retry"]


def closed(
    file: ProblemFile, timeout: float, status: Closing, ids: Sequence[int] | None, older: float | None, *, dry_run: bool
) -> Answers[Told]:
    """Record that suggestions expire, or that they are to be evaluated again.

    Args:
        file: the problem file.
        timeout: seconds to wait for other processes.
        status: what becomes of them.
        ids: the ones meant; None for all that are out or whose answers are gone. Only an id reaches a point that waits
            to be evaluated again.
        older: seconds that they have to be out at least; None for any time.
        dry_run: whether nothing is recorded.

    Raises:
        UsageError: the call does not say clearly which ones it is about.
        DataError: an id is unknown, or is to be evaluated again although it has its answer.
    """
    check_choice(ids, older)

    def decide(files: StudyFiles, intake: AnswerIntake) -> list[TakenAnswer]:
        chosen, ledger = ids, files.ledger
        if chosen is None and older is None:
            chosen = [entry.id for entry in (*ledger.waiting, *ledger.gone)]
        elif chosen is None:
            chosen = [entry.id for entry in ledger.waiting if _is_older(entry, older or 0.0)]
        return [intake.take(id, {}, Outcome(status), amend=False) for id in dict.fromkeys(chosen)]

    decided = record(file, timeout, decide, dry_run=dry_run)
    unknown = of_unknown_age(decided.files, "kept") if older is not None else []
    return Answers(decided.told, [*decided.warnings, *unknown])


def failed_again(failed: bool, ids: Sequence[int] | None, older: float | None, since: int | None) -> Decide:
    """Return what decides on the rows that call for another evaluation of what failed.

    Args:
        failed: whether failed evaluations are meant, which has to be said.
        ids: the ones meant, of which those that have not failed are passed over; None for all.
        older: an age, which failed evaluations do not have.
        since: the first id that is meant.

    Raises:
        UsageError: the call does not say clearly which ones it is about. What is returned raises DataError where the
            evaluations have no ids that a row could name.
    """
    if not failed:
        raise UsageError("a first id, and not of what", "Say that failed evaluations are meant")
    if older is not None:
        raise UsageError("failed evaluations by age", "Name the first id that is meant")
    check_choice(ids, None)

    def decide(files: StudyFiles, intake: AnswerIntake) -> list[TakenAnswer]:
        entries = [entry for entry in files.ledger.standing if entry.row.status == "failed"]
        if entries and files.table.columns and "id" not in files.table.columns:
            message = f"{shown_path(files.table.path)}: without a column 'id' no row can replace another"
            raise DataError(message, "Mend the failed rows by hand, or add a column 'id'")
        known = [entry.id for entry in entries if entry.id is not None and entry.id >= (since or 1)]
        return [intake.take(id, {}, Outcome("retry"), amend=True) for id in known if ids is None or id in ids]

    return decide


def _is_older(entry: Waiting, seconds: float) -> bool:
    age = age_of(entry.time)
    return age is not None and age >= seconds
