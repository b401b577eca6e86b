"""Experiments: files that survive any cut, and the same records whoever does the runs."""

from __future__ import annotations

import gzip
import json
import lzma
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

import pytest

from ordbo_cli.benchmark.experiment import conduct
from ordbo_cli.benchmark.records import RecordFile, RunRecord
from ordbo_cli.benchmark.rivals.methods import contestant
from ordbo_cli.benchmark.runs import Run
from ordbo_cli.benchmark.suites.suite import PROBLEMS
from ordbo_cli.drive.processes.executors import Here, executor
from ordbo_cli.errors import DataError, FileError, LockTimeoutError, MissingFileError, OrdboError

ROOT = Path(__file__).resolve().parents[3]


class Never(Here):
    """Does no run."""

    def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]  # its types say nothing here
        raise AssertionError("nothing was left to do")


def runs_of(*methods: str, iterations: int = 1, seeds: int = 2) -> list[Run]:
    subjects = (PROBLEMS["stiff_integrator_2d"], PROBLEMS["noisy_stairs_1d"])
    return [
        Run(subject, contestant(method), seed, 2, iterations)
        for subject in subjects
        for seed in range(seeds)
        for method in methods
    ]


def sorted_lines(path: Path) -> list[str]:
    return sorted(path.read_text().splitlines())


@pytest.fixture
def output(tmp_path: Path) -> Path:
    return tmp_path / "runs.jsonl"


def test_every_evaluation_is_a_line(output: Path) -> None:
    """Each line is JSON that reads back as the same record; timings are in a file of their own."""
    found = conduct(runs_of("random"), RecordFile(output), Here(), 1)
    lines = output.read_text().splitlines(keepends=True)
    assert len(lines) == 4 * 3
    assert [RunRecord.read(line).line() for line in lines] == lines
    assert {RunRecord.read(line) for line in lines} == {record for records in found.values() for record in records}
    assert set(json.loads(lines[0])) == {"problem", "method", "seed", "initial", "total", "number", "x", "y", "regret"}
    timings = RecordFile(output).timings()
    assert timings.keys() == found.keys()
    assert all(len(seconds) == 1 for seconds in timings.values())


@pytest.mark.slow
def test_a_cut_anywhere_loses_nothing(output: Path) -> None:
    """Cut after every line, in the middle of every line and before every line end, the same command completes it."""
    runs = runs_of("random", "sobol", seeds=1)
    conduct(runs, RecordFile(output), Here(), 1)
    whole, content = sorted_lines(output), output.read_bytes()
    ends = [place + 1 for place, byte in enumerate(content) if byte == ord("\n")]
    for end in (0, *ends):
        for cut in {end, max(0, end - 1), min(end + 40, len(content))}:
            output.write_bytes(content[:cut])
            conduct(runs, RecordFile(output), Here(), 1)
            assert sorted_lines(output) == whole


def test_what_is_on_file_is_not_done_again(output: Path) -> None:
    """A complete experiment does nothing more; another method joins; the file keeps what it held."""
    conduct(runs_of("random"), RecordFile(output), Here(), 1)
    content = output.read_bytes()
    told: list[int] = []
    found = conduct(runs_of("random"), RecordFile(output), Never(), 1, told.append)
    assert (len(found), told, output.read_bytes()) == (4, [4], content)
    both = conduct(runs_of("sobol", "random"), RecordFile(output), Here(), 1)
    assert len(both) == 8
    assert output.read_bytes().startswith(content)


def test_runs_of_another_length_stand_apart(output: Path) -> None:
    """Three evaluations are not the beginning of four."""
    conduct(runs_of("random"), RecordFile(output), Here(), 1)
    found = conduct(runs_of("random", iterations=2), RecordFile(output), Here(), 1)
    assert {len(records) for records in found.values()} == {4}
    assert len(sorted_lines(output)) == 4 * 3 + 4 * 4


@pytest.mark.slow
def test_a_longer_run_answers_for_a_shorter_one(output: Path) -> None:
    """Of methods that know no budget: the first records are those that the shorter run would have given."""
    methods = ("default", "metric-free", "paper:iterations=5", "random", "sobol")
    longer = conduct(runs_of(*methods, iterations=4, seeds=1), RecordFile(output), Here(), 1)
    runs = runs_of(*methods, iterations=2, seeds=1)
    cut = conduct(runs, RecordFile(output), Never(), 1)
    done = conduct(runs, RecordFile(output.with_name("short.jsonl")), Here(), 1)
    assert cut.keys() == done.keys()
    for key, records in cut.items():
        assert [(each.number, each.x, each.y) for each in records] == [
            (each.number, each.x, each.y) for each in done[key]
        ]
        assert records[0].key in longer


