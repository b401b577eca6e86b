"""Why a point was chosen: the runner-up, the results that weigh on it, and what the model expects there.

Everything is said of the latent point that speaks for the chosen cell; the point that is suggested is placed in that
cell afterwards. What there is to say stands at :class:`~ordbo_cli.search.step_record.Explanation`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from ordbo_cli.insight.leading_point import expected_of, median_result, models_of
from ordbo_cli.ordinal.kernels import KERNELS, distances, prior_covariance
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Evaluation
from ordbo_cli.problem.order import front, places, ranks
from ordbo_cli.search.cells.hypervolume import moved
from ordbo_cli.search.cells.next_cell import ChosenCell, seen_in
from ordbo_cli.search.cells.partition import Cell
from ordbo_cli.search.cells.thompson import sampled_wins
from ordbo_cli.search.cells.worth import acquisition_of, anchors_of
from ordbo_cli.search.minimise import Choice, best_open_cell, minimise, without
from ordbo_cli.search.prediction import Prediction, as_suggested, expectations, expected_ranks, predict
from ordbo_cli.search.space.feasible_space import ConstrainedSpace, lowest_feasible
from ordbo_cli.search.step import FoundPoint
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.step_record import Aim, Explanation, FrontResult, RunnerUp, Traded, Weighing
from ordbo_cli.search.step_rows import ranked
from ordbo_cli.search.surrogate import Surrogate

LARGEST_WEIGHTS: Final = 3
_AIMS: Final[dict[str, Aim]] = {
    "refine": "refine",
    "explore": "largest",
    "spread": "spread",
}  # of the kinds that no acquisition chooses
_SEARCHED_AROUND: Final = 6  # parameters; of more, the 2 D boxes around a cell take too long to be searched one by one
_SAMPLED: Final = 200  # cells at most whose joint samples are drawn
_SAMPLES: Final = 200


def explained(found: FoundPoint) -> Explanation:
    """Return why a step chose its point."""
    if found.chosen is None:
        return _design_explained(found)
    heard = tuple(each.name for each in found.given.campaigns)
    return replace(_choice_explained(found, found.chosen), campaigns=heard, levels=found.levels)


def _design_explained(found: FoundPoint) -> Explanation:
    """Return what a point of the initial design is: a corner, or one that fills the space."""
    method, space, point = found.given.problem.method, found.space, found.values
    corner = method.corners and (np.array_equal(point, space.low) or np.array_equal(point, space.high))
    below = sum(len(each.evaluations) for each in found.given.campaigns if each.level is not None)
    place = found.given.rows.number + below + 1
    return Explanation("corner" if corner else "filling", place=place, of=method.initial_rows(space.dimension))


def _choice_explained(found: FoundPoint, chosen: ChosenCell) -> Explanation:
    """Return why a cell was chosen."""
    if found.given.problem.has_front:
        return _trade_explained(found, chosen)
    given, surrogate, s = found.given, chosen.part.surrogate, chosen.choice.s[None, :]
    sd = float(np.sqrt(surrogate.posterior.moments(s)[1][0]))
    aim = "covering" if chosen.point and chosen.kind != "refine" else _AIMS.get(chosen.kind)
    reasons = Explanation(
        aim=aim or aim_of(sd),
        sd_left=sd,  # the prior's is 1
        weights=_weights(surrogate, given, surrogate.whole(s)),
    )
    if given.rows.fitted:
        expected = as_suggested(expectations(surrogate.fit, given, surrogate.whole(s))[0], given, chosen.kind)
        distinct = len(set(ranks(given.problem, ranked(given.problem, given.evaluations))))
        reasons = replace(
            reasons,
            expected_rank=expected.rank,
            distinct_results=distinct or len(given.rows.compared),
            chance_to_beat_best=expected.improvement,
            chance_to_fail=expected.failure,
        )
    return _compared(reasons, chosen, found) if chosen.kind == "acquire" else reasons


def _trade_explained(found: FoundPoint, chosen: ChosenCell) -> Explanation:
    """Return why a cell was chosen by several objectives: what is expected by each, and where on the front."""
    weights = found.trade.weights if found.trade and chosen.kind == "acquire" else None  # a quadratic follows no trade
    trade: list[Traded] = []
    failure, sds = None, []
    for k, (expected, given) in enumerate(zip(_expected_by_each(found, chosen), found.given.each, strict=True)):
        distinct = len(set(ranks(given.problem, ranked(given.problem, given.evaluations))))
        weight = None if weights is None else float(weights[k])
        trade.append(Traded(given.problem.objective, expected.rank, distinct, weight))
        failure = failure or expected.failure
        sds.append(expected.sd)
    results, along = found.given.evaluations, _along(found, chosen)
    better = sum(rank <= trade[0].expected_rank for _, rank in along)
    reasons = Explanation(
        _AIMS.get(chosen.kind) or aim_of(min(sds)),
        sd_left=min(sds),
        chance_to_fail=failure,
        trade=tuple(trade),
        between=tuple(FrontResult(k + 1, results[k].id) for k, _ in along[max(0, better - 1) : better + 1]),
    )
    if chosen.kind != "acquire" or not along:
        return reasons
    compared = _compared(reasons, chosen, found)
    if found.trade:
        return compared
    other = compared.runner_up and replace(compared.runner_up, value=-(compared.runner_up.value or 0.0))
    return replace(compared, acquisition="hypervolume", value=-(compared.value or 0.0), runner_up=other)


def _along(found: FoundPoint, chosen: ChosenCell) -> list[tuple[int, float]]:
    """Return the places of the results on the front with their ranks by the first objective, the best first.

    Under noise they stand for the points of the front by means, and the ranks are expected.
    """
    given, problem = found.given, found.given.problem
    if not problem.noise:
        by_first = [rank for rank, *_ in places(problem, given.evaluations)]
        return sorted(((k, by_first[k] + 1.0) for k in front(problem, given.evaluations)), key=lambda each: each[1])
    fits = models_of(given) if found.trade else [each.fit for each in chosen.part.surrogate.each]
    expected = expected_of(given, fits)
    leading = front(expected.problem, expected.results)
    s = fits[0].S[[expected.places[k][0] for k in leading]]
    ranks_ = expected_ranks(fits[0], fits[0].posterior(problem.method.kernel), given.each[0], s).tolist()
    stand = (median_result(given, expected.results[k].values) for k in leading)
    return sorted(((k, rank) for k, rank in zip(stand, ranks_, strict=True) if k is not None), key=lambda each: each[1])


def _expected_by_each(found: FoundPoint, chosen: ChosenCell) -> list[Prediction]:
    """Return what is expected by each of several objectives, of which a step by one trade has fitted no model."""
    if found.trade:
        return [predict(given, [found.values])[0] for given in found.given.each]
    first, s = chosen.part.surrogate, chosen.choice.s[None, :]
    expected = []
    for surrogate, given in zip(first.each, found.given.each, strict=True):
        here = moved(s, first.places, surrogate.places)[0]
        sd = float(np.sqrt(surrogate.posterior.moments(here)[1][0]))
        expected.append(replace(expectations(surrogate.fit, given, surrogate.whole(here))[0], sd=sd))
    return expected


def aim_of(sd: float) -> Aim:
    """Return whether a point explores or exploits: what speaks more for it, what is known there or what is not.

    It explores where more than half of the prior's standard deviation is left.
    """
    return "explore" if sd > 0.5 else "exploit"


def kriging_weights(surrogate: Surrogate, s: Array) -> Array:
    """Return the weights of the latent means at the distinct evaluated points in the mean at s: ``K^-1 k`` [M].

    Points that are out have none: what is assumed there is this very mean.

    Args:
        s: a latent point, along all axes of the model [1, axes].
    """
    S, kernel = surrogate.fit.S, surrogate.posterior.kernel
    if not len(S):
        return np.zeros(0)
    K = prior_covariance(kernel, distances(S, S))
    return np.asarray(cho_solve(cho_factor(K, lower=True), KERNELS[kernel].value(distances(S, s))[:, 0]))


def _weights(surrogate: Surrogate, given: StepInput, s: Array) -> tuple[Weighing, ...]:
    """Return the results that weigh most at s [1, axes]; of several of one point, the best."""
    weights, fit, problem, rows = kriging_weights(surrogate, s), surrogate.fit, given.problem, given.rows
    place = {id(each): k for k, each in enumerate(given.evaluations, 1)}
    everything = ranked(problem, given.evaluations)
    rank = dict(zip(map(id, everything), ranks(problem, everything), strict=True))
    at: dict[tuple[float, ...], list[Evaluation]] = {}  # the fit has the points, but not in order of arrival
    encoded = given.latent_axes.encoded([each.values for each in rows.ranked])
    for point, each in zip(encoded.tolist(), rows.ranked, strict=True):
        at.setdefault(tuple(point), []).append(each)
    heaviest = []
    for m in np.argsort(-np.abs(weights), kind="stable")[:LARGEST_WEIGHTS]:
        here = at.get(tuple(float(u[k]) for u, k in zip(fit.knots, fit.index[m], strict=True)))
        if here is None:  # it was compared only
            continue
        best = min(here, key=lambda each: rank[id(each)])
        heaviest.append(
            Weighing(
                place[id(best)],
                best.id,
                rank[id(best)] + 1,
                float(weights[m]),
                failed=problem.is_failure(best),
                infeasible=problem.is_infeasible(best),
                results=len(here),
            )
        )
    return tuple(heaviest)


def _compared(reasons: Explanation, chosen: ChosenCell, found: FoundPoint) -> Explanation:
    """Return an explanation with what the acquisition makes of the cell and of the best other open one."""
    method = found.given.problem.method
    if method.acquisition == "thompson":
        share, second = _shares(chosen, found)
        return replace(reasons, acquisition="thompson", share=share, runner_up=second)
    sign = 1.0 if method.acquisition == "lcb" else -1.0  # the improvement is minimised with its sign changed
    near = _runner_up(chosen, found)
    rivals = [*([(near, chosen.part)] if near else []), *([chosen.elsewhere] if chosen.elsewhere else [])]
    second = None
    if rivals:
        other, part = min(rivals, key=lambda each: each[0].value)
        second = RunnerUp(part.edges(other.cell), value=sign * other.value)
    return replace(reasons, acquisition=method.acquisition, value=sign * chosen.choice.value, runner_up=second)


def _runner_up(chosen: ChosenCell, found: FoundPoint) -> Choice | None:
    """Return the best open cell but the chosen one, or None where there is none.

    The boxes around the chosen cell are searched. Only where the best of their minima lies in a closed cell, or where
    there are too many boxes, is it found as the chosen one was.
    """
    surrogate, partition, cell = chosen.part.surrogate, chosen.part.partition, chosen.choice.cell
    if not surrogate.warp.knots:
        return None
    warp, acquisition = surrogate.warp, acquisition_of(surrogate, found.given.problem.method)

    def closed(other: Cell) -> Cell | None:
        return other if other == cell else chosen.closed(other)

    if isinstance(chosen.part.space, ConstrainedSpace):
        rows_there = chosen.part.inside
        return lowest_feasible(
            acquisition, warp, chosen.part.space, partition, closed, rows_there, found.rng, found.pool
        )
    acquisition = seen_in(chosen.part, acquisition)
    anchors = np.vstack([anchors_of(surrogate), chosen.choice.s])
    near: list[Choice] = []
    if len(warp.knots) <= _SEARCHED_AROUND:
        for box in without(warp.box, cell):
            s, value = minimise(acquisition, warp, box, anchors, found.rng, found.pool)
            near.append(Choice(partition.cell_at(warp.intervals(s[None, :], box)[0]), s, value))
    near.sort(key=lambda each: each.value)
    if near and chosen.closed(near[0].cell) is None:
        return near[0]
    rest = [each for each in near if chosen.closed(each.cell) is None]
    last = best_open_cell(acquisition, warp, partition, closed, anchors, found.rng, found.pool)
    return min([*rest, *([last] if last else [])], key=lambda each: each.value, default=None)


def _shares(chosen: ChosenCell, found: FoundPoint) -> tuple[float | None, RunnerUp | None]:
    """Return the share of samples that the cell wins, and the cell that wins most of the others.

    Nothing is said where there are many cells, or several parts of the space, in each of which there are cells.
    """
    surrogate, partition = chosen.part.surrogate, chosen.part.partition
    if surrogate.origin is not None or partition.size(_SAMPLED) > _SAMPLED:
        return None, None
    cells = [cell for cell in partition.cells() if chosen.closed(cell) is None]
    sampled = sampled_wins(surrogate.posterior, surrogate.warp, cells, _SAMPLES, found.rng, found.pool)
    wins = np.bincount([winner for winner, _, _ in sampled], minlength=len(cells))
    shares, own = wins / _SAMPLES, cells.index(chosen.choice.cell)
    others = [k for k in np.argsort(-shares, kind="stable") if k != own]
    second = RunnerUp(chosen.part.edges(cells[others[0]]), share=float(shares[others[0]])) if others else None
    return float(shares[own]), second
