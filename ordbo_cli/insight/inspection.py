"""What the method sees of a study: the model, the cells and the next point, for people to look at.

======  =================================================================  ======
symbol  meaning                                                            shape
======  =================================================================  ======
N       evaluations
D       axes: parameters with an order that count at the levels looked at
X       points in the user's units                                         [P, D]
s       latent points                                                      [P, D]
======  =================================================================  ======
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ordbo_cli.errors import ExhaustedError, OrdboError, UsageError
from ordbo_cli.insight.explanation import explained
from ordbo_cli.insight.laplace import LatentLengths, latent_lengths
from ordbo_cli.ordinal.linalg import Array, BoolArray, IntArray
from ordbo_cli.problem import Evaluation, Fixed, Number, Problem
from ordbo_cli.problem.method import PartitionKind
from ordbo_cli.problem.order import ranks
from ordbo_cli.problem.setting_order import SettingOrders
from ordbo_cli.search.cells.acquisition import LowerConfidenceBound
from ordbo_cli.search.cells.next_cell import lower_bound
from ordbo_cli.search.cells.partition import Closed, Partition
from ordbo_cli.search.space.level_combinations import Held, Part, at, held_at
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step import Proposal, propose, space_left
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import Surrogate, fit_context, fit_surrogate, partition_of
from ordbo_cli.search.threads import thread_pool


@dataclass(frozen=True)
class Inspection:
    """What the model makes of what is known, and what the search would do next.

    Args:
        given: what is known.
        surrogate: the fitted model.
        proposal: the next point; None where there is none.
        why_not: in words, why there is none.
    """

    given: StepInput
    surrogate: Surrogate
    proposal: Proposal | None
    why_not: str = ""

    @classmethod
    def of(cls, given: StepInput, *, explain: bool = False) -> Inspection:
        """Fit the model and choose the next point; nothing is recorded.

        Args:
            explain: whether the proposal says why it was chosen.
        """
        proposal, why_not = None, ""
        with thread_pool(1):
            try:
                proposal = propose(given, explain=explained if explain else None)
            except OrdboError as error:
                why_not = error.message
            fit = given.fit if proposal is None or proposal.fit is None else proposal.fit
            return cls(given, fit_surrogate(replace(given, fit=fit)), proposal, why_not)


@dataclass(frozen=True)
class View:
    """What the method sees at one moment.

    Args:
        given: what it looks at. Where there are categorical parameters, along the others that count at the levels of
            the best point: as if these were all, and the levels fixed.
        whole: the same with all parameters.
        part: where it looks, with what is known there.
        suggestion: the next point, of all parameters; None where there is none.
        proposal: the same along the axes; None where there is none, or not in the part.
        why_not: in words, why there is none.
        here: whether each evaluation lies in the part [N].
    """

    given: StepInput
    whole: StepInput
    part: Part
    suggestion: Proposal | None
    proposal: Proposal | None
    why_not: str
    here: BoolArray

    @classmethod
    def of(cls, given: StepInput, *, explain: bool = False) -> View:
        """Fit the model to what is known at a moment and choose the next point; nothing is recorded.

        Args:
            explain: whether the proposal says why it was chosen.

        Raises:
            UsageError: at the levels of the best point no parameter counts that has an order: there are no axes.
        """
        inspection = Inspection.of(given, explain=explain)
        proposal, why_not, axes = inspection.proposal, inspection.why_not, given.latent_axes
        held = _looked_at(given, proposal)
        part = Part.of(Space(given.problem, (), orders=given.orders), axes, inspection.surrogate, given.rows, held)
        here = np.array([part.space.contains(e.values) for e in given.evaluations], dtype=bool)
        if not axes.nominal:
            return cls(given, given, part, proposal, proposal, why_not, here)
        if not part.space.axes:
            raise UsageError("no parameter that counts has an order: there are no axes", "See ordbo status")
        if proposal is not None and not part.space.contains(proposal.values):
            why_not, proposal = f"it lies at {_levels(given.problem, proposal.values)}", None
        return cls(_along(given, part), given, part, inspection.proposal, _along_axes(proposal, part), why_not, here)

    @property
    def levels(self) -> str:
        """The levels without an order that it looks at, in words; "" where there are none."""
        return _levels(self.whole.problem, self.space.held)

    @property
    def space(self) -> Space:
        """The box."""
        return self.part.space

    @property
    def surrogate(self) -> Surrogate:
        """The fitted model, along the axes of the box."""
        return self.part.surrogate

    @property
    def problem(self) -> Problem:
        """What is asked."""
        return self.given.problem

    @property
    def orders(self) -> SettingOrders:
        """Of the settings of ranked parameters that have their places."""
        return self.given.orders

    @property
    def evaluations(self) -> Sequence[Evaluation]:
        """All evaluations, in order of arrival."""
        return self.given.evaluations

    @cached_property
    def X(self) -> Array:
        """Inputs of all evaluations [N, D]."""
        return np.array([e.values for e in self.evaluations], dtype=np.float64).reshape(-1, self.space.dimension)

    @cached_property
    def ranks(self) -> IntArray:
        """Rank of each evaluation, 0 the best; failures share the one after the last [N]."""
        return np.array(ranks(self.problem, self.evaluations), dtype=np.int64)

    @cached_property
    def failed(self) -> BoolArray:
        """Whether each evaluation failed or broke a limit, so that its objective has no say [N]."""
        return np.array([e.objective is None for e in self.evaluations], dtype=bool)

    @property
    def failed_word(self) -> str:
        """What became of those that failed or broke a limit, in a word or two."""
        infeasible = sum(map(self.problem.is_infeasible, self.evaluations))
        words = ["failed"] if int(self.failed.sum()) > infeasible or not infeasible else []
        return " or ".join([*words, "infeasible"] if infeasible else words)

    @property
    def failed_verb(self) -> str:
        """What they did, for a sentence: they failed, or broke a limit."""
        return self.failed_word.replace("infeasible", "broke a limit")

    @cached_property
    def inside(self) -> BoolArray:
        """Whether each evaluation lies within the bounds [N]."""
        return np.asarray(np.all((self.space.low <= self.X) & (self.space.high >= self.X), axis=1))

    @cached_property
    def seen(self) -> BoolArray:
        """Whether the model is fitted to each evaluation: not to ignored failures, nor to all of very many [N]."""
        fitted = {id(e) for e in self.whole.rows.ranked}
        return np.array([id(e) in fitted for e in self.whole.evaluations], dtype=bool)

    @cached_property
    def leading(self) -> BoolArray:
        """Whether each may be the best: it succeeded within the bounds, and not somewhere beyond a bad limit [N]."""
        leads = np.array([_leads(self.problem, e) for e in self.evaluations], dtype=bool)
        return np.asarray(self.inside & leads, dtype=bool)

    @cached_property
    def best(self) -> int | None:
        """Place of the best success within the bounds, the earliest of equals; None where there is none."""
        good = np.flatnonzero(self.leading)
        return int(good[np.argmin(self.ranks[good])]) if len(good) else None

    @property
    def pending(self) -> Sequence[Sequence[Number]]:
        """The points that are out and that the model sees, along the axes, oldest first."""
        return self.given.pending if self.whole.latent_axes.nominal else self.whole.rows.pending

    @cached_property
    def next(self) -> Array | None:
        """The next point [D], if there is one."""
        return None if self.proposal is None else np.array(self.proposal.values, dtype=np.float64)

    @cached_property
    def next_interval(self) -> IntArray | None:
        """The place of the knot below the next point in each dimension; on a knot, the one before [D]."""
        return None if self.next is None else self.surrogate.warp.below(self.next[None, :])[0]

    @cached_property
    def closed(self) -> Closed:
        """Which cells the next point is not looked for in: where every point was tried, and where a result is out."""
        try:
            whole = space_left(self.whole)
        except ExhaustedError:
            return lambda cell: cell
        part = replace(self.part, space=at(whole, self.part.space.held))
        return part.closed or part.full

    def cells(self, kind: PartitionKind | None = None) -> Partition:
        """Return the cells that the method searches, or those of the other partition."""
        return partition_of(self.part.rows, self.part.rows.points, self.surrogate.warp, self.space, kind)

    @cached_property
    def acquisition(self) -> LowerConfidenceBound:
        """The lower confidence bound, as the method chooses by it where it does."""
        return lower_bound(self.surrogate, self.problem.method)

    @cached_property
    def centre(self) -> Array:
        """The latent point that slices go through: the best success's, or before any the middle of the box [D]."""
        if self.best is not None:
            return self.latent(self.X[[self.best]])[0]
        return 0.5 * np.add(*self.surrogate.warp.box.edges(self.surrogate.warp.coordinates))

    @cached_property
    def lengths(self) -> Array:
        """Latent length of the box in each dimension [D]."""
        return self.surrogate.lengths

    @cached_property
    def latent_lengths(self) -> LatentLengths:
        """The same lengths with how surely the fit knows them."""
        fit, axes = self.surrogate.fit, self.whole.latent_axes
        context = fit_context(self.whole.rows, fit.data, axes)
        with thread_pool(1):
            found = latent_lengths(fit, self.problem.method, context, axes.low, axes.high)
        kept = list(self.surrogate.held[1])
        return LatentLengths(found.length[kept], found.log_sd[kept])

    def warped(self, j: int, x: Array) -> Array:
        """Return the latent coordinates of values of one parameter; between knots the warp is drawn straight."""
        knots, s = self.surrogate.warp.knots[j], self.surrogate.warp.coordinates[j]
        return np.interp(self._scaled(j, x), self._scaled(j, knots), s)

    def unwarped(self, j: int, s: Array) -> Array:
        """Return the values of one parameter at latent coordinates."""
        knots, coordinates = self.surrogate.warp.knots[j], self.surrogate.warp.coordinates[j]
        x = np.interp(s, coordinates, self._scaled(j, knots))
        return np.exp(x) if self._is_log(j) else np.ldexp(x, self._exponent(j))

    def latent(self, X: Array) -> Array:
        """Return the latent places of points in the user's units [P, D]."""
        return np.stack([self.warped(j, X[:, j]) for j in range(self.space.dimension)], axis=1)

    def original(self, s: Array) -> Array:
        """Return the points in the user's units at latent places [P, D]."""
        return np.stack([self.unwarped(j, s[:, j]) for j in range(self.space.dimension)], axis=1)

    def moments(self, s: Array) -> tuple[Array, Array]:
        """Return means and standard deviations of the latent function [P] at latent points [P, D]."""
        mean, variance = self.surrogate.posterior.moments(s)
        return mean, np.sqrt(variance)

    def means(self, s: Array) -> Array:
        """Return means of the latent function [P] at latent points [P, D], which cost far less than its deviations."""
        return self.surrogate.posterior.means(s)

    def _is_log(self, j: int) -> bool:
        return self.space.axes[j].parameter.scale == "log"

    def _scaled(self, j: int, x: Array) -> Array:
        """Return values on a parameter's own scale, in a unit of about its range: differences stay ordinary numbers."""
        if self._is_log(j):
            return np.log(np.maximum(x, math.ulp(0.0)))
        with np.errstate(over="ignore"):
            return np.ldexp(x, -self._exponent(j))

    def _exponent(self, j: int) -> int:
        return int(np.frexp(self.space.high[j] - self.space.low[j])[1])


