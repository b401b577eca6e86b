"""The report's tables of points: the best ones, and all of them with what became of each and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from functools import partial
from typing import Final

from ordbo_cli.files.values.remark import Remark, seconds_text
from ordbo_cli.pictures.pages.page import Header, PageCell, PageTable
from ordbo_cli.pictures.words import counted
from ordbo_cli.problem import Fixed, Level, Limit, Parameter, Problem
from ordbo_cli.problem.parameter import in_words
from ordbo_cli.problem.spelling import age
from ordbo_cli.search.step_record import StepRecord
from ordbo_cli.study.reporting.cell_words import cell_in_words, cell_of
from ordbo_cli.study.reporting.listing import Listed
from ordbo_cli.study.reporting.snapshot import Snapshot
from ordbo_cli.study.reporting.views import Status

BEST: Final = 5  # points in the table of the best


def best_table(problem: Problem, status: Status) -> PageTable:
    """Return the points with the best values."""
    headers = (Header("place", "number"), Header("id", "number"), Header("line", "number"), *_result_headers(problem))
    rows = tuple(
        (
            *(number_cell(each) for each in (place, best.id, best.line)),
            PageCell(_text(problem.shown(best.objective, best.censored))),
            *(PageCell(best.outcomes.get(limit.name, "")) for limit in problem.outcomes),
            *_parameter_cells(problem, best.parameters),
        )
        for place, best in enumerate(status.ranking[:BEST], 1)
    )
    what = "value" if status.by == "mean" else "point"
    return PageTable(f"The best {counted(len(rows), what)}", (*headers, *_parameter_headers(problem)), rows)


def front_table(problem: Problem, snapshot: Snapshot) -> PageTable:
    """Return the results of several objectives that none dominates, the best of the first one first."""
    status, order = snapshot.status, {each.line: each.order for each in snapshot.points}
    star = "preferred" if status.comparisons else "knee"
    by_mean = any(best.by == "mean" for best in status.front)
    headers = (Header("order", "number"), Header("id", "number"), Header("line", "number"), Header(star))
    headers = (*headers, *((Header("results", "number"),) if by_mean else ()))
    knee = None if status.best is None else status.best.line
    rows = tuple(
        (
            *(number_cell(each) for each in (order.get(best.line), best.id, best.line)),
            PageCell(star if best.line == knee else ""),
            *((number_cell(best.results),) if by_mean else ()),
            PageCell(_text(problem.shown(best.objective, best.censored))),
            *(PageCell(best.outcomes.get(limit.name, "")) for limit in problem.outcomes),
            *_parameter_cells(problem, best.parameters),
        )
        for best in status.front
    )
    what = counted(len(rows), "point" if by_mean else "result")
    caption = f"The {what} that no other one dominates, the best by {problem.objective} first"
    caption += "; medians, and the row of that of the first objective" if by_mean else ""
    points = tuple(order.get(best.line) for best in status.front)
    return PageTable(caption, (*headers, *_result_headers(problem), *_parameter_headers(problem)), rows, points=points)


def out_table(problem: Problem, snapshot: Snapshot, now: datetime) -> PageTable:
    """Return what was handed out and has no result: since when, and why it was chosen.

    Args:
        problem: what the study asks.
        snapshot: of the study.
        now: until when the times are told.
    """
    files, status = snapshot.files, snapshot.status
    records = {each.get("id"): StepRecord.from_dict(each) for each in status.steps}
    rows = []
    for point in (*status.waiting, *status.again):
        record = records.get(point.id)
        cell = None if record is None else cell_of(problem, record)
        where = "" if cell is None else cell_in_words(problem, files.ledger.evaluations(), cell, orders=files.orders)
        since = PageCell("not known")
        if point.age is not None and not point.again:
            since = PageCell(age(point.age), point.age, since=round(now.timestamp() - point.age))
        rows.append(
            (
                number_cell(point.id),
                PageCell("to be evaluated again") if point.again else since,
                PageCell("" if record is None else record.kind),
                PageCell(where),
                *_parameter_cells(problem, point.parameters),
            )
        )
    headers = (Header("id", "number"), Header("out for"), Header("chosen by"), Header("cell"))
    caption = f"{counted(len(rows), 'point')} without a result"
    return PageTable(caption, (*headers, *_parameter_headers(problem)), tuple(rows))


def failures_table(problem: Problem, status: Status) -> PageTable:
    """Return the newest failures, the reason of each in front of its point."""
    headers = (Header("id", "number"), Header("line", "number"), Header("note"), Header("took", "number", "s"))
    rows = tuple(
        (
            number_cell(each.id),
            number_cell(each.line),
            PageCell(each.remark.note or "not known"),
            _took(each.remark),
            *_parameter_cells(problem, each.parameters),
        )
        for each in status.failures
    )
    of = "" if len(rows) == status.failed else f" of {status.failed}"
    return PageTable(f"The newest {counted(len(rows), 'failure')}{of}", (*headers, *_parameter_headers(problem)), rows)


def evaluations_table(problem: Problem, points: Sequence[Listed]) -> PageTable:
    """Return all points; times and notes have columns where there are any."""
    took = any(each.remark.seconds is not None for each in points)
    noted = any(each.remark.note for each in points)
    headers = (
        Header("order", "number"),
        Header("id", "number"),
        Header("line", "number"),
        Header("status"),
        Header("rank", "number"),
        *_result_headers(problem),
        *_parameter_headers(problem),
        *([Header("took", "number", "s")] if took else []),
        *([Header("note")] if noted else []),
    )
    # as doubles, some of them may be alike
    exact = sorted({each.objective for each in points if each.objective is not None})
    places: dict[Decimal | None, float] = {value: float(place) for place, value in enumerate(exact)}

    def cells(each: Listed) -> Iterator[PageCell]:
        shown = each.text if each.objective is None else _text(problem.shown(each.objective, each.censored))
        yield from map(number_cell, (each.order, each.id, each.line))
        yield PageCell(_status(each))
        yield number_cell(each.rank)
        yield PageCell(shown, places.get(each.objective))
        yield from map(partial(_outcome_cell, each), range(len(problem.outcomes)), problem.outcomes)
        yield from _parameter_cells(problem, each.parameters)
        if took:
            yield _took(each.remark)
        if noted:
            yield PageCell(each.remark.note)

    caption = "All evaluations in order of arrival, then what is out; lines are those of the CSV"
    caption += "; a rank is the number of a front" if problem.has_front else ""
    numbers = tuple(each.order for each in points) if problem.several else ()
    return PageTable(caption, headers, tuple(tuple(cells(each)) for each in points), status=3, points=numbers)


def number_cell(value: Decimal | float | None, digits: int | None = None) -> PageCell:
    """Return a cell with a number, sorted by it; an empty one for None."""
    if value is None:
        return PageCell("")
    return PageCell(_text(value) if digits is None else f"{value:.{digits}g}", float(value))


def _outcome_cell(point: Listed, place: int, limit: Limit) -> PageCell:
    """Return a cell with a result beside the first objective, sorted by its value."""
    value = point.outcomes[place] if point.outcomes else None
    if value is None:
        return PageCell("")
    return PageCell(_text(limit.shown(value, point.side(place))), float(value))


def _took(remark: Remark) -> PageCell:
    return PageCell(seconds_text(remark.seconds), remark.seconds)


def _status(each: Listed) -> str:
    """Return what became of a point, and what the model makes of it."""
    marks = {"outside the bounds": each.outside, "set aside": each.aside, "infeasible": each.infeasible}
    said = ", ".join(mark for mark, holds in marks.items() if holds)
    return f"{each.status} ({said})" if said else each.status


def _result_headers(problem: Problem) -> tuple[Header, ...]:
    objective = Header(problem.objective, "number", problem.unit)
    return (objective, *(Header(limit.name, "number", limit.unit) for limit in problem.outcomes))


def _parameter_headers(problem: Problem) -> tuple[Header, ...]:
    return tuple(Header(each.name, "text" if _is_text(each) else "number", each.unit) for each in problem.parameters)


def _parameter_cells(problem: Problem, parameters: Mapping[str, Level]) -> list[PageCell]:
    """Return a cell for each parameter, an empty one where it does not count."""
    told = in_words(parameters)
    values = (told.get(name) for name in problem.names)
    return [PageCell(value) if isinstance(value, str) else number_cell(value) for value in values]


def _is_text(parameter: Parameter | Fixed) -> bool:
    """Return whether some of its values are words."""
    values = (parameter.value,) if isinstance(parameter, Fixed) else parameter.levels
    return any(isinstance(value, str) for value in values)


def _text(value: object) -> str:
    return repr(value) if isinstance(value, float) else str(value)
