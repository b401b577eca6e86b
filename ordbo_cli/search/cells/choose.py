"""The cell that comes next: the acquisition's, or in its turn the largest."""

from __future__ import annotations

import numpy as np

from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.problem.method import BetaSchedule, Method
from ordbo_cli.search import beta_schedule
from ordbo_cli.search.cells.acquisition import Acquisition, LowerConfidenceBound, NegativeLogImprovement
from ordbo_cli.search.cells.closed_cells import Closed
from ordbo_cli.search.cells.partition import Cell, Partition
from ordbo_cli.search.cells.thompson import thompson_cell
from ordbo_cli.search.minimise import Choice, best_open_cell
from ordbo_cli.search.surrogate import Surrogate
from ordbo_cli.search.threads import SINGLE, ThreadPool

_ANCHORS = 5  # best points whose surroundings are searched more closely
_BESIDE = 0.75  # of beta, where points are pending: they lie in cells of their own, which spreads them already


def is_turn_to_explore(method: Method, rows: int, dimension: int) -> bool:
    """Return whether the next point goes into the largest cell, given the number of rows, pending ones included."""
    after = rows - method.initial_rows(dimension) + 1
    return bool(method.explore_every) and after % method.explore_every == 0


def preferred_cell(
    surrogate: Surrogate,
    partition: Partition,
    closed: Closed,
    method: Method,
    rng: np.random.Generator,
    pool: ThreadPool = SINGLE,
) -> Choice | None:
    """Return the open cell that the acquisition prefers, or None where all are closed."""
    warp, posterior = surrogate.warp, surrogate.posterior
    if method.acquisition == "thompson":
        return thompson_cell(posterior, warp, partition, closed, method.samples, rng, pool)
    return lowest_cell(acquisition_of(surrogate, method), surrogate, partition, closed, rng, pool)


def lowest_cell(
    acquisition: Acquisition,
    surrogate: Surrogate,
    partition: Partition,
    closed: Closed,
    rng: np.random.Generator,
    pool: ThreadPool = SINGLE,
) -> Choice | None:
    """Return the open cell with the lowest minimum of an acquisition, or None where all are closed."""
    if surrogate.warp.knots:
        return best_open_cell(acquisition, surrogate.warp, partition, closed, anchors_of(surrogate), rng, pool)
    only, s = Cell((), ()), np.zeros(0)
    return Choice(only, s, float(acquisition.values(s[None, :])[0])) if closed(only) is None else None


def acquisition_of(surrogate: Surrogate, method: Method) -> Acquisition:
    """Return what cells are compared by: the lower confidence bound, or the expected improvement."""
    if method.acquisition == "lcb":
        return lower_bound(surrogate, method)
    return NegativeLogImprovement(surrogate.posterior, float(surrogate.means.min()))


def anchors_of(surrogate: Surrogate) -> Array:
    """Return the best points, whose surroundings are searched more closely [A, D]."""
    S = surrogate.posterior.S
    return (
        S[np.argsort(surrogate.means, kind="stable")[:_ANCHORS]] if len(S) else np.zeros((0, len(surrogate.warp.knots)))
    )


def lower_bound(surrogate: Surrogate, method: Method) -> LowerConfidenceBound:
    """Return the lower confidence bound that cells are compared by."""
    if isinstance(method.beta, BetaSchedule):
        lengths = (
            surrogate.lengths if len(surrogate.fit.coordinates) == len(surrogate.warp.knots) else surrogate.all_lengths
        )
        multiplier = beta_schedule.multiplier(method.beta, surrogate.rows + 1, method.kernel, lengths)
    else:
        multiplier = method.beta * (_BESIDE if surrogate.pending else 1.0)
    return LowerConfidenceBound(surrogate.posterior, multiplier)


def largest_cell(
    surrogate: Surrogate, partition: Partition, closed: Closed, positions: tuple[Array, ...]
) -> Choice | None:
    """Return the largest open cell; of the original volume (Section 5, on mixing with metric-based strategies) or any.

    Args:
        positions: of the knots of each dimension in the units that volumes are measured in [n_j].
    """
    for cell in partition.largest(positions) if positions else [Cell((), ())]:
        if closed(cell) is None:
            low, high = cell.edges(surrogate.warp.coordinates)
            return Choice(cell, 0.5 * (low + high), float("nan"))
    return None
