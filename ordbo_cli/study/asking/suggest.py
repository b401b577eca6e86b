"""What is handed out next: points to be evaluated again, then new ones, each as if it were asked for alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Final

from ordbo_cli.errors import ExhaustedError, FileError, ProblemError, StoppedError, UsageError
from ordbo_cli.files.handed import handing_out
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.state import MOST_STEPS, State, save_state
from ordbo_cli.files.tables.table import append_rows, cells_of, demand_columns, has_status
from ordbo_cli.problem import Problem, Suggestion
from ordbo_cli.problem.method import MOST_COMPARISONS, EngineKind
from ordbo_cli.study.asking.explaining import explained, with_lines
from ordbo_cli.study.asking.stopping import StopRule
from ordbo_cli.study.reading.holding import demand_access, held, lock_path
from ordbo_cli.study.reading.ledger import next_id, on_first_ids, one_step_more, step_of
from ordbo_cli.study.reading.study_files import StudyFiles, read_files
from ordbo_cli.study.reporting.views import Chosen
from ordbo_cli.study.returned import Asked, Unseen

if TYPE_CHECKING:
    from ordbo_cli.search.step import Proposal
    from ordbo_cli.search.step_input import StepInput

_PATIENCE: Final = "'ordbo run --patience N' ends where the last N evaluations have brought nothing to the front"


@dataclass(frozen=True)
class Wish:
    """What a call asks for.

    Args:
        number: how many points.
        append: whether they get pending rows in the evaluations; None where these can say a status.
        engine: the implementation of the model; None for the problem's.
        threads: that the search is spread over.
        explain: whether the search says why.
        stop_when: rules of which none may hold of a new point.
    """

    number: int
    append: bool | None = False
    engine: EngineKind | None = None
    threads: int = 1
    explain: bool = False
    stop_when: tuple[StopRule, ...] = ()

    def of(self, problem: Problem) -> Problem:
        """Return a problem with the engine of this call.

        Raises:
            UsageError: the problem's method does not go with it.
        """
        return with_engine(problem, self.engine)


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
        evaluations = self.files.ledger.evaluations()
        lines = explained(self.files.problem, evaluations, id, record, self.files.orders) if explain else ()
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

    def asked(self, before: Sequence[str], *, explain: bool, after: Sequence[str] = ()) -> Asked:
        """Return what the caller is told.

        Args:
            before, after: what people should know about the files, as they were and as they are now.
            explain: whether it is said why each point was chosen.
        """
        chosen = tuple(each.chosen(explain=explain) for each in self.handed)
        return Asked(self.suggestions, [*before, *self.warnings, *self.unseen, *after], chosen)

    @property
    def unseen(self) -> list[Unseen]:
        """What the model that chose the points did not see, in words: a line for results, points and comparisons."""
        records = [each.proposal.record for each in self.handed if each.proposal is not None]
        results = max((record.left_out for record in records), default=0)
        points = max((record.pending_left_out for record in records), default=0)
        words = _results_left_out(len(self.handed[-1].files.ledger.evaluations()), results)
        if points:
            words.append(Unseen(f"the model sees the newest points that are out: {points} older ones are left out"))
        return [*words, *comparisons_left_out(self.handed[-1].files)]


def results_left_out(given: StepInput) -> list[Unseen]:
    """Return how many results the model sees of how many, and by which rule, where it does not see all."""
    return _results_left_out(len(given.evaluations), given.rows.left_out)


def _results_left_out(number: int, left_out: int) -> list[Unseen]:
    rule = "the first, the best, the newest and some of every rank"
    return [Unseen(f"the model sees {number - left_out} of {number} results: {rule}")] if left_out else []


def comparisons_left_out(files: StudyFiles) -> list[Unseen]:
    """Return how many comparisons the model sees of how many, where it does not see all."""
    number, most = files.judgements.number, MOST_COMPARISONS
    return [Unseen(f"the model sees the newest {most} of {number} comparisons")] if number > most else []


def with_engine(problem: Problem, engine: EngineKind | None) -> Problem:
    """Return a problem with another implementation of the model, or as it is for None.

    Raises:
        UsageError: the problem's method does not go with it, or it is not installed.
    """
    if (engine or problem.method.engine) == "gpflow":
        from ordbo_cli.ordinal.tensorflow_setup import demand_gpflow

        demand_gpflow()
    if engine is None:
        return problem
    try:
        return replace(problem, method=replace(problem.method, engine=engine))
    except ProblemError as error:
        raise UsageError(error.message, error.hint) from None


def asked(
    file: ProblemFile,
    timeout: float,
    wish: Wish,
    prepared: Sequence[Proposal],
    claim: Callable[[int], object] | None,
    *,
    dry_run: bool,
) -> Asked:
    """Return the points that are wished for, and record that they are out; the arguments are those of ``ask_batch``."""
    import ordbo_cli.search.step  # noqa: F401  # before the lock is taken: it takes a while

    if wish.number < 1:
        raise UsageError(f"{wish.number} points are asked for", "Ask for 1 or more")
    if file.problem.ranked:
        wish = replace(wish, append=True)  # the evaluations alone say where settings without numbers lie

    def choose() -> tuple[StudyFiles, Batch, Wish]:
        files = read_files(file).to_ask()
        settled = replace(wish, append=has_status(files.table)) if wish.append is None else wish
        return files, batch_of(files, settled, prepared), settled

    if dry_run:
        files, batch, _ = choose()
        return batch.asked(files.warnings, explain=wish.explain)
    demand_access(file)
    many = wish.number > 1 and not prepared
    if many or not lock_path(file).exists():
        files = read_files(file).to_ask()  # a call that is refused leaves no new file, not even the lock's
        if many:  # it may take minutes, and who has a result to record does not wait that long for the lock
            prepared = ahead(files, replace(wish, number=wish.number - len(files.ledger.again)))
    with held(file, timeout):
        files, batch, settled = choose()
        warnings = record(files, batch, append=bool(settled.append), claim=claim)
    return batch.asked(files.warnings, explain=wish.explain, after=warnings)


def batch_of(files: StudyFiles, wish: Wish, prepared: Sequence[Proposal] = ()) -> Batch:
    """Return the next points; fewer, with a warning, where fewer are left or a stop rule holds of one.

    Args:
        files: the files as they are.
        wish: what is asked for.
        prepared: proposals that were made before, each taken in place of a new one if its point is still to be had.

    Raises:
        StoppedError: a rule holds of the very first.
        ExhaustedError: not one is left.
        DataError: the ids have come to their end.
    """
    handed: list[Handed] = []
    warnings: list[str] = []
    supply = _handing_out(files, wish, list(prepared))
    try:
        while len(handed) < wish.number:
            found = next(supply)
            if reason := stopping(files, wish, found.proposal):
                raise StoppedError(reason)
            handed.append(found)
    except StoppedError as error:
        if not handed:
            raise
        warnings.append(f"only {len(handed)} of {wish.number} points are handed out: {error.message}")
    except ExhaustedError:
        if not handed:
            raise
        warnings.append(f"only {len(handed)} point{' is' if len(handed) == 1 else 's are'} left")
    return Batch(tuple(handed), tuple(warnings))


def ahead(files: StudyFiles, wish: Wish, wanted: Callable[[], bool] = lambda: True) -> list[Proposal]:
    """Return the new points of the batch that comes next, behind those to be evaluated again; fewer if fewer are left.

    A point of which a rule to stop holds is the last.

    Args:
        files: the files as they are.
        wish: what is asked for.
        wanted: asked before each: whether anybody waits for it.

    Raises:
        DataError: an evaluation failed where the problem forbids it, or the ids have come to their end.
    """
    found: list[Proposal] = []
    supply = _handing_out(files, replace(wish, append=False), [])
    try:
        while len(found) < wish.number and wanted():
            if (proposal := next(supply).proposal) is not None:
                found.append(proposal)
                if stopping(files, wish, proposal):
                    break
    except ExhaustedError:
        pass
    return found


def stopping(files: StudyFiles, wish: Wish, proposal: Proposal | None) -> str | None:
    """Return in words that a rule holds of a new point, by the model that chose it; None where none does.

    A point that is to be evaluated again, one of the initial design and one that explores stop nothing: they are not
    chosen to be better than the best.

    Args:
        files: the files as they are.
        wish: with the rules.
        proposal: what the search made of the point; None for one that is to be evaluated again.
    """
    if wish.stop_when:
        files.problem.demand_one_order("a stop rule", _PATIENCE)
    if not wish.stop_when or proposal is None or proposal.fit is None:
        return None
    from ordbo_cli.search.prediction import HOPEFUL, expected_at

    if proposal.record.kind not in HOPEFUL:
        return None
    expected = expected_at(files.step_input(wish.of(files.problem)), proposal)
    if expected is None:
        return None
    return next((rule.words(expected) for rule in wish.stop_when if rule.holds(expected)), None)


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


def _handing_out(files: StudyFiles, wish: Wish, prepared: list[Proposal]) -> Iterator[Handed]:
    """Yield one point after the other, each chosen with those before it out: a batch gives what single calls give."""
    now = datetime.now(timezone.utc).isoformat(timespec="seconds")
    while True:
        suggestion, state, proposal = _next(files, wish, prepared)
        files = files.after(suggestion, state, now, append=bool(wish.append))
        yield Handed(suggestion, proposal, files)


def _next(files: StudyFiles, wish: Wish, prepared: list[Proposal]) -> tuple[Suggestion, State, Proposal | None]:
    """Return the next point, the counts after it, and what the search made of it."""
    ledger, state, problem = files.ledger, files.state, files.problem
    again = ledger.next_again()
    number, step = next_id(ledger, state), step_of(ledger, state)
    if again is not None:  # the same suggestion is no new step
        if again.row is not None and not again.row.numbered:
            state = replace(state, step=one_step_more(ledger, state))
        return Suggestion(again.id, again.values, problem.point(again.values, again.fixed)), state, None
    state = replace(state, step=one_step_more(ledger, state), next_id=number + 1)
    proposal = _still_good(files, prepared) or _proposed(files, wish)
    proposal = replace(proposal, record=replace(proposal.record, step=step, id=number))
    values = files.orders.in_words(problem, problem.canonical(proposal.values))
    level = problem.fidelity.named(proposal.level) if problem.fidelity else {}
    return Suggestion(number, values, problem.point(values, level)), remembering(state, proposal), proposal


def remembering(state: State, proposal: Proposal) -> State:
    """Return a state that remembers what the search found."""
    diagnostics = (*state.diagnostics, proposal.record.to_dict())[-MOST_STEPS:]
    return replace(state, fit=proposal.fit, diagnostics=diagnostics)


def _proposed(files: StudyFiles, wish: Wish) -> Proposal:
    from ordbo_cli.search.step import propose

    given = files.step_input(wish.of(files.problem))
    if not wish.explain:
        return propose(given, threads=wish.threads)
    from ordbo_cli.insight.explanation import explained as why

    found = propose(given, threads=wish.threads, explain=why)
    return replace(found, record=with_lines(found.record, [each.row.line for each in files.ledger.seen()]))


def _still_good(files: StudyFiles, prepared: list[Proposal]) -> Proposal | None:
    """Take the first of the proposals made before whose cell nobody has taken meanwhile; those before it are spent."""
    while prepared:
        proposal, ledger = prepared.pop(0), files.ledger
        tried = [each.values for each in ledger.evaluations()] + [each.values for each in ledger.compared]
        known = tuple(proposal.values) in {*([] if files.problem.noise else tried), *ledger.never_again()}
        if not known and not any(map(proposal.is_taken_by, files.out)):
            return proposal
    return None
