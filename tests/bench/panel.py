"""What a judge who errs costs a panel that scores: three judges, each on a scale of his own, four samples a round.

usage: PYTHONPATH=. python tests/bench/panel.py [--seeds 5] [--rounds 7] [--wrong 0,0.2]

It prints for each share of wrong scores of the second judge where the best by mean lies between the worst (0) and the
best (1) of a grid, as the mean and the least of all searches; two minutes.
"""

from __future__ import annotations

import argparse
import math
import random
import statistics
from collections.abc import Callable
from itertools import product
from typing import Final

from ordbo_cli import Optimizer, Parameter, Problem
from ordbo_cli.search.prediction import incumbent

Merit = Callable[[float, float], float]

FUNCTIONS: Final[dict[str, Merit]] = {
    "bowl": lambda x, y: -((x - 0.3) ** 2 + (y - 0.6) ** 2),
    "valley": lambda x, y: -3 * abs(y - x * x) - abs(x - 0.7),
    "waves": lambda x, y: math.sin(7 * x) + math.cos(5 * y) - (x - 0.5) ** 2,
    "ridge": lambda x, y: -abs(x + y - 1.1) - 0.3 * abs(x - 0.4),
}
SCALES: Final[dict[str, Callable[[float], float]]] = {
    "points": lambda merit: round(10 * merit),
    "per cent": lambda merit: round(100 * math.exp(3 * (merit - 1)), 1),
    "cube": lambda merit: round(merit**3, 4),
}
ERRING: Final = "per cent"


def share(merit: Merit, seed: int, rounds: int, wrong: float) -> float:
    """Return how good the best by mean of a search is.

    Args:
        merit: what the judges see, with an error of 0.02 of its range.
        seed: of what they see.
        rounds: of four samples each.
        wrong: share of one judge's scores that are of nothing.
    """
    grid = [merit(k / 80, j / 80) for k, j in product(range(81), repeat=2)]
    low, high = min(grid), max(grid)
    chance = random.Random(seed)
    search = Optimizer(Problem([Parameter("x", 0, 1), Parameter("y", 0, 1)], "taste", "maximize"))
    for _ in range(rounds):
        for sample in search.ask_batch(4):
            x, y = (float(value) for value in sample.values)
            for judge, scale in SCALES.items():
                seen = (merit(x, y) - low) / (high - low) + chance.gauss(0, 0.02)
                is_wrong = judge == ERRING and chance.random() < wrong
                search.tell(sample, scale(chance.random() if is_wrong else seen), judge=judge)
    x, y = (float(value) for value in incumbent(search.step_input()).values)
    return (merit(x, y) - low) / (high - low)


def main() -> None:
    """Print a line for each share of wrong scores."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--wrong", default="0,0.2")
    given = parser.parse_args()
    for wrong in map(float, given.wrong.split(",")):
        found = [share(f, seed, given.rounds, wrong) for f in FUNCTIONS.values() for seed in range(given.seeds)]
        print(f"wrong {wrong:.0%}: mean {statistics.mean(found):.3f}, least {min(found):.3f} of {len(found)}")


if __name__ == "__main__":
    main()
