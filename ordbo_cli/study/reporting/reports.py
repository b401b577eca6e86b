"""From the files to what people are shown: the best evaluation, its history, what waits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from decimal import Decimal
from itertools import accumulate
from typing import NamedTuple

from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.tables.table import Row
from ordbo_cli.files.values.numbers import printed
from ordbo_cli.problem import Problem
from ordbo_cli.problem.limit import violations
from ordbo_cli.problem.order import joint_ranks, knee_among, places, ranks
from ordbo_cli.problem.several import Places
from ordbo_cli.problem.spelling import shown_path, some
from ordbo_cli.study.asking.upcoming import known_next
from ordbo_cli.study.reading.ledger import Ledger, Standing, Waiting, concerns, refuse_failures, step_of
from ordbo_cli.study.reading.study_files import StudyFiles, read_files
from ordbo_cli.study.reporting.campaign_standing import known_standing
from ordbo_cli.study.reporting.failures_and_bounds import BEST, newest_failures, on_bound
from ordbo_cli.study.reporting.judges import judges_of
from ordbo_cli.study.reporting.level_standing import level_standing
from ordbo_cli.study.reporting.views import Best, By, Nearest, PendingPoint, Status
from ordbo_cli.study.returned import Answers


def status_of(files: StudyFiles) -> Status:
    """Return where a study stands."""
    problem, ledger, state = files.problem, files.ledger, files.state
    rows, points = [standing.row for standing in ledger.standing], pending_points(problem, ledger)
    found = _best_first(problem, ledger)
    ranked = tuple(_best(problem, each) for each in found)
    front = (
        tuple(each for each, known in zip(ranked, found, strict=True) if not known.rank) if problem.has_front else ()
    )
    warnings = [*files.warnings, *concerns(problem, ledger)]
    try:
        refuse_failures(problem, ledger, files.table)
    except DataError as error:
        warnings.append(str(error))
    return Status(
        **ledger.counts(),
        outside=sum(row.outside for row in rows),
        aside=sum(bool(row.aside) for row in rows),
        best=_knee(files, found) if problem.has_front else ranked[0] if ranked else None,
        ranking=ranked,
        history=_history(problem, ledger, found),
        waiting=tuple(point for point in points if not point.again),
        again=tuple(point for point in points if point.again),
        warnings=tuple(warnings),
        step=step_of(ledger, state),
        steps=state.diagnostics,
        next=known_next(files),
        on_bound=on_bound(problem, [standing.row for standing in within(ledger)], front or ranked[:BEST], files.orders),
        comparisons=files.judgements.number,
        infeasible=sum(row.is_infeasible for row in rows),
        nearest=None if ranked else nearest(problem, ledger),
        by=usual_by(files),
        took=tuple(standing.row.remark.seconds for standing in within(ledger)),
        failures=newest_failures(problem, ledger, files.file.runs),
        front=front,
        campaigns=known_standing(files),
        levels=level_standing(files),
        judges=judges_of(files, fitted=False),
    )


def usual_by(files: StudyFiles) -> By:
    """Return what the best point is chosen by where nobody says so: the mean under noise and with comparisons."""
    return "mean" if files.problem.leads_by_mean(files.judgements.number) else "value"


def pending_of(file: ProblemFile, older_than: float | None) -> Answers[PendingPoint]:
    """Return the suggestions that are out, then the points that wait to be evaluated again.

    Args:
        file: the problem file.
        older_than: seconds that they have to be out at least; None for any time.

    Raises:
        UsageError: the age is negative or no number.
    """
    check_choice(None, older_than)
    files = read_files(file)
    points = pending_points(files.problem, files.ledger)
    if older_than is None:
        return Answers(points, files.warnings)
    old = (point for point in points if point.age is not None and point.age >= older_than)
    return Answers(old, [*files.warnings, *of_unknown_age(files, "left out")])


def check_choice(ids: Sequence[int] | None, older_than: float | None) -> None:
    """Make sure that a call says clearly which suggestions it is about.

    Raises:
        UsageError: it says so in two ways, or names none; an age is negative or no number.
    """
    if ids is not None and older_than is not None:
        raise UsageError("suggestions by id and by age at once", "Give one of the two")
    if ids is not None and not ids:
        raise UsageError("no id is given", "Name at least one suggestion, or leave ids out for all")
    if older_than is not None and not older_than >= 0:
        raise UsageError(f"an age of {older_than} seconds", "It has to be 0 or more")


def of_unknown_age(files: StudyFiles, so: str) -> list[str]:
    """Return a warning about suggestions that are out since nobody knows when, and what becomes of them."""
    unknown = [f"id {entry.id}" for entry in files.ledger.waiting if age_of(entry.time) is None]
    return [f"{some(unknown)}: nobody knows since when, {so}"] if unknown else []


def best_of(files: StudyFiles) -> Best:
    """Return the best evaluation inside the bounds; of equal ones the first.

    Raises:
        DataError: none has succeeded yet.
    """
    refuse_no_success(files)
    return _best(files.problem, _best_first(files.problem, files.ledger)[0])


def refuse_no_success(files: StudyFiles) -> None:
    """Raise where there is no best evaluation.

    Raises:
        DataError: none inside the bounds has succeeded yet.
    """
    if next(_finite(files.problem, files.ledger), None) is None:
        path = shown_path(files.file.evaluations)
        if (found := nearest(files.problem, files.ledger)) is not None:
            results = ", ".join(f"{name} = {text}" for name, text in found.outcomes.items())
            hint = f"Line {found.line} breaks the limits least: {results}"
            raise DataError(f"{path}: no evaluation inside the bounds is feasible yet", hint)
        fidelity = files.problem.fidelity
        at = f" at {fidelity.name} = {printed(fidelity.highest)}" if fidelity else ""
        raise DataError(f"{path}: no evaluation inside the bounds has succeeded{at} yet", "Record one with observe")


class _Ranked(NamedTuple):
    """A finite result inside the bounds.

    Args:
        standing: the row.
        objective: its value.
        arrival: how many such results came before it.
        rank: 0 for the best, of several objectives for those of the front; of one objective as in the ranking.
        by_each: its ranks by each of several objectives.
    """

    standing: Standing
    objective: Decimal
    arrival: int
    rank: int = 0
    by_each: Places = ()


def _best_first(problem: Problem, ledger: Ledger) -> list[_Ranked]:
    """Return results in their order, the best first, of equal ones the earlier first."""
    results = [_Ranked(*each, k) for k, each in enumerate(_finite(problem, ledger))]
    if problem.several:  # of one front the best of the first objective first
        by_each = places(problem, [each.standing.row.evaluation() for each in results])
        found = zip(results, joint_ranks(problem, by_each), by_each, strict=True)
        return sorted((each._replace(rank=rank, by_each=of) for each, rank, of in found), key=lambda each: each[3:])
    if problem.enough is None and not any(each.standing.row.censored for each in results):
        # a reversed sort is stable, too
        return sorted(results, key=lambda each: each.objective, reverse=problem.goal == "maximize")
    ranked = ranks(problem, [each.standing.row.evaluation() for each in results])
    return [results[k] for k in sorted(range(len(results)), key=ranked.__getitem__)]


def nearest(problem: Problem, ledger: Ledger) -> Nearest | None:
    """Return the evaluation inside the bounds that breaks the limits least, of equal ones the first."""
    rows = [standing for standing in within(ledger) if standing.row.is_infeasible]
    if not rows:
        return None
    totals = violations(problem.outcomes, [standing.row.outcomes for standing in rows])
    id, row = rows[totals.index(min(totals))].id, rows[totals.index(min(totals))].row
    return Nearest(id, problem.point(row.values), outcomes_of(problem, row), row.line)


def outcomes_of(problem: Problem, row: Row) -> dict[str, str]:
    """Return a row's results beside the objective as they are written, by name, those that there are."""
    return {limit.name: text for limit, text in zip(problem.outcomes, row.others, strict=False) if text}


