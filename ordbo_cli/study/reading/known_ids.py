"""Which ids a study has, and the point of one of them."""

from __future__ import annotations

from collections.abc import Iterable

from ordbo_cli.errors import DataError
from ordbo_cli.problem import Number
from ordbo_cli.problem.spelling import some
from ordbo_cli.study.reading.study_files import StudyFiles


def known_ids(waiting: Iterable[int], closed: Iterable[int]) -> str:
    """Return which ids there are, as a hint for one that is not among them.

    Args:
        waiting: of suggestions without a result.
        closed: of all others.
    """
    waits, rest = _spans(waiting), _spans(closed)
    first = f"Open are {waits}" if waits else "None is open"
    return f"{first}; closed are {rest}" if rest else first


def _spans(ids: Iterable[int]) -> str:
    """Return ids in a sentence, those in a row as one: 1 to 4, 7."""
    spans: list[list[int]] = []
    for id in sorted(set(ids)):
        if spans and id == spans[-1][-1] + 1:
            spans[-1].append(id)
        else:
            spans.append([id])
    words = [f"{each[0]} to {each[-1]}" if len(each) > 2 else ", ".join(map(str, each)) for each in spans]
    return some(words, 10, counted=False)


def point_of(files: StudyFiles, id: int) -> tuple[Number, ...]:
    """Return the values inside of the free parameters of a suggestion, or of a row.

    Raises:
        DataError: there is none of this id.
    """
    ledger = files.ledger
    waiting = {entry.id: entry.values for entry in (*ledger.waiting, *ledger.again)}
    closed: dict[int, tuple[Number, ...]] = {entry.id: entry.values for entry in (*ledger.compared, *ledger.gone)}
    closed |= {standing.id: standing.row.values for standing in ledger.standing}
    found = waiting.get(id, closed.get(id))
    if found is None:
        raise unknown_id(id, waiting, closed)
    return found


def unknown_id(id: int, waiting: Iterable[int], closed: Iterable[int], hint: str = "") -> DataError:
    """Return the error for an id that neither a suggestion nor a row has; the other arguments make its hint."""
    return DataError(f"no suggestion and no row has the id {id}", known_ids(waiting, closed) + hint)
