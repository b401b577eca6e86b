"""Proposals that are made in a thread of their own."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import Any, cast

from ordbo_cli.drive.ahead import Ahead
from ordbo_cli.search.step import Proposal
from ordbo_cli.search.step_record import StepRecord
from ordbo_cli.study.study import Study
from tests.unit.drive.conftest import waited_for


class Slow:
    """A study whose every proposal takes as long as a test wants."""

    def __init__(self) -> None:
        self.turns = 0
        self.go_on = Event()

    def prepare(self, number: int, *, wanted: Callable[[], bool]) -> list[Any]:
        """Make proposals one after the other."""
        while self.turns < number and wanted():
            self.turns += 1
            self.go_on.wait(30)
        return []


def test_closing_waits_for_one_proposal_and_not_for_all() -> None:
    """Who interrupts a run does not wait for a whole batch."""
    study = Slow()
    ahead = Ahead(cast(Study, study), lambda: None)
    ahead.make(100, 0)
    assert waited_for(lambda: study.turns == 1)
    closing = Thread(target=ahead.close)
    closing.start()
    assert waited_for(lambda: ahead.closed)
    study.go_on.set()
    closing.join(30)
    assert study.turns == 1


class Ready:
    """A study that has its proposals at once: each is the middle of a cell."""

    def __init__(self, *middles: float) -> None:
        self.middles = list(middles)
        self.asked: list[int] = []

    def prepare(self, number: int, *, wanted: Callable[[], bool]) -> list[Proposal]:
        """Return as many as there are."""
        self.asked.append(number)
        middles, self.middles = self.middles[:number], self.middles[number:]
        return [Proposal((x,), None, StepRecord("acquire", ((x - 1.0, x + 1.0),))) for x in middles]


def taken(ahead: Ahead, number: int, results: int, patience: float = 0.0) -> list[float]:
    """Return the points that are taken, when they are there."""
    found: list[Proposal] | None = None

    def there() -> bool:
        nonlocal found
        found = ahead.take(number, results, patience)
        return found is not None

    assert waited_for(there)
    return [float(proposal.values[0]) for proposal in found or ()]


def test_what_is_ready_goes_out_at_once_and_in_order() -> None:
    """Also where a result has come since, unless it is worth to wait for proposals that know it."""
    study = Ready(1, 2, 3, 10, 11, 20)
    ahead = Ahead(cast(Study, study), lambda: None)
    ahead.make(3, 0)
    assert taken(ahead, 1, 0) == [1]
    assert taken(ahead, 1, 1) == [2]
    assert study.asked == [3]
    assert taken(ahead, 2, 1, patience=60.0) == [10, 11]
    ahead.close()


def test_proposals_that_do_not_know_of_a_point_in_their_cell_are_dropped() -> None:
    """A point that went out while they were made: the same one, or another one of its cell."""
    study = Ready(1, 2, 3, 2.5, 5, 2, 8)
    ahead = Ahead(cast(Study, study), lambda: None)
    ahead.make(3, 0)
    assert taken(ahead, 1, 0) == [1]
    ahead.make(4, 1)
    for out in ((2.0,), (8.0,)):
        ahead.handed_out(out)
    assert waited_for(lambda: not study.middles)
    assert taken(ahead, 4, 1, patience=60.0) == [5]
    ahead.close()


def test_where_none_is_left_nobody_waits() -> None:
    """Then the study itself is asked, which says why; a further result may change that."""
    study = Ready()
    ahead = Ahead(cast(Study, study), lambda: None)
    assert taken(ahead, 2, 0) == []
    assert ahead.take(2, 0, 0.0) == []
    assert study.asked == [2]
    study.middles = [4.0]
    assert taken(ahead, 2, 1) == [4]
    ahead.close()
