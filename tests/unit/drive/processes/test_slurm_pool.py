"""Results of Slurm's jobs as they come, whatever is in them; tests/integration/test_slurm.py has whole runs."""

from __future__ import annotations

import pickle
from concurrent.futures import Future
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from tests import slurm_cluster

pytest.importorskip("submitit", reason="the extra ordbo[slurm] is not installed")


def test_a_result_that_cannot_be_read_ends_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its evaluation was lost; the next result is taken as ever."""
    from ordbo_cli.drive.processes.slurm import SlurmOptions, SlurmPool, _Submitted

    for name, value in slurm_cluster.stand_ins(tmp_path).items():
        monkeypatch.setenv(name, value)
    there = tmp_path / "result.pkl"
    there.touch()

    def broken() -> None:
        raise pickle.UnpicklingError("pickle data was truncated")

    paths = SimpleNamespace(result_pickle=there)
    jobs = [
        SimpleNamespace(paths=paths, exception=broken),
        SimpleNamespace(paths=paths, exception=lambda: None, result=lambda: (7, None)),
    ]
    futures: list[Future[Any]] = [Future(), Future()]
    with SlurmPool(SlurmOptions("ordbo", tmp_path, {"time": "5"})) as pool:
        with pool._lock:
            pool._out |= {future: _Submitted(job) for future, job in zip(futures, jobs, strict=True)}
        with pytest.raises(RuntimeError, match="pickle data was truncated"):
            futures[0].result(timeout=10)
        assert futures[1].result(timeout=10) == 7
