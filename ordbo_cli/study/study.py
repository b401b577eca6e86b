"""A study: one problem, the files behind it, and what can be asked of them and told to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ordbo_cli.errors import UsageError
from ordbo_cli.files.problem_file.problem_file import load_problem
from ordbo_cli.files.tables.append import has_status
from ordbo_cli.problem import Number, Suggestion
from ordbo_cli.study.questions import Questions
from ordbo_cli.study.reading.access import demand_access
from ordbo_cli.study.reading.ledger import refuse_failures
from ordbo_cli.study.reading.study_files import StudyFiles, held, lock_path, read_files

if TYPE_CHECKING:
    from ordbo_cli.problem.method import EngineKind
    from ordbo_cli.search.step import Proposal
    from ordbo_cli.study.asking.stopping import StopRule
    from ordbo_cli.study.asking.suggest import Batch
    from ordbo_cli.study.telling.closing import Closing
    from ordbo_cli.study.telling.compare import Compared
    from ordbo_cli.study.telling.recording import Decide, Decided, Told


class Study(Questions):
    """An ask/tell object with files behind it; every call reads them anew, and imports what it alone needs.

    Args:
        file: the problem file, read and checked; :meth:`open` does that.
        lock_timeout, threads: as :class:`~ordbo_cli.study.opened.Opened` has them.
    """

    @classmethod
    def open(cls, path: str | Path, *, lock_timeout: float = 60.0, threads: int = 1) -> Study:
        """Read and check a problem file; the other arguments are those of the class.

        Raises:
            MissingFileError, FileError: it is not there, or cannot be read.
            ManyErrors: of ProblemError, every mistake in it.
        """
        return cls(load_problem(path), lock_timeout, threads)

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
        return self.ask_batch(1, append=append, dry_run=dry_run, engine=engine)[0]

    def ask_batch(
        self,
        number: int,
        *,
        append: bool | None = False,
        dry_run: bool = False,
        engine: EngineKind | None = None,
        prepared: Sequence[Proposal] = (),
        claim: Callable[[int], object] | None = None,
        explain: bool = False,
        stop_when: Sequence[StopRule] = (),
    ) -> list[Suggestion]:
        """Return the next points, those that as many calls of :meth:`ask` give; all are recorded, or none.

        Fewer are returned, with a warning, where fewer are left or a stop rule holds of one.

        Args:
            number: how many points, at least 1.
            append: whether they are appended to the evaluations as pending rows, too; None: if they can say a status.
            dry_run: whether nothing is recorded: the next call returns the same points.
            engine: the implementation of the model, in place of the problem's.
            prepared: what :meth:`prepare` returned: each takes the place of a new proposal, unless its point was tried
                or a point of its cell is out by now. Points to be evaluated again still go first.
            claim: is given each id under the lock, before anything is recorded.
            explain: whether :attr:`chosen` says why each point was chosen, and the state with it; the points are the
                same. What ``prepared`` holds is not explained.
            stop_when: rules, any of which stops where it holds of a new point that the model has chosen to be better
                than the best, of ``prepared`` ones too.

        Raises:
            UsageError: the number is below 1.
            StoppedError: a rule holds of the first point; nothing is recorded.
            ExhaustedError: no value is left to try.
            DataError, ManyErrors: the evaluations or the state cannot be used.
            FileError, LockTimeoutError: the system refused, or another process held the lock.
        """
        import ordbo_cli.search.step  # noqa: F401  # before the lock is taken: it takes a while
        from ordbo_cli.study.asking.suggest import ahead, batch_of, record, with_engine

        if number < 1:
            raise UsageError(f"{number} points are asked for", "Ask for 1 or more")
        self.warnings, self.chosen = [], []
        if self.problem.ranked:
            append = True  # the evaluations alone say where settings without numbers lie
        problem = with_engine(self.problem, engine)
        how: Any = {"threads": self._threads, "explain": explain, "stop_when": stop_when}

        def choose() -> tuple[StudyFiles, Batch, bool]:
            files = self._read_to_ask()
            written = has_status(files.table) if append is None else append
            batch = batch_of(files, problem, number, prepared, append=written, **how)
            self.warnings += batch.warnings
            self._warn_once(batch.unseen)
            self.chosen = [handed.chosen(explain=explain) for handed in batch.handed]
            return files, batch, written

        if dry_run:
            return choose()[1].suggestions
        demand_access(self._file)
        many = number > 1 and not prepared
        if many or not lock_path(self._file).exists():
            files = self._read_to_ask()  # a call that is refused leaves no new file, not even the lock's
            self.warnings = []
            if many:  # it may take minutes, and who has a result to record does not wait that long for the lock
                prepared = ahead(files, problem, number - len(files.ledger.again), **how)
        with held(self._file, self._lock_timeout):
            files, batch, written = choose()
            self.warnings += record(files, batch, append=written, claim=claim)
        return batch.suggestions

    def ask_duel(self, *, dry_run: bool = False, engine: EngineKind | None = None) -> tuple[Suggestion, Suggestion]:
        """Return the next two points to compare: the one that is held to be the best, and a new one.

        New points are appended to the evaluations as pending rows. :meth:`prefer` or :meth:`tie` answers; asking again
        gives another pair.

        Args:
            dry_run: whether nothing is recorded: the next call returns the same points.
            engine: the implementation of the model, in place of the problem's.

        Raises:
            ExhaustedError: no point is left to be compared with the best.
            DataError, ManyErrors: the files cannot be used, or have no room for rows with ids.
            FileError, LockTimeoutError: the system refused, or another process held the lock.
        """
        import ordbo_cli.search.step  # noqa: F401  # before the lock is taken: it takes a while
        from ordbo_cli.study.asking.duels import next_pair
        from ordbo_cli.study.asking.suggest import comparisons_left_out, record, with_engine

        self.warnings, self.chosen = [], []
        problem = with_engine(self.problem, engine)
        if dry_run:
            pair = next_pair(self._read_to_ask(), problem, threads=self._threads)
            return pair.first, pair.second
        demand_access(self._file)
        if not lock_path(self._file).exists():
            self._read_to_ask()  # a call that is refused leaves no new file, not even the lock's
            self.warnings = []
        with held(self._file, self._lock_timeout):
            files = self._read_to_ask()
            pair = next_pair(files, problem, threads=self._threads)
            self._warn_once(comparisons_left_out(files))
            if pair.batch is not None:
                self.warnings += record(files, pair.batch, append=True, claim=None)
        return pair.first, pair.second

    def prefer(self, better: int, worse: int, *, again: bool = False) -> Compared:
        """Record that a point was found to be better than another.

        Args:
            better, worse: ids of the points.
            again: whether it counts once more where it is the newest answer on these two already.

        Raises:
            UsageError: a point is compared with itself.
            DataError, ManyErrors: an id is unknown, or the files cannot be used.
            FileError, LockTimeoutError: the system refused, or another process held the lock.
        """
        return self._compare(better, worse, tie=False, again=again)

    def tie(self, one: int, other: int, *, again: bool = False) -> Compared:
        """Record that two points were found to be alike; the arguments and errors are those of :meth:`prefer`."""
        return self._compare(one, other, tie=True, again=again)

    def _compare(self, better: int, worse: int, **how: bool) -> Compared:
        from ordbo_cli.study.telling.compare import compare

        told, self.warnings = compare(self._file, self._lock_timeout, better, worse, **how)
        return told

    def prepare(
        self, number: int, *, engine: EngineKind | None = None, wanted: Callable[[], bool] = lambda: True
    ) -> list[Proposal]:
        """Return the new points that :meth:`ask_batch` would choose now, for a later call of it; record nothing.

        It takes no lock and changes nothing of this object, so a thread may call it while others ask and tell. Fewer
        are returned where fewer are left.

        Args:
            number: how many points, beside those to be evaluated again.
            engine: the implementation of the model, in place of the problem's.
            wanted: asked before each point: whether anybody waits for it. Each one may take seconds.

        Raises:
            DataError, ManyErrors, FileError: the files cannot be used or read.
        """
        from ordbo_cli.study.asking.suggest import ahead, with_engine

        files = read_files(self._file)
        refuse_failures(self.problem, files.ledger, files.table)
        return ahead(files, with_engine(self.problem, engine), number, wanted, threads=self._threads)

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
        outcomes: Mapping[str, Number | str | None] | None = None,
    ) -> Told:
        """Record what became of a point: append a row to the evaluations.

        Args:
            objective: the result, as a number or as the simulator's text; ``">1e6"`` where only a limit is known. It
                may be left out where an outcome breaks its limits.
            id: of the suggestion; its parameters may then be left out.
            parameters: by name, all free ones where there is no id.
            failed: the evaluation failed.
            abandon: the point is given up: not ranked, and never suggested again.
            retry: the evaluation is to be done again: not ranked, and the next call of :meth:`ask` returns the point.
            amend: replace an answer that is there.
            outcomes: the problem's other results by name, None for one that the simulator could not give.

        Raises:
            UsageError: the call cannot be right: unknown names, no or two outcomes.
            DataError, ManyErrors: the id is unknown or closed, or the files cannot be used.
            FileError, LockTimeoutError: the system refused, or another process held the lock.
        """
        from ordbo_cli.files.values.answers import outcome_of

        self.warnings = []
        said = {"failed": failed, "abandon": abandon, "retry": retry}
        outcome = outcome_of(self.problem, objective, **said, outcomes=outcomes)
        return self._tell(lambda _, intake: [intake.take(id, parameters or {}, outcome, amend=amend)])[0]

    def tell_all(
        self,
        results: Mapping[int, Number | str | None],
        outcomes: Mapping[int, Mapping[str, Number | str | None]] | None = None,
    ) -> list[Told]:
        """Record the results of several suggestions at once, all of them or none.

        Args:
            results: objectives by id, None for a failure and where the outcomes make it needless.
            outcomes: by id, the other results by name.

        Raises:
            UsageError, DataError, ManyErrors, FileError, LockTimeoutError: as :meth:`tell`, for any of them.
        """
        from ordbo_cli.files.values.answers import outcome_of

        self.warnings = []
        others = outcomes or {}
        found = {
            id: outcome_of(self.problem, y, failed=y is None and not others.get(id), outcomes=others.get(id))
            for id, y in results.items()
        }
        return self._tell(lambda _, intake: [intake.take(id, {}, each, amend=False) for id, each in found.items()])

    def _tell(self, decide: Decide) -> list[Told]:
        told = self.record(decide).told
        if self.problem.failed == "error" and any(each.status == "failed" for each in told):
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
        from ordbo_cli.study.telling.recording import results_of, unrecorded

        self.warnings = []
        results = results_of(text, source, self._file)
        told = self.record(lambda _, intake: intake.take_table(results, amend=amend)).told
        self.warnings += unrecorded(results, self.problem)
        return told

    def expire(
        self, ids: Sequence[int] | None = None, older_than: float | None = None, *, dry_run: bool = False
    ) -> list[Told]:
        """Let suggestions expire: nobody works on them any more, and their points count as not tried.

        An expired id stays used, and a result that comes late is recorded all the same.

        Args:
            ids: the ones meant; None for all that are out. Only an id reaches a point that waits to be evaluated again.
            older_than: seconds that they have to be out at least; what is out since nobody knows when is kept, with a
                warning that names it.
            dry_run: whether nothing is recorded.

        Raises:
            UsageError: the call cannot be right: ids and an age at once.
            DataError, ManyErrors: an id is unknown, or the files cannot be used. One that has its answer keeps it, with
                a warning.
            FileError, LockTimeoutError: the system refused, or another process held the lock.
        """
        return self._close("expired", ids, older_than, dry_run)

    def retry(
        self,
        ids: Sequence[int] | None = None,
        older_than: float | None = None,
        *,
        failed: bool = False,
        since: int | None = None,
        dry_run: bool = False,
    ) -> list[Told]:
        """Have suggestions evaluated again: the next calls of :meth:`ask` hand their points out, with the same ids.

        Args:
            ids: the ones meant; None for all that are out, or have failed.
            older_than: seconds that they have to be out at least, as for :meth:`expire`.
            failed, since: whether what has failed is meant, in place of what is out; and from which id on.
            dry_run: whether nothing is recorded.

        Raises:
            UsageError, ManyErrors, FileError, LockTimeoutError: as :meth:`expire`.
            DataError: an id is unknown or has its answer, or the files cannot be used.
        """
        if not (failed or since):
            return self._close("retry", ids, older_than, dry_run)
        from ordbo_cli.study.telling.closing import failed_again

        self.warnings = []
        return self.record(failed_again(failed, ids, older_than, since), dry_run=dry_run).told

    def _close(self, status: Closing, ids: Sequence[int] | None, older: float | None, dry_run: bool) -> list[Told]:
        from ordbo_cli.study.telling.closing import check_choice, closed, of_unknown_age

        self.warnings = []
        check_choice(ids, older)
        decided = self.record(lambda files, intake: closed(files, intake, status, ids, older), dry_run=dry_run)
        if older is not None:
            self.warnings += of_unknown_age(decided.files, "kept")
        return decided.told

    def record(self, decide: Decide, *, dry_run: bool = False) -> Decided:
        """Record the answers that are decided on from the files as they are under the lock, all of them or none.

        Args:
            decide: takes the answers, perhaps twice.
            dry_run: whether nothing is recorded.

        Raises:
            DataError, ManyErrors: the files cannot be used; beside what ``decide`` raises.
            FileError, LockTimeoutError: the system refused, or another process held the lock.
        """
        from ordbo_cli.study.telling.recording import record

        decided = record(self._file, self._lock_timeout, decide, dry_run=dry_run)
        self.warnings += decided.warnings
        return decided
