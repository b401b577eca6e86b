"""Thompson sampling over cells (Section 3.2, Algorithm 1)."""

from __future__ import annotations

import numpy as np

from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.search.acquisition import function_sample, jittered_cholesky
from ordbo_cli.search.closed import Closed
from ordbo_cli.search.crew import Crew
from ordbo_cli.search.frame import Frame
from ordbo_cli.search.minimise import Choice, best_open_cell
from ordbo_cli.search.partition import Partition

LISTED = 1000  # cells; past this many a joint sample over the cells costs more than a function sample


def thompson_cell(
    posterior: Posterior,
    frame: Frame,
    partition: Partition,
    closed: Closed,
    samples: int,
    rng: np.random.Generator,
    crew: Crew,
) -> Choice | None:
    """Return an open cell drawn with about the probability that it holds the minimum, or None where all are closed.

    Up to ``LISTED`` cells are compared by joint samples at one random point of each, as in the paper, and one is drawn
    in proportion to its wins. Where there are more, one function sample is minimised over the box: its cell is a draw
    from the same distribution. (A draw among the wins of many samples is distributed as the win of one; the paper
    takes many, and so does this.)
    """
    if partition.size(LISTED) > LISTED:
        sample = function_sample(posterior, len(frame.knots), rng)
        return best_open_cell(sample, frame, partition, closed, np.zeros((0, len(frame.knots))), rng, crew)
    cells = [cell for cell in partition.cells() if closed(cell) is None]
    if not cells:
        return None
    edges = [cell.edges(frame.coordinates) for cell in cells]
    low, high = np.stack([low for low, _ in edges]), np.stack([high for _, high in edges])
    points, values, winners = [], [], []
    for _ in range(samples):
        s = low + (high - low) * rng.random(low.shape)
        mean, _ = posterior.moments(s)
        draw = mean + jittered_cholesky(posterior.covariance(s)) @ rng.standard_normal(len(s))
        winner = int(np.argmin(draw))
        winners.append(winner)
        points.append(s[winner])
        values.append(float(draw[winner]))
    turn = int(rng.integers(samples))  # a uniform draw of a win is a draw of a cell in proportion to its wins
    return Choice(cells[winners[turn]], points[turn], values[turn])
