"""Where runs are done: in this process, in several, or on a Dask cluster; one interface for all three."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from typing import ParamSpec, TypeVar

from ordbo_cli.errors import FileError, UsageError

P = ParamSpec("P")
T = TypeVar("T")


class Here(Executor):
    """Does what it is given at once, in this process."""

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Call a function and return its result as a future that is done."""
        future: Future[T] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@contextlib.contextmanager
def executor(jobs: int, scheduler: str | None) -> Iterator[tuple[Executor, int]]:
    """Open what runs are done by, and the number of them to hand out at a time.

    Args:
        jobs: number of processes of this machine.
        scheduler: address of a Dask scheduler, such as ``tcp://host:8786``, whose workers are used instead.

    Raises:
        UsageError: ``distributed`` is not installed.
        FileError: the scheduler does not answer.
    """
    if scheduler is not None:
        with _dask(scheduler) as opened:
            yield opened
    elif jobs == 1:
        yield Here(), 1
    else:
        # spawn, because TensorFlow and PyTorch do not survive a fork
        pool = ProcessPoolExecutor(jobs, mp_context=multiprocessing.get_context("spawn"), initializer=_begin_worker)
        try:
            yield pool, 2 * jobs
        except BaseException:
            pool.shutdown(wait=False, cancel_futures=True)
            for worker in multiprocessing.active_children():
                worker.terminate()  # what they had begun is done again when the experiment goes on
            raise
        pool.shutdown()


def _begin_worker() -> None:
    """Let an interrupt end a worker without a traceback: the process that started it tells people."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@contextlib.contextmanager
def _dask(scheduler: str) -> Iterator[tuple[Executor, int]]:
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("--scheduler needs distributed", "Install it: pip install 'ordbo[dask]'") from None
    try:
        client = Client(scheduler, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:  # a time-out is an OSError
        raise FileError(
            f"the scheduler {scheduler} does not answer: {error}", "Is it running, and the same version?"
        ) from None
    with client:
        pool = client.get_executor(retries=2)
        try:
            yield pool, 2 * max(1, sum(client.ncores().values()))
        finally:
            pool.shutdown(wait=False)
