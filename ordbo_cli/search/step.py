"""One stateless step: from the evaluations to the next point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import ndtr
from threadpoolctl import threadpool_limits

from ordbo_cli.errors import DataError, ExhaustedError
from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.ordinal.data import OrdinalData, ordinal_data
from ordbo_cli.ordinal.fit import Fit, FitContext, fit_model
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.problem import Evaluation, Number, Problem, objective_ranks
from ordbo_cli.search.acquisition import Acquisition, LowerConfidenceBound, NegativeLogImprovement
from ordbo_cli.search.design import next_design_point
from ordbo_cli.search.frame import Frame, extended
from ordbo_cli.search.minimise import Choice, best_open_cell
from ordbo_cli.search.partition import Cell, Partition
from ordbo_cli.search.placement import place
from ordbo_cli.search.space import Space
from ordbo_cli.search.thinning import thinned
from ordbo_cli.search.thompson import thompson_cell

_STREAM = 2  # of the steps' random numbers, apart from the initial design's
_ANCHORS = 5  # best points whose surroundings are searched more closely


@dataclass(frozen=True)
class Proposal:
    """The next point and what led to it.

    Args:
        values: of the free parameters, in the problem's order.
        fit: the fitted model for the next step to start from, as JSON-able values; None in the initial design.
        diagnostics: how the point was chosen, as JSON-able values.
    """

    values: tuple[Number, ...]
    fit: dict[str, Any] | None
    diagnostics: dict[str, Any]


@dataclass(frozen=True)
class Prediction:
    """What the model expects at a point.

    Args:
        rank: expected rank among the distinct results so far, 1 the best.
        improvement: probability that the latent value lies below the best evaluation's.
        mean, sd: of the latent value, 0 and 1 before any data.
    """

    rank: float
    improvement: float
    mean: float
    sd: float


@dataclass(frozen=True)
class Rows:
    """The rows that make the model and the cells, sorted by what they are good for.

    Args:
        problem: the problem.
        evaluations: in order of arrival; failures are among them.
        pending: points without a result, oldest first.
        left_out: number of evaluations beyond these.
    """

    problem: Problem
    evaluations: Sequence[Evaluation]
    pending: Sequence[Sequence[Number]]
    left_out: int = 0

    @classmethod
    def of(cls, problem: Problem, evaluations: Sequence[Evaluation], pending: Sequence[Sequence[Number]]) -> Rows:
        """Return the rows of a study, thinned where there are too many."""
        some = thinned(problem, evaluations)
        return cls(problem, some, pending, len(evaluations) - len(some))

    @property
    def ranked(self) -> list[Evaluation]:
        """The evaluations that the model is fitted to."""
        return _ranked(self.problem, self.evaluations)

    @property
    def points(self) -> list[Sequence[Number]]:
        """Inputs of all rows: evaluated in order of arrival, then pending."""
        return [*(e.values for e in self.evaluations), *self.pending]


def propose(
    problem: Problem,
    evaluations: Sequence[Evaluation],
    pending: Sequence[Sequence[Number]],
    step: int,
    fit: Mapping[str, Any] | None = None,
    *,
    avoid: Sequence[Sequence[Number]] = (),
) -> Proposal:
    """Return the next point to evaluate.

    Args:
        evaluations: in order of arrival.
        pending: points asked for that have no result yet, oldest first.
        step: number of points asked for so far; the random numbers follow from the seed and it.
        fit: the ``fit`` of the previous proposal, if it is at hand.
        avoid: points that were given up: nothing is known of them, and they are not suggested again, noise or not.

    Raises:
        ExhaustedError: every point was tried.
        DataError: an evaluation failed where ``failed: error`` forbids it.
    """
    rows = Rows.of(problem, evaluations, pending)
    if problem.failed == "error" and any(e.objective is None for e in evaluations):
        raise DataError("an evaluation failed", "The problem says failed: error; mend the row, or say worst or ignore")
    tried = [] if problem.noise else [*(e.values for e in evaluations), *pending]
    space = Space(problem, [*avoid, *tried])
    if space.exhausted:
        raise ExhaustedError("every point of the space was tried", "Widen a bound or refine a step to go on")
    rng = np.random.default_rng([problem.seed, step, _STREAM])
    with threadpool_limits(limits=1):
        if len(rows.points) < problem.method.initial_rows(space.dimension):
            point = next_design_point(problem, space, [*avoid, *rows.points])
            if point is not None:
                return Proposal(point, None, {"kind": "initial"})
        return _acquire(rows, space, Fit.from_dict(fit or {}, space.dimension), rng)


def predict(
    problem: Problem,
    evaluations: Sequence[Evaluation],
    points: Sequence[Sequence[Number]],
    fit: Mapping[str, Any] | None = None,
) -> list[Prediction]:
    """Return what the model expects at given points; their latent places are interpolated between neighbours.

    What is pending has no say: it counts as observed where the next point is chosen, but nothing is known of it.

    Raises:
        DataError: there is no evaluation to learn from.
    """
    rows = Rows.of(problem, evaluations, pending=())
    if not rows.ranked:
        raise DataError("there is no evaluation to predict from", "Record some results first")
    space = Space(problem, ())
    with threadpool_limits(limits=1):
        fitted, frame, posterior = _fitted(rows, space, Fit.from_dict(fit or {}, space.dimension))
        X = np.array(points, dtype=np.float64).reshape(-1, space.dimension)
        s = extended(frame, space, X, metric=True).latent(X)
        mean, variance = posterior.moments(s)
        above = ndtr((mean[:, None] - fitted.edges) / np.sqrt(variance[:, None] + fitted.sigma**2))
        best = fitted.S[fitted.point[fitted.rank == 0]]
        best = best[np.argmin(posterior.moments(best)[0])][None, :]
        chance = [_chance_below(posterior, here[None, :], best) for here in s]
    return [
        Prediction(1.0 + float(r), c, float(m), float(np.sqrt(v)))
        for r, c, m, v in zip(_among_all(above.sum(axis=1), rows, evaluations), chance, mean, variance, strict=True)
    ]


def _among_all(ranks: Array, rows: Rows, evaluations: Sequence[Evaluation]) -> Array:
    """Return expected ranks among all results [P], given those among the results that the model is fitted to [P]."""
    if not rows.left_out:
        return ranks
    everything = _ranked(rows.problem, evaluations)
    rank = dict(zip((e.objective for e in everything), _ranks(rows.problem, everything), strict=True))
    kept = sorted({rank[e.objective] for e in rows.ranked})
    return np.interp(ranks, np.arange(len(kept)), kept)


def _ranked(problem: Problem, evaluations: Sequence[Evaluation]) -> list[Evaluation]:
    if problem.failed == "ignore":
        return [e for e in evaluations if e.objective is not None]
    return list(evaluations)


def _ranks(problem: Problem, evaluations: Sequence[Evaluation]) -> list[int]:
    return objective_ranks(problem, [e.objective for e in evaluations])


def _chance_below(posterior: Posterior, s: Array, best: Array) -> float:
    """Return the probability that the latent value at s [1, D] lies below that at the best evaluation [1, D]."""
    if np.array_equal(s, best):
        return 0.0
    both = np.vstack([s, best])
    mean, _ = posterior.moments(both)
    C = posterior.covariance(both)
    sd = np.sqrt(max(float(C[0, 0] + C[1, 1] - 2.0 * C[0, 1]), 1e-12))
    return float(ndtr((mean[1] - mean[0]) / sd))


def _acquire(rows: Rows, space: Space, previous: Fit | None, rng: np.random.Generator) -> Proposal:
    """Return a point of the cell that the acquisition, or the turn to explore, chooses."""
    method = rows.problem.method
    fitted, frame, posterior = _fitted(rows, space, previous)
    initial = method.initial_rows(space.dimension)
    grid_rows = initial if method.partition == "tree" else len(rows.points)
    partition = Partition(frame.places(_inputs(rows.points, space)), grid_rows, frame.box)

    def is_open(cell: Cell) -> bool:
        return space.has_room(*cell.edges(frame.knots))

    after = len(rows.points) - initial + 1
    if method.explore_every and after % method.explore_every == 0:
        kind, choice = "explore", _largest_open_cell(partition, frame, space, is_open)
    else:
        kind, choice = "acquire", _chosen_cell(rows, fitted, frame, posterior, partition, is_open, rng)
    if choice is None:
        raise RuntimeError("the space has room but every cell is closed")
    values = place(choice, frame, space, method, rng)
    diagnostics = {**_diagnostics(kind, choice, fitted, frame, posterior), "left_out": rows.left_out}
    return Proposal(values, fitted.to_dict(), diagnostics)


def _fitted(rows: Rows, space: Space, previous: Fit | None) -> tuple[Fit, Frame, Posterior]:
    """Return the fitted model, the frame with all rows' coordinates, and the posterior that knows what is pending."""
    problem, method = rows.problem, rows.problem.method
    ranked = rows.ranked
    data = _data(problem, ranked, space)
    context = FitContext(
        places=[axis.share(u) for axis, u in zip(space.axes, data.knots, strict=True)],
        # The ends of the box are there from the start, and are not the outermost knots where a row lies outside.
        arrivals=_inputs([space.low, space.high, *(e.values for e in ranked)], space),
        initial=2 + method.initial_rows(space.dimension),
        step=max(1, len(ranked)),
    )
    fitted = fit_model(data, method, context, previous)
    metric = method.prior is not None and method.prior.centre not in ("equal", "inherited", 0.0)
    frame = extended(
        Frame(fitted.knots, fitted.coordinates, space.low, space.high),
        space,
        _inputs(rows.points, space),
        metric=metric,
    )
    pending = _inputs(rows.pending, space)
    new = [x for x in np.unique(pending, axis=0) if not np.any(np.all(data.inputs == x, axis=1))]
    posterior = fitted.posterior(method.kernel).hallucinate(frame.latent(_inputs(new, space)))
    return fitted, frame, posterior


