"""Prints how long a step takes in a warm process, and how busy ``ordbo run`` keeps its workers.

Usage: ``python tests/bench/driving.py [--rounds 20] [--workers 8] [--evaluations 80] [--seconds 1]``.

The step is what ``ordbo run`` and ``ordbo serve`` do for each result: record it, read the files, fit the model, choose
a point, record that. It is taken on a study of 2 parameters that has 25 results. The run is that of a simulator that
sleeps; ideal is the time that its workers would take if none of them ever waited.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

import numpy as np

from ordbo_cli.benchmark.suites.problems import PAPER_PROBLEMS
from ordbo_cli.study.study import Study
from tests.bench.startup import NUMERICS, PROBLEM, ROOT, ROWS, Runner

IMPORTS = "import ordbo_cli.search.step, ordbo_cli.study"


def warm_steps(folder: Path, rounds: int) -> list[float]:
    """Return the seconds of single steps, each on a copy of the same study."""
    function = next(problem for problem in PAPER_PROBLEMS if problem.name == "different_powers_2d")
    seconds = []
    for seed in range(rounds):
        points = np.random.default_rng(seed).uniform(-5, 5, (ROWS - 2, 2)).tolist()
        rows = ["x1,x2,y", *(f"{x1!r},{x2!r},{function([x1, x2])!r}" for x1, x2 in points)]
        path = folder / f"{seed}.yaml"
        path.write_text(PROBLEM, encoding="utf-8")
        path.with_suffix(".csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
        study = Study.open(path)
        for turn in range(2):  # the first one finds no fit of the step before
            point = study.ask()
            start = time.perf_counter()
            study.tell(function([float(x) for x in point.values]), id=point.id)
            study.ask()
            if turn:
                seconds.append(time.perf_counter() - start)
    return seconds


def timed_run(folder: Path, workers: int, evaluations: int, each: float) -> float:
    """Return the seconds of a whole run of a simulator that sleeps."""
    path = folder / "run.yaml"
    path.write_text(PROBLEM, encoding="utf-8")
    simulator = f"sleep {each}; awk -v a={{x1}} -v b={{x2}} 'BEGIN {{print (a - 1) ^ 2 + 100 * (b + 2) ^ 2}}'"
    command = [sys.executable, "-m", "ordbo_cli", "run", str(path), "--quiet", "--workers", str(workers)]
    command += ["--budget", str(evaluations), "--", "sh", "-c", simulator]
    start = time.perf_counter()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def imports(run: Runner, code: str) -> float:
    """Return the seconds of a process that imports something, the median of three after one that compiles it."""
    seconds = []
    for _ in range(4):
        start = time.perf_counter()
        run.python(ROOT, "-c", code)
        seconds.append(time.perf_counter() - start)
    return median(seconds[1:])


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=20, help="warm steps that are taken")
    parser.add_argument("--workers", type=int, default=8, help="simulations at one time")
    parser.add_argument("--evaluations", type=int, default=80, help="of the run")
    parser.add_argument("--seconds", type=float, default=1.0, help="that a simulation sleeps")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        steps = sorted(warm_steps(folder, options.rounds))
        run = Runner(folder / "bytecode")
        numerics, ours = imports(run, NUMERICS), imports(run, IMPORTS)
        total = timed_run(folder, options.workers, options.evaluations, options.seconds)
    ideal = options.evaluations / options.workers * options.seconds
    print(
        f"warm step at {ROWS} results, 2 parameters: median {median(steps):.3f} s, slowest {steps[-1]:.3f} s,", end=" "
    )
    print(f"{median(steps) / numerics:.2f} of '{NUMERICS}'")
    print(f"run of {options.evaluations} evaluations by {options.workers} workers: {total:.2f} s, import {ours:.2f} s")
    print(f"without the import {(total - ours) / ideal:.2f} times the ideal {ideal:.2f} s")


if __name__ == "__main__":
    main()
