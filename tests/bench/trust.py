"""Prints how far the model's words can be trusted: chances to improve, intervals of ranks, stop rules, moves of A.2.

Usage: ``PYTHONPATH=. python tests/bench/trust.py [--problems paper,wide] [--seeds 10] [--first-seed 0] [--total 50]
[--method NAME]``.

Each problem is searched to the end; then it is looked at where a rule would have stopped, and what that had cost.
"""

from __future__ import annotations

import argparse
import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise, product

import numpy as np

from ordbo_cli.benchmark.rivals.methods import ordinal_method
from ordbo_cli.benchmark.suites import suite
from ordbo_cli.benchmark.suites.benchmark_problem import Subject
from ordbo_cli.insight.theory import claimed_gain_loss
from ordbo_cli.insight.theory_history import figures_of
from ordbo_cli.problem import Evaluation, Number, Problem
from ordbo_cli.problem.method import Method
from ordbo_cli.problem.order import ranks
from ordbo_cli.search.prediction import LEVEL, expected_at, predict
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import fit_surrogate
from tests.bench.figures import NOTHING, rounded, table

BINS = (0.0, 0.001, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 1.0)
LIMITS = (0.1, 0.01, 0.001)
TURNS = (1, 3, 5, 10)
INITIAL = 5
LITTLE = 0.01
RANDOM = 3  # points for each step that nobody chose


@dataclass
class Walk:
    """One search.

    Args:
        regret: of the best so far after each evaluation.
        chance: that the model gave each point to beat the best, by the number of evaluations before it.
        improved: whether it did; by regret under noise, else by the results, of which regret knows fewer digits.
        held: whether the intervals of ranks held the results of the points that came next, and of random ones; one like
            another result counts by its rank.
        losses: gain lost by the moves of each refit, and what A.2 claims at most.
    """

    regret: list[float]
    chance: dict[int, float]
    improved: dict[int, bool]
    held: tuple[list[bool], list[bool]]
    losses: list[tuple[float, float]]

    def stop(self, limit: float, turns: int) -> int | None:
        """Return the number of evaluations at which so many chances in a row below a limit end the search, if any."""
        below = [chance < limit for chance in self.chance.values()]
        ends = (k for k in range(turns, len(below) + 1) if all(below[k - turns : k]))
        return next((list(self.chance)[k - 1] for k in ends), None)


def walk(subject: Subject, method: Method, seed: int, total: int) -> Walk:
    """Search a problem to the end."""
    problem = subject.problem(dataclasses.replace(method, initial=INITIAL), seed)
    evaluations: list[Evaluation] = []
    found = Walk([], {}, {}, ([], []), [])
    fit = None
    best = np.inf
    for n in range(total):
        given = StepInput(problem, tuple(evaluations), step=n, fit=fit)
        proposal = propose(given)
        fit = proposal.fit or fit
        seen = subject.observe(proposal.values, seed, n + 1)
        assert seen.regret is not None
        if proposal.fit is not None:
            expected = expected_at(given, proposal)
            assert expected is not None
            found.chance[n] = expected.improvement
            result = _evaluation(proposal.values, seen.y)
            found.improved[n] = seen.regret < best if problem.noise else place(problem, evaluations, result) == 0.5
            points = [proposal.values, *random_points(problem, seed, n)]
            seen_there = [result, *(_evaluation(x, subject.observe(x, seed, total + n).y) for x in points[1:])]
            for each, known in zip(
                predict(dataclasses.replace(given, fit=proposal.fit), points), seen_there, strict=True
            ):
                held = each.rank_low <= math.ceil(place(problem, evaluations, known)) <= each.rank_high
                found.held[0 if known is result else 1].append(held)
            figures = figures_of(given, fit_surrogate(dataclasses.replace(given, fit=proposal.fit)))
            if figures.moved is not None and figures.gain_unmoved is not None:
                lost = figures.gain_unmoved - figures.gain
                found.losses.append((lost, claimed_gain_loss(figures.rows, figures.moved)))
        best = min(best, seen.regret)
        found.regret.append(best)
        evaluations.append(_evaluation(proposal.values, seen.y))
    return found


