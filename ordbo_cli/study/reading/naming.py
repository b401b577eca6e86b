"""Ids for rows that have none: which suggestion each of them is about, known by the values of its parameters."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final

from ordbo_cli.files.handed import Pending
from ordbo_cli.files.seen import Recalled, recalled
from ordbo_cli.files.state import Loaded
from ordbo_cli.files.tables.table import UNDONE, Row
from ordbo_cli.files.values.numbers import Known, Values
from ordbo_cli.problem import Problem
from ordbo_cli.problem.setting_order import NO_ORDERS, SettingOrders
from ordbo_cli.study.reading.taken_back import pairs

Place = tuple[Values, int | None]
"""Values, and the level of fidelity below the highest, if any."""
ANSWERS: Final = ("ok", "failed", "abandoned")


@dataclass(eq=False)
class Point:
    """A point while the rows at its values are gone through.

    Args:
        id: its number; 0 where it gets one at the end.
        since: rows before this position are not about it, where order counts.
        is_open: whether it waits for an answer.
        expired: whether that was given up.
        place: position of the first row about it.
    """

    id: int
    since: int
    is_open: bool = True
    expired: bool = False
    place: int = -1


def named(
    rows: Sequence[Row],
    out: Sequence[tuple[int, Place, int]],
    first: int,
    others: Collection[int] = (),
    *,
    noise: bool,
) -> tuple[Row, ...]:
    """Return rows that all have an id.

    A row at the values and the level of a suggestion that waits answers it; any other result is a point of its own.
    Where no point is repeated, that is so in whatever order the rows stand; under noise, and where a point was to be
    evaluated again, a row from before cannot answer what was handed out after it.

    Args:
        rows: in the order in which they came.
        out: id, place and number of rows before it of each suggestion that the state holds to be out, oldest first.
        first: the lowest number that may be given.
        others: numbers that are taken, too.
        noise: whether points come again.
    """
    nameless = {_place(row) for row in rows if row.id is None}
    if not nameless:
        return tuple(rows)
    here: dict[Place, list[Row]] = defaultdict(list)
    for row in rows:
        if (at := _place(row)) in nameless:
            here[at].append(row)
    waiting: dict[Place, list[Point]] = defaultdict(list)
    for id, at, since in out:
        waiting[at].append(Point(id, since))
    about = {
        row.position: point
        for at in nameless
        for row, point in _points(here[at], waiting[at], noise=noise)
        if row.id is None
    }
    taken = {row.id for row in rows} | {id for id, _, _ in out} | {*others}
    _number(about, rows, (id for id in count(first) if id not in taken))
    return tuple(row if row.id else row._replace(id=about[row.position].id, numbered=False) for row in rows)


def _place(row: Row) -> Place:
    return row.values, row.level


def _number(about: Mapping[int, Point], rows: Sequence[Row], free: Iterator[int]) -> None:
    """Give points numbers in the order of their rows: those of a table without any id are the rows' own."""
    for row in rows:
        point = about.get(row.position)
        if point is not None and not point.id:
            point.id = next(free)


def _points(rows: Sequence[Row], points: list[Point], *, noise: bool) -> Iterator[tuple[Row, Point]]:
    """Yield the rows at one place, each with its point.

    Args:
        rows: in the order in which they came.
        points: the suggestions there that are out; others are added.
        noise: whether points come again.
    """
    of_id = {point.id: point for point in points}
    undone = _undone(rows)
    known = [*(id for _, id in reversed(undone.values())), *sorted(row.id or 0 for row in rows)]
    numbered = [id for id in known if id]
    rows = [row for row in rows if row.position not in undone]
    once = not noise and not any(row.status in ("retry", "expired") for row in rows)
    for row in sorted(rows, key=lambda row: row.status != "pending") if once else rows:
        point = of_id.get(row.id) if row.id is not None else _about(row, points, once=once, noise=noise)
        if point is None and row.id is None and row.status not in ANSWERS and not noise:
            point = next((of_id.setdefault(id, Point(id, row.position)) for id in numbered), None)
        if point is None:
            point = Point(row.id or 0, row.position)
            of_id[point.id or -row.position - 1] = point
        if point not in points:
            points.append(point)
        point.place = row.position if point.place < 0 else point.place
        point.is_open = row.status in ("pending", "retry")
        point.expired = row.status == "expired"
        yield row, point
    for row, id in undone.values():
        point = of_id.get(id) if id is not None else next(iter(points), None)
        if point is None:
            point = of_id[id or -row.position - 1] = Point(id or 0, row.position)
            points.append(point)
        yield row, point


def _undone(rows: Sequence[Row]) -> dict[int, tuple[Row, int | None]]:
    """Return the undone rows at one place, and what they take back, each with its id if one of the two has it."""
    groups: dict[int | None, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row.id if row.numbered else None].append(row)
    found: dict[int, tuple[Row, int | None]] = {}
    for group in groups.values():
        taken = pairs(group)
        for row in (each for each in group if each.status == UNDONE):
            both = (taken.get(row.position, row), row)
            id = next((each.id for each in both if each.id is not None), None)
            found |= {each.position: (each, id) for each in both}
    return found


def _about(row: Row, points: Sequence[Point], *, once: bool, noise: bool) -> Point | None:
    """Return the point that a row without an id is about, None for one of its own."""
    waiting = [each for each in points if each.is_open and (once or each.since <= row.position)]
    if row.status == "pending":
        return next((each for each in waiting if not noise or each.place < 0), None)
    if row.status in ANSWERS:
        return next(iter(waiting), None) or next((each for each in points if each.expired), None)
    return next(iter(waiting), None) or next((each for each in reversed(points) if not each.is_open), None)


def arrivals(
    rows: Sequence[Row], problem: Problem, loaded: Loaded, pending: Sequence[Pending], orders: SettingOrders = NO_ORDERS
) -> Recalled:
    """Return rows in the order in which they came, all with ids, values that agree to 15 digits as one.

    Args:
        rows: in the order of the file.
        problem: what the study asks.
        loaded: the state as it was found.
        pending: what it holds to be out, as far as it has a place in the problem.
        orders: of the settings that words may name.
    """
    known = [problem.values(each.parameters, orders) for each in pending]
    snapped = Known(problem, known).snapped([row.values for row in rows])
    rows = [row if row.values is x else row._replace(values=x) for row, x in zip(rows, snapped, strict=True)]
    came = recalled(rows, loaded.state.seen)
    first = max([loaded.first or loaded.state.next_id, *(1 + row.id for row in came.rows if row.id is not None)])
    if loaded.rebuilt and not any(row.id for row in came.rows):
        first = 1  # in a table without ids they are the rows' own, but for those of the suggestions
    levels = (problem.level_below(each.parameters) for each in pending)
    out = [(each.id, (x, level), each.rows) for each, x, level in zip(pending, known, levels, strict=True)]
    return came._replace(rows=named(came.rows, out, first, loaded.unsaved, noise=problem.noise))
