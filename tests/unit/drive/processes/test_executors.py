"""Where simulations are done: threads of this process, or a Dask cluster."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest

from ordbo_cli.drive.processes.children import CHILDREN
from ordbo_cli.drive.processes.executors import workers
from ordbo_cli.drive.simulation.simulate import Answer, simulate
from ordbo_cli.errors import FileError, UsageError
from tests.unit.drive.conftest import MakeJob, pid_in, runs, waited_for

ROOT = Path(__file__).parents[4]


def test_threads_are_as_many_as_asked_for(make_job: MakeJob) -> None:
    """Three simulations that wait for each other need three of them; without a number there is one."""
    script = "touch ../{id}.here; until [ -e ../1.here ] && [ -e ../2.here ] && [ -e ../3.here ]; do sleep 0.01; done"
    with workers(3, None) as pool:
        jobs = [make_job("sh", "-c", script + "; echo {id}", id=id, in_folder=True, timeout=60) for id in (1, 2, 3)]
        futures = [pool.executor.submit(simulate, job) for job in jobs]
        assert [future.result(60).objective for future in futures] == ["1", "2", "3"]
        assert pool.at_once == 3
    with workers(None, None) as pool:
        assert pool.at_once == 1


def test_stopped_threads_answer_so(make_job: MakeJob) -> None:
    """What runs has ended when stop returns; what waits never begins; the next workers are not concerned."""
    with workers(1, None) as pool:
        first = make_job("sh", "-c", "echo $$ > pid; sleep 100", id=1, in_folder=True)
        futures = [pool.executor.submit(simulate, job) for job in (first, make_job("echo", "1", id=2))]
        pid = pid_in(first.folder / "pid")
        with workers(1, None) as other:
            pool.stop()
            assert not runs(pid)
            assert [future.result(30).stopped for future in futures] == [True, True]
            assert other.executor.submit(simulate, make_job("echo", "1", id=3)).result(30).objective == "1"
    assert not (first.folder.parent / "2").exists()


def test_an_exception_ends_what_runs(make_job: MakeJob) -> None:
    """An interrupt does not wait for hours of simulation."""
    job = make_job("sh", "-c", "echo $$ > pid; sleep 100", in_folder=True)
    future: Future[Answer] | None = None

    def interrupted() -> None:
        nonlocal future
        with workers(2, None) as pool:
            future = pool.executor.submit(simulate, job)
            pid_in(job.folder / "pid")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert future is not None
    assert future.result(0).stopped


@pytest.mark.slow
def test_exit_statuses_count_where_sigchld_is_ignored(tmp_path: Path) -> None:
    """Some launchers hand that on: every exit status would look like a 0."""
    code = (
        "import signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN); from pathlib import Path\n"
        "from ordbo_cli.drive.simulation.command import Command\n"
        "from ordbo_cli.drive.processes.executors import workers\n"
        "from ordbo_cli.drive.simulation.simulate import Job, simulate\n"
        "from ordbo_cli.problem import Parameter, Problem\n"
        "problem = Problem((Parameter('x', 0, 1),)); base = Path(sys.argv[1])\n"
        "command = Command.prepare(problem, ['sh', '-c', 'echo 1; exit 3'], cwd=base)\n"
        "job = Job(1, 1, {'x': 0.5}, base / '1', command, problem)\n"
        "with workers(1, None) as pool: print(pool.executor.submit(simulate, job).result().fault)\n"
    )
    settings = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], env=settings, capture_output=True, text=True, timeout=60
    )
    assert done.stdout == "exit status 3\n"


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a cluster of one worker process with two threads."""
    distributed = pytest.importorskip("distributed")
    with distributed.LocalCluster(n_workers=1, threads_per_worker=2, dashboard_address=None) as opened:
        yield opened.scheduler_address


@pytest.mark.slow
@pytest.mark.dask
@pytest.mark.filterwarnings("ignore")  # distributed warns about its own use of Python and tornado
def test_a_cluster_simulates(make_job: MakeJob, cluster: str) -> None:
    """In its own processes, as many at once as it has threads, or as asked for; equal jobs are done each."""
    with workers(None, cluster) as pool:
        assert pool.at_once == 2
        job = make_job("sh", "-c", "echo 0.31", in_folder=True)
        assert pool.executor.submit(simulate, job).result(60).objective == "0.31"
        assert (job.folder / "stdout").read_text() == "0.31\n"
        alike = [pool.executor.submit(os.urandom, 8) for _ in range(2)]
        assert alike[0].result(60) != alike[1].result(60)
        assert pool.executor.submit(os.getpid).result(60) != os.getpid()
    with workers(5, cluster) as pool:
        assert pool.at_once == 5


