"""Section 4 of the paper over the steps of a study: gain, variance and movement as they went, the bound beside them.

The study is gone through once more: its results are fitted in their order of arrival, a few at a time where they are
many, each fit from the one before. So it says the same whatever was out at the time and whatever the state remembers.
All figures of a fit are by its own kernel, lengths and noise, which the paper takes as known and the method learns;
what holds for all fits (smoothness, the maximal gain, the constants of the bound) is by those of the last one.

======  ===============================================================  ======
symbol  meaning                                                          shape
======  ===============================================================  ======
n       rows of a fit
I_n     information gain in nats
V_n     cumulative variance
S       latent points of a fit                                           [M, D]
C       drift: no point moves farther than ``C D / n``, in the unit box
======  ===============================================================  ======
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from ordbo_cli.insight import theory
from ordbo_cli.insight.theory import RegretBound
from ordbo_cli.ordinal.fit import Fit
from ordbo_cli.ordinal.fitting import unmoved
from ordbo_cli.ordinal.linalg import Array
from ordbo_cli.ordinal.warp import movement_bound
from ordbo_cli.problem.method import BetaSchedule, Method
from ordbo_cli.search import beta_schedule
from ordbo_cli.search.beta_schedule import Smoothness
from ordbo_cli.search.cells.worth import lower_bound
from ordbo_cli.search.step_input import StepInput
from ordbo_cli.search.step_rows import MOST_ROWS
from ordbo_cli.search.surrogate import Surrogate, fit_context, fit_surrogate
from ordbo_cli.search.threads import thread_pool

_FITS: Final = 50  # of a study of as many results as leave each fit quick
_QUICK: Final = 400
_FEW_FITS: Final = 10  # of a larger one


@dataclass(frozen=True)
class FitFigures:
    """What Section 4 speaks of, at one fit.

    Args:
        rows: n, the evaluations that it was made of.
        beta: multiplier of the standard deviation in the lower confidence bound.
        gain: the information gain ``I_n`` in nats.
        new: how many of the rows the fit before did not have; all of them where there is none.
        new_variance: the sum of their variances, each given the rows before it (the first ones by their places: nobody
            chose their order), where the warp before has them: what they add to ``V_n``.
        moved: the farthest that a point has moved since, each axis scaled to [0, 1]; None without a fit before.
        gain_unmoved: the gain of the points before that.
    """

    rows: int
    beta: float
    gain: float
    new: int
    new_variance: float
    moved: float | None = None
    gain_unmoved: float | None = None


@dataclass(frozen=True)
class Step:
    """One fit among those of a study.

    Args:
        rows: n, the evaluations that it was made of.
        gain: the information gain ``I_n`` in nats.
        variance: the cumulative variance ``V_n``.
        beta: multiplier of the standard deviation that the next point is chosen with, where no other is out.
        moved: the farthest move of a point since the fit before it, each axis scaled to [0, 1]; None for the first.
        gain_lost: what the moves took from the gain; below 0 where they added to it.
    """

    rows: int
    gain: float
    variance: float
    beta: float
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
class TheoryHistory:
    """How a study went, as Section 4 looks at it.

    Args:
        steps: the fits in order, the last one of now.
        bounds: at each of them; empty where draws of the kernel have no slope (Matern 1/2).
        greedy: gains of 1, 2, ... points that are chosen greedily [N].
        smooth: constants of the smoothness assumption; None where draws have no slope.
        bound: with the constants of Theorem 1.
        range: of the latent means at the evaluations: how much a latent value is above the least, at most.
        drift: the least C within which all moves have stayed.
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
    def gain_loss_claimed(self) -> float:
        """What they may take by the unproved step of A.2, all together."""
        return sum(step.gain_loss_claimed or 0.0 for step in self.steps)

    @property
    def trivial(self) -> float:
        """What the evaluations lose at most, whatever was chosen: their number times the range."""
        return self.steps[-1].rows * self.range


def theory_history(
    given: StepInput, schedule: BetaSchedule, progress: Callable[[int, int], None] = lambda done, fits: None
) -> TheoryHistory:
    """Return how a study went.

    Args:
        given: the study, with at least one ranked evaluation; comparisons, which have no place in the order of arrival,
            count from the first fit on.
        schedule: of beta, for the bounds.
        progress: is told after each fit how many of how many are made.
    """
    steps, surrogate = _gone_through(given, progress)
    fit, method, D = surrogate.fit, given.problem.method, len(surrogate.lengths)
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
    return TheoryHistory(steps, tuple(bounds), greedy, smooth, bound, float(np.ptp(fit.mean)), drift)


