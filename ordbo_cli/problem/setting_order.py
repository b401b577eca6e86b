"""Settings that are known by their order alone: who placed each of them, in which words, and what a place is called.

A person who stirs harder than at the third attempt and less hard than at the seventh can say so, and nothing more. So a
setting is told by its neighbours among those that were tried, ``between 3 and 7``, each of which goes by the id of the
evaluation that placed it. Inside, every setting has a label, a number between 0 and 1 that follows from its words at
the time and never changes; of labels nothing counts but their order.
"""

from __future__ import annotations

import bisect
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from ordbo_cli.problem.axis import Lattice
    from ordbo_cli.problem.parameter import Level, Number, Parameter
    from ordbo_cli.problem.problem import Problem

LOWEST: Final = 0.0  # no setting has these two: there is always room for one below and above all others
HIGHEST: Final = 1.0
ANY: Final = "any"  # the place of the very first setting
_WORDS: Final = re.compile(
    r"(?P<any>any)|(?P<as>as|below|above) +(?P<id>\d{1,15})|between +(?P<one>\d{1,15}) +and +(?P<other>\d{1,15})",
    re.IGNORECASE | re.ASCII,
)
_MOST_NAMED: Final = 6  # ids in a hint


class Placed(float):
    """A setting's label with the words that a row has for it."""

    __slots__ = ("words",)

    def __new__(cls, label: float, words: str) -> Placed:
        """Return a label that is shown as the words."""
        placed = super().__new__(cls, label)
        placed.words = words
        return placed

    def __getnewargs__(self) -> tuple[Any, ...]:
        return float(self), self.words

    words: str


class NoPlace(ValueError):
    """Words that name no place; the message is a hint for people."""


@dataclass(frozen=True)
class PlacedSetting:
    """A setting that has its place.

    Args:
        label: its number inside, between 0 and 1.
        id: of the evaluation that placed it.
        words: that placed it.
    """

    label: float
    id: int
    words: str


