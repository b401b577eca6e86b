"""Recording that one of two points was found to be better, that both are alike, or a ranking of more of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.tables.comparisons import ALL_COLUMNS
from ordbo_cli.files.tables.judged import Answer, Judged, JudgedRanking
from ordbo_cli.files.tables.table import Table, append_rows, cells_of, where_overtaken_again
from ordbo_cli.files.values.numbers import printed
from ordbo_cli.problem.sample_ranking import Groups, groups_of, judge_name, ranking_words
from ordbo_cli.problem.spelling import quoted, shown_path
from ordbo_cli.study.reading.holding import held, lock_path
from ordbo_cli.study.reading.known_ids import unknown_id
from ordbo_cli.study.reading.ledger import Waiting
from ordbo_cli.study.reading.study_files import StudyFiles, read_files
from ordbo_cli.study.returned import Answers


@dataclass(frozen=True)
class Compared:
    """A comparison that was taken.

    Args:
        better, worse: ids of the points; of a tie in the order in which they were given.
        tie: whether both were found to be alike.
        new: whether a row was added; the newest comparison of the two may have said the same already.
        warnings: what people should know.
        judge: who said so; "" is nobody in particular.
    """

    better: int
    worse: int
    tie: bool
    new: bool = True
    warnings: tuple[str, ...] = field(default=(), compare=False)
    judge: str = ""

    @property
    def words(self) -> str:
        """What was found, and by whom."""
        return f"{self.better} {'as good as' if self.tie else 'over'} {self.worse}{by_whom(self.judge)}"


@dataclass(frozen=True)
class RankingTaken:
    """A ranking that was taken.

    Args:
        groups: ids of the points, the best first; those of one group are tied.
        judge: who said so; "" is nobody in particular.
        new: whether rows were added; the judge may have said the same last of these points.
        warnings: what people should know.
    """

    groups: Groups
    judge: str = ""
    new: bool = True
    warnings: tuple[str, ...] = field(default=(), compare=False)

    @property
    def words(self) -> str:
        """What was found, and by whom."""
        return f"{ranking_words(self.groups)}{by_whom(self.judge)}"


def by_whom(judge: str) -> str:
    """Return the words behind an answer on who gave it."""
    return f" (judge {judge})" if judge else ""


class _Decided(NamedTuple):
    """Answers to record, and the suggestions that the evaluations have to know for that.

    Args:
        files: as they were read.
        answers: as they are told.
        new: those that are recorded, in rows.
        unknown: suggestions without a row.
    """

    files: StudyFiles
    answers: tuple[tuple[Answer, bool], ...]
    unknown: tuple[Waiting, ...]

    @property
    def rows(self) -> list[Judged]:
        """The rows of comparisons to append."""
        new = [answer for answer, is_new in self.answers if is_new]
        return [row for each in new for row in (each.neighbours if isinstance(each, JudgedRanking) else (each,))]


def compare(
    file: ProblemFile, timeout: float, better: int, worse: int, *, tie: bool, again: bool, judge: str | None = None
) -> Compared:
    """Record a comparison.

    A suggestion that has no row in the evaluations gets a pending one first, as comparisons speak of their rows.

    Args:
        file: the problem file.
        timeout: seconds to wait for other processes.
        better, worse: ids of the points.
        tie: whether both were found to be alike.
        again: whether an answer counts once more that is the judge's newest one of these two already.
        judge: who said so; None for nobody in particular.

    Raises:
        UsageError: a point is compared with itself, or the judge has no name that a table could hold.
        DataError: an id is unknown, or a file lacks a column for what is to be said; with a front, a point has no
            result that could be preferred.
        ManyErrors: the files cannot be used.
        FileError, LockTimeoutError: the system refused, or another process held the lock.
    """
    if better == worse:
        raise UsageError(f"{better} is compared with itself", "Give the ids of two points")
    found = _recorded(file, timeout, [Judged(0, better, worse, tie, judge=judge_name(judge))], again)
    ((answer, new),), warnings = found.answers, _warnings(found)
    return Compared(better, worse, tie, new, tuple(warnings), answer.judge)


def rank(
    file: ProblemFile,
    timeout: float,
    rankings: Sequence[tuple[Sequence[int | Sequence[int]], str | None]],
    *,
    again: bool,
) -> Answers[RankingTaken]:
    """Record rankings, all of them or none.

    Args:
        file: the problem file.
        timeout: seconds to wait for other processes.
        rankings: ids, the best first, those in a list of their own tied; and who said so, None for nobody.
        again: whether a ranking counts once more that its judge has said last of these points already.

    Raises:
        UsageError: a ranking has fewer than two points, or one of them twice; a judge has no name that a table could
            hold.
        DataError, ManyErrors, FileError, LockTimeoutError: as :func:`compare`.
    """
    answers = [JudgedRanking(groups_of(given), judge_name(judge)) for given, judge in rankings]
    if not answers:
        raise UsageError("there is no ranking", "Give the ids of two points or more, the best first: 4 7=2 9")
    found = _recorded(file, timeout, answers, again)
    taken = [
        RankingTaken(answer.groups, answer.judge, new)
        for answer, new in found.answers
        if isinstance(answer, JudgedRanking)
    ]
    return Answers(taken, _warnings(found))


def _recorded(file: ProblemFile, timeout: float, answers: Sequence[Answer], again: bool) -> _Decided:
    """Record answers."""

    def decide() -> _Decided:
        return _decided(read_files(file), answers, again)

    if not lock_path(file).exists():  # a call that is refused leaves no new file, not even the lock's
        found = decide()
        if not found.rows:
            return found

    def recorded() -> _Decided:
        found = decide()
        if found.rows:
            _append(found)
        return found

    with held(file, timeout):
        return where_overtaken_again(recorded)


def _decided(files: StudyFiles, answers: Sequence[Answer], again: bool) -> _Decided:
    ids = {id for answer in answers for id in answer.ids}
    unknown = _without_rows(files, ids)
    _refuse_below(files, ids)
    if files.problem.has_front and (lacking := ids - files.whole_results):
        message = f"id {min(lacking)} has no result that could be preferred"
        raise DataError(
            message, "With a front whole results are compared: it has none yet, has failed, or broke a limit"
        )
    decided: list[tuple[Answer, bool]] = []
    judgements = files.judgements
    for answer in answers:
        if isinstance(answer, JudgedRanking):
            new = again or not judgements.has_latest(answer)
            answer = answer._replace(number=judgements.next_ranking)
            judgements = judgements.with_more(*answer.neighbours) if new else judgements
        else:
            latest = judgements.latest(answer.better, answer.worse, answer.judge)
            new = again or latest is None or not latest.says(answer)
        decided.append((answer, new))
    found = _Decided(files, tuple(decided), tuple(unknown))
    demand_columns_for(files.judgements.table, found.rows)
    return found


def _refuse_below(files: StudyFiles, ids: Collection[int]) -> None:
    """Refuse points of a lower level of fidelity: comparisons are of the highest.

    Raises:
        DataError: there is one among these.
    """
    fidelity, ledger = files.problem.fidelity, files.ledger
    of_rows = {row.id: row.level for row in ledger.rows}
    levels = of_rows | {each.id: each.level for each in (*ledger.waiting, *ledger.again)}
    below = [(id, level) for id in sorted(ids) if (level := levels.get(id)) is not None]
    if fidelity is not None and below:
        id, level = below[0]
        said = f"id {id} is a point at {fidelity.name} = {printed(fidelity.levels[level])}"
        raise DataError(said, f"Compare points at {fidelity.name} = {printed(fidelity.highest)}, the highest level")


def _without_rows(files: StudyFiles, ids: Collection[int]) -> list[Waiting]:
    """Return the suggestions among some points that no row of the evaluations is about.

    Raises:
        DataError: one is unknown.
    """
    known = {row.id for row in files.ledger.rows if row.id is not None}
    waiting = {entry.id: entry for entry in (*files.ledger.waiting, *files.ledger.again)}
    for id in sorted(ids):
        if id not in known and id not in waiting:
            raise unknown_id(id, waiting, known, "; 'ordbo suggest --duel' names the next two")
    return [waiting[id] for id in sorted(ids) if id not in known]


def demand_columns_for(table: Table, judged: Sequence[Judged]) -> None:
    """Make sure that the comparisons can say what they are to.

    Raises:
        DataError: they lack a column: that of ties, of judges or of rankings.
    """
    if not table.columns:
        return
    if any(each.tie or each.undone for each in judged) and "tie" not in table.columns:
        raise DataError(f"{shown_path(table.path)}: no column 'tie' can say that", "Add the column to its header")
    said = {
        "judge": ("who has judged", any(each.judge for each in judged)),
        "ranking": ("which rows are one ranking", any(each.ranking for each in judged)),
    }
    for name, (what, needed) in said.items():
        if needed and name not in table.columns:
            missing = [each for each in ALL_COLUMNS if each not in table.columns]
            header = table.dialect.line([*table.header, *missing]).strip()
            hint = f"Make its header {header}: the rows below stay as they are"
            raise DataError(f"{shown_path(table.path)}: no column {quoted(name)} can say {what}", hint)


def _append(found: _Decided) -> None:
    """Append the rows. The caller holds the lock."""
    files, problem = found.files, found.files.problem
    rows = [
        cells_of(files.table, problem, entry.id, {**problem.mapping(entry.values), **entry.fixed}, "", "pending")
        for entry in found.unknown
    ]
    append_rows(files.table, problem, rows)
    files.judgements.append(*found.rows)


def _warnings(found: _Decided) -> list[str]:
    known = [answer for answer, new in found.answers if not new]
    repeated = "is recorded already, nothing was added; --again counts it once more"
    return [*found.files.warnings, *(f"{each.words}{by_whom(each.judge)} {repeated}" for each in known)]
