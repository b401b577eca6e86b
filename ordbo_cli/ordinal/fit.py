"""Fitting the model: where the optimiser starts, cold or from the previous step, and what is kept of the result.

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
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, get_args

import numpy as np

from ordbo_cli.ordinal.data import Comparisons, OrdinalData
from ordbo_cli.ordinal.engine import make_engine
from ordbo_cli.ordinal.linalg import Array, IntArray
from ordbo_cli.ordinal.model import LARGEST_OUTPUT_GAP, SIGMA, Model, Parameters
from ordbo_cli.ordinal.posterior import Posterior, posterior
from ordbo_cli.ordinal.prior import LogGapPrior, input_centre, input_prior, log_centre
from ordbo_cli.ordinal.warp import (
    FreeGaps,
    Warp,
    coordinates,
    movement_bound,
    movement_windows,
    smallest_gap,
)
from ordbo_cli.problem.method import EngineKind, GapPrior, Kernel, Method

OUTPUT_SPREAD = 0.5  # standard deviation of a log output gap
FREE_START = GapPrior(centre="equal")  # where gaps without a prior start
START_SIGMA = 0.1
_NEAR_THE_BOUND = 0.9  # of the largest sigma: a warm fit starts from START_SIGMA again
START_VARIANCE = 0.1
COLD_GAIN = 2e-8  # of the objective in one step, times the root of N: at that a cold fit ends
WARM_GAIN = 4e-4  # nats in one step, times the root of N: at that a warm one ends
_CLOSEST = 1e-6  # least gap of a new knot, where the centre may have 1e-15 and bounded movement keeps what it is given


@dataclass(frozen=True)
class Fit:
    """A fitted model: enough to predict from, and for the next step to start from.

    Args:
        knots, coordinates: of each dimension, in the user's units and in the latent space [n_j].
        index: place of each distinct point among the knots [M, D].
        point, rank, worst: of each evaluation [N].
        comparisons: of distinct points.
        mean, spread: the variational posterior at the distinct points [M].
        edges: finite bin edges [K - 1].
        sigma: latent noise.
        full: whether ``spread`` holds precisions of a full covariance instead of variances.
        value: ELBO plus log prior of the gaps.
        engine: that computed it.
        shaped_by: digest of every setting that shaped it, see :func:`shaping`.
    """

    knots: tuple[Array, ...]
    coordinates: tuple[Array, ...]
    index: IntArray
    point: IntArray
    rank: IntArray
    worst: IntArray
    comparisons: Comparisons
    mean: Array
    spread: Array
    edges: Array
    sigma: float
    full: bool
    value: float
    engine: EngineKind
    shaped_by: str = ""

    @property
    def S(self) -> Array:
        """Latent coordinates of the distinct points [M, D]."""
        return np.stack([s[self.index[:, j]] for j, s in enumerate(self.coordinates)], axis=1)

    @property
    def data(self) -> OrdinalData:
        """What it is fitted to."""
        return OrdinalData(self.knots, self.index, self.point, self.rank, self.worst, self.comparisons)

    @property
    def parameters(self) -> Parameters:
        """What was learnt, as the model has it."""
        gaps = np.concatenate([np.diff(s) for s in self.coordinates])
        first = float(self.edges[0]) if len(self.edges) else 0.0
        return Parameters(gaps, first, np.diff(self.edges), self.sigma, self.mean, self.spread)

    def posterior(self, kernel: Kernel) -> Posterior:
        """Return the latent process after the data."""
        return posterior(self.S, self.mean, self.spread, kernel, full=self.full)

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists and numbers, exact as JSON; on censored results and comparisons if there are any."""
        plain = {name: _plain(value) for name, value in vars(self).items() if name not in ("worst", "comparisons")}
        if np.any(self.worst != self.rank):
            plain["worst"] = self.worst.tolist()
        if len(self.comparisons):
            plain["comparisons"] = {name: _plain(value) for name, value in vars(self.comparisons).items()}
        return plain

    @staticmethod
    def from_dict(plain: Mapping[str, Any], dimension: int) -> Fit | None:
        """Return the fit that a dictionary stands for, or None where it does not fit a problem of D parameters."""
        try:
            fit = Fit(
                knots=tuple(np.array(u, dtype=np.float64) for u in plain["knots"]),
                coordinates=tuple(np.array(s, dtype=np.float64) for s in plain["coordinates"]),
                index=np.array(plain["index"], dtype=np.int64).reshape(-1, dimension),
                point=np.array(plain["point"], dtype=np.int64),
                rank=np.array(plain["rank"], dtype=np.int64),
                worst=np.array(plain.get("worst", plain["rank"]), dtype=np.int64),
                comparisons=_comparisons(plain.get("comparisons")),
                mean=np.array(plain["mean"], dtype=np.float64),
                spread=np.array(plain["spread"], dtype=np.float64),
                edges=np.array(plain["edges"], dtype=np.float64),
                sigma=float(plain["sigma"]),
                full=plain["full"],
                value=float(plain["value"]),
                engine=plain["engine"],
                shaped_by=str(plain.get("shaped_by", "")),
            )
        except (KeyError, OverflowError, TypeError, ValueError):
            return None
        return fit if fit._consistent(dimension) else None

    def _consistent(self, dimension: int) -> bool:
        """Return whether the parts belong together."""
        M = len(self.index)
        return (
            len(self.knots) == len(self.coordinates) == dimension
            and all(u.shape == s.shape for u, s in zip(self.knots, self.coordinates, strict=True))
            and all(_rising(numbers) for numbers in (*self.knots, *self.coordinates, self.edges))
            and all(_within(self.index[:, j], len(u)) for j, u in enumerate(self.knots))
            and self.point.shape == self.rank.shape == self.worst.shape
            and _within(self.point, M)
            and _within(self.worst, len(self.edges) + 1)
            and bool(np.all((self.rank >= 0) & (self.rank <= self.worst)))
            and self.comparisons.better.shape == self.comparisons.worse.shape == self.comparisons.weight.shape
            and _within(self.comparisons.better, M)
            and _within(self.comparisons.worse, M)
            and bool(np.all(self.comparisons.weight > 0))
            and self.mean.shape == self.spread.shape == (M,)
            and bool(np.all(np.isfinite([*self.mean, *self.spread, *self.comparisons.weight, self.sigma, self.value])))
            and bool(np.all(self.spread > 0))
            and self.sigma > 0
            and isinstance(self.full, bool)
            and self.engine in get_args(EngineKind)
        )

    def is_of(self, data: OrdinalData, shaped_by: str) -> bool:
        """Return whether it is the fit to these very data, under the same settings."""
        return (
            self.shaped_by == shaped_by
            and all(np.array_equal(u, v) for u, v in zip(self.knots, data.knots, strict=True))
            and np.array_equal(self.index, data.index)
            and np.array_equal(self.point, data.point)
            and np.array_equal(self.rank, data.rank)
            and np.array_equal(self.worst, data.worst)
            and self.comparisons.equal(data.comparisons)
        )


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
    start = cold_start(model, gaps) if previous is None else warm_start(model, gaps, previous)
    engine = make_engine(method.engine, model)
    theta = model.theta(start)
    if data.points:
        theta = engine.maximise(theta, method.optimizer, method.iterations, fit_tolerance(data, previous))
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
    )


