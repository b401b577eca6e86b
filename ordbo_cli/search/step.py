"""One stateless step: from the evaluations to the next point."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from ordbo_cli.errors import DataError, ExhaustedError, ProblemError
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.problem import Comparison, Evaluation, Number, Problem
from ordbo_cli.problem.constraints import which_is_empty
from ordbo_cli.problem.streams import Stream
from ordbo_cli.search.cells.next_cell import ChosenCell, next_cell
from ordbo_cli.search.cells.placement import place
from ordbo_cli.search.latent_axes import LatentAxes
from ordbo_cli.search.space.design import next_design_point
from ordbo_cli.search.space.feasible_space import space_of
from ordbo_cli.search.space.level_combinations import has_room
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.surrogate import Rows, Surrogate, fit_surrogate, points_without
from ordbo_cli.search.threads import ThreadPool, thread_pool


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

    def is_taken_by(self, point: Sequence[Number]) -> bool:
        """Return whether a point that came since is this one, or lies inside its cell, where no row was before."""
        cell = self.diagnostics.get("cell", ())
        sides = zip(point, cell, strict=True) if cell else ()
        inside = bool(cell) and all(low < x < high or low == x == high for x, (low, high) in sides)
        return inside or tuple(point) == tuple(self.values)


@dataclass(frozen=True)
class Reached:
    """A point that a step has found, for whoever tells more of it than the search needs.

    Args:
        values: of the free parameters.
        rows: that the model is made of.
        evaluations: all of them, in order of arrival.
        space: that was left to choose from.
        latent_axes: of the model.
        surrogate: the fitted model; None in the initial design, as ``chosen`` is.
        chosen: the cell of the point.
        previous: the fit of the step before.
        rng: random numbers that the search does not draw from.
        pool: threads that work may be spread over.
    """

    values: tuple[Number, ...]
    rows: Rows
    evaluations: Sequence[Evaluation]
    space: Space
    latent_axes: LatentAxes
    surrogate: Surrogate | None
    chosen: ChosenCell | None
    previous: Fit | None
    rng: np.random.Generator
    pool: ThreadPool


Tell: TypeAlias = Callable[[Reached], Mapping[str, Any]]


def propose(
    problem: Problem,
    evaluations: Sequence[Evaluation],
    pending: Sequence[Sequence[Number]],
    step: int,
    fit: Mapping[str, Any] | None = None,
    *,
    avoid: Sequence[Sequence[Number]] = (),
    comparisons: Sequence[Comparison] = (),
    threads: int = 1,
    tell: Tell | None = None,
) -> Proposal:
    """Return the next point to evaluate.

    Args:
        evaluations: in order of arrival.
        pending: points asked for that have no result yet, oldest first.
        step: number of points asked for so far; the random numbers follow from the seed and it.
        fit: the ``fit`` of the previous proposal, if it is at hand.
        avoid: points that were given up: nothing is known of them, and they are not suggested again, noise or not.
        comparisons: of points with each other, oldest first.
        threads: that the search for the best cell is spread over; the point does not depend on their number.
        tell: returns more diagnostics, as JSON-able values; see :mod:`ordbo_cli.insight.account`.

    Raises:
        ExhaustedError: every point was tried.
        DataError: an evaluation failed where ``failed: error`` forbids it.
        ProblemError: no point satisfies the constraints.
    """
    rows = Rows.of(problem, evaluations, pending, comparisons)
    if problem.failed == "error" and any(map(problem.is_failure, evaluations)):
        raise DataError("an evaluation failed", "The problem says failed: error; mend the row, or say worst or ignore")
    known = [*(e.values for e in evaluations), *points_without(comparisons, evaluations)]
    space = space_left(problem, known, pending, avoid)
    latent_axes = LatentAxes(problem)
    rng, own = (np.random.default_rng([problem.seed, step, stream]) for stream in (Stream.STEP, Stream.EXPLAINING))
    with thread_pool(threads) as pool:
        if len(known) + len(pending) < problem.method.initial_rows(space.dimension):
            point = next_design_point(problem, space, [*avoid, *known, *pending])
            if point is not None:
                found = Reached(point, rows, evaluations, space, latent_axes, None, None, None, own, pool)
                return Proposal(point, None, {"kind": "initial", **(tell(found) if tell else {})})
        previous = Fit.from_dict(fit or {}, latent_axes.dimension)
        model = fit_surrogate(rows, latent_axes, previous)
        chosen = next_cell(rows, space, latent_axes, model, rng, pool)
        here = chosen.part.space
        point = chosen.point or here.point(place(chosen.choice, chosen.part.surrogate.warp, here, problem.method, rng))
        found = Reached(point, rows, evaluations, space, latent_axes, model, chosen, previous, own, pool)
        counts = {"left_out": rows.left_out, "pending_left_out": rows.pending_left_out}
        said = {**_diagnostics(chosen), **counts, **(tell(found) if tell else {})}
        return Proposal(point, model.fit.to_dict(), said)


def space_left(
    problem: Problem,
    known: Sequence[Sequence[Number]],
    pending: Sequence[Sequence[Number]],
    avoid: Sequence[Sequence[Number]],
) -> Space:
    """Return the space with what is not to be suggested again: under noise what is out, while there is anything else.

    Args:
        known: points that were evaluated or compared.
        pending: points that are out.
        avoid: points that were given up.

    Raises:
        ExhaustedError: nothing is left.
        ProblemError: the constraints leave nothing from the start.
    """
    space = space_of(problem, [*avoid, *([] if problem.noise else known), *pending])
    if problem.noise and not has_room(space):
        space = space_of(problem, avoid)
    if not has_room(space):
        contradiction = which_is_empty(problem.constraints, problem.free)
        if contradiction is not None:
            raise ProblemError(f"no point satisfies the constraint {contradiction}", "Loosen it, or widen a bound")
        message = f"every point of the space was tried{' or is out' if pending else ''}"
        raise ExhaustedError(message, "Widen a bound or refine a step to go on")
    return space


def _diagnostics(chosen: ChosenCell) -> dict[str, Any]:
    """Return how the point was chosen: the cell in the user's units, and the model's view of its winning point."""
    choice, surrogate = chosen.choice, chosen.part.surrogate
    mean, variance = surrogate.posterior.moments(choice.s[None, :])
    return {
        "kind": chosen.kind,
        "cell": chosen.part.edges(choice.cell),
        "mean": float(mean[0]),
        "sd": float(np.sqrt(variance[0])),
        "objective": surrogate.fit.value,
        "sigma": surrogate.fit.sigma,
        "lengths": [float(s[-1]) for s in surrogate.fit.coordinates],
        "rows": len(surrogate.fit.rank),
    }
