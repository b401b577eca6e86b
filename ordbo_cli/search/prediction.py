"""What the model expects: at given points, at the next one, and at the one that is held to be the best.

======  ==================================  =======
symbol  meaning                             shape
======  ==================================  =======
s       latent points that are asked about  [P, D]
m, v    mean and variance there             [P]
b       finite bin edges of the fit         [K - 1]
sigma   latent noise
======  ==================================  =======
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from scipy.special import ndtr

from ordbo_cli.errors import DataError
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.posterior import Posterior
from ordbo_cli.problem import Level, Number
from ordbo_cli.problem.brief import Brief
from ordbo_cli.problem.order import ranks
from ordbo_cli.search.calibration import between, chance_below, chance_of_hope, narrowest, result_sd, with_ends
from ordbo_cli.search.incumbent import compared_with, lowest, succeeded
from ordbo_cli.search.latent_axes import extended
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.step_rows import ranked
from ordbo_cli.search.surrogate import fit_surrogate, placed, success_of, warp_of
from ordbo_cli.search.threads import thread_pool

if TYPE_CHECKING:
    from ordbo_cli.search.step import Proposal

HOPEFUL: Final = ("acquire", "refine")  # kinds of steps whose points are to beat the best
LEVEL: Final = 0.9  # of the interval of a rank
_BLOCK: Final = 64  # points at a time: memory grows with the model's rows, not with the table that somebody asks for


@dataclass(frozen=True, repr=False)
class Prediction(Brief):
    """What the model expects at a point.

    Args:
        rank: expected rank among the distinct results so far, 1 the best; where there are only comparisons, among the
            compared points.
        improvement: probability that the latent value lies below the best evaluation's; under noise, and where there
            are comparisons, below that of the point with the lowest mean.
        mean, sd: of the latent value, 0 and 1 before any data.
        rank_low, rank_high: the fewest ranks that hold 90 % of what a result there may get: 1 if it is better than all
            distinct results so far, one more for each that is better than it.
        failure: probability that an evaluation fails or breaks a limit; None where none has so far.
        parameters: of the point, all that count by name, as Python has them; None where no :class:`.Study` returns it.
    """

    rank: float
    improvement: float
    mean: float
    sd: float
    rank_low: int
    rank_high: int
    failure: float | None = None
    parameters: Mapping[str, Level] | None = field(default=None, compare=False)


@dataclass(frozen=True)
class Incumbent:
    """The point with the lowest posterior mean.

    Args:
        values: of the free parameters.
        rank: its expected rank among the distinct results so far, 1 the best.
        mean: of the latent value there.
    """

    values: tuple[Number, ...]
    rank: float
    mean: float


class JudgedByModel(NamedTuple):
    """What the model makes of somebody's answers.

    Args:
        right: with how many it agrees.
        told: of how many; ties are left out, and points that it does not see.
        noise: standard deviation of what the judge sees of a point beside its latent value, which has a prior one of
            1; None where the model sees no answer.
    """

    right: int
    told: int
    noise: float | None


def predict(given: StepInput, points: Sequence[Sequence[Number]]) -> list[Prediction]:
    """Return what the model expects at given points; their latent places are interpolated between neighbours.

    What is pending has no say.

    Raises:
        DataError: there is neither an evaluation nor a comparison to learn from.
    """
    given.problem.demand_one_order("predicting")
    given = given.settled()
    if not given.rows.fitted:
        raise DataError("there is no evaluation to predict from", "Record some results first")
    with thread_pool(1):
        surrogate = fit_surrogate(given)
        return expectations(surrogate.fit, given, placed(given.latent_axes, surrogate.warp, surrogate.fit, points))


def expected_at(given: StepInput, proposal: Proposal) -> Prediction | None:
    """Return what the model that chose a point expects there; nothing is fitted anew.

    Args:
        given: what the proposal followed from.
        proposal: the point.

    Returns:
        What :func:`predict` says, but for the chance of a point that was chosen to beat the best: what became of those
        before it counts, too. None where the fit holds neither a result nor a comparison.
    """
    fitted = replace(given, fit=proposal.fit).previous
    if fitted is None or not len(fitted.index):
        return None
    axes = given.latent_axes
    with thread_pool(1):
        found = expectations(fitted, given, placed(axes, warp_of(fitted, axes), fitted, [proposal.values]))[0]
    return as_suggested(found, given, proposal.record.kind)


def as_suggested(expected: Prediction, given: StepInput, kind: str) -> Prediction:
    """Return what is expected of a point that the search has chosen, by what became of those before it.

    Args:
        expected: of the point, whoever had chosen it.
        given: what the choice followed from.
        kind: of the step; points that were not chosen to beat the best, and duels, have no record.
    """
    is_best = not expected.improvement  # to be evaluated again, under noise: it cannot beat itself
    if is_best or kind not in HOPEFUL or not given.rows.ranked:
        return expected
    return replace(expected, improvement=chance_of_hope(expected.improvement, given))


def incumbent(given: StepInput) -> Incumbent:
    """Return the point with the lowest mean among those inside the bounds that have succeeded or were compared.

    Of equal means the point with more results counts, then the earlier one. What is pending has no say.

    Raises:
        DataError: no evaluation inside the bounds has succeeded, and no point there was compared.
    """
    given.problem.demand_one_order("the best by mean")
    given = given.settled()
    if not succeeded(given.rows):
        raise DataError("no evaluation inside the bounds has succeeded yet", "Record some results first")
    with thread_pool(1):
        found = incumbent_of(fit_surrogate(given).fit, given)
    assert found is not None  # the fit is to all of these rows
    return found


def incumbent_of(fitted: Fit, given: StepInput) -> Incumbent | None:
    """Return :func:`incumbent` by a model that is fitted already; None where that has no such point.

    Args:
        fitted: the model.
        given: what it was fitted to, settled.
    """
    found = lowest(fitted, fitted.posterior(given.problem.method.kernel), given.rows)
    if found is None:
        return None
    expected = expectations(fitted, given, fitted.S[[found[0]]])[0]
    return Incumbent(found[1], expected.rank, expected.mean)


def judged_by_model(given: StepInput) -> dict[str, JudgedByModel]:
    """Return what the model makes of each judge, "" among them where answers name nobody.

    It agrees with an answer where the posterior mean of the better point is the lower one. It has learnt from these
    answers, so that it agrees with more of them than with new ones: the figure compares judges, and is no chance of
    being right.

    Args:
        given: what is known, without a front.
    """
    given = given.settled()
    if not given.comparisons:
        return {}
    with thread_pool(1):
        fitted = fit_surrogate(given).fit
    means = fitted.posterior(given.problem.method.kernel).means(fitted.S).tolist()
    place = {tuple(x): mean for x, mean in zip(fitted.data.inputs.tolist(), means, strict=True)}
    told = [each for each in given.comparisons if not each.tie]
    ends = (given.latent_axes.encoded(x).tolist() for x in ([e.better for e in told], [e.worse for e in told]))
    found: dict[str, list[bool]] = {each.judge: [] for each in given.comparisons}
    for each, better, worse in zip(told, *ends, strict=True):
        one, other = place.get(tuple(better)), place.get(tuple(worse))
        if one is not None and other is not None:  # the model sees both
            found[each.judge].append(one < other)
    judges = given.rows.judges
    of_judges = fitted.others[len(fitted.others) - len(judges) :]
    noise = {"": fitted.sigma, **{name: each.sigma for name, each in zip(judges, of_judges, strict=True)}}
    return {name: JudgedByModel(sum(answers), len(answers), noise.get(name)) for name, answers in found.items()}


def expectations(fitted: Fit, given: StepInput, s: Array) -> list[Prediction]:
    """Return what a fitted model expects at latent points, from the results alone.

    Args:
        fitted: the model, which has at least one row.
        given: what it was fitted to; the expected rank counts among all evaluations.
        s: latent points [P, D].
    """
    posterior = fitted.posterior(given.problem.method.kernel)
    best, sd = fitted.S[[compared_with(fitted, posterior, given.rows)]], result_sd(fitted, posterior)
    blocks = [_expected(fitted, posterior, s[k : k + _BLOCK], best, sd) for k in range(0, len(s), _BLOCK)]
    rank, chance, mean, variance, low, high = np.concatenate(blocks, axis=1) if blocks else np.zeros((6, 0))
    first = np.where(low > 0.0, 1.0 + _among_all(low - 1.0, given), 0.0)  # behind the last that is better
    columns = _among_all(rank, given), chance, mean, np.sqrt(variance), first, _among_all(high, given)
    failure = _failures(fitted, given, s)
    return [
        Prediction(1.0 + r, c, m, v, 1 + round(a), 1 + round(b), f)
        for (r, c, m, v, a, b), f in zip(zip(*(each.tolist() for each in columns), strict=True), failure, strict=True)
    ]


def expected_ranks(fitted: Fit, posterior: Posterior, given: StepInput, s: Array) -> Array:
    """Return the expected ranks of latent points s [P, D], as :func:`expectations` has them, and nothing else [P].

    Args:
        posterior: of the model.
    """
    blocks = [_rank(fitted, posterior, *posterior.moments(s[k : k + _BLOCK])) for k in range(0, len(s), _BLOCK)]
    return 1.0 + _among_all(np.concatenate(blocks) if blocks else np.zeros(0), given)


def _expected(fitted: Fit, posterior: Posterior, s: Array, best: Array, sd: float) -> Array:
    """Return rank, chance to beat the best, mean, variance and ends of the rank at latent points [6, P]; ranks from 0.

    What is known of an evaluated point the posterior says; of others it has the mean.

    Args:
        s: the points [P, D].
        best: the point to beat [1, D].
        sd: scale of the latent value of a new result.
    """
    mean, variance = posterior.moments(s)
    rank = _rank(fitted, posterior, mean, variance)
    known = np.any(np.all(s[:, None] == fitted.S, axis=2), axis=1)
    chance = np.where(known, _chance_below(posterior, s, best), chance_below((posterior.means(best) - mean) / sd))
    edges = fitted.edges if len(fitted.rank) else np.sort(posterior.means(fitted.S))
    away = edges - mean[:, None]
    own = ndtr(away / np.sqrt(variance[:, None] + fitted.sigma**2))
    F = with_ends(np.where(known[:, None], own, chance_below(away / sd)))
    # A point that is known has a result like its own, another one a result between those of the rest.
    like_others = known if len(fitted.rank) else np.ones(len(s), dtype=bool)
    ends = (row if like else between(row) for row, like in zip(F, like_others, strict=True))
    low, high = np.array([narrowest(each, LEVEL) for each in ends], dtype=np.float64).T
    return np.stack([rank, chance, mean, variance, low, high])


def _failures(fitted: Fit, given: StepInput, s: Array) -> list[float] | list[None]:
    """Return the probabilities of failures at latent points s [P, D], each None where nothing has failed so far."""
    axes, rows = given.latent_axes, given.rows
    X = axes.space.inputs([e.values for e in rows.evaluations])
    warp = extended(warp_of(fitted, axes), axes.space, X, metric=True)
    success = success_of(rows, axes, warp, fitted)
    return [None] * len(s) if success is None else [1.0 - float(chance) for chance in success.chances(s)]


def _rank(fitted: Fit, posterior: Posterior, mean: Array, variance: Array) -> Array:
    """Return expected ranks from 0 of points whose latent moments are given [P]."""
    if len(fitted.rank):
        above = ndtr((mean[:, None] - fitted.edges) / np.sqrt(variance[:, None] + fitted.sigma**2))
    else:
        others, theirs = posterior.moments(fitted.S)
        above = ndtr((mean[:, None] - others) / np.sqrt(variance[:, None] + theirs + fitted.sigma**2))
    return np.asarray(above.sum(axis=1))


def _among_all(expected: Array, given: StepInput) -> Array:
    """Return expected ranks among all results [P], given those among the results that the model is fitted to [P]."""
    rows = given.rows
    if not rows.left_out:
        return expected
    everything = ranked(given.problem, given.evaluations)
    rank = dict(zip(map(id, everything), ranks(given.problem, everything), strict=True))
    kept = sorted({*(rank[id(e)] for e in rows.ranked), 1 + max(rank.values())})
    return np.interp(expected, np.arange(len(kept)), kept)


def _chance_below(posterior: Posterior, s: Array, best: Array) -> Array:
    """Return the probabilities that the latent values at s [P, D] lie below that at the best evaluation [1, D]."""
    both = np.vstack([s, best])
    mean, _ = posterior.moments(both)
    C = posterior.covariance(both)
    sd = np.sqrt(np.maximum(C.diagonal()[:-1] + C[-1, -1] - 2.0 * C[:-1, -1], 1e-12))
    return np.where(np.all(s == best, axis=1), 0.0, ndtr((mean[-1] - mean[:-1]) / sd))
