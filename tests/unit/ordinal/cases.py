"""Models and parameters that the tests of this folder share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ordbo_cli.ordinal.data import ComparedRows, OrdinalData, RankedRows, Scale, ordinal_data
from ordbo_cli.ordinal.fitting import build_model
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.model import Model
from ordbo_cli.ordinal.prior import input_centre
from ordbo_cli.ordinal.warp import FreeGaps, Warp, movement_windows
from ordbo_cli.problem.method import GapPrior, Kernel, Method, Posterior

TOLERANCE = 1e-7  # relative gain of a step at which the fits of these tests end


def make_data(N: int, D: int, seed: int = 0, *, plain: bool = True) -> OrdinalData:
    """Return evaluations with replicated points, tied objectives and failures that share the last rank.

    From five rows on, about a fifth of the rows repeat an earlier point, a fifth share a rank, and a fifth failed.

    Args:
        plain: whether these are all; otherwise a fifth are censored, to the last rank or to one before it, and
            comparisons of evaluated and of other points come to them, a tie among them.
    """
    rng = np.random.default_rng([seed, N, D])
    X = rng.uniform(size=(N, D))
    rank = rng.permutation(N)
    few = N // 5
    if few:
        X[-few:] = X[rng.integers(0, N - few, few)]
        rank[rng.choice(N, few, replace=False)] = rank[0]
        rank[rng.choice(N, few, replace=False)] = N
    low, high = [0.0] * D, [1.0] * D
    if plain:
        return ordinal_data(X, rank.tolist(), low, high)
    worst = rank.copy()
    censored = rng.choice(N, few, replace=False)
    worst[censored] = np.maximum(rank[censored], rng.choice([N // 2, N], few))
    P = N // 2 + 1
    pairs = ComparedRows(rng.uniform(size=(P, D)), rng.uniform(size=(P, D)), np.ones(P), np.zeros(P, dtype=np.int64))
    pairs.better[: P // 2] = X[rng.integers(0, N, P // 2)]
    if P > 1:
        pairs.better[-1], pairs.worse[-1] = pairs.worse[0].copy(), pairs.better[0].copy()
        pairs.weight[[0, -1]] = 0.5
    return ordinal_data(X, rank.tolist(), low, high, worst.tolist(), pairs)


def with_judges(data: OrdinalData, judges: int = 2, seed: int = 0) -> OrdinalData:
    """Return data with comparisons whose answers are those of nobody in particular and of some judges.

    Args:
        data: with comparisons, and without other scales.
    """
    nothing = np.zeros(0, dtype=np.int64)
    scale = np.random.default_rng([seed, 3]).integers(0, 1 + judges, len(data.comparisons))
    return replace(
        data,
        comparisons=replace(data.comparisons, scale=scale),
        others=tuple(Scale(nothing, nothing, nothing) for _ in range(judges)),
    )


def with_other_scales(data: OrdinalData, *, rows: Sequence[int] = (7, 1, 4), seed: int = 0) -> OrdinalData:
    """Return data to which results on other scales come: some at its points, some elsewhere, some of one rank.

    Args:
        data: without comparisons and censored results.
        rows: how many results each scale has.
    """
    rng = np.random.default_rng([seed, 2])
    others = []
    for n in rows:
        X = np.vstack(
            [data.inputs[rng.integers(0, data.points, n // 2)], rng.uniform(size=(n - n // 2, data.dimension))]
        )
        rank = rng.integers(0, n, n)
        others.append(RankedRows(X, rank.tolist(), np.maximum(rank, rng.integers(0, n, n) - n // 2).tolist()))
    low, high = ([float(knots[end]) for knots in data.knots] for end in (0, -1))
    return ordinal_data(data.inputs[data.point], data.rank.tolist(), low, high, others=others)


def make_model(
    data: OrdinalData,
    *,
    kernel: Kernel = "matern32",
    posterior: Posterior = "diagonal",
    bounded: bool = False,
    prior: GapPrior | None = None,
    seed: int = 0,
) -> Model:
    """Return a model of the data, with free gaps or with windows around random places."""
    method = Method(kernel=kernel, posterior=posterior, prior=prior)
    centre = input_centre(data, prior or GapPrior(), data.knots, data.inputs, len(data.inputs))
    return build_model(
        data, method, make_windows(data, seed) if bounded else FreeGaps(tuple(data.gap_counts.tolist())), centre
    )


def make_windows(data: OrdinalData, seed: int = 0, radius: float = 0.05) -> Warp:
    """Return a warp that keeps the knots near random places."""
    rng = np.random.default_rng(seed)
    inner = [np.cumsum(rng.uniform(0.1, 1.0, count)) for count in data.gap_counts]
    return movement_windows([np.concatenate([[0.0], places / places[-1]]) for places in inner], radius)


def random_theta(model: Model, seed: int = 0) -> Array:
    """Return parameters as a fit may meet them: edges about one apart around zero, means and variances mixed."""
    rng = np.random.default_rng([seed, 1])
    warp, first_edge, output, sigma, mean, spread, *others = (rng.normal(size=size) for size in model.sizes)
    centre = 2.0 if model.full else -2.0
    theta = [0.5 * warp - 1.0, first_edge - 1.0, output - 3.0, sigma, mean, centre + spread]
    for k in range(0, len(others), 3):
        theta += [others[k] - 1.0, others[k + 1] - 3.0, others[k + 2]]
    return np.concatenate(theta)
