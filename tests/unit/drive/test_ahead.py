"""Proposals that are made in a thread of their own."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread
from typing import Any, cast

from ordbo_cli.drive.ahead import Ahead
from ordbo_cli.study import Study
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
