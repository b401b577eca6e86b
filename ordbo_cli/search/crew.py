"""The threads of a step: they change its time alone, as the parts of the work are the same whatever their number."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final, TypeVar

from threadpoolctl import ThreadpoolController

Part = TypeVar("Part")
Result = TypeVar("Result")


@dataclass(frozen=True)
class Crew:
    """Threads that work is spread over.

    Args:
        pool: of them; None for the caller's thread alone.
    """

    pool: ThreadPoolExecutor | None = None

    def map(self, work: Callable[[Part], Result], parts: Sequence[Part]) -> list[Result]:
        """Return what becomes of each part, in order. The work draws no random numbers, and waits for no other part."""
        if self.pool is None or len(parts) < 2:
            return [work(part) for part in parts]
        return list(self.pool.map(work, parts))


SINGLE: Final = Crew()


@contextmanager
def crew_of(threads: int) -> Iterator[Crew]:
    """Keep linear algebra at one thread, so that sums are taken in one order, and offer threads for the work around it.

    Args:
        threads: how many, at least 1.
    """
    libraries = ThreadpoolController()

    def one_each() -> None:  # where OpenMP is below, each thread has a limit of its own
        libraries.limit(limits=1)

    with libraries.limit(limits=1):
        if threads == 1:
            yield SINGLE
            return
        with ThreadPoolExecutor(threads, thread_name_prefix="step", initializer=one_each) as pool:
            yield Crew(pool)