def _finite(problem: Problem, ledger: Ledger) -> Iterator[tuple[Standing, Decimal]]:
    """Yield the results inside the bounds that may be the best, in order of arrival."""
    for standing in within(ledger):
        objective = standing.row.objective
        if objective is not None and problem.is_success(standing.row.evaluation()):
            yield standing, objective


def _best(problem: Problem, found: _Ranked) -> Best:
    id, row = found.standing.id, found.standing.row
    point, outcomes = problem.point(row.values), outcomes_of(problem, row)
    return Best(id, point, found.objective, row.line, censored=row.censored, outcomes=outcomes, remark=row.remark)


def _history(problem: Problem, ledger: Ledger, found: Sequence[_Ranked]) -> tuple[Decimal | None, ...]:
    """Return the best objective after each result or failure inside the bounds; None before the first success.

    Of several objectives it is the number of results of today's front that were known then, with a priority among them
    the place of the best one in today's ranking.

    Args:
        found: the results in their order.
    """
    if problem.several:
        rank = {each.standing.row.line: each.rank for each in found}
        known = [rank.get(standing.row.line) for standing in within(ledger)]
        return _priority_history(known) if problem.by_priority else _front_history(known)
    better = min if problem.goal == "minimize" else max
    best: Decimal | None = None
    steps = []
    for standing in within(ledger):
        value = standing.row.objective
        if value is not None and problem.may_lead(value, standing.row.censored):
            best = value if best is None else better(best, value)
        steps.append(best)
    return tuple(steps)


