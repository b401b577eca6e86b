"""The next two points to compare, with ids: new ones go out as rows of the evaluations."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING, Final

from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.problem import Suggestion
from ordbo_cli.problem.method import EngineKind
from ordbo_cli.study.asking.suggest import Batch, Handed, comparisons_left_out, record, remembering, with_engine
from ordbo_cli.study.reading.holding import demand_access, held, lock_path
from ordbo_cli.study.reading.ledger import Values, next_id, one_step_more, step_of
from ordbo_cli.study.reading.study_files import StudyFiles, read_files
from ordbo_cli.study.returned import Answers

if TYPE_CHECKING:
    from ordbo_cli.search.step import Proposal

NO_DUEL: Final = "Ask for points without it, and compare their results: 'ordbo prefer' takes any two that have some"


@dataclass(frozen=True)
class DuelPair:
    """Two points to compare.

    Args:
        first: the one that is held to be the best, if one is; else a new one.
        second: its challenger.
        batch: those of the two that are new; None where there is none.
    """

    first: Suggestion
    second: Suggestion
    batch: Batch | None


def asked_duel(
    file: ProblemFile, timeout: float, engine: EngineKind | None, threads: int, *, dry_run: bool
) -> Answers[Suggestion]:
    """Return the next two points to compare, and record that those of them that are new are out."""
    file.problem.demand_one_order("a duel", NO_DUEL)
    import ordbo_cli.search.step  # noqa: F401  # before the lock is taken: it takes a while

    if dry_run:
        files = read_files(file).to_ask()
        pair = next_pair(files, engine, threads)
        return Answers((pair.first, pair.second), files.warnings)
    demand_access(file)
    if not lock_path(file).exists():
        read_files(file).to_ask()  # a call that is refused leaves no new file, not even the lock's
    with held(file, timeout):
        files = read_files(file).to_ask()
        pair = next_pair(files, engine, threads)
        recorded = [] if pair.batch is None else record(files, pair.batch, append=True, claim=None)
    return Answers((pair.first, pair.second), [*files.warnings, *comparisons_left_out(files), *recorded])


def next_pair(files: StudyFiles, engine: EngineKind | None = None, threads: int = 1) -> DuelPair:
    """Return the next two points to compare.

    Args:
        files: the files as they are.
        engine: the implementation of the model, in place of the problem's.
        threads: that the search is spread over.

    Raises:
        ExhaustedError: no point is left to be compared with the best.
        DataError: the ids have come to their end.
    """
    from ordbo_cli.search.duel import propose_duel

    problem = with_engine(files.problem, engine)
    duel = propose_duel(files.step_input(problem), threads=threads)
    ids = _ids(files)
    now = datetime.now(timezone.utc).isoformat(timespec="seconds")
    handed: list[Handed] = []
    points: list[Suggestion] = []
    for point, proposal in ((duel.first, None), (duel.challenger.values, duel.challenger)):
        before = handed[-1].files if handed else files
        values = before.orders.in_words(problem, problem.canonical(point))
        id = ids.get(values)
        if id is None:
            handed.append(_handed(before, values, proposal, now))
            points.append(handed[-1].suggestion)
        else:
            points.append(Suggestion(id, values, problem.point(values)))
    first, second = points
    return DuelPair(first, second, Batch(tuple(handed)) if handed else None)


def _ids(files: StudyFiles) -> dict[Values, int]:
    """Return the newest id of each point that has a row with one."""
    rows = (row for row in files.ledger.rows if not row.aside and row.level is None)
    return {row.values: row.id for row in rows if row.id is not None}


def _handed(files: StudyFiles, values: Values, proposal: Proposal | None, now: str) -> Handed:
    """Return a new point as it goes out, with what the search made of it, if it did."""
    problem, ledger, state = files.problem, files.ledger, files.state
    number, step = next_id(ledger, state), step_of(ledger, state)
    state = replace(state, step=one_step_more(ledger, state), next_id=number + 1)
    if proposal is not None:
        proposal = replace(proposal, record=replace(proposal.record, step=step, id=number))
        state = remembering(state, proposal)
    suggestion = Suggestion(number, values, problem.point(values))
    return Handed(suggestion, proposal, files.after(suggestion, state, now, append=True))
