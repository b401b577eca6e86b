"""Where the search goes next: what is out already, or what would come."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from ordbo_cli.errors import DataError, OrdboError
from ordbo_cli.files.values.numbers import printed
from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.method import FEWEST_TO_TEST
from ordbo_cli.search.step_record import StepRecord
from ordbo_cli.study.reading.ledger import refuse_failures
from ordbo_cli.study.reading.study_files import StudyFiles
from ordbo_cli.study.reporting.cell_words import Cell, cell_in_words, cell_of, edges_shown, name_in_words
from ordbo_cli.study.reporting.views import Upcoming

if TYPE_CHECKING:
    from ordbo_cli.study.asking.suggest import Wish

_ENOUGH: Final = 10  # times as many values as the design has points: no two of these are one


def known_next(files: StudyFiles) -> Upcoming | None:
    """Return where the search goes next as far as nothing has to be computed, else None.

    It is the newest suggestion of the search that is out; where none is, the point that is to be evaluated again, or
    the initial design.
    """
    ledger = files.ledger
    out = {entry.id: entry for entry in ledger.waiting}
    for said in reversed(files.state.diagnostics):
        if (id := said.get("id")) in out and (record := StepRecord.from_dict(said)) is not None:
            found = _recorded(files, out[id].values, record, id)
            if found is not None:
                return _at_level(files.problem, found, out[id].level)
    try:
        refuse_failures(files.problem, ledger, files.table)
    except DataError as error:
        return refused_next(error)
    again = ledger.next_again()
    if again is not None:
        return Upcoming(f"id {again.id} again, which is to be evaluated once more", "again", again.id)
    place, of = _place(files)
    level = _level_of_design(files, of)
    clear = (
        place <= (min(FEWEST_TO_TEST, of) if files.sources and level is None else of)
        and (level is not None or all(each.level is None for each in files.campaigns))
        and not ledger.never_again()
        and any(p.type == "ranked" or p.lattice.count > _ENOUGH * of for p in files.problem.free)
    )
    if not clear:
        return None
    return _at_level(files.problem, Upcoming(f"point {place} of {of} of the initial design", "initial"), level)


def computed_next(files: StudyFiles, wish: Wish) -> Upcoming:
    """Return where the next suggestion goes, which is chosen for that; a refusal is said in words.

    Args:
        files: the files as they are.
        wish: for one point.

    Raises:
        UsageError: the problem's method does not go with the engine.
    """
    from ordbo_cli.study.asking.suggest import batch_of

    wish.of(files.problem)
    try:
        refuse_failures(files.problem, files.ledger, files.table)
        handed = batch_of(files, wish).handed[0]
    except OrdboError as error:
        return refused_next(error)
    proposal, values = handed.proposal, handed.suggestion.values
    found = None if proposal is None else _recorded(files, values, proposal.record, None)
    found = found or Upcoming("a point whose cell is not known", None)
    return _at_level(files.problem, found, None if proposal is None else proposal.level)


def _at_level(problem: Problem, upcoming: Upcoming, level: int | None) -> Upcoming:
    """Return the same with the level of fidelity at which the point is evaluated, where there are several."""
    fidelity = problem.fidelity
    if fidelity is None:
        return upcoming
    word = fidelity.levels[-1 if level is None else level]
    return replace(upcoming, text=f"{upcoming.text}, at {name_in_words(fidelity.name)} = {printed(word)}")


def _level_of_design(files: StudyFiles, initial: int) -> int | None:
    """Return the level at which the initial design is evaluated, None for the highest."""
    fidelity, ledger = files.fidelity, files.ledger
    if fidelity is None:
        return None
    lowest = sum(each.row.level == 0 for each in ledger.at_any_level())
    return fidelity.of_design(initial, len(ledger.seen()), lowest + len(files.out))


def refused_next(error: OrdboError) -> Upcoming:
    """Return why nothing comes next."""
    return Upcoming(f"nothing: {error.message}", None, error=error.message)


def _recorded(files: StudyFiles, values: tuple[Number, ...], record: StepRecord, id: int | None) -> Upcoming | None:
    """Return where a point lies, from how it was chosen; None where that is not about this problem's cells."""
    kind, problem = record.kind, files.problem
    cell = cell_of(problem, record)
    if kind == "initial":
        place, of = _place(files)
        which = "a point" if id is not None or place > of else f"point {place} of {of}"
        return Upcoming(f"{which} of the initial design", "initial", id)
    if cell is None or not _holds(problem, cell, values):
        return None
    where = cell_in_words(problem, files.ledger.evaluations(), cell, orders=files.orders)
    widest = "in the largest hole of the feasible set, " if problem.constraints else "the largest cell, "
    before = "" if kind in ("acquire", "refine") else widest
    return Upcoming(before + where, kind, id, edges_shown(problem, cell, files.orders))


def _holds(problem: Problem, cell: Cell, values: tuple[Number, ...]) -> bool:
    """Return whether a point lies in a cell, by the parameters that count."""
    counting = zip(values, cell, problem.active(values), strict=True)
    return all(low <= x <= high for x, (low, high), counts in counting if counts)


def _place(files: StudyFiles) -> tuple[int, int]:
    """Return which row the next one is, and how many the initial design has."""
    ledger, problem = files.ledger, files.problem
    out = sum(not entry.is_aside for entry in (*ledger.waiting, *ledger.again))
    return len(ledger.at_any_level()) + len(ledger.compared) + out + 1, problem.method.initial_rows(len(problem.free))
