"""What happened between two readings of a study, in sentences: the log of its page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ordbo_cli.problem import Problem
from ordbo_cli.study.reporting.listing import Listed
from ordbo_cli.study.reporting.snapshot import Snapshot

_OPEN: Final = {
    "pending": "is out",
    "retry": "is to be evaluated again",
    "abandoned": "is given up",
    "expired": "has expired",
}
MOST: Final = 25  # sentences of one reading: more rows at once came from a table, not from a bench


def happened(before: Snapshot, after: Snapshot) -> Iterator[str]:
    """Yield what is new, in order of arrival."""
    problem = after.files.problem
    if before.files.problem != problem:
        yield "the problem file has changed"
    known = {_key(each): each for each in before.points}
    fresh = [each for each in after.points if known.get(_key(each), each) is not each or _key(each) not in known]
    fresh = [each for each in fresh if _key(each) not in known or _state(known[_key(each)]) != _state(each)]
    for each in fresh[-MOST:]:
        yield _words(problem, each, known.get(_key(each)), after)
    if len(fresh) > MOST:
        yield f"and {len(fresh) - MOST} rows before these"
    there = {_key(each) for each in after.points}
    gone = [each for each in before.points if _key(each) not in there]
    for each in gone[:MOST]:
        yield f"{_name(each)} was taken back"
    more = after.status.comparisons - before.status.comparisons
    if more:
        said = "1 comparison" if abs(more) == 1 else f"{abs(more)} comparisons"
        yield f"{said} {'recorded' if more > 0 else 'taken back'}"


def _key(point: Listed) -> tuple[str, int]:
    """Return what tells a point from the others for as long as it is there."""
    return ("id", point.id) if point.id is not None else ("line", point.line or 0)


def _name(point: Listed) -> str:
    return f"id {point.id}" if point.id is not None else f"line {point.line}"


def _state(point: Listed) -> tuple[object, ...]:
    return point.status, point.objective, point.censored, point.outcomes, point.text, point.remark.note


def _words(problem: Problem, point: Listed, was: Listed | None, after: Snapshot) -> str:
    name = _name(point)
    if point.status == "failed":
        why = f": {point.remark.note}" if point.remark.note else ""
        return f"{name} failed{why}"
    if point.status != "ok":
        return f"{name} {_OPEN.get(point.status, point.status)}"
    value = point.text if point.objective is None else str(problem.shown(point.objective, point.censored))
    before = ""
    if was is not None and was.status == "ok" and was.objective is not None:
        before = f" (was {problem.shown(was.objective, was.censored)})"
    marks = ", infeasible" if point.infeasible else ", outside the bounds" if point.outside else ""
    best = after.status.best
    if best is not None and best.line == point.line and not problem.has_front:
        marks += ", the best so far"
    return f"{name}: {problem.objective} {value}{before}{marks}"
