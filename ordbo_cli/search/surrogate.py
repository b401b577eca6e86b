"""What the rows say: the fitted model, and all rows' places in its latent space.

=======  =======================================  ======
symbol   meaning                                  shape
=======  =======================================  ======
N        evaluations
R        rows: evaluated, compared and pending
D        latent axes
s        latent points                            [P, D]
mu, var  mean and variance of the latent process  [P]
=======  =======================================  ======
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from ordbo_cli.ordinal.data import ComparedRows, OrdinalData, RankedRows, ordinal_data
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.fitting import FitContext, fit_model
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.ordinal.prior import inherited_shares
from ordbo_cli.problem import Campaign, Number, Problem
from ordbo_cli.problem.method import PartitionKind
from ordbo_cli.problem.order import front, order
from ordbo_cli.problem.several import OF_EACH, without_enough
from ordbo_cli.search.cells.partition import Partition
from ordbo_cli.search.latent_axes import FittedWarp, LatentAxes, extended
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.step_rows import Rows, ranked
from ordbo_cli.search.success_field import SuccessField, fit_success
from ordbo_cli.search.trades.expected_front import expected_results, leading_by_medians
from ordbo_cli.search.trades.preferences import Preferences

if TYPE_CHECKING:
    from ordbo_cli.search.step_input import StepInput


@dataclass(frozen=True)
class Surrogate:
    """What is known of the latent function, along the axes of all parameters with an order or of some of them.

    Args:
        fit: the fitted model.
        warp: the fitted warp of these parameters, with the coordinates of all rows as knots.
        posterior: of the latent function; where points are pending, it has observed its own mean there.
        pending: whether points are.
        rows: how many rows there are, evaluated and pending.
        base: the posterior along all axes of the model; None where this one is.
        origin: the latent point of all axes whose coordinates count on those that are held, and which of its axes are
            not held; None where none is.
        success: the chances to succeed, along the posterior's axes; None where no evaluation has failed.
        others: of several objectives what is known of those after the first, along the same axes, in latent spaces of
            their own.
        front: places of the results that none dominates in the latent spaces of all axes, first objective's [F, axes];
            under noise of the tried points that none dominates by posterior means, or by medians of results.
        traded: posterior means of these results, by objective [F, objectives].
        preferences: between results, by their posterior means; None where nobody has compared any.
    """

    fit: Fit
    warp: FittedWarp
    posterior: Posterior
    pending: bool
    rows: int
    base: Posterior | None = None
    origin: tuple[Array, tuple[int, ...]] | None = None
    success: SuccessField | None = None
    others: tuple[Surrogate, ...] = ()
    front: Array | None = None
    traded: Array | None = None
    preferences: Preferences | None = None

    @property
    def each(self) -> tuple[Surrogate, ...]:
        """What is known of each objective."""
        return (self, *self.others)

    @property
    def places(self) -> tuple[Array, ...]:
        """Latent coordinates that all objectives have in the same order, of every axis of the posterior [n_j]."""
        levels = () if self.origin else self.fit.coordinates[len(self.warp.coordinates) :]
        return (*self.warp.coordinates, *levels)

    def to_dict(self) -> dict[str, Any]:
        """Return the fit for the next step to start from, as JSON-able values."""
        return {OF_EACH: [each.fit.to_dict() for each in self.each]} if self.others else self.fit.to_dict()

    @cached_property
    def means(self) -> Array:
        """Posterior means at the points that the posterior rests on [M], the prior's where there are none."""
        base = self.base or self.posterior
        return base.moments(base.S)[0] if len(base.S) else np.zeros(1)

    @property
    def lengths(self) -> Array:
        """Latent length of the box in each dimension [D]."""
        low, high = self.warp.box.edges(self.warp.coordinates)
        return np.asarray(high - low)

    @property
    def all_lengths(self) -> Array:
        """Latent lengths of all axes that the model has, each at least as long as the box [axes]."""
        return np.array([s[-1] for s in self.fit.coordinates])

    @property
    def held(self) -> tuple[Array, tuple[int, ...]]:
        """The latent point of all axes, and which of them are not held: the arguments of :meth:`Posterior.at`."""
        if self.origin is None:
            return np.zeros(len(self.warp.knots)), tuple(range(len(self.warp.knots)))
        return self.origin

    def whole(self, s: Array) -> Array:
        """Return latent points of these axes as points of all axes of the model [P, axes]."""
        if self.origin is None:
            return s
        place, columns = self.origin
        whole = np.repeat(place[None, :], len(s), axis=0)
        whole[:, columns] = s
        return whole

    def at(self, space: Space, latent_axes: LatentAxes) -> Surrogate:
        """Return what is known along the axes of a space that holds the other parameters.

        Args:
            space: whose parameters all have an order.
            latent_axes: of the model.
        """
        if not latent_axes.aside:
            return self
        (place,) = latent_points(latent_axes, self.warp, self.fit, [space.held])
        kept = tuple(latent_axes.ordered.index(k) for k in space.columns)
        warp = FittedWarp(
            tuple(self.warp.knots[k] for k in kept),
            tuple(self.warp.coordinates[k] for k in kept),
            space.low,
            space.high,
        )
        base, origin = self.base or self.posterior, (place, kept)
        success = self.success and self.success.at(place, kept)
        others = tuple(each.at(space, latent_axes) for each in self.others)
        posterior = base.at(place, kept)
        return replace(self, warp=warp, posterior=posterior, base=base, origin=origin, success=success, others=others)