def test_who_knows_the_budget_runs_again(output: Path) -> None:
    """Batches end with the run, and Nevergrad is told how long it is: their runs are not cut."""
    batches = "default:batch=2"
    assert not contestant("nevergrad").open_ended
    assert not contestant(batches).open_ended
    conduct(runs_of(batches, iterations=3, seeds=1), RecordFile(output), Here(), 1)
    lines = len(sorted_lines(output))
    conduct(runs_of(batches, iterations=2, seeds=1), RecordFile(output), Here(), 1)
    assert len(sorted_lines(output)) == lines + 2 * 4


@pytest.mark.parametrize("suffix", ["", ".xz", ".gz"])
def test_records_of_others_are_only_read(output: Path, tmp_path: Path, suffix: str) -> None:
    """Packed or not, with the times beside them; nothing is written to them, and what is new goes to the own file."""
    plain = RecordFile(tmp_path / "theirs.jsonl")
    theirs = conduct(runs_of("random"), plain, Here(), 1)
    packers: dict[str, Callable[[bytes], bytes]] = {"": bytes, ".xz": lzma.compress, ".gz": gzip.compress}
    for path in (plain.path, plain.timings_path):
        content = path.read_bytes()
        path.unlink()
        path.with_name(path.name + suffix).write_bytes(packers[suffix](content))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    file = RecordFile(output, [plain.path.with_name(plain.path.name + suffix)])
    assert conduct(runs_of("random"), file, Never(), 1) == theirs
    assert file.timings().keys() == theirs.keys()
    conduct(runs_of("random", "sobol"), file, Here(), 1)
    assert {record.key.method for record in map(RunRecord.read, sorted_lines(output))} == {"sobol"}
    assert {name: (tmp_path / name).read_bytes() for name in before} == before


def test_records_of_others_that_cannot_be_read(output: Path) -> None:
    """A file that is not there, is packed in another way, or is cut in the middle, is named with what to do."""
    missing, broken, cut = (output.with_name(name) for name in ("no.jsonl", "b.jsonl.xz", "c.jsonl.gz"))
    broken.write_bytes(b"hello")
    cut.write_bytes(gzip.compress(b"hello" * 99)[:-9])
    with pytest.raises(MissingFileError, match=r"no.jsonl: there is no such file of records"):
        RecordFile(output, [missing]).read()
    for path in (broken, cut):
        with pytest.raises(DataError, match=rf"{path.name}: it cannot be unpacked"):
            RecordFile(output, [path]).read()


def test_a_cut_timing_spoils_no_other(output: Path) -> None:
    """What a kill left of the last timing is dropped before the next one is appended."""
    conduct(runs_of("random"), RecordFile(output), Here(), 1)
    file = RecordFile(output)
    content = file.timings_path.read_bytes()
    file.timings_path.write_bytes(content[:-10])
    conduct(runs_of("random", "sobol"), file, Here(), 1)
    assert len(file.timings()) == 7


@pytest.mark.parametrize(
    "line",
    [
        b'{"problem": "x"}\n',
        b'{"problem": "x", "method": "m", "seed": 0, "initial": 1, "total": 1, "number": 1, "x": [1], "y": NaN,'
        b' "regret": 0}\n',
        b'{"problem": "x", "method": "m", "seed": 0, "initial": 1, "total": 1, "number": 1, "x": [1], "y": 0,'
        b' "regret": Infinity}\n',
        b'{"problem": "x", "method": "m", "seed": 0, "initial": 1, "total": 1, "number": 1, "x": [1'
        + b"0" * 400
        + b"],"
        b' "y": 0, "regret": 0}\n',
    ],
)
def test_a_strange_line_is_an_error(output: Path, line: bytes) -> None:
    """A whole line that is no record is reported with its number, and the file is left alone."""
    conduct(runs_of("random"), RecordFile(output), Here(), 1)
    content = output.read_bytes() + line
    output.write_bytes(content)
    with pytest.raises(DataError, match=r"runs.jsonl:13: not a record"):
        RecordFile(output).open()
    assert output.read_bytes() == content


