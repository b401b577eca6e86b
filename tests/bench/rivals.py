"""Prints what one stateless step costs with either engine and with Optuna's samplers, on the same history.

Usage: ``PYTHONPATH=. python tests/bench/rivals.py [--rounds 5] [--rows 25] [--dimension 2]``.

First as whole processes, then as steps alone (fit and choice) in one process that has imported everything. All take
turns, round after round, so that a busy machine slows all alike; the figures are medians. Each process works on a copy
of its own of the files, and all compute on one thread.
"""

from __future__ import annotations

import argparse
import json
import shutil
import tempfile
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from pathlib import Path
from statistics import median

from tests.bench.children import ordbo, python
from tests.bench.figures import rounded, table
from tests.bench.histories import History, make_studies

OPTUNA = "import sys; from optuna.cli import main; sys.exit(main())"


def processes(study: Path) -> dict[str, Callable[[Path], float]]:
    """Return the rivals: each takes one step in a folder and returns its seconds."""
    rivals: dict[str, Callable[[Path], float]] = {
        "ordbo suggest": lambda folder: ordbo(folder, "suggest", "study.yaml").seconds,
        "ordbo suggest --engine gpflow": lambda folder: (
            ordbo(folder, "suggest", "study.yaml", "--engine", "gpflow").seconds
        ),
    }
    if find_spec("optuna") is None:
        print("optuna is not installed, and is left out: pip install 'ordbo[peers]'\n")
        return rivals
    from tests.bench.optuna_study import ask, write_journal

    write_journal(study)
    samplers = ["TPESampler"]
    if find_spec("torch") is None:
        print("torch is not installed, and Optuna's GPSampler is left out: pip install 'ordbo[peers]'\n")
    else:
        samplers.insert(0, "GPSampler")
        if find_spec("greenlet") is None:
            print("greenlet is not installed: Optuna's GPSampler is slower without it\n")
    for sampler in samplers:
        arguments = ask(study, sampler)
        rivals[f"optuna ask --sampler {sampler}"] = lambda folder, given=arguments: (  # type: ignore[misc]  # bound now
            python(folder, "-c", OPTUNA, *given).seconds
        )
    return rivals


def in_turn(rivals: Mapping[str, Callable[[Path], float]], study: Path, rounds: int, work: Path) -> dict[str, float]:
    """Return the median seconds of whole processes, after a round that does not count."""
    seconds: dict[str, list[float]] = {name: [] for name in rivals}
    for number in range(rounds + 1):
        for name, step in rivals.items():
            folder = work / "run"
            shutil.copytree(study, folder)
            took = step(folder)
            shutil.rmtree(folder)
            if number:
                seconds[name].append(took)
    return {name: median(some) for name, some in seconds.items()}


def show(medians: Mapping[str, float]) -> None:
    """Print seconds, and ratios to the first."""
    first = next(iter(medians.values()))
    lines = [[name, rounded(took), rounded(took / first)] for name, took in medians.items()]
    print(table(("", "seconds", "ratio"), lines) + "\n")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="times that each step is taken")
    parser.add_argument("--rows", type=int, default=25, help="of the history")
    parser.add_argument("--dimension", type=int, default=2, help="of the history")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        work = Path(name)
        make_studies(History(options.rows, options.dimension), work / "cold", work / "warm")
        medians = in_turn(processes(work / "warm"), work / "warm", options.rounds, work)
        alone = python(work / "warm", "-m", "tests.bench.steps_alone", str(options.rounds))
    what = f"one step at {options.rows} rows, {options.dimension} parameters"
    print(f"Whole processes, {what}:\n")
    show(medians)
    print(f"Steps alone in one process, {what}:\n")
    show(json.loads(alone.out))


if __name__ == "__main__":
    main()
