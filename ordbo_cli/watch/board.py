"""What a page shows, part by part, and who waits for it to change."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Mapping, Sequence


class Board:
    """The parts of one page as they are now, each with the version in which it changed; of one event loop.

    A browser that knows a version is sent what changed since, so nothing is kept of what went before.

    Args:
        epoch: of this process: versions of another one say nothing here.
    """

    def __init__(self, epoch: str = "") -> None:
        self.epoch = epoch or secrets.token_hex(8)
        self.version = 0
        self._parts: dict[str, tuple[str, int]] = {}
        self._order: tuple[str, ...] = ()
        self._news: tuple[str, int] = ("", 0)
        self._bell = asyncio.Event()
        self.closed = False

    def close(self) -> None:
        """Let all who wait go."""
        self.closed = True
        self._bell.set()

    def publish(self, parts: Mapping[str, str], order: Sequence[str], news: str = "") -> None:
        """Show these parts and no others.

        Args:
            parts: HTML by id.
            order: ids of those that are sections, from the top.
            news: what happened, in words, "" for nothing.
        """
        changed = {id for id, html in parts.items() if self._parts.get(id, ("", 0))[0] != html}
        if not (changed or news or parts.keys() != self._parts.keys() or tuple(order) != self._order):
            return
        self.version += 1
        self._parts = {id: (html, self.version if id in changed else self._parts[id][1]) for id, html in parts.items()}
        self._order = tuple(order)
        if news:
            self._news = news, self.version
        bell, self._bell = self._bell, asyncio.Event()
        bell.set()

    def since(self, epoch: str, version: int) -> dict[str, object]:
        """Return what changed after a version, as JSON has it; everything where that is one of another process."""
        before = version if epoch == self.epoch else 0
        return {
            "epoch": self.epoch,
            "version": self.version,
            "order": self._order,
            "parts": {id: html for id, (html, changed) in self._parts.items() if changed > before},
            "news": self._news[0] if before and self._news[1] > before else "",
            "now": time.time(),
        }

    async def changed(self, version: int) -> int:
        """Wait until there is a later version than this one, or the board is closed, and return the version."""
        while self.version <= version and not self.closed:
            await self._bell.wait()
        return self.version
