"""A study as it is at one moment, all of it from one reading of its files."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ordbo_cli.errors import DataError
from ordbo_cli.study.reading.ledger import refuse_failures
from ordbo_cli.study.reading.study_files import Books
from ordbo_cli.study.reporting.listing import Listed, listing
from ordbo_cli.study.reporting.reports import status_of
from ordbo_cli.study.reporting.views import Parameters, Status

if TYPE_CHECKING:
    from ordbo_cli.insight.inspection import Moment


class Snapshot(NamedTuple):
    """A study at one moment.

    Args:
        status: where it stands.
        moment: what the next point follows from.
        points: every point with what became of it.
        again: the point that is handed out once more before any new one, if there is one.
        refused: why no point is handed out until the evaluations change, or "".
    """

    status: Status
    moment: Moment
    points: tuple[Listed, ...]
    again: Parameters | None = None
    refused: str = ""


def snapshot_of(books: Books, results: int | None = None) -> Snapshot:
    """Return the study that the files hold.

    Args:
        results: how many of the first evaluations the model sees, with nothing out; None for all as they are now.

    Raises:
        UsageError: there are not so many.
    """
    from ordbo_cli.study.asking.suggest import moment_of

    again, refused = books.ledger.next_again(), ""
    try:
        refuse_failures(books.problem, books.ledger, books.table)
    except DataError as error:
        refused = error.message
    return Snapshot(
        status_of(books),
        moment_of(books, results),
        listing(books),
        None if again is None else books.problem.mapping(again.values),
        refused,
    )