class SettingOrder:
    """The settings that have their places.

    Nobody but its maker adds to one (:meth:`add`); all others take a new one (:meth:`with_`).
    """

    __slots__ = ("_by_words", "by_id", "labels", "settings")

    def __init__(self) -> None:
        self.labels: list[float] = []
        """Of the settings, rising."""
        self.settings: list[PlacedSetting] = []
        """In the same order."""
        self.by_id: dict[int, float] = {}
        """The label that each evaluation has; several may have one."""
        self._by_words: dict[str, float] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SettingOrder) and (self.settings, self.by_id) == (other.settings, other.by_id)

    def __hash__(self) -> int:
        return hash(tuple(self.labels))

    def add(self, id: int, label: float, words: str | None = None) -> None:
        """Note that an evaluation has a label.

        Args:
            id: of the evaluation.
            label: its setting's, new or not.
            words: by which it was placed; None for those of now.
        """
        if id in self.by_id:
            return
        label = float(label)
        self.by_id[id] = label
        k = bisect.bisect_left(self.labels, label)
        if k < len(self.labels) and self.labels[k] == label:
            return
        setting = PlacedSetting(label, id, words or self.gap(k))
        self._by_words[setting.words] = label
        self.labels.insert(k, label)
        self.settings.insert(k, setting)

    def with_(self, id: int, label: float, words: str | None = None) -> SettingOrder:
        """Return the order once an evaluation has a label; the arguments are those of :meth:`add`."""
        order = SettingOrder()
        order.labels, order.settings = list(self.labels), list(self.settings)
        order.by_id, order._by_words = dict(self.by_id), dict(self._by_words)
        order.add(id, label, words)
        return order

    def label(self, words: str) -> float:
        """Return the label that words stand for, a new one for a place between neighbours.

        Raises:
            NoPlace: they are no such words, name an unknown evaluation, or leave the place open.
        """
        found = _WORDS.fullmatch(words.strip())
        if found is None:
            raise NoPlace(self._usage())
        if found["any"]:
            if self.settings:
                raise NoPlace(f"Others have their places already. {self._usage()}")
            return _between(LOWEST, HIGHEST)
        if found["one"]:
            below, above = sorted((self._place(found["one"]), self._place(found["other"])))
            if below == above:
                raise NoPlace(f"It is one setting: write {_quoted(self._as(below))} for the same again")
            if above > below + 1:
                raise NoPlace(self._crowded(below, above))
            return self._gap(below + 1)
        place = self._place(found["id"])
        side = found["as"].lower()
        if side == "as":
            return self.settings[place].label
        if side == "below" and place > 0:
            raise NoPlace(self._not_at_the_end(place, place, "lowest", "below"))
        if side == "above" and place < len(self.settings) - 1:
            raise NoPlace(self._not_at_the_end(place, place + 1, "highest", "above"))
        return self._gap(place if side == "below" else place + 1)

    def known(self, words: str) -> float | None:
        """Return the label of the setting that words have placed already, as the program spells them, if any."""
        return self._by_words.get(words)

    def named(self, given: float | str) -> Placed:
        """Return the setting of words, those that placed one before they name a new place; or of a label.

        Raises:
            NoPlace: they name none.
        """
        if isinstance(given, str) and (known := self.known(given)) is not None:
            return Placed(known, given)
        label = self.label(given) if isinstance(given, str) else float(given)
        return Placed(label, self.words(label))

    def words(self, label: float) -> str:
        """Return what a label is called now: ``as 3`` for a setting that has its place, else its neighbours."""
        if isinstance(label, Placed):
            return label.words
        k = bisect.bisect_left(self.labels, label)
        if k < len(self.labels) and self.labels[k] == label:
            return self._as(k)
        return self.gap(k)

    def name(self, label: float) -> str:
        """Return the id that a setting goes by, "the end" where there is none with the label."""
        k = bisect.bisect_left(self.labels, label)
        return str(self.settings[k].id) if k < len(self.labels) and self.labels[k] == label else "the end"

    def gap(self, k: int) -> str:
        """Return the words of a gap: 0 below all settings, their number above all of them."""
        if not self.settings:
            return ANY
        if k == 0:
            return f"below {self.settings[0].id}"
        if k == len(self.settings):
            return f"above {self.settings[-1].id}"
        return f"between {self.settings[k - 1].id} and {self.settings[k].id}"

    def _place(self, text: str) -> int:
        """Return where among the settings that of an evaluation stands."""
        label = self.by_id.get(int(text))
        if label is None:
            raise NoPlace(f"No evaluation before it has the id {int(text)}; {self._ids()}")
        return bisect.bisect_left(self.labels, label)

    def _gap(self, k: int) -> float:
        """Return the label of a gap.

        Raises:
            NoPlace: it has none left.
        """
        label = gap_label(self.labels, k)
        if label is None:
            raise NoPlace(f"Settings there are too many to tell one more: write {_quoted(self._as(max(k - 1, 0)))}")
        return label

    def _as(self, place: int) -> str:
        return f"as {self.settings[place].id}"

    def _crowded(self, below: int, above: int) -> str:
        between = [str(each.id) for each in self.settings[below + 1 : above]]
        one, other = self.settings[below].id, self.settings[above].id
        if len(between) == 1:
            first, last = self.gap(below + 1), self.gap(above)
            return (
                f"{between[0]} lies between {one} and {other}: write {_quoted(first)}, {_quoted(self._as(below + 1))} "
                f"or {_quoted(last)}"
            )
        return f"Between {one} and {other} lie {_some(between)}, in this order: name two that are neighbours"

    def _not_at_the_end(self, place: int, gap: int, end: str, side: str) -> str:
        last = self.settings[0 if end == "lowest" else -1].id
        return f"{self.settings[place].id} is not the {end}: write {_quoted(self.gap(gap))} or '{side} {last}'"

    def _ids(self) -> str:
        ids = [str(id) for id in sorted(self.by_id)]
        return f"there are {_some(ids)}" if ids else f"the first one is {_quoted(ANY)}"

    def _usage(self) -> str:
        if not self.settings:
            return f"Write {_quoted(ANY)}: it is the first one"
        if len(self.settings) == 1:
            id = self.settings[0].id
            return f"Write 'below {id}', 'above {id}' or 'as {id}'"
        return (
            f"Write {_quoted(self.gap(1))}, {_quoted(self.gap(0))}, {_quoted(self.gap(len(self.settings)))} or the like"
        )


