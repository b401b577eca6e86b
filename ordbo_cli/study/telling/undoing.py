"""Taking back what was recorded last, by rows: nothing that stands in a file is changed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from ordbo_cli.errors import DataError, OrdboError, UsageError
from ordbo_cli.files.handed import Pending, handed_out_each_time
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.remarks import About, take_remarks_back
from ordbo_cli.files.state import fit_before, save_state
from ordbo_cli.files.tables.judged import Answer, Judged, JudgedRanking
from ordbo_cli.files.tables.table import (
    UNDONE,
    Cells,
    Row,
    append_rows,
    cells_of,
    has_status,
    where_overtaken_again,
    with_judge,
)
from ordbo_cli.files.values.answers import Outcome
from ordbo_cli.problem.spelling import shown_path
from ordbo_cli.study.reading.holding import held, lock_path
from ordbo_cli.study.reading.ledger import Waiting, on_first_ids, waiting_of
from ordbo_cli.study.reading.naming import ANSWERS
from ordbo_cli.study.reading.study_files import StudyFiles, pending_row, read_files
from ordbo_cli.study.returned import Answers
from ordbo_cli.study.telling.answer_intake import TakenAnswer
from ordbo_cli.study.telling.compare import Compared, RankingTaken, demand_columns_for
from ordbo_cli.study.telling.last_things import Thing, out_after, things, was_compared_last
from ordbo_cli.study.telling.recording import Told, told_of


@dataclass(frozen=True)
class Undone:
    """Something that was taken back.

    Args:
        was: what it was; of a suggestion the status is ``pending``.
        line: of its row, if it had one.
        stands: what stands of the point now, ``pending`` and ``retry`` among it; None where nothing does, and of a
            comparison.
        warnings: what people should know.
    """

    was: Told | Compared | RankingTaken
    line: int | None = None
    stands: Told | None = None
    warnings: tuple[str, ...] = field(default=(), compare=False)


class Which(NamedTuple):
    """What is to be taken back.

    Args:
        number: how many things, the newest first.
        id: of the point that they are about; None for any.
        comparisons: whether comparisons alone are meant.
    """

    number: int = 1
    id: int | None = None
    comparisons: bool = False


class _Moment(NamedTuple):
    """The files as they are once some things are taken back.

    Args:
        files: read in this way.
        compared_last: whether the last comparison that stands is younger than all rows; None where nobody knows.
        rows: that were added to the evaluations.
        judged: that were added to the comparisons.
        undone: the things, the newest first.
        guessed: whether one was chosen although it may not be the newest: a comparison or a row may have come later.
    """

    files: StudyFiles
    compared_last: bool | None
    rows: tuple[Row, ...] = ()
    judged: tuple[Judged, ...] = ()
    undone: tuple[Undone, ...] = ()
    guessed: bool = False

    def concerns(self, which: Which) -> list[str]:
        """Return what people should know of what was chosen."""
        if not self.guessed:
            return []
        before = "before that " if which.number > 1 else ""
        what = f"whether a comparison or a row came last {before}is not told by the files"
        path = shown_path(self.files.file.path)
        return [f"{what}; 'ordbo undo {path} --comparison' takes comparisons back, --id what is about one point"]


def undone(file: ProblemFile, timeout: float, which: Which, *, dry_run: bool) -> Answers[Undone]:
    """Take back what was recorded last, all that is asked for or nothing; the newest comes first in the answer.

    Args:
        file: the problem file.
        timeout: seconds to wait for other processes.
        which: what is meant.
        dry_run: whether nothing is recorded.

    Raises:
        UsageError: less than one thing is asked for, or more than there are.
        DataError: nothing is recorded, or a file lacks the column that could say it.
        FileError, LockTimeoutError: the system refused, or another process held the lock.
    """
    if which.number < 1:
        raise UsageError(f"{which.number} things are to be taken back", "Take back 1 or more")
    if which.comparisons and which.id is not None:
        raise UsageError("a point and comparisons at once", "Give one of the two")
    if dry_run or not lock_path(file).exists():  # a call that is refused leaves no new file, not even the lock's
        found = _decided(read_files(file), which)
        if dry_run:
            return Answers(found.undone, [*found.files.warnings, *found.concerns(which)])

    def recorded() -> Answers[Undone]:
        files = read_files(file)
        found = _decided(files, which)
        append_rows(files.table, files.problem, [_cells(files, row) for row in found.rows])
        if found.judged:
            files.judgements.append(*found.judged)
        said = [*files.warnings, *found.concerns(which)]
        return Answers(found.undone, [*said, *_remember(found), *_take_remarks_back(found)])

    with held(file, timeout):
        return where_overtaken_again(recorded)


def _decided(files: StudyFiles, which: Which) -> _Moment:
    handed = [each for one in handed_out_each_time(files.file.handed) if (each := one.under(files.problem))]
    listed = {each.id for each in handed}
    handed += [each for each in files.pending if each.id not in listed]  # somebody has deleted the list
    now, guessed = _Moment(files, was_compared_last(files)), False
    for number in range(which.number):
        found = [each for each in things(now.files, handed, compared_last=now.compared_last) if _is_meant(each, which)]
        if not found:
            raise _too_few(files, which, number)
        both = len({each.judged is None for each in found}) > 1
        guessed |= both and now.compared_last is None and which.id is None
        now = _without(now, found[-1], handed)
    for row in now.rows:
        _demand_room(files, row)
    demand_columns_for(files.judgements.table, now.judged)
    return now._replace(guessed=guessed)


def _is_meant(thing: Thing, which: Which) -> bool:
    return (which.id is None or thing.is_about(which.id)) and (thing.judged is not None or not which.comparisons)


def _too_few(files: StudyFiles, which: Which, number: int) -> OrdboError:
    """Return the error where there is less than what is to be taken back."""
    what = "no comparison" if which.comparisons else "nothing"
    about = f" of id {which.id}" if which.id is not None else ""
    if number:
        are = "is one thing" if number == 1 else f"are {number} things"
        return UsageError(f"{which.number} things are to be taken back, and there {are}{about}", f"Give -n {number}")
    return DataError(f"{shown_path(files.file.path)}: {what} is recorded{about} that could be taken back")


def _demand_room(files: StudyFiles, row: Row) -> None:
    """Make sure that the evaluations can hold a row that takes another one back.

    Raises:
        DataError: they lack the column.
    """
    if has_status(files.table):
        return
    lines = [each.line for each in files.table.rows if row.takes_back(each) and each.id == row.id]
    by_hand = f", or take out line {lines[-1]} by hand" if lines else ""
    hint = f"Add the column to its header and rows{by_hand}"
    raise DataError(f"{shown_path(files.table.path)}: no column 'status' can say that a row is taken back", hint)


def _without(now: _Moment, thing: Thing, handed: Sequence[Pending]) -> _Moment:
    """Return the files without one thing more."""
    files = now.files
    if thing.judged is not None:
        judged, was = _back(thing.judged)
        files = files._replace(judgements=files.judgements.with_more(*judged)).with_more(())
        done = Undone(was, judged[0].line)
        return _Moment(files, None, now.rows, (*now.judged, *judged), (*now.undone, done))
    rows = list(thing.rows) or [_as_row(files, thing)]
    back = [row._replace(status=UNDONE, undoes="ok" if row.judge else row.status) for row in rows]
    before = [] if thing.rows else rows
    if thing.handed is None and _is_to_be_out(files.with_more(back), rows[0], handed):
        before = [_plain(rows[0])]
    after = files.with_more([*before, *back])
    line = thing.rows[0].line if thing.rows else None
    done = Undone(_told(files, rows[0]), line, _stands(after, thing.id))
    return _Moment(
        after, None, (*now.rows, *after.table.rows[len(files.table.rows) :]), now.judged, (*now.undone, done)
    )


def _back(said: Answer) -> tuple[list[Judged], Compared | RankingTaken]:
    """Return the rows that take an answer back, and what it was."""
    rows = said.rows if isinstance(said, JudgedRanking) else (said,)
    back = [each._replace(undone=True) for each in rows]
    if isinstance(said, JudgedRanking):
        return back, RankingTaken(said.groups, said.judge)
    return back, Compared(said.better, said.worse, said.tie, judge=said.judge)


def _as_row(files: StudyFiles, thing: Thing) -> Row:
    """Return the row of a suggestion that has none: it is taken back from there."""
    assert thing.handed is not None
    ledger, id = files.ledger, thing.handed.id
    known = {each.id: each for each in (*ledger.waiting, *ledger.compared)}
    point: Waiting = known.get(id) or waiting_of(files.problem, thing.handed, files.orders)
    return pending_row(files.table, files.problem, id, point.values, point.fixed)


def _plain(row: Row) -> Row:
    """Return a row that says that a point is out."""
    plain = row._replace(status="pending", objective=None, text="", censored="", outcomes=(), others=(), sides=())
    return plain._replace(judge="")


def _is_to_be_out(files: StudyFiles, row: Row, handed: Sequence[Pending]) -> bool:
    """Return whether a point was out before a row said what became of it, and the files know that no more.

    Args:
        files: as they are without the row.
        row: that was taken back.
        handed: what was handed out, oldest first.
    """
    left = [each for each in files.ledger.rows if each.id == row.id]
    if left and left[-1].status != "retry":
        return False
    if any(each.id == row.id for each in (*files.ledger.waiting, *files.ledger.compared)):
        return False
    times = [each for each in handed if each.id == row.id]
    return out_after(times, files.table.rows, left[-1].position if left else -1)


def _told(files: StudyFiles, row: Row) -> Told:
    """Return what a row says, with the id that people know its point by."""
    status = "ok" if row.judge else row.status
    answer = TakenAnswer(row.id, row.values, Outcome(status, row.text, row.others), fixed=row.fixed, judge=row.judge)
    return told_of(files.problem, answer)


def _stands(files: StudyFiles, id: int | None) -> Told | None:
    """Return what stands of a point, None where nothing does."""
    ledger = files.ledger
    for standing in ledger.standing:
        if standing.id == id:
            return _told(files, standing.row)
    for status, entries in (("pending", ledger.waiting), ("retry", ledger.again)):
        for entry in entries:
            if entry.id == id:
                return Told(id, status, files.problem.point(entry.values, entry.fixed), None)
    return None


def _cells(files: StudyFiles, row: Row) -> Cells:
    parameters = {**files.problem.mapping(row.values), **row.fixed}
    id = row.id if row.numbered else None
    text, others = (row.text, row.others) if row.undoes == "ok" else ("", ())
    cells = cells_of(files.table, files.problem, id, parameters, text, row.written, others)
    return with_judge(files.table, files.problem, cells, row.judge) if row.judge else cells


def _remember(found: _Moment) -> list[str]:
    """Keep in the state what it alone tells; return warnings. The caller holds the lock.

    That is which step comes next and what it starts from, the ids of rows that have none, and in which order the
    answers of one point came. The copy of the state stays as it is: it may be from before the next suggestion that is
    taken back.
    """
    files = found.files
    suggestions = {row.id for row in found.rows if row.undoes == "pending" and row.id is not None}
    answers = Counter(row.id for row in files.table.rows if row.status in ANSWERS)
    if not (suggestions or any(answers[row.id] > 1 or not row.numbered for row in found.rows)):
        return []
    try:
        now = read_files(files.file)
        state = now.remembered()
        if suggestions:
            fit = fit_before(files.file, state, min(suggestions))
            records = tuple(each for each in state.diagnostics if each.get("id") not in suggestions)
            state = replace(state, fit=fit, diagnostics=records)
        return [*on_first_ids(now.table, now.state), *save_state(now.file, now.loaded, state, back_up=False)]
    except OrdboError as error:  # the rows are there
        return [f"{error}; the next suggestion may start from another fit"]


def _take_remarks_back(found: _Moment) -> list[str]:
    """Take back the remarks on the rows, which would be said of those that stand now; return warnings.

    The caller holds the lock.
    """
    undone = (row for row in found.rows if row.status == UNDONE and row.undoes != "pending" and not row.judge)
    abouts = [About.of(row.id if row.numbered else None, row.values, row.undoes) for row in undone]
    try:
        take_remarks_back(found.files.file.remarks, abouts)
    except OrdboError as error:  # the rows are there
        return [f"{error.message}; what was noted of it still stands"]
    return []
