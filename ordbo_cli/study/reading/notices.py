"""What people should know about the evaluations beside what they hold: what is gone, what has no id, what is out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from ordbo_cli.files.handed import Pending
from ordbo_cli.files.problem_file.problem_file import ProblemFile
from ordbo_cli.files.seen import Missing
from ordbo_cli.files.state import State
from ordbo_cli.files.tables.table import Table
from ordbo_cli.files.text import quoted, shown_path
from ordbo_cli.problem import Problem
from ordbo_cli.problem.setting_order import SettingOrders
from ordbo_cli.study.reading.ledger import Waiting, waiting_of

_MOST_NAMES: Final = 20


def gone_points(
    gone: Collection[int], handed: Mapping[int, Pending], problem: Problem, orders: SettingOrders
) -> tuple[Waiting, ...]:
    """Return the suggestions whose answers are gone, as far as they have a place in the problem of now.

    Args:
        gone: ids of points whose answers are gone.
        handed: all points that were handed out.
        problem: what the study asks.
        orders: of the settings that words may name.
    """
    points = (handed[id].under(problem) for id in sorted(gone) if id in handed)
    return tuple(waiting_of(problem, point, orders) for point in points if point is not None)


def notices(
    file: ProblemFile,
    table: Table,
    state: State,
    pending: Sequence[Pending],
    missing: Missing,
    handed: Collection[int],
) -> Iterator[str]:
    """Yield what people should know, a line each.

    Args:
        file: the problem file.
        table: the evaluations, all rows with ids.
        state: as it was found.
        pending: what it holds to be out, as far as it has a place in the problem.
        missing: points whose newest answer is there no more.
        handed: ids of all points that were handed out.
    """
    gone, lost = ({id for id in missing.gone if (id in handed) == suggested} for suggested in (True, False))
    path = shown_path(file.evaluations)
    if state.seen and not file.evaluations.exists():
        yield f"{path}: it was there, and is there no more"
    if gone:
        one = f"{shown_path(file.path)} --id {min(gone)}"
        yield (
            f"{path}: the result{_s(gone)} of {_some(sorted(gone))} {_was(gone)} there, and {_is(gone)} there no more:"
            f" put the rows back, or say what becomes of each: 'ordbo observe {one} {file.problem.objective}=...'"
            f" records it anew, 'ordbo pending retry {one}' has it evaluated again, 'ordbo pending expire {one}'"
            " forgets it"
        )
    if missing.older:
        yield f"{path}: a newer result of {_some(sorted(missing.older))} was there; the one before it stands"
    if lost:
        yield f"{path}: {len(lost)} row{_s(lost)} of your own ({_some(sorted(lost))}) {_was(lost)} there before"
    known = {each.id for each in pending}
    out = [row.line for row in table.rows if row.line in table.blank and row.id not in known]
    if out:
        are = "are points that are" if len(out) > 1 else "is a point that is"
        yield (
            f"{path}: {len(out)} row{_s(out)} without {quoted(file.problem.objective)} (line {_some(out)}) {are} out;"
            " where a simulation failed, write 'failed' there"
        )
    without = [each for each in state.pending if each.id not in known]
    if without:
        names = _some([each.id for each in without])
        yield f"suggestion{_s(without)} {names}: the problem has no place for the point any more"


def on_first_ids(table: Table, state: State) -> list[str]:
    """Return a line about the ids that the rows of a table without any have from now on; none where they had them."""
    if not table.rows or state.seen or "id" in table.columns:
        return []
    ids = sorted({row.id or 0 for row in table.rows})
    said = f"the row has the id {ids[0]}" if len(ids) == 1 else f"the rows have the ids {ids[0]} to {ids[-1]}"
    return [f"{shown_path(table.path)}: {said}, as the state remembers; a column 'id' with them writes that down"]


def _s(things: Collection[object]) -> str:
    return "" if len(things) == 1 else "s"


def _was(things: Collection[object]) -> str:
    return "was" if len(things) == 1 else "were"


def _is(things: Collection[object]) -> str:
    return "is" if len(things) == 1 else "are"


def _some(numbers: Sequence[int]) -> str:
    more = f" and {len(numbers) - _MOST_NAMES} more" if len(numbers) > _MOST_NAMES else ""
    return ", ".join(map(str, numbers[:_MOST_NAMES])) + more
