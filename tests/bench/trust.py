"""Prints how far the model's own words can be trusted: its chances to improve, stop rules, and moves against A.2.

Usage: ``PYTHONPATH=. python tests/bench/trust.py [--problems paper,wide] [--seeds 10] [--total 50] [--method NAME]``.

Each problem is searched to the end; then it is looked at where a rule would have stopped, and what that had cost.
"""

from __future__ import annotations

import argparse
import dataclasses
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise, product

import numpy as np

from ordbo_cli.benchmark.rivals.methods import ordinal_method
from ordbo_cli.benchmark.suites import suite
from ordbo_cli.benchmark.suites.benchmark_problem import Subject
from ordbo_cli.insight.theory import claimed_gain_loss
from ordbo_cli.insight.theory_history import figures_of
from ordbo_cli.problem import Evaluation
from ordbo_cli.problem.method import Method
from ordbo_cli.search.prediction import expected_at
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import fit_surrogate
from tests.bench.figures import NOTHING, rounded, table

BINS = (0.0, 0.001, 0.01, 0.03, 0.1, 0.2, 0.3, 0.5, 1.0)
LIMITS = (0.1, 0.01, 0.001)
TURNS = (1, 3, 5, 10)
INITIAL = 5


@dataclass
class Walk:
    """One search.

    Args:
        regret: of the best so far after each evaluation.
        chance: that the model gave each point to beat the best, by the number of evaluations before it.
        improved: whether it did.
        losses: gain lost by the moves of each refit, and what A.2 claims at most.
    """

    regret: list[float]
    chance: dict[int, float]
    improved: dict[int, bool]
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
    found = Walk([], {}, {}, [])
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
            found.improved[n] = seen.regret < best
            figures = figures_of(given, fit_surrogate(dataclasses.replace(given, fit=proposal.fit)))
            if figures.moved is not None and figures.gain_unmoved is not None:
                lost = figures.gain_unmoved - figures.gain
                found.losses.append((lost, claimed_gain_loss(figures.rows, figures.moved)))
        best = min(best, seen.regret)
        found.regret.append(best)
        evaluations.append(Evaluation(proposal.values, None if seen.y is None else Decimal(repr(seen.y))))
    return found


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
    parser.add_argument("--total", type=int, default=50)
    parser.add_argument("--method", default="default")
    given = parser.parse_args()
    method = ordinal_method(given.method)
    subjects = suite.problems([given.problems])
    walks = [walk(subject, method, seed, given.total) for subject in subjects for seed in range(given.seeds)]
    print(f"{given.method}: {len(subjects)} problems, {given.seeds} seeds, {given.total} evaluations")
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
