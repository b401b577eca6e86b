"""What is handed out next: points to be evaluated again, then new ones, each as if it were asked for alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from ordbo_cli.errors import ExhaustedError, FileError, ProblemError, StoppedError, UsageError
from ordbo_cli.files.handed import handing_out
from ordbo_cli.files.state import MOST_STEPS, State, save_state
from ordbo_cli.files.tables.append import append_rows, cells_of, demand_columns
from ordbo_cli.problem import Problem, Suggestion
from ordbo_cli.problem.method import MOST_COMPARISONS, EngineKind
from ordbo_cli.study.asking.explaining import explained, with_lines
from ordbo_cli.study.asking.stopping import StopRule
from ordbo_cli.study.reading.ledger import Values, next_id, step_of
from ordbo_cli.study.reading.notices import on_first_ids
from ordbo_cli.study.reading.study_files import StudyFiles
from ordbo_cli.study.reporting.views import Chosen

if TYPE_CHECKING:
    from ordbo_cli.search.step import Proposal
    from ordbo_cli.search.step_input import StepInput


@dataclass(frozen=True)
class Handed:
    """A point that goes out.

    Args:
        suggestion: the point with its id.
        proposal: what the search made of it; None for a point that is to be evaluated again.
        files: as they are once it is out.
    """

    suggestion: Suggestion
    proposal: Proposal | None
    files: StudyFiles

    def chosen(self, *, explain: bool) -> Chosen:
        """Return what there is to say on the point.

        Args:
            explain: whether that is why it was chosen, too.
        """
        id, record = self.suggestion.id, None if self.proposal is None else self.proposal.record
        lines = explained(self.files.problem, self.files.ledger.evaluations(), id, record) if explain else ()
        return Chosen(id, record, lines)


@dataclass(frozen=True)
class Batch:
    """Points that go out together.

    Args:
        handed: one for each of them, at least one.
        warnings: what people should know about the choice.
    """

    handed: tuple[Handed, ...]
    warnings: tuple[str, ...] = ()

    @property
    def suggestions(self) -> list[Suggestion]:
        """The points."""
        return [each.suggestion for each in self.handed]

    @property
    def unseen(self) -> list[str]:
        """What the model that chose the points did not see, in words: a line for results, points and comparisons."""
        records = [each.proposal.record for each in self.handed if each.proposal is not None]
        results = max((record.left_out for record in records), default=0)
        points = max((record.pending_left_out for record in records), default=0)
        words = _results_left_out(len(self.handed[-1].files.ledger.evaluations()), results)
        if points:
            words.append(f"the model sees the newest points that are out: {points} older ones are left out")
        return [*words, *comparisons_left_out(self.handed[-1].files)]


def results_left_out(given: StepInput) -> list[str]:
    """Return how many results the model sees of how many, and by which rule, where it does not see all."""
    return _results_left_out(len(given.evaluations), given.rows.left_out)


def _results_left_out(number: int, left_out: int) -> list[str]:
    rule = "the first, the best, the newest and some of every rank"
    return [f"the model sees {number - left_out} of {number} results: {rule}"] if left_out else []


def comparisons_left_out(files: StudyFiles) -> list[str]:
    """Return how many comparisons the model sees of how many, where it does not see all."""
    number = len(files.judgements.judged)
    return (
        [f"the model sees the newest {MOST_COMPARISONS} of {number} comparisons"] if number > MOST_COMPARISONS else []
    )


def with_engine(problem: Problem, engine: EngineKind | None) -> Problem:
    """Return a problem with another implementation of the model, or as it is for None.

    Raises:
        UsageError: the problem's method does not go with it.
    """
    if engine is None:
        return problem
    try:
        return replace(problem, method=replace(problem.method, engine=engine))
    except ProblemError as error:
        raise UsageError(error.message, error.hint) from None


def batch_of(
    files: StudyFiles,
    problem: Problem,
    number: int,
    prepared: Sequence[Proposal],
    *,
    append: bool,
    threads: int = 1,
    explain: bool = False,
    stop_when: Sequence[StopRule] = (),
) -> Batch:
    """Return the next points; fewer, with a warning, where fewer are left or a stop rule holds of one.

    Args:
        files: the files as they are.
        problem: the problem, with the engine of this call.
        number: how many points.
        prepared: proposals that were made before, each taken in place of a new one if its point is still to be had.
        append: whether they get pending rows in the evaluations.
        threads: that the search is spread over.
        explain: whether the search says why.
        stop_when: rules of which none may hold of a new point.

    Raises:
        StoppedError: one does of the very first.
        ExhaustedError: not one is left.
        DataError: the ids have come to their end.
    """
    handed: list[Handed] = []
    warnings: list[str] = []
    supply = _handing_out(files, problem, list(prepared), append=append, threads=threads, explain=explain)
    try:
        while len(handed) < number:
            found = next(supply)
            if reason := stopping(problem, files, found.proposal, stop_when):
                raise StoppedError(reason)
            handed.append(found)
    except StoppedError as error:
        if not handed:
            raise
        warnings.append(f"only {len(handed)} of {number} points are handed out: {error.message}")
    except ExhaustedError:
        if not handed:
            raise
        warnings.append(f"only {len(handed)} point{' is' if len(handed) == 1 else 's are'} left")
    return Batch(tuple(handed), tuple(warnings))


def ahead(
    files: StudyFiles,
    problem: Problem,
    number: int,
    wanted: Callable[[], bool] = lambda: True,
    *,
    threads: int = 1,
    explain: bool = False,
    stop_when: Sequence[StopRule] = (),
) -> list[Proposal]:
    """Return the new points of the batch that comes next, behind those to be evaluated again; fewer if fewer are left.

    Args:
        files: the files as they are.
        problem: the problem, with the engine of this call.
        number: how many points.
        wanted: asked before each: whether anybody waits for it.
        threads: that the search is spread over.
        explain: whether the search says why.
        stop_when: rules; a point of which one holds is the last.

    Raises:
        DataError: an evaluation failed where the problem forbids it, or the ids have come to their end.
    """
    found: list[Proposal] = []
    supply = _handing_out(files, problem, [], append=False, threads=threads, explain=explain)
    try:
        while len(found) < number and wanted():
            if (proposal := next(supply).proposal) is not None:
                found.append(proposal)
                if stopping(problem, files, proposal, stop_when):
                    break
    except ExhaustedError:
        pass
    return found


def stopping(problem: Problem, files: StudyFiles, proposal: Proposal | None, rules: Sequence[StopRule]) -> str | None:
    """Return in words that a rule holds of a new point, by the model that chose it; None where none does.

    A point that is to be evaluated again, one of the initial design and one that explores stop nothing: they are not
    chosen to be better than the best.

    Args:
        problem: the problem, with the engine of this call.
        files: the files as they are.
        proposal: what the search made of the point; None for one that is to be evaluated again.
        rules: any of which stops.
    """
    if not rules or proposal is None or proposal.fit is None or proposal.record.kind != "acquire":
        return None
    from ordbo_cli.search.prediction import expected_at

    expected = expected_at(step_input_of(files, problem), proposal)
    if expected is None:
        return None
    return next((rule.words(expected) for rule in rules if rule.holds(expected)), None)


def record(files: StudyFiles, batch: Batch, *, append: bool, claim: Callable[[int], object] | None) -> list[str]:
    """Write down that the points of a batch are out, all or none; return warnings. The caller holds the lock.

    Args:
        files: the files as they are.
        batch: the points.
        append: whether they get pending rows in the evaluations.
        claim: is given each id before anything is recorded.

    Raises:
        DataError: the evaluations cannot hold a pending row.
        FileError: the system refused, and nothing remembers the points.
    """
    points, after = batch.suggestions, batch.handed[-1].files
    for point in points:
        demand_columns(files.table, files.problem, point.parameters)
    cells = [cells_of(files.table, files.problem, each.id, each.parameters, "", "pending") for each in points if append]
    if claim is not None:
        for point in points:
            claim(point.id)
    ids = {point.id for point in points}
    with handing_out(files.file.handed, [each for each in after.pending if each.id in ids]):
        append_rows(files.table, files.problem, cells)
        try:
            return [*on_first_ids(files.table, files.state), *save_state(files.file, files.loaded, after.remembered())]
        except FileError as error:
            if not append:
                raise
            which = "the suggestion stands" if len(points) == 1 else f"the {len(points)} suggestions stand"
            return [f"{error}; {which} in the evaluations"]


def _handing_out(
    files: StudyFiles, problem: Problem, prepared: list[Proposal], *, append: bool, threads: int, explain: bool
) -> Iterator[Handed]:
    """Yield one point after the other, each chosen with those before it out: a batch gives what single calls give."""
    now = datetime.now(timezone.utc).isoformat(timespec="seconds")
    while True:
        suggestion, state, proposal = _next(files, files.asked(problem), prepared, threads, explain)
        files = files.after(suggestion, state, now, append=append)
        yield Handed(suggestion, proposal, files)


def _next(
    files: StudyFiles, problem: Problem, prepared: list[Proposal], threads: int, explain: bool
) -> tuple[Suggestion, State, Proposal | None]:
    """Return the next point, the counts after it, and what the search made of it."""
    ledger, state = files.ledger, files.state
    again = ledger.next_again()
    number, step = next_id(ledger, state), step_of(ledger, state)
    if again is not None:  # the same suggestion is no new step
        if again.row is not None and not again.row.numbered:
            state = replace(state, step=step + 1)
        return Suggestion(again.id, again.values, problem.mapping(again.values)), state, None
    state = replace(state, step=step + 1, next_id=number + 1)
    proposal = _still_good(files, prepared) or _proposed(files, problem, step, threads, explain)
    proposal = replace(proposal, record=replace(proposal.record, step=step, id=number))
    values = problem.in_words(problem.canonical(proposal.values))
    return Suggestion(number, values, problem.mapping(values)), remembering(state, proposal), proposal


def remembering(state: State, proposal: Proposal) -> State:
    """Return a state that remembers what the search found."""
    diagnostics = (*state.diagnostics, proposal.record.to_dict())[-MOST_STEPS:]
    return replace(state, fit=proposal.fit, diagnostics=diagnostics)


def _proposed(files: StudyFiles, problem: Problem, step: int, threads: int, explain: bool) -> Proposal:
    from ordbo_cli.search.step import propose

    given = replace(step_input_of(files, problem), step=step)
    if not explain:
        return propose(given, threads=threads)
    from ordbo_cli.insight.explanation import explained as why

    found = propose(given, threads=threads, explain=why)
    return replace(found, record=with_lines(found.record, [each.row.line for each in files.ledger.seen()]))


def step_input_of(files: StudyFiles, problem: Problem | None = None, results: int | None = None) -> StepInput:
    """Return what the next point follows from.

    Args:
        files: the files as they are.
        problem: the problem, with the engine of this call; None for that of the files.
        results: how many of the first evaluations count, with nothing out; None for all as they are now.

    Raises:
        UsageError: there are not so many.
    """
    from ordbo_cli.search.step_input import StepInput

    ledger, state, problem = files.ledger, files.state, problem or files.problem
    evaluations = ledger.evaluations()
    if results is None:
        out, avoid = out_of(files), ledger.never_again()
        return StepInput(problem, evaluations, out, step_of(ledger, state), state.fit, avoid, files.comparisons)
    if results > len(evaluations):
        number = len(evaluations)
        raise UsageError(f"{results} evaluations are asked for", f"There {'is' if number == 1 else 'are'} {number}")
    return StepInput(problem, evaluations[:results], step=results)


def _still_good(files: StudyFiles, prepared: list[Proposal]) -> Proposal | None:
    """Take the first of the proposals made before whose cell nobody has taken meanwhile; those before it are spent."""
    while prepared:
        proposal, ledger = prepared.pop(0), files.ledger
        tried = [each.values for each in ledger.evaluations()] + [each.values for each in ledger.compared]
        known = tuple(proposal.values) in {*([] if files.problem.noise else tried), *ledger.never_again()}
        if not known and not any(map(proposal.is_taken_by, out_of(files))):
            return proposal
    return None


def out_of(files: StudyFiles) -> list[Values]:
    """Return the points without a result: those that are out, then those that wait to be evaluated again."""
    return [entry.values for entry in (*files.ledger.waiting, *files.ledger.again) if not entry.fixed]
