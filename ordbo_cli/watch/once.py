"""Requests that are sent again, because their answer was lost: each is carried out once."""

from __future__ import annotations

import asyncio
import re
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final, Generic, TypeVar

_T = TypeVar("_T")
_KEPT: Final = 4096
KEY: Final = re.compile(r"[A-Za-z0-9_-]{16,64}")


class Once(Generic[_T]):
    """Remembers the answers of the newest requests by their keys; of one event loop."""

    def __init__(self) -> None:
        self._answers: OrderedDict[str, asyncio.Task[_T]] = OrderedDict()

    async def answer(self, key: str, act: Callable[[], Awaitable[_T]]) -> _T:
        """Carry a request out, or return what it was answered before; what raised is not remembered.

        It goes on where the one who asked goes away, so that an answer is there when the request comes again.
        """
        task = self._answers.get(key)
        if task is None:
            task = self._answers[key] = asyncio.ensure_future(_of(act))
            task.add_done_callback(lambda done: self._forget(key, done))
            while len(self._answers) > _KEPT:
                self._answers.popitem(last=False)
        return await asyncio.shield(task)

    def _forget(self, key: str, done: asyncio.Task[_T]) -> None:
        if done.cancelled() or done.exception() is not None:
            self._answers.pop(key, None)


async def _of(act: Callable[[], Awaitable[_T]]) -> _T:
    return await act()
