"""Why a point was chosen: the runner-up, the results that weigh on it, and what the model expects there.

Everything is said of the latent point that speaks for the chosen cell; the point that is suggested is placed in that
cell afterwards. All of it is JSON-able. A model's point has

- ``aim``: ``exploit`` or ``explore``, see :func:`aim_of`; ``largest`` in the turn to explore, which takes the largest
  cell; ``spread`` where a result is awaited in every cell; under constraints ``covering`` instead of these two, see
  :mod:`ordbo_cli.search.space.covering`;
- ``sd_left``: the share of the prior's standard deviation that is left, points that are out counting as observed;
- ``weights``: the results that weigh most on the mean there, which is the sum of latent values times these weights:
  their ``place`` in the order of arrival, their ``id`` if any, their ``rank`` (1 the best), and ``weight``; ``failed``
  is true for a failure, and ``results`` is their number where several are of one point;
- ``expected_rank`` and ``chance_to_beat_best``, from the results alone as ``ordbo predict`` has them, and
  ``distinct_results``, the number of ranks there are (of compared points, where there are only comparisons); none of
  the three without a result;
- ``acquisition`` and ``value`` there, and the ``runner_up``, the best other open cell: its ``cell`` in the user's units
  and its ``value``, or None where no other is open. LCB is ``lcb``, the logarithm of the expected improvement ``ei``;
  of ``thompson``, ``share`` in place of ``value`` is the share of samples whose minimum lies in the cell, and is left
  out where there are too many cells.

A point of the initial design has the aims ``corner`` or ``filling``, and its ``place`` among ``of`` points.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from scipy.linalg import cho_factor, cho_solve

from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.ordinal.kernels import KERNELS, distances, prior_covariance
from ordbo_cli.problem import Evaluation, Number
from ordbo_cli.problem.order import ranks
from ordbo_cli.search.cells.choose import acquisition_of, anchors_of
from ordbo_cli.search.cells.next_cell import ChosenCell
from ordbo_cli.search.cells.partition import Cell
from ordbo_cli.search.cells.thompson import sampled_wins
from ordbo_cli.search.latent_axes import LatentAxes
from ordbo_cli.search.minimise import Choice, best_open_cell, minimise, without
from ordbo_cli.search.prediction import expectations
from ordbo_cli.search.space.feasible_space import ConstrainedSpace, lowest_feasible
from ordbo_cli.search.space.space import Space
from ordbo_cli.search.surrogate import Rows, Surrogate, ranked
from ordbo_cli.search.threads import ThreadPool

LARGEST_WEIGHTS: Final = 3
_AIMS: Final = {"explore": "largest", "spread": "spread"}  # of the kinds that no acquisition chooses
_SEARCHED_AROUND: Final = 6  # parameters; of more, the 2 D boxes around a cell take too long to be searched one by one
_SAMPLED: Final = 200  # cells at most whose joint samples are drawn
_SAMPLES: Final = 200


def explain_design(rows: Rows, space: Space, point: Sequence[Number]) -> dict[str, Any]:
    """Return what a point of the initial design is: a corner, or one that fills the space.

    Args:
        rows: before it.
        space: that is searched.
        point: the point.
    """
    method = rows.problem.method
    corner = method.corners and (np.array_equal(point, space.low) or np.array_equal(point, space.high))
    return {
        "aim": "corner" if corner else "filling",
        "place": rows.number + 1,
        "of": method.initial_rows(space.dimension),
    }


def explain_choice(
    chosen: ChosenCell, rows: Rows, evaluations: Sequence[Evaluation], rng: np.random.Generator, pool: ThreadPool
) -> dict[str, Any]:
    """Return why a cell was chosen.

    Args:
        chosen: the cell.
        rows: that the model is made of.
        evaluations: all of them, in order of arrival.
        rng: random numbers that nothing but this draws from.
        pool: threads that the work is spread over.
    """
    surrogate, s = chosen.part.surrogate, chosen.choice.s[None, :]
    mean, variance = surrogate.posterior.moments(s)
    sd = float(np.sqrt(variance[0]))
    aim = "covering" if chosen.point else _AIMS.get(chosen.kind)
    reasons: dict[str, Any] = {
        "aim": aim or aim_of(float(mean[0]), sd),
        "sd_left": sd,  # the prior's is 1
        "weights": _weights(surrogate, rows, evaluations, surrogate.whole(s)),
    }
    if rows.fitted:
        expected = expectations(surrogate.fit, rows, evaluations, surrogate.whole(s))[0]
        distinct = len(set(ranks(rows.problem, ranked(rows.problem, evaluations)))) or len(rows.compared)
        reasons |= {
            "expected_rank": expected.rank,
            "distinct_results": distinct,
            "chance_to_beat_best": expected.improvement,
        }
    return reasons | (_compared(chosen, rows, rng, pool) if chosen.kind == "acquire" else {})


def aim_of(mean: float, sd: float) -> str:
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


def _weights(surrogate: Surrogate, rows: Rows, evaluations: Sequence[Evaluation], s: Array) -> list[dict[str, Any]]:
    """Return the results that weigh most at s [1, axes]; of several of one point, the best."""
    weights, fit = kriging_weights(surrogate, s), surrogate.fit
    place = {id(each): k for k, each in enumerate(evaluations, 1)}
    everything = ranked(rows.problem, evaluations)
    rank = dict(zip(map(id, everything), ranks(rows.problem, everything), strict=True))
    at: dict[tuple[float, ...], list[Evaluation]] = {}  # the fit has the points, but not in order of arrival
    encoded = LatentAxes(rows.problem).encoded([each.values for each in rows.ranked])
    for point, each in zip(encoded.tolist(), rows.ranked, strict=True):
        at.setdefault(tuple(point), []).append(each)
    entries = []
    for m in np.argsort(-np.abs(weights), kind="stable")[:LARGEST_WEIGHTS]:
        here = at.get(tuple(float(u[k]) for u, k in zip(fit.knots, fit.index[m], strict=True)))
        if here is None:  # it was compared only
            continue
        best = min(here, key=lambda each: rank[id(each)])
        entry = {"place": place[id(best)], "id": best.id, "rank": rank[id(best)] + 1, "weight": float(weights[m])}
        entry |= {"failed": True} if rows.problem.is_failure(best) else {}
        entry |= {"infeasible": True} if rows.problem.is_infeasible(best) else {}
        entries.append(entry | ({"results": len(here)} if len(here) > 1 else {}))
    return entries


def _compared(chosen: ChosenCell, rows: Rows, rng: np.random.Generator, pool: ThreadPool) -> dict[str, Any]:
    """Return what the acquisition makes of the cell and of the best other open one."""
    method = rows.problem.method
    if method.acquisition == "thompson":
        return {"acquisition": "thompson", **_shares(chosen, rng, pool)}
    sign = 1.0 if method.acquisition == "lcb" else -1.0  # the improvement is minimised with its sign changed
    near = _runner_up(chosen, rows, rng, pool)
    rivals = [*([(near, chosen.part)] if near else []), *([chosen.elsewhere] if chosen.elsewhere else [])]
    second = None
    if rivals:
        other, part = min(rivals, key=lambda each: each[0].value)
        second = {"cell": part.edges(other.cell), "value": sign * other.value}
    return {"acquisition": method.acquisition, "value": sign * chosen.choice.value, "runner_up": second}


def _runner_up(chosen: ChosenCell, rows: Rows, rng: np.random.Generator, pool: ThreadPool) -> Choice | None:
    """Return the best open cell but the chosen one, or None where there is none.

    The boxes around the chosen cell are searched. Only where the best of their minima lies in a closed cell, or where
    there are too many boxes, is it found as the chosen one was.
    """
    surrogate, partition, cell = chosen.part.surrogate, chosen.part.partition, chosen.choice.cell
    if not surrogate.warp.knots:
        return None
    warp, acquisition = surrogate.warp, acquisition_of(surrogate, rows.problem.method)

    def closed(other: Cell) -> Cell | None:
        return other if other == cell else chosen.closed(other)

    if isinstance(chosen.part.space, ConstrainedSpace):
        rows_there = chosen.part.inside
        return lowest_feasible(acquisition, warp, chosen.part.space, partition, closed, rows_there, rng, pool)
    anchors = np.vstack([anchors_of(surrogate), chosen.choice.s])
    found: list[Choice] = []
    if len(warp.knots) <= _SEARCHED_AROUND:
        for box in without(warp.box, cell):
            s, value = minimise(acquisition, warp, box, anchors, rng, pool)
            found.append(Choice(partition.cell_at(warp.intervals(s[None, :], box)[0]), s, value))
    found.sort(key=lambda each: each.value)
    if found and chosen.closed(found[0].cell) is None:
        return found[0]
    rest = [each for each in found if chosen.closed(each.cell) is None]
    last = best_open_cell(acquisition, warp, partition, closed, anchors, rng, pool)
    return min([*rest, *([last] if last else [])], key=lambda each: each.value, default=None)


def _shares(chosen: ChosenCell, rng: np.random.Generator, pool: ThreadPool) -> dict[str, Any]:
    """Return the share of samples that the cell wins, and the cell that wins most of the others.

    Nothing is said where there are many cells, or several parts of the space, in each of which there are cells.
    """
    surrogate, partition = chosen.part.surrogate, chosen.part.partition
    if surrogate.origin is not None:
        return {}
    if partition.size(_SAMPLED) > _SAMPLED:
        return {}
    cells = [cell for cell in partition.cells() if chosen.closed(cell) is None]
    won = [winner for winner, _, _ in sampled_wins(surrogate.posterior, surrogate.warp, cells, _SAMPLES, rng, pool)]
    wins = np.bincount(won, minlength=len(cells))
    shares, own = wins / _SAMPLES, cells.index(chosen.choice.cell)
    others = [k for k in np.argsort(-shares, kind="stable") if k != own]
    second = {"cell": chosen.part.edges(cells[others[0]]), "share": float(shares[others[0]])} if others else None
    return {"share": float(shares[own]), "runner_up": second}