def shaping(method: Method, context: FitContext) -> str:
    """Return a digest of every setting that a fit follows from, beside its data.

    The order of arrival is none: a table whose rows were sorted holds the same results, and has the same fit.
    """
    settings: list[Any] = [
        method.kernel,
        method.posterior,
        asdict(method.prior) if method.prior else None,
        method.drift,
    ]
    settings += [method.optimizer, method.iterations, method.warm, method.engine, context.initial, context.parameters]
    content = hashlib.sha256(json.dumps(settings).encode())
    if not method.is_metric_free:
        for places in context.places:
            content.update(np.asarray(places, dtype=np.float64).tobytes())
    content.update(b"" if context.scales is None else context.scales.tobytes())
    return content.hexdigest()[:16]


def gap_centre(data: OrdinalData, method: Method, context: FitContext) -> Array:
    """Return where the input gaps start that no fit has known yet, and where their prior has its centre [G]."""
    prior = method.prior or FREE_START
    length = prior.latent_length(context.parameters or data.dimension)
    lengths = length * (np.ones(data.dimension) if context.scales is None else context.scales)
    return input_centre(data, prior, context.places, context.arrivals, context.initial, lengths)


def fit_tolerance(data: OrdinalData, previous: Fit | None) -> float:
    """Return the relative gain of a step at which a fit ends; what a warm one leaves undone, the next goes on with."""
    share = COLD_GAIN if previous is None else WARM_GAIN / max(1.0, abs(previous.value))
    return float(share * np.sqrt(len(data.rank) + len(data.comparisons)))


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
    """Return the prior of the output gaps: around normal-score spacing, without a common shift."""
    centre = log_centre(np.diff(data.edge_scores), smallest_gap(data.bins), LARGEST_OUTPUT_GAP)
    return LogGapPrior(centre, np.zeros(min(1, len(centre)), dtype=np.int64), OUTPUT_SPREAD, 0.0)