def _looked_at(given: StepInput, proposal: Proposal | None) -> Held:
    """Return the part of the best success within the bounds; before any, of the next point, or else the first."""
    problem = given.problem
    good = [e for e in given.evaluations if _leads(problem, e) and _is_inside(problem, e.values)]
    order = ranks(problem, good)
    if good:
        return held_at(problem, good[order.index(min(order))].values)
    return held_at(problem, [p.low for p in problem.free] if proposal is None else proposal.values)


def _levels(problem: Problem, values: Sequence[Number]) -> str:
    """Return the levels of a point that have no order, in words."""
    return ", ".join(f"{problem.free[k].name} {problem.free[k].shown(values[k])}" for k in problem.categorical)


def _leads(problem: Problem, evaluation: Evaluation) -> bool:
    """Return whether an evaluation has an objective that counts, and not somewhere beyond a limit."""
    return evaluation.objective is not None and not problem.is_worse_than_limit(evaluation.censored)


def _is_inside(problem: Problem, values: Sequence[Number]) -> bool:
    return all(p.min <= x <= p.max for p, x in zip(problem.free, values, strict=True))


def _along(given: StepInput, part: Part) -> StepInput:
    """Return a moment along the axes of a part, as if its levels were fixed: what is pending elsewhere is not there."""
    problem, space = given.problem, part.space
    active = problem.active(space.held)
    held = {p.name: x for p, x, counts in zip(problem.free, space.held, active, strict=True) if counts}
    parameters = tuple(
        p if isinstance(p, Fixed)
        else replace(p, when=()) if p in (axis.parameter for axis in space.axes)
        else Fixed(p.name, p.shown(held[p.name]))
        for p in problem.parameters if isinstance(p, Fixed) or p.name in held
    )  # fmt: skip

    def along(point: Sequence[Number]) -> tuple[Number, ...]:
        return tuple(point[k] for k in space.columns)

    evaluations = [replace(e, values=along(e.values)) for e in given.evaluations]
    pending = [along(x) for x in given.pending if space.contains(x)]
    avoid = [along(x) for x in given.avoid if space.contains(x)]
    both = [c for c in given.comparisons if space.contains(c.better) and space.contains(c.worse)]
    return replace(
        given,
        problem=replace(problem, parameters=parameters),
        evaluations=evaluations,
        pending=pending,
        avoid=avoid,
        comparisons=[replace(c, better=along(c.better), worse=along(c.worse)) for c in both],
    )


def _along_axes(proposal: Proposal | None, part: Part) -> Proposal | None:
    """Return a proposal with the values and the cell along the axes of its part."""
    if proposal is None:
        return None
    values = tuple(proposal.values[k] for k in part.space.columns)
    cell = proposal.record.cell
    along = None if cell is None else tuple(cell[k] for k in part.space.columns)
    return replace(proposal, values=values, record=replace(proposal.record, cell=along))
