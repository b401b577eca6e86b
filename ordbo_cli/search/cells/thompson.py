"""Thompson sampling over cells (Section 3.2, Algorithm 1).

======  ===========================================  ======
symbol  meaning                                      shape
======  ===========================================  ======
C       open cells
s       a random point of each                       [C, D]
f       a joint sample of the latent function there  [C]
======  ===========================================  ======
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.search.cells.acquisition import function_sample, jittered_cholesky
from ordbo_cli.search.cells.partition import Cell, Closed, Partition
from ordbo_cli.search.latent_axes import FittedWarp
from ordbo_cli.search.minimise import Choice, best_open_cell
from ordbo_cli.search.threads import ThreadPool

_AT_ONCE = 32  # samples whose random numbers are drawn together, before threads share the work
LISTED = 1000  # cells; past this many a joint sample over the cells costs more than a function sample


def thompson_cell(
    posterior: Posterior,
    warp: FittedWarp,
    partition: Partition,
    closed: Closed,
    samples: int,
    rng: np.random.Generator,
    pool: ThreadPool,
) -> Choice | None:
    """Return an open cell drawn with about the probability that it holds the minimum, or None where all are closed.

    Up to ``LISTED`` cells are compared by joint samples at one random point of each, as in the paper, and one is drawn
    in proportion to its wins. Where there are more, one function sample is minimised over the box: its cell is a draw
    from the same distribution. (A draw among the wins of many samples is distributed as the win of one; the paper
    takes many, and so does this.)
    """
    if partition.size(LISTED) > LISTED:
        sample = function_sample(posterior, len(warp.knots), rng)
        return best_open_cell(sample, warp, partition, closed, np.zeros((0, len(warp.knots))), rng, pool)
    cells = [cell for cell in partition.cells() if closed(cell) is None]
    if not cells:
        return None
    wins = sampled_wins(posterior, warp, cells, samples, rng, pool)
    winner, point, value = wins[int(rng.integers(samples))]  # a draw of a win is a draw of a cell by its share of wins
    return Choice(cells[winner], point, value)


def sampled_wins(
    posterior: Posterior,
    warp: FittedWarp,
    cells: Sequence[Cell],
    samples: int,
    rng: np.random.Generator,
    pool: ThreadPool,
) -> list[tuple[int, Array, float]]:
    """Return which cell wins each of several joint samples at one random point of each, with that point and its value.

    Args:
        cells: that are compared, at least one.
        samples: how many are drawn.
    """
    edges = [cell.edges(warp.coordinates) for cell in cells]
    low, high = np.stack([low for low, _ in edges]), np.stack([high for _, high in edges])

    def win(numbers: tuple[Array, Array]) -> tuple[int, Array, float]:
        """Return the winning cell of one joint sample, its point and the value drawn there."""
        s = low + (high - low) * numbers[0]
        mean, _ = posterior.moments(s)
        draw = mean + jittered_cholesky(posterior.covariance(s)) @ numbers[1]
        winner = int(np.argmin(draw))
        return winner, s[winner], float(draw[winner])

    wins: list[tuple[int, Array, float]] = []
    while len(wins) < samples:
        number = min(_AT_ONCE, samples - len(wins))
        wins += pool.map(win, [(rng.random(low.shape), rng.standard_normal(len(low))) for _ in range(number)])
    return wins
