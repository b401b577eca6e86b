"""Where work is done: in this process, in threads, in other processes, on a Dask cluster or in jobs of Slurm."""

from __future__ import annotations

import contextlib
import functools
import multiprocessing
import re
import signal
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, ParamSpec, TypeAlias, TypeVar

from ordbo_cli.errors import FileError, UsageError

if TYPE_CHECKING:
    from ordbo_cli.drive.processes.slurm import SlurmOptions

P = ParamSpec("P")
T = TypeVar("T")
Awaited: TypeAlias = Callable[[], Callable[[], bool]]


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
    with _client(scheduler) as client:
        pool = client.get_executor(retries=2)
        try:
            yield pool, 2 * max(1, sum(client.ncores().values()))
        finally:
            pool.shutdown(wait=False)


@contextlib.contextmanager
def _client(scheduler: str) -> Iterator[Any]:
    """Open a connection to a Dask cluster whose workers know what they are to do."""
    try:
        from distributed import Client
    except ImportError:
        raise UsageError("--scheduler needs distributed", "Install it: pip install 'ordbo[dask]'") from None
    if not re.search(r"^inproc://|:[0-9]+/?$", scheduler):  # distributed prints tracebacks about it, half a minute long
        raise UsageError(f"--scheduler is {scheduler!r}, no address with a port", "Give it as tcp://host:8786")
    try:
        client = Client(scheduler, timeout=10, set_as_default=False)
    except (OSError, ValueError) as error:  # a time-out is an OSError
        raise FileError(
            f"the scheduler {scheduler} does not answer: {error}", "Is it running, and the same version?"
        ) from None
    with client:
        # A worker that lacks the package dies of the first job, and the job waits for ever.
        lacking = [worker for worker, found in client.run(find_spec, "ordbo_cli").items() if found is None]
        if lacking:
            hint = "Install the same version there as here"
            raise FileError(f"the worker {lacking[0]} of the cluster has no ordbo", hint)
        yield client


@dataclass(frozen=True)
class Workers:
    """Where simulations are done.

    Args:
        executor: takes ``submit(simulate, job)``.
        at_once: how many are done at the same time.
        stop: ends those that run and lets no other one begin: what is not done answers that it was stopped. Here it
            returns when all have ended; on a cluster they end soon.
    """

    executor: Executor
    at_once: int
    stop: Callable[[], None]


@contextlib.contextmanager
def workers(number: int | None, scheduler: str | None, slurm: SlurmOptions | None = None) -> Iterator[Workers]:
    """Open what simulations are done by; where the block is left by an exception, those that run are ended.

    Args:
        number: of simulations at once; None for one on this machine and in Slurm, and for all threads of a cluster.
        scheduler: address of a Dask scheduler, such as ``tcp://host:8786``; None for threads of this process.
        slurm: what jobs of Slurm ask for that do them instead.

    Raises:
        UsageError: ``distributed`` or ``submitit`` is not installed.
        FileError: the scheduler does not answer, or this machine hands in no jobs.
    """
    run = uuid.uuid4().hex  # others may use the same process, or the same cluster
    opening = _threads if scheduler is None else functools.partial(_cluster, scheduler)
    with (opening if slurm is None else functools.partial(_slurm, slurm))(number, run) as opened:
        try:
            yield opened
        except BaseException:
            opened.stop()
            raise


@contextlib.contextmanager
def _threads(number: int | None, run: str) -> Iterator[Workers]:
    from ordbo_cli.drive.processes.children import CHILDREN
    from ordbo_cli.drive.processes.processes import adopt_orphans

    adopt_orphans()  # where all helpers are ended what they left comes here
    try:
        with ThreadPoolExecutor(number or 1, thread_name_prefix="ordbo-run") as pool:
            yield Workers(_PartOfRun(pool, run), number or 1, functools.partial(CHILDREN.end, run=run))
    finally:
        adopt_orphans(False)


@contextlib.contextmanager
def _cluster(scheduler: str, number: int | None, run: str) -> Iterator[Workers]:
    with _client(scheduler) as client:
        # Not pure: the same point may be simulated twice. What a dead worker did is done again by another one.
        pool = client.get_executor(pure=False, retries=2)

        def stop() -> None:
            with contextlib.suppress(Exception):  # of a cluster that is gone there is nothing left to stop
                client.run(_stop_children, run, on_error="ignore")

        try:
            part = _PartOfRun(pool, run, _awaited)
            yield Workers(part, number or max(1, sum(client.nthreads().values())), stop)
        finally:
            pool.shutdown(wait=False)


@contextlib.contextmanager
def _slurm(options: SlurmOptions, number: int | None, run: str) -> Iterator[Workers]:
    from ordbo_cli.drive.processes.slurm import SlurmPool

    with SlurmPool(options) as pool:
        yield Workers(_PartOfRun(pool, run), number or 1, pool.stop)


def _here() -> Callable[[], bool]:
    return lambda: True  # the driver is this process


class _PartOfRun(Executor):
    """Hands on to another executor, with the name of the run that it is for.

    Args:
        executor: that one.
        run: the name.
        awaited: called where the work is done, before it begins; returns what says whether anybody waits for it.
    """

    def __init__(self, executor: Executor, run: str, awaited: Awaited = _here) -> None:
        self._executor = executor
        self._run = run
        self._awaited = awaited

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Let a function be called as part of the run."""
        return self._executor.submit(_call, self._run, self._awaited, functools.partial(fn, *args, **kwargs))


def _call(run: str, awaited: Awaited, function: Callable[[], T]) -> T:
    from ordbo_cli.drive.processes.children import part_of

    with part_of(run, awaited()):
        return function()


def _awaited() -> Callable[[], bool]:
    """In a worker of a cluster: return what says whether its task has still a driver that is alive and wants it."""
    from distributed import get_worker

    worker = get_worker()
    key = worker.get_current_task()

    def is_awaited() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state != "cancelled"

    return is_awaited


def _stop_children(run: str) -> None:
    """In a worker of a cluster: let its threads end the children of a run, and go on for others."""
    from ordbo_cli.drive.processes.children import CHILDREN

    CHILDREN.end(run=run, wait=False)
