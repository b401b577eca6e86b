"""Prints which setting decides how much of the paper's regret: the effects of a full factorial of four of them.

Usage::

    methods=$(PYTHONPATH=. python tests/bench/attribution.py)
    ordbo benchmark --seeds 200:210 --output factorial.jsonl --methods "$methods"
    PYTHONPATH=. python tests/bench/attribution.py factorial.jsonl [--optimizers adam1500,adam20,lbfgs]

Without a file it prints the methods of the factorial. With one it prints by what each change multiplies the cumulative
regret: the geometric mean over the problems and over all settings of the other factors, then with one other factor held
at a level. Seeds are averaged as the benchmark does it, where one search in a bad region may be worth all others, and
by geometric means, which say what becomes of a typical search. Intervals hold 95% of bootstrap samples of the seeds,
the same ones for all methods of a problem. Only seeds count that every method has on every problem.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Mapping
from itertools import product
from pathlib import Path
from typing import Final, TypeAlias

import numpy as np

from ordbo_cli.benchmark.records import RecordFile
from ordbo_cli.benchmark.rivals.methods import contestant
from ordbo_cli.ordinal.linalg import Array
from tests.bench.figures import table

OPTIMIZERS: Final = {
    "adam1500": "optimizer=adam,iterations=1500",
    "adam20": "optimizer=adam,iterations=20",
    "lbfgs": "optimizer=lbfgs,iterations=200",
}
FACTORS: Final = {  # the paper's level first, or the one that was taken for it
    "prior": ("prior=none", "prior=distances"),
    "optimizer": tuple(OPTIMIZERS.values()),
    "placement": ("placement=random", "placement=interpolate"),
    "beta": ("beta=3", "beta=2"),
}
PLAIN: Final = "default:refine=false,avoid_failures=false"
SAMPLES: Final = 2000
Factors: TypeAlias = Mapping[str, tuple[str, ...]]
HARTMANN: Final = "hartmann_4d"


def names(factors: Factors) -> list[str]:
    """Return the methods of a factorial, as the benchmark calls them; the last factor changes first.

    What the paper has nothing of, and ``default`` has since 2026-11-30, is off in all.
    """
    return [contestant(",".join((PLAIN, *levels))).name for levels in product(*factors.values())]


def costs(path: Path, factors: Factors) -> tuple[dict[str, Array], int]:
    """Return the cumulative regrets of each problem [cells, seeds], and how many seeds all of them have."""
    found: dict[tuple[str, str], dict[int, float]] = defaultdict(dict)
    for key, records in RecordFile(path).open().items():
        found[key.problem, key.method][key.seed] = sum(record.regret or 0.0 for record in records[key.initial :])
    cells, problems = names(factors), dict.fromkeys(problem for problem, _ in found)
    seeds = sorted(set.intersection(*(set(found[problem, cell]) for problem in problems for cell in cells)))
    if not seeds:
        raise SystemExit(f"no seed has all of {', '.join(cells)} on all of {', '.join(problems)}")
    return {p: np.array([[found[p, cell][seed] for seed in seeds] for cell in cells]) for p in problems}, len(seeds)


def log_costs(costs: dict[str, Array], shape: list[int], *, geometric: bool) -> Array:
    """Return mean logarithms over the problems [*shape, 1 + samples], first those of the seeds as they are."""
    rng = np.random.default_rng(0)
    parts = []
    for regrets in costs.values():
        seeds = regrets.shape[1]
        drawn = np.vstack([np.arange(seeds), rng.integers(seeds, size=(SAMPLES, seeds))])
        of_seeds = regrets[:, drawn]
        parts.append(np.log(of_seeds).mean(axis=-1) if geometric else np.log(of_seeds.mean(axis=-1)))
    return np.asarray(np.mean(parts, axis=0).reshape(*shape, -1))


def effect(logs: Array, axis: int, level: int, given: tuple[int, int] | None = None) -> str:
    """Return what a level multiplies the cost by that the first level of its factor has, with its interval.

    Args:
        logs: of the costs [*levels, 1 + samples].
        axis: the factor.
        level: of it.
        given: another factor, and the level that it is held at.
    """
    held = logs if given is None else logs.take([given[1]], axis=given[0])
    change = held.take(level, axis=axis) - held.take(0, axis=axis)
    means = np.exp(change.reshape(-1, logs.shape[-1]).mean(axis=0))
    low, high = np.percentile(means[1:], (2.5, 97.5))
    return f"{means[0]:.3g} [{low:.2g}, {high:.2g}]"


def effects(costs: dict[str, Array], factors: Factors) -> str:
    """Return the table of all effects, those with another factor held in rows of their own."""
    levels = list(factors.values())
    shape = [len(each) for each in levels]
    both = [log_costs(costs, shape, geometric=geometric) for geometric in (False, True)]
    rows: list[tuple[str, ...]] = []
    for axis, own in enumerate(levels):
        holds = [(j, k) for j, other in enumerate(levels) if j != axis for k in range(len(other))]
        for level in range(1, len(own)):
            change = f"{own[level]} for {own[0]}"
            rows.append((change, "", *(effect(logs, axis, level) for logs in both)))
            rows += [("", levels[j][k], *(effect(logs, axis, level, (j, k)) for logs in both)) for j, k in holds]
    return table(("change", "with", "cumulative, mean of seeds", "geometric mean"), rows)


def main() -> None:
    """Print the methods, or the effects."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("records", nargs="?", type=Path)
    parser.add_argument("--optimizers", default=",".join(OPTIMIZERS))
    chosen = parser.parse_args()
    factors = {**FACTORS, "optimizer": tuple(OPTIMIZERS[name] for name in chosen.optimizers.split(","))}
    if chosen.records is None:
        print(",".join(names(factors)))
        return
    found, seeds = costs(chosen.records, factors)
    for title, problems in (("hard", [p for p in found if p != HARTMANN]), ("all", list(found))):
        print(f"{title}: {', '.join(problems)}; {seeds} seeds\n")
        print(effects({problem: found[problem] for problem in problems}, factors))


if __name__ == "__main__":
    main()
