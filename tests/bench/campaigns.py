"""Prints what results of another source are worth to a study: related ones, unrelated ones, and contradicting ones.

Usage: ``PYTHONPATH=. python tests/bench/campaigns.py --file FILE [--problems unseen,smooth-unseen] [--seeds 0:10]
[--kinds related,unrelated,inverted] [--methods ordbo]``.

Every search has 25 evaluations, and with a source 30 more that it made before at random points. The source's results
are, in normal scores z of the truth over the box and with d a smooth random function of unit variance and lengthscale
0.5 boxes: ``z + 0.3 d`` (related), its own function of lengthscale 0.3 (unrelated), ``-z`` (inverted). They come on the
truth's own scale; ``@exp`` behind a kind makes them ``exp(3 score)`` instead. ``botorch`` is BoTorch's MultiTaskGP on
the values with the logarithm of expected improvement (extra ``ordbo[peers]``).

Runs are kept in the file, and those that are there are not done again. Figures are geometric means over problems of
means over seeds of logarithms, beside the same method without a source.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from statistics import NormalDist
from typing import Any, Final

import numpy as np
from threadpoolctl import threadpool_limits

from ordbo_cli.benchmark.rivals.methods import ordinal_method
from ordbo_cli.benchmark.rivals.unit_box import Box
from ordbo_cli.benchmark.runs import starting_points
from ordbo_cli.benchmark.suites import suite
from ordbo_cli.benchmark.suites.benchmark_problem import Subject
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Campaign, Evaluation, Number, Problem
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step import propose
from ordbo_cli.search.step_input import StepInput
from tests.bench.figures import table

TOTAL: Final = 25
INITIAL: Final = 5
ROWS: Final = 30
DEPARTURE: Final = 0.3
REFERENCE: Final = 1000  # points that the truth's distribution is taken from
FEATURES: Final = 100
NOTHING: Final = "none"
_SOURCE: Final = 77  # stream of a source's random numbers
KINDS: Final = ("related", "unrelated", "inverted")
Values = tuple[Number, ...]


@dataclass(frozen=True)
class Source:
    """A source's results.

    Args:
        points: in the user's units.
        values: on the truth's scale or another one; None for a failure.
    """

    points: list[Values]
    values: list[float | None]


def smooth_function(rng: np.random.Generator, dimension: int, lengthscale: float) -> Callable[[Array], float]:
    """Return a draw of a smooth random function of the unit box, by random Fourier features."""
    W, b = rng.normal(size=(FEATURES, dimension)) / lengthscale, rng.uniform(0.0, 2.0 * np.pi, FEATURES)
    w = rng.normal(size=FEATURES)
    return lambda u: float(math.sqrt(2.0 / FEATURES) * np.cos(W @ u + b) @ w)


def points_at(problem: Problem, U: Array) -> list[Values]:
    """Return points of the unit box in the user's units, on the parameters' own scales, on grids and levels."""
    box, space = Box(problem), Space(problem, ())
    if box.rounds:
        return [box.values(u) for u in U]
    return [tuple(space.between(space.low, space.high, u).tolist()) for u in U]


def source_function(
    subject: Subject, problem: Problem, kind: str, rng: np.random.Generator
) -> Callable[[Values], float | None]:
    """Return what a source says of points; None for a failure."""
    kind, _, scale = kind.partition("@")
    D = len(problem.free)

    def truth_at(x: Values) -> float | None:
        return subject.observe(x, problem.seed, 1).y

    seen = [truth_at(x) for x in points_at(problem, rng.random((REFERENCE, D)))]
    truth = np.sort([y for y in seen if y is not None and math.isfinite(y)])
    inverse = NormalDist().inv_cdf
    scores = np.array([inverse((k + 0.5) / len(truth)) for k in range(len(truth))])
    departs, unrelated = smooth_function(rng, D, 0.5), smooth_function(rng, D, 0.3)
    space = Space(problem, ())

    def said(x: Values) -> float | None:
        (u,) = space.unit(space.inputs([x]))
        y = truth_at(x)
        z = math.nan if y is None else float(np.interp(y, truth, scores))
        score = {"related": z + DEPARTURE * departs(u), "unrelated": unrelated(u), "inverted": -z}[kind]
        value = math.exp(3.0 * score) if scale == "exp" else float(np.interp(score, scores, truth))
        return None if math.isnan(score) else value

    return said


def source(subject: Subject, problem: Problem, kind: str) -> Source:
    """Return the results of a source at random points."""
    rng = np.random.default_rng([problem.seed, _SOURCE])
    said = source_function(subject, problem, kind, rng)
    points = points_at(problem, rng.random((ROWS, len(problem.free))))
    return Source(points, [said(x) for x in points])


def exact(values: Sequence[Number], y: float | None) -> Evaluation:
    """Return a result as a study has it."""
    return Evaluation(tuple(values), None if y is None else Decimal(repr(float(y))))


class Ordinal:
    """The search of ``ordbo suggest``, with a campaign."""

    def __init__(self, problem: Problem, _: int, known: Source | None) -> None:
        self.problem, self.evaluations = problem, list[Evaluation]()
        self.fit: Mapping[str, Any] | None = None
        rows = known and tuple(map(exact, known.points, known.values))
        self.campaigns = [Campaign("source", rows)] if rows else []

    def tell(self, values: Values, y: float | None) -> None:
        """Take a result."""
        self.evaluations.append(exact(values, y))

    def ask(self) -> Values:
        """Return the next point."""
        given = StepInput(self.problem, self.evaluations, step=len(self.evaluations), fit=self.fit)
        proposal = propose(dataclasses.replace(given, campaigns=self.campaigns))
        self.fit = proposal.fit or self.fit
        return proposal.values


class BoTorch:
    """BoTorch's MultiTaskGP on the values of both; without a source its SingleTaskGP."""

    def __init__(self, problem: Problem, seed: int, known: Source | None) -> None:
        self.space, self.seed, self.known = Space(problem, ()), seed, known
        self.X, self.y = list[Values](), list[float | None]()

    def tell(self, values: Values, y: float | None) -> None:
        """Take a result."""
        self.X.append(values)
        self.y.append(y)

    def ask(self) -> Values:
        """Return the point of the largest expected improvement over the best value seen."""
        import torch
        from botorch.acquisition import LogExpectedImprovement
        from botorch.fit import fit_gpytorch_mll
        from botorch.models import MultiTaskGP, SingleTaskGP
        from botorch.models.transforms import Standardize
        from botorch.optim import optimize_acqf
        from botorch.utils.sampling import manual_seed
        from gpytorch.mlls import ExactMarginalLogLikelihood

        torch.set_num_threads(1)
        told = [self._told(self.X, self.y, 0)]
        told += [self._told(self.known.points, self.known.values, 1)] if self.known else []
        X, y = (np.vstack(part) for part in zip(*told, strict=True))
        U, target = torch.tensor(X), -torch.tensor(y)
        with manual_seed(1000 * self.seed + len(self.y)):
            if self.known is None:
                model = SingleTaskGP(U[:, :-1], target, outcome_transform=Standardize(m=1))
            else:
                model = MultiTaskGP(U, target, task_feature=-1, output_tasks=[0])
            fit_gpytorch_mll(ExactMarginalLogLikelihood(model.likelihood, model))
            best = target[U[:, -1] == 0].max()
            bounds = torch.tensor([[0.0], [1.0]], dtype=torch.double).repeat(1, U.shape[1] - 1)
            found, _ = optimize_acqf(LogExpectedImprovement(model, best), bounds, q=1, num_restarts=10, raw_samples=512)
        share = found[0].detach().numpy()
        return tuple(self.space.between(self.space.low, self.space.high, share).tolist())

    def _told(self, points: Sequence[Values], values: Sequence[float | None], task: int) -> tuple[Array, Array]:
        """Return inputs with their task and standardised results, failures as bad as the worst [N, D + 1], [N, 1]."""
        known = [y for y in values if y is not None]
        worst = max(known, default=0.0)
        y = np.array([worst if each is None else each for each in values])
        spread = float(y.std()) or 1.0
        scaled = (y - y.mean()) / spread if self.known else y
        U = self.space.unit(self.space.inputs(points))
        return np.hstack([U, np.full((len(U), 1), float(task))]), scaled[:, None]


