"""The point or the front that leads a study: by value, or under noise by mean with the medians of the results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import get_args

from ordbo_cli.errors import UsageError
from ordbo_cli.study.asking.leading_front import leading_front
from ordbo_cli.study.reading.study_files import StudyFiles
from ordbo_cli.study.reporting.reports import (
    best_of,
    front_of,
    knee_of,
    outcomes_of,
    refuse_no_success,
    status_of,
    usual_by,
)
from ordbo_cli.study.reporting.views import Best, By, Status
from ordbo_cli.study.returned import Answers, Unseen


def leader(files: StudyFiles, by: By | None) -> Best:
    """Return the point that leads.

    Args:
        files: the files as they are.
        by: what it is chosen by; None for :func:`.usual_by`.

    Raises:
        UsageError: there is no such way.
        DataError: no evaluation inside the bounds has succeeded yet.
    """
    _check(by)
    by = by or usual_by(files)
    if not files.problem.has_front:
        best, unseen = (best_of(files), ()) if by == "value" else _by_mean(files)
    elif by == "mean":
        found = leading_front(files)
        best, unseen = found.knee, found.warnings
    else:
        refuse_no_success(files)
        knee = knee_of(files)
        assert knee is not None  # there is a success
        best, unseen = knee, ()
    return replace(best, warnings=(*files.warnings, *unseen))


def front(files: StudyFiles, by: By | None = None) -> Answers[Best]:
    """Return the results that none dominates, or by mean the tried points, the best of the first objective first.

    Args:
        files: the files as they are.
        by: what they are compared by; None for :func:`.usual_by`.

    Raises:
        UsageError: there is one objective, or no such way.
        DataError: no evaluation inside the bounds has succeeded yet.
    """
    _check(by)
    if not files.problem.has_front:
        why = "objectives have a priority" if files.problem.by_priority else "there is one objective"
        raise UsageError(f"{why}, and no front", "Ask for the best")
    if (by or usual_by(files)) == "mean":
        found = leading_front(files)
        return Answers(found.front, [*files.warnings, *found.warnings])
    refuse_no_success(files)
    return Answers(front_of(files.problem, files.ledger), files.warnings)


def status(files: StudyFiles, by: By) -> Status:
    """Return where a study stands, its best by value, or by mean, where there is one.

    Raises:
        UsageError: there is no such way.
    """
    _check(by)
    found = status_of(files)
    if by == "mean" and files.problem.has_front:
        return found if found.best is None else leading_front(files).of(files, found)
    if by == "value" or (found.best is None and not found.comparisons):
        return found
    return replace(found, best=leader(files, by))


def _check(by: By | None) -> None:
    if by not in (None, *get_args(By)):
        raise UsageError(f"the best by {by!r}", f"It is chosen by {' or '.join(get_args(By))}")


def _by_mean(files: StudyFiles) -> tuple[Best, Sequence[Unseen]]:
    from ordbo_cli.insight.leading_point import median_result, results_of
    from ordbo_cli.search.prediction import incumbent
    from ordbo_cli.study.asking.suggest import comparisons_left_out, results_left_out

    problem, given = files.problem, files.step_input()
    if not given.comparisons:
        refuse_no_success(files)
    found = incumbent(given)
    place, point = median_result(given, found.values), problem.point(found.values)
    if place is not None:
        row, id = files.ledger.seen()[place]
        number, measured = len(results_of(given, found.values)), (row.censored, outcomes_of(problem, row), row.remark)
        best = Best(id, point, row.objective, row.line, "mean", number, found.rank, *measured)
    else:
        row = next(row for row in reversed(files.ledger.rows) if row.values == found.values and row.id is not None)
        best = Best(row.id, point, None, row.line, "mean", 0, found.rank)
    return best, [*results_left_out(given), *comparisons_left_out(files)]
