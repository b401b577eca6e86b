"""Looks at files again and again, while anybody wants to know."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Awaitable, Callable


class Looking:
    """Looks now and then, for as long as somebody is inside :meth:`watched`.

    Args:
        look: that is done.
        pause: seconds between two looks, at least.
        share: times as long as a look took, that is waited until the next.
    """

    def __init__(self, look: Callable[[], Awaitable[None]], pause: float, share: float) -> None:
        self._look = look
        self._pause = pause
        self._share = share
        self._lookers = 0
        self._task: asyncio.Task[None] | None = None

    @contextlib.asynccontextmanager
    async def watched(self) -> AsyncIterator[None]:
        """Look for the time of an ``async with`` block, for the first time before it begins."""
        self._lookers += 1
        try:
            if self._task is None:
                await self._look()
            if self._task is None:  # nobody began meanwhile
                self._task = asyncio.create_task(self._go_on())
            yield
        finally:
            self._lookers -= 1
            if not self._lookers and self._task is not None:
                self._task.cancel()
                self._task = None

    async def _go_on(self) -> None:
        while True:
            start = time.monotonic()
            await self._look()
            await asyncio.sleep(max(self._pause, self._share * (time.monotonic() - start)))
