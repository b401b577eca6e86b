"""Prints how long the commands take as whole processes, beside what Python and its libraries take on their own.

Usage: ``python tests/bench/startup.py [--rounds 9]``.

All are run in turn, round after round, so that a busy machine slows all alike; the figures are medians, with the
quartiles beside them. Every process finds the bytecode of all that it imports, as after an installation: a first
round that does not count compiles it. Steps are taken on a study of 2 parameters with 25 results, whose state holds
the fit of the step before.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import quantiles

import numpy as np

from ordbo_cli.benchmark.suites.problems import PAPER_PROBLEMS

ROOT = Path(__file__).resolve().parents[2]
ROWS = 25
PROBLEM = """\
version: 1
objective: {name: y, goal: minimize}
parameters:
  x1: {type: float, min: -5, max: 5}
  x2: {type: float, min: -5, max: 5}
"""
NUMERICS = "import numpy, scipy.optimize"
SHELL = "import click, yaml"


class Runner:
    """Starts processes that share bytecode of their own.

    Args:
        bytecode: the folder for it.
    """

    def __init__(self, bytecode: Path) -> None:
        path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
        self._environment = {**os.environ, "PYTHONPATH": path, "PYTHONPYCACHEPREFIX": str(bytecode)}
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def python(self, folder: Path, *arguments: str) -> str:
        """Run Python in a folder and return what it printed."""
        command = [sys.executable, *arguments]
        done = subprocess.run(command, cwd=folder, env=self._environment, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(f"{' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
        return done.stdout

    def ordbo(self, folder: Path, *arguments: str) -> str:
        """Run one command in a folder and return what it printed."""
        return self.python(folder, "-m", "ordbo_cli", *arguments)


def make_studies(run: Runner, answered: Path, asked: Path) -> int:
    """Write a study of 25 results, and the same with one suggestion pending; return the pending one's id."""
    function = next(problem for problem in PAPER_PROBLEMS if problem.name == "different_powers_2d")
    points = np.random.default_rng(0).uniform(-5, 5, (ROWS - 1, 2)).tolist()
    rows = ["x1,x2,y", *(f"{x1!r},{x2!r},{function([x1, x2])!r}" for x1, x2 in points)]
    answered.mkdir()
    (answered / "study.yaml").write_text(PROBLEM, encoding="utf-8")
    (answered / "study.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    suggestion = json.loads(run.ordbo(answered, "suggest", "study.yaml"))
    value = function(list(suggestion["parameters"].values()))
    run.ordbo(answered, "observe", "study.yaml", "--id", str(suggestion["id"]), f"y={value!r}")
    shutil.copytree(answered, asked)
    return int(json.loads(run.ordbo(asked, "suggest", "study.yaml"))["id"])


def measure(rounds: int, work: Path) -> dict[str, list[float]]:
    """Return the quartiles of each process's seconds, each run in a copy of its study of its own."""
    run = Runner(work / "bytecode")
    answered, asked = work / "answered", work / "asked"
    pending = make_studies(run, answered, asked)
    processes: dict[str, tuple[Path, Callable[..., object], list[str]]] = {
        NUMERICS: (answered, run.python, ["-c", NUMERICS]),
        SHELL: (answered, run.python, ["-c", SHELL]),
        "--help": (answered, run.ordbo, ["--help"]),
        "--version": (answered, run.ordbo, ["--version"]),
        "schema": (answered, run.ordbo, ["schema"]),
        "observe": (asked, run.ordbo, ["observe", "study.yaml", "--id", str(pending), "y=0.5"]),
        "status": (asked, run.ordbo, ["status", "study.yaml"]),
        "best": (asked, run.ordbo, ["best", "study.yaml"]),
        "pending list": (asked, run.ordbo, ["pending", "list", "study.yaml"]),
        "suggest": (answered, run.ordbo, ["suggest", "study.yaml"]),
    }
    seconds: dict[str, list[float]] = {name: [] for name in processes}
    for number in range(rounds + 1):
        for name, (study, start, arguments) in processes.items():
            folder = work / "run"
            shutil.copytree(study, folder)
            begin = time.perf_counter()
            start(folder, *arguments)
            if number:
                seconds[name].append(time.perf_counter() - begin)
            shutil.rmtree(folder)
    return {name: quantiles(values, n=4) for name, values in seconds.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9, help="times that each process is run, at least 2")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        found = measure(options.rounds, Path(folder))
    print(f"{'whole process':<42}{'seconds':>9}{'quartiles':>15}{f'/ {NUMERICS}':>32}{f'/ {SHELL}':>22}")
    for name, (low, middle, high) in found.items():
        label = f'python -c "{name}"' if name.startswith("import") else f"ordbo {name}"
        ratios = f"{middle / found[NUMERICS][1]:>32.2f}{middle / found[SHELL][1]:>22.2f}"
        print(f"{label:<42}{middle:>9.3f}{f'{low:.3f} {high:.3f}':>15}{ratios}")


if __name__ == "__main__":
    main()
