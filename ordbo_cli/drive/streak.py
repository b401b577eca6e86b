"""Failures in a row: whether they come at their usual rate, or the simulator is dead."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Final

Position = tuple[float, ...]
"""Coordinates of a point in the unit box; none where nobody knows them."""

FEWEST: Final = 5  # failures in a row that may mean something
_CHANCE: Final = 1e-6  # of as long a row at the usual rate, below which it is none
_AT_END: Final = 1e-4  # the same at the end of a run, which is looked at once
_FRUITLESS: Final = 2e-3  # the same, where nothing has ever succeeded: 28 failures
_USUAL: Final = 0.8  # share of failures up to which a simulator may have that has not shown its rate yet
_RARE: Final = 0.05  # the same of failures that no point is the reason of ...
# ... by the words of systems and interpreters.
_NO_POINT: Final = re.compile(
    r"can't open file|command not found|: not found$|Permission denied|No space left on device|cannot open shared obj"
    r"|ModuleNotFoundError|ImportError|SyntaxError|IndentationError|[Ll]icen[cs]e|Connection refused"
    r"|Name or service not known|unrecognized (arguments|option)|invalid option|arguments are required"
)
# Where nothing has ever succeeded: a command that was never right, by the words of interpreters and their readers of
# arguments. Later a point may be the reason of them: where a solver gives nothing, what reads it trips over that.
_NEVER_RIGHT: Final = re.compile(
    rf"{_NO_POINT.pattern}|\b(Name|UnboundLocal|Type|Attribute|Key|Index|EOF|JSONDecode|Reference|UndefVar|Method)Error\b"
    r"|invalid literal|could not convert string|unbound variable|: [Uu]sage:|error: argument |ambiguous option"
    r"|requires an argument|Missing (option|argument|parameter)|Invalid value for|No such (option|command)"
    r"|unexpected extra argument"
)
_SPOT: Final = 1e-4  # of the unit box: points that are no farther apart are at one spot
_PACE: Final = 10.0  # times as slow is another way to fail ...
_JITTER: Final = 0.5  # ... beyond so many seconds


@dataclass(frozen=True)
class Fault:
    """An evaluation that failed.

    Args:
        id: of its suggestion; None where it has none.
        reason: why there is no answer; "" where nobody knows it any more.
        seconds: that it took.
    """

    id: int | None
    reason: str = ""
    seconds: float = 0.0

    def looks_like(self, other: Fault) -> bool:
        """Return whether two evaluations failed in the same way, as soon."""
        slow, quick = max(self.seconds, other.seconds), min(self.seconds, other.seconds)
        return self.kind == other.kind != "" and slow <= _PACE * quick + _JITTER

    @cached_property
    def kind(self) -> str:
        """The reason without what is a time, a number of a process or of the point: words with digits in them."""
        what, colon, words = self.reason.partition(":")
        return what + colon + re.sub(r"\S*[0-9]\S*", "#", words)


class Streak:
    """The results of a study, as far as they tell whether its simulator still works.

    They count in the order in which the evaluations began, whatever the order in which they ended: a failure that began
    before a success is one of a simulator that works.

    Failures at one spot count once: a search whose best point lies on the edge of where the simulator works may ask for
    that spot again and again.

    Args:
        record: earlier results in order of arrival, None for a success, each with its point.
        limit: how many failures that look alike are too many; None to judge them by the usual rate.
    """

    def __init__(self, record: Iterable[tuple[Fault | None, Position]] = (), limit: int | None = None) -> None:
        self._limit = limit
        self._points: dict[int, Position] = {}
        self._faults: dict[int, Fault] = {}
        self._ok = 0
        self._last_ok = -1
        self._begun = self._record = 0
        for fault, point in record:
            self.ended(self.begun(), fault, point)
        if self._suspects(at_end=False):  # somebody took them for failures all the same
            self._last_ok = self.begun()
        self._record = self._begun

    def begun(self) -> int:
        """Return the place of an evaluation that begins now."""
        self._begun += 1
        return self._begun - 1

    def ended(self, place: int, fault: Fault | None, point: Position = ()) -> None:
        """Note how an evaluation has ended.

        Args:
            place: among those that began.
            fault: why it failed; None for a success.
            point: coordinates in the unit box; none where nobody knows them.
        """
        self._points[place] = point
        if fault is not None:
            self._faults[place] = fault
            return
        self._ok += 1
        self._last_ok = max(self._last_ok, place)

    @property
    def results(self) -> int:
        """How many there are."""
        return self._ok + len(self._faults)

    def is_settled(self, place: int) -> bool:
        """Return whether an evaluation that began later has succeeded."""
        return place < self._last_ok

    def suspects(self, *, at_end: bool = False) -> tuple[Fault, ...]:
        """Return the failures that are too many in a row, the last ones; none where chance may have brought them.

        Looked at are those that look like the last one, and what else is one of their kind; or else all failures since
        the last success, whatever they look like, and all others.

        Args:
            at_end: whether the run has come to its end, so that nothing more will be known.
        """
        return self._suspects(at_end=at_end) if max(self._faults, default=-1) >= self._record else ()

    def _suspects(self, *, at_end: bool) -> tuple[Fault, ...]:
        places = [place for place in sorted(self._faults) if place > self._last_ok]
        row = [self._faults[place] for place in places]
        start = len(row)
        while start and row[start - 1].looks_like(row[-1]):
            start -= 1
        alike = row[start:]
        if self._limit is not None:
            return tuple(alike) if len(alike) >= self._limit else ()
        if len(row) < FEWEST:
            return ()
        bound = (_AT_END if self._ok else _FRUITLESS) if at_end else _CHANCE
        others = [fault for place, fault in self._faults.items() if place < self._last_ok]
        of_kind = [each for each in (*others, *row[:start]) if not each.reason or each.looks_like(row[-1])]
        spots, not_so = self._spots(places[start:]), self._ok + len(others) + start - len(of_kind)
        if spots >= FEWEST and chance(spots, len(of_kind), not_so, self._usual(alike)) < bound:
            return tuple(alike)
        can_be_taken_back = all(fault.reason for fault in row)
        spots = self._spots(places)
        if can_be_taken_back and spots >= FEWEST and chance(spots, len(others), self._ok, self._usual(row)) < bound:
            return tuple(row)
        return ()

    def _usual(self, faults: Iterable[Fault]) -> float:
        """Return the share of such failures that a simulator may have."""
        words = _NO_POINT if self._ok else _NEVER_RIGHT
        return _RARE if all(words.search(fault.reason) for fault in faults) else _USUAL

    def _spots(self, places: Iterable[int]) -> int:
        """Return how many points there are at places, those at one spot counted once."""
        found: list[Position] = []
        for point in (self._points[place] for place in places):
            if not point or not any(_are_one(point, other) for other in found):
                found.append(point)
        return len(found)


def _are_one(one: Position, other: Position) -> bool:
    return bool(other) and all(abs(x - y) < _SPOT for x, y in zip(one, other, strict=True))


def chance(length: int, failures: int, others: int, usual: float = _USUAL) -> float:
    """Return the chance of a row of failures at the rate that others have shown.

    It is the smaller one of two: the predictive one, all rates being as likely at first; and that of the rate seen, or
    of the largest one that may be usual. The first one alone takes no number of failures for too many where few
    results are known, the second one knows no doubt about a rate.

    Args:
        length: of the row.
        failures: that came before.
        others: other results that came before.
        usual: the largest share of failures that may be usual.
    """
    predicted = 1.0
    for number in range(length):
        predicted *= (failures + number + 1) / (failures + others + number + 2)
    rate = failures / (failures + others) if others else 0.0
    return min(predicted, max(rate, usual) ** length)
