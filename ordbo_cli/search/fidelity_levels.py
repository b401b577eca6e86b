"""At which level of fidelity a point is evaluated: at the one that tells most of the highest a unit of cost.

Results of a lower level are a campaign that the search may ask itself: compared with each other alone, on an axis of
the latent space whose gap says how far that level departs. Of a Gaussian, what a result of a level tells of the latent
value f at the highest one is ``-log(1 - rho^2) / 2`` nats, with rho the posterior correlation of f and that result,
noise and all. So a place that no lower level has seen is looked at there first, and one that they know is not: there a
further look tells next to nothing.

A lower level may be wrong, and how wrong results of the highest say alone. Before the first of them no more is spent on
lower levels than one of them costs, and before each other one no more than half of that. So a level that says nothing
costs little until it is dropped (``search/campaigns.py``).

=======  ============================================================  =====
symbol   meaning                                                       shape
=======  ============================================================  =====
s        latent point of a candidate at the highest level, then lower  [1 + levels, axes]
=======  ============================================================  =====
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.problem import Number
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.step_record import LevelGain
from ordbo_cli.search.surrogate import Surrogate, placed

_BEFORE_THE_FIRST: Final = 1.0  # evaluations at the highest level, whose cost lower ones may take
_BEFORE_EACH: Final = 0.5  # the same before each further one
_MOST: Final = 1.0 - 1e-9  # of rho squared


def first_level(given: StepInput, initial: int) -> int | None:
    """Return the level at which the next point of the initial design is evaluated; None where none is below.

    Args:
        given: what is known; its campaigns were tested.
        initial: how many points the design has.
    """
    fidelity = given.problem.fidelity
    if fidelity is None:
        return None
    known = sum(len(each.evaluations) for each in given.campaigns if each.level == 0)
    return fidelity.of_design(initial, len(given.evaluations), known + len(given.pending))


def gains_at(
    given: StepInput, surrogate: Surrogate, point: tuple[Number, ...], tried: Collection[int | None]
) -> tuple[LevelGain, ...]:
    """Return what a result at each level would tell of a point, and at which it is evaluated.

    Nothing says what a level tells that was not tried yet: it comes first, once a lower one has results.

    Args:
        given: what is known; its campaigns were tested.
        surrogate: the model of that, along all axes.
        point: that comes next.
        tried: levels that have results, those that contradict among them.
    """
    fidelity, below = given.problem.fidelity, [k for k, each in enumerate(given.campaigns) if each.level is not None]
    if fidelity is None or not below:
        return ()
    most = _BEFORE_EACH if given.evaluations else _BEFORE_THE_FIRST
    told = np.sum([_told(given, each, point, below) for each in surrogate.each], axis=0)
    best, choice, highest = float(told[0]), None, len(fidelity.levels) - 1
    gains: dict[int, float | None] = {highest: best}
    for k, nats in zip(below, told[1:].tolist(), strict=True):
        level = given.campaigns[k].level
        assert level is not None
        cost = fidelity.share(level)
        gains[level] = gain = nats / cost
        if gain > best and given.spent + cost <= most:
            best, choice = gain, level
    untried = (level for level in range(min(gains), highest) if level not in tried)
    new = next((level for level in untried if given.spent + fidelity.share(level) <= most), None)
    if new is not None:
        gains[new], choice = None, new
    return tuple(
        LevelGain(level, gains[level], chosen=level == (highest if choice is None else choice))
        for level in sorted(gains)
    )


def level_of(gains: Sequence[LevelGain]) -> int | None:
    """Return the level below the highest that was chosen; None for the highest."""
    return next((each.level for each in gains[:-1] if each.chosen), None)


def _told(given: StepInput, surrogate: Surrogate, point: tuple[Number, ...], below: list[int]) -> Array:
    """Return the nats that a result tells of the latent value at the highest level: of that one, then of those below.

    Args:
        below: places of the levels among the campaigns.
    """
    fit, axes = surrogate.fit, given.latent_axes
    s = np.repeat(placed(axes, surrogate.warp, fit, [point]), 1 + len(below), axis=0)
    first = axes.dimension - len(given.campaigns)
    for row, k in enumerate(below, 1):
        s[row, first + k] = fit.coordinates[first + k][-1]
    C = (surrogate.base or surrogate.posterior).covariance(s)
    noise = np.array([_sigma(fit, None), *(_sigma(fit, k) for k in below)])
    rho2 = C[0] ** 2 / (max(C[0, 0], 1e-12) * (C.diagonal() + noise**2))
    return np.array([-0.5 * math.log1p(-min(float(each), _MOST)) for each in rho2])


def _sigma(fit: Fit, campaign: int | None) -> float:
    return fit.sigma if campaign is None else fit.others[campaign].sigma
