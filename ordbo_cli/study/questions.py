"""What can be asked of a study without changing anything: where it stands, what the model expects, what is wrong."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Literal

from ordbo_cli.files.tables.append import has_status
from ordbo_cli.problem import Number, Problem
from ordbo_cli.study.opened import Opened
from ordbo_cli.study.reading.ledger import concerns, refuse_failures
from ordbo_cli.study.reading.study_files import StudyFiles, read_files
from ordbo_cli.study.reporting.checking import read_all, words_of

if TYPE_CHECKING:
    from ordbo_cli.insight.invariance import Progress
    from ordbo_cli.problem.method import EngineKind
    from ordbo_cli.search.prediction import Prediction
    from ordbo_cli.study.reporting.diagnosing import Diagnosis
    from ordbo_cli.study.reporting.invariance_check import ShownInvariance
    from ordbo_cli.study.reporting.listing import Listed
    from ordbo_cli.study.reporting.snapshot import Snapshot
    from ordbo_cli.study.reporting.views import Best, PendingPoint, Status, Upcoming


class Questions(Opened):
    """The questions to a study; each reads the files anew, and imports what it alone needs.

    Args:
        file, lock_timeout, threads: as :class:`Opened` has them.
    """

    def pending(self, older_than: float | None = None) -> tuple[PendingPoint, ...]:
        """Return the suggestions that are out, by id, then the points that wait to be evaluated again.

        Args:
            older_than: seconds that they have to be out at least; what is out since nobody knows when is left out, with
                a warning that names it.

        Raises:
            UsageError: the age is negative or no number.
            DataError, ManyErrors, FileError: the files cannot be used or read.
        """
        from ordbo_cli.study.reporting.reports import pending_points
        from ordbo_cli.study.telling.closing import check_choice, of_unknown_age

        self.warnings = []
        check_choice(None, older_than)
        files = self.read()
        points = pending_points(self.problem, files.ledger)
        if older_than is None:
            return points
        self.warnings += of_unknown_age(files, "left out")
        return tuple(point for point in points if point.age is not None and point.age >= older_than)

    def status(self) -> Status:
        """Return where the study stands.

        Raises:
            DataError, ManyErrors, FileError: the files cannot be used or read.
        """
        from ordbo_cli.study.reporting.reports import status_of

        self.warnings = []
        status = status_of(self.read())
        self.warnings = list(status.warnings)
        return status

    def can_take_back(self) -> bool:
        """Return whether the evaluations can hold a row that has a failed point evaluated again.

        Raises:
            DataError, ManyErrors, FileError: the files cannot be used or read.
        """
        table = self.read().table
        return has_status(table) and (not table.columns or "id" in table.columns)

    def upcoming(self, *, engine: EngineKind | None = None) -> Upcoming:
        """Return where the next suggestion goes; where nothing is out it is chosen for that, as by a dry run.

        That nothing can be suggested is said in the answer.

        Args:
            engine: the implementation of the model, in place of the problem's.

        Raises:
            DataError, ManyErrors, FileError: the files cannot be used or read.
        """
        from ordbo_cli.study.asking.suggest import with_engine
        from ordbo_cli.study.asking.upcoming import computed_next, known_next

        self.warnings = []
        files = self.read()
        return known_next(files) or computed_next(files, files.asked(with_engine(self.problem, engine)), self._threads)

    def best(self, by: Literal["value", "mean"] | None = None) -> Best:
        """Return the best point inside the bounds.

        By value it is that of the best evaluation, of equal ones the first. By mean it is the one with the lowest mean
        of the latent function among those with a success or a comparison, of equal ones that with more of them: one of
        several results may be the best by luck.

        Args:
            by: the value or the mean, which costs a fit; None for the mean under ``noise: true`` and where there are
                comparisons, else the value.

        Raises:
            UsageError: there is no such way.
            DataError: no evaluation has succeeded yet.
            ManyErrors, FileError: the files cannot be used or read.
        """
        from ordbo_cli.study.asking.leading import chosen_by, leader

        self.warnings = []
        files = self.read()
        best, unseen = leader(files, chosen_by(files, by))
        self._warn_once(unseen)
        return best

    def points(self) -> tuple[Listed, ...]:
        """Return every point with what became of it: answers in order of arrival, then what is out or comes again.

        Raises:
            DataError, ManyErrors, FileError: the files cannot be used or read.
        """
        from ordbo_cli.study.reporting.listing import listing

        self.warnings = []
        return listing(self.read())

    def settled(self) -> Problem:
        """Return the problem with the settings of ranked parameters in the places that the evaluations give them.

        Raises:
            DataError, ManyErrors, FileError: the files cannot be used or read.
        """
        return read_files(self._file).problem if self.problem.ranked else self.problem

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
        from ordbo_cli.study.reporting.predicting import points_to_predict, predicted

        self.warnings = []
        files = self._read_to_ask() if self.problem.ranked else None
        values, outside = points_to_predict(files.problem if files else self.problem, points)
        self.warnings += outside
        files = files or self._read_to_ask()
        predictions, unseen = predicted(files, engine, values)
        self._warn_once(unseen)
        return predictions

    def diagnose(
        self,
        *,
        delta: float | None = None,
        c1: float | None = None,
        c2: float | None = None,
        engine: EngineKind | None = None,
        progress: Callable[[int, int], None] = lambda done, fits: None,
    ) -> Diagnosis:
        """Return how far the model can be trusted, and what Section 4 of the paper says of the study; record nothing.

        Args:
            delta, c1, c2: of the bounds; None for those of the problem's ``beta: theory``, or of the lemma's schedule.
            engine: the implementation of the model, in place of the problem's.
            progress: is told after each fit without a point how many of how many are made.

        Raises:
            UsageError: a constant cannot be.
            DataError: there is no evaluation to learn from.
            ManyErrors, FileError: the files cannot be used or read.
        """
        from ordbo_cli.study.asking.suggest import with_engine
        from ordbo_cli.study.reporting.diagnosing import diagnosed, schedule_of

        self.warnings = []
        schedule = schedule_of(self.problem, delta, c1, c2)
        files = self.read()
        found = diagnosed(files, files.asked(with_engine(self.problem, engine)), schedule, progress)
        self._warn_once(found.unseen)
        return found

    def snapshot(self, results: int | None = None) -> Snapshot:
        """Return all that there is to show of the study, from one reading of its files.

        Args:
            results: how many of the first evaluations the model sees, with nothing out; None for all as they are now.

        Raises:
            UsageError: there are not so many.
            DataError, ManyErrors, FileError: the files cannot be used or read.
        """
        from ordbo_cli.study.reporting.snapshot import snapshot_of

        snapshot = snapshot_of(self.read(), results)
        self.warnings = list(snapshot.status.warnings)
        return snapshot

    def check(self) -> list[str]:
        """Read every file, and return what they hold, in words.

        Raises:
            ManyErrors: every mistake in the evaluations and the state.
        """
        self.warnings = []
        return words_of(self._read_to_ask(all_errors=True))

    def invariance(self, *, progress: Progress | None = None) -> ShownInvariance:
        """Return what monotone transforms of the objective, and of each input, make of the next suggestion.

        Each transform costs what a suggestion costs; nothing is recorded.

        Args:
            progress: takes the number of suggestions to come, and gives a context that takes the number of those just
                made.

        Raises:
            ExhaustedError: nothing comes next.
            DataError, ManyErrors, FileError: the files cannot be used or read.
        """
        from ordbo_cli.study.reporting.invariance_check import shown_invariance

        self.warnings = []
        return shown_invariance(self._read_to_ask(), self._threads, progress)

    def read(self, *, all_errors: bool = False) -> StudyFiles:
        """Return the files as they are.

        Args:
            all_errors: whether the errors of all files are found, and not those of the first one alone.

        Raises:
            DataError, ManyErrors, FileError: the files cannot be used or read.
        """
        files = read_all(self._file) if all_errors else read_files(self._file)
        self.warnings += files.warnings
        return files

    def _read_to_ask(self, *, all_errors: bool = False) -> StudyFiles:
        """Read the files, and refuse what stands in the way of a suggestion before anything is computed."""
        files = self.read(all_errors=all_errors)
        refuse_failures(self.problem, files.ledger, files.table)
        self.warnings += concerns(self.problem, files.ledger)
        return files
