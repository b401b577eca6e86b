"""From the files to what people are shown: the best evaluation, its history, what waits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from decimal import Decimal
from itertools import accumulate

from ordbo_cli.errors import DataError, UsageError
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.tables.table import Row
from ordbo_cli.problem import Problem
from ordbo_cli.problem.limit import violations
from ordbo_cli.problem.order import front, knee, known_of_front, places, ranks
from ordbo_cli.problem.spelling import shown_path, some
from ordbo_cli.study.asking.upcoming import known_next
from ordbo_cli.study.reading.ledger import Ledger, Standing, Waiting, concerns, refuse_failures, step_of
from ordbo_cli.study.reading.study_files import StudyFiles, read_files
from ordbo_cli.study.reporting.failures_and_bounds import BEST, newest_failures, on_bound
from ordbo_cli.study.reporting.views import Best, By, Nearest, PendingPoint, Status
from ordbo_cli.study.returned import Answers


def status_of(files: StudyFiles) -> Status:
    """Return where a study stands."""
    problem, ledger, state = files.problem, files.ledger, files.state
    rows, points = [standing.row for standing in ledger.standing], pending_points(problem, ledger)
    ranked = ranking(problem, ledger)
    front = front_of(problem, ledger) if problem.has_front else ()
    warnings = [*files.warnings, *concerns(problem, ledger)]
    try:
        refuse_failures(problem, ledger, files.table)
    except DataError as error:
        warnings.append(str(error))
    return Status(
        **ledger.counts(),
        outside=sum(row.outside for row in rows),
        aside=sum(bool(row.aside) for row in rows),
        best=knee_of(files) if problem.several else ranked[0] if ranked else None,
        ranking=ranked,
        history=history(problem, ledger),
        waiting=tuple(point for point in points if not point.again),
        again=tuple(point for point in points if point.again),
        warnings=tuple(warnings),
        step=step_of(ledger, state),
        steps=state.diagnostics,
        next=known_next(files),
        on_bound=on_bound(problem, [standing.row for standing in within(ledger)], front or ranked[:BEST], files.orders),
        comparisons=len(files.judgements.judged),
        infeasible=sum(row.is_infeasible for row in rows),
        nearest=None if ranked else nearest(problem, ledger),
        by=usual_by(files),
        took=tuple(standing.row.remark.seconds for standing in within(ledger)),
        failures=newest_failures(problem, ledger, files.file.runs),
        front=front,
    )


def usual_by(files: StudyFiles) -> By:
    """Return what the best point is chosen by where nobody says so: the mean under noise and with comparisons."""
    return "mean" if files.problem.leads_by_mean(len(files.judgements.judged)) else "value"


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
    return _best(files.problem, *_best_first(files.problem, files.ledger)[0])


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
        raise DataError(f"{path}: no evaluation inside the bounds has succeeded yet", "Record one with observe")


def ranking(problem: Problem, ledger: Ledger) -> tuple[Best, ...]:
    """Return the finite results inside the bounds, the best first, of equal ones the earlier first."""
    return tuple(_best(problem, *each) for each in _best_first(problem, ledger))


def _best_first(problem: Problem, ledger: Ledger) -> list[tuple[Standing, Decimal]]:
    """Return results in their order, the best first, of equal ones the earlier first."""
    results = list(_finite(problem, ledger))
    by_rank = problem.several or problem.enough is not None
    if not (by_rank or any(standing.row.censored for standing, _ in results)):  # a reversed sort is stable, too
        return sorted(results, key=lambda each: each[1], reverse=problem.goal == "maximize")
    rows = [standing.row.evaluation() for standing, _ in results]
    by_each = places(problem, rows) if problem.several else [()] * len(rows)  # of one front the best of the first first
    keys = list(zip(ranks(problem, rows), by_each, strict=True))
    return [results[k] for k in sorted(range(len(results)), key=keys.__getitem__)]


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


def _best(problem: Problem, standing: Standing, objective: Decimal) -> Best:
    row = standing.row
    point, outcomes = problem.point(row.values), outcomes_of(problem, row)
    return Best(standing.id, point, objective, row.line, censored=row.censored, outcomes=outcomes, remark=row.remark)


def history(problem: Problem, ledger: Ledger) -> tuple[Decimal | None, ...]:
    """Return the best objective after each result or failure inside the bounds; None before the first success.

    Of several objectives it is the number of results of today's front that were known then, with a priority among them
    the place of the best one in today's ranking.
    """
    if problem.by_priority:
        return _priority_history(problem, ledger)
    if problem.several:
        return _front_history(problem, ledger)
    better = min if problem.goal == "minimize" else max
    best: Decimal | None = None
    steps = []
    for standing in within(ledger):
        value = standing.row.objective
        if value is not None and problem.may_lead(value, standing.row.censored):
            best = value if best is None else better(best, value)
        steps.append(best)
    return tuple(steps)


def front_of(problem: Problem, ledger: Ledger) -> tuple[Best, ...]:
    """Return the results inside the bounds that none dominates, by several objectives; the best of the first first."""
    return tuple(_best(problem, *each) for each in _front(problem, ledger))


def knee_of(files: StudyFiles) -> Best | None:
    """Return the knee of the front (:func:`ordbo_cli.problem.order.knee`); None where nothing has succeeded.

    Where results were compared, it is the one that these comparisons speak for.
    """
    problem, comparisons = files.problem, files.comparisons
    results = list(_finite(problem, files.ledger))
    evaluations = [standing.row.evaluation() for standing, _ in results]
    if comparisons and problem.has_front:
        from ordbo_cli.insight.preferred_result import preferred

        place = preferred(problem, evaluations, comparisons)
    else:
        place = knee(problem, evaluations)
    return None if place is None else _best(problem, *results[place])


def _front(problem: Problem, ledger: Ledger) -> list[tuple[Standing, Decimal]]:
    results = list(_finite(problem, ledger))
    rows = [standing.row.evaluation() for standing, _ in results]
    found = places(problem, rows)
    return [results[k] for k in sorted(front(problem, rows), key=found.__getitem__)]


def _front_history(problem: Problem, ledger: Ledger) -> tuple[Decimal | None, ...]:
    found = known_of_front(problem, [standing.row.evaluation() for standing in within(ledger)])
    return tuple(Decimal(number) if number else None for number in found)


def _priority_history(problem: Problem, ledger: Ledger) -> tuple[Decimal | None, ...]:
    results = [standing for standing, _ in _finite(problem, ledger)]
    found = ranks(problem, [standing.row.evaluation() for standing in results])
    place = {standing.row.line: 1 + rank for standing, rank in zip(results, found, strict=True)}
    last = 1 + len(place)
    best = accumulate((place.get(standing.row.line, last) for standing in within(ledger)), min)
    return tuple(None if each == last else Decimal(each) for each in best)


def within(ledger: Ledger) -> Iterator[Standing]:
    """Yield the evaluations inside the bounds that belong to the model."""
    for standing in ledger.standing:
        if standing.row.status in ("ok", "failed") and not standing.row.aside and not standing.row.outside:
            yield standing


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
