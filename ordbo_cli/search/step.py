"""One stateless step: from what is known to the next point."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ordbo_cli.errors import DataError, ExhaustedError, ProblemError
from ordbo_cli.problem import Number
from ordbo_cli.problem.constraints import which_is_empty
from ordbo_cli.problem.streams import Stream
from ordbo_cli.search.campaigns import FEWEST
from ordbo_cli.search.cells.next_cell import ChosenCell, next_cell, place
from ordbo_cli.search.fidelity_levels import first_level, gains_at, level_of
from ordbo_cli.search.space.design import next_design_point
from ordbo_cli.search.space.feasible_space import space_of
from ordbo_cli.search.space.level_combinations import has_room
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step_input import FITS_OF_CAMPAIGNS, StepInput
from ordbo_cli.search.step_record import Explanation, LevelGain, StepRecord
from ordbo_cli.search.surrogate import fit_surrogate
from ordbo_cli.search.threads import ThreadPool, thread_pool
from ordbo_cli.search.trades.one_trade import OneTrade, one_trade


@dataclass(frozen=True)
class Proposal:
    """The next point and what led to it.

    Args:
        values: of the free parameters, in the problem's order.
        fit: the fitted model for the next step to start from, as JSON-able values; None in the initial design.
        record: how the point was chosen.
        level: of fidelity at which it is to be evaluated, a place among the problem's; None for the highest.
    """

    values: tuple[Number, ...]
    fit: dict[str, Any] | None
    record: StepRecord
    level: int | None = None

    def is_taken_by(self, point: Sequence[Number]) -> bool:
        """Return whether a point that came since is this one, or lies inside its cell, where no row was before."""
        cell = self.record.cell or ()
        sides = zip(point, cell, strict=True) if cell else ()
        inside = bool(cell) and all(low < x < high or low == x == high for x, (low, high) in sides)
        return inside or tuple(point) == tuple(self.values)


@dataclass(frozen=True)
class FoundPoint:
    """A point that a step has found, for whoever explains it.

    Args:
        values: of the free parameters.
        given: what the step followed from.
        space: that was left to choose from.
        chosen: the cell of the point; None in the initial design.
        rng: random numbers that the search does not draw from.
        pool: threads that work may be spread over.
        trade: between several objectives, that the step searched by; None for all of them, or where there is one.
        levels: of fidelity, what a result at each would tell.
    """

    values: tuple[Number, ...]
    given: StepInput
    space: Space
    chosen: ChosenCell | None
    rng: np.random.Generator
    pool: ThreadPool
    trade: OneTrade | None = None
    levels: tuple[LevelGain, ...] = ()


def propose(
    given: StepInput, *, threads: int = 1, explain: Callable[[FoundPoint], Explanation] | None = None
) -> Proposal:
    """Return the next point to evaluate.

    Args:
        given: what it follows from.
        threads: that the search for the best cell is spread over; the point does not depend on their number.
        explain: says why the point was chosen, such as :func:`ordbo_cli.insight.explanation.explained`.

    Raises:
        ExhaustedError: every point was tried.
        DataError: an evaluation failed where ``failed: error`` forbids it.
        ProblemError: no point satisfies the constraints.
    """
    problem, known = given.problem, given.known
    tests = dict(zip((each.name for each in given.campaigns), given.agreements, strict=False))
    tried = {each.level for each in given.campaigns}
    lower = [e for each in given.campaigns if each.level is not None for e in each.evaluations]
    given = given.with_campaigns_tested()
    if problem.failed == "error" and any(map(problem.is_failure, [*given.evaluations, *lower])):
        raise DataError("an evaluation failed", "The problem says failed: error; mend the row, or say worst or ignore")
    space = space_left(given)
    rng, own = (
        np.random.default_rng([problem.seed, given.step, stream]) for stream in (Stream.STEP, Stream.EXPLAINING)
    )
    with thread_pool(threads) as pool:

        def why(
            point: tuple[Number, ...],
            chosen: ChosenCell | None,
            by: OneTrade | None = None,
            gains: tuple[LevelGain, ...] = (),
        ) -> Explanation | None:
            return explain(FoundPoint(point, given, space, chosen, own, pool, by, gains)) if explain else None

        level = first_level(given, problem.method.initial_rows(space.dimension))
        if level is not None or len(known) + len(given.pending) < _initial(given, space.dimension, tried):
            below = [] if level is None else [e.values for c in given.campaigns for e in c.evaluations]
            point = next_design_point(problem, space, [*given.avoid, *known, *below, *given.pending])
            if point is not None:
                return Proposal(point, None, StepRecord("initial", explanation=why(point, None)), level)
        trade = one_trade(given)
        seen = trade.given if trade else given
        surrogate = fit_surrogate(seen)
        chosen = next_cell(seen.rows, space, seen.latent_axes, surrogate, rng, pool, given.rows)
        here = chosen.part.space
        point = chosen.point or here.point(place(chosen.choice, chosen.part.surrogate.warp, here, problem.method, rng))
        fit = surrogate.to_dict() if trade is None else dict(given.fit or {}) or None  # what all have is kept
        if tests and fit is not None:
            fit[FITS_OF_CAMPAIGNS] = {name: [each.to_dict() for each in test.fits] for name, test in tests.items()}
        gains = gains_at(seen, surrogate, point, tried)
        record = _record(given, chosen, why(point, chosen, trade, gains))
        return Proposal(point, fit, record, level_of(gains))


def _initial(given: StepInput, dimension: int, tried: Collection[int | None]) -> int:
    """Return how many points of the initial design come first: where a campaign is heard, as many as can test it.

    So it is where there are results at lower levels of fidelity, which have shown where not to look, heard or not.

    Args:
        given: what is known; its campaigns were tested.
        dimension: of the space.
        tried: levels of the campaigns, None of any other source, heard or not.
    """
    first = given.problem.method.initial_rows(dimension)
    fidelity = given.problem.fidelity
    if fidelity is not None and any(each.level is not None for each in given.campaigns):
        return int(math.isnan(fidelity.costs[-1]))
    return min(FEWEST, first) if given.campaigns or any(level is not None for level in tried) else first


def space_left(given: StepInput) -> Space:
    """Return the space with what is not to be suggested again: under noise what is out, while there is anything else.

    Raises:
        ExhaustedError: nothing is left.
        ProblemError: the constraints leave nothing from the start.
    """
    problem = given.problem
    tried = [*given.avoid, *([] if problem.noise else given.known), *given.pending]
    space = space_of(problem, tried, given.orders)
    if problem.noise and not has_room(space):
        space = space_of(problem, given.avoid, given.orders)
    if not has_room(space):
        contradiction = which_is_empty(problem.constraints, problem.free)
        if contradiction is not None:
            raise ProblemError(f"no point satisfies the constraint {contradiction}", "Loosen it, or widen a bound")
        message = f"every point of the space was tried{' or is out' if given.pending else ''}"
        raise ExhaustedError(message, "Widen a bound or refine a step to go on")
    return space


def _record(given: StepInput, chosen: ChosenCell, explanation: Explanation | None) -> StepRecord:
    """Return how a point was chosen: the cell in the user's units, and the model's view of its winning point."""
    choice, here = chosen.choice, chosen.part.surrogate
    mean, variance = here.posterior.moments(choice.s[None, :])
    return StepRecord(
        chosen.kind,
        cell=chosen.part.edges(choice.cell),
        mean=float(mean[0]),
        sd=float(np.sqrt(variance[0])),
        objective=here.fit.value,
        sigma=here.fit.sigma,
        lengths=tuple(float(s[-1]) for s in here.fit.coordinates),
        rows=len(here.fit.rank),
        left_out=given.rows.left_out,
        pending_left_out=given.rows.pending_left_out,
        explanation=explanation,
    )
