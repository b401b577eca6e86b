"""From answers to rows of the evaluations, and to what the caller is told about them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from ordbo_cli.errors import OrdboError, UsageError
from ordbo_cli.files.durable.paths import is_same_file
from ordbo_cli.files.handed import handed_out
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.remarks import About, keep_remarks
from ordbo_cli.files.state import save_state
from ordbo_cli.files.tables.evaluations import read_results
from ordbo_cli.files.tables.table import (
    Cells,
    Table,
    append_rows,
    cells_of,
    columns_of,
    judge_columns,
    remark_columns,
    where_overtaken_again,
    with_judge,
)
from ordbo_cli.files.values.levels import censored_outcome
from ordbo_cli.files.values.remark import NO_REMARK
from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.brief import Brief
from ordbo_cli.problem.spelling import listed, shown_path
from ordbo_cli.study.reading.holding import held, lock_path
from ordbo_cli.study.reading.ledger import next_id, on_first_ids
from ordbo_cli.study.reading.levels_handed_out import with_levels_handed_out
from ordbo_cli.study.reading.study_files import StudyFiles, read_files
from ordbo_cli.study.returned import Answers
from ordbo_cli.study.telling.answer_intake import AnswerIntake, TakenAnswer, warnings_of

Decide = Callable[[StudyFiles, AnswerIntake], list[TakenAnswer]]


@dataclass(frozen=True, repr=False)
class Told(Brief):
    """An answer that was taken.

    Args:
        id: of the suggestion that it answers, if any.
        status: ok, failed, abandoned, expired or retry.
        parameters: all that count by name, as Python has them.
        objective: the objective as it was written, or None.
        outcomes: the problem's other results as they were written, by name, those that there are.
        infeasible: whether one of them breaks its limits.
        new: whether a row was added; the evaluations may have said the same already.
        warnings: what people should know.
        judge: whose score of the point the objective is; "" for a result.
    """

    id: int | None
    status: str
    parameters: Mapping[str, Number | str]
    objective: str | None
    new: bool = True
    outcomes: Mapping[str, str] = field(default_factory=dict)
    infeasible: bool = False
    warnings: tuple[str, ...] = field(default=(), compare=False)
    judge: str = ""


class Decided(NamedTuple):
    """Answers to record, all or none.

    Args:
        files: the files as they were when the answers were taken.
        answers: those that the evaluations have already among them.
        rows: the cells of each that is new.
        forgotten: warnings about what the state could not keep of them.
    """

    files: StudyFiles
    answers: list[TakenAnswer]
    rows: list[Cells]
    forgotten: tuple[str, ...] = ()

    @classmethod
    def of(cls, files: StudyFiles, decide: Decide) -> Decided:
        """Take answers, and make sure that the evaluations can hold them.

        Args:
            files: the files as they are.
            decide: takes the answers.

        Raises:
            DataError: the evaluations lack a column; beside what ``decide`` raises.
        """
        recall = partial(handed_out, files.file.handed)
        last = next_id(files.ledger, files.state) - 1
        answers = decide(files, AnswerIntake(files.problem, files.table, files.ledger, last, recall))
        return cls(files, answers, [_cells(files, answer) for answer in answers if answer.new])

    @property
    def warnings(self) -> list[str]:
        """What people should know about the files and the answers."""
        return [*self.files.warnings, *warnings_of(self.answers), *self.forgotten]

    @property
    def told(self) -> list[Told]:
        """What the caller is told."""
        return [told_of(self.files.problem, answer) for answer in self.answers]

    def append(self) -> None:
        """Append the rows. The caller holds the lock.

        Raises:
            FileError: the system refused; what was there is untouched.
        """
        append_rows(self.files.table, self.files.problem, self.rows)


def recorded(file: ProblemFile, timeout: float, decide: Decide, *, dry_run: bool) -> Answers[Told]:
    """Record the answers that are decided on; the arguments and errors are those of :func:`record`."""
    decided = record(file, timeout, decide, dry_run=dry_run)
    told, warnings = decided.told, decided.warnings
    if file.problem.failed == "error" and any(each.status == "failed" for each in told):
        warnings.append("failed: error is set: nothing is suggested until this row is amended")
    return Answers(told, warnings)


def record(file: ProblemFile, timeout: float, decide: Decide, *, dry_run: bool) -> Decided:
    """Append the rows that are decided on from the files as they are under the lock.

    Args:
        file: the problem file.
        timeout: seconds to wait for other processes.
        decide: takes the answers, perhaps twice.
        dry_run: whether nothing is recorded.

    Raises:
        DataError, ManyErrors: the files cannot be used; beside what ``decide`` raises.
        FileError, LockTimeoutError: the system refused, or another process held the lock.
    """
    if dry_run or not lock_path(file).exists():  # a call that records nothing leaves no new file, not even the lock's
        decided = Decided.of(read_files(file).with_remarks(), decide)
        if dry_run or not decided.rows:
            return decided
        del decided  # a large table is held once only

    def recorded() -> Decided:
        decided = Decided.of(read_files(file).with_remarks(), decide)
        decided.append()
        words = (*_remember(decided), *_keep_remarks(decided))
        return decided._replace(forgotten=words)

    with held(file, timeout):
        return where_overtaken_again(recorded)


def _remember(decided: Decided) -> tuple[str, ...]:
    """Keep the order of the rows in the state where it counts from now on; return warnings. The caller holds the lock.

    It does where one of the answers is not the first of its point, and where rows have ids that only the state knows.
    """
    files = decided.files
    answered = {each.id for each in files.ledger.standing} | {each.id for each in files.ledger.again}
    new = [answer.id for answer in decided.answers if answer.new]
    nameless = "id" not in files.table.columns and bool(files.table.columns) and None in new
    if not nameless and answered.isdisjoint(new):
        return ()
    try:
        now = read_files(files.file)
        return (*on_first_ids(now.table, now.state), *save_state(now.file, now.loaded, now.remembered()))
    except OrdboError as error:  # the rows are there
        return (f"{error}; until the next suggestion, the last row of an id stands",)


def _keep_remarks(decided: Decided) -> tuple[str, ...]:
    """Keep what the evaluations have no columns for in a list; return warnings. The caller holds the lock.

    Once there is a list, every answer has a line in it: what was said of the one before holds no more.
    """
    files = decided.files
    columns = files.table.columns
    written = remark_columns(columns, files.problem)
    numbered = "id" in columns or not columns
    unwritten = [
        (
            About.of(answer.id if numbered else None, answer.values, answer.outcome.status),
            answer.outcome.remark._replace(**{name: getattr(NO_REMARK, name) for name in written}),
        )
        for answer in decided.answers
        if answer.new and not answer.judge
    ]
    if not files.file.remarks.exists() and all(remark == NO_REMARK for _, remark in unwritten):
        return ()
    try:
        keep_remarks(files.file.remarks, unwritten)
    except OrdboError as error:  # the rows are there
        return (f"{error.message}; why it failed and how long it took is not kept",)
    return ()


def _cells(files: StudyFiles, answer: TakenAnswer) -> Cells:
    parameters = {**files.problem.mapping(answer.values), **answer.fixed}
    cells = cells_of(
        files.table,
        files.problem,
        answer.id,
        parameters,
        answer.outcome.text,
        answer.outcome.status,
        answer.outcome.others,
        answer.outcome.remark,
    )
    return with_judge(files.table, files.problem, cells, answer.judge) if answer.judge else cells


def told_of(problem: Problem, answer: TakenAnswer) -> Told:
    """Return what the caller is told of an answer."""
    outcome, parameters = answer.outcome, problem.point(answer.values, answer.fixed)
    if answer.judge:
        return Told(answer.id, outcome.status, parameters, outcome.text, answer.new, judge=answer.judge)
    limits = list(zip(problem.outcomes, outcome.others, strict=False))
    measured = (limit.holds(censored_outcome(limit, text)[0] if text else None) for limit, text in limits)
    infeasible = outcome.status == "ok" and not all(measured)
    others = {limit.name: text for limit, text in limits if text}
    return Told(answer.id, outcome.status, parameters, outcome.text or None, answer.new, others, infeasible)


def results_of(text: str, source: str, file: ProblemFile) -> Table:
    """Return a list of results to record.

    Args:
        text: the CSV.
        source: where it comes from.
        file: the problem file.

    Raises:
        UsageError: it is the study's own file of evaluations.
        ManyErrors: of DataError, every wrong row.
    """
    if is_same_file(source, file.evaluations):
        raise UsageError(f"{shown_path(source)} holds this study's evaluations", "They are recorded already")
    return with_levels_handed_out(read_results(text, source, file.problem), file)


def unrecorded(results: Table, problem: Problem) -> list[str]:
    """Return a warning about the columns of a list of results that nobody keeps."""
    known = {*columns_of(problem), *remark_columns(results.columns, problem), *judge_columns(results.columns, problem)}
    extra = [name for name in results.columns if name and name not in known]
    return [f"{shown_path(results.path)}: columns that are not recorded: {listed(extra)}"] if extra else []