def cold_start(model: Model, gaps: Array) -> Parameters:
    """Return where a fit starts that knows no previous one: normal scores of the ranks."""
    data = model.data
    edges = data.edge_scores
    return Parameters(
        gaps,
        float(edges[0]) if len(edges) else 0.0,
        np.diff(edges),
        START_SIGMA,
        data.point_scores,
        np.full(data.points, _start_spread(model.full)),
    )


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
    edges = _warm_edges(data, previous, old_of)
    bounded = np.concatenate([edges[:1] - 0.3, edges, edges[-1:] + 0.3]) if len(edges) else np.zeros(2)
    middle = 0.5 * (bounded[data.rank] + bounded[data.worst + 1])
    mean = data.point_mean(middle)
    spread = np.full(data.points, _start_spread(model.full))
    known = old_of >= 0
    mean[known] = previous.mean[old_of[known]]
    if previous.full == model.full:
        spread[known] = previous.spread[old_of[known]]
    first = float(edges[0]) if len(edges) else 0.0
    # At its bound sigma has next to no slope, and would stay where few results, most of them tied, have put it.
    sigma = START_SIGMA if previous.sigma > _NEAR_THE_BOUND * SIGMA[1] else previous.sigma
    return Parameters(gaps, first, np.diff(edges), sigma, mean, spread)


def _warm_edges(data: OrdinalData, previous: Fit, old_of: IntArray) -> Array:
    """Return edges [K - 1]: an old edge stays above the evaluations that it lay above, new ones follow the scores."""
    scores = data.edge_scores
    now, old_rank = _occurrences(data), _occurrences(previous.data)
    anchors: dict[int, float] = {}
    for (point, turn), rank in sorted(now.items(), key=lambda item: item[1]):
        before = old_rank.get((int(old_of[point]), turn))
        if before is not None and before < len(previous.edges) and rank < len(scores):
            anchors[rank] = max(float(previous.edges[before]), *anchors.values(), -np.inf)
    if not anchors:
        return scores
    places = sorted(anchors)
    return _interpolate(scores, scores[places], np.array([anchors[place] for place in places]))


def _occurrences(data: OrdinalData) -> dict[tuple[int, int], int]:
    """Return known ranks by point and turn, the turn counting a point's evaluations from the best."""
    turns: dict[int, int] = {}
    found = {}
    known = data.rank == data.worst
    for i, k in zip(data.point[known].tolist(), data.rank[known].tolist(), strict=True):
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


def _rising(numbers: Array) -> bool:
    """Return whether these are finite numbers in a row, each above the one before."""
    return numbers.ndim == 1 and bool(np.all(np.isfinite(numbers)) and np.all(np.diff(numbers) > 0))


def _within(index: IntArray, length: int) -> bool:
    """Return whether these are places in a sequence of so many."""
    return index.ndim == 1 and bool(np.all((index >= 0) & (index < length)))


def _comparisons(plain: Mapping[str, Any] | None) -> Comparisons:
    """Return the comparisons that plain lists stand for."""
    if plain is None:
        return Comparisons.none()
    better, worse = (np.array(plain[name], dtype=np.int64) for name in ("better", "worse"))
    return Comparisons(better, worse, np.array(plain["weight"], dtype=np.float64))


def _plain(value: Any) -> Any:
    """Return an array or a tuple of arrays as lists, anything else as it is."""
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return value.tolist() if isinstance(value, np.ndarray) else value
