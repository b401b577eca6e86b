"""What the method sees of a study at one moment: the model, the cells and the next point, for people to look at."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ordbo_cli.errors import ExhaustedError, OrdboError
from ordbo_cli.method import PartitionKind
from ordbo_cli.ordinal.arrays import Array, BoolArray, IntArray
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.laplace import LatentLengths, latent_lengths
from ordbo_cli.problem import Evaluation, Number, Problem
from ordbo_cli.search.acquisition import LowerConfidenceBound
from ordbo_cli.search.belief import Belief, Rows, belief, fit_context, inputs, partition_of, ranks
from ordbo_cli.search.choose import lower_bound
from ordbo_cli.search.closed import Closed, awaited_cells, either, full_cells
from ordbo_cli.search.crew import crew_of
from ordbo_cli.search.partition import Partition
from ordbo_cli.search.space import Space
from ordbo_cli.search.step import Proposal, propose, space_left


@dataclass(frozen=True)
class Moment:
    """All that the next point follows from: the arguments of :func:`~ordbo_cli.search.step.propose`.

    Args:
        problem: what is asked.
        evaluations: in order of arrival.
        pending: points that are out, oldest first.
        step: number of points asked for so far.
        fit: the fit of the step before, if it is at hand.
        avoid: points that were given up.
    """

    problem: Problem
    evaluations: Sequence[Evaluation]
    pending: Sequence[Sequence[Number]] = ()
    step: int = 0
    fit: Mapping[str, Any] | None = None
    avoid: Sequence[Sequence[Number]] = ()


@dataclass(frozen=True)
class View:
    """What the method sees at one moment.

    Args:
        moment: what it looks at.
        rows: those of its rows that it sees.
        space: the box.
        known: the fitted model.
        proposal: the next point; None where there is none.
        why_not: in words, why there is none.
    """

    moment: Moment
    rows: Rows
    space: Space
    known: Belief
    proposal: Proposal | None
    why_not: str = ""

    @classmethod
    def of(cls, moment: Moment, *, explain: bool = False) -> View:
        """Fit the model to what is known at a moment and choose the next point; nothing is recorded.

        Args:
            explain: whether the proposal says why it was chosen.
        """
        problem = moment.problem
        rows, space = Rows.of(problem, moment.evaluations, moment.pending), Space(problem, ())
        proposal, why_not = None, ""
        with crew_of(1):
            try:
                proposal = propose(
                    problem,
                    moment.evaluations,
                    moment.pending,
                    moment.step,
                    moment.fit,
                    avoid=moment.avoid,
                    explain=explain,
                )
            except OrdboError as error:
                why_not = error.message
            plain = moment.fit if proposal is None or proposal.fit is None else proposal.fit
            known = belief(rows, space, Fit.from_dict(plain or {}, space.dimension))
        return cls(moment, rows, space, known, proposal, why_not)

    @property
    def problem(self) -> Problem:
        """What is asked."""
        return self.moment.problem

    @property
    def evaluations(self) -> Sequence[Evaluation]:
        """All evaluations, in order of arrival."""
        return self.moment.evaluations

    @cached_property
    def X(self) -> Array:
        """Inputs of all evaluations [N, D]."""
        return inputs([e.values for e in self.evaluations], self.space)

    @cached_property
    def ranks(self) -> IntArray:
        """Rank of each evaluation, 0 the best; failures share the one after the last [N]."""
        return np.array(ranks(self.problem, self.evaluations), dtype=np.int64)

    @cached_property
    def failed(self) -> BoolArray:
        """Whether each evaluation failed [N]."""
        return np.array([e.objective is None for e in self.evaluations], dtype=bool)

    @cached_property
    def inside(self) -> BoolArray:
        """Whether each evaluation lies within the bounds [N]."""
        return np.asarray(np.all((self.space.low <= self.X) & (self.space.high >= self.X), axis=1))

    @cached_property
    def seen(self) -> BoolArray:
        """Whether the model is fitted to each evaluation: not to ignored failures, nor to all of very many [N]."""
        fitted = {id(e) for e in self.rows.ranked}
        return np.array([id(e) in fitted for e in self.evaluations], dtype=bool)

    @cached_property
    def best(self) -> int | None:
        """Place of the best success within the bounds, the earliest of equals; None where there is none."""
        good = np.flatnonzero(self.inside & ~self.failed)
        return int(good[np.argmin(self.ranks[good])]) if len(good) else None

    @cached_property
    def next(self) -> Array | None:
        """The next point [D], if there is one."""
        return None if self.proposal is None else np.array(self.proposal.values, dtype=np.float64)

    @cached_property
    def next_interval(self) -> IntArray | None:
        """The place of the knot below the next point in each dimension; on a knot, the one before [D]."""
        return None if self.next is None else self.known.frame.below(self.next[None, :])[0]

    @cached_property
    def closed(self) -> Closed:
        """Which cells the next point is not looked for in: where every point was tried, and where a result is out."""
        frame, moment = self.known.frame, self.moment
        try:
            space = space_left(moment.problem, moment.evaluations, moment.pending, moment.avoid)
        except ExhaustedError:
            return lambda cell: cell
        awaited, full = awaited_cells(self.rows, space, frame), full_cells(space, frame)
        return full if awaited is None else either(awaited, full)

    def cells(self, kind: PartitionKind | None = None) -> Partition:
        """Return the cells that the method searches, or those of the other partition."""
        return partition_of(self.rows, self.rows.points, self.known.frame, self.space, kind)

    @cached_property
    def acquisition(self) -> LowerConfidenceBound:
        """The lower confidence bound, as the method chooses by it where it does."""
        return lower_bound(self.known, self.problem.method)

    @cached_property
    def centre(self) -> Array:
        """The latent point that slices go through: the best success's, or before any the middle of the box [D]."""
        if self.best is not None:
            return self.latent(self.X[[self.best]])[0]
        return 0.5 * np.add(*self.known.frame.box.edges(self.known.frame.coordinates))

    @cached_property
    def lengths(self) -> Array:
        """Latent length of the box in each dimension [D]."""
        return self.known.lengths

    @cached_property
    def latent_lengths(self) -> LatentLengths:
        """The same lengths with how surely the fit knows them."""
        fit, space = self.known.fit, self.space
        context = fit_context(self.rows, fit.data, space)
        with crew_of(1):
            return latent_lengths(fit, self.problem.method, context, space.low, space.high)

    def warped(self, j: int, x: Array) -> Array:
        """Return the latent coordinates of values of one parameter; between knots the warp is drawn straight."""
        knots, s = self.known.frame.knots[j], self.known.frame.coordinates[j]
        return np.interp(self._scaled(j, x), self._scaled(j, knots), s)

    def unwarped(self, j: int, s: Array) -> Array:
        """Return the values of one parameter at latent coordinates."""
        knots, coordinates = self.known.frame.knots[j], self.known.frame.coordinates[j]
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
        mean, variance = self.known.posterior.moments(s)
        return mean, np.sqrt(variance)

    def means(self, s: Array) -> Array:
        """Return means of the latent function [P] at latent points [P, D], which cost far less than its deviations."""
        return self.known.posterior.means(s)

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
