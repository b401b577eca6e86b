"""The front of a study by means: each tried point once, with the medians of its results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import TYPE_CHECKING

from ordbo_cli.problem import Number
from ordbo_cli.study.reading.study_files import StudyFiles
from ordbo_cli.study.reporting.failures_and_bounds import on_bound
from ordbo_cli.study.reporting.reports import outcomes_of, refuse_no_success, within
from ordbo_cli.study.reporting.views import Best, Status
from ordbo_cli.study.returned import Unseen

if TYPE_CHECKING:
    from ordbo_cli.ordinal.fit import Fit
    from ordbo_cli.search.step_input import StepInput


@dataclass(frozen=True)
class LeadingFront:
    """The tried points of several objectives by their means.

    Args:
        ranking: all that have succeeded, by fronts, the best by the first objective first.
        front: those that none dominates.
        knee: of them, or the one that comparisons speak for.
        history: how many of them were known after each result or failure inside the bounds; None before the first.
        warnings: what the model does not see.
    """

    ranking: tuple[Best, ...]
    front: tuple[Best, ...]
    knee: Best
    history: tuple[Decimal | None, ...]
    warnings: tuple[Unseen, ...]

    def of(self, files: StudyFiles, status: Status) -> Status:
        """Return where the study stands, with what it is by means."""
        rows = [standing.row for standing in within(files.ledger)]
        bounds = on_bound(files.problem, rows, self.front, files.orders)
        found = replace(status, best=self.knee, ranking=self.ranking, front=self.front, history=self.history)
        return replace(found, on_bound=bounds, warnings=(*status.warnings, *self.warnings))


def leading_front(files: StudyFiles, fits: Sequence[Fit] = ()) -> LeadingFront:
    """Return the front by means, which costs a fit for each objective.

    Args:
        files: the files as they are, of a study with a front.
        fits: the model of each objective, where it was fitted already.

    Raises:
        DataError: no evaluation inside the bounds has succeeded yet.
    """
    from ordbo_cli.insight.leading_point import expected_of, models_of
    from ordbo_cli.insight.preferred_result import preferred
    from ordbo_cli.problem.order import order
    from ordbo_cli.study.asking.suggest import comparisons_left_out, results_left_out

    refuse_no_success(files)
    given = files.step_input().settled()
    fits = fits or models_of(given)
    expected = expected_of(given, fits)
    fronts = order(expected.problem, expected.results).low
    points = [_point(files, given, each.values) for each in expected.results]
    for k, rank in enumerate(_expected_ranks(given, fits, expected.places)):
        points[k] = replace(points[k], expected_ranks=rank)
    keys = [(level, each.objective, each.outcomes) for level, each in zip(fronts, expected.results, strict=True)]
    ranking = sorted(range(len(points)), key=keys.__getitem__)
    leading = [k for k in ranking if fronts[k] == 0]
    knee = preferred(expected.problem, expected.results, given.comparisons)
    assert knee is not None  # there is a success, and the fits have all of them
    return LeadingFront(
        tuple(points[k] for k in ranking),
        tuple(points[k] for k in leading),
        points[knee],
        tuple(_history(files, {expected.results[k].values for k in leading})),
        (*results_left_out(given), *comparisons_left_out(files)),
    )


def _point(files: StudyFiles, given: StepInput, values: tuple[Number, ...]) -> Best:
    """Return a tried point with the medians of its results, named by the result that is the median of the first."""
    from ordbo_cli.insight.leading_point import median_result, results_of

    problem, seen = files.problem, files.ledger.seen()
    medians = [median_result(given, values, k) for k in range(len(problem.goals))]
    (row, id), *others = (seen[k] for k in medians if k is not None)
    outcomes = outcomes_of(problem, row)
    for (_, aim), other in zip(problem.aims, others, strict=True):
        outcomes[aim.name] = outcomes_of(problem, other.row)[aim.name]
    number, point = len(results_of(given, values)), problem.point(values)
    return Best(id, point, row.objective, row.line, "mean", number, None, row.censored, outcomes, row.remark)


def _expected_ranks(
    given: StepInput, fits: Sequence[Fit], places: Sequence[Sequence[int]]
) -> Iterator[dict[str, float]]:
    """Yield the expected ranks of points by each objective, among the distinct results that the models see."""
    from ordbo_cli.search.prediction import expected_ranks

    kernel, columns = given.problem.method.kernel, []
    for k, (fitted, one) in enumerate(zip(fits, given.each, strict=True)):
        s = fitted.S[[each[k] for each in places]]
        columns.append(expected_ranks(fitted, fitted.posterior(kernel), one, s).tolist())
    names = [name for name, _ in given.problem.goals]
    yield from (dict(zip(names, ranks, strict=True)) for ranks in zip(*columns, strict=True))


def _history(files: StudyFiles, leading: set[tuple[Number, ...]]) -> Iterator[Decimal | None]:
    known: set[tuple[Number, ...]] = set()
    for standing in within(files.ledger):
        each = standing.row.evaluation()
        if files.problem.is_success(each) and each.values in leading:
            known.add(each.values)
        yield Decimal(len(known)) if known else None
