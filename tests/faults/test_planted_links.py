"""Somebody who may write into the run folders plants links there, while ``ordbo run`` works in them."""

from __future__ import annotations

import contextlib
import os
import random
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.conftest import Tally

ROOT = Path(__file__).resolve().parents[2]
PROBLEM = "version: 1\nobjective: {name: y, goal: minimize}\nparameters: {a: {type: float, min: 0, max: 1}}\n"
NAMES = ("answer.json", ".ordbo", "stdout", "stderr", "command", "point.json", "in/case.in", "in", "result")
RUNS = 6


class Saboteur(threading.Thread):
    """Plants links to canaries, in all folders of runs and in the place of such folders, until it is told to stop."""

    def __init__(self, runs: Path, cage: Path) -> None:
        super().__init__()
        self._runs = runs
        self._cage = cage
        self._moments = random.Random(3)
        self.stop = threading.Event()
        self.planted = 0

    def run(self) -> None:
        """Do it."""
        while not self.stop.wait(0.001):
            folders = [folder for folder in self._runs.glob("*") if not folder.is_symlink()]
            if not folders:
                continue
            if self._moments.random() < 0.02:
                last = max((int(folder.name) for folder in folders if folder.name.isdigit()), default=1)
                self._plant(self._runs / f"{last + self._moments.randint(0, 1)}-2", self._cage)
            self._plant(self._moments.choice(folders) / self._moments.choice(NAMES))

    def _plant(self, path: Path, target: Path | None = None) -> None:
        file = self._cage / "canary"
        if path.parent.is_symlink():
            return  # this would be its own doing
        with contextlib.suppress(OSError):
            path.unlink(missing_ok=True)
        with contextlib.suppress(OSError):
            if target is not None or path.name == "in":
                path.symlink_to(self._cage)
            else:
                self._moments.choice((os.symlink, os.link))(file, path)
            self.planted += 1


@pytest.mark.skipif(os.name == "nt", reason="there is no run")
def test_no_canary_is_harmed(tmp_path: Path, tally: Tally) -> None:
    """Whatever the run makes of it: the files that links lead to stay as they are, and nothing is added to them."""
    cage, runs = tmp_path / "cage", tmp_path / "study.runs"
    cage.mkdir()
    (cage / "canary").write_text("alive\n")
    (cage / "canary").chmod(0o600)
    (tmp_path / "study.yaml").write_text(PROBLEM)
    (tmp_path / "case.tpl").write_text("{a}\n")
    (tmp_path / "case.tpl").chmod(0o755)
    command = [
        sys.executable,
        "-m",
        "ordbo_cli",
        "run",
        "study.yaml",
        "--keep",
        "all",
        "--workers",
        "2",
        "--keep-going",
    ]
    command += ["--template", "case.tpl", "--input", "in/case.in", "--retries", "1"]
    script = '[ $((ORDBO_ID % 3)) -gt 0 ] && sleep 0.05 && echo "y = 0.$ORDBO_ID"'
    saboteur = Saboteur(runs, cage)
    saboteur.start()
    try:
        for turn in range(1, RUNS + 1):
            subprocess.run(
                [*command, "--budget", str(10 * turn), "--", "sh", "-c", script],
                cwd=tmp_path,
                env={**os.environ, "PYTHONPATH": str(ROOT)},
                capture_output=True,
                timeout=120,
                check=False,
            )
            for path in runs.glob("*"):
                if path.is_symlink():
                    path.unlink()
    finally:
        saboteur.stop.set()
        saboteur.join()
    tally("links planted in run folders", saboteur.planted)
    harmed = (cage / "canary").read_text() != "alive\n" or [each.name for each in cage.iterdir()] != ["canary"]
    tally("canaries harmed through a link", int(harmed))
    assert not harmed
    assert (cage / "canary").stat().st_mode & 0o777 == 0o600
    assert saboteur.planted > 100
