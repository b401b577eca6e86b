"""Finds the fronts of the test problems of several objectives that have none by formula, and writes them down.

Usage: ``PYTHONPATH=. python tests/bench/front_references.py [NAMES] [--rounds 300]`` writes
``ordbo_cli/benchmark/suites/fronts/found_fronts.json``, where other names keep what they have: 150 points of two
objectives, 300 of three. It is an evolution of an archive of the best trades: each round draws differential steps
between them and small steps of shrinking size. Half-way differential evolution goes for the ends and for some places
between them. There are three searches; how far they agree is told by the largest distance from any trade that is kept
to the nearest one of each, in ranges.
"""

from __future__ import annotations

import argparse
import json

import numpy as np
from scipy.optimize import differential_evolution

from ordbo_cli.benchmark.suites.fronts.front_problem import FrontProblem
from ordbo_cli.benchmark.suites.fronts.front_suite import FRONTS
from ordbo_cli.benchmark.suites.fronts.sampling import FOUND, best_of, not_dominated
from ordbo_cli.ordinal.linalg import Array

NAMES = ("kursawe_3d", "crash_5d_3o", "welded_beam_4d", "heat_exchanger_4d", "stairs_3d", "cliff_3d")
_KEPT = 400  # trades of the archive
_DRAWN = 400  # points a round
_AIMS = 12  # places that are gone for
_FAILED = 1e9


def searched(problem: FrontProblem, rounds: int, seed: int) -> Array:
    """Return the best trades that a search has found [F, K]."""
    rng = np.random.default_rng(seed)
    low, high = np.array(problem.bounds).T
    X, Y = _succeeded(problem, low + (high - low) * rng.random((20 * _DRAWN, len(low))))
    for step in range(rounds):
        if step == rounds // 2:
            more = _succeeded(problem, _aimed_at(problem, Y, seed))
            X, Y = _thinned(np.vstack([X, more[0]]), np.vstack([Y, more[1]]))
        size = 0.1 ** (1.0 + 4.0 * (step / rounds))
        one, other, third = (X[rng.integers(len(X), size=_DRAWN)] for _ in range(3))
        moves = np.where(rng.random((_DRAWN, 1)) < 0.5, rng.random((_DRAWN, 1)) * (other - third), 0.0)
        moves = moves + size * (high - low) * rng.normal(size=one.shape) * (rng.random(one.shape) < 0.5)
        new, values = _succeeded(problem, np.clip(one + moves, low, high))
        X, Y = _thinned(np.vstack([X, new]), np.vstack([Y, values]))
    return Y


def _aimed_at(problem: FrontProblem, Y: Array, seed: int) -> Array:
    """Return points of low weighted maxima over the objectives, those of one objective alone among them [N, D]."""
    best, extent = Y.min(axis=0), np.ptp(Y, axis=0)
    K = Y.shape[1]
    weights = [*np.eye(K), *np.random.default_rng(seed).dirichlet(np.ones(K), _AIMS)]

    def worst(x: Array, weight: Array) -> float:
        found = problem.true(x.tolist())
        if found is None:
            return _FAILED
        shares = (np.array(found) - best) / extent
        return float(np.max(weight * shares) + 1e-3 * shares.sum())

    runs = [
        differential_evolution(worst, problem.bounds, (w,), seed=seed, popsize=20, maxiter=600, tol=1e-10, polish=False)
        for w in weights
    ]
    return np.array([run.x for run in runs])


def _succeeded(problem: FrontProblem, X: Array) -> tuple[Array, Array]:
    """Return the points that succeed, and their values."""
    found = [(x, y) for x in X.tolist() if (y := problem.true(x)) is not None]
    return np.array([x for x, _ in found]).reshape(-1, X.shape[1]), np.array([y for _, y in found]).reshape(
        len(found), -1
    )


def _thinned(X: Array, Y: Array) -> tuple[Array, Array]:
    """Return the points of the best trades, spread out."""
    Y = np.round(Y, 12)
    chosen = best_of(Y, _KEPT)
    place = {tuple(y): k for k, y in enumerate(Y.tolist())}
    rows = [place[tuple(y)] for y in chosen.tolist()]
    return X[rows], Y[rows]


def main() -> None:
    """Search and write."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("names", nargs="*", default=NAMES)
    words.add_argument("--rounds", type=int, default=300)
    given = words.parse_args()
    found = json.loads(FOUND.read_text()) if FOUND.exists() else {}
    for name in given.names:
        several = [searched(FRONTS[name], given.rounds, seed) for seed in (0, 1, 2)]
        best = not_dominated(np.vstack(several))
        gap = [
            np.linalg.norm((best[:, None] - Y[None]) / np.ptp(best, axis=0), axis=2).min(axis=1).max() for Y in several
        ]
        found[name] = [[float(f"{y:.7g}") for y in row] for row in best_of(best, 150 * (best.shape[1] - 1)).tolist()]
        print(f"{name}: {len(best)} trades; largest distance to the nearest of each search {np.round(gap, 4).tolist()}")
        lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(found[key])}" for key in sorted(found))
        FOUND.write_text(f"{{\n{lines}\n}}\n")


if __name__ == "__main__":
    main()