def fitted_numbers(given: StepInput) -> list[int]:
    """Return after how many evaluations the model is fitted when a study is gone through, the last one after all."""
    number = len(given.evaluations)
    first = min(number, given.problem.method.initial_rows(len(given.problem.free)))
    fits = _FITS if number <= _QUICK else _FEW_FITS
    return sorted({round(x) for x in np.linspace(first, number, min(fits, 1 + number - first))})


def _gone_through(given: StepInput, progress: Callable[[int, int], None]) -> tuple[tuple[Step, ...], Surrogate]:
    """Return the fits of a study, from the end of the initial design to now, and the last one itself."""
    steps: list[Step] = []
    fitted: Surrogate | None = None
    variance, numbers = 0.0, fitted_numbers(given)
    here = replace(given.settled(), fit=None)
    with thread_pool(1):
        for k, number in enumerate(numbers, 1):
            here = replace(here, evaluations=given.evaluations[:number])
            if here.rows.ranked:  # failures that are ignored may be all that there is at first
                fitted = fit_surrogate(here)
                figures = figures_of(here, fitted)
                variance += figures.new_variance
                lost = None if figures.gain_unmoved is None else figures.gain_unmoved - figures.gain
                steps.append(Step(figures.rows, figures.gain, variance, figures.beta, figures.moved, lost))
                here = replace(here, fit=fitted.fit.to_dict())
            progress(k, len(numbers))
    assert fitted is not None
    return tuple(steps), fitted


def figures_of(given: StepInput, surrogate: Surrogate) -> FitFigures:
    """Return what Section 4 speaks of, at one fit.

    Args:
        given: what the fit is made of, with the fit before it.
        surrogate: the fit.
    """
    fit, method, axes, previous = surrogate.fit, given.problem.method, given.latent_axes, given.previous
    K = theory.covariance(method.kernel, fit.S[fit.point])
    variances = theory.conditional_variances(K, fit.sigma)
    rows, beta = len(fit.rank), lower_bound(surrogate, method).beta
    gain = theory.chained_gain(variances, fit.sigma)
    if previous is None:
        return FitFigures(rows, beta, gain, len(variances), float(variances.sum()))
    before = unmoved(fit.data, method, fit_context(given.rows, fit.data, axes), previous)
    old, new = _old_first(axes.encoded([e.values for e in given.rows.ranked]), previous)
    scaled = tuple(u * s[-1] for u, s in zip(before, fit.coordinates, strict=True))
    K = theory.covariance(method.kernel, _placed(fit, np.vstack([old, new]), scaled))
    variances = theory.conditional_variances(K, fit.sigma)
    return FitFigures(
        rows,
        beta,
        gain,
        new=len(new),
        new_variance=float(variances[len(old) :].sum()),
        moved=farthest_move(fit, before),
        gain_unmoved=theory.chained_gain(variances, fit.sigma),
    )


def farthest_move(fit: Fit, before: Sequence[Array]) -> float:
    """Return ``max_i ||s_i^(n-1) - s_i^(n)||`` over the points of a fit, each axis scaled to [0, 1].

    Args:
        fit: with the places of now.
        before: the knots' places before it, so scaled [n_j].
    """
    moves = [(s / s[-1] - u)[fit.index[:, j]] for j, (s, u) in enumerate(zip(fit.coordinates, before, strict=True))]
    return float(np.sqrt(np.sum(np.square(moves), axis=0)).max(initial=0.0))


def allowed_move(method: Method, dimension: int, rows: int) -> float | None:
    """Return ``Delta_n``, the farthest that a point may move, None without a bound on movement."""
    return None if method.drift is None else movement_bound(_drift(method.drift), dimension, rows)


def _drift(C: float) -> float:
    """Return a C that allows the same moves: from as many as a model has rows on, all within the unit box."""
    return min(C, float(MOST_ROWS))


def _placed(fit: Fit, X: Array, coordinates: Sequence[Array]) -> Array:
    """Return the latent places of points as the model takes them [N, axes], given those of the fit's knots."""
    places = [s[np.searchsorted(u, X[:, j])] for j, (u, s) in enumerate(zip(fit.knots, coordinates, strict=True))]
    return np.stack(places, axis=1)


def _old_first(X: Array, previous: Fit) -> tuple[Array, Array]:
    """Return the points that a fit has seen, by their places, and those that are new, in order of arrival.

    Args:
        X: points as the model takes them, in order of arrival [N, axes].
        previous: the fit.
    """
    seen = Counter(map(tuple, previous.data.inputs[previous.point].tolist()))
    old: list[list[float]] = []
    new: list[list[float]] = []
    for point in X.tolist():
        (old if seen[tuple(point)] > 0 else new).append(point)
        seen[tuple(point)] -= 1
    return np.array(sorted(old)).reshape(-1, X.shape[1]), np.array(new).reshape(-1, X.shape[1])