def _data(problem: Problem, ranked: Sequence[Evaluation], space: Space) -> OrdinalData:
    return ordinal_data(
        _inputs([e.values for e in ranked], space), _ranks(problem, ranked), list(space.low), list(space.high)
    )


def _chosen_cell(
    rows: Rows,
    fitted: Fit,
    frame: Frame,
    posterior: Posterior,
    partition: Partition,
    is_open: Callable[[Cell], bool],
    rng: np.random.Generator,
) -> Choice | None:
    """Return the open cell that the acquisition prefers, or None where all are closed."""
    method = rows.problem.method
    if method.acquisition == "thompson":
        return thompson_cell(posterior, frame, partition, is_open, method.samples, rng)
    S = posterior.S
    mean = posterior.moments(S)[0] if len(S) else np.zeros(1)
    acquisition: Acquisition = (
        LowerConfidenceBound(posterior, method.beta)
        if method.acquisition == "lcb"
        else NegativeLogImprovement(posterior, float(mean.min()))
    )
    anchors = S[np.argsort(mean, kind="stable")[:_ANCHORS]] if len(S) else np.zeros((0, len(frame.knots)))
    return best_open_cell(acquisition, frame, partition, is_open, anchors, rng)


def _largest_open_cell(
    partition: Partition, frame: Frame, space: Space, is_open: Callable[[Cell], bool]
) -> Choice | None:
    """Return the open cell of largest original volume (Section 5, on mixing with metric-based strategies)."""
    positions = tuple(axis.share(u) for axis, u in zip(space.axes, frame.knots, strict=True))
    for cell in partition.largest(positions):
        if is_open(cell):
            low, high = cell.edges(frame.coordinates)
            return Choice(cell, 0.5 * (low + high), float("nan"))
    return None


def _diagnostics(kind: str, choice: Choice, fitted: Fit, frame: Frame, posterior: Posterior) -> dict[str, Any]:
    """Return how the point was chosen: the cell in the user's units, and the model's view of its winning point."""
    low, high = choice.cell.edges(frame.knots)
    mean, variance = posterior.moments(choice.s[None, :])
    return {
        "kind": kind,
        "cell": [[float(a), float(b)] for a, b in zip(low, high, strict=True)],
        "mean": float(mean[0]),
        "sd": float(np.sqrt(variance[0])),
        "objective": fitted.value,
        "sigma": fitted.sigma,
        "lengths": [float(s[-1]) for s in fitted.coordinates],
        "rows": len(fitted.rank),
    }


def _inputs(points: Sequence[Any], space: Space) -> Array:
    """Return points as an array [P, D], also where there are none."""
    return np.array(points, dtype=np.float64).reshape(-1, space.dimension)