@pytest.mark.dask
@pytest.mark.filterwarnings("ignore")
def test_a_cluster_is_stopped_for_one_run_only(make_job: MakeJob, cluster: str) -> None:
    """What runs is ended, what waits never begins; another driver's simulation on the same cluster goes on."""
    with workers(None, cluster) as other, workers(None, cluster) as pool:
        script = "echo $$ > pid; until [ -e ../go ]; do sleep 0.05; done; echo 1"
        jobs = [make_job("sh", "-c", script, id=id, in_folder=True) for id in (1, 2, 3)]
        theirs = other.executor.submit(simulate, jobs[0])
        ours = [pool.executor.submit(simulate, job) for job in jobs[1:]]
        pids = [pid_in(job.folder / "pid") for job in jobs[:2]]
        pool.stop()
        assert [future.result(60).stopped for future in ours[:1]] == [True]
        (jobs[0].folder.parent / "go").touch()
        assert theirs.result(60).objective == "1"
        assert ours[1].result(60).stopped
        assert not any(map(runs, pids))
        assert not jobs[2].folder.exists()
    with workers(None, cluster) as pool:
        assert pool.executor.submit(simulate, make_job("echo", "2", id=4)).result(60).objective == "2"


@pytest.mark.slow
@pytest.mark.dask
@pytest.mark.filterwarnings("ignore")
def test_what_a_killed_worker_did_is_done_again(make_job: MakeJob, cluster: str) -> None:
    """Its simulation ends with it, and the next worker begins in an empty folder."""
    script = "[ -e ../again ] && echo 0.31 && exit; touch ../again; echo $$ > ../pid; sleep 100"
    job = make_job("sh", "-c", script, in_folder=True)
    with workers(1, cluster) as pool:
        worker = pool.executor.submit(os.getpid).result(60)
        future = pool.executor.submit(simulate, job)
        pid = pid_in(job.folder.parent / "pid")
        os.kill(worker, signal.SIGKILL)
        assert future.result(120).objective == "0.31"
        assert waited_for(lambda: not runs(pid))


@pytest.mark.slow
@pytest.mark.dask
@pytest.mark.filterwarnings("ignore")
def test_a_driver_that_is_gone_leaves_nothing_on_a_cluster(make_job: MakeJob, cluster: str) -> None:
    """Its workers live on, and end what nobody waits for any more, with all that it started."""
    job = make_job("sh", "-c", "setsid sleep 100 & echo $! > child; echo $$ > pid; sleep 100", in_folder=True)
    with workers(1, cluster) as pool:
        pool.executor.submit(simulate, job)
        pids = [pid_in(job.folder / name) for name in ("child", "pid")]
    assert waited_for(lambda: not any(map(runs, pids)))
    with workers(1, cluster) as pool:
        assert pool.executor.submit(simulate, make_job("echo", "2", id=4)).result(60).objective == "2"


@pytest.mark.dask
@pytest.mark.filterwarnings("ignore")
def test_a_silent_scheduler_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """In words."""
    distributed = pytest.importorskip("distributed")

    def refuse(*_: object, **__: object) -> None:
        raise OSError("timed out")

    monkeypatch.setattr(distributed, "Client", refuse)
    with pytest.raises(FileError, match="does not answer: timed out"), workers(1, "tcp://127.0.0.1:1"):
        pass


@pytest.mark.dask
@pytest.mark.parametrize("address", ["host", "tcp://host", "tcp://host:port"])
def test_an_address_without_a_port_is_refused_at_once(address: str) -> None:
    """Before anything tries to connect."""
    pytest.importorskip("distributed")
    with pytest.raises(UsageError, match="no address with a port"), workers(1, address):
        pass


@pytest.mark.dask
def test_workers_that_lack_the_package_are_told_before_they_get_work(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would die of it, and the run would wait for ever."""
    distributed = pytest.importorskip("distributed")

    class Lacking(contextlib.nullcontext[None]):
        def run(self, function: Callable[..., object], *_: object) -> dict[str, object]:
            return {"tcp://one:1": function("json"), "tcp://two:1": function("no_such_package")}

        def __enter__(self) -> Any:
            return self

    monkeypatch.setattr(distributed, "Client", lambda *_, **__: Lacking())
    with pytest.raises(FileError, match="the worker tcp://two:1 of the cluster has no ordbo"), workers(1, "tcp://a:1"):
        pass


@pytest.mark.slow
def test_the_registry_of_this_process_is_free_again() -> None:
    """Workers that were stopped leave nothing behind that would hold up others."""
    with workers(1, None) as pool:
        pool.stop()
    assert not CHILDREN.stopping()