METHODS: Final[dict[str, Callable[[Problem, int, Source | None], Any]]] = {"ordbo": Ordinal, "botorch": BoTorch}


def search(subject: Subject, method: str, kind: str, seed: int) -> dict[str, Any]:
    """Return the regret of every evaluation of a search."""
    settings = dataclasses.replace(ordinal_method("default"), initial=INITIAL)
    problem = subject.problem(settings, seed)
    known = None if kind == NOTHING else source(subject, problem, kind)
    with threadpool_limits(limits=1):
        searcher = METHODS[method](problem, seed, known)
        design, regret = starting_points(subject, problem, INITIAL), list[float]()
        for k in range(TOTAL):
            values = design[k] if method != "ordbo" and k < INITIAL else searcher.ask()
            seen = subject.observe(values, seed, k + 1)
            searcher.tell(values, seen.y)
            regret.append(math.inf if seen.regret is None else seen.regret)
    return {"problem": subject.name, "method": method, "kind": kind, "seed": seed, "regret": regret}


def figures(runs: Iterable[dict[str, Any]]) -> list[list[str]]:
    """Return a row for each method and kind: ratios to the same method without a source."""
    found = {(run["method"], run["kind"], run["problem"], run["seed"]): run["regret"] for run in runs}
    rows = []
    for method, kind in sorted({key[:2] for key in found if key[1] != NOTHING}):
        by_problem: dict[str, list[list[float]]] = {}
        for (_, _, problem, seed), regret in ((key, r) for key, r in found.items() if key[:2] == (method, kind)):
            plain = found.get((method, NOTHING, problem, seed))
            if plain is not None:
                by_problem.setdefault(problem, []).append(ratios(regret, plain))
        means = np.array([np.mean(each, axis=0) for each in by_problem.values()])
        at_least = int(np.sum(means[:, 0] <= 0.0))
        number = sum(map(len, by_problem.values()))
        rows.append(
            [
                method,
                kind,
                str(number),
                *(f"{r:.2f}" for r in np.exp(means.mean(axis=0))),
                f"{at_least} of {len(means)}",
            ]
        )
    return rows


