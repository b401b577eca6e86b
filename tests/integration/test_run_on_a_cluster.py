"""``ordbo run`` on a Dask cluster that loses a worker."""

from __future__ import annotations

import csv
import os
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROBLEM = """\
version: 1
objective: {name: y, goal: minimize}
parameters:
  a: {type: float, min: -5, max: 5}
  b: {type: float, min: -5, max: 5}
method: {preset: default, iterations: 20}
"""
BUDGET = 16


def lines(path: Path) -> list[str]:
    """Return the lines of a file, none where there is none yet."""
    return path.read_text().splitlines() if path.exists() else []


@pytest.mark.dask
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="looks for the worker in /proc")
@pytest.mark.filterwarnings("ignore")  # distributed warns about its own use of Python and tornado
def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    """Two worker processes, one of them killed at work: every point has its result, and only its own was done again."""
    distributed = pytest.importorskip("distributed")
    (tmp_path / "study.yaml").write_text(PROBLEM)
    worker = "set -- $(cat /proc/$PPID/stat); set -- $(cat /proc/$4/stat)"  # keeper, guard, and $4 is the worker
    simulator = f'{worker}; echo "$4 $ORDBO_ID" >> begun; sleep 0.3; echo "$ORDBO_ID" >> ended; echo 0.$ORDBO_ID'
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as cluster:
        command = [sys.executable, "-m", "ordbo_cli", "run", "study.yaml", "--budget", str(BUDGET), "--scheduler"]
        command += [cluster.scheduler_address, "--", "sh", "-c", simulator]
        environment = {**os.environ, "PYTHONPATH": str(ROOT)}
        run = subprocess.Popen(command, cwd=tmp_path, env=environment, stderr=subprocess.PIPE, text=True)
        while len(lines(tmp_path / "begun")) < 5:
            assert run.poll() is None
            time.sleep(0.01)
        worker, victim = lines(tmp_path / "begun")[-1].split()
        os.kill(int(worker), signal.SIGKILL)
        _, err = run.communicate(timeout=120)
    assert run.returncode == 0, err
    rows = list(csv.DictReader((tmp_path / "study.csv").read_text().splitlines()))
    results = {int(row["id"]): row["y"] for row in rows if row["status"] == "ok"}
    assert results == {id: f"0.{id}" for id in range(1, BUDGET + 1)}
    begun = Counter(line.split()[1] for line in lines(tmp_path / "begun"))
    again = {id: times for id, times in begun.items() if times > 1}
    # What it had ended just before may have been lost with it, if nobody had fetched that yet.
    own = [line.split()[1] for line in lines(tmp_path / "begun") if line.split()[0] == worker][-2:]
    assert victim in own
    assert set(again) <= set(own)
    assert set(again.values()) <= {2}
    assert {line.split()[0] for line in lines(tmp_path / "begun")} > {worker}
