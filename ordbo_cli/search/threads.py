"""The threads of a step: they change its time alone, as the parts of the work are the same whatever their number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Final, TypeVar

from threadpoolctl import ThreadpoolController

from ordbo_cli.room import threads_with_room

Part = TypeVar("Part")
Result = TypeVar("Result")


@dataclass(frozen=True)
class ThreadPool:
    """Threads that work is spread over.

    Args:
        executor: of them; None for the caller's thread alone.
    """

    executor: ThreadPoolExecutor | None = None

    def map(self, work: Callable[[Part], Result], parts: Sequence[Part]) -> list[Result]:
        """Return what becomes of each part, in order. The work draws no random numbers, and waits for no other part."""
        if self.executor is None or len(parts) < 2:
            return [work(part) for part in parts]
        return list(self.executor.map(work, parts))


SINGLE: Final = ThreadPool()


class _OneThreadEach:
    """The limit of linear algebra, which is the process's: it stands until the last of those who need it leaves."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._inside = 0
        self._libraries: ThreadpoolController | None = None
        self._lift: Callable[[], None] = lambda: None

    def __enter__(self) -> None:
        with self._lock:
            if not self._inside:
                self._libraries = ThreadpoolController()
                self._lift = self._libraries.limit(limits=1).restore_original_limits
            self._inside += 1

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                self._lift()

    def begin_thread(self) -> None:
        """Set the limit in a thread that has just begun: where OpenMP is below, each thread has its own."""
        if self._libraries is not None:
            self._libraries.limit(limits=1)


_ONE_THREAD_EACH: Final = _OneThreadEach()


@contextmanager
def thread_pool(threads: int) -> Iterator[ThreadPool]:
    """Keep linear algebra at one thread, so that sums are taken in one order, and offer threads for the work around it.

    Args:
        threads: how many, at least 1; fewer where memory is limited.
    """
    threads = threads_with_room(threads)
    with _ONE_THREAD_EACH:
        if threads == 1:
            yield SINGLE
            return
        begin = _ONE_THREAD_EACH.begin_thread
        with ThreadPoolExecutor(threads, thread_name_prefix="step", initializer=begin) as pool:
            yield ThreadPool(pool)