def place(problem: Problem, before: list[Evaluation], new: Evaluation) -> float:
    """Return the rank of a result, 1 the best: one of those before, or the half below the next of them."""
    found = ranks(problem, [*before, new])
    return found[-1] + (1.0 if found[-1] in found[:-1] else 0.5)


def random_points(problem: Problem, seed: int, n: int) -> list[tuple[Number, ...]]:
    """Return points that nobody chose."""
    space, rng = Space(problem, ()), np.random.default_rng([seed, n])
    shares = rng.random((RANDOM, space.dimension))
    return [space.point(space.snapped(space.between(space.low, space.high, each))) for each in shares]


def _evaluation(x: Sequence[Number], y: float | None) -> Evaluation:
    return Evaluation(tuple(x), None if y is None else Decimal(repr(y)))


def reliability(walks: list[Walk]) -> list[tuple[str, ...]]:
    """Return how often points of about the same chance did beat the best."""
    chance = np.array([c for each in walks for c in each.chance.values()])
    improved = np.array([i for each in walks for i in each.improved.values()])
    rows: list[tuple[str, ...]] = []
    for low, high in pairwise(BINS):
        some = (chance >= low) & (chance < high if high < 1.0 else chance <= high)
        if some.any():
            said, came = f"{chance[some].mean():.2%}", f"{improved[some].mean():.2%}"
            rows.append((f"{low:g} to {high:g}", str(some.sum()), said, came))
    return rows


def stops(walks: list[Walk]) -> list[tuple[str, ...]]:
    """Return where rules stop, and the regret there beside that at the end (geometric means)."""
    rows: list[tuple[str, ...]] = []
    for limit, turns in product(LIMITS, TURNS):
        ends = [(each, each.stop(limit, turns)) for each in walks]
        stopped = [(each, n) for each, n in ends if n is not None]
        ratio = [np.log(each.regret[n - 1] / each.regret[-1]) for each, n in stopped]
        rows.append(
            (
                f"{limit:g}",
                str(turns),
                f"{len(stopped) / len(walks):.0%}",
                f"{np.median([n for _, n in stopped]):.0f}" if stopped else NOTHING,
                rounded(float(np.exp(np.mean(ratio)))) if stopped else NOTHING,
                f"{np.mean(np.array(ratio) < np.log(1.01)):.0%}" if stopped else NOTHING,
            )
        )
    return rows


def main() -> None:
    """Search and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--problems", default="paper,wide")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--total", type=int, default=50)
    parser.add_argument("--method", default="default")
    given = parser.parse_args()
    method = ordinal_method(given.method)
    subjects, seeds = suite.problems([given.problems]), range(given.first_seed, given.first_seed + given.seeds)
    walks = [walk(subject, method, seed, given.total) for subject in subjects for seed in seeds]
    print(f"{given.method}: {len(subjects)} problems, {given.seeds} seeds, {given.total} evaluations")
    for k, which in enumerate(("that came next", "drawn at random")):
        held = [each for one in walks for each in one.held[k]]
        print(f"intervals of {LEVEL:.0%} held the ranks of {np.mean(held):.1%} of {len(held)} points {which}")
    little = [one.improved[n] for one in walks for n, chance in one.chance.items() if chance < LITTLE]
    print(f"of {len(little)} points with a chance below {LITTLE:.0%}, {np.mean(little or [False]):.1%} beat the best")
    print(table(("chance", "points", "said, mean", "did beat the best"), reliability(walks)))
    print()
    print(
        table(
            ("stop below", "in a row", "of runs", "after, median", "regret by that at the end", "lost nothing"),
            stops(walks),
        )
    )
    losses = [pair for each in walks for pair in each.losses]
    broken = np.mean([lost > claimed for lost, claimed in losses])
    print(f"\nrefits: {len(losses)}; moves took more from the gain than A.2 claims in {broken:.0%}")


if __name__ == "__main__":
    main()
