"""How far a campaign may be believed: whether what it expects of the study's own points is the order of their results.

Its own model, which knows none of the study's results, expects latent values at their points. Kendall's tau between
these and the results says whether both speak of the same: it is 1 where every pair is in order, and 0 in the mean where
a campaign has nothing to do with the study. Of n results chance alone gives it a standard deviation of
``sqrt(2 (2n + 5) / (9 n (n - 1)))`` (Kendall 1938). A campaign is heard from when tau is above what chance gives in
one case of ten, later in one of forty, until it is below what chance gives in one of four. One that misleads is so left
out before it costs much, and one that is wrong in details stays: how far its latent function departs from the study's,
the model learns itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, NamedTuple

import numpy as np

from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Campaign, Evaluation, Problem
from ordbo_cli.problem.method import FEWEST_TO_TEST
from ordbo_cli.problem.order import ranks
from ordbo_cli.problem.several import alone, alone_in, without_enough
from ordbo_cli.search.step_rows import MOST_ROWS, Rows, ranked, thinned
from ordbo_cli.search.surrogate import fit_rows, placed

FEWEST: Final = FEWEST_TO_TEST
_HEARD: Final = 1.28  # standard deviations by chance from which on the first results speak for a campaign
_HEARD_LATER: Final = 2.0  # the same of more results, which are tested again and again
_DROPPED: Final = 0.64  # below which they no longer do
_FIRST: Final = 5  # results
_FEWEST_TO_DROP: Final = 4  # results until a level may be dropped: what it chose lies close together, hard to order


@dataclass(frozen=True)
class Agreement:
    """What the study's own results say of a campaign.

    Args:
        tau: Kendall's, between what the campaign expects of the study's points and their results; None where there are
            too few to tell, or all are alike. Of several objectives the mean.
        results: of the study that were compared.
        is_heard: whether the campaign is in the model.
        fits: of the campaign alone, one for each objective.
    """

    tau: float | None
    results: int
    is_heard: bool
    fits: tuple[Fit, ...]


def agreement_with(
    problem: Problem,
    evaluations: Sequence[Evaluation],
    campaign: Campaign,
    previous: Sequence[Mapping[str, Any] | None] = (),
) -> Agreement:
    """Return how well a campaign puts the study's own results in order.

    Args:
        problem: what is asked.
        evaluations: the study's own.
        campaign: results of another source.
        previous: fits of the campaign alone that an earlier call has made, for each objective, if they are at hand.
    """
    results = thinned(problem, ranked(problem, evaluations), MOST_ROWS)
    is_level = campaign.level is not None
    if len(results) < FEWEST:
        return Agreement(None, len(results), is_level, ())
    each_alone = list(_each(problem, results, campaign))
    if is_level and len(campaign.evaluations) >= _FIRST and _says_nothing(each_alone):
        return Agreement(None, len(results), len(results) < _FEWEST_TO_DROP, ())
    signs, fits = [], []
    for k, (asked, own, theirs) in enumerate(each_alone):
        without = without_enough(asked)
        rows = Rows(without, thinned(without, theirs.evaluations, MOST_ROWS), ())
        known = Fit.from_dict((previous[k] if k < len(previous) else None) or {}, rows.latent_axes.dimension)
        surrogate = fit_rows(rows, known)
        s = placed(rows.latent_axes, surrogate.warp, surrogate.fit, [e.values for e in own])
        mean, rank = surrogate.posterior.means(s), np.array(ranks(asked, own))
        signs.append(np.sign(mean[:, None] - mean) * np.sign(rank[:, None] - rank))
        fits.append(surrogate.fit)
    in_order, told_apart = _sums_of_first(signs), _sums_of_first([np.abs(each) for each in signs])
    taus = [_tau(in_order[n - 1], told_apart[n - 1]) for n in range(FEWEST, len(results) + 1)]
    return Agreement(taus[-1].value if taus[-1] else None, len(results), _is_heard(taus, heard=is_level), tuple(fits))


def _says_nothing(each: Sequence[tuple[Problem, Sequence[Evaluation], Campaign]]) -> bool:
    """Return whether all results of a campaign are alike, all failures, say, while the study's own are not.

    Args:
        each: problem, the study's own results and those of the campaign, by each objective.
    """
    alike = all(len({*ranks(without_enough(asked), theirs.evaluations)}) == 1 for asked, _, theirs in each)
    return alike and any(len({*ranks(asked, own)}) > 1 for asked, own, _ in each)


class _Tau(NamedTuple):
    value: float
    sd: float


def _sums_of_first(each: Sequence[Array]) -> Array:
    """Return the sums of the first rows and columns of matrices [N, N], for 1, 2, ... N of them [N, matrices]."""
    return np.stack([np.diag(np.cumsum(np.cumsum(one, axis=0), axis=1)) for one in each], axis=1)


def _tau(in_order: Array, told_apart: Array) -> _Tau | None:
    """Return Kendall's tau over the pairs that both rankings tell apart, and its standard deviation by chance.

    Args:
        in_order: twice the pairs in order less those that are not, by each objective [K].
        told_apart: twice the pairs that both tell apart [K].
    """
    pairs = float(np.mean(told_apart)) / 2.0
    n = 0.5 + math.sqrt(0.25 + 2.0 * pairs)  # results without ties that have so many
    if n < FEWEST:
        return None
    value = float(np.mean(in_order / np.maximum(1.0, told_apart)))
    return _Tau(value, math.sqrt(2.0 * (2.0 * n + 5.0) / (9.0 * n * (n - 1.0))))


def _is_heard(taus: Sequence[_Tau | None], *, heard: bool = False) -> bool:
    """Return whether results speak for a campaign, given the tau of the first three, the first four and so on.

    Args:
        heard: whether it is before any of them, as lower levels of the study's own simulation are.
    """
    first = _FEWEST_TO_DROP if heard else FEWEST
    for n, tau in enumerate(taus[first - FEWEST :], first):
        needed = _DROPPED if heard else _HEARD if n <= _FIRST else _HEARD_LATER
        heard = heard if tau is None else tau.value >= needed * tau.sd
    return heard


def _each(
    problem: Problem, results: Sequence[Evaluation], campaign: Campaign
) -> Iterator[tuple[Problem, Sequence[Evaluation], Campaign]]:
    """Yield what has an order: problem, the study's own results and those of a campaign, by each objective traded."""
    if not problem.has_front:
        yield problem, results, campaign
        return
    for k in range(len(problem.goals)):
        yield alone(problem, k), [alone_in(problem, each, k) for each in results], campaign_alone(problem, campaign, k)


def campaign_alone(problem: Problem, campaign: Campaign, objective: int) -> Campaign:
    """Return a campaign with one of several objectives, as :func:`.alone_in` has its evaluations."""
    return replace(campaign, evaluations=tuple(alone_in(problem, each, objective) for each in campaign.evaluations))
