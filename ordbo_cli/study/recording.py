"""From answers to rows of the evaluations, and to what the caller is told about them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ordbo_cli.problem import Problem
from ordbo_cli.study.append import Cells, append_rows, cells_of
from ordbo_cli.study.books import Books, held, lock_path, read_books
from ordbo_cli.study.desk import Answer, Desk, warnings_of
from ordbo_cli.study.ledger import next_id
from ordbo_cli.study.problem_file import ProblemFile
from ordbo_cli.study.table import Table, columns_of
from ordbo_cli.study.text import listed, shown_path
from ordbo_cli.study.views import Told

Decide = Callable[[Books, Desk], list[Answer]]


@dataclass(frozen=True)
class Decided:
    """Answers to record, all or none.

    Args:
        books: the files as they were when the answers were taken.
        answers: those that the evaluations have already among them.
        rows: the cells of each that is new.
    """

    books: Books
    answers: list[Answer]
    rows: list[Cells]

    @classmethod
    def of(cls, books: Books, decide: Decide) -> Decided:
        """Take answers, and make sure that the evaluations can hold them.

        Args:
            books: the files as they are.
            decide: takes the answers.

        Raises:
            DataError: the evaluations lack a column; beside what ``decide`` raises.
        """
        answers = decide(books, Desk(books.problem, books.table, books.ledger, next_id(books.ledger, books.state) - 1))
        return cls(books, answers, [_cells(books, answer) for answer in answers if answer.new])

    @property
    def warnings(self) -> list[str]:
        """What people should know about the files and the answers."""
        return [*self.books.warnings, *warnings_of(self.answers)]

    @property
    def told(self) -> list[Told]:
        """What the caller is told."""
        return [_told(self.books.problem, answer) for answer in self.answers]

    def record(self) -> None:
        """Append the rows. The caller holds the lock.

        Raises:
            FileError: the system refused; what was there is untouched.
        """
        append_rows(self.books.table, self.books.problem, self.rows)


def recorded(file: ProblemFile, lock_timeout: float, decide: Decide, *, dry_run: bool) -> Decided:
    """Append the rows that are decided on from the files as they are under the lock.

    Args:
        file: of the study.
        lock_timeout: seconds to wait for other processes.
        decide: takes the answers.
        dry_run: whether nothing is appended.

    Raises:
        OrdboError: the files cannot be used, the answers are refused, or another process held the lock.
    """
    first = not lock_path(file).exists()
    if dry_run or first:  # a call that records nothing leaves no new file, not even the lock's
        decided = Decided.of(read_books(file), decide)
    if not dry_run and not (first and not decided.rows):
        with held(file, lock_timeout):
            decided = Decided.of(read_books(file), decide)
            decided.record()
    return decided


def _cells(books: Books, answer: Answer) -> Cells:
    parameters = {**books.problem.mapping(answer.values), **answer.fixed}
    return cells_of(books.table, books.problem, answer.id, parameters, answer.outcome.text, answer.outcome.status)


def _told(problem: Problem, answer: Answer) -> Told:
    outcome, parameters = answer.outcome, {**problem.mapping(answer.values), **answer.fixed}
    return Told(answer.id, outcome.status, parameters, outcome.text or None, answer.new)


def unrecorded(results: Table, problem: Problem) -> list[str]:
    """Return a warning about the columns of a list of results that nobody keeps."""
    extra = [name for name in results.columns if name and name not in columns_of(problem)]
    return [f"{shown_path(results.path)}: columns that are not recorded: {listed(extra)}"] if extra else []
