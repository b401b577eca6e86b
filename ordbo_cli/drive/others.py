"""Points that are out at somebody else's while a run begins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ordbo_cli.problem.spelling import Note, shown_path
from ordbo_cli.study.reporting.views import PendingPoint
from ordbo_cli.study.study import Study

_MOST_NAMES: Final = 20


def left_alone(study: Study, others: Sequence[PendingPoint]) -> Note:
    """Return which points a run leaves alone, and how to have them evaluated all the same.

    Args:
        study: whose points they are.
        others: at least one.
    """
    ids = [str(point.id) for point in others if point.id is not None]
    if not ids or not study.can_take_back():
        are = "point is" if len(others) == 1 else "points are"
        return Note(f"{len(others)} {are} out already, and in no run's hands: left alone")
    which = " ".join(f"--id {id}" for id in ids) if len(ids) <= _MOST_NAMES else "--all"
    more = f" and {len(ids) - _MOST_NAMES} more" if len(ids) > _MOST_NAMES else ""
    are, them = ("is", "it") if len(ids) == 1 else ("are", "them")
    again = f"'ordbo pending retry {shown_path(study.problem_path)} {which}' has a run evaluate {them}"
    return Note(f"{', '.join(ids[:_MOST_NAMES])}{more} {are} out already, and in no run's hands: left alone; {again}")
