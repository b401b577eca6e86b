"""An experiment: all runs that are asked for, as far as they are not on file already."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Executor, Future, wait
from itertools import islice

from ordbo_cli.benchmark.records import RecordFile, RunKey, RunRecord
from ordbo_cli.benchmark.runs import Run, RunOutcome, perform
from ordbo_cli.errors import OrdboError


def on_file(runs: Sequence[Run], known: Mapping[RunKey, Sequence[RunRecord]]) -> dict[RunKey, tuple[RunRecord, ...]]:
    """Return the records of the runs that need not be done: a longer one's first, where a method knows no budget.

    Args:
        runs: which ones.
        known: the complete runs on file.
    """
    longest = {(key.problem, key.method, key.seed, key.initial): key for key in sorted(known, key=lambda k: k.total)}
    found: dict[RunKey, tuple[RunRecord, ...]] = {}
    for run in runs:
        longer = longest.get((run.key.problem, run.key.method, run.key.seed, run.key.initial))
        if run.key in known:
            found[run.key] = tuple(known[run.key])
        elif longer is not None and longer.total > run.key.total and run.contestant.open_ended:
            found[run.key] = tuple(known[longer][: run.key.total])
    return found


def conduct(
    runs: Sequence[Run],
    file: RecordFile,
    executor: Executor,
    at_once: int,
    progress: Callable[[int], None] = lambda _: None,
) -> dict[RunKey, tuple[RunRecord, ...]]:
    """Do the runs that are not on file, write each down as it ends, and return the records of all.

    Args:
        runs: which ones; equal ones count once.
        file: where they are written; what it holds (see :func:`on_file`) is not done again.
        executor: does them.
        at_once: number of runs handed to it at a time: an interrupt loses no more than these.
        progress: called with the number of runs that have just become known, first of those on file.

    Raises:
        DataError, FileError: the file cannot be used.
        OrdboError: a worker died.
    """
    wanted = {run.key: run for run in runs}
    found = on_file(runs, file.open())
    progress(len(found))
    waiting = (run for key, run in wanted.items() if key not in found)
    pending: set[Future[RunOutcome]] = set()
    try:
        while True:
            pending |= {executor.submit(perform, run) for run in islice(waiting, at_once - len(pending))}
            if not pending:
                break
            done, pending = wait(pending, return_when=FIRST_COMPLETED)
            for future in done:
                outcome = future.result()
                file.add(outcome.records, outcome.timing)
                found[outcome.timing.key] = outcome.records
                progress(1)
    except BrokenExecutor:
        raise OrdboError("a worker process died", "Call the same command again: it goes on from the file") from None
    return {key: found[key] for key in wanted}
