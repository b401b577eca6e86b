"""Every point of a study with what became of it, as one list for people to look through."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal

from ordbo_cli.files.tables.table import Status
from ordbo_cli.files.values.remark import NO_REMARK, Remark
from ordbo_cli.problem import Censored
from ordbo_cli.problem.brief import Brief
from ordbo_cli.problem.limit import Measured
from ordbo_cli.problem.order import ranks
from ordbo_cli.study.reading.ledger import Waiting
from ordbo_cli.study.reading.study_files import StudyFiles
from ordbo_cli.study.reporting.views import Parameters


@dataclass(frozen=True, repr=False)
class Listed(Brief):
    """A point.

    Args:
        id: of its suggestion, if any.
        line: of its row in the evaluations, if it has one.
        status: what became of it; ``retry`` waits to be evaluated again.
        parameters: all that count by name, as Python has them.
        objective: the exact result; None where there is none.
        rank: among the results and failures that the model sees, 1 the best, equal ones alike; None for others.
        outside: whether it lies outside the bounds, and counts for its order only.
        aside: a fixed parameter's value that is not the problem's, in words, or "": the model does not see it.
        order: of arrival among the results and failures, from 1; None for what is neither, or set aside.
        censored: on which side of the objective the result lies, where that is only a limit.
        outcomes: the problem's other results in order, None for one that is not there.
        infeasible: whether one of them breaks its limits.
        text: the objective of an infeasible point as it is written, where it has one, and of one that failed by another
            objective.
        numbered: whether its row gives its id, if it has a row.
        remark: what is kept of it beside its results.
        sides: on which side of its value each other result lies, where that is only a limit; empty where all are known.
    """

    id: int | None
    line: int | None
    status: Status
    parameters: Parameters
    objective: Decimal | None = None
    rank: int | None = None
    outside: bool = False
    aside: str = ""
    order: int | None = None
    censored: Censored = ""
    outcomes: tuple[Measured, ...] = ()
    infeasible: bool = False
    text: str = ""
    numbered: bool = True
    remark: Remark = NO_REMARK
    sides: tuple[Censored, ...] = ()
    level: int | None = None

    def side(self, place: int) -> Censored:
        """Return on which side of its value one of the other results lies, where that is only a limit."""
        return self.sides[place] if self.sides else ""


def listing(files: StudyFiles) -> tuple[Listed, ...]:
    """Return the points that have an answer, in order of arrival, then those that are out, compared, or come again."""
    problem, ledger = files.problem, files.ledger
    ranked = [
        each.row
        for each in ledger.standing
        if each.row.status == "ok" or (each.row.status == "failed" and problem.failed != "ignore")
        if not each.row.aside and each.row.level is None
    ]
    places = ranks(problem, [row.evaluation() for row in ranked])
    rank = {row.line: place + 1 for row, place in zip(ranked, places, strict=True)}
    order = {standing.row.line: place for place, standing in enumerate(ledger.seen(), 1)}
    answered = [
        Listed(
            each.id,
            each.row.line,
            each.row.status,
            problem.point(each.row.values, each.row.fixed),
            each.row.objective,
            rank.get(each.row.line),
            each.row.outside,
            each.row.aside,
            order.get(each.row.line),
            each.row.censored,
            each.row.outcomes,
            each.row.is_infeasible,
            each.row.text if each.row.is_infeasible or (each.row.status == "failed" and each.row.others) else "",
            each.row.numbered,
            each.row.remark,
            each.row.sides,
            each.row.level,
        )
        for each in ledger.standing
    ]

    def open_one(entry: Waiting, status: Status) -> Listed:
        line = None if entry.row is None else entry.row.line
        numbered = entry.row is None or entry.row.numbered
        shown = problem.point(entry.values, entry.fixed)
        return Listed(entry.id, line, status, shown, numbered=numbered)

    waiting = [open_one(entry, "pending") for entry in (*ledger.waiting, *ledger.compared)]
    return (*answered, *waiting, *(open_one(entry, "retry") for entry in ledger.again))