def fit_surrogate(given: StepInput) -> Surrogate:
    """Fit the model to the evaluations, and place what is pending in its latent space.

    A pending point's latent place follows from those of its neighbours; what is hallucinated there is the posterior
    mean, so that only the variance shrinks (Ginsbourger et al. 2010 call it the kriging believer). The fit of the step
    before stands as it is where nothing that shaped it has changed since.
    """
    return _of_several(given) if given.problem.has_front else fit_rows(given.rows, given.previous)


def fit_rows(rows: Rows, previous: Fit | None) -> Surrogate:
    """Fit the model to rows of one order, as :func:`fit_surrogate` does.

    Args:
        rows: what is known.
        previous: the fit of the step before; None where there is none.
    """
    latent_axes, method = rows.latent_axes, rows.problem.method
    data = _data(rows, latent_axes)
    fitted = fit_model(data, method, fit_context(rows, data, latent_axes), previous)
    known = warp_of(fitted, latent_axes)
    warp = extended(known, latent_axes.space, latent_axes.space.inputs(rows.points), metric=not method.is_metric_free)
    pending = sorted({tuple(map(float, x)) for x in rows.pending})
    known_points = {tuple(map(float, x)) for x in rows.fitted}
    new = latent_points(latent_axes, warp, fitted, [x for x in pending if x not in known_points])
    posterior = fitted.posterior(method.kernel).hallucinate(new)
    success = success_of(rows, latent_axes, warp, fitted)
    return Surrogate(fitted, warp, posterior, bool(rows.pending), rows.number, success=success)


def _of_several(given: StepInput) -> Surrogate:
    """Return what is known of each objective, each by a model of its own, and of the front."""
    first, *others = map(fit_surrogate, given.each)
    rows, axes = given.rows, given.latent_axes
    best = _front(rows, (first, *others))
    found = [latent_points(axes, each.warp, each.fit, best) for each in (first, *others)]
    means = [each.posterior.moments(s)[0] for each, s in zip((first, *others), found, strict=True)]
    traded = np.stack(means, axis=1) if best else np.zeros((0, 1 + len(others)))
    liked = _preferences(rows, axes, (first, *others))
    return replace(first, rows=rows.number, others=tuple(others), front=found[0], traded=traded, preferences=liked)


def _front(rows: Rows, each: Sequence[Surrogate]) -> list[tuple[Number, ...]]:
    """Return the points of the results that none dominates.

    Under noise, where one may be lucky, they are the tried points that none dominates by means, or by the medians of
    their results. All of them count by their means; those by medians keep the extent of the front what results say, as
    means that are little known have ends that are none.
    """
    if rows.problem.noise:
        by_means = expected_results(rows, [(one.fit, one.posterior) for one in each]).front
        return list(dict.fromkeys([*by_means, *leading_by_medians(rows.problem, rows.evaluations)]))
    return [rows.evaluations[k].values for k in front(rows.problem, rows.evaluations)]


def _preferences(rows: Rows, axes: LatentAxes, each: Sequence[Surrogate]) -> Preferences | None:
    """Return what was said of results that the model sees, by their posterior means for each objective."""
    seen = set(rows.points)
    said = [one for one in rows.comparisons if one.better in seen and one.worse in seen]
    if not said:
        return None

    def means(points: list[Sequence[Number]]) -> Array:
        places = [latent_points(axes, one.warp, one.fit, points) for one in each]
        return np.stack([one.posterior.moments(s)[0] for one, s in zip(each, places, strict=True)], axis=1)

    better, worse = means([one.better for one in said]), means([one.worse for one in said])
    return Preferences(better, worse, np.array([one.tie for one in said]))


def success_of(rows: Rows, latent_axes: LatentAxes, warp: FittedWarp, fitted: Fit) -> SuccessField | None:
    """Return the chances that evaluations neither fail nor break a limit; None where all of them did neither.

    Args:
        rows: those that count are evaluated, whatever a failure counts as among the results.
        latent_axes: of the model.
        warp: of its parameters with an order, whose knots hold the rows' coordinates.
        fitted: the model.
    """
    problem = rows.problem
    failed = np.array([problem.is_failure(e) or problem.is_infeasible(e) for e in rows.evaluations], dtype=bool)
    if not failed.any():
        return None
    return fit_success(latent_points(latent_axes, warp, fitted, [e.values for e in rows.evaluations]), ~failed)


def warp_of(fitted: Fit, latent_axes: LatentAxes) -> FittedWarp:
    """Return the fitted warp of the parameters with an order."""
    ordered, space = len(latent_axes.ordered), latent_axes.space
    return FittedWarp(fitted.knots[:ordered], fitted.coordinates[:ordered], space.low, space.high)