def _front_history(known: Sequence[int | None]) -> tuple[Decimal | None, ...]:
    """Return how many results of the front were known after each evaluation, given their ranks, None for a failure."""
    return tuple(Decimal(number) if number else None for number in accumulate(rank == 0 for rank in known))


def _priority_history(known: Sequence[int | None]) -> tuple[Decimal | None, ...]:
    """Return the rank of the best result until each evaluation, 1 for the best of all, given theirs from 0."""
    last = len(known)
    best = accumulate((last if rank is None else rank for rank in known), min)
    return tuple(None if rank == last else Decimal(1 + rank) for rank in best)


def front_of(problem: Problem, ledger: Ledger) -> tuple[Best, ...]:
    """Return the results inside the bounds that none dominates, by several objectives; the best of the first first."""
    return tuple(_best(problem, each) for each in _best_first(problem, ledger) if not each.rank)


def knee_of(files: StudyFiles) -> Best | None:
    """Return the knee of the front (:func:`ordbo_cli.problem.order.knee`); None where nothing has succeeded.

    Where results were compared, it is the one that these comparisons speak for.
    """
    return _knee(files, _best_first(files.problem, files.ledger))


def _knee(files: StudyFiles, found: Sequence[_Ranked]) -> Best | None:
    if not found:
        return None
    problem, by_arrival = files.problem, sorted(found, key=lambda each: each.arrival)
    if files.comparisons:
        from ordbo_cli.insight.preferred_result import preferred

        evaluations = [each.standing.row.evaluation() for each in by_arrival]
        place = preferred(problem, evaluations, files.comparisons)
        return None if place is None else _best(problem, by_arrival[place])
    front = [each for each in by_arrival if not each.rank]
    return _best(problem, front[knee_among([each.by_each for each in front])])


def within(ledger: Ledger) -> Iterator[Standing]:
    """Return the evaluations inside the bounds that belong to the model, at the highest level of fidelity."""
    return (standing for standing in ledger.seen() if not standing.row.outside)


def pending_points(problem: Problem, ledger: Ledger) -> tuple[PendingPoint, ...]:
    """Return the suggestions that are out, then the points that wait to be evaluated again."""
    again = [(entry, True) for entry in ledger.again]
    return tuple(_pending_point(problem, *each) for each in [*((entry, False) for entry in ledger.waiting), *again])


def _pending_point(problem: Problem, entry: Waiting, again: bool) -> PendingPoint:
    line = None if entry.row is None else entry.row.line
    point = problem.point(entry.values, entry.fixed)
    return PendingPoint(entry.id, point, age_of(entry.time), line=line, again=again)


def age_of(time: str | None) -> float | None:
    """Return the seconds since a time, or None where it is unknown or somebody has edited it."""
    try:
        return max(0.0, (datetime.now(timezone.utc) - datetime.fromisoformat(time)).total_seconds()) if time else None
    except (ValueError, TypeError):
        return None
