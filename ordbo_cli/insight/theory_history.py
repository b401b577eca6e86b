"""Section 4 of the paper over the steps of a study: gain, variance and movement as they went, the bound beside them.

Each step's figures are those that :mod:`ordbo_cli.insight.analysis` gave at it. What holds for all of them (smoothness,
the maximal gain, the constants of the bound) is by the kernel, the lengths and the noise of the last fit: the paper
takes these as known, the method learns them.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from ordbo_cli.insight import theory
from ordbo_cli.insight.theory import RegretBound
from ordbo_cli.ordinal.arrays import Array
from ordbo_cli.ordinal.warp import movement_bound
from ordbo_cli.problem.method import BetaSchedule, Method
from ordbo_cli.search import beta_schedule
from ordbo_cli.search.beta_schedule import Smoothness
from ordbo_cli.search.surrogate import Surrogate
from ordbo_cli.search.thinning import MOST_ROWS

_LARGEST: Final = 1e6  # no gain, variance or move of as many rows as a model has comes near


@dataclass(frozen=True)
class Step:
    """One fit.

    Args:
        rows: n, the evaluations that it was made of.
        gain: the information gain ``I_n`` in nats.
        variance: the cumulative variance ``V_n``, counted from the last fit that knew none before it; None where that
            is not on record.
        beta: multiplier of the standard deviation that the point was chosen with; None where it is not on record.
        moved: the farthest move of a point since the fit before it, each axis scaled to [0, 1]; None without one.
        gain_lost: what the moves took from the gain; below 0 where they added to it.
    """

    rows: int
    gain: float
    variance: float | None
    beta: float | None
    moved: float | None
    gain_lost: float | None

    @property
    def gain_loss_claimed(self) -> float | None:
        """What a move as far as that may take from the gain by the unproved step of A.2."""
        return None if self.moved is None else theory.claimed_gain_loss(self.rows, self.moved)


class Bounds(NamedTuple):
    """What Section 4 gives for n evaluations.

    Args:
        beta: ``sqrt(beta_n)`` of Lemma 1.
        gain: an upper bound of the maximal gain ``gamma_n``.
        regret: Theorem 1's bound on the cumulative latent regret.
    """

    beta: float
    gain: float
    regret: float


@dataclass(frozen=True)
class Course:
    """How a study went, as Section 4 looks at it.

    Args:
        steps: the fits on record in order, the last one of now.
        bounds: at each of them; empty where draws of the kernel have no slope (Matern 1/2).
        greedy: gains of 1, 2, ... points that are chosen greedily [N].
        smooth: constants of the smoothness assumption; None where draws have no slope.
        bound: with the constants of Theorem 1.
        range: of the latent means at the evaluations: how much a latent value is above the least, at most.
        drift: the least C within which all moves on record have stayed.
    """

    steps: tuple[Step, ...]
    bounds: tuple[Bounds, ...]
    greedy: Array
    smooth: Smoothness | None
    bound: RegretBound
    range: float
    drift: float

    @property
    def gain_lost(self) -> float:
        """What all moves together took from the gain."""
        return sum(step.gain_lost or 0.0 for step in self.steps)

    @property
    def gain_lost_of_variance(self) -> float:
        """What moves took from the gain over the steps that the last cumulative variance counts."""
        start = max((k for k, step in enumerate(self.steps) if step.moved is None), default=0)
        return sum(step.gain_lost or 0.0 for step in self.steps[start:])

    @property
    def gain_loss_claimed(self) -> float:
        """What they may take by the unproved step of A.2, all together."""
        return sum(step.gain_loss_claimed or 0.0 for step in self.steps)

    @property
    def trivial(self) -> float:
        """What the evaluations lose at most, whatever was chosen: their number times the range."""
        return self.steps[-1].rows * self.range


def course(
    records: Sequence[Mapping[str, Any]], surrogate: Surrogate, method: Method, schedule: BetaSchedule
) -> Course:
    """Return how a study went.

    Args:
        records: the search's words on its steps in order, this one's the last; those that hold no figures of Section 4,
            or none that can be, are passed over.
        surrogate: what is known now.
        method: of the study.
        schedule: of beta, for the bounds.
    """
    fit, D = surrogate.fit, len(surrogate.lengths)
    steps = _steps(records)
    drift = max((step.moved * step.rows / D for step in steps if step.moved is not None), default=0.0)
    bound = RegretBound(fit.sigma, drift if method.drift is None else _drift(method.drift), D)
    greedy = theory.greedy_gains(method.kernel, surrogate.lengths, fit.sigma, max(step.rows for step in steps))
    most = theory.most_gain(greedy, fit.sigma)
    smooth, bounds = None, []
    if method.kernel != "matern12":
        smooth = beta_schedule.assumed(schedule, method.kernel, surrogate.lengths)
        for step in steps:
            beta_n = beta_schedule.beta(step.rows, D, smooth, schedule.delta)
            gain = float(most[step.rows - 1])
            bounds.append(Bounds(math.sqrt(beta_n), gain, bound.regret(step.rows, gain, beta_n)))
    return Course(steps, tuple(bounds), greedy, smooth, bound, float(np.ptp(fit.mean)), drift)


def allowed_move(method: Method, dimension: int, rows: int) -> float | None:
    """Return ``Delta_n``, the farthest that a point may move, None without a bound on movement."""
    return None if method.drift is None else movement_bound(_drift(method.drift), dimension, rows)


def _drift(C: float) -> float:
    """Return a C that allows the same moves: from as many as a model has rows on, all within the unit box."""
    return min(C, float(MOST_ROWS))


def _steps(records: Sequence[Mapping[str, Any]]) -> tuple[Step, ...]:
    """Return the fits that are on record, each once: a batch of points comes from one."""
    steps: list[Step] = []
    variance: float | None = None
    for words in records:
        figures, rows = words.get("analysis"), words.get("rows")
        if type(rows) is not int or not 1 <= rows <= MOST_ROWS or not isinstance(figures, Mapping):
            continue
        beta = _number(figures.get("beta"), sys.float_info.max)
        moved, unmoved = (_number(figures.get(name)) for name in ("moved", "gain_unmoved"))
        gain, new, more = (_number(figures.get(name)) for name in ("gain", "new", "new_variance"))
        if gain is None or new is None or more is None or (steps and rows == steps[-1].rows and new == moved == 0.0):
            continue
        variance = more if moved is None else None if variance is None else variance + more
        lost = None if unmoved is None or moved is None else unmoved - gain
        steps.append(Step(rows, gain, variance, beta, moved, lost))
    return tuple(steps)


def _number(value: Any, most: float = _LARGEST) -> float | None:
    """Return a number from 0 to the most that there is, None for anything else: people edit a state."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0.0 <= value <= most:
        return None
    return float(value)
