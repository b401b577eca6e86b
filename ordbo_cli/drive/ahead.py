"""Suggestions made while the workers are busy, so that none of them waits for one."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TYPE_CHECKING

from ordbo_cli.errors import OrdboError
from ordbo_cli.study.reading.ledger import Values
from ordbo_cli.study.study import Study

if TYPE_CHECKING:
    from ordbo_cli.search.step import Proposal


class Ahead:
    """Makes proposals in a thread of its own.

    Args:
        study: whose next points are proposed.
        wake: called, in that thread, when there are new ones.
    """

    def __init__(self, study: Study, wake: Callable[[], None]) -> None:
        self._study = study
        self._wake = wake
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="ahead")
        self._making: Future[list[Proposal]] | None = None
        self._begun_with = -1
        self._ready: list[Proposal] = []
        self._ready_with = -1
        self._none_left = False
        self._handed: list[Values] = []
        self._seconds = 0.0
        self.closed = False

    def make(self, number: int, results: int) -> None:
        """Begin to make proposals, unless some are being made or there are enough that know all results.

        Args:
            number: how many there should be.
            results: number of results by now.
        """
        self._gather()
        enough = len(self._ready) >= number and self._ready_with == results
        if self._making is None and not enough and number > 0:
            self._begun_with = results
            self._handed.clear()
            self._making = self._thread.submit(self._made, number)
            self._making.add_done_callback(lambda _: self._wake())

    def take(self, number: int, results: int, patience: float) -> list[Proposal] | None:
        """Return proposals that are ready; None where it is better to wait for the next ones.

        Args:
            number: how many at most.
            results: number of results by now.
            patience: seconds that proposals which know the last result are worth waiting for.

        Returns:
            An empty list where none could be made: then the study itself says why.
        """
        self._gather()
        if self._none_left and self._ready_with == results:
            return []
        if not self._ready or (self._ready_with != results and self._seconds < patience):
            self.make(number, results)
            return None
        taken, self._ready = self._ready[:number], self._ready[number:]
        return taken

    def handed_out(self, values: Values) -> None:
        """Note that a point is out: what is being made does not know of it, and may choose the same cell."""
        self._handed.append(values)

    def close(self) -> None:
        """Wait for the one proposal that is being made, and end the thread."""
        self.closed = True
        self._thread.shutdown(cancel_futures=True)

    def _gather(self) -> None:
        """Put what was made in place of what was ready: it knows more results."""
        if self._making is not None and self._making.done():
            made = self._making.result()
            self._none_left = not made
            self._ready = [each for each in made if not any(map(each.is_taken_by, self._handed))]
            self._ready_with, self._making = self._begun_with, None

    def _made(self, number: int) -> list[Proposal]:
        start = time.perf_counter()
        try:
            return self._study.prepare(number, wanted=lambda: not self.closed)
        except OrdboError:  # the study says it again, under its lock, when it is asked
            return []
        finally:
            self._seconds = time.perf_counter() - start
