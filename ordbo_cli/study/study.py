"""A study: one problem, the files behind it, and what can be asked of them and told to them."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from ordbo_cli.errors import DataError, FileError, ManyErrors, OrdboError, ProblemError, UsageError
from ordbo_cli.method import EngineKind
from ordbo_cli.problem import Number, Problem, Suggestion
from ordbo_cli.study.answers import bounds_warning, outcome_of, whole_point
from ordbo_cli.study.append import Cells, append_rows, cells_of
from ordbo_cli.study.desk import Answer, Desk, warnings_of
from ordbo_cli.study.evaluations import read_results, read_table
from ordbo_cli.study.journal import settle
from ordbo_cli.study.ledger import Ledger, Values, concerns, ledger_of, next_id, refuse_failures, step_of
from ordbo_cli.study.lock import locked
from ordbo_cli.study.paths import folder_of, is_same_file, refused
from ordbo_cli.study.problem_file import ProblemFile, load_problem
from ordbo_cli.study.reports import history, pending_point, ranking
from ordbo_cli.study.state import Loaded, Pending, State, load_state, save_state
from ordbo_cli.study.table import Table, columns_of
from ordbo_cli.study.text import listed, shown_path
from ordbo_cli.study.views import Best, Status, Told

if TYPE_CHECKING:
    from ordbo_cli.search import Prediction


@dataclasses.dataclass(frozen=True)
class _Books:
    """The files of a study as they were read."""

    table: Table
    loaded: Loaded
    ledger: Ledger

    @property
    def state(self) -> State:
        return self.loaded.state


class Study:
    """An ask/tell object with files behind it; every call reads them anew.

    Args:
        file: the problem file, read and checked; :meth:`open` does that.
        lock_timeout: seconds to wait for other processes.
    """

    def __init__(self, file: ProblemFile, lock_timeout: float = 60.0) -> None:
        self._file = file
        self._lock_timeout = lock_timeout
        self.warnings: list[str] = []
        """What people should know about the last call."""

    @classmethod
    def open(cls, path: str | Path, *, lock_timeout: float = 60.0) -> Study:
        """Read and check a problem file.

        Raises:
            MissingFileError, FileError: it is not there, or cannot be read.
            ManyErrors: of ProblemError, every mistake in it.
        """
        return cls(load_problem(path), lock_timeout)

    @property
    def problem(self) -> Problem:
        """What the study asks."""
        return self._file.problem

    @property
    def problem_path(self) -> Path:
        """The problem file."""
        return self._file.path

    @property
    def evaluations_path(self) -> Path:
        """The CSV of evaluations."""
        return self._file.evaluations

    @property
    def state_path(self) -> Path:
        """The state."""
        return self._file.state

    @property
    def notes(self) -> tuple[str, ...]:
        """What people should know about the problem file although it is no error."""
        return self._file.notes

    def ask(self, *, append: bool = False, dry_run: bool = False, engine: EngineKind | None = None) -> Suggestion:
        """Return the next point to evaluate, and remember it as pending: one to be evaluated again goes first.

        Args:
            append: whether it is appended to the evaluations as a pending row, too.
            dry_run: whether nothing is recorded: the next call returns the same point.
            engine: the implementation of the model, in place of the problem's.

        Raises:
            ExhaustedError: no value is left to try.
            DataError, ManyErrors: the evaluations or the state cannot be used.
            FileError, LockTimeoutError: the system refused, or another process held the lock.
        """
        import ordbo_cli.search  # noqa: F401  # before the lock is taken: it takes a while

        self.warnings = []
        if dry_run:
            return self._ask(self._read(), engine, append=False, record=False)
        if not self._lock_path.exists():  # a call that is refused leaves no new file, not even the lock's
            books = self._read()
            refuse_failures(self.problem, books.ledger, books.table)
            self.warnings = []
        with self._locked():
            return self._ask(self._read(), engine, append=append, record=True)

    def tell(
        self,
        objective: Number | str | None = None,
        *,
        id: int | None = None,
        parameters: Mapping[str, Number | str] | None = None,
        failed: bool = False,
        abandon: bool = False,
        retry: bool = False,
        amend: bool = False,
    ) -> Told:
        """Record what became of a point: append a row to the evaluations.

        Args:
            objective: the result, as a number or as the simulator's text.
            id: of the suggestion; its parameters may then be left out.
            parameters: by name, all free ones where there is no id.
            failed: the evaluation failed.
            abandon: the point is given up: not ranked, and never suggested again.
            retry: the evaluation is to be done again: not ranked, and the next call of :meth:`ask` returns the point.
            amend: replace an answer that is there.

        Raises:
            UsageError: the call cannot be right: unknown names, no or two outcomes.
            DataError, ManyErrors: the id is unknown or closed, or the files cannot be used.
            FileError, LockTimeoutError: the system refused, or another process held the lock.
        """
        self.warnings = []
        outcome = outcome_of(self.problem, objective, failed=failed, abandon=abandon, retry=retry)

        def decide(books: _Books) -> list[Answer]:
            return [self._desk(books).take(id, parameters or {}, outcome, amend=amend)]

        (told,) = self._record(decide)
        if told.status == "failed" and self.problem.failed == "error":
            self.warnings.append("failed: error is set: nothing is suggested until this row is amended")
        return told

    def tell_rows(self, text: str, *, source: str, amend: bool = False) -> list[Told]:
        """Record a whole CSV of results, or nothing of it where a row is wrong.

        Args:
            text: the CSV; columns are found by name. An id alone tells the point.
            source: where it comes from, for messages.
            amend: replace answers that are there.

        Raises:
            ManyErrors: of DataError, every wrong row.
            FileError, LockTimeoutError: the system refused, or another process held the lock.
        """
        self.warnings = []
        if is_same_file(source, self.evaluations_path):
            raise UsageError(f"{shown_path(source)} holds this study's evaluations", "They are recorded already")
        results = read_results(text, source, self.problem)
        told = self._record(lambda books: self._desk(books).take_table(results, amend=amend))
        self.warnings += _unrecorded(results, self.problem)
        return told

    def status(self) -> Status:
        """Return where the study stands.

        Raises:
            DataError, ManyErrors, FileError: the files cannot be used or read.
        """
        self.warnings = []
        books = self._read()
        ledger, state = books.ledger, books.state
        rows = [standing.row for standing in ledger.standing]
        ranked = ranking(self.problem, ledger)
        self.warnings += concerns(self.problem, ledger)
        try:
            refuse_failures(self.problem, ledger, books.table)
        except DataError as error:
            self.warnings.append(str(error))
        return Status(
            **ledger.counts(),
            outside=sum(row.outside for row in rows),
            aside=sum(bool(row.aside) for row in rows),
            best=ranked[0] if ranked else None,
            ranking=ranked,
            history=history(self.problem, ledger),
            waiting=tuple(pending_point(self.problem, entry) for entry in ledger.waiting),
            again=tuple(pending_point(self.problem, entry) for entry in ledger.again),
            warnings=tuple(self.warnings),
            step=step_of(ledger, state),
            diagnostics=state.diagnostics[-1] if state.diagnostics else None,
        )

    def best(self) -> Best:
        """Return the best evaluation inside the bounds; of equal ones the first.

        Raises:
            DataError: no evaluation has succeeded yet.
            ManyErrors, FileError: the files cannot be used or read.
        """
        self.warnings = []
        ranked = ranking(self.problem, self._read().ledger)
        if not ranked:
            path = shown_path(self.evaluations_path)
            raise DataError(f"{path}: no evaluation inside the bounds has succeeded yet", "Record one with observe")
        return ranked[0]

    def predict(
        self, points: Sequence[Mapping[str, Number | str]], *, engine: EngineKind | None = None
    ) -> list[Prediction]:
        """Return what the model expects at points, from the results alone: what is pending has no say.

        Args:
            points: parameters by name, every free one.
            engine: the implementation of the model, in place of the problem's.

        Raises:
            UsageError: a point lacks parameters, or has unknown ones.
            DataError, ManyErrors, FileError: the files cannot be used or read.
        """
        from ordbo_cli.search import predict

        self.warnings = []
        values = [whole_point(self.problem, point) for point in points]
        warnings = (bounds_warning(self.problem, point, "the model only guesses there") for point in values)
        self.warnings += [warning for warning in warnings if warning]
        books = self._read()
        refuse_failures(self.problem, books.ledger, books.table)
        self.warnings += concerns(self.problem, books.ledger)
        return predict(self._with_engine(engine), books.ledger.evaluations(), values, books.state.fit)

    def check(self) -> list[str]:
        """Read every file, and return what they hold, in words.

        Raises:
            ManyErrors: every mistake in the evaluations and the state.
        """
        self.warnings = []
        self._raise_all()
        books = self._read()
        refuse_failures(self.problem, books.ledger, books.table)
        self.warnings += concerns(self.problem, books.ledger)
        free, fixed = len(self.problem.free), len(self.problem.parameters) - len(self.problem.free)
        words = [f"{shown_path(self.problem_path)}: {free} free and {fixed} fixed parameters", *self.notes]
        counts = ", ".join(f"{count} {word}" for word, count in books.ledger.counts().items() if count)
        there = "" if self.evaluations_path.exists() else " (no file yet)"
        words.append(f"{shown_path(self.evaluations_path)}: {counts or 'no evaluations'}{there}")
        there = f"step {books.state.step}" if self.state_path.exists() else "none yet"
        return [*words, f"{shown_path(self.state_path)}: {there}"]

    def _raise_all(self) -> None:
        """Raise the errors of evaluations and state together."""
        errors: list[OrdboError] = []
        readers = (lambda: read_table(self.evaluations_path, self.problem), lambda: load_state(self._file))
        for read in readers:
            try:
                read()
            except ManyErrors as error:  # every file is read
                errors += error.errors
            except OrdboError as error:
                errors.append(error)
        if errors:
            raise ManyErrors(errors)

    @property
    def _lock_path(self) -> Path:
        # By the state's real path, so that all names of one study share one lock.
        state = Path(os.path.realpath(self.state_path))
        return state.with_name(state.name + ".lock")

    @contextlib.contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the lock, with the evaluations whole: what a killed writer began to append is completed first."""
        with locked(self._lock_path, self._lock_timeout):
            try:
                settle(self.evaluations_path)
            except OSError as error:
                raise refused("append to it", self.evaluations_path, error) from None
            yield

    def _read(self) -> _Books:
        """Read evaluations and state; outside the lock each is whole, and the later one is the newer."""
        for path in (self.evaluations_path, self.state_path):
            folder_of(path)
        loaded = load_state(self._file)
        table = read_table(self.evaluations_path, self.problem)
        self.warnings += [*table.warnings, *loaded.warnings]
        # By more than one: a state that was rebuilt from its backup may count one suggestion too many.
        if loaded.state.step > len(loaded.state.pending) + 1 and not self.evaluations_path.exists():
            self.warnings.append(f"{shown_path(self.evaluations_path)}: it was there, and is there no more")
        return _Books(table, loaded, ledger_of(self.problem, table, loaded.state))

    def _with_engine(self, engine: EngineKind | None) -> Problem:
        if engine is None:
            return self.problem
        try:
            method = dataclasses.replace(self.problem.method, engine=engine)
        except ProblemError as error:
            raise UsageError(error.message, error.hint) from None
        return dataclasses.replace(self.problem, method=method)

    def _ask(self, books: _Books, engine: EngineKind | None, *, append: bool, record: bool) -> Suggestion:
        refuse_failures(self.problem, books.ledger, books.table)
        self.warnings += concerns(self.problem, books.ledger)
        suggestion, state = self._again(books) or self._proposed(books, engine)
        if not record:
            return suggestion
        if append:
            cells = cells_of(books.table, self.problem, suggestion.id, suggestion.parameters, "", "pending")
            append_rows(books.table, self.problem, [cells])
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        pending = Pending(suggestion.id, suggestion.parameters, now, len(books.table.rows) + append)
        still = self._still_pending(books.ledger, books.state)
        try:
            self.warnings += save_state(self._file, books.loaded, dataclasses.replace(state, pending=(*still, pending)))
        except FileError as error:
            if not append:
                raise
            self.warnings.append(f"{error}; the suggestion stands in the evaluations")
        return suggestion

    def _again(self, books: _Books) -> tuple[Suggestion, State] | None:
        """Return the point to be evaluated again, if any, and the state after it: the same id is no new step."""
        entry, state = books.ledger.next_again(), books.state
        if entry is None:
            return None
        if entry.id is None:
            return self._numbered(books, entry.values, state)
        return Suggestion(entry.id, entry.values, self.problem.mapping(entry.values)), state

    def _proposed(self, books: _Books, engine: EngineKind | None) -> tuple[Suggestion, State]:
        """Return a new point, and the state after it."""
        from ordbo_cli.search import propose

        ledger, state = books.ledger, books.state
        out = [entry.values for entry in (*ledger.waiting, *ledger.again) if not entry.fixed]
        step, problem = step_of(ledger, state), self._with_engine(engine)
        proposal = propose(problem, ledger.evaluations(), out, step, state.fit, avoid=ledger.never_again())
        if left_out := proposal.diagnostics.get("left_out"):
            kept = "it sees the best, the newest and some of every rank"
            self.warnings.append(f"{left_out} results are left out of the model: {kept}")
        diagnostics = {"step": step, "id": next_id(ledger, state), **proposal.diagnostics}
        state = dataclasses.replace(state, fit=proposal.fit, diagnostics=(*state.diagnostics, diagnostics))
        return self._numbered(books, tuple(proposal.values), state)

    def _numbered(self, books: _Books, values: Values, state: State) -> tuple[Suggestion, State]:
        number, step = next_id(books.ledger, books.state), step_of(books.ledger, books.state)
        suggestion = Suggestion(number, values, self.problem.mapping(values))
        return suggestion, dataclasses.replace(state, step=step + 1, next_id=number + 1)

    @staticmethod
    def _still_pending(ledger: Ledger, state: State) -> tuple[Pending, ...]:
        open_ids = {entry.id for entry in ledger.waiting}
        return tuple(pending for pending in state.pending if pending.id in open_ids)

    def _desk(self, books: _Books) -> Desk:
        return Desk(self.problem, books.table, books.ledger, next_id(books.ledger, books.state) - 1)

    def _record(self, decide: Callable[[_Books], list[Answer]]) -> list[Told]:
        """Append the rows that are decided on from the files as they are under the lock."""
        if not self._lock_path.exists():  # a call that is refused leaves no new file, not even the lock's
            decide(self._read())
            self.warnings = []
        with self._locked():
            books = self._read()
            answers = decide(books)
            self.warnings += warnings_of(answers)
            rows = [self._cells(books.table, answer) for answer in answers if answer.new]
            append_rows(books.table, self.problem, rows)
        return [self._told(answer) for answer in answers]

    def _cells(self, table: Table, answer: Answer) -> Cells:
        parameters = {**self.problem.mapping(answer.values), **answer.fixed}
        return cells_of(table, self.problem, answer.id, parameters, answer.outcome.text, answer.outcome.status)

    def _told(self, answer: Answer) -> Told:
        outcome, parameters = answer.outcome, {**self.problem.mapping(answer.values), **answer.fixed}
        return Told(answer.id, outcome.status, parameters, outcome.text or None, answer.new)


def _unrecorded(results: Table, problem: Problem) -> list[str]:
    extra = [name for name in results.columns if name and name not in columns_of(problem)]
    return [f"{shown_path(results.path)}: columns that are not recorded: {listed(extra)}"] if extra else []
