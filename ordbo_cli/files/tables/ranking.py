"""The order of the settings that are known by order alone, as the rows of a table make it, one after the other.

The cell of such a parameter is words that name neighbours by the ids of their evaluations (see
:mod:`ordbo_cli.problem.setting_order`). The first row of an id gives its setting a place for good, whatever becomes of
the evaluation: others may have named it since. So every row needs an id, and words that leave a place open are an
error.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from ordbo_cli.files.handed import Pending
from ordbo_cli.problem import Number, Problem
from ordbo_cli.problem.parameter import Parameter
from ordbo_cli.problem.setting_order import LOWEST, NoPlace, Placed, SettingOrder, SettingOrders, same_words
from ordbo_cli.problem.spelling import listed, quoted

Values = tuple[Number, ...]
_UNREAD: Final = LOWEST  # stands for the label of words that are looked up later


class Ranking:
    """Gives settings their places, row by row.

    Args:
        problem: whose parameters they are.
        later: whether words are kept as they are, to be looked up in the order of another table.
    """

    def __init__(self, problem: Problem, *, later: bool) -> None:
        self._orders = {problem.free[k].name: SettingOrder() for k in problem.ranked}
        self._later = later
        self._words: dict[tuple[str, int], Placed] = {}

    @property
    def orders(self) -> SettingOrders:
        """What the rows have made so far."""
        return SettingOrders(tuple(self._orders.items()))

    def value(self, parameter: Parameter, text: str, id: int | None) -> Placed:
        """Return the setting of a row, which has its place from now on.

        Args:
            parameter: the parameter.
            text: its cell.
            id: of the row.

        Raises:
            NoPlace: the words name none; its message is a hint for people.
        """
        if self._later:
            return Placed(_UNREAD, text.strip())
        if id is None:
            raise NoPlace("Settings go by the ids of their rows: number this one in a column 'id'")
        order = self._orders[parameter.name]
        before = self._words.get((parameter.name, id))
        if before is not None:
            if text.strip() and not same_words(text, before.words) and not _is_as(order, text, before):
                raise NoPlace(f"A row above has placed {id} by {quoted(before.words)}, and there it stays")
            return before
        label = order.label(text)
        placed = Placed(label, order.words(label))
        order.add(id, label, placed.words)
        self._words[parameter.name, id] = placed
        return placed


def _is_as(order: SettingOrder, text: str, setting: float) -> bool:
    """Return whether a text says ``as 3`` of a setting."""
    try:
        return order.label(text) == setting
    except NoPlace:
        return False


def id_hint(problem: Problem) -> str:
    """Return why a table needs a column of ids, "" where it does not."""
    names = [problem.free[k].name for k in problem.ranked]
    return f"Settings of {listed(names)} go by the ids of their rows: number these 1, 2, 3, ..." if names else ""


def without_lost(pending: list[Pending], ids: Collection[int | None]) -> tuple[list[Pending], list[str]]:
    """Return the suggestions without those whose row is gone, and with it what their settings lie between.

    Args:
        pending: what the state holds to be out, where some parameters are ranked.
        ids: of the rows that are there.
    """
    lost = [str(each.id) for each in pending if each.id not in ids]
    if not lost:
        return pending, []
    words = f"suggestion{'s' * (len(lost) > 1)} {listed(lost)}: no row in the evaluations has the place any more"
    return [each for each in pending if each.id in ids], [f"{words}, forgotten"]
