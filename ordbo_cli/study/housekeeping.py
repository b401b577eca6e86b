"""The files that a study has: what each is, which belong into version control, and which may go."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from ordbo_cli.errors import OrdboError
from ordbo_cli.files.durable.atomic import backup_path, drafts_of
from ordbo_cli.files.durable.journal import journal_path
from ordbo_cli.files.durable.lock import discard
from ordbo_cli.files.durable.paths import refused
from ordbo_cli.files.handed import handed_out
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.state import is_state, load_state, rebuilt_state, set_aside
from ordbo_cli.problem import Evaluation
from ordbo_cli.problem.spelling import some
from ordbo_cli.study.reading.holding import held, lock_path
from ordbo_cli.study.reading.ledger import Ledger, next_id, step_of
from ordbo_cli.study.reading.study_files import StudyFiles, read_files


@dataclass(frozen=True)
class OwnFile:
    """A file of a study that is there.

    Args:
        path: of the file.
        what: it is, in a word or two.
        why: it stays, or what goes with it; "" where neither is to be said.
        versioned: whether it belongs into version control.
        may_go: whether the study goes on without it.
    """

    path: Path
    what: str
    why: str = ""
    versioned: bool = False
    may_go: bool = False


def own_files(file: ProblemFile) -> list[OwnFile]:
    """Return the files of a study that are there, those first that stay.

    What stands in the place of a derived file and is a link, or no regular file, stays.

    Raises:
        DataError, ManyErrors, FileError: the files cannot be used.
    """
    files = files_to_tidy(file)
    linked = file.state.is_symlink()  # what is beside its target may be another study's, too
    lock = lock_path(file) if linked else Path(f"{file.state}.lock")
    found = [
        OwnFile(file.path, "problem", "the question", versioned=True),
        OwnFile(file.evaluations, "evaluations", "the results", versioned=True),
        OwnFile(file.comparisons, "comparisons", "what was compared", versioned=True),
        OwnFile(file.handed, "suggestions", "late answers are held against it", versioned=True),
        OwnFile(file.remarks, "notes", "notes and seconds that the evaluations have no columns for", versioned=True),
        *(
            OwnFile(journal_path(path), "journal", "the next call that writes ends what was cut")
            for path in (file.evaluations, file.comparisons, file.handed)
        ),
        *_derived(files),
        OwnFile(lock, "lock", may_go=not linked),
    ]
    return [_checked(each) for each in found if os.path.lexists(each.path)]


def files_to_tidy(file: ProblemFile) -> StudyFiles:
    """Return the files of a study, whose state may know parameters that the problem has no more.

    Raises:
        DataError, ManyErrors, FileError: the files cannot be used.
    """
    return read_files(file, load_state(file, to_delete=True))


def clean(file: ProblemFile, timeout: float) -> list[OwnFile]:
    """Delete the files that may go, once nobody else is at work on the study; return those that were deleted.

    Args:
        file: the problem file.
        timeout: seconds to wait for other processes.

    Raises:
        DataError, ManyErrors, FileError, LockTimeoutError: as :func:`own_files`, or another process held the lock.
    """
    if not any(each.may_go for each in own_files(file)):
        return []  # and no lock is made
    lock = Path(f"{file.state}.lock")
    with held(file, timeout):
        going = [each for each in own_files(file) if each.may_go]
        for each in going:
            try:
                if each.path != lock:
                    each.path.unlink()
            except OSError as error:
                raise refused("delete it", each.path, error) from None
    return [each for each in going if each.path != lock or discard(lock)]


def _derived(files: StudyFiles) -> Iterator[OwnFile]:
    """Yield the state and what is beside it."""
    file, state = files.file, files.file.state
    backup = backup_path(state)
    only = _known_to_state_alone(files) if state.exists() else ""
    lost = "warm start and diagnostics go with it"
    yield OwnFile(state, "state", only or lost, may_go=not only)
    if is_state(backup):
        yield OwnFile(backup, "copy of the state", "the state stays" if only else "", may_go=not only)
    else:
        yield OwnFile(backup, "copy of the state", "it is no state")
    for path in set_aside(state):
        yield OwnFile(path, "unreadable state", "it was set aside", may_go=not only)
    for target in (state, file.handed):
        for path in drafts_of(target):
            yield OwnFile(path, "draft", "left by a call that was killed", may_go=True)


def _checked(each: OwnFile) -> OwnFile:
    """Return a file as one that stays where it is none, or a link."""
    mode = each.path.lstat().st_mode
    if not each.may_go or stat.S_ISREG(mode):
        return each
    return replace(each, why="a link" if stat.S_ISLNK(mode) else "no regular file", may_go=False)


def _known_to_state_alone(files: StudyFiles) -> str:
    """Return what would be lost with the state beside the warm start, "" where nothing would."""
    if not files.loaded.whole:
        return "it is unreadable: the next call that writes sets it aside"
    try:
        without = read_files(files.file, rebuilt_state(files.file))
    except OrdboError:
        return "the evaluations cannot be read without it"
    if files.loaded.former:
        return _known_of_more_parameters(files, without)
    kept, left = files.ledger, without.ledger
    missing = {each.id for each in (*kept.waiting, *kept.again)} ^ {each.id for each in (*left.waiting, *left.again)}
    if missing:
        return _knows_out(missing)
    if {row.line: row.id for row in kept.rows} != {row.line: row.id for row in left.rows}:
        return "it alone knows the ids of rows that have none: write them into a column 'id'"
    if kept.gone != left.gone:
        return "it alone knows of results that are there no more"
    if _results(kept) != _results(left) or files.comparisons != without.comparisons:
        return "it alone knows in which order the results came"
    if step_of(kept, files.state) != step_of(left, without.state):
        return "it alone knows how many suggestions were made"
    if not handed_out(files.file.handed) and next_id(kept, files.state) > next_id(left, without.state):
        return "it alone knows which ids were used"
    return ""


def _results(ledger: Ledger) -> list[tuple[Evaluation, int | None]]:
    """Return the results at each level of fidelity, in order of arrival."""
    return [(each.row.evaluation(), each.row.level) for each in ledger.at_any_level()]


def _known_of_more_parameters(files: StudyFiles, without: StudyFiles) -> str:
    """Return the same where the state's marks of rows are made of more values, so that ids alone can be compared."""
    rows, handed = without.ledger.rows, handed_out(files.file.handed).keys()
    out = {each.id for each in files.state.pending}
    waiting = {each.id for each in without.ledger.waiting if each.row is None}
    if missing := (out - handed - {row.id for row in rows if row.numbered}) | (waiting - out):
        return _knows_out(missing)
    if without.judgements.ids and not all(row.numbered for row in rows):
        return "it alone knows the ids of rows that were compared: write them into a column 'id'"
    if not handed and files.state.next_id > next_id(without.ledger, without.state):
        return "it alone knows which ids were used"
    return ""


def _knows_out(ids: Collection[int]) -> str:
    return f"it alone knows what is out: {some(sorted(ids), 5, counted=False)}"
