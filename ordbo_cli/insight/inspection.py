"""What the method sees of a study: the model, the cells and the next point, for people to look at.

======  =================================================================  ======
symbol  meaning                                                            shape
======  =================================================================  ======
N       evaluations
K       free parameters
D       axes: parameters with an order that count at the levels looked at
X       points in the user's units                                         [P, D]
s       latent points                                                      [P, D]
======  =================================================================  ======
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from ordbo_cli.errors import ExhaustedError, OrdboError
from ordbo_cli.insight.drawn_warp import DrawnWarp
from ordbo_cli.insight.explanation import explained
from ordbo_cli.insight.laplace import LatentLengths, latent_lengths, lengths_of
from ordbo_cli.insight.leading_point import Leader, compared_as_results, in_one_order, leader_of, median_result
from ordbo_cli.ordinal.linalg import Array, BoolArray, IntArray, side_by_side
from ordbo_cli.problem import Evaluation, Number, Parameter, Problem
from ordbo_cli.problem.method import PartitionKind
from ordbo_cli.problem.order import ranks
from ordbo_cli.problem.setting_order import SettingOrders
from ordbo_cli.search.cells.acquisition import LowerConfidenceBound
from ordbo_cli.search.cells.partition import Closed, Partition
from ordbo_cli.search.cells.worth import lower_bound
from ordbo_cli.search.space.level_combinations import Held, Part, at, held_at
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step import Proposal, propose, space_left
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.surrogate import Surrogate, fit_context, fit_surrogate, partition_of, placed
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
        given: what is known.
        whole: the same as it is looked at: objectives by priority as their one order (:func:`in_one_order`), compared
            points that have no results as :func:`compared_as_results`.
        model: the fitted model, along all axes.
        part: where it looks along the parameters with an order that count at the levels of the best point.
        suggestion: the next point, of all parameters; None where there is none.
        proposal: the same along the axes of the part; None where there is none, or not in the part.
        why_not: in words, why there is none.
        leader: the point that leads, by the rule of ``ordbo best``; None where there is none.
        compared: whether there are comparisons alone, whose points stand as results.
    """

    given: StepInput
    whole: StepInput
    model: Surrogate
    part: Part
    suggestion: Proposal | None
    proposal: Proposal | None
    why_not: str
    leader: Leader | None
    compared: bool = False

    @classmethod
    def of(cls, given: StepInput, *, explain: bool = False) -> View:
        """Fit the model to what is known at a moment and choose the next point; nothing is recorded.

        Args:
            explain: whether the proposal says why it was chosen.
        """
        inspection = Inspection.of(given, explain=explain)
        return cls._at(given, inspection.surrogate, inspection.proposal, inspection.why_not)

    @classmethod
    def _at(cls, given: StepInput, model: Surrogate, proposal: Proposal | None, why_not: str) -> View:
        """Return what a fitted model shows at the levels of the point that leads."""
        with thread_pool(1):
            leader = leader_of(given, *(each.fit for each in model.each))
            whole = compared_as_results(given, model.fit)
        held = _looked_at(given, leader, proposal)
        part = Part.of(Space(given.problem, (), orders=given.orders), given.latent_axes, model, given.rows, held)
        along = proposal
        if given.latent_axes.nominal and proposal is not None:
            inside = part.space.contains(proposal.values)
            why_not, along = (why_not, _along_axes(proposal, part)) if inside else (_elsewhere(given, proposal), None)
        seen = in_one_order(whole)
        return cls(given, seen, model, part, proposal, along, why_not, leader, whole is not given)

    @property
    def each(self) -> list[View]:
        """Of several objectives what is seen of each alone, by the same models; the next point is one of all."""
        models = (replace(self.model, others=(), front=None, traded=None), *self.model.others)
        why_not = "the next point trades all objectives off"
        return [self._at(given, model, None, why_not) for given, model in zip(self.whole.each, models, strict=True)]

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
        return self.whole.problem

    @property
    def parameters(self) -> tuple[Parameter, ...]:
        """Those along the axes of the box."""
        return tuple(axis.parameter for axis in self.space.axes)

    @property
    def orders(self) -> SettingOrders:
        """Of the settings of ranked parameters that have their places."""
        return self.whole.orders

    @property
    def evaluations(self) -> Sequence[Evaluation]:
        """All evaluations, in order of arrival."""
        return self.whole.evaluations

    @cached_property
    def inputs(self) -> Array:
        """Values of all free parameters of all evaluations [N, K]."""
        return np.array([e.values for e in self.evaluations], dtype=np.float64).reshape(-1, len(self.problem.free))

    @cached_property
    def counts(self) -> BoolArray:
        """Which free parameters count at each evaluation [N, K]."""
        active = [self.problem.active(e.values) for e in self.evaluations]
        return np.array(active, dtype=bool).reshape(self.inputs.shape)

    @property
    def initial(self) -> int:
        """How many of the first evaluations are the initial design's."""
        return min(len(self.evaluations), self.problem.method.initial_rows(len(self.problem.free)))

    @cached_property
    def X(self) -> Array:
        """Inputs of all evaluations [N, D]."""
        return self.inputs[:, self.space.columns]

    @cached_property
    def here(self) -> BoolArray:
        """Whether each evaluation lies in the part [N]."""
        return np.array([self.space.contains(e.values) for e in self.evaluations], dtype=bool)

    @cached_property
    def ranks(self) -> IntArray:
        """Rank of each evaluation, 0 the best; failures share the one after the last [N]."""
        return np.array(ranks(self.problem, self.evaluations), dtype=np.int64)

    @cached_property
    def succeeded(self) -> BoolArray:
        """Whether each evaluation has an objective that has a say: it neither failed nor broke a limit [N]."""
        return np.array([e.objective is not None for e in self.evaluations], dtype=bool)

    @cached_property
    def infeasible(self) -> BoolArray:
        """Whether each evaluation came to its end and broke a limit [N]."""
        return np.array([self.problem.is_infeasible(e) for e in self.evaluations], dtype=bool)

    @property
    def failed(self) -> BoolArray:
        """Whether each evaluation failed [N]."""
        return np.asarray(~self.succeeded & ~self.infeasible)

    @cached_property
    def inside(self) -> BoolArray:
        """Whether each evaluation lies within the bounds [N]."""
        return np.array([self.problem.is_inside(e.values) for e in self.evaluations], dtype=bool)

    @cached_property
    def seen(self) -> BoolArray:
        """Whether the model is fitted to each evaluation: not to ignored failures, nor to all of very many [N]."""
        fitted = {id(e) for e in self.whole.rows.ranked}
        return np.array([id(e) in fitted for e in self.whole.evaluations], dtype=bool)

    @cached_property
    def fitted_means(self) -> Array:
        """Means of the latent function at all evaluations, NaN where the model does not see them [N]."""
        f, seen = np.full(len(self.seen), np.nan), np.flatnonzero(self.seen)
        with thread_pool(1):
            points = [self.evaluations[k].values for k in seen]
            f[seen] = self.model.posterior.means(
                placed(self.whole.latent_axes, self.model.warp, self.model.fit, points)
            )
        return f

    @cached_property
    def leading(self) -> BoolArray:
        """Whether each may be the best: it succeeded within the bounds, and not somewhere beyond a bad limit [N]."""
        asked = (
            self.given if self.given.problem.by_priority else self.whole
        )  # a rank does not say that its result is infinite
        leads = np.array([asked.problem.is_success(e) for e in asked.evaluations], dtype=bool)
        return np.asarray(self.inside & leads, dtype=bool)

    @cached_property
    def best(self) -> int | None:
        """Place of the evaluation of the point that leads; None where none leads that has a result."""
        return None if self.leader is None else median_result(self.whole, self.leader.values)

    @cached_property
    def through(self) -> Array:
        """The point that slices go through: the one that leads, or before any the middle of the box [D]."""
        if self.leader is None:
            return self.original(self.centre[None, :])[0]
        return self.space.inputs([self.leader.values])[0]

    @property
    def pending(self) -> Array:
        """The points of the part that are out and that the model sees, along the axes, oldest first [P, D]."""
        return self.space.inputs([x for x in self.whole.rows.pending if self.space.contains(x)])

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
        """The latent point that slices go through [D]."""
        if self.leader is not None:
            return self.latent(self.through[None, :])[0]
        return 0.5 * np.add(*self.surrogate.warp.box.edges(self.surrogate.warp.coordinates))

    @cached_property
    def lengths(self) -> Array:
        """Latent length of the box in each dimension [D]."""
        return self.surrogate.lengths

    @cached_property
    def all_lengths(self) -> Array:
        """Latent length of each free parameter, of several objectives the longest [K]."""
        axes = self.whole.latent_axes
        lengths = [lengths_of(each.fit, axes.low, axes.high, axes.groups) for each in self.model.each]
        return np.asarray(np.max(lengths, axis=0))

    @cached_property
    def latent_lengths(self) -> LatentLengths:
        """How long each free parameter is in the latent space, with how surely the fit knows it [K]."""
        fit, axes = self.model.fit, self.whole.latent_axes
        context = fit_context(self.whole.rows, fit.data, axes)
        with thread_pool(1):
            return latent_lengths(fit, self.problem.method, context, axes.low, axes.high, axes.groups)

    def warped(self, j: int, x: Array) -> Array:
        """Return the latent coordinates of values of one parameter along the axes."""
        return self._drawn[j].latent(x)

    def unwarped(self, j: int, s: Array) -> Array:
        """Return the values of one parameter at latent coordinates."""
        return self._drawn[j].original(s)

    @cached_property
    def _drawn(self) -> list[DrawnWarp]:
        warp = self.surrogate.warp
        return [DrawnWarp(*each) for each in zip(self.space.axes, warp.knots, warp.coordinates, strict=True)]

    def latent(self, X: Array) -> Array:
        """Return the latent places of points in the user's units [P, D]."""
        return side_by_side([self.warped(j, X[:, j]) for j in range(self.space.dimension)], len(X))

    def original(self, s: Array) -> Array:
        """Return the points in the user's units at latent places [P, D]."""
        return side_by_side([self.unwarped(j, s[:, j]) for j in range(self.space.dimension)], len(s))

    def moments(self, s: Array) -> tuple[Array, Array]:
        """Return means and standard deviations of the latent function [P] at latent points [P, D]."""
        mean, variance = self.surrogate.posterior.moments(s)
        return mean, np.sqrt(variance)

    def means(self, s: Array) -> Array:
        """Return means of the latent function [P] at latent points [P, D], which cost far less than its deviations."""
        return self.surrogate.posterior.means(s)


def _looked_at(given: StepInput, leader: Leader | None, proposal: Proposal | None) -> Held:
    """Return the part of the point that leads; before any, of the next point, or else the first."""
    if leader is not None:
        return held_at(given.problem, leader.values)
    return held_at(given.problem, [p.low for p in given.problem.free] if proposal is None else proposal.values)


def _elsewhere(given: StepInput, proposal: Proposal) -> str:
    return f"it lies at {_levels(given.problem, proposal.values)}"


def _levels(problem: Problem, values: Sequence[Number]) -> str:
    """Return the levels of a point that have no order and count, in words."""
    active = problem.active(values)
    return ", ".join(
        f"{problem.free[k].name} {problem.free[k].shown(values[k])}" for k in problem.categorical if active[k]
    )


def _along_axes(proposal: Proposal, part: Part) -> Proposal:
    """Return a proposal with the values and the cell along the axes of its part."""
    values = tuple(proposal.values[k] for k in part.space.columns)
    cell = proposal.record.cell
    along = None if cell is None else tuple(cell[k] for k in part.space.columns)
    return replace(proposal, values=values, record=replace(proposal.record, cell=along))
