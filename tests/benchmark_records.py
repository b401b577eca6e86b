"""Records of benchmarks that nobody had to run, for tests of what is made of them."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

from ordbo_cli.benchmark.records import RecordFile, RunKey, RunRecord, Timing

METHODS = ("default", "metric-free", "vanilla", "random", "sobol", "nevergrad", "botorch", "pycma")
PROBLEMS = ("step_1d", "many_steps_2d", "bent_cigar_2d")


def write_records(
    path: Path,
    methods: Sequence[str] = METHODS,
    problems: Sequence[str] = PROBLEMS,
    seeds: int = 3,
    total: int = 40,
    initial: int = 5,
) -> Path:
    """Write a file of runs in which the first methods are the fastest, and their timings beside it."""
    source, file = random.Random(2), RecordFile(path)
    for problem in problems:
        for seed in range(seeds):
            start = [source.uniform(1.0, 1000.0) for _ in range(initial)]
            for place, method in enumerate(methods):
                key = RunKey(problem, method, seed, initial, total)
                course = [min(start) * 10.0 ** (-4.0 * n / total / (place + 1)) for n in range(1, total - initial + 1)]
                regrets = [*start, *(regret * source.uniform(1.0, 2.0) for regret in course)]
                records = [RunRecord(key, n, (0.5,), regret, regret) for n, regret in enumerate(regrets, 1)]
                file.add(records, Timing(key, tuple(source.uniform(0.01, 0.1) for _ in course)))
    return path