def latent_points(latent_axes: LatentAxes, warp: FittedWarp, fitted: Fit, points: Sequence[Sequence[Number]]) -> Array:
    """Return the latent places of points of all free parameters, along all axes of the model [P, axes].

    Args:
        warp: of the parameters with an order, whose knots hold the points' coordinates.
        fitted: the model, whose gaps the levels have.
    """
    s = warp.latent(latent_axes.space.inputs(points))
    if not latent_axes.aside:
        return s
    ordered = len(latent_axes.ordered)
    gaps = np.array([places[-1] for places in fitted.coordinates[ordered:]])
    return np.hstack([s, latent_axes.encoded(points)[:, ordered:] * gaps])


def placed(latent_axes: LatentAxes, warp: FittedWarp, fitted: Fit, points: Sequence[Sequence[Number]]) -> Array:
    """Return the latent places of any points, between their neighbours by distance, along all axes [P, axes].

    Args:
        latent_axes: of the model.
        warp: of its parameters with an order.
        fitted: the model.
        points: of all free parameters.
    """
    wider = extended(warp, latent_axes.space, latent_axes.space.inputs(points), metric=True)
    return latent_points(latent_axes, wider, fitted, points)


def fit_context(rows: Rows, data: OrdinalData, latent_axes: LatentAxes) -> FitContext:
    """Return what a fit to the rows needs beside the data, which are made from them."""
    parameters = len(rows.problem.free)
    # The ends of the box are there from the start, and are not the outermost knots where a row lies outside.
    elsewhere = [latent_axes.encoded([e.values for e in c.evaluations], k) for k, c in enumerate(rows.campaigns)]
    arrivals = np.vstack([latent_axes.low, latent_axes.high, *elsewhere, latent_axes.encoded(rows.fitted)])
    initial = 2 + rows.problem.method.initial_rows(parameters)
    return FitContext(
        places=_without_labels(latent_axes.shares(data.knots), data, arrivals, initial, latent_axes),
        arrivals=arrivals,
        initial=initial,
        step=max(1, len(rows.fitted)),
        scales=latent_axes.scales if latent_axes.aside else None,
        parameters=parameters,
    )


def _without_labels(
    places: tuple[Array, ...], data: OrdinalData, arrivals: Array, initial: int, latent_axes: LatentAxes
) -> tuple[Array, ...]:
    """Return the places of the knots with those by order and arrival on ranked axes, whose labels are no distances."""
    found = list(places)
    for j, k in enumerate(latent_axes.ordered):
        if k in latent_axes.problem.ranked:
            found[j] = np.cumsum([0.0, *inherited_shares(data.knots[j], arrivals[:, j], initial)])
    return tuple(found)


def partition_of(
    rows: Rows,
    points: Sequence[Sequence[Number]],
    warp: FittedWarp,
    space: Space,
    kind: PartitionKind | None = None,
) -> Partition:
    """Return the cells that some of the rows make.

    Args:
        points: inputs of these rows, in order of arrival.
        warp: whose knots hold their coordinates.
        kind: of the partition; None for the method's.
    """
    method = rows.problem.method
    grid_rows = method.initial_rows(len(space.held)) if (kind or method.partition) == "tree" else len(points)
    return Partition(warp.places(space.inputs(points)), grid_rows, warp.box)


def _data(rows: Rows, latent_axes: LatentAxes) -> OrdinalData:
    results = rows.ranked
    X, found = latent_axes.encoded([e.values for e in results]), order(rows.problem, results)
    low, high = latent_axes.low.tolist(), latent_axes.high.tolist()
    others = [_elsewhere(rows.problem, campaign, k, latent_axes) for k, campaign in enumerate(rows.campaigns)]
    others += [RankedRows(latent_axes.encoded([]), (), ()) for _ in rows.judges]
    return ordinal_data(X, found.low, low, high, found.high, _compared(rows, latent_axes), others)


def _elsewhere(problem: Problem, campaign: Campaign, place: int, latent_axes: LatentAxes) -> RankedRows:
    """Return the results of a campaign as the model takes them."""
    results = ranked(problem, campaign.evaluations)
    found = order(without_enough(problem), results)
    return RankedRows(latent_axes.encoded([e.values for e in results], place), found.low, found.high)


def _compared(rows: Rows, latent_axes: LatentAxes) -> ComparedRows:
    """Return comparisons as the model takes them: a tie as both answers, with half the weight each."""
    said = rows.comparisons
    answers = [(c.better, c.worse, (0.5 if c.tie else 1.0) * c.weight, c.judge) for c in said]
    answers += [(c.worse, c.better, 0.5 * c.weight, c.judge) for c in said if c.tie]
    better, worse = (latent_axes.encoded([answer[k] for answer in answers]) for k in (0, 1))
    noise = {"": 0, **{judge: k for k, judge in enumerate(rows.judges, 1 + len(rows.campaigns))}}
    scale = np.array([noise[judge] for *_, judge in answers], dtype=np.int64)
    return ComparedRows(better, worse, np.array([weight for _, _, weight, _ in answers]), scale)