@pytest.mark.slow
def test_one_experiment_a_file(output: Path) -> None:
    """A second process waits a second, then says who holds the file."""
    with RecordFile(output).locked(), pytest.raises(LockTimeoutError), RecordFile(output).locked():
        pass


@pytest.mark.slow
def test_two_workers_give_the_same_records(output: Path, tmp_path: Path) -> None:
    """Sorted, the records of one process and of two are the same, ordinal methods and failures included."""
    runs = runs_of("random", "default", "paper:iterations=5", iterations=2, seeds=1)
    conduct(runs, RecordFile(output), Here(), 1)
    other = tmp_path / "two.jsonl"
    with executor(2, None) as (pool, at_once):
        conduct(runs, RecordFile(other), pool, at_once)
    assert sorted_lines(output) == sorted_lines(other)


@pytest.mark.slow
@pytest.mark.dask
@pytest.mark.filterwarnings("ignore")  # distributed warns about its own use of Python and tornado
def test_a_dask_cluster_gives_the_same_records(output: Path, tmp_path: Path) -> None:
    """So are those of a local Dask cluster, reached by its address."""
    distributed = pytest.importorskip("distributed")
    runs = runs_of("random", "default", iterations=2, seeds=1)
    conduct(runs, RecordFile(output), Here(), 1)
    other = tmp_path / "dask.jsonl"
    with (
        distributed.LocalCluster(n_workers=2, threads_per_worker=2, dashboard_address=None) as cluster,
        executor(1, cluster.scheduler_address) as (pool, at_once),
    ):
        assert at_once == 8
        conduct(runs, RecordFile(other), pool, at_once)
    assert sorted_lines(output) == sorted_lines(other)


@pytest.mark.dask
@pytest.mark.filterwarnings("ignore")
def test_a_silent_scheduler_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """An address where nobody listens is an error in words."""
    distributed = pytest.importorskip("distributed")

    def refuse(*_: object, **__: object) -> None:
        raise OSError("timed out")

    monkeypatch.setattr(distributed, "Client", refuse)
    with (
        pytest.raises(FileError, match=r"tcp://127.0.0.1:1 does not answer: timed out"),
        executor(1, "tcp://127.0.0.1:1"),
    ):
        pass


def test_a_dead_worker_is_reported(output: Path) -> None:
    """Its end is an error in words; what was done before stays."""

    class Dying(Here):
        def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]  # its types say nothing here
            if output.exists():
                raise BrokenProcessPool("gone")
            return super().submit(fn, *args, **kwargs)

    dying: Executor = Dying()
    with pytest.raises(OrdboError, match=r"a worker process died. Call the same command again"):
        conduct(runs_of("random"), RecordFile(output), dying, 1)
    assert len(sorted_lines(output)) == 3


@pytest.mark.slow
@pytest.mark.parametrize("jobs", [1, 2])
def test_an_interrupted_command_goes_on(tmp_path: Path, jobs: int) -> None:
    """Interrupted after its first runs, the command says so with status 130, and the next call completes the file."""
    words = [sys.executable, "-m", "ordbo_cli", "benchmark", "--problems", "step_1d", "--methods", "default"]
    words += ["--seeds", "0:8", "--iterations", "2", "--jobs", str(jobs), "--format", "json", "--output"]
    settings = {**os.environ, "PYTHONPATH": str(ROOT)}
    cut, whole = tmp_path / "cut.jsonl", tmp_path / "whole.jsonl"
    with subprocess.Popen([*words, str(cut)], env=settings, stderr=subprocess.PIPE, text=True) as child:
        while not (cut.exists() and cut.read_bytes()):
            assert child.poll() is None
            time.sleep(0.01)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=60)
    assert child.returncode == 130
    assert said.splitlines()[-1] == "interrupted"
    assert "Traceback" not in said
    assert 0 < len(sorted_lines(cut)) < 8 * 7
    subprocess.run([*words, str(cut)], env=settings, check=True, capture_output=True, timeout=120)
    runs = [Run(PROBLEMS["step_1d"], contestant("default"), seed, 5, 2) for seed in range(8)]
    conduct(runs, RecordFile(whole), Here(), 1)
    assert sorted_lines(cut) == sorted_lines(whole)
