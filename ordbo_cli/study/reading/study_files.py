"""The files of a study, read together, and the lock that holds them still."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ordbo_cli.errors import FileError
from ordbo_cli.files.durable.journal import doubts
from ordbo_cli.files.durable.paths import folder_of
from ordbo_cli.files.handed import Pending, handed_out
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.remarks import About, read_remarks
from ordbo_cli.files.seen import marks_of, missing_answers
from ordbo_cli.files.state import Loaded, State, load_state
from ordbo_cli.files.tables.comparisons import Judgements, columns_called, read_comparisons
from ordbo_cli.files.tables.judge_scores import scores_of
from ordbo_cli.files.tables.ranking import without_lost
from ordbo_cli.files.tables.table import Row, Table
from ordbo_cli.problem import Campaign, Comparison, Evaluation, Fidelity, Number, Problem, Suggestion
from ordbo_cli.problem.parameter import in_words
from ordbo_cli.problem.setting_order import SettingOrders
from ordbo_cli.problem.several import alone_in, fits_of
from ordbo_cli.problem.spelling import listed, shown_path
from ordbo_cli.study.reading.ledger import (
    Ledger,
    Standing,
    Values,
    concerns,
    gone_points,
    ledger_of,
    next_id,
    notices,
    refuse_failures,
    step_of,
)
from ordbo_cli.study.reading.levels_handed_out import with_levels_handed_out
from ordbo_cli.study.reading.naming import arrivals
from ordbo_cli.study.reading.of_campaigns import apart
from ordbo_cli.study.reading.taken_back import counting, still_out

if TYPE_CHECKING:
    from ordbo_cli.search.step_input import StepInput


class StudyFiles(NamedTuple):
    """Evaluations and state as they were read, and what they say together.

    Args:
        file: the problem file.
        table: the evaluations.
        loaded: the state as it was found.
        ledger: what stands and what is open.
        judgements: the comparisons.
        pending: what the state holds to be out, as far as it has a place in the problem of now.
        warnings: what people should know about the files.
        sources: results of other sources, as the tables have them.
    """

    file: ProblemFile
    table: Table
    loaded: Loaded
    ledger: Ledger
    judgements: Judgements
    pending: tuple[Pending, ...] = ()
    warnings: tuple[str, ...] = ()
    sources: tuple[Campaign, ...] = ()

    @property
    def campaigns(self) -> tuple[Campaign, ...]:
        """Results of other sources, and of lower levels of fidelity, which come last."""
        fidelity = self.problem.fidelity
        return self.sources if fidelity is None else (*self.sources, *fidelity.campaigns(self._arrived))

    @property
    def fidelity(self) -> Fidelity | None:
        """The levels of fidelity with what they cost; where that is their time, as far as evaluations have told it."""
        fidelity = self.problem.fidelity
        if fidelity is None or fidelity.costs:
            return fidelity
        rows = [each.row for each in self.with_remarks().ledger.at_any_level()]
        return fidelity.timed([(row.level, row.remark.seconds if row.status == "ok" else None) for row in rows])

    @property
    def spent(self) -> float:
        """What lower levels of fidelity have cost since the last result at the highest, in evaluations there."""
        fidelity = self.fidelity
        out = (entry.level for entry in (*self.ledger.waiting, *self.ledger.again))
        return 0.0 if fidelity is None else fidelity.spent((level for _, level in self._arrived), out)

    @property
    def _arrived(self) -> list[tuple[Evaluation, int | None]]:
        return [(each.row.evaluation(), each.row.level) for each in self.ledger.at_any_level()]

    @property
    def problem(self) -> Problem:
        """What the study asks."""
        return self.file.problem

    @property
    def orders(self) -> SettingOrders:
        """The settings of ranked parameters, in the places that the evaluations give them."""
        return self.table.orders

    @property
    def comparisons(self) -> list[Comparison]:
        """What the model learns from comparisons, oldest first.

        Rows of one id give its values, the last one as it stands; a row that is set aside belongs to another problem,
        and comparisons are of the highest level of fidelity.
        With a front whole results are compared.
        """
        kept = self.whole_results if self.problem.has_front else None
        rows = (row for row in self.ledger.rows if not row.aside and row.level is None)
        standing = ((row.id, row.values) for row in rows if row.id is not None)
        values = {id: point for id, point in standing if kept is None or id in kept}
        pairs = (
            (values[each.better], values[each.worse], each, weight) for each, weight in self.judgements.weighed(values)
        )
        return [Comparison(one, two, each.tie, each.judge, weight) for one, two, each, weight in pairs if one != two]

    @property
    def whole_results(self) -> frozenset[int]:
        """The ids of successes."""
        good = (each for each in self.ledger.seen() if self.problem.is_success(each.row.evaluation()))
        return frozenset(each.id for each in good if each.id is not None)

    @property
    def state(self) -> State:
        """The state to go on from."""
        return self.loaded.state

    @property
    def out(self) -> list[Values]:
        """The points without a result: those that are out, then those that wait to be evaluated again.

        Those come last that one judge has scored who has scored no other: a score alone says nothing.
        """
        ledger = self.ledger
        said = {id for each, _ in self.judgements.weighed() for id in each.ids} if self.judgements.scored else set()
        alone = [entry for entry in ledger.compared if self.judgements.scored and entry.id not in said]
        return [entry.values for entry in (*ledger.waiting, *ledger.again, *alone) if not entry.is_aside]

    def to_ask(self) -> StudyFiles:
        """Return the files, with what is to be known before a point is asked for among the warnings.

        Raises:
            DataError: an evaluation failed where the problem says that this is an error.
        """
        refuse_failures(self.file.problem, self.ledger, self.table)
        return self._replace(warnings=(*self.warnings, *concerns(self.file.problem, self.ledger)))

    def with_remarks(self) -> StudyFiles:
        """Return the files, with what the list of notes says of the rows that stand; a remark in the table wins."""
        try:
            known = read_remarks(self.file.remarks)
        except FileError as error:
            return self._replace(warnings=(*self.warnings, error.message))
        if not known:
            return self
        rows = [(each.row, each.id) for each in self.ledger.standing]
        abouts = [About.of(id if row.numbered else None, row.values, row.status) for row, id in rows]
        standing = tuple(
            Standing(row._replace(remark=row.remark.over(known[about])), id) if about in known else Standing(row, id)
            for (row, id), about in zip(rows, abouts, strict=True)
        )
        return self._replace(ledger=self.ledger._replace(standing=standing))

    def step_input(self, problem: Problem | None = None, results: int | None = None) -> StepInput:
        """Return what the next point follows from.

        Args:
            problem: with the engine of this call; None for that of the files.
            results: how many of the first evaluations count, with nothing out; None for all as they are now.

        Raises:
            UsageError: there are not so many.
        """
        from ordbo_cli.search.step_input import StepInput

        ledger, state, problem = self.ledger, self.state, problem or self.problem
        problem = replace(problem, fidelity=self.fidelity) if problem.fidelity else problem
        evaluations = ledger.evaluations()
        if results is None:
            step, avoid = step_of(ledger, state), ledger.never_again()
            known = self.comparisons, self.orders, self.campaigns
            return StepInput(problem, evaluations, self.out, step, state.fit, avoid, *known, spent=self.spent)
        return StepInput.after(results, problem, evaluations, self.orders, self.campaigns)

    def after(self, suggestion: Suggestion, state: State, time: str, *, append: bool) -> StudyFiles:
        """Return the files as they are read again once a suggestion is out.

        Args:
            suggestion: the point that is handed out.
            state: with the counts after it.
            time: when that happens, ISO 8601 in UTC.
            append: whether it gets a pending row in the evaluations.
        """
        rows, orders = self.table.rows, self.orders.placed(self.problem, suggestion.id, suggestion.values)
        if append:
            fixed = self.problem.level_named(suggestion.parameters)
            rows = _behind(rows, [pending_row(self.table, self.problem, suggestion.id, suggestion.values, fixed)])
        out = Pending(suggestion.id, in_words(suggestion.parameters), time, 1 + rows[-1].position if rows else 0)
        still_open = {entry.id for entry in self.ledger.waiting}
        pending = (*(each for each in self.pending if each.id in still_open and each.id != out.id), out)
        table, state = self.table._replace(rows=rows, orders=orders), replace(state, pending=pending)
        ledger = _ledger(self.problem, table, pending, self.judgements)._replace(gone=self.ledger.gone)
        return self._replace(table=table, loaded=self.loaded._replace(state=state), ledger=ledger, pending=pending)

    def with_more(self, rows: Sequence[Row]) -> StudyFiles:
        """Return the files as they are read again once rows are appended that take others back."""
        table = self.table._replace(rows=_behind(self.table.rows, rows))
        pending = still_out(self.pending, table.rows, counting(table.rows))
        judgements = _with_scores(self.judgements, self.problem, table)
        ledger = _ledger(self.problem, table, pending, judgements)._replace(gone=self.ledger.gone)
        return self._replace(table=table, ledger=ledger, judgements=judgements, pending=tuple(pending))

    def remembered(self) -> State:
        """Return the state as it is to be kept: with a mark of every row, and with the ids of all of them used."""
        rows, state = self.table.rows, self.state
        places = [row.position for row in rows]
        pending = (replace(each, rows=bisect_left(places, each.rows)) for each in self.pending)
        return replace(
            state,
            next_id=next_id(self.ledger, state),
            pending=tuple(pending),
            seen=marks_of(rows),
            gone=tuple(entry.id for entry in self.ledger.gone),
        )


def read_files(file: ProblemFile, loaded: Loaded | None = None) -> StudyFiles:
    """Read evaluations and state; outside the lock each is whole, and the later one is the newer.

    Args:
        file: the problem file.
        loaded: a state in place of that which is there.

    Raises:
        DataError, ManyErrors: one of them cannot be used.
        MissingFileError, FileError: a folder is missing, or the system refused.
    """
    if file.whole is not None:
        return _alone(read_files(file.whole, loaded), file)
    for path in (file.evaluations, file.state, file.comparisons):
        folder_of(path)
    loaded = loaded or load_state(file)
    problem, (table, sources, told_of_them, moved) = file.problem, apart(file, file.rows.table())
    table = with_levels_handed_out(table, file)
    pending = [each for point in loaded.state.pending if (each := point.under(problem)) is not None]
    lost: list[str] = []
    if problem.ranked:
        pending, lost = without_lost(pending, {row.id for row in table.rows})
    came = arrivals(table.rows, problem, loaded, pending, table.orders)
    table, missing = table._replace(rows=came.rows), missing_answers(came, loaded.state.seen, loaded.state.gone)
    missing = missing._replace(gone=missing.gone - moved)
    out = still_out(pending, table.rows, counting(table.rows))
    judgements = read_comparisons(
        file.comparisons, {row.id for row in table.rows if row.id is not None}, columns_called(problem)
    )
    judgements = _with_scores(judgements, problem, table)
    handed = handed_out(file.handed) if missing.gone else {}
    ledger = _ledger(problem, table, out, judgements)
    gone = gone_points(missing.gone, handed, problem, table.orders)
    ledger = ledger._replace(gone=gone, again=tuple(each for each in ledger.again if each.id not in missing.gone))
    told = notices(file, table._replace(rows=ledger.rows), loaded.state, pending, missing, handed)
    doubted = (*doubts(file.evaluations), *doubts(file.comparisons))
    tables = (*table.warnings, *judgements.table.warnings, *told_of_them)
    said = (*loaded.warnings, *_of_other_objectives(file, loaded, judgements))
    warnings = (*tables, *said, *doubted, *lost, *told)
    return StudyFiles(file, table, loaded, ledger, judgements, tuple(out), warnings, sources)


def _of_other_objectives(file: ProblemFile, loaded: Loaded, judgements: Judgements) -> list[str]:
    """Return a warning where comparisons were made of results by other objectives than those of now."""
    number = len(judgements.judged)
    if not loaded.objectives or not number:
        return []
    before, now = (listed(names) for names in (loaded.objectives, [name for name, _ in file.problem.goals]))
    which = "1 comparison was" if number == 1 else f"{number} comparisons were"
    takes = "it counts" if number == 1 else "they count"
    back = f"'ordbo undo {shown_path(file.path)} --comparison' takes the last one back"
    return [f"{which} made by the objectives {before}: {takes} as made by {now}; {back}"]


def _alone(whole: StudyFiles, file: ProblemFile) -> StudyFiles:
    """Return the files of several objectives as a look at one of them has them.

    A failure is one of all: of a row that lacks a result of one objective the others have no say either.

    Args:
        whole: all of them.
        file: the look.
    """
    problem = whole.problem
    if not problem.several:
        return whole._replace(file=file)
    which = [name for name, _ in problem.goals].index(file.problem.objective)
    rows = tuple(_row_alone(problem, row, which) for row in whole.table.rows)
    table, fits = whole.table._replace(rows=rows), fits_of(whole.state.fit)
    said = whole.judgements._replace(judged=(), scored=())  # of whole results, not of this objective
    ledger = _ledger(file.problem, table, whole.pending, said)
    ledger = ledger._replace(gone=whole.ledger.gone, again=whole.ledger.again)
    state = replace(whole.state, fit=fits[which] if which < len(fits) else None)
    loaded = whole.loaded._replace(state=state)
    sources = tuple(
        replace(each, evaluations=tuple(alone_in(problem, found, which) for found in each.evaluations))
        for each in whole.sources
    )
    return whole._replace(file=file, table=table, ledger=ledger, loaded=loaded, judgements=said, sources=sources)


def _row_alone(problem: Problem, row: Row, which: int) -> Row:
    """Return a row with the result of one of several objectives, and of what has limits."""
    found = alone_in(problem, row.evaluation(), which)
    others = tuple(text for limit, text in zip(problem.outcomes, row.others, strict=False) if limit.is_limited)
    text = row.text if which == 0 or not row.others else row.others[problem.aims[which - 1][0]]
    return row._replace(
        objective=found.objective, text=text, censored=found.censored, outcomes=found.outcomes, others=others, sides=()
    )


def pending_row(table: Table, problem: Problem, id: int, values: Values, fixed: Mapping[str, Number | str] = {}) -> Row:
    """Return a row that says that a point is out; where it stands is not known yet."""
    numbered, level = "id" in table.columns or not table.columns, problem.level_below(fixed)
    return Row(0, 0, id, "pending", values, None, "", outside=False, fixed=fixed, numbered=numbered, level=level)


def _behind(rows: Sequence[Row], more: Sequence[Row]) -> tuple[Row, ...]:
    """Return rows, and more behind all of them."""
    line, position = 1 + max((row.line for row in rows), default=1), 1 + rows[-1].position if rows else 0
    return (*rows, *(row._replace(line=line + k, position=position + k) for k, row in enumerate(more)))


def _with_scores(judgements: Judgements, problem: Problem, table: Table) -> Judgements:
    """Return the comparisons, with the scores in the evaluations, all of whose rows have ids."""
    if not any(row.judge for row in table.rows):
        return judgements._replace(scored=())
    return judgements._replace(scored=scores_of(problem, counting(table.rows)))


def _ledger(problem: Problem, table: Table, pending: Sequence[Pending], judgements: Judgements) -> Ledger:
    """Return what stands and what is open: a point that was compared has its answer in that."""
    ledger = ledger_of(problem, table.rows, pending, table.orders)
    answered = frozenset[int]() if problem.has_front else judgements.ids
    out = [(entry, entry.id in answered) for entry in ledger.waiting]
    return ledger._replace(
        waiting=tuple(entry for entry, compared in out if not compared),
        compared=tuple(entry for entry, compared in out if compared),
    )
