"""Prints how long the commands take as whole processes, beside what Python and its libraries take on their own.

Usage: ``python tests/bench/startup.py [--rounds 9]``.

All are run in turn, round after round, so that a busy machine slows all alike; the figures are medians. Steps are taken
on a study of 2 parameters with 25 results, whose state holds the fit of the step before.
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
from statistics import median

import numpy as np

from ordbo_cli.benchmark.problems import PAPER_PROBLEMS

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


def ordbo(folder: Path, *arguments: str) -> str:
    """Run one command in a folder and return what it printed."""
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    command = [sys.executable, "-m", "ordbo_cli", *arguments]
    done = subprocess.run(command, cwd=folder, env={**os.environ, "PYTHONPATH": path}, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"ordbo {' '.join(arguments)} ended with {done.returncode}: {done.stderr}")
    return done.stdout


def python(folder: Path, code: str) -> None:
    """Run one line of Python in a folder."""
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)


def make_studies(answered: Path, asked: Path) -> int:
    """Write a study of 25 results, and the same with one suggestion pending; return the pending one's id."""
    function = next(problem for problem in PAPER_PROBLEMS if problem.name == "different_powers_2d")
    points = np.random.default_rng(0).uniform(-5, 5, (ROWS - 1, 2)).tolist()
    rows = ["x1,x2,y", *(f"{x1!r},{x2!r},{function([x1, x2])!r}" for x1, x2 in points)]
    answered.mkdir()
    (answered / "study.yaml").write_text(PROBLEM, encoding="utf-8")
    (answered / "study.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    suggestion = json.loads(ordbo(answered, "suggest", "study.yaml"))
    value = function(list(suggestion["parameters"].values()))
    ordbo(answered, "observe", "study.yaml", "--id", str(suggestion["id"]), f"y={value!r}")
    shutil.copytree(answered, asked)
    return int(json.loads(ordbo(asked, "suggest", "study.yaml"))["id"])


def measure(rounds: int, work: Path) -> dict[str, float]:
    """Return the median seconds of each process, each run in a copy of its study of its own."""
    answered, asked = work / "answered", work / "asked"
    pending = make_studies(answered, asked)
    processes: dict[str, tuple[Path, Callable[[Path], object]]] = {
        NUMERICS: (answered, lambda folder: python(folder, NUMERICS)),
        SHELL: (answered, lambda folder: python(folder, SHELL)),
        "--help": (answered, lambda folder: ordbo(folder, "--help")),
        "--version": (answered, lambda folder: ordbo(folder, "--version")),
        "observe": (asked, lambda folder: ordbo(folder, "observe", "study.yaml", "--id", str(pending), "y=0.5")),
        "status": (asked, lambda folder: ordbo(folder, "status", "study.yaml")),
        "suggest": (answered, lambda folder: ordbo(folder, "suggest", "study.yaml")),
    }
    seconds: dict[str, list[float]] = {name: [] for name in processes}
    for _ in range(rounds):
        for name, (study, process) in processes.items():
            folder = work / "run"
            shutil.copytree(study, folder)
            start = time.perf_counter()
            process(folder)
            seconds[name].append(time.perf_counter() - start)
            shutil.rmtree(folder)
    return {name: median(values) for name, values in seconds.items()}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=9, help="times that each process is run")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        medians = measure(options.rounds, Path(folder))
    print(f"{'whole process':<42}{'seconds':>9}{f'/ {NUMERICS}':>32}{f'/ {SHELL}':>22}")
    for name, seconds in medians.items():
        label = f'python -c "{name}"' if name.startswith("import") else f"ordbo {name}"
        print(f"{label:<42}{seconds:>9.3f}{seconds / medians[NUMERICS]:>32.2f}{seconds / medians[SHELL]:>22.2f}")


if __name__ == "__main__":
    main()