def ratios(regret: Sequence[float], plain: Sequence[float]) -> list[float]:
    """Return logarithms of ratios: best after 10 to 20 without, after 10, after 25, sum, sum after the design."""
    best, without = np.minimum.accumulate(regret), np.minimum.accumulate(plain)
    pairs = [(best[9], without[19]), (best[9], without[9]), (best[-1], without[-1])]
    pairs += [(sum(regret), sum(plain)), (sum(regret[INITIAL:]), sum(plain[INITIAL:]))]
    return [math.log(a / b) for a, b in pairs]


HEADER: Final = ["method", "source", "runs", "10 / 20", "10", "25", "sum", "sum after 5", "10 / 20 at most 1"]


def main() -> None:
    """Do what is not on file yet, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--file", type=Path, required=True)
    parser.add_argument("--problems", default="unseen,smooth-unseen")
    parser.add_argument("--seeds", default="0:10")
    parser.add_argument("--kinds", default=",".join(KINDS))
    parser.add_argument("--methods", default="ordbo")
    options = parser.parse_args()
    lines = options.file.read_text().splitlines() if options.file.exists() else []
    runs = [json.loads(line) for line in lines]
    done = {(run["problem"], run["method"], run["kind"], run["seed"]) for run in runs}
    first, last = map(int, options.seeds.split(":"))
    with options.file.open("a") as file:
        for seed in range(first, last):
            for subject in suite.problems([options.problems]):
                for method in options.methods.split(","):
                    for kind in (NOTHING, *options.kinds.split(",")):
                        if (subject.name, method, kind, seed) not in done:
                            runs.append(search(subject, method, kind, seed))
                            file.write(json.dumps(runs[-1]) + "\n")
                            file.flush()
    print(table(HEADER, figures(runs)))


if __name__ == "__main__":
    main()
