"""Evaluations as jobs of a Slurm cluster, handed in by submitit: those that are asked for together as one array."""

from __future__ import annotations

import contextlib
import functools
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import CancelledError, Executor, Future
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import mkdtemp
from typing import Any, Final, ParamSpec, TypeVar

from ordbo_cli.errors import FileError, OrdboError, UsageError
from ordbo_cli.problem.spelling import shown, shown_path

P = ParamSpec("P")
T = TypeVar("T")

_TOGETHER: Final = 0.2  # seconds within which what is asked for goes out as one array
_LOOK: Final = 0.5  # seconds between looks at the files that results come in
_ASK: Final = 5.0  # seconds between questions to Slurm
_LATE: Final = 20.0  # seconds that a result may come after Slurm knows the job no more, as network file systems wait
_OURS: Final = ("array", "error", "job-name", "open-mode", "output", "signal", "wrap", "wait", "parsable")


@dataclass(frozen=True)
class SlurmOptions:
    """What jobs ask of Slurm.

    Args:
        name: of the jobs.
        folder: that all nodes see; a folder for the files of the jobs is made in it.
        options: of ``sbatch``, long names with their values, True where there is none.
    """

    name: str
    folder: Path
    options: Mapping[str, str | bool]

    @classmethod
    def parse(cls, text: str, name: str, folder: Path, timeout: float | None) -> SlurmOptions:
        """Return options as people write them for ``sbatch``: ``--partition=short --time 2:00:00``.

        Args:
            text: the options.
            name: of the jobs.
            folder: that all nodes see.
            timeout: seconds that an evaluation may take; None for no limit.

        Raises:
            UsageError: it holds something else, or one that is ours; nothing says how long a job may take.
        """
        options: dict[str, str | bool] = {}
        try:
            words = shlex.split(text)
        except ValueError as error:
            raise UsageError(
                f"--slurm: {error}", "Write it as for sbatch: '--partition=short --time=2:00:00'"
            ) from None
        last = ""
        for word in words:
            if word.startswith("--"):
                last, equals, value = word[2:].partition("=")
                options[last] = value if equals else True
            elif last and options[last] is True:
                options[last] = word
            else:
                hint = "Write long names: '--partition=short --time=2:00:00'"
                raise UsageError(f"--slurm: {shown(word)} is no option of sbatch", hint)
        if ours := [name for name in options if name in _OURS]:
            raise UsageError(f"--slurm: --{ours[0]} is set by ordbo", "Leave it out")
        if "time" not in options:
            if timeout is None:
                hint = "Say how long a job may take: --slurm '--time=2:00:00', or --timeout 2h for an evaluation"
                raise UsageError("--slurm says nothing of the time", hint)
            options["time"] = str(int(timeout // 60) + 2)  # minutes
        return cls(name, folder, options)


@dataclass
class _Submitted:
    """A job that is out.

    Args:
        job: of submitit.
        gone: since when Slurm knows it no more, by the clock of this process; None while it does.
    """

    job: Any
    gone: float | None = None


@dataclass(frozen=True)
class _Asked:
    """Work that is to be handed in."""

    future: Future[Any]
    call: Callable[[], Any] = field(repr=False)


class SlurmPool(Executor):
    """Does what it is given in jobs of Slurm.

    A result is the file in which submitit leaves it. A job that Slurm knows no more and that left none was lost: the
    node died, or it was cancelled, or its time was over.

    Args:
        options: of the jobs.

    Raises:
        UsageError: submitit is not installed.
        FileError: this is no machine that hands jobs in.
    """

    def __init__(self, options: SlurmOptions) -> None:
        try:
            from submitit import SlurmExecutor
        except ImportError:
            raise UsageError("--slurm needs submitit", "Install it: pip install 'ordbo[slurm]'") from None
        if lacking := [program for program in ("sbatch", "squeue", "scancel", "srun") if not shutil.which(program)]:
            raise FileError(f"there is no {lacking[0]}", "Call it where jobs are handed in, a login node")
        self._folder = Path(mkdtemp(prefix="slurm-", dir=options.folder))  # nobody else's, as it is deleted at the end
        self._executor = SlurmExecutor(folder=self._folder, max_num_timeout=0)
        self._executor.update_parameters(
            job_name=options.name,
            use_srun=False,  # which would keep the simulator from calling srun itself
            additional_parameters=dict(options.options),
        )
        self._lock = threading.Lock()
        self._asked: list[_Asked] = []
        self._out: dict[Future[Any], _Submitted] = {}
        self._ended = threading.Event()
        self._stopped = False
        self._lost = False
        self._thread = threading.Thread(target=self._work, name="ordbo-slurm", daemon=True)
        self._thread.start()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Let a function be called in a job; it and its arguments have to be known on the nodes."""
        future: Future[T] = Future()
        with self._lock:
            if self._stopped:
                future.cancel()
            else:
                self._asked.append(_Asked(future, functools.partial(fn, *args, **kwargs)))
        return future

    def stop(self) -> None:
        """Cancel all jobs; what has left no result ends as cancelled."""
        with self._lock:
            self._stopped = True
            asked, self._asked = self._asked, []
            ids = [each.job.job_id for each in self._out.values()]
        for each in asked:
            each.future.cancel()
        if ids:
            with contextlib.suppress(OSError, subprocess.TimeoutExpired):  # of a Slurm that does not answer
                subprocess.run(["scancel", "--quiet", *ids], check=False, capture_output=True, timeout=60)
        with self._lock:
            for future, submitted in list(self._out.items()):
                if not self._is_done(future, submitted):
                    del self._out[future]
                    future.set_exception(CancelledError())

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End; the files of the jobs go, unless one was lost, whose log tells why."""
        self._ended.set()
        self._thread.join()
        if not self._lost:
            shutil.rmtree(self._folder, ignore_errors=True)

    def _work(self) -> None:
        """Hand in what is asked for, and take results, until the end."""
        asked_slurm = 0.0
        while not self._ended.wait(_TOGETHER if self._asked else _LOOK):
            self._hand_in()
            with self._lock:
                for future, each in list(self._out.items()):
                    self._is_done(future, each)
                if self._out and time.monotonic() - asked_slurm > _ASK:
                    asked_slurm = time.monotonic()
                    self._look_for_lost()

    def _hand_in(self) -> None:
        with self._lock:
            asked, self._asked = self._asked, []
            asked = [each for each in asked if each.future.set_running_or_notify_cancel()]
            if not asked:
                return
            try:
                with self._executor.batch():
                    jobs = [self._executor.submit(_called, each.call) for each in asked]
                self._out |= {each.future: _Submitted(job) for each, job in zip(asked, jobs, strict=True)}
            except Exception as error:  # whatever sbatch, submitit or the file system have against it
                for each in asked:
                    each.future.set_exception(_refused(error))

    def _is_done(self, future: Future[Any], each: _Submitted) -> bool:
        """Return whether a job has left a result, which its future has then."""
        if not each.job.paths.result_pickle.exists():
            return False
        del self._out[future]
        try:
            failed = each.job.exception()
            result, error = (None, None) if failed is not None else each.job.result()
        except Exception as unreadable:  # whatever stands in the file: the others' results are still to be taken
            failed = unreadable
        if failed is not None:
            self._lost = True
            future.set_exception(RuntimeError(str(failed).strip().split("\n")[-1]))
        elif error is not None:
            future.set_exception(error)
        else:
            future.set_result(result)
        return True

    def _look_for_lost(self) -> None:
        """Give up jobs that Slurm knows no more and that have left no result for a while."""
        known = _known_to_slurm(self._out.values())
        for future, each in list(self._out.items()):
            if known is None or each.job.job_id in known:
                each.gone = None
            elif each.gone is None:
                each.gone = time.monotonic()
            elif time.monotonic() - each.gone > _LATE:
                del self._out[future]
                self._lost = True
                future.set_exception(RuntimeError(_why_lost(each.job)))


def _called(call: Callable[[], T]) -> tuple[T | None, OrdboError | None]:
    """On a node: return what a call gives, or the error in words that it raises, which would come back as a text."""
    try:
        return call(), None
    except OrdboError as error:
        return None, error


def _known_to_slurm(jobs: Any) -> set[str] | None:
    """Return the ids of jobs that wait or run; None where Slurm does not answer."""
    ids = ",".join(each.job.job_id.split("_")[0] for each in jobs)
    command = ["squeue", "--noheader", "--array", "--format=%i", f"--jobs={ids}"]
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
        if done.returncode == 0 or "Invalid job id" in done.stderr:
            return set(done.stdout.split())
    return None


def _why_lost(job: Any) -> str:
    """Return what Slurm wrote last about a job."""
    lines: Sequence[str] = ()
    with contextlib.suppress(OSError):
        lines = job.paths.stderr.read_text(errors="replace").split("\n")
    said = next((line for line in reversed(lines) if "slurm" in line and "error" in line), "Slurm knows it no more")
    return f"{shown(said.strip())} (job {job.job_id}, {shown_path(job.paths.stderr)})"


def _refused(error: Exception) -> FileError:
    text = str(error).strip()
    said = next((line for line in reversed(text.splitlines()) if "error" in line.lower()), text.split("\n")[-1])
    return FileError(f"the job was not handed in: {shown(said)}", "Is it what sbatch takes? The points stay pending")
