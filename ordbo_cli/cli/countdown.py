"""How long something that goes step by step still takes."""

from __future__ import annotations

import time
from collections.abc import Callable

from ordbo_cli.cli.summary import span


class Countdown:
    """The time that is left, at the pace so far: each step sets it anew, and between two steps it counts down.

    Args:
        done: steps that were done before, from which no pace follows.
        clock: seconds since any moment.
    """

    def __init__(self, done: int = 0, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._start = self._last = clock()
        self._first = self._done = done
        self._due: float | None = None

    def at(self, done: int, left: int) -> None:
        """Take note that so many steps are done and so many left; no more than before are those of a new count."""
        now = self._clock()
        if done <= self._done:
            self._start, self._first = self._last, 0
        self._done, self._last = done, now
        if done > self._first:
            self._due = now + (now - self._start) * left / (done - self._first)

    def __str__(self) -> str:
        """Return the time left in words; "-" before a pace is known."""
        if self._due is None:
            return "-"
        left = self._due - self._clock()
        return f"about {span(left)}" if left >= 1.0 else "any moment"
