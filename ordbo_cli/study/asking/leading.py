"""The point that leads a study: the best value, or under noise the lowest mean with the median of its results."""

from __future__ import annotations

from dataclasses import replace
from decimal import Decimal
from typing import Final, Literal, get_args

from ordbo_cli.errors import UsageError
from ordbo_cli.problem import Problem
from ordbo_cli.study.reading.ledger import Standing
from ordbo_cli.study.reading.study_files import StudyFiles
from ordbo_cli.study.reporting.reports import best_first, best_of, outcomes_of, refuse_no_success, successes
from ordbo_cli.study.reporting.views import Best
from ordbo_cli.study.returned import Unseen

By = Literal["value", "mean"]
BY: Final = get_args(By)


def chosen_by(files: StudyFiles, by: By | None) -> By:
    """Return what the best point is chosen by: where nobody says so, the mean under noise and with comparisons.

    Raises:
        UsageError: there is no such way.
    """
    if by is not None and by not in BY:
        raise UsageError(f"the best by {by!r}", f"It is chosen by {' or '.join(BY)}")
    return by or ("mean" if files.problem.leads_by_mean(len(files.judgements.judged)) else "value")


def leader(files: StudyFiles, by: By | None) -> Best:
    """Return the point that leads.

    Args:
        files: the files as they are.
        by: what it is chosen by, see :func:`chosen_by`.

    Raises:
        UsageError: there is no such way.
        DataError: no evaluation inside the bounds has succeeded yet.
    """
    best, unseen = (best_of(files), []) if chosen_by(files, by) == "value" else _by_mean(files)
    return replace(best, warnings=(*files.warnings, *unseen))


def _by_mean(files: StudyFiles) -> tuple[Best, list[Unseen]]:
    from ordbo_cli.search.prediction import incumbent
    from ordbo_cli.study.asking.suggest import comparisons_left_out, results_left_out

    problem, given = files.problem, files.step_input()
    if not given.comparisons:
        refuse_no_success(files)
    found = incumbent(given)
    here = [each for each in successes(files.ledger) if each[0].row.values == found.values]
    point = problem.mapping(found.values)
    if here:
        middle, objective = _middle(problem, here)
        row = middle.row
        measured = (row.censored, outcomes_of(problem, row))
        best = Best(middle.id, point, objective, row.line, "mean", len(here), found.rank, *measured)
    else:
        row = next(row for row in reversed(files.table.rows) if row.values == found.values and row.id is not None)
        best = Best(row.id, point, None, row.line, "mean", 0, found.rank)
    return best, [*results_left_out(given), *comparisons_left_out(files)]


def _middle(problem: Problem, results: list[tuple[Standing, Decimal]]) -> tuple[Standing, Decimal]:
    """Return the median result, the better one of two in the middle: nothing but comparison of exact decimals."""
    ordered = best_first(problem, results)
    return ordered[(len(ordered) - 1) // 2]
