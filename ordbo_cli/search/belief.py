"""What the rows say: the fitted model, and all rows' places in its latent space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordbo_cli.method import Method, PartitionKind
from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.ordinal.data import OrdinalData, ordinal_data
from ordbo_cli.ordinal.fit import Fit, FitContext, fit_model
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.problem import Evaluation, Number, Problem, objective_ranks
from ordbo_cli.search.frame import Frame, extended
from ordbo_cli.search.partition import Partition
from ordbo_cli.search.space import Space
from ordbo_cli.search.thinning import newest_pending, thinned


@dataclass(frozen=True)
class Rows:
    """The rows that make the model and the cells, sorted by what they are good for.

    Args:
        problem: the problem.
        evaluations: in order of arrival; failures are among them.
        pending: points without a result, oldest first.
        left_out: number of evaluations beyond these.
        pending_left_out: number of pending points beyond these.
    """

    problem: Problem
    evaluations: Sequence[Evaluation]
    pending: Sequence[Sequence[Number]]
    left_out: int = 0
    pending_left_out: int = 0

    @classmethod
    def of(cls, problem: Problem, evaluations: Sequence[Evaluation], pending: Sequence[Sequence[Number]]) -> Rows:
        """Return the rows of a study, thinned where there are too many."""
        some, newest = thinned(problem, evaluations), newest_pending(pending)
        return cls(problem, some, newest, len(evaluations) - len(some), len(pending) - len(newest))

    @property
    def ranked(self) -> list[Evaluation]:
        """The evaluations that the model is fitted to."""
        return ranked(self.problem, self.evaluations)

    @property
    def number(self) -> int:
        """How many rows there are, those that are left out included."""
        return len(self.evaluations) + self.left_out + len(self.pending) + self.pending_left_out

    @property
    def points(self) -> list[Sequence[Number]]:
        """Inputs of all rows: evaluated in order of arrival, then pending."""
        return [*(e.values for e in self.evaluations), *self.pending]


@dataclass(frozen=True)
class Belief:
    """What is known of the latent function.

    Args:
        fit: the fitted model.
        frame: the fitted warp, with the coordinates of all rows as knots.
        posterior: of the latent function; where points are pending, it has observed its own mean there.
        pending: whether points are.
        rows: how many rows there are, evaluated and pending.
    """

    fit: Fit
    frame: Frame
    posterior: Posterior
    pending: bool
    rows: int

    @property
    def lengths(self) -> Array:
        """Latent length of the box in each dimension [D]."""
        low, high = self.frame.box.edges(self.frame.coordinates)
        return np.asarray(high - low)


def belief(rows: Rows, space: Space, previous: Fit | None) -> Belief:
    """Fit the model to the evaluations, and place what is pending in its latent space.

    A pending point's latent place follows from those of its neighbours; what is hallucinated there is the posterior
    mean, so that only the variance shrinks (Ginsbourger et al. 2010 call it the kriging believer).

    Args:
        previous: the fit of the step before; it stands as it is where nothing was evaluated since.
    """
    problem, method = rows.problem, rows.problem.method
    data = _data(problem, rows.ranked, space)
    fitted = fit_model(data, method, fit_context(rows, data, space), previous)
    frame = extended(
        Frame(fitted.knots, fitted.coordinates, space.low, space.high),
        space,
        inputs(rows.points, space),
        metric=not is_metric_free(method),
    )
    pending = inputs(rows.pending, space)
    new = [x for x in np.unique(pending, axis=0) if not np.any(np.all(data.inputs == x, axis=1))]
    posterior = fitted.posterior(method.kernel).hallucinate(frame.latent(inputs(new, space)))
    return Belief(fitted, frame, posterior, bool(rows.pending), rows.number)


def is_metric_free(method: Method) -> bool:
    """Return whether the choice of the cell uses nothing of the inputs but order and arrival."""
    return method.prior is None or method.prior.centre in ("equal", "inherited", 0.0)


def fit_context(rows: Rows, data: OrdinalData, space: Space) -> FitContext:
    """Return what a fit to the rows needs beside the data, which are made from them."""
    return FitContext(
        places=space.shares(data.knots),
        # The ends of the box are there from the start, and are not the outermost knots where a row lies outside.
        arrivals=inputs([space.low, space.high, *(e.values for e in rows.ranked)], space),
        initial=2 + rows.problem.method.initial_rows(space.dimension),
        step=max(1, len(rows.ranked)),
    )


def partition_of(
    rows: Rows,
    points: Sequence[Sequence[Number]],
    frame: Frame,
    space: Space,
    kind: PartitionKind | None = None,
) -> Partition:
    """Return the cells that some of the rows make.

    Args:
        points: inputs of these rows, in order of arrival.
        frame: whose knots hold their coordinates.
        kind: of the partition; None for the method's.
    """
    method = rows.problem.method
    grid_rows = method.initial_rows(space.dimension) if (kind or method.partition) == "tree" else len(points)
    return Partition(frame.places(inputs(points, space)), grid_rows, frame.box)


def ranked(problem: Problem, evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    """Return the evaluations that have a rank: failures only where the problem says that they count as the worst."""
    if problem.failed == "ignore":
        return [e for e in evaluations if e.objective is not None]
    return list(evaluations)


def ranks(problem: Problem, evaluations: Sequence[Evaluation]) -> list[int]:
    """Return ranks from 0, the best, equal results alike."""
    return objective_ranks(problem, [e.objective for e in evaluations])


def inputs(points: Sequence[Any], space: Space) -> Array:
    """Return points as an array [P, D], also where there are none."""
    return np.array(points, dtype=np.float64).reshape(-1, space.dimension)


def _data(problem: Problem, evaluations: Sequence[Evaluation], space: Space) -> OrdinalData:
    X = inputs([e.values for e in evaluations], space)
    return ordinal_data(X, ranks(problem, evaluations), list(space.low), list(space.high))
