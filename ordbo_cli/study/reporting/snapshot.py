"""A study as it is at one moment, all of it from one reading of its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ordbo_cli.errors import DataError
from ordbo_cli.study.reading.ledger import refuse_failures
from ordbo_cli.study.reading.study_files import StudyFiles
from ordbo_cli.study.reporting.judges import judges_of
from ordbo_cli.study.reporting.listing import Listed, listing
from ordbo_cli.study.reporting.reports import status_of
from ordbo_cli.study.reporting.views import Best, Judge, Parameters, Status

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ordbo_cli.ordinal.fit import Fit
    from ordbo_cli.search.step_input import StepInput


class Snapshot(NamedTuple):
    """A study at one moment.

    Args:
        files: that all of it was read from.
        status: where it stands.
        given: what the next point follows from.
        points: every point with what became of it.
        again: the point that is handed out once more before any new one, if there is one.
        refused: why no point is handed out until the evaluations change, or "".
    """

    files: StudyFiles
    status: Status
    given: StepInput
    points: tuple[Listed, ...]
    again: Parameters | None = None
    refused: str = ""

    def best(self) -> Best | None:
        """Return the best point, that of 'ordbo best'; by mean it costs a fit. None where there is none."""
        from ordbo_cli.study.asking.leading import leader

        best = self.status.best
        is_known = not self.status.leads_by_mean or (best is not None and best.by == "mean")
        return best if is_known else leader(self.files, None)

    def by_means(self, fits: Sequence[Fit]) -> Snapshot:
        """Return it with its front by mean where that is the one of 'ordbo best'.

        Args:
            fits: the model of each objective.
        """
        from ordbo_cli.study.asking.leading_front import leading_front

        if not (self.files.problem.has_front and self.status.leads_by_mean):
            return self
        return self._replace(status=leading_front(self.files, fits).of(self.files, self.status))

    def judges(self) -> tuple[Judge, ...]:
        """Return who has judged, and how often the model agrees, which costs a fit where anybody is named."""
        return judges_of(self.files)


def snapshot_of(files: StudyFiles, results: int | None = None) -> Snapshot:
    """Return the study that the files hold.

    Args:
        results: how many of the first evaluations the model sees, with nothing out; None for all as they are now.

    Raises:
        UsageError: there are not so many.
    """
    again, refused = files.ledger.next_again(), ""
    try:
        refuse_failures(files.problem, files.ledger, files.table)
    except DataError as error:
        refused = error.message
    return Snapshot(
        files,
        status_of(files),
        files.step_input(results=results),
        listing(files),
        None if again is None else files.problem.mapping(again.values),
        refused,
    )
