"""A study: one problem, the files behind it, and what can be asked of them and told to them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ordbo_cli.errors import UsageError
from ordbo_cli.files.problem_file.problem_file import ProblemFile, load_problem
from ordbo_cli.files.tables.table import has_status
from ordbo_cli.problem import Number, Problem, Suggestion
from ordbo_cli.problem.sample_ranking import judge_name
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders
from ordbo_cli.problem.spelling import shown
from ordbo_cli.study.reading.study_files import StudyFiles, read_files
from ordbo_cli.study.returned import Answers

if TYPE_CHECKING:
    import pandas as pd

    from ordbo_cli.files.values.remark import Remark
    from ordbo_cli.insight.invariance import Progress
    from ordbo_cli.problem.method import EngineKind
    from ordbo_cli.search.prediction import Prediction
    from ordbo_cli.search.step import Proposal
    from ordbo_cli.study.asking.stopping import StopRule
    from ordbo_cli.study.housekeeping import OwnFile
    from ordbo_cli.study.reporting.campaign_standing import CampaignStanding
    from ordbo_cli.study.reporting.diagnosis.diagnosing import Diagnosis
    from ordbo_cli.study.reporting.invariance_check import ShownInvariance
    from ordbo_cli.study.reporting.listing import Listed
    from ordbo_cli.study.reporting.snapshot import Snapshot
    from ordbo_cli.study.reporting.views import Best, Chosen, Judge, PendingPoint, Status, Upcoming
    from ordbo_cli.study.returned import Asked
    from ordbo_cli.study.telling.compare import Compared, RankingTaken
    from ordbo_cli.study.telling.recording import Decide, Told
    from ordbo_cli.study.telling.undoing import Undone


class NotGiven(Enum):
    """Stands for a result that nobody gave; None is a failure."""

    NOT_GIVEN = "not given"


@dataclass(frozen=True, repr=False)
class Study:
    """An ask/tell object with files behind it; every call reads them anew, and imports what it alone needs.

    What people should know beside an answer is its ``warnings``. All calls raise DataError and ManyErrors where the
    files cannot be used and FileError where the system refuses; those that record something raise LockTimeoutError
    where another process holds the lock for too long.

    Args:
        file: the problem file, read and checked; :meth:`open` does that.
        lock_timeout: seconds to wait for other processes.
        threads: that the search for new points is spread over; the points do not depend on their number.

    Raises:
        UsageError: it is no problem file that was read.
    """

    file: ProblemFile
    lock_timeout: float = 60.0
    threads: int = 1

    def __post_init__(self) -> None:
        if not isinstance(self.file, ProblemFile):
            raise UsageError(
                f"Study takes a file that was read, not {shown(repr(self.file))}", "Study.open(path) reads it"
            )

    @classmethod
    def open(
        cls, path: str | Path, *, lock_timeout: float = 60.0, threads: int = 1, objective: str | None = None
    ) -> Study:
        """Read and check a problem file; the other arguments are those of the class.

        Args:
            path: of the problem file.
            objective: of several the one to look at, as :meth:`alone` does; None for all.

        Raises:
            UsageError: it is no path, or there is no such objective.
            MissingFileError, FileError: it is not there, or cannot be read.
            ManyErrors: of ProblemError, every mistake in it.
        """
        if not isinstance(path, str | PathLike):
            what = f"Study.open takes the path of a problem file, not {shown(repr(path))}"
            raise UsageError(what, "Optimizer(problem) searches without a file")
        file = load_problem(path)
        return cls(file if objective is None else file.alone(objective), lock_timeout, threads)

    def alone(self, objective: str) -> Study:
        """Return a look at one of several objectives: all that reads answers as if it were the only one.

        Nothing can be recorded by it. A failure is one of all objectives.

        Args:
            objective: its name.

        Raises:
            UsageError: there is no such objective.
        """
        return replace(self, file=self.file.alone(objective))

    def __repr__(self) -> str:
        return f"Study({str(self.problem_path)!r}: {self.problem.aim})"

    @property
    def problem(self) -> Problem:
        """What the study asks."""
        return self.file.problem

    @property
    def problem_path(self) -> Path:
        """The problem file."""
        return self.file.path

    @property
    def evaluations_path(self) -> Path:
        """The CSV of evaluations."""
        return self.file.evaluations

    @property
    def state_path(self) -> Path:
        """The state."""
        return self.file.state

    @property
    def notes(self) -> tuple[str, ...]:
        """What people should know about the problem file although it is no error."""
        return self.file.notes

    def ask(self, *, append: bool = False, dry_run: bool = False, engine: EngineKind | None = None) -> Suggestion:
        """Return the next point to evaluate, and remember it as pending: one to be evaluated again goes first.

        Args:
            append: whether it is appended to the evaluations as a pending row, too.
            dry_run: whether nothing is recorded: the next call returns the same point.
            engine: the implementation of the model, in place of the problem's.

        Raises:
            ExhaustedError: no value is left to try.
        """
        asked = self.ask_batch(1, append=append, dry_run=dry_run, engine=engine)
        return replace(asked[0], warnings=asked.warnings)

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
    ) -> Asked:
        """Return the next points, those that as many calls of :meth:`ask` give; all are recorded, or none.

        Fewer are returned, with a warning, where fewer are left or a stop rule holds of one. ``chosen`` of the answer
        says how each was chosen.

        Args:
            number: how many points, at least 1.
            append: whether they are appended to the evaluations as pending rows, too; None: if they can say a status.
            dry_run: whether nothing is recorded: the next call returns the same points.
            engine: the implementation of the model, in place of the problem's.
            prepared: what :meth:`prepare` returned: each takes the place of a new proposal, unless its point was tried
                or a point of its cell is out by now. Points to be evaluated again still go first.
            claim: is given each id under the lock, before anything is recorded.
            explain: whether ``chosen`` says why, too, and the state with it; the points are the same. What
                ``prepared`` holds is not explained.
            stop_when: rules, any of which stops where it holds of a new point that the model has chosen to be better
                than the best, of ``prepared`` ones too.

        Raises:
            UsageError: the number is below 1.
            StoppedError: a rule holds of the first point; nothing is recorded.
            ExhaustedError: no value is left to try.
        """
        from ordbo_cli.study.asking.suggest import Wish, asked

        wish = Wish(number, append, engine, self.threads, explain, tuple(stop_when))
        return asked(self.file, self.lock_timeout, wish, prepared, claim, dry_run=dry_run)

    def ask_duel(self, *, dry_run: bool = False, engine: EngineKind | None = None) -> Answers[Suggestion]:
        """Return the next two points to compare: the one that is held to be the best, and a new one.

        New points are appended to the evaluations as pending rows. :meth:`prefer` or :meth:`tie` answers; asking again
        gives another pair.

        Args:
            dry_run: whether nothing is recorded: the next call returns the same points.
            engine: the implementation of the model, in place of the problem's.

        Raises:
            ExhaustedError: no point is left to be compared with the best.
        """
        from ordbo_cli.study.asking.duels import asked_duel

        return asked_duel(self.file, self.lock_timeout, engine, self.threads, dry_run=dry_run)

    def prepare(
        self, number: int, *, engine: EngineKind | None = None, wanted: Callable[[], bool] = lambda: True
    ) -> list[Proposal]:
        """Return the new points that :meth:`ask_batch` would choose now, for a later call of it; record nothing.

        It takes no lock, so a thread may call it while others ask and tell. Fewer are returned where fewer are left.

        Args:
            number: how many points, beside those to be evaluated again.
            engine: the implementation of the model, in place of the problem's.
            wanted: asked before each point: whether anybody waits for it. Each one may take seconds.
        """
        from ordbo_cli.study.asking.suggest import Wish, ahead

        return ahead(read_files(self.file).to_ask(), Wish(number, engine=engine, threads=self.threads), wanted)

    def tell(
        self,
        objective: Number | str | Mapping[str, Number | str | None] | NotGiven | None = NotGiven.NOT_GIVEN,
        *,
        id: int | None = None,
        parameters: Mapping[str, Number | str] | None = None,
        failed: bool = False,
        abandon: bool = False,
        retry: bool = False,
        amend: bool = False,
        outcomes: Mapping[str, Number | str | None] | None = None,
        note: str = "",
        seconds: float | None = None,
        once: bool = False,
        judge: str | None = None,
    ) -> Told:
        """Record what became of a point: append a row to the evaluations.

        Args:
            objective: the result, as a number or as the simulator's text; ``">1e6"`` where only a limit is known. None
                is a failure, but where an outcome breaks its limits; there it may be left out, too. Of several
                objectives all of them by name, ``{"drag": 3, "lift": ">2"}``; outcomes may stand among them.
            id: of the suggestion; its parameters may then be left out.
            parameters: by name, all free ones where there is no id.
            failed: the evaluation failed.
            abandon: the point is given up: not ranked, and never suggested again.
            retry: the evaluation is to be done again: not ranked, and the next call of :meth:`ask` returns the point.
            amend: replace an answer that is there.
            outcomes: the problem's other results by name, None for one that the simulator could not give.
            note: why it failed, or what else there is to say, in a line.
            seconds: that the evaluation took; both are kept in the columns of that name, or else beside the table.
            once: whether a point that is told without an id may have one result alone: the same one again adds
                nothing, as with an id.
            judge: whose score of the point with this id the objective is, on a scale of the judge's own; None for a
                result of the study.

        Raises:
            UsageError: the call cannot be right: unknown names, no or two outcomes, seconds that cannot be; a score
                without an id, or of several objectives.
            DataError: the id is unknown or closed; with ``once``, the point has another result; the judge has
                scored it otherwise; the table has no column for judges.
        """
        from ordbo_cli.files.values.answers import apart, outcome_of
        from ordbo_cli.files.values.remark import remark_of

        if isinstance(objective, Mapping):
            objective, outcomes = apart(self.problem, objective, outcomes)
            objective = NotGiven.NOT_GIVEN if objective is None else objective
        failed = failed or (objective is None and not (abandon or retry or outcomes))
        said = {"failed": failed, "abandon": abandon, "retry": retry}
        result = None if isinstance(objective, NotGiven) else objective
        if judge is not None:
            beside = [*(name for name in said if said[name] and result is not None), *(outcomes or {})]
            beside += [name for name, given in (("note", note), ("seconds", seconds is not None)) if given]
            return self._tell_score(result, id, parameters or {}, judge_name(judge), beside, amend=amend)
        outcome = outcome_of(self.problem, result, **said, outcomes=outcomes)
        outcome = outcome._replace(remark=remark_of(note, seconds))
        told = self.record(lambda _, intake: [intake.take(id, parameters or {}, outcome, amend=amend, once=once)])
        return replace(told[0], warnings=told.warnings)

    def _tell_score(
        self,
        score: Number | str | None,
        id: int | None,
        parameters: Mapping[str, Number | str],
        judge: str,
        beside: Sequence[str],
        *,
        amend: bool,
    ) -> Told:
        from ordbo_cli.files.tables.judge_scores import score_outcome

        if beside:
            raise UsageError(f"{beside[0]} stands beside a judge's score", "Give it without a judge")
        outcome = score_outcome(self.problem, judge, id, score)
        told = self.record(lambda _, intake: [intake.take_score(judge, id, parameters, outcome, amend=amend)])
        return replace(told[0], warnings=told.warnings)

    def tell_all(
        self,
        results: Mapping[int, Number | str | Mapping[str, Number | str | None] | None],
        outcomes: Mapping[int, Mapping[str, Number | str | None]] | None = None,
        remarks: Mapping[int, Remark] | None = None,
    ) -> Answers[Told]:
        """Record the results of several suggestions at once, all of them or none.

        Args:
            results: objectives by id, of several all of them by name; None for a failure and where the outcomes make it
                needless.
            outcomes: by id, the other results by name.
            remarks: by id, notes and seconds.

        Raises:
            UsageError, DataError: as :meth:`tell`, for any of them.
        """
        from ordbo_cli.files.values.answers import apart, outcome_of
        from ordbo_cli.files.values.remark import remark_of

        given, said = outcomes or {}, remarks or {}
        found = {}
        for id, result in results.items():
            others = given.get(id)
            y, others = apart(self.problem, result, others) if isinstance(result, Mapping) else (result, others)
            found[id] = outcome_of(self.problem, y, failed=y is None and not others, outcomes=others)
        found |= {id: each._replace(remark=remark_of(*said[id])) for id, each in found.items() if id in said}
        return self.record(lambda _, intake: [intake.take(id, {}, each, amend=False) for id, each in found.items()])

    def tell_rows(self, text: str, *, source: str, amend: bool = False) -> Answers[Told]:
        """Record a whole CSV of results, or nothing of it where a row is wrong.

        Args:
            text: the CSV; columns are found by name. An id alone tells the point.
            source: where it comes from, for messages.
            amend: replace answers that are there.

        Raises:
            ManyErrors: of DataError, every wrong row.
        """
        from ordbo_cli.files.tables.evaluations import notes_of
        from ordbo_cli.study.telling.recording import results_of, unrecorded

        results = results_of(text, source, self.file)
        told = self.record(lambda _, intake: intake.take_table(results, amend=amend))
        return Answers(told, [*told.warnings, *notes_of(results), *unrecorded(results, self.problem)])

    def record(self, decide: Decide, *, dry_run: bool = False) -> Answers[Told]:
        """Record the answers that are decided on from the files as they are under the lock, all of them or none.

        Args:
            decide: takes the answers, perhaps twice; what it raises is raised.
            dry_run: whether nothing is recorded.
        """
        from ordbo_cli.study.telling.recording import recorded

        return recorded(self.file, self.lock_timeout, decide, dry_run=dry_run)

    def prefer(self, better: int, worse: int, *, judge: str | None = None, again: bool = False) -> Compared:
        """Record that a point was found to be better than another.

        Args:
            better, worse: ids of the points.
            judge: who said so; None for nobody in particular.
            again: whether it counts once more where it is the judge's newest answer on these two already.

        Raises:
            UsageError: a point is compared with itself, or the judge's name is none.
            DataError: an id is unknown, or the table has no column for judges.
        """
        from ordbo_cli.study.telling.compare import compare

        return compare(self.file, self.lock_timeout, better, worse, tie=False, again=again, judge=judge)

    def tie(self, one: int, other: int, *, judge: str | None = None, again: bool = False) -> Compared:
        """Record that two points were found to be alike; the arguments and errors are those of :meth:`prefer`."""
        from ordbo_cli.study.telling.compare import compare

        return compare(self.file, self.lock_timeout, one, other, tie=True, again=again, judge=judge)

    def rank(
        self, ranking: Sequence[int | Sequence[int]], *, judge: str | None = None, again: bool = False
    ) -> RankingTaken:
        """Record a ranking of points: ``rank([4, [7, 2], 9])`` is 4 over 7 and 2, which are alike, over 9.

        Args:
            ranking: ids, the best first; those in a list of their own are tied.
            judge: who said so; None for nobody in particular.
            again: whether it counts once more where it is what the judge has said last of these points already.

        Raises:
            UsageError: there are fewer than two points, one stands there twice, or the judge's name is none.
            DataError: an id is unknown, or the table has no column for rankings or judges.
        """
        found = self.rank_all([(ranking, judge)], again=again)
        return replace(found[0], warnings=tuple(found.warnings))

    def rank_all(
        self, rankings: Sequence[tuple[Sequence[int | Sequence[int]], str | None]], *, again: bool = False
    ) -> Answers[RankingTaken]:
        """Record rankings, all of them or none; arguments and errors are those of :meth:`rank`.

        Args:
            rankings: each with who said so.
            again: whether what is recorded already counts once more.
        """
        from ordbo_cli.study.telling.compare import rank

        return rank(self.file, self.lock_timeout, rankings, again=again)

    def undo(
        self, number: int = 1, *, id: int | None = None, comparisons: bool = False, dry_run: bool = False
    ) -> Answers[Undone]:
        """Take back what was recorded last, by rows: a result, a suggestion, a comparison, and whatever else is a row.

        What stands then is what stood before. Another call takes back what came before that; telling it again brings
        a thing back. Of a batch, each point or row is a thing of its own.

        Args:
            number: how many things; all of them are taken back, or none.
            id: of the point whose last thing is meant, comparisons among them; None for any.
            comparisons: whether comparisons alone are meant. Else the times of the files tell whether the last one is
                younger than the last row.
            dry_run: whether nothing is recorded.

        Returns:
            What was taken back, the newest first.

        Raises:
            UsageError: there are fewer things.
            DataError: nothing is recorded, or a file lacks the column that could say it.
        """
        from ordbo_cli.study.telling.undoing import Which, undone

        return undone(self.file, self.lock_timeout, Which(number, id, comparisons), dry_run=dry_run)

    def own_files(self) -> list[OwnFile]:
        """Return the files of the study that are there: what each is, and whether it may go."""
        from ordbo_cli.study.housekeeping import own_files

        return own_files(self.file)

    def clean(self) -> list[OwnFile]:
        """Delete the files that the study goes on without: the state, its copies, the lock; return which.

        A state that knows what stands nowhere else stays, and so does a link.
        """
        from ordbo_cli.study.housekeeping import clean

        return clean(self.file, self.lock_timeout)

    def expire(
        self, ids: Sequence[int] | None = None, older_than: float | None = None, *, dry_run: bool = False
    ) -> Answers[Told]:
        """Let suggestions expire: nobody works on them any more, and their points count as not tried.

        An expired id stays used, and a result that comes late is recorded all the same.

        Args:
            ids: the ones meant; None for all that are out. Only an id reaches a point that waits to be evaluated again.
            older_than: seconds that they have to be out at least; what is out since nobody knows when is kept, with a
                warning that names it.
            dry_run: whether nothing is recorded.

        Raises:
            UsageError: the call cannot be right: ids and an age at once.
            DataError: an id is unknown. One that has its answer keeps it, with a warning.
        """
        from ordbo_cli.study.telling.closing import closed

        return closed(self.file, self.lock_timeout, "expired", ids, older_than, dry_run=dry_run)

    def retry(
        self,
        ids: Sequence[int] | None = None,
        older_than: float | None = None,
        *,
        failed: bool = False,
        since: int | None = None,
        dry_run: bool = False,
    ) -> Answers[Told]:
        """Have suggestions evaluated again: the next calls of :meth:`ask` hand their points out, with the same ids.

        Args:
            ids: the ones meant; None for all that are out, or have failed.
            older_than: seconds that they have to be out at least, as for :meth:`expire`.
            failed, since: whether what has failed is meant, in place of what is out; and from which id on.
            dry_run: whether nothing is recorded.

        Raises:
            UsageError: as :meth:`expire`.
            DataError: an id is unknown or has its answer.
        """
        from ordbo_cli.study.telling.closing import closed, failed_again

        if failed or since:
            return self.record(failed_again(failed, ids, older_than, since), dry_run=dry_run)
        return closed(self.file, self.lock_timeout, "retry", ids, older_than, dry_run=dry_run)

    def pending(self, older_than: float | None = None) -> Answers[PendingPoint]:
        """Return the suggestions that are out, by id, then the points that wait to be evaluated again.

        Args:
            older_than: seconds that they have to be out at least; what is out since nobody knows when is left out, with
                a warning that names it.

        Raises:
            UsageError: the age is negative or no number.
        """
        from ordbo_cli.study.reporting.reports import pending_of

        return pending_of(self.file, older_than)

    def status(self, by: Literal["value", "mean"] = "value") -> Status:
        """Return where the study stands.

        Args:
            by: what the best is chosen by, of a front also who is on it: the value, or the mean, which costs a fit.

        Raises:
            UsageError: there is no such way.
        """
        if by == "value":  # the usual call loads nothing that chooses
            from ordbo_cli.study.reporting.reports import status_of

            return status_of(self.read().with_remarks())
        from ordbo_cli.study.asking.leading import status

        return status(self.read().with_remarks(), by)

    def campaigns(self) -> Answers[CampaignStanding]:
        """Return what each campaign is worth to the study: whether it agrees, and how many results it weighs like.

        It costs a fit of each campaign alone, and one of all that are heard.
        """
        from ordbo_cli.study.reporting.campaign_standing import computed_standing

        files = read_files(self.file)
        return Answers(computed_standing(files), files.warnings)

    def judges(self, *, fitted: bool = True) -> tuple[Judge, ...]:
        """Return who has judged: how much, how often the model agrees, and who contradicts whom.

        Args:
            fitted: whether a model is fitted for how often it agrees.
        """
        from ordbo_cli.study.reporting.judges import judges_of

        return judges_of(self.read(), fitted=fitted)

    def next_judge(self) -> str | None:
        """Return who should compare the next two points; None where fewer than two judges are named.

        It is who has given the fewest comparisons of those with whom the model agrees in more than half.
        """
        from ordbo_cli.study.reporting.judges import judges_of, next_judge

        files = self.read()
        return next_judge(judges_of(files)) if len(files.judgements.judges) > 1 else None

    def can_take_back(self) -> bool:
        """Return whether the evaluations can hold a row that has a failed point evaluated again."""
        table = self.read().table
        return has_status(table) and (not table.columns or "id" in table.columns)

    def upcoming(self, *, engine: EngineKind | None = None) -> Upcoming:
        """Return where the next suggestion goes; where nothing is out it is chosen for that, as by a dry run.

        That nothing can be suggested is said in the answer.

        Args:
            engine: the implementation of the model, in place of the problem's.
        """
        from ordbo_cli.study.asking.suggest import Wish
        from ordbo_cli.study.asking.upcoming import computed_next, known_next

        files = self.read()
        return known_next(files) or computed_next(files, Wish(1, engine=engine, threads=self.threads))

    def explain(self, id: int | None = None) -> Answers[Chosen]:
        """Return why points were chosen, in sentences; nothing is recorded.

        Args:
            id: of a suggestion; None for those that are out, and where none is for the next one, which is chosen for
                that as by a dry run.

        Raises:
            DataError: the id is unknown.
            ExhaustedError: nothing is out, and nothing comes next.
        """
        from ordbo_cli.study.asking.explaining import why

        files = self.read()
        found = why(files, id)
        if found:
            return Answers(found, files.warnings)
        asked = self.ask_batch(1, dry_run=True, explain=True)
        return Answers(asked.chosen, asked.warnings)

    def best(self, by: Literal["value", "mean"] | None = None) -> Best:
        """Return the best point inside the bounds.

        By value it is that of the best evaluation, of equal ones the first. By mean it is the one with the lowest mean
        of the latent function among those with a success or a comparison, of equal ones that with more of them: one of
        several results may be the best by luck. Of several objectives it is the knee of :meth:`front`, or what
        comparisons of its results speak for.

        Args:
            by: the value or the mean, which costs a fit; None for the mean under ``noise: true`` and where there are
                comparisons, else the value.

        Raises:
            UsageError: there is no such way.
            DataError: no evaluation has succeeded yet.
        """
        from ordbo_cli.study.asking.leading import leader

        return leader(self.read().with_remarks(), by)

    def front(self, by: Literal["value", "mean"] | None = None) -> Answers[Best]:
        """Return the results inside the bounds that none dominates, by several objectives; best of the first first.

        By mean it is the tried points that none dominates, each of which counts once: by the rank of its mean in the
        model of each objective. It has the median of its results by each, and the id and the line of the result that is
        the median by the first.

        Args:
            by: the value or the mean, which costs a fit for each objective; None for the mean under ``noise: true``,
                else the value.

        Raises:
            UsageError: there is one objective, or no such way.
            DataError: no evaluation has succeeded yet.
        """
        from ordbo_cli.study.asking.leading import front

        return front(self.read().with_remarks(), by)

    def points(self) -> Answers[Listed]:
        """Return every point with what became of it: answers in order of arrival, then what is out or comes again."""
        from ordbo_cli.study.reporting.listing import listing

        files = self.read().with_remarks()
        return Answers(listing(files), files.warnings)

    def to_dataframe(self) -> pd.DataFrame:
        """Return every point with what became of it as a table of pandas, in the order of :meth:`points`.

        Columns are ``id``, each parameter, the objective, each outcome, ``status`` and ``rank`` (1 the best); where
        there are outcomes ``feasible``, too, and where only a limit of a result is known ``limit``: on which side of
        it the result lies, ``above`` or ``below`` (``limit of NAME`` of further objectives). What a point does not have
        is missing: parameters that do not count, results of failures that were not measured.

        Raises:
            UsageError: pandas is not installed.
        """
        from ordbo_cli.study.reporting.dataframe import dataframe

        return dataframe(self.problem, self.points())

    def orders(self) -> SettingOrders:
        """Return the settings of ranked parameters in the places that the evaluations give them."""
        return self.read().orders if self.problem.ranked else NO_ORDERS

    def predict(
        self,
        points: Sequence[Mapping[str, Number | str]] = (),
        *,
        ids: Sequence[int] = (),
        engine: EngineKind | None = None,
    ) -> Answers[Prediction]:
        """Return what the model expects at points, from the results alone: what is pending has no say.

        Args:
            points: parameters by name, every free one.
            ids: of suggestions or rows, whose points follow.
            engine: the implementation of the model, in place of the problem's.

        Raises:
            UsageError: a point lacks parameters, or has unknown ones.
            DataError: an id is unknown.
        """
        from ordbo_cli.study.reporting.predicting import predicted

        return predicted(self.file, engine, points, ids)

    def diagnose(
        self,
        *,
        theory: bool = False,
        delta: float | None = None,
        c1: float | None = None,
        c2: float | None = None,
        engine: EngineKind | None = None,
        progress: Callable[[int, int], None] = lambda done, fits: None,
    ) -> Diagnosis:
        """Return how far the model can be trusted; record nothing.

        Args:
            theory: whether to return what Section 4 of the paper says of the study, too, which takes more fits.
            delta, c1, c2: of its bounds; None for those of the problem's ``beta: theory``, or of the lemma's schedule.
            engine: the implementation of the model, in place of the problem's.
            progress: is told after each fit how many of how many are made.

        Raises:
            UsageError: a constant cannot be.
            DataError: there is no evaluation to learn from.
        """
        from ordbo_cli.study.reporting.diagnosis.diagnosing import diagnosed, schedule_of

        schedule = schedule_of(self.problem, delta, c1, c2) if theory else None
        return diagnosed(self.read(), engine, schedule, progress)

    def snapshot(self, results: int | None = None) -> Snapshot:
        """Return all that there is to show of the study, from one reading of its files.

        Args:
            results: how many of the first evaluations the model sees, with nothing out; None for all as they are now.

        Raises:
            UsageError: there are not so many.
        """
        from ordbo_cli.study.reporting.snapshot import snapshot_of

        return snapshot_of(self.read().with_remarks(), results)

    def check(self) -> Answers[str]:
        """Read every file, and return what they hold, in words.

        Raises:
            ManyErrors: every mistake in the evaluations and the state.
        """
        from ordbo_cli.study.reporting.checking import checked

        return checked(self.file)

    def invariance(self, *, progress: Progress | None = None) -> ShownInvariance:
        """Return what monotone transforms of the objective, and of each input, make of the next suggestion.

        Each transform costs what a suggestion costs; nothing is recorded.

        Args:
            progress: takes the number of suggestions to come, and gives a context that takes the number of those just
                made.

        Raises:
            ExhaustedError: nothing comes next.
        """
        from ordbo_cli.study.reporting.invariance_check import shown_invariance

        return shown_invariance(self.read().to_ask(), self.threads, progress)

    def read(self) -> StudyFiles:
        """Return the files as they are."""
        return read_files(self.file)