@dataclass(frozen=True)
class SettingOrders:
    """The orders of the settings of all ranked parameters, as the rows make them; nothing where there are no such.

    Whoever has rows has one: a problem is the question only, and stays as it is whatever rows come.

    Args:
        pairs: the name of each ranked parameter with the order of its settings; one that is missing has none yet.
    """

    pairs: tuple[tuple[str, SettingOrder], ...] = ()

    def of(self, name: str) -> SettingOrder:
        """Return the order of the settings of a parameter."""
        return next((order for each, order in self.pairs if each == name), _NONE_YET)

    def placed(self, problem: Problem, id: int, values: Sequence[Number]) -> SettingOrders:
        """Return the orders once an evaluation has its values: its settings have their places."""
        ranked = ((problem.free[k].name, values[k]) for k in problem.ranked)
        return SettingOrders(tuple((name, self.of(name).with_(id, label)) for name, label in ranked))

    def in_words(self, problem: Problem, values: Sequence[Number]) -> tuple[Number, ...]:
        """Return values in which labels of ranked parameters keep the words that they have now."""
        if not problem.ranked:
            return tuple(values)
        pairs = zip(problem.free, values, strict=True)
        return tuple(Placed(x, self.of(p.name).words(x)) if p.type == "ranked" else x for p, x in pairs)

    def shown(self, parameter: Parameter, value: Number) -> Level:
        """Return a value as the user has it, a label by the words that it has now."""
        return self.of(parameter.name).words(value) if parameter.type == "ranked" else parameter.shown(value)

    def lattice(self, parameter: Parameter) -> Lattice:
        """Return the values of a parameter that can be suggested."""
        ranked = parameter.type == "ranked"
        return RankedLattice(tuple(self.of(parameter.name).labels)) if ranked else parameter.lattice


_NONE_YET: Final = SettingOrder()
NO_ORDERS: Final = SettingOrders()


def same_words(one: str, other: str) -> bool:
    """Return whether two texts are the same words, however they are spelt."""
    found = [_WORDS.fullmatch(text.strip()) for text in (one, other)]
    said = [(match["any"] or match["as"] or "between").lower() for match in found if match]
    ids = [{int(match[key]) for key in ("id", "one", "other") if match[key]} for match in found if match]
    return len(said) == 2 and said[0] == said[1] and ids[0] == ids[1]


@dataclass(frozen=True)
class RankedLattice:
    """The labels that can be suggested: every setting that has its place, and one in each gap.

    Args:
        labels: of the settings, rising.
    """

    labels: tuple[float, ...]

    @cached_property
    def values(self) -> tuple[float, ...]:
        """All of them, rising."""
        gaps = (gap_label(self.labels, k) for k in range(len(self.labels) + 1))
        return tuple(sorted([*self.labels, *(x for x in gaps if x is not None)]))

    @property
    def count(self) -> int:
        """Their number."""
        return len(self.values)

    def value(self, index: int) -> float:
        """The value at an index between 0 and ``count - 1``."""
        return self.values[index]


def gap_label(labels: Sequence[float], k: int) -> float | None:
    """Return the label of the gap below the k-th setting, None where no double is left in it."""
    low = labels[k - 1] if k > 0 else LOWEST
    high = labels[k] if k < len(labels) else HIGHEST
    label = _between(low, high)
    return label if low < label < high else None


def _between(low: float, high: float) -> float:
    """Return a number between two others.

    Gaps at the ends, where a rising series of settings goes on and on, lose less than half of themselves: 1/2, 2/3,
    3/4, and so on.
    """
    if low > LOWEST and high == HIGHEST:
        return 1.0 / (2.0 - low)
    if low == LOWEST and high < HIGHEST:
        return high / (1.0 + high)
    return low + 0.5 * (high - low)


def _quoted(words: str) -> str:
    return f"'{words}'"


def _some(ids: list[str]) -> str:
    return ", ".join(ids[:_MOST_NAMED]) + (f" and {len(ids) - _MOST_NAMED} more" if len(ids) > _MOST_NAMED else "")
