"""Fitting the model: where the optimiser starts, cold or from the previous step, and what it ends with.

======  ===============================================  =====
symbol  meaning                                          shape
======  ===============================================  =====
N       evaluations
M       distinct points of them
D       latent axes
T       latent length that the prior expects of an axis  [D]
c       centre of the prior of the gaps                  [G]
s_j     latent coordinates of the knots of axis j        [n_j]
======  ===============================================  =====
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ordbo_cli.ordinal.data import OrdinalData, Scale
from ordbo_cli.ordinal.engine import make_engine
from ordbo_cli.ordinal.fit import Fit, FittedScale
from ordbo_cli.ordinal.linalg import Array, IntArray
from ordbo_cli.ordinal.model import LARGEST_OUTPUT_GAP, SIGMA, SIGMA_ELSEWHERE, Bins, Model, Parameters
from ordbo_cli.ordinal.prior import LogGapPrior, input_centre, input_prior, log_centre
from ordbo_cli.ordinal.warp import FreeGaps, Warp, coordinates, movement_bound, movement_windows, smallest_gap
from ordbo_cli.problem.method import GapPrior, Method, Start

OUTPUT_SPREAD = 0.5  # standard deviation of a log output gap
START_SIGMA = 0.1
_NEAR_THE_BOUND = 0.9  # of the largest sigma: a warm fit starts from START_SIGMA again
START_VARIANCE = 0.1
COLD_GAIN = 2e-8  # of the objective in one step, times the root of N: at that a cold fit ends
WARM_GAIN = 4e-4  # nats in one step, times the root of N: at that a warm one ends
_CLOSEST = 1e-6  # least gap of a new knot, where the centre may have 1e-15 and bounded movement keeps what it is given


@dataclass(frozen=True)
class FitContext:
    """What the fit needs to know beside the data and the settings.

    Args:
        places: original places of the knots as shares of the box, on the parameter's own scale [n_j]; T is the latent
            length of the box, so rows far outside it do not shrink what is inside.
        arrivals: both ends of the box, then the inputs of the rows that are fitted in order of arrival [R, D].
        initial: how many of them come before the first later row: both ends and the initial design.
        step: number of rows that are fitted, n in the bound on movement.
        scales: by which the prior's length T of each axis is multiplied [D]; None for 1.
        parameters: number of parameters, by which T goes and the bound on movement; None for one an axis.
    """

    places: Sequence[Array]
    arrivals: Array
    initial: int
    step: int
    scales: Array | None = None
    parameters: int | None = None


def fit_model(data: OrdinalData, method: Method, context: FitContext, previous: Fit | None) -> Fit:
    """Return the model fitted to data, starting from the previous fit where there is one.

    A previous fit to the same data under the same settings stands as it is, so that asking twice and asking for two at
    once are the same.
    """
    shaped_by = shaping(method, context)
    if previous is not None and previous.is_of(data, shaped_by):
        return previous
    if not method.warm:
        previous = None
    centre = gap_centre(data, method, context)
    gaps = centre if previous is None else warm_gaps(data, centre, previous)
    bounded = method.drift is not None and previous is not None
    warp = _bounded_warp(data, gaps, method, context) if bounded else FreeGaps(tuple(data.gap_counts.tolist()))
    model = build_model(data, method, warp, centre)
    start = cold_start(model, gaps, method.start) if previous is None else warm_start(model, gaps, previous)
    engine = make_engine(method.engine, model)
    theta = model.theta(start)
    if data.points:
        theta = engine.maximise(theta, method.optimizer, method.iterations, fit_tolerance(data, previous), method.rate)
    value, _ = engine.objective(theta) if data.points else (0.0, theta)
    p = model.parameters(theta)
    return Fit(
        data.knots,
        tuple(coordinates(data, p.gaps)),
        data.index,
        data.point,
        data.rank,
        data.worst,
        data.comparisons,
        p.mean,
        p.spread,
        p.edges(data.bins),
        p.sigma,
        model.full,
        value,
        method.engine,
        shaped_by,
        tuple(
            FittedScale(scale, bins.edges(scale.bins), bins.sigma)
            for scale, bins in zip(data.others, p.others, strict=True)
        ),
    )


def shaping(method: Method, context: FitContext) -> str:
    """Return a digest of every setting that a fit follows from, beside its data.

    The order of arrival is none: a table whose rows were sorted holds the same results, and has the same fit.
    """
    model = (method.kernel, method.posterior, method.prior, method.drift, context.initial, context.parameters)
    search = (method.optimizer, method.iterations, method.rate, method.start, method.warm, method.engine)
    content = hashlib.sha256(repr((*model, *search)).encode())
    if not method.is_metric_free:
        for places in context.places:
            content.update(np.asarray(places, dtype=np.float64).tobytes())
    content.update(b"" if context.scales is None else context.scales.tobytes())
    return content.hexdigest()[:16]


def gap_centre(data: OrdinalData, method: Method, context: FitContext) -> Array:
    """Return where the input gaps start that no fit has known yet, and where their prior has its centre [G]."""
    if method.prior is None and method.start == "ranks":
        return np.ones(data.gap_counts.sum())
    prior = method.prior or GapPrior(centre="distances" if method.start == "distances" else "equal")
    length = prior.latent_length(context.parameters or data.dimension)
    lengths = length * (np.ones(data.dimension) if context.scales is None else context.scales)
    return input_centre(data, prior, context.places, context.arrivals, context.initial, lengths)


def fit_tolerance(data: OrdinalData, previous: Fit | None) -> float:
    """Return the relative gain of a step at which a fit ends; what a warm one leaves undone, the next goes on with."""
    share = COLD_GAIN if previous is None else WARM_GAIN / max(1.0, abs(previous.value))
    return float(share * np.sqrt(sum(len(scale.rank) for scale in data.scales) + len(data.comparisons)))


def build_model(data: OrdinalData, method: Method, warp: Warp, centre: Array) -> Model:
    """Return the model of given data and settings.

    Args:
        centre: of the prior of the input gaps [G].
    """
    prior = method.prior
    return Model(
        data,
        method.kernel,
        full=method.posterior == "full",
        warp=warp,
        input_prior=None if prior is None else input_prior(data, prior, centre),
        output_prior=None if prior is None else output_prior(data),
    )


def output_prior(data: OrdinalData) -> LogGapPrior:
    """Return the prior of the output gaps of all scales: around normal-score spacing, without a common shift."""
    centre = np.concatenate(
        [log_centre(np.diff(scale.edge_scores), smallest_gap(scale.bins), LARGEST_OUTPUT_GAP) for scale in data.scales]
    )
    return LogGapPrior(centre, np.zeros(min(1, len(centre)), dtype=np.int64), OUTPUT_SPREAD, 0.0)


def cold_start(model: Model, gaps: Array, start: Start = "scores") -> Parameters:
    """Return where a fit starts that knows no previous one: at the normal scores of the ranks, unless told."""
    data = model.data
    own, *others = (Bins.of(_start_edges(scale, start), START_SIGMA) for scale in data.scales)
    flat = start == "flat"
    return Parameters(
        gaps,
        own.first_edge,
        own.output_gaps,
        START_SIGMA,
        np.zeros(data.points) if flat else data.point_scores,
        np.full(data.points, 1.0 if flat else _start_spread(model.full)),
        tuple(others),
    )


def _start_edges(scale: Scale, start: Start) -> Array:
    """Return the edges of a scale of which nothing is known [K - 1]."""
    return np.arange(scale.bins - 1) - 0.5 * (scale.bins - 2) if start == "ranks" else scale.edge_scores


def warm_gaps(data: OrdinalData, centre: Array, previous: Fit) -> Array:
    """Return input gaps that keep the previous coordinates of known knots [G].

    New knots lie between their neighbours as the prior's centre has them, but never as close as a double cannot tell.
    """
    parts = []
    places = coordinates(data, np.maximum(centre, _CLOSEST))
    for knots, place, old_knots, old in zip(data.knots, places, previous.knots, previous.coordinates, strict=True):
        known = np.isin(knots, old_knots)
        if not known.any():
            parts.append(np.diff(place))
            continue
        anchors = old[np.searchsorted(old_knots, knots[known])]
        parts.append(np.diff(_interpolate(place, place[known], anchors)))
    return np.concatenate(parts)


def unmoved(data: OrdinalData, method: Method, context: FitContext, previous: Fit) -> tuple[Array, ...]:
    """Return where a fit finds its knots before it moves them, each axis scaled to [0, 1] [n_j].

    Known knots are where the previous fit had them, new ones between their neighbours.
    """
    places = coordinates(data, warm_gaps(data, gap_centre(data, method, context), previous))
    return tuple(s / s[-1] for s in places)


def warm_start(model: Model, gaps: Array, previous: Fit) -> Parameters:
    """Return where a fit starts from the previous one: old points and edges as they were, new ones in between."""
    data = model.data
    old_point = {tuple(x): i for i, x in enumerate(_inputs(previous.knots, previous.index))}
    old_of = np.array([old_point.get(tuple(x), -1) for x in data.inputs], dtype=np.int64)
    before = dict(zip(range(len(data.scales)), previous.scales, strict=False))
    edges = [_warm_edges(scale, before.get(k), old_of) for k, scale in enumerate(data.scales)]
    middle = [_middles(scale, b) for scale, b in zip(data.scales, edges, strict=True)]
    mean = data.mean_of_all(middle)
    spread = np.full(data.points, _start_spread(model.full))
    known = old_of >= 0
    mean[known] = previous.mean[old_of[known]]
    if previous.full == model.full:
        spread[known] = previous.spread[old_of[known]]
    sigmas = [_warm_sigma(before.get(k), SIGMA_ELSEWHERE[1] if k else SIGMA[1]) for k in range(len(data.scales))]
    own, *others = map(Bins.of, edges, sigmas)
    return Parameters(gaps, own.first_edge, own.output_gaps, own.sigma, mean, spread, tuple(others))


def _middles(scale: Scale, edges: Array) -> Array:
    """Return a latent value inside the bin of each result of a scale [N]."""
    bounded = np.concatenate([edges[:1] - 0.3, edges, edges[-1:] + 0.3]) if len(edges) else np.zeros(2)
    return np.asarray(0.5 * (bounded[scale.rank] + bounded[scale.worst + 1]))


def _warm_sigma(before: FittedScale | None, largest: float) -> float:
    """Return the noise that a scale starts with, given the largest that it may have.

    At its bound sigma has next to no slope, and would stay where few results, most of them tied, have put it.
    """
    return START_SIGMA if before is None or before.sigma > _NEAR_THE_BOUND * largest else before.sigma


def _warm_edges(scale: Scale, previous: FittedScale | None, old_of: IntArray) -> Array:
    """Return edges [K - 1]: an old edge stays above the evaluations that it lay above, new ones follow the scores."""
    scores = scale.edge_scores
    if previous is None:
        return scores
    now, old_rank = _occurrences(scale), _occurrences(previous.scale)
    anchors: dict[int, float] = {}
    for (point, turn), rank in sorted(now.items(), key=lambda item: item[1]):
        before = old_rank.get((int(old_of[point]), turn))
        if before is not None and before < len(previous.edges) and rank < len(scores):
            anchors[rank] = max(float(previous.edges[before]), *anchors.values(), -np.inf)
    if not anchors:
        return scores
    places = sorted(anchors)
    return _interpolate(scores, scores[places], np.array([anchors[place] for place in places]))


def _occurrences(scale: Scale) -> dict[tuple[int, int], int]:
    """Return known ranks by point and turn, the turn counting a point's evaluations from the best."""
    turns: dict[int, int] = {}
    found = {}
    known = scale.rank == scale.worst
    for i, k in zip(scale.point[known].tolist(), scale.rank[known].tolist(), strict=True):
        turns[i] = turns.get(i, -1) + 1
        found[i, turns[i]] = k
    return found


def _bounded_warp(data: OrdinalData, gaps: Array, method: Method, context: FitContext) -> Warp:
    """Return a warp that lets no point move farther than the bound of Section 4 allows."""
    dimension = context.parameters or data.dimension
    radius = movement_bound(method.drift or 0.0, dimension, context.step) / np.sqrt(dimension)
    return movement_windows([s / s[-1] for s in coordinates(data, gaps)], radius)


def _interpolate(x: Array, at: Array, value: Array) -> Array:
    """Return linear interpolation, and beyond the ends a continuation of slope one."""
    inside = np.interp(x, at, value)
    return np.asarray(inside + np.minimum(x - at[0], 0.0) + np.maximum(x - at[-1], 0.0))


def _inputs(knots: Sequence[Array], index: IntArray) -> Array:
    return np.stack([u[index[:, j]] for j, u in enumerate(knots)], axis=1)


def _start_spread(full: bool) -> float:
    """Return the starting value of a variance, or of the precision that leaves about that variance."""
    return 1.0 / START_VARIANCE if full else START_VARIANCE
