"""The point that leads a study: the best value, or under noise the lowest mean with the median of its results."""

from __future__ import annotations

from dataclasses import replace
from typing import get_args

from ordbo_cli.errors import UsageError
from ordbo_cli.study.reading.study_files import StudyFiles
from ordbo_cli.study.reporting.reports import best_of, front_of, knee_of, outcomes_of, refuse_no_success, usual_by
from ordbo_cli.study.reporting.views import Best, By
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
    if by not in (None, *get_args(By)):
        raise UsageError(f"the best by {by!r}", f"It is chosen by {' or '.join(get_args(By))}")
    if files.problem.several:
        if by == "mean":
            raise UsageError("the best by mean of several objectives is not supported yet", "Leave --by out")
        refuse_no_success(files)
        knee = knee_of(files)
        assert knee is not None  # there is a success
        return replace(knee, warnings=tuple(files.warnings))
    best, unseen = (best_of(files), []) if (by or usual_by(files)) == "value" else _by_mean(files)
    return replace(best, warnings=(*files.warnings, *unseen))


def front(files: StudyFiles) -> Answers[Best]:
    """Return the results that none dominates, the best of the first objective first.

    Raises:
        UsageError: there is one objective.
        DataError: no evaluation inside the bounds has succeeded yet.
    """
    if not files.problem.has_front:
        why = "objectives have a priority" if files.problem.by_priority else "there is one objective"
        raise UsageError(f"{why}, and no front", "Ask for the best")
    refuse_no_success(files)
    return Answers(front_of(files.problem, files.ledger), files.warnings)


def _by_mean(files: StudyFiles) -> tuple[Best, list[Unseen]]:
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
